"""Learns two-player Catan from scratch by playing itself: masked PPO in PyTorch.

    pip install 'kibitz[train,cuda]'
    python examples/ppo_catan.py build/ppo-catan                 # on the GPU if there is one
    python examples/ppo_catan.py build/ppo-catan --seconds 0 --rivals builder-0.1,builder    # only measures
    python examples/ppo_catan.py build/ppo-small --places 256    # smaller, on a CPU

Games, rewards and observations come from `kibitz.adapters.gpu_table.GpuTableEnv`, whose arrays PyTorch reads without copying;
on a CPU they come from `kibitz.adapters.vector_table.VectorTableEnv`, which plays the same games. One network
(`examples/catan_net.py`) plays both seats and learns from nothing else. The reward is winning the game and, with every step,
how much better the evaluator finds the position than before: a potential, which does not change what is best to play. Now and
then the network is measured against ``builder-0.1``, which it never meets in training.

The folder keeps the weights and the learning curve, and the same command resumes.
"""

from __future__ import annotations

import argparse
import time
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from catan_net import CatanNet
from torch import nn
from training_folder import TrainingFolder, checksum, drawn

from kibitz.adapters.gpu_table import GpuTableEnv
from kibitz.adapters.vector_table import VectorTableEnv, inputs_of
from kibitz.catan import Rules
from kibitz.play.share import Share

SEATS, RIVAL, RULES = 2, "builder-0.1", Rules(domestic_trade=False)


@dataclass(frozen=True)
class Recipe:
    """What to do, and how much of it."""

    places: int = 16384
    steps: int = 32
    updates: int = 700
    epochs: int = 2
    batches: int = 8
    width: int = 512
    corner_width: int = 64
    rate: float = 1e-3
    clip: float = 0.2
    entropy: float = 0.005
    share: float = 0.9
    shaping: float = 1.0
    scale: float = 4.0
    """What rewards are multiplied with, so that values are neither small nor large."""
    settle: int = 50
    """After so many updates what is standard in the observations changes no more."""
    measure_every: int = 50
    games: int = 1000
    seed: int = 1


class Step(NamedTuple):
    """A step as it comes from the environment."""

    observations: Any
    inputs: Any
    masks: Any


class Seen(NamedTuple):
    """A step as the network takes it."""

    seen: torch.Tensor
    inputs: torch.Tensor
    masks: torch.Tensor


class Lessons(NamedTuple):
    """``[step, place]`` what the decisions of a batch of games have taught."""

    gains: torch.Tensor
    """How much better than expected they were."""
    returns: torch.Tensor
    """What the value should have been."""
    known: torch.Tensor
    """Whether the seat's next decision, or the end of the game, lies in the batch."""


