"""The public leaves of one turn: what a spectator can see happen, from an announcement to the end of the turn.

Nobody's cards are known, everybody has seven coins. A node of the public tree is a position without its hidden cards; its
branches are what the active player might do with any hand at all. Counted with the compiled rules.
"""

from functools import cache
from itertools import combinations_with_replacement
from typing import Any

import pytest

from kibitz import game
from kibitz.coup.core.cards import hand_size
from kibitz.coup.core.engine import GAME
from kibitz.coup.core.state import ACTION
from kibitz.game import CHANCE, OVER

SPECTATOR = -1
TABLE = {2: 357, 3: 2210, 4: 6853, 5: 15576, 6: 29669}


def opening(seats: int, influence: int) -> Any:
    states = GAME.new(seats, 0)
    states["influence"][0, :seats] = influence
    states["coins"][0, :seats] = 7
    states["turn"], states["phase"], states["deck"] = 1, ACTION, 0
    return states


@cache
def hands_of(size: int, free: tuple[int, ...]) -> list[list[int]]:
    """Every hand of a size, from the cards that nobody has lost."""
    hands = [[cards.count(card) for card in range(5)] for cards in combinations_with_replacement(range(5), size)]
    return [counts for counts in hands if all(n <= m for n, m in zip(counts, free, strict=True))]


def branches(states: Any) -> dict[int, Any]:
    """The next public positions, by what a spectator sees, whatever the active player might hold."""
    found: dict[int, Any] = {}
    chance = game.actor_at(states, 0) == CHANCE
    active = int(states["active"][0])
    world = states.copy()
    world["deck"] = 3  # any card can come
    free = tuple(3 - int(n) for n in states["revealed"][0].sum(axis=0))
    for hand in hands_of(int(hand_size(states[0], active)), free):
        world["hand"][0, active] = hand
        for a in game.legal_actions(world):
            seen = game.seen_at(world, 0, a, SPECTATOR)
            if seen not in found:
                after = world.copy()
                game.apply_at(after, 0, a)
                game.hide_at(after, 0, SPECTATOR)
                found[seen] = after
        if chance:
            break
    return found


def leaves(states: Any, known: dict[bytes, int]) -> int:
    if game.actor_at(states, 0) == OVER or int(states["turn"][0]) > 1:
        return 1
    key = states.tobytes()
    if key not in known:
        known[key] = sum(leaves(after, known) for after in branches(states).values())
    return known[key]


@pytest.mark.parametrize("seats", TABLE)
def test_the_leaves_of_a_turn(seats: int) -> None:
    """With three cards each nobody can run out within a turn.

    With two, a target that challenged in vain and whose false Contessa is then caught is out, and has no third card to
    lose to the assassin: of 4 x 5 leaves 4 remain, after each of the 5 cards lost first, for each target and each of the
    others, who may challenge the Contessa.
    """
    others = seats - 1
    assert leaves(opening(seats, influence=3), {}) == TABLE[seats]
    assert leaves(opening(seats, influence=2), {}) == TABLE[seats] - others * others * 5 * (4 * 5 - 4)
