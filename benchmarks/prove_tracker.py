"""The proofs of the tracker and of the log formats: five of them, each a table.

    python benchmarks/prove_tracker.py                 about two hours on one core; --jobs 16 on more
    python benchmarks/prove_tracker.py --quick         a few minutes
    python benchmarks/prove_tracker.py --only fuzzing  one of them (the results are then only printed)

Everything is seeded: the same numbers give the same logs on every machine. Whatever fails is printed with the way to see
it again, and makes the exit code 1. The tables go to `benchmarks/results/prove_tracker.md`.
"""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated
from unittest.mock import patch

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks import calibration  # noqa: E402
from benchmarks.damage import damaged  # noqa: E402
from benchmarks.fuzzing import Verdict, fuzz, judge  # noqa: E402
from benchmarks.round_trips import TRIPS, played, travel  # noqa: E402
from benchmarks.tracker_games import Followed, follow, game, table_of  # noqa: E402
from kibitz.catan.logs import FORMATS  # noqa: E402
from tests.catan.belief import proof  # noqa: E402

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

    @property
    def sentence(self) -> str:
        """The result in one line."""
        return f"**{len(self.failures)} failures.**" if self.failures else f"**{self.verdict or 'No failure'}.**"

    def markdown(self) -> str:
        """The section of the results."""
        head = "| " + " | ".join(self.columns) + " |"
        rule = "|---|" + "---:|" * (len(self.columns) - 1)
        rows = ["| " + " | ".join(map(_shown, row)) + " |" for row in self.rows]
        minutes = f"{self.seconds / 60:.1f} minutes."
        return "\n".join([f"## {self.title}", "", self.text, "", f"{self.sentence} {minutes}", "", head, rule, *rows, ""])

    def rich(self) -> Table:
        """The same for the terminal."""
        table = Table(title=self.title, caption=self.sentence.replace("*", ""))
        for number, column in enumerate(self.columns):
            table.add_column(column, justify="right" if number else "left")
        for row in self.rows:
            table.add_row(*map(_shown, row))
        return table


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


@dataclass(frozen=True)
class Size:
    """How much is proved: whole games, short logs, damaged lines of each format."""

    games: int
    logs: int
    lines: int


#: Called with what is done next, and how much of how much is done.
Advance = Callable[[str, int, int], None]


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
        return difference <= proof.TOLERANCE


