"""A recorded game looked back on: everybody's chances over time, and the moves that cost most.

Chances are shares of games that the bot `builder` plays on for all seats from the true position, hidden cards included; luck is
taken out of them. A move is judged by what its player could know: in worlds drawn from that player's belief, against the best
of the other sensible moves, with the same dice for both. The better move is chosen in some games and its lead is measured in
others, so that luck in the choice does not count as a lead.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from kibitz import game
from kibitz.catan.analysis.position import analysis_seed
from kibitz.catan.analysis.rollouts import Outcomes, after, fair_chances, fair_wins, paired_difference, play_units, split
from kibitz.catan.analysis.types import Difference
from kibitz.catan.bots import Memory
from kibitz.catan.core.actions import describe
from kibitz.catan.core.codes import END_ROADS, OFFER
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.policy import BOTS
from kibitz.catan.core.record import Record
from kibitz.catan.core.state import SETUP_ROAD, SETUP_SETTLEMENT
from kibitz.compute.runtime import Runtime, Threads, Workers
from kibitz.game import OVER, States
from kibitz.game.doors import hidden_from, sensible_actions
from kibitz.ground.codec import decode, encode_fields
from kibitz.ground.rng import derive_seed

#: A game that is played on ends so many turns later at the latest.
TURNS = 200
#: Worlds that are drawn for a decision.
WORLDS = 48
#: A move that costs less is not worth a word.
LEAST_LOSS = 0.02


@dataclass(frozen=True)
class ReviewConfig:
    """How closely a game is looked at."""

    seed: int = 0
    """What the games that are played on depend on."""
    games: int = 128
    """Games for the chances at one moment."""
    tries: int = 24
    """Games with each sensible move of a decision, to find the best."""
    pairs: int = 96
    """Games with the best and with what was played, to measure the lead; where the tries showed one."""
    finals: int = 10
    """How many of the costliest moves are measured again."""
    final_pairs: int = 400
    """Games for each of those."""


@dataclass(frozen=True)
class Moment:
    """The chances of all seats before a step, at the beginning of a turn or at the end."""

    step: int
    turn: int
    chances: tuple[float, ...]


@dataclass(frozen=True)
class Slip:
    """A move that lost chances: what was played, what would have been better, and by how much (a share of games)."""

    step: int
    turn: int
    seat: int
    played: str
    better: str
    loss: Difference


@dataclass(frozen=True)
class Review:
    """What was found so far. `to_json` and `from_json` are inverse to each other."""

    seats: int
    moments: tuple[Moment, ...] = ()
    slips: tuple[Slip, ...] = ()
    """The costliest first."""
    decisions: int = 0
    """Decisions that were judged; those with one sensible way are none."""
    partial: str | None = "running"
    """Why it is not complete: ``running``, ``cancelled`` or ``time``; None once it is."""

    def to_json(self) -> dict[str, Any]:
        """Everything, by name."""
        return encode_fields(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """Read what `to_json` wrote."""
        return decode(cls, data)


@dataclass(eq=False)
class _Case:
    """A decision that seems to have cost something: the worlds after what was played and after what is better."""

    slip: Slip
    played: States
    better: States
    seed: int


_USUAL = ReviewConfig()


def review(
    record: Record, config: ReviewConfig = _USUAL, runtime: Runtime | None = None, workers: Workers | None = None
) -> Review:
    """Look back on a game. The `runtime` hears of progress, with what was found so far, and can stop it."""
    return _Reviewer(record, config, runtime or Runtime(), workers or Threads()).run()


class _Reviewer:
    def __init__(self, record: Record, config: ReviewConfig, runtime: Runtime, workers: Workers) -> None:
        self._record, self._config, self._runtime, self._workers = record, config, runtime, workers
        self._seats = len(record.seats)
        self._seed = analysis_seed(record.board, config.seed, "review")
        self._moments: list[Moment] = []
        self._cases: list[_Case] = []
        self._judged = self._done = 0

    def run(self) -> Review:
        self._runtime.begin()
        turning, deciding = self._turning_points(), list(self._decisions())
        self._total = len(turning) + len(deciding) + self._config.finals
        for step, states in turning:
            if self._runtime.stopped:
                return self._so_far(self._runtime.stopped)
            self._moments.append(Moment(step, int(states["turn"][0]), self._chances(states, step)))
            self._report()
        if not self._judge_all(dict(deciding)) or not self._measure_again():
            return self._so_far(self._runtime.stopped)
        return self._so_far(None)

    def _report(self, done: int = 1) -> None:
        self._done += done
        self._runtime.report(min(self._done, self._total), self._total, self._so_far("running"))

    def _so_far(self, partial: str | None) -> Review:
        slips = sorted((case.slip for case in self._cases), key=lambda slip: (-slip.loss.mean, slip.step))
        worth = tuple(slip for slip in slips if slip.loss.mean >= LEAST_LOSS)
        return Review(self._seats, tuple(self._moments), worth[: self._config.finals], self._judged, partial)

    def _turning_points(self) -> list[tuple[int, States]]:
        """The beginnings of all turns, and the end."""
        found, turn = [], -1
        for step, states in enumerate(self._record.states()):
            if int(states["turn"][0]) != turn or step == len(self._record.codes):
                turn = int(states["turn"][0])
                found.append((step, states.copy()))
        return found

    def _chances(self, states: States, step: int) -> tuple[float, ...]:
        if game.actor_at(states, 0) == OVER:
            return tuple(float(int(states["winner"][0]) == seat) for seat in range(self._seats))
        (outcomes,) = self._play([_limited(states)], derive_seed(self._seed, "chances", step), 0, self._config.games)
        return fair_chances(outcomes, self._seats)

    def _play(self, starts: Sequence[States], seed: int, first: int, count: int) -> list[Outcomes]:
        """The same numbers of games from each of some starts, with the same dice."""
        policies = (BOTS["builder"],) * self._seats
        units = [unit for start in starts for unit in split(start, seed, first, count, policies)]
        found = dict(play_units(units, self._workers))
        games = np.concatenate([found[number] for number in range(len(units))])
        return np.split(games, len(starts))

    def _decisions(self) -> Iterator[tuple[int, list[int]]]:
        """The steps at which somebody had a choice, with the moves that were sensible (of offers only one that was made)."""
        for step, (states, code) in enumerate(zip(self._record.states(), self._record.codes, strict=False)):
            actor = game.actor_at(states, 0)
            if actor < 0:
                continue
            view = hidden_from(states, actor)
            moves = {a for a in sensible_actions(view) if not OFFER <= a < END_ROADS} | {code}
            if len(moves) > 1:
                yield step, sorted(moves)

    def _judge_all(self, deciding: dict[int, list[int]]) -> bool:
        """Judge every decision; whether nobody stopped it."""
        states = self._record.start()
        views = [hidden_from(states, seat) for seat in range(self._seats)]
        memories = [Memory(GAME, seat, views[seat]) for seat in range(self._seats)]
        for step, code in enumerate(self._record.codes):
            if step in deciding:
                if self._runtime.stopped:
                    return False
                self._judge(step, code, deciding[step], states, memories)
                self._judged += 1
                self._report()
            perceived = [int(game.seen_at(states, 0, code, seat)) for seat in range(self._seats)]
            game.apply_at(states, 0, code)
            for seat, memory in enumerate(memories):
                before, views[seat] = views[seat], hidden_from(states, seat)
                memory.saw(before, perceived[seat], views[seat])
        return True

    def _judge(self, step: int, played: int, moves: Sequence[int], states: States, memories: Sequence[Memory]) -> None:
        seat = game.actor_at(states, 0)
        seed = derive_seed(self._seed, "decision", step)
        worlds = states.copy()
        if int(states["phase"][0]) not in (SETUP_SETTLEMENT, SETUP_ROAD):  # where nothing is hidden
            worlds = memories[seat].worlds(hidden_from(states, seat), WORLDS, seed)
        starts = {move: after(_limited(worlds), [move]) for move in moves}
        tried = dict(zip(moves, self._play(list(starts.values()), seed, 0, self._config.tries), strict=True))
        won = {move: float(fair_wins(outcomes, seat).sum()) for move, outcomes in tried.items()}
        best = max(moves, key=lambda move: (won[move], move == played))
        if best == played:
            return
        slip = Slip(step, int(states["turn"][0]), seat, describe(played), describe(best), Difference(0.0, 0.0, 0.0))
        case = _Case(slip, starts[played], starts[best], seed)
        self._measure(case, self._config.tries, self._config.pairs)
        if case.slip.loss.mean >= LEAST_LOSS:
            self._cases.append(case)

    def _measure(self, case: _Case, first: int, pairs: int) -> None:
        """How much better the better move is, by games that had no part in choosing it."""
        better, played = self._play([case.better, case.played], case.seed, first, pairs)
        case.slip = replace(case.slip, loss=paired_difference(better, played, case.slip.seat))

    def _measure_again(self) -> bool:
        """The costliest moves once more, each by fresh games: what luck brought to the top falls back."""
        worst = sorted(self._cases, key=lambda case: -case.slip.loss.mean)[: self._config.finals]
        for case in worst:
            if self._runtime.stopped:
                return False
            self._measure(case, self._config.tries + self._config.pairs, self._config.final_pairs)
            self._report()
        self._cases = worst
        return True


def _limited(states: States) -> States:
    """The same, but a game ends in good time."""
    limited: States = states.copy()
    limited["max_turns"] = np.minimum(limited["max_turns"], limited["turn"].astype(np.int64) + TURNS)
    return limited
