"""How fast and how small the tree of Coup is: ``python benchmarks/tree.py [--write]``.

A whole turn of six players with seven coins each is expanded, without any belief; the time is the best of five, the memory
what `tracemalloc` counts, all shared parts included. Max^n looks to the end of a turn, with beliefs. Times are processor
time: all of it is the work of one thread. ``--write`` keeps the table in ``benchmarks/results/tree.md``.
"""

from __future__ import annotations

import argparse
import gc
import time
import tracemalloc
from typing import Any

from tables import RESULTS, as_markdown, machine, show

from kibitz.coup.core.setup import setup
from kibitz.search.maxn import maxn
from kibitz.search.tree import Tree, horizon, leaves

TARGET = RESULTS / "tree.md"
REPEATS = 5
SPECTATOR = -1
HANDS = {0: ["duke", "captain"]}
EYES = {"a spectator": SPECTATOR, "the player whose turn it is": 0, "another player": 1}

Row = tuple[str, str, str, str]


def start(seats: int, observer: int) -> Any:
    return setup([7] * seats, hands={max(observer, 0): HANDS[0]})


def expansion(eyes: str, observer: int) -> list[Row]:
    states = start(6, observer)
    leaves(Tree(states, observer).root, turns=1)
    seconds, ends = [], 0
    for _ in range(REPEATS):
        tree = Tree(states, observer)
        began = time.process_time()
        ends = leaves(tree.root, turns=1)
        seconds.append(time.process_time() - began)
    gc.collect()
    tracemalloc.start()
    tree = Tree(states, observer)
    nodes = sum(1 for _ in horizon(tree.root, turns=1))
    gc.collect()
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    best = min(seconds)
    size = f"{nodes:,} nodes, {ends:,} leaves, {tree.shared['views']:,} different views"
    return [
        (f"a turn of six, seen by {eyes}", f"{best:.2f} s", "under 2 s", f"{size}; {1e6 * best / nodes:.0f} µs a node"),
        ("memory of that", f"{used / nodes:.0f} bytes a node", "under 300 bytes", f"{used / 1e6:.1f} MB"),
    ]


def lookahead(seats: int) -> Row:
    states = start(seats, 0)
    maxn(Tree(states, 0).root, depth=3)
    root = Tree(states, 0).root
    began = time.process_time()
    maxn(root, turns=1)
    seconds = time.process_time() - began
    worlds = f"{len(root.belief):,} worlds at the root, {root.tree.shared['beliefs']:,} different beliefs"
    return (f"max^n over a turn of {seats}", f"{seconds:.2f} s", "", worlds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"keep the table in {TARGET.name}")
    options = parser.parse_args()
    rows = [row for eyes, observer in EYES.items() for row in expansion(eyes, observer)]
    rows += [lookahead(seats) for seats in (2, 3, 4)]
    headings = ("what", "measured", "target", "note")
    show("The tree of Coup", headings, rows)
    if options.write:
        text = f"# The tree of Coup\n\n{as_markdown(headings, rows)}\nProcessor time of one thread. Measured on: {machine()}.\n"
        TARGET.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
