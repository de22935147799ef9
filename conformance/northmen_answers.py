"""Faulty Northmen whose rules are right: what seats are shown, and what answers for the game.

Each class has one fault, which its docstring tells.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from lawspeaker.model.core.taking import take_compound
from lawspeaker.model.northmen.actions import SEATS
from lawspeaker.model.northmen.game import NorthmenGame
from lawspeaker.model.northmen.position import Position, bits, listed, put

from . import messages as m
from .session import Session

View = dict[str, Any]
# -- views --------------------------------------------------------------------------------------------


class HandShown(NorthmenGame):
    """The hand of the seat that is dealt a card lies open to the others meanwhile."""

    def observe(self, position: Position, seat: int) -> View:
        """Show one hand too many."""
        view = super().observe(position, seat)
        if position.phase not in ("deal", "drawn") or seat == position.seat:
            return view
        return _with(
            view, "hands", SEATS[position.seat], listed(position.hands[position.seat], self.tables.names.cards)
        )


class RoutesShown(NorthmenGame):
    """The Trade Routes of the seat to the left lie open."""

    def observe(self, position: Position, seat: int) -> View:
        """Show one hand of routes too many."""
        other = (seat + 1) % self.players
        routes = listed(position.route_hands[other], self.tables.names.routes)
        return _with(super().observe(position, seat), "route_hands", SEATS[other], routes)


class CoveredShown(NorthmenGame):
    """The card just covered can still be seen by the next player."""

    def observe(self, position: Position, seat: int) -> View:
        """Show one card more of the last pile."""
        view = super().observe(position, seat)
        last = (position.seat - 1) % self.players
        if position.phase != "play" or seat != position.seat or last == seat:
            return view
        pile = position.piles[last]
        shown = 1 << position.tops[last] if pile else 0
        shown |= (pile & ~shown) & -(pile & ~shown)
        return _with(view, "piles", SEATS[last], listed(shown, self.tables.names.cards))


class ForcesShownEarly(NorthmenGame):
    """The cards of a Kingdom lie open as soon as its controller is asked about a delay."""

    def observe(self, position: Position, seat: int) -> View:
        """Show the suit of the Kingdom in question."""
        view = super().observe(position, seat)
        owner = position.seat
        if position.phase != "delay" or seat == owner:
            return view
        suit = position.piles[owner] & self.tables.suit_cards[position.kingdom]
        known = set(view["piles"][SEATS[owner]])
        cards = [n for n in bits(position.piles[owner]) if suit >> n & 1 or self.tables.names.cards[n] in known]
        return _with(view, "piles", SEATS[owner], [self.tables.names.cards[n] for n in cards])


class ForcesHidden(NorthmenGame):
    """The cards of a Kingdom are covered again once it has marched."""

    def observe(self, position: Position, seat: int) -> View:
        """Show the tops and the suit that marches now."""
        view = super().observe(position, seat)
        for other in range(self.players):
            if other != seat and position.phase in ("delay", "march") and position.piles[other]:
                shown = 1 << position.tops[other]
                if position.phase == "march" and other == position.seat:
                    shown |= position.piles[other] & self.tables.suit_cards[position.kingdom]
                view = _with(view, "piles", SEATS[other], listed(shown, self.tables.names.cards))
        return view


class ChoicesShown(NorthmenGame):
    """What a seat has chosen to play is seen by the others before all have chosen."""

    def observe(self, position: Position, seat: int) -> View:
        """Show the choices of every seat."""
        view = super().observe(position, seat)
        names = self.tables.names.routes
        return {**view, "chosen": {SEATS[n]: listed(chosen, names) for n, chosen in enumerate(position.chosen)}}


class ChoicesCounted(NorthmenGame):
    """How many routes a seat has chosen to play is seen by the others."""

    def observe(self, position: Position, seat: int) -> View:
        """Show numbers."""
        view = super().observe(position, seat)
        if position.phase != "complete":
            return view
        counts = {SEATS[n]: chosen.bit_count() for n, chosen in enumerate(position.chosen) if n != seat}
        return {**view, "chosen": {**view["chosen"], **counts}}


class OwnChoicesLost(NorthmenGame):
    """A seat does not see what it has chosen itself."""

    def observe(self, position: Position, seat: int) -> View:
        """Leave out own information."""
        return _with(super().observe(position, seat), "chosen", SEATS[seat], [])


class QuestionShown(NorthmenGame):
    """Everybody sees which Trade Route a seat is asked about."""

    def observe(self, position: Position, seat: int) -> View:
        """Name the route."""
        view = super().observe(position, seat)
        return {**view, "asked": self.tables.names.routes[position.asked]} if position.asked >= 0 else view


class OptionsCounted(NorthmenGame):
    """The view tells everybody how many options the seat on turn has."""

    def observe(self, position: Position, seat: int) -> View:
        """Add a number."""
        return {**super().observe(position, seat), "options": len(self.legal(position))}


class DeckListed(NorthmenGame):
    """The view lists what is in the deck."""

    def observe(self, position: Position, seat: int) -> View:
        """Name the cards."""
        return {**super().observe(position, seat), "deck": listed(position.deck, self.tables.names.cards)}


class RouteDeckListed(NorthmenGame):
    """Once only two Trade Routes are in the deck the view lists them."""

    def observe(self, position: Position, seat: int) -> View:
        """Name the routes."""
        view = super().observe(position, seat)
        few = position.route_deck.bit_count() <= 2
        return {**view, "route_deck": listed(position.route_deck, self.tables.names.routes)} if few else view


class DiscardsListed(NorthmenGame):
    """Discarded cards can be looked through."""

    def observe(self, position: Position, seat: int) -> View:
        """Name the cards."""
        return {**super().observe(position, seat), "discard": listed(position.discard, self.tables.names.cards)}


class BottomShown(NorthmenGame):
    """Everybody sees which routes were put under the deck."""

    def observe(self, position: Position, seat: int) -> View:
        """Name the routes."""
        return {**super().observe(position, seat), "route_bottom": self.record(position)["route_bottom"]}


class OwnBottomLost(NorthmenGame):
    """A seat does not see which routes it has put under the deck itself."""

    def observe(self, position: Position, seat: int) -> View:
        """Leave out own information."""
        view = super().observe(position, seat)
        return {**view, "route_bottom": [[None, owner] for _, owner in view["route_bottom"]]}


class DrawnShown(NorthmenGame):
    """The two routes of a purchase are seen by the Leader."""

    def observe(self, position: Position, seat: int) -> View:
        """Show them to one seat more."""
        view = super().observe(position, seat)
        if seat != position.leader or not position.drawn:
            return view
        return {**view, "drawn": listed(position.drawn, self.tables.names.routes)}


class HeldShown(NorthmenGame):
    """The cards that a seat holds are seen by the others."""

    def observe(self, position: Position, seat: int) -> View:
        """Name the cards."""
        return {**super().observe(position, seat), "held": listed(position.held, self.tables.names.cards)}


class OwnPileCovered(NorthmenGame):
    """A seat sees of its own pile only what the others see."""

    def observe(self, position: Position, seat: int) -> View:
        """Look with a stranger's eyes."""
        others = super().observe(position, (seat + 1) % self.players)["piles"][SEATS[seat]]
        return _with(super().observe(position, seat), "piles", SEATS[seat], others)


