"""What the panels about a game need of the page that they are on."""

from collections.abc import Mapping
from typing import Protocol


class GameShown(Protocol):
    """A game that is followed, from a log or live."""

    @property
    def players(self) -> tuple[str, ...]:
        """Their names in the order of the seats."""

    @property
    def observer(self) -> int | None:
        """The seat whose eyes saw it."""

    @property
    def answers(self) -> Mapping[int, str]:
        """What was stolen, as somebody says, by the number of the event."""


class Host(Protocol):
    """A page that shows one."""

    @property
    def followed(self) -> GameShown:
        """The game."""

    async def go(self, number: int) -> None:
        """Show the moment after this many events, if the page shows more than one."""

    async def resolve(self, steal: str, resource: str | None) -> None:
        """Say which card a steal took."""
