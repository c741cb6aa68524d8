"""Masked PPO with self-play, in PyTorch, on Kibitz's batched environment: a network learns a game from scratch.

`examples/ppo_coup.py` is a recipe for it (`examples/ppo_catan.py` is the same for a GPU, with a network that knows the
island):

    pip install 'kibitz[train]'
    python examples/ppo_coup.py build/ppo-coup

One network plays all seats. At every step it decides in thousands of games; after some steps it learns from all of them
(Schulman et al. 2017; illegal actions are masked). The folder keeps the weights and the learning curve, and the same command
resumes. All random numbers come from seeds: the same recipe on the same machine gives the same network.
"""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from training_folder import TrainingFolder, checksum, drawn

from kibitz.adapters.vector_table import Step, VectorTableEnv
from kibitz.learn.advantages import advantages
from kibitz.play.share import Share


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """What is learned, how, and against whom it is measured."""

    game: str
    seats: int
    rival: str
    """Who is to be beaten."""
    options: dict[str, Any] = field(default_factory=dict)
    """Rules, board: the options of the game."""
    tables: tuple[tuple[str | None, ...], ...] = ()
    """Who sits where in the games that are learned from, None for the network; without any, it plays against itself."""
    shaping: float = 0.0
    """How much of the evaluator's judgement is added to the rewards; it falls to 0 in the course of the training."""
    places: int = 512
    steps: int = 32
    updates: int = 1000
    epochs: int = 3
    batches: int = 8
    width: int = 128
    depth: int = 2
    rate: float = 1e-3
    clip: float = 0.2
    entropy: float = 0.02
    discount: float = 1.0
    share: float = 0.95
    measure_every: int = 50
    games: int = 1000
    """How many games each measurement takes."""
    seed: int = 1


