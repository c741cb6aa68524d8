"""What a loop guard costs, alone and in games of bots: ``python benchmarks/loops.py``.

Every time is processor time, the best of many short runs, so that other work on the machine counts as little as possible.
The state of 2 KB is the same for all ways to hash it: two boards of cards with names, numbers and switches. The seed's way is
sorted JSON and SHA-256. Then the same games of bots without a guard and with one.
"""

from __future__ import annotations

import hashlib
import json
import time
from array import array
from collections.abc import Callable, Hashable
from typing import Any

from tables import Bench, Figures, timed

from kibitz.catan import Board
from kibitz.catan.core.engine import GAME as CATAN
from kibitz.catan.core.state import new_states
from kibitz.compute import local
from kibitz.compute.local import Games, series
from kibitz.coup import GAME as COUP
from kibitz.coup.core.state import new_states as coup_states
from kibitz.ground.rng import Stream
from kibitz.loops import watch
from kibitz.loops.config import MODELS
from kibitz.loops.guard import LoopGuard
from kibitz.loops.lab import Machine, MachineState, Move
from kibitz.loops.lap import Lap, LapStep
from kibitz.loops.memory import History, Memory
from kibitz.loops.protocol import PlainGame, StructGame, hash_key
from kibitz.loops.stopping import who_can_stop
from kibitz.onepiece.core.actions import Action
from kibitz.onepiece.looplab import CARD_LAB
from kibitz.play.series import play

BATCH = 400
Row = tuple[str, str, str, str]


def best(work: Callable[[], object], repeats: int, per: int = 1) -> float:
    """The shortest time in microseconds that one of `per` things took."""
    return min(timed(work, time.process_time) for _ in range(repeats)) / per * 1e6


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


def best_of_calls(call: Callable[[], object], repeats: int) -> float:
    """The shortest time in microseconds that a call took."""
    return best(lambda: [call() for _ in range(100)], repeats, 100)


def observing(position: PlainGame, change: Callable[[int], None], repeats: int) -> float:
    """A fresh state each time (`change` makes the next one), in a memory that is already full."""
    guard, fresh = LoopGuard(), numbers(BATCH * (repeats + 15))
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

    changing = best(changes, repeats, BATCH)
    return best(batch, repeats, BATCH) - changing


def observing_ready(repeats: int) -> float:
    game = Ready()
    return observing(PlainGame(game), lambda number: setattr(game, "hash", number), repeats)


def observing_packed(data: bytes, repeats: int) -> float:
    game = Packed(data)
    return observing(PlainGame(game), lambda number: setattr(game, "data", number.to_bytes(8, "big") + data[8:]), repeats)


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


def judged(side: int, repeats: int) -> tuple[float, int, bool]:
    """Milliseconds to find out who can stop a lap, in a game of about 2 x side x side positions without an end."""
    moves = (
        Move("main", "answer", "give one", {"a": 1}),
        Move("main", "answer", "take one", {"a": -1}),
        Move("answer", "main", "remove it", {"a": -1}),
        Move("answer", "main", "add another", {"b": 1}),
        Move("answer", "main", "drop another", {"b": -1}),
    )
    start = PlainGame(MachineState(Machine(moves, {"answer": 1}, {"a": 0, "b": 0}, {}, {"a": side - 1, "b": side - 1})))
    lap = Lap((LapStep(0, 0), LapStep(1, 2)))
    found = who_can_stop(start, lap, max_nodes=2000)
    return best(lambda: who_can_stop(start, lap, max_nodes=2000), repeats) / 1000, found.nodes, found.exact


def judged_with_cards(repeats: int) -> tuple[float, int]:
    """The same in a game of One Piece, in its Main Phase: an activated effect that undoes itself."""
    row = CARD_LAB["activate"]
    state = row.state()
    start, lap = PlainGame(state), Lap((LapStep(0, Action.from_text(row.opening).code(state.table)),))
    found = who_can_stop(start, lap)
    return best(lambda: who_can_stop(start, lap), repeats) / 1000, found.nodes


def bytes_each(states: int, window: int | None) -> float:
    memory = Memory(History(window))
    for number, fingerprint in enumerate(numbers(states)):
        memory.states.record(fingerprint, number & 63, 0, 0, lambda: None)
        memory.streak.add(number & 63)
    fields = [getattr(part, name) for part in (memory.states, memory.streak) for name in part.__slots__]
    return sum(len(field) * field.itemsize for field in fields if isinstance(field, array)) / min(states, window or states)


