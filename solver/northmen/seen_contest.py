"""What a step shows of contests: who controls a Kingdom, who wins a battle, what the losers lose."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lawspeaker.model.core.play import Step
from lawspeaker.model.northmen.game import NorthmenGame
from lawspeaker.model.northmen.position import Ints, Position
from lawspeaker.solver.frame import Seen

from .moments import done

PLACES = ("leader", "second", "third", "fourth")


def controls(game: NorthmenGame, step: Step) -> Iterator[Seen]:
    """Yield what the first step of the Marching Phase shows of each Kingdom."""
    if game.rulings["R_STUCK"] == "to_reserve" and step.before.phase == "play":
        return  # the reserve does not tell how many cubes the last card has brought
    settled, after = done(game, step), step.after
    for kingdom in range(game.tables.k):
        cubes, heroes = settled.cubes[kingdom], settled.heroes[kingdom]
        winner = after.control[kingdom]
        if any(h and not c for c, h in zip(cubes, heroes, strict=True)):
            yield from _by_heroes(settled, cubes, heroes, winner)
        else:
            yield "control", by_place(settled, cubes, heroes), place_name(settled, winner, "nobody")
        yield from closest(game, settled, cubes, heroes, winner)
    kingdoms = range(game.tables.k)
    won = {(k, after.control[k]) for k in kingdoms}
    yield from losses(game, settled, after, "kingdom", list(kingdoms), won)


def _by_heroes(position: Position, cubes: Ints, heroes: Ints, winner: int) -> Iterator[Seen]:
    """Yield for each seat with Heroes alone whether it controls the Kingdom."""
    n = len(cubes)
    pieces = [c + h for c, h in zip(cubes, heroes, strict=True)]
    for seat in range(n):
        if not heroes[seat] or cubes[seat]:
            continue
        others = [s for s in range(n) if s != seat]
        level = [s for s in others if pieces[s] == pieces[seat]]
        most = max(pieces[s] for s in others)
        rivals = [s for s in level if most == pieces[seat] and heroes[s] == heroes[seat]]
        there = max((heroes[s] for s in level if most == pieces[seat]), default=0)
        yield "control_by_heroes", {
            "heroes": heroes[seat], "rivals_most": most, "their_heroes": there,
            "nearer_from_leader": all(from_leader(position, seat) < from_leader(position, s) for s in rivals),
            "nearer_to_leader": all(to_leader(position, seat) < to_leader(position, s) for s in rivals),
        }, winner == seat  # fmt: skip


def battles(game: NorthmenGame, settled: Position, after: Position) -> Iterator[Seen]:
    """Yield what came of each region when movement was over; *after* is where Trade Routes are asked about."""
    places = range(game.tables.k, game.tables.k + game.tables.r)
    fought, won = [], set()
    for place in places:
        cubes, heroes = settled.cubes[place], settled.heroes[place]
        left = [s for s in range(game.players) if after.cubes[place][s] or after.heroes[place][s]]
        colours = sum(c + h > 0 for c, h in zip(cubes, heroes, strict=True))
        answer = "no_battle"
        if colours >= 2:
            answer = place_name(settled, left[0], "no_battle") if len(left) == 1 else "several"
            fought.append(place)
            won |= {(place, seat) for seat in left}
            yield from closest(game, settled, cubes, heroes, left[0] if left else -1)
        yield "battle", by_place(settled, cubes, heroes), answer
    yield from losses(game, settled, after, "region", fought, won)


def losses(
    game: NorthmenGame, settled: Position, after: Position, where: str, places: list[int], won: set[tuple[int, int]]
) -> Iterator[Seen]:
    """Yield what became of the pieces in contested places, and how much Infamy rose by them."""
    if game.rulings["R_STUCK"] != "map_constraint":
        return  # pieces that could not move may have come back as well
    for seat in range(game.players):
        lost = [place for place in places if (place, seat) not in won]
        cubes, heroes = (sum(each[place][seat] for place in lost) for each in (settled.cubes, settled.heroes))
        risen, back = after.infamy[seat] - settled.infamy[seat], after.supply[seat] - settled.supply[seat]
        yield "infamy_gained", {"lost": cubes}, risen
        for piece, count, fits, to in (
            ("cube", cubes, risen == cubes, "infamy_card"),
            ("hero", heroes, back == heroes, "supply"),
        ):
            if count:
                yield "lost_pieces", {"where": where, "won": False, "piece": piece}, to if fits else "reserve"
        for place in places:
            if (place, seat) in won:
                pairs = ("cube", settled.cubes, after.cubes), ("hero", settled.heroes, after.heroes)
                for piece, had, has in pairs:
                    if had[place][seat]:
                        stays = "stays" if has[place][seat] == had[place][seat] else "supply"
                        yield "lost_pieces", {"where": where, "won": True, "piece": piece}, stays


# -- seats by their distance from the Leader ---------------------------------------------------------------


def from_leader(position: Position, seat: int) -> int:
    """Return how many seats clockwise after the Leader a seat comes."""
    return (seat - position.leader) % len(position.hands)


def to_leader(position: Position, seat: int) -> int:
    """Return how many seats clockwise after a seat the Leader comes."""
    return (position.leader - seat) % len(position.hands)


def place_name(position: Position, seat: int, nobody: str) -> str:
    """Return what a seat is called by its distance from the Leader."""
    return PLACES[from_leader(position, seat)] if seat >= 0 else nobody


def by_place(position: Position, cubes: Ints, heroes: Ints) -> dict[str, Any]:
    """Return a contest's pieces by the seats' distance from the Leader."""
    n = len(cubes)
    found: dict[str, Any] = {"players": n}
    for place in range(4):
        seat = (position.leader + place) % n
        found[f"cubes_{place + 1}"] = cubes[seat] if place < n else 0
        found[f"heroes_{place + 1}"] = heroes[seat] if place < n else 0
    return found


def closest(game: NorthmenGame, position: Position, cubes: Ints, heroes: Ints, winner: int) -> Iterator[Seen]:
    """Yield which of exactly two seats was closest to the Leader, where they tie in everything."""
    pieces = [(c + h, h) for c, h in zip(cubes, heroes, strict=True)]
    tied = [seat for seat in range(game.players) if pieces[seat] == max(pieces) and pieces[seat] > (0, 0)]
    seats = sorted(from_leader(position, seat) for seat in tied)
    if len(seats) == 2 and seats[0] > 0:
        answer = "one" if from_leader(position, winner) == seats[0] else "other"
        yield "closest", {"players": game.players, "seat_of_one": seats[0], "seat_of_other": seats[1]}, answer
