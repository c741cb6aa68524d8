"""Games on the GPU: what a thread does is checked here, in a loop; the kernels themselves where there is a GPU."""

import numpy as np
import pytest

from kibitz.adapters import device_steps
from kibitz.adapters.gpu_table import SOURCE, GpuTableEnv
from kibitz.adapters.places import ACTOR, SERIES, let_chance_play, looked_up, play_on, seated, starts_of
from kibitz.adapters.setting import setting
from kibitz.adapters.vector_table import VectorTableEnv, tables_of
from kibitz.catan import Rules
from kibitz.compute.cuda import NoGpu
from kibitz.game import structs
from kibitz.ground.jit import COMPILED, integers
from kibitz.ground.rng import derive_seed
from tests.gpu import gpu_is_missing

NO_OFFERS = Rules(domestic_trade=False)
FIELDS = ("observations", "masks", "actors", "rewards", "over", "actions", "illegal", "inputs")


def compiled(function):
    """As a kernel would have it."""
    if not COMPILED:
        return function
    import numba

    return numba.njit(function)


class Threads:
    """What the threads of a GPU do, one after the other."""

    def __init__(self, n, game, seats, seed, players=None, eyes=(ACTOR,), starts=2, **options):
        self.here = here = setting(game, seats, **options)
        tables = tables_of(here, players)
        self.step_place = compiled(device_steps.stepper(let_chance_play if players is None else play_on))
        self.n, self.eyes = n, integers(np.array(eyes, np.int64))
        self.places, self.states, self.views = seated(here, tables, n), here.game.room(n), here.game.room(n * len(eyes))
        self.places["streams"][:, SERIES] = [derive_seed(seed, "place", i) for i in range(n)]
        self.starts = starts_of(here, int(self.places["streams"][0, SERIES]), starts)
        self.bits = integers(np.zeros((device_steps.words_for(len(here.actions)), n), np.uint32))
        self.told = [
            np.zeros(n, np.int64), np.zeros((n, seats), np.float32), np.zeros(n, np.bool_), np.zeros(n, np.int64),
            np.zeros(n, np.bool_),
        ]  # fmt: skip
        self.ids, self.xs, self.sources = looked_up(here.actions), here.game.scratches(), device_steps.sources_of(here)

    def step(self, wanted=None):
        """A step in every place, and what it shows, in the order of `FIELDS`."""
        low, high = self.here.game.stakes
        chosen = integers(np.zeros(self.n, np.int64) if wanted is None else np.asarray(wanted, np.int64))
        for i in range(self.n):
            self.step_place(
                self.states, self.places, self.bits, self.views, self.starts, self.ids, self.eyes, chosen, low, high,
                int(wanted is None), *self.told, i, self.xs[0],
            )  # fmt: skip
        octets = integers(np.asarray(self.views).view(np.uint8).reshape(len(self.views), -1))
        seen = np.zeros((len(self.views), self.here.layout.size), np.int16)
        masks = np.zeros((len(self.views), len(self.here.actions)), np.int8)
        for row in range(len(self.views)):
            i, eye = divmod(row, len(self.eyes))
            actor = int(self.told[0][i])
            seat = actor if self.eyes[eye] == ACTOR else int(self.eyes[eye])
            seen[row] = [device_steps.shown(octets, row, int(source), seat) for source in self.sources[seat]]
            if seat == actor:
                masks[row] = [device_steps.is_legal(self.bits, i, number) for number in range(masks.shape[1])]
        return [seen, masks, *self.told]


