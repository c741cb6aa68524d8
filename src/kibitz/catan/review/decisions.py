"""Every decision of a game, judged by the evaluator: by what its player could know, not by what is true.

A decision is any step at which there is more than one sensible way: also to end the turn, or not to play a card. Worlds are
drawn from what the player has seen of the game (the hand tracker); in each of them every sensible move and what was played are
tried, with the same dice and cards, the bot `builder` plays on for all until the round is over, and the evaluator is
asked. Offers to others are no decisions: whoever made one can take it back, and nobody knows what people would have said to
another one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import fsum

import numpy as np
import numpy.typing as npt

from kibitz import game
from kibitz.catan.analysis.types import Difference
from kibitz.catan.bots import Memory
from kibitz.catan.core.actions import describe
from kibitz.catan.core.codes import END_ROADS, OFFER
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.habits import BUILDER, BUILDER_0_1
from kibitz.catan.core.record import Record
from kibitz.catan.core.state import SETUP_ROAD, SETUP_SETTLEMENT
from kibitz.catan.review.kernels import try_moves
from kibitz.catan.review.types import INACCURACY, LEAST, Option, Verdict, grade_of
from kibitz.game import States
from kibitz.game.doors import hidden_from, sensible_at
from kibitz.game.evaluator import SURE
from kibitz.ground.intervals import Z
from kibitz.ground.jit import integers, uint64
from kibitz.ground.rng import derive_seed

#: Worlds that are kept of a decision, for games: more than the evaluator is asked about.
WORLDS = 128


@dataclass(eq=False)
class Case:
    """One decision: the worlds that its player could think of, and what every move is worth in them by the evaluator."""

    step: int
    turn: int
    seat: int
    played: int
    moves: list[int]
    """Sensible moves, and what was played."""
    worlds: States
    seed: int
    merits: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0)))
    """[world, move] the chance to win."""
    verdict: Verdict | None = None

    @cached_property
    def worth(self) -> dict[int, float]:
        """What each move is worth, on average."""
        return dict(zip(self.moves, self.merits.mean(axis=0).tolist(), strict=True))

    @cached_property
    def others(self) -> list[int]:
        """What else could have been played, the best first."""
        return sorted((move for move in self.moves if move != self.played), key=lambda move: -self.worth[move])

    @cached_property
    def guess(self) -> Difference:
        """What the decision cost, by the evaluator; the interval is over worlds and dice."""
        best = self.others[0]
        gain = self.merits[:, self.moves.index(best)] - self.merits[:, self.moves.index(self.played)]
        mean, margin = float(gain.mean()), Z * float(gain.std()) / max(1, len(gain) - 1) ** 0.5
        return Difference(mean, mean - margin, mean + margin)

    @property
    def stake(self) -> float:
        """What there was to lose: the best move against the mean of all."""
        return max(self.worth.values()) - fsum(self.worth.values()) / len(self.worth)

    @property
    def doubt(self) -> float:
        """What the decision may well have cost, by the evaluator: its guess and a standard error."""
        return self.guess.mean + (self.guess.high - self.guess.mean) / Z

    def supposed(self, best: int, loss: Difference) -> None:
        """What is thought for want of games that measure it: never that something is worse than an inaccuracy."""
        if loss.low <= 0:
            best, loss = self.played, Difference(0.0, loss.low, max(0.0, loss.high))
        self.verdict = self.judged(best, loss, 0, min(loss.mean, LEAST[INACCURACY]))

    def judged(self, best: int, loss: Difference, games: int, counts: float) -> Verdict:
        """A verdict on this decision; `counts` is the loss that its grade goes by."""
        played, better = describe(self.played), describe(best)
        return Verdict(self.step, self.turn, self.seat, played, better, loss, games, grade_of(counts))

    def options(self, verdict: Verdict) -> tuple[Option, ...]:
        """All moves with what each would have cost; the best and what was played as they were measured."""
        top, found = self.worth[self.others[0]], {}
        for move in self.moves:
            found[describe(move)] = max(0.0, top - self.worth[move])
        found[verdict.best], found[verdict.played] = 0.0, max(0.0, verdict.loss.mean)
        return tuple(Option(*item) for item in sorted(found.items(), key=lambda item: (item[1], item[0] != verdict.best)))


def sensible_moves(view: States) -> list[int]:
    """What somebody who sees `view` might sensibly do; offers to other players are left out."""
    xs, found = GAME.scratches(), set()
    for policy in (BUILDER, BUILDER_0_1):  # what either would do is always among them
        xs["policy"] = policy
        n = sensible_at(view, 0, xs, 0)
        found |= {int(move) for move in xs["actions"][0][:n]}
    return sorted(move for move in found if not OFFER <= move < END_ROADS)


class Table:
    """A game that goes on step by step, and what each seat makes of what it has seen."""

    def __init__(self, start: States) -> None:
        self.states = start.copy()
        self._views = [hidden_from(self.states, seat) for seat in range(int(start["seats"][0]))]
        self._memories = [Memory(GAME, seat, view) for seat, view in enumerate(self._views)]

    def case(self, step: int, played: int, seed: int) -> Case | None:
        """The decision that `played` is; None if there is no other sensible way, or if it decides nothing.

        An offer decides nothing: whoever made it can still take it back.
        """
        seat = game.actor_at(self.states, 0)
        if seat < 0 or OFFER <= played < END_ROADS:
            return None
        moves = sorted({*sensible_moves(self._views[seat]), played})
        own = derive_seed(seed, "decision", step)
        turn = int(self.states["turn"][0])
        return Case(step, turn, seat, played, moves, self._worlds(seat, own), own) if len(moves) > 1 else None

    def _worlds(self, seat: int, seed: int) -> States:
        """What a player can think of; in the draft nothing is hidden."""
        if int(self.states["phase"][0]) in (SETUP_SETTLEMENT, SETUP_ROAD):
            return self.states.copy()
        return self._memories[seat].worlds(self._views[seat], WORLDS, seed)

    def go(self, code: int) -> None:
        """Take a step, which everybody sees as far as they may."""
        perceived = [int(game.seen_at(self.states, 0, code, seat)) for seat in range(len(self._views))]
        game.apply_at(self.states, 0, code)
        for seat, memory in enumerate(self._memories):
            before, self._views[seat] = self._views[seat], hidden_from(self.states, seat)
            memory.saw(before, perceived[seat], self._views[seat])


def cases_of(record: Record, seed: int) -> Iterator[Case]:
    """All decisions of a game in their order, with worlds, not judged yet."""
    table = Table(record.start())
    for step, code in enumerate(record.codes):
        if (case := table.case(step, code, seed)) is not None:
            yield case
        table.go(code)


def decision_at(record: Record, step: int, seed: int) -> Case:
    """The decision of one step, as `cases_of` would find it. Raises `LookupError` where there is none."""
    table = Table(record.start())
    for code in record.codes[:step]:
        table.go(code)
    case = table.case(step, record.codes[step], seed)
    if case is None:
        raise LookupError(f"step {step} is no decision")
    return case


def judge(case: Case, worlds: int) -> None:
    """Ask the evaluator about all moves of a decision, in so many worlds."""
    case.merits = merits_of(case, case.moves, worlds)
    case.supposed(case.others[0], case.guess)


def merits_of(case: Case, moves: Sequence[int], worlds: int) -> npt.NDArray[np.float64]:
    """[world, move] what moves are worth to the player a round later, by the evaluator."""
    starts = case.worlds[np.arange(worlds) % len(case.worlds)]
    found = integers(np.zeros((worlds, len(moves)), np.int64))
    tried = integers(np.array(moves, np.int64))
    room, xs = GAME.room(1), GAME.scratches()
    turn = case.turn + 1 + int(np.asarray(case.worlds)["seats"][0])
    try_moves(starts, tried, room, xs, case.seat, turn, uint64(derive_seed(case.seed, "evaluator")), found)
    return np.asarray(found) / SURE
