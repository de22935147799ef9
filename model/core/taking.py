"""Taking actions: one that is not legal is refused in words, a compound text is taken part by part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from .contract import AnyGame
from .errors import BadInput


class Taken(msgspec.Struct, frozen=True):
    """One action taken: the position before, the action, the position after."""

    before: Any
    action: Any
    after: Any


def refuse_illegal(game: AnyGame, position: Any, action: Any, where: str) -> None:
    """Raise BadInput with each broken clause in words unless *action* is legal."""
    if action in game.legal(position):
        return
    broken = game.breaches(position, action)
    said = "; ".join(f"{b.clause}: {game.words(b)}" for b in broken)
    raise BadInput(f"{game.text(action)!r} is not legal: {said or 'not among the legal actions'}", where=where)


def take(game: AnyGame, position: Any, action: Any, where: str) -> Taken:
    """Take one action; raises BadInput with the broken clauses in words if it is not legal."""
    refuse_illegal(game, position, action, where)
    return Taken(position, action, game.apply(position, action))


def take_compound(game: AnyGame, position: Any, text: str, where: str = "") -> tuple[Taken, ...] | None:
    """Take a compound decision of the seat to act, part by part; None if *text* is no compound text.

    Raises BadInput if it is malformed, not canonical, no whole decision, or has a part that is not
    legal; the place then says which part.
    """
    try:
        actions = game.expand(position, text)
    except BadInput as error:
        raise error.within(where) if where else error from None
    if actions is None:
        return None
    actor, taken = game.actor(position), list[Taken]()
    for number, action in enumerate(actions, 1):
        here = taken[-1].after if taken else position
        place = f"{where}, part {number}" if where else f"part {number}"
        if game.actor(here) != actor:
            raise BadInput(f"{game.text(action)!r}: {game.actor_name(here)} is next", where=place)
        taken.append(take(game, here, action, place))
    right = game.compound(position, actions) if actions else None
    if right != text:
        hint = "give it from its first part to its last" if right is None else f"write {right!r}"
        raise BadInput(
            f"{text!r} is not {'a whole decision' if right is None else 'canonical'}", where=where, hint=hint
        )
    return tuple(taken)


def take_text(game: AnyGame, position: Any, text: str, where: str = "") -> tuple[Taken, ...]:
    """Take what a text says: one action, or a compound decision part by part; raises BadInput if it is not legal."""
    taken = take_compound(game, position, text, where)
    return taken if taken is not None else (take(game, position, game.parse(text), where),)


def is_compound(game: AnyGame, text: str) -> bool:
    """Tell whether a text has one of the game's compound forms, whatever it says."""
    try:
        return game.has_compounds() and game.expand(game.start(), text) is not None
    except BadInput:
        return True


def compound_at(game: AnyGame, taken: Sequence[Taken], first: int = 0) -> tuple[int, str]:
    """Return the end (not included) and text of the whole compound decision that begins with ``taken[first]``.

    If none begins there, or its last part is missing, the end is the next index and the text empty.
    """
    alone = (first + 1, "")
    start, end = taken[first].before, first + 1
    actor = game.actor(start)
    if actor < 0 or game.inside(start):
        return alone
    while end < len(taken) and game.inside(taken[end].before) and game.actor(taken[end].before) == actor:
        end += 1
    if game.inside(taken[end - 1].after):
        return alone
    text = game.compound(start, [step.action for step in taken[first:end]])
    return alone if text is None else (end, text)
