"""A check-up of an adapter: the protocol only, no rules; every finding in plain words with what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from lawspeaker.model.core.contract import CHANCE, AnyGame

from . import messages as m
from .match import Link
from .subjects import Subject, SubjectFailure

ADVICE = {
    "timeout": "Flush standard output after every line. If it does flush, look for a loop, or for a read that waits "
    "for more than one line.",
    "crash": "Run the command by hand and type one line of PROTOCOL.md's hello into it; its error message shows there.",
    "half_line": "End every answer with a line end, and flush before the program ends.",
    "not_json": "Standard output is for answers only; print everything else to standard error.",
    "invalid_utf8": "Write UTF-8, whatever the machine's own encoding is.",
    "duplicate_key": "Build the answer as a map and let a JSON library write it.",
    "not_a_number": "NaN and Infinity are not JSON; leave the field out.",
    "not_whole": "All numbers are whole: write 3, not 3.0.",
    "too_deep": "No record of a game nests that deeply; look for a structure that holds itself.",
    "line_too_long": "One answer is one line of at most 1 MiB.",
    "two_answers": "Answer each question exactly once.",
    "wrong_id": "Copy the question's id into the answer unchanged, as a number.",
    "not_jsonrpc": 'An answer is {"jsonrpc":"2.0","id":...} with either "result" or "error".',
    "bad_shape": "Compare the answer with the example of this message in PROTOCOL.md; the path says where it differs.",
    "missing": "What hello declares must be in every answer for which it is in want; else declare less.",
    "step": "step is the number of steps taken so far: 0 after start, one more after each accepted step.",
    "hello": "hello must be answered with a result that names protocol 1 and the game.",
    "version": "Answer hello with a protocol version out of the list that was sent.",
    "game": "List the game's id in games.",
    "flood": "Write nothing but one line for each question.",
}
"""What to do about each kind of failure."""


class Sign(msgspec.Struct, frozen=True):
    """One thing looked at: whether it is well, what was seen, and what to do."""

    what: str
    well: bool
    said: str = ""
    advice: str = ""


def examine(game: AnyGame, make_subject: Callable[[], Subject]) -> tuple[Sign, ...]:
    """Go through the protocol with a subject and return what was seen, up to the first failure to answer."""
    link = Link(make_subject, game.id)
    signs: list[Sign] = []
    try:
        for sign in _signs(game, link):
            signs.append(sign)
    except SubjectFailure as failure:
        advice = ADVICE.get(failure.kind, "")
        what = f"{_NEXT[min(len(signs), len(_NEXT) - 1)]} (after {len(signs)} things that were checked)"
        signs.append(Sign(what, False, f"{failure.kind}: {failure.said}", advice))
    finally:
        link.close()
    return tuple(signs)


_NEXT = ("answers hello", "starts a game", "goes on")


def _signs(game: AnyGame, link: Link) -> Iterator[Sign]:
    hello = link.connect()
    caps = hello.capabilities
    offered = [name for name in m.Capabilities.__struct_fields__ if getattr(caps, name) is True]
    said = f"{hello.name} {hello.version}, level {hello.level}; offers {', '.join(offered) or 'nothing beyond level 0'}"
    yield Sign("answers hello", True, said)
    yield _level(hello)
    mode = next((mode for mode in ("dictated", "scripted", "reported") if mode in caps.chance), None)
    if mode is None:
        yield Sign("offers a way of making chance", False, "chance is empty", "Offer dictated, scripted or reported.")
        return
    yield from _start(game, link, caps, mode)
    yield from _refuses(game, link)


def _level(hello: m.HelloReply) -> Sign:
    caps = hello.capabilities
    needs = {0: (), 1: ("legal", "result"), 2: ("legal", "result", "state", "view", "setup", "undo")}[hello.level]
    lacking = [name for name in needs if not getattr(caps, name)]
    if not lacking:
        return Sign(f"offers what level {hello.level} has", True)
    advice = f"Offer {', '.join(lacking)}, or declare a lower level."
    return Sign(f"offers what level {hello.level} has", False, f"lacks {', '.join(lacking)}", advice)


def _start(game: AnyGame, link: Link, caps: m.Capabilities, mode: m.ChanceMode) -> Iterator[Sign]:
    want: tuple[m.WantItem, ...] = ("legal",) if caps.legal else ()
    first = game.start()
    script = (game.text(game.legal(first)[0]),) if mode == "scripted" and game.actor(first) == CHANCE else ()
    reply = link.ask(m.Start(tuple(game.seats), mode, script, want))
    if not isinstance(reply, m.Report):
        said = f"{reply.code}: {reply.message}" if isinstance(reply, m.Refused) else "another sort of answer"
        advice = f"start names the seats {', '.join(game.seats)}; take them as they are."
        yield Sign("starts a game", False, said, advice)
        return
    well = reply.step == 0
    yield Sign("starts a game", well, f"step {reply.step}", "" if well else ADVICE["step"])
    if caps.legal and reply.legal is None:
        yield Sign("lists legal actions", False, "legal is missing", ADVICE["missing"])
    yield from _one_step(game, link, mode)


def _one_step(game: AnyGame, link: Link, mode: m.ChanceMode) -> Iterator[Sign]:
    position = game.start()
    text = game.text(game.legal(position)[0])
    own = game.actor(position) == CHANCE and mode != "dictated"
    reply = link.ask(m.Step(1, game.actor_name(position), None if own else text))
    if not isinstance(reply, m.Report):
        yield Sign("takes a step", False, "no report", ADVICE["bad_shape"])
    elif not reply.accepted:
        advice = f"This first action is legal in {game.id}; check how the adapter reads its text."
        yield Sign("takes a step", False, f"refused {text!r} ({reply.code}: {reply.message})", advice)
    else:
        well = reply.step == 1
        yield Sign("takes a step", well, f"step {reply.step}", "" if well else ADVICE["step"])


def _refuses(game: AnyGame, link: Link) -> Iterator[Sign]:
    reply = link.ask(m.Step(2, game.seats[0], "no such action"))
    well = isinstance(reply, m.Report) and not reply.accepted
    advice = "An action that is no action is answered with accepted false, not with silence or an error."
    yield Sign("refuses what is no action", well, "" if well else "not refused by a report", "" if well else advice)
    if isinstance(reply, m.Report):
        known = reply.code in m.REFUSALS
        advice = f"Use one of {', '.join(m.REFUSALS)}."
        yield Sign("says why with a known code", known, f"code {reply.code}", "" if known else advice)
    reply = link.ask(m.Bye())
    well = isinstance(reply, m.ByeReply)
    yield Sign("says goodbye", well, "", "" if well else "Answer bye with an empty result, then end.")
