"""What a loop guard costs: ``python benchmarks/loops.py [--write]``.

Every time is processor time, the best of many short runs, so that other work on the machine counts as little as possible.
The state of 2 KB is the same for all ways to hash it: two boards of cards with names, numbers and switches. The seed's way is
sorted JSON and SHA-256. ``--write`` keeps the table in ``benchmarks/results/loops.md``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections.abc import Callable, Hashable
from typing import Any

from tables import RESULTS, as_markdown, machine, show

from kibitz.catan import Board
from kibitz.catan.core.state import new_states
from kibitz.ground.rng import Stream
from kibitz.loops.guard import LoopGuard
from kibitz.loops.hashing import hash_key
from kibitz.loops.lab import Machine, Move, State
from kibitz.loops.lap import Lap, Step
from kibitz.loops.memory import History, Memory
from kibitz.loops.protocol import PlainGame, StructGame
from kibitz.loops.stopping import who_can_stop
from kibitz.onepiece.looplab.cards import lab

TARGET = RESULTS / "loops.md"
REPEATS = 200
BATCH = 400


def best(work: Callable[[], object], per: int = 1, repeats: int = REPEATS) -> float:
    """The shortest time in microseconds that one of `per` things took."""
    times = []
    for _ in range(repeats):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times) / per * 1e6


class Ready:
    """A game that keeps its fingerprint up to date."""

    def __init__(self) -> None:
        self.hash = 0

    def actor(self) -> int:
        return 0

    def fingerprint(self) -> int:
        return self.hash

    def key(self, view: int) -> Hashable:
        return self.hash


class Packed:
    """A game whose key is bytes; it has no fingerprint of its own."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def actor(self) -> int:
        return 0

    def key(self, view: int) -> Hashable:
        return self.data


def numbers(n: int) -> list[int]:
    """Different fingerprints."""
    stream = Stream(1)
    return [stream.below(1 << 32) << 32 | i for i in range(n)]


def best_of_calls(call: Callable[[], object]) -> float:
    """The shortest time in microseconds that a call took."""
    return best(lambda: [call() for _ in range(100)], 100)


def observing(position: PlainGame, change: Callable[[int], None]) -> float:
    """A fresh state each time (`change` makes the next one), in a memory that is already full."""
    guard, fresh = LoopGuard(), numbers(BATCH * (REPEATS + 15))
    actions = [number >> 32 & 63 for number in fresh]
    following = iter(range(0, len(fresh), BATCH))

    def batch() -> None:
        first = next(following)
        for i in range(first, first + BATCH):
            change(fresh[i])
            guard.observe(position, actions[i], 0)

    for _ in range(15):
        batch()

    def changes() -> None:
        for number in fresh[:BATCH]:
            change(number)

    changing = best(changes, BATCH)
    return best(batch, BATCH) - changing


def observing_ready() -> float:
    game = Ready()
    return observing(PlainGame(game), lambda number: setattr(game, "hash", number))


def observing_packed(data: bytes) -> float:
    game = Packed(data)
    return observing(PlainGame(game), lambda number: setattr(game, "data", number.to_bytes(8, "big") + data[8:]))


def board(cards: int) -> dict[str, Any]:
    """A state as the seed describes it: zones of cards with a name, a power and a switch."""
    stream = Stream(2)
    zones = ("characters", "hand", "life", "trash")
    card = {
        z: [
            {"id": f"C{stream.below(900):03}", "power": stream.below(10) * 1000, "rested": stream.below(2) > 0}
            for _ in range(cards)
        ]
        for z in zones
    }
    return {"phase": "main", "turn_player": 0, "players": [{**card, "don": [4, 2, 1]} for _ in range(2)]}


def as_tuples(value: Any) -> Hashable:
    if isinstance(value, dict):
        return tuple(as_tuples(value[name]) for name in sorted(value))
    return tuple(map(as_tuples, value)) if isinstance(value, list) else value


def judged(side: int) -> tuple[float, int, bool]:
    """Milliseconds to find out who can stop a lap, in a game of about 2 x side x side positions without an end."""
    moves = (
        Move("main", "answer", "give one", {"a": 1}),
        Move("main", "answer", "take one", {"a": -1}),
        Move("answer", "main", "remove it", {"a": -1}),
        Move("answer", "main", "add another", {"b": 1}),
        Move("answer", "main", "drop another", {"b": -1}),
    )
    start = PlainGame(State(Machine(moves, {"answer": 1}, {"a": 0, "b": 0}, {}, {"a": side - 1, "b": side - 1})))
    lap = Lap((Step(0, 0), Step(1, 2)))
    found = who_can_stop(start, lap, max_nodes=2000)
    return best(lambda: who_can_stop(start, lap, max_nodes=2000), repeats=20) / 1000, found.nodes, found.exact


def judged_with_cards() -> tuple[float, int]:
    """The same in a game of One Piece, in its Main Phase: an activated effect that undoes itself."""
    bench = lab("activate")
    start, lap = PlainGame(bench.state), Lap((Step(0, bench.opening[0]),))
    found = who_can_stop(start, lap)
    return best(lambda: who_can_stop(start, lap), repeats=20) / 1000, found.nodes


def bytes_each(states: int, window: int | None) -> float:
    memory = Memory(History(window))
    for number, fingerprint in enumerate(numbers(states)):
        memory.states.record(fingerprint, number & 63, 0, 0, lambda: None)
        memory.streak.add(number & 63)
    return memory.bytes() / memory.states.remembered()


def table() -> list[tuple[str, str, str, str]]:
    state = board(5)
    text, key = json.dumps(state, sort_keys=True), as_tuples(state)
    data = text.encode()[:2048].ljust(2048, b" ")
    ready, packed = observing_ready(), observing_packed(data)
    seed = best_of_calls(lambda: hashlib.sha256(json.dumps(state, sort_keys=True).encode()).hexdigest())
    nested = best_of_calls(lambda: hash_key(key))
    catan = StructGame(new_states(Board.beginner()))
    time_judged, nodes, exact = judged(23)
    time_cards, card_nodes = judged_with_cards()
    each, worst = bytes_each(50_000, 4_096), max(bytes_each(n, None) for n in (64, 65, 1_025, 4_097, 50_000))
    return [
        ("observing a state, its fingerprint kept up to date", f"{ready:.2f} us", "under 2 us", "a new state, the memory full"),
        ("observing a state of 2 KB from scratch", f"{packed:.2f} us", "under 6 us", "the fingerprint included"),
        ("the seed's way: sorted JSON and SHA-256", f"{seed:.1f} us", "", f"{len(text):,} bytes; without any counting"),
        ("fingerprint of the same as nested tuples", f"{nested:.1f} us", "", "with many strings: better kept up to date"),
        ("fingerprint of a position of Catan", f"{best_of_calls(catan.fingerprint):.2f} us", "", f"{len(catan.key())} bytes"),
        ("judging a lap", f"{time_judged:.1f} ms", "under 20 ms", f"{nodes:,} positions{', all there are' if exact else ''}"),
        ("judging a lap of One Piece", f"{time_cards:.0f} ms", "", f"{card_nodes:,} positions"),
        ("a remembered state", f"{each:.0f} bytes", "under 100", f"{worst:.0f} just after the memory has grown"),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"keep the table in {TARGET.name}")
    options = parser.parse_args()
    headings, rows = ("what", "measured", "target", "note"), table()
    show("The loop guard", headings, rows)
    if options.write:
        TARGET.write_text(f"# The loop guard\n\n{as_markdown(headings, rows)}\nMeasured on: {machine()}.\n", encoding="utf-8")


if __name__ == "__main__":
    main()
