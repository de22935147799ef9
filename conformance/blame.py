"""Whose fault a failure is (book, model, harness, adapter or engine), and on what that rests.

A difference is the engine's only where nothing speaks for another: the reference has to agree with itself there,
and the subject to keep to the conventions of records and texts.  Where both can be, both are named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from traceback import extract_tb
from typing import Any, Literal

import msgspec

from lawspeaker.model.core.contract import CHANCE, AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.records import Difference

from . import messages as m
from .compare import compound_parts
from .match import Diverged, Divergence, Line, Match, Op, wanted
from .scenario_cases import ScenarioCase

_SHOWN = 6
_HERE = Path(__file__).resolve().parent
Sure = Literal["adapter", "adapter or engine", "engine"]


class Blame(msgspec.Struct, frozen=True):
    """Whose fault it is, and the evidence in a sentence."""

    whose: str
    evidence: str


def blame(game: AnyGame, divergence: Divergence, caps: m.Capabilities, tried: str = "") -> Blame:
    """Say whose fault a difference is that no other reading explains.

    *tried* says in a few words which readings were tried.
    """
    doubt = _reference_at_odds(game, divergence)
    if doubt:
        return Blame("model", doubt)
    if divergence.kind == "error":
        code = next((d.subject for d in divergence.differences), "")
        if code == "internal":
            return Blame("engine", "a proper question was answered with an error of the program's own")
        return Blame("adapter", f"a proper question for what it offers was answered with the error {code}")
    kinds = [_sort(game, d, caps) for d in divergence.differences]
    sure: tuple[Sure, ...] = ("engine", "adapter or engine", "adapter")
    for whose in sure:
        said = [words for sort, words in kinds if sort == whose]
        if said:
            return Blame(whose, "; ".join(dict.fromkeys(said)) + (f"; {tried}" if tried and whose == "engine" else ""))
    return Blame("engine", tried)


def _reference_at_odds(game: AnyGame, divergence: Divergence) -> str:
    """Return where the reference contradicts itself at this place; empty where its two answers agree."""
    op = divergence.line.ops[-1] if divergence.line.ops else None
    asked: list[tuple[Any, str]] = []
    before, after = divergence.before, divergence.after
    own = op is not None and op.kind == "try" and before is not None and op.by in game.seats
    if own and op is not None and op.by == game.actor_name(before):
        asked.append((before, op.text))
    place = divergence.after if divergence.after is not None else divergence.before
    for found in divergence.differences:
        if found.path == "legal" and place is not None and game.actor(place) != CHANCE:
            texts = (*found.only_reference[:_SHOWN], *found.only_subject[:_SHOWN])
            asked += [(place, text) for text in texts]
    for position, text in asked:
        said = _two_answers(game, position, text)
        if said:
            return said
    if after is not None and (before is None or not game.broken_invariants(before)):
        broken = game.broken_invariants(after)
        if broken:
            return f"the position that the reference comes to breaks {broken[0].clause} of its own invariants"
    return ""


def _two_answers(game: AnyGame, position: Any, text: str) -> str:
    """Return that the reference's list and its law disagree on an action; empty if they agree or it is none."""
    try:
        action = game.parse(text)
    except BadInput:
        return ""
    listed = text in {game.text(a) for a in game.legal(position)}
    broken = game.breaches(position, action)
    if listed != bool(broken) or compound_parts(game, position, game.actor_name(position), text):
        return ""
    law = f"its law finds {broken[0].clause} broken" if broken else "its law finds no clause broken"
    return f"the reference contradicts itself: it {'lists' if listed else 'does not list'} {text!r}, and {law}"


# -- conventions ------------------------------------------------------------------------------------


def _sort(game: AnyGame, found: Difference, caps: m.Capabilities) -> tuple[Sure, str]:
    """Say whether a difference is one of conventions (the adapter's), of the rules, or could be either."""
    if found.path == "digest":
        if caps.state:
            return "adapter", "the position that it shows is right, only the digest of it is not"
        return "adapter or engine", "only a digest differs, and no position is shown to compare"
    if found.path == "actor":
        known = found.subject in (*game.seats, "chance", "over")
        return ("engine", "it says that another is next") if known else ("adapter", f"{found.subject!r} names no seat")
    if found.path == "legal":
        return _sort_of_list(game, found)
    if found.path == "accepted":
        word = str(found.subject).partition("(")[2].partition(")")[0]
        if word in ("malformed", "wrong_step", "not_your_turn"):
            return ("adapter or engine" if word == "not_your_turn" else "adapter"), f"it calls a proper action {word}"
        return "engine", "it judges otherwise than the rules do"
    if found.path == "outcome" and isinstance(found.subject, str) and _unreadable(game, [found.subject]):
        return "adapter", f"{found.subject!r} is not the text of an action"
    if found.path.startswith(("state", "view")):
        return _sort_of_value(found)
    return "engine", f"{found.path} is not what the rules give"


def _sort_of_list(game: AnyGame, found: Difference) -> tuple[Sure, str]:
    if isinstance(found.subject, str):
        return "adapter or engine", "an action stands twice in its list"
    strange = _unreadable(game, found.only_subject)
    if strange and len(strange) == len(found.only_subject):
        return "adapter", f"{strange[0]!r} is not the text of an action"
    return "engine", "its list of actions is not the one that the rules give"


