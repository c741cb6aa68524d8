"""What came of a series of games between bots, for people and as JSON: the same for every game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console, RenderableType
from rich.text import Text

from kibitz.cli.common import print_conduct, print_json
from kibitz.cli.guards import about_loops
from kibitz.cli.tables import fitted
from kibitz.ground.figures import counted, percent
from kibitz.play.share import Share

if TYPE_CHECKING:
    from kibitz.play.match import Results
    from kibitz.play.profile import Summary

#: A speed from fewer games would mostly measure the start.
ENOUGH_FOR_A_SPEED = 100


@dataclass(frozen=True)
class Simulation:
    """A series of games that has been played."""

    results: Results
    bots: Sequence[str]
    """Who sat where."""
    facts: Mapping[str, Any]
    """What was played, for the JSON: the seed, the rules ..."""
    summary: Summary
    """What else the game has to say about them."""

    @property
    def games(self) -> int:
        """How many there were."""
        return len(self.results.states)

    @cached_property
    def won(self) -> list[int]:
        """How many games each seat won."""
        counts = Counter(self.results.winners.tolist())
        return [counts[seat] for seat in range(len(self.bots))]

    @property
    def drawn(self) -> int:
        """How many games the loop rule declared a draw."""
        return 0 if self.results.loops is None else int(self.results.loops.drawn.sum())

    @property
    def unfinished(self) -> int:
        """How many games ended without a winner for another reason."""
        return self.games - sum(self.won) - self.drawn

    def print(self, seconds: float, record: Path | None, as_json: bool) -> None:
        """Print it; `seconds` is how long it took, and `record` where it was written."""
        if as_json:
            print_json(self.to_json())
            return
        out = Console(highlight=False)
        for part in self._report(out.width, seconds):
            out.print(part)
        print_conduct(self.results.conduct)
        if record is not None:
            print(f"written: {record}")

    def _report(self, width: int, seconds: float) -> list[RenderableType]:
        games, turns = self.games, self.results.turns
        rows = []
        for seat, bot in enumerate(self.bots):
            wins = {"won": f"{self.won[seat]:,}", "win rate": percent(self.won[seat] / games)}
            figures = {heading: f"{values[seat]:.1f}" for heading, values in self.summary.figures.items()}
            rows.append({"player": str(seat + 1), "bot": bot, **self._words(seat), **wins, **figures})
        length = f"turns: {turns.mean():.1f} on average, {turns.min()} to {turns.max()}" if turns.any() else ""
        undecided = f"{self.unfinished:,} without a winner" if self.unfinished else ""
        facts = ", ".join(filter(None, [length, undecided]))
        endings = ", ".join(f"{n:,} by {ending}" for ending, n in sorted(Counter(self.summary.endings).items()))
        lines = [
            f"{facts}{'; ' if facts else ''}steps: {self.results.steps / games:,.0f} a game",
            f"ends: {endings}" if endings else "",
            about_loops(self.results.loops),
            f"{games / seconds:,.0f} games/s" if games >= ENOUGH_FOR_A_SPEED else "",
        ]
        title = Text(f"{counted(games, 'game')}, {len(self.bots)} players", style="bold")
        table = fitted(rows, tuple(rows[0]), width=width, names=2, left=("player", "bot", *self.summary.words))
        return [title, table, *(Text(line) for line in lines if line)]

    def _turns(self) -> dict[str, float] | None:
        """How long the games were; None where a game does not count turns."""
        turns = self.results.turns
        return {"mean": float(turns.mean()), "least": int(turns.min()), "most": int(turns.max())} if turns.any() else None

    def _words(self, seat: int) -> dict[str, str]:
        return {heading: values[seat] for heading, values in self.summary.words.items()}

    def to_json(self) -> dict[str, Any]:
        """Everything, by name; seats from 0."""
        games = self.games
        players = [
            {
                "seat": seat,
                "bot": bot,
                "wins": Share(self.won[seat], games).to_json(),
                **self._words(seat),
                **{heading: values[seat] for heading, values in self.summary.figures.items()},
            }
            for seat, bot in enumerate(self.bots)
        ]
        loops = self.results.loops
        return {
            **self.facts,
            "games": games,
            "unfinished": self.unfinished,
            "drawn": self.drawn,
            "players": players,
            "turns": self._turns(),
            "steps": self.results.steps,
            **({"endings": dict(Counter(self.summary.endings))} if self.summary.endings else {}),
            "loops": None if loops is None else int(loops.found.sum()),
            "conduct": {name: conduct.to_json() for name, conduct in self.results.conduct.items()},
        }