class Training:
    """A recipe at work in a folder."""

    def __init__(self, recipe: Recipe, folder: Path, device: str) -> None:
        self.recipe, self.device = recipe, torch.device(device)
        torch.manual_seed(recipe.seed)
        torch.set_float32_matmul_precision("high")
        options: dict[str, Any] = {"inputs": True, "shaping": recipe.shaping, "rules": RULES}
        kind = GpuTableEnv if self.device.type == "cuda" else VectorTableEnv
        self.tables: Any = kind(recipe.places, "catan", SEATS, **options)
        here = self.tables.setting
        self.net = CatanNet(here, inputs_of(here), recipe.width, recipe.corner_width).to(self.device)
        self.optimiser = torch.optim.Adam(self.net.parameters(), lr=recipe.rate, eps=1e-5, fused=self.device.type == "cuda")
        self.done, self.seconds, self.curve = 0, 0.0, list[dict[str, float]]()
        self.folder = TrainingFolder(folder, asdict(recipe), self.net, self.optimiser)
        if kept := self.folder.load(self.device):
            self.done, self.seconds, self.curve = kept["done"], kept["seconds"], kept["curve"]

    def save(self) -> None:
        """Keep everything."""
        self.folder.save(self.curve, RIVAL, self.recipe.games, done=self.done, seconds=self.seconds)

    def checksum(self) -> str:
        """Of the weights."""
        return checksum(self.net)

    def lowered(self) -> Any:
        """A context in which 16-bit numbers are enough, and faster."""
        return torch.autocast("cuda", torch.bfloat16) if self.device.type == "cuda" else nullcontext()

    def run(self, seconds: float = float("inf")) -> None:
        """Play and learn until the recipe is done or the seconds of training are up."""
        recipe = self.recipe
        torch.manual_seed(recipe.seed + self.done)
        step, before = self.tables.reset(seed=recipe.seed + self.done), self.seconds
        while self.done < recipe.updates and self.seconds - before < seconds:
            began = time.perf_counter()
            left = 1 - self.done / recipe.updates
            for group in self.optimiser.param_groups:
                group["lr"] = recipe.rate * min(1.0, (self.done + 1) / 10) * max(left, 0.02)
            step, told = self.update(step)
            self.done += 1
            self.seconds += time.perf_counter() - began
            if self.done % recipe.measure_every == 0 or self.done == recipe.updates:
                self.report(told)

    def report(self, told: str) -> None:
        """Measure, keep, print."""
        won, decisions = self.measure(self.recipe.games), self.done * self.recipe.places * self.recipe.steps
        self.curve.append(
            {"updates": self.done, "decisions": decisions, "seconds": round(self.seconds, 1), "won": round(won.rate, 4)}
        )
        self.save()
        low, high = won.interval
        print(
            f"{self.done:5} updates  {decisions / 1e6:7.1f} M decisions  {self.seconds:6.0f} s  {told}  "
            f"{won.rate:.1%} against {RIVAL} ({low:.1%}-{high:.1%})", flush=True,
        )  # fmt: skip

    def update(self, step: Any) -> tuple[Any, str]:
        """Play some steps in all places and learn from them; a few words about it."""
        recipe, device = self.recipe, self.device
        shape = recipe.steps, recipe.places
        now = self.on_device(step)
        kept = Seen(*(torch.empty(recipe.steps, *one.shape, dtype=one.dtype, device=device) for one in now))
        chosen = torch.empty(shape, dtype=torch.int64, device=device)
        likely = torch.empty(shape, device=device)
        values = torch.empty(recipe.steps + 1, recipe.places, device=device)
        actors = torch.empty(recipe.steps + 1, recipe.places, dtype=torch.int64, device=device)
        rewards, over = torch.empty(*shape, SEATS, device=device), torch.empty(shape, dtype=torch.bool, device=device)
        for t in range(recipe.steps + 1):
            now = self.on_device(step)
            if self.done < recipe.settle:
                self.net.learn_moments(now.seen[::8], now.inputs[::8])
            with torch.no_grad(), self.lowered():
                logs, values[t] = self.net(*now)
            actors[t] = self.tensor(step.actors)
            if t == recipe.steps:
                break
            for room, one in zip(kept, now, strict=True):
                room[t] = one
            chosen[t] = drawn(logs)
            likely[t] = logs.gather(1, chosen[t][:, None])[:, 0]
            step = self.tables.step(chosen[t] if device.type == "cuda" else chosen[t].numpy())
            rewards[t], over[t] = self.tensor(step.rewards), self.tensor(step.over)
        lessons = advantages(values, recipe.scale * rewards, actors, over, recipe.share)
        known = lessons.known.flatten().nonzero()[:, 0]
        flat = [one.flatten(0, 1) for one in (*kept, chosen, likely, lessons.gains, lessons.returns)]
        told = self.learn(known, *flat)
        return step, f"{int(over.sum()):6} games ended  {told}"

    def learn(
        self, known: torch.Tensor, seen: torch.Tensor, inputs: torch.Tensor, masks: torch.Tensor, chosen: torch.Tensor,
        likely: torch.Tensor, gains: torch.Tensor, returns: torch.Tensor,
    ) -> str:  # fmt: skip
        """Some epochs of clipped policy gradients; what they were like."""
        recipe = self.recipe
        some = gains[known]
        gains = ((gains - some.mean()) / (some.std() + 1e-8)).clamp(-5, 5)
        notes = []
        for _ in range(recipe.epochs):
            order = known[torch.randperm(len(known), device=self.device)]
            for batch in order.chunk(recipe.batches):
                with self.lowered():
                    logs, values = self.net(seen[batch], inputs[batch], masks[batch])
                ratio = (logs.gather(1, chosen[batch][:, None])[:, 0] - likely[batch]).exp()
                gain = gains[batch]
                policy = torch.min(ratio * gain, ratio.clamp(1 - recipe.clip, 1 + recipe.clip) * gain).mean()
                entropy = -(logs.exp() * logs).sum(dim=-1).mean()
                wrong = (values - returns[batch]).square().mean()
                loss = 0.5 * wrong - policy - recipe.entropy * entropy
                self.optimiser.zero_grad(set_to_none=True)
                loss.backward()
                nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
                self.optimiser.step()
                notes.append(torch.stack([entropy.detach(), wrong.detach(), ((ratio - 1).abs() > recipe.clip).float().mean()]))
        entropy_, wrong_, clipped = torch.stack(notes).mean(0).tolist()
        explained = 1 - wrong_ / float(returns[known].var() + 1e-8)
        return f"entropy {entropy_:.2f}  explained {explained:.2f}  clipped {clipped:.2f}"

    @torch.no_grad()
    def measure(self, games: int, rival: str = RIVAL) -> Share:
        """One game in each place, equally often from both seats, against a bot; on the CPU."""
        players = [[None if seat == own else rival for seat in range(SEATS)] for own in range(SEATS)]
        rivals = VectorTableEnv(games, "catan", SEATS, players=players, inputs=True, rules=RULES)
        seats = np.arange(games) % SEATS
        playing, won = np.ones(games, np.bool_), np.zeros(games)
        step = rivals.reset(seed=1_000_003 * self.recipe.seed)
        while playing.any():
            wanted, asked = np.zeros(games, np.int64), np.flatnonzero(playing)
            some = Step(step.observations[asked], step.inputs[asked], step.masks[asked])
            with self.lowered():
                logs, _ = self.net(*self.on_device(some))
            wanted[asked] = logs.argmax(1).cpu().numpy()
            step = rivals.step(wanted)
            ended = step.over & playing
            won[ended], playing[ended] = step.rewards[ended, seats[ended]], False
        return Share(int((won == 1).sum()), games)

    def tensor(self, array: Any) -> torch.Tensor:
        """An array on the device of the network: without a copy if it is there already."""
        return torch.from_numpy(array).to(self.device) if isinstance(array, np.ndarray) else torch.from_dlpack(array)

    def on_device(self, step: Any) -> Seen:
        """What is seen and what is allowed."""
        return Seen(self.tensor(step.observations), self.tensor(step.inputs), self.tensor(step.masks).bool())


