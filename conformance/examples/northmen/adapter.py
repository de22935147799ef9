# ruff: noqa: D101, D102, D103, T201
# mypy: ignore-errors
"""An adapter of level 2 around ``engine.py``: ``python adapter.py [PACK.yaml]``."""

import copy
import hashlib
import json
import sys
from itertools import chain
from pathlib import Path

import yaml
from engine import CUBES, GROUP, HEROES, ROUNDS, SEATS, Box, Game

PACK = Path(__file__).parents[3] / "model" / "northmen" / "packs" / "estimated.yaml"
FIELDS = [
    "round", "phase", "leader", "seat", "deck", "row", "discard", "hands", "piles", "tops", "kingdoms", "regions",
    "tokens", "reserve", "infamy", "heroes", "taken", "group", "unplaced", "card", "placed", "control", "times",
    "kingdom", "second_pass", "region", "armies", "fleets", "either", "led", "route_deck", "route_bottom",
    "route_hands", "routes_done", "chosen", "asked", "drawn", "kept", "pairs", "held",
]  # fmt: skip
RULINGS = {
    "R_BULGARIA": "neutral", "R_CONTROL_SPAN": "frozen", "R_NO_CARD": "reject", "R_DECK_EMPTY": "shrink",
    "R_EMPTY_KINGDOM": "none", "R_COLLECT": "cubes", "R_ROUTE_PIECE": "cubes", "R_MUST_MOVE": "must",
    "R_HERO_STAY": "must", "R_DISCARD": "always", "R_PARTIAL": "partial", "R_HERO_ZERO": "needs_cube",
    "R_CLOCK": "from_leader", "R_R3_PLAN": "played", "R_BONUS_ZERO": "pay", "R_ROUTE_BATCH": "sequential",
    "R_ROUTE_SHORT": "refuse", "R_ROUTE_ORIGIN": "any", "R_STUCK": "map_constraint", "R_MARK": "suppress",
    "R_LANDLOCK": "exhaustive", "R_COVERED": "mask", "R_RALLY_END": "immediate", "R_FIFTEEN": "group",
    "R_FINAL_TIE": "shared",
}  # fmt: skip

OFFERED = ["legal", "outcomes", "result", "state", "digest", "view", "undo", "save", "setup", "options", "compound"]


class Refused(Exception):
    """An error of the protocol, with its number and its name."""


def record_of(game):
    """The position as a record; kingdoms and regions list ``[cubes, heroes]`` seat by seat."""
    record = {name: copy.deepcopy(getattr(game, name)) for name in FIELDS}
    for part in ("kingdoms", "regions"):
        record[part] = {place: list(pieces.values()) for place, pieces in record[part].items()}
    return {**record, "origins": {kingdom: [] for kingdom in game.box.kingdoms}}


def game_of(box, seats, record):
    """The game whose record this is."""
    game = Game(box, seats)
    for name in FIELDS:
        setattr(game, name, copy.deepcopy(record[name]))
    for part in ("kingdoms", "regions"):
        setattr(game, part, {p: dict(zip(seats, pieces, strict=True)) for p, pieces in getattr(game, part).items()})
    return game


def faults_of(game):
    """What makes a position impossible: pieces too many or too few."""
    cards = chain(game.deck, game.row, game.discard, *game.hands.values(), *game.piles.values())
    if sorted(cards) != sorted(game.box.cards):
        yield "each Influence Card is in one place"
    under = [route for route, _ in game.route_bottom]
    routes = chain(game.route_deck, under, game.drawn, *game.route_hands.values(), *game.routes_done.values())
    if sorted(routes) != sorted(game.box.routes):
        yield "each Trade Route is in one place"
    for seat in game.seats:
        pieces = [place[seat] for place in (*game.kingdoms.values(), *game.regions.values())]
        if sum(cubes for cubes, _ in pieces) + game.reserve[seat] + game.infamy[seat] != CUBES:
            yield f"{seat} has {CUBES} cubes"
        if sum(heroes for _, heroes in pieces) + game.heroes[seat] != HEROES:
            yield f"{seat} has {HEROES} Heroes"
        if game.chosen[seat] != [r for r in game.route_hands[seat] if r in game.chosen[seat]]:
            yield f"{seat} chose routes of his hand, each once"
    if game.held != [c for c in game.hands.get(game.seat, []) if c in game.held]:
        yield "the cards held are in the hand, each once"
    tokens = sum(game.tokens.values()) + sum(game.taken.values())
    if game.round not in range(1, ROUNDS + 1) or tokens + game.group + game.unplaced != GROUP * game.round:
        yield "each group has 15 Plunder Tokens"
    numbers = [game.group, game.unplaced, *game.tokens.values(), *game.taken.values(), *game.reserve.values()]
    numbers += [*game.infamy.values(), *game.heroes.values()]
    if min(numbers) < 0:
        yield "nothing is less than nothing"


