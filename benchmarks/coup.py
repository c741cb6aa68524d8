"""How fast Coup is, its games and its tree: ``python benchmarks/coup.py``.

Random games are uniformly random legal actions, the deal included; every speed is the median of five measurements. The
fastest of the peers (coupml, coup-rl, Coup-AI: two players, one core) is quoted, not measured here.
A whole turn of six players with seven coins each is expanded, without any belief; the time is the best of five, the memory
what `tracemalloc` counts, all shared parts included. Max^n looks to the end of a turn, with beliefs. The times of trees are
processor time: all of it is the work of one thread. Which bot beats which is measured by ``prove_bots.py``.
"""

from __future__ import annotations

import gc
import time
import tracemalloc
from typing import Any

from tables import Bench, Figures

from kibitz.compute.local import play, series
from kibitz.coup import GAME
from kibitz.coup.core.setup import setup
from kibitz.coup.core.state import STATE, new_states
from kibitz.search.maxn import maxn
from kibitz.search.tree import Tree, horizon, leaves

#: Random two-player games a second of the fastest peer, Coup-AI.
PEER = 4_000
SPECTATOR = -1
HANDS = {0: ["duke", "captain"]}
EYES = {"a spectator": SPECTATOR, "the player whose turn it is": 0, "another player": 1}
Row = tuple[str, str, str, str]

# --- games ----------------------------------------------------------------------------------------------------------


def speed(bench: Bench, seats: int, bot: str, games: int) -> tuple[float, float]:
    """Games a second on one core, and steps a game."""
    starts, policies, games = new_states(seats), [GAME.policies[bot]] * seats, bench.many(games, 20)
    steps = play(series(GAME, starts, games, 1, policies), jobs=1).steps
    return games / bench.seconds(lambda: play(series(GAME, starts, games, 1, policies), jobs=1)), steps / games


def game_rows(bench: Bench) -> list[Row]:
    rows = []
    for seats, bot, games in ((2, "random", 200_000), (4, "random", 100_000), (6, "random", 50_000), (2, "heuristic", 50_000)):
        rate, steps = speed(bench, seats, bot, games)
        first = (seats, bot) == (2, "random")
        target = "at least 150,000" if first else ""
        note = f"{steps:.0f} steps a game, {1e9 / rate / steps:.0f} ns a step"
        note += f"; the fastest peer is said to play {PEER:,}: {rate / PEER:.0f} times" if first else ""
        rows.append((f"{bot} games, {seats} players, one core", f"{rate:,.0f} games/s", target, note))
    return [*rows, ("state", f"{STATE.itemsize} bytes", "", "")]


# --- the tree -------------------------------------------------------------------------------------------------------


def start(seats: int, observer: int) -> Any:
    return setup([7] * seats, hands={max(observer, 0): HANDS[0]})


def expansion(bench: Bench, eyes: str, observer: int) -> list[Row]:
    """What a whole turn costs, expanded without any belief."""
    seats = bench.many(6, 2)
    states = start(seats, observer)
    leaves(Tree(states, observer).root, turns=1)
    seconds, ends = [], 0
    for _ in range(bench.repeats):
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
        (
            f"the tree of a turn of {seats}, seen by {eyes}",
            f"{best:.2f} s",
            "under 2 s",
            f"{size}; {1e6 * best / nodes:.0f} µs a node",
        ),
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
    bench = Bench(__doc__, "coup.md")
    headings = ("what", "measured", "target", "note")
    trees = [row for eyes, observer in EYES.items() for row in expansion(bench, eyes, observer)]
    trees += [lookahead(seats) for seats in (2, 3, 4)[: bench.many(3)]]
    bench.publish("Coup: speed", [Figures("Games", headings, game_rows(bench)), Figures("The tree", headings, trees)])


if __name__ == "__main__":
    main()
