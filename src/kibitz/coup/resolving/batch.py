"""Many turns solved side by side: on all cores, or on a GPU, a turn a thread (PyTorch; for a GPU also the extra ``cuda``)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np

from kibitz.coup.blueprint import spots
from kibitz.coup.blueprint.lone import Floats
from kibitz.coup.blueprint.matrices import LEARNS, PLAYS, ROOM
from kibitz.coup.core.rules import FORCED_COUP
from kibitz.coup.core.state import ASSASSINATE, COST, COUP
from kibitz.coup.resolving import turns
from kibitz.coup.resolving.beliefs import Tensor, stands_of
from kibitz.coup.resolving.network import HEADS, Network, judge
from kibitz.coup.resolving.table import EVERY
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
)  # fmt: skip
from kibitz.learn.fit import torch_or_say

#: So many positions go through the network at once.
MOST_ASKED = 2_000_000
#: Threads of a block on a GPU.
BLOCK = 64

Weights = Mapping[str, Tensor]


def hidden_of(net: Weights, seen: Tensor) -> Tensor:
    """[..., width, positions] the last hidden layer, from what is seen [..., features, positions]."""
    x = (net["first"].T @ seen + net["first_bias"][:, None]).relu()
    return (net["second"].T @ x + net["second_bias"][:, None]).relu()


def head_of(net: Weights, hidden: Tensor, stand: int) -> Tensor:
    """[..., pairs of hands, positions] what positions of a stand are worth."""
    rows = slice(int(HEADS[stand]), int(HEADS[stand + 1]))
    return net["heads"][:, rows].T @ hidden + net["heads_bias"][rows][:, None]


def shapes_of(position: Tensor) -> Tensor:
    """[positions] turns of one shape ask the same questions in the same order."""
    coins = position[:, 3]
    purse = (coins >= COST[ASSASSINATE]).long() + (coins >= COST[COUP]).long() + (coins >= FORCED_COUP).long()
    return (stands_of(position) * 4 + purse) * 2 + (position[:, 4] > 0).long()


class Batch:
    """Room for turns on a ``cpu`` or on ``cuda``, and what is done with them."""

    def __init__(self, device: str, capacity: int, returns: Floats, tremble: float, jobs: int | None = None) -> None:
        """`returns` is what exchanges make of hands, `tremble` how much of a strategy is any answer, in reaches."""
        torch = self._torch = torch_or_say()
        self._gpu, self.device, self.capacity = device == "cuda", device, capacity
        self.threads = jobs or os.cpu_count() or 1

        def room(*shape: int, dtype: Any = torch.float32) -> Tensor:
            """[capacity, *shape]; on a GPU neighbouring threads find what is theirs side by side."""
            if self._gpu:
                return torch.zeros((*shape, capacity), dtype=dtype, device=device).movedim(-1, 0)
            return torch.zeros((capacity, *shape), dtype=dtype)

        whole, pairs = torch.int64, PAIRS_OF_HANDS
        self.turns: Any = Turns(
            position=room(5, dtype=whole), start=room(pairs), after=room(pairs), how=room(SLOTS), gains=room(SLOTS),
            reach=room(SLOTS), regrets=room(SLOTS), sums=room(SLOTS), met=room(6, dtype=whole),
            asked=room(QUESTIONS, 5, dtype=whole), ends=room(ENDS, 6, dtype=whole), path=room(SLOTS, dtype=whole),
            own=room(SLOTS), mass=room(ENDS, pairs), worth=room(ENDS, pairs),
        )  # fmt: skip
        sizes = np.array(spots.HANDS) * np.array(spots.HANDS_TOO)
        self._pairs = torch.as_tensor(np.arange(pairs) < sizes[:, None], device=device)  # [stands, pairs of hands]
        self.seen, self.root = room(ENDS, FEATURES), room(FEATURES)
        side = spots.MOST_HANDS
        rooms = room(ROOM, side, side) if self._gpu else torch.zeros((self.threads, ROOM, side, side))
        self.tremble, self._learning = torch.full((1,), tremble, device=device), torch.zeros(2, dtype=whole, device=device)
        kept = [rooms, torch.as_tensor(returns, device=device), torch.zeros(1, device=device), self.tremble, self._learning]
        self._desk, self._views = [self._view(one) for one in kept], Turns(*map(self._view, self.turns))
        self._seen, self._root = self._view(self.seen), self._view(self.root)
        self._groups: list[tuple[slice, list[Any]]] = []

    def _view(self, tensor: Tensor) -> Any:
        """The same memory for compiled code."""
        if not self._gpu:
            return tensor.numpy()
        from numba import cuda

        return cuda.as_cuda_array(tensor)

    def act(self, what: int, n: int, number: int = 0, times: int = 1) -> None:
        """Do one thing with each of the first `n` turns (`kibitz.coup.resolving.turns.act`)."""
        rooms, *rest = self._desk
        if self._gpu:
            facts = (rooms, *rest, what, self._seen, self._root, n, number, times)
            _kernel()[(n + BLOCK - 1) // BLOCK, BLOCK](self._views, *facts)
            return

        def part(thread: int, k: int) -> None:
            desk = Desk(rooms[thread], *rest)
            turns.act(self._views, k, desk, what, self._seen[k], self._root[k], number, times)

        self._share(part, n)

    def _share(self, do: Callable[[int, int], None], n: int) -> None:
        """Let all threads `do` something, for each of `n` turns: with the number of the thread and that of the turn."""

        def part(thread: int) -> None:
            for k in range(n * thread // self.threads, n * (thread + 1) // self.threads):
                do(thread, k)

        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(part, range(self.threads)))

    def solve(self, position: Tensor, start: Tensor, net: Weights, walks: int) -> None:
        """Solve turns, which are sorted by shape; then the average strategies are played, and their ends are known."""
        n = len(position)
        self.turns.position[:n], self.turns.start[:n] = position, start
        self._learning[:] = LEARNS
        self.act(BEGIN, n)
        self._group(position)
        self.act(LOOK_AHEAD, n)
        for first in range(1, walks + 1, EVERY):
            self.ask(net)
            self.act(GO_BACK, n, first, min(EVERY, walks + 1 - first))
            self.act(LOOK_AHEAD if first + EVERY <= walks else SETTLE, n)

    def _group(self, position: Tensor) -> None:
        """By shape: which turns, and by stand the numbers of their ends."""
        _, counts = self._torch.unique_consecutive(shapes_of(position), return_counts=True)
        lasts = counts.cumsum(0).tolist()
        self._groups = []
        for first, last in zip([0, *lasts], lasts, strict=False):
            ends = self.turns.ends[first, : int(self.turns.met[first, 2])].cpu().numpy()
            stands = (2 - ends[:, 0]) * 2 + 2 - ends[:, 1]
            self._groups.append((slice(first, last), [np.flatnonzero(stands == k) for k in range(spots.STANDS)]))

    def ask(self, net: Weights) -> None:
        """What the ends of the turns that were solved last are worth, by a network."""
        if not self._gpu:
            network = Network(**{name: one.detach().numpy() for name, one in net.items()})
            hidden = np.zeros((self.threads, 2, len(network.first_bias)), np.float32)
            self._share(lambda i, k: judge(self._views, k, network, self._seen[k], hidden[i]), self._groups[-1][0].stop)
            return
        for which, by_stand in self._groups:
            size = which.stop - which.start
            for stand, at in enumerate(by_stand):
                pairs = int(HEADS[stand + 1] - HEADS[stand])
                for part in np.array_split(at, len(at) * size // MOST_ASKED + 1) if len(at) else ():
                    where = self._torch.as_tensor(part, device=self.device)
                    with self._torch.no_grad():
                        seen = self.seen.permute(1, 2, 0)[where, :, which]  # [ends, features, turns]
                        worth = head_of(net, hidden_of(net, seen), stand).clamp(-1, 1)
                        self.turns.worth.permute(1, 2, 0)[where, :pairs, which] = worth

    def value(self, n: int, doing: Sequence[int] = (PLAYS, PLAYS)) -> Tensor:
        """[n, pairs of hands] what the first turns are worth as they are played now, or if somebody `ANSWERS_BEST`."""
        self._learning[0], self._learning[1] = doing
        self.act(VALUE, n)
        return self.turns.after[:n] * self._pairs[stands_of(self.turns.position[:n])]

    def likely(self, n: int) -> Tensor:
        """[n, ends, pairs of hands] how likely play comes to each end of the first turns."""
        there = self._torch.arange(ENDS, device=self.device) < self.turns.met[:n, 2:3]
        ends = self.turns.ends[:n].clamp(0, 2)  # what is no end holds anything
        stands = (2 - ends[:, :, 0]) * 2 + 2 - ends[:, :, 1]
        return self._torch.where(there[:, :, None] & self._pairs[stands.clamp(0, 3)], self.turns.mass[:n], 0.0)


@cache
def _kernel() -> Any:
    """What a GPU does: `act`, a turn a thread."""
    from numba import cuda

    act = turns.act

    @cuda.jit  # type: ignore[untyped-decorator]
    def work(
        t: Any, rooms: Any, returns: Any, spare: Any, tremble: Any, learning: Any, what: int, seen: Any, root: Any, n: int,
        number: int, times: int,
    ) -> None:  # fmt: skip
        k = cuda.grid(1)
        if k < n:
            act(t, k, Desk(rooms[k], returns, spare, tremble, learning), what, seen[k], root[k], number, times)

    return work
