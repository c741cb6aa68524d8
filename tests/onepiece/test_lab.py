"""Every row of the table of loops is played in the engine, as it is there and with one card changed.

What a guard decides about them is tested with the guard; here: what repeats, what grows, who has a choice.
"""

import pytest

from kibitz.game import CHANCE, OVER
from kibitz.onepiece.keys import PUBLIC
from kibitz.onepiece.lab import BOTH, BOUNDED, DRAW, NO_LOOP, ONE, PROGRESS, ROWS, SUSPECTED, lab

pytestmark = pytest.mark.plain

CASES = [(row, changed) for row in ROWS for changed in (False, True)]


def played(bench, steps=60):
    """The keys, public keys, resources and choices (seat, number of actions) of the steps of a loop."""
    return [(s.key(), s.key(PUBLIC), s.resources(), (s.actor(), len(s.actions())), s.turn) for s, _ in bench.play(steps)]


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
    bench = lab(row, changed)
    steps = played(bench)
    found = lap([step[0] for step in steps])
    if bench.verdict in (DRAW, ONE, BOTH):
        assert found is not None
        who = deciders(steps, *found)
        if bench.verdict == ONE:
            assert who == {bench.stopper}
        if bench.verdict == BOTH:
            assert who == {0, 1}
        if bench.verdict == DRAW:
            assert who <= {0}  # choices, if there are any, all lead back
    else:
        assert found is None
    public = lap([step[1] for step in steps])
    if bench.verdict == SUSPECTED:
        assert public is not None
    elif bench.verdict in (PROGRESS, BOUNDED, NO_LOOP):
        assert public is None


def test_every_row_flips_by_one_card():
    for row in ROWS.values():
        assert (row.verdict, row.stopper) != (row.changed_verdict, row.changed_stopper)
        assert ((*row.mine, *row.theirs)).count(row.old) == 1


def test_choices_that_all_lead_back():
    bench = lab("choices")
    state = bench.state
    for code in bench.opening:
        state.apply(code)
    start = state.key()
    for option in (0, 1):
        s = state.copy()
        s.apply(s.actions()[0])
        s.apply(s.actions()[option])
        while s.key() != start:
            assert len(s.actions()) == 1
            s.apply(s.actions()[0])


def test_damage_and_growth_end_in_a_win():
    bench = lab("growth")
    *_, (state, _) = bench.play(500)
    assert (state.actor(), state.winner, state.ending) == (OVER, 0, "damage")
    steps = played(bench)
    assert steps[-1][2]["player 2 life"] == 0
    assert steps[-1][2]["player 1 power"] > steps[0][2]["player 1 power"]


def test_mutual_drain_ends_with_an_empty_deck():
    *_, (state, _) = lab("drain").play(500)
    assert (state.actor(), state.ending) == (OVER, "deck")


def test_a_finite_supply_pays_for_four_laps():
    steps = played(lab("supply"), 6)
    assert [step[2]["player 1 don"] for step in steps][:5] == [4, 3, 2, 1, 0]
    assert steps[5][4] == 3 or steps[5][3][0] != 0


def test_unknown_rows_are_refused():
    with pytest.raises(KeyError, match="these are mandatory"):
        lab("nonsense")
