"""Metamorphic properties of Northmen: seats around the table, places on the map, cards alike, orders of choice.

Seats can be rotated at any moment: only who has the Leader Token matters, and clockwise order, which a
rotation keeps and a reflection would not (turns pass clockwise, ties fall to the nearest clockwise).  The
order of the chart is a rule, so Kingdoms keep it under other names; the order of regions, cards and
routes is not, but holds, keeps, commitments and marches are asked about in it, so that a series of them
is carried over as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.play import Step, steps
from lawspeaker.model.northmen.pack import NorthmenPack
from lawspeaker.properties.watching import Complaints, Moment

BY_SEAT = (
    "hands", "piles", "tops", "reserve", "infamy", "heroes", "taken", "times", "route_hands", "routes_done", "chosen",
)  # fmt: skip
RULED = ("Bulgaria", "Poland", "Holy Roman Empire")
"""Regions that rules and rulings know by name."""
SERIES = ("march", "complete", "keep", "hold")
"""Phases in which several decisions make up one, in an order of the pack's."""


# -- seats ------------------------------------------------------------------------------------------------


def rotated(plain: dict[str, Any], by: int) -> dict[str, Any]:
    """Return a record with everything of a seat moved that many places clockwise."""
    seats = list(plain["hands"])
    name = {old: seats[(n + by) % len(seats)] for n, old in enumerate(seats)}
    image = dict(plain)
    for field in BY_SEAT:
        moved = {name[seat]: value for seat, value in plain[field].items()}
        image[field] = {seat: moved[seat] for seat in seats}
    for field in ("kingdoms", "regions"):
        image[field] = {place: [rows[n - by] for n in range(len(rows))] for place, rows in plain[field].items()}
    image["leader"] = name[plain["leader"]]
    image["seat"] = name[plain["seat"]] if plain["seat"] else None
    image["control"] = {kingdom: name[seat] if seat else None for kingdom, seat in plain["control"].items()}
    image["route_bottom"] = [[route, name[owner]] for route, owner in plain["route_bottom"]]
    return image


def rotation(moment: Moment) -> Complaints:
    """With all seats moved around the table the step is legal too and leads to the same, moved; so is the score."""
    game = moment.game
    for by in range(1, len(game.seats)):
        before = game.position(rotated(moment.record_before, by))
        if {game.text(a) for a in game.legal(before)} != {game.text(a) for a in game.legal(moment.before)}:
            yield f"moved by {by} another list is legal"
            return
        after = game.apply(before, moment.action)
        if game.record(after) != rotated(moment.record_after, by):
            yield f"moved by {by} the step leads elsewhere"
        scores, here = game.result(after).scores, game.result(moment.after).scores
        if scores != tuple(here[n - by] for n in range(len(here))):
            yield f"moved by {by} the scores are {scores}, not those of {here}"


# -- cards alike --------------------------------------------------------------------------------------------


def twins(game: AnyGame) -> list[tuple[str, str]]:
    """Return pairs of cards that differ in nothing but their names."""
    kinds: dict[tuple[Any, ...], list[str]] = {}
    for card in game.pack.cards:  # type: ignore[attr-defined]
        kinds.setdefault((card.kingdom, card.soldiers, card.ships, card.region, card.mark), []).append(card.id)
    return [(ids[0], ids[1]) for ids in kinds.values() if len(ids) > 1]


def exchanged(game: AnyGame, plain: dict[str, Any], one: str, two: str) -> dict[str, Any]:
    """Return a record in which two cards have changed places."""
    name = {one: two, two: one}
    order = {card.id: n for n, card in enumerate(game.pack.cards)}  # type: ignore[attr-defined]

    def cards(ids: Sequence[str]) -> list[str]:
        return sorted((name.get(card, card) for card in ids), key=order.__getitem__)

    image = dict(plain)
    for field in ("deck", "row", "discard", "held"):
        image[field] = cards(plain[field])
    for field in ("hands", "piles"):
        image[field] = {seat: cards(ids) for seat, ids in plain[field].items()}
    image["tops"] = {seat: name.get(card, card) for seat, card in plain["tops"].items()}
    image["card"] = name.get(plain["card"], plain["card"])
    return image


def equal_cards(moment: Moment) -> Complaints:
    """Two cards that differ in their names alone can change places."""
    game = moment.game
    if moment.record_before["held"]:  # later holds follow in card order
        return
    for one, two in twins(game):
        before = game.position(exchanged(game, moment.record_before, one, two))
        action = _renamed(game.text(moment.action), {one: two, two: one})
        if action not in {game.text(a) for a in game.legal(before)}:
            yield f"with {one} and {two} exchanged {action} is not legal"
            return
        after = game.apply(before, game.parse(action))
        if game.record(after) != exchanged(game, moment.record_after, one, two):
            yield f"with {one} and {two} exchanged {action} leads elsewhere"


