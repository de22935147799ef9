"""The invariants of a Northmen position that come of phases and turns (I35 and on): who is asked what, and when."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from lawspeaker.model.core.contract import facts

from . import march
from .actions import SEATS
from .position import MARCHING, PLANNING, Ints, Position, bits
from .stages import GROUP, HAND, HEROES, ROUNDS, ROUTES, START, Found, Table

# -- fields ----------------------------------------------------------------------------------------------


def phase_fields(t: Table) -> Found:
    """I35: the fields that belong to a phase are set in it and in no other."""
    wrong = [*_misplaced(t.position), *_of_round(t)]
    if wrong:
        yield facts(phase=t.position.phase, fields=tuple(wrong))


def _misplaced(p: Position) -> Iterator[str]:
    phase = p.phase
    playing = phase in ("hire", "draw", "drawn") or (phase == "turn" and p.seat >= 0)
    always = {
        "seat": (p.seat >= 0, phase != "over" and (phase != "turn" or p.card >= 0)),
        "card": (p.card >= 0, playing),
        "kingdom": (p.kingdom >= 0, phase in ("delay", "march")),
        "region": (p.region >= 0, phase == "march"),
        "asked": (p.asked >= 0, phase == "complete"),
        "pairs": (p.pairs > 0, phase in ("buying", "keep")),
    }
    yield from (name for name, (is_set, belongs) in always.items() if is_set != belongs)
    at_most = {
        "placed": (p.placed, playing),
        "control": (max(p.control, default=-1) >= 0, phase in MARCHING),
        "times": (max(p.times) >= 0, phase in MARCHING),
        "origins": (any(p.origins), phase in MARCHING),
        "second_pass": (p.second_pass, phase == "march"),
        **{name: (getattr(p, name), phase == "march") for name in ("armies", "fleets", "either", "led")},
        "chosen": (any(p.chosen), phase == "complete"),
        "drawn": (p.drawn, phase in ("buying", "keep")),
        "kept": (p.kept, phase == "keep"),
        "held": (p.held, phase == "hold"),
        "discard": (p.discard, phase in PLANNING or phase == "over"),
        "piles": (any(p.piles), phase not in ("deal", "routes") and (phase != "turn" or p.card >= 0)),
    }
    yield from (name for name, (is_set, may_be) in at_most.items() if is_set and not may_be)


def _of_round(t: Table) -> Iterator[str]:
    p = t.position
    rounds = {"over": (ROUNDS,), "routes": (1,)}.get(p.phase, range(1, ROUNDS + 1))
    if p.round not in rounds:
        yield "round"
    if p.leader < 0:
        yield "leader"
    if any(owner < 0 for _, owner in p.route_bottom):
        yield "route_bottom"
    if t.stage == "planning" and p.round == ROUNDS and t.ruled("R_R3_PLAN", "skipped"):
        yield "phase"
    if any(p.origins) and t.ruled("R_ROUTE_ORIGIN", "any"):
        yield "origins"


# -- turns ----------------------------------------------------------------------------------------------


def _seats(t: Table) -> Found:
    """I36: the Leader Token has passed once a round, and who is on turn follows from the cards played or dealt."""
    p = t.position
    if p.leader != (p.round - 1) % t.n:
        yield facts(round=p.round, leader=SEATS[p.leader])
    elif p.phase in ("deal", "routes"):
        yield from _receiver(t)
    elif t.stage == "rally" and t.dealt:
        due = (p.leader + t.turns - (p.phase != "play")) % t.n
        if p.seat != due:
            yield facts(seat=SEATS[p.seat], due=SEATS[due])
    elif p.phase == "play" and not p.hands[p.seat]:
        yield facts(seat=SEATS[p.seat], hand=0)
    elif p.phase in ("delay", "march") and p.seat != p.control[p.kingdom]:
        yield facts(seat=SEATS[p.seat], kingdom=t.game.tables.kingdoms[p.kingdom])


def _receiver(t: Table) -> Found:
    """The seat dealt to is the first clockwise that lacks cards; hands before it are full, at setup others empty."""
    p = t.position
    sets, full = (p.hands, HAND) if p.phase == "deal" else (p.route_hands, ROUTES)
    sizes = [sets[(p.leader + step) % t.n].bit_count() for step in range(t.n)]
    here = t.chair(p.seat)
    later = p.round == 1 and any(sizes[here + 1 :])
    if any(size != full for size in sizes[:here]) or sizes[here] >= full or later:
        yield facts(seat=SEATS[p.seat], hands=tuple(sizes))
    if not (p.deck if p.phase == "deal" else p.route_deck or p.route_bottom):
        yield facts(phase=p.phase, deck=0)


def _turns(t: Table) -> Found:
    """I37: Rally turns of the seats differ by one at most, earlier seats first."""
    due = tuple(t.share(t.turns, seat) for seat in range(t.n))
    if t.dealt and t.plays != due:
        yield facts(played=t.plays, due=due)


def _tops(t: Table) -> Found:
    """I38: a card shows on each pile that is not empty, one of it."""
    p = t.position
    for seat, top in enumerate(p.tops):
        if (top >= 0) != (p.piles[seat] != 0) or (top >= 0 and not p.piles[seat] >> top & 1):
            yield facts(seat=SEATS[seat], top=t.game.tables.names.cards[top] if top >= 0 else None)


def _dealt(t: Table) -> Found:
    """I39: at setup and reset hands are filled first, then the row, then routes; chance has a card to turn."""
    p = t.position
    short = any(hand.bit_count() < HAND for hand in p.hands)
    if p.phase == "turn" and not p.deck:
        yield facts(phase=p.phase, deck=0)
    if t.stage == "dealing" and p.phase != "deal" and p.deck and short:
        yield facts(phase=p.phase, hands=tuple(hand.bit_count() for hand in p.hands))
    if p.phase == "routes" and p.row.bit_count() < 3 and p.deck:
        yield facts(phase=p.phase, row=p.row.bit_count())


def _being_played(t: Table) -> Found:
    """I40: the card being played lies on top of its player's pile, and its cubes are in its Kingdom."""
    p, tables, seat = t.position, t.game.tables, t.position.seat
    if p.card < 0:
        return
    value, kingdom = tables.value[p.card], tables.suit[p.card]
    wrong = p.tops[seat] != p.card or p.placed > value or p.placed > p.cubes[kingdom][seat]
    if p.placed < value:
        spare = value - 1 if t.ruled("R_PARTIAL", "all_or_nothing") else 0
        paid = 3 * (p.phase != "hire" and p.heroes[kingdom][seat] > 0)
        wrong = wrong or p.reserve[seat] > spare + paid or (spare > 0 and p.placed > 0)
    if p.phase == "hire":
        nothing = not p.placed and t.ruled("R_HERO_ZERO", "needs_cube")
        wrong = wrong or p.infamy[seat] < 3 or not p.supply[seat] or nothing
    if p.phase == "draw":
        wrong = wrong or not (p.row or p.deck)
    if p.phase == "drawn":
        wrong = wrong or not p.deck
    if wrong:
        yield facts(phase=p.phase, seat=SEATS[seat], card=tables.names.cards[p.card], placed=p.placed)


