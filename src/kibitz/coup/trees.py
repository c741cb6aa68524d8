"""The tree of a game of Coup with what its observer believes.

>>> from kibitz.coup.core.setup import setup
>>> from kibitz.search.tree import Tree
>>> view = setup([2, 2], hands={0: ["duke", "captain"]})
>>> worlds = worlds_of(InfluenceBelief.at(view, 0))
>>> f"{holdings(worlds, 1)['duke']:.4f}"  # two Dukes among the 13 cards that player 1 does not see
'0.2949'
>>> Tree(view, 0, worlds).root.children[2].text
'tax'
"""

from __future__ import annotations

import numpy as np

from kibitz.coup.belief import InfluenceBelief
from kibitz.coup.core.engine import GAME
from kibitz.coup.core.state import CHARACTERS
from kibitz.game import structs
from kibitz.search.tree import DRAWS, MAX_WORLDS
from kibitz.search.worlds import BelievedWorlds


def worlds_of(belief: InfluenceBelief, seed: int = 0) -> BelievedWorlds:
    """All worlds of a belief with their probabilities or, if they are too many, some that are drawn from it.

    Those are weighed so that everybody's own cards are as likely as they are: until a card is turned up, how likely it is
    to be which one is counted all the same.
    """
    joint = belief.joint(MAX_WORLDS + 1)
    if len(joint) > MAX_WORLDS:
        drawn, weights, fitted = belief.fitted(DRAWS, seed)
        return BelievedWorlds(GAME, drawn, weights, draws=DRAWS, fitted=fitted)
    worlds = structs(GAME.world, len(joint))
    for i, (hands, _) in enumerate(joint):
        worlds["hand"][i, : len(hands)] = [[hand.count(character.value) for character in CHARACTERS] for hand in hands]
    return BelievedWorlds(GAME, worlds, [probability for _, probability in joint])


def holdings(worlds: BelievedWorlds, seat: int) -> dict[str, float]:
    """By character: how likely a seat holds at least one, in these worlds."""
    held = np.asarray(worlds.worlds)["hand"][:, seat] > 0
    return dict(zip((str(character) for character in CHARACTERS), (worlds.weights @ held).tolist(), strict=True))