def shown_cards(game, seat):
    """The cards of a seat's pile that all may see: the top, and those of its Kingdoms that began to move."""
    chart = game.box.kingdoms
    shown = {game.tops[seat]}
    for kingdom in (k for k in chart if game.control[k] == seat):
        delayed = kingdom in game.times.values()
        begun = game.phase != "delay"
        if game.kingdom:  # in the movement steps: what comes later on the chart has not moved
            there, now = chart.index(kingdom), chart.index(game.kingdom)
            if game.second_pass:
                begun = not delayed or there <= now
            else:
                begun = not delayed and (there < now or (there == now and game.phase == "march"))
        if begun:
            shown |= {c for c in game.piles[seat] if game.box.cards[c]["kingdom"] == kingdom}
    return [c for c in game.piles[seat] if c in shown]


def view_of(game, you):
    """The record as one seat sees it: numbers or null in place of what is hidden."""
    view = record_of(game)
    for field in ("deck", "discard", "route_deck"):
        view[field] = len(view[field])
    for seat in game.seats:
        if seat != you:
            view["hands"][seat] = len(game.hands[seat])
            view["route_hands"][seat] = len(game.route_hands[seat])
            view["piles"][seat] = shown_cards(game, seat)
            view["chosen"][seat] = None
    if game.seat != you:
        view["asked"] = None
        for field in ("drawn", "kept", "held"):
            view[field] = len(view[field])
    view["route_bottom"] = [[route if who == you else None, who] for route, who in game.route_bottom]
    return {"you": you, **view}


def parts_of(game, text):
    """The actions that a compound text stands for, or None if it stands for none here."""
    verb, _, rest = text.partition(" ")
    names = [] if rest == "none" else rest.split(" ")
    if verb == "routes" and game.phase == "complete" and game.asked == game.route_hands[game.seat][0]:
        hand = game.route_hands[game.seat]
        if names == [r for r in hand if r in names]:
            return [("complete " if r in names else "withhold ") + r for r in hand]
    if verb == "holds" and game.phase in ("buy", "hold") and not game.held:
        return ["hold " + card for card in names] + ["done"]
    if verb == "march" and game.phase == "march" and rest.startswith(game.kingdom + ": "):
        return march_parts(game, rest.removeprefix(game.kingdom + ": "))
    return None


def march_parts(game, listed):
    trial = copy.deepcopy(game)
    trial.begin_march()
    if trial.region != game.region or game.armies + game.fleets + game.either + game.led:
        return None  # the march has begun already
    wanted = [] if listed == "none" else listed.split(", ")
    parts, seat, kingdom = [], game.seat, game.kingdom
    while (trial.seat, trial.kingdom, trial.phase) == (seat, kingdom, "march"):
        sends = wanted and wanted[0].rpartition(" ")[0] == trial.region and not wanted[0].endswith(" 0+0")
        action = "send " + (wanted.pop(0) if sends else trial.region + " 0+0")
        if action not in trial.legal():
            return None
        trial.apply(action)
        parts.append(action)
    return None if wanted else parts


