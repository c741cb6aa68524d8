"""What is played in Coup: the rules, as they are typed or as objects; its records; positions as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from kibitz.coup.core import record
from kibitz.coup.core.engine import GAME
from kibitz.coup.core.state import Rules, new_states
from kibitz.play import profile
from kibitz.play.profile import Typed, rules_typed

if TYPE_CHECKING:
    from kibitz.coup.core.game_state import GameState
    from kibitz.game import Game, States
    from kibitz.game.record import RecordFiles
    from kibitz.game.state import FriendlyState


@dataclass(frozen=True)
class Setup(profile.Setup):
    """The rules; all games begin alike."""

    rules: Rules

    @property
    def game(self) -> Game:
        """Coup."""
        return GAME

    def starts(self, seats: int, first: int, n: int) -> States:
        """The position before the deal."""
        return new_states(seats, self.rules)

    def record(self, number: int, heading: Mapping[str, Any]) -> record.Record:
        """The record of a game."""
        return record.Record(self.rules, **heading)

    def facts(self) -> dict[str, Any]:
        """The rules."""
        return {"rules": self.rules.to_json()}


def setup(seed: int = 0, rules: Rules = Rules()) -> Setup:  # noqa: B008
    """Games by these rules; the seed makes no difference, since chance deals."""
    return Setup(rules)


def numbered(max_turns: int) -> Setup:
    """Games with a limit of turns."""
    return setup(rules=Rules(max_turns=max_turns))


def typed(options: Typed, seed: int) -> Setup:
    """The setup that ``--rule`` means."""
    return Setup(rules_typed(Rules, options.get("rule")))


def records(options: Typed = {}) -> RecordFiles[record.Record]:  # noqa: B006
    """How records of Coup are read."""
    return record.RECORDS


def screen(state: FriendlyState[Any], names: Sequence[str]) -> Iterable[Any]:
    """The players with their coins and cards; of hidden cards only how many there are."""
    from rich.box import SIMPLE
    from rich.table import Table
    from rich.text import Text

    from kibitz.ground.texts import printable

    shown = cast("GameState", state)
    table = Table(box=SIMPLE)
    for heading in ("player", "coins", "cards", "lost"):
        table.add_column(heading, justify="right" if heading == "coins" else "left")
    for player, name in zip(shown.players, names, strict=True):
        mark = " <" if player.seat == shown.current_player_id else ""
        cards = " ".join(player.cards) if player.cards is not None else f"{player.influence} hidden"
        row = f"{player.seat + 1} {printable(name)[:20]}{mark}", str(player.coins), cards, " ".join(player.revealed)
        table.add_row(*(Text(cell or "-") for cell in row))
    deck = "" if shown.deck is None else f"; deck {' '.join(shown.deck)}"
    table.caption = f"treasury {shown.treasury}{deck}; < whose turn it is"
    yield table


def text(state: FriendlyState[Any], names: Sequence[str]) -> str:
    """The same without colours."""
    from kibitz.cli.tables import as_text

    return as_text(screen(state, names))
