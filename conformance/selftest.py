"""The harness checks itself: every answer that a subject gives is falsified once, and each time it must notice.

Against the right game every layer must pass, and must have asked what it is for.  Then, layer by layer, one
part of one answer is changed (the first and the last of its sort): a list, a digest, a field of the state or
of a view, who is next, a score, an acceptance.  A comparison left out, a seat nobody looks for, a layer that
ends early: each shows as a false answer that nobody minds.  What is not offered must not be asked, silence is
no difference, and what was found must come out short.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.games import Room
from lawspeaker.model.core.play import Rare, steps
from lawspeaker.model.core.records import CheckRow, Verdict, ignore

from . import messages as m
from .layers import LAYERS, PLANNED, Budget, layers_for, plans
from .match import Divergence
from .referee import Report, Run
from .session import FULL, Session
from .subjects import InProcessSubject, Subject, Timeout

TINY = Budget("selftest", games=1, positions=5, follow=3, perft=20, probes=4, others=4, shrink=0, judged=0)
SHORT = 3
"""With positions that can be set up no more actions than these may be left of a difference."""
NEEDS = {"perft": "legal", "setup": "setup", "views": "view", "undo": "undo", "save": "save", "two-ways": "state",
         "compound": "compound"}  # fmt: skip
"""The capability without which a layer does not apply."""
ASKED: dict[str, tuple[str, ...]] = {
    "perft": ("legal",), "setup": ("setup", "legal", "digest"), "play": ("start", "legal", "digest", "result"),
    "refusals": ("refused", "state"), "views": ("view",), "undo": ("undo",), "save": ("save", "load"),
    "two-ways": ("state", "setup"), "compound": ("step", "refused"),
}  # fmt: skip
"""What each layer must have asked for, so that it is not empty."""
_NO_DIGEST = msgspec.structs.replace(FULL, digest=False)

Said = tuple[m.Message, m.Reply]


class Falsified(Subject):
    """The right game's answers, the one of number *at* changed; all that was said is kept."""

    def __init__(
        self, game: AnyGame, room: Room | None, offered: m.Capabilities, at: int = -1,
        change: Callable[[m.Message, m.Reply], m.Reply] | None = None,
    ) -> None:  # fmt: skip
        self.inner = InProcessSubject(Session(game, room, offered=offered))
        self.at, self.change = at, change
        self.said: list[Said] = []

    def ask(self, message: m.Message, meanwhile: Callable[[], None] | None = None) -> m.Reply:
        """Return the right answer, or the false one."""
        reply = self.inner.ask(message, meanwhile)
        if len(self.said) == self.at and self.change is not None:
            reply = self.change(message, reply)
        self.said.append((message, reply))
        return reply

    def close(self) -> None:
        """Nothing to end."""


class _Unread(Run):
    """The referee as it is, but that it tries no other reading of the book on what it found: that takes seconds."""

    def _beyond_readings(self, found: Divergence) -> bool:
        return True