# -- marching -------------------------------------------------------------------------------------------


def _pointers(t: Table) -> Found:
    """I41: Kingdoms are asked in chart order, first those without a Time Token, then those with one."""
    p = t.position
    if p.phase not in ("delay", "march"):
        return
    own = p.times[p.seat]
    wrong = own != p.kingdom if p.second_pass else any(kingdom >= p.kingdom for kingdom in p.times)
    if p.phase == "delay":
        wrong = wrong or own >= 0 or p.infamy[p.seat] < 5
    if wrong:
        yield facts(kingdom=t.game.tables.kingdoms[p.kingdom], time=_kingdom(t, own), second_pass=p.second_pass)


def _kingdom(t: Table, number: int) -> str | None:
    return t.game.tables.kingdoms[number] if number >= 0 else None


def _march(t: Table) -> Found:
    """I42: what has been sent in this march is covered by symbols and lies in the regions asked about before."""
    p, tables = t.position, t.game.tables
    if p.phase != "march":
        return
    soldiers, ships = tables.symbols(p.piles[p.seat], p.kingdom)
    land, sea = tables.reach.armies[p.kingdom], tables.reach.fleets[p.kingdom]
    before = (1 << p.region) - 1
    least = (
        (p.armies, land & ~sea, p.cubes), (p.fleets, sea & ~land, p.cubes), (p.either, land & sea, p.cubes),
        (p.led, land | sea, p.heroes),
    )  # fmt: skip
    wrong = p.armies > soldiers or p.fleets > ships or p.armies + p.fleets + p.either > soldiers + ships
    for sent, regions, pieces in least:
        wrong = wrong or sent > sum(pieces[tables.k + region][p.seat] for region in bits(regions & before))
    if wrong:
        yield facts(armies=p.armies, fleets=p.fleets, either=p.either, heroes=p.led)
    elif march.next_region(t.game, p, p.region) != p:
        yield facts(region=tables.regions[p.region], what="there is nothing to decide")


