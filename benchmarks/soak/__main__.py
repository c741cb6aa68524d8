"""Play, record, replay, track, analyse and serve for ten minutes, with kills at random; nothing may be lost.

``python -m benchmarks.soak [--minutes 10] [--seed 0] [--parts records,logs] [--rounds 1] [--quick]``. The exit code is 1 if
something was lost. Ctrl-C ends it early, with the table so far. All choices follow the seed; only the moments of the kills do
not.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from benchmarks.soak import analyses, cluster, logs, records, server
from benchmarks.soak.ledger import Ledger
from benchmarks.soak.work import ROOT, Hangs, TimeIsUp, Work
from benchmarks.tables import Figures

Round = Callable[[Work, int], None]
PARTS: dict[str, Callable[[], Round]] = {
    "records": lambda: records.one_round,
    "logs": lambda: logs.one_round,
    "analyses": lambda: analyses.one_round,
    "cluster": cluster.Rounds,
    "server": server.Rounds,
}
#: A seed whose first rounds are short.
QUICK_SEED = 11223
#: Parts of many processes that do little: in a short round, starting them is nearly all that they cost.
SHORT = ("records", "logs")
#: Compiles all that the parts need, before the clock starts: a kill while the compiler works would only cost time.
WARM_UP = (
    ("catan", "simulate", "--players", "ismcts:1,builder", "--rule", "max_turns=1"),
    ("coup", "simulate", "--players", "ismcts:1,solver", "--rule", "max_turns=1"),
    ("track", "examples/chat.txt"),
    ("analyze", "beginner", "--rollouts", "1"),
    ("analyze", "beginner", "--mode", "mcts", "--iterations", "10"),
    ("analyze", "beginner", "--mode", "monte_carlo", "--samples", "10"),
)


def main(words: Sequence[str] | None = None, ledger: Ledger | None = None) -> int:
    """Run the command; `ledger` is where the counts are kept."""
    ledger = ledger or Ledger()
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long (10)")
    parser.add_argument("--seed", type=int, default=0, help="what is done depends on it (0)")
    parser.add_argument("--parts", default=",".join(PARTS), help=f"which parts, of {', '.join(PARTS)}")
    parser.add_argument("--rounds", type=int, help="end when every part has done so many rounds")
    parser.add_argument("--quick", action="store_true", help="one short round of each part, all at once")
    options = parser.parse_args(words)
    if options.quick:
        options.rounds, options.seed = 1, QUICK_SEED
    parts = options.parts.split(",")
    if unknown := [part for part in parts if part not in PARTS]:
        parser.error(f"--parts {unknown[0]}: expected some of {', '.join(PARTS)}")
    if not options.quick:
        warm_up()
    with tempfile.TemporaryDirectory(prefix="kibitz-soak-", ignore_cleanup_errors=True) as folder:
        plain = SHORT if options.quick else ()
        soak(Path(folder), parts, options.seed, 60 * options.minutes, ledger, options.rounds, plain)
    tell(ledger)
    return 1 if ledger.total.lost else 0


def warm_up() -> None:
    """Compile or load everything once."""
    with Console(stderr=True).status("compiling what is not compiled yet"):
        for words in WARM_UP:
            subprocess.run([sys.executable, "-m", "kibitz", *words], cwd=ROOT, capture_output=True, check=True)


def soak(
    folder: Path, parts: Sequence[str], seed: int, seconds: float, ledger: Ledger, rounds: int | None, plain: Sequence[str]
) -> None:
    """Run all parts at once, each in a thread of its own, until the time is up or all rounds are done, and keep the counts.

    Those that `plain` names start processes without the compiler.
    """
    stop = threading.Event()
    works = [Work(part, seed, folder / part, ledger, stop, part in plain) for part in parts]
    threads = [threading.Thread(target=_go_round, args=(work, rounds), name=work.name) for work in works]
    bar = Progress(
        TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[so_far]}"), TimeRemainingColumn(),
        console=Console(stderr=True), transient=True,
    )  # fmt: skip
    try:
        with bar:
            task = bar.add_task("soaking", total=seconds, so_far="")
            for thread in threads:
                thread.start()
            began = time.monotonic()
            while (passed := time.monotonic() - began) < seconds and any(thread.is_alive() for thread in threads):
                total = ledger.total
                so_far = f"{total.done:,} done, {total.killed:,} killed, {total.checks:,} checks, {total.lost:,} lost"
                bar.update(task, completed=passed, so_far=so_far)
                time.sleep(0.1)
    except KeyboardInterrupt:
        print("ending; this is the table so far", file=sys.stderr)
    finally:
        stop.set()
        for thread in threads:
            if thread.ident is not None:
                thread.join()
        for work in works:
            work.end()


def _go_round(work: Work, rounds: int | None) -> None:
    """Do round after round. Whatever goes wrong in one is a loss, and the next begins."""
    work.folder.mkdir()
    part, number = PARTS[work.name](), 0
    while not work.stop.is_set() and (rounds is None or number < rounds):
        try:
            part(work, number)
        except TimeIsUp:
            return
        except Hangs as error:
            work.ledger.check(work.name, False, str(error))
        except Exception:  # noqa: BLE001  (the soak is there to find it)
            work.ledger.check(work.name, False, traceback.format_exc(limit=-3))
        number += 1


def tell(ledger: Ledger) -> None:
    """Print the counts, and what was lost."""
    lines = {**ledger.lines, "in all": ledger.total}
    rows = [[kind, *(f"{n:,}" for n in (line.done, line.killed, line.checks, line.lost))] for kind, line in lines.items()]
    Figures("Soak", ("what", "done", "killed", "checks", "lost"), rows).show()
    for loss in ledger.losses:
        print(f"lost: {loss}")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # however it is told to end, its processes end with it
    sys.exit(main())
