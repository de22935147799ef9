"""The invariants of a Northmen position that a single position shows (ids I01 to I33 of the reading).

Those of the phases and of the order of turns (I35 and on) stand in ``automaton``.  The ones that need a
history (I16 to I19, I23, I27 to I29, I31) are checked along play by ``properties``, and so is I34, the
two worlds.  Each holds under every choice of rulings; where a ruling changes it, the check says how.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lawspeaker.model.core.contract import Breach, facts

from . import automaton
from .actions import SEATS
from .position import Position, bits
from .stages import CUBES, GROUP, HAND, HEROES, ROUNDS, ROUTES, ROW, Found, Table

if TYPE_CHECKING:
    from .game import NorthmenGame


def broken(game: NorthmenGame, position: Position) -> tuple[Breach, ...]:
    """Return each invariant the position breaks, by id, with its facts.

    Where fields stand that do not belong to the phase, no more is said: the rest would follow from that.
    """
    table = Table(game, position)
    first = tuple(Breach("I35", breach) for breach in automaton.phase_fields(table))
    if first:
        return first
    return tuple(Breach(name, breach) for name, check in _CHECKS.items() for breach in check(table))


# -- pieces, tokens and cards are all there -------------------------------------------------------------


def _cubes(t: Table) -> Found:
    """I01: reserve, Infamy and cubes on the board make thirty for each seat."""
    p = t.position
    for seat in range(t.n):
        total = p.reserve[seat] + p.infamy[seat] + sum(place[seat] for place in p.cubes)
        if total != CUBES:
            yield facts(seat=SEATS[seat], cubes=total)


def _heroes(t: Table) -> Found:
    """I02: the supply and Heroes on the board make three for each seat."""
    p = t.position
    for seat in range(t.n):
        total = p.supply[seat] + sum(place[seat] for place in p.heroes)
        if total != HEROES:
            yield facts(seat=SEATS[seat], heroes=total)


def _tokens(t: Table) -> Found:
    """I03: groups to come, the round's group, tokens left over, on the board and taken make forty-five."""
    p = t.position
    total = GROUP * (ROUNDS - p.round) + p.group + p.unplaced + sum(p.tokens) + sum(p.taken)
    if total != GROUP * ROUNDS:
        yield facts(tokens=total)


def _cards(t: Table) -> Found:
    """I04: deck, row, hands, piles and discards hold each Influence Card once."""
    p, ids = t.position, t.game.tables.names.cards
    yield from _partition((p.deck, p.row, p.discard, *p.hands, *p.piles), ids)


def _routes(t: Table) -> Found:
    """I05: route deck, hands, completed routes and those just drawn hold each Trade Route once."""
    p, ids = t.position, t.game.tables.names.routes
    under = tuple(1 << route for route, _ in p.route_bottom)
    yield from _partition((p.route_deck, p.drawn, *under, *p.route_hands, *p.routes_done), ids)


def _partition(sets: tuple[int, ...], ids: tuple[str, ...]) -> Found:
    seen = twice = 0
    for one in sets:
        twice |= seen & one
        seen |= one
    if twice:
        yield facts(twice=tuple(ids[n] for n in bits(twice)))
    missing = ~seen & ((1 << len(ids)) - 1)
    if missing:
        yield facts(missing=tuple(ids[n] for n in bits(missing)))


def _amounts(t: Table) -> Found:
    """I14: no amount is negative."""
    p = t.position
    rows = (*p.cubes, *p.heroes, p.reserve, p.infamy, p.supply, p.tokens, p.taken)
    counts = (p.group, p.unplaced, p.placed, p.armies, p.fleets, p.either, p.led, p.pairs)
    least = min(min(map(min, rows)), min(counts))
    if least < 0:
        yield facts(least=least)


# -- cards in the Rally Phase ---------------------------------------------------------------------------


def _row(t: Table) -> Found:
    """I06: three cards lie face up while there is a deck to fill the row from."""
    p = t.position
    row = p.row.bit_count()
    if p.phase in ("deal", "turn"):
        fits = row == 0 if p.phase == "deal" else row == ROW - 1 or (t.stage == "dealing" and row < ROW)
    else:
        fits = row == ROW or (row < ROW and not p.deck)
    if not fits:
        yield facts(phase=p.phase, row=row, deck=p.deck.bit_count())