class Adapter:
    def __init__(self, pack):
        self.box, self.pack = Box(pack), pack["id"]
        self.game, self.seats, self.steps, self.past = None, None, 0, []

    def hello(self, params):
        if params["game"] != "northmen":
            raise Refused(-32006, "unknown_game")
        offered = {**dict.fromkeys(OFFERED, True), "chance": ["dictated"]}
        return {"protocol": 1, "name": "northmen in plain Python", "version": "1", "games": ["northmen"],
                "level": 2, "capabilities": offered}  # fmt: skip

    def options(self, params):
        for ruling, value in params.get("rulings", {}).items():
            if ruling not in RULINGS:
                raise Refused(-32003, "unknown_ruling")
            if RULINGS[ruling] != value:
                raise Refused(-32004, "unknown_value")
        if params.get("pack"):
            if not params["pack"].get("data"):
                raise Refused(-32005, "unknown_pack")
            self.box, self.pack = Box(params["pack"]["data"]), params["pack"]["id"]
        return {"rulings": RULINGS, "pack": self.pack}

    def seats_in(self, params):
        seats = params.get("players") or self.seats
        if seats is None or len(seats) not in (2, 3, 4) or list(seats) != list(SEATS[: len(seats)]):
            raise Refused(-32007, "bad_players")
        return list(seats)

    def begin(self, game, steps=0):
        self.game, self.seats, self.steps, self.past = game, game.seats, steps, []

    def start(self, params):
        self.begin(Game(self.box, self.seats_in(params)))
        return self.report(params)

    def setup(self, params):
        try:
            game = game_of(self.box, self.seats_in(params), params["state"])
            said = next(faults_of(game), None)
        except (KeyError, TypeError, ValueError) as error:
            said = f"this is no record: {error!r}"
        if said:
            return self.refuse("invalid_position", said)
        self.begin(game)
        return self.report(params)

    def step(self, params):
        game, text = self.current(), params["action"]
        if params["step"] != self.steps + 1:
            return self.refuse("wrong_step", f"step {self.steps + 1} is next")
        if game.actor() == "over":
            return self.refuse("over", "the game is over")
        if params["by"] != game.actor():
            return self.refuse("not_your_turn", game.actor() + " is next")
        before = record_of(game)
        parts = parts_of(game, text) or [text]
        for part in parts:
            if part not in game.legal():
                self.game = game_of(self.box, self.seats, before)
                return self.refuse("illegal", f"{part} is not among the legal actions")
            game.apply(part)
        self.steps += 1
        self.past.append(before)
        return self.report(params)

    def undo(self, params):
        count = params.get("count", 1)
        if count > len(self.past):
            raise Refused(-32010, "nothing_to_undo")
        for _ in range(count):
            record = self.past.pop()
        self.game, self.steps = game_of(self.box, self.seats, record), self.steps - count
        return self.report(params)

    def save(self, params):
        saved = {"seats": self.seats, "steps": self.steps, "state": record_of(self.current())}
        return {"step": self.steps, "saved": json.dumps(saved)}

    def load(self, params):
        try:
            saved = json.loads(params["saved"])
            game = game_of(self.box, saved["seats"], saved["state"])
            self.begin(game, saved["steps"])
        except (KeyError, TypeError, ValueError) as error:
            raise Refused(-32009, "bad_save") from error
        return self.report(params)

    def view(self, params):
        if params["seat"] not in self.current().seats:
            raise Refused(-32007, "bad_players")
        return {"step": self.steps, "view": view_of(self.game, params["seat"])}

    def legal(self, params):
        return self.report({"want": ["legal"]})

    def state(self, params):
        return self.report({"want": params.get("want", ["state"])})

    def bye(self, params):
        return {}

    def current(self):
        if self.game is None:
            raise Refused(-32001, "no_game")
        return self.game

    def refuse(self, code, message):
        return {"step": self.steps, "accepted": False, "code": code, "message": message}

    def report(self, params):
        game, want = self.current(), params.get("want", [])
        found = {"step": self.steps, "actor": game.actor()}
        if "legal" in want:
            found["legal"] = game.legal()
        if "state" in want:
            found["state"] = record_of(game)
        if "digest" in want:
            text = json.dumps(record_of(game), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
            found["digest"] = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
        if "result" in want and game.actor() == "over":
            scores, winners = game.scores()
            found["result"] = {"scores": scores, "winners": winners}
        return found


METHODS = ("hello", "options", "start", "setup", "step", "undo", "save", "load", "view", "legal", "state", "bye")


def answer_to(adapter, request):
    answer = {"jsonrpc": "2.0", "id": request.get("id")}
    try:
        if request["method"] not in METHODS:
            raise Refused(-32601, "unknown_method")
        answer["result"] = getattr(adapter, request["method"])(request.get("params", {}))
    except Refused as error:
        number, code = error.args
        answer["error"] = {"code": number, "message": code, "data": {"code": code}}
    except KeyError as error:
        answer["error"] = {"code": -32602, "message": f"missing: {error}", "data": {"code": "invalid_params"}}
    return answer


def main():
    pack = Path(sys.argv[1]) if len(sys.argv) > 1 else PACK
    adapter = Adapter(yaml.safe_load(pack.read_text(encoding="utf-8")))
    for line in sys.stdin:
        if not line.strip():
            continue
        request = json.loads(line)
        print(json.dumps(answer_to(adapter, request)), flush=True)
        if request.get("method") == "bye":
            return


if __name__ == "__main__":
    main()