def _arrived(t: Table) -> Found:
    """I43: pieces of each Kingdom that has marched lie in regions until battles are fought.

    None need to where some may stay or can go nowhere, or the Leader controls empty Kingdoms.
    """
    p, k = t.position, t.game.tables.k
    strict = {"R_MUST_MOVE": "must", "R_HERO_STAY": "must", "R_EMPTY_KINGDOM": "none", "R_STUCK": "map_constraint"}
    if p.phase not in ("delay", "march") or not all(t.ruled(*one) for one in strict.items()):
        return
    for seat in range(t.n):
        here = sum(p.cubes[n][seat] + p.heroes[n][seat] for n in range(k, len(p.cubes)))
        mine = seat == p.seat and p.phase == "march"
        sent = p.armies + p.fleets + p.either + p.led if mine else 0
        gone = sum(p.control[kingdom] == seat for kingdom in t.gone)
        if here - sent < gone:
            yield facts(seat=SEATS[seat], kingdoms_gone=gone, pieces=here - sent)


def _symbols_kept(t: Table) -> Found:
    """I53: until battles a seat's cubes on the board are the symbols of its Kingdoms; fewer if its reserve ran out."""
    p = t.position
    if p.phase not in ("delay", "march") or t.old_cubes:
        return
    for seat in range(t.n):
        due = sum(t.symbols(seat, kingdom) for kingdom, owner in enumerate(p.control) if owner == seat)
        here = sum(place[seat] for place in p.cubes)
        if here > due or (here < due and t.sure(seat)):
            yield facts(seat=SEATS[seat], cubes=here, symbols=due)


def _contests(t: Table) -> Found:
    """I54: who controls a Kingdom had most pieces there, of what the cards played tell (R_CLOCK at ties)."""
    p = t.position
    if t.stage != "marching" or t.old_cubes or t.old_heroes:
        return
    sign = 1 if t.ruled("R_CLOCK", "from_leader") else -1
    for kingdom, owner in enumerate(p.control):
        rivals = [
            (t.symbols(s, kingdom), 0, -(sign * (s - p.leader) % t.n)) for s in range(t.n) if s != owner and t.sure(s)
        ]
        strongest = max(rivals, default=(0, 0, -t.n))
        if not strongest[0]:
            continue
        own = (0, 0, -t.n)
        if owner >= 0:
            cards = (p.piles[owner] & t.game.tables.suit_cards[kingdom]).bit_count()
            cubes, heroes = t.symbols(owner, kingdom), min(HEROES, cards)
            if kingdom in t.waiting:
                cubes, heroes = p.cubes[kingdom][owner], p.heroes[kingdom][owner]
            own = (cubes + heroes, heroes, -(sign * (owner - p.leader) % t.n))
        if own < strongest:
            yield facts(kingdom=t.game.tables.kingdoms[kingdom], control=SEATS[owner] if owner >= 0 else None)


def _origins(t: Table) -> Found:
    """I44: where cubes stand, a Kingdom of theirs has sent some (kept under R_ROUTE_ORIGIN=from_kingdom)."""
    p, tables = t.position, t.game.tables
    if t.stage != "marching" or t.ruled("R_ROUTE_ORIGIN", "any"):
        return
    sent = [0] * t.n
    for kingdom, regions in enumerate(p.origins):
        owner = p.control[kingdom]
        reached = tables.reach.armies[kingdom] | tables.reach.fleets[kingdom]
        begun = kingdom in t.gone or (p.phase == "march" and kingdom == p.kingdom)
        if regions and (owner < 0 or regions & ~reached or not begun):
            yield facts(kingdom=tables.kingdoms[kingdom], regions=tuple(tables.regions[n] for n in bits(regions)))
        elif regions:
            sent[owner] |= regions
    for region in range(tables.r):
        for seat, cubes in enumerate(p.cubes[tables.k + region]):
            came = bool(sent[seat] >> region & 1)
            if came != (cubes > 0) and (cubes or p.phase != "complete"):
                yield facts(seat=SEATS[seat], region=tables.regions[region], cubes=cubes)