class Player(nn.Module):
    """Maps an observation to the logits of all ids and to the value of the game."""

    def __init__(self, numbers: int, ids: int, width: int, depth: int) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for at in range(depth):
            layers += [nn.Linear(width if at else numbers, width), nn.LayerNorm(width), nn.ReLU()]
        self.body = nn.Sequential(*layers)
        self.policy, self.value = nn.Linear(width, ids), nn.Linear(width, 1)
        nn.init.normal_(self.policy.weight, std=0.01)

    def forward(self, seen: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """``[n, ids]`` log-probabilities, those of illegal ids near minus infinity; ``[n]`` values."""
        hidden = self.body(seen)
        logits = self.policy(hidden).masked_fill(~masks, -1e9)
        return logits.log_softmax(dim=-1), self.value(hidden).squeeze(-1)


class Training:
    """A recipe at work in a folder."""

    def __init__(self, recipe: Recipe, folder: Path, device: str) -> None:
        self.recipe, self.device = recipe, torch.device(device)
        torch.manual_seed(recipe.seed)
        self.tables = VectorTableEnv(
            recipe.places, recipe.game, recipe.seats, players=recipe.tables or None, floats="one-hot+standardised",
            shaping=recipe.shaping, discount=recipe.discount, reuse=True, **recipe.options,
        )  # fmt: skip
        self.floats = self.tables.floats
        self.player = Player(self.floats.size, len(self.tables.actions), recipe.width, recipe.depth).to(self.device)
        self.optimiser = torch.optim.Adam(self.player.parameters(), lr=recipe.rate, eps=1e-5)
        self.done, self.seconds, self.curve = 0, 0.0, list[dict[str, float]]()
        self.folder = TrainingFolder(folder, {"text": repr(recipe)}, self.player, self.optimiser)
        if kept := self.folder.load(self.device):
            self.floats.moments = {name: numbers.cpu().numpy() for name, numbers in kept["moments"].items()}
            self.done, self.seconds, self.curve = kept["done"], kept["seconds"], kept["curve"]

    def save(self) -> None:
        """Keep everything."""
        moments = {name: torch.as_tensor(numbers) for name, numbers in self.floats.moments.items()}
        self.folder.save(
            self.curve, self.recipe.rival, self.recipe.games, moments=moments, done=self.done, seconds=self.seconds
        )

    def checksum(self) -> str:
        """Of the weights."""
        return checksum(self.player)

    def run(self) -> None:
        """Play and learn until the recipe is done."""
        recipe = self.recipe
        torch.manual_seed(recipe.seed + self.done)
        step = self.tables.reset(seed=recipe.seed + self.done)
        while self.done < recipe.updates:
            began = time.perf_counter()
            left = 1 - self.done / recipe.updates
            self.tables.shaping = recipe.shaping * left
            for group in self.optimiser.param_groups:
                group["lr"] = recipe.rate * left
            step, entropy = self.update(step)
            self.done += 1
            self.seconds += time.perf_counter() - began
            if self.done % recipe.measure_every == 0 or self.done == recipe.updates:
                won = self.measure(recipe.games)
                decisions = self.done * recipe.places * recipe.steps
                self.curve.append(
                    {"updates": self.done, "decisions": decisions, "seconds": round(self.seconds, 1), "won": won.rate}
                )
                self.save()
                low, high = won.interval
                print(
                    f"{self.done:5} updates  {decisions / 1e6:7.1f} M decisions  {self.seconds:6.0f} s  entropy {entropy:.2f}  "
                    f"{won.rate:.1%} against {recipe.rival} ({low:.1%}-{high:.1%})", flush=True,
                )  # fmt: skip

    def update(self, step: Step) -> tuple[Step, float]:
        """Play some steps in all places and learn from them."""
        recipe, n = self.recipe, self.recipe.places
        shape = recipe.steps, n
        seen = torch.empty(*shape, self.floats.size, device=self.device)
        masks = torch.empty(*shape, len(self.tables.actions), dtype=torch.bool, device=self.device)
        chosen = torch.empty(shape, dtype=torch.int64, device=self.device)
        likely = torch.empty(shape, device=self.device)
        values, actors = np.empty((recipe.steps + 1, n), np.float32), np.empty((recipe.steps + 1, n), np.int64)
        rewards, over = np.empty((*shape, recipe.seats), np.float32), np.empty(shape, np.bool_)
        for t in range(recipe.steps + 1):
            now, allowed = self.on_device(step)
            with torch.no_grad():
                logs, value = self.player(now, allowed)
            values[t], actors[t] = value.cpu().numpy(), step.actors
            if t == recipe.steps:
                break
            seen[t], masks[t] = now, allowed
            chosen[t] = drawn(logs)
            likely[t] = logs.gather(1, chosen[t][:, None])[:, 0]
            step = self.tables.step(chosen[t].cpu().numpy())
            rewards[t], over[t] = step.rewards, step.over
        lessons = advantages(values, rewards, actors, over, recipe.discount, recipe.share)
        known = torch.from_numpy(np.flatnonzero(lessons.known)).to(self.device)
        flat = [tensor.flatten(0, 1)[known] for tensor in (seen, masks, chosen, likely)]
        gains, returns = (torch.from_numpy(one.ravel()).to(self.device)[known] for one in lessons[:2])
        return step, self.learn(*flat, gains, returns)

    def learn(
        self, seen: torch.Tensor, masks: torch.Tensor, chosen: torch.Tensor, likely: torch.Tensor,
        gains: torch.Tensor, returns: torch.Tensor,
    ) -> float:  # fmt: skip
        """Some epochs of clipped policy gradients; the mean entropy of the policy."""
        recipe, entropies = self.recipe, []
        gains = (gains - gains.mean()) / (gains.std() + 1e-8)
        for _ in range(recipe.epochs):
            for batch in torch.randperm(len(seen), device=self.device).chunk(recipe.batches):
                logs, values = self.player(seen[batch], masks[batch])
                ratio = (logs.gather(1, chosen[batch][:, None])[:, 0] - likely[batch]).exp()
                gain = gains[batch]
                policy = torch.min(ratio * gain, ratio.clamp(1 - recipe.clip, 1 + recipe.clip) * gain).mean()
                entropy = -(logs.exp() * logs).sum(dim=-1).mean()
                loss = 0.5 * (values - returns[batch]).square().mean() - policy - recipe.entropy * entropy
                self.optimiser.zero_grad(set_to_none=True)
                loss.backward()
                nn.utils.clip_grad_norm_(self.player.parameters(), 0.5)
                self.optimiser.step()
                entropies.append(float(entropy.detach()))
        return math.fsum(entropies) / len(entropies)

    def measure(self, games: int) -> Share:
        """One game in each place, equally often from every seat, against the rival on all other seats."""
        recipe = self.recipe
        tables = [[None if seat == own else recipe.rival for seat in range(recipe.seats)] for own in range(recipe.seats)]
        rivals = VectorTableEnv(
            games, recipe.game, recipe.seats, players=tables, floats="one-hot+standardised", **recipe.options
        )
        rivals.floats.moments, rivals.floats.frozen = self.floats.moments, True
        seats = np.arange(games) % recipe.seats
        playing, won = np.ones(games, np.bool_), np.zeros(games)
        step = rivals.reset(seed=1_000_003 * recipe.seed)
        while playing.any():
            with torch.no_grad():
                logs, _ = self.player(*self.on_device(step))
            step = rivals.step(drawn(logs).cpu().numpy())
            ended = step.over & playing
            won[ended], playing[ended] = step.rewards[ended, seats[ended]], False
        return Share(int((won == 1).sum()), games)

    def on_device(self, step: Step) -> tuple[torch.Tensor, torch.Tensor]:
        """What is seen, and what is allowed."""
        return torch.from_numpy(step.observations).to(self.device), torch.from_numpy(step.masks).to(self.device).bool()


def main(recipe: Recipe, about: str) -> None:
    """Train by a recipe, in the folder and on the device that the command line names."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("folder", type=Path, help="where weights and curve are kept; the same command goes on there")
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--threads", type=int, default=1, help="of PyTorch; more than one seldom helps while games are played")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    training = Training(recipe, given.folder, given.device)
    training.run()
    won = training.measure(2000)
    low, high = won.interval
    print(f"{won.rate:.1%} against {recipe.rival} in 2,000 games ({low:.1%}-{high:.1%}); weights {training.checksum()}")