def _renamed(text: str, names: Mapping[str, str]) -> str:
    verb, _, rest = text.partition(" ")
    if verb == "send":
        place, _, pieces = rest.rpartition(" ")
        return f"send {names.get(place, place)} {pieces}"
    return f"{verb} {names.get(rest, rest)}" if rest else verb


# -- another box --------------------------------------------------------------------------------------------


class Image(msgspec.Struct, frozen=True):
    """A box with other names, and its regions, cards and routes in another order."""

    pack: NorthmenPack
    names: Mapping[str, str]
    """Old names of Kingdoms, regions, cards and routes, and what they are in the image."""

    def text(self, text: str) -> str:
        """Return the image of an action's text."""
        return _renamed(text, self.names)

    def record(self, value: Any) -> Any:
        """Return the image of a record: names in it, and lists of names in the image's order."""
        if isinstance(value, str):
            return self.names.get(value, value)
        if isinstance(value, dict):
            return {self.names.get(key, key): self.record(item) for key, item in value.items()}
        if not isinstance(value, (list, tuple)):
            return value
        items = [self.record(item) for item in value]
        order = self.order()
        if all(isinstance(item, str) and item in order for item in items):
            items.sort(key=order.__getitem__)
        return items

    def order(self) -> dict[str, int]:
        """Return the number of each region, card and route in the image's order of its kind."""
        kinds: tuple[tuple[Any, ...], ...] = (self.pack.regions, self.pack.cards, self.pack.routes)
        return {one.id: n for ones in kinds for n, one in enumerate(ones)}


def image_of(pack: NorthmenPack, seed: int) -> Image:
    """Return an image of a box; names that rules know stay."""
    random = Random(seed)
    names: dict[str, str] = {}
    kinds: dict[str, tuple[Any, ...]] = {"K": pack.kingdoms, "L": pack.regions, "C": pack.cards, "R": pack.routes}
    for letter, ones in kinds.items():
        numbers = random.sample(range(len(ones)), len(ones))
        names |= {one.id: f"{letter}{n}x" for one, n in zip(ones, numbers, strict=True)}
    names |= {name: name for name in RULED}
    regions = [replace(region, id=names[region.id]) for region in pack.regions]
    kingdoms = [
        replace(one, id=names[one.id], borders=tuple(names[region] for region in one.borders)) for one in pack.kingdoms
    ]
    cards = [
        replace(c, id=names[c.id], kingdom=names[c.kingdom], region=names[c.region] if c.region else None)
        for c in pack.cards
    ]
    routes = [replace(r, id=names[r.id], kingdom=names[r.kingdom], region=names[r.region]) for r in pack.routes]
    random.shuffle(regions)
    random.shuffle(cards)
    random.shuffle(routes)
    other = replace(
        pack, id=f"{pack.id} image", kingdoms=tuple(kingdoms), regions=tuple(regions), cards=tuple(cards),
        routes=tuple(routes),
    )  # fmt: skip
    return Image(other, names)


def in_step(game: AnyGame, image: Image, seed: int, every: int = 1, limit: int = 100_000) -> Iterator[str]:
    """Play a seeded game and its image in step; yield each difference of legal lists or records.

    A series of decisions that is asked about in the pack's order is played in the image's order at its end,
    and what is asked about first is not compared.  Not for R_ROUTE_BATCH=batch, where several routes go under
    the deck in the pack's order.
    """
    other = game.varied(pack=image.pack)
    position, series = other.start(), list[Step]()
    for number, step in enumerate(steps(game, seed, limit=limit)):
        looks = number % every == 0
        if step.before.phase in SERIES or game.kind(step.action) == "hold":
            series.append(step)
            if _goes_on(step):
                continue
            after = _replayed(other, position, image, [game.text(s.action) for s in series])
            series.clear()
        else:
            if looks:
                yield from _same_list(image, game, step.before, other, position, number)
            action = other.parse(image.text(game.text(step.action)))
            after = other.apply(position, action) if action in other.legal(position) else None
        if after is None:
            yield f"step {number}: {game.text(step.action)} cannot be played in the image"
            return
        position = after
        if looks and image.record(_unasked(game.record(step.after))) != _unasked(other.record(position)):
            yield f"step {number}: the records differ after {game.text(step.action)}"


