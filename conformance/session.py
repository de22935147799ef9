"""A session: any game behind the protocol.  The reference, and every faulty variant, answers with this."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import msgspec

from lawspeaker.model.core.canonical import canonical
from lawspeaker.model.core.contract import CHANCE, OVER, AnyGame
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import Room
from lawspeaker.model.core.play import pick_outcome
from lawspeaker.model.core.taking import take_compound

from . import messages as m

FULL = m.Capabilities(
    legal=True, outcomes=True, result=True, state=True, digest=True, view=True, undo=True, save=True, setup=True,
    options=True, chance=("dictated", "scripted", "reported"), compound=True,
)  # fmt: skip
"""All there is; ``compound`` only counts in a game that has compound texts."""
_SAID = 1000
"""So many characters, at most, of a text for people: it may quote the question, which may be long."""
_STEPS = 1_000_000
"""No saved game has more steps, or outcomes drawn."""


class Complaint(Exception):
    """A question that gets a JSON-RPC error."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Saved(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What ``save`` writes down."""

    step: int
    drawn: int
    chance: m.ChanceMode
    script: tuple[str, ...]
    state: dict[str, Any]


class Session:
    """One subject's side of the protocol around a game.

    *room* (optional) lets it build the game for other players and read packs given inline.  *offered*
    are the capabilities it declares; what is not declared is refused.  *seed* is for outcomes that it
    draws itself when chance is reported.
    """

    def __init__(
        self,
        game: AnyGame,
        room: Room | None = None,
        *,
        offered: m.Capabilities = FULL,
        name: str = "lawspeaker",
        version: str = "",
        seed: int = 0,
    ) -> None:
        self.game, self.room, self.name, self.version = game, room, name, version
        self.offered = msgspec.structs.replace(offered, compound=offered.compound and game.has_compounds())
        self.random = Random(seed)
        self.history: list[Any] = []
        self.texts: dict[str, Any] | None = None
        self.base = 0
        self.greeted = self.ended = False
        self.chance: m.ChanceMode = "dictated"
        self.script: tuple[str, ...] = ()
        self.drawn = 0
        self._answers: dict[type[m.Message], Callable[[Any], Any]] = {
            m.Hello: self._hello, m.Options: self._options, m.Start: self._start, m.Setup: self._setup,
            m.Step: self._step, m.Legal: self._legal, m.State: self._state, m.View: self._view,
            m.Undo: self._undo, m.Save: self._save, m.Load: self._load, m.Bye: self._bye,
        }  # fmt: skip

    # -- the codec ------------------------------------------------------------------------------

    def answer(self, line: bytes) -> bytes:
        """Return the answer to one line; never raises, whatever the line holds."""
        number: int | None = None
        try:
            text = line.strip()
            number, message = m.read_step(text) or self._read(m.decode_line(text))
            answer = m.result_line(number, self.handle(message))
            if len(answer) > m.LINE_LIMIT + 1:
                raise Complaint("internal", f"the answer has {len(answer) - 1} bytes; at most {m.LINE_LIMIT} go")
            return answer
        except m.CodecError as error:
            code = {"bad_shape": "invalid_params", "not_request": "invalid_request"}.get(error.kind, "parse_error")
            return m.error_line(self._number(line) if number is None else number, code, error.said)
        except Complaint as error:
            return m.error_line(self._number(line), error.code, m.printable(str(error), _SAID))
        except Exception as error:  # a faulty game may raise anything; a message never ends the loop
            return m.error_line(self._number(line), "internal", m.printable(f"{type(error).__name__}: {error}", _SAID))

    def _read(self, value: Any) -> tuple[int, m.Message]:
        if not isinstance(value, dict) or value.get("jsonrpc") != "2.0" or type(value.get("id")) is not int:
            raise m.CodecError("not_request", "a request has jsonrpc 2.0, a whole number as id, method and params")
        if not value.keys() <= {"jsonrpc", "id", "method", "params"}:
            raise m.CodecError("not_request", "a request has jsonrpc, id, method and params, nothing else")
        kind = m.METHODS.get(value["method"]) if isinstance(value.get("method"), str) else None
        if kind is None:
            raise Complaint("unknown_method", f"unknown method; known are {', '.join(m.METHODS)}")
        message: m.Message = m.typed(value.get("params", {}), kind)
        return value["id"], message

    @staticmethod
    def _number(line: bytes) -> int | None:
        try:
            value = m.decode_line(line.strip())
        except m.CodecError:
            return None
        number = value.get("id") if isinstance(value, dict) else None
        return number if type(number) is int else None

    def handle(self, message: m.Message) -> Any:
        """Return the reply to a message; raises Complaint for what cannot be asked now."""
        if not self.greeted and not isinstance(message, (m.Hello, m.Bye)):
            raise Complaint("hello_first", "the first message is hello")
        for item in getattr(message, "want", ()):
            self._need(item)  # before anything is done
        return self._answers[type(message)](message)

    # -- before the game ------------------------------------------------------------------------

    def _hello(self, message: m.Hello) -> m.HelloReply:
        if m.PROTOCOL not in message.protocol:
            raise Complaint("invalid_params", f"this side speaks protocol {m.PROTOCOL} only")
        if message.game != self.game.id:
            raise Complaint("unknown_game", f"this is {self.game.id}")
        self.greeted = True
        caps = self.offered
        level = 2 if caps.state and caps.setup and caps.undo and caps.view else 1 if caps.legal and caps.result else 0
        return m.HelloReply(m.PROTOCOL, self.name, self.version, (self.game.id,), level, caps)  # type: ignore[arg-type]

    def _options(self, message: m.Options) -> m.OptionsReply:
        self._need("options")
        book = self.game.catalogue.book
        known = {ruling.id: ruling.values for ruling in book.rulings}
        for name, value in message.rulings.items():
            if name not in known:
                raise Complaint("unknown_ruling", f"unknown ruling {name!r}")
            if value not in known[name]:
                raise Complaint("unknown_value", f"unknown value {value!r} of {name}")
        rulings = book.choose({**self.game.rulings, **message.rulings})
        self.game = self.game.varied(rulings=rulings, pack=self._pack(message.pack))
        self.history, self.texts = [], None
        return m.OptionsReply(dict(rulings), self.game.pack.id)

    def _pack(self, choice: m.PackChoice | None) -> Any:
        if choice is None or choice.digest == self.game.pack.digest:
            return None
        if choice.data is None or self.room is None:
            raise Complaint("unknown_pack", f"no pack {choice.id!r} with this digest is known here")
        try:
            pack = self.room.read_pack(choice.data, "options.pack")
        except BadInput as error:
            raise Complaint("unknown_pack", str(error)) from None
        if pack.digest != choice.digest:
            raise Complaint("unknown_pack", f"the data given has digest {pack.digest}")
        return pack

    def _start(self, message: m.Start) -> m.Report:
        game = self._seated(message.players)
        self._begin(game, game.start(), message.chance, message.script)
        return self._report(message.want)

    def _seated(self, players: tuple[str, ...]) -> AnyGame:
        """Return the game for these players; raises Complaint if it is not for them."""
        if players == tuple(self.game.seats):
            return self.game
        if self.room is not None and len(players) in self.room.players:
            game = self.room.build(self.game.pack, self.game.rulings, len(players)).varied(law=self.game.law)
            if players == tuple(game.seats):
                return game
        raise Complaint("bad_players", f"the seats are {', '.join(self.game.seats)}")

    def _setup(self, message: m.Setup) -> m.Report:
        self._need("setup")
        game = self._seated(message.players) if message.players else self.game
        try:
            position = game.position(message.state)
        except BadInput as error:
            said = m.printable(str(error), _SAID)
            broken: tuple[m.Broken, ...] = (m.Broken("form", said),)
            return m.Report(self.step if self.history else 0, False, "invalid_position", said, broken=broken)
        found = game.broken_invariants(position)
        if found:
            broken = tuple(m.Broken(b.clause, m.printable(game.words(b), _SAID)) for b in found)
            said = "the position breaks " + ", ".join(b.invariant for b in broken)
            return m.Report(self.step if self.history else 0, False, "invalid_position", said, broken=broken)
        self._begin(game, position, message.chance, message.script)
        return self._report(message.want)

    def _begin(self, game: AnyGame, position: Any, chance: m.ChanceMode, script: tuple[str, ...]) -> None:
        """Begin at a position, or change nothing at all; raises Complaint for a way of chance not offered."""
        if chance not in self.offered.chance:
            raise Complaint("not_offered", f"chance {chance} is not offered")
        self.game = game
        self.history, self.texts, self.base = [position], None, 0
        self.chance, self.script, self.drawn = chance, script, 0

    # -- the game -------------------------------------------------------------------------------

    @property
    def position(self) -> Any:
        """The position now; raises Complaint before a game has begun."""
        if not self.history:
            raise Complaint("no_game", "no game has begun; send start or setup")
        return self.history[-1]

    @property
    def step(self) -> int:
        """The number of steps taken."""
        return self.base + len(self.history) - 1

    def _step(self, message: m.Step) -> m.Report:
        position, game = self.position, self.game
        if message.step != self.step + 1:
            return self._refuse("wrong_step", f"step {self.step + 1} is next")
        actor = game.actor(position)
        if actor == OVER:
            return self._refuse("over", "the game is over")
        if message.by != (game.seats[actor] if actor >= 0 else "chance"):
            return self._refuse("not_your_turn", f"{game.actor_name(position)} is next")
        if actor == CHANCE and self.chance != "dictated":
            return self._own_chance(message)
        action = self._options_now().get(message.action) if message.action is not None else None
        if action is None:
            return self._compound(message) or self._refuse_action(message.action)
        self._push(game.apply(position, action))
        return self._report(message.want)

    def _compound(self, message: m.Step) -> m.Report | None:
        """Take a compound decision as one step, or refuse it whole; None if the text is none."""
        if not self.offered.compound or message.by == "chance" or message.action is None:
            return None
        try:
            taken = take_compound(self.game, self.position, message.action)
        except BadInput as error:  # its place says which part is not legal
            return self._refuse("illegal" if error.where else "malformed", str(error))
        if taken is None:
            return None
        self._push(taken[-1].after)
        return self._report(message.want)

    def _own_chance(self, message: m.Step) -> m.Report:
        if message.action is not None:
            return self._refuse("malformed", f"chance is {self.chance}: the step names no action")
        position, outcomes = self.position, self._options_now()
        if self.chance == "reported":
            action = pick_outcome(self.game, position, tuple(outcomes.values()), self.random)
            text = self.game.text(action)
        else:
            if self.drawn >= len(self.script):
                raise Complaint("script_exhausted", f"the script has {len(self.script)} outcomes")
            text = self.script[self.drawn]
            if text not in outcomes:
                return self._refuse("illegal", f"the script says {text!r}, which cannot happen here")
            action = outcomes[text]
        self.drawn += 1
        self._push(self.game.apply(position, action))
        return self._report(message.want, outcome=text)

    def _refuse_action(self, text: str | None) -> m.Report:
        if text is None:
            return self._refuse("malformed", "the step names no action")
        try:
            action = self.game.parse(text)
        except BadInput as error:
            return self._refuse("malformed", str(error))
        if self.game.text(action) != text:
            return self._refuse("malformed", f"the canonical text is {self.game.text(action)!r}")
        broken = self.game.breaches(self.position, action)
        said = "; ".join(f"{b.clause}: {self.game.words(b)}" for b in broken)
        return self._refuse("illegal", said or "not among the legal actions")

    def _refuse(self, code: m.RefusalCode, said: str) -> m.Report:
        return m.Report(self.step, False, code, m.printable(said, _SAID))

    def _push(self, position: Any) -> None:
        self.history.append(position)
        self.texts = None

    def _options_now(self) -> dict[str, Any]:
        if self.texts is None:
            text = self.game.text
            self.texts = {text(action): action for action in self.game.legal(self.position)}
        return self.texts

    # -- showing --------------------------------------------------------------------------------

    def _report(self, want: tuple[m.WantItem, ...], outcome: str | None = None) -> m.Report:
        position, game = self.position, self.game
        actor = game.actor(position)
        record = game.record(position) if "state" in want or "digest" in want else {}
        return m.Report(
            step=self.step,
            actor=game.actor_name(position),
            legal=self._shown_legal(actor) if "legal" in want else None,
            state=self._shown_state(record) if "state" in want else None,
            digest=m.fast_digest(record) if "digest" in want else None,
            result=self._outcome() if "result" in want and actor == OVER else None,
            outcome=outcome,
        )

    def _shown_legal(self, actor: int) -> tuple[str, ...]:
        return () if actor == CHANCE and not self.offered.outcomes else tuple(self._options_now())

    def _shown_state(self, record: dict[str, Any]) -> dict[str, Any]:
        fields = self.offered.fields
        return record if fields is None else {name: record[name] for name in fields}

    def _outcome(self) -> m.Outcome:
        result, seats = self.game.result(self.position), self.game.seats
        scores = dict(zip(seats, result.scores, strict=True))
        return m.Outcome(scores, tuple(seats[seat] for seat in result.winners))

    def _legal(self, message: m.Legal) -> m.Report:
        self._need("legal")
        return self._report(("legal",))

    def _state(self, message: m.State) -> m.Report:
        return self._report(message.want)

    def _view(self, message: m.View) -> m.ViewReply:
        self._need("view")
        if message.seat not in self.game.seats:
            raise Complaint("bad_players", f"unknown seat {message.seat!r}")
        return m.ViewReply(self.step, self.game.observe(self.position, self.game.seat(message.seat)))

    # -- back and forth -------------------------------------------------------------------------

    def _undo(self, message: m.Undo) -> m.Report:
        self._need("undo")
        if not 0 < message.count < len(self.history):
            raise Complaint("nothing_to_undo", f"{max(len(self.history) - 1, 0)} steps can be taken back")
        kept = len(self.history) - message.count
        undone = self.history[kept - 1 : -1]
        self.drawn -= sum(self.chance != "dictated" and self.game.actor(p) == CHANCE for p in undone)
        del self.history[kept:]
        self.texts = None
        return self._report(message.want)

    def _save(self, message: m.Save) -> m.SaveReply:
        self._need("save")
        saved = Saved(self.step, self.drawn, self.chance, self.script, self.game.record(self.position))
        return m.SaveReply(self.step, canonical(msgspec.to_builtins(saved)).decode())

    def _load(self, message: m.Load) -> m.Report:
        self._need("save")
        try:
            saved: Saved = m.typed(m.decode_line(message.saved.encode()), Saved)
            position = self.game.position(saved.state)
        except (m.CodecError, BadInput) as error:
            raise Complaint("bad_save", str(error)) from None
        if self.game.broken_invariants(position) or not (0 <= saved.step <= _STEPS and 0 <= saved.drawn <= _STEPS):
            raise Complaint("bad_save", "the saved position is not valid")
        self._begin(self.game, position, saved.chance, saved.script)
        self.base, self.drawn = saved.step, saved.drawn
        return self._report(message.want)

    def _bye(self, message: m.Bye) -> m.ByeReply:
        self.ended = True
        return m.ByeReply()

    def _need(self, capability: str) -> None:
        if not getattr(self.offered, capability):
            raise Complaint("not_offered", f"{capability} is not offered")
