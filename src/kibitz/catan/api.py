"""Catan in the JSON API: analyse, legal moves, advise; and following a game. Seats and events count from 0."""

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Query, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from kibitz.catan.analysis import AnalysisConfig
from kibitz.catan.analysis.glance import FINALISTS, ROLLOUTS
from kibitz.catan.analysis.question import InvalidQuestion, Question, move_code
from kibitz.catan.belief.posterior import TrackerConfig
from kibitz.catan.core.actions import Action
from kibitz.catan.core.game_state import GameState
from kibitz.catan.core.state import Rules
from kibitz.catan.pages import analyses
from kibitz.catan.pages.analyses import submit_log, submit_record
from kibitz.catan.tracking.session import MEMORY, SessionStep
from kibitz.catan.tracking.sessions import NoSession, TrackingSessions
from kibitz.ground.codec import docstrings
from kibitz.web.api import job_model, models
from kibitz.web.services import Services

#: Seconds that advice takes unless something else is asked for.
USUAL_TIME = 5.0
#: The longest text of a log or a record.
LONGEST = 4 << 20

CatanRules: Any = models.options_model(Rules, "CatanRules")
Config: Any = models.options_model(AnalysisConfig, "Settings")

RulesName = Annotated[str, Field(pattern=f"^({'|'.join(Rules.presets())})$", description="A set of rules by name.")]
BoardText = Annotated[
    str,
    Field(
        max_length=300,
        description="The text of a board (rows of hexes, a blank, the harbours), or `beginner`.",
        examples=["beginner", "o10.s2.w9/g12.b6.s4.b10/g9.w11.d.w3.o8/w8.o3.g4.s5/b5.g6.s11 ?go?s??bw"],
    ),
]
TrackerSettings: Any = models.options_model(TrackerConfig, "TrackerSettings")
Memory = Annotated[int, Field(ge=1, le=MEMORY, description=docstrings(TrackerConfig)["memory"])]
Limit = Annotated[int, Query(ge=1, le=100, description="How many worlds at most.")]
#: What can be wrong with what a session is told.
_OPENED, _TOLD = models.errors(400, 413, 422, 507), models.errors(400, 404, 413, 422, 507)


def routers(services: Services) -> tuple[APIRouter, APIRouter]:
    """What is analysed, and what is tracked."""
    return _analysed(services), _tracked(services)


# --- positions -------------------------------------------------------------------------------------------------------


class CatanPosition(models.Strict):
    """A position of Catan: a board, and what has been played on it."""

    board: BoardText = "beginner"
    seats: Annotated[int, Field(ge=2, le=4)] = 4
    rules: CatanRules | RulesName = CatanRules()
    moves: models.Moves = Field(default_factory=list, examples=[["place_setup_settlement 41", "place_setup_road 41-42"]])


class Ask(CatanPosition):
    """What is asked of an analysis. Without a seat the one to move asks."""

    save: models.Save = False

    seat: models.SeatNumber | None = None
    mode: Literal["static", "monte_carlo", "mcts", "full_game", "ismcts"] = "full_game"
    config: Config = Config()
    time: models.Seconds | None = None

    def question(self) -> Question:
        """The same for the analysis itself."""
        return Question.from_json(self.model_dump(exclude={"save"}))


class Advise(models.Strict):
    """A running game of Catan: a position, a record of ours, or a log of any known format; one of the three."""

    position: CatanPosition | None = None
    record: Annotated[str, Field(max_length=LONGEST, description="A game record (JSON Lines).")] | None = None
    log: Annotated[str, Field(max_length=LONGEST, description="A game log of any known format.")] | None = None
    seat: Annotated[
        models.SeatNumber | None, Field(description="Who asks; by default the seat to move, or who saw the log.")
    ] = None
    step: models.StepNumber | None = None
    mode: Literal["full_game", "ismcts"] | None = Field(None, description="`full_game`, or with `iterations` `ismcts`.")
    iterations: (
        Annotated[int, Field(ge=1, le=2_000_000, description="Of `ismcts`; by default as many as time allows.")] | None
    ) = None
    time: Annotated[models.Seconds, Field(description="At most; 5 unless `iterations` are given.")] | None = None
    seed: models.Seed = 0
    save: models.Save = False


class CatanLegal(CatanPosition):
    """A position, and perhaps one action to judge. With a `seed`, chance decides by it and is left out of `moves`."""

    action: models.ActionText | None = None
    seed: models.Seed | None = None


