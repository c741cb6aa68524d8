"""``kibitz train coup FOLDER --resolver``: the network of the bot `resolver`, from turns that are solved with itself.

Many games are played side by side. A round solves the present turn of each, by regret minimisation over all hands at once, with
the network's word for what comes after it; what the turn turned out to be worth is what the network learns. Then each game goes
on to one of the ends of its turn, likely or not: who wants to beat the strategy goes where it seldom goes. This is how ReBeL
learns (Brown, Bakhtin, Lerer and Gong 2020), but for its policy network, which a single turn does not need.

It begins with what the blueprint takes each spot to be worth, or with a network that has learned before. What comes of it is an
average of the networks of all rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.coup.blueprint import matrices, spots, sweep
from kibitz.coup.blueprint.exploiter import told_by
from kibitz.coup.blueprint.learners import Field, Half, groups_of_spots
from kibitz.coup.core.blueprint import BLUEPRINT, TWO
from kibitz.coup.resolving.batch import Batch, head_of, hidden_of, shapes_of
from kibitz.coup.resolving.beliefs import Beliefs, Tensor, stands_of
from kibitz.coup.resolving.network import LAYOUT, OUTPUTS, SUFFIX, VARIANT, Network, named
from kibitz.coup.resolving.table import TREMBLE, exchanges
from kibitz.coup.resolving.turns import ENDS, FEATURES, PAIRS_OF_HANDS, features
from kibitz.ground.rng import derive_seed
from kibitz.learn.fit import torch_or_say
from kibitz.learn.regrets import Progressed, train

#: Games side by side on the cores of a machine, and at most on a GPU; how much memory each takes there, in bytes.
GAMES, GAMES_GPU = 1024, 65_536
ROOM_GPU = 1_000_000
#: How often a turn is walked.
WALKS = 80
#: How many rounds of solved turns are remembered; how many turns these may be, at least (all of the blueprint's) and at most.
KEPT_ROUNDS, KEPT = 40, (100_000, 500_000)
#: How wide the network is; how many turns it learns from at once, and how often it learns from each new one.
WIDTH, AT_ONCE, TIMES = 320, 2048, 6
#: How often it learns from the blueprint before the first round.
BEFORE = 2000
#: The learning rate at first, and that of a network that has learned before; after three times, eight times, fifteen times so
#: many turns it is a half, a third, a fourth.
RATE, RATE_LATER, SLOWER = 1e-3, 4e-4, 2_500_000
#: What is kept of each array of weights: itself, and what the optimiser knows of it; and its average over the rounds.
LEARNED = ("", "-mean", "-square")
AVERAGED = "-averaged"
#: The network that comes of it is an average over the rounds, weighted by their number to this power (Shamir and Zhang 2013):
#: single ones are off by what they learned last.
LATE = 8
#: How many games go on to any end of a turn, however unlikely; how many break off; how many of those that begin do so anywhere.
ODDLY, BROKEN_OFF, ANYWHERE = 0.5, 0.02, 0.15
#: How much the values of single pairs of hands count beside those of hands against what the other may hold.
PAIRS_COUNT = 0.1


class School:
    """What learns (`kibitz.learn.regrets.Learner`): the network, the games, and what was solved lately."""

    workers = 1

    def __init__(
        self,
        games: int,
        device: str = "cpu",
        jobs: int | None = None,
        before: int = BEFORE,
        width: int = WIDTH,
        start: Network | None = None,
    ) -> None:
        """`games` are played side by side on a ``cpu`` or by ``cuda``.

        `start` is a network to go on from; without one, it first learns `before` times from the blueprint.
        """
        torch = self._torch = torch_or_say()
        self.facts: Mapping[str, Any] = {"game": "coup", "resolver": LAYOUT, "games": games, "late": LATE}
        self.facts |= {"before": before, "width": width} if start is None else {"from": start.file({}).checksum}
        self._before, self._rate = (before, RATE) if start is None else (0, RATE_LATER)
        self._games, self._seed, self._taught = games, 0, start is None
        self._beliefs, self._batch = Beliefs(device), Batch(device, games, exchanges(), TREMBLE, jobs)
        self.net = _begin_network(torch, device, width) if start is None else weights_of(start, device)
        self._adam = torch.optim.Adam(self.net.values(), self._rate)
        for one in self.net.values():
            means = {"exp_avg": torch.zeros_like(one), "exp_avg_sq": torch.zeros_like(one)}
            self._adam.state[one] = {"step": torch.zeros(()), **means}
        self.memory = Memory(min(max(KEPT_ROUNDS * games, KEPT[0]), KEPT[1]))
        self._position = np.zeros((games, 5), np.int64)
        self._start = np.zeros((games, PAIRS_OF_HANDS), np.float32)
        self.tables: Mapping[str, npt.NDArray[Any]] = {
            "games": self._position.reshape(-1), "beliefs": self._start.reshape(-1), **self.memory.tables,
            **{name + end: np.zeros(one.numel(), np.float32) for name, one in self.net.items() for end in LEARNED},
            **{name + AVERAGED: np.zeros(one.numel(), np.float32) for name, one in self.net.items()},
            "steps": np.zeros(1, np.float32),
        }  # fmt: skip
        self._give(1.0)

    def network(self) -> Network:
        """What was learned on average, by this process or an earlier one."""
        return Network(**{name: self.tables[name + AVERAGED].reshape(one.shape).copy() for name, one in self.net.items()})

    def play(self, worker: int, seed: int, number: int) -> None:
        """Solve the present turn of each game, and go on."""
        self._torch.set_num_threads(1)  # which holds for a thread, and `learn` runs in another
        self._take()
        self._seed = seed
        beliefs = self._beliefs
        beliefs.random.manual_seed(seed >> 1)
        if number == 1:
            for sample in blueprint_turns() if self._taught else ():
                self.memory.add(*sample)
            position, start = beliefs.anywhere(self._games)
        else:
            position, start = (self._torch.as_tensor(one).to(self._batch.device) for one in (self._position, self._start))
        position, start = by_shape(position, start)
        self._batch.solve(position, start, self.net, WALKS)
        self._batch.ask(self.net)
        self.memory.add(
            *(host(one) for one in (self._batch.root[: self._games], position, start, self._batch.value(self._games)))
        )
        position, start = go_on(self._batch, beliefs, position)
        self._position[:], self._start[:] = host(position), host(start)

    def learn(self, worker: int, number: int) -> int:
        """Learn from what was solved lately; how many turns were solved."""
        self._torch.set_num_threads(1)
        chance = np.random.default_rng(derive_seed(self._seed, "learn"))
        for group in self._adam.param_groups:
            group["lr"] = self._rate / sqrt(1 + number * self._games / SLOWER)
        for _ in range(-(-TIMES * self._games // AT_ONCE) + (self._before if number == 1 else 0)):
            self._adam.zero_grad(set_to_none=True)
            loss_of(self.net, self.memory.some(chance, AT_ONCE, self._batch.device)).backward()
            self._adam.step()
        self._give((1 + LATE) / (number + LATE))
        return self._games

    def _give(self, share: float) -> None:
        """Write the network to the tables; it makes up this share of the average from now on."""
        for name, one in self.net.items():
            state = self._adam.state[one]
            for end, part in zip(LEARNED, (one, state["exp_avg"], state["exp_avg_sq"]), strict=True):
                self.tables[f"{name}{end}"][:] = host(part.detach()).ravel()
            averaged = self.tables[name + AVERAGED]
            averaged += np.float32(share) * (self.tables[name] - averaged)
            self.tables["steps"][0] = float(state["step"])

    def _take(self) -> None:
        """Read it from there: another process may have written them."""
        torch = self._torch
        with torch.no_grad():
            for name, one in self.net.items():
                state = self._adam.state[one]
                for end, part in zip(LEARNED, (one, state["exp_avg"], state["exp_avg_sq"]), strict=True):
                    part.copy_(torch.as_tensor(self.tables[f"{name}{end}"]).reshape(part.shape))
                state["step"].fill_(float(self.tables["steps"][0]))


def by_shape(position: Tensor, start: Tensor) -> tuple[Tensor, Tensor]:
    """The same, sorted by shape."""
    order = shapes_of(position).argsort(stable=True)
    return position[order], start[order]


def go_on(batch: Batch, beliefs: Beliefs, position: Tensor) -> tuple[Tensor, Tensor]:
    """Each game goes on to an end of its turn, which was solved; where it is over, another begins."""
    torch, random, n = torch_or_say(), beliefs.random, len(position)

    def chance(m: int) -> Tensor:
        return torch.rand(m, generator=random, device=batch.device)

    pairs = batch.likely(n)
    likely = pairs.sum(2)
    oddly = chance(n) < ODDLY
    chances = torch.where(oddly[:, None], likely**0.3, likely)
    over = torch.where(oddly, 0.0, (1 - likely.sum(1)).clamp_min(0)) + 1e-9
    end = torch.multinomial(torch.cat([chances, over[:, None]], 1), 1, generator=random)[:, 0]
    rows, at = torch.arange(n, device=batch.device), end.clamp_max(ENDS - 1)
    after = torch.where((end < ENDS)[:, None], batch.turns.ends[rows, at, :5], position)
    start = beliefs.doubted(after, pairs[rows, at])
    anew = ((end == ENDS) | (chance(n) < BROKEN_OFF)).nonzero()[:, 0]
    after[anew], start[anew] = beliefs.deals(len(anew))
    odd = anew[chance(len(anew)) < ANYWHERE]
    after[odd], start[odd] = beliefs.anywhere(len(odd))
    return after, start


class Memory:
    """What was solved lately; the oldest is forgotten first."""

    def __init__(self, capacity: int) -> None:
        self.seen, self.stand = np.zeros((capacity, FEATURES), np.float32), np.zeros(capacity, np.int64)
        self.start, self.worth = (np.zeros((capacity, PAIRS_OF_HANDS), np.float32) for _ in range(2))
        self.made = np.zeros(1, np.int64)

    @property
    def tables(self) -> Mapping[str, npt.NDArray[Any]]:
        """Flat views of all of it."""
        return {name: getattr(self, name).reshape(-1) for name in ("seen", "stand", "start", "worth", "made")}

    def add(self, seen: Any, position: Any, start: Any, worth: Any) -> None:
        """Remember some more: what the network sees, positions, beliefs, and what each pair of hands is worth."""
        at = (self.made[0] + np.arange(len(seen))) % len(self.seen)
        self.seen[at], self.start[at], self.worth[at] = seen, start, worth
        self.stand[at] = stands_of(position)
        self.made[0] += len(seen)

    def some(self, chance: np.random.Generator, n: int, device: str) -> tuple[Tensor, ...]:
        """Any of it: what is seen, beliefs, values, and stands."""
        torch = torch_or_say()
        at = chance.integers(min(int(self.made[0]), len(self.seen)), size=n)
        return tuple(torch.as_tensor(one[at]).to(device) for one in (self.seen, self.start, self.worth, self.stand))


def loss_of(net: Mapping[str, Tensor], some: tuple[Tensor, ...]) -> Tensor:
    """The mean square of what the network is wrong by: for each hand of either player against what the other may hold."""
    seen, start, worth, stand = some
    hidden, total = hidden_of(net, seen.T), 0.0
    for k in range(spots.STANDS):
        rows = (stand == k).nonzero()[:, 0]
        hands, others = int(spots.HANDS[k]), int(spots.HANDS_TOO[k])
        pairs = hands * others
        wrong = (head_of(net, hidden[:, rows], k).T - worth[rows, :pairs]).reshape(-1, hands, others)
        mass = start[rows, :pairs].reshape(-1, hands, others)
        for axis, many in ((2, hands), (1, others)):
            own = mass.sum(axis, keepdim=True)
            by_hand = (mass / own.clamp_min(1e-12) * wrong).sum(axis)
            total = total + ((own.squeeze(axis) + 1 / many) / 2 * by_hand**2).sum()
        total = total + PAIRS_COUNT * ((mass > 0) * wrong**2).mean((1, 2)).sum()
    return total / (2 * len(seen))


def _begin_network(torch: Any, device: str, width: int) -> dict[str, Tensor]:
    """A network that knows nothing."""
    chance = torch.Generator().manual_seed(1)
    sizes = {
        "first": (FEATURES, width), "first_bias": (width,), "second": (width, width), "second_bias": (width,),
        "heads": (width, OUTPUTS), "heads_bias": (OUTPUTS,),
    }  # fmt: skip
    return {
        name: ((torch.rand(size, generator=chance) * 2 - 1) * (1 / width) ** 0.5).to(device).requires_grad_()
        for name, size in sizes.items()
    }


def weights_of(network: Network, device: str) -> dict[str, Tensor]:
    """A network that goes on learning."""
    torch = torch_or_say()
    return {name: torch.as_tensor(one.copy()).to(device).requires_grad_() for name, one in network._asdict().items()}


def network_of(weights: Mapping[str, Tensor]) -> Network:
    """What such a network has learned so far."""
    return Network(**{name: host(one.detach()).copy() for name, one in weights.items()})


def host(tensor: Tensor) -> npt.NDArray[Any]:
    """As an array."""
    return np.asarray(tensor.cpu().numpy())


def blueprint_turns() -> Iterator[tuple[npt.NDArray[Any], ...]]:
    """By stand: what the network sees, positions, beliefs and values of the spots that the blueprint comes to."""
    half, field, groups, room = Half(), Field(1.0), groups_of_spots(), matrices.new_room()
    half.play_as(told_by(next(file for file in BLUEPRINT.files if file.variant == TWO)))
    for number in range(2):  # the second time, all spots that may be met have a value
        field.begin()
        for part in range(sweep.TURNS_TAKEN):
            sweep.scatter(field.likely, number + part, 1e-3)
        board = field.board(field, room, np.full(1, TREMBLE, np.float32), (False, False))
        met = [sweep.lead(board, half.side, half.side, group, 1e-7, played) for group, played in groups]
        board = board._replace(ahead=False)
        for (_, played), many in zip(reversed(groups), reversed(met), strict=True):
            sweep.look_back(board, half.side, half.side, played, many)
    for k in range(spots.STANDS):
        size = int(spots.HANDS[k] * spots.HANDS_TOO[k])
        shape = (int(spots.LOST[k]), spots.CLAIMS, spots.PURSE, spots.PURSE, size)
        first, last = int(spots.VALUES_AT[k]), int(spots.VALUES_AT[k]) + int(np.prod(shape))
        now, after = field.now[first:last].reshape(shape), field.values[first:last].reshape(shape)
        lost, claims, coins, coins_too = np.nonzero(now.sum(axis=4) > 0)
        many = len(lost)
        position = np.stack([np.full(many, 2 - k // 2), np.full(many, 2 - k % 2), lost, coins, coins_too], 1)
        start, worth = (np.zeros((many, PAIRS_OF_HANDS), np.float32) for _ in range(2))
        likely = now[lost, claims, coins, coins_too]
        start[:, :size] = likely / likely.sum(axis=1, keepdims=True)
        worth[:, :size] = np.clip(after[lost, claims, coins, coins_too], -1, 1)
        seen = np.zeros((many, FEATURES), np.float32)
        for row in range(many):
            features(position[row], start[row], seen[row])
        yield seen, position, start, worth


def games_on_gpu(free: int) -> int:
    """How many games are played side by side on a GPU with so many bytes of free memory: a power of two.

    >>> games_on_gpu(140 * 10**9), games_on_gpu(23 * 10**9)
    (65536, 16384)
    """
    return min(GAMES_GPU, 1 << max(0, (free // ROOM_GPU).bit_length() - 1))


def train_resolver(
    folder: Path,
    *,
    rounds: int | None,
    seconds: float | None,
    seed: int = 0,
    jobs: int | None = None,
    gpu: bool = False,
    games: int | None = None,
    before: int = BEFORE,
    begin_with: str | None = None,
    progress: Callable[[Progressed], None] = lambda done: None,
) -> tuple[Path, Progressed]:
    """Train a network, on a GPU or on so many cores; its file, and what was done for it.

    It begins with the network `begin_with`, which is a file or the name of the one that comes with Kibitz; without one, it
    first learns `before` times from the blueprint.
    """
    start = None if begin_with is None else named(begin_with)
    if games is None:
        games = games_on_gpu(torch_or_say().cuda.mem_get_info()[0]) if gpu else GAMES
    school = School(games, "cuda" if gpu else "cpu", jobs, before, start=start)
    done = train(school, folder, rounds=rounds, seconds=seconds, seed=seed, jobs=1, progress=progress)
    path = folder / f"{VARIANT}{SUFFIX}"
    told = {"seed": seed, "rounds": done.rounds, "turns": done.decisions}
    if start:
        told["from"] = school.facts["from"]
    school.network().file(told).save(path)
    return path, done
