"""A check-up of an adapter: the protocol only, no rules; every finding in plain words, with whose fault and what to do.

One game is played to its end with legal actions only; on the way everything that was declared is asked for,
and each answer is held against the others of the same subject.  What the rules say is for ``referee``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import msgspec

from lawspeaker.model.core.contract import CHANCE, OVER, AnyGame
from lawspeaker.model.core.play import Step, pick_outcome, sensible, steps
from lawspeaker.model.core.taking import Taken, compound_at

from . import messages as m
from .advice import ADVICE
from .match import Link, wanted
from .patient import Patient
from .process import ProcessSubject, ending
from .subjects import Subject, SubjectFailure

_MODES: tuple[m.ChanceMode, ...] = ("dictated", "scripted", "reported")
_LOOKS = 9
"""So many steps lie between two places where everything declared is tried."""
_AHEAD = 60
"""So many actions, at most, a compound decision has."""
_ENDING = 3.0
"""So many seconds a program may take to end after bye."""


class Sign(msgspec.Struct, frozen=True):
    """One thing looked at: whether it is well, what was seen, what to do, whose fault (a word of ``FAULTS``)."""

    what: str
    well: bool
    said: str = ""
    advice: str = ""
    fault: str = ""


class Halt(Exception):
    """Nothing more can be played, for a reason that is among the signs."""


def examine(game: AnyGame, make_subject: Callable[[], Subject], seed: int = 0) -> tuple[Sign, ...]:
    """Go through the protocol with a subject and return what was seen, up to the first failure to answer.

    Raises BadInput when the subject cannot be started.
    """
    checkup = Checkup(game, Link(lambda: checkup.looked_at(make_subject()), game.id), seed)
    try:
        checkup.greet()
        try:
            checkup.play()
        except Halt:
            checkup.note("plays on to the end", True, "not looked at, after what is wrong above")
        checkup.part()
    except Halt:
        pass
    except SubjectFailure as failure:
        said = f"{failure.kind}: {failure.said}"
        checkup.note(checkup.doing, False, said, ADVICE.get(failure.kind, ""), failure.blame)
    finally:
        checkup.link.close()
    return _with_last_look(checkup.signs.values(), checkup.patient)


def _with_last_look(signs: Iterable[Sign], subject: Patient | None) -> tuple[Sign, ...]:
    """Add what shows when the process has gone: children of it, and its last words before what is wrong at the end."""
    found = list(signs)
    if subject is None:
        return tuple(found)
    left = subject.process.left_behind
    if left:
        said = f"{left} of its processes had to be looked for and ended"
        found.append(Sign("leaves no process behind", False, said, "End what the program has started.", "engine"))
    if subject.last_words and not all(sign.well for sign in found):
        words = Sign("writes to standard error (last lines)", True, " | ".join(subject.last_words))
        found.insert(len(found) - (not found[-1].well), words)
    return tuple(found)


class Checkup:
    """One check-up's state: the game as it stands, and a sign for each thing looked at.

    A thing that is looked at often stays well until it is not; then the first mistake is kept.
    """

    def __init__(self, game: AnyGame, link: Link, seed: int) -> None:
        self.game, self.link, self.seed = game, link, seed
        self.signs: dict[str, Sign] = {}
        self.doing = "answers hello"
        self.patient: Patient | None = None
        self.caps = m.Capabilities()
        self.mode: m.ChanceMode = "dictated"
        self.want: tuple[m.WantItem, ...] = ()
        self.position: Any = None
        self.course: tuple[Step, ...] = ()
        self.taken: tuple[str, str | None] = ("", None)
        self.step = self.index = self.moves = 0
        self.last = m.Report(0)

    def looked_at(self, subject: Subject) -> Subject:
        """Return a subject as it is to be asked: closely looked at, if it is a process."""
        if isinstance(subject, ProcessSubject):
            self.patient = Patient(subject)
            return self.patient
        return subject

    # -- signs ----------------------------------------------------------------------------------

    def note(self, what: str, well: bool, said: str = "", advice: str = "", fault: str = "adapter") -> bool:
        """Enter a sign; return whether it is well."""
        before = self.signs.get(what)
        if before is None or before.well:
            self.signs[what] = Sign(what, well, said, *(("", "") if well else (advice, fault)))
        return well

    def need(self, what: str, well: bool, said: str = "", advice: str = "", fault: str = "adapter") -> None:
        """Enter a sign without which nothing more can be played; raises Halt if it is not well."""
        if not self.note(what, well, said, advice, fault):
            raise Halt

    def ask(self, what: str, message: m.Message) -> m.Reply:
        """Ask; raises SubjectFailure.  *what* names the sign for what may go wrong."""
        self.doing = what
        reply = self.link.ask(message)
        if isinstance(reply, m.Refused) and not reply.known:
            advice = "The table of error codes in PROTOCOL.md has each number with its word."
            self.note("names errors by known codes", False, f"{reply.code}: {reply.message}", advice)
        return reply

    def report(self, what: str, message: m.Message, want: tuple[m.WantItem, ...] = ()) -> m.Report:
        """Ask for a report and look at its form; raises Halt if there is none."""
        reply = self.ask(what, message)
        if isinstance(reply, m.Refused):
            said = f"{type(message).__name__.lower()} was answered with the error {reply.code}: {reply.message}"
            self.need(what, False, said, _on_error(reply), "engine" if reply.code == "internal" else "adapter")
        if not isinstance(reply, m.Report):
            self.need(what, False, "the answer is no report", ADVICE["bad_shape"])
        assert isinstance(reply, m.Report)
        self.form(reply, want)
        return reply

    def form(self, reply: m.Report, want: tuple[m.WantItem, ...]) -> None:
        """Look at what holds for every report."""
        over = self.position is not None and self.game.actor(self.position) == OVER
        for item in want:
            lacks = reply.accepted and getattr(reply, item) is None and (item != "result" or over)
            said = f"{item} is missing after step {reply.step}"
            self.note(f"reports {item}, which it declared", not lacks, said if lacks else "", ADVICE["missing"])
        if reply.legal is not None:
            twice = len(set(reply.legal)) != len(reply.legal)
            self.note("lists each legal action once", not twice, "one stands twice" if twice else "", "legal is a set.")
        if reply.digest is not None:
            formed = re.fullmatch("sha256:[0-9a-f]{64}", reply.digest) is not None
            own = reply.state is None or self.caps.fields is not None or m.fast_digest(reply.state) == reply.digest
            said = (
                "" if formed and own else reply.digest[:80] if not formed else "not the digest of the state beside it"
            )
            self.note("reports the digest of its state", formed and own, said, "See Canonical form and digest.")

    # -- hello and options ----------------------------------------------------------------------

    def greet(self) -> None:
        """Shake hands, and look at what is declared."""
        hello = self.link.connect()
        self.caps, self.want = hello.capabilities, wanted(hello.capabilities)
        offered = [name for name in m.Capabilities.__struct_fields__ if getattr(self.caps, name) is True]
        said = f"{hello.name[:60]} {hello.version[:40]}, level {hello.level}; offers "
        self.note("answers hello", True, m.printable(said + (", ".join(offered) or "nothing beyond level 0")))
        self._level(hello)
        self._fields()
        mode = next((mode for mode in _MODES if mode in self.caps.chance), None)
        if mode is None:
            self.need(
                "offers a way of making chance", False, "chance is empty", "Offer dictated, scripted or reported."
            )
        self.mode = mode or "dictated"
        if self.caps.options:
            self._options()

    def _level(self, hello: m.HelloReply) -> None:
        needs = {0: (), 1: ("legal", "result"), 2: ("legal", "result", "state", "view", "setup", "undo")}[hello.level]
        lacking = ", ".join(name for name in needs if not getattr(hello.capabilities, name))
        advice = f"Offer {lacking}, or declare a lower level."
        self.note(f"offers what level {hello.level} has", not lacking, f"lacks {lacking}" if lacking else "", advice)

    def _fields(self) -> None:
        if self.caps.fields is not None:
            unknown = ", ".join(sorted(set(self.caps.fields) - set(self.game.fields))[:5])
            advice = f"The fields are {', '.join(self.game.fields)}."
            self.note("names fields of the record", not unknown and self.caps.fields != (), unknown[:200], advice)

    def _options(self) -> None:
        rulings, what = dict(self.game.rulings), "takes options"
        pack = m.PackChoice(self.game.pack.id, self.game.pack.digest, msgspec.to_builtins(self.game.pack))
        reply = self.ask(what, m.Options(rulings, pack))
        if isinstance(reply, m.OptionsReply):
            wrong = ", ".join(name for name, value in rulings.items() if reply.rulings.get(name) != value)
            advice = "Echo every ruling that was named with its value, or answer unknown_ruling or unknown_value."
            self.note(what, not wrong, f"not echoed: {wrong}"[:200] if wrong else "", advice)
        elif isinstance(reply, m.Refused):
            honest = reply.code in ("unknown_ruling", "unknown_value", "unknown_pack")
            advice = "Answer options, or declare no options." + ("" if honest else " " + _on_error(reply))
            self.note(what, honest, f"{reply.code}: {reply.message}", advice)

    # -- one game -------------------------------------------------------------------------------

    def play(self) -> None:
        """Play one game to its end with legal actions, and try on the way what was declared."""
        game, random = self.game, Random(self.seed)
        self.course = tuple(steps(game, self.seed, sensible)) if self.mode != "reported" else ()
        self.position, self.step, self.index = game.start(), 0, 0
        what = "starts a game"
        message = m.Start(tuple(game.seats), self.mode, self._script(), self.want)
        self.last = self.report(what, message, self.want)
        advice = f"start names the seats {', '.join(game.seats)}; take them as they are."
        self.need(what, self.last.accepted, "" if self.last.accepted else "refused", advice)
        self._counts(what, self.last)
        while game.actor(self.position) != OVER:
            if self.index % _LOOKS == 1:
                self.look_round()
            if not self._compound():
                self._take(self.course[self.index].action if self.course else self._pick(random))
        self._result()

    def _script(self) -> tuple[str, ...]:
        """Return the outcomes still to come, where chance is scripted."""
        rest = self.course[self.index :] if self.mode == "scripted" else ()
        return tuple(self.game.text(s.action) for s in rest if s.actor == CHANCE)

    def _pick(self, random: Random) -> Any:
        game, position = self.game, self.position
        seat, actions = game.actor(position), game.legal(position)
        if seat == CHANCE:
            return pick_outcome(game, position, actions, random)
        return sensible(game, game.observe(position, seat), actions, random)

    def _take(self, action: Any) -> None:
        """Let it take one legal action, or make chance."""
        game, before = self.game, self.position
        name, text = game.actor_name(before), game.text(action)
        own = name == "chance" and self.mode != "dictated"
        what = "takes legal actions"
        self.taken = (name, None if own else text)
        listed = self.last.legal
        message = m.Step(self.step + 1, *self.taken, self.want)
        # whether the answer must have a result is decided by where the action leads
        self.position = before if own and self.mode == "reported" else game.apply(before, action)
        reply = self.report(what, message, self.want)
        if not reply.accepted:
            self._refused_legal(text, listed, reply)
        if own:
            self.position = self._outcome(before, text, reply)
        self.index += 1
        self._moved(what, reply)

    def _compound(self) -> bool:
        """Let it take a whole compound decision where one comes next and it offers that; False if not."""
        if not (self.caps.compound and self.game.has_compounds() and self.course):
            return False
        start = self.course[self.index]
        if start.actor == CHANCE or self.game.inside(start.before):
            return False
        ahead = [Taken(s.before, s.action, s.after) for s in self.course[self.index : self.index + _AHEAD]]
        count, text = compound_at(self.game, ahead)
        if not text:
            return False
        what = "takes compound decisions"
        self.taken = (self.game.actor_name(start.before), text)
        self.position = ahead[count - 1].after
        reply = self.report(what, m.Step(self.step + 1, *self.taken, self.want), self.want)
        advice = "Take the parts one after the other, or declare no compound."
        said = "" if reply.accepted else f"{text!r} was refused"
        self.need(what, reply.accepted, said, advice, "engine")
        self.index += count
        self._moved(what, reply)
        return True

    def _moved(self, what: str, reply: m.Report) -> None:
        self.step += 1
        self._counts(what, reply)
        self.moves += 1
        self.note(what, True, f"{self.moves} steps")
        self.last = reply

    def _refused_legal(self, text: str, listed: tuple[str, ...] | None, reply: m.Report) -> None:
        said = f"at step {self.step + 1} {text!r} was refused ({m.printable(reply.code or 'no code', 40)}"
        said += f": {m.printable(reply.message, 120)})" if reply.message else ")"
        advice = f"This action is legal in {self.game.id} here; see how the adapter reads its text, then the engine."
        if listed is not None and text in listed:
            said += ", though it stands in its own list of legal actions"
            advice = "The adapter lists one thing and the engine plays another: take both from the same place."
        self.need("takes legal actions", False, said, advice, "engine")

    def _outcome(self, before: Any, scripted: str, reply: m.Report) -> Any:
        """Return the position after an outcome that the subject named itself."""
        possible = {self.game.text(a): a for a in self.game.legal(before)}
        well = reply.outcome in possible and (self.mode == "reported" or reply.outcome == scripted)
        advice = "Name in outcome what fell, by its text; scripted outcomes come in the order of the script."
        said = "" if well else f"it named {m.printable(str(reply.outcome), 60)!r}"
        self.need("names the outcomes of chance", well, said, advice, "engine")
        return self.game.apply(before, possible[reply.outcome or ""])

    def _counts(self, what: str, reply: m.Report) -> None:
        well = reply.step == self.step
        self.need(
            what, well, f"step {reply.step}" if well else f"step {reply.step} in place of {self.step}", ADVICE["step"]
        )

    def _result(self) -> None:
        if self.last.result is None:
            return
        scores, winners = self.last.result.scores, self.last.result.winners
        well = set(scores) == set(self.game.seats) and set(winners) <= set(self.game.seats)
        advice = f"scores has a number for each of {', '.join(self.game.seats)}; winners are some of them."
        self.note("reports scores and winners by seat", well, "" if well else "other seats", advice)

    # -- what was declared ----------------------------------------------------------------------

    def look_round(self) -> None:
        """Try here what must be refused, and everything that was declared."""
        self._refuses()
        if self.caps.legal:
            again = self.report("answers legal", m.Legal(), ("legal",))
            self._same("answers legal", again, "as in the report before")
        if self.caps.state:
            self.report("answers state", m.State(("state",)), ("state",))
        if self.caps.view:
            for seat in self.game.seats:
                found = self.ask("answers view", m.View(seat))
                seen = isinstance(found, m.ViewReply)
                said = "" if seen else _said(found)
                self.note("answers view", seen, said, "Answer view, or do not declare it.")
        if self.caps.undo and self.step:
            self._undo()
        if self.caps.save:
            self._save()
        if self.caps.setup:
            self._setup()

    def _refuses(self) -> None:
        """No action, a step too far: refused, with a known code, and nothing changes."""
        name = self.game.actor_name(self.position)
        tries = {
            "refuses what is no action": m.Step(self.step + 1, name, "no such action", self.want),
            "refuses a wrong step": m.Step(self.step + 7, name, "no such action", self.want),
        }
        if self.mode != "dictated" and name == "chance":
            return
        for what, message in tries.items():
            advice = "An action that cannot be taken is answered with accepted false, not with silence or an error."
            reply = self.ask(what, message)
            well = isinstance(reply, m.Report) and not reply.accepted
            self.note(what, well, "" if well else f"not refused by a report ({_said(reply)})", advice)
            if isinstance(reply, m.Report) and not reply.accepted:
                known = reply.code in m.REFUSALS
                said = "" if known else f"code {m.printable(str(reply.code), 40)}"
                self.note("says why with a known code", known, said, f"Use one of {', '.join(m.REFUSALS)}.")
                still = reply.step == self.step
                self.note("a refusal takes no step", still, "" if still else f"step {reply.step}", ADVICE["step"])

    def _undo(self) -> None:
        """Take the last step back and take it again: the game is as before."""
        what = "takes back a step"
        if self.taken[0] == "chance" and self.mode == "reported":
            return
        back = self.report(what, m.Undo(1, self.want), self.want)
        well = back.accepted and back.step == self.step - 1
        said = "" if well else f"step {back.step} in place of {self.step - 1}"
        self.need(what, well, said, "After undo step is the number of steps that are left.")
        self._same(
            what, self.report(what, m.Step(self.step, *self.taken, self.want), self.want), "undo and the step again"
        )

    def _save(self) -> None:
        what = "saves and loads"
        saved = self.ask(what, m.Save())
        if not isinstance(saved, m.SaveReply):
            self.note(what, False, _said(saved), "Answer save, or do not declare it.")
            return
        self._same(what, self.report(what, m.Load(saved.saved, self.want), self.want), "save and load")

    def _setup(self) -> None:
        """Have its own report of the position set up; the reference's record if it reports none, or a part."""
        whole = self.caps.state and self.caps.fields is None
        what = "sets up the position that it reports" if whole else "sets up a position"
        state = self.game.record(self.position)
        if whole:
            own = self.report(what, m.State(("state",)), ("state",)).state
            if own is None:
                return
            state = own
        seats = tuple(self.game.seats)
        reply = self.report(what, m.Setup(state, self.mode, self._script(), self.want, seats), self.want)
        advice = "What state reports and what setup reads are the same record."
        if not whole:
            advice = "The record has the fields of PROTOCOL.md, all of them; see how setup reads them."
        said = "" if reply.accepted else f"refused ({m.printable(reply.message or reply.code or 'no reason', 120)})"
        self.need(what, reply.accepted, said, advice)
        self.step = 0
        self._same(what, reply, "setup of its own state" if whole else "setup of the position")

    def _same(self, what: str, reply: m.Report, said: str) -> None:
        """Enter whether a report shows what the last one did; raises Halt if not, since the game is another then."""
        last, advice = self.last, "The position after it must be the one before it, in every respect."
        differs = [
            name
            for name, one, two in (
                ("accepted", reply.accepted, True),
                ("step", reply.step, self.step),
                ("actor", reply.actor, last.actor),
                ("legal", set(reply.legal or ()), set(last.legal or ())),
                ("digest", reply.digest, last.digest if reply.digest else None),
                ("state", reply.state, last.state if reply.state else None),
            )
            if one != two
        ]
        self.need(what, not differs, f"{said} changes {', '.join(differs)}" if differs else "", advice, "engine")

    # -- the end --------------------------------------------------------------------------------

    def part(self) -> None:
        """Say goodbye and see the program end."""
        what, subject = "says goodbye", self.link.subject
        reply = self.ask(what, m.Bye())
        well = isinstance(reply, m.ByeReply)
        self.note(what, well, "" if well else _said(reply), ADVICE["bye"])
        if not isinstance(subject, Patient):
            return
        status, rest = subject.after_bye(_ENDING)
        shown = m.printable(rest[:100].decode("utf-8", "replace"), 100)
        self.note("writes nothing after goodbye", not rest, shown, ADVICE["two_answers"])
        if status is None:
            said = f"it still runs {_ENDING:g} s after bye and the end of its input"
            self.note("ends after goodbye", False, said, "End after bye; the end of input means the same.", "engine")
        else:
            how, advice = ending(status), "Exit code 0 says that all went well; see what fails at its end."
            self.note("ends after goodbye", status == 0, how, advice, "engine")


def _said(reply: m.Reply) -> str:
    if isinstance(reply, m.Refused):
        return f"the error {reply.code}: {reply.message}"
    return "it was accepted" if isinstance(reply, m.Report) and reply.accepted else "another sort of answer"


def _on_error(reply: m.Refused) -> str:
    if reply.code in ("not_offered", "unknown_method"):
        return "It was declared in hello: answer it, or declare less."
    if reply.code == "internal":
        return "Something broke in the program; its standard error may say what."
    return f"The message is right; see why the adapter finds {reply.code} in it."
