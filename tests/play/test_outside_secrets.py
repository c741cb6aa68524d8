"""What a bot from outside is sent tells nothing that its seat cannot know: its observation, its actions, its events."""

import pickle
from collections.abc import Iterator
from typing import Any

import pytest

from kibitz import game as verbs
from kibitz.catan import bots as catan_bots
from kibitz.catan.core.engine import GAME as CATAN
from kibitz.coup import bots as coup_bots
from kibitz.coup.core.engine import GAME as COUP
from kibitz.game import CHANCE, OVER, Game, States, legal_actions
from kibitz.game.doors import decide_at, redeal_all, reseed_at
from kibitz.ground.jit import uint64
from kibitz.onepiece import bots as onepiece_bots
from kibitz.onepiece.core.decks import starter
from kibitz.onepiece.core.engine import game_with
from kibitz.play import outside

pytestmark = pytest.mark.plain

DECKS = starter("tide"), starter("ember")
TABLES = {
    "catan": (CATAN, CATAN.new(3, 0), catan_bots.FRIENDLY, 400),
    "coup": (COUP, COUP.new(3, 0), coup_bots.FRIENDLY, 100),
    "onepiece": (game_with(*DECKS), game_with(*DECKS).new(2, 0), onepiece_bots.FRIENDLY, 150),
}


def positions(game: Game, start: States, steps: int) -> Iterator[States]:
    """Those of a game that is played at random, chance included."""
    states, xs = start.copy(), game.scratches()
    reseed_at(xs, 0, uint64(9))
    for _ in range(steps):
        if verbs.actor_at(states, 0) == OVER:
            return
        yield states
        verbs.apply_at(states, 0, int(decide_at(states, 0, xs, 0)))


def hidden(states: States, seat: int) -> States:
    view: States = states.copy()
    verbs.hide_at(view, 0, seat)
    return view


class Spy:
    """Stands in for the pool and the process of a bot: keeps what would be sent."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def take(self) -> "Spy":
        return self

    def give_back(self, host: object) -> None:
        pass

    def ask(self, fresh: Any, observation: Any, actions: Any, events: Any, limit: float) -> dict[str, Any]:
        self.sent.append(pickle.dumps((observation, [action.to_text() for action in actions], events)))
        return {"action": actions[0].to_text(), "began": True}


@pytest.mark.parametrize("name", TABLES)
def test_observation_and_actions_are_the_same_in_every_deal(name: str) -> None:
    game, start, friendly, steps = TABLES[name]
    compared = 0
    for states in positions(game, start, steps):
        seat = int(verbs.actor_at(states, 0))
        if seat == CHANCE or len(legal_actions(states)) < 2:
            continue
        other = states.copy()
        redeal_all(other, game.scratches(), seat, uint64(compared))
        compared += 1
        sent = []
        for world in (states, other):
            spy: Any = Spy()
            player = outside.OutsidePlayer(spy, friendly, 1.0)
            player.begin(game, seat, hidden(world, seat), 1)
            player.decide(hidden(world, seat))
            sent += spy.sent
        assert sent[0] == sent[1]
    assert compared > 15


def event(friendly: outside.Friendly, states: States, code: int, seat: int) -> outside.Event:
    return friendly.event(hidden(states, seat), int(verbs.seen_at(states, 0, code, seat)))


@pytest.mark.untraced
@pytest.mark.parametrize("name", TABLES)
def test_events_are_the_same_in_every_deal(name: str) -> None:
    """Whatever the others do, as long as it is possible in both worlds."""
    game, start, friendly, steps = TABLES[name]
    compared = 0
    for number, states in enumerate(positions(game, start, steps)):
        if number % 3 == 1:
            continue
        for seat in range(verbs.seats_of(states)):
            other = states.copy()
            redeal_all(other, game.scratches(), seat, uint64(number))
            for code in sorted({*legal_actions(states)} & {*legal_actions(other)})[::9]:
                compared += 1
                assert event(friendly, states, code, seat) == event(friendly, other, code, seat)
    assert compared > 50


@pytest.mark.parametrize("name", TABLES)
def test_what_changes_nothing_that_a_seat_sees_is_one_event_to_it(name: str) -> None:
    """Which card was drawn, stolen or put back: where the table looks the same afterwards, so does the event.

    What players do in Catan is said aloud, also a trade that leaves everybody with as many cards as before.
    """
    game, start, friendly, steps = TABLES[name]
    secrets = 0
    for states in positions(game, start, steps):
        codes, mover = legal_actions(states), verbs.actor_at(states, 0)
        for seat in range(verbs.seats_of(states)):
            if seat == mover or len(codes) < 2 or (name == "catan" and mover != CHANCE):
                continue
            events: dict[Any, set[str]] = {}
            for code in codes:
                after = states.copy()
                verbs.apply_at(after, 0, code)
                seen = event(friendly, states, code, seat)
                assert seen.action is None or seen.text == seen.action.to_text()
                events.setdefault(shown(after, seat), set()).add(repr(seen))
            assert all(len(different) == 1 for different in events.values()), events
            secrets += len(events) < len(codes)
    assert secrets > 4


def shown(states: States, seat: int) -> Any:
    """Everything that a seat sees, as something that can be compared."""
    view = hidden(states, seat)
    return view[0].exact() if view.dtype.hasobject else view.tobytes()


def test_a_bot_is_not_given_the_seed_of_its_table() -> None:
    spy: Any = Spy()
    player = outside.OutsidePlayer(spy, coup_bots.FRIENDLY, 1.0)
    player.begin(COUP, 0, COUP.new(2, 0), 12345)
    assert player._seed != 12345
