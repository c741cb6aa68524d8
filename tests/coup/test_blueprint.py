"""The blueprint: its files, what it is asked, what is learned and kept, and the policy that plays by it."""

import numpy as np
import pytest

from kibitz import game
from kibitz.coup import GAME, Action
from kibitz.coup.belief import InfluenceBelief
from kibitz.coup.blueprint.exploiter import Exploiter, told_by
from kibitz.coup.blueprint.learners import Duel, Table, bytes_of
from kibitz.coup.blueprint.measure import EndgameTree
from kibitz.coup.blueprint.reading import bluff_rates, odds_of, returns_of
from kibitz.coup.bots import bot_named
from kibitz.coup.core.blueprint import BLUEPRINT, TABLE, TWO, BlueprintShelf, read
from kibitz.coup.core.equilibrium import DUEL, MORE, TABLE_AT, mixture
from kibitz.coup.core.policy import EQUILIBRIUM, HEURISTIC
from kibitz.coup.core.sets import COARSE, FINE, RETURNS, coarse_cell, fine_cell, return_cell
from kibitz.coup.core.state import RETURN, new_states
from kibitz.coup.core.table_sets import TABLE_SLOTS, table_set
from kibitz.coup.endgames.solve import Endgame
from kibitz.game import verbs
from kibitz.game.doors import decide_at, reseed_at
from kibitz.game.tables import InvalidTable, TableFile
from kibitz.ground.jit import COMPILED, uint64
from kibitz.learn.regrets import InvalidFolder, train
from kibitz.play.bots import UnknownBot
from tests.coup.positions import do, position


def decisions(seats, seed, steps=120):
    """Positions of a random game in which somebody decides."""
    states, xs = new_states(seats), GAME.scratches()
    reseed_at(xs, 0, uint64(seed))
    for _ in range(steps):
        seat = game.actor_at(states, 0)
        if seat == game.OVER:
            return
        if seat != game.CHANCE:
            yield states.copy(), seat
        game.apply_at(states, 0, decide_at(states, 0, xs, 0))


@pytest.mark.plain
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_the_mixture_is_of_legal_actions(seats):
    xs = GAME.scratches()
    kinds = set()
    for seed in range(3):
        for states, seat in decisions(seats, seed):
            n = mixture(states[0], xs[0], seat)
            weights = xs["weights"][0][:n].tolist()
            actions = xs["actions"][0][:n].tolist()
            assert [game.why_not_at(states, 0, a) for a in actions] == [0] * n
            assert min(weights) >= 0
            assert sum(weights) > 0
            kinds |= {Action.from_code(a).kind for a in actions}
    assert {"tax", "allow", "challenge", "lose", "steal"} <= kinds


@pytest.mark.plain
def test_every_position_has_its_place():
    for seed in range(3):
        for states, seat in decisions(2, seed):
            s = states[0]
            if states["phase"][0] == RETURN:
                assert 0 <= return_cell(s, seat, 1 - seat) < RETURNS
            else:
                assert 0 <= fine_cell(s, seat, 1 - seat) < FINE
                assert 0 <= coarse_cell(s, seat, 1 - seat) < COARSE
        for states, seat in decisions(5, seed):
            assert 0 <= table_set(states[0], seat) < TABLE_SLOTS


@pytest.mark.plain
def test_a_set_knows_the_claims_and_its_own_cards_alone():
    told = do(position("DC", "TA"), "tax", "allow", "income", "income")
    untold = do(position("DC", "TA"), "income", "income", "income")
    assert fine_cell(told[0], 0, 1) != fine_cell(untold[0], 0, 1)
    other = told.copy()
    other["hand"][0, 1] = [0, 0, 0, 2, 0]
    assert fine_cell(told[0], 0, 1) == fine_cell(other[0], 0, 1)


@pytest.mark.plain
def test_claims_stand_until_something_speaks_against_them():
    states = do(position("DC", "TA"), "tax", "allow")
    assert states["claimed"][0, :2].tolist() == [0, -1]
    caught = do(position("CC", "TA"), "tax", "allow", "income", "tax", "challenge", "lose captain")
    assert caught["claimed"][0, :2].tolist() == [-1, -1]
    other = do(position("DC", "TA"), "tax", "allow", "tax", "challenge", "lose assassin")
    assert other["claimed"][0, :2].tolist() == [0, -1]  # another one's claim stands
    shown = do(position("DC", "TA"), "tax", "allow", "income", "tax", "challenge", "show duke", "lose contessa")
    assert shown["claimed"][0, :2].tolist() == [-1, -1]
    exchanged = do(position("MC", "TA"), "exchange", "allow", "drawn duke duke", "return_cards duke duke")
    assert exchanged["claimed"][0, :2].tolist() == [-1, -1]


