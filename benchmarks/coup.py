"""How fast Coup is, and which bot beats which: ``python benchmarks/coup.py [--write]``.

Random games are uniformly random legal actions, the deal included; every speed is the median of five measurements. The
fastest of the peers (coupml, coup-rl, Coup-AI: two players, one core) is quoted, not measured here. ``--write`` keeps the
table in ``benchmarks/results/coup.md``.
"""

from __future__ import annotations

import argparse
import time
from statistics import median

from tables import RESULTS, as_markdown, machine, show

from kibitz.compute.local import play_games
from kibitz.coup import GAME
from kibitz.coup.core.state import STATE, new_states

TARGET = RESULTS / "coup.md"
REPEATS = 5
#: Random two-player games a second of the fastest peer, Coup-AI.
PEER = 4_000
MEETING = 3_000


def speed(seats: int, bot: str, games: int) -> tuple[float, float]:
    """Games a second on one core, and steps a game."""
    starts, policies = new_states(seats), [GAME.policies[bot]] * seats
    play_games(GAME, starts, 2, 1, policies, jobs=1)
    speeds, steps = [], 0
    for _ in range(REPEATS):
        began = time.perf_counter()
        steps = play_games(GAME, starts, games, 1, policies, jobs=1).steps
        speeds.append(games / (time.perf_counter() - began))
    return median(speeds), steps / games


def speeds() -> list[tuple[str, str, str, str]]:
    rows = []
    for seats, bot, games in ((2, "random", 200_000), (4, "random", 100_000), (6, "random", 50_000), (2, "heuristic", 50_000)):
        rate, steps = speed(seats, bot, games)
        first = (seats, bot) == (2, "random")
        target = "at least 150,000" if first else ""
        note = f"{steps:.0f} steps a game, {1e9 / rate / steps:.0f} ns a step"
        note += f"; the fastest peer is said to play {PEER:,}: {rate / PEER:.0f} times" if first else ""
        rows.append((f"{bot} games, {seats} players, one core", f"{rate:,.0f} games/s", target, note))
    return [*rows, ("state", f"{STATE.itemsize} bytes", "", "")]


def meeting(strong: str, weak: str, seats: int) -> tuple[str, str, str, str]:
    """One seat of the stronger among the weaker, every seat equally often."""
    won = 0
    for seat in range(seats):
        policies = [GAME.policies[weak]] * seats
        policies[seat] = GAME.policies[strong]
        ends = play_games(GAME, new_states(seats), MEETING // seats, 7, policies, jobs=1).states
        won += int((ends["winner"] == seat).sum())
    played = MEETING // seats * seats
    rate = won / played
    margin = 1.96 * (rate * (1 - rate) / played) ** 0.5
    return (f"{strong} against {seats - 1} {weak}", f"{rate:.1%} ± {margin:.1%}", f"over {1 / seats:.1%}", f"{played:,} games")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"keep the table in {TARGET.name}")
    options = parser.parse_args()
    pairs = [("heuristic", "honest"), ("honest", "random"), ("heuristic", "random")]
    rows = [*speeds(), *(meeting(*pair, seats) for pair in pairs for seats in (2, 4, 6))]
    headings = ("what", "measured", "target", "note")
    show("Coup", headings, rows)
    if options.write:
        TARGET.write_text(f"# Coup\n\n{as_markdown(headings, rows)}\nMeasured on: {machine()}.\n", encoding="utf-8")


if __name__ == "__main__":
    main()
