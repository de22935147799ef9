"""A game whose rules are somebody else's program: the contract over a process that plays the reference.

With this any two programs can be set against each other, without a model of the game.  There are no
clauses: an action is legal if the reference lists it, and else "the reference refuses it".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec

from lawspeaker.model.core.clauses import Catalogue
from lawspeaker.model.core.contract import CHANCE, OVER, AnyGame, Breach, Effect, Game, Result, facts
from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.core.games import game_ids, room
from lawspeaker.model.core.law import Law
from lawspeaker.model.core.packs import Pack
from lawspeaker.model.core.rulings import Rulings
from lawspeaker.model.core.traces import Trace, game_for

from . import messages as m
from .reference import Broken, Opening, Position, Reference, history
from .subjects import Subject

REFUSES = "the reference refuses it"
"""Stands where a clause would: the clauses of a foreign reference are not known."""
_BACK = 8
"""So many positions before, and"""
_ONWARD = 4
"""so many after one lend it their actions to be tried where they are illegal."""


class ForeignGame(Game[Position, str]):
    """A game as the reference plays it.

    An action is its text, a position what the reference said after the actions that led to it.  Every
    method may raise ReferenceFailure.
    """

    def __init__(
        self,
        reference: Reference,
        game_id: str,
        seats: Sequence[str],
        catalogue: Catalogue,
        pack: Pack,
        rulings: Rulings,
    ) -> None:
        self.reference, self.id, self.seats = reference, game_id, tuple(seats)
        self.catalogue, self.pack, self.rulings, self.law = catalogue, pack, rulings, Law(())
        self.invariants = ()
        self.options: m.Options | None = None
        if reference.caps.options and game_id in game_ids():
            data = msgspec.to_builtins(pack)
            self.options = m.Options(dict(rulings), m.PackChoice(pack.id, pack.digest, data))
        self.fields = tuple(sorted(self.record(self.start()))) if reference.caps.state else ()

    def varied(
        self, *, pack: Pack | None = None, rulings: Rulings | None = None, law: Law | None = None
    ) -> ForeignGame:
        """Return the game under other options; raises BadInput if the reference takes none."""
        pack, rulings = pack or self.pack, self.rulings if rulings is None else rulings
        if pack.digest == self.pack.digest and rulings == self.rulings:
            return self
        if self.options is None:
            raise BadInput("the reference takes no options", hint="it plays one reading with its own components")
        return ForeignGame(self.reference, self.id, self.seats, self.catalogue, pack, rulings)

    # -- play ---------------------------------------------------------------------------------

    def start(self) -> Position:
        """Return the position from which a game begins."""
        return self.reference.begin(Opening(self.seats, self.options))

    def actor(self, position: Position) -> int:
        """Return who is next; raises BadInput for a position that the reference did not set up."""
        name = position.shown.actor
        return {"chance": CHANCE, "over": OVER}[name] if name in ("chance", "over") else self.seats.index(name)

    def legal(self, position: Position) -> tuple[str, ...]:
        """Return what the reference lists, sorted."""
        return position.shown.legal

    def odds(self, position: Position) -> tuple[Fraction, ...]:
        """Return the same for each outcome: the protocol does not tell probabilities."""
        legal = position.shown.legal
        return (Fraction(1, len(legal)),) * len(legal)

    def apply(self, position: Position, action: str) -> Position:
        """Return the position after a listed action."""
        return self.reference.after(position, action)

    def breaches(self, position: Position, action: str, by: int | None = None) -> tuple[Breach, ...]:
        """Return that the reference refuses an action, with what it says; empty for a legal one.

        It is asked, so that a reference which accepts what it does not list is found out.
        """
        said = position.shown
        name = said.actor if by is None else "chance" if by == CHANCE else self.seats[by]
        if name == said.actor and action in said.legal:
            return ()
        reply = self.reference.refusal(position, self.seats[0] if name == "over" else name, action)
        words = m.printable(reply.message or reply.code or "refused", 200)
        return (Breach(REFUSES, facts(saying=words)),)

    def effects(self, position: Position, action: str) -> tuple[Effect, ...]:
        """Return nothing: which clauses are at work is not known."""
        return ()

    def touched(self, position: Position, action: str, after: Position) -> tuple[str, ...]:
        """Return nothing, like ``effects``."""
        return ()

    def alphabet(self, position: Position) -> Iterable[str]:
        """Yield what is legal here, and what is legal in positions shortly before and after."""
        found = dict.fromkeys(position.shown.legal)
        at = position.before
        for _ in range(_BACK):
            if at is not None:
                found.update(dict.fromkeys(at.shown.legal))
                at = at.before
        legal = position.shown.legal
        for text in legal[:: max(len(legal) // _ONWARD, 1)][:_ONWARD]:
            after = self.apply(position, text)
            found.update(dict.fromkeys(after.shown.legal))
            if after.shown.legal:
                found.update(dict.fromkeys(self.apply(after, after.shown.legal[0]).shown.legal))
        return tuple(found)

    def observe(self, position: Position, seat: int) -> dict[str, Any]:
        """Return the reference's view; where it offers none, only who looks."""
        if not self.reference.caps.view:
            return {"you": self.seats[seat]}
        return self.reference.view(position, self.seats[seat])

    def result(self, position: Position) -> Result:
        """Return scores and winners at the end; before it, or where none are offered, zeros and nobody."""
        result = position.shown.result
        if result is None:
            return Result((0,) * len(self.seats), (), ())
        winners = tuple(self.seats.index(name) for name in self.seats if name in result.winners)
        return Result(tuple(result.scores[name] for name in self.seats), (), winners)

    def appeal(self, view: Mapping[str, Any], actions: Sequence[str]) -> Sequence[float]:
        """Return that all actions look alike."""
        return [0.0] * len(actions)

    # -- text and records -----------------------------------------------------------------------

    def text(self, action: str) -> str:
        """Return the text, which is the action."""
        return action

    def parse(self, text: str) -> str:
        """Return the text; raises BadInput if it was never listed and the reference calls it malformed."""
        if text in self.reference.texts:
            return text
        start = self.start()
        by = start.shown.actor
        reply = self.reference.refusal(start, self.seats[0] if by == "over" else by, text)
        if reply.code == "malformed":
            raise BadInput(f"{text!r} is no action: {m.printable(reply.message or 'the reference says so')}")
        return text

    def kind(self, action: str) -> str:
        """Return the first word."""
        return action.partition(" ")[0]

    def sees(self, position: Position, action: str) -> tuple[int, ...]:
        """Return all seats: who sees an action is not part of the protocol."""
        return tuple(range(len(self.seats)))

    def record(self, position: Position) -> dict[str, Any]:
        """Return the record that the reference shows; where it shows none, the actions that led there."""
        if not self.reference.caps.state:
            return {"actions": list(history(position))}
        record = position.opening.record if isinstance(position.said, Broken) else position.said.record
        found: dict[str, Any] = msgspec.json.decode(record)
        return found

    def position(self, record: Mapping[str, Any]) -> Position:
        """Set up a record, or go through the actions of one that ``record`` made without state.

        Raises BadInput where the reference does not set up positions.  One that it refuses is returned,
        and ``broken_invariants`` says why.
        """
        if not self.reference.caps.state and record.keys() == {"actions"}:
            return self._played(record["actions"])
        if not self.reference.sets_up:
            raise BadInput("the reference does not set up positions", where="position", hint="it offers no setup")
        return self.reference.begin(Opening(self.seats, self.options, m.encode(dict(record)).decode()))

    def _played(self, actions: Sequence[str]) -> Position:
        position = self.start()
        for number, text in enumerate(actions, 1):
            if text not in position.shown.legal:
                raise BadInput(f"{text!r} is not legal", where=f"position, action {number}")
            position = self.apply(position, text)
        return position

    def broken_invariants(self, position: Position) -> tuple[Breach, ...]:
        """Return the invariants that the reference named in refusing to set this up."""
        if not isinstance(position.said, Broken):
            return ()
        return tuple(Breach(b.invariant, facts(saying=m.printable(b.said))) for b in position.said.invariants)

    def words(self, item: Breach | Effect) -> str:
        """Return what the reference said of it."""
        return str(item.fact("saying")) if isinstance(item, Breach) else item.clause


