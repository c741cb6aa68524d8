"""How large and how long exact endgames of Coup are: ``python benchmarks/endgames.py [--large]``.

Nodes are counted exactly for many coins and turns; some endgames are solved, each in a process of its own whose memory is
measured at its peak. Times are those of one core at work. ``--large`` takes larger ones, too, up to a tree of 76 million nodes,
which needs 10 GiB.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from itertools import takewhile
from resource import RUSAGE_SELF, getrusage

from tables import Bench, Figures

from kibitz.coup.endgames.solve import Endgame, solve_endgame

COINS = [(0, 0), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6)]
#: Peak memory of a node, tree and solver together; the second table shows what it was.
BYTES = 155
ROOM = 24 * 2**30
SMALL = [
    Endgame((6, 6), 3),
    Endgame((6, 6), 4),
    Endgame((6, 6), 5),
    Endgame((2, 2), 3),
    Endgame((2, 2), 4),
    Endgame((6, 6), 2, exchange=True),
    Endgame((4, 4), 3, influence=(2, 1)),
    Endgame((4, 4), 5),
]
LARGE = [
    Endgame((6, 6), 6),
    Endgame((6, 6), 7),
    Endgame((4, 4), 4, influence=(2, 1)),
    Endgame((6, 6), 3, influence=(2, 2)),
]
TREE_ONLY = Endgame((2, 2), 7)
Row = tuple[str, ...]


def size_rows(longest: int) -> list[Row]:
    """How many turns fit into memory, of so many that are counted."""
    rows: list[Row] = []
    for name, exchange in (("", False), (" with exchange", True)):
        for coins in COINS:
            counts = [
                Endgame(coins, turns, exchange=exchange).count()
                for turns in range(1, (min(longest, 5) if exchange else longest) + 1)
            ]
            fits = [count for count in counts if count * BYTES <= ROOM]
            shown = [f"{count:,}" for count in takewhile(lambda count: count <= 2e9, counts)]
            rows.append((f"{coins[0]} and {coins[1]}{name}", str(len(fits)), shown[len(fits) - 1], shown[2]))
    return rows


def one(endgame: Endgame, solved: bool) -> dict[str, float | str]:
    """Solve an endgame (or only make its tree) in this process."""
    solve_endgame(Endgame((6, 6), 1))  # compiles
    before = getrusage(RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    flat = endgame.tree(10**9)
    made = time.process_time() - began
    found: dict[str, float | str] = {"nodes": len(flat.actor), "made": made}
    if solved:
        solution = solve_endgame(endgame, flat=flat)
        found |= {
            "solved": time.process_time() - began - made,
            "iterations": solution.iterations,
            "value": solution.value,
            "fraction": "" if solution.fraction is None else f" = {solution.fraction}",
            "width": solution.high - solution.low,
        }
    return found | {"bytes": (getrusage(RUSAGE_SELF).ru_maxrss - before) * 1024 / len(flat.actor)}


def solved_row(endgame: Endgame, solved: bool = True) -> Row:
    question = json.dumps([endgame.to_json(), solved])
    printed = subprocess.run([sys.executable, __file__, "--one", question], check=True, capture_output=True, text=True).stdout
    found = json.loads(printed)
    influence = "" if endgame.influence == (1, 1) else f", influence {endgame.influence[0]} against {endgame.influence[1]}"
    name = f"{endgame.coins[0]} and {endgame.coins[1]}{influence}{', exchange' if endgame.exchange else ''}"
    answer = (
        [f"{found['solved']:,.1f} s", f"{found['iterations']:,}", f"{found['value']:+.6f}{found['fraction']}"]
        if solved
        else ["", "", ""]
    )
    large = found["nodes"] > 10**6
    memory = f"{found['bytes']:.0f}" if large else ""
    return name, str(endgame.turns), f"{found['nodes']:,}", f"{found['made']:.1f} s", *answer, memory


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--large", action="store_true", help="also trees of several GiB")
    parser.add_argument("--one", help=argparse.SUPPRESS)


def main() -> None:
    bench = Bench(__doc__, "endgames.md", options)
    if bench.options.one:
        asked, solved = json.loads(bench.options.one)
        asked = {name: tuple(value) if isinstance(value, list) else value for name, value in asked.items() if name != "rules"}
        print(json.dumps(one(Endgame(**asked), solved)))
        return
    rows = []
    for endgame in [*SMALL[: bench.many(len(SMALL))], *(LARGE if bench.options.large else [])]:
        rows.append(solved_row(endgame))
        print(*rows[-1], sep=" | ", flush=True)
    if bench.options.large:
        rows.append(solved_row(TREE_ONLY, solved=False))
    sizes = Figures(
        "How many turns", ("coins", "most turns in 24 GiB", "nodes", "nodes of 3 turns"), size_rows(bench.many(9, 3))
    )
    solved_headings = ("coins", "turns", "nodes", "tree", "solved", "iterations", "value", "bytes a node")
    note = "Seconds of one core at work; the value is proven to within 0.000001."
    bench.publish("Endgames of Coup", [sizes, Figures("Solved", solved_headings, rows)], note)


if __name__ == "__main__":
    main()