def advantages(values: torch.Tensor, rewards: torch.Tensor, actors: torch.Tensor, over: torch.Tensor, share: float) -> Lessons:
    """As `kibitz.learn.advantages.advantages` without a discount, on the device where the numbers are."""
    steps, places, seats = rewards.shape
    reward = torch.zeros(places, seats, device=values.device)  # what each seat has got since its last decision
    value, gain, is_known = reward.clone(), reward.clone(), torch.zeros_like(reward, dtype=torch.bool)
    gains, known = torch.empty_like(values[:steps]), torch.empty_like(over)
    who = actors[steps][:, None]
    value.scatter_(1, who, values[steps][:, None])
    is_known.scatter_(1, who, True)
    for t in range(steps - 1, -1, -1):
        ended = over[t][:, None]
        reward, value, gain = (torch.where(ended, 0.0, one) for one in (reward, value, gain))
        is_known = is_known | ended
        reward = reward + rewards[t]
        who = actors[t][:, None]
        known[t] = is_known.gather(1, who)[:, 0]
        wrong = reward.gather(1, who)[:, 0] + value.gather(1, who)[:, 0] - values[t]
        gains[t] = wrong + share * gain.gather(1, who)[:, 0]
        reward = reward.scatter(1, who, 0.0)
        value = value.scatter(1, who, values[t][:, None])
        is_known = is_known.scatter(1, who, True)
        gain = gain.scatter(1, who, torch.where(known[t], gains[t], 0.0)[:, None])
    return Lessons(gains, gains + values[:steps], known)


def main() -> None:
    """Train in the folder that the command line names."""
    parser = argparse.ArgumentParser(description="Learns Catan for two from nothing.")
    parser.add_argument("folder", type=Path, help="where weights and curve are kept; the same command goes on there")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu", help="cpu or cuda")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so much training")
    parser.add_argument("--final", type=int, default=2000, metavar="GAMES", help="how many the last measurement takes")
    parser.add_argument("--rivals", default=RIVAL, help="the bots it is measured against, with commas between them")
    for name, usual in asdict(Recipe()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(usual), default=usual, help=f"{usual}")
    given = vars(parser.parse_args())
    recipe = replace(Recipe(), **{name: given[name] for name in asdict(Recipe())})
    training = Training(recipe, given["folder"], given["device"])
    training.run(given["seconds"])
    training.save()
    print(f"{training.done} updates, {training.seconds:.0f} s, weights {training.checksum()}")
    for rival in given["rivals"].split(","):
        won = training.measure(given["final"], rival)
        low, high = won.interval
        print(f"{won.rate:.1%} against {rival} in {given['final']:,} games ({low:.1%}-{high:.1%})", flush=True)


if __name__ == "__main__":
    main()
