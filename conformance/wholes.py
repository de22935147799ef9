"""Plans of compound decisions: taken whole in one step, the same as part by part, or refused whole."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import takewhile, zip_longest

import msgspec

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.taking import Taken, compound_at, take_compound

from .match import Op
from .plan import Context, Plan, Sample, on, until_chance

_NEAR = 60
"""So many steps after a sampled position a compound decision may begin."""
_WRONG = 3
"""So many compound decisions that fail are tried before each one that does not."""
_DRAWN = 6
"""So many other decisions are drawn at the position of each, to be tried where they fail."""


class Whole(msgspec.Struct, frozen=True):
    """A whole compound decision of a playout: where it begins, its parts, its text."""

    place: Sample
    parts: tuple[Taken, ...]
    text: str


def compound(c: Context) -> Iterator[Plan]:
    """Take whole decisions in one step: the same as part by part, undone as one, refused as one."""
    found = _wholes(c)
    texts = sorted({text for whole in found for text in _others_like(c, whole)})
    for n, whole in enumerate(found):
        by = c.game.actor_name(whole.place.position)
        one = Op("try", by, whole.text)
        ops = [*_wrong_wholes(c.game, whole, texts), one]
        if c.caps.undo:
            parts = tuple(Op("try", by, c.game.text(step.action)) for step in whole.parts)
            ops += [Op("undo", count=1), *parts, Op("undo", count=len(parts)), one]
        onward = Sample(c.game, whole.place.steps, whole.place.index + len(whole.parts)).onward(2)
        ops += until_chance(onward) if c.mode == "reported" else onward
        title = f"takes {whole.text!r} in one step, as its {len(whole.parts)} parts do"
        yield Plan(str(n), title, on(c, whole.place, tuple(ops)))


def _wholes(c: Context) -> tuple[Whole, ...]:
    """Return compound decisions near the samples, up to the budget.

    Each first word and number of parts comes once before any comes twice, each word's longest first.
    """
    groups: dict[tuple[str, int], list[Whole]] = defaultdict(list)
    texts = set()
    for place in c.samples:
        taken = [Taken(s.before, s.action, s.after) for s in place.steps[place.index : place.index + _NEAR]]
        at = 0
        while at < len(taken):
            end, text = compound_at(c.game, taken, at)
            if text and text not in texts:
                texts.add(text)
                here = Sample(c.game, place.steps, place.index + at)
                groups[(text.split(" ")[0], end - at)].append(Whole(here, tuple(taken[at:end]), text))
                break
            at = end

    def rank(key: tuple[str, int]) -> tuple[int, str]:
        return sum(word == key[0] and parts > key[1] for word, parts in groups), key[0]

    queues = [groups[key] for key in sorted(groups, key=rank)]
    ranked = [whole for row in zip_longest(*queues) for whole in row if whole is not None]
    return tuple(ranked[: max(c.budget.others, 1)])


def _others_like(c: Context, whole: Whole) -> Iterator[str]:
    """Yield the text of a decision and of some others possible at its position, drawn part by part."""
    yield whole.text
    game, random = c.game, c.random("others like", whole.text)
    for _ in range(_DRAWN):
        taken = list[Taken]()
        while not taken or (game.inside(taken[-1].after) and len(taken) < _NEAR):
            before = taken[-1].after if taken else whole.place.position
            action = random.choice(game.legal(before))
            taken.append(Taken(before, action, game.apply(before, action)))
        _, text = compound_at(game, taken)
        if text:
            yield text


def _wrong_wholes(game: AnyGame, whole: Whole, texts: Iterable[str]) -> tuple[Op, ...]:
    """Return the decision tried by a wrong seat, and others that fail here.

    Those come first that fail late, then those that begin most like the one that does not.
    """
    position, by = whole.place.position, game.actor_name(whole.place.position)
    late: list[tuple[int, int, str]] = []
    for text in texts:
        try:
            take_compound(game, position, text)
        except BadInput as error:
            part = error.where.rpartition("part ")[2]
            alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(text, whole.text, strict=False)))
            late.append((-int(part) if part.isdigit() else 0, -alike, text))
    tried = [Op("try", by, text) for _, _, text in sorted(late)[:_WRONG]]
    seat = next((seat for seat in game.seats if seat != by), None)
    return (*tried, *([Op("try", seat, whole.text)] if seat else ()))
