"""The training of Coup's resolver, and what beats it, with PyTorch: ``make test-train`` installs it and runs these."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="PyTorch is not installed (make test-train)")

import torch

from kibitz.coup.bots import bot_named
from kibitz.coup.core.engine import GAME
from kibitz.coup.core.state import new_states
from kibitz.coup.resolving import training
from kibitz.coup.resolving.batch import Batch, head_of, hidden_of
from kibitz.coup.resolving.beliefs import Beliefs
from kibitz.coup.resolving.exploiter import ITS_TURN, THEIR_TURN, Exploiter
from kibitz.coup.resolving.network import HEADS, Network, read, shipped
from kibitz.coup.resolving.table import TREMBLE, Start, Table, counted, doubted, exchanges
from kibitz.coup.resolving.training import Memory, School, by_shape, loss_of, train_resolver
from kibitz.coup.resolving.turns import FEATURES, LEAD, PAIRS_OF_HANDS
from kibitz.game.tables import InvalidTable
from kibitz.learn.regrets import InvalidFolder
from kibitz.play.match import play_game

POSITIONS = [(2, 2, 0, 4, 3), (2, 1, 3, 6, 1), (1, 2, 2, 3, 5), (1, 1, 7, 3, 2), (2, 2, 0, 1, 2)]


def weights(network):
    return {name: torch.as_tensor(one.copy()) for name, one in network._asdict().items()}


def starts(positions):
    """Positions and what is believed there: some hands more likely than by counting cards, some less."""
    start = np.zeros((len(positions), PAIRS_OF_HANDS), np.float32)
    for row, at in enumerate(positions):
        likely = counted(*at[:3]) * np.exp(np.random.default_rng(row).standard_normal(counted(*at[:3]).shape))
        start[row, : likely.size] = (likely / likely.sum()).ravel()
    return by_shape(torch.tensor(positions), torch.as_tensor(start))


def test_a_batch_solves_turns_as_the_bot_does():
    """To the last bit, however many threads share the turns."""
    position, start = starts(POSITIONS)
    table = Table(shipped())
    for jobs in (1, 3):
        batch = Batch("cpu", len(position), exchanges(), TREMBLE, jobs)
        batch.solve(position, start, weights(shipped()), 10)
        for row, at in enumerate(position.tolist()):
            shape = counted(*at[:3]).shape
            table.solve(Start(tuple(at), start[row, : shape[0] * shape[1]].numpy().reshape(shape)), 10)
            slots = int(table._turns.met[0, 0])
            assert slots > 0
            assert (batch.turns.how[row, :slots].numpy() == table._turns.how[0, :slots]).all()


def test_the_network_of_the_training_says_what_the_bot_hears():
    """PyTorch's sums are made in another order, so the last bits differ."""
    position, start = starts(POSITIONS)
    batch = Batch("cpu", len(position), exchanges(), TREMBLE, 1)
    net = weights(shipped())
    batch.solve(position, start, net, 4)
    batch.ask(net)
    compared = 0
    for row in range(len(position)):
        for end in range(int(batch.turns.met[row, 2])):
            mine, theirs = batch.turns.ends[row, end, :2].tolist()
            stand = (2 - mine) * 2 + 2 - theirs
            said = head_of(net, hidden_of(net, batch.seen[row, end][:, None]), stand)[:, 0].clamp(-1, 1)
            assert len(said) == int(HEADS[stand + 1] - HEADS[stand])
            assert torch.allclose(said, batch.turns.worth[row, end, : len(said)], atol=1e-4)
            compared += 1
    assert compared > 100


def test_beliefs_anywhere_are_beliefs():
    """They add up to one, and every pair of hands that the lost cards allow may be held, and no other."""
    beliefs = Beliefs("cpu")
    beliefs.random.manual_seed(1)
    position, start = beliefs.anywhere(300)
    assert torch.allclose(start.sum(1), torch.ones(300), atol=1e-5)
    for at, likely in zip(position.tolist(), start.numpy(), strict=True):
        allowed = counted(*at[:3]).ravel() > 0
        assert ((likely[: allowed.size] > 0) == allowed).all()
        assert not likely[allowed.size :].any()
    assert len(set(map(tuple, position[:, :2].tolist()))) == 4
    assert {0, 12} <= set(position[:, 3].tolist())


