"""The toy game once more, in plain Python that imports nothing of the project: all capabilities, and fast to start."""

import copy
import hashlib
import json

SEATS = ("A", "B")
CAPABILITIES = {
    "legal": True, "outcomes": True, "result": True, "state": True, "digest": True, "view": True, "undo": True,
    "save": True, "setup": True, "options": True, "chance": ["dictated", "scripted", "reported"],
}  # fmt: skip


class Wrong(Exception):
    def __init__(self, number, word):
        super().__init__(word)
        self.number, self.word = number, word


class Plain:
    def __init__(self, name="plain", version="1", level=2, capabilities=CAPABILITIES):
        self.about = {"protocol": 1, "name": name, "version": version, "games": ["pebbles"], "level": level,
                      "capabilities": capabilities}  # fmt: skip
        self.rulings, self.pebbles = {"R_REST": "free", "R_BONUS": "three"}, [1, 2, 3, 4, 5, 6]
        self.past, self.base, self.chance, self.script, self.drawn = [], 0, "dictated", [], 0

    def answer(self, request):
        """Return the answer as a value."""
        found = {"jsonrpc": "2.0", "id": request["id"]}
        try:
            found["result"] = getattr(self, request["method"])(request.get("params", {}))
        except Wrong as wrong:
            found["error"] = {"code": wrong.number, "message": wrong.word, "data": {"code": wrong.word}}
        return found

    def hello(self, params):
        return self.about

    def options(self, params):
        self.rulings |= params.get("rulings", {})
        self.pebbles = params.get("pack", {}).get("data", {}).get("pebbles", self.pebbles)
        return {"rulings": self.rulings}

    def start(self, params):
        new = {"turn": 1, "phase": "roll", "seat": "A", "roll": 0, "cells": {"A": 0, "B": 0},
               "pebbles": list(self.pebbles), "taken": {"A": 0, "B": 0}, "first": None}  # fmt: skip
        return self.begin(new, params)

    def setup(self, params):
        new = params["state"]
        kept = [p for p in new["pebbles"] if p in self.pebbles]
        on_track = all(type(cell) is int and 0 <= cell <= 8 for cell in new["cells"].values())
        if len(set(kept)) != len(new["pebbles"]) or not on_track:
            return {"step": self.taken(), "accepted": False, "code": "invalid_position"}
        return self.begin(new, params)

    def begin(self, new, params, base=0):
        self.past, self.base, self.drawn = [new], base, 0
        self.chance, self.script = params.get("chance", "dictated"), params.get("script", [])
        return self.report(params)

    def taken(self):
        return max(self.base + len(self.past) - 1, 0)

    def actor(self):
        now = self.past[-1]
        return {"roll": "chance", "over": "over"}.get(now["phase"], now["seat"])

    def moves(self):
        now = self.past[-1]
        if now["phase"] != "act":
            return ["roll 1", "roll 2", "roll 3"] if now["phase"] == "roll" else []
        cell, walk = now["cells"][now["seat"]], now["cells"][now["seat"]] + now["roll"] <= 8
        found = [f"walk {now['roll']}"] if walk else []
        found += ["take"] if cell in now["pebbles"] else []
        return found + (["rest"] if self.rulings["R_REST"] == "free" or not walk else [])

    def step(self, params):
        action, own = params.get("action"), self.actor() == "chance" and self.chance != "dictated"
        for wrong, code in (
            (params["step"] != self.taken() + 1, "wrong_step"),
            (self.actor() == "over", "over"),
            (params["by"] != self.actor(), "not_your_turn"),
            (not own and action not in self.moves(), "illegal"),
        ):
            if wrong:
                return {"step": self.taken(), "accepted": False, "code": code}
        if own:
            action = self.script[self.drawn] if self.chance == "scripted" else f"roll {1 + len(self.past) % 3}"
            self.drawn += 1
        self.past.append(self.after(copy.deepcopy(self.past[-1]), action))
        return self.report(params, {"outcome": action} if own else {})

    def after(self, now, action):
        seat = now["seat"]
        if now["phase"] == "roll":
            return now | {"phase": "act", "roll": int(action[5:])}
        if action.startswith("walk"):
            now["cells"][seat] += now["roll"]
        elif action == "take":
            now["taken"][seat] += 1
            now["pebbles"].remove(now["cells"][seat])
        if now["cells"][seat] >= 8:
            now["first"] = seat
        over = now["first"] is not None or now["turn"] >= 40
        return now | {"turn": now["turn"] + 1, "phase": "over" if over else "roll", "roll": 0,
                      "seat": SEATS[1 - SEATS.index(seat)]}  # fmt: skip

    def report(self, params, more=()):
        if not self.past:
            raise Wrong(-32001, "no_game")
        want, now = params.get("want", []), self.past[-1]
        text = json.dumps(now, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        found = {"step": self.taken(), "actor": self.actor()}
        found |= {"legal": self.moves()} if "legal" in want else {}
        found |= {"state": now} if "state" in want else {}
        found |= {"digest": "sha256:" + hashlib.sha256(text.encode()).hexdigest()} if "digest" in want else {}
        if "result" in want and now["phase"] == "over":
            bonus = 3 if self.rulings["R_BONUS"] == "three" else 5
            scores = {s: now["taken"][s] + (bonus if now["first"] == s else 0) for s in SEATS}
            found["result"] = {"scores": scores, "winners": [s for s in SEATS if scores[s] == max(scores.values())]}
        return found | dict(more)

    def legal(self, params):
        return self.report({"want": ["legal"]})

    def state(self, params):
        return self.report({"want": params.get("want", ["state"])})

    def view(self, params):
        return {"step": self.taken(), "view": {"you": params["seat"], **self.past[-1]}}

    def undo(self, params):
        if not 0 < params["count"] < len(self.past):
            raise Wrong(-32010, "nothing_to_undo")
        undone = self.past[-1 - params["count"] : -1]
        self.drawn -= sum(p["phase"] == "roll" for p in undone) if self.chance != "dictated" else 0
        del self.past[-params["count"] :]
        return self.report(params)

    def save(self, params):
        saved = [self.taken(), self.drawn, self.chance, self.script, self.past[-1]]
        return {"step": self.taken(), "saved": json.dumps(saved)}

    def load(self, params):
        base, drawn, chance, script, new = json.loads(params["saved"])
        self.begin(new, {"chance": chance, "script": script}, base)
        self.drawn = drawn
        return self.report(params)

    def bye(self, params):
        return {}
