# ruff: noqa: D102 - methods are named after the messages that they answer
"""python-chess behind the conformance protocol: ``python python_chess.py [--fifty]``.

python-chess is under the GPL; it is imported here only, and only if somebody runs this program.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

import chess

MOVE = re.compile(r"[a-h][1-8][a-h][1-8][nbrq]?")
OFFERED = ("legal", "result", "state", "view", "undo", "save", "setup")
CODES = {
    "unknown_method": -32601, "invalid_params": -32602, "internal": -32603, "no_game": -32001, "not_offered": -32002,
    "unknown_game": -32006, "bad_players": -32007, "bad_save": -32009, "nothing_to_undo": -32010, "hello_first": -32011,
}  # fmt: skip


class Refused(Exception):
    """An error of the protocol, by its word."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Adapter:
    """The game in play; *fifty* ends it after a hundred half-moves without a capture or a pawn's move."""

    board_class: type[chess.Board] = chess.Board
    name = "python-chess"

    def __init__(self, fifty: bool = False) -> None:
        self.fifty = fifty
        self.greeted = False
        self.board: chess.Board | None = None
        self.seats = ["A", "B"]
        self.base = 0
        self.moves: dict[str, chess.Move] = {}

    # -- the game -----------------------------------------------------------------------------------

    @property
    def now(self) -> chess.Board:
        if self.board is None:
            raise Refused("no_game", "send start or setup first")
        return self.board

    @property
    def step_number(self) -> int:
        return self.base + len(self.now.move_stack)

    def look(self) -> None:
        """List the moves; none once the game is over."""
        board = self.now
        self.moves = {} if self.drawn(board) else {move.uci(): move for move in board.legal_moves}

    def drawn(self, board: chess.Board) -> bool:
        return board.is_insufficient_material() or (self.fifty and board.is_fifty_moves())

    def actor(self) -> str:
        return self.seats[0 if self.now.turn == chess.WHITE else 1] if self.moves else "over"

    def outcome(self) -> dict[str, Any]:
        """Two points for mate, one each for a draw."""
        if not self.now.is_checkmate():
            return {"scores": dict.fromkeys(self.seats, 1), "winners": self.seats}
        loser = 0 if self.now.turn == chess.WHITE else 1
        scores = {self.seats[loser]: 0, self.seats[1 - loser]: 2}
        return {"scores": scores, "winners": [self.seats[1 - loser]]}

    def state(self) -> dict[str, Any]:
        return {"fen": self.now.fen(en_passant="legal")}

    def report(self, params: dict[str, Any]) -> dict[str, Any]:
        want = params.get("want", [])
        if set(want) - {"legal", "state", "result"}:
            raise Refused("not_offered", "only legal, state and result can be wanted")
        found: dict[str, Any] = {"step": self.step_number, "actor": self.actor()}
        if "legal" in want:
            found["legal"] = list(self.moves)
        if "state" in want:
            found["state"] = self.state()
        if "result" in want and not self.moves:
            found["result"] = self.outcome()
        return found

    def refuse(self, code: str, message: str) -> dict[str, Any]:
        return {"step": self.step_number if self.board else 0, "accepted": False, "code": code, "message": message}

    # -- messages -----------------------------------------------------------------------------------

    def hello(self, params: dict[str, Any]) -> dict[str, Any]:
        if params["game"] != "chess":
            raise Refused("unknown_game", "this is chess")
        self.greeted = True
        return {"protocol": 1, "name": self.name, "version": chess.__version__, "games": ["chess"], "level": 2,
                "capabilities": dict.fromkeys(OFFERED, True)}  # fmt: skip

    def seat(self, params: dict[str, Any]) -> None:
        players = params.get("players") or self.seats
        if len(players) != 2 or players[0] == players[1]:
            raise Refused("bad_players", "chess is for two: first White, then Black")
        self.seats = list(players)

    def begin(self, board: chess.Board, base: int = 0) -> None:
        self.board, self.base = board, base
        self.look()

    def start(self, params: dict[str, Any]) -> dict[str, Any]:
        self.seat(params)
        self.begin(self.board_class())
        return self.report(params)

    def setup(self, params: dict[str, Any]) -> dict[str, Any]:
        fen = params["state"].get("fen")
        if set(params["state"]) != {"fen"} or not isinstance(fen, str):
            return self.refuse("invalid_position", "the record is a fen and nothing else")
        try:
            board = self.board_class(fen)
        except ValueError as error:
            return self.refuse("invalid_position", str(error))
        if not board.is_valid():
            return self.refuse("invalid_position", f"no possible position: {board.status()!r}")
        self.seat(params)
        self.begin(board)
        return self.report(params)

    def step(self, params: dict[str, Any]) -> dict[str, Any]:
        text, actor = params.get("action"), self.actor()
        if params["step"] != self.step_number + 1:
            return self.refuse("wrong_step", f"step {self.step_number + 1} is next")
        if actor == "over":
            return self.refuse("over", "the game is over")
        if params["by"] != actor:
            return self.refuse("not_your_turn", f"{actor} is next")
        if not isinstance(text, str) or not MOVE.fullmatch(text):
            return self.refuse("malformed", "a move is written as in UCI: e2e4, e7e8q")
        if text not in self.moves:
            return self.refuse("illegal", f"{text} is not among the legal moves")
        self.now.push(self.moves[text])
        self.look()
        return self.report(params)

    def legal(self, params: dict[str, Any]) -> dict[str, Any]:
        return self.report({"want": ["legal"]})

    def show(self, params: dict[str, Any]) -> dict[str, Any]:
        return self.report({"want": params.get("want", ["state"])})

    def view(self, params: dict[str, Any]) -> dict[str, Any]:
        if params["seat"] not in self.seats:
            raise Refused("bad_players", f"the seats are {', '.join(self.seats)}")
        return {"step": self.step_number, "view": {"you": params["seat"], **self.state()}}

    def undo(self, params: dict[str, Any]) -> dict[str, Any]:
        board = self.now
        if not 0 < params["count"] <= len(board.move_stack):
            raise Refused("nothing_to_undo", f"{len(board.move_stack)} moves can be taken back")
        for _ in range(params["count"]):
            board.pop()
        self.look()
        return self.report(params)

    def save(self, params: dict[str, Any]) -> dict[str, Any]:
        return {"step": self.step_number, "saved": f"{self.step_number} {self.state()['fen']}"}

    def load(self, params: dict[str, Any]) -> dict[str, Any]:
        step, _, fen = params["saved"].partition(" ")
        try:
            board, base = self.board_class(fen), int(step)
        except ValueError:
            raise Refused("bad_save", "not a text of mine") from None
        self.begin(board, base)
        return self.report(params)

    def bye(self, params: dict[str, Any]) -> dict[str, Any]:
        return {}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        methods = {
            "hello": self.hello, "start": self.start, "setup": self.setup, "step": self.step, "legal": self.legal,
            "state": self.show, "view": self.view, "undo": self.undo, "save": self.save, "load": self.load,
            "bye": self.bye,
        }  # fmt: skip
        method = request.get("method")
        try:
            if method not in methods:
                raise Refused("unknown_method", "unknown method")
            if not self.greeted and method not in ("hello", "bye"):
                raise Refused("hello_first", "say hello first")
            return {"jsonrpc": "2.0", "id": request["id"], "result": methods[method](request.get("params", {}))}
        except Refused as error:
            code, words = error.code, str(error)
        except (KeyError, TypeError, AttributeError) as error:
            code, words = "invalid_params", repr(error)
        return {"jsonrpc": "2.0", "id": request["id"],
                "error": {"code": CODES[code], "message": words, "data": {"code": code}}}  # fmt: skip

    def serve(self) -> None:
        for line in sys.stdin:
            if not line.strip():
                continue
            request = json.loads(line)
            sys.stdout.write(json.dumps(self.answer(request)) + "\n")
            sys.stdout.flush()
            if request.get("method") == "bye":
                return


if __name__ == "__main__":
    Adapter("--fifty" in sys.argv[1:]).serve()
