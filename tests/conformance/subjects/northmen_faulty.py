"""Northmen in plain Python with one mistake: ``python northmen_faulty.py NAME_OF_THE_MISTAKE``."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "conformance" / "examples" / "northmen"))
import adapter
from engine import Box, Game


class HeroesBreakNoTie(Game):
    def strongest(self, pieces):
        best = max(self.clockwise(), key=lambda seat: sum(pieces[seat]))
        return best if sum(pieces[best]) else None


class BeatenCubesGoToReserve(Game):
    def beat(self, pieces, winner):
        before = dict(self.infamy)
        super().beat(pieces, winner)
        for seat in self.seats:
            self.reserve[seat] += self.infamy[seat] - before[seat]
        self.infamy = before


class FleetsGoInland(Box):
    def way(self, kingdom, region):
        return "either" if region in self.borders[kingdom] else "fleets"


FAULTS = {kind.__name__: kind for kind in (HeroesBreakNoTie, BeatenCubesGoToReserve, FleetsGoInland)}

if __name__ == "__main__":
    kind = FAULTS[sys.argv.pop(1)]
    setattr(adapter, kind.__base__.__name__, kind)
    adapter.main()
