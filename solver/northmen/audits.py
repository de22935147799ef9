"""Checks along play that the abstractions and assumptions behind the claims are those of the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.play import Picker, Rare, Step, steps, uniform
from lawspeaker.model.core.records import CheckRow
from lawspeaker.model.northmen import actions as act
from lawspeaker.model.northmen.game import NorthmenGame
from lawspeaker.model.northmen.position import Position

from .boxes import box, game_of
from .claims_supply import EVENTS
from .counts import DELAY_PRICE, GROUP, HERO_PRICE, HOLD_PRICE, PAIR_PRICE, ROUNDS
from .reach import Rally, Rules, start, successors

RALLY = ("play", "hire", "draw", "drawn", "turn")
MOVING = ("delay", "march")

# -- the Rally Phase ------------------------------------------------------------------------------------------


def rules_of(game: NorthmenGame) -> Rules:
    """Return the rules of the abstraction under the game's rulings."""
    return Rules(game.rulings["R_RALLY_END"], game.rulings["R_DECK_EMPTY"], game.rulings["R_NO_CARD"])


def rallying(position: Position) -> bool:
    """Say whether a seat has its Rally turn (the row is filled at the start of a round, too)."""
    return position.phase in RALLY and (position.phase != "turn" or position.card >= 0)


def abstract(game: NorthmenGame, position: Position) -> Rally | None:
    """Return the abstraction of a position: of a Rally turn, or as it ended; None in the middle of a play."""
    if position.phase == "hire":
        return None
    moment = position.phase if rallying(position) else "over"
    unplayed = position.deck | position.row
    for hand in position.hands:
        unplayed |= hand
    tokens = (unplayed & game.tables.token_cards).bit_count()
    return Rally(
        moment, position.seat, tuple(hand.bit_count() for hand in position.hands), position.row.bit_count(),
        position.deck.bit_count(), position.group, tokens, unplayed.bit_count() - tokens,
    )  # fmt: skip


def follows(game: NorthmenGame, before: Position, after: Position) -> bool:
    """Say whether what lies between two positions is one step of the abstraction."""
    now, then = abstract(game, before), abstract(game, after)
    if now is None or then is None:
        return False
    return any(_same(one, then) for one in successors(now, rules_of(game)))


def _same(one: Rally, then: Rally) -> bool:
    if one.moment == then.moment == "over":  # nobody is on turn any more
        return one.__dict__ | {"seat": 0} == then.__dict__ | {"seat": 0}
    return one == then


class Rallies:
    """Watches each Rally Phase: how it begins, and each of its steps."""

    id, title = "audit-abstract-rally", "each step of a Rally Phase is a step of the abstraction of the claims"

    def __init__(self, game: NorthmenGame) -> None:
        self.game = game
        self.known: Position | None = None

    def __call__(self, step: Step) -> bool | None:
        """Say whether the step fits; None if it is not about this."""
        before, after = step.before, step.after
        if not rallying(before):
            self.known = None
            return self._begins(after) if rallying(after) else None
        if before.phase != "hire":
            self.known = before
        if self.known is None or after.phase == "hire":
            return None
        return follows(self.game, self.known, after)

    def _begins(self, after: Position) -> bool:
        begun = abstract(self.game, after)
        assert begun is not None
        first = start(self.game.players, begun.token_cards)
        return begun == Rally(**{**first.__dict__, "seat": after.leader})


# -- cubes -----------------------------------------------------------------------------------------------------


def allowed(game: NorthmenGame, before: Position, after: Position) -> set[str]:
    """Return the events that can come by themselves between two positions."""
    found: set[str] = set()
    left_rally = rallying(before) and not rallying(after)
    moved = left_rally or before.phase in MOVING
    if left_rally:
        found.add("lose control")
    if moved and after.phase not in MOVING:
        found.add("lose a battle")
    if (moved and after.phase not in (*MOVING, "complete")) or (before.phase == "complete" != after.phase):
        found.add("clear")
    if moved and game.rulings["R_STUCK"] != "map_constraint":
        found |= {"stuck, to the reserve", "stuck, to Infamy"}
    return found


