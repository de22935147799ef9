"""The conformance protocol: every message and reply as a type, and the one strict codec for both sides.

JSON-RPC 2.0, one message a line.  What each message means stands in ``PROTOCOL.md``.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from hashlib import sha256
from typing import Annotated, Any, Literal, NoReturn

import msgspec

PROTOCOL = 1
LINE_LIMIT = 1 << 20
"""The longest line, in bytes without its end, that either side may send."""
DEPTH_LIMIT = 64
"""How deep arrays and objects may nest."""

WantItem = Literal["legal", "state", "digest", "result"]
ChanceMode = Literal["dictated", "scripted", "reported"]
RefusalCode = Literal["illegal", "malformed", "not_your_turn", "over", "wrong_step", "invalid_position"]
REFUSALS: tuple[str, ...] = RefusalCode.__args__  # type: ignore[attr-defined]

ERRORS: dict[str, int] = {
    "parse_error": -32700,
    "invalid_request": -32600,
    "unknown_method": -32601,
    "invalid_params": -32602,
    "internal": -32603,
    "no_game": -32001,
    "not_offered": -32002,
    "unknown_ruling": -32003,
    "unknown_value": -32004,
    "unknown_pack": -32005,
    "unknown_game": -32006,
    "bad_players": -32007,
    "script_exhausted": -32008,
    "bad_save": -32009,
    "nothing_to_undo": -32010,
    "hello_first": -32011,
}
"""Error codes: the word in ``error.data.code`` and the number in ``error.code``."""


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the referee asks; the class's name in lower case is the method."""


class Hello(Message, frozen=True):
    """Who asks, which protocol versions it speaks, and which game it wants checked."""

    protocol: tuple[int, ...]
    referee: str
    game: str


class PackChoice(Message, frozen=True):
    """A pack by id and digest, and its data inline unless the subject is to know it by id."""

    id: str
    digest: str
    data: dict[str, Any] | None = None


class Options(Message, frozen=True):
    """Rulings to follow and pack to use; what is not named stays as it is."""

    rulings: dict[str, str] = {}
    pack: PackChoice | None = None


class Start(Message, frozen=True):
    """Begin a game: the seats in order, who makes chance, the script of outcomes if it is scripted."""

    players: tuple[str, ...]
    chance: ChanceMode = "dictated"
    script: tuple[str, ...] = ()
    want: tuple[WantItem, ...] = ()


class Setup(Message, frozen=True):
    """Set up a position from its record; players and chance as in ``start``."""

    state: dict[str, Any]
    chance: ChanceMode = "dictated"
    script: tuple[str, ...] = ()
    want: tuple[WantItem, ...] = ()
    players: tuple[str, ...] = ()


class Step(Message, frozen=True):
    """Take an action.  No action, by chance: the subject takes the script's next outcome or draws one."""

    step: int
    by: str
    action: str | None = None
    want: tuple[WantItem, ...] = ()


class Legal(Message, frozen=True):
    """List what may be done now."""


class State(Message, frozen=True):
    """Report the position."""

    want: tuple[WantItem, ...] = ("state",)


class View(Message, frozen=True):
    """Report what a seat may see."""

    seat: str


class Undo(Message, frozen=True):
    """Take back the last *count* steps."""

    count: int
    want: tuple[WantItem, ...] = ()


class Save(Message, frozen=True):
    """Write the game down as one text."""


class Load(Message, frozen=True):
    """Go on from a text that ``save`` gave."""

    saved: str
    want: tuple[WantItem, ...] = ()


class Bye(Message, frozen=True):
    """The referee is done; answer, then end."""