def check(n, game, seats, steps, players=None, **options):
    """Threads against the environment of the CPU, with some illegal actions among random ones; how many games ended."""
    cpu = VectorTableEnv(n, game, seats, players=players, starts=2, jobs=1, **options)
    threads, dice = Threads(n, game, seats, 5, players, **options), np.random.default_rng(1)
    expected, found, ends = cpu.reset(seed=5), threads.step(), 0
    for _ in range(steps):
        for name, mine in zip(FIELDS, found, strict=False):
            assert np.array_equal(mine, getattr(expected, name)), name
        wanted = np.argmax(expected.masks * dice.random(expected.masks.shape), axis=1)
        wanted[dice.random(n) < 0.1] = 10_000
        expected, found = cpu.step(wanted), threads.step(wanted)
        ends += expected.over.sum()
    assert np.asarray(threads.states).tobytes() == np.asarray(cpu.states).tobytes()
    return ends


@pytest.mark.plain
@pytest.mark.once  # compiled, the next one shows the same, with policies at the table
def test_a_thread_plays_the_games_of_the_cpu():
    assert check(2, "coup", 2, 30) > 0


@pytest.mark.plain
def test_a_thread_lets_policies_play():
    assert check(2, "coup", 3, 12, players=[["honest", None, "honest"], [None, "random", "honest"]]) > 0


def test_a_thread_plays_catan():
    check(3, "catan", 2, 60, rules=NO_OFFERS)


@pytest.mark.plain
def test_everybody_sees_its_own_view():
    threads = Threads(2, "coup", 3, 5, eyes=(0, 1, 2))
    seen, masks, actors = threads.step()[:3]
    for row in range(6):
        place, seat = divmod(row, 3)
        assert np.array_equal(seen[row], threads.here.layout.observe(threads.states[place : place + 1], seat)[0])
        assert masks[row].any() == (seat == actors[place])


@pytest.mark.plain
def test_numbers_of_two_bytes_keep_their_sign():
    octets = integers(np.array([[0xFE, 0xFF, 0x2C, 0x01, 0x80]], np.uint8))
    sources = [0 << 4 | 9, 2 << 4 | 9, 4 << 4 | 8, 0 << 4 | 0, 0 << 4 | 1, 10]
    assert [device_steps.shown(octets, 0, source, 3) for source in sources] == [-2, 300, -128, 0, 1, 3]


@pytest.mark.plain
def test_random_actions_are_legal_and_equally_likely():
    bits, source = integers(np.zeros((3, 2), np.uint32)), structs(SOURCE, 1)
    legal = [0, 31, 32, 63, 64, 95]
    for number in legal:
        bits[number >> 5, 1] |= 1 << (number & 31)
    drawn = [device_steps.drawn_id(bits, 1, source[0]) for _ in range(600)]
    assert sorted(set(drawn)) == legal
    assert min(drawn.count(number) for number in legal) > 60


def test_without_a_gpu_the_message_says_so():
    if gpu_is_missing():
        with pytest.raises(NoGpu, match="no GPU"):
            GpuTableEnv(4, "coup")


@pytest.mark.skipif(gpu_is_missing(), reason="needs an NVIDIA GPU")
@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("catan", 2, {"rules": NO_OFFERS}),
        ("catan", 4, {"observe": "all"}),
        ("catan", 2, {"inputs": True, "shaping": 0.7, "discount": 0.99}),
        ("catan", 3, {"players": [["builder", None, "random"], [None, "seed", None]]}),
        ("coup", 2, {"observe": "all"}),
    ],
)
def test_a_gpu_steps_as_the_cpu_does(game, seats, options):
    n = 200
    gpu, cpu = GpuTableEnv(n, game, seats, **options), VectorTableEnv(n, game, seats, **options)
    found, expected = gpu.reset(seed=5), cpu.reset(seed=5)
    for _ in range(300):
        for name in FIELDS:
            mine, theirs = getattr(found, name), getattr(expected, name)
            assert (mine is None) == (theirs is None)
            assert mine is None or np.array_equal(np.asarray(mine), theirs), name
        chosen = gpu.draw()
        wanted = np.asarray(chosen).copy()
        found, expected = gpu.step(chosen), cpu.step(wanted)
        assert not expected.illegal.any()
    assert gpu.states.tobytes() == np.asarray(cpu.states).tobytes()