def meant(game: NorthmenGame, step: Step, seat: int) -> dict[str, int]:
    """Return what the action itself does with a seat's cubes, as the abstraction has it."""
    if seat != step.actor:
        return {}
    match step.action:
        case act.Play(card):
            value, reserve = game.tables.value[card], step.before.reserve[seat]
            partial = game.rulings["R_PARTIAL"] == "partial"
            return {"place": value if reserve >= value else reserve if partial else 0}
        case act.Hire():
            return {"spend": HERO_PRICE}
        case act.Delay():
            return {"spend": DELAY_PRICE}
        case act.Buy(pairs):
            return {"spend": PAIR_PRICE * pairs}
        case act.Hold():
            return {"spend": HOLD_PRICE}
        case act.Send(_, cubes, _):
            return {"march": cubes}
    return {}


def amounts(game: NorthmenGame, position: Position, seat: int) -> tuple[int, int, int, int]:
    """Return a seat's cubes in the reserve, on the Infamy Card, on Kingdoms, and in regions."""
    board = [place[seat] for place in position.cubes]
    k = game.tables.k
    return position.reserve[seat], position.infamy[seat], sum(board[:k]), sum(board[k:])


def explained(change: tuple[int, ...], done: dict[str, int], free: set[str]) -> bool:
    """Say whether events in these numbers, and the free ones in any number, come to this change of amounts."""
    rest = list(change)
    for name, number in done.items():
        rest = [have - each * number for have, each in zip(rest, EVENTS[name], strict=True)]
    return _fits(tuple(rest), sorted(free))


def _fits(rest: tuple[int, ...], free: list[str]) -> bool:
    """Try the free events one by one; each moves cubes from one amount to another."""
    if not any(rest):
        return True
    if not free:
        return False
    event = EVENTS[free[0]]
    source = event.index(-1)
    return any(
        _fits(tuple(have - each * number for have, each in zip(rest, event, strict=True)), free[1:])
        for number in range(max(0, -rest[source]) + 1)
    )


class Supplies:
    """Watches the cubes of every seat."""

    id, title = "audit-abstract-supplies", "each step does with a player's cubes what the events of the claims do"

    def __init__(self, game: NorthmenGame) -> None:
        self.game = game

    def __call__(self, step: Step) -> bool | None:
        """Say whether the step fits; None if no cube moves."""
        game, moved = self.game, False
        free = allowed(game, step.before, step.after)
        for seat in range(game.players):
            before, after = amounts(game, step.before, seat), amounts(game, step.after, seat)
            done = meant(game, step, seat)
            change = tuple(b - a for a, b in zip(before, after, strict=True))
            moved = moved or any(change) or bool(done)
            if not explained(change, done, free):
                return False
        return True if moved else None


# -- tokens, routes, forces ------------------------------------------------------------------------------------


def tokens_kept(game: NorthmenGame, step: Step) -> bool:
    """Say whether all tokens are somewhere, and nothing is untaken (SN-SETUP-08, SN-COLLECT-03)."""
    now = step.after
    to_come = GROUP * (ROUNDS - now.round)
    whole = to_come + now.group + now.unplaced + sum(now.tokens) + sum(now.taken) == GROUP * ROUNDS
    grew = all(one <= two for one, two in zip(step.before.taken, now.taken, strict=True))
    return whole and grew and sum(now.tokens) + sum(now.taken) + now.unplaced + now.group == GROUP * now.round


def deck_of_routes(position: Position) -> int:
    """Return how many Trade Routes are in the deck and under it."""
    return position.route_deck.bit_count() + len(position.route_bottom)


def routes_kept(game: NorthmenGame, step: Step) -> bool | None:
    """Say whether a purchase takes as many routes from the deck as pairs were bought.

    None for other steps; they leave it as it is.  Of a lone route bought under R_ROUTE_SHORT=take_one none
    comes back.
    """
    before, after = step.before, step.after
    if before.phase in ("buy", "buying", "routes"):
        return None
    if not isinstance(step.action, act.Keep) or after.phase == "keep":
        return None if deck_of_routes(after) == deck_of_routes(before) else False
    returned = before.drawn.bit_count() - before.pairs
    return deck_of_routes(after) == deck_of_routes(before) + returned and returned in (0, before.pairs)


