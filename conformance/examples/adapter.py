# ruff: noqa: D101, D102, D103, T201
# mypy: ignore-errors
"""An adapter of level 1 around an engine in Python: ``python adapter.py ENGINE_MODULE GAME``.

The engine module has ``new_game(seats)``, which returns an object with ``actor()`` (a seat, "chance" or
"over"), ``legal()`` (texts), ``apply(text)`` and ``scores()`` (points by seat, and the winners).
"""

import importlib
import json
import sys


class Adapter:
    def __init__(self, engine, game):
        self.engine, self.game_id = engine, game
        self.game, self.steps = None, 0

    def hello(self, params):
        offered = {"legal": True, "result": True, "chance": ["dictated"]}
        return {"protocol": 1, "name": self.engine.__name__, "version": "1", "games": [self.game_id],
                "level": 1, "capabilities": offered}

    def start(self, params):
        self.game, self.steps = self.engine.new_game(params["players"]), 0
        return self.report(params)

    def step(self, params):
        if params["step"] != self.steps + 1:
            return self.refuse("wrong_step", "another step is next")
        if self.game.actor() == "over":
            return self.refuse("over", "the game is over")
        if params["by"] != self.game.actor():
            return self.refuse("not_your_turn", self.game.actor() + " is next")
        if params["action"] not in self.game.legal():
            return self.refuse("illegal", "not among the legal actions")
        self.game.apply(params["action"])
        self.steps += 1
        return self.report(params)

    def legal(self, params):
        return self.report({"want": ["legal"]})

    def bye(self, params):
        return {}

    def refuse(self, code, message):
        return {"step": self.steps, "accepted": False, "code": code, "message": message}

    def report(self, params):
        actor, want = self.game.actor(), params.get("want", [])
        found = {"step": self.steps, "actor": actor}
        if "legal" in want:
            found["legal"] = [] if actor in ("chance", "over") else list(self.game.legal())
        if "result" in want and actor == "over":
            scores, winners = self.game.scores()
            found["result"] = {"scores": scores, "winners": winners}
        return found


def main():
    adapter = Adapter(importlib.import_module(sys.argv[1]), sys.argv[2])
    for line in sys.stdin:
        if not line.strip():
            continue
        request = json.loads(line)
        answer = {"jsonrpc": "2.0", "id": request["id"]}
        method = request["method"]
        if method in ("hello", "start", "step", "legal", "bye"):
            answer["result"] = getattr(adapter, method)(request.get("params", {}))
        else:
            answer["error"] = {"code": -32601, "message": "unknown method", "data": {"code": "unknown_method"}}
        print(json.dumps(answer), flush=True)  # without flush the referee waits for nothing
        if method == "bye":
            return


if __name__ == "__main__":
    main()
