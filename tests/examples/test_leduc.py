"""Leduc hold'em: betting, showdowns and refusals by hand, and golden games.

After a deliberate change, write the consequences in `tests/golden/` anew and read the diff; or let the bots play anew:

    python -m tests.examples.test_leduc --write
    python -m tests.examples.test_leduc --record leduc
"""

from fractions import Fraction

import pytest

from kibitz import game
from kibitz.examples.leduc import (
    CALL,
    CARD_IS_GONE,
    DEAL,
    FOLD,
    GAME,
    NO_MORE_RAISES,
    NOT_YOUR_MOVE,
    NOTHING_TO_CALL,
    RAISE,
    UNSEEN_DEAL,
    new,
)
from kibitz.game import CHANCE, OVER
from kibitz.game.doors import redeal_at, reseed_at
from tests.playthrough import Kind, check_golden, golden_command, golden_text, recorded, replayed

JACK, QUEEN, KING = 0, 1, 2

pytestmark = pytest.mark.plain


def after(first: int, second: int, moves: str):
    """A game with these private cards; in `moves` f, c and r are moves, and J, Q, K the open card."""
    states = new(2, 0)
    for action in (DEAL + first, DEAL + second, *("fcrJQK".index(move) for move in moves)):
        assert game.why_not_at(states, 0, action) == 0
        game.apply_at(states, 0, action)
    return states


@pytest.mark.parametrize(
    ("first", "second", "moves", "gain"),
    [
        (JACK, KING, "rf", 1),
        (JACK, KING, "crf", -1),
        (JACK, KING, "rrf", -3),
        (JACK, KING, "ccQcc", -1),
        (JACK, KING, "ccJcc", 1),
        (QUEEN, QUEEN, "rcKrc", 0),
        (QUEEN, KING, "rcQrc", 7),
        (QUEEN, KING, "rrcJcrf", -5),
        (QUEEN, KING, "rrcJrrc", -13),
        (QUEEN, KING, "crrcQcrrc", 13),
        (QUEEN, KING, "ccJrf", 1),
    ],
)
def test_the_pot(first, second, moves, gain):
    states = after(first, second, moves)
    assert game.actor_at(states, 0) == OVER
    assert [game.score_at(states, 0, seat) for seat in (0, 1)] == [gain, -gain]


@pytest.mark.parametrize(
    ("moves", "actor", "actions"),
    [
        ("", 0, [CALL, RAISE]),
        ("c", 1, [CALL, RAISE]),
        ("r", 1, [FOLD, CALL, RAISE]),
        ("rr", 0, [FOLD, CALL]),
        ("crr", 1, [FOLD, CALL]),
        ("rc", CHANCE, [DEAL + JACK, DEAL + QUEEN, DEAL + KING]),
        ("cc", CHANCE, [DEAL + JACK, DEAL + QUEEN, DEAL + KING]),
        ("rrcQ", 0, [CALL, RAISE]),
        ("crcQc", 1, [CALL, RAISE]),
        ("ccKrr", 0, [FOLD, CALL]),
    ],
)
def test_whose_move_it_is_and_what_may_be_done(moves, actor, actions):
    states = after(QUEEN, KING, moves)
    assert game.actor_at(states, 0) == actor
    assert game.legal_actions(states) == actions


def test_refusals():
    assert game.why_not_at(after(JACK, KING, ""), 0, FOLD) == NOTHING_TO_CALL
    assert game.why_not_at(after(JACK, KING, "rr"), 0, RAISE) == NO_MORE_RAISES
    assert game.why_not_at(after(JACK, KING, "rf"), 0, CALL) == NOT_YOUR_MOVE
    assert game.why_not_at(after(JACK, KING, ""), 0, DEAL) == NOT_YOUR_MOVE
    assert game.why_not_at(after(JACK, JACK, "cc"), 0, DEAL + JACK) == CARD_IS_GONE


def test_the_deck_has_two_cards_of_each_rank():
    states = new(2, 0)
    assert [p for _, p in game.outcomes(states)] == [Fraction(1, 3)] * 3
    game.apply_at(states, 0, DEAL + QUEEN)
    assert [p for _, p in game.outcomes(states)] == [Fraction(2, 5), Fraction(1, 5), Fraction(2, 5)]
    assert game.outcomes(after(JACK, JACK, "cc")) == [(DEAL + QUEEN, Fraction(1, 2)), (DEAL + KING, Fraction(1, 2))]
    chances = [p for _, p in game.outcomes(after(JACK, KING, "cc"))]
    assert chances == [Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)]


def test_the_open_card_is_seen_by_both_and_the_others_card_is_not():
    states = new(2, 0)
    assert [game.seen_at(states, 0, DEAL + KING, seat) for seat in (0, 1)] == [DEAL + KING, UNSEEN_DEAL]
    states = after(JACK, KING, "cc")
    assert [game.seen_at(states, 0, DEAL + KING, seat) for seat in (0, 1)] == [DEAL + KING] * 2
    game.apply_at(states, 0, DEAL + KING)
    game.hide_at(states, 0, 0)
    assert game.to_dict(states)["card"] == [JACK + 1, -1]
    assert game.to_dict(states)["public"] == KING + 1


def test_the_others_card_is_dealt_again_from_what_is_left():
    states = after(JACK, KING, "ccJ")
    xs = GAME.scratches()
    reseed_at(xs, 0, 7)
    found = []
    for _ in range(60):
        redeal_at(states, 0, xs, 0, 0)
        found.append(game.to_dict(states)["card"][1])
    assert set(found) == {QUEEN + 1, KING + 1}  # both jacks are on the table
    assert 15 < found.count(QUEEN + 1) < 45


# --- golden games ---------------------------------------------------------------------------------------------


KIND = Kind(lambda header: new(2, 0))


def record() -> str:
    """Twelve games; the honest player sits on neither seat, on the second, or on the first."""
    games = []
    for number in range(12):
        bots = [("random", "random"), ("random", "honest"), ("honest", "random")][number % 3]
        games.append(recorded(KIND, {}, bots, number))
    return golden_text(KIND, games)


def test_golden():
    check_golden("leduc.txt", replayed(KIND, "leduc.txt"), "python -m tests.examples.test_leduc --write")


if __name__ == "__main__":
    golden_command(KIND, {"leduc.txt": record}, __doc__ or "")