class Capabilities(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a subject offers; what is false or absent is never asked for, and is *not applicable*.

    ``fields`` names the top-level fields of the record that ``state`` reports; null means all.
    """

    legal: bool = False
    outcomes: bool = False
    result: bool = False
    state: bool = False
    fields: tuple[str, ...] | None = None
    digest: bool = False
    view: bool = False
    undo: bool = False
    save: bool = False
    setup: bool = False
    options: bool = False
    chance: tuple[ChanceMode, ...] = ("dictated",)
    commits: Literal["ordered", "any"] = "ordered"
    compound: bool = False


class HelloReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who answers, in which protocol version, for which games, at which level, with what offered."""

    protocol: int
    name: str
    version: str
    games: tuple[str, ...]
    level: Literal[0, 1, 2]
    capabilities: Capabilities = Capabilities()


class OptionsReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rulings now followed (at least those that were named) and the pack's id, echoed."""

    rulings: dict[str, str]
    pack: str | None = None


class Broken(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An invariant that a position breaks."""

    invariant: str
    said: str = ""


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The end of a game: points by seat and the set of winners."""

    scores: dict[str, int]
    winners: tuple[str, ...]


class Report(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """The reply to all that moves or shows the game.

    ``step`` is the number of steps taken so far, after this message.  ``legal`` is a set in any order.
    ``actor`` is a seat, ``chance`` or ``over``.
    """

    step: int
    accepted: bool = True
    code: str | None = None
    message: str | None = None
    actor: str | None = None
    legal: tuple[str, ...] | None = None
    state: dict[str, Any] | None = None
    digest: str | None = None
    result: Outcome | None = None
    outcome: str | None = None
    broken: tuple[Broken, ...] = ()


class ViewReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat sees."""

    step: int
    view: dict[str, Any]


class SaveReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game as one text, which only its own writer needs to understand."""

    step: int
    saved: str


class ByeReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing more to say."""


class ErrorData(msgspec.Struct, frozen=True):
    """What an error says beyond JSON-RPC: the word for its code.  More may stand there; it is not read."""

    code: str = ""


class ErrorBody(msgspec.Struct, frozen=True):
    """The error of an answer: a number and a word for what is wrong, and a text for people."""

    code: int
    message: str
    data: ErrorData | None = None


class Refused(msgspec.Struct, frozen=True):
    """A JSON-RPC error as reply: the code's word and the free text."""

    code: str
    message: str
    known: bool = True
    """Whether the number and the word are among ``ERRORS`` and belong together."""


Reply = HelloReply | OptionsReply | Report | ViewReply | SaveReply | ByeReply | Refused

NEEDS: dict[str, str] = {
    "options": "options", "setup": "setup", "legal": "legal", "view": "view", "undo": "undo", "save": "save",
    "load": "save",
}  # fmt: skip
"""The capability without which a method is not asked."""


def beyond(message: Message, caps: Capabilities) -> tuple[str, ...]:
    """Return what a message asks for that was not declared; empty for one that may be sent."""
    need = NEEDS.get(type(message).__name__.lower())
    items = (*([need] if need else []), *getattr(message, "want", ()))
    found = tuple(dict.fromkeys(item for item in items if not getattr(caps, item)))
    chance = getattr(message, "chance", None)
    return found if chance is None or chance in caps.chance else (*found, f"chance {chance}")


REPLIES: dict[type[Message], Any] = {
    Hello: HelloReply,
    Options: OptionsReply,
    Start: Report,
    Setup: Report,
    Step: Report,
    Legal: Report,
    State: Report,
    View: ViewReply,
    Undo: Report,
    Save: SaveReply,
    Load: Report,
    Bye: ByeReply,
}
METHODS: dict[str, type[Message]] = {kind.__name__.lower(): kind for kind in REPLIES}
_PARAMS = {kind: msgspec.json.Decoder(kind) for kind in REPLIES}


class CodecError(ValueError):
    """A line that is no message: the kind of mistake in one word, and what is wrong in a sentence.

    The sentence may quote the line; it is cut and made printable, since the line is not trusted.
    """

    def __init__(self, kind: str, said: str) -> None:
        self.kind, self.said = kind, printable(said, 500)
        super().__init__(self.said)


def printable(text: str, limit: int = 300) -> str:
    """Return at most *limit* characters of a foreign text, with control characters as escapes."""
    shown = text[:limit] + ("..." if len(text) > limit else "")
    return shown if shown.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in shown)


# -- reading lines ------------------------------------------------------------------------------------


def decode_line(line: bytes) -> Any:
    """Read one line of JSON strictly; raises CodecError.

    Refused are: bytes that are not UTF-8, text that is not JSON, a key that stands twice, numbers that
    are not whole or need more than 64 bits, NaN and infinities, lone surrogates, deep nesting.
    """
    if len(line) > LINE_LIMIT:
        raise CodecError("line_too_long", f"a line of {len(line)} bytes; at most {LINE_LIMIT} are allowed")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CodecError("invalid_utf8", f"byte {error.start} of the line is not UTF-8") from None
    try:
        value = _DECODER.decode(text)
    except CodecError:
        raise
    except RecursionError:
        raise CodecError("too_deep", f"arrays and objects nest deeper than {DEPTH_LIMIT}") from None
    except ValueError as error:
        raise CodecError("not_json", _where_not_json(text, error)) from None
    if line.count(b"[") + line.count(b"{") > DEPTH_LIMIT and _depth(value) > DEPTH_LIMIT:
        raise CodecError("too_deep", f"arrays and objects nest deeper than {DEPTH_LIMIT}")
    if "\\u" in text:
        _refuse_surrogates(value)
    if _MANY_DIGITS.search(line):
        _refuse_long_numbers(value)
    return value


def _where_not_json(text: str, error: ValueError) -> str:
    said = f"not JSON ({str(error)[:80]}): {_shown(text.encode())}"
    place = getattr(error, "pos", 0)
    return f"{said}, at {printable(text[place : place + 20], 20)!r}" if 0 < place < len(text) else said


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise CodecError("duplicate_key", f"the key {twice!r} stands twice in one object")
    return found


def _constant(text: str) -> NoReturn:
    raise CodecError("not_a_number", f"{text} is not JSON")


def _float(text: str) -> NoReturn:
    raise CodecError("not_whole", f"the number {text[:40]} is not whole; the protocol has whole numbers only")


_MANY_DIGITS = re.compile(rb"[0-9]{19}")
_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float)


def _depth(value: Any) -> int:
    depth, layer = 0, [value]
    while layer:
        outer = [item for item in layer if isinstance(item, (dict, list))]
        depth += bool(outer)
        layer = [item for one in outer for item in (one.values() if isinstance(one, dict) else one)]
    return depth


def _refuse_surrogates(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise CodecError("invalid_utf8", "half of a surrogate pair stands alone in a text") from None


def _refuse_long_numbers(value: Any) -> None:
    layer = [value]
    while layer:
        for item in layer:
            if type(item) is int and not -(2**63) <= item < 2**64:
                raise CodecError("not_whole", f"the number {str(item)[:40]} needs more than 64 bits")
        outer = [item for item in layer if isinstance(item, (dict, list))]
        layer = [item for one in outer for item in (one.values() if isinstance(one, dict) else one)]


def _shown(line: bytes) -> str:
    text = line[:80].decode("utf-8", "replace")
    return repr(text + ("..." if len(line) > 80 else ""))


def typed(value: Any, kind: Any) -> Any:
    """Turn a plain value into a message or reply, strictly; raises CodecError with the path."""
    try:
        return msgspec.convert(value, kind, strict=True)
    except msgspec.ValidationError as error:
        raise CodecError("bad_shape", str(error)) from None


# -- writing lines ------------------------------------------------------------------------------------


_ENCODER = msgspec.json.Encoder(order="deterministic")


def encode(value: Any) -> bytes:
    """Return plain values or structs as canonical JSON (sorted keys, no blanks, UTF-8)."""
    return _ENCODER.encode(value)


def fast_digest(record: dict[str, Any]) -> str:
    """Return the same as ``model.core.canonical.digest`` for a record, several times faster."""
    return "sha256:" + sha256(encode(record)).hexdigest()


def request_line(number: int, message: Message) -> bytes:
    """Return a request as one line, its end included; raises CodecError for one that breaks the protocol itself.

    What is sent is read back by the type of its method, as the other side will read it.
    """
    kind = type(message)
    params = _ENCODER.encode(message)
    try:
        read_back = _PARAMS[kind].decode(params)
    except msgspec.ValidationError as error:
        raise CodecError("bad_shape", str(error)) from None
    if _ENCODER.encode(read_back) != params:
        raise CodecError("bad_shape", f"{kind.__name__.lower()} reads back as something else")
    line = b'{"id":%d,"jsonrpc":"2.0","method":"%s","params":%s}\n' % (number, kind.__name__.lower().encode(), params)
    if len(line) > LINE_LIMIT + 1:
        raise CodecError("line_too_long", f"a line of {len(line) - 1} bytes; at most {LINE_LIMIT} are allowed")
    return line


def result_line(number: int, reply: Any) -> bytes:
    """Return a successful answer as one line, its end included."""
    return encode({"jsonrpc": "2.0", "id": number, "result": reply}) + b"\n"


def error_line(number: int | None, code: str, message: str) -> bytes:
    """Return an error as one line; *code* is a word of ``ERRORS``."""
    error = {"code": ERRORS[code], "message": message, "data": {"code": code}}
    return encode({"jsonrpc": "2.0", "id": number, "error": error}) + b"\n"


def read_answer(line: bytes, number: int, kind: type[Message]) -> Reply:
    """Read the answer to request *number* of *kind*; raises CodecError if it is none."""
    if REPLIES[kind] is Report:
        quick: _ReportLine | None = _as_written(line, _REPORTS)
        if quick is not None and _is_simple(quick.result):
            _check_id(quick.id, number)
            return quick.result
    value = decode_line(line)
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        raise CodecError("not_jsonrpc", f"no JSON-RPC 2.0 answer: {_shown(line)}")
    if not value.keys() <= {"jsonrpc", "id", "result", "error"}:
        raise CodecError("not_jsonrpc", f"an answer has jsonrpc, id, and result or error; here {sorted(value)}")
    _check_id(value.get("id"), number)
    if ("result" in value) == ("error" in value):
        raise CodecError("not_jsonrpc", "an answer has either a result or an error")
    if "error" in value:
        return _read_error(value["error"])
    reply: Reply = typed(value["result"], REPLIES[kind])
    return reply


_LONG = 1 << 62
"""Whole numbers from here on are left to the strict way."""


def read_step(line: bytes) -> tuple[int, Step] | None:
    """Return id and message of a line (no blanks around it) that is a ``step`` as ``request_line`` writes it.

    None for any other line, which only the strict way can judge.
    """
    if _STEP not in line:
        return None
    found = _as_written(line, _STEPS)
    return (found.id, found.params) if found is not None and abs(found.params.step) < _LONG else None


def _is_simple(report: Report) -> bool:
    """Whether the types alone leave nothing to be checked: a state may hold anything, scores may be too long."""
    return report.state is None and report.result is None and abs(report.step) < _LONG


class _ReportLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    id: Annotated[int, msgspec.Meta(ge=0, lt=_LONG)]
    jsonrpc: Literal["2.0"]
    result: Report


class _StepLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    id: Annotated[int, msgspec.Meta(ge=0, lt=_LONG)]
    jsonrpc: Literal["2.0"]
    method: Literal["step"]
    params: Step


_STEP = b'"method":"step"'
_REPORTS = msgspec.json.Decoder(_ReportLine)
_STEPS = msgspec.json.Decoder(_StepLine)


def _as_written(line: bytes, decoder: msgspec.json.Decoder[Any]) -> Any:
    """Return what a line says if it is byte for byte what this module would write for that, else None.

    Such a line needs no strict reading: the writer writes no key twice and no lone surrogate, and the
    types allow no fraction and no depth, except in a part that may hold any value.  Whole numbers may be too long.
    """
    if not line.startswith(b'{"id":') or len(line) > LINE_LIMIT:
        return None
    try:
        found = decoder.decode(line)
        return found if _ENCODER.encode(found) == line else None
    except (msgspec.MsgspecError, ValueError, OverflowError, RecursionError):
        return None


def _check_id(found: Any, number: int) -> None:
    if type(found) is not int:
        raise CodecError("wrong_id", f"the answer's id is {found!r}, the question's was {number}")
    if 0 < found < number:
        raise CodecError("two_answers", f"a second or late answer to question {found} instead of one to {number}")
    if found != number:
        raise CodecError("wrong_id", f"the answer's id is {found}, the question's was {number}")


def _read_error(error: Any) -> Refused:
    data = error.get("data") if isinstance(error, dict) else None
    word = data.get("code") if isinstance(data, dict) else None  # JSON-RPC lets data be anything
    try:
        body = msgspec.convert({**error, "data": None} if data is not None else error, ErrorBody, strict=True)
    except msgspec.ValidationError as wrong:
        raise CodecError("not_jsonrpc", f"an error has a numeric code and a message; {wrong}") from None
    known = body.code in _WORDS and word in (None, _WORDS[body.code])
    if not isinstance(word, str) or word not in ERRORS:
        word = _WORDS.get(body.code, "internal")
    return Refused(word, printable(body.message, 500), known)


_WORDS = {number: word for word, number in ERRORS.items()}
