"""What a step shows of movement: turns of Kingdoms, delays, where pieces may go, plunder, Trade Routes."""

from __future__ import annotations

from collections.abc import Iterator

from lawspeaker.model.core.formulas import Value
from lawspeaker.model.core.play import Step
from lawspeaker.model.northmen import actions as act
from lawspeaker.model.northmen.game import NorthmenGame
from lawspeaker.model.northmen.march import in_control
from lawspeaker.model.northmen.pack import BULGARIA
from lawspeaker.model.northmen.position import Position
from lawspeaker.solver.frame import Seen

from . import seen_contest
from .moments import done, marching, symbols
from .seen_rally import shown

_NAMED = ("Poland", "Holy Roman Empire")


def march(game: NorthmenGame, step: Step) -> Iterator[Seen]:
    """Yield what a step of the Marching Phase shows."""
    before, after = step.before, step.after
    if before.phase in ("delay", "march"):
        taken = "controller" if before.seat == before.control[before.kingdom] else "nobody"
        yield "kingdom_turn", {"controlled": before.control[before.kingdom] >= 0}, taken
        yield from _delays(game, before)
    if before.phase == "march":
        yield from _sends(game, step)
    if after.phase == "march" and not _goes_on(step):
        yield from _begins(game, step)
    if after.phase in ("delay", "march") and after.kingdom != before.kingdom:
        yield from _passed_over(step)
    yield from _stuck(game, step)
    if after.phase == "complete" and before.phase != "complete":
        settled = done(game, step)
        yield from seen_contest.battles(game, settled, after)
        yield from _collected(game, settled, after)
        yield from shown(game, after, range(game.players))
    if before.phase == "complete":
        yield from _route(game, before)


def _goes_on(step: Step) -> bool:
    """Say whether the same march went on in this step."""
    before: Position = step.before
    after: Position = step.after
    return before.phase == "march" and (before.kingdom, before.second_pass) == (after.kingdom, after.second_pass)


# -- turns of Kingdoms -----------------------------------------------------------------------------------


def _delays(game: NorthmenGame, before: Position) -> Iterator[Seen]:
    seat, sent = before.seat, before.armies + before.fleets + before.either + before.led
    known = {"infamy": before.infamy[seat], "token_free": before.times[seat] < 0}
    offered = act.DELAY in game.legal(before)
    if before.phase == "delay":
        yield "delay", {"moment": "turn_begins", **known}, offered
    elif before.second_pass or sent:
        yield "delay", {"moment": "second_pass" if before.second_pass else "pieces_moved", **known}, offered


def _begins(game: NorthmenGame, step: Step) -> Iterator[Seen]:
    """Yield what the beginning of a march shows: whether a delay was offered, and what has moved before."""
    after = step.after
    seat, kingdom = after.seat, after.kingdom
    unpaid = game.rulings["R_STUCK"] != "to_infamy"  # else Infamy may have risen after the question was due
    if not isinstance(step.action, act.NoDelay) and not after.second_pass and unpaid:
        known = {"infamy": after.infamy[seat], "token_free": after.times[seat] < 0}
        yield "delay", {"moment": "turn_begins", **known}, False
    plain = ("R_MUST_MOVE", "R_HERO_STAY", "R_EMPTY_KINGDOM", "R_STUCK")
    if all(game.rulings[name] == game.catalogue.book[name].default for name in plain):
        for other in range(game.tables.k):
            if other != kingdom and after.control[other] >= 0:
                first = "one" if any(after.cubes[other]) or any(after.heroes[other]) else "other"
                yield "move_order", {
                    "place_of_one": kingdom + 1, "place_of_other": other + 1,
                    "one_delayed": kingdom in after.times, "other_delayed": other in after.times,
                }, first  # fmt: skip
    yield from _skipped(game, after, -1, after.region)
    yield from shown(game, after, (seat,))


def _passed_over(step: Step) -> Iterator[Seen]:
    """Yield that Kingdoms without a controller have had no turn, where a first pass went on past them."""
    before, after = step.before, step.after
    first = before.kingdom if marching(before) and not before.second_pass else -1
    if after.second_pass:
        return
    for kingdom in range(first + 1, after.kingdom):
        if after.control[kingdom] < 0:
            yield "kingdom_turn", {"controlled": False}, "nobody"


# -- where pieces go ---------------------------------------------------------------------------------------


def _sends(game: NorthmenGame, step: Step) -> Iterator[Seen]:
    """Yield for the pieces left whether they may go to the region asked about, to a Kingdom, or stay."""
    before, after = step.before, step.after
    sends = [a for a in game.legal(before) if isinstance(a, act.Send)]
    cubes, heroes = _left(before)
    for piece in _kinds(game, before):
        there = any(a.heroes if piece == "hero" else a.cubes for a in sends)
        yield "move", _target(game, before, before.region, piece), there
        nowhere: dict[str, Value] = {"piece": piece, "adjacent": False, "inland": "neither"}
        yield "move", {**nowhere, "place": "another_kingdom"}, any(a.place < game.tables.k for a in sends)
        least = min(sends, key=lambda a: (a.cubes, a.heroes))
        if _ends(game, before, least):
            stays = least.heroes < heroes if piece == "hero" else least.cubes < cubes
            yield "move", {**nowhere, "place": "home"}, stays
    if cubes:
        yield "march", _numbers(game, before, cubes), any(a.cubes == cubes for a in sends)
    if _goes_on(step):
        yield from _skipped(game, after, before.region, after.region)


def _ends(game: NorthmenGame, before: Position, send: act.Send) -> bool:
    """Say whether a march ends with this, whatever is left."""
    then = game.apply(before, send)
    return then.phase != "march" or (then.kingdom, then.second_pass) != (before.kingdom, before.second_pass)


