# ruff: noqa: D101, D102, D103
# mypy: ignore-errors
"""Fjords for two in plain Python: what stands here in place of your engine.  It knows no protocol."""

STEPS = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]
ROUNDS, FARMS, FIELDS = 3, 4, 20
OTHER = {"A": "B", "B": "A"}


def runs(sides, letters):
    """Each run of such sides round the border."""
    if all(side in letters for side in sides):
        return [list(range(6))]
    found = []
    for first in range(6):
        if sides[first] in letters and sides[first - 1] not in letters:
            last = first
            while sides[(last + 1) % 6] in letters:
                last += 1
            found.append(sorted(side % 6 for side in range(first, last + 1)))
    return found


def joined(sides, letters):
    return [[side for side in range(6) if sides[side] in letters]]


class Tile:
    def __init__(self, data):
        self.sides, centre = data["sides"], data["centre"]
        segments = data.get("segments") or (joined if centre == "F" else runs)(self.sides, "F")
        self.segments = sorted(map(sorted, segments), key=lambda part: (not part, part))
        self.land = data.get("land") or (runs if centre == "S" else joined)(self.sides, "FM")


class Game:
    def __init__(self, pack):
        self.tiles = {tile["id"]: Tile(tile) for tile in pack["tiles"]}
        self.all = [tile["id"] for tile in pack["tiles"] if not tile.get("start")]
        laid = next(a for a in pack["arrangements"] if a["name"] == "triangle")["tiles"]
        self.begin = {(tile["q"], tile["r"]): (tile["tile"], tile["turn"]) for tile in laid}
        self.points = []
        self.new_round(None)

    def new_round(self, starter):
        self.seat, self.phase = starter, "choose" if starter else "start"
        self.board, self.pile, self.open = dict(self.begin), list(self.all), []
        self.drawn = self.last = None
        self.from_pile = False
        self.farms, self.fields = {"A": [], "B": []}, {"A": [], "B": []}

    def actor(self):
        """A seat, "chance" or "over"."""
        return {"over": "over", "start": "chance", "deal": "chance"}.get(self.phase, self.seat)

    def legal(self):
        """The texts of what may be done next."""
        return getattr(self, "legal_" + self.phase)()

    def apply(self, text):
        """Do one of the legal actions."""
        word, *rest = text.split()
        getattr(self, "do_" + word)(*rest)

    def scores(self):
        """Points by seat, and the winners."""
        total = {seat: sum(points[seat] for points in self.points) for seat in "AB"}
        won = {seat: sum(points[seat] > points[OTHER[seat]] for points in self.points) for seat in "AB"}
        best = [s for s in "AB" if total[s] > total[OTHER[s]]] or [s for s in "AB" if won[s] >= 2]
        return total, best or ["A", "B"]

    # -- discovery: tiles and farms

    def fits(self, tile, turn, q, r):
        beside = [self.board.get((q + dq, r + dr)) for dq, dr in STEPS]
        if (q, r) in self.board or sum(map(bool, beside)) < 2:
            return False
        for side, laid in enumerate(beside):
            if laid and self.tiles[laid[0]].sides[(side + 3 - laid[1]) % 6] != tile.sides[(side - turn) % 6]:
                return False
        return all(any(beside[(side + turn) % 6] for side in part) for part in tile.land)

    def places(self, word, name):
        cells = sorted({(q + dq, r + dr) for q, r in self.board for dq, dr in STEPS})
        return [f"{word} {name} {q},{r} r{turn}" for q, r in cells for turn in range(6)
                if self.fits(self.tiles[name], turn, q, r)]  # fmt: skip

    def legal_start(self):
        return ["start A", "start B"]

    def do_start(self, seat):
        self.seat, self.phase = seat, "choose"

    def legal_choose(self):
        return ["draw"] * bool(self.pile) + [text for name in self.open for text in self.places("open", name)]

    def do_draw(self):
        self.phase = "deal"

    def legal_deal(self):
        return ["deal " + name for name in self.pile]

    def do_deal(self, name):
        self.pile.remove(name)
        self.drawn, self.phase = name, "drawn"

    def legal_drawn(self):
        return self.places("place", self.drawn) or ["aside"]

    def do_aside(self):
        self.open.append(self.drawn)
        self.phase = "choose"
        if not self.pile:
            self.next_field(self.seat)

    def do_place(self, name, cell, turn, from_pile=True):
        self.last, self.from_pile = tuple(map(int, cell.split(","))), from_pile
        self.board[self.last] = name, int(turn[1:])
        self.phase = "farm"
        if self.legal_farm() == ["nofarm"]:  # asked only where a farm is possible
            self.do_nofarm()

    def do_open(self, name, cell, turn):
        self.open.remove(name)
        self.do_place(name, cell, turn, from_pile=False)

    def legal_farm(self):
        segments = range(len(self.tiles[self.board[self.last][0]].segments))
        possible = len(self.farms[self.seat]) < FARMS
        return [f"farm {self.last[0]},{self.last[1]}/{n}" for n in segments if possible] + ["nofarm"]

    def do_farm(self, segment):
        self.farms[self.seat].append(segment)
        self.do_nofarm()

    def do_nofarm(self):
        self.phase, self.seat = "choose", OTHER[self.seat]
        if self.from_pile and not self.pile:
            self.next_field(self.seat)

    # -- land: fields

    def neighbours(self, segment):
        cell, number = segment.split("/")
        q, r = map(int, cell.split(","))
        name, turn = self.board[q, r]
        for side in self.tiles[name].segments[int(number)]:
            dq, dr = STEPS[(side + turn) % 6]
            laid = self.board.get((q + dq, r + dr))
            for n, part in enumerate(self.tiles[laid[0]].segments if laid else []):
                if (side + turn + 3 - laid[1]) % 6 in part:
                    yield f"{q + dq},{r + dr}/{n}"

    def can_field(self, seat):
        taken = {segment for pieces in (self.farms, self.fields) for own in pieces.values() for segment in own}
        own = self.farms[seat] + self.fields[seat] if len(self.fields[seat]) < FIELDS else []
        return sorted({segment for piece in own for segment in self.neighbours(piece)} - taken)

    def legal_land(self):
        return ["field " + segment for segment in self.can_field(self.seat)]

    def do_field(self, segment):
        self.fields[self.seat].append(segment)
        self.next_field(OTHER[self.seat])

    def next_field(self, seat):
        able = [who for who in (seat, OTHER[seat]) if self.can_field(who)]
        if able:
            self.seat, self.phase = able[0], "land"
            return
        a, b = (len(self.fields[who]) for who in "AB")
        self.points.append({"A": a, "B": b})
        if len(self.points) == ROUNDS:
            self.phase = "over"
        else:
            self.new_round(None if a == b else "A" if a < b else "B")
