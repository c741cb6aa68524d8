"""Training of the network that says what the rest of a game of two is worth, from turns that are solved with the network itself.

Thousands of games are played side by side, on a GPU or on all cores. A round solves the present turn of each, by regret
minimisation over all hands at once with the network's word for what comes after it; what the turn turned out to be worth is what
the network learns. Then each game goes on to one of the ends of its turn, likely or not: who wants to beat the strategy goes
where it seldom goes (ReBeL: Brown, Bakhtin, Lerer and Gong 2020).

PyTorch is an extra (``train``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import torch

from kibitz.coup.blueprint import spots, sweep
from kibitz.coup.blueprint.matrices import ANSWERS_BEST, LEARNS, PLAYS, ROOM
from kibitz.coup.core.rules import FORCED_COUP
from kibitz.coup.core.state import ASSASSINATE, COST, COUP, INFLUENCES
from kibitz.coup.resolving import turns
from kibitz.coup.resolving.turns import (
    BEGIN,
    ENDS,
    FEATURES,
    GO_BACK,
    LOOK_AHEAD,
    PAIRS_OF_HANDS,
    QUESTIONS,
    SETTLE,
    SLOTS,
    VALUE,
    Desk,
    Turns,
)

#: Where the heads of the network begin: by who has how many cards at the next turn.
HEADS = [0, 225, 300, 375, 400]
#: How often the network is asked while a turn is solved: before which walks. And how many walks there are.
LOOKS, WALKS = (1, 5, 9, 13, 17, 25, 33, 41, 49, 57, 65, 73), 80
#: So many positions go through the network at once.
MOST_ASKED = 2_000_000
#: Threads of a block.
BLOCK = 64
#: How much of a strategy is any answer, in reaches.
TREMBLE = 0.004
#: How much of every belief is what counting cards alone says.
DOUBT = 0.002


class Net(torch.nn.Module):
    """Features of positions [..., FEATURES, positions] in, what each pair of hands is worth [..., pairs, positions] out."""

    def __init__(self, width: int = 256) -> None:
        super().__init__()
        self.first = torch.nn.Linear(FEATURES, width)
        self.second = torch.nn.Linear(width, width)
        self.heads = torch.nn.Linear(width, HEADS[-1])

    def trunk(self, seen: torch.Tensor) -> torch.Tensor:
        """The last hidden layer [..., width, positions]."""
        x = torch.relu(self.first.weight @ seen + self.first.bias[:, None])
        return torch.relu(self.second.weight @ x + self.second.bias[:, None])

    def head(self, hidden: torch.Tensor, stand: int) -> torch.Tensor:
        """What positions of a stand are worth."""
        rows = slice(HEADS[stand], HEADS[stand + 1])
        return self.heads.weight[rows] @ hidden + self.heads.bias[rows][:, None]


class Walker:
    """Room for many turns, on a GPU or for the cores of this machine, and what is done with them."""

    def __init__(self, device: str, capacity: int, returns: Any, threads: int = 2) -> None:
        self.gpu, self.device, self.capacity = device == "cuda", device, capacity
        floats = torch.float32

        def room(*shape: int, dtype: torch.dtype = floats) -> torch.Tensor:
            """[capacity, *shape]; on a GPU neighbouring threads find what is theirs side by side."""
            if self.gpu:
                return torch.zeros((*shape, capacity), dtype=dtype, device=device).movedim(-1, 0)
            return torch.zeros((capacity, *shape), dtype=dtype)

        ints = torch.int64
        self.tensors = Turns(
            room(5, dtype=ints), room(PAIRS_OF_HANDS), room(PAIRS_OF_HANDS), *(room(SLOTS) for _ in range(5)),
            room(4, dtype=ints), room(QUESTIONS, 4, dtype=ints), room(ENDS, 6, dtype=ints), room(SLOTS, dtype=ints),
            room(ENDS, PAIRS_OF_HANDS), room(ENDS, PAIRS_OF_HANDS),
        )  # fmt: skip
        self.seen, self.root = room(ENDS, FEATURES), room(FEATURES)
        rooms = room(ROOM, 15, 15) if self.gpu else torch.zeros((threads, ROOM, 15, 15))
        plain = [torch.as_tensor(returns, device=device), torch.zeros(1, device=device), torch.full((1,), TREMBLE, device=device)]
        self.learning = torch.ones(2, dtype=ints, device=device)
        self._kept = [rooms, *plain]
        self.tremble = plain[2]
        give = self._give
        self.turns = Turns(*(give(one) for one in self.tensors))
        self._rooms, self._returns, self._spare, self._tremble = (give(one) for one in self._kept)
        self._learning, self._seen, self._root = give(self.learning), give(self.seen), give(self.root)
        self._threads = threads
        self._pool = None if self.gpu else ThreadPoolExecutor(threads)
        self._kernel = kernel() if self.gpu else None

    def _give(self, tensor: torch.Tensor) -> Any:
        if not self.gpu:
            return tensor.numpy()
        from numba import cuda

        return cuda.as_cuda_array(tensor)

    def act(self, what: int, n: int, number: int = 0, times: int = 1) -> None:
        """Do one thing with each of the first `n` turns (`kibitz.coup.resolving.turns.act`)."""
        if self._kernel is not None:
            self._kernel[(n + BLOCK - 1) // BLOCK, BLOCK](
                self.turns, self._rooms, self._returns, self._spare, self._tremble, self._learning, what, self._seen, self._root, n,
                number, times,
            )  # fmt: skip
            return
        assert self._pool is not None

        def part(thread: int) -> None:
            desk = Desk(self._rooms[thread], self._returns, self._spare, self._tremble, self._learning)
            for k in range(n * thread // self._threads, n * (thread + 1) // self._threads):
                turns.act(self.turns, k, desk, what, self._seen[k], self._root[k], number, times)

        list(self._pool.map(part, range(self._threads)))

    def solve(self, position: torch.Tensor, start: torch.Tensor, net: Net) -> int:
        """Solve turns, which are sorted by shape; then the average strategies are played, and their ends are known."""
        n = len(position)
        self.tensors.position[:n], self.tensors.start[:n] = position, start
        self.learning[:] = LEARNS
        self.act(BEGIN, n)
        self.groups = self._find_groups(position)
        self.act(LOOK_AHEAD, n)
        walks = [*LOOKS, WALKS + 1]
        for first, then in zip(walks, walks[1:], strict=False):
            self.ask(net)
            self.act(GO_BACK, n, first, then - first)
            self.act(SETTLE if then > WALKS else LOOK_AHEAD, n)
        return n

    def _find_groups(self, position: torch.Tensor) -> list[tuple[slice, list[Any]]]:
        """By shape: which turns, and by stand the numbers of their ends."""
        shapes, counts = torch.unique_consecutive(shape_of(position), return_counts=True)
        lasts = counts.cumsum(0).tolist()
        found = []
        for first, last in zip([0, *lasts], lasts, strict=False):
            many = int(self.tensors.met[first, 2])
            ends = self.tensors.ends[first, :many].cpu().numpy()
            stands = (2 - ends[:, 0]) * 2 + 2 - ends[:, 1]
            found.append((slice(first, last), [np.flatnonzero(stands == k) for k in range(spots.STANDS)]))
        return found

    def ask(self, net: Net) -> None:
        """What the ends of turns are worth, by a network."""
        for which, by_stand in self.groups:
            size = which.stop - which.start
            for stand, at in enumerate(by_stand):
                pairs = HEADS[stand + 1] - HEADS[stand]
                for part in np.array_split(at, len(at) * size // MOST_ASKED + 1) if len(at) else ():
                    where = torch.as_tensor(part, device=self.device)
                    seen = self.seen.permute(1, 2, 0)[where, :, which]  # [ends, features, turns]
                    with torch.no_grad():
                        found = net.head(net.trunk(seen), stand)
                    self.tensors.worth.permute(1, 2, 0)[where, :pairs, which] = found.clamp(-1, 1)

    def value(self, n: int, learning: Sequence[int] = (PLAYS, PLAYS)) -> torch.Tensor:
        """[n, pairs of hands] what the turns are worth as they are played now."""
        self.learning[0], self.learning[1] = learning
        self.act(VALUE, n)
        return self.tensors.after[:n].clone()

    @property
    def mass(self) -> torch.Tensor:
        """[capacity, ends] how likely play comes to each end."""
        there = torch.arange(ENDS, device=self.device) < self.tensors.met[:, 2:3]
        return torch.where(there, self.tensors.mass.sum(2), 0).clamp_min(0)


@cache
def kernel() -> Any:
    """The same on a GPU, one turn a thread."""
    from numba import cuda

    act = turns.act

    @cuda.jit  # type: ignore[untyped-decorator]
    def work(t, rooms, returns, spare, tremble, learning, what, seen, root, n, number, times):  # type: ignore[no-untyped-def]
        k = cuda.grid(1)
        if k < n:
            act(t, k, Desk(rooms[k], returns, spare, tremble, learning), what, seen[k], root[k], number, times)

    return work


# --- positions and beliefs ----------------------------------------------------------------------------------


def priors() -> Any:
    """[stands, lost, pairs of hands] how likely hands are by counting cards alone."""
    found = np.zeros((spots.STANDS, 15, PAIRS_OF_HANDS), np.float32)
    likely = np.zeros(spots.ALL_VALUES, np.float32)
    for k in range(spots.STANDS):
        mine, theirs = 2 - k // 2, 2 - k % 2
        size = int(spots.HANDS[k] * spots.HANDS_TOO[k])
        for lost in range(int(spots.LOST[k])):
            likely[:] = 0
            sweep.deal_all(likely, mine, theirs, lost, 0, 0, 1.0)
            at = int(spots.value_at(mine, theirs, lost, 0, 0, 0))
            found[k, lost, :size] = likely[at : at + size]
    return found


def shape_of(position: torch.Tensor) -> torch.Tensor:
    """Turns of the same shape ask the same questions in the same order."""
    own, other, _, coins, coins_too = position.unbind(1)
    stand = (2 - own) * 2 + 2 - other
    purse = (coins >= COST[ASSASSINATE]).long() + (coins >= COST[COUP]).long() + (coins >= FORCED_COUP).long()
    return (stand * 4 + purse) * 2 + (coins_too > 0).long()


class Beliefs:
    """Beliefs to begin with."""

    def __init__(self, device: str, seed: int) -> None:
        self.priors = torch.as_tensor(priors(), device=device)
        self.device = device
        self.random = torch.Generator(device=device)
        self.random.manual_seed(seed)

    def deals(self, n: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Games that begin."""
        position = torch.tensor([INFLUENCES, INFLUENCES, 0, 1, 2], device=self.device).repeat(n, 1)
        return position, self.priors[0, 0].repeat(n, 1)

    def anywhere(self, n: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Any cards, coins and beliefs."""

        def below(m: int) -> torch.Tensor:
            return torch.randint(0, m, (n,), generator=self.random, device=self.device)

        stand = below(spots.STANDS)
        lost = below(10**6) % torch.as_tensor(np.array(spots.LOST), device=self.device)[stand]
        position = torch.stack([2 - stand // 2, 2 - stand % 2, lost, below(11), below(11)], 1)
        wide = torch.tensor([15, 5], device=self.device)
        tilt = [torch.randn((n, 15), generator=self.random, device=self.device).mul(2.0 * torch.rand((n, 1), generator=self.random, device=self.device)).exp() for _ in range(2)]
        start = self.priors[stand, lost].clone()
        for k in range(spots.STANDS):
            hands, others = int(wide[k // 2]), int(wide[k % 2])
            rows = (stand == k).nonzero()[:, 0]
            pairs = tilt[0][rows, :hands, None] * tilt[1][rows, None, :others]
            start[rows, : hands * others] *= pairs.reshape(len(rows), hands * others)
        return position, self.doubted(position, start)

    def doubted(self, position: torch.Tensor, mass: torch.Tensor) -> torch.Tensor:
        """Beliefs that add up to one and rule nothing out that the cards allow."""
        stand = (2 - position[:, 0]) * 2 + 2 - position[:, 1]
        total = mass.sum(1, keepdim=True)
        return mass / total.clamp_min(1e-12) * (1 - DOUBT) + DOUBT * self.priors[stand, position[:, 2]]


@dataclass
class Replay:
    """What was solved: [capacity] features, beliefs and values by pairs of hands, and the stand."""

    seen: torch.Tensor
    start: torch.Tensor
    worth: torch.Tensor
    stand: torch.Tensor
    made: int = 0

    @classmethod
    def of(cls, capacity: int, device: str) -> Replay:
        """Room for so many."""

        def room(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
            return torch.zeros((capacity, *shape), dtype=dtype, device=device)

        return cls(room(FEATURES), room(PAIRS_OF_HANDS), room(PAIRS_OF_HANDS), room(dtype=torch.int64))

    def add(self, seen: torch.Tensor, position: torch.Tensor, start: torch.Tensor, worth: torch.Tensor) -> None:
        """Keep some more; the oldest are forgotten."""
        at = (self.made + torch.arange(len(seen), device=seen.device)) % len(self.seen)
        self.seen[at], self.start[at], self.worth[at], self.stand[at] = seen, start, worth, stand_of(position)
        self.made += len(seen)

    def batch(self, n: int) -> tuple[torch.Tensor, ...]:
        """Any of them."""
        return self._of(torch.randint(0, min(self.made, len(self.seen)), (n,), device=self.seen.device))

    def newest(self, n: int) -> tuple[torch.Tensor, ...]:
        """The last ones."""
        return self._of((self.made - 1 - torch.arange(min(n, self.made), device=self.seen.device)) % len(self.seen))

    def _of(self, at: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return self.seen[at], self.start[at], self.worth[at], self.stand[at]


def stand_of(position: torch.Tensor) -> torch.Tensor:
    """Who has how many cards, by number."""
    return (2 - position[:, 0]) * 2 + 2 - position[:, 1]


#: How much the values of single pairs of hands count beside those of hands against what the other may hold.
PAIRS_COUNT = 0.1


def loss_of(net: Net, batch: tuple[torch.Tensor, ...]) -> torch.Tensor:
    """The mean square of what the network is wrong by: for each hand of either player against what the other may hold."""
    seen, start, worth, stand = batch
    hidden = net.trunk(seen.T)
    total = seen.new_zeros(())
    for k in range(spots.STANDS):
        rows = (stand == k).nonzero()[:, 0]
        hands, others = int(spots.HANDS[k]), int(spots.HANDS_TOO[k])
        pairs = hands * others
        wrong = (net.head(hidden[:, rows], k).T - worth[rows, :pairs]).reshape(-1, hands, others)
        mass = start[rows, :pairs].reshape(-1, hands, others)
        for axis, many in ((2, hands), (1, others)):
            own = mass.sum(axis, keepdim=True)
            by_hand = (mass / own.clamp_min(1e-12) * wrong).sum(axis)
            weight = 0.5 * own.squeeze(axis) + 0.5 / many
            total = total + (weight * by_hand**2).sum()
        total = total + PAIRS_COUNT * ((mass > 0) * wrong**2).mean((1, 2)).sum()
    return total / (2 * len(seen))


@dataclass
class Games:
    """Games that are played side by side: where each is, and what both know."""

    position: torch.Tensor
    start: torch.Tensor

    @classmethod
    def begin(cls, n: int, beliefs: Beliefs) -> Games:
        """A few from the deal, the others anywhere."""
        games = cls(*beliefs.anywhere(n))
        games.position[: n // 4], games.start[: n // 4] = beliefs.deals(n // 4)
        return games


#: How many games begin anywhere instead of at the deal; how many go on to any end of a turn, however unlikely.
ANYWHERE, ODDLY = 0.15, 0.5


def play_round(
    games: Games, walker: Walker, net: Net, beliefs: Beliefs, replay: Replay, more: Callable[[int], None] | None = None
) -> int:
    """Solve the present turn of each game, keep what it is worth, and go on; how many games have ended."""
    ended = 0
    order = torch.argsort(shape_of(games.position), stable=True)
    for which in torch.split(order, walker.capacity):
        position, start = games.position[which], games.start[which]
        n = walker.solve(position, start, net)
        walker.ask(net)
        replay.add(walker.root[:n], position, start, walker.value(n))
        if more is not None:
            more(n)
        ended += go_on(games, which, walker, beliefs)
    return ended


def go_on(games: Games, which: torch.Tensor, walker: Walker, beliefs: Beliefs) -> int:
    """Each of these games goes on to an end of its turn, or a new one begins."""
    n = len(which)
    mass = walker.mass[:n]
    oddly = torch.rand(n, generator=beliefs.random, device=walker.device) < ODDLY
    chances = torch.where(oddly[:, None], mass**0.3, mass)
    over = torch.where(oddly, 0.0, (1 - mass.sum(1)).clamp_min(0))
    end = torch.multinomial(torch.cat([chances, over[:, None] + 1e-9], 1), 1, generator=beliefs.random)[:, 0]
    fresh = end == ENDS
    rows, at = torch.arange(n, device=walker.device), end.clamp_max(ENDS - 1)
    position = walker.tensors.ends[rows, at, :5]
    position[fresh] = games.position[which][fresh]
    games.position[which], games.start[which] = position, beliefs.doubted(position, walker.tensors.mass[rows, at])
    again = which[fresh | (torch.rand(n, generator=beliefs.random, device=walker.device) < 0.02)]
    games.position[again], games.start[again] = beliefs.deals(len(again))
    anywhere = again[torch.rand(len(again), generator=beliefs.random, device=walker.device) < ANYWHERE]
    games.position[anywhere], games.start[anywhere] = beliefs.anywhere(len(anywhere))
    return int(fresh.sum())


def learn(net: Net, best: torch.optim.Optimizer, replay: Replay, steps: int, size: int) -> float:
    """Some steps of gradient descent; the loss on average."""
    total = 0.0
    for _ in range(steps):
        best.zero_grad(set_to_none=True)
        loss = loss_of(net, replay.batch(size))
        loss.backward()
        best.step()
        total += loss.detach()
    return float(total) / max(steps, 1)


def blueprint_samples(told: Any, sweeps: int = 2) -> Iterator[tuple[Any, Any, Any]]:
    """By stand: positions [n, 5], beliefs and values [n, pairs of hands], as the blueprint plays: to begin with."""
    from kibitz.coup.blueprint import learners, matrices

    half = learners.Half()
    half.play_as(told)
    field = learners.Field(1.0)
    groups = learners.groups_of_spots()
    room = matrices.new_room()
    for number in range(sweeps):
        field.begin()
        for k in range(4):
            sweep.scatter(field.likely, k, 1e-3)
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
        lost, _, coins, coins_too = np.nonzero(now.sum(4) > 0)
        at = np.nonzero(now.sum(4) > 0)
        position = np.stack([np.full(len(lost), 2 - k // 2), np.full(len(lost), 2 - k % 2), lost, coins, coins_too], 1)
        room_for = np.zeros((2, len(lost), PAIRS_OF_HANDS), np.float32)
        room_for[0, :, :size], room_for[1, :, :size] = now[at], after[at]
        yield position, room_for[0], room_for[1]
