"""Scenarios as a referee gets them: plain data, from whoever has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import game_ids, make_game, room
from lawspeaker.model.core.loading import convert
from lawspeaker.model.core.packs import Pack

from . import messages as m
from .compare import Expected
from .match import Line, Op


class Probe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An action that must be refused; without ``by`` it is tried by whoever is next."""

    do: str
    by: str = ""
    clauses: tuple[str, ...] = ()


class Expect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What must be so after the actions; what is absent is not looked at."""

    legal: tuple[str, ...] | None = None
    includes: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    refused: tuple[Probe, ...] = ()
    state: dict[str, Any] = {}
    views: dict[str, dict[str, Any]] = {}
    actor: str | None = None
    result: dict[str, Any] | None = None


class ScenarioCase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One scenario under one choice of rulings.

    ``record`` is the position it begins with (None: the beginning of a game), ``pack`` a plain pack
    (None: the one in use), ``players`` how many play (None: as many as in the game in use), ``actions``
    pairs of who acts and what.
    """

    id: str
    title: str
    clauses: tuple[str, ...]
    rulings: dict[str, str]
    record: dict[str, Any] | None
    actions: tuple[tuple[str, str], ...]
    expect: Expect
    pack: dict[str, Any] | None = None
    players: int | None = None

    def lacks(self, game: AnyGame, caps: m.Capabilities, mode: m.ChanceMode) -> str:
        """Return why the subject cannot be asked; empty if it can."""
        if self.record is not None and not caps.setup:
            return "setup not offered"
        if not caps.options and {**game.rulings, **self.rulings} != dict(game.rulings):
            return "options not offered, and the case is about other rulings"
        if self.pack is not None and not caps.options:
            return "options not offered, and the case has a pack of its own"
        if mode == "reported" and any(by == "chance" for by, _ in self.actions):
            return "chance is only reported, and the case dictates it"
        return ""

    def game(self, game: AnyGame) -> AnyGame:
        """Return the game under the case's rulings and pack, for its number of players."""
        rulings = game.catalogue.book.choose({**game.rulings, **self.rulings})
        pack: Pack | None = None
        if self.pack is not None and game.id in game_ids():
            pack = room(game.id).read_pack(self.pack, f"scenario {self.id}")
        if self.players in (None, len(game.seats)) or game.id not in game_ids():
            return game.varied(rulings=rulings, pack=pack)
        return make_game(game.id, pack or game.pack, rulings, self.players).varied(law=game.law)

    def line(self, caps: m.Capabilities) -> Line:
        """Return the actions, then each seat's look if views are offered, then what must be refused."""
        ops = [Op("try", by, text) for by, text in self.actions]
        ops += [Op("view", seat) for seat in self.expect.views if caps.view]
        ops += [Op("try", by, text) for by, text in self._refused()]
        return Line(self.record, tuple(ops))

    def _refused(self) -> Iterator[tuple[str, str]]:
        actor = self.expect.actor or ""
        for probe in self.expect.refused:
            yield probe.by or actor, probe.do
        for text in self.expect.excludes:
            yield actor, text

    def harness_error(self, game: AnyGame) -> str:
        """Return where the reference itself is not what the case expects; empty if it is."""
        try:
            position = game.start() if self.record is None else game.position(self.record)
            for by, text in self.actions:
                now = Expected(game, position)
                if text not in now.legal or by != now.actor_name:
                    return f"the reference refuses {text!r} by {by}"
                position = game.apply(position, now.legal[text])
        except BadInput as error:
            return f"the reference cannot read the case: {error}"
        return self._unmet(Expected(game, position))

    def met_by(self, reply: Any, views: Mapping[str, Mapping[str, Any]], caps: m.Capabilities) -> bool:
        """Whether a subject's report after the actions, and its views, are as expected, in all that it shows."""
        expect, listed = self.expect, set(reply.legal or ())
        refused = {probe.do for probe in expect.refused if probe.by in ("", reply.actor)}
        legal = not caps.legal or (
            (expect.legal is None or set(expect.legal) == listed)
            and set(expect.includes) <= listed
            and not listed & (set(expect.excludes) | refused)
        )
        shown = {k: v for k, v in expect.state.items() if caps.fields is None or k in caps.fields}
        return (
            legal
            and (reply.actor is None or expect.actor in (None, reply.actor))
            and (not caps.state or _within(shown, reply.state))
            and all(_within(expect.views[seat], view) for seat, view in views.items())
        )

    def _unmet(self, now: Expected) -> str:
        expect = self.expect
        listed = set(now.legal)
        if expect.legal is not None and set(expect.legal) != listed:
            return "the reference's legal actions are not those expected"
        if not set(expect.includes) <= listed or listed & set(expect.excludes):
            return "the reference's legal actions are not as expected"
        if any(probe.do in listed and probe.by in ("", now.actor_name) for probe in expect.refused):
            return "the reference allows what is to be refused"
        if expect.actor is not None and expect.actor != now.actor_name:
            return f"in the reference {now.actor_name} is next, not {expect.actor}"
        for seat, part in expect.views.items():
            if not _within(part, now.game.observe(now.position, now.game.seat(seat))):
                return f"the reference's view of {seat} is not the one expected"
        return "" if _within(expect.state, now.record) else "the reference's position is not the one expected"


def _within(part: Any, whole: Any) -> bool:
    if isinstance(part, Mapping) and isinstance(whole, Mapping):
        return all(name in whole and _within(value, whole[name]) for name, value in part.items())
    if isinstance(part, (list, tuple)) and isinstance(whole, (list, tuple)):
        return len(part) == len(whole) and all(_within(p, w) for p, w in zip(part, whole, strict=True))
    return bool(part == whole)


def read_cases(cases: Sequence[Mapping[str, Any]]) -> tuple[ScenarioCase, ...]:
    """Read plain cases strictly; raises BadInput with the place of any mistake."""
    return tuple(convert(dict(case), ScenarioCase, f"scenario {case.get('id', n)}") for n, case in enumerate(cases))
