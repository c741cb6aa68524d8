"""Somebody at the shoulder of who plays Catan in the terminal: what the others may hold, and which move is best, and why."""

from __future__ import annotations

from dataclasses import replace

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from kibitz.catan.analysis import AnalysisConfig, AnalysisMode, Position, create_analyzer
from kibitz.catan.analysis.explain import explain
from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.commands.analysis_report import report
from kibitz.catan.commands.choices import spoken
from kibitz.catan.commands.track_report import hands_table
from kibitz.catan.core.actions import Action
from kibitz.catan.core.events import Event
from kibitz.cli.common import console
from kibitz.game import States
from kibitz.ground.rng import derive_seed
from kibitz.play.advice import IN_DOUBT

#: How many games it plays in its mind about a decision, and how many moves it shows.
ITERATIONS, SHOWN = 2000, 5


class Kibitzer:
    """Sees what one seat sees. The same game and the same questions get the same answers."""

    def __init__(self, view: States, seat: int, seed: int) -> None:
        self._seat, self._seed, self._asked = seat, seed, 0
        names = [f"player {other + 1}" for other in range(int(view["seats"][0]))]
        self._tracker = HandTracker(names, seat, victory_points=int(view["victory_points"][0]))

    def saw(self, event: Event) -> None:
        """Remember it."""
        self._tracker.process(event)

    def hands(self) -> RenderableType:
        """What everybody may hold."""
        return hands_table(self._tracker)

    def advise(self, view: States, width: int) -> RenderableType:
        """The best moves with how often they win, and why the first."""
        self._asked += 1
        seed = derive_seed(self._seed, "kibitzer", self._asked) >> 1
        config = AnalysisConfig(top=1, ismcts_iterations=ITERATIONS, mc_seed=seed)
        with console().status("the kibitzer thinks"):
            position = Position.seen(view, self._seat, self._tracker, config.policy)
            found = create_analyzer(AnalysisMode.ISMCTS).analyze(position, config)
        shown = replace(
            found,
            options=found.options[:SHOWN],
            predicted_sequence=(),
            warnings=tuple(warning for warning in found.warnings if warning == IN_DOUBT),
        )
        parts = [report(shown, position, ITERATIONS, width)]
        if found.top_recommendations:
            corner = explain("IS", 1, found.top_recommendations[0], position, config)
            parts.append(Padding(Text(" ".join(corner.sentences)), (0, 0, 0, 2), expand=False))
        best = Action.from_text(found.best.action)
        return Group(*parts, Text(f"\nIt would play: {spoken(best)}", style="bold"))
