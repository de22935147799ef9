"""What the piles of played cards have to be like for a position that a scenario gives in part."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from lawspeaker.model.core.errors import BadInput
from lawspeaker.model.northmen.position import bits

from .given import Given, Ints
from .piles import ANY, Suit, Wish, find

GROUP, CUBES, DELAY, HERO = 15, 30, 5, 3
START = {2: (3, 6), 3: (3, 3, 3), 4: (5, 4, 3, 6)}


class Table:
    """The given fields with the piles that explain them; ``turns`` is the number of Rally turns begun."""

    def __init__(self, given: Given) -> None:
        self.given, self.n, self.tables = given, given.n, given.tables
        self.kingdoms, self.regions = given.pieces("kingdoms"), given.pieces("regions")
        self.card = given.one("card", lambda name, where: given.number(name, self.tables.names.card, where))
        self.kingdom = given.one("kingdom", given.kingdom)
        self.seat = given.one("seat", given.seat_number)
        if self.card >= 0 and self.seat < 0:
            self.seat = given.leader
        self.laid = self._laid()
        self.owners = self._owners()
        self.piles: Ints = (0,) * self.n
        self.turns = 0
        if given.stage != "dealing":
            self._find_piles()

    def _laid(self) -> dict[int, int]:
        """Return the given piles, the card being played among them."""
        laid = self.given.card_sets("piles")
        if self.card >= 0 and self.seat in laid:
            laid[self.seat] |= 1 << self.card
        return laid

    # -- the Marching Phase: whose is what ------------------------------------------------------------

    def _owners(self) -> dict[int, int]:
        """Return who controls the Kingdoms of which something is given."""
        found = {}
        for kingdom, pieces in self.kingdoms.items():
            here = [seat for seat, (cubes, heroes) in enumerate(pieces) if cubes or heroes]
            found[kingdom] = here[0] if here else -1
        return found | self.given.control

    def waits(self, kingdom: int) -> bool:
        """Say whether a Kingdom's turn to march is still to come."""
        given = self.given
        if given.phase == "complete":
            return False
        if kingdom == self.kingdom:
            return given.phase == "delay"
        delayed = kingdom in given.times.values()
        if given.fields.get("second_pass"):
            return delayed and kingdom > self.kingdom
        return delayed or kingdom > self.kingdom

    def sent(self) -> tuple[int, int]:
        """Return cubes and Heroes sent in the march that goes on."""
        fields = self.given.fields
        return sum(fields.get(name, 0) for name in ("armies", "fleets", "either")), fields.get("led", 0)

    # -- wishes -----------------------------------------------------------------------------------------

    def _find_piles(self) -> None:
        given = self.given
        if not given.dealt:
            found = find(self.tables, self._wish(None))
            if found is not None:
                self._settle(found)
                return
        for turns in range(len(self.tables.names.cards) + 1) if given.dealt else ():
            if self._turn_fits(turns):
                self.turns = turns
                found = find(self.tables, self._wish(tuple(self.share(turns, seat) for seat in range(self.n))))
                if found is not None:
                    self._settle(found)
                    return
        raise BadInput(
            f"no cards explain this position ({', '.join(sorted(given.fields)) or 'nothing given'})", where="$.piles",
            hint="give piles, or a number of cubes, tokens or turns that cards of the pack can bring",
        )  # fmt: skip

    def _settle(self, piles: Ints) -> None:
        self.piles, self.turns = piles, sum(pile.bit_count() for pile in piles)

    def share(self, turns: int, seat: int) -> int:
        """Return how many of the first so many Rally turns are a seat's."""
        return (turns + self.n - 1 - self.given.chair(seat)) // self.n

    def _turn_fits(self, turns: int) -> bool:
        """Say whether so many turns fit the seat that has the turn, and the deck that is given."""
        given = self.given
        begun = given.phase != "play"
        if turns < self._token_range()[0]:
            return False
        if given.stage == "rally" and begun and not turns:
            return False
        if given.stage == "rally" and self.seat >= 0 and (given.leader + turns - begun - self.seat) % self.n:
            return False
        if "deck" not in given.fields:
            return True
        self.turns = turns
        rest = len(self.tables.names.cards) - turns - sum(self.hands_due())
        due = len(given.fields["row"]) if "row" in given.fields else self.row_due()
        deck = len(given.fields["deck"])
        return rest == deck + due if deck or "row" in given.fields else 0 <= rest <= due

    def row_due(self) -> int:
        """Return how many cards lie face up while the deck lasts."""
        return {"deal": 0, "turn": 2}.get(self.given.phase, 3)

    def hands_due(self) -> Ints:
        """Return the size of each hand after so many turns, when all hands were full at first."""
        given, turns = self.given, self.turns
        most = len(self.tables.names.cards) - given.game.hand_size * self.n
        draws = min(turns - (given.phase in ("hire", "draw", "drawn")), most) if turns else 0
        if turns and given.stage in ("marching", "planning", "over") and self._cut():
            draws = min(turns - 1, most)
        return tuple(6 - self.share(turns, seat) + self.share(draws, seat) for seat in range(self.n))

    def _cut(self) -> bool:
        """Say whether the Rally Phase ended before its last player drew."""
        return self.given.ruled("R_RALLY_END", "immediate") and not self.given.fields.get("group")

    def _wish(self, counts: Ints | None) -> Wish:
        suits = tuple(sorted(self._suits(), key=lambda suit: suit.seat))
        named = {(suit.seat, suit.kingdom) for suit in suits}
        base = [0] * self.n
        for seat, cards in self.laid.items():
            base[seat] = sum(1 << c for c in bits(cards) if (seat, self.tables.suit[c]) not in named)
        if self.card >= 0 and (self.seat, self.tables.suit[self.card]) not in named:
            base[self.seat] |= 1 << self.card
        return Wish(
            base=tuple(base), suits=suits, barred=self._elsewhere(), fillers=self._fillers(), counts=counts,
            tokens=self._token_range(), regions=tuple(self._region_range(r) for r in range(self.tables.r)),
            unplaced=1 << self.card if self.given.phase == "hire" else 0,
            budget=tuple(CUBES - self.infamy(seat) for seat in range(self.n)), fits=self._fits,
        )  # fmt: skip

    def infamy(self, seat: int) -> int:
        """Return the Infamy given, or what a seat began with, less three for each Hero on the board.

        Who is asked about a delay or a Hero has the price of it.
        """
        given = self.given.by_seat("infamy")
        if seat in given:
            return int(given[seat])
        reserve = self.given.by_seat("reserve")
        if seat in reserve:
            return 0
        led = sum(pieces[seat][1] for place in (self.kingdoms, self.regions) for pieces in place.values())
        marked = DELAY if self.given.times.get(seat, -1) >= 0 else 0
        return max(self._price(seat), START[self.n][seat] - HERO * led - marked)

    def _price(self, seat: int) -> int:
        """Return what a seat has to be able to pay to be asked what it is asked."""
        if self.given.phase == "delay" and self.owners.get(self.kingdom) == seat:
            return DELAY
        return HERO if self.given.phase == "hire" and self.seat == seat else 0

    def _elsewhere(self) -> int:
        """Return the cards that are given a place beside the piles."""
        given = self.given
        found = 0
        for field in ("deck", "row", "discard", "held"):
            found |= given.cards(given.fields.get(field, ()), f"$.{field}")
        for cards in given.card_sets("hands").values():
            found |= cards
        return found

    def _suits(self) -> Iterator[Suit]:
        given = self.given
        if given.stage not in ("rally", "marching"):
            return
        kept = given.round > 1 and given.ruled("R_MUST_MOVE", "may")
        for kingdom in range(self.tables.k):
            for seat in range(self.n):
                own = self.laid.get(seat, 0) & self.tables.suit_cards[kingdom]
                suit = (
                    None
                    if kept
                    else self._rallied(seat, kingdom)
                    if given.stage == "rally"
                    else self._sent_by(seat, kingdom)
                )
                if own and kingdom in self.owners:
                    yield Suit(seat, kingdom, cards=own)
                elif suit is not None:
                    yield suit

    def _rallied(self, seat: int, kingdom: int) -> Suit | None:
        """Return the cards that brought what a seat has in a Kingdom in the Rally Phase."""
        cubes, heroes = self.kingdoms[kingdom][seat] if kingdom in self.kingdoms else (0, 0)
        if not cubes and not heroes:
            return None
        playing = self.card >= 0 and seat == self.seat and self.tables.suit[self.card] == kingdom
        least = heroes + (playing and self.given.phase == "hire")
        return Suit(seat, kingdom, (cubes, cubes), least, among=1 << self.card if playing else 0)

    def _sent_by(self, seat: int, kingdom: int) -> Suit | None:
        """Return the cards that explain a Kingdom under a seat's control in the Marching Phase."""
        if self.owners.get(kingdom, -1) != seat:
            return None
        cubes, heroes = self.kingdoms[kingdom][seat] if kingdom in self.kingdoms else (0, 0)
        if kingdom == self.kingdom and self.given.phase == "march":
            sent, led = self.sent()
            return Suit(seat, kingdom, (cubes + sent, cubes + sent), max(1, heroes + led))
        if self.waits(kingdom) and kingdom in self.kingdoms:
            return Suit(seat, kingdom, (cubes, cubes), max(1, heroes))
        empty = self.given.ruled("R_EMPTY_KINGDOM", "leader") and seat == self.given.leader
        return None if empty else Suit(seat, kingdom, least=1)

    def _fillers(self) -> int:
        """Return the cards that anybody may have played: of suits of which nothing is given."""
        found = 0
        for kingdom, cards in enumerate(self.tables.suit_cards):
            free = kingdom not in self.owners
            if self.given.phase in ("delay", "march"):
                free = free and self.waits(kingdom)
            found |= cards if free else 0
        return found

    def _token_range(self) -> tuple[int, int]:
        group = self.given.fields.get("group")
        if group is not None:
            return GROUP - group, GROUP - group
        if self.given.stage == "rally":
            return 0, GROUP - 1
        full = self.tables.token_cards.bit_count() >= GROUP
        return (GROUP, GROUP) if full else (0, GROUP)

    def _region_range(self, region: int) -> tuple[int, int]:
        tokens = self.given.tokens.get(region)
        if tokens is None or (tokens == 0 and self.given.stage not in ("rally", "marching")):
            return ANY
        if any(cubes for cubes, _ in self.regions.get(region, ())) and self.given.phase == "complete":
            return ANY
        before = (self.given.round - 1) * self.tables.token.count(region)
        return max(0, tokens - before), tokens

    def _fits(self, seat: int, pile: int) -> bool:
        """Say whether cards that a seat played can have brought to the regions what it has there."""
        if self.given.stage != "marching":
            return True
        cubes = {region: pieces[seat][0] for region, pieces in self.regions.items() if pieces[seat][0]}
        return all(
            sum(cubes[r] for r in some) <= self._carried(seat, pile, sum(1 << r for r in some))
            for size in range(1, len(cubes) + 1)
            for some in combinations(cubes, size)
        )

    def _carried(self, seat: int, pile: int, regions: int) -> int:
        """Return the most cubes that a seat's marches can have brought to some regions (bits)."""
        total = 0
        for kingdom, owner in self.owners.items():
            going = kingdom == self.kingdom and self.given.phase == "march"
            if owner == seat and (going or not self.waits(kingdom)):
                soldiers, ships = self.tables.symbols(pile, kingdom)
                total += self.tables.capacity(kingdom, regions, (soldiers, ships, soldiers + ships))
        return total
