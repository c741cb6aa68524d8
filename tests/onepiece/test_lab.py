"""Every row of the table of loops is played in the engine, as it is there and with one card changed.

What a guard decides about them is tested in `tests/onepiece/test_looplab.py`; here: what repeats, what grows, who has a choice.
"""

import pytest

from kibitz.game import CHANCE, OVER
from kibitz.onepiece.core.actions import Action
from kibitz.onepiece.core.keys import PUBLIC
from kibitz.onepiece.looplab import BOTH, BOUNDED, CARD_LAB, DRAW, FIRST, NO_LOOP, PROGRESS, SECOND, SUSPECTED
from tests.onepiece.positions import lab_steps

pytestmark = pytest.mark.plain

CASES = [(row, changed) for row in CARD_LAB for changed in (False, True)]


def played(row, steps=60, changed=False):
    """The keys, public keys, resources and choices (seat, number of actions) of the steps of a loop."""
    return [
        (s.key(), s.key(PUBLIC), s.resources(), (s.actor(), len(s.actions())), s.turn)
        for s, _ in lab_steps(row, steps, changed)
    ]


def lap(keys):
    """Where a position first comes back: (first, again)."""
    seen = {}
    for i, key in enumerate(keys):
        if key in seen:
            return seen[key], i
        seen[key] = i
    return None


def deciders(steps, first, again):
    """The seats that have a choice within a lap."""
    return {seat for _, _, _, (seat, n), _ in steps[first:again] if seat != CHANCE and n > 1}


@pytest.mark.parametrize(("row", "changed"), CASES)
def test_what_repeats(row, changed):
    verdict = CARD_LAB[row].flipped_to if changed else CARD_LAB[row].expected
    steps = played(row, changed=changed)
    found = lap([step[0] for step in steps])
    if verdict in (DRAW, FIRST, SECOND, BOTH):
        assert found is not None
        who = deciders(steps, *found)
        if verdict == DRAW:
            assert who <= {0}  # choices, if there are any, all lead back
        else:
            assert who == {FIRST: {0}, SECOND: {1}, BOTH: {0, 1}}[verdict]
    else:
        assert found is None
    public = lap([step[1] for step in steps])
    if verdict == SUSPECTED:
        assert public is not None
    elif verdict in (PROGRESS, BOUNDED, NO_LOOP):
        assert public is None


def test_every_row_flips_by_one_card():
    for row in CARD_LAB.values():
        assert row.expected != row.flipped_to
        assert ((*row.mine, *row.theirs)).count(row.old) == 1


def test_choices_that_all_lead_back():
    state = CARD_LAB["choices"].state()
    state.apply(Action.from_text(CARD_LAB["choices"].opening).code(state.table))
    start = state.key()
    for option in (0, 1):
        s = state.copy()
        s.apply(s.actions()[0])
        s.apply(s.actions()[option])
        while s.key() != start:
            assert len(s.actions()) == 1
            s.apply(s.actions()[0])


@pytest.mark.parametrize(("row", "length"), [("growth", 3), ("drain", 2), ("harmless", 2), ("supply", 1)])
def test_a_lap_that_grows_or_drains_comes_back_to_the_same_core(row, length):
    states = [(s.core(), s.key()) for s, _ in lab_steps(row, 11)][row != "supply" : 5 if row == "supply" else None]
    for (core, key), (again, later) in zip(states, states[length:], strict=False):
        assert core == again
        assert key != later or row == "harmless"  # there nothing is left to drain in the end
    assert len({core for core, _ in states}) == length


def test_giving_don_and_playing_cards_change_the_core():
    s = CARD_LAB["supply"].state()
    cores = {s.core()}
    for text in ("give L", "give C1", "play LL-010", "play LL-010"):
        code = Action.from_text(text).code(s.table)
        if s.why_not(code) == 0:
            s.apply(code)
            assert s.core() not in cores
            cores.add(s.core())
    assert len(cores) > 3


def test_damage_and_growth_end_in_a_win():
    *_, (state, _) = lab_steps("growth", 500)
    assert (state.actor(), state.winner, state.ending) == (OVER, 0, "damage")
    steps = played("growth")
    assert steps[-1][2]["player 2 life"] == 0
    assert steps[-1][2]["player 1 power"] > steps[0][2]["player 1 power"]


def test_mutual_drain_ends_with_an_empty_deck():
    *_, (state, _) = lab_steps("drain", 500)
    assert (state.actor(), state.ending) == (OVER, "deck")


def test_a_finite_supply_pays_for_four_laps():
    steps = played("supply", 6)
    assert [step[2]["player 1 don"] for step in steps][:5] == [4, 3, 2, 1, 0]
    assert steps[5][4] == 3 or steps[5][3][0] != 0
