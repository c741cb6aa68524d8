"""The proofs of the tracker and of the log formats: five of them, each a table.

    python benchmarks/prove_tracker.py                     about ten minutes of one core, spread over --jobs processes
    python benchmarks/prove_tracker.py --full              five times as much of everything
    python benchmarks/prove_tracker.py --only calibration  one of them
    python benchmarks/prove_tracker.py --damaged colonist-text 17 --save log.txt    a damaged log, and whatever goes wrong

Everything is seeded: the same numbers give the same logs on every machine. Whatever fails is printed with the way to see
it again, and makes the exit code 1.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from unittest.mock import patch

from tables import Bench, Figures, add_full, add_jobs

from benchmarks.logs import calibration
from benchmarks.logs.damage import damaged
from benchmarks.logs.fuzzing import Verdict, fuzz, judge
from benchmarks.logs.round_trips import TRIPS, played, travel
from benchmarks.logs.tracker_games import Followed, follow, game, table_of
from kibitz.catan.logs import FORMATS
from tests.catan.belief import proof as brute_force

#: For each game that is asked for: so many logs for the calibration, and one whole game for every observer of so many.
STATEMENTS, GAMES_OF_BOTS, FOLLOWED = 10, 1, 10


@dataclass
class Proof:
    """What a proof found, as a table."""

    title: str
    text: str
    columns: Sequence[str]
    rows: list[Sequence[object]] = field(default_factory=list)
    verdict: str = ""
    failures: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def figures(self) -> Figures:
        """The section of the results."""
        sentence = f"{len(self.failures)} failures" if self.failures else self.verdict or "No failure"
        text = f"{self.text}\n\n**{sentence}.** {self.seconds / 60:.1f} minutes."
        return Figures(self.title, self.columns, self.rows, text)


@dataclass(frozen=True)
class Size:
    """How much is proved: whole games, short logs, damaged lines of each format."""

    games: int
    logs: int
    lines: int


USUAL, FULL = Size(200, 600, 20_000), Size(1000, 3000, 100_000)


# --- 1. brute force -------------------------------------------------------------------------------------------------


class Closeness:
    """Notes every figure that is compared, and the largest difference."""

    def __init__(self) -> None:
        self.figures = 0
        self.largest = 0.0

    def __call__(self, found: float, exact: Fraction | int) -> bool:
        """Whether a figure is right; the comparison of `tests.catan.belief.proof`."""
        difference = abs(found - float(exact))
        self.figures += 1
        self.largest = max(self.largest, difference)
        return difference <= brute_force.TOLERANCE


def prove_exactness(size: Size, parts: Sequence[str]) -> Proof:
    """Every posterior of short logs equals the sum over all histories."""
    result = Proof(
        "Brute force",
        "Short random logs, beside a slow reference that knows every history and computes in fractions: hands, steals,"
        " development cards, for a spectator and every seat; what is refused; what somebody resolves by hand.",
        ("proof", "logs", "events", "positions", "figures", "hidden steals", "refused", "most histories", "largest difference"),
    )
    for name in parts:
        tally, closeness = brute_force.Tally(), Closeness()
        number = -(-size.logs // 10) if name == "real games" else size.logs
        with patch.object(brute_force, "close", closeness):
            for index in range(number):
                try:
                    brute_force.PROOFS[name](index, tally)
                except AssertionError as error:
                    result.failures.append(
                        f'python -c "from tests.catan.belief.proof import prove; prove({name!r}, [{index}])": {error}'
                    )
        figures = (tally.logs, tally.events, tally.comparisons, closeness.figures, tally.steals, tally.refused)
        result.rows.append((name, *figures, tally.most_leaves, f"{closeness.largest:.1e}"))
    result.verdict = f"All figures are right to {brute_force.TOLERANCE:.0e}"
    return result


# --- 2. whole games ---------------------------------------------------------------------------------------------------


def prove_games(size: Size, parts: Sequence[str]) -> Proof:
    """The truth is never lost in whole games."""
    result = Proof(
        "Whole games",
        "Games of bots, tracked by a spectator and by every seat, with discards seen card by card and only counted: after every"
        " event the true hands (those of the record) are one of the worlds and within all bounds, with them every hidden"
        " steal can have been what it was, and after every purchase and play the true development cards are possible.",
        ("table", "games", "logs", "events", "hidden steals", "resolved", "hands known", "most worlds"),
    )
    number = -(-size.games // FOLLOWED)
    found: dict[tuple[str, bool], tuple[list[int], Followed]] = {}
    for index in range(number):
        record = game(index)
        for hidden in (False, True):
            games, total = found.setdefault((table_of(index), hidden), ([], Followed()))
            games.append(index)
            for observer in (None, *range(len(record.seats))):
                try:
                    total.add(follow(record, observer, hidden))
                except (AssertionError, ValueError) as error:
                    result.failures.append(f"tracker_games.follow(game({index}), {observer}, {hidden}): {error}")
    for (name, hidden), (games, total) in found.items():
        known = f"{100 * total.known / max(1, total.hands):.0f} %"
        figures = (len(games), total.logs, total.events, total.steals, total.resolved, known, total.most_worlds)
        result.rows.append((f"{name}{', counted discards' if hidden else ''}", *figures))
    result.verdict = "The truth is never lost"
    return result


# --- 3. calibration ---------------------------------------------------------------------------------------------------


def prove_calibration(size: Size, parts: Sequence[str]) -> Proof:
    """Of the statements "with probability p" the part p is true."""
    games = STATEMENTS * size.games, GAMES_OF_BOTS * size.games
    chance, bots = (
        [statement for index in range(number) for statement in calibration.statements(source(index), index)]
        for source, number in zip((calibration.by_chance, calibration.by_bots), games, strict=True)
    )
    bins = calibration.binned(chance)
    total, degrees = calibration.chi_square(bins)
    result = Proof(
        "Calibration",
        "What the tracker says is so with probability p, all together and in bins of 5 %: how often it is so. One statement of"
        f" each kind from each of {games[0]:,} logs in which players decide without a look at their cards"
        " (`benchmarks/logs/chance_logs.py`): there the assumptions of the tracker hold, and z (the difference in standard"
        f" errors) is chance. Beside it {games[1]:,} games of bots, whose play tells more than the tracker takes from it: a"
        " bot plays a knight as soon as it may, so what it keeps are victory points; it builds what it can pay for.",
        ("statement", "p from", "n", "said", "observed", "z", "bots: n", "said", "observed", "z"),
        verdict=f"Calibrated where the assumptions hold: chi-square {total:.0f} in {degrees} bins"
        f" (of {calibration.FEWEST} statements or more). In games of bots hidden points are not: see docs/algorithms/belief.md",
    )
    of_bots = calibration.overall(bots)
    for kind, bin in calibration.overall(chance).items():
        result.rows.append((kind, "all", *_said(bin), *_said(of_bots.get(kind))))
    beside = {(bin.kind, bin.low): bin for bin in calibration.binned(bots)}
    for bin in bins:
        result.rows.append((bin.kind, f"{bin.low:.2f}", *_said(bin), *_said(beside.get((bin.kind, bin.low)))))
    if not calibration.calibrated(bins):
        worst = max(bins, key=lambda bin: abs(bin.z))
        result.failures.append(f"calibration: chi-square {total:.0f} in {degrees} bins; the worst: {worst}")
    return result


def _said(bin: calibration.Bin | None) -> tuple[object, ...]:
    return (bin.number, bin.predicted, bin.observed, f"{bin.z:+.1f}") if bin else ("",) * 4


# --- 4. round trips ---------------------------------------------------------------------------------------------------


def prove_trips(size: Size, parts: Sequence[str]) -> Proof:
    """Games arrive as they were."""
    result = Proof(
        "Round trips",
        "Games as logs of every format that is written, and back, for a spectator and the seats in turn: the events are those"
        " of the record, as far as the format carries them; a file that holds everything becomes a record again that replays"
        " under our rules to the same end.",
        ("format", "games", "events", "records", "seconds"),
    )
    for name in parts:
        trip = TRIPS[name]
        began, events, records = time.perf_counter(), 0, 0
        for index in range(size.games):
            try:
                events += travel(trip, played(index))
                records += trip.everything
            except (AssertionError, ValueError) as error:
                result.failures.append(f"round_trips.travel(TRIPS[{name!r}], played({index})): {error}")
        result.rows.append((name, size.games, events, records, round(time.perf_counter() - began)))
    result.verdict = "Everything arrives"
    return result


# --- 5. fuzzing -------------------------------------------------------------------------------------------------------


def prove_robustness(size: Size, parts: Sequence[str]) -> Proof:
    """Damaged logs lead to named errors only."""
    result = Proof(
        "Fuzzing",
        "Damaged logs: the readers raise nothing but `LogError` and agree with their strict selves, what they read can be"
        " written and read again, a tracker that repairs takes all of it, one that refuses raises nothing but `Contradiction`,"
        " and rebuilding a record raises nothing but `LogError`.",
        ("format", "logs", "lines changed", "refused", "events", "problems", "repairs", "contradictions", "records",
         "slowest to read", "to track"),
    )  # fmt: skip
    for format in parts:
        judge(damaged(format, 0))  # compiles, and writes the logs, before anything is timed
        verdicts: list[Verdict] = []
        changes = 0
        for verdict in fuzz(format, size.lines):
            verdicts.append(verdict)
            changes += verdict.case.changes
            result.failures += [f"{verdict.command}: {failure}" for failure in verdict.failures]
        result.rows.append(
            (format, len(verdicts), changes, *_sums(verdicts), _slowest(verdicts, "read"), _slowest(verdicts, "track"))
        )
    result.verdict = "Nothing but named errors"
    return result


def _sums(verdicts: Sequence[Verdict]) -> Iterator[int]:
    for name in ("refused", "events", "problems", "repairs", "contradictions", "rebuilt"):
        yield sum(getattr(verdict, name) for verdict in verdicts)


def _slowest(verdicts: Sequence[Verdict], step: str) -> str:
    slowest = max(verdicts, key=lambda verdict: verdict.seconds.get(step, 0.0))
    return f"{slowest.seconds.get(step, 0.0):.2f} s ({slowest.case.index})"


# --- all of them ------------------------------------------------------------------------------------------------------

#: Each proof with the parts that can be proved apart from each other.
PROOFS: dict[str, tuple[Callable[[Size, Sequence[str]], Proof], tuple[str, ...]]] = {
    "exactness": (prove_exactness, tuple(brute_force.PROOFS)),
    "games": (prove_games, ("all",)),
    "calibration": (prove_calibration, ("all",)),
    "trips": (prove_trips, tuple(TRIPS)),
    "fuzzing": (prove_robustness, tuple(FORMATS)),
}


def prove_part(job: tuple[str, str, Size]) -> tuple[str, str, Proof]:
    """One part of a proof; what a worker process does."""
    name, part, size = job
    began = time.monotonic()
    found = PROOFS[name][0](size, (part,))
    found.seconds = time.monotonic() - began
    return name, part, found


def prove_all(bench: Bench, names: Sequence[str], size: Size, jobs: int) -> Iterator[Proof]:
    """All parts of the proofs side by side, put together proof by proof."""
    parts = {name: PROOFS[name][1][: bench.many(len(PROOFS[name][1]), 2)] for name in names}
    work = [(name, part, size) for name in names for part in parts[name]]
    done = {(name, part): found for name, part, found in bench.spread(prove_part, work, jobs, "proving")}
    for name in names:
        first, *others = (done[name, part] for part in parts[name])
        for other in others:
            first.rows += other.rows
            first.failures += other.failures
            first.seconds += other.seconds
        yield first


def judge_one(format: str, index: int, save: Path | None) -> None:
    """Judge one damaged log."""
    case = damaged(format, index)
    if save is not None:
        save.write_bytes(case.text.encode("utf-8", "surrogatepass"))
    verdict = judge(case)
    print(f"{case.changes} changes, me {case.me!r}: {verdict.events} events, {verdict.problems} problems")
    print(", ".join(f"{name} {seconds:.3f} s" for name, seconds in verdict.seconds.items()))
    print("\n".join(verdict.failures) or "nothing is wrong with it")
    sys.exit(bool(verdict.failures))


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=int, help=f"games per format; the others are scaled alike ({USUAL.games})")
    parser.add_argument("--logs", type=int, help=f"short logs per proof by brute force ({USUAL.logs})")
    parser.add_argument("--lines", type=int, help=f"damaged lines per format ({USUAL.lines})")
    add_full(parser)
    parser.add_argument("--only", action="append", choices=list(PROOFS), help="only some of the proofs")
    parser.add_argument("--damaged", nargs=2, metavar=("FORMAT", "INDEX"), help="only this damaged log")
    parser.add_argument("--save", type=Path, help="where to put the damaged log")
    add_jobs(parser)


def main() -> None:
    bench = Bench(__doc__, "prove_tracker.md", options)
    asked = bench.options
    if asked.damaged:
        judge_one(asked.damaged[0], int(asked.damaged[1]), asked.save)
    size = Size(1, 1, 1)
    if not bench.quick:
        usual = FULL if asked.full else USUAL
        size = Size(asked.games or usual.games, asked.logs or usual.logs, asked.lines or usual.lines)
    proofs = [*prove_all(bench, asked.only or list(PROOFS), size, asked.jobs)]
    failures = [failure for proof in proofs for failure in proof.failures]
    bench.publish("Proofs of the tracker and of the log formats", [proof.figures() for proof in proofs], failures=failures)


if __name__ == "__main__":
    main()
