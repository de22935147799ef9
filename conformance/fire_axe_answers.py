"""Faulty Fire & Axe whose rules are right: what seats are shown, and what answers for the game.

Each class has one fault, which its docstring tells.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from lawspeaker.model.fire_axe.actions import SEATS
from lawspeaker.model.fire_axe.game import FireAxeGame
from lawspeaker.model.fire_axe.position import Position

from . import messages as m
from .session import Session

View = dict[str, Any]

# -- views --------------------------------------------------------------------------------------------


class NeighbourShown(FireAxeGame):
    """The runes of the player to the left lie open."""

    def observe(self, position: Position, seat: int) -> View:
        """Show one hand too many."""
        other = SEATS[(seat + 1) % self.players]
        return _with(super().observe(position, seat), "hands", other, self.record(position)["hands"][other])


class DealtShown(FireAxeGame):
    """The runes of a seat that is about to be dealt one lie open."""

    def observe(self, position: Position, seat: int) -> View:
        """Show that hand."""
        view = super().observe(position, seat)
        if position.phase != "deal" or position.turn < 0:
            return view
        name = SEATS[position.seat]
        return _with(view, "hands", name, self.record(position)["hands"][name])


class VictimShown(FireAxeGame):
    """Whoever makes another lose a rune sees all of that hand."""

    def observe(self, position: Position, seat: int) -> View:
        """Show it to the seat on turn."""
        view = super().observe(position, seat)
        if position.victim < 0 or seat != position.seat:
            return view
        name = SEATS[position.victim]
        return _with(view, "hands", name, self.record(position)["hands"][name])


class RuneDeckListed(FireAxeGame):
    """The view lists what is in the rune deck."""

    def observe(self, position: Position, seat: int) -> View:
        """Name the runes."""
        return {**super().observe(position, seat), "deck": self.record(position)["deck"]}


class LastRuneShown(FireAxeGame):
    """The last rune of the deck is seen by all."""

    def observe(self, position: Position, seat: int) -> View:
        """Name it."""
        view = super().observe(position, seat)
        return {**view, "deck": self.record(position)["deck"]} if position.deck.bit_count() == 1 else view


class OwnHandHidden(FireAxeGame):
    """A seat that is in a Homeland sees only how many runes it has."""

    def observe(self, position: Position, seat: int) -> View:
        """Leave out own information."""
        view = super().observe(position, seat)
        if not self.tables.is_home(position.places[seat]):
            return view
        return _with(view, "hands", SEATS[seat], position.hands[seat].bit_count())


class HandsNotCounted(FireAxeGame):
    """How many runes the others have is not shown."""

    def observe(self, position: Position, seat: int) -> View:
        """Leave out numbers."""
        view = super().observe(position, seat)
        return {**view, "hands": {name: v if name == SEATS[seat] else None for name, v in view["hands"].items()}}


class PileCovered(FireAxeGame):
    """Of the runes that were discarded only the number is shown."""

    def observe(self, position: Position, seat: int) -> View:
        """Hide an open pile."""
        return {**super().observe(position, seat), "pile": position.pile.bit_count()}


class OptionsCounted(FireAxeGame):
    """The view tells everybody how many options the seat on turn has."""

    def observe(self, position: Position, seat: int) -> View:
        """Add a number."""
        return {**super().observe(position, seat), "options": len(self.legal(position))}


class WrongYou(FireAxeGame):
    """With five players the view calls seat D ``you`` for seat E as well."""

    def observe(self, position: Position, seat: int) -> View:
        """Name the wrong seat."""
        view = super().observe(position, seat)
        return {**view, "you": "D"} if self.players == 5 and seat == 4 else view


def _with(view: View, field: str, name: str, value: Any) -> View:
    return {**view, field: {**view[field], name: value}}


# -- lists, undo, saved games, chance ------------------------------------------------------------------


class ListsWinter(Session):
    """The list offers wintering between two rolls of a raid; the executor refuses it."""

    def _shown_legal(self, actor: int) -> tuple[str, ...]:
        shown = super()._shown_legal(actor)
        return (*shown, "winter") if self.position.phase == "raid" else shown


class ListsTwice(Session):
    """Where a ship in a port may settle, the last throw stands in the list twice."""

    def _shown_legal(self, actor: int) -> tuple[str, ...]:
        shown = super()._shown_legal(actor)
        throws = tuple(text for text in shown if text.startswith("settle "))
        return (*shown, throws[-1]) if throws else shown


class ListsAtEnd(Session):
    """When the game is over the list still has the end of a turn."""

    def _shown_legal(self, actor: int) -> tuple[str, ...]:
        return super()._shown_legal(actor) if actor != -2 else ("end",)


class AcceptsDiscardAtHome(Session):
    """The executor lets a ship in a Homeland discard runes; the list does not offer it."""

    def _refuse_action(self, text: str | None) -> m.Report:
        p = self.position
        game: Any = self.game
        if text is not None and text.startswith("discard ") and p.phase == "main":
            try:
                action = game.parse(text)
            except Exception:
                return super()._refuse_action(text)
            home = game.tables.is_home(p.places[p.seat])
            if home and p.hands[p.seat] >> action.rune & 1 and game.text(action) == text:
                self._push(game.apply(p, action))
                return self._report(("legal", "digest", "result"))
        return super()._refuse_action(text)


class AcceptsStopEarly(Session):
    """The executor lets a raid be broken off before it has begun; the list does not offer it."""

    def _refuse_action(self, text: str | None) -> m.Report:
        if text == "stop" and self.position.phase == "main":
            self._push(self.position)
            return self._report(("legal", "digest", "result"))
        return super()._refuse_action(text)


class AcceptsLateEnd(Session):
    """The executor lets a turn be declared over in the Wintering Zone; the list does not offer it."""

    def _refuse_action(self, text: str | None) -> m.Report:
        p = self.position
        game: Any = self.game
        if text == "end" and p.phase == "main" and p.places[p.turn] == 0:
            self._push(game.apply(p, game.parse("end")))
            return self._report(("legal", "digest", "result"))
        return super()._refuse_action(text)


class AcceptsThirdGood(Session):
    """The executor does not look whether a good lies in another port of the region already."""

    def _refuse_action(self, text: str | None) -> m.Report:
        p = self.position
        game: Any = self.game
        if text is not None and text.startswith("trade ") and p.phase == "main":
            port = p.places[p.turn] - game.tables.first_port
            bare = replace(p, goods=tuple(good if n == port else -1 for n, good in enumerate(p.goods)))
            right = {game.text(a): a for a in game.legal(bare)} if port >= 0 else {}
            if text in right:
                self._push(game.apply(p, right[text]))
                return self._report(("legal", "digest", "result"))
        return super()._refuse_action(text)


class _UndoKeeps(Session):
    kept: tuple[str, ...] = ()

    def _undo(self, message: m.Undo) -> m.Report:
        later = self.position
        super()._undo(m.Undo(message.count, ()))
        self.history[-1] = replace(self.position, **{name: getattr(later, name) for name in self.kept})
        return self._report(message.want)


class UndoKeepsDial(_UndoKeeps):
    """Taking back a rune leaves the dial as it was turned."""

    kept = ("dial",)


class UndoKeepsPoints(_UndoKeeps):
    """Taking back leaves VP as they were after."""

    kept = ("vp",)


class UndoKeepsTasks(_UndoKeeps):
    """Taking back a Task leaves the port closed for others this turn."""

    kept = ("tasked",)


class UndoKeepsTreasure(_UndoKeeps):
    """Taking back a raid does not bring the treasure back under its town."""

    kept = ("small", "large")


class _SaveLoses(Session):
    lost: Mapping[str, Any] = {}

    def _save(self, message: m.Save) -> m.SaveReply:
        self.history[-1], kept = replace(self.position, **self.lost), self.position
        reply = super()._save(message)
        self.history[-1] = kept
        return reply


class SaveLosesTasks(_SaveLoses):
    """A saved game does not say in which ports a Task was tried this turn."""

    lost: Mapping[str, Any] = {"tasked": 0}


class SaveLosesCovered(_SaveLoses):
    """A saved game does not say how many skulls are covered."""

    lost: Mapping[str, Any] = {"covered": 0}


class SaveLosesAttack(_SaveLoses):
    """A saved game does not say what a rune adds to the next attack."""

    lost: Mapping[str, Any] = {"attack": 0}


class SaveLosesDays(_SaveLoses):
    """A saved game does not say how many Days more the turn has."""

    lost: Mapping[str, Any] = {"days": 7}


class SaveLosesRolls(Session):
    """A saved game does not say how many rolls a raid has made: it begins with the first."""

    def _save(self, message: m.Save) -> m.SaveReply:
        kept = self.position
        if kept.rolls:
            self.history[-1] = replace(kept, rolls=1)
        reply = super()._save(message)
        self.history[-1] = kept
        return reply


class OwnDice(Session):
    """An outcome of chance that is dictated is ignored; the first possible one is taken."""

    def _options_now(self) -> dict[str, Any]:
        right = super()._options_now()
        if self.game.actor(self.position) != -1:
            return right
        return dict.fromkeys(right, next(iter(right.values())))


class SecondDice(Session):
    """Of the dice of a settling the last is thrown anew: it falls as low as the first."""

    def _options_now(self) -> dict[str, Any]:
        right = super()._options_now()
        if self.position.phase != "dice" or self.position.dice < 2:
            return right
        low = {text: _lower(text) for text in right}
        return {text: right.get(low[text], action) for text, action in right.items()}


def _lower(text: str) -> str:
    pips = text.split(" ")[1:]
    return " ".join(["dice", *sorted([*pips[:-1], pips[0]], key=int)])
