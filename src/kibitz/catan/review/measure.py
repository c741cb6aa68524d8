"""What doubtful and costly decisions cost, measured by games that are played to their ends; luck is taken out of them.

For each decision a few moves that the evaluator likes are tried against what was played, in games with the same worlds, dice
and cards; the worst of them are dropped (successive rejects). What the best one is worth more is then measured in games that
had no part in choosing it, and whose number was fixed before: the interval is honest. Every seat has its own budget, and what
seems to cost most is measured first. Games that one seat does not need go to those that need more, and a likely mistake that is
not proven is measured a second time, with a wider margin.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from typing import TypeAlias

import numpy as np

from kibitz.catan.analysis.rollouts import Outcomes, after, fair_wins, paired_difference, play_units, split
from kibitz.catan.analysis.types import Difference
from kibitz.catan.core.policy import BOTS
from kibitz.catan.review.decisions import Case
from kibitz.catan.review.types import INACCURACY, LEAST, ReviewConfig
from kibitz.compute.runtime import Workers
from kibitz.game import States
from kibitz.ground.intervals import Z

#: Who plays the games on: the strongest bot that plays thousands of games in a second.
POLICY = "builder"
#: A game that is played on ends so many turns later at the latest.
TURNS = 200
#: So many moves are tried against what was played, and so many are left after the first games.
TRIED, LEFT = 4, 2
#: A decision is looked at more closely if it may have cost so much, by the evaluator.
DOUBT = 0.012
#: The evaluator's guess at a loss is off by so much, as a rule: later, and in the draft, where every decision is looked at.
GUESS_ERROR, DRAFT_ERROR = 0.025, 0.075
#: The margin should be such a part of the loss, but need not be smaller than the second number.
PART, SMALL = 0.3, 0.03
#: However clear the loss seems, so many pairs of games are played.
FEWEST = 200
#: A decision that seems to cost this much without being proven gets as many games again. All of them count then, and the margin
#: is this many standard errors: Pocock's (1977) for two looks. The first look keeps its usual margin, so the interval holds the
#: truth 94 to 97 times of 100 (by simulation).
NEARLY, Z_AGAIN = 0.03, 2.178
#: At most such a part of the games of a seat goes into the first look.
FIRST_LOOK = 0.5
#: Who tries a decision again is answered with so many times the games of a try.
AGAIN = 12
#: Decisions whose games are played together.
TOGETHER = 8


# Games by the decision that they begin from, and the move.
Games: TypeAlias = dict[tuple[Case, int], Outcomes]


@dataclass(frozen=True, eq=False)
class Suspect:
    """A decision after a first look: the move that seems best, and what it seems to be worth more than what was played."""

    case: Case
    best: int
    loss: float
    spread: float
    """The standard deviation of one pair of games."""

    @property
    def both(self) -> tuple[tuple[Case, int], ...]:
        """The two moves that are compared."""
        return (self.case, self.best), (self.case, self.case.played)

    def pairs(self, most: int) -> int:
        """How many pairs of games make the interval small against the loss."""
        target = max(SMALL, PART * self.loss)
        return min(most, max(FEWEST, ceil((Z * self.spread / target) ** 2)))


class Measure:
    """Plays the games for the decisions of one seat."""

    def __init__(self, config: ReviewConfig, workers: Workers) -> None:
        self._config, self._workers = config, workers
        self.budget, self.spent = config.games, 0
        self._waiting: list[Suspect] = []
        self._unsure: dict[Suspect, Games] = {}

    @property
    def waits(self) -> bool:
        """Whether decisions of which there was a first look still wait for games."""
        return bool(self._waiting or self._unsure)

    def look(self, cases: Sequence[Case]) -> Iterator[None]:
        """A first look at all decisions that may have cost something, some at a time; those that still look costly wait."""
        doubtful = sorted((case for case in cases if _is_doubtful(case)), key=lambda case: (case.turn > 0, -case.doubt))
        for first in range(0, len(doubtful), TOGETHER):
            if self.spent >= FIRST_LOOK * self.budget:
                break
            found = self._look(doubtful[first : first + TOGETHER])
            self._waiting += [suspect for suspect in found if suspect.loss >= LEAST[INACCURACY] / 2]
            yield
        self._waiting.sort(key=lambda suspect: (-suspect.loss, suspect.case.step))

    def measure(self) -> Iterator[None]:
        """What decisions cost, the costliest first, some at a time, as far as the budget goes."""
        while True:
            if again := self._affordable(list(self._unsure)):
                self._measure_again(again)
            elif now := self._affordable(self._waiting):
                del self._waiting[: len(now)]
                self._measure(now)
            else:
                return
            yield

    def _affordable(self, suspects: Sequence[Suspect]) -> list[Suspect]:
        """The first of these decisions, until one is too dear."""
        left, found = self.budget - self.spent, []
        for suspect in suspects[: TOGETHER // 2]:
            left -= 2 * suspect.pairs(self._config.pairs)
            if left < 0:
                break
            found.append(suspect)
        return found

    def compare(self, case: Case, best: int, other: int) -> Difference:
        """How much less another move is worth than the best one, in games that had no part in choosing it."""
        games = self._play([(case, move, 2 * self._config.tries, AGAIN * self._config.tries) for move in (best, other)])
        return paired_difference(games[case, best], games[case, other], case.seat)

    def _look(self, cases: Sequence[Case]) -> list[Suspect]:
        n = self._config.tries
        tried = {case: [case.played, *case.others[:TRIED]] for case in cases}
        games = self._play([(case, move, 0, n) for case in cases for move in tried[case]])
        for case in cases:
            won = {move: float(fair_wins(games[case, move], case.seat).mean()) for move in tried[case][1:]}
            tried[case] = [case.played, *sorted(won, key=lambda move: -won[move])[:LEFT]]
        more = self._play([(case, move, n, n) for case in cases for move in tried[case]])
        for at, outcomes in more.items():
            games[at] = np.concatenate([games[at], outcomes])
        return [self._suspect(case, {move: games[case, move] for move in tried[case]}) for case in cases]

    def _suspect(self, case: Case, games: dict[int, Outcomes]) -> Suspect:
        """What the games and the evaluator say together, each as far as it can be trusted."""
        by_guess = 1 / (GUESS_ERROR if case.turn else DRAFT_ERROR) ** 2
        fair = {move: fair_wins(outcomes, case.seat) for move, outcomes in games.items()}
        found = []
        for move in list(games)[1:]:
            gain = fair[move] - fair[case.played]
            spread = max(float(gain.std()), 0.05)
            guess = case.worth[move] - case.worth[case.played]
            by_games = len(gain) / spread**2
            loss = (by_games * float(gain.mean()) + by_guess * guess) / (by_games + by_guess)
            found.append((loss, spread, move, Z / sqrt(by_games + by_guess)))
        loss, spread, best, margin = max(found)
        case.supposed(best, Difference(loss, loss - margin, loss + margin))
        return Suspect(case, best, loss, spread)

    def _measure(self, suspects: Sequence[Suspect]) -> None:
        """Judge decisions by games. What seems to have cost much, but is not proven to, is kept for another look."""
        games = self._series(suspects, 0)
        for s in suspects:
            loss = _loss(s, games)
            self._judge(s, loss, games)
            if loss.mean >= NEARLY and not is_proven(loss):
                self._unsure[s] = {at: games[at] for at in s.both}

    def _measure_again(self, suspects: Sequence[Suspect]) -> None:
        """Judge decisions by as many games again, and those that they have had."""
        more = self._series(suspects, 1)
        for s in suspects:
            games = {at: np.concatenate([outcomes, more[at]]) for at, outcomes in self._unsure.pop(s).items()}
            self._judge(s, _widened(_loss(s, games), Z_AGAIN / Z), games)

    def _judge(self, s: Suspect, loss: Difference, games: Games) -> None:
        s.case.verdict = s.case.judged(*_decided(s, loss), len(games[s.case, s.best]), counting(loss))

    def _series(self, suspects: Sequence[Suspect], number: int) -> Games:
        """A series of games with the best moves and those that were played."""
        first, pairs = 2 * self._config.tries, [s.pairs(self._config.pairs) for s in suspects]
        return self._play([(*at, first + number * n, n) for s, n in zip(suspects, pairs, strict=True) for at in s.both])

    def _play(self, wanted: Sequence[tuple[Case, int, int, int]]) -> Games:
        """Games of decisions after moves, each with the numbers from `first` on; those of one decision share their dice."""
        units, owners = [], []
        for number, (case, move, first, count) in enumerate(wanted):
            start = after(_limited(case.worlds), [move])
            policies = (BOTS[POLICY],) * int(np.asarray(case.worlds)["seats"][0])
            for unit in split(start, case.seed, first, count, policies):
                units.append(unit)
                owners.append(number)
            self.spent += count
        found = dict(play_units(units, self._workers))
        parts: list[list[Outcomes]] = [[] for _ in wanted]
        for number, owner in enumerate(owners):
            parts[owner].append(found[number])
        return {(case, move): np.concatenate(own) for (case, move, *_), own in zip(wanted, parts, strict=True)}


def _is_doubtful(case: Case) -> bool:
    """Whether a decision is worth a first look."""
    return case.turn == 0 or case.doubt >= DOUBT


def _decided(suspect: Suspect, loss: Difference) -> tuple[int, Difference]:
    """The better move and its lead; what was played is best if it is not worse."""
    if loss.mean > 0:
        return suspect.best, loss
    return suspect.case.played, Difference(0.0, min(0.0, loss.low), max(0.0, loss.high))


def counting(loss: Difference) -> float:
    """The loss that a grade goes by: what is not proven to cost anything to speak of is an inaccuracy at most."""
    return loss.mean if is_proven(loss) else min(loss.mean, LEAST[INACCURACY])


def _loss(s: Suspect, games: Games) -> Difference:
    return paired_difference(games[s.case, s.best], games[s.case, s.case.played], s.case.seat)


def _widened(loss: Difference, factor: float) -> Difference:
    """The same with an interval that is so many times as wide."""
    middle, margin = (loss.low + loss.high) / 2, factor * (loss.high - loss.low) / 2
    return Difference(loss.mean, max(-1.0, middle - margin), min(1.0, middle + margin))


def is_proven(loss: Difference) -> bool:
    """Whether games have shown that a decision cost something to speak of."""
    return loss.low >= LEAST[INACCURACY]


def _limited(states: States) -> States:
    """The same, but a game ends in good time."""
    limited: States = states.copy()
    limited["max_turns"] = np.minimum(limited["max_turns"], limited["turn"].astype(np.int64) + TURNS)
    return limited