@pytest.mark.plain
def test_what_all_see_to_be_false_is_never_claimed_and_always_challenged():
    xs = GAME.scratches()
    states = position("CT", "AM")
    states["revealed"][0, 0] = [3, 0, 0, 0, 0]
    n = mixture(states[0], xs[0], 0)
    assert "tax" not in {Action.from_code(a).kind for a in xs["actions"][0][:n].tolist()}
    claimed = do(states, "tax")
    assert mixture(claimed[0], xs[0], 1) == 2
    assert xs["weights"][0][:2].tolist() == [0, 1]


@pytest.mark.plain
def test_who_can_win_with_a_coup_does():
    xs = GAME.scratches()
    states = position("D", "T", coins=[7, 3])
    assert mixture(states[0], xs[0], 0) == 1
    assert Action.from_code(int(xs["actions"][0][0])).to_text() == "coup 2"


@pytest.mark.plain
def test_a_file_is_read_again_and_refused_by_name(tmp_path):
    path = tmp_path / "2-players.blueprint"
    file = next(file for file in BLUEPRINT.files if file.variant == TWO)
    file.save(path)
    assert read(path).checksum == file.checksum
    data = bytearray(path.read_bytes())
    data[-5] ^= 1
    path.write_bytes(data)
    with pytest.raises(InvalidTable, match="damaged"):
        read(path)
    path.write_bytes(data[:-10])
    with pytest.raises(InvalidTable, match="damaged"):
        read(path)
    path.write_bytes(b"nothing")
    with pytest.raises(InvalidTable, match="not a table"):
        read(path)
    some = {name: array[:40] for name, array in file.arrays.items()}
    TableFile("catan", TWO, file.layout, some).save(path)
    with pytest.raises(InvalidTable, match="for catan, not for coup"):
        read(path)
    TableFile("coup", TWO, "other", some).save(path)
    with pytest.raises(InvalidTable, match="train it again"):
        read(path)
    TableFile("coup", "9-players", file.layout, some).save(path)
    with pytest.raises(InvalidTable, match="9-players"):
        read(path)
    with pytest.raises(UnknownBot, match="9-players"):
        bot_named(f"equilibrium:{path}")
    with pytest.raises(InvalidTable, match="No such file"):
        read(tmp_path / "none")


@pytest.mark.plain
def test_a_shelf_takes_other_files():
    shelf = BlueprintShelf()
    assert shelf.bytes[0] & DUEL
    shelf.use([TableFile("coup", TABLE, shelf.files[0].layout, {"table": np.full(TABLE_SLOTS, 7, np.uint8)})])
    assert shelf.bytes[0] == MORE
    assert (shelf.bytes[TABLE_AT:] == 7).all()


@pytest.mark.plain
@pytest.mark.parametrize("seats", [2, 4])
def test_without_a_blueprint_it_plays_as_heuristic(seats):
    for states, _ in decisions(seats, 1, steps=40):
        found = []
        for policy in (EQUILIBRIUM, HEURISTIC):
            xs = GAME.scratches()
            xs["tables"] = 0
            reseed_at(xs, 0, uint64(3))
            found.append(verbs.choose(states[0], xs[0], policy))
        assert found[0] == found[1]


@pytest.fixture
def nothing_learned():
    """A blueprint for three and more that knows nothing."""
    before = BLUEPRINT.files
    file = next(file for file in before if file.variant == TWO)
    empty = TableFile("coup", TABLE, file.layout, {"table": np.zeros(TABLE_SLOTS, np.uint8)})
    BLUEPRINT.use([file, empty])
    yield
    BLUEPRINT.use(before)


@pytest.mark.plain
def test_where_a_table_has_never_been_it_plays_as_heuristic(nothing_learned):
    for states, seat in decisions(4, 2, steps=40):
        found = []
        for policy in (EQUILIBRIUM, HEURISTIC):
            xs = GAME.scratches()
            reseed_at(xs, 0, uint64(3))
            found.append(verbs.choose(states[0], xs[0], policy))
        assert found[0] == found[1]
        assert len(set(xs["weights"][0][: mixture(states[0], xs[0], seat)].tolist())) == 1  # nothing is likelier


@pytest.mark.plain
def test_a_game_that_lasts_too_long_is_brought_to_an_end():
    states = position("CM", "CM", coins=[2, 4])
    kinds = []
    for turn in (5, 700):
        states["turn"] = turn
        found = set()
        for seed in range(40):
            xs = GAME.scratches()
            reseed_at(xs, 0, uint64(seed))
            found.add(Action.from_code(int(verbs.choose(states[0], xs[0], EQUILIBRIUM))).kind)
        kinds.append(found)
    assert kinds[0] & {"steal", "exchange"}
    assert not kinds[1] & {"steal", "exchange"}