def foreign_game(
    make: Callable[[], Subject],
    game_id: str,
    *,
    players: int | None = None,
    pack: Pack | None = None,
    rulings: Rulings | None = None,
) -> ForeignGame:
    """Start a reference and return its game; ``game.reference.close()`` ends it.

    An id of a game of ours brings seats, catalogue, pack and rulings; any other has seats ``A``, ``B`` and
    so on, two by default, no rulings and no pack.  Raises BadInput if the reference cannot be started or
    used, and ReferenceFailure for what it does wrong.
    """
    if game_id in game_ids():
        place = room(game_id)
        box = pack if pack is not None else place.load_pack(place.default_pack)
        chosen = rulings if rulings is not None else place.catalogue.book.choose()
        seats = tuple(place.build(box, chosen, players or place.players[0]).seats)
        catalogue = place.catalogue
    else:
        count = players or 2
        if not 1 <= count <= 26:
            raise BadInput(f"{count} players", hint="seats are named A to Z")
        seats = tuple("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:count])
        catalogue = Catalogue("lawspeaker-clauses/1", game_id, game_id, 0, ())
        box, chosen = Pack(format="none", game=game_id, id="none", title="no pack"), Rulings({})
    reference = Reference(make, game_id)
    try:
        reference.connect()
        return ForeignGame(reference, game_id, seats, catalogue, box, chosen)
    except BaseException:
        reference.close()
        raise


def reference_name(game: AnyGame) -> str:
    """Return the name of the program that plays the reference; empty for a model."""
    return game.reference.name if isinstance(game, ForeignGame) else ""


def traced_game(game: AnyGame, trace: Trace, pack: Pack | None = None) -> AnyGame:
    """Return the game with which a trace is played: as it says, by the reference of *game* if that is foreign.

    Raises BadInput if the trace is of another game, or made with what the reference does not take.
    """
    if not isinstance(game, ForeignGame):
        return game_for(trace, pack)
    if trace.game != game.id or trace.catalogue != game.catalogue.version:
        raise BadInput(f"is a trace of {trace.game}, catalogue {trace.catalogue}", where=trace.place)
    if trace.pack_digest != game.pack.digest:
        raise BadInput(f"made with another pack, {trace.pack}", where=trace.place, hint="give its pack file")
    rulings = game.catalogue.book.choose(dict(trace.rulings))
    made = ForeignGame(game.reference, game.id, trace.players, game.catalogue, game.pack, game.rulings)
    return made.varied(rulings=rulings)


def narrowed(game: AnyGame, caps: m.Capabilities) -> m.Capabilities:
    """Return what of a subject can be checked: with a foreign reference, what both sides offer."""
    if not isinstance(game, ForeignGame):
        return caps
    theirs = game.reference.caps
    whole = theirs.state and theirs.fields is None
    shown = caps.state and theirs.state and (whole or set(caps.fields or ("?",)) <= set(theirs.fields or ()))
    return msgspec.structs.replace(
        caps,
        state=shown,
        fields=caps.fields if shown else None,
        digest=caps.digest and whole,
        view=caps.view and theirs.view,
        result=caps.result and theirs.result,
        setup=caps.setup and game.reference.sets_up,
        options=caps.options and game.options is not None,
        compound=False,
    )
