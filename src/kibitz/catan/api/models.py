"""What the routes of Catan are asked."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from kibitz.catan.analysis import AnalysisConfig
from kibitz.catan.analysis.question import Question
from kibitz.catan.core.state import Rules
from kibitz.web.api.models import ActionText, Moves, Save, SeatNumber, Seconds, Seed, StepNumber
from kibitz.web.api.schema import Strict, options_model

#: The longest text of a log or a record.
LONGEST = 4 << 20

CatanRules: Any = options_model(Rules, "CatanRules")
Config: Any = options_model(AnalysisConfig, "Settings")

RulesName = Annotated[str, Field(pattern=f"^({'|'.join(Rules.presets())})$", description="A set of rules by name.")]
BoardText = Annotated[
    str,
    Field(
        max_length=300,
        description="The text of a board (rows of hexes, a blank, the harbours), or `beginner`.",
        examples=["beginner", "o10.s2.w9/g12.b6.s4.b10/g9.w11.d.w3.o8/w8.o3.g4.s5/b5.g6.s11 ?go?s??bw"],
    ),
]


class CatanPosition(Strict):
    """A position of Catan: a board, and what has been played on it."""

    board: BoardText = "beginner"
    seats: Annotated[int, Field(ge=2, le=4)] = 4
    rules: CatanRules | RulesName = CatanRules()
    moves: Moves = Field(default_factory=list, examples=[["place_setup_settlement 41", "place_setup_road 41-42"]])


class Ask(CatanPosition):
    """What is asked of an analysis. Without a seat the one to move asks."""

    save: Save = False

    seat: SeatNumber | None = None
    mode: Literal["static", "monte_carlo", "mcts", "full_game", "ismcts"] = "full_game"
    config: Config = Config()
    time: Seconds | None = None

    def question(self) -> Question:
        """The same for the analysis itself."""
        return Question.from_json(self.model_dump(exclude={"save"}))


class Advise(Strict):
    """A running game of Catan: a position, a record of ours, or a log of any known format; one of the three."""

    position: CatanPosition | None = None
    record: Annotated[str, Field(max_length=LONGEST, description="A game record (JSON Lines).")] | None = None
    log: Annotated[str, Field(max_length=LONGEST, description="A game log of any known format.")] | None = None
    seat: Annotated[SeatNumber | None, Field(description="Who asks; by default the seat to move, or who saw the log.")] = None
    step: StepNumber | None = None
    mode: Literal["ismcts", "full_game"] = "ismcts"
    iterations: (
        Annotated[int, Field(ge=1, le=2_000_000, description="Of `ismcts`; by default as many as time allows.")] | None
    ) = None
    time: Annotated[Seconds, Field(description="At most; 5 unless `iterations` are given.")] | None = None
    seed: Seed = 0
    save: Save = False


class CatanLegal(CatanPosition):
    """A position, and perhaps one action to judge. With a `seed`, chance decides by it and is left out of `moves`."""

    action: ActionText | None = None
    seed: Seed | None = None
