"""The weights of the policy `builder`, by style: those that were chosen by hand, and those that evolution made of them.

They are found by evolution (`kibitz catan tune`); a candidate's weights lie in the scratch struct.
"""

from typing import Protocol

import numpy as np

from kibitz.catan.core.scores import WEIGHTS_BY_NAME
from kibitz.ground.jit import Grid, Vector, jit, table

#: What each weight means, with the value that was chosen by hand. A victory point is worth 1000.
HABITS = {
    "pip of wood": 6,  # of production, for each point that is still to be made; so are those to "pip at a harbour"
    "pip of brick": 6,
    "pip of sheep": 5,
    "pip of wheat": 7,
    "pip of ore": 7,
    "new resource": 12,  # one that was not produced before
    "3:1 harbour": 10,
    "pip at a harbour": 3,  # of its resource, at a 2:1 harbour
    "development card": 420,
    "knight to lead": 150,  # more for a card, if a knight would bring the largest army nearer
    "longest road": 1500,
    "last points": 4,  # what brings them is worth so many times more
    "soon": 60,  # throws (in tenths) that count as soon: waiting for less makes little difference
    "spend early": 0,  # a card is bought with a hand of so many fewer than the limit for discards
    "barter": 2,  # of four parts of all production, how many are thought to be traded for what is missing
    "offers": 3,  # in one turn
    "no trade": 2,  # with a player who is so near to the end (points to go)
    "monopoly": 4,  # cards that it must bring
    "city": 100,  # what a city is worth, in hundredths of a point and its production; so are the next two
    "settlement": 100,
    "site further": 100,  # a settlement that needs roads first
    "last settlement": 1,  # if it makes the last point, it is worth so many times more
    "roads for the card": 2,  # the longest road is worked for if no more are needed
    "trade early": 0,  # cards are traded one by one with a hand of so many fewer than the limit for discards
}
#: The weights of the corners in the draft, by the terms of `kibitz.catan.core.scores`.
DRAFTING = {f"draft: {name}": weight for name, weight in WEIGHTS_BY_NAME.items()}
NAMES = (*HABITS, *DRAFTING)

(
    PIP_WORTH, _, _, _, _, NEW_KIND, ANY_HARBOUR, PIP_AT_HARBOUR, CARD, ARMY_CARD, LONGEST_ROAD, WINS, SOON, SPEND_EARLY,
    BARTER_PART, MANY_OFFERS, NO_TRADE_AT, WORTH_A_MONOPOLY, CITY_WORTH, SITE_WORTH, FURTHER_WORTH,
    LAST_SETTLEMENT, MANY_ROADS, TRADE_EARLY, DRAFT,
) = range(len(HABITS) + 1)  # fmt: skip

#: What evolution made of them; "last settlement", "roads for the card" and "trade early" came later and were tried one by one.
EVOLVED_WEIGHTS = (
    5,
    6,
    6,
    8,
    7,
    13,
    10,
    2,
    585,
    168,
    700,
    4,
    27,
    2,
    2,
    3,
    1,
    5,
    84,
    132,
    80,
    4,
    3,
    1,
    79,
    73,
    71,
    98,
    107,
    57,
    33,
    45,
    59,
    61,
    48,
    84,
    4,
    -23,  # the draft
)
#: The numbers of the policies `builder` and `builder-0.1`, which has the weights that were chosen by hand.
BUILDER, BUILDER_0_1 = 1, 3
#: The styles; the weights of a candidate are in the scratch struct. 0: none is taken up yet.
EVOLVED, BY_HAND, CANDIDATE = 1, 2, 3
HAND_WEIGHTS = (*HABITS.values(), *DRAFTING.values())
STYLES: Grid = table([EVOLVED_WEIGHTS, HAND_WEIGHTS], np.int32)


class Habits(Protocol):
    """What of the scratch struct holds the weights."""

    style: int
    habits: Vector
    candidate: Vector


@jit
def take_up(x: Habits, style: int) -> None:
    """Let `builder` follow the weights of a style from now on."""
    if x.style != style:
        x.style = style
        for i in range(len(x.habits)):
            x.habits[i] = x.candidate[i] if style == CANDIDATE else STYLES[style - 1, i]