def _hands_at_start(t: Table) -> Found:
    """I07: the Rally Phase begins with six cards in each hand."""
    p = t.position
    if t.dealt and p.phase == "play" and not t.turns:
        yield from (facts(seat=SEATS[s], hand=h.bit_count()) for s, h in enumerate(p.hands) if h.bit_count() != HAND)


def _hands(t: Table) -> Found:
    """I08: each hand has six cards between turns, one fewer from play to draw, and shrinks without cards to draw."""
    p = t.position
    sizes = tuple(hand.bit_count() for hand in p.hands)
    if max(sizes) > HAND:
        yield facts(most=max(sizes))
    if not t.dealt or t.stage not in ("rally", "marching"):
        return
    due = [t.hands_due(draws) for draws in t.draws]
    if sizes not in due:
        yield facts(hands=sizes, due=due[0], turns=t.turns)


def _cards_left(t: Table) -> Found:
    """I30: once hands are full, deck and row hold all other cards, however many were held."""
    p = t.position
    begins = p.phase == "routes" or (p.phase == "play" and not t.turns)
    left = (p.deck | p.row).bit_count()
    if t.dealt and begins and left != t.cards - HAND * t.n:
        yield facts(deck_and_row=left, due=t.cards - HAND * t.n)


def _group(t: Table) -> Found:
    """I09: the tokens of the group that are gone are the token cards played this round."""
    p = t.position
    if GROUP - p.group != t.placed_now.bit_count():
        yield facts(group=p.group, token_cards=t.placed_now.bit_count())


def _rally_lasts(t: Table) -> Found:
    """I10: the Rally Phase goes on while tokens are to be placed, and no longer.

    Under R_RALLY_END=finish_turn the player who placed the last one still draws.
    """
    p = t.position
    if t.stage != "rally" or not t.full:
        return
    last = p.phase in ("draw", "drawn", "turn") and t.game.tables.token[p.card] >= 0
    if not (last and t.ruled("R_RALLY_END", "finish_turn")):
        yield facts(phase=p.phase, group=p.group, on_board=sum(p.tokens))


# -- pieces in Kingdoms and regions ------------------------------------------------------------------------


def _symbols(t: Table) -> Found:
    """I11: cubes come to a Kingdom by the symbols of the cards played; fewer only if the reserve ran out.

    Not for cubes that stayed from the round before (R_MUST_MOVE=may).
    """
    p = t.position
    if t.old_cubes or t.stage not in ("rally", "marching"):
        return
    kingdoms = range(t.game.tables.k) if t.stage == "rally" else t.waiting
    for kingdom in kingdoms:
        for seat, cubes in enumerate(p.cubes[kingdom]):
            due = t.symbols(seat, kingdom)
            short = t.stage == "marching" and seat == p.control[kingdom] and cubes < due and t.sure(seat)
            if cubes > due or short:
                yield facts(seat=SEATS[seat], kingdom=t.game.tables.kingdoms[kingdom], cubes=cubes)
    if p.phase == "march":
        cubes = p.cubes[p.kingdom][p.seat] + p.armies + p.fleets + p.either
        if cubes > t.symbols(p.seat, p.kingdom):
            yield facts(seat=SEATS[p.seat], kingdom=t.game.tables.kingdoms[p.kingdom], cubes=cubes)
    if t.stage == "rally":
        yield from _short(t)


def _short(t: Table) -> Found:
    """A reserve that ran out is refilled by Heroes hired alone (R_PARTIAL: what was too little stays)."""
    p, spare = t.position, 2 * t.ruled("R_PARTIAL", "all_or_nothing")
    for seat in range(t.n):
        due = sum(t.symbols(seat, kingdom) for kingdom in range(t.game.tables.k))
        placed = sum(p.cubes[kingdom][seat] for kingdom in range(t.game.tables.k))
        hired = sum(place[seat] for place in p.heroes)
        if placed < due and p.reserve[seat] > spare + 3 * hired:
            yield facts(seat=SEATS[seat], symbols=due, cubes=placed, reserve=p.reserve[seat])