def forces_fit(game: NorthmenGame, step: Step) -> bool | None:
    """Say whether no seat has more cubes on a Kingdom than symbols played for it, or Heroes than cards.

    What stayed from a round before is outside the claims (R_MUST_MOVE=may, R_HERO_STAY=may).
    """
    now = step.after
    if not rallying(now):
        return None
    for seat in range(game.players):
        for kingdom in range(game.tables.k):
            cards = now.piles[seat] & game.tables.suit_cards[kingdom]
            if now.cubes[kingdom][seat] > sum(game.tables.symbols(now.piles[seat], kingdom)):
                return False
            if now.heroes[kingdom][seat] > cards.bit_count():
                return False
    return True


WATCHED: tuple[tuple[str, str, Callable[[NorthmenGame, Step], bool | None]], ...] = (
    ("audit-abstract-tokens", "every token is somewhere, fifteen come each round, none taken is lost", tokens_kept),
    ("audit-abstract-routes", "each purchase takes one Trade Route for good from the deck", routes_kept),
    ("audit-abstract-forces", "no more cubes on a Kingdom than symbols played, nor Heroes than cards", forces_fit),
)

# -- over seeded games -----------------------------------------------------------------------------------------------


_VARIED = ("R_RALLY_END", "R_DECK_EMPTY", "R_PARTIAL", "R_HERO_ZERO", "R_ROUTE_BATCH", "R_ROUTE_SHORT", "R_MARK")


def games(game: NorthmenGame) -> Iterator[tuple[NorthmenGame, str]]:
    """Yield the game under each ruling that the abstractions know, and boxes that exhaust the deck, with a name."""
    book = game.catalogue.book
    yield game, "default rulings"
    for ruling in (
        "R_RALLY_END",
        "R_DECK_EMPTY",
        "R_PARTIAL",
        "R_HERO_ZERO",
        "R_ROUTE_BATCH",
        "R_ROUTE_SHORT",
        "R_MARK",
    ):
        chosen = {ruling: book[ruling].values[1]}
        yield game.varied(rulings=book.choose(chosen)), f"{ruling}={chosen[ruling]}"
    for placing, chosen in ((16, {}), (18, {"R_RALLY_END": "finish_turn"}), (17, {"R_DECK_EMPTY": "end"}),
                            (12, {"R_NO_CARD": "end"}), (56, {"R_STUCK": "to_infamy"})):  # fmt: skip
        borders = {"Rus": ()} if "R_STUCK" in chosen else {}
        small = game_of(box(placing=placing, borders=borders), game.players, **chosen)
        assert isinstance(small, NorthmenGame)
        yield small, f"{placing} token cards {chosen}"


class _Watch:
    """One audit over all games: how often it had something to say, and what it found first."""

    def __init__(self, name: str, title: str) -> None:
        self.name, self.title, self.times, self.wrong = name, title, 0, ""

    def note(self, fits: bool | None, game: NorthmenGame, seed: int, where: str, step: Step) -> None:
        self.times += fits is not None
        if fits is False and not self.wrong:
            self.wrong = f"seed {seed}, {where}: {game.text(step.action)}"

    def row(self, game: str) -> CheckRow:
        return CheckRow(
            game, self.name, self.title, "fail" if self.wrong or not self.times else "pass", self.times, self.wrong
        )


def abstraction_rows(game: AnyGame, seeds: Iterable[int]) -> list[CheckRow]:
    """Return whether every step of these games is as the claims take it to be, one row for each audit."""
    assert isinstance(game, NorthmenGame)
    watches = {kind: _Watch(kind.id, kind.title) for kind in (Rallies, Supplies)}
    others = [(_Watch(name, title), check) for name, title, check in WATCHED]
    for seed in seeds:
        for varied, where in games(game):
            audits = [(watches[kind], kind(varied)) for kind in (Rallies, Supplies)]
            policy: Picker = uniform if seed % 2 else Rare()
            for step in steps(varied, seed, policy):
                for watch, audit in audits:
                    watch.note(audit(step), varied, seed, where, step)
                for watch, check in others:
                    watch.note(check(varied, step), varied, seed, where, step)
    return [watch.row(game.id) for watch in (*watches.values(), *(watch for watch, _ in others))]
