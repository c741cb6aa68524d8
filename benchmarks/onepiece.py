"""How fast the One Piece engine is, and how its starter decks fare: ``python benchmarks/onepiece.py``.

Times are processor time of one core, the median of five measurements; an action is everything from one decision to the next,
the listing of legal actions included. The peer's figure is quoted, not measured here.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from statistics import median

from tables import Bench, Figures

from kibitz.game import OVER
from kibitz.onepiece.core.arena import Wait
from kibitz.onepiece.core.decks import starter
from kibitz.onepiece.core.engine import POLICIES, OnePieceState, decide, new, play_out, scratch
from kibitz.play.series import play
from kibitz.play.share import Share
from kibitz.play.tournament import Ends, duel, ends_of, with_interval

DECKS = starter("tide"), starter("ember")
#: Microseconds an action of the peer.
PEER = 440, 480


def games(bots: tuple[str, str], n: int, repeats: int) -> tuple[float, float]:
    """Milliseconds a game and microseconds an action."""
    times, steps = [], 0
    for _ in range(repeats):
        steps = 0
        began = time.process_time()
        for number in range(n):
            x = scratch(number)
            x.policy = [POLICIES[bot] for bot in bots]
            steps += play_out(new(*DECKS, number % 2), x)
        times.append(time.process_time() - began)
    return 1e3 * median(times) / n, 1e6 * median(times) / steps


def positions(n: int) -> list[OnePieceState]:
    """Positions of the Main Phase in the middle of greedy games."""
    found: list[OnePieceState] = []
    number = 0
    while len(found) < n:
        s, x = new(*DECKS), scratch(number)
        x.policy = [POLICIES["greedy"]] * 2
        while s.actor() != OVER and (s.turn < 9 or s.waiting != Wait.MAIN):
            s.apply(decide(s, x))
        if s.actor() != OVER:
            found.append(s)
        number += 1
    return found


def each(do: Callable[[OnePieceState], object], states: list[OnePieceState], rounds: int, repeats: int) -> float:
    """Microseconds for one call."""
    times = []
    for _ in range(repeats):
        began = time.process_time()
        for _ in range(rounds):
            for s in states:
                do(s)
        times.append((time.process_time() - began) / rounds / len(states))
    return 1e6 * median(times)


def speeds(bench: Bench) -> list[tuple[str, str, str, str]]:
    rows = []
    for bot in ("greedy", "random"):
        game, action = games((bot, bot), bench.many(100), bench.repeats)
        target = "under 15 ms" if bot == "greedy" else ""
        rows.append((f"a game between two {bot} bots", f"{game:.1f} ms", target, ""))
        faster = f"the peer is said to need {PEER[0]} to {PEER[1]} us: {PEER[0] / action:.0f} times"
        note = faster if bot == "random" else "with the bot's thinking"
        rows.append((f"an action in it, legal actions included ({bot})", f"{action:.0f} us", "under 150 us", note))
    states = positions(bench.many(50, 2))
    for what, do, rounds in (
        ("legal actions", lambda s: s.actions(), 20),
        ("copy of a state", lambda s: s.copy(), 20),
        ("fingerprint", lambda s: s.fingerprint(), 100),
        ("exact key", lambda s: s.key(), 10),
    ):
        rows.append((what, f"{each(do, states, bench.many(rounds), bench.repeats):.1f} us", "", "middle of a game"))
    return rows


def at_table(table: Sequence[str], seed: int, games: int, first: int) -> Ends:
    return ends_of(play("onepiece", table, seed, games, first=first, decks=DECKS))


def balance(n: int) -> list[tuple[str, str, str, str]]:
    last = play("onepiece", ["greedy", "greedy"], 1, n, decks=DECKS).states
    tide = Share(sum(state.winner == 0 for state in last), n)
    first = Share(sum(state.winner == state.first for state in last), n)
    turns = sum(state.turn for state in last) / n
    stronger = duel("greedy", "random", at_table, 1, max(1, n // 4), 2).wins
    return [
        ("tide against ember, greedy bots", with_interval(tide), "40 to 60 %", f"{n:,} games, {turns:.1f} turns on average"),
        ("who begins, greedy bots", with_interval(first), "", ""),
        ("greedy against random", with_interval(stronger), "over 50 %", f"{stronger.games:,} games, both decks"),
    ]


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=int, default=2000, help="games of the balance (2000)")


def main() -> None:
    bench = Bench(__doc__, "onepiece.md", options)
    headings = ("what", "measured", "target", "note")
    fair = Figures("The starter decks", headings, balance(bench.many(bench.options.games, 4)))
    bench.publish("One Piece", [Figures("Speed", headings, speeds(bench)), fair])


if __name__ == "__main__":
    main()