def _commitments(t: Table) -> Found:
    """I45: seats are asked about the routes in their hands in order, and have chosen completed ones."""
    p = t.position
    if p.phase != "complete":
        return
    here = t.chair(p.seat)
    if not p.route_hands[p.seat] >> p.asked & 1:
        yield facts(seat=SEATS[p.seat], asked=t.game.tables.names.routes[p.asked])
    for seat, chosen in enumerate(p.chosen):
        asked = p.route_hands[seat] if t.chair(seat) < here else 0
        if seat == p.seat:
            asked = p.route_hands[seat] & ((1 << p.asked) - 1)
        wrong = chosen & ~asked
        wrong |= sum(1 << n for n in bits(chosen & asked) if not march.completed(t.game, p, seat, n))
        if wrong:
            yield facts(seat=SEATS[seat], chosen=tuple(t.game.tables.names.routes[n] for n in bits(wrong)))


# -- planning -------------------------------------------------------------------------------------------


def _purchase(t: Table) -> Found:
    """I46: routes are drawn, two for each pair that is paid for, and kept in order; so are cards held."""
    p = t.position
    batch, drawn, kept = t.ruled("R_ROUTE_BATCH", "batch"), p.drawn.bit_count(), p.kept.bit_count()
    left = p.route_deck.bit_count() + len(p.route_bottom)
    wrong = p.pairs > 1 and not batch
    if p.phase in ("buying", "keep"):
        alone = t.ruled("R_ROUTE_SHORT", "take_one") and p.pairs == 1 and drawn + left == 1
        wrong = wrong or p.reserve[p.seat] < 3 * p.pairs or (drawn + left < 2 * p.pairs and not alone)
        full = drawn == 2 * p.pairs or (alone and drawn == 1)
        wrong = wrong or drawn > 2 * p.pairs or full != (p.phase == "keep")
    if p.phase == "keep":
        later = (p.drawn & (-1 << p.kept.bit_length())).bit_count()
        wrong = wrong or p.kept & ~p.drawn != 0 or kept >= p.pairs or later < p.pairs - kept
    if p.phase == "hold":
        count = p.held.bit_count()
        bought = (p.route_hands[p.seat] | p.routes_done[p.seat]).bit_count() > ROUTES or t.routes < ROUTES * t.n
        fresh = count == 0 and (not batch or not bought)
        wrong = wrong or p.held & ~p.hands[p.seat] != 0 or fresh
        wrong = wrong or p.reserve[p.seat] < (count or 3)
    if wrong:
        yield facts(phase=p.phase, pairs=p.pairs, drawn=drawn, kept=kept, held=p.held.bit_count())


def _discards(t: Table) -> Found:
    """I47: in planning, hands are as the Rally Phase left them, but for what seats done with it have discarded.

    Under R_DISCARD=only_if_hold who discards has held a card at least.
    """
    p = t.position
    if t.stage not in ("planning", "over") or not t.dealt:
        return
    sizes = tuple(hand.bit_count() for hand in p.hands)
    last = t.n if t.ruled("R_R3_PLAN", "played") else 0
    done = t.chair(p.seat) if t.stage == "planning" else last
    for draws in t.draws:
        due = t.hands_due(draws)
        lost = [due[seat] - size for seat, size in enumerate(sizes)]
        untouched = all(lost[seat] == 0 for seat in range(t.n) if t.chair(seat) >= done)
        emptied = t.ruled("R_DISCARD", "only_if_hold") and any(lost[s] and not sizes[s] for s in range(t.n))
        if min(lost) >= 0 and untouched and not emptied and sum(lost) == p.discard.bit_count():
            return
    yield facts(hands=sizes, due=t.hands_due(t.draws[0]), discarded=p.discard.bit_count())


def _route_deck(t: Table) -> Found:
    """I48: at setup nothing lies under the route deck; later one card for each purchase, until they are drawn."""
    p = t.position
    if t.routes < ROUTES * t.n:
        return
    if t.stage == "dealing" and p.round == 1:
        if p.route_bottom or any(p.routes_done) or (p.phase != "routes" and any(p.route_hands)):
            yield facts(under=len(p.route_bottom), dealt=tuple(hand.bit_count() for hand in p.route_hands))
        return
    for seat in range(t.n) if p.route_deck else ():
        bought = (p.route_hands[seat] | p.routes_done[seat]).bit_count() - ROUTES
        under = sum(owner == seat for _, owner in p.route_bottom)
        if under != bought:
            yield facts(seat=SEATS[seat], bought=bought, under=under)


# -- what a round brings --------------------------------------------------------------------------------