class WrongYou(NorthmenGame):
    """With four players the view calls seat D ``you`` for seat C as well."""

    def observe(self, position: Position, seat: int) -> View:
        """Name the wrong seat."""
        view = super().observe(position, seat)
        return {**view, "you": "D"} if self.players == 4 and seat == 2 else view


def _with(view: View, field: str, name: str, value: Any) -> View:
    return {**view, field: {**view[field], name: value}}


# -- lists, undo, saved games, chance ------------------------------------------------------------------


class ListsDelay(Session):
    """The list offers a delay while a Kingdom marches; the executor refuses it."""

    def _shown_legal(self, actor: int) -> tuple[str, ...]:
        shown = super()._shown_legal(actor)
        return ("delay", *shown) if self.position.phase == "march" else shown


class ListsTwice(Session):
    """A region to which cubes and Heroes can go stands in the list twice."""

    def _shown_legal(self, actor: int) -> tuple[str, ...]:
        shown = super()._shown_legal(actor)
        return (*shown, shown[-1]) if self.position.phase == "march" and shown[-1].endswith("+1") else shown


class ListsAtEnd(Session):
    """When the game is over the list still has the end of a planning turn."""

    def _shown_legal(self, actor: int) -> tuple[str, ...]:
        return super()._shown_legal(actor) if actor != -2 else ("done",)


class AcceptsNoCard(Session):
    """The executor lets a player end his Rally turn without drawing; the list does not offer it."""

    def _refuse_action(self, text: str | None) -> m.Report:
        if text == "done" and self.position.phase == "draw":
            game: Any = self.game
            self._push(game._turn_over(self.position))
            return self._report(("legal", "digest", "result"))
        return super()._refuse_action(text)


class AcceptsLateHero(Session):
    """The executor hires a Hero in the draw step; the list does not offer it."""

    def _refuse_action(self, text: str | None) -> m.Report:
        position, seat = self.position, self.position.seat
        if text == "hire" and position.phase == "draw" and position.infamy[seat] >= 3 and position.supply[seat]:
            infamy = put(position.infamy, seat, position.infamy[seat] - 3)
            reserve = put(position.reserve, seat, position.reserve[seat] + 3)
            self._push(replace(position, infamy=infamy, reserve=reserve))
            return self._report(("legal", "digest", "result"))
        return super()._refuse_action(text)


