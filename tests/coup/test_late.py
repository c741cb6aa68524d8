"""The last turns before the limit: what is solved, and where it is kept."""

import numpy as np
import pytest

from kibitz.coup.blueprint.late import RETURN_AT, Batch, batches, learn_late
from kibitz.coup.blueprint.learners import Duel
from kibitz.coup.blueprint.measure import EndgameTree
from kibitz.coup.core.blueprint import BLUEPRINT
from kibitz.coup.core.engine import GAME
from kibitz.coup.core.equilibrium import mixture
from kibitz.coup.core.sets import fine_cell, layer
from kibitz.coup.endgames.solve import Endgame
from kibitz.ground.jit import COMPILED
from tests.coup.positions import do, position

FEW = [Batch((1, 1), turns, ("duke", "contessa")) for turns in (1, 2)]


@pytest.fixture
def restored():
    """Let `equilibrium` play by the files that come with Kibitz afterwards."""
    before = BLUEPRINT.files
    yield
    BLUEPRINT.use(before)


def at_turns_left(states, turns):
    """The same position, so many turns before the limit."""
    states["turn"] = states["max_turns"] - turns + 1
    return states


@pytest.mark.skipif(not COMPILED, reason="takes minutes in plain Python")
def test_solved_endgames_are_played(tmp_path, restored):
    sums, answered = learn_late(tmp_path, FEW, jobs=2)
    assert len(sums) == len(answered) == RETURN_AT
    again = learn_late(tmp_path, FEW, jobs=1)
    assert (sums == again[0]).all()
    assert (answered == again[1]).all()
    BLUEPRINT.use([Duel().file({}, (sums, answered))])
    for coins, turns in (((3, 3), 1), ((3, 3), 2), ((6, 5), 2), ((0, 4), 2)):
        assert EndgameTree(Endgame(coins, turns, revealed=("duke", "contessa"))).exploitability("equilibrium") < 0.05


def test_all_lost_cards_are_solved():
    todo = batches()
    assert len(todo) == len({batch.name for batch in todo}) == 21 * 4 + 2 * 6 * 3 + 2
    assert all(len(batch.lost) + sum(batch.influence) <= 4 for batch in todo)


@pytest.mark.plain
@pytest.mark.parametrize(("mine", "theirs"), [("DC", "TA"), ("D", "TA"), ("DC", "T"), ("D", "T")])
def test_claims_count_near_the_turn_limit(mine, theirs):
    untold = at_turns_left(position(mine, theirs), 4)
    told = do(untold, "tax", "allow", "income")
    quiet = do(untold, "income", "income")
    told["coins"] = quiet["coins"]
    assert layer(told[0]) == layer(quiet[0]) == 2
    assert fine_cell(told[0], 0, 1) != fine_cell(quiet[0], 0, 1)


@pytest.mark.plain
def test_where_nothing_is_solved_the_cells_far_from_the_limit_answer():
    found = []
    for turns in (4, 500):
        xs = GAME.scratches()
        n = mixture(at_turns_left(position("DC", "TA", coins=[3, 4]), turns)[0], xs[0], 0)
        found.append((xs["actions"][0][:n].tolist(), xs["weights"][0][:n].tolist()))
    assert found[0] == found[1]
    assert np.count_nonzero(found[0][1]) > 1


def test_claims_matter_with_two_cards_each_in_the_last_turns():
    assert EndgameTree(Endgame((3, 3), 2, influence=(2, 2))).exploitability("equilibrium") < 0.05
