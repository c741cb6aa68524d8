"""Games for two players to three points, which are over in a moment, and networks for them."""

from dataclasses import replace

import numpy as np

from kibitz.catan import Rules
from kibitz.catan.core.evaluator import NETS
from kibitz.catan.core.layout import HAND_SIZE
from kibitz.catan.setup import setup
from kibitz.game.nets import Network
from tests.learn.pupil import Pupil

SHORT = Rules(victory_points=3, max_turns=40, domestic_trade=False)
DUELS = setup(seed=1, rules=SHORT)


def network(path, strength=0, **about):
    """A network for two players to three points, in a file: it likes points, and cards the more so the stronger it is.

    Besides, it has whims of its own about everything else, so that no two networks say the same; they are half of what it says.
    """
    pupil = Pupil(np.ones(1), NETS.wide, 0, None)
    pupil.passes = strength
    layers = pupil.layers
    layers.first[HAND_SIZE] = 0.01 * strength
    noise = np.random.default_rng(strength).normal(0, 0.02, layers.first.shape)
    layers = replace(layers, first=layers.first + noise, second=layers.second / 5, third=layers.third * 0.4)
    known = {"rules": DUELS.facts(), **about}
    Network("catan", NETS.inputs, NETS.layout, "2-players", layers.quantised(), known).save(path)
    return str(path)