def prove_exactness(size: Size, parts: Sequence[str], advance: Advance) -> Proof:
    """Every posterior of short logs equals the sum over all histories."""
    result = Proof(
        "Brute force",
        "Short random logs, beside a slow reference that knows every history and computes in fractions: hands, steals,"
        " development cards, for a spectator and every seat; what is refused; what somebody resolves by hand.",
        ("proof", "logs", "events", "positions", "figures", "hidden steals", "refused", "most histories", "largest difference"),
    )
    for name in parts:
        tally, closeness = proof.Tally(), Closeness()
        number = -(-size.logs // 10) if name == "real games" else size.logs
        with patch.object(proof, "close", closeness):
            for index in range(number):
                advance(f"brute force: {name}", index, number)
                try:
                    proof.PROOFS[name](index, tally)
                except AssertionError as error:
                    result.failures.append(
                        f'python -c "from tests.catan.belief.proof import prove; prove({name!r}, [{index}])": {error}'
                    )
        figures = (tally.logs, tally.events, tally.comparisons, closeness.figures, tally.steals, tally.refused)
        result.rows.append((name, *figures, tally.most_leaves, f"{closeness.largest:.1e}"))
    result.verdict = f"All figures are right to {proof.TOLERANCE:.0e}"
    return result


# --- 2. whole games ---------------------------------------------------------------------------------------------------


def prove_games(size: Size, parts: Sequence[str], advance: Advance) -> Proof:
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
        advance("whole games", index, number)
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


def prove_calibration(size: Size, parts: Sequence[str], advance: Advance) -> Proof:
    """Of the statements "with probability p" the part p is true."""
    series = {}
    for name, source, number in (
        ("calibration: chance", calibration.by_chance, STATEMENTS * size.games),
        ("calibration: bots", calibration.by_bots, GAMES_OF_BOTS * size.games),
    ):
        found: list[calibration.Statement] = []
        for index in range(number):
            advance(name, index, number)
            found += calibration.statements(source(index), index)
        series[name] = calibration.binned(found)
    chance, bots = series.values()
    total, degrees = calibration.chi_square(chance)
    result = Proof(
        "Calibration",
        "What the tracker says is so with probability p, in bins of 5 %: how often it is so. One statement of each kind from"
        f" each of {STATEMENTS * size.games:,} logs in which players decide without a look at their cards"
        " (`benchmarks/chance_logs.py`): there the assumptions of the tracker hold, and z (the difference in standard errors)"
        f" is chance. Beside it {GAMES_OF_BOTS * size.games:,} games of bots, whose play tells more than the tracker takes"
        " from it: a bot plays a knight as soon as it may, so what it keeps are victory points; it builds what it can pay.",
        ("statement", "p from", "n", "said", "observed", "z", "bots: n", "said", "observed", "z"),
        verdict=f"Calibrated: chi-square {total:.0f} in {degrees} bins (of {calibration.FEWEST} statements or more)",
    )
    beside = {(bin.kind, bin.low): bin for bin in bots}
    for bin in chance:
        other = beside.get((bin.kind, bin.low))
        theirs = (other.number, other.predicted, other.observed, f"{other.z:+.1f}") if other else ("",) * 4
        result.rows.append((bin.kind, f"{bin.low:.2f}", bin.number, bin.predicted, bin.observed, f"{bin.z:+.1f}", *theirs))
    if not calibration.calibrated(chance):
        worst = max(chance, key=lambda bin: abs(bin.z))
        result.failures.append(f"calibration: chi-square {total:.0f} in {degrees} bins; the worst: {worst}")
    return result


# --- 4. round trips ---------------------------------------------------------------------------------------------------


def prove_trips(size: Size, parts: Sequence[str], advance: Advance) -> Proof:
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
            advance(f"round trips: {name}", index, size.games)
            try:
                events += travel(trip, played(index))
                records += trip.everything
            except (AssertionError, ValueError) as error:
                result.failures.append(f"round_trips.travel(TRIPS[{name!r}], played({index})): {error}")
        result.rows.append((name, size.games, events, records, round(time.perf_counter() - began)))
    result.verdict = "Everything arrives"
    return result


# --- 5. fuzzing -------------------------------------------------------------------------------------------------------


def prove_robustness(size: Size, parts: Sequence[str], advance: Advance) -> Proof:
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
            advance(f"fuzzing: {format} {verdict.case.index + 1}", min(changes, size.lines), size.lines)
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
PROOFS: dict[str, tuple[Callable[[Size, Sequence[str], Advance], Proof], tuple[str, ...]]] = {
    "exactness": (prove_exactness, tuple(proof.PROOFS)),
    "games": (prove_games, ("all",)),
    "calibration": (prove_calibration, ("all",)),
    "trips": (prove_trips, tuple(TRIPS)),
    "fuzzing": (prove_robustness, tuple(FORMATS)),
}


def prove(name: str, size: Size, console: Console) -> Proof:
    """One of the proofs, with a bar that shows how far it is."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(name)
        run, parts = PROOFS[name]
        began = time.monotonic()
        found = run(size, parts, lambda what, done, of: bar.update(task, description=what, completed=done, total=of))
        found.seconds = time.monotonic() - began
    return found


def prove_part(name: str, part: str, size: Size) -> Proof:
    """One part of a proof, in a process of its own."""
    began = time.monotonic()
    found = PROOFS[name][0](size, (part,), lambda what, done, of: None)
    found.seconds = time.monotonic() - began
    return found


def prove_all(names: Sequence[str], size: Size, jobs: int, console: Console) -> Iterator[Proof]:
    """The proofs one after the other, or all their parts side by side."""
    if jobs == 1:
        yield from (prove(name, size, console) for name in names)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        running = {name: [pool.submit(prove_part, name, part, size) for part in PROOFS[name][1]] for name in names}
        for name in names:
            first, *others = [part.result() for part in running[name]]
            for other in others:
                first.rows += other.rows
                first.failures += other.failures
                first.seconds += other.seconds
            console.print(f"{name}: done")
            yield first


def report(proofs: Sequence[Proof], size: Size) -> str:
    """The results, as Markdown. Only the times depend on the machine."""
    failures = sum(len(found.failures) for found in proofs)
    minutes = sum(found.seconds for found in proofs) / 60
    return "\n".join(
        [
            "# Proofs of the tracker and of the log formats",
            "",
            f"`python benchmarks/prove_tracker.py --games {size.games} --logs {size.logs} --lines {size.lines}`:"
            f" **{f'{failures} failures' if failures else 'no failure'}**, in {minutes:.0f} minutes of one core.",
            "",
            *(found.markdown() for found in proofs),
        ]
    )


def main(
    games: Annotated[int, typer.Option(help="Games per format; the others are scaled alike.", min=1)] = 1000,
    logs: Annotated[int, typer.Option(help="Short logs per proof by brute force.", min=1)] = 3000,
    lines: Annotated[int, typer.Option(help="Damaged lines per format.", min=1)] = 100_000,
    jobs: Annotated[int, typer.Option(help="Processes.", min=1)] = 1,
    quick: Annotated[bool, typer.Option("--quick", help="A little of everything.")] = False,
    only: Annotated[list[str] | None, typer.Option(help=f"Only some of the proofs: {', '.join(PROOFS)}.")] = None,
    output: Annotated[Path, typer.Option(help="Where the tables go.")] = ROOT / "benchmarks" / "results" / "prove_tracker.md",
) -> None:
    """Prove that the tracker is exact and that nothing breaks the readers of logs."""
    unknown = [name for name in only or () if name not in PROOFS]
    if unknown:
        raise typer.BadParameter(f"{unknown[0]}: expected one of {', '.join(PROOFS)}", param_hint="--only")
    size = Size(20, 60, 1500) if quick else Size(games, logs, lines)
    console = Console(stderr=True)
    proofs = []
    for found in prove_all(only or list(PROOFS), size, jobs, console):
        for failure in found.failures:
            console.print(f"FAILURE: {failure}", highlight=False, markup=False)
        Console().print(found.rich())
        proofs.append(found)
    if not only:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(report(proofs, size), encoding="utf-8")
        console.print(f"written: {output}")
    if any(found.failures for found in proofs):
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
