"""A guard with a window and one without agree on every lap shorter than the window: in all three engines and the labs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from kibitz import catan, coup
from kibitz.game import OVER, Game
from kibitz.game.doors import decide_at, reseed_at
from kibitz.ground.jit import uint64
from kibitz.loops.config import MODELS
from kibitz.loops.guard import LoopGuard, LoopResult
from kibitz.loops.lab import LAB
from kibitz.loops.protocol import PlainGame, StructGame, WatchedGame
from kibitz.onepiece.core.decks import starter
from kibitz.onepiece.core.engine import decide, new, scratch
from kibitz.onepiece.looplab import CARD_LAB

#: A game: each position with the action that led to it, and who took it.
Steps = Iterator[tuple[WatchedGame, int, int]]
MOST_STEPS = 400
#: Searches are not what is compared here.
CONFIG = replace(MODELS["seed"], search_nodes=1, max_repeats=2)


def steps(position: WatchedGame, choose: Callable[[WatchedGame], int]) -> Steps:
    for _ in range(MOST_STEPS):
        by = position.actor()
        if by == OVER:
            return
        action = choose(position)
        position.apply(action)
        yield position, action, by


def compiled(game: Game, policy: str, seats: int, seed: int) -> tuple[WatchedGame, Steps]:
    states, xs = game.new(seats, seed), game.scratches()
    xs["policy"][0, :seats] = game.policies[policy]
    reseed_at(xs, 0, uint64(seed))
    position = StructGame(states)
    return position, steps(position, lambda _: int(decide_at(states, 0, xs, 0)))


def one_piece(policy: int, seed: int) -> tuple[WatchedGame, Steps]:
    state, x = new(starter("tide"), starter("ember"), seed % 2), scratch(seed)
    x.policy = [policy, policy]
    position = PlainGame(state)
    return position, steps(position, lambda _: decide(state, x))


def row(name: str, cards: bool, flipped: bool) -> tuple[WatchedGame, Steps]:
    """A row of a lab, played round and round whatever the rules say."""
    lab = CARD_LAB[name] if cards else LAB[name]
    position, choose = lab.start(flipped), lab.choose(flipped)
    return position, steps(position, lambda there: choose(there, there.actions()))


GAMES: dict[str, Callable[[], tuple[WatchedGame, Steps]]] = {
    **{f"coup, {policy}, {seed}": lambda p=policy, s=seed: compiled(coup.GAME, p, 2, s)
       for policy in ("random", "honest", "heuristic") for seed in (8, 21)},
    **{f"catan, {policy}": lambda p=policy: compiled(catan.GAME, p, 4, 3) for policy in ("random", "builder")},
    **{f"one piece, {policy}": lambda p=policy: one_piece(p, 5) for policy in (0, 1)},
    **{f"{'cards' if cards else 'machine'}, {name}, {flipped}": lambda n=name, c=cards, f=flipped: row(n, c, f)
       for name in LAB for cards in (False, True) for flipped in (False, True)},
}  # fmt: skip


@pytest.mark.parametrize("name", GAMES)
def test_a_window_changes_nothing_about_shorter_laps(name: str) -> None:
    """Whenever a state comes back, and has always come back within the window, all guards say the same of it.

    (And in ordinary games none of them speaks of progress.)
    """
    guards = {window: LoopGuard(replace(CONFIG, window=window)) for window in (None, 64, 24)}
    position, moves = GAMES[name]()
    results = {window: [guard.observe(position)] for window, guard in guards.items()}
    longest, last = [0], {position.key(): 0}
    for now, (there, action, by) in enumerate(moves, start=1):
        before = last.get(there.key(), now)
        longest.append(max(now - before, longest[before]) if before < now else 0)
        last[there.key()] = now
        for window, guard in guards.items():
            results[window].append(guard.observe(there, action, by))
    if "machine" not in name and "cards" not in name:
        assert not any(result.progress for result in results[None])
    for window, found in results.items():
        for now, (truth, result) in enumerate(zip(results[None], found, strict=True)):
            if window is None or longest[now] <= window:
                assert heard(result) == heard(truth)
            else:
                assert result.count < truth.count


def heard(result: LoopResult) -> tuple[object, ...]:
    return result.count, result.loop_detected, result.warning, result.lap if result.loop_detected else None