def _hired(t: Table) -> Found:
    """I12: Heroes are where their player played cards of the suit, one a card, each beside a cube then placed.

    Not for Heroes that stayed from the round before (R_HERO_STAY=may), nor need a cube have been placed
    under R_HERO_ZERO=card_kingdom.
    """
    p, tables = t.position, t.game.tables
    if t.old_heroes or t.stage not in ("rally", "marching"):
        return
    for kingdom in range(tables.k) if t.stage == "rally" else t.waiting:
        for seat, heroes in enumerate(p.heroes[kingdom]):
            cards = (p.piles[seat] & tables.suit_cards[kingdom]).bit_count()
            asked = p.phase == "hire" and seat == p.seat and tables.suit[p.card] == kingdom
            bare = t.ruled("R_HERO_ZERO", "needs_cube") and heroes > p.cubes[kingdom][seat]
            if heroes and (heroes > cards - asked or bare):
                yield facts(seat=SEATS[seat], kingdom=tables.kingdoms[kingdom], heroes=heroes, cards=cards)


def _regions_empty(t: Table) -> Found:
    """I13: no piece is in a Neutral Region in the Rally Phase."""
    if t.stage == "rally":
        yield from _standing(t, range(t.game.tables.k, len(t.position.cubes)))


def _standing(t: Table, places: range) -> Found:
    p = t.position
    for place in places:
        if any(p.cubes[place]) or any(p.heroes[place]):
            yield facts(place=t.game.tables.names.places[place])


def _cleared(t: Table) -> Found:
    """I25: between the Marching Phase and the next Rally Phase regions and Kingdoms are empty.

    What was left in a Kingdom under R_MUST_MOVE=may (cubes) or R_HERO_STAY=may (Heroes) is of one colour.
    """
    p, k = t.position, t.game.tables.k
    if t.stage in ("rally", "marching"):
        return
    yield from _standing(t, range(k, len(p.cubes)))
    fresh = t.stage == "dealing" and p.round == 1
    for kingdom in range(k):
        cubes, heroes = p.cubes[kingdom], p.heroes[kingdom]
        here = [seat for seat in range(t.n) if cubes[seat] or heroes[seat]]
        wrong = any(cubes) and (fresh or t.ruled("R_MUST_MOVE", "must"))
        wrong = wrong or (any(heroes) and (fresh or t.ruled("R_HERO_STAY", "must")))
        if wrong or len(here) > 1:
            yield facts(kingdom=t.game.tables.kingdoms[kingdom], seats=tuple(SEATS[s] for s in here))


# -- the Marching Phase ----------------------------------------------------------------------------------


def _control(t: Table) -> Found:
    """I15: only its controller has pieces in a Kingdom, and has some until it marches; then all are gone.

    Under R_EMPTY_KINGDOM=leader he may have none; under R_MUST_MOVE=may and R_HERO_STAY=may some may stay.
    """
    p = t.position
    if t.stage != "marching":
        return
    leader_if_empty = t.ruled("R_EMPTY_KINGDOM", "leader")
    for kingdom, owner in enumerate(p.control):
        cubes, heroes = p.cubes[kingdom], p.heroes[kingdom]
        others = [s for s in range(t.n) if s != owner and (cubes[s] or heroes[s])]
        fits = not others and not (leader_if_empty and owner < 0)
        if kingdom in t.waiting:
            empty = not any(cubes) and not any(heroes)
            fits = fits and (not empty or owner == (p.leader if leader_if_empty else -1))
        elif kingdom in t.gone:
            stay = any(cubes) and t.ruled("R_MUST_MOVE", "must")
            fits = fits and not stay and not (any(heroes) and t.ruled("R_HERO_STAY", "must"))
        if not fits:
            yield facts(kingdom=t.game.tables.kingdoms[kingdom], control=_seat(owner))


def _controllers_played(t: Table) -> Found:
    """I33: who controls a Kingdom had a piece there, so played a card of its suit.

    The Leader need not under R_EMPTY_KINGDOM=leader, nor who had pieces there from the round before.
    """
    p = t.position
    if t.stage != "marching" or t.old_cubes or t.old_heroes:
        return
    for kingdom, owner in enumerate(p.control):
        if owner < 0 or (owner == p.leader and t.ruled("R_EMPTY_KINGDOM", "leader")):
            continue
        if not p.piles[owner] & t.game.tables.suit_cards[kingdom]:
            yield facts(kingdom=t.game.tables.kingdoms[kingdom], control=SEATS[owner])


def _by_land(t: Table) -> Found:
    """I20: cubes come to regions that only Armies reach by soldiers of Kingdoms beside them, and to any by symbols."""
    tables = t.game.tables
    sea = tables.reach.fleets[0]
    yield from _brought(t, ~sea & ((1 << tables.r) - 1))
    yield from (breach for region in range(tables.r) for breach in _brought(t, 1 << region))
    yield from _brought(t, (1 << tables.r) - 1)
    p = t.position
    for region in range(tables.r) if t.stage == "marching" else ():
        for seat, heroes in enumerate(p.heroes[tables.k + region]):
            if heroes and not t.led(seat, region):
                yield facts(seat=SEATS[seat], region=tables.regions[region], heroes=heroes)