def test_what_hardly_ever_happens_is_believed_as_the_bot_believes_it():
    """However small the numbers are, and if there are none, too."""
    beliefs, at = Beliefs("cpu"), (2, 1, 3, 6, 1)
    likely = counted(*at[:3]) * np.exp(np.random.default_rng(1).standard_normal(counted(*at[:3]).shape)).astype(np.float32)
    for scale in (1.0, 1e-10, 1e-20, 1e-30, 0.0):
        mass = np.zeros((1, PAIRS_OF_HANDS), np.float32)
        mass[0, : likely.size] = (likely * np.float32(scale)).ravel()
        found = beliefs.doubted(torch.tensor([at]), torch.as_tensor(mass))[0].numpy()
        expected = doubted(mass[0, : likely.size].reshape(likely.shape), *at[:3])
        assert found[: likely.size] == pytest.approx(expected.ravel(), abs=1e-6)
        assert found.sum() == pytest.approx(1, abs=1e-5)


def test_games_go_on_to_ends_of_their_turns_that_are_so_likely(monkeypatch):
    monkeypatch.setattr(training, "ODDLY", 0.0)
    monkeypatch.setattr(training, "BROKEN_OFF", 0.0)
    n = 3000
    beliefs, batch = Beliefs("cpu"), Batch("cpu", n, exchanges(), TREMBLE, 1)
    beliefs.random.manual_seed(3)
    position, start = starts([(2, 2, 0, 4, 3)] * n)
    batch.solve(position[:1], start[:1], weights(shipped()), 4)
    for one in (batch.turns.ends, batch.turns.mass, batch.turns.met, batch.turns.position):
        one[1:] = one[:1].clone()
    likely, ends = batch.likely(1)[0].sum(1), batch.turns.ends[0, :, :5]
    after, believed = training.go_on(batch, beliefs, position)
    assert torch.allclose(believed.sum(1), torch.ones(n), atol=1e-4)
    for mine, theirs in ((2, 2), (1, 2), (2, 1)):
        there = (ends[:, 0] == mine) & (ends[:, 1] == theirs)
        begun_anew = (1 - float(likely.sum())) if (mine, theirs) == (2, 2) else 0.0
        seen = int(((after[:, 0] == mine) & (after[:, 1] == theirs)).sum())
        expected = n * (float(likely[there].sum()) + begun_anew)
        assert abs(seen - expected) < 4 * (expected + 9) ** 0.5


def test_the_turns_of_the_blueprint_are_positions_with_beliefs_and_values():
    many, dealt, won = [], [], []
    for seen, position, start, worth in training.blueprint_turns():
        many.append(len(position))
        assert np.allclose(start.sum(1), 1, atol=1e-4)
        assert (abs(worth) <= 1).all()
        for row in np.random.default_rng(1).integers(len(position), size=200):
            allowed = counted(*position[row, :3].tolist()).ravel() > 0
            assert not start[row, : allowed.size][~allowed].any()
            assert not start[row, allowed.size :].any()
            assert seen[row, 0] == position[row, 0] - 1
        for at, likely, worths in zip(position.tolist(), start, worth, strict=True):
            value = float((likely * worths).sum())
            if at == [2, 2, 0, 1, 2]:
                dealt.append((float(abs(likely - counted(2, 2, 0).ravel()).sum()), value))
            if at[:2] == [1, 1] and at[3] >= 7:  # a coup that wins
                won.append(value)
    assert min(many) > 100
    unlike, value = min(dealt)
    assert unlike < 0.1
    assert abs(value) < 0.15  # whoever begins is neither lost nor won
    assert min(won) == pytest.approx(1, abs=1e-3)


def test_the_oldest_is_forgotten_first():
    memory, chance = Memory(5), np.random.default_rng(1)
    for number in range(1, 4):
        memory.add(
            np.full((2, FEATURES), number), torch.tensor([(1, 1, 0, 0, 0)] * 2), np.zeros((2, PAIRS_OF_HANDS)),
            np.zeros((2, PAIRS_OF_HANDS)),
        )  # fmt: skip
    seen = {int(row[0]) for row in memory.some(chance, 200, "cpu")[0]}
    assert seen == {1, 2, 3}
    assert sorted(memory.seen[:, 0].tolist()) == [1, 2, 2, 3, 3]


