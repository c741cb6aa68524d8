"""The promises of every game (`kibitz.testing`) about a position of One Piece, and those that this game alone makes."""

import json
from typing import Any

from kibitz.game.doors import hidden_from
from kibitz.ground.plain_states import PlainStates
from kibitz.onepiece.core.actions import Action
from kibitz.onepiece.core.arena import UNKNOWN
from kibitz.onepiece.core.cards import Card
from kibitz.onepiece.core.effects.movement import held_cards
from kibitz.onepiece.core.engine import OnePieceState, game_with
from kibitz.onepiece.core.hidden import count_pool
from kibitz.testing import CheckedPosition


def states_of(s: OnePieceState) -> PlainStates:
    """An array of one, as generic code takes it; the state in it is `s` itself."""
    return PlainStates(game_with(*s.table.decks), [s])


def position_of(s: OnePieceState, names: dict[int, str] | None = None) -> CheckedPosition:
    """A state as its promises are checked."""
    states = states_of(s)
    return CheckedPosition(states.game, states, 2, names=names)


def facts(s: OnePieceState) -> Any:
    """Everything in a state, comparable."""
    return s.exact(), s.key()


def hidden(s: OnePieceState, seat: int) -> OnePieceState:
    """What a seat sees."""
    view: OnePieceState = hidden_from(states_of(s), seat)[0]
    return view


def is_vanilla(card: Card) -> bool:
    """Whether a card has no effect and no keyword."""
    return not (card.abilities or card.permanents or card.keywords)


def is_consistent(s: OnePieceState) -> bool:
    """Whether every card of both decks is somewhere, exactly once, and all ten DON!! of each player are there."""
    for seat in range(2):
        placed = [*s.hand[seat], *s.trash[seat], *held_cards(s, seat), *(u.design for u in s.units(seat) if u.slot)]
        placed += [e >> 2 for e in (*s.top[seat], *s.bottom[seat], *s.life[seat]) if e != UNKNOWN]
        for d, n, free in zip(s.table.kinds[seat], s.table.counts[seat], s.pool[seat], strict=True):
            if placed.count(d) + free != n:
                return False
        holes = s.unknown[seat] + sum(e == UNKNOWN for e in (*s.top[seat], *s.bottom[seat], *s.life[seat], *s.hand[seat]))
        given = sum(u.don for u in s.units(seat))
        if holes != sum(s.pool[seat]) or s.don_deck[seat] + s.active[seat] + s.rested[seat] + given != 10:
            return False
    return True


def check_actions(s: OnePieceState, met: dict[int, str]) -> None:
    """Legal actions are what generic code takes them for, each with a name of its own; JSON brings them back."""
    position = position_of(s, met)
    actions = position.check_legal()
    for action in (Action.from_code(a, s.table) for a in actions if a not in met):
        assert Action.from_json(json.loads(json.dumps(action.to_json()))) == action
    position.check_names(actions)


def check_copy(s: OnePieceState, action: int) -> None:
    """What happens to a copy leaves the original alone, and the same action leads to the same position."""
    position_of(s).check_copies(action)


def check_seen(s: OnePieceState) -> None:
    """Players know what they do; steps of which a seat perceives the same leave it with equal views."""
    position = position_of(s)
    if s.actor() >= 0:
        position.check_own_actions(s.actions())
    for seat in range(2):
        position.check_perceived(seat)


def check_hiding(s: OnePieceState, seat: int) -> None:
    """Hiding is idempotent; the true world restores the position; own choices stay."""
    position_of(s).check_hiding(seat)
    if s.actor() == seat:
        assert hidden(s, seat).actions() == s.actions()


def check_world(s: OnePieceState, seat: int, x: Any) -> OnePieceState:
    """Random worlds of a seat look the same to it, leave it the same choice, and hold all cards; one of them."""
    worlds: list[OnePieceState] = [world[0] for world in position_of(s).check_worlds(seat, [x])]
    assert all(is_consistent(world) for world in worlds)
    return worlds[0]


def check_fingerprint(s: OnePieceState, met: dict[Any, int]) -> None:
    """The running fingerprint is what a fresh computation gives, and equal keys have equal fingerprints."""
    fresh = s.copy()
    for unit in (*fresh.units(0), *fresh.units(1)):
        unit.hashed = 0
    count_pool(fresh)  # the sum of the zones and the hash of what is ordered, too
    assert fresh.fingerprint() == s.fingerprint()
    assert met.setdefault(s.key(), s.fingerprint()) == s.fingerprint()