def _by_sea(t: Table) -> Found:
    """I21: cubes come to sea regions beside none of their player's Kingdoms by ships."""
    tables, p = t.game.tables, t.position
    for seat in range(t.n) if t.stage == "marching" else ():
        beside = 0
        for kingdom, owner in enumerate(p.control):
            beside |= tables.reach.armies[kingdom] if owner == seat else 0
        yield from _brought(t, tables.reach.fleets[0] & ~beside, seat)


def _brought(t: Table, regions: int, only: int = -1) -> Found:
    """Find the seats with more cubes in some regions (bits) than their marches can have brought."""
    p, k = t.position, t.game.tables.k
    if t.stage != "marching":
        return
    for seat in range(t.n) if only < 0 else (only,):
        cubes = sum(p.cubes[k + region][seat] for region in bits(regions))
        if cubes and cubes > t.carried(seat, regions):
            names = tuple(t.game.tables.regions[region] for region in bits(regions))
            yield facts(seat=SEATS[seat], regions=names, cubes=cubes, most=t.carried(seat, regions))


def _after_battles(t: Table) -> Found:
    """I22: after battles each region holds one colour at most."""
    p, k = t.position, t.game.tables.k
    for place in range(k, len(p.cubes)) if p.phase == "complete" else ():
        here = [s for s in range(t.n) if p.cubes[place][s] or p.heroes[place][s]]
        if len(here) > 1:
            yield facts(region=t.game.tables.names.places[place], seats=tuple(SEATS[s] for s in here))


def _after_collection(t: Table) -> Found:
    """I24: after collection tokens lie only where no cube is (no piece under R_COLLECT=pieces)."""
    p, k = t.position, t.game.tables.k
    for region, tokens in enumerate(p.tokens) if p.phase == "complete" else ():
        holds = any(p.cubes[k + region]) or (t.ruled("R_COLLECT", "pieces") and any(p.heroes[k + region]))
        if tokens and holds:
            yield facts(region=t.game.tables.regions[region], tokens=tokens)


def _times(t: Table) -> Found:
    """I26: a Time Token lies on a Kingdom that its owner controls, and five cubes have come back for it."""
    p = t.position
    for seat, kingdom in enumerate(p.times):
        if kingdom >= 0 and (p.control[kingdom] != seat or p.reserve[seat] < 5):
            yield facts(seat=SEATS[seat], kingdom=t.game.tables.kingdoms[kingdom])


def _route_numbers(t: Table) -> Found:
    """I32: hand and completed routes of a seat are two, and one for each purchase."""
    p = t.position
    if t.routes < ROUTES * t.n or (t.stage == "dealing" and p.round == 1):
        return
    for seat in range(t.n):
        own = (p.route_hands[seat] | p.routes_done[seat]).bit_count()
        planned = t.stage in ("planning", "over") and t.chair(seat) <= t.chair(p.seat)
        if own < ROUTES or (own > ROUTES and p.round == 1 and not planned):
            yield facts(seat=SEATS[seat], routes=own)


def _seat(number: int) -> str | None:
    return SEATS[number] if number >= 0 else None


_CHECKS: dict[str, Callable[[Table], Found]] = {
    "I01": _cubes, "I02": _heroes, "I03": _tokens, "I04": _cards, "I05": _routes, "I06": _row, "I07": _hands_at_start,
    "I08": _hands, "I09": _group, "I10": _rally_lasts, "I11": _symbols, "I12": _hired, "I13": _regions_empty,
    "I14": _amounts, "I15": _control, "I20": _by_land, "I21": _by_sea, "I22": _after_battles,
    "I24": _after_collection, "I25": _cleared, "I26": _times, "I30": _cards_left, "I32": _route_numbers,
    "I33": _controllers_played, **automaton.CHECKS,
}  # fmt: skip
IDS = (*_CHECKS, "I35")
TITLES = {name: (check.__doc__ or "").partition(": ")[2].partition("\n")[0] for name, check in _CHECKS.items()}
TITLES["I35"] = (automaton.phase_fields.__doc__ or "").partition(": ")[2].partition("\n")[0]