def _on_the_map(t: Table) -> Found:
    """I49: the tokens in a region are those of cards played this round, and what was left there by earlier ones."""
    p, tables = t.position, t.game.tables
    collected = t.stage in ("planning", "over") or p.phase == "complete"
    for region, (tokens, cards) in enumerate(zip(p.tokens, naming(tables.token, tables.r), strict=True)):
        now = (cards & t.placed_now).bit_count()
        most = now + (p.round - 1) * cards.bit_count()
        if not (now <= tokens <= most or (collected and tokens == 0)):
            yield facts(region=tables.regions[region], tokens=tokens, placed=now, most=most)
    if t.ruled("R_FIFTEEN", "board") and sum(p.tokens) > GROUP:
        yield facts(on_board=sum(p.tokens))


@lru_cache(maxsize=64)
def naming(token: Ints, regions: int) -> Ints:
    """Return the cards that place a token in each region, as bits; *token* has the region of each card, or -1."""
    return tuple(sum(1 << n for n, place in enumerate(token) if place == region) for region in range(regions))


def _first_round(t: Table) -> Found:
    """I50: before the first battles nobody has plunder or completed routes, and Infamy is spent on Heroes alone.

    From step 1 on delays cost Infamy too, and cubes that lost control bring it.
    """
    p = t.position
    if p.round > 1 or p.phase == "complete" or t.stage in ("planning", "over"):
        return
    if any(p.taken) or any(p.routes_done) or p.unplaced:
        yield facts(taken=p.taken, routes=tuple(done.bit_count() for done in p.routes_done), unplaced=p.unplaced)
    for seat, infamy in enumerate(p.infamy):
        hired = sum(place[seat] for place in p.heroes)
        due = START[t.n][seat] - 3 * hired
        wrong = infamy != due
        if t.stage == "marching":
            wrong = t.sure(seat) and not _paid(t, seat, due - infamy, hired)
        if wrong:
            yield facts(seat=SEATS[seat], infamy=infamy, due=due)


def _paid(t: Table, seat: int, less: int, hired: int) -> bool:
    """Say whether cubes that lost control, a delay and Heroes that lost it account for less Infamy than is due."""
    p = t.position
    less += sum(t.symbols(seat, kingdom) for kingdom, owner in enumerate(p.control) if owner != seat)
    less -= 5 if p.times[seat] >= 0 else 0
    return less % 3 == 0 and 0 <= less // 3 <= min(HEROES, START[t.n][seat] // 3) - hired


def _taken(t: Table) -> Found:
    """I51: after collection each player has the tokens of the regions that he holds."""
    p, tables = t.position, t.game.tables
    if p.phase != "complete":
        return
    due = [0] * t.n
    for n in bits(t.placed_now):
        place = tables.k + tables.token[n]
        for seat in range(t.n):
            heroes = p.heroes[place][seat] if t.ruled("R_COLLECT", "pieces") else 0
            due[seat] += 1 if p.cubes[place][seat] or heroes else 0
    for seat, taken in enumerate(p.taken):
        if taken < due[seat] or (p.round == 1 and taken != due[seat]):
            yield facts(seat=SEATS[seat], taken=taken, due=due[seat])


def _ended(t: Table) -> Found:
    """I52: a Rally Phase ends with the group's last token, unless a ruling or too few token cards end it early."""
    p = t.position
    if (p.unplaced and not t.may_end_early) or p.unplaced > GROUP * (p.round - 1):
        yield facts(unplaced=p.unplaced)
    if t.stage not in ("marching", "planning", "over") or not p.group:
        return
    counted = sum(p.tokens) + (sum(p.taken) if t.stage != "marching" or p.phase == "complete" else 0)
    reasons = (
        t.ruled("R_FIFTEEN", "board") and counted >= GROUP,
        t.ruled("R_DECK_EMPTY", "end") and not p.deck,
        not any(p.hands) or (t.stage != "marching" and not p.deck),
    )
    if not t.may_end_early or not any(reasons):
        yield facts(group=p.group, deck=p.deck.bit_count())


CHECKS: dict[str, Callable[[Table], Found]] = {
    "I36": _seats, "I37": _turns, "I38": _tops, "I39": _dealt, "I40": _being_played, "I41": _pointers, "I42": _march,
    "I43": _arrived, "I44": _origins, "I45": _commitments, "I46": _purchase, "I47": _discards, "I48": _route_deck,
    "I49": _on_the_map, "I50": _first_round, "I51": _taken, "I52": _ended, "I53": _symbols_kept, "I54": _contests,
}  # fmt: skip
"""The checks of this file by id, for positions whose fields fit their phase (I35)."""