class SelfTest:
    """One run of the harness against itself, on a game and with one seed."""

    def __init__(self, game: AnyGame, room: Room | None = None, seed: int = 0, layers: tuple[str, ...] = LAYERS):
        self.game, self.room, self.seed = game, room, seed
        self.layers = tuple(name for name in layers_for(game, LAYERS) if name in layers and name in PLANNED)

    def run(self) -> Iterator[CheckRow]:
        """Yield what was checked, a row each."""
        for layer in self.layers:
            yield from self._layer(layer)
        if "setup" in self.layers:
            yield from self._false_answers("setup", _NO_DIGEST, self._said("setup", _NO_DIGEST)[1], ("state",))
        yield from self._not_offered()
        yield self._silent()
        if "play" in self.layers:
            yield self._short()

    # -- layers ---------------------------------------------------------------------------------

    def _layer(self, layer: str) -> Iterator[CheckRow]:
        report, said = self._said(layer, FULL)
        verdicts = {case.verdict for case in report.cases if case.layer == layer}
        if verdicts == {"not applicable"} and layer not in ASKED:  # it has nothing to do in such a game
            return
        passed = verdicts == {"pass"} and report.exit_code == 0
        yield self._row(f"{layer}/right", "the right game passes", passed, len(said), "it does not")
        asked = {sort for message, reply in said for sort in _sorts(message, reply)}
        seats = {message.seat for message, _ in said if isinstance(message, m.View)}
        lacks = [sort for sort in ("options", *ASKED.get(layer, ())) if sort not in asked]
        lacks += [f"view of {seat}" for seat in self.game.seats if layer == "views" and seat not in seats]
        never = f"never: {', '.join(lacks)}"
        yield self._row(f"{layer}/asked", "it asks for what it is for", not lacks, len(said), never)
        planned = [plan.id for plan in plans(layer, self.last._context())]
        ran = [case.id for case in report.cases if case.layer == layer]
        yield self._row(f"{layer}/plans", "every plan is run", ran == planned, len(planned), f"{ran} of {planned}")
        yield from self._false_answers(layer, FULL, said)

    def _said(self, layer: str, offered: m.Capabilities) -> tuple[Report, list[Said]]:
        subject = Falsified(self.game, self.room, offered)
        return self._conform(subject, (layer,)), subject.said

    def _conform(self, subject: Subject, layers: tuple[str, ...], budget: Budget = TINY) -> Report:
        run = self.last = _Unread(self.game, lambda: subject, self.seed, budget, ignore, True)
        try:
            if run.handshake():
                for layer in layers:
                    run.layer(layer, ())
        finally:
            run.end()
        return run.report()

    def _false_answers(
        self, layer: str, offered: m.Capabilities, said: list[Said], only: tuple[str, ...] = ()
    ) -> Iterator[CheckRow]:
        """Yield a row for each part of an answer: whether false ones were noticed at its first and last place."""
        places: dict[str, list[int]] = {}
        for number, (message, reply) in enumerate(said):
            for name in dict(_changes(self.game, message, reply)):
                places.setdefault(name, []).append(number)
        for name, found in places.items():
            if only and name.partition(": ")[2].partition(".")[0] not in only:
                continue
            chosen = sorted({found[0], found[-1]})
            missed = [n for n in chosen if not self._noticed(layer, offered, n, name)]
            text = f"a false {name} is noticed"
            yield self._row(f"{layer}/{name}", text, not missed, len(chosen), f"not in answers {missed} of {len(said)}")

    def _noticed(self, layer: str, offered: m.Capabilities, number: int, name: str) -> bool:
        def change(message: m.Message, reply: m.Reply) -> m.Reply:
            return dict(_changes(self.game, message, reply)).get(name, reply)

        report = self._conform(Falsified(self.game, self.room, offered, number, change), (layer,))
        wrong = any(case.verdict in ("fail", "no answer") for case in report.failures)
        return report.exit_code != 0 and (wrong or name == "options")

    # -- capabilities, silence, length -----------------------------------------------------------

    def _not_offered(self) -> Iterator[CheckRow]:
        for layer, name in NEEDS.items():
            if layer not in self.layers:
                continue
            offered = msgspec.structs.replace(FULL, **{name: False})
            subject = Falsified(self.game, self.room, offered)
            report = self._conform(subject, (layer,))
            verdicts = {case.verdict for case in report.cases if case.layer == layer}
            asked = any(message.__class__.__name__ not in ("Hello", "Options", "Bye") for message, _ in subject.said)
            fine = verdicts == {"not applicable"} and not asked
            said = f"it is {', '.join(sorted(verdicts)) or 'not mentioned'}"
            yield self._row(f"{layer}/without", f"without {name} it does not apply", fine, 1, said)

    def _silent(self) -> CheckRow:
        """Check that no answer in time is neither a pass nor a difference."""

        def hang(message: m.Message, reply: m.Reply) -> m.Reply:
            raise Timeout("no answer within the limit")

        layer = "setup" if "setup" in self.layers else self.layers[0]
        last = len(self._said(layer, FULL)[1]) - 2  # before bye
        report = self._conform(Falsified(self.game, self.room, FULL, last, hang), (layer,))
        verdicts = {case.verdict for case in report.failures}
        said = f"it is {', '.join(sorted(verdicts)) or 'passed'}"
        fine = verdicts == {"no answer"}
        return self._row(f"{layer}/silence", "silence is no answer, not a difference", fine, 1, said)

    def _short(self) -> CheckRow:
        """Check that a fault that shows late in a whole game comes out as a position and an action or two."""
        game, session = self.game, _forgetful(self.game, self.seed)
        subject = InProcessSubject(session(game, self.room))
        budget = msgspec.structs.replace(TINY, shrink=120)
        report = self._conform(subject, ("play",), budget)
        lengths = [case.actions for case in report.failures if case.verdict == "fail" and case.trace]
        fine = len(lengths) == 1 and lengths[0] <= SHORT
        return self._row("play/shrunk", "what shows late is made short", fine, 1, f"actions left: {lengths or 'none'}")

    def _row(self, name: str, title: str, fine: bool, times: int, said: str) -> CheckRow:
        verdict: Verdict = "pass" if fine and times else "fail"
        return CheckRow(self.game.id, f"harness {name}", title, verdict, times, "" if verdict == "pass" else said)