class AcceptsMarch(Session):
    """Whole marches are not checked: what cannot go is left out without a word."""

    def _compound(self, message: m.Step) -> m.Report | None:
        right = super()._compound(message)
        words = message.action or ""
        if right is None or right.accepted or not words.startswith("march ") or self.position.phase != "march":
            return right
        self._push(self.game.apply(self.position, self.game.legal(self.position)[0]))
        return self._report(message.want)


class AcceptsAnyOrder(Session):
    """A march is accepted with its regions in any order, though one order alone is canonical."""

    def _compound(self, message: m.Step) -> m.Report | None:
        right = super()._compound(message)
        head, _, parts = (message.action or "").partition(": ")
        if right is None or right.accepted or not parts:
            return right
        number = {name: n for n, name in enumerate(self.position_names())}
        ordered = sorted(parts.split(", "), key=lambda part: number.get(part.rpartition(" ")[0], 99))
        return super()._compound(replace(message, action=f"{head}: {', '.join(ordered)}"))

    def position_names(self) -> list[str]:
        """Return the regions in map order."""
        return list(self.game.record(self.position)["tokens"])


class HalfDone(Session):
    """Of a whole march that is refused the first part has been done."""

    def _compound(self, message: m.Step) -> m.Report | None:
        right = super()._compound(message)
        words = message.action or ""
        if right is None or right.accepted or self.position.phase != "march" or not words.startswith("march "):
            return right
        self.history[-1] = self.game.apply(self.position, self.game.legal(self.position)[0])
        self.texts = None
        return right


class UndoOnePart(Session):
    """Taking back a whole decision takes back its last part alone."""

    def _compound(self, message: m.Step) -> m.Report | None:
        before, right = self.position, super()._compound(message)
        if right is not None and right.accepted and message.action is not None:
            taken = take_compound(self.game, before, message.action)
            self._last = len(self.history), taken[-1].before if taken else before
        return right

    def _undo(self, message: m.Undo) -> m.Report:
        size, before = getattr(self, "_last", (0, None))
        whole = message.count == 1 and len(self.history) == size
        super()._undo(m.Undo(message.count, ()))
        if whole:
            self.history[-1] = before
        return self._report(message.want)


class UndoKeepsInfamy(Session):
    """Taking back leaves Infamy as it was after."""

    def _undo(self, message: m.Undo) -> m.Report:
        later = self.position
        super()._undo(m.Undo(message.count, ()))
        self.history[-1] = replace(self.position, infamy=later.infamy)
        return self._report(message.want)


class UndoKeepsBottom(Session):
    """Taking back a purchase leaves the routes under the deck as they were after."""

    def _undo(self, message: m.Undo) -> m.Report:
        later = self.position
        super()._undo(m.Undo(message.count, ()))
        self.history[-1] = replace(self.position, route_bottom=later.route_bottom)
        return self._report(message.want)


class UndoWholeRound(Session):
    """Taking back over the end of a Marching Phase does not bring the Time Tokens back."""

    def _undo(self, message: m.Undo) -> m.Report:
        later = self.position
        super()._undo(m.Undo(message.count, ()))
        if later.phase == "buy" and self.position.phase in ("march", "complete"):
            self.history[-1] = replace(self.position, times=later.times, control=later.control)
        return self._report(message.want)


class _SaveLoses(Session):
    lost: Mapping[str, Any]

    def _save(self, message: m.Save) -> m.SaveReply:
        self.history[-1], kept = replace(self.position, **self.lost), self.position
        reply = super()._save(message)
        self.history[-1] = kept
        return reply


class SaveLosesPlaced(_SaveLoses):
    """A saved game does not say how many cubes the card being played has placed."""

    lost: Mapping[str, Any] = {"placed": 0}


class SaveLosesBottom(_SaveLoses):
    """A saved game puts the routes under the deck in pack order."""

    lost: Mapping[str, Any] = {}

    def _save(self, message: m.Save) -> m.SaveReply:
        self.lost = {"route_bottom": tuple(sorted(self.position.route_bottom))}
        return super()._save(message)


class SaveLosesArmies(_SaveLoses):
    """A saved game does not say how many Armies and Fleets the march going on has sent."""

    lost: Mapping[str, Any] = {"armies": 0, "fleets": 0, "either": 0, "led": 0}


class SaveLosesChoices(_SaveLoses):
    """A saved game does not say what has been chosen but not yet shown."""

    lost: Mapping[str, Any] = {}

    def _save(self, message: m.Save) -> m.SaveReply:
        self.lost = {"chosen": (0,) * len(self.position.hands)}
        return super()._save(message)


class OwnDice(Session):
    """An outcome of chance that is dictated is ignored; the first possible one is taken."""

    def _options_now(self) -> dict[str, Any]:
        right = super()._options_now()
        if self.game.actor(self.position) != -1:
            return right
        first = next(iter(right.values()))
        return dict.fromkeys(right, first)
