"""The toy game as an engine with the four methods that the example adapter needs."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from toy import Pebbles

GAME = Pebbles()


class Table:
    def __init__(self):
        self.position = GAME.start()

    def actor(self):
        return GAME.actor_name(self.position)

    def legal(self):
        return [GAME.text(action) for action in GAME.legal(self.position)]

    def apply(self, text):
        self.position = GAME.apply(self.position, GAME.parse(text))

    def scores(self):
        result = GAME.result(self.position)
        return dict(zip(GAME.seats, result.scores, strict=True)), [GAME.seats[w] for w in result.winners]


def new_game(seats):
    return Table()
