"""Which of several plans wins most? Whole games are played for each, and more for those that may be the best.

Sequential halving (Karnin, Koren, Somekh 2013): in each round all plans that are left play the same number of games, then the
worse half retires; the last two share what remains. The number of games of every round is fixed beforehand and ties go to the
first plan, so that the same seed gives the same race on any workers.

A rate from the games that kept a plan in the race would be too high. So before the last round only the games with
odd numbers decide who stays, and only the others (with all games of the last round) are reported.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.catan.analysis.rollouts import GPU_GAMES, OUTCOME, UNIT, Outcomes, Unit, play_units, split, win_share
from kibitz.compute.checkpoint import Checkpoint, CheckpointError
from kibitz.compute.cuda import Gpu
from kibitz.compute.runtime import Runtime, Workers
from kibitz.game import States
from kibitz.loops.config import Config
from kibitz.play.share import Standing

#: The share of all games that the last round gets; the rounds before divide the rest evenly.
LAST_ROUND = 0.4
#: Rounds with fewer games for each plan would decide by luck alone: then all plans play equally many.
FEWEST = 4
#: Units that are handed out at once, so that a race of any length takes little memory; a GPU wants more of them.
BLOCK, GPU_BLOCK = 1 << 11, GPU_GAMES // UNIT
#: Seconds between two reports; more where a report takes long, so that it costs at most so much of the time.
REPORT_EVERY = 0.1
REPORT_COST = 0.05


@dataclass(frozen=True)
class Plan:
    """Something to try: game i of its series begins at ``starts[i % len(starts)]``."""

    name: str
    seed: int
    starts: States


class Round(NamedTuple):
    """`games` for each of the best `plans` plans."""

    plans: int
    games: int


def schedule(plans: int, games: int, adaptive: bool = True) -> list[Round]:
    """The rounds in which `plans` plans play about `games` games in all (what is left over belongs to the last round).

    >>> schedule(10, 8000)
    [Round(plans=10, games=160), Round(plans=5, games=320), Round(plans=3, games=532), Round(plans=2, games=1602)]
    >>> schedule(10, 8000, adaptive=False)
    [Round(plans=10, games=800)]
    """
    fields = [plans]
    while fields[-1] > 2:
        fields.append(-(-fields[-1] // 2))
    even = Round(plans, games // plans)
    if not adaptive or len(fields) == 1:
        return [even]
    each = games * (1 - LAST_ROUND) / (len(fields) - 1)
    rounds = [Round(n, int(each / n) // 2 * 2) for n in fields[:-1]]
    if rounds[0].games < FEWEST:
        return [even]
    rest = games - sum(r.plans * r.games for r in rounds)
    return [*rounds, Round(fields[-1], rest // fields[-1])]


@dataclass
class Sample:
    """The games of one plan, by their numbers ``[game]``."""

    name: str
    outcomes: Outcomes = field(default_factory=lambda: np.zeros(0, OUTCOME))
    played: npt.NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))
    deciding: npt.NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))
    rounds: int = 0
    """How many rounds it stayed in the race."""

    def make_room(self, n: int, deciding: bool) -> int:
        """Room for `n` games more; the number of the first."""
        first = len(self.outcomes)
        numbers = np.arange(first, first + n)
        self.outcomes = np.concatenate([self.outcomes, np.zeros(n, OUTCOME)])
        self.played = np.concatenate([self.played, np.zeros(n, np.bool_)])
        self.deciding = np.concatenate([self.deciding, (numbers % 2 == 1) & deciding])
        return first

    @property
    def all(self) -> Outcomes:
        """Every game that was played."""
        return self.outcomes[self.played]

    @property
    def decided(self) -> Outcomes:
        """The games that decided whether the plan stays."""
        return self.outcomes[self.played & self.deciding]

    @property
    def reported(self) -> Outcomes:
        """The games that did not."""
        return self.outcomes[self.played & ~self.deciding]

    def paired_with(self, other: Sample) -> tuple[Outcomes, Outcomes]:
        """The reported games that both have played, this one's and the other's."""
        n = min(len(self.outcomes), len(other.outcomes))
        both = self.played[:n] & ~self.deciding[:n] & other.played[:n] & ~other.deciding[:n]
        return self.outcomes[:n][both], other.outcomes[:n][both]


def outcomes_of(known: bytes, games: int) -> Outcomes:
    """The outcomes that a checkpoint holds."""
    if len(known) != games * OUTCOME.itemsize:
        raise CheckpointError(f"the checkpoint holds {len(known)} bytes where {games} games have {games * OUTCOME.itemsize}")
    return np.frombuffer(known, OUTCOME)


@dataclass
class Race:
    """A race between plans: `run` it, then read `samples`.

    ``value(plan, outcomes)`` says how good a plan is by some of its games; it is never asked about none.
    """

    plans: Sequence[Plan]
    policies: tuple[int, ...]
    seat: int
    value: Callable[[int, Outcomes], float]
    workers: Workers | Gpu
    guard: Config | None = None

    def __post_init__(self) -> None:
        self.samples = [Sample(plan.name) for plan in self.plans]
        self.total = self._resumed = 0
        self._racing = list(range(len(self.plans)))
        self._next_report = 0.0

    @property
    def played(self) -> int:
        """How many games have been played."""
        return sum(int(sample.played.sum()) for sample in self.samples)

    def run(
        self, games: int, adaptive: bool, runtime: Runtime, checkpoint: Checkpoint, deciding_to_the_end: bool = False
    ) -> str | None:
        """Play `games` games in all; why the race was stopped early, if it was.

        `deciding_to_the_end` also holds back half of the last round, for a choice among plans that the caller makes afterwards.
        """
        rounds = schedule(len(self.plans), games, adaptive)
        self.total = games
        for number, heat in enumerate(rounds):
            last = number == len(rounds) - 1
            if number:
                self._retire(heat.plans)
            left_over = games - sum(r.plans * r.games for r in rounds) if last else 0
            stretches = []
            for place, plan in enumerate(self._racing):
                self.samples[plan].rounds += 1
                n = heat.games + (1 if place < left_over else 0)
                stretches.append(self._units(plan, n, deciding=deciding_to_the_end or not last))
            # All plans side by side: who is stopped in the middle has played about as many games for each.
            units = (found for side in zip_longest(*stretches) for found in side if found is not None)
            while block := list(islice(units, GPU_BLOCK if isinstance(self.workers, Gpu) else BLOCK)):
                if stopped := self._play(block, runtime, checkpoint):
                    return stopped
        return None

    def _retire(self, stay: int) -> None:
        """The best `stay` plans by the games that decide stay in the race."""
        best = sorted(self._racing, key=lambda plan: (-self.value(plan, self.samples[plan].decided), plan))
        self._racing = sorted(best[:stay])

    def _units(self, number: int, games: int, deciding: bool) -> Iterator[tuple[int, Unit]]:
        plan = self.plans[number]
        first = self.samples[number].make_room(games, deciding)
        return ((number, unit) for unit in split(plan.starts, plan.seed, first, games, self.policies, self.guard))

    def _play(self, units: Sequence[tuple[int, Unit]], runtime: Runtime, checkpoint: Checkpoint) -> str | None:
        """Play the units that the checkpoint does not hold."""
        missing = []
        for number, unit in units:
            known = checkpoint.get(self._key(number, unit))
            if known is None:
                missing.append((number, unit))
            else:
                self._keep(number, unit, outcomes_of(known, unit.count))
                self._resumed += unit.count
        results = play_units([unit for _, unit in missing], self.workers)
        try:
            for _ in missing:
                if stopped := runtime.stopped:
                    return stopped
                at, outcomes = next(results)
                number, unit = missing[at]
                self._keep(number, unit, outcomes)
                checkpoint.put(self._key(number, unit), outcomes.tobytes())
                self._report(runtime)
        finally:
            results.close()
        self._report(runtime, at_once=True)
        return None

    def _key(self, number: int, unit: Unit) -> str:
        return f"{self.plans[number].name} {unit.first}+{unit.count}"

    def _keep(self, number: int, unit: Unit, outcomes: Outcomes) -> None:
        games = slice(unit.first, unit.first + unit.count)
        self.samples[number].outcomes[games] = outcomes
        self.samples[number].played[games] = True

    def _report(self, runtime: Runtime, at_once: bool = False) -> None:
        now = time.monotonic()
        if at_once or now > self._next_report:
            runtime.report(self.played, self.total, self.standings(), self._resumed)
            after = time.monotonic()
            self._next_report = after + max(REPORT_EVERY, (after - now) / REPORT_COST)

    def standings(self) -> tuple[Standing, ...]:
        """How the race stands by all games so far: those in the race first, the best first."""
        found = []
        for number, sample in enumerate(self.samples):
            games = sample.all
            if len(games):
                share = win_share(games, self.seat)
                found.append(Standing(sample.name, share, self.value(number, games), number in self._racing))
        return tuple(sorted(found, key=lambda s: (not s.racing, -s.value)))
