"""The referee: runs the layers against a subject, shrinks and explains the first difference of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.records import CaseResult, Emit, Finished, Progress, Stamp, Stamped, Started, ignore
from lawspeaker.model.core.rulings import Rulings

from . import messages as m
from .asked import Asked
from .blame import Blame, against_case, blame, raised, side_of
from .directed import Family, Search
from .expected import as_it_is
from .explain import Observed, cause_of, changed, explain, explaining, in_words, least_change, trace_text, varieties
from .fingerprint import Asker, Followed, Prints, followed
from .foreign import ForeignGame, narrowed, reference_name
from .layers import DEFAULT, LAYERS, NOTHING, PLANNED, Budget, Context, Plan, lacking, layers_for, plans, sample
from .match import Diverged, Divergence, Line, Link, Match, judge
from .packs import pack_cases, tell
from .perform import perform
from .positions import Given, placed
from .recorded import recorded
from .reference import ReferenceFailure
from .report import Report, stamp_of
from .scenario_cases import ScenarioCase, read_cases
from .shrink import Shrinker, in_parts
from .subjects import ProtocolError, Subject, SubjectFailure

__all__ = ["Report", "Run", "conform", "replay"]
_ADOPTIONS = 3
_FAILURES = 3
_REPLAYS = 3
"""So many plays that broke off are played again in a process started anew, unless one breaks off there too."""
_OBSERVED = 20
_SHRUNK = 5
"""So many failures of one layer are shrunk; scenarios, which all run, are small as they are."""


def conform(
    game: AnyGame,
    make_subject: Callable[[], Subject],
    *,
    seed: int = 0,
    budget: Budget = DEFAULT,
    rulings: Rulings | None = None,
    scenarios: Sequence[Mapping[str, Any]] = (),
    layers: Sequence[str] = LAYERS,
    emit: Emit = ignore,
    command: str = "CMD",
    case: str = "",
    flags: str = "",
    stop_at_first: bool = False,
    ask_players: bool = False,
    positions: Sequence[Given] = (),
    expect: Callable[[CaseResult], CaseResult] = as_it_is,
    traces: Path | None = None,
) -> Report:
    """Check a subject against *game* and return the report; a run ends with one in every case.

    *rulings* replace the game's; a subject that offers options is told them.  *scenarios* are plain
    cases (see ``scenario_cases``).  *case* runs one case only; *command* and *flags* go into the line
    that repeats a case.  With *ask_players* a subject may say that it does not take so many players;
    nothing then applies.  *positions* are played from and counted besides those drawn by seed,
    a folder of *traces* is replayed besides the games recorded here.
    *expect* may turn a failure into an expected one (see ``expected``); its layer then goes on.
    What a foreign reference does wrong is blamed on it and ends the run.  Raises BadInput when the
    subject cannot be started or a layer is unknown.
    """
    for layer in layers:
        if layer not in LAYERS:
            raise BadInput(f"unknown layer {layer!r}", hint=f"layers are {', '.join(LAYERS)}")
    chosen = game.varied(rulings=rulings) if rulings is not None else game
    run = Run(chosen, make_subject, seed, budget, emit, stop_at_first)
    run.case, run.command, run.flags, run.positions, run.expect = case, command, flags, tuple(positions), expect
    run.scenarios, run.whole = read_cases(scenarios), not case
    try:
        if run.handshake() and (not ask_players or run.takes_players()):
            for layer in layers_for(game, layers):
                run.layer(layer, recorded(game, traces) if layer == "recorded" else run.scenarios)
    except ReferenceFailure as failure:
        run.blame_reference(failure)
    finally:
        run.fingerprint = run.all_followed()
        run.end()
    return run.report()


def replay(
    game: AnyGame,
    make_subject: Callable[[], Subject],
    line: Line,
    *,
    budget: Budget = DEFAULT,
    emit: Emit = ignore,
    repeat: str = "",
) -> Report:
    """Play one line (of a trace, say) on both sides; *game* has the rulings and the pack of the line."""
    run = Run(game, make_subject, 0, budget, emit, False)
    try:
        if run.handshake():
            run.single(line, repeat)
    except ReferenceFailure as failure:
        run.blame_reference(failure)
    finally:
        run.end()
    return run.report()


class Run:
    """One run's state."""

    def __init__(
        self, game: AnyGame, make_subject: Callable[[], Subject], seed: int, budget: Budget, emit: Emit, first: bool
    ) -> None:
        self.told = self.game = game
        self.link = Link(make_subject, game.id)
        self.seed, self.budget, self.emit, self.stop_at_first = seed, budget, emit, first
        self.case = self.command = self.flags = ""
        self.caps = m.Capabilities()
        self.mode: m.ChanceMode = "dictated"
        self.cases: list[CaseResult] = []
        self.observed: list[Observed] = []
        self.context: Context | None = None
        self.checked = self.failures = self.adoptions = 0
        self.replays, self.recovered = _REPLAYS, False
        self.stopped = ""
        self.positions: tuple[Given, ...] = ()
        self.foreign = isinstance(game, ForeignGame)
        self.asked = Asked()
        self.scenarios: tuple[ScenarioCase, ...] = ()
        self.doubted: dict[str, tuple[str, ...]] = {}
        self.causes: dict[tuple[str, ...], str] = {}
        self.whole = False
        self.prints: Prints | None = None
        self.fingerprint: tuple[Followed, ...] = ()
        self.expect: Callable[[CaseResult], CaseResult] = as_it_is

    # -- handshake and ending -------------------------------------------------------------------

    def handshake(self) -> bool:
        """Connect and agree on the options; False if nothing more can be done."""
        self.emit(Started("conform", self.game.id))
        self.emit(Stamped(self.stamp()))
        try:
            hello = self.link.connect()
            self.caps = narrowed(self.game, hello.capabilities)
            self._check_fields(self.caps)
            problem = self._agree_on_modes() or (self.tell(self.game) if self.caps.options else "")
        except SubjectFailure as failure:
            self._no_answer("handshake", "hello", "answers hello", failure, "")
            return False
        if problem:
            self._add(self._blank("handshake", problem))
            return False
        said = m.printable(f"{hello.name} {hello.version}".strip(), 120) + f", level {hello.level}"
        self._add(CaseResult(self.game.id, "handshake", "hello", "pass", "answers hello", said=said))
        return True

    def _check_fields(self, caps: m.Capabilities) -> None:
        unknown = sorted(set(caps.fields or ()) - set(self.game.fields))
        if unknown:
            raise ProtocolError(f"fields names {', '.join(unknown)[:200]}, which no record has", "bad_shape")
        if caps.state and caps.fields == ():
            raise ProtocolError("state is offered, but fields is empty", "bad_shape")

    def _agree_on_modes(self) -> str:
        modes: tuple[m.ChanceMode, ...] = ("dictated", "scripted", "reported")
        offered = [mode for mode in modes if mode in self.caps.chance]
        if not offered:
            return "no way of making chance is offered"
        self.mode = offered[0]
        return ""

    def tell(self, game: AnyGame) -> str:
        """Tell the subject rulings and pack of *game*; return why it does not take them ("" if it does)."""
        return tell(self.link, game)

    def end(self) -> None:
        """Say goodbye and end the subject."""
        if self.link.subject is not None:
            try:
                reply = self.link.ask(m.Bye())
                if isinstance(reply, m.Refused):
                    raise ProtocolError(f"bye was answered with the error {reply.code}: {reply.message}", "bye")
                more = self.link.leftover()
                if more:
                    raise ProtocolError(f"{len(more)} bytes that nobody asked for after bye", "two_answers")
            except SubjectFailure as failure:
                if not self.stopped:
                    self._no_answer("handshake", "bye", "answers bye", failure, "")
        self.link.close()
        self.emit(Finished("conform", self.game.id, f"{self.checked} operations compared"))

    def takes_players(self) -> bool:
        """Ask whether the subject takes as many players as the game has."""
        try:
            reply = self.link.ask(m.Start(tuple(self.game.seats), self.mode, (), ()))
        except SubjectFailure as failure:
            self._no_answer("handshake", "players", "takes these players", failure, "")
            return False
        if not isinstance(reply, m.Refused) or reply.code != "bad_players":
            return True
        self._add(self._blank("handshake", f"does not take {len(self.game.seats)} players"))
        return False

    # -- layers ---------------------------------------------------------------------------------

    def layer(self, name: str, scenarios: Iterable[ScenarioCase]) -> None:
        """Run one layer up to its first difference."""
        reason = self.stopped or lacking(name, self.caps, self.mode)
        if reason:
            verdict = "no answer" if self.stopped else "not applicable"
            self._add(CaseResult(self.game.id, name, "all", verdict, said=reason))  # type: ignore[arg-type]
            return
        if name == "pack":
            self._pack()
        elif name in ("scenarios", "recorded"):
            self._scenarios(name, scenarios)
        while name in PLANNED and self._once(name):
            pass

    def _pack(self) -> None:
        try:
            for result in pack_cases(self.link, self.told, self.caps, self.mode):
                if self.case in ("", f"pack/{result.id}"):
                    again = self._repeat(f"pack/{result.id}") if result.verdict == "fail" else ""
                    self._add(msgspec.structs.replace(result, repeat=again))
        except SubjectFailure as failure:
            self._no_answer("pack", "another", "plays with another pack, or refuses it as unknown", failure, "")

    def _once(self, name: str) -> bool:
        """Run the layer's plans; True if another reading was adopted and the layer begins again."""
        ran = 0
        for plan in plans(name, self._context()):
            if self.case and f"{name}/{plan.id}" != self.case:
                continue
            ran += 1
            self.recovered = False
            result = self._add(self._plan(name, plan))
            if result.verdict == "another reading" and self.adoptions < _ADOPTIONS:
                self.adoptions += 1
                return True
            if result.verdict not in ("pass", "expected failure") and not self.recovered:
                return False
        if not ran and not self.case:
            self._add(self._blank(name, NOTHING.get(name, "no position to run it on")))
        return False

    def _blank(self, layer: str, said: str) -> CaseResult:
        return CaseResult(self.game.id, layer, "all", "not applicable", said=said)

    def single(self, line: Line, repeat: str) -> None:
        """Play one line and no more."""
        if line.record is not None and not self.caps.setup:
            self._add(self._blank("replay", "setup not offered, and the trace begins with a position"))
            return
        line = line if self.caps.compound else in_parts(self.game, line)
        result = self._plan("replay", Plan("trace", f"plays a trace ({len(line.ops)} operations)", line))
        self._add(msgspec.structs.replace(result, repeat=repeat if result.repeat else ""))

    def _context(self) -> Context:
        if self.context is None or self.context.game is not self.game:
            places = sample(self.game, self.seed, self.budget.positions)
            given = placed(self.game, self.positions, self.seed, self.budget.follow)
            self.context = Context(self.game, self.caps, self.mode, self.seed, self.budget, places, given)
        return self.context

    def _plan(self, layer: str, plan: Plan) -> CaseResult:
        if plan.wrong:
            blame = "reference" if self.foreign else "harness"
            return CaseResult(self.game.id, layer, plan.id, "error", plan.title, said=plan.wrong, blame=blame)
        match = self._match(self.game)
        calls = self.link.calls
        try:
            perform(match, plan, self.seed)
        except Diverged as diverged:
            self.checked += match.checked + 1
            return self._differs(layer, plan, diverged.divergence)
        except SubjectFailure as failure:
            self.checked += match.checked
            return self._broke_off(layer, plan, match, failure)
        except (ReferenceFailure, BadInput):
            raise
        except Exception as error:  # ours, and the run ends with a report in every case
            found, repeat = raised(error), self._repeat(f"{layer}/{plan.id}")
            return CaseResult(self.game.id, layer, plan.id, "error", plan.title, plan.clauses, "not compared",
                              repeat=repeat, blame=found.whose, evidence=found.evidence)  # fmt: skip
        self.checked += match.checked
        self._observe(match)
        spent = self.link.calls - calls
        return CaseResult(self.game.id, layer, plan.id, "pass", plan.title, plan.clauses, calls=spent)

    def _broke_off(self, layer: str, plan: Plan, match: Match, failure: SubjectFailure) -> CaseResult:
        """Report a failure to answer; play to the same point in a new process, and on where it then answers.

        The failure stays one; ``recovered`` says that the layer goes on.
        """
        result = self._no_answer(layer, plan.id, plan.title, failure, self._trace(match), add=False)
        if self.stopped or not self.replays or self.link.spent or failure.blame == "harness":
            return result
        self.replays -= 1
        second = self._match(self.game)
        try:
            perform(second, plan, self.seed)
        except SubjectFailure as again:
            self.replays = 0
            place = "at the same place" if len(second.ops) == len(match.ops) else f"after {len(second.ops)} operations"
            said = f"; started anew and played again it fails {place} ({again.kind})"
        except Diverged:
            said = "; started anew and played again it answers, but otherwise than the reference"
        else:
            self.recovered = True
            said = "; started anew and played to the same point it answered and went on"
        return msgspec.structs.replace(result, said=result.said + said)

    def _match(self, game: AnyGame) -> Match:
        match = Match(self.link.ask, game, self.caps, self.mode)
        match.asked = None if self.foreign else self.asked
        return match

    def _observe(self, match: Match) -> None:
        """Keep what was played, whole games apart from the rest, so that neither crowds out the other."""
        whole = match.record is None
        alike = sum((o.line.record is None) == whole for o in self.observed)
        if alike < _OBSERVED and len(match.ops) <= self.budget.judged:
            self.observed.append(Observed(Line(match.record, tuple(match.ops)), tuple(match.replies)))

    # -- scenarios ------------------------------------------------------------------------------

    def _scenarios(self, name: str, cases: Iterable[ScenarioCase]) -> None:
        ran = 0
        for case in cases:
            if self.case and f"{name}/{case.id}" != self.case:
                continue
            ran += 1
            self._add(self._scenario(name, case))
            if self.stopped:
                return
        if self.caps.options and self.link.subject is not None:
            try:
                self.tell(self.told)
            except SubjectFailure as failure:
                self._no_answer(name, "options", "takes its options again", failure, "")
        if not ran and not self.case:
            self._add(self._blank(name, NOTHING[name]))

    def _scenario(self, name: str, case: ScenarioCase) -> CaseResult:
        blank = CaseResult(self.game.id, name, case.id, "not applicable", case.title, case.clauses)
        lacks = case.lacks(self.told, self.caps, self.mode)
        if lacks:
            return msgspec.structs.replace(blank, said=lacks)
        try:
            game = case.game(self.told)
        except BadInput as unplayable:  # another pack may not serve this case's players or rulings
            return msgspec.structs.replace(blank, said=f"cannot be played with this pack: {unplayable.what}")
        wrong = case.harness_error(game)
        if wrong and self.foreign:
            return msgspec.structs.replace(blank, verdict="error", said=wrong, blame="reference")
        try:
            refused = self.tell(game) if self.caps.options else ""
            if refused:
                return msgspec.structs.replace(blank, said=refused)
            if wrong:
                return self._settled(case, game, msgspec.structs.replace(blank, verdict="error", said=wrong))
            match = self._match(game)
            match.play(case.line(self.caps))
        except Diverged as diverged:
            self.checked += 1
            plan = Plan(case.id, case.title, case.line(self.caps), case.clauses)
            return self._differs(name, plan, diverged.divergence, game)
        except SubjectFailure as failure:
            return self._no_answer(name, case.id, case.title, failure, "", add=False)
        self.checked += match.checked
        return msgspec.structs.replace(blank, verdict="pass")

    def _settled(self, case: ScenarioCase, game: AnyGame, result: CaseResult) -> CaseResult:
        """Say whose fault it is that the reference does not meet a case: the subject is asked."""
        found = against_case(case, side_of(case, game, self.link.ask, self.caps))
        if found.whose == "model":
            self.doubted[case.id] = case.clauses
        return msgspec.structs.replace(result, blame=found.whose, evidence=found.evidence)

    # -- what went wrong ------------------------------------------------------------------------

    def _differs(self, layer: str, plan: Plan, divergence: Divergence, game: AnyGame | None = None) -> CaseResult:
        foreign = game is not None
        game = game or self.game
        shown = sum(c.layer == layer and c.verdict == "fail" for c in self.cases)
        limit = self.budget.shrink if shown < _SHRUNK else 0
        shrinker = Shrinker(self.link, game, self.caps, self.mode, limit=limit, seed=self.seed)
        small = shrinker.shrink(divergence)
        wholes = (small, divergence) if shrinker.game is game else (divergence,)  # fewer players: another game
        rest = () if foreign else tuple(self.observed)
        vary = varieties(self.told if game.pack is self.told.pack else game)
        reading, near = None, ""
        beyond = self._beyond_readings(small)
        shown_by = None if beyond or foreign or self.caps.options else self._shown_reading()
        if shown_by is not None:
            return self._adopt(layer, plan, wholes, shown_by)
        if not beyond:
            reading, near = explaining(game, self.caps, self.mode, wholes, rest, vary)
        game = shrinker.game
        explained = explain(game, small)
        said = small.said or in_words(small)
        if near:
            said += f"; {near} would explain this, but not the rest of what it did"
        explained_by = "" if reading is None else changed(game.rulings, reading)
        found = self._blamed(game, small, reading, explained.clauses)
        if reading is not None and self.caps.options:  # it was told how to read the book, and said yes
            said += f"; it was told its rulings and plays {explained_by} all the same"
            reading = None
        result = CaseResult(
            game=game.id,
            layer=layer,
            id=plan.id,
            verdict="fail" if reading is None else "another reading",
            same_as="" if reading is not None else self._same_as(f"{layer}/{plan.id}", small, explained.clauses),
            title=plan.title,
            clauses=explained.clauses or plan.clauses,
            said=said,
            worked=explained.worked,
            differences=small.differences,
            trace=trace_text(game, small.line),
            actions=len(small.line.ops),
            calls=shrinker.calls,
            explained_by=explained_by,
            repeat=self._repeat(f"{layer}/{plan.id}"),
            blame=found.whose,
            evidence=found.evidence,
            unshrunk=shrinker.unshrunk,
        )
        if reading is not None and not foreign:
            self.game = varieties(self.told)(reading)
        return result

    def _blamed(
        self, game: AnyGame, small: Divergence, reading: Rulings | None, clauses: tuple[str, ...]
    ) -> Blame:
        if reading is not None and not self.caps.options:
            plays = f"and so is all of {len(self.observed)} plays" if self.observed else "and nothing else was played"
            return Blame("book", f"right under {changed(game.rulings, reading)}, {plays}")
        untried = self._beyond_readings(small) or reading is not None
        tried = "" if untried else "no other reading of the book explains it"
        found = blame(game, small, self.caps, tried)
        for case, doubted in self.doubted.items():
            if found.whose == "engine" and set(doubted) & set(clauses):
                said = f"the subject meets the case {case} about the same clauses, and the reference does not"
                return Blame("model or engine", said)
        return found

    def _same_as(self, case: str, small: Divergence, clauses: tuple[str, ...]) -> str:
        """Return an earlier case that failed in the same way; empty for the first of its sort."""
        first = self.causes.setdefault(cause_of(small, clauses), case)
        return "" if first == case else first

    def _shown_reading(self) -> Rulings | None:
        """Return the rulings that directed cases show the subject to follow, None if they are those in use."""
        prints = self.directed() if not self.adoptions else None  # what plays showed since then counts as well
        return None if prints is None or prints.rulings == self.game.rulings else prints.rulings

    def _adopt(self, layer: str, plan: Plan, wholes: tuple[Divergence, ...], reading: Rulings) -> CaseResult:
        """Go on under a reading that directed cases show, and say whether it explains a difference too."""
        vary, old, small = varieties(self.told), self.game, wholes[0]
        explains = all(judge(vary(reading), self.caps, self.mode, d.line, d.replies) for d in wholes)
        by = least_change(vary, self.caps, self.mode, wholes, reading) if explains else reading
        explained = explain(old, small)
        said = small.said or in_words(small)
        if not explains:
            said += "; directed cases show that it plays by another reading, under which this is played again"
        evidence = "directed cases, at which the choices differ, show that it follows " + changed(old.rulings, reading)
        result = CaseResult(
            old.id, layer, plan.id, "another reading", plan.title, explained.clauses or plan.clauses, said,
            explained.worked, small.differences, trace_text(old, small.line), len(small.line.ops),
            explained_by=changed(old.rulings, by), repeat=self._repeat(f"{layer}/{plan.id}"), blame="book",
            evidence=evidence,
        )  # fmt: skip
        self.game = vary(reading)
        return result

    def _beyond_readings(self, found: Divergence) -> bool:
        """An error, or a wrong digest of a right state, is wrong under every reading: none need be tried."""
        only_digest = all(d.path == "digest" for d in found.differences)
        return found.kind == "error" or (self.caps.state and only_digest)

    def _repeat(self, case_id: str) -> str:
        if case_id.startswith("handshake/"):
            return f"lawspeaker doctor --game {self.game.id} -- {self.command}"
        under = self.told if case_id.startswith(("scenarios/", "recorded/")) else self.game  # else a reading adopted
        rulings = changed(under.catalogue.book.choose(), under.rulings)
        words = ["lawspeaker", "conform", self.game.id, "--seed", str(self.seed), "--budget", self.budget.name]
        words += [word for ruling in rulings.split() for word in ("--ruling", ruling)]
        words += [self.flags] if self.flags else []
        return " ".join([*words, "--case", f"'{case_id}'" if " " in case_id else case_id, "--", self.command])

    def _trace(self, match: Match) -> str:
        try:
            return trace_text(match.game, Line(match.record, tuple(match.ops)))
        except BadInput:
            return ""

    def _no_answer(
        self, layer: str, case_id: str, title: str, failure: SubjectFailure, trace: str, add: bool = True
    ) -> CaseResult:
        self.failures += 1
        if self.failures >= _FAILURES:
            self.stopped = f"not run: the subject has failed to answer {self.failures} times"
        result = CaseResult(
            self.game.id,
            layer,
            case_id,
            "error" if failure.blame == "harness" else "no answer",
            title,
            said=f"{failure.kind}: {failure.said}",
            trace=trace,
            repeat=self._repeat(f"{layer}/{case_id}"),
            blame=failure.blame,
        )
        if add:
            self._add(result)
        return result

    def blame_reference(self, failure: ReferenceFailure) -> None:
        """Note that the reference itself did wrong: nothing more can be said about the subject."""
        self.stopped = "not run: the reference failed"
        said = f"the reference {reference_name(self.told)} is at fault: {failure.said}"
        title = "the reference answers, and keeps to what it said"
        self._add(CaseResult(self.game.id, "reference", "all", "error", title, said=said, blame="reference"))

    def _add(self, result: CaseResult) -> CaseResult:
        result = self.expect(result)
        self.cases.append(result)
        self.emit(result)
        self.emit(Progress("conform", self.game.id, self.checked, f"{result.layer}: {result.id}"))
        if self.stop_at_first and result.verdict in ("fail", "no answer", "error"):
            self.stopped = self.stopped or "not run: stopped at the first failure"
        return result

    # -- the report -----------------------------------------------------------------------------

    def stamp(self) -> Stamp:
        """Return what the run was made with."""
        return stamp_of(self.told, self.seed)

    def directed(self) -> Prints | None:
        """Ask the directed cases of every ruling, once; None where there are none to ask."""
        if self.prints is None and not self.foreign and not self.stopped and not self.link.spent:
            asker = Asker(self.link, self.caps, self.mode, self.budget.shrink)
            looked = 0 if self.caps.options else self.budget.judged  # who was told is not searched for
            search = Search(Family(self.told), self.caps, self.mode, self.scenarios, self.seed, looked)
            self.prints = Prints(self.told, asker, search)
            self.prints.work()
            if asker.failure is not None:
                title = "answers the directed cases of the rulings"
                self._no_answer("fingerprint", "directed", title, asker.failure, "")
        return self.prints

    def all_followed(self) -> tuple[Followed, ...]:
        """Say for each ruling which values fit everything that was observed."""
        spent, some = 0, []
        for observed in sorted(self.observed, key=lambda o: o.line.record is not None):
            if spent + len(observed.line.ops) <= self.budget.judged:
                some.append(observed)
                spent += len(observed.line.ops)
        if any(c.layer == "reference" for c in self.cases):
            return ()
        prints = self.directed() if self.whole and some else self.prints
        if not some and prints is None:
            return ()
        return followed(self.told, self.game.rulings, prints, some, self.caps, self.mode)

    def report(self) -> Report:
        """Return the report."""
        hello, fields = self.link.hello, self.caps.fields
        shown = tuple(f for f in self.game.fields if fields is not None and f not in fields)
        if hello and not self.caps.state and not self.caps.digest:
            shown = self.game.fields
        return Report(
            stamp=self.stamp(),
            subject=m.printable(f"{hello.name[:80]} {hello.version[:40]}".strip()) if hello else "",
            level=hello.level if hello else 0,
            mode=self.mode,
            cases=tuple(self.cases),
            fingerprint=self.fingerprint,
            not_compared=shown,
            checked=self.checked,
            calls=self.link.calls,
            starts=self.link.starts,
            reference=reference_name(self.told),
            asked={} if self.foreign else self.asked.table(self.told.catalogue),
            players=len(self.told.seats),
        )
