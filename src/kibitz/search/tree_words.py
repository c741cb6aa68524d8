"""The forms of nodes, and how a game can describe its trees in its own words."""

from enum import StrEnum
from typing import Protocol

from kibitz.game import States
from kibitz.search.shelf import Floats, Numbers


class Form(StrEnum):
    """What a node is to a search, whatever the game calls it."""

    DECISION = "decision"
    """One player decides."""
    WINDOW = "window"
    """Several players may act, the first who wants to; its children are each act of each of them, and nobody's."""
    STOCHASTIC = "stochastic"
    """Chance decides, or (to the observer that is the same) a player by cards that the observer does not see."""
    END = "end"
    """The game is over, or it is for the observer."""


class TreeWords(Protocol):
    """What a game says about its trees (`kibitz.game.Game.tree`). States are arrays of one, as the observer sees them."""

    @property
    def nobody(self) -> int:
        """The action by which somebody lets a window pass."""

    @property
    def out(self) -> str:
        """The game's own name for a node at which the observer is out of a game that goes on."""

    def kind(self, states: States, speaking: bool = False) -> str:
        """The game's own name for a node. `speaking`: somebody acts in a window, but has not said how."""

    def describe(self, label: int | None) -> str:
        """What the observer has seen, in words. None: somebody acts in a window, but has not said how."""

    def turn(self, states: States) -> int:
        """A number that grows with every turn."""

    def is_open(self, states: States) -> bool:
        """Whether what comes next is public, possible whatever anybody holds, and moves no hidden thing."""

    def is_out(self, states: States, observer: int) -> bool:
        """Whether the observer has left the game."""

    def window(self, states: States) -> int:
        """The seats that may act, as a bit mask; 0 where no window is open. They are asked one after another."""

    def options(self, states: States, observer: int) -> list[int]:
        """Where it is not open: an action for each thing that the observer might see another player (or chance) do."""

    def odds(self, states: States, codes: Numbers) -> Floats:
        """Where it is not open: how likely the player is to do ``codes[i]`` in the whole state ``states[i]``."""

    def deals(self, states: States, observer: int, limit: int) -> tuple[States, list[int]] | None:
        """All worlds that agree with what is seen, and in how many ways each comes about; None if they are too many."""

    def hand(self, states: States, observer: int) -> tuple[str, ...]:
        """What the observer holds."""

    def heuristic(self, states: States, observer: int) -> tuple[float, ...]:
        """The estimated value for each seat, from 0 to 1; at the end the true one."""