def test_no_loss_where_nothing_is_wrong():
    """And the more a likely hand's worth is wrong by, the more."""
    net = weights(shipped())
    _, start = starts([(1, 1, 7, 3, 2)])
    seen = torch.rand(1, FEATURES)
    said = head_of(net, hidden_of(net, seen.T), 3).T
    losses = []
    for wrong in (0.0, 0.1, 0.2):
        worth = torch.zeros(1, PAIRS_OF_HANDS)
        worth[:, : said.shape[1]] = said + wrong
        losses.append(loss_of(net, (seen, start, worth, torch.tensor([3]))).item())
    assert losses[0] == pytest.approx(0, abs=1e-10)
    assert losses[2] == pytest.approx(4 * losses[1], rel=1e-3)
    assert losses[1] > 0


@pytest.fixture
def small(monkeypatch):
    """A training that is over in seconds."""
    monkeypatch.setattr(training, "WALKS", 4)
    monkeypatch.setattr(training, "AT_ONCE", 64)
    monkeypatch.setattr(training, "KEPT", (500, 500))
    monkeypatch.setattr(training, "blueprint_turns", lambda: iter(()))


def test_a_training_that_is_interrupted_ends_with_the_same_network(small, tmp_path):
    def trained(folder, *rounds, jobs=1):
        for many in rounds:
            path, done = train_resolver(folder, rounds=many, seconds=None, seed=4, jobs=jobs, games=24, before=3)
        assert (done.rounds, done.decisions) == (3, 3 * 24)
        return path.read_bytes()

    whole = trained(tmp_path / "whole", 3)
    assert trained(tmp_path / "parts", 1, 3, jobs=2) == whole
    assert trained(tmp_path / "whole", 3) == whole  # which is over already
    network = read(tmp_path / "whole/2-players.resolver")
    assert network.first.shape == (FEATURES, training.WIDTH)
    assert all(np.isfinite(one).all() for one in network)


def test_what_was_trained_can_play(small, tmp_path):
    path, _ = train_resolver(tmp_path / "own", rounds=1, seconds=None, games=16, before=0)
    bots = [bot_named(f"resolver:{path}"), bot_named("equilibrium")]
    assert play_game(GAME, new_states(), bots, 1).end["winner"][0] in (0, 1)


def test_a_training_goes_on_from_a_network_that_has_learned(small, tmp_path, monkeypatch):
    """It begins with what that one says, asks the blueprint nothing, and can be continued with the same network alone."""
    first, second = (
        str(train_resolver(tmp_path / f"{seed}", rounds=1, seconds=None, seed=seed, games=16, before=0)[0]) for seed in (1, 2)
    )

    def not_asked():
        raise AssertionError

    monkeypatch.setattr(training, "blueprint_turns", not_asked)

    def trained(folder, rounds, network):
        return train_resolver(tmp_path / folder, rounds=rounds, seconds=None, games=16, begin_with=network)[0]

    assert all((one == other).all() for one, other in zip(read(trained("none", 0, first)), read(Path(first)), strict=True))
    whole = trained("whole", 2, first).read_bytes()
    assert whole != trained("parts", 1, first).read_bytes()
    assert whole == trained("parts", 2, first).read_bytes()
    with pytest.raises(InvalidFolder, match="other settings"):
        trained("whole", 3, second)
    with pytest.raises(InvalidTable, match=r"gone: neither a file nor the network that comes with Kibitz \(2-players\)"):
        trained("bad", 1, "gone")


def test_the_network_learns_what_turns_are_worth(small):
    """What it is wrong by, about the turns that it learned from."""
    school, wrong = School(64, jobs=1, before=0), []
    for number in range(1, 9):
        school.play(0, number, number)
        if number == 1:
            first = school.memory.some(np.random.default_rng(1), 64, "cpu")
            wrong.append(loss_of(school.net, first).item())
        school.learn(0, number)
    wrong.append(loss_of(school.net, first).item())
    assert wrong[1] < wrong[0] / 2