def _unreadable(game: AnyGame, texts: Iterable[str]) -> list[str]:
    """Return the texts that are no canonical text of an action."""
    found = []
    for text in texts:
        try:
            right = game.text(game.parse(text)) == text
        except BadInput:
            right = game.has_compounds() and text.partition(" ")[0].isalpha() and "," in text
        if not right:
            found.append(text)
    return found


def _sort_of_value(found: Difference) -> tuple[Sure, str]:
    one, two, path = found.reference, found.subject, found.path
    if one == "these fields":
        return "adapter", f"{path} has other fields than the record"
    if found.only_reference or found.only_subject:
        if sorted(map(_loose, found.only_reference)) == sorted(map(_loose, found.only_subject)):
            return "adapter", f"the entries of {path} differ only in how they are written"
        return "engine", f"{path} is not what the rules give"
    if isinstance(one, (list, tuple)) and isinstance(two, (list, tuple)) and _sorted(one) == _sorted(two):
        if [m.encode(x) for x in one] == _sorted(one) or list(one) == _naturally(one):
            return "adapter", f"{path} has the right entries in another order, and the record sorts them"
        return "adapter or engine", f"{path} has the right entries in another order"
    if _unset(one) and _unset(two):
        return "adapter", f"{path} says in another way that nothing is there ({two!r} in place of {one!r})"
    if type(one) is not type(two) and _loose(one) == _loose(two):
        return "adapter", f"{path} has the right value as another type"
    if isinstance(one, str) and isinstance(two, str) and _loose(one) == _loose(two):
        return "adapter", f"{path} differs only in how it is written"
    return "engine", f"{path} is not what the rules give"


def _sorted(values: Iterable[Any]) -> list[bytes]:
    return sorted(m.encode(value) for value in values)


def _naturally(values: Any) -> list[Any]:
    try:
        return sorted(values)
    except TypeError:
        return []


def _unset(value: Any) -> bool:
    return value is None or value is False or value in (0, -1, "", "none", "null") or value in ([], {}, ())


def _loose(value: Any) -> str:
    """Return a value as text without what adapters write in different ways: case, blanks, quotes, kind of brackets."""
    text = value if isinstance(value, str) else m.encode(value).decode()
    return "".join(c for c in text.lower() if c.isalnum() or c == "-")


# -- cases that the reference does not meet, and what raises ----------------------------------------


def raised(error: BaseException) -> Blame:
    """Say whether the model or the harness raised what nobody may raise, and where."""
    frames = extract_tb(error.__traceback__)
    last = frames[-1]
    ours = [n for n, frame in enumerate(frames) if Path(frame.filename).resolve().parent == _HERE]
    inside = ours and ours[-1] == len(frames) - 1
    folders = {Path(frame.filename).parent.name for frame in frames[(ours[-1] + 1) if ours else 0 :]}
    whose = "harness" if inside or not folders - {"core"} else "model"
    at = f"{Path(last.filename).name}, line {last.lineno}, in {last.name}"
    return Blame(whose, f"{type(error).__name__}: {m.printable(str(error), 200)} (raised at {at})")


Side = Literal["case", "reference", "neither", "unknown"]


def side_of(case: ScenarioCase, game: AnyGame, ask: Callable[..., m.Reply], caps: m.Capabilities) -> Side:
    """Play a case that the reference does not meet on the subject, and say with whom the subject agrees.

    Raises SubjectFailure if it does not answer.
    """
    want = wanted(msgspec.structs.replace(caps, digest=False))
    message: m.Message = m.Start(tuple(game.seats), want=want)
    if case.record is not None:
        message = m.Setup(case.record, want=want, players=tuple(game.seats))
    reply = ask(message)
    for number, (by, text) in enumerate(case.actions, 1):
        if not isinstance(reply, m.Report):
            return "unknown"
        if not reply.accepted:
            break
        reply = ask(m.Step(number, by, text, want))
    if not isinstance(reply, m.Report):
        return "unknown"
    if reply.accepted:
        looks = {seat: ask(m.View(seat)) for seat in case.expect.views} if caps.view else {}
        views = {seat: look.view for seat, look in looks.items() if isinstance(look, m.ViewReply)}
        if case.met_by(reply, views, caps):
            return "case"
    try:
        Match(ask, game, caps).play(Line(case.record, tuple(Op("try", by, text) for by, text in case.actions)))
    except (Diverged, BadInput):
        return "neither"
    return "reference"


def against_case(case: ScenarioCase, side: Side) -> Blame:
    """Say whose fault it is that the reference does not meet a case, by whom the subject agrees with."""
    worked = ".example." in case.id
    what = "the book's worked example" if worked else "the case"
    if side == "case":
        return Blame("model", f"{what} and the subject agree, and the reference alone comes out otherwise")
    if side == "reference" and worked:
        return Blame("book", "its worked example comes out otherwise by its own clauses, here and in the subject")
    if side == "reference":
        return Blame("harness", "the subject agrees with the reference, so what the case expects is wrong")
    if side == "neither":
        return Blame("harness", f"{what}, the reference and the subject all differ")
    return Blame("harness", f"the reference does not meet {what}, and the subject cannot be asked")
