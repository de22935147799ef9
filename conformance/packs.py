"""The pack: what a subject is told of it, whether it fits the rulebook, and what a subject does with another one."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from lawspeaker.model.core.contract import AnyGame
from lawspeaker.model.core.games import game_ids, room
from lawspeaker.model.core.play import steps
from lawspeaker.model.core.records import CaseResult

from . import messages as m
from .match import Diverged, Line, Link, Match
from .plan import tries

_STEPS = 12


def tell(link: Link, game: AnyGame) -> str:
    """Tell a subject rulings and pack of *game*; return why it does not take them ("" if it does)."""
    data = msgspec.to_builtins(game.pack)
    options = m.Options(dict(game.rulings), m.PackChoice(game.pack.id, game.pack.digest, data))
    link.options = None
    reply = link.ask(options)
    if isinstance(reply, m.Refused):
        return f"options were refused ({reply.code}): {reply.message}"
    assert isinstance(reply, m.OptionsReply)
    wrong = [n for n, v in game.rulings.items() if reply.rulings.get(n, v) != v or n not in reply.rulings]
    if wrong:
        return f"options were not echoed: {', '.join(wrong)}"
    if reply.pack is not None and reply.pack != game.pack.id:
        return f"options were not echoed: pack {reply.pack[:80]!r} in place of {game.pack.id!r}"
    link.options = options
    return ""


def pack_cases(link: Link, game: AnyGame, caps: m.Capabilities, mode: m.ChanceMode) -> Iterator[CaseResult]:
    """Yield the audit of the pack in use, and what the subject makes of the same things under another id and digest.

    Raises SubjectFailure where it does not answer.
    """
    if game.id in game_ids():
        complaints = "; ".join(str(complaint) for complaint in room(game.id).audit(game.pack))
        audit = CaseResult(game.id, "pack", "audit", "pass", "the pack fits what the rulebook says")
        if complaints:
            said = f"{game.pack.id} does not fit: {complaints}"
            audit = msgspec.structs.replace(audit, verdict="error", said=said, blame="harness")
        yield audit
    if caps.options:
        yield _another(link, game, caps, mode)
    elif game.id not in game_ids():
        yield CaseResult(game.id, "pack", "all", "not applicable", said="options not offered, and no audit is known")


def _another(link: Link, game: AnyGame, caps: m.Capabilities, mode: m.ChanceMode) -> CaseResult:
    """Tell the subject another pack: it plays with it or says that it does not know it, and then plays on as before."""
    found = CaseResult(game.id, "pack", "another", "pass", "plays with another pack, or refuses it as unknown")
    other = game.varied(pack=msgspec.structs.replace(game.pack, id=f"{game.pack.id}-2"))
    said = tell(link, other)
    if said.startswith("options were refused (unknown_pack)"):
        said, found = "", msgspec.structs.replace(found, said="refuses it as unknown")
    elif not said:
        said = _played(link, other, caps, mode)
    back = tell(link, game)
    if said and not back and said == _played(link, game, caps, mode):
        said = ""  # it differs with its own pack as well: a matter for other layers
    said = said or (f"after another pack it does not take this one any more: {back}" if back else "")
    return msgspec.structs.replace(found, verdict="fail", said=said, blame="engine") if said else found


def _played(link: Link, game: AnyGame, caps: m.Capabilities, mode: m.ChanceMode) -> str:
    """Return where the subject differs in a little play with the pack it has just been told."""
    count = 0 if mode == "reported" else _STEPS
    line = Line(None, tries(game, tuple(steps(game, 0, limit=count))))
    try:
        Match(link.ask, game, caps, mode).play(line)
    except Diverged as diverged:
        paths = ", ".join(difference.path for difference in diverged.divergence.differences)
        return f"it differs from the reference after {len(diverged.divergence.line.ops)} steps in {paths}"
    return ""
