"""Kuhn poker: every leaf by hand, the known value of the game by exact enumeration, and golden games.

After a deliberate change, write the consequences in `tests/golden/` anew and read the diff; or let the bots play anew:

    python -m tests.examples.test_kuhn --write
    python -m tests.examples.test_kuhn --record kuhn
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product

import pytest

from kibitz import game
from kibitz.examples.kuhn import BET, CARD_IS_GONE, DEAL, NOT_YOUR_MOVE, PASS, UNSEEN_DEAL, new
from kibitz.game import CHANCE, OVER
from tests.playthrough import Kind, check_golden, golden_command, golden_text, recorded, replayed

JACK, QUEEN, KING = 0, 1, 2
DEALS = list(permutations((JACK, QUEEN, KING), 2))

#: How likely a player is to bet, by own card and the moves so far.
Strategy = Callable[[int, tuple[int, ...]], Fraction]

pytestmark = pytest.mark.plain


def dealt(first: int, second: int):
    states = new(2, 0)
    game.apply_at(states, 0, DEAL + first)
    game.apply_at(states, 0, DEAL + second)
    return states


def after(first: int, second: int, moves: str):
    states = dealt(first, second)
    for move in moves:
        game.apply_at(states, 0, "pb".index(move))
    return states


# --- the tree -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "second"), DEALS)
def test_every_leaf_pays_what_the_rules_say(first, second):
    higher = 1 if first > second else -1
    leaves = {"pp": higher, "pbp": -1, "pbb": 2 * higher, "bp": 1, "bb": 2 * higher}
    for moves, gain in leaves.items():
        states = after(first, second, moves)
        assert game.actor_at(states, 0) == OVER
        assert [game.score_at(states, 0, seat) for seat in (0, 1)] == [gain, -gain]
    for moves in ("", "p", "b", "pb"):
        assert game.actor_at(after(first, second, moves), 0) == len(moves) % 2


def test_the_tree_has_30_leaves():
    def leaves(states) -> int:
        total = 0
        for action in game.legal_actions(states):
            child = states.copy()
            game.apply_at(child, 0, action)
            total += leaves(child)
        return total or 1

    assert leaves(new(2, 0)) == 6 * 5


def test_the_second_card_is_another_one():
    states = new(2, 0)
    assert game.outcomes(states) == [(DEAL + card, Fraction(1, 3)) for card in (JACK, QUEEN, KING)]
    game.apply_at(states, 0, DEAL + QUEEN)
    assert game.outcomes(states) == [(DEAL + card, Fraction(1, 2)) for card in (JACK, KING)]
    assert game.why_not_at(states, 0, DEAL + QUEEN) == CARD_IS_GONE
    assert game.why_not_at(states, 0, PASS) == CARD_IS_GONE


def test_a_player_may_pass_or_bet_and_nothing_else():
    states = dealt(JACK, KING)
    assert game.legal_actions(states) == [PASS, BET]
    assert game.why_not_at(states, 0, DEAL) == NOT_YOUR_MOVE
    assert game.why_not_at(after(JACK, KING, "bb"), 0, PASS) == NOT_YOUR_MOVE


def test_only_the_own_card_is_seen():
    states = new(2, 0)
    assert [game.seen_at(states, 0, DEAL + KING, seat) for seat in (0, 1)] == [DEAL + KING, UNSEEN_DEAL]
    game.apply_at(states, 0, DEAL + KING)
    assert [game.seen_at(states, 0, DEAL + JACK, seat) for seat in (0, 1)] == [UNSEEN_DEAL, DEAL + JACK]
    game.apply_at(states, 0, DEAL + JACK)
    game.hide_at(states, 0, 1)
    assert game.to_dict(states)["card"] == [-1, JACK + 1]


# --- the value ------------------------------------------------------------------------------------------------


def value(states, strategies: tuple[Strategy, Strategy]) -> Fraction:
    """What the first player wins on average."""
    actor = game.actor_at(states, 0)
    if actor == OVER:
        return Fraction(game.score_at(states, 0, 0))
    fields = game.to_dict(states)
    if actor == CHANCE:
        branches = game.outcomes(states)
    else:
        bet = strategies[actor](fields["card"][actor] - 1, tuple(fields["moves"][: fields["done"]]))
        branches = [(PASS, 1 - bet), (BET, bet)]
    total = Fraction(0)
    for action, probability in branches:
        if probability:
            child = states.copy()
            game.apply_at(child, 0, action)
            total += probability * value(child, strategies)
    return total


def first_player(bluff: Fraction) -> Strategy:
    """Kuhn's equilibria of the first player: one for each probability (up to 1/3) of betting with the jack."""

    def bets(card: int, moves: tuple[int, ...]) -> Fraction:
        if not moves:
            return (bluff, Fraction(0), 3 * bluff)[card]
        return (Fraction(0), bluff + Fraction(1, 3), Fraction(1))[card]

    return bets


def second_player(card: int, moves: tuple[int, ...]) -> Fraction:
    """Kuhn's only equilibrium of the second player."""
    if moves == (PASS,):
        return (Fraction(1, 3), Fraction(0), Fraction(1))[card]
    return (Fraction(0), Fraction(1, 3), Fraction(1))[card]


@pytest.mark.parametrize("bluff", [Fraction(0), Fraction(1, 7), Fraction(1, 3)], ids=str)
def test_the_game_is_worth_minus_one_eighteenth(bluff):
    assert value(new(2, 0), (first_player(bluff), second_player)) == Fraction(-1, 18)


def table(choice: dict[tuple[int, tuple[int, ...]], int]) -> Strategy:
    return lambda card, moves: Fraction(choice[card, moves])


def test_neither_player_can_do_better():
    cards = (JACK, QUEEN, KING)
    for points, seat, best in (([(), (PASS, BET)], 0, max), ([(PASS,), (BET,)], 1, min)):
        places = [(card, moves) for card in cards for moves in points]
        values = []
        for bets in product((0, 1), repeat=len(places)):
            deviation = table(dict(zip(places, bets, strict=True)))
            values.append(
                value(new(2, 0), (deviation, second_player) if seat == 0 else (first_player(Fraction(1, 4)), deviation))
            )
        assert best(values) == Fraction(-1, 18)
        assert len(set(values)) > 5


def test_always_betting_can_be_punished():
    assert value(new(2, 0), (lambda card, moves: Fraction(1), second_player)) < Fraction(-1, 18)


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
    check_golden("kuhn.txt", replayed(KIND, "kuhn.txt"), "python -m tests.examples.test_kuhn --write")


if __name__ == "__main__":
    golden_command(KIND, {"kuhn.txt": record}, __doc__ or "")