def _same_list(image: Image, game: AnyGame, before: Any, other: AnyGame, position: Any, number: int) -> Iterator[str]:
    here = {image.text(game.text(action)) for action in game.legal(before)}
    there = {other.text(action) for action in other.legal(position)}
    if here != there:
        yield f"step {number}: legal in one only: {sorted(here ^ there)[:5]}"


def _unasked(plain: dict[str, Any]) -> dict[str, Any]:
    return plain | {"region": None, "asked": None}


def _goes_on(step: Step) -> bool:
    """Say whether the decision made up of several goes on after this step."""
    before, after = step.before, step.after
    phase = "hold" if before.phase == "buy" else before.phase
    same = after.phase == phase and after.seat == before.seat
    return same and (phase != "march" or (after.kingdom, after.second_pass) == (before.kingdom, before.second_pass))


def _replayed(other: AnyGame, position: Any, image: Image, texts: Sequence[str]) -> Any:
    """Play what a series decided, in the order in which the image asks; None if it cannot be."""
    wanted = {image.text(text) for text in texts}
    pieces = {text.rpartition(" ")[0]: text for text in wanted if text.startswith("send ")}
    while True:
        legal = {other.text(action): action for action in other.legal(position)}
        sends = [text for text in legal if text.startswith("send ")]
        if sends:
            here = sends[0].rpartition(" ")[0]
            text = pieces.get(here, f"{here} 0+0")
        else:
            text = next((text for text in legal if text in wanted and text != "done"), "done")
        if text not in legal:
            return None
        before, position = position, other.apply(position, legal[text])
        wanted.discard(text)
        if not _goes_on(Step(before, before.seat, legal[text], position)):
            return position


# -- two ways to the same position --------------------------------------------------------------------------


def marches(game: AnyGame, position: Any, most: int = 20_000) -> set[str] | None:
    """Return every way in which the march that begins here can end, as text; None if there are more than *most*."""
    found, todo, seen = set[str](), [(position, dict[str, str]())], 0
    while todo:
        here, sent = todo.pop()
        for action in game.legal(here):
            seen += 1
            if seen > most:
                return None
            place, _, pieces = game.text(action).removeprefix("send ").rpartition(" ")
            after, more = game.apply(here, action), {**sent, **({place: pieces} if pieces != "0+0" else {})}
            if _goes_on(Step(here, here.seat, action, after)):
                todo.append((after, more))
            else:
                found.add(", ".join(f"{name} {more[name]}" for name in sorted(more)))
    return found


def commit_orders(game: AnyGame, position: Any, texts: Mapping[str, Sequence[str]]) -> Iterator[dict[str, Any]]:
    """Yield the records after the same commitments (by seat) with each seat asked first, Leader and seat left out.

    *position* is one at which the first seat is asked about its first route.  Only who is asked when depends
    on the Leader here, unless control is judged anew in step 6 (R_CONTROL_SPAN).
    """
    plain = game.record(position)
    for first in plain["hands"]:
        hand = plain["route_hands"][first]
        if not hand:
            continue
        here = game.position({**plain, "leader": first, "seat": first, "asked": hand[0]})
        while here.phase == "complete":
            seat = game.seats[here.seat]
            action = next(a for a in game.legal(here) if game.text(a) in texts[seat])
            here = game.apply(here, action)
        yield {**game.record(here), "leader": None, "seat": None}


def transpositions(game: AnyGame, seed: int) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield pairs of records that must be equal but for the cards on top: a seat's Rally turn and its next, exchanged.

    Pairs come only where every action is legal in that order too, and nobody runs out of cubes.
    """
    turns: list[list[Step]] = []
    n = len(game.seats)
    for step in steps(game, seed):
        if step.before.phase == "play":
            turns.append([])
        if not turns or step.after.phase not in ("play", "hire", "draw", "drawn", "turn"):
            turns.clear()
            continue
        turns[-1].append(step)
        if step.after.phase == "play" and len(turns) > n and min(step.after.reserve) > 0:
            first, middle, last = turns[-n - 1], turns[-n:-1], turns[-1]
            order = [s.action for turn in (last, *middle, first) for s in turn]
            swapped = _played(game, first[0].before, order)
            if swapped is not None and min(swapped.reserve) > 0:
                tops = {"tops": None}
                yield game.record(step.after) | tops, game.record(swapped) | tops


def _played(game: AnyGame, position: Any, actions: Sequence[Any]) -> Any:
    for action in actions:
        if action not in game.legal(position):
            return None
        position = game.apply(position, action)
    return position