def self_test(
    game: AnyGame, room: Room | None = None, *, seed: int = 0, layers: tuple[str, ...] = LAYERS
) -> tuple[CheckRow, ...]:
    """Check the harness on a game; a row that did not pass names the answer that it took although it was false."""
    return tuple(SelfTest(game, room, seed, layers).run())


def _forgetful(game: AnyGame, seed: int) -> type[Session]:
    """Return a session whose lists lack all actions of the kind that comes latest in a game."""
    played = list(steps(game, seed * 101, Rare(), limit=5000))
    first: dict[str, int] = {}
    for number, step in enumerate(played):
        if game.actor(step.before) >= 0:
            first.setdefault(game.kind(step.action), number)
    late = max(first, key=lambda kind: first[kind])

    class Forgetful(Session):
        def _shown_legal(self, actor: int) -> tuple[str, ...]:
            shown = self._options_now()
            return tuple(text for text in shown if actor < 0 or self.game.kind(shown[text]) != late)

    return Forgetful


# -- false answers ----------------------------------------------------------------------------------


def _sorts(message: m.Message, reply: m.Reply) -> Iterator[str]:
    """Yield what a message asks for, or gets."""
    yield type(message).__name__.lower()
    yield from getattr(message, "want", ())
    if isinstance(reply, m.Report) and not reply.accepted:
        yield "refused"


def _changes(game: AnyGame, message: m.Message, reply: m.Reply) -> Iterator[tuple[str, m.Reply]]:
    """Yield every way to make an answer false, by the part that is changed."""
    replace = msgspec.structs.replace
    if isinstance(reply, m.OptionsReply) and reply.rulings:
        name = next(iter(reply.rulings))
        yield "options", replace(reply, rulings={**reply.rulings, name: "?"})
    elif isinstance(reply, m.ViewReply) and isinstance(message, m.View):
        yield "step", replace(reply, step=reply.step + 1)
        for key in reply.view:
            yield f"view of {message.seat}.{key}", replace(reply, view=_with(reply.view, key))
    elif isinstance(reply, m.SaveReply):
        yield "saved", replace(reply, saved=reply.saved[: len(reply.saved) // 2])
    elif isinstance(reply, m.Report):
        sort = type(message).__name__.lower()
        yield from ((f"{sort}: {name}", changed) for name, changed in _reports(game, reply))


def _reports(game: AnyGame, reply: m.Report) -> Iterator[tuple[str, m.Reply]]:
    replace = msgspec.structs.replace
    code = "illegal" if reply.accepted else None
    yield "accepted" if reply.accepted else "refused", replace(reply, accepted=not reply.accepted, code=code)
    yield "step", replace(reply, step=reply.step + 1)
    if reply.actor is not None and reply.accepted:
        yield "actor", replace(reply, actor=game.seats[-1] if reply.actor == game.seats[0] else game.seats[0])
    if reply.legal is not None:
        yield "legal.more", replace(reply, legal=(*reply.legal, "no such action"))
        if reply.legal:
            yield "legal.less", replace(reply, legal=reply.legal[:-1])
            yield "legal.twice", replace(reply, legal=(*reply.legal, reply.legal[0]))
    if reply.digest is not None:
        yield "digest", replace(reply, digest=reply.digest[:-1] + ("0" if reply.digest[-1] != "0" else "1"))
    for key in reply.state or ():
        yield f"state.{key}", replace(reply, state=_with(reply.state or {}, key))
    if reply.result is not None:
        yield from _results(game, reply, reply.result)


def _results(game: AnyGame, reply: m.Report, result: m.Outcome) -> Iterator[tuple[str, m.Reply]]:
    replace = msgspec.structs.replace
    for seat, score in result.scores.items():
        yield (
            f"result.score of {seat}",
            replace(reply, result=replace(result, scores={**result.scores, seat: score + 1})),
        )
    others = tuple(seat for seat in game.seats if seat not in result.winners) or result.winners[1:]
    yield "result.winners", replace(reply, result=replace(result, winners=others))


def _with(values: dict[str, Any], key: str) -> dict[str, Any]:
    return {**values, key: _other(values[key])}


def _other(value: Any) -> Any:
    """Return another value of the same sort."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value + "?"
    if isinstance(value, dict) and value:
        first = next(iter(value))
        return _with(value, first)
    return [*value[:-1], _other(value[-1])] if value else ["?"]


def unnoticed(rows: Iterable[CheckRow]) -> tuple[CheckRow, ...]:
    """Return the rows that did not pass."""
    return tuple(row for row in rows if row.verdict != "pass")
