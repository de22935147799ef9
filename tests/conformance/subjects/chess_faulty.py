"""python-chess with a rule broken: ``chess_faulty.py en-passant | castling | promotion``."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "conformance" / "examples" / "chess"))

import chess
import python_chess


class NoEnPassant(chess.Board):
    """A pawn that has just passed is not taken."""

    def generate_legal_ep(self, from_mask=chess.BB_ALL, to_mask=chess.BB_ALL):
        return iter(())


class ThroughCheck(chess.Board):
    """The King may castle over a square that is attacked (out of check, and into it, he still may not)."""

    def _attacked_for_king(self, path, occupied):
        many_squares = path & (path - 1)
        return False if many_squares else super()._attacked_for_king(path, occupied)


class AlwaysQueen(chess.Board):
    """A pawn becomes a queen, nothing else."""

    def generate_legal_moves(self, from_mask=chess.BB_ALL, to_mask=chess.BB_ALL):
        return (m for m in super().generate_legal_moves(from_mask, to_mask) if m.promotion in (None, chess.QUEEN))


FAULTS = {"en-passant": NoEnPassant, "castling": ThroughCheck, "promotion": AlwaysQueen}

if __name__ == "__main__":
    python_chess.Adapter.board_class = FAULTS[sys.argv[1]]
    python_chess.Adapter().serve()