def _analysed(services: Services) -> APIRouter:
    """The routes that answer questions about a position."""
    routes = APIRouter(tags=["catan"])

    @routes.post("/analyse", status_code=202, responses=models.errors(400, 413, 422, 429))
    def analyse(ask: Ask, request: Request) -> models.JobModel:
        """Where to settle or what to play: put an analysis into the queue; `/jobs/{id}` tells how it goes on."""
        job = analyses.submit(services, ask.question(), models.owner_of(request), ask.save)
        return job_model(services, job)

    @routes.post("/catan/legal", responses=models.errors(400, 413, 422))
    def legal(ask: CatanLegal) -> models.LegalAnswer:
        """What may be done in a position, and whether one action is among it."""
        return models.legal_answer(_state(ask), ask.action, Action)

    @routes.post("/catan/advise", status_code=202, responses=models.errors(400, 413, 422, 429))
    def advise(ask: Advise, request: Request) -> models.JobModel:
        """What to do now in a running game, from what one player can know; `/jobs/{id}` tells how it goes on."""
        given = [name for name in ("position", "record", "log") if getattr(ask, name) is not None]
        if len(given) != 1:
            raise HTTPException(422, "give one of position, record and log")
        config: dict[str, Any] = {"mc_seed": ask.seed}
        mode = ask.mode or ("full_game" if ask.iterations is None else "ismcts")
        if ask.iterations is not None:
            if mode != "ismcts":
                raise HTTPException(422, f"iterations: only for ismcts, not for {mode}")
            config["ismcts_iterations"] = ask.iterations
        if mode == "full_game":
            config |= {"finalists": FINALISTS, "full_game_rollouts": ROLLOUTS, "adaptive": False}
        time = USUAL_TIME if ask.time is None and ask.iterations is None else ask.time
        asked = {"mode": mode, "config": config, "time": time, "seat": ask.seat}
        if ask.log is not None:
            job = submit_log(services, ask.log, asked, models.owner_of(request), ask.save)
        elif ask.record is not None:
            job = submit_record(services, ask.record, ask.step, asked, models.owner_of(request), ask.save)
        else:
            assert ask.position is not None
            question = Question.from_json({**ask.position.model_dump(), **asked})
            job = analyses.submit(services, question, models.owner_of(request), ask.save)
        return job_model(services, job)

    return routes


def _state(ask: CatanLegal) -> GameState:
    question = Question.from_json({**ask.model_dump(include={"board", "seats", "rules"})})
    codes = tuple(move_code(move, number) for number, move in enumerate(ask.moves))
    if ask.seed is None:
        return GameState(replace(question, moves=codes).states())
    state = GameState.new(question.board, question.seats, question.rules, ask.seed)
    return models.played(state, [Action.from_code(code) for code in codes])


# --- games that are followed -----------------------------------------------------------------------------------------


class Open(TrackerSettings):  # type: ignore[misc] # made from a dataclass
    """A new session: who plays, through whose eyes (null: a spectator's), and how the game is followed."""

    players: Annotated[list[Annotated[str, Field(min_length=1, max_length=100)]], Field(min_length=2, max_length=6)]
    observer: models.SeatNumber | None = None
    memory: Memory = MEMORY


class Append(models.Strict):
    """Events in their order (docs/events.md); all of them are taken in, or none."""

    events: Annotated[
        list[dict[str, Any]],
        Field(max_length=500, examples=[[{"event": "roll", "player": 0, "total": 8, "gains": {"1": {"wood": 2}}}]]),
    ]


class Frames(models.Strict):
    """Captured messages in their order; those that are not about the game are passed over."""

    frames: Annotated[list[Any], Field(max_length=1_000)]


class OpenFrames(Frames):
    """A new session from captured messages; the full state of the game must be among them."""

    me: Annotated[str, Field(max_length=100)] | None = None


class Undo(models.Strict):
    """How many events to take back."""

    events: Annotated[int, Field(ge=1, le=20_000)] = 1


class Resolve(models.Strict):
    """Which card a steal took, said by hand; null takes that back."""

    resource: Literal["wood", "brick", "sheep", "wheat", "ore"] | None


class MarginalModel(BaseModel):
    """The distribution of one number."""

    expected: float
    min: int
    max: int
    most_likely: int
    distribution: dict[str, float]
    at_least: list[float]


class PlayerModel(BaseModel):
    """What a player can hold."""

    name: str
    cards: MarginalModel
    hand: dict[str, MarginalModel]
    confidence: float
    can_afford: dict[str, float]
    dev_card_count: int
    dev_cards: dict[str, MarginalModel]
    visible_points: int
    hidden_points: list[float]
    wins_now: float


class StealModel(BaseModel):
    """A steal that nobody saw. Events count from 0, like seats; an id counts as people do, from 1: `s12` has event 11."""

    id: str
    thief: int
    victim: int
    turn: int
    event: int
    odds: dict[str, float]
    resolved: str | None
    resolved_by: int | None
    by_hand: bool


