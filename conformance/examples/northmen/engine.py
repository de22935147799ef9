# ruff: noqa: D101, D102
# mypy: ignore-errors
"""Saga of the Northmen for two, three and four players, written from the rulebook alone.

Seats, actions and the fields of the record are named as conformance/PROTOCOL.md names them. Every field of
the record is an attribute of ``Game``, so that a record can be read off a game and a game built from a record.
"""

SEATS = "ABCD"
STARTING_INFAMY = {2: (3, 6), 3: (3, 3, 3), 4: (5, 4, 3, 6)}
CUBES, HEROES, GROUP, ROUNDS = 30, 3, 15, 3
HAND, ROW, FIRST_ROUTES = 6, 3, 2
HERO_PRICE, DELAY_PRICE, ROUTES_PRICE, HOLD_PRICE = 3, 5, 3, 1
LANDLOCKED = ("Poland", "Holy Roman Empire")
MARKED = {"3-4": (3, 4), "4": (4,)}  # with so many players a card with this mark brings no token
CHANCE = ("deal", "turn", "routes", "drawn", "buying")


class Box:
    """What a pack describes: the map, the cards and the Trade Routes."""

    def __init__(self, data):
        self.borders = {k["id"]: k["borders"] for k in data["kingdoms"]}
        self.kingdoms = list(self.borders)  # in chart order
        self.regions = [r["id"] for r in data["regions"]]  # in map order
        self.cards = {c["id"]: c for c in data["cards"]}
        self.routes = {r["id"]: r for r in data["routes"]}
        self.places = {name: n for n, name in enumerate([*self.cards, *self.routes])}

    def sort(self, cards):
        return sorted(cards, key=self.places.__getitem__)

    def token_region(self, card, players):
        """The region that gets a token when this card is played, or None."""
        mark = self.cards[card].get("mark")
        if mark in MARKED and players in MARKED[mark]:
            return None
        return self.cards[card].get("region")

    def way(self, kingdom, region):
        """What can go from a Kingdom to a region: ``armies``, ``fleets``, ``either``, or None."""
        army, fleet = region in self.borders[kingdom], region not in LANDLOCKED
        if army and fleet:
            return "either"
        return "armies" if army else "fleets" if fleet else None


