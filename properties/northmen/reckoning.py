"""What a step of Northmen should lead to, reckoned anew from the record before it and the action's text.

Nothing here calls the model: cards and rulings are read from the pack, pieces from the record.  Steps
that end a phase bring several things at once (control, battles, plunder); they are worked off in the
order of the book, and each is kept so that checks can compare it.
"""

from __future__ import annotations

from typing import Any

from lawspeaker.properties.watching import Moment

Pieces = dict[str, list[list[int]]]
"""By place, then seat: cubes and Heroes."""

RALLY = ("play", "hire", "draw", "drawn")
PLANNING = ("buy", "buying", "keep", "hold")


def stage(record: dict[str, Any]) -> str:
    """Return the part of the round a record is in: dealing, rally, moving, routes, planning or over."""
    phase: str = record["phase"]
    if phase == "turn":
        return "rally" if record["card"] else "dealing"
    if phase in RALLY:
        return "rally"
    if phase in PLANNING:
        return "planning"
    return {"delay": "moving", "march": "moving", "complete": "routes", "over": "over"}.get(phase, "dealing")


ORDER = ("dealing", "rally", "moving", "routes", "planning", "over")


def crossed(moment: Moment, last: str) -> bool:
    """Say whether this step led past a part of the round, *last* being the last one before the line."""
    before, after = moment.record_before, moment.record_after
    if before["round"] != after["round"]:
        return False
    line = ORDER.index(last)
    return ORDER.index(stage(before)) <= line < ORDER.index(stage(after))


def card_of(game: Any, name: str) -> Any:
    """Return the pack's data of a card."""
    return next(card for card in game.pack.cards if card.id == name)


def places_token(game: Any, name: str) -> bool:
    """Say whether a card places a token with this number of players (R_MARK, R_BULGARIA)."""
    card, players = card_of(game, name), len(game.seats)
    if card.region is None or (card.region == "Bulgaria" and game.rulings["R_BULGARIA"] == "kingdom"):
        return False
    silent = {"none": (), "3-4": (3, 4), "4": (4,)}[card.mark]
    if game.rulings["R_MARK"] == "enable":
        return card.mark == "none" or players in silent
    return players not in silent


def triple(pieces: list[list[int]], seat: int, leader: int, clock: str = "from_leader") -> tuple[int, int, int]:
    """Return what decides a contest: pieces, then Heroes, then nearness to the Leader (larger is better)."""
    cubes, heroes = pieces[seat]
    distance = seat - leader if clock == "from_leader" else leader - seat
    return cubes + heroes, heroes, -(distance % len(pieces))


def winner(pieces: list[list[int]], leader: int, clock: str) -> int:
    """Return who has the largest triple."""
    return max(range(len(pieces)), key=lambda seat: triple(pieces, seat, leader, clock))


class Reckoning:
    """The table after the action itself, after control, and after battles and collection."""

    def __init__(self, moment: Moment) -> None:
        before, game = moment.record_before, moment.game
        self.game, self.rulings = game, game.rulings
        self.seats: list[str] = list(before["hands"])
        self.leader = self.seats.index(before["leader"])
        self.kingdoms: Pieces = {k: [list(pair) for pair in rows] for k, rows in before["kingdoms"].items()}
        self.regions: Pieces = {k: [list(pair) for pair in rows] for k, rows in before["regions"].items()}
        self.tokens, self.taken = dict(before["tokens"]), dict(before["taken"])
        self.infamy, self.reserve = dict(before["infamy"]), dict(before["reserve"])
        self._act(before, moment.record_after, game.text(moment.action))
        self.kingdoms_before: Pieces = {k: [list(pair) for pair in rows] for k, rows in self.kingdoms.items()}
        self.control: dict[str, str | None] | None = None
        if crossed(moment, "rally"):
            self.control = {kingdom: self._controlled(rows) for kingdom, rows in self.kingdoms.items()}
        self.fought: Pieces = {k: [list(pair) for pair in rows] for k, rows in self.regions.items()}
        self.before_collection = dict(self.tokens)
        if crossed(moment, "moving"):
            self._battles()
            self._collect()

    # -- the action itself ------------------------------------------------------------------------

    def _act(self, before: dict[str, Any], after: dict[str, Any], text: str) -> None:
        verb, _, rest = text.partition(" ")
        seat: str = before["seat"]
        if verb == "play":
            card = card_of(self.game, rest)
            number = self.placed(card, before["reserve"][seat])
            self.reserve[seat] -= number
            self.kingdoms[card.kingdom][self.seats.index(seat)][0] += number
            if after["phase"] != "hire":
                self._token(before, rest)
        elif verb in ("hire", "nohire"):
            if verb == "hire":
                self._pay(seat, 3)
                self.kingdoms[card_of(self.game, before["card"]).kingdom][self.seats.index(seat)][1] += 1
            self._token(before, before["card"])
        elif verb == "send":
            place, _, numbers = rest.rpartition(" ")
            for kind, moved in enumerate(numbers.split("+")):
                self.kingdoms[before["kingdom"]][self.seats.index(seat)][kind] -= int(moved)
                self.regions[place][self.seats.index(seat)][kind] += int(moved)
        elif verb in ("delay", "hold"):
            self._pay(seat, 5 if verb == "delay" else 1)
        elif verb == "buy":
            self._pay(seat, 3 * int(rest))

    def placed(self, card: Any, reserve: int) -> int:
        """Return how many cubes a card brings from a reserve (R_PARTIAL)."""
        symbols: int = card.soldiers + card.ships
        short = reserve < symbols and self.rulings["R_PARTIAL"] == "all_or_nothing"
        return 0 if short else min(symbols, reserve)

    def _pay(self, seat: str, price: int) -> None:
        self.reserve[seat] += price
        self.infamy[seat] -= price

    def _token(self, before: dict[str, Any], card: str) -> None:
        if places_token(self.game, card) and before["group"]:
            self.tokens[card_of(self.game, card).region] += 1

    # -- steps 1, 4 and 5 of the Marching Phase -----------------------------------------------------

    def _controlled(self, rows: list[list[int]]) -> str | None:
        """Find the controller; take the others off (SN-CTRL-01 to 09)."""
        if not any(map(any, rows)):
            return self.seats[self.leader] if self.rulings["R_EMPTY_KINGDOM"] == "leader" else None
        best = winner(rows, self.leader, self.rulings["R_CLOCK"])
        self._beaten(rows, best)
        return self.seats[best]

    def _beaten(self, rows: list[list[int]], best: int) -> None:
        for seat, row in enumerate(rows):
            if seat != best:
                self.infamy[self.seats[seat]] += row[0]
                row[:] = [0, 0]

    def _battles(self) -> None:
        for rows in self.regions.values():
            if sum(map(any, rows)) > 1:
                self._beaten(rows, winner(rows, self.leader, self.rulings["R_CLOCK"]))

    def _collect(self) -> None:
        heroes_too = self.rulings["R_COLLECT"] == "pieces"
        for region, rows in self.regions.items():
            for seat, (cubes, heroes) in enumerate(rows):
                if cubes or (heroes and heroes_too):
                    self.taken[self.seats[seat]] += self.tokens[region]
                    self.tokens[region] = 0


def reckoned(moment: Moment) -> Reckoning:
    """Return the reckoning of a step, worked out once for all checks."""
    found: Reckoning | None = moment.memo.get("northmen reckoning")
    if found is None:
        found = moment.memo["northmen reckoning"] = Reckoning(moment)
    return found
