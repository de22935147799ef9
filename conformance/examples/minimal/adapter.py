# ruff: noqa: D101, D102, T201
# mypy: ignore-errors
"""A level-1 adapter for the engine in engine.py: ``python adapter.py``."""

import json
import sys

from engine import Game

RULINGS = {
    "R_FIRST": "chance", "R_TIED_ROUND": "chance", "R_LAST_OPEN": "end", "R_BLOCKED": "skip", "R_SUPPLY": "stop",
    "R_PLAYABLE": "objective", "R_START": "triangle", "R_TWO": "at_least", "R_LAND": "component",
    "R_HOLE": "nothing", "R_SEGMENT": "per_tile", "R_MULTI": "segment", "R_DRAWN": "must", "R_ORDER": "description",
}  # fmt: skip
CODES = {"unknown_method": -32601, "unknown_ruling": -32003, "unknown_value": -32004}


class Unknown(Exception):
    """Something is asked for that this adapter does not know; an error in the engine ends the program instead."""


class Adapter:
    def hello(self, params):
        capabilities = {"legal": True, "result": True, "options": True, "chance": ["dictated"]}
        return {"protocol": 1, "name": "my engine", "version": "1", "games": ["fjords"], "level": 1,
                "capabilities": capabilities}  # fmt: skip

    def options(self, params):
        for name, value in params["rulings"].items():
            if RULINGS.get(name) != value:
                raise Unknown("unknown_value" if name in RULINGS else "unknown_ruling")
        self.pack = params["pack"]["data"]
        return {"rulings": RULINGS, "pack": params["pack"]["id"]}

    def start(self, params):
        self.game, self.steps = Game(self.pack), 0
        return self.report(params)

    def step(self, params):
        actor, code = self.game.actor(), None
        if params["step"] != self.steps + 1:
            code = "wrong_step"
        elif actor == "over":
            code = "over"
        elif params["by"] != actor:
            code = "not_your_turn"
        elif params["action"] not in self.game.legal():
            code = "illegal"
        if code:
            return {"step": self.steps, "accepted": False, "code": code}
        self.game.apply(params["action"])
        self.steps += 1
        return self.report(params)

    def legal(self, params):
        return self.report({"want": ["legal"]})

    def bye(self, params):
        return {}

    def report(self, params):
        actor, found = self.game.actor(), {"step": self.steps, "actor": self.game.actor()}
        if "legal" in params["want"]:
            found["legal"] = [] if actor in ("chance", "over") else self.game.legal()
        if "result" in params["want"] and actor == "over":
            scores, winners = self.game.scores()
            found["result"] = {"scores": scores, "winners": winners}
        return found


adapter = Adapter()
for line in sys.stdin:
    request = json.loads(line)
    answer = {"jsonrpc": "2.0", "id": request["id"]}
    try:
        if request["method"] not in ("hello", "options", "start", "step", "legal", "bye"):
            raise Unknown("unknown_method")
        answer["result"] = getattr(adapter, request["method"])(request["params"])
    except Unknown as error:
        code = str(error)
        answer["error"] = {"code": CODES[code], "message": code, "data": {"code": code}}
    print(json.dumps(answer), flush=True)  # without flush the referee waits for nothing
    if request["method"] == "bye":
        break