class Game:
    def __init__(self, box, seats):
        self.box, self.seats = box, list(seats)
        self.round, self.phase, self.leader, self.seat = 1, "deal", self.seats[0], None
        self.deck, self.row, self.discard = list(box.cards), [], []
        self.hands, self.piles = self.for_seats(list), self.for_seats(list)
        self.tops = self.for_seats(lambda: None)
        self.kingdoms = {k: self.for_seats(lambda: [0, 0]) for k in box.kingdoms}
        self.regions = {r: self.for_seats(lambda: [0, 0]) for r in box.regions}
        self.tokens = dict.fromkeys(box.regions, 0)
        self.infamy = dict(zip(self.seats, STARTING_INFAMY[len(self.seats)], strict=True))
        self.reserve = {s: CUBES - self.infamy[s] for s in self.seats}
        self.heroes, self.taken = self.for_seats(lambda: HEROES), self.for_seats(int)
        self.group, self.unplaced = GROUP, 0
        self.card, self.placed = None, 0
        self.control = dict.fromkeys(box.kingdoms)
        self.times = self.for_seats(lambda: None)
        self.kingdom, self.second_pass, self.region = None, False, None
        self.armies = self.fleets = self.either = self.led = 0
        self.route_deck, self.route_bottom = list(box.routes), []
        self.route_hands, self.routes_done, self.chosen = (self.for_seats(list) for _ in range(3))
        self.asked, self.drawn, self.kept, self.pairs, self.held = None, [], [], 0, []
        self.deal_hands()

    def for_seats(self, make):
        return {s: make() for s in self.seats}

    def clockwise(self):
        """The seats, clockwise from the Leader."""
        first = self.seats.index(self.leader)
        return self.seats[first:] + self.seats[:first]

    # -- what a caller needs

    def actor(self):
        return "over" if self.phase == "over" else "chance" if self.phase in CHANCE else self.seat

    def legal(self):
        """The actions of the player to act, or the outcomes that chance may bring."""
        return getattr(self, "legal_" + self.phase)()

    def apply(self, action):
        """Do an action out of ``legal()``."""
        verb, _, rest = action.partition(" ")
        getattr(self, "do_" + verb)(rest) if rest else getattr(self, "do_" + verb)()

    def legal_over(self):
        return []

    # -- dealing

    def deal_hands(self):
        for seat in self.clockwise():
            if len(self.hands[seat]) < HAND and self.deck:
                self.phase, self.seat = "deal", seat
                return
        self.fill_row()

    def fill_row(self):
        turn_is_on = any(self.piles.values())  # else the round's first row is laid
        if len(self.row) < ROW and self.deck:
            self.phase, self.seat = "turn", self.seat if turn_is_on else None
        elif turn_is_on:
            self.next_rally_turn()
        else:
            self.deal_routes()

    def deal_routes(self):
        if self.round == 1:
            for seat in self.clockwise():
                if len(self.route_hands[seat]) < FIRST_ROUTES:
                    self.phase, self.seat = "routes", seat
                    return
        self.next_rally_turn()

    def legal_deal(self):
        return ["deal " + c for c in self.deck]

    legal_drawn = legal_deal

    def legal_turn(self):
        return ["turn " + c for c in self.deck]

    def legal_routes(self):
        return ["route " + r for r in self.route_deck or self.route_bottom_top()]

    legal_buying = legal_routes

    def route_bottom_top(self):
        return [route for route, _ in self.route_bottom[:1]]

    def do_deal(self, card):
        self.deck.remove(card)
        self.hands[self.seat] = self.box.sort([*self.hands[self.seat], card])
        if self.phase == "deal":
            self.deal_hands()
        else:
            self.next_rally_turn()

    def do_turn(self, card):
        self.deck.remove(card)
        self.row = self.box.sort([*self.row, card])
        self.fill_row()

    def do_route(self, route):
        if self.route_deck:
            self.route_deck.remove(route)
        else:
            self.route_bottom.pop(0)
        if self.phase == "routes":
            self.route_hands[self.seat] = self.box.sort([*self.route_hands[self.seat], route])
            self.deal_routes()
            return
        self.drawn = self.box.sort([*self.drawn, route])
        if len(self.drawn) == 2 * self.pairs:
            self.phase = "keep"

    # -- Rally Phase

    def next_rally_turn(self):
        self.card, self.placed = None, 0
        played = sum(len(pile) for pile in self.piles.values())
        self.phase, self.seat = "play", self.clockwise()[played % len(self.seats)]

    def legal_play(self):
        return ["play " + c for c in self.hands[self.seat]]

    def do_play(self, card):
        seat, shown = self.seat, self.box.cards[card]
        self.hands[seat].remove(card)
        self.piles[seat] = self.box.sort([*self.piles[seat], card])
        self.tops[seat] = card
        self.card = card
        self.placed = min(shown["soldiers"] + shown["ships"], self.reserve[seat])
        self.reserve[seat] -= self.placed
        self.kingdoms[shown["kingdom"]][seat][0] += self.placed
        if self.placed and self.heroes[seat] and self.infamy[seat] >= HERO_PRICE:
            self.phase = "hire"
        else:
            self.place_token()

    def legal_hire(self):
        return ["hire", "nohire"]

    def do_hire(self):
        self.pay(HERO_PRICE)
        self.heroes[self.seat] -= 1
        self.kingdoms[self.box.cards[self.card]["kingdom"]][self.seat][1] += 1
        self.place_token()

    def do_nohire(self):
        self.place_token()

    def pay(self, price):
        self.infamy[self.seat] -= price
        self.reserve[self.seat] += price

    def place_token(self):
        region = self.box.token_region(self.card, len(self.seats))
        if region:
            self.tokens[region] += 1
            self.group -= 1
            if self.group == 0:  # the Rally Phase ends at once, without a draw
                self.determine_control()
                return
        if self.deck or self.row:
            self.phase = "draw"
        else:
            self.next_rally_turn()

    def legal_draw(self):
        return ["take " + c for c in self.row] + (["draw"] if self.deck else [])

    def do_take(self, card):
        self.row.remove(card)
        self.hands[self.seat] = self.box.sort([*self.hands[self.seat], card])
        self.fill_row()

    def do_draw(self):
        self.phase = "drawn"

    # -- Marching Phase: control and movement

    def strongest(self, pieces):
        """Who has most pieces, then most Heroes, then sits first clockwise from the Leader; None without pieces."""
        order = self.clockwise()
        best = max(order, key=lambda s: (sum(pieces[s]), pieces[s][1], -order.index(s)))
        return best if sum(pieces[best]) else None

    def beat(self, pieces, winner):
        """All but the winner take their pieces away; their cubes become Infamy."""
        for seat in self.seats:
            if seat != winner:
                self.infamy[seat] += pieces[seat][0]
                self.heroes[seat] += pieces[seat][1]
                pieces[seat] = [0, 0]

    def determine_control(self):
        self.card, self.placed = None, 0
        for kingdom, pieces in self.kingdoms.items():
            self.control[kingdom] = self.strongest(pieces)
            self.beat(pieces, self.control[kingdom])
        self.next_kingdom()

    def next_kingdom(self):
        chart = self.box.kingdoms
        after = chart.index(self.kingdom) + 1 if self.kingdom else 0
        for kingdom in chart[after:]:
            owner = self.control[kingdom]
            if owner is None or (self.second_pass and self.times[owner] != kingdom):
                continue
            self.kingdom, self.seat = kingdom, owner
            if not self.second_pass and not self.times[owner] and self.infamy[owner] >= DELAY_PRICE:
                self.phase = "delay"
            else:
                self.begin_march()
            return
        if not self.second_pass:
            self.kingdom, self.second_pass = None, True
            self.next_kingdom()
        else:
            self.fight_battles()

    def legal_delay(self):
        return ["delay", "nodelay"]

    def do_delay(self):
        self.pay(DELAY_PRICE)
        self.times[self.seat] = self.kingdom
        self.next_kingdom()

    def do_nodelay(self):
        self.begin_march()

    def begin_march(self):
        self.phase = "march"
        self.next_region(self.box.regions)

    def next_region(self, regions):
        """Ask about the first of these regions to which anything can go; end the march if nothing is left."""
        if sum(self.kingdoms[self.kingdom][self.seat]) == 0:
            self.region = None
            self.armies = self.fleets = self.either = self.led = 0
            self.next_kingdom()
            return
        self.region = next(r for r in regions if any(amount != (0, 0) for amount in self.amounts(r)))

    def amounts(self, region):
        """The numbers of cubes and Heroes that can go to a region so that all others can still leave."""
        way = self.box.way(self.kingdom, region)
        cubes, heroes = self.kingdoms[self.kingdom][self.seat]
        later = self.box.regions[self.box.regions.index(region) + 1 :]
        ways = {self.box.way(self.kingdom, r) for r in later} - {None}
        return [
            (some, led)
            for some in (range(cubes + 1) if way else [0])
            for led in (range(heroes + 1) if way else [0])
            if self.rest_can_leave(way, some, cubes - some, ways) and (ways or led == heroes)
        ]

    def rest_can_leave(self, way, some, rest, ways):
        """Whether the symbols allow some cubes this way, and the rest of the cubes by the ways still to come."""
        for by_army in range(rest + 1 if "armies" in ways else 1):
            for by_fleet in range(rest - by_army + 1 if "fleets" in ways else 1):
                by_both = rest - by_army - by_fleet
                sent = {"armies": by_army, "fleets": by_fleet, "either": by_both, None: 0}
                sent[way] += some
                if (by_both == 0 or "either" in ways) and self.symbols_allow(sent):
                    return True
        return False

    def symbols_allow(self, sent):
        cards = [self.box.cards[c] for c in self.piles[self.seat]]
        soldiers = sum(c["soldiers"] for c in cards if c["kingdom"] == self.kingdom)
        ships = sum(c["ships"] for c in cards if c["kingdom"] == self.kingdom)
        armies, fleets = self.armies + sent["armies"], self.fleets + sent["fleets"]
        together = armies + fleets + self.either + sent["either"]
        return armies <= soldiers and fleets <= ships and together <= soldiers + ships

    def legal_march(self):
        return [f"send {self.region} {cubes}+{heroes}" for cubes, heroes in self.amounts(self.region)]

    def do_send(self, rest):
        region, _, amount = rest.rpartition(" ")
        cubes, heroes = (int(n) for n in amount.split("+"))
        for place, sign in ((self.kingdoms[self.kingdom], -1), (self.regions[region], 1)):
            place[self.seat][0] += sign * cubes
            place[self.seat][1] += sign * heroes
        way = self.box.way(self.kingdom, region)
        setattr(self, way, getattr(self, way) + cubes)
        self.led += heroes
        self.next_region(self.box.regions[self.box.regions.index(region) + 1 :])

    # -- Marching Phase: battles, plunder, routes

    def fight_battles(self):
        self.kingdom, self.second_pass = None, False
        for region, pieces in self.regions.items():
            winner = self.strongest(pieces)
            self.beat(pieces, winner)
            if winner and pieces[winner][0]:  # only cubes collect
                self.taken[winner] += self.tokens[region]
                self.tokens[region] = 0
        self.ask_route(self.clockwise(), None)

    def ask_route(self, seats, after):
        """Ask the first of these seats that has a route (after the one named, for the first seat) to be asked about."""
        for seat in seats:
            routes = self.route_hands[seat]
            left = routes[routes.index(after) + 1 :] if after else routes
            after = None
            if left:
                self.phase, self.seat, self.asked = "complete", seat, left[0]
                return
        self.end_march()

    def legal_complete(self):
        route = self.box.routes[self.asked]
        done = self.control[route["kingdom"]] == self.seat and self.regions[route["region"]][self.seat][0]
        return (["complete " + self.asked] if done else []) + ["withhold " + self.asked]

    def do_complete(self, route):
        self.chosen[self.seat].append(route)
        self.do_withhold(route)

    def do_withhold(self, route):
        order = self.clockwise()
        self.ask_route(order[order.index(self.seat) :], route)

    def end_march(self):
        self.asked = None
        for seat in self.seats:
            self.routes_done[seat] = self.box.sort(self.routes_done[seat] + self.chosen[seat])
            self.route_hands[seat] = [r for r in self.route_hands[seat] if r not in self.chosen[seat]]
            self.chosen[seat] = []
            self.times[seat] = None
        for pieces in self.regions.values():
            for seat, (cubes, heroes) in pieces.items():
                self.reserve[seat] += cubes
                self.heroes[seat] += heroes
                pieces[seat] = [0, 0]
        self.control = dict.fromkeys(self.box.kingdoms)
        self.phase, self.seat = "buy", self.leader

    # -- Planning Phase

    def legal_buy(self):
        cards = len(self.route_deck) + len(self.route_bottom)
        can_buy = self.infamy[self.seat] >= ROUTES_PRICE and cards >= 2
        return (["buy 1"] if can_buy else []) + self.legal_hold()

    def legal_hold(self):
        last = self.box.places[self.held[-1]] if self.held else -1
        cards = [c for c in self.hands[self.seat] if self.box.places[c] > last]
        return (["hold " + c for c in cards] if self.infamy[self.seat] >= HOLD_PRICE else []) + ["done"]

    def do_buy(self, number):
        self.pay(ROUTES_PRICE * int(number))
        self.phase, self.pairs = "buying", int(number)

    def legal_keep(self):
        return ["keep " + r for r in self.drawn]

    def do_keep(self, route):
        self.route_hands[self.seat] = self.box.sort([*self.route_hands[self.seat], route])
        self.route_bottom += [[r, self.seat] for r in self.drawn if r != route]
        self.phase, self.drawn, self.pairs = "buy", [], 0

    def do_hold(self, card):
        self.pay(HOLD_PRICE)
        self.held.append(card)
        self.phase = "hold"

    def do_done(self):
        self.discard = self.box.sort(self.discard + [c for c in self.hands[self.seat] if c not in self.held])
        self.hands[self.seat], self.held = self.held, []
        order = self.clockwise()
        if self.seat != order[-1]:
            self.phase, self.seat = "buy", order[order.index(self.seat) + 1]
        elif self.round == ROUNDS:
            self.phase, self.seat = "over", None
        else:
            self.next_round()

    def next_round(self):
        self.round += 1
        self.leader = self.clockwise()[1]
        held = [c for hand in self.hands.values() for c in hand]
        self.deck = [c for c in self.box.cards if c not in held]
        self.row, self.discard = [], []
        self.piles, self.tops = self.for_seats(list), self.for_seats(lambda: None)
        self.unplaced += self.group
        self.group = GROUP
        self.deal_hands()

    # -- the end

    def scores(self):
        """Points by seat, and the winners."""
        most = max(self.infamy.values())
        points = {}
        for seat, routes in self.routes_done.items():
            bonus = 1 + len(routes) if self.infamy[seat] == most else 0
            points[seat] = self.taken[seat] + sum(self.box.routes[r]["value"] for r in routes) + bonus
        best = max((points[s], self.infamy[s]) for s in self.seats)
        return points, [s for s in self.seats if (points[s], self.infamy[s]) == best]
