"""Drafts that are under way, placed at random."""

from typing import Any

from kibitz import game
from kibitz.catan import Board
from kibitz.catan.analysis.draft import place
from kibitz.catan.analysis.position import Position
from kibitz.catan.core.state import new_states
from kibitz.ground.rng import Stream

States = Any


def partial_draft(seats: int, steps: int, seed: int) -> States:
    """A random board after `steps` random actions (settlements and roads) of the draft."""
    stream = Stream(seed)
    states = new_states(Board.random(seed), seats)
    for _ in range(steps):
        game.apply_at(states, 0, stream.choice(game.legal_actions(states)))
    return states


def still_places(states: States, seat: int) -> bool:
    """Whether a seat has something to place: of the picks around the table and back, one that is not complete."""
    seats, standing = int(states["seats"][0]), int(states["placed"][0])
    order = [*range(seats), *reversed(range(seats))]
    complete = standing - (1 if states["corner"][0] >= 0 else 0)
    return seat in order[complete:]


def setup_plan(position: Position, corner: int, road: int | None = None, policy: str = "builder") -> States:
    """The state after the seat that asks has placed a settlement and its road (the road of `policy` if none is given)."""
    states = position.states.copy()
    place(states, corner, road, policy)
    return states