def guard_rows(bench: Bench) -> list[Row]:
    repeats, few = bench.many(200, 2), bench.many(20)
    state = board(5)
    text, key = json.dumps(state, sort_keys=True), as_tuples(state)
    data = text.encode()[:2048].ljust(2048, b" ")
    ready, packed = observing_ready(repeats), observing_packed(data, repeats)
    seed = best_of_calls(lambda: hashlib.sha256(json.dumps(state, sort_keys=True).encode()).hexdigest(), repeats)
    nested = best_of_calls(lambda: hash_key(key), repeats)
    catan = StructGame(new_states(Board.beginner()))
    of_catan = best_of_calls(catan.fingerprint, repeats)
    time_judged, nodes, exact = judged(bench.many(23, 5), few)
    time_cards, card_nodes = judged_with_cards(few)
    most = bench.many(50_000, 5_000)
    each, worst = bytes_each(most, 4_096), max(bytes_each(n, None) for n in (64, 65, 1_025, 4_097, most))
    return [
        ("observing a state, its fingerprint kept up to date", f"{ready:.2f} us", "under 2 us", "a new state, the memory full"),
        ("observing a state of 2 KB from scratch", f"{packed:.2f} us", "under 6 us", "the fingerprint included"),
        ("sorted JSON and SHA-256, the usual way", f"{seed:.1f} us", "", f"{len(text):,} bytes; without any counting"),
        ("fingerprint of the same as nested tuples", f"{nested:.1f} us", "", "with many strings: better kept up to date"),
        ("fingerprint of a position of Catan", f"{of_catan:.2f} us", "", f"{len(catan.key())} bytes"),
        ("judging a lap", f"{time_judged:.1f} ms", "under 20 ms", f"{nodes:,} positions{', all there are' if exact else ''}"),
        ("judging a lap of One Piece", f"{time_cards:.0f} ms", "", f"{card_nodes:,} positions"),
        ("a remembered state", f"{each:.0f} bytes", "under 100", f"{worst:.0f} just after the memory has grown"),
    ]


# --- games of bots --------------------------------------------------------------------------------------------------


def compiled(games: Games, name: str, model: str) -> Row:
    local.play(games, jobs=1)
    found = watch.play(games, MODELS[model], jobs=1)
    steps = local.play(games, jobs=1).steps
    free, guarded = best(lambda: local.play(games, jobs=1), 3), best(lambda: watch.play(games, MODELS[model], jobs=1), 3)
    loops = f"loops in {int(found.looped.sum()):,} of {len(games):,} games"
    return name, f"{free / steps * 1e3:.0f} ns a step", f"{guarded / free:.1f} times", loops


def in_python(games: int) -> Row:
    bots = ["greedy", "greedy"]
    steps = play("onepiece", bots, 1, games).steps
    free = best(lambda: play("onepiece", bots, 1, games), 3)
    guarded = best(lambda: play("onepiece", bots, 1, games, guard=MODELS["declare"]), 3)
    return "One Piece, greedy (onepiece)", f"{free / steps * 1e3:,.0f} ns a step", f"{guarded / free:.1f} times", "in Python"


def game_rows(bench: Bench) -> list[Row]:
    def coup(policy: str, n: int) -> Games:
        return series(COUP, coup_states(4), bench.many(n, 4), 1, [COUP.policies[policy]] * 4)

    def catan(policy: str, n: int) -> Games:
        return series(CATAN, new_states(Board.beginner()), bench.many(n, 2), 1, [CATAN.policies[policy]] * 4)

    return [
        compiled(catan("builder", 500), "Catan, builder (draw)", "draw"),
        compiled(catan("random", 100), "Catan, random (draw)", "draw"),
        compiled(coup("random", 20_000), "Coup, random (draw)", "draw"),
        compiled(coup("heuristic-0.1", 2_000), "Coup, heuristic-0.1 (draw)", "draw"),
        compiled(coup("heuristic-0.1", 200), "Coup, heuristic-0.1 (declare)", "declare"),
        in_python(bench.many(30)),
    ]


def main() -> None:
    bench = Bench(__doc__, "loops.md")
    alone = Figures("Alone", ("what", "measured", "target", "note"), guard_rows(bench))
    games = Figures("In games of bots", ("games, bots and rules", "without a guard", "with one", "note"), game_rows(bench))
    bench.publish("The loop guard", [alone, games], "Processor time of one core.")


if __name__ == "__main__":
    main()