def _skipped(game: NorthmenGame, position: Position, last: int, region: int) -> Iterator[Seen]:
    """Yield that the pieces left may not go to the regions that were passed over."""
    for number in range(last + 1, region):
        for piece in _kinds(game, position):
            yield "move", _target(game, position, number, piece), False


def _left(position: Position) -> tuple[int, int]:
    """Return cubes and Heroes that the mover still has in the Kingdom."""
    return position.cubes[position.kingdom][position.seat], position.heroes[position.kingdom][position.seat]


def _kinds(game: NorthmenGame, position: Position) -> list[str]:
    """Return what the pieces left may count as: cubes only where a single kind of symbol is left for them."""
    cubes, heroes = _left(position)
    soldiers, ships = symbols(game, position, position.seat, position.kingdom)
    free = soldiers + ships - position.armies - position.fleets - position.either
    found = ["hero"] if heroes else []
    if cubes and free > 0:
        found += ["army"] if ships == 0 else ["fleet"] if soldiers == 0 else []
    return found


def _target(game: NorthmenGame, position: Position, region: int, piece: str) -> dict[str, str | bool]:
    place = game.tables.pack.regions[region]
    borders = game.tables.pack.kingdoms[position.kingdom].borders
    inland = "named" if place.id in _NAMED else "neither" if place.sea else "in_the_picture"
    kind = "bulgaria" if place.id == BULGARIA else "region"
    return {"piece": piece, "place": kind, "adjacent": place.id in borders, "inland": inland}


def _numbers(game: NorthmenGame, position: Position, cubes: int) -> dict[str, int]:
    """Return the march so far with all cubes left sent to the region asked about."""
    soldiers, ships = symbols(game, position, position.seat, position.kingdom)
    target = _target(game, position, position.region, "army")
    on_sea = target["inland"] == "neither" or (
        target["inland"] == "in_the_picture" and game.rulings["R_LANDLOCK"] == "exhaustive"
    )
    kind = "by_both" if on_sea and target["adjacent"] else "only_by_land" if target["adjacent"] else "only_by_sea"
    sent = {"only_by_land": position.armies, "only_by_sea": position.fleets, "by_both": position.either}
    return {"soldiers": soldiers, "ships": ships, **sent, kind: sent[kind] + cubes}


def _stuck(game: NorthmenGame, step: Step) -> Iterator[Seen]:
    """Yield what became of Armies: those that marched, and those of a Kingdom from which none can."""
    before, after = step.before, step.after
    if game.rulings["R_MUST_MOVE"] != "must":
        return
    if isinstance(step.action, act.Send) and step.action.cubes and "army" in _kinds(game, before):
        yield "stuck", {"neighbours": _neighbours(game, before.kingdom)}, "goes_to_a_region"
    first = before.kingdom if marching(before) and not before.second_pass else -1
    for kingdom in range(first + 1, game.tables.k):
        if not marching(before) or _neighbours(game, kingdom) or before.control[kingdom] < 0:
            continue
        seat = before.control[kingdom]
        ships = symbols(game, before, seat, kingdom)[1]
        gone = before.cubes[kingdom][seat] - after.cubes[kingdom][seat] if marching(after) else 0
        if gone > 0 and not ships:
            to_reserve = after.reserve[seat] - done(game, step).reserve[seat] >= gone
            yield "stuck", {"neighbours": 0}, "reserve" if to_reserve else "infamy_card"


def _neighbours(game: NorthmenGame, kingdom: int) -> int:
    closed = BULGARIA if game.rulings["R_BULGARIA"] == "kingdom" else None
    return sum(region != closed for region in game.tables.pack.kingdoms[kingdom].borders)


# -- plunder and Trade Routes ------------------------------------------------------------------------------


def _collected(game: NorthmenGame, settled: Position, after: Position) -> Iterator[Seen]:
    for region, tokens in enumerate(settled.tokens):
        place = game.tables.k + region
        if not tokens:
            continue
        holders = [s for s in range(game.players) if after.cubes[place][s] or after.heroes[place][s]]
        owner = holders[0] if holders else -1
        gone = after.tokens[region] == 0
        rose = owner >= 0 and after.taken[owner] - settled.taken[owner] >= tokens
        yield "collect", {
            "cubes_there": after.cubes[place][owner] if owner >= 0 else 0,
            "heroes_there": after.heroes[place][owner] if owner >= 0 else 0,
        }, "whose_pieces_are_there" if gone and rose else "nobody" if not gone else "somebody_else"  # fmt: skip


def _route(game: NorthmenGame, before: Position) -> Iterator[Seen]:
    seat, route = before.seat, game.tables.pack.routes[before.asked]
    kingdom, place = game.tables.names.place[route.kingdom], game.tables.names.place[route.region]
    left = any(before.cubes[kingdom]) or any(before.heroes[kingdom])
    span, won = game.rulings["R_CONTROL_SPAN"], before.control[kingdom]
    holds = in_control(game, before, kingdom)
    names = (
        {-1: "nobody", won: "another", before.leader: "leader"} if won >= 0 else {-1: "nobody", before.leader: "leader"}
    )
    yield "control_later", {"won_in_step_1": names.get(won, "nobody"), "pieces_left": left}, names.get(holds, "?")
    controls = won == seat if left or span == "frozen" else span == "present_tie" and seat == before.leader
    cubes = before.cubes[place][seat] > 0
    sent = bool(before.origins[kingdom] >> (place - game.tables.k) & 1) and won == seat and cubes
    yield "route", {
        "controls": controls, "cubes": cubes, "heroes": before.heroes[place][seat] > 0, "sent_from_there": sent,
    }, any(isinstance(a, act.Complete) for a in game.legal(before))  # fmt: skip