def test_the_network_that_comes_of_it_is_an_average_in_which_late_rounds_count_more(small):
    """In proportion to the number of the round to the power of 8, as nearly as Shamir and Zhang's update has it."""
    school, learned = School(16, jobs=1, before=0), []
    for number in (1, 2, 3):
        school.play(0, number, number)
        school.learn(0, number)
        learned.append(school.net["second"].detach().numpy().copy())
    expected = ((learned[0] * 1 + learned[1] * 9) / 10 * 2 + learned[2] * 9) / 11
    assert np.abs(learned[1] - learned[2]).max() > 1e-3
    assert np.allclose(school.network().second, expected, atol=1e-6)


# --- what beats it ------------------------------------------------------------------------------------------


def even(network: Network) -> Network:
    """A network that takes everything that comes after a turn to be even."""
    return network._replace(heads=np.zeros_like(network.heads), heads_bias=np.zeros_like(network.heads_bias))


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr("kibitz.coup.resolving.exploiter.WALKS", 6)


def test_what_is_luck_in_a_turn_is_none_on_average(quick):
    """Over all ends of a turn, in proportion to how likely they are, they are worth what was expected of the turn."""
    exploiter = Exploiter(shipped(), 40, jobs=1, seed=2)
    batch = exploiter._batch
    position, start = exploiter._beliefs.deals(40)
    batch.solve(position, start, exploiter._net, 6)
    exploiter._answer(40, ITS_TURN, keep=False)
    worth, expected = batch.turns.worth[:40].clone(), batch.value(40)
    held = torch.arange(40)
    batch.turns.start[:40] = 0.0
    batch.turns.start[torch.arange(40), held] = 1.0
    batch.tremble[:] = 0.0
    batch.act(LEAD, 40)
    likely = batch.likely(40)
    batch.turns.worth[:40] = 0.0
    here = batch.value(40)[torch.arange(40), held]
    on_average = here - (likely * worth).sum((1, 2))
    possible = start[0, held] > 0
    assert torch.allclose(on_average[possible], expected[torch.arange(40), held][possible], atol=1e-4)


def test_luck_in_games_is_none_on_average(quick):
    """For each side: what was expected of the turns of a game and what came of them differ by chance alone."""
    exploiter, found = Exploiter(shipped(), 200, jobs=1, seed=6), []
    plays = exploiter._play_turn

    def watched(games, which, doing, first):
        before = games.luck[which].clone()
        plays(games, which, doing, first)
        found.append((doing, games.luck[which] - before))

    exploiter._play_turn = watched
    won = exploiter.play()
    assert 0.3 < won.share < 0.8
    for side in (ITS_TURN, THEIR_TURN):
        luck = torch.cat([one for doing, one in found if doing == side])
        assert len(luck) > 400
        assert luck.abs().mean() > 0.05
        assert abs(float(luck.mean())) < 4 * float(luck.std()) / len(luck) ** 0.5


def test_best_answers_gain_and_the_solution_is_kept(quick):
    exploiter = Exploiter(shipped(), 24, jobs=1, seed=3)
    position, start = exploiter._beliefs.deals(24)
    batch = exploiter._batch
    batch.solve(position, start, exploiter._net, 6)
    batch.ask(exploiter._net)
    played, how = float((batch.value(24) * start).sum(1).mean()), batch.turns.how.clone()
    first = float((exploiter._answer(24, ITS_TURN) * start).sum(1).mean())
    other = float((exploiter._answer(24, THEIR_TURN) * start).sum(1).mean())
    assert other < played < first
    assert (batch.turns.how == how).all()


def test_an_exploiter_that_was_kept_plays_as_it_did(quick, tmp_path):
    """And it goes on learning from there."""
    exploiter = Exploiter(shipped(), 8, jobs=1, seed=3)
    exploiter.learn()
    exploiter.save(tmp_path)
    expected = exploiter.expects()
    again = Exploiter(shipped(), 8, jobs=1, seed=3)
    assert again.expects() != expected
    again.load(tmp_path, 1)
    assert (again.rounds, again.expects()) == (1, expected)
    again.learn()
    assert again.rounds == 2
    assert again.expects() != expected


def test_an_exploiter_finds_a_planted_fault(quick):
    """Against a player who sees no further than the turn, it soon wins most games; the same seed is the same games."""

    def wins(rounds):
        exploiter = Exploiter(even(shipped()), 96, jobs=1, seed=5)
        for _ in range(rounds):
            exploiter.learn()
        return exploiter.play()

    before, after = wins(0), wins(8)
    assert after.share > before.share
    assert after.share > 0.5
    assert wins(0) == before