@pytest.mark.plain
def test_mixtures_as_bytes():
    made = bytes_of(np.array([[0.5, 0.5, 0.0], [0.001, 0.999, 0.0], [0.0, 0.0, 0.0]]), 0.01)
    assert made.sum(axis=1).tolist() == [255, 255, 0]
    assert made[1].tolist() == [0, 255, 0]


def learned(learner):
    return {name: table.copy() for name, table in learner.tables.items()}


@pytest.mark.skipif(not COMPILED, reason="whole rounds take minutes in plain Python")
def test_training_depends_on_the_seed_and_the_rounds_alone(tmp_path):
    runs = []
    for name, jobs, parts, seed in (("a", 1, [2], 0), ("b", 2, [1, 2], 0), ("c", 2, [2], 1)):
        for rounds in parts:
            learner = Table(log=700)
            done = train(learner, tmp_path / name, rounds=rounds, jobs=jobs, seed=seed)
        assert done.rounds == 2
        runs.append(learned(learner))
    assert all((runs[0][name] == runs[1][name]).all() for name in runs[0])
    assert not (runs[0]["sums"] == runs[2]["sums"]).all()
    with pytest.raises(InvalidFolder, match="other settings"):
        train(Table(log=700), tmp_path / "a", rounds=3, seed=7)
    learner.file({}).save(tmp_path / "made")
    assert read(tmp_path / "made").variant == TABLE


@pytest.mark.skipif(not COMPILED, reason="sweeps take hours in plain Python")
def test_two_players_learn_from_sweeps_and_go_on_where_they_were(tmp_path):
    whole = Duel(floor=1e-3)
    train(whole, tmp_path / "whole", rounds=2)
    for rounds in (1, 2):
        parts = Duel(floor=1e-3)
        train(parts, tmp_path / "parts", rounds=rounds)
    assert all((parts.tables[name] == table).all() for name, table in whole.tables.items())
    assert -1 < whole.value < 1
    file = whole.file({})
    file.save(tmp_path / "made")
    assert read(tmp_path / "made").variant == TWO
    exploiter = Exploiter(told_by(file), floor=1e-3)
    train(exploiter, tmp_path / "exploiter", rounds=1)
    before = exploiter.wins
    train(exploiter, tmp_path / "exploiter", rounds=4)
    assert before < exploiter.wins < 1


@pytest.mark.plain
def test_a_table_of_more_teaches_something():
    learner = Table(log=700)
    learner.play(0, 1, 1)
    assert learner.learn(0, 1) > 20


def test_the_blueprint_is_closer_to_an_equilibrium_than_the_other_bots():
    tree = EndgameTree(Endgame((6, 6), turns=2))
    found = {bot: tree.exploitability(bot, draws=100) for bot in ("uniform", "honest", "heuristic", "equilibrium")}
    assert found["equilibrium"] < 0.7 * min(found["uniform"], found["honest"], found["heuristic"])


@pytest.mark.plain
def test_a_claim_tells_who_may_hold_it():
    states = position("CT", "AM", coins=[1, 2])
    odds = dict(odds_of(states, 0, Action.from_text("tax").code))
    assert len(odds) == 15
    assert odds[1, 0, 0, 0, 1] > odds[0, 0, 0, 1, 1]
    aid = do(states, "foreign_aid")
    passing = dict(odds_of(aid, 0, Action.from_text("allow").code))
    assert passing[0, 0, 0, 1, 1] > passing[1, 0, 0, 0, 1]


@pytest.mark.plain
def test_who_half_trusts_the_blueprint_is_half_way_between_it_and_anybody():
    states, tax = position("CT", "AM", coins=[1, 2]), Action.from_text("tax").code
    anybody, half, blueprint = (dict(odds_of(states, 0, tax, trust)) for trust in (0.0, 0.5, 1.0))
    assert anybody != blueprint
    assert half == pytest.approx({hand: (anybody[hand] + blueprint[hand]) / 2 for hand in half})
    beliefs = [InfluenceBelief.at(states, 1, trust=trust).see(states, 0, tax).marginal(0)["duke"] for trust in (0.0, 0.5, 1.0)]
    assert min(beliefs) < beliefs[1] < max(beliefs)


@pytest.mark.plain
def test_an_exchange_keeps_the_better_cards():
    states = do(position("MC", "TA"), "exchange", "allow", "drawn duke contessa")
    kept = dict(returns_of(states, 0))
    assert all(abs(sum(p for _, p in left) - 1) < 1e-9 for left in kept.values())
    left = dict(kept[2, 0, 0, 1, 1])  # two Dukes, an Ambassador, a Contessa
    assert max(left, key=left.get)[0] > 0  # a Duke stays


@pytest.mark.plain
def test_bluffs_are_rarer_than_true_claims():
    assert all(0 < rate < 1 for rate in bluff_rates())


def test_the_bot_has_a_name():
    assert bot_named("equilibrium").policy == EQUILIBRIUM
