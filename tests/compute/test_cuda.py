"""Games on a GPU: without one, a clear message; with one, the same games as on the CPU."""

from dataclasses import replace
from types import SimpleNamespace

import numba
import numpy as np
import pytest

from kibitz import catan
from kibitz.catan.core.habits import BUILDER
from kibitz.catan.core.policy import HASTY, NET
from kibitz.catan.core.state import new_states
from kibitz.cli import train
from kibitz.compute import cuda, local
from kibitz.compute.cuda import NoGpu, require_gpu
from kibitz.compute.local import series
from kibitz.game.nets import NoNetwork
from kibitz.learn.measure import evaluated
from kibitz.learn.positions import Sampling, sample
from tests.gpu import gpu_is_missing


def test_without_a_device_the_message_says_so(monkeypatch):
    monkeypatch.setattr(numba, "cuda", SimpleNamespace(is_available=lambda: False), raising=False)
    with pytest.raises(NoGpu, match="no GPU"):
        require_gpu()
    starts = new_states(catan.Board.beginner(), 2)
    with pytest.raises(NoGpu, match="no GPU"):
        cuda.play(series(catan.GAME, starts, 10, 0, [0, 0]))


def test_without_the_package_the_message_names_it(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "numba.cuda", None)
    monkeypatch.delattr(numba, "cuda", raising=False)
    with pytest.raises(NoGpu, match=r"numba-cuda is not installed \(pip install 'kibitz\[cuda\]'\)"):
        require_gpu()


@pytest.mark.skipif(gpu_is_missing(), reason="needs an NVIDIA GPU")
@pytest.mark.parametrize("bots", [[0, 0, 0, 0], [1, 0], [1, 1, 1], [2, 1, 2, 0], [NET, 1, NET, BUILDER], [NET, NET]])
def test_a_gpu_plays_the_same_games_as_the_cpu(bots):
    starts = new_states([catan.Board.random(seed) for seed in range(300)], len(bots), catan.Rules(max_turns=200))
    games = replace(series(catan.GAME, starts, 300, 4, bots), given={"weighing": 1})
    ours, theirs = local.play(games), cuda.play(games)
    assert theirs.states.tobytes() == np.asarray(ours.states).tobytes()
    assert np.array_equal(theirs.tallies, ours.tallies)
    assert ours.lucks.any()
    assert np.array_equal(theirs.lucks, ours.lucks)
    assert theirs.steps == ours.steps


@pytest.mark.skipif(gpu_is_missing(), reason="needs an NVIDIA GPU")
@pytest.mark.parametrize("seats", [2, 4])
def test_a_gpu_judges_positions_as_the_cpu_does(seats):
    starts = new_states([catan.Board.random(seed) for seed in range(50)], seats)
    found = sample(catan.GAME, starts, [[1] * seats], 500, 3, Sampling(keep=4), states=True).states
    assert np.array_equal(cuda.evaluated(catan.GAME, found), evaluated(catan.GAME, found))
    with pytest.raises(NoNetwork):
        cuda.evaluated(catan.GAME, found, book=9)


@pytest.mark.skipif(gpu_is_missing(), reason="needs an NVIDIA GPU")
@pytest.mark.parametrize("tables", [[[1] * 4], [[1, 0, 2, 1], [NET, 1, 1, NET], [HASTY, 1, 1, HASTY]]])
def test_a_gpu_samples_the_same_positions_as_the_cpu(tables):
    starts = new_states([catan.Board.random(seed) for seed in range(50)], 4, catan.Rules(max_turns=150))
    ours, theirs = (sample(catan.GAME, starts, tables, 300, 3, Sampling(keep=4), states=True, gpu=gpu) for gpu in (False, True))
    assert len(ours) > 300
    for name in ("inputs", "winner", "game"):
        assert np.array_equal(getattr(theirs, name), getattr(ours, name))
    assert theirs.states.tobytes() == np.asarray(ours.states).tobytes()


def test_positions_are_sampled_on_the_cores_where_there_is_no_gpu(monkeypatch, capsys):
    monkeypatch.setattr(numba, "cuda", SimpleNamespace(is_available=lambda: False), raising=False)
    with pytest.raises(NoGpu, match="no GPU"):
        sample(catan.GAME, new_states(catan.Board.beginner(), 2), [[1, 1]], 1, 0, gpu=True)
    assert not train.gpu_is_there()
    assert capsys.readouterr().err == "no GPU: CUDA finds no device on this machine; playing on the CPU instead\n"


@pytest.mark.skipif(gpu_is_missing(), reason="needs an NVIDIA GPU")
def test_where_a_game_is_over_the_next_one_begins():
    n = 700_000  # more than a GPU has under way at once
    starts = new_states([catan.Board.random(seed) for seed in range(300)], 2, catan.Rules(max_turns=2))
    ours = local.play(local.series(catan.GAME, starts, n, 4, [0, 0]))
    theirs = cuda.play(series(catan.GAME, starts, n, 4, [0, 0]))
    assert theirs.states.tobytes() == np.asarray(ours.states).tobytes()
    assert theirs.steps == ours.steps


@pytest.mark.plain
@pytest.mark.parametrize(
    ("bots", "given", "most", "weighing"),
    [
        ([0, 0], {}, 0, False),
        ([1, 0], {"weighing": 1}, NET - 1, True),
        ([1, NET], {}, cuda.ANY, False),
        ([1, HASTY], {}, cuda.ANY, False),
    ],
)
def test_a_kernel_holds_what_the_table_needs(bots, given, most, weighing):
    games = replace(series(catan.GAME, new_states(catan.Board.beginner(), 2), 4, 0, bots), given=given)
    assert cuda._Table.of(games, games.scratches()) == cuda._Table(most, weighing)
