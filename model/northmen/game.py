"""The game of Northmen: the contract's methods over the position, calling the law for every rule.

Here stand setup and the Rally Phase; ``march``, ``planning`` and ``scoring`` have the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

from msgspec.structs import replace

from lawspeaker.model.core.clauses import Catalogue
from lawspeaker.model.core.contract import CHANCE, OVER, Breach, Effect, Game, Result
from lawspeaker.model.core.law import Law
from lawspeaker.model.core.packs import Pack
from lawspeaker.model.core.rulings import Rulings

from . import actions as act
from . import alphabet, breaches, compounds, effects, invariants, march, planning, policy, scoring, views, worlds
from .actions import SEATS, Action
from .pack import NorthmenPack
from .playable import refuse_unplayable
from .position import CHANCE_PHASES, FIELDS, Position, bits, from_record, put, to_record
from .tables import Tables, amounts


@cache
def even(count: int) -> tuple[Fraction, ...]:
    """Return equal probabilities for so many outcomes."""
    return (Fraction(1, count),) * count


class NorthmenGame(Game[Position, Action]):
    """Northmen for two to four, under a pack, a complete choice of rulings, and a law."""

    id = "northmen"
    pack: NorthmenPack
    fields = FIELDS
    invariants = invariants.IDS

    def __init__(self, catalogue: Catalogue, pack: NorthmenPack, rulings: Rulings, law: Law, players: int) -> None:
        self.catalogue, self.pack, self.rulings, self.law = catalogue, pack, rulings, law
        self.players, self.seats = players, SEATS[:players]
        self.tables = Tables(pack, rulings, law, players)
        self.cubes_each: int = law.cubes_each()
        self.heroes_each: int = law.heroes_each()
        self.hand_size: int = law.hand_size()
        self.row_size: int = law.row_size()
        self.must = (bool(law.cubes_must_leave(rulings["R_MUST_MOVE"])), rulings["R_HERO_STAY"] == "must")
        self.keeps_origins = rulings["R_ROUTE_ORIGIN"] == "from_kingdom"
        self.partial, self.hero_zero = rulings["R_PARTIAL"], rulings["R_HERO_ZERO"]
        self.deck_empty, self.fifteen = rulings["R_DECK_EMPTY"], rulings["R_FIFTEEN"]
        self.finish_turn = rulings["R_RALLY_END"] == "finish_turn"
        self.batch, self.short = rulings["R_ROUTE_BATCH"] == "batch", rulings["R_ROUTE_SHORT"]
        self.clock, self.empty_kingdom = rulings["R_CLOCK"], rulings["R_EMPTY_KINGDOM"]
        self._chances: dict[str, tuple[tuple[int, Action], ...]] = {
            "deal": tuple((1 << n, a) for n, a in enumerate(self.tables.deals)),
            "turn": tuple((1 << n, a) for n, a in enumerate(self.tables.turns)),
            "routes": tuple((1 << n, a) for n, a in enumerate(self.tables.routes)),
        }
        self._texts: dict[Action, str] = {}
        self._options: dict[str, Callable[[Position], tuple[Action, ...]]] = {
            "deal": self._legal_deal, "drawn": self._legal_deal, "turn": self._legal_turn,
            "routes": self._legal_routes, "buying": self._legal_routes, "play": self._legal_play,
            "hire": self._legal_hire, "draw": self._legal_draw, "delay": lambda p: (act.DELAY, act.NO_DELAY),
            "march": self.sends, "complete": self.commitments,
            "buy": self.offers, "keep": self.keeps, "hold": self.holds, "over": lambda p: (),
        }  # fmt: skip
        self._moves: dict[type, Callable[..., Position]] = {
            act.Deal: self._deal, act.Turn: self._turn, act.Route: self._route, act.Play: self._play,
            act.Hire: self._hire, act.NoHire: lambda p, a: self._token(p), act.Take: self._take,
            act.Draw: lambda p, a: replace(p, phase="drawn"),
            act.Delay: self.delay, act.NoDelay: self.no_delay, act.Send: self.send, act.Complete: self.commit,
            act.Withhold: self.commit, act.Buy: self.buy, act.Keep: self.keep, act.Hold: self.hold,
            act.Done: self.done,
        }  # fmt: skip

    def varied(
        self, *, pack: Pack | None = None, rulings: Rulings | None = None, law: Law | None = None
    ) -> NorthmenGame:
        """Return the same game with another pack, choice of rulings, or law.

        Raises BadInput for a pack that the rulings rule out, as where a game is built.
        """
        box = self.pack if pack is None else pack
        assert isinstance(box, NorthmenPack)
        ruled = self.rulings if rulings is None else rulings
        if box != self.pack or ruled != self.rulings:  # another law alone demands nothing of the pack
            refuse_unplayable(box, ruled, self.players)
        return type(self)(self.catalogue, box, ruled, law or self.law, self.players)

    def recast(self, kind: type[Any]) -> NorthmenGame:
        """Return the same game as an object of another class."""
        made: NorthmenGame = kind(self.catalogue, self.pack, self.rulings, self.law, self.players)
        return made

    # -- play ---------------------------------------------------------------------------------

    def start(self) -> Position:
        """Return the table as it is set up, before a card is dealt (SN-SETUP-01 to 14)."""
        n, t, law = self.players, self.tables, self.law
        leader = law.first_leader()
        by_place = law.starting_infamy(n)
        infamy = tuple(by_place[(seat - leader) % n] for seat in range(n))
        nothing, places = amounts(n), t.k + t.r
        position = Position(
            round=1, phase="deal", leader=leader, seat=-1, deck=t.all_cards, row=0, hands=nothing, piles=nothing,
            tops=amounts(n, -1), discard=0, cubes=(nothing,) * places, heroes=(nothing,) * places,
            tokens=amounts(t.r), reserve=tuple(law.starting_reserve(self.cubes_each, own) for own in infamy),
            infamy=infamy, supply=amounts(n, self.heroes_each), taken=nothing, group=law.group_size(), unplaced=0,
            card=-1, placed=0, control=amounts(t.k, -1), times=amounts(n, -1), kingdom=-1, second_pass=False,
            region=-1, armies=0, fleets=0, either=0, led=0, origins=amounts(t.k), route_deck=t.all_routes,
            route_bottom=(), route_hands=nothing, routes_done=nothing, chosen=nothing, asked=-1, drawn=0, kept=0,
            pairs=0, held=0,
        )  # fmt: skip
        return self.dealing(position)

    def actor(self, position: Position) -> int:
        """Return who decides next: the seat of the position, chance, or over."""
        if position.phase in CHANCE_PHASES:
            return CHANCE
        return OVER if position.phase == "over" else position.seat

    def legal(self, position: Position) -> tuple[Action, ...]:
        """Return all legal actions, sorted by kind and number."""
        return self._options[position.phase](position)

    def odds(self, position: Position) -> tuple[Fraction, ...]:
        """Return equal probabilities: decks are shuffled; what lies under the route deck lies in order."""
        if position.phase in ("routes", "buying"):
            return even(position.route_deck.bit_count() or 1)
        return even(position.deck.bit_count())

    def apply(self, position: Position, action: Action) -> Position:
        """Return the position after a legal action, automatic steps included."""
        return self._moves[type(action)](position, action)

    # -- dealing --------------------------------------------------------------------------------

    def _legal_deal(self, position: Position) -> tuple[Action, ...]:
        deck = position.deck
        return tuple([action for bit, action in self._chances["deal"] if deck & bit])

    def _legal_turn(self, position: Position) -> tuple[Action, ...]:
        deck = position.deck
        return tuple([action for bit, action in self._chances["turn"] if deck & bit])

    def _legal_routes(self, position: Position) -> tuple[Action, ...]:
        deck = position.route_deck or 1 << position.route_bottom[0][0]
        return tuple([action for bit, action in self._chances["routes"] if deck & bit])

    def dealing(self, position: Position) -> Position:
        """Go on dealing: hands up to six, the face-up row, at setup the Trade Routes; then rally."""
        leader, n = position.leader, self.players
        if position.deck:
            for step in range(n):
                seat = (leader + step) % n
                if position.hands[seat].bit_count() < self.hand_size:
                    return replace(position, phase="deal", seat=seat)
            if position.row.bit_count() < self.row_size:
                return replace(position, phase="turn", seat=-1)
        if position.round == 1 and (position.route_deck or position.route_bottom):
            for step in range(n):
                seat = (leader + step) % n
                if position.route_hands[seat].bit_count() < self.law.starting_routes():
                    return replace(position, phase="routes", seat=seat)
            position = replace(position, route_deck=self.law.route_deck(position.route_deck))
        if self._full(position):
            return self.begin_marching(position)
        first = self.law.first_in_rally(leader, n)
        return self._rally_turn(position, first)

    def _deal(self, position: Position, action: act.Deal) -> Position:
        bit, seat = 1 << action.card, position.seat
        hands = put(position.hands, seat, position.hands[seat] | bit)
        if position.phase == "drawn":
            return self._turn_over(replace(position, deck=position.deck & ~bit, hands=hands))
        return self.dealing(replace(position, deck=position.deck & ~bit, hands=hands))

    def _turn(self, position: Position, action: act.Turn) -> Position:
        bit = 1 << action.card
        after = replace(position, deck=position.deck & ~bit, row=position.row | bit)
        return self._turn_over(after) if position.card >= 0 else self.dealing(after)

    def _route(self, position: Position, action: act.Route) -> Position:
        bit, seat = 1 << action.route, position.seat
        deck, bottom = position.route_deck & ~bit, position.route_bottom
        if not position.route_deck:
            bottom = bottom[1:]
        if position.phase == "buying":
            return self.drawing(replace(position, route_deck=deck, route_bottom=bottom, drawn=position.drawn | bit))
        hands = put(position.route_hands, seat, position.route_hands[seat] | bit)
        return self.dealing(replace(position, route_deck=deck, route_bottom=bottom, route_hands=hands))

    # -- the Rally Phase ------------------------------------------------------------------------

    def _legal_play(self, position: Position) -> tuple[Action, ...]:
        plays = self.tables.plays
        return tuple([plays[card] for card in bits(self.law.playable(position.hands[position.seat]))])

    def _legal_hire(self, position: Position) -> tuple[Action, ...]:
        return act.HIRE, act.NO_HIRE

    def _legal_draw(self, position: Position) -> tuple[Action, ...]:
        row, deck = self.law.sources(position.row, position.deck != 0)
        takes = self.tables.takes
        found: list[Action] = [takes[card] for card in bits(row)]
        return (*found, act.DRAW) if deck else tuple(found)

    def _play(self, position: Position, action: act.Play) -> Position:
        card, seat, t = action.card, position.seat, self.tables
        bit, kingdom = 1 << card, t.suit[card]
        reserve, infamy = position.reserve[seat], position.infamy[seat]
        own, lent = self.law.cubes_placed(t.value[card], reserve, infamy, self.partial)
        placed = own + lent
        after = replace(
            position,
            phase="hire",
            hands=put(position.hands, seat, position.hands[seat] & ~bit),
            piles=put(position.piles, seat, position.piles[seat] | bit),
            tops=put(position.tops, seat, card),
            reserve=put(position.reserve, seat, reserve - own),
            infamy=put(position.infamy, seat, infamy - lent) if lent else position.infamy,
            cubes=add(position.cubes, kingdom, seat, placed),
            card=card,
            placed=placed,
        )
        if not self.law.may_hire(infamy - lent, position.supply[seat], placed, self.hero_zero):
            return self._token(after)
        if not self.law.hire_before_token() and self._is_last(position, t.token[card]):
            return self._token(after)
        return after

    def _is_last(self, position: Position, region: int) -> bool:
        """Say whether a token on this region (-1: none) ends the phase."""
        return region >= 0 and bool(self.law.rally_over(position.group - 1, sum(position.tokens) + 1, self.fifteen))

    def _hire(self, position: Position, action: act.Hire) -> Position:
        seat, kingdom = position.seat, self.tables.suit[position.card]
        price = self.law.hero_price()
        return self._token(
            replace(
                position,
                infamy=put(position.infamy, seat, position.infamy[seat] - price),
                reserve=put(position.reserve, seat, position.reserve[seat] + self.law.back_to_reserve(price)),
                supply=put(position.supply, seat, position.supply[seat] - 1),
                heroes=add(position.heroes, kingdom, seat, 1),
            )
        )

    def _token(self, position: Position) -> Position:
        """Step 4: place the token that the card asks for; the last one ends the phase (SN-RALLY-13)."""
        region = self.tables.token[position.card]
        if region >= 0 and position.group > 0:
            position = replace(
                position,
                tokens=put(position.tokens, region, position.tokens[region] + 1),
                group=self.law.group_after_token(position.group),
            )
            if self._full(position) and not self.finish_turn:
                return self.begin_marching(position)
        return self._draw_step(position)

    def _full(self, position: Position) -> bool:
        """Say whether all tokens that the phase takes are on the board (SN-RALLY-20, R_FIFTEEN)."""
        return bool(self.law.rally_over(position.group, sum(position.tokens), self.fifteen))

    def _draw_step(self, position: Position) -> Position:
        """Step 5: draw a card, if there is one; R_DECK_EMPTY=end ends the phase if there is none."""
        if not self.law.draws_card():
            return self._turn_over(position)
        row, deck = self.law.sources(position.row, position.deck != 0)
        if row or deck:
            return replace(position, phase="draw")
        return self.begin_marching(position) if self.deck_empty == "end" else self._turn_over(position)

    def _take(self, position: Position, action: act.Take) -> Position:
        bit, seat = 1 << action.card, position.seat
        after = replace(position, row=position.row & ~bit, hands=put(position.hands, seat, position.hands[seat] | bit))
        if self.law.row_refilled():
            if position.deck:
                return replace(after, phase="turn")
            if self.deck_empty == "end":
                return self.begin_marching(after)
        return self._turn_over(after)

    def _turn_over(self, position: Position) -> Position:
        """End a Rally turn; after the last token that is the end of the phase (R_RALLY_END=finish_turn)."""
        if self._full(position):
            return self.begin_marching(position)
        return self._rally_turn(position, self.law.next_in_rally(position.seat, self.players))

    def _rally_turn(self, position: Position, seat: int) -> Position:
        """Give the turn to a seat, or past empty hands to the next; nobody left ends the phase (R_NO_CARD)."""
        n = self.players
        for step in range(n):
            who = (seat + step) % n
            if position.hands[who]:
                return replace(position, phase="play", seat=who, card=-1, placed=0)
        return self.begin_marching(position)

    # -- the other phases: functions told in ``march`` and ``planning``, methods so that a variant can change one --

    begin_marching, controller, withdraw, in_control = march.begin, march.controller, march.withdraw, march.in_control
    next_kingdom, rest_of_pass, may_delay = march.next_kingdom, march.rest, march.may_delay
    begin_march, next_region, free_the_stuck = march.march, march.next_region, march.free_the_stuck
    strength, room, sends, after_movement = march.strength, march.room, march.sends, march.after_movement
    battles, collect, keep_routes, clean_up = march.battles, march.collect, march.keep_routes, march.clean_up
    completed, commitments, next_commitment = march.completed, march.commitments, march.next_commitment
    delay, no_delay, send, commit = march.delay, march.no_delay, march.send, march.commit
    begin_planning, purchases, drawing, pay = planning.begin, planning.purchases, planning.drawing, planning.pay
    offers, keeps, holds, end_round = planning.offers, planning.keeps, planning.holds, planning.end_round
    buy, keep, hold, done = planning.buy, planning.keep, planning.hold, planning.done

    # -- the rest of the contract, told elsewhere ----------------------------------------------

    def breaches(self, position: Position, action: Action, by: int | None = None) -> tuple[Breach, ...]:
        """Return each clause the action would break; empty exactly for legal actions."""
        return breaches.breaches(self, position, action, by)

    def effects(self, position: Position, action: Action) -> tuple[Effect, ...]:
        """Return the clauses at work in a legal action, with their worked facts."""
        return effects.effects(self, position, action)

    def touched(self, position: Position, action: Action, after: Position) -> tuple[str, ...]:
        """Return the ids of ``effects``, fast."""
        return effects.touched(self, position, action, after)

    def alphabet(self, position: Position) -> Iterable[Action]:
        """Yield every action somebody could try."""
        return alphabet.alphabet(self, position)

    def observe(self, position: Position, seat: int) -> dict[str, Any]:
        """Return what the seat may see: its own cards and routes, of the others' numbers only (SN-SETUP-07)."""
        return views.observe(self, position, seat)

    def sees(self, position: Position, action: Action) -> tuple[int, ...]:
        """Return who learns the action: hands, held cards, routes kept and commitments are secret."""
        return views.sees(self, position, action)

    def worlds(self, position: Position, seat: int, random: Random) -> Position:
        """Return the position with everything drawn anew that the seat does not see."""
        return worlds.another(self, position, seat, random)

    def commits(self, position: Position) -> bool:
        """Tell whether seats choose simultaneously: the Trade Routes they play."""
        return position.phase == "complete"

    def inside(self, position: Position) -> bool:
        """Tell whether a march, a choice of Trade Routes or of held cards goes on."""
        return compounds.inside(self, position)

    def expand(self, position: Position, text: str) -> tuple[Action, ...] | None:
        """Read ``march ...``, ``routes ...`` or ``holds ...`` as the series that it stands for."""
        return compounds.expand(self, position, text)

    def compound(self, position: Position, actions: Sequence[Action]) -> str | None:
        """Return the compound text of a whole march, choice of routes, or of held cards."""
        return compounds.compound(self, position, actions)

    def result(self, position: Position) -> Result:
        """Return scores with their breakdown, and the winners once the game is over."""
        return scoring.result(self, position)

    def appeal(self, view: Mapping[str, Any], actions: Sequence[Action]) -> Sequence[float]:
        """Return how good each action looks from a view."""
        return policy.appeal(self, view, actions)

    def text(self, action: Action) -> str:
        """Return the action's canonical text."""
        known = self._texts.get(action)
        if known is None:
            known = self._texts[action] = act.text(action, self.tables.names)
        return known

    def parse(self, text: str) -> Action:
        """Read an action's canonical text; raises BadInput."""
        return act.parse(text, self.tables.names)

    def kind(self, action: Action) -> str:
        """Return the action's kind."""
        return act.kind(action)

    def record(self, position: Position) -> dict[str, Any]:
        """Return the position as plain JSON values."""
        return to_record(position, self.tables.names, self.tables.k)

    def position(self, record: Mapping[str, Any]) -> Position:
        """Read a record; raises BadInput with the path of a malformed field."""
        return from_record(record, self.tables.names, self.tables.k, self.players)

    def broken_invariants(self, position: Position) -> tuple[Breach, ...]:
        """Return the invariants this position breaks; empty for a valid one."""
        return invariants.broken(self, position)


def add(amounts_: tuple[tuple[int, ...], ...], place: int, seat: int, more: int) -> tuple[tuple[int, ...], ...]:
    """Return amounts by place and seat with more of one."""
    if not more:
        return amounts_
    here = amounts_[place]
    return (*amounts_[:place], put(here, seat, here[seat] + more), *amounts_[place + 1 :])
