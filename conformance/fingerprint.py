"""The fingerprint: which choice of each ruling a subject follows, which it follows in none, which nothing told.

Each ruling has directed cases (``directed``).  What the subject shows there is compared with what each choice
makes of it.  Only what the choices differ in counts, so a fault elsewhere does not hide a choice; a choice is
reported only if no case speaks for another one.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.rulings import Rulings

from . import messages as m
from .directed import Family, Frame, Probe, Search, flat, foretold, other, seen, unlike
from .explain import Observed, varieties
from .match import Link, judge
from .subjects import SubjectFailure

_ROUNDS = 4
"""A choice found may show others in a new light; so often all is looked at again."""
_PROBES = 2
"""So many directed cases tell any two values of a ruling apart, if there are as many."""
_AGAIN = 200
"""So many positions of play are looked at for one ruling from the second time on."""
_PAIRS = 100
"""So many choices that differ in a second ruling are tried on what no single one fits."""
_LONG = 400
"""The longest way to a directed case, in steps."""


class Followed(msgspec.Struct, frozen=True):
    """One ruling in the fingerprint: what was asked for, and which values fit all that the subject did.

    One value: it follows that one.  Several: this run could not tell them apart.  None: it follows none.
    ``echoed`` says that it was told and agreed, ``cases`` how many directed cases told something, ``why`` on
    what it rests or why nothing is known.
    """

    ruling: str
    told: str
    fits: tuple[str, ...]
    echoed: bool = False
    cases: int = 0
    why: str = ""

    @property
    def words(self) -> str:
        """The ruling as one line of a report."""
        if len(self.fits) == 1:
            asked = "" if self.fits[0] == self.told else f" (asked for {self.told})"
            return f"{self.ruling}: follows {self.fits[0]}{asked}"
        if not self.fits:
            return f"{self.ruling}: follows none of its values (asked for {self.told}): {self.why}"
        if self.echoed:
            return f"{self.ruling}: was told {self.told}, and nothing that it did speaks against it"
        return f"{self.ruling}: follows {' or '.join(self.fits)} (cannot be told apart: {self.why})"


class Answer(msgspec.Struct, frozen=True):
    """What a subject showed at the moments of a probe."""

    frames: tuple[Frame, ...]


class Sight(msgspec.Struct, frozen=True):
    """What one probe says of one ruling.

    ``whole`` are the values under which everything shown is right, ``part`` those under which everything is
    right in which the values differ; ``clean`` says that all else is right under one of them, ``open`` that
    another ruling of which too little is known bears on it.
    """

    whole: frozenset[str]
    part: frozenset[str]
    clean: bool
    values: frozenset[str]
    open: bool = False

    @property
    def tells(self) -> bool:
        """Whether it leaves fewer values than there are."""
        return self.part != self.values


class Asker:
    """Puts probes to a subject, each once, within a bound of calls."""

    def __init__(self, link: Link, caps: m.Capabilities, mode: m.ChanceMode, limit: int) -> None:
        self.link, self.caps, self.mode = link, caps, mode
        self.first, self.limit = link.calls, limit
        self.known: dict[bytes, Answer | None] = {}
        self.failure: SubjectFailure | None = None
        self.refused: set[int] = set()
        items: tuple[m.WantItem, ...] = ("legal", "state", "result")
        self.want = tuple(item for item in items if getattr(caps, item))

    @property
    def spent(self) -> bool:
        """Whether nothing more may be asked."""
        return self.failure is not None or self.link.calls - self.first >= self.limit

    def __call__(self, probe: Probe, seats: Sequence[str]) -> Answer | None:
        """Return what the subject shows; None if it cannot be asked, or not any more."""
        key = probe.key
        if key not in self.known:
            if self.spent or probe.players in self.refused:
                return None
            try:
                self.known[key] = self._ask(probe, seats)
            except SubjectFailure as failure:
                self.failure = failure
                return None
        return self.known[key]

    def _ask(self, probe: Probe, seats: Sequence[str]) -> Answer | None:
        script = probe.script if self.mode == "scripted" else ()
        message: m.Message = m.Start(tuple(seats), self.mode, script, self.want)
        if probe.record is not None:
            message = m.Setup(probe.record, self.mode, script, self.want, tuple(seats))
        reply = self.link.ask(message)
        if isinstance(reply, m.Refused):
            self.refused |= {probe.players} if reply.code == "bad_players" else set()
            return None
        if not isinstance(reply, m.Report) or not reply.accepted:
            return None
        frames = [seen(reply, self.caps)]
        for number, op in enumerate(probe.ops, 1):
            action = None if op.by == "chance" and self.mode != "dictated" else op.text
            reply = self.link.ask(m.Step(number, op.by, action, self.want))
            if not isinstance(reply, m.Report):
                return None
            if not reply.accepted:
                return Answer((*frames, {"accepted": False}))
            frames.append(seen(reply, self.caps))
        for seat in seats if probe.look and self.caps.view else ():
            view = self.link.ask(m.View(seat))
            frames.append(flat("view", view.view) if isinstance(view, m.ViewReply) else {"view": None})
        return Answer(tuple(frames))


def sight(answer: Answer, told: dict[str, tuple[Frame, ...]]) -> Sight | None:
    """Say what an answer tells about values; None if all of them foretell the same.

    *told* is what each value foretells.  Moment by moment, values that foretold otherwise in what still
    distinguishes them are struck out.
    """
    values = frozenset(told)
    left, clean, differ = set(told), True, False
    whole = frozenset(v for v in told if _agrees(answer.frames, told[v]))
    for n in range(max(len(answer.frames), *(len(f) for f in told.values()))):
        now = {v: told[v][n] if n < len(told[v]) else {} for v in left}
        shown: Frame = answer.frames[n] if n < len(answer.frames) else {}
        first = next(iter(now.values()))
        parted = frozenset().union(*(unlike(first, frame) for frame in now.values()))
        differ = differ or bool(parted)
        kept = {v for v, frame in now.items() if not unlike(frame, shown) & parted}
        clean = clean and any(not unlike(frame, shown) - parted for frame in now.values())
        if not kept:
            return Sight(whole, frozenset(), clean, values)
        left = kept
    return Sight(whole, frozenset(left), clean, values) if differ else None


def _agrees(shown: tuple[Frame, ...], told: tuple[Frame, ...]) -> bool:
    return len(shown) == len(told) and not any(unlike(a, b) for a, b in zip(shown, told, strict=True))


def verdict(sights: Sequence[Sight], values: Sequence[str]) -> tuple[tuple[str, ...], str]:
    """Return the values that fit what was seen, and why; no value only where all that tells agrees on that."""
    whole = [s for s in sights if s.whole and s.whole != s.values]
    if whole:
        fits = frozenset.intersection(*(s.whole | (frozenset(values) - s.values) for s in whole))
        if fits:
            return tuple(v for v in values if v in fits), ""
        return tuple(values), "some of what it did fits one value alone, some another"
    telling = [s for s in sights if s.tells and not s.open]
    parts = [s.part for s in telling if s.part]
    if parts:
        fits = frozenset.intersection(*parts)
        if fits and len(parts) == len(telling):
            return tuple(v for v in values if v in fits), "something else is wrong at each place that tells"
        return tuple(values), "other faults stand in the way at each place that tells"
    if telling and all(s.clean for s in telling) and all(s.values == frozenset(values) for s in telling):
        places = f"{len(telling)} place" + ("s" if len(telling) > 1 else "")
        return (), f"at {places} where the values differ it does something else, and all the rest is right"
    return tuple(values), "other faults stand in the way" if telling else ""


class Prints:
    """Works out the fingerprint of one subject."""

    def __init__(self, game: AnyGame, asker: Asker, search: Search) -> None:
        self.game, self.asker, self.search = game, asker, search
        self.family: Family = search.family
        self.found: dict[str, tuple[tuple[str, ...], str, int]] = {}
        self.probes: dict[str, dict[bytes, Probe]] = {}
        self.memory: dict[tuple[bytes, Rulings], tuple[Frame, ...] | None] = {}
        self.rulings = game.rulings
        self.pairs = _PAIRS

    def work(self) -> Rulings:
        """Ask, and return the choice of rulings that the subject follows as far as it could be told."""
        for _ in range(_ROUNDS):
            before = self.rulings
            for ruling in self.game.catalogue.book.rulings:
                if self.asker.spent:
                    break
                self._look(ruling.id)
            chosen = {name: fits[0] for name, (fits, _, _) in self.found.items() if len(fits) == 1}
            self.rulings = other(self.game.rulings, **chosen)
            if self.rulings == before:
                break
            self.search.games, self.search.looked = 1, min(self.search.looked, _AGAIN)
        return self.rulings

    def _look(self, ruling: str) -> None:
        values = self.game.catalogue.book[ruling].values
        known = self.found.get(ruling)
        if known is not None and len(known[0]) == 1 and self._holds(ruling):
            return
        if known is None or len(known[0]) != 1:
            fresh = self.search.probes(ruling, self.rulings, _PROBES)
            self.probes[ruling] = {**self.probes.get(ruling, {}), **{probe.key: probe for probe in fresh}}
        sights = [s for probe in self.probes[ruling].values() if (s := self._sight(ruling, probe)) is not None]
        fits, why = verdict(sights, values)
        if not why and len(fits) > 1:
            why = "no place was found at which its values differ" if not sights else "what it did fits each"
        self.found[ruling] = fits, why, len(sights)

    def _holds(self, ruling: str) -> bool:
        """Whether all that was shown at the directed cases of a ruling is right as things are known now."""
        for probe in self.probes[ruling].values():
            answer = self.asker.known.get(probe.key)
            told = self._foretold(probe, self.rulings) if answer is not None else None
            if answer is not None and told is not None and not _agrees(answer.frames, told):
                return False
        return True

    def _sight(self, ruling: str, probe: Probe) -> Sight | None:
        if len(probe.ops) > _LONG:
            return None
        told = self._told(ruling, probe, self.rulings)
        game = self.family(probe.players, self.rulings)
        if len(told) < 2 or game is None:
            return None
        answer = self.asker(probe, game.seats)
        if answer is None:
            return None
        found = sight(answer, told)
        if found is None or found.whole:
            return found
        return self._together(ruling, probe, answer) or msgspec.structs.replace(
            found, open=self._hangs_on_another(ruling, probe, told)
        )

    def _hangs_on_another(self, ruling: str, probe: Probe, told: dict[str, tuple[Frame, ...]]) -> bool:
        """Whether some other ruling, open as yet, changes what is foretold here."""
        for name, (fits, _, _) in self.found.items():
            for value in fits if name != ruling and len(fits) > 1 else ():
                if self._told(ruling, probe, other(self.rulings, **{name: value})) != told:
                    return True
        return False

    def _told(self, ruling: str, probe: Probe, rulings: Rulings) -> dict[str, tuple[Frame, ...]]:
        values = self.game.catalogue.book[ruling].values
        frames = ((v, self._foretold(probe, other(rulings, **{ruling: v}))) for v in values)
        return {v: found for v, found in frames if found is not None}

    def _foretold(self, probe: Probe, rulings: Rulings) -> tuple[Frame, ...] | None:
        key = probe.key, rulings
        if key not in self.memory:
            self.memory[key] = foretold(self.family(probe.players, rulings), probe, self.asker.caps)
        return self.memory[key]

    def _together(self, ruling: str, probe: Probe, answer: Answer) -> Sight | None:
        """Where no value fits as things are known, try each with one other ruling changed."""
        fits, told_all = set[str](), False
        known = {name for name, (fits, _, _) in self.found.items() if len(fits) == 1} | {ruling}
        for second in self.game.catalogue.book.rulings:
            for value in second.values if second.id not in known else ():
                if value == self.rulings[second.id] or self.pairs <= 0:
                    continue
                self.pairs -= 1
                told = self._told(ruling, probe, other(self.rulings, **{second.id: value}))
                right = sight(answer, told) if len(told) > 1 else None
                if right is not None and right.whole:
                    fits |= right.whole
                    told_all = True
        values = frozenset(self.game.catalogue.book[ruling].values)
        return Sight(frozenset(fits), frozenset(fits), True, values) if told_all else None


def followed(
    told: AnyGame,
    now: Rulings,
    prints: Prints | None,
    some: Sequence[Observed],
    caps: m.Capabilities,
    mode: m.ChanceMode,
) -> tuple[Followed, ...]:
    """Say for each ruling which values fit: by directed cases, and where these do not tell by all that was played.

    *now* are the rulings under which *some* was played and found right.
    """
    vary, found = varieties(told), []

    def fits_play(ruling: str, value: str) -> bool:
        try:
            game = vary(other(now, **{ruling: value}))
        except BadInput:  # the pack does not serve every ruling
            return False
        return all(judge(game, caps, mode, o.line, o.replies) for o in some)

    for ruling in told.catalogue.book.rulings:
        fits, why, cases = prints.found.get(ruling.id, (ruling.values, "", 0)) if prints else (ruling.values, "", 0)
        if len(fits) > 1:
            left = tuple(value for value in fits if fits_play(ruling.id, value))
            fits, why = left or fits, why or "what it did fits each"
        why = why if len(fits) != 1 else ""
        found.append(Followed(ruling.id, told.rulings[ruling.id], fits, caps.options, cases, why))
    return tuple(found)
