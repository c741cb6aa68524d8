"""Liar's dice: bids, calls, rolls and refusals by hand, and golden games.

After a deliberate change, write the consequences in `tests/golden/` anew and read the diff; or let the bots play anew:

    python -m tests.examples.test_liars_dice --write
    python -m tests.examples.test_liars_dice --record liars_dice
"""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from kibitz import game
from kibitz.examples.liars_dice import (
    IMPOSSIBLE_BID,
    IMPOSSIBLE_ROLL,
    LIAR,
    NOT_YOUR_MOVE,
    NOTHING_TO_CALL,
    ROLL,
    TOO_LOW,
    UNSEEN_ROLL,
    describe,
    parse,
    start,
)
from kibitz.game import CHANCE, OVER
from tests.playthrough import Kind, check_golden, golden_command, golden_text, recorded, replayed

pytestmark = pytest.mark.plain


def after(rolls: tuple[int, int], actions: list[int], dice: int = 1, sides: int = 6):
    states = start(dice, sides)
    for action in (ROLL + rolls[0], ROLL + rolls[1], *actions):
        assert game.why_not_at(states, 0, action) == 0
        game.apply_at(states, 0, action)
    return states


@pytest.mark.parametrize(
    ("rolls", "bids", "dice", "gain"),
    [
        ((3, 5), [13], 1, 1),
        ((3, 5), [15], 1, 1),
        ((3, 5), [14], 1, -1),
        ((3, 5), [13, 15], 1, -1),
        ((3, 5), [13, 23], 1, 1),
        ((6, 5), [14], 1, 1),
        ((6, 5), [25], 1, 1),
        ((6, 6), [22], 1, 1),
        ((5, 5), [16], 1, -1),
        ((236, 346), [43], 3, 1),
        ((236, 346), [53], 3, -1),
        ((236, 346), [11, 43], 3, -1),
    ],
)
def test_the_bidder_wins_if_there_are_as_many_dice(rolls, bids, dice, gain):
    states = after(rolls, bids, dice)
    game.apply_at(states, 0, LIAR)
    assert game.actor_at(states, 0) == OVER
    assert [game.score_at(states, 0, seat) for seat in (0, 1)] == [gain, -gain]


def test_bids_rise():
    states = after((1, 2), [], sides=3)
    assert game.legal_actions(states) == [11, 12, 13, 21, 22, 23]
    game.apply_at(states, 0, 13)
    assert game.actor_at(states, 0) == 1
    assert game.legal_actions(states) == [LIAR, 21, 22, 23]
    game.apply_at(states, 0, 23)
    assert game.legal_actions(states) == [LIAR]


def test_refusals():
    states = after((1, 2), [])
    assert game.why_not_at(states, 0, LIAR) == NOTHING_TO_CALL
    assert game.why_not_at(states, 0, 31) == game.why_not_at(states, 0, 17) == game.why_not_at(states, 0, 10) == IMPOSSIBLE_BID
    assert game.why_not_at(states, 0, ROLL + 3) == NOT_YOUR_MOVE
    game.apply_at(states, 0, 15)
    assert game.why_not_at(states, 0, 15) == game.why_not_at(states, 0, 11) == TOO_LOW
    game.apply_at(states, 0, LIAR)
    assert game.why_not_at(states, 0, 21) == NOT_YOUR_MOVE
    rolling = start(2, 4)
    for dice in (21, 15, 1, 111, 10, 0):
        assert game.why_not_at(rolling, 0, ROLL + dice) == IMPOSSIBLE_ROLL
    assert game.why_not_at(rolling, 0, 11) == IMPOSSIBLE_ROLL


@pytest.mark.parametrize(("dice", "sides"), [(1, 6), (2, 6), (3, 4), (5, 2), (5, 6)])
def test_rolls_have_their_exact_chances(dice, sides):
    ways = Counter(tuple(sorted(roll)) for roll in product(range(1, sides + 1), repeat=dice))
    expected = {ROLL + int("".join(map(str, roll))): Fraction(n, sides**dice) for roll, n in ways.items()}
    assert dict(game.outcomes(start(dice, sides))) == expected


def test_only_the_own_dice_are_seen():
    states = start()
    assert game.actor_at(states, 0) == CHANCE
    assert [game.seen_at(states, 0, ROLL + 4, seat) for seat in (0, 1)] == [ROLL + 4, UNSEEN_ROLL]
    game.apply_at(states, 0, ROLL + 4)
    assert [game.seen_at(states, 0, ROLL + 2, seat) for seat in (0, 1)] == [UNSEEN_ROLL, ROLL + 2]
    game.apply_at(states, 0, ROLL + 2)
    game.hide_at(states, 0, 1)
    assert game.to_dict(states)["roll"] == [-1, 2]


def test_names_and_options():
    assert [parse(describe(a)) for a in (LIAR, 11, 106, ROLL + 13456)] == [LIAR, 11, 106, ROLL + 13456]
    with pytest.raises(ValueError, match="'pass': expected liar, a bid"):
        parse("pass")
    for dice, sides in ((0, 6), (6, 6), (1, 1), (1, 7)):
        with pytest.raises(ValueError, match="expected 1 to 5 dice with 2 to 6 sides"):
            start(dice, sides)


# --- golden games ---------------------------------------------------------------------------------------------


KIND = Kind(lambda header: start(int(header["dice"]), int(header["sides"])))


def record() -> str:
    """Twelve games with more and more dice; the honest player sits on neither seat, on the second, or on the first."""
    games = []
    for number in range(12):
        bots = [("random", "random"), ("random", "honest"), ("honest", "random")][number % 3]
        header = {"dice": str(1 + number % 5), "sides": str(2 + number % 5)}
        games.append(recorded(KIND, header, bots, number))
    return golden_text(KIND, games)


def test_golden():
    check_golden("liars_dice.txt", replayed(KIND, "liars_dice.txt"), "python -m tests.examples.test_liars_dice --write")


if __name__ == "__main__":
    golden_command(KIND, {"liars_dice.txt": record}, __doc__ or "")
