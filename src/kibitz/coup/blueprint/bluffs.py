"""How often a player of the blueprint claims a character that it does not hold, for each time that it claims one it holds."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.coup.core.actions import Action
from kibitz.coup.core.engine import GAME
from kibitz.coup.core.equilibrium import choose_equilibrium
from kibitz.coup.core.rules import actor, apply
from kibitz.coup.core.state import ALL_CODES, CHARACTERS, GAME_OVER, KINDS, new_states
from kibitz.game import CHANCE, structs
from kibitz.game.drivers import draw
from kibitz.game.verbs import legal
from kibitz.ground.jit import Vector, jit, table, uint64
from kibitz.ground.rng import child, reseed

#: The character that an action claims, by its code; -1 for none.
CLAIM: Vector = table([
    CHARACTERS.index(claim) if (claim := Action.from_code(code).claim) else -1 for code in range(ALL_CODES)
])  # fmt: skip


@jit
def count_claims(states: Any, xs: Any, seed: int, games: int, counts: Any) -> None:
    """Play so many games; add to ``counts[character, held or not]`` how often it could be claimed, and was.

    ``states[1]`` is a game before the deal.
    """
    x = xs[0]
    for game in range(games):
        reseed(x, child(seed, game))
        states[0] = states[1]
        s = states[0]
        while s.phase != GAME_OVER:
            seat = actor(s)
            if seat == CHANCE:
                apply(s, draw(s, x))
                continue
            last = -1
            for i in range(legal(s, x)):
                card = CLAIM[x.actions[i]]
                if card >= 0 and card != last:  # whomever it is aimed at
                    counts[card, 1 if s.hand[seat, card] > 0 else 0, 0] += 1
                    last = card
            a = choose_equilibrium(s, x)
            if CLAIM[a] >= 0:
                counts[CLAIM[a], 1 if s.hand[seat, CLAIM[a]] > 0 else 0, 1] += 1
            apply(s, a)


def measured_bluffs(seats: Sequence[int], games: int = 4000, seed: int = 0) -> list[float]:
    """By character, at tables of so many seats."""
    counts = np.zeros((KINDS, 2, 2), np.int64)
    for number in seats:
        states = structs(GAME.state, 2)
        states[1] = new_states(number)[0]
        count_claims(states, GAME.scratches(), uint64(seed), games, counts)
    often = counts[:, :, 1] / np.maximum(counts[:, :, 0], 1)
    return [round(float(min(max(without / max(held, 1e-9), 0.02), 1.0)), 3) for without, held in often]
