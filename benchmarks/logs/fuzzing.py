"""What damaged logs do to the readers, to the tracker and to records: nothing but errors that have a name."""

import json
import signal
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from benchmarks.logs.damage import Damaged, damaged
from kibitz.catan import logs as formats
from kibitz.catan.belief.hands import Contradiction, HandTracker
from kibitz.catan.belief.summary import summary
from kibitz.catan.core.events import MOST_PLAYERS, EventLog, check_seats, read_log
from kibitz.catan.core.record import Record, check
from kibitz.catan.logs import ImportedLog, LogError

#: A log of normal size that takes longer to read (in seconds) is a bug.
TOO_LONG = 2.0
#: Every step is stopped after this time, where the system has a signal for it. Nonsense can have millions of worlds.
STOPPED = 60
#: Of nonsense with many worlds most are dropped, but for one log in a few.
FEW_WORLDS, IN_FULL = 1000, 4


class Stopped(Exception):
    """A step does not come to an end."""


@dataclass
class Verdict:
    """What became of one damaged log."""

    case: Damaged
    events: int = 0
    problems: int = 0
    repairs: int = 0
    contradictions: int = 0
    refused: bool = False
    rebuilt: bool = False
    seconds: dict[str, float] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    @property
    def command(self) -> str:
        """How to see it again."""
        return f"python benchmarks/prove_tracker.py --damaged {self.case.format} {self.case.index}"

    @contextmanager
    def step(self, name: str, *expected: type[Exception]) -> Iterator[None]:
        """Note how long a step takes, and every error but the expected ones."""
        began = time.process_time()  # other work on the machine is not its fault
        try:
            with limited(STOPPED):
                yield
        except expected:
            pass
        except Exception:  # noqa: BLE001  (any other error is what this looks for)
            self.failures.append(f"{name}: {traceback.format_exc()}")
        self.seconds[name] = time.process_time() - began
        if name.startswith("read") and self.seconds[name] > TOO_LONG:
            self.failures.append(f"{name}: it takes {self.seconds[name]:.1f} s")


@contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Raise `Stopped` inside of what takes longer."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def stop(number: int, frame: object) -> None:
        raise Stopped

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def fuzz(format: str, changes: int, first: int = 0) -> Iterator[Verdict]:
    """Damaged logs of a format one after the other, until so many lines have been changed."""
    index = first
    while changes > 0:
        verdict = judge(damaged(format, index))
        changes -= verdict.case.changes
        index += 1
        yield verdict


def judge(case: Damaged) -> Verdict:
    """Do with a damaged log what can be done with a log."""
    verdict = Verdict(case)
    reader = formats.reader(case.format)
    imported: ImportedLog | None = None
    with verdict.step("read any", LogError):
        formats.read(case.text)
    with verdict.step("read", LogError):
        imported = reader.read(case.text, me=case.me)
    with verdict.step("read strictly"):
        check_strictness(imported, case)
    if imported is None:
        verdict.refused = True
        return verdict
    verdict.events, verdict.problems = len(imported.log.events), len(imported.problems)
    with verdict.step("form"):
        check_form(imported)
    most = FEW_WORLDS if case.index % IN_FULL else None
    with verdict.step("track"):
        verdict.repairs = len(tracked(imported.log, most).repairs)
    with verdict.step("contradict"):
        verdict.contradictions = contradictions(imported.log, most)
    record: Record | None = None
    with verdict.step("rebuild", LogError):
        record = imported.record()
        verdict.rebuilt = True
    if record is not None:
        with verdict.step("replay"):
            assert [game.codes for game in check(record.lines())] == [record.codes]
    return verdict


def check_strictness(imported: ImportedLog | None, case: Damaged) -> None:
    """A strict reader refuses only what has problems, and else reads the same (rows that a page lacks are no line of it)."""
    try:
        strict = formats.reader(case.format).read(case.text, me=case.me, strict=True)
    except LogError:
        strict = None
    refuses = imported is None or bool(imported.problems)
    assert strict == imported or (strict is None and refuses), "a strict reader reads something else"


def check_form(imported: ImportedLog) -> None:
    """The result is what `ImportedLog` promises, and can be written as a file of ours and read again."""
    log = imported.log
    assert 2 <= len(log.players) <= MOST_PLAYERS
    assert len(set(log.players)) == len(log.players)
    assert log.observer is None or 0 <= log.observer < len(log.players)
    assert len(imported.lines) == len(log.events)
    for event in (*log.events, *(imported.everything or ())):
        check_seats(event, len(log.players))
        event.text(log.players)
    assert all(line >= 0 for line in imported.lines)
    assert all(problem.line >= 0 and str(problem) for problem in imported.problems)
    text = "\n".join(log.lines()).encode().decode()
    assert read_log(text.split("\n")) == log


def tracked(log: EventLog, max_worlds: int | None) -> HandTracker:
    """A tracker that has repaired whatever the log says, and answers every question."""
    tracker = HandTracker.of(log, on_contradiction="repair", max_worlds=max_worlds)
    tracker.check()
    json.dumps(summary(tracker), allow_nan=False)
    return tracker


def contradictions(log: EventLog, max_worlds: int | None) -> int:
    """How many events a tracker refuses that goes on without them."""
    tracker = HandTracker(log.players, log.observer, victory_points=log.victory_points, max_worlds=max_worlds)
    refused = 0
    for event in log.events:
        try:
            tracker.process(event)
        except Contradiction:
            refused += 1
    tracker.check()
    assert not tracker.repairs
    return refused
