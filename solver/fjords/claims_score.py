"""Claims about fields and points: ties, supplies, blocked players."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import z3

from lawspeaker.solver.asking import Claim, Outcome, least, possible, require, solver

ROUNDS, MOST = 3, 20
Pairs = tuple[tuple[int, int], ...]


# -- the tie break ----------------------------------------------------------------------------


def won(points: Pairs) -> tuple[int, int]:
    """Return how many rounds each player won."""
    return sum(a > b for a, b in points), sum(b > a for a, b in points)


def _symbolic() -> tuple[list[Any], list[Any], list[Any]]:
    """Return the points as unknowns by round (A, B), their bounds, and the counts of won rounds."""
    cells = [(z3.Int(f"a{n}"), z3.Int(f"b{n}")) for n in range(1, ROUNDS + 1)]
    flat = [value for pair in cells for value in pair]
    bounds = [z3.And(value >= 0, value <= MOST) for value in flat]
    counts = [z3.Sum([z3.If(pair[s] > pair[1 - s], 1, 0) for pair in cells]) for s in (0, 1)]
    return flat, bounds, counts


def _equal(flat: list[Any]) -> Any:
    return z3.Sum(flat[::2]) == z3.Sum(flat[1::2])


def equal_total_pairs() -> dict[tuple[int, int], list[int] | None]:
    """Return for each pair of won rounds the least points with equal totals, or None: proven impossible."""
    found: dict[tuple[int, int], list[int] | None] = {}
    for pair in ((a, b) for a in range(ROUNDS + 1) for b in range(ROUNDS + 1 - a)):
        flat, bounds, counts = _symbolic()
        asked = solver(*bounds, _equal(flat), counts[0] == pair[0], counts[1] == pair[1])
        found[pair] = least(asked, flat, range(MOST + 1)) if possible(asked) else None
    return found


def brute_pairs(most: int) -> set[tuple[int, int]]:
    """Return the same pairs by enumeration of all points up to *most*."""
    found = set()
    for values in product(range(most + 1), repeat=2 * ROUNDS):
        if sum(values[::2]) == sum(values[1::2]):
            found.add(won(tuple(zip(values[::2], values[1::2], strict=True))))
    return found


def _tie_break() -> Outcome:
    pairs = equal_total_pairs()
    can = {pair for pair, points in pairs.items() if points is not None}
    require(can == brute_pairs(3), "enumeration of small points finds the same pairs")
    for pair, points in pairs.items():
        if points is not None:
            require(won(tuple(zip(points[::2], points[1::2], strict=True))) == pair, "the model is right")
    never = sorted(pair for pair in pairs if pair not in can)
    return Outcome(
        "proven", "with equal totals the won rounds can be " + _words(sorted(can)) + "; never " + _words(never),
        f"{ROUNDS} rounds, 0 to {MOST} points each", "enumeration of 0 to 3 points agrees",
        {f"{a}:{b}": points for (a, b), points in pairs.items() if points is not None}, cases=len(pairs),
    )  # fmt: skip


def _words(pairs: list[tuple[int, int]]) -> str:
    return ", ".join(f"{a}:{b}" for a, b in pairs)


def _shared() -> Outcome:
    flat, bounds, counts = _symbolic()
    nobody = [_equal(flat), counts[0] != 2, counts[1] != 2]
    tied = [one == two for one, two in zip(flat[::2], flat[1::2], strict=True)]
    require(not possible(solver(*bounds, *nobody, *[z3.Not(t) for t in tied])), "three decided rounds")
    asked = solver(*bounds, *nobody, counts[0] == 1)
    require(possible(asked), "one round each and a tied one")
    example = least(asked, flat, range(MOST + 1))
    return Outcome(
        "proven", "victory is shared only if a round was tied", f"{ROUNDS} rounds, 0 to {MOST} points each",
        "a case with one tied round exists",
        {"points": [list(p) for p in zip(example[::2], example[1::2], strict=True)]},
    )  # fmt: skip


# -- supplies -----------------------------------------------------------------------------------


def _supply() -> Outcome:
    """Follow a player alone on a row of segments: the least row on which twenty fields are too few."""
    row = z3.Int("row")
    asked = solver(row >= 1, row <= 36, row - 1 - MOST >= 1)
    require(possible(asked), "a row of at most 36 segments is long enough")
    length = least(asked, [row], range(1, 37))[0]
    for size in range(1, 37):
        left = _fill_row(size)
        require((left > 0) == (size >= length), "filling the row one by one says the same")
    return Outcome(
        "witness", f"a farm at the end of a row of {length} segments leaves one free when {MOST} fields are placed",
        "one player on a row of 1 to 36 segments (36 tiles can bear a farm)", "played out for every length",
        {"segments": length, "fields": MOST, "free": length - 1 - MOST}, cases=36,
    )  # fmt: skip


def _fill_row(size: int) -> int:
    """Place fields along a row with a farm at its end; return how many segments stay free."""
    free, placed = size - 1, 0
    while free and placed < MOST:
        free, placed = free - 1, placed + 1
    return free


# -- blocked players ------------------------------------------------------------------------------


def _blocked_stays() -> Outcome:
    """Theorem T2: whatever the other places, a blocked player stays blocked."""
    for size in (3, 4, 5):
        asked = solver(*_blocked_then_free(size))
        require(not possible(asked), f"a graph of {size} segments unblocks a player")
    require(not any(_unblocks(3)), "enumeration of all graphs of three segments")
    return Outcome(
        "proven", "a blocked player stays blocked for the rest of the round",
        "every graph of up to 5 segments, every position on it, one field of the other player",
        "enumeration of all graphs and positions of 3 segments agrees", cases=3,
    )  # fmt: skip


def _blocked_then_free(size: int) -> list[Any]:
    """A has no field to place, B places one (anywhere empty), and then A has."""
    edge = {(i, j): z3.Bool(f"e{i}{j}") for i in range(size) for j in range(i)}
    before = [z3.Int(f"p{i}") for i in range(size)]  # 0 empty, 1 A, 2 B
    after = [z3.Int(f"n{i}") for i in range(size)]
    place = z3.Int("place")

    def meets(i: int, j: int) -> Any:
        return edge[max(i, j), min(i, j)]

    def can(held: list[Any]) -> Any:
        pairs = [(i, j) for i in range(size) for j in range(size) if i != j]
        return z3.Or([z3.And(held[i] == 0, held[j] == 1, meets(i, j)) for i, j in pairs])

    said = [z3.And(v >= 0, v <= 2) for v in before] + [place >= 0, place < size, z3.Not(can(before)), can(after)]
    for i in range(size):
        said.append(z3.If(place == i, z3.And(before[i] == 0, after[i] == 2), after[i] == before[i]))
    return said


def _unblocks(size: int) -> Iterator[bool]:
    """Yield for every graph, position and field of B whether A was blocked and can place after it."""
    pairs = [(i, j) for i in range(size) for j in range(i)]
    for present in product((False, True), repeat=len(pairs)):
        edges = {p for p, there in zip(pairs, present, strict=True) if there}
        for held in product((0, 1, 2), repeat=size):
            for place in (i for i in range(size) if held[i] == 0):
                then = tuple(2 if i == place else h for i, h in enumerate(held))
                yield not _can(held, edges) and _can(then, edges)


def _can(held: tuple[int, ...], edges: set[tuple[int, int]]) -> bool:
    both = edges | {(j, i) for i, j in edges}
    return any(held[i] == 0 and held[j] == 1 for i, j in both)


def alone(first: int, second: int, blocked: str) -> tuple[int, int]:
    """Play land taking where each player has only segments of his own; return the fields of both.

    The first to move has *first* segments, the other *second*; *blocked* is a value of R_BLOCKED.
    """
    left, mover, placed = [first, second], 0, [0, 0]
    while any(left):
        if left[mover]:
            left[mover] -= 1
            placed[mover] += 1
        elif blocked == "end":
            break
        mover = 1 - mover
    return placed[0], placed[1]


def _blocked_winner() -> Outcome:
    one, two = z3.Ints("first second")
    ends = z3.If(one <= two, one, two + 1), z3.If(one <= two, one, two)
    small = [one >= 0, one <= 8, two >= 0, two <= 8]
    for first, second in product(range(9), repeat=2):
        played = alone(first, second, "end")
        right = z3.And([end == value for end, value in zip(ends, played, strict=True)])
        says = solver(one == first, two == second, z3.Not(right))
        require(not possible(says), "the formula of the early end is right")
        require(alone(first, second, "skip") == (first, second), "skipping lets both fill everything")
    other = z3.Or(z3.And(one > two, ends[0] <= ends[1]), z3.And(one < two, ends[0] >= ends[1]))
    asked = solver(*small, other)
    require(possible(asked), "some case has another winner")
    first, second = least(asked, [one, two], range(9))
    require(not possible(solver(*small, other, one >= two)), "only the first to move can gain by it")
    skip, end = alone(first, second, "skip"), alone(first, second, "end")
    return Outcome(
        "witness", f"the first to move has {first} segments of his own, the other {second}: skip {skip[0]}:{skip[1]}, "
        f"end {end[0]}:{end[1]}", "two separate areas of up to 8 segments, each with one farm",
        "the count of each played out for up to 8 segments",
        {"first": first, "second": second, "skip": list(skip), "end": list(end)},
        cases=81,
    )  # fmt: skip


CLAIMS = (
    Claim("tie-break", "which won rounds are possible with equal totals", ("FD-END-04", "FD-END-05", "FD-SCORE-01"),
          _tie_break),
    Claim("shared-victory", "is victory shared only after a tied round", ("FD-END-04", "FD-END-05"), _shared),
    Claim("supply-of-twenty", "can twenty fields be too few", ("FD-SETUP-01", "FD-FIELD-07"), _supply, "R_SUPPLY",
          "reachability"),
    Claim("blocked-stays-blocked", "does a blocked player stay blocked", ("FD-LAND-08", "FD-FIELD-01", "FD-FIELD-03"),
          _blocked_stays),
    Claim("blocked-winner", "can the two readings of a blocked player give different winners of a round",
          ("FD-LAND-04", "FD-FIELD-07", "FD-FIELD-08"), _blocked_winner, "R_BLOCKED", deep=True),
)  # fmt: skip
