"""What games of bots cost under a loop guard: ``python benchmarks/guarded.py [--write]``.

The same games with and without a guard, on one core; processor time, the best of a few runs. ``--write`` keeps the table in
``benchmarks/results/guarded.md``.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from tables import RESULTS, as_markdown, machine, show

from kibitz.catan import Board
from kibitz.catan.core.engine import GAME as CATAN
from kibitz.catan.core.state import new_states as catan_states
from kibitz.compute import local
from kibitz.compute.local import Games, series
from kibitz.coup import GAME as COUP
from kibitz.coup.core.state import new_states as coup_states
from kibitz.loops import watch
from kibitz.loops.config import MODELS
from kibitz.play.series import play

TARGET = RESULTS / "guarded.md"
RUNS = 3


def best(work: Callable[[], object]) -> float:
    """The shortest time in seconds, after a run that compiles what is to be compiled."""
    times = []
    for _ in range(RUNS):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def compiled(games: Games, name: str, model: str) -> tuple[str, str, str, str]:
    local.play(games, jobs=1)
    found = watch.play(games, MODELS[model], jobs=1)
    steps = local.play(games, jobs=1).steps
    free, guarded = best(lambda: local.play(games, jobs=1)), best(lambda: watch.play(games, MODELS[model], jobs=1))
    loops = f"loops in {int(found.looped.sum()):,} of {len(games):,} games"
    return name, f"{free / steps * 1e9:.0f} ns a step", f"{guarded / free:.1f} times", loops


def in_python(games: int) -> tuple[str, str, str, str]:
    bots = ["greedy", "greedy"]
    steps = play("onepiece", bots, 1, games).steps
    free = best(lambda: play("onepiece", bots, 1, games))
    guarded = best(lambda: play("onepiece", bots, 1, games, guard=MODELS["onepiece"]))
    return "One Piece, greedy (onepiece)", f"{free / steps * 1e9:,.0f} ns a step", f"{guarded / free:.1f} times", "in Python"


def table() -> list[tuple[str, str, str, str]]:
    def coup(policy: str, n: int) -> Games:
        return series(COUP, coup_states(4), n, 1, [COUP.policies[policy]] * 4)

    def catan(policy: str, n: int) -> Games:
        return series(CATAN, catan_states(Board.beginner()), n, 1, [CATAN.policies[policy]] * 4)

    return [
        compiled(catan("builder", 500), "Catan, builder (draw)", "draw"),
        compiled(catan("random", 100), "Catan, random (draw)", "draw"),
        compiled(coup("random", 20_000), "Coup, random (draw)", "draw"),
        compiled(coup("heuristic", 2_000), "Coup, heuristic (draw)", "draw"),
        compiled(coup("heuristic", 200), "Coup, heuristic (onepiece)", "onepiece"),
        in_python(30),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"keep the table in {TARGET.name}")
    options = parser.parse_args()
    headings, rows = ("games, bots and rules", "without a guard", "with one", "note"), table()
    show("Games under a loop guard", headings, rows)
    if options.write:
        text = f"# Games under a loop guard\n\n{as_markdown(headings, rows)}\nMeasured on: {machine()}.\n"
        TARGET.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
