"""Training: the weights of a network from positions and what they are worth, with PyTorch (the extra ``train``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.game.evaluator import CLIP, HEAVY_THIRD, MIDDLE, NARROW, ONE, OTHER, heavy
from kibitz.game.nets import FloatLayers
from kibitz.ground.texts import Mistake

#: Activations and weights of the second and third layer are kept within what the integers can say.
LARGEST, HEAVIEST_THIRD = CLIP / ONE, HEAVY_THIRD / (1 << OTHER)
#: Under which name a state keeps PyTorch's random numbers.
CHANCE = "chance"
#: Positions that are judged at once where nothing is learned.
MANY = 65_536


class NoTorch(Mistake):
    """PyTorch is missing; the message says how to install it."""


def torch_or_say() -> Any:
    """PyTorch. Raises `NoTorch` where it is not installed."""
    try:
        import torch
    except ImportError:
        raise NoTorch("training needs PyTorch, which is not installed (pip install 'kibitz[train]')") from None
    return torch


@dataclass(frozen=True)
class Schedule:
    """How a pass over the positions learns."""

    epochs: float = 1.0
    batch: int = 1024
    rate: float = 2.5e-3
    """The highest learning rate, which is reached soon and then falls to nothing (Smith 2018)."""
    decay: float = 1e-5


class Learner:
    """A network that learns; what it has learned is `layers`."""

    def __init__(
        self, scale: npt.NDArray[np.float64], wide: int, seed: int = 0, start: FloatLayers | None = None, threads: int = 1
    ) -> None:
        """`scale` [inputs] is what the inputs are multiplied by, so that all are of one size; `start` is what is known already.

        `wide` is how many hidden numbers each seat has; where a start has fewer, the others count nothing at first. (Its
        largest weights may then be cut off: see `kibitz.game.evaluator.heavy`.)

        It learns on a GPU where PyTorch finds one. Its sums are small: on a machine that does something else beside it, two
        threads are many times slower than one.
        """
        torch = self._torch = torch_or_say()
        torch.set_num_threads(threads)
        torch.manual_seed(seed)
        linear = torch.nn.Linear
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self._scale = torch.tensor(scale, dtype=torch.float32, device=self.device)
        self._first, self._own = linear(len(scale), wide), linear(wide, MIDDLE)
        self._most, self._all = linear(wide, MIDDLE, bias=False), linear(wide, MIDDLE, bias=False)
        self._heaviest = heavy(wide) / (1 << OTHER)
        self._third, self._last = linear(MIDDLE, NARROW), linear(NARROW, 1)
        self._modules = torch.nn.ModuleList([self._first, self._own, self._most, self._all, self._third, self._last])
        self._modules.to(self.device)
        if start:
            self._begin_with(start, scale)

    def _begin_with(self, start: FloatLayers, scale: npt.NDArray[np.float64]) -> None:
        if len(start.first_bias) > self._first.out_features:
            raise ValueError(
                f"a network of width {len(start.first_bias)} cannot become one of width {self._first.out_features}"
            )
        own, most, together = np.split(start.second, 3)
        known = {
            self._first: (start.first / scale[:, None], start.first_bias), self._own: (own, start.second_bias),
            self._most: (most, None), self._all: (together, None), self._third: (start.third, start.third_bias),
            self._last: (start.last[:, None], start.last_bias),
        }  # fmt: skip
        with self._torch.no_grad():
            for layer, (weights, bias) in known.items():
                here, there = weights.T.shape, layer.weight
                if layer is not self._first:
                    there.zero_()
                there[: here[0], : here[1]].copy_(self._torch.from_numpy(np.ascontiguousarray(weights.T)))
                if bias is not None:
                    layer.bias[: len(bias)].copy_(self._torch.from_numpy(np.ascontiguousarray(bias)))

    @staticmethod
    def scale_of(inputs: npt.NDArray[np.int8]) -> npt.NDArray[np.float64]:
        """[inputs] what makes the inputs of these positions equally large."""
        spread: npt.NDArray[np.float64] = inputs.reshape(-1, inputs.shape[2]).std(axis=0, dtype=np.float64)
        return 1.0 / spread.clip(min=0.3)

    def _judge(self, inputs: Any) -> Any:
        """[position, seat] what speaks for each seat."""
        torch = self._torch
        hidden = torch.clamp(self._first(inputs.float() * self._scale), 0, LARGEST)
        most = self._most_of_others(hidden)
        mixed = self._own(hidden) + self._most(most) + self._all(hidden.sum(1, keepdim=True))
        narrow = self._third(torch.clamp(mixed, 0, LARGEST))
        return self._last(torch.clamp(narrow, 0, LARGEST))[..., 0]

    def _most_of_others(self, hidden: Any) -> Any:
        """[position, seat, hidden] the largest of the other seats: of those before each seat, and of those after it."""
        torch, columns = self._torch, hidden.unbind(1)
        none = torch.zeros_like(columns[0])
        before, after = [none], [none]
        for ahead, behind in zip(columns[:-1], columns[:0:-1], strict=True):
            before.append(torch.maximum(before[-1], ahead))
            after.append(torch.maximum(after[-1], behind))
        return torch.stack([torch.maximum(a, b) for a, b in zip(before, after[::-1], strict=True)], 1)

    def values(self, inputs: npt.NDArray[np.int8]) -> npt.NDArray[np.float32]:
        """[position, seat] each seat's chance to win."""
        torch = self._torch
        found = np.zeros(inputs.shape[:2], np.float32)
        with torch.no_grad():
            for first in range(0, len(inputs), MANY):
                part = torch.from_numpy(inputs[first : first + MANY]).to(self.device)
                found[first : first + MANY] = torch.softmax(self._judge(part), 1).cpu().numpy()
        return found

    def learn(
        self,
        inputs: npt.NDArray[np.int8],
        targets: npt.NDArray[np.float32],
        schedule: Schedule = Schedule(),  # noqa: B008
        progress: Callable[[int, float], None] = lambda done, loss: None,
    ) -> float:
        """A pass over the positions; the mean loss of its last tenth. `progress` hears of positions done, and of the loss."""
        torch = self._torch
        given, wanted = torch.from_numpy(inputs).to(self.device), torch.from_numpy(targets).to(self.device)
        batch = min(schedule.batch, len(given))
        steps = max(2, int(schedule.epochs * len(given) / batch))
        optimiser = torch.optim.AdamW(self._modules.parameters(), lr=schedule.rate, weight_decay=schedule.decay)
        cycle = torch.optim.lr_scheduler.OneCycleLR(optimiser, schedule.rate, total_steps=steps, pct_start=0.1)
        losses = []
        for here in self._batches(len(given), batch, steps):
            loss = -(wanted[here] * torch.log_softmax(self._judge(given[here]), 1)).sum(1).mean()
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
            cycle.step()
            with torch.no_grad():
                for layer in (self._own, self._most, self._all):
                    layer.weight.clamp_(-self._heaviest, self._heaviest)
                self._third.weight.clamp_(-HEAVIEST_THIRD, HEAVIEST_THIRD)
            losses.append(float(loss.detach()))
            progress(batch, losses[-1])
        return float(np.mean(losses[-max(1, steps // 10) :]))

    def _batches(self, n: int, batch: int, steps: int) -> Iterator[Any]:
        """The places of the positions of each step: all in random order, again and again."""
        order, at = self._torch.randperm(n).to(self.device), 0
        for _ in range(steps):
            if at + batch > n:
                order, at = self._torch.randperm(n).to(self.device), 0
            yield order[at : at + batch]
            at += batch

    @property
    def state(self) -> dict[str, npt.NDArray[Any]]:
        """All that `restore` needs to go on as if nothing had happened between."""
        kept = {name: tensor.detach().cpu().numpy().copy() for name, tensor in self._modules.state_dict().items()}
        return {**kept, CHANCE: self._torch.get_rng_state().numpy()}

    def restore(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Go on from a `state` of the same learner."""
        torch = self._torch
        self._modules.load_state_dict({name: torch.from_numpy(state[name]) for name in state if name != CHANCE})
        torch.set_rng_state(torch.from_numpy(state[CHANCE]))

    @property
    def layers(self) -> FloatLayers:
        """What was learned."""

        def numbers(of: Any) -> npt.NDArray[np.float64]:
            return np.asarray(of.detach().double().cpu().numpy(), np.float64)

        first = numbers(self._first.weight).T * numbers(self._scale)[:, None]
        second = np.concatenate([numbers(layer.weight).T for layer in (self._own, self._most, self._all)])
        return FloatLayers(
            first,
            numbers(self._first.bias),
            second,
            numbers(self._own.bias),
            numbers(self._third.weight).T,
            numbers(self._third.bias),
            numbers(self._last.weight)[0],
            numbers(self._last.bias),
        )