class RepairModel(BaseModel):
    """A contradiction that was mended."""

    event: int
    cards: int | None
    reason: str


class WorldModel(BaseModel):
    """One way in which the cards can lie."""

    probability: float
    hands: Annotated[list[dict[str, int]], Field(description="The cards of each seat, without zeros.")]
    steals: Annotated[
        dict[str, dict[str, float]],
        Field(description="For each steal that the log has not settled what it took, if this is the true world."),
    ]


class CarrierModel(BaseModel):
    """A card that a steal can have taken, and who can hold one of that kind now."""

    steal: str
    thief: int
    victim: int
    resource: str
    probability: Annotated[float, Field(description="That the steal took it.")]
    holders: Annotated[list[float], Field(description="If so, for each seat the chance to hold a card of that kind now.")]


class WorldsAnswer(BaseModel):
    """What is possible after the events so far."""

    id: str
    events: int
    worlds: Annotated[int, Field(description="How many are possible.")]
    likeliest: list[WorldModel]
    carriers: list[CarrierModel]


class Tracked(BaseModel):
    """All that is known after the events so far."""

    id: str
    events: int
    turn: int
    observer: int | None
    worlds: int
    players: list[PlayerModel]
    bank: dict[str, MarginalModel]
    steals: list[StealModel]
    dice: dict[str, int]
    approximate: bool
    error_bound: float
    repairs: list[RepairModel]


def _tracked(services: Services) -> APIRouter:
    """The routes that follow a game: open a session, append events or frames, ask who holds what."""
    routes = APIRouter(prefix="/track", tags=["track"])
    sessions = TrackingSessions(services.store, services.room)

    def opened(opening: SessionStep) -> JSONResponse:
        return _answer(201, sessions.open, opening)

    def told(id: str, step: SessionStep) -> JSONResponse:
        return _answer(200, sessions.tell, id, step)

    @routes.post("", status_code=201, response_model=Tracked, responses=_OPENED)
    def open_session(ask: Open) -> JSONResponse:
        """Follow a game from its beginning."""
        return opened(ask.model_dump())

    @routes.post("/frames", status_code=201, response_model=Tracked, responses=_OPENED)
    def open_frames(ask: OpenFrames) -> JSONResponse:
        """Follow a game from captured messages of colonist.io, among them the full state."""
        return opened(ask.model_dump())

    @routes.get("/{id}", response_model=Tracked, responses=models.errors(404, 422))
    def ask_session(id: models.Id) -> JSONResponse:
        """Who holds what now."""
        return _answer(200, sessions.ask, id)

    @routes.get("/{id}/worlds", response_model=WorldsAnswer, responses=models.errors(404, 422))
    def worlds(id: models.Id, limit: Limit = 20) -> JSONResponse:
        """The likeliest worlds now, the steals that led to each, and who can hold the stolen cards."""
        return _answer(200, sessions.worlds, id, limit)

    @routes.post("/{id}/events", response_model=Tracked, responses=_TOLD)
    def append(id: models.Id, ask: Append) -> JSONResponse:
        """What happened next, as events."""
        return told(id, {"events": ask.events})

    @routes.post("/{id}/frames", response_model=Tracked, responses=_TOLD)
    def append_frames(id: models.Id, ask: Frames) -> JSONResponse:
        """What happened next, as captured messages."""
        return told(id, {"frames": ask.frames})

    @routes.post("/{id}/undo", response_model=Tracked, responses=_TOLD)
    def undo(id: models.Id, ask: Undo) -> JSONResponse:
        """Take events back."""
        return told(id, {"undo": ask.events})

    @routes.post("/{id}/steals/{steal}", response_model=Tracked, responses=_TOLD)
    def resolve(id: models.Id, steal: models.Id, ask: Resolve) -> JSONResponse:
        """Say which card a steal took."""
        return told(id, {"steal": steal, "resource": ask.resource})

    @routes.delete("/{id}", status_code=204, responses=models.errors(404, 422, 507))
    def close(id: models.Id) -> None:
        """End the session."""
        if not sessions.close(id):
            raise models.missing("session")

    return routes


def _answer(status: int, ask: Callable[..., dict[str, Any]], *about: Any) -> JSONResponse:
    """What a session says, as its model describes it; what is wrong with the request becomes an answer of one line.

    Tests compare it with the model: to check every number again would take longer than to find it.
    """
    try:
        return JSONResponse(ask(*about), status)
    except NoSession:
        raise models.missing("session") from None
    except ValueError as error:
        raise InvalidQuestion(str(error)) from None
