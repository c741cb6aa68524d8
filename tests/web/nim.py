"""Nim: in turn, take one to three of ten matches; whoever takes the last one wins.

Nothing is hidden and nothing is random in it.
"""

from kibitz.game import OVER
from kibitz.game.plain import PlainState, plain_game


class Nim(PlainState):
    NAMES = ("take 1", "take 2", "take 3")
    BOTS = ("greedy",)

    def __init__(self, seats):
        self.seats, self.player, self.turn, self.left = seats, 0, 1, 10

    def actor(self):
        return self.player if self.left else OVER

    def plays(self):
        return [f"take {n}" for n in (1, 2, 3) if n <= self.left]

    def do(self, name):
        self.left -= int(name.split()[1])
        self.player, self.turn = 1 - self.player, self.turn + 1

    def score(self, seat):
        return int(seat != self.player)

    def greedy(self):
        return self.plays()[-1]


GAME = plain_game(Nim, "nim", seats=(2, 2), scores=(0, 1), max_turns=10)
