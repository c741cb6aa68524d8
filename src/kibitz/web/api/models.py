"""What the API is asked and what it answers, as far as no dataclass says it. Seats count from 0."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from kibitz.catan.analysis import AnalysisConfig, AnalysisResult
from kibitz.catan.analysis.question import Question
from kibitz.catan.core.state import Rules
from kibitz.coup.advise import CoupAdvice
from kibitz.coup.core.state import Rules as CoupRules
from kibitz.onepiece.advise import OnePieceAdvice
from kibitz.web.api.schema import Strict, answer_model, options_model
from kibitz.web.jobs import JobState

#: The longest text of a log or a record.
LONGEST = 4 << 20
#: Moves of one game.
MOST_MOVES = 5_000
#: The same for One Piece, whose rules are plain Python.
MOST_ONE_PIECE_MOVES = 1_000

CatanRules: Any = options_model(Rules, "CatanRules")
CoupRuleOptions: Any = options_model(CoupRules, "CoupRules")
Config: Any = options_model(AnalysisConfig, "Settings")
#: What is advised in one of the games; the field `advice` says which.
AnyAdvice: Any = Annotated[
    answer_model(AnalysisResult) | answer_model(CoupAdvice) | answer_model(OnePieceAdvice), Field(discriminator="advice")
]

BoardText = Annotated[
    str,
    Field(
        max_length=300,
        description="The text of a board (rows of hexes, a blank, the harbours), or `beginner`.",
        examples=["beginner", "o10.s2.w9/g12.b6.s4.b10/g9.w11.d.w3.o8/w8.o3.g4.s5/b5.g6.s11 ?go?s??bw"],
    ),
]
Moves = Annotated[
    list[Annotated[str, Field(max_length=200)]],
    Field(max_length=MOST_MOVES, description="Every action and outcome of chance so far, as texts.",
          examples=[["place_setup_settlement 41", "place_setup_road 41-42"]]),
]  # fmt: skip
StepNumber = Annotated[int, Field(ge=0, description="Of a record: before which step; the last by default.")]
SeatNumber = Annotated[int, Field(ge=0, le=5)]
Save = Annotated[bool, Field(description="Whether the answer is to be kept in the library.")]
Seconds = Annotated[float, Field(gt=0, le=600, allow_inf_nan=False)]


class Problem(BaseModel):
    """What is wrong, in one line."""

    error: str


class Position(Strict):
    """A position of Catan: a board, and what has been played on it."""

    board: BoardText = "beginner"
    seats: Annotated[int, Field(ge=2, le=4)] = 4
    rules: CatanRules = CatanRules()
    moves: Moves = Field(default_factory=list)


class Ask(Position):
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

    position: Position | None = None
    record: Annotated[str, Field(max_length=LONGEST, description="A game record (JSON Lines).")] | None = None
    log: Annotated[str, Field(max_length=LONGEST, description="A game log of any known format.")] | None = None
    seat: Annotated[SeatNumber | None, Field(description="Who asks; by default the seat to move, or who saw the log.")] = None
    step: StepNumber | None = None
    mode: Literal["ismcts", "full_game"] = "ismcts"
    iterations: (
        Annotated[int, Field(ge=1, le=2_000_000, description="Of `ismcts`; by default as many as time allows.")] | None
    ) = None
    time: Annotated[Seconds, Field(description="At most; 5 unless `iterations` are given.")] | None = None
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    save: Save = False


class Standing(BaseModel):
    """What leads, while an analysis runs."""

    name: str
    value: float
    win_rate: float | None = None
    games: int = 0


class Progress(BaseModel):
    """How far a job is."""

    done: int
    total: int
    elapsed: float
    eta: float | None = Field(None, description="Seconds that are left at this speed.")
    ranking: list[Standing] = []


class JobModel(BaseModel):
    """A piece of work in the queue. `place` is 1 for the next one, 0 once it has begun."""

    id: str
    state: JobState
    place: int
    progress: Progress | None = None
    error: str | None = None
    saved: str | None = Field(None, description="The answer's name in the library, if it was to be kept.")
    result: AnyAdvice | None = Field(None, description="What came of it, once it is done.")


class ActionModel(BaseModel):
    """Something that may be done, or (with a probability) happen."""

    action: str
    kind: str
    data: dict[str, Any] = {}
    probability: float | None = None


class LegalAnswer(BaseModel):
    """What may be done now."""

    phase: str
    actor: int | Literal["chance"] | None = Field(description="A seat, chance, or null when the game is over.")
    turn: int
    legal: list[ActionModel] = Field(description="Of offers in Catan only the small ones; `why_not` judges any action.")
    legality: str | None = Field(None, description="Of the `action` that was asked about: null, or why it is not allowed.")


class CatanLegal(Position):
    """A position, and perhaps one action to judge. With a `seed`, chance decides by it and is left out of `moves`."""

    action: Annotated[str, Field(max_length=200)] | None = None
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None


class CoupLegal(Strict):
    """A game of Coup from its beginning. With a `seed`, chance (the deal, draws) decides by it and is left out of `moves`."""

    seats: Annotated[int, Field(ge=2, le=6)] = 2
    rules: CoupRuleOptions = CoupRuleOptions()
    moves: Moves = Field(default_factory=list)
    action: Annotated[str, Field(max_length=200)] | None = None
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = 0


class CoupAsk(Strict):
    """A situation of Coup, in words or as a record with a step."""

    situation: Annotated[str, Field(max_length=10_000, examples=["cards duke captain; coins 3 5; 2 claimed duke"])] | None = (
        None
    )
    record: Annotated[str, Field(max_length=1 << 20)] | None = None
    step: StepNumber | None = None
    seat: SeatNumber | None = None
    rules: CoupRuleOptions = CoupRuleOptions()
    bluff: Annotated[float, Field(ge=0, le=1, description="Claims without the card, for one made with it.")] = 0.5
    iterations: (
        Annotated[int, Field(ge=1, le=2_000_000, description="20,000 by default, or as many as time allows.")] | None
    ) = None
    time: Annotated[Seconds, Field(description="At most.")] | None = None
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0


class OnePiecePosition(Strict):
    """A game of One Piece: its decks and all moves, or a record with a step. Chance decides by the `seed`, and is no move."""

    decks: Annotated[list[Literal["tide", "ember"]], Field(min_length=2, max_length=2)] = Field(default=["tide", "ember"])
    first: Annotated[int, Field(ge=0, le=1, description="Who begins.")] = 0
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    moves: Annotated[
        list[Annotated[str, Field(max_length=200)]],
        Field(max_length=MOST_ONE_PIECE_MOVES, description="What the players did, as texts.", examples=[["keep", "keep"]]),
    ] = Field(default_factory=list)
    record: Annotated[str, Field(max_length=1 << 20, description="A game record, instead of all that.")] | None = None
    step: StepNumber | None = None


class OnePieceLegal(OnePiecePosition):
    """A position, and perhaps one action to judge."""

    action: Annotated[str, Field(max_length=200)] | None = None


class OnePieceAsk(OnePiecePosition):
    """A position, and how long to think about it."""

    iterations: Annotated[int, Field(ge=1, le=10_000, description="100, or as many as time allows.")] | None = None
    time: Annotated[Seconds, Field(description="At most.")] | None = None
    search_seed: Annotated[int, Field(ge=0, lt=2**63)] = 0


class Health(BaseModel):
    """That the server is there."""

    version: str
    running: int
    waiting: int


class ItemModel(BaseModel):
    """One thing in the library."""

    id: str
    kind: str
    title: str
    over: bool | None = Field(None, description="Of a game that is played here: whether it has ended.")
    created: str
    changed: str
    size: int


class LoadedModel(ItemModel):
    """One thing with its content."""

    data: Any
