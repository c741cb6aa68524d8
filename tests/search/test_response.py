"""Values and best responses against a slow reference that knows histories and what players saw, but no arrays."""

import itertools
from collections import defaultdict

import numpy as np
import pytest

from kibitz import game
from kibitz.examples import kuhn, leduc, liars_dice
from kibitz.game import CHANCE, OVER
from kibitz.ground.rng import Stream
from kibitz.search.flat import Flat, flatten
from kibitz.search.response import best_response, exploitability, uniform, value

Key = tuple[int, tuple[int, ...]]
Views = tuple[tuple[int, ...], tuple[int, ...]]


class Reference:
    """Best responses by recursion: at an information set the sum over all its histories decides."""

    def __init__(self, start, strategy: dict[Key, list[float]], seat: int) -> None:
        self.start, self.strategy, self.seat = start, strategy, seat
        self.histories: dict[Key, list[tuple[object, Views, float]]] = defaultdict(list)
        self.choice: dict[Key, int] = {}
        self.collect(start, ((), ()), 1.0)

    def children(self, states, views: Views):
        for action in game.legal_actions(states):
            after = states.copy()
            game.apply_at(after, 0, action)
            one, two = ((*views[seat], int(game.seen_at(states, 0, action, seat))) for seat in (0, 1))
            yield after, (one, two)

    def odds(self, states, views: Views) -> list[float]:
        actor = game.actor_at(states, 0)
        if actor == CHANCE:
            return [float(p) for _, p in game.outcomes(states)]
        return self.strategy[actor, views[actor]]

    def collect(self, states, views: Views, reach: float) -> None:
        actor = game.actor_at(states, 0)
        if actor == OVER:
            return
        odds = itertools.repeat(1.0) if actor == self.seat else self.odds(states, views)
        if actor == self.seat:
            self.histories[actor, views[actor]].append((states, views, reach))
        for p, (after, seen) in zip(odds, self.children(states, views), strict=False):
            self.collect(after, seen, reach * p)

    def value(self, states, views: Views) -> float:
        actor = game.actor_at(states, 0)
        if actor == OVER:
            return game.score_at(states, 0, self.seat)
        below = self.children(states, views)
        if actor == self.seat:
            best = self.best(views[actor])
            return self.value(*next(itertools.islice(below, best, None)))
        return sum(p * self.value(*child) for p, child in zip(self.odds(states, views), below, strict=True) if p)

    def best(self, view: tuple[int, ...]) -> int:
        key = self.seat, view
        if key not in self.choice:
            totals: dict[int, float] = defaultdict(float)
            for states, views, reach in self.histories[key]:
                for i, child in enumerate(self.children(states, views)):
                    totals[i] += reach * self.value(*child)
            self.choice[key] = max(totals, key=lambda i: (round(totals[i], 12), -i))
        return self.choice[key]


def random_strategy(flat: Flat, seed: int) -> np.ndarray:
    """Weights from 0 to 4, so that some actions are never taken."""
    stream = Stream(seed)
    strategy = np.array([float(stream.below(5)) for _ in flat.slot_action])
    for begin, end in itertools.pairwise(flat.set_slot):
        strategy[begin:end] = (
            strategy[begin:end] / strategy[begin:end].sum() if strategy[begin:end].any() else 1 / (end - begin)
        )
    return strategy


def by_view(flat: Flat, strategy: np.ndarray, start) -> dict[Key, list[float]]:
    """The strategy by what players have seen."""
    named: dict[Key, list[float]] = {}

    def visit(states, node: int, views: Views) -> None:
        actor = game.actor_at(states, 0)
        if actor >= 0:
            slots = slice(flat.slot[node], flat.slot[node] + flat.children[node])
            named[actor, views[actor]] = strategy[slots].tolist()
        for j, action in enumerate(game.legal_actions(states)):
            after = states.copy()
            game.apply_at(after, 0, action)
            one, two = ((*views[seat], int(game.seen_at(states, 0, action, seat))) for seat in (0, 1))
            visit(after, flat.first[node] + j, (one, two))

    visit(start, 0, ((), ()))
    return named


@pytest.mark.parametrize(
    ("start", "seeds"),
    [
        pytest.param(kuhn.new(2, 0), range(20), marks=pytest.mark.plain),
        (leduc.new(2, 0), range(2)),
        (liars_dice.start(1, 2), range(6)),
        (liars_dice.start(1, 3), range(2)),
    ],
    ids=["kuhn", "leduc", "dice 2", "dice 3"],
)
def test_best_responses_equal_the_slow_reference(start, seeds):
    flat = flatten(start)
    for seed in seeds:
        strategy = random_strategy(flat, seed)
        named = by_view(flat, strategy, start)
        for seat in (0, 1):
            reference = Reference(start, named, seat)
            won, response = best_response(flat, strategy, seat)
            assert won == pytest.approx(reference.value(start, ((), ())), abs=1e-12)
            sign = 1 if seat == 0 else -1
            assert sign * value(flat, response) == pytest.approx(won, abs=1e-12)
            kept = flat.set_seat.repeat(np.diff(flat.set_slot)) != seat
            assert np.array_equal(response[kept], strategy[kept])
            assert set(response[~kept]) <= {0.0, 1.0}


@pytest.mark.plain
def test_no_pure_strategy_of_kuhn_beats_the_best_response():
    flat = flatten(kuhn.new(2, 0))
    strategy = random_strategy(flat, 3)
    for seat in (0, 1):
        sets = np.flatnonzero(flat.set_seat == seat)
        values = []
        for choice in itertools.product((0, 1), repeat=len(sets)):
            pure = strategy.copy()
            for infoset, taken in zip(sets, choice, strict=True):
                pure[flat.set_slot[infoset] : flat.set_slot[infoset + 1]] = [1 - taken, taken]
            values.append((1 if seat == 0 else -1) * value(flat, pure))
        assert best_response(flat, strategy, seat)[0] == pytest.approx(max(values), abs=1e-12)


@pytest.mark.plain
def test_kuhns_own_equilibrium_cannot_be_exploited():
    flat = flatten(kuhn.new(2, 0))
    strategy = np.zeros(len(flat.slot_action))
    jack, queen, king = 2, 3, 4
    bluff = 1 / 4
    bets = {
        (jack, ()): bluff, (queen, ()): 0, (king, ()): 3 * bluff,
        (jack, (0, 1)): 0, (queen, (0, 1)): bluff + 1 / 3, (king, (0, 1)): 1,
        (jack, (0,)): 1 / 3, (queen, (0,)): 0, (king, (0,)): 1,
        (jack, (1,)): 0, (queen, (1,)): 1 / 3, (king, (1,)): 1,
    }  # fmt: skip
    for (card, moves), bet in bets.items():
        other = queen if card == jack else jack
        cards = (card, other) if len(moves) % 2 == 0 else (other, card)
        node = flat.follow([*cards, *moves])
        strategy[flat.slot[node] : flat.slot[node] + 2] = [1 - bet, bet]
    assert value(flat, strategy) == pytest.approx(-1 / 18, abs=1e-15)
    assert exploitability(flat, strategy) == pytest.approx(0, abs=1e-15)
    assert exploitability(flat, uniform(flat)) == pytest.approx(11 / 24)
