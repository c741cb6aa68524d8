"""A turn by itself, as it is walked: its questions and ends by number, the paths to them, and what led there.

The blueprint keeps what happens in a turn in the cells of its table. Where a turn is looked at by itself
(`kibitz.coup.resolving`), every question has slots of its own, and every end a matrix; both are numbered as the walk comes to
them.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from kibitz.coup.blueprint.spots import HANDS, stand
from kibitz.ground.jit import jit

Floats: TypeAlias = npt.NDArray[np.float32]
#: A path is what both have seen of a turn, a digit of base 16 for each step: 1 and the number of an answer (or of the card that
#: is lost), or, after a challenge, whether the card was shown.
PATHS, ANSWERED, NOT_SHOWN = 16, 1, 12
#: The answers to a claim, or to a block.
LET_STAND, DOUBT = 0, 1
#: What somebody has answered last on the way to a question: nothing yet; or something with another hand, so that nothing says
#: how likely this hand's own answers lead there.
NOWHERE, WITH_OTHERS = -1, -2


class Lone(NamedTuple):
    """A turn by itself (`kibitz.coup.resolving`); its start lies at the beginning of ``now``, its worth goes to ``after``."""

    met: Any
    """[6] how many slots, questions and ends have been met on this walk; the path (above) to where it is; and what player and
    opponent have answered last, each by its first slot."""
    asked: Any
    """[questions, 5] the first slot of each question, its answers, how many hands may be asked, the path to it, and what the
    same player has answered last."""
    ends: Any
    """[ends, 6] the position at each end, as who moves next sees it: own cards, the other's, lost cards, own coins, the
    other's; and the path to it."""
    path: Any
    """[slots] at the first three slots of a question: the path to it, and what both have answered last."""
    own: Floats
    """[slots] how likely a player's own answers with a hand lead to an answer and include it."""
    mass: Floats
    """[ends, pairs of hands] how likely play comes there, by the hands of who moves next and of the other."""
    worth: Floats
    """[ends, pairs of hands] what that is worth to who moves next."""


@jit
def end_alone(
    o: Lone, room: Floats, d: int, ahead: bool, i: int, j: int, lost: int, coins: int, coins_too: int
) -> None:  # fmt: skip
    """The turn is over. Reaches are in room `d`, values go there too."""
    e = o.met[2]
    o.met[2] += 1
    o.ends[e, 5] = o.met[3]
    n, m = HANDS[stand(i, j)], HANDS[stand(j, i)]
    if ahead:
        o.ends[e, 0], o.ends[e, 1], o.ends[e, 2] = j, i, lost
        o.ends[e, 3], o.ends[e, 4] = coins_too, coins
    for p in range(n):
        for r in range(m):
            if ahead:
                o.mass[e, r * n + p] = room[d, p, r]
            else:
                room[d, p, r] = -o.worth[e, r * n + p]


@jit
def question_alone(o: Lone, who: int, hands: int, answers: int) -> int:
    """Where the answers to the next question lie, which is to `who`."""
    at: int = o.met[0]
    q = o.met[1]
    o.asked[q, 0], o.asked[q, 1], o.asked[q, 2] = at, answers, hands
    o.asked[q, 3], o.asked[q, 4] = o.met[3], o.met[4 + who]
    o.path[at], o.path[at + 1], o.path[at + 2] = o.met[3], o.met[4], o.met[5]
    o.met[0] += answers * hands
    o.met[1] += 1
    return at


@jit
def answered_alone(o: Lone, who: int, at: int, k: int, hands: int) -> None:
    """The walk goes on with the answer of `who` to the question at `at`: number `k`, which any of so many `hands` may give."""
    o.met[3] = o.path[at] * PATHS + ANSWERED + k
    o.met[5 - who] = o.path[at + 2 - who]
    o.met[4 + who] = WITH_OTHERS if o.path[at + 1 + who] == WITH_OTHERS else at + k * hands


@jit
def was_shown(o: Lone, held: int) -> None:
    """A doubted card was shown, or it was not."""
    o.met[3] = o.met[3] * PATHS + NOT_SHOWN + held


@jit
def changes_hand(o: Lone, who: int) -> None:
    """Whoever loses or replaces a card goes on with another hand."""
    o.met[4 + who] = WITH_OTHERS


@jit
def note_own(o: Lone, who: int, at: int, place: int, h: int, part: float) -> None:
    """How likely a player's own answers with hand `h` lead to the answer at `place`, which is a `part` of those at `at`."""
    last = o.path[at + 1 + who]
    o.own[place] = part * (o.own[last + h] if last >= 0 else 1.0)


def no_lone() -> Lone:
    """What is there when turns are not looked at by themselves: nothing."""
    integers, floats = np.zeros((0, 0), np.int64), np.zeros((0, 0), np.float32)
    places, slots = np.zeros(0, np.int64), np.zeros(0, np.float32)
    return Lone(places, integers, integers, places, slots, floats, floats)
