"""One Piece keeps the promises of every game (`kibitz.testing`), with any decks and in loops."""

import pytest

from kibitz.game import Game
from kibitz.ground.plain_states import PlainStates
from kibitz.onepiece.core.decks import starter
from kibitz.onepiece.core.engine import game_with
from kibitz.onepiece.looplab import CARD_LAB, lab_cards, lab_deck
from kibitz.testing import check_game, check_twin

RANDOM, GREEDY = 0, 1
#: The decks of both players, and who sits at the table.
ONE_PIECE = {
    "starters-random": (("tide", "ember"), [RANDOM, RANDOM]),
    "starters-greedy": (("ember", "tide"), [GREEDY, GREEDY]),
    "mirror-mixed": (("tide", "tide"), [RANDOM, GREEDY]),
}
#: The same with the deck of the loop lab: some of these games go round and round, for no guard ends them.
LAB = {
    "lab-random": (("lab", "lab"), [RANDOM, RANDOM]),
    "lab-greedy": (("ember", "lab"), [GREEDY, GREEDY]),
}
#: Loops that are also played in plain mode, under coverage.
SEEN = ("both", "choices", "hidden", "permanent")


def one_piece(names: tuple[str, str]) -> Game:
    """A match between starter decks and the deck of the loop lab, which has every card that loops."""
    cards = lab_cards()
    loops = [name for name in sorted(cards) if name >= "LL-100" and cards[name].kind != "leader"]
    first, second = (lab_deck(loops, cards) if name == "lab" else starter(name) for name in names)
    return game_with(first, second)


@pytest.mark.parametrize("name", ONE_PIECE)
def test_one_piece_keeps_its_promises(name):
    decks, bots = ONE_PIECE[name]
    assert check_game(one_piece(decks), 2, [4], bots, forgetful=True) > 100


@pytest.mark.parametrize("name", LAB)
def test_one_piece_keeps_its_promises_in_loops(name):
    decks, bots = LAB[name]
    assert check_game(one_piece(decks), 2, [2], bots, endless=200, forgetful=True) > 150


@pytest.mark.parametrize("row", [pytest.param(row, marks=[pytest.mark.plain] * (row in SEEN)) for row in sorted(CARD_LAB)])
def test_every_loop_keeps_the_promises(row):
    """From the position in which the loop can be begun; chance and random players may leave it."""
    state = CARD_LAB[row].state()
    match = game_with(*state.table.decks)
    assert check_game(match, 2, [1], start=lambda seed: PlainStates(match, [state.copy()]), endless=40, forgetful=True) > 1


@pytest.mark.parametrize("name", [*ONE_PIECE, *LAB])
def test_one_piece_is_the_same_by_doors_and_by_methods(name):
    decks, bots = (ONE_PIECE | LAB)[name]
    assert check_twin(one_piece(decks), 2, 5, bots, endless=200) > 50
