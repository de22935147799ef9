"""Complete a position of Northmen of which a scenario gives only the fields that matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.northmen.game import NorthmenGame
from lawspeaker.model.northmen.position import bits, listed

from .given import Given
from .wishes import CUBES, GROUP, Table

HEROES, ROUNDS, ROUTES = 3, 3, 2


def fill(game: AnyGame, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return a complete record; what *fields* names stays as it is.

    Cards are played that bring the given pieces and tokens, and others as the number of turns asks for;
    Kingdoms not named get what these bring.  A hand given in part is filled up where the round fixes its
    size; the row is filled, and the deck has the rest.  Reserves, supplies and tokens taken are such that
    everything adds up.  A pack with too few cards for full hands leaves hands and turns as given.
    ``origins`` are dropped where R_ROUTE_ORIGIN keeps none.

    Raises BadInput where a given field has not its form, and where no cards explain what is given.
    """
    assert isinstance(game, NorthmenGame)
    return _Filler(game, fields).record()


class _Filler:
    """The record in the making, part by part."""

    def __init__(self, game: NorthmenGame, fields: Mapping[str, Any]) -> None:
        self.game, self.tables, self.seats = game, game.tables, game.seats
        self.given = Given(game, fields)
        self.table = Table(self.given)
        self.n = self.given.n
        self.after = self.given.phase == "complete" or self.given.stage in ("planning", "over")
        """Whether the plunder of the round has been collected."""

    def record(self) -> dict[str, Any]:
        """Return the complete record."""
        given, found = self.given, self.game.record(self.game.start())
        found.update({"round": given.round, "phase": given.phase, "leader": self.seats[given.leader], **given.fields})
        for part in (self._routes, self._cards, self._board, self._pieces, self._tokens, self._turn):
            found.update(part())
        partial = ("kingdoms", "regions", "tokens", "hands", "piles", "route_hands", "deck", "row", "discard")
        found.update({k: v for k, v in given.fields.items() if not isinstance(v, dict) and k not in partial})
        if given.ruled("R_ROUTE_ORIGIN", "any"):
            found["origins"] = {name: [] for name in self.tables.kingdoms}
        return found

    def _each(self, values: Sequence[Any]) -> dict[str, Any]:
        return dict(zip(self.seats, values, strict=True))

    def _named(self, field: str, default: Any) -> dict[str, Any]:
        """Return a field by seat, with a default for the seats not given."""
        return {**self._each([default] * self.n), **self.given.fields.get(field, {})}

    # -- cards ------------------------------------------------------------------------------------------

    def _cards(self) -> dict[str, Any]:
        given, ids = self.given, self.tables.names.cards
        hands = [given.card_sets("hands").get(seat, 0) for seat in range(self.n)]
        row, deck, discard = (given.cards(given.fields.get(f, ()), f"$.{f}") for f in ("row", "deck", "discard"))
        pool = self.tables.all_cards & ~row & ~deck & ~discard
        for cards in (*hands, *self.table.piles):
            pool &= ~cards
        for seat, due in enumerate(self._due()):
            hands[seat], pool = _topped(hands[seat], pool, due)
            if self._has_planned(seat) and "discard" not in given.fields:
                lost = self.table.hands_due()[seat] - hands[seat].bit_count() if given.dealt else 0
                thrown, pool = _topped(0, pool, lost)
                discard |= thrown
        if "row" not in given.fields:
            row, pool = _topped(0, pool, self.table.row_due() if given.phase != "deal" else 0)
        deck |= pool if "deck" not in given.fields else 0
        return {
            "hands": self._each([listed(hand, ids) for hand in hands]), "row": listed(row, ids),
            "piles": self._each([listed(pile, ids) for pile in self.table.piles]), "deck": listed(deck, ids),
            "discard": listed(discard, ids), "tops": self._tops(),
        }  # fmt: skip

    def _due(self) -> list[int]:
        """Return how many cards each hand is filled up to."""
        given = self.given
        hands = given.card_sets("hands")
        if not given.dealt:
            asked = self._seat() if given.phase == "play" else None
            return [int(self.seats[seat] == asked and seat not in hands) for seat in range(self.n)]
        if given.stage == "dealing":
            return [0 if given.phase == "deal" else self.game.hand_size] * self.n
        due = list(self.table.hands_due())
        for seat in range(self.n):
            if self._has_planned(seat) and (seat in hands or given.ruled("R_DISCARD", "always")):
                due[seat] = 0
        return due

    def _has_planned(self, seat: int) -> bool:
        given = self.given
        if given.stage == "planning":
            turn = self.table.seat if self.table.seat >= 0 else given.leader
            return given.chair(seat) < given.chair(turn)
        return given.stage == "over" and given.ruled("R_R3_PLAN", "played")

    def _tops(self) -> dict[str, Any]:
        """Return the card that shows on each pile: the one given or being played, else one with a token."""
        given, ids = self.given, self.tables.names.cards
        found = {}
        for seat, pile in enumerate(self.table.piles):
            cards = bits(pile & self.tables.token_cards) or bits(pile)
            playing = seat == self.table.seat and self.table.card >= 0
            top = self.table.card if playing else max(cards, default=-1)
            found[self.seats[seat]] = ids[top] if top >= 0 else None
        return {**found, **given.fields.get("tops", {})}

    # -- routes -----------------------------------------------------------------------------------------

    def _routes(self) -> dict[str, Any]:
        given, ids = self.given, self.tables.names.routes
        hands, done, chosen = (
            [given.routes(given.fields.get(field, {}).get(seat, ()), f"$.{field}") for seat in self.seats]
            for field in ("route_hands", "routes_done", "chosen")
        )
        deck, drawn = (given.routes(given.fields.get(f, ()), f"$.{f}") for f in ("route_deck", "drawn"))
        bottom = given.fields.get("route_bottom", [])
        under = given.routes([route for route, _ in bottom], "$.route_bottom")
        pool = self.tables.all_routes & ~deck & ~drawn & ~under
        for routes in (*hands, *done):
            pool &= ~routes
        enough = len(ids) >= ROUTES * self.n and not (given.stage == "dealing" and given.round == 1)
        for seat in range(self.n) if enough else ():
            own = done[seat].bit_count()
            hands[seat], pool = _topped(hands[seat], pool, max(0, ROUTES - own))
            bought = hands[seat].bit_count() + own - ROUTES
            if "route_bottom" not in given.fields and "route_deck" not in given.fields:
                put, pool = _topped(0, pool, bought)
                bottom = [*bottom, *([ids[route], self.seats[seat]] for route in bits(put))]
        deck |= pool if "route_deck" not in given.fields else 0
        return {
            "route_hands": self._each([listed(one, ids) for one in hands]), "route_deck": listed(deck, ids),
            "routes_done": self._each([listed(one, ids) for one in done]), "route_bottom": bottom,
            "chosen": self._each([listed(one, ids) for one in chosen]), "drawn": listed(drawn, ids),
        }  # fmt: skip

    # -- the board --------------------------------------------------------------------------------------

    def _board(self) -> dict[str, Any]:
        """Return pieces and control: of Kingdoms not named, as the cards played there make it."""
        table, given = self.table, self.given
        kingdoms, control = {}, {}
        for kingdom, name in enumerate(self.tables.kingdoms):
            brought = tuple(sum(self.tables.symbols(pile, kingdom)) for pile in table.piles)
            owner = table.owners.get(kingdom, self._controller(brought))
            control[name] = self.seats[owner] if owner >= 0 and given.stage == "marching" else None
            kingdoms[name] = self._in_kingdom(kingdom, brought, owner)
        empty = [[0, 0] for _ in range(self.n)]
        regions = {name: given.fields.get("regions", {}).get(name, empty) for name in self.tables.regions}
        times = self._named("times", None)
        return {
            "kingdoms": kingdoms,
            "control": control,
            "regions": regions,
            "times": times,
            "origins": self._origins(),
        }

    def _controller(self, brought: tuple[int, ...]) -> int:
        game, given = self.game, self.given
        return int(game.law.controller(brought, (0,) * self.n, given.leader, game.clock, game.empty_kingdom))

    def _in_kingdom(self, kingdom: int, brought: tuple[int, ...], owner: int) -> list[list[int]]:
        table, given = self.table, self.given
        if kingdom in table.kingdoms:
            return [[cubes, heroes] for cubes, heroes in table.kingdoms[kingdom]]
        if given.stage == "rally":
            return [[cubes, 0] for cubes in brought]
        marching = kingdom == table.kingdom and given.phase == "march"
        if given.stage != "marching" or not (marching or table.waits(kingdom)):
            return [[0, 0] for _ in range(self.n)]
        gone = table.sent()[0] if marching else 0
        return [[cubes - gone if seat == owner else 0, 0] for seat, cubes in enumerate(brought)]

    def _origins(self) -> dict[str, list[str]]:
        """Return to which regions cubes went from each Kingdom: as given, else from the first that reaches them."""
        names, table = self.tables.kingdoms, self.table
        found: dict[str, list[str]] = {name: [] for name in names}
        if "origins" in self.given.fields:
            return {**found, **self.given.fields["origins"]}
        for region, pieces in sorted(table.regions.items()):
            for seat, (cubes, _) in enumerate(pieces):
                able = [k for k, owner in sorted(table.owners.items()) if owner == seat and self._reaches(k, region)]
                if cubes and able:
                    found[names[able[0]]].append(self.tables.regions[region])
        return found

    def _reaches(self, kingdom: int, region: int) -> bool:
        return not self.table.waits(kingdom) and bool(self.tables.reach.heroes[kingdom] >> region & 1)

    # -- pieces, tokens ---------------------------------------------------------------------------------

    def _pieces(self) -> dict[str, Any]:
        """Return reserve, Infamy and supply, so that each seat has its thirty cubes and three Heroes."""
        found: dict[str, dict[str, int]] = {"reserve": {}, "infamy": {}, "heroes": {}}
        board = self._board()
        for seat, name in enumerate(self.seats):
            here = [pieces[seat] for field in ("kingdoms", "regions") for pieces in board[field].values()]
            cubes, heroes = sum(c for c, _ in here), sum(h for _, h in here)
            infamy = self.given.fields.get("infamy", {}).get(name)
            reserve = self.given.fields.get("reserve", {}).get(name)
            if infamy is None:
                infamy = self.table.infamy(seat) + self._lost(seat) if reserve is None else CUBES - cubes - reserve
            reserve = CUBES - cubes - infamy if reserve is None else reserve
            if infamy < 0 or reserve < 0 or infamy + reserve + cubes != CUBES:
                what = f"{cubes} cubes on the board, {infamy} Infamy and {reserve} in reserve of seat {name}"
                raise BadInput(what, where="$.reserve", hint=f"{CUBES} in all")
            found["infamy"][name], found["reserve"][name] = infamy, reserve
            found["heroes"][name] = self.given.fields.get("heroes", {}).get(name, HEROES - heroes)
        return found

    def _lost(self, seat: int) -> int:
        """Return the cubes that a seat lost when control was settled."""
        if self.given.phase not in ("delay", "march"):
            return 0
        owners = self._board()["control"]
        symbols = [sum(self.tables.symbols(self.table.piles[seat], k)) for k in range(self.tables.k)]
        return sum(
            count for name, count in zip(self.tables.kingdoms, symbols, strict=True) if owners[name] != self.seats[seat]
        )

    def _tokens(self) -> dict[str, Any]:
        given, table = self.given, self.table
        placed = [0] * self.tables.r
        unplaced = 1 << table.card if given.phase == "hire" else 0
        for pile in table.piles:
            for card in bits(pile & self.tables.token_cards & ~unplaced):
                placed[self.tables.token[card]] += 1
        group = given.fields.get("group", GROUP - sum(placed))
        tokens = [given.tokens.get(region, self._lying(region, count)) for region, count in enumerate(placed)]
        total = GROUP * given.round - group - given.fields.get("unplaced", 0)
        taken = given.by_seat("taken")
        free = [seat for seat in range(self.n) if seat not in taken]
        if given.phase == "complete" and given.round == 1:
            taken = {**{seat: self._due_plunder(seat, placed) for seat in free}, **taken}
            free = []
        if not free and self.after:
            self._spread(tokens, placed, total - sum(taken.values()))
        rest = total - sum(tokens) - sum(taken.values())
        if rest < 0 or (rest and not free):
            raise BadInput(f"{rest} tokens left over", where="$.tokens", hint="on the board and taken, with the group")
        for n, seat in enumerate(free):
            taken[seat] = rest // len(free) + (n < rest % len(free))
        return {
            "group": group, "tokens": dict(zip(self.tables.regions, tokens, strict=True)),
            "taken": self._each([taken[seat] for seat in range(self.n)]),
        }  # fmt: skip

    def _lying(self, region: int, placed: int) -> int:
        """Return the tokens in a region of which nothing is given."""
        if self.given.stage in ("planning", "over"):
            return 0
        return 0 if self.given.phase == "complete" and self._holder(region) >= 0 else placed

    def _holder(self, region: int) -> int:
        """Return who takes the tokens of a region, -1 for nobody."""
        heroes = self.given.ruled("R_COLLECT", "pieces")
        pieces = self.table.regions.get(region, [])
        return next((seat for seat, (c, h) in enumerate(pieces) if c or (heroes and h)), -1)

    def _due_plunder(self, seat: int, placed: list[int]) -> int:
        return sum(count for region, count in enumerate(placed) if self._holder(region) == seat)

    def _spread(self, tokens: list[int], placed: list[int], due: int) -> None:
        """Let tokens that nobody took lie in regions of which nothing is given: none, or all that came by cards."""
        cards = [self.tables.token.count(region) for region in range(self.tables.r)]
        open_ = [r for r in range(self.tables.r) if r not in self.given.tokens and self._holder(r) < 0]
        ways: dict[int, dict[int, int]] = {sum(tokens[r] for r in range(self.tables.r) if r not in open_): {}}
        for region in open_:
            most = placed[region] + (self.given.round - 1) * cards[region]
            amounts = (0, *range(max(1, placed[region]), most + 1))
            for total, way in list(ways.items()):
                for amount in amounts:
                    ways.setdefault(total + amount, {**way, region: amount})
        for region in open_ if due in ways else ():
            tokens[region] = ways[due].get(region, 0)

    # -- whose turn ---------------------------------------------------------------------------------------

    def _turn(self) -> dict[str, Any]:
        given, table = self.given, self.table
        found: dict[str, Any] = {"seat": self._seat()}
        if table.card >= 0 and "placed" not in given.fields:
            found["placed"] = self.tables.value[table.card]
        if given.phase == "complete" and "asked" not in given.fields:
            hand = self._routes()["route_hands"][found["seat"]]
            found["asked"] = hand[0] if hand else None
        if given.phase in ("buying", "keep") and "pairs" not in given.fields:
            found["pairs"] = 1
        return found

    def _seat(self) -> str | None:
        given, table = self.given, self.table
        if table.seat >= 0:
            return self.seats[table.seat]
        if given.phase in ("over", "turn"):
            return None
        if given.phase in ("delay", "march"):
            return self.seats[max(0, table.owners.get(table.kingdom, given.leader))]
        turn = table.turns if given.stage == "rally" else 0
        order = [self.seats[(given.leader + turn + step) % self.n] for step in range(self.n)]
        if given.phase == "play" and not given.dealt:
            able = [seat for seat in order if given.fields.get("hands", {}).get(seat)]
            return (able or order)[0]
        if given.phase == "complete":
            hands = self._routes()["route_hands"]
            return next((seat for seat in order if hands[seat]), order[0])
        return order[0]


def _topped(cards: int, pool: int, due: int) -> tuple[int, int]:
    """Fill a set up to *due* cards from the pool, lowest first; return both."""
    for card in bits(pool)[: max(0, due - cards.bit_count())]:
        cards, pool = cards | 1 << card, pool & ~(1 << card)
    return cards, pool
