"""A recorded game looked back on, from the first glance to the last figure.

First everybody's chances and luck by the evaluator; then every decision by the evaluator; then, seat by seat, the doubtful and
the costly ones by games; then why.

>>> from kibitz.catan import Board
>>> from kibitz.catan.core.record import simulate
>>> found = look_back(simulate(Board.beginner(), ["builder"] * 2, seed=1), ReviewConfig(games=0))
>>> account = found.accounts[0]
>>> account.start + account.luck + account.own + account.others == account.result
True
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from math import fsum

from kibitz.catan.analysis.position import analysis_seed
from kibitz.catan.core.actions import Action
from kibitz.catan.core.evaluator import check_served
from kibitz.catan.core.record import Record
from kibitz.catan.review.decisions import Case, cases_of, judge
from kibitz.catan.review.ideas import entries_of, losses_of
from kibitz.catan.review.ledger import Ledger
from kibitz.catan.review.measure import Measure, is_proven
from kibitz.catan.review.reasons import line_of, reasons
from kibitz.catan.review.types import GRADES, Account, Entry, Review, ReviewConfig, Verdict
from kibitz.compute.runtime import Runtime, Threads, Workers
from kibitz.game.evaluator import SURE
from kibitz.game.nets import NoNetwork

_USUAL = ReviewConfig()
#: Decisions that are judged between two reports.
GLANCE = 25


def look_back(
    record: Record, config: ReviewConfig = _USUAL, runtime: Runtime | None = None, workers: Workers | None = None
) -> Review:
    """Review a game. The `runtime` is told about progress, with the results so far, and can stop it."""
    return _Reviewer(record, config, runtime or Runtime(), workers or Threads()).run()


class _Reviewer:
    def __init__(self, record: Record, config: ReviewConfig, runtime: Runtime, workers: Workers) -> None:
        self._record, self._config, self._runtime, self._workers = record, config, runtime, workers
        self._seed = analysis_seed(record.board, config.seed, "review")
        self._seats = range(len(record.seats))
        self._cases: list[Case] = []
        self._whys: dict[int, Entry] = {}
        self._known_lines: dict[tuple[int, str], tuple[str, ...]] = {}
        self._done, self._total = 0, 1

    def run(self) -> Review:
        self._runtime.begin()
        self._ledger = Ledger.of(self._record)
        try:
            check_served(self._ledger.states[:1], 0)
            self._served = True
        except NoNetwork:
            self._served = False
        # A game of a seat's budget counts as one, a decision that is judged by the evaluator as about what it costs.
        self._total = len(self._record.codes) + len(self._seats) * self._config.games
        self._report(0)
        finished = self._judge_all() and self._measure_all()
        return self._so_far(None if finished else self._runtime.stopped)

    def _order(self) -> list[int]:
        return sorted(self._seats, key=lambda seat: (seat != self._config.seat, seat))

    def _report(self, done: int) -> None:
        self._done = min(self._done + done, self._total)
        self._runtime.report(self._done, self._total, self._so_far("running"))

    def _judge_all(self) -> bool:
        """The evaluator's word on every decision; whether nobody stopped it."""
        at = 0
        for case in cases_of(self._record, self._seed):
            judge(case, self._config.worlds)
            self._cases.append(case)
            if len(self._cases) % GLANCE == 0:
                if self._runtime.stopped:
                    return False
                self._report(case.step - at)
                at = case.step
        self._report(len(self._record.codes) - at)
        return self._runtime.stopped is None

    def _measure_all(self) -> bool:
        """Games for the decisions of every seat, and then what is left over; whether nobody stopped it."""
        measures = {}
        for seat in self._order():
            measures[seat] = measure = Measure(self._config, self._workers)
            cases = [case for case in self._cases if case.seat == seat]
            if not self._spend(measure, chain(measure.look(cases), measure.measure())):
                return False
        if not self._share([measures[seat] for seat in self._seats]):
            return False
        self._report(self._total - self._done)
        return True

    def _share(self, measures: Sequence[Measure]) -> bool:
        """Give the games that some seats did not need to those that need more; whether nobody stopped it."""
        left = sum(measure.budget - measure.spent for measure in measures)
        needy = [measure for measure in measures if measure.waits]
        for sharing in range(len(needy), 0, -1):  # equal parts first, and in the end all that is left, seat by seat
            share = left // sharing
            for measure in needy:
                before = measure.spent
                measure.budget = before + min(share, left)
                if not self._spend(measure, measure.measure()):
                    return False
                left -= measure.spent - before
        return True

    def _spend(self, measure: Measure, steps: Iterator[None]) -> bool:
        """Take steps, and report each; whether nobody stopped it."""
        told = measure.spent
        for _ in steps:
            self._report(measure.spent - told)
            told = measure.spent
            if self._runtime.stopped:
                return False
        return True

    def _so_far(self, partial: str | None) -> Review:
        verdicts = tuple(case.verdict for case in self._cases if case.verdict is not None)
        proven = [verdict for verdict in verdicts if verdict.games and is_proven(verdict.loss)]
        return Review(
            seats=len(self._seats),
            moments=self._ledger.moments,
            fortunes=self._ledger.fortunes,
            verdicts=verdicts,
            entries=tuple(self._explained(entry) for entry in entries_of(proven, self._lines(proven))),
            accounts=tuple(self._account(seat, verdicts) for seat in self._seats),
            served=self._served,
            partial=partial,
        )

    def _lines(self, proven: list[Verdict]) -> dict[int, tuple[str, ...]]:
        """What the player would have done after each of these, worked out once."""
        for verdict in proven:
            if (verdict.step, verdict.best) not in self._known_lines:
                best = Action.from_text(verdict.best).code
                self._known_lines[verdict.step, verdict.best] = line_of(self._case(verdict.step), best)
        return {verdict.step: self._known_lines[verdict.step, verdict.best] for verdict in proven}

    def _case(self, step: int) -> Case:
        return next(case for case in self._cases if case.step == step)

    def _explained(self, entry: Entry) -> Entry:
        """With all that could have been played, and why; worked out once."""
        step = entry.verdict.step
        known = self._whys.get(step)
        if known is None or known.verdict != entry.verdict:
            case = self._case(step)
            best = Action.from_text(entry.verdict.best).code
            known = self._whys[step] = replace(entry, options=case.options(entry.verdict), why=reasons(case, best))
        return replace(entry, options=known.options, why=known.why)

    def _account(self, seat: int, verdicts: tuple[Verdict, ...]) -> Account:
        own = [verdict for verdict in verdicts if verdict.seat == seat]
        lost = losses_of(own)
        losses = {step: round(SURE * loss) for step, loss in lost.items()}
        stakes = fsum(case.stake for case in self._cases if case.seat == seat)
        grades = {grade: sum(verdict.grade == grade for verdict in own) for grade in GRADES}
        accuracy = max(0.0, 1 - fsum(lost.values()) / stakes) if stakes > 0 else None
        return replace(self._ledger.account(seat, losses), decisions=len(own), grades=grades, accuracy=accuracy)
