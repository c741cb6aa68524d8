"""What a tree knows a position by: nothing that is true is left out of it."""

from typing import Any

import pytest

from kibitz.onepiece.core.arena import Arena, CardInPlay, Frame
from kibitz.onepiece.core.engine import OnePieceState
from kibitz.onepiece.core.hidden import OnePieceWorld
from tests.onepiece.positions import PLAIN, Position, card

pytestmark = pytest.mark.plain

#: What is computed from the rest, and what is the same for a whole match.
DERIVED = {"_auras", "ordered", "zones", "table"}
#: Something in a list that may be empty.
SOMETHING = {"frames": Frame(0, 0, 0), "triggers": (0, 0, 0, 0, None)}


def changed(value: Any, something: Any = 1) -> Any:
    """Another value of the same kind."""
    if isinstance(value, int):
        return value + 1
    if isinstance(value, dict):
        return {**value, 99: (1,)}
    if isinstance(value, tuple):
        return (*value, 1)
    if isinstance(value, list):
        return [changed(value[0]), *value[1:]] if value else [something]
    return "something else" if isinstance(value, str) else 7


def position() -> OnePieceState:
    s = Position(mine=[PLAIN], hand=[card("A")], their_hand=[card("B")]).s
    s.frames = [Frame(0, 1, 2)]
    return s


@pytest.mark.parametrize("name", sorted({*Arena.__slots__} - DERIVED - {"field", "frames"}))
def test_every_field_of_a_state_counts(name):
    s = position()
    other = s.copy()
    setattr(other, name, changed(getattr(s, name), SOMETHING.get(name, 1)))
    assert other.exact() != s.exact() == s.copy().exact()


@pytest.mark.parametrize("name", sorted({*CardInPlay.__slots__} - {"hashed", "seat", "slot"}))
def test_every_field_of_a_card_in_play_counts(name):
    s = position()
    other = s.copy()
    unit = other.characters(0)[0]
    setattr(unit, name, ((1, 2, 3),) if name == "mods" else changed(getattr(unit, name)))
    assert other.exact() != s.exact()


@pytest.mark.parametrize("name", Frame.__slots__)
def test_every_field_of_an_effect_at_hand_counts(name):
    s = position()
    other = s.copy()
    setattr(other.frames[0], name, {"x": (1,)} if name == "names" else changed(getattr(other.frames[0], name)))
    assert other.exact() != s.exact()


def test_places_on_the_field_and_effects_at_hand_count():
    s = position()
    other, fewer = s.copy(), s.copy()
    unit = other.field[0][1]
    other.field[0][1], other.field[0][2] = None, unit
    fewer.frames = []
    assert len({one.exact() for one in (s, other, fewer)}) == 3
    assert s.key() == other.key()


@pytest.mark.parametrize("name", OnePieceWorld.__dataclass_fields__)
def test_every_field_of_a_world_counts(name):
    world, other = OnePieceWorld(), OnePieceWorld()
    setattr(other, name, changed(getattr(other, name), ((1,), {})))
    assert other.exact() != world.exact()
    assert sorted([world.exact(), other.exact()])
