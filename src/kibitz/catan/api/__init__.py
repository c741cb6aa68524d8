"""Catan in the JSON API: analyse, legal moves, advise; and following a game. Seats and events count from 0."""

from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, HTTPException, Request
from pydantic import Field

from kibitz.catan.analysis import AnalysisConfig
from kibitz.catan.analysis.glance import FINALISTS, ROLLOUTS
from kibitz.catan.analysis.question import Question, move_code
from kibitz.catan.api.live import live
from kibitz.catan.api.tracked import tracked
from kibitz.catan.core.actions import Action
from kibitz.catan.core.game_state import GameState
from kibitz.catan.core.state import Rules
from kibitz.catan.logs import MOST_BYTES
from kibitz.catan.pages import analyses
from kibitz.catan.pages.analyses import submit_log, submit_record
from kibitz.web.api import job_model, models
from kibitz.web.services import Services

#: Seconds that advice takes unless something else is asked for.
USUAL_TIME = 5.0

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


def routers(services: Services) -> tuple[APIRouter, ...]:
    """What is analysed, what is tracked, and what is followed live."""
    return _analysed(services), tracked(services), live(services)


# --- positions -------------------------------------------------------------------------------------------------------


class CatanPosition(models.Strict):
    """A position of Catan: a board, and what has been played on it."""

    board: BoardText = "beginner"
    seats: Annotated[int, Field(ge=2, le=4)] = 4
    rules: CatanRules | RulesName = CatanRules()
    moves: models.Moves = Field(default_factory=list, examples=[["place_setup_settlement 41", "place_setup_road 41-42"]])


class Ask(CatanPosition):
    """A question for an analysis. Without a seat, the seat to move asks."""

    save: models.Save = False

    seat: models.SeatNumber | None = None
    mode: Literal["static", "monte_carlo", "mcts", "full_game", "ismcts"] = "full_game"
    config: Config = Config()
    time: models.Seconds | None = None

    def question(self) -> Question:
        """The same for the analysis itself."""
        return Question.from_json(self.model_dump(exclude={"save"}))


class Advise(models.Strict):
    """A game of Catan in progress: a position, a game record, or a log in any known format; exactly one of the three."""

    position: CatanPosition | None = None
    record: Annotated[str, Field(max_length=MOST_BYTES, description="A game record (JSON Lines).")] | None = None
    log: Annotated[str, Field(max_length=MOST_BYTES, description="A game log in any known format.")] | None = None
    seat: Annotated[
        models.SeatNumber | None, Field(description="Who asks; by default the seat to move, or the player who saw the log.")
    ] = None
    step: models.StepNumber | None = None
    mode: Literal["full_game", "ismcts"] | None = Field(None, description="`full_game`; with `iterations`, `ismcts`.")
    iterations: (
        Annotated[int, Field(ge=1, le=2_000_000, description="For `ismcts`; by default as many as time allows.")] | None
    ) = None
    time: Annotated[models.Seconds, Field(description="The time limit; 5 unless `iterations` are given.")] | None = None
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
        """Queue an analysis of where to settle or what to play; ask `/jobs/{id}` for its progress."""
        job = analyses.submit(services, ask.question(), models.owner_of(request), ask.save)
        return job_model(services, job)

    @routes.post("/catan/legal", responses=models.errors(400, 413, 422))
    def legal(ask: CatanLegal) -> models.LegalAnswer:
        """The legal actions in a position, and whether a given action is one of them."""
        return models.legal_answer(_state(ask), ask.action, Action)

    @routes.post("/catan/advise", status_code=202, responses=models.errors(400, 413, 422, 429))
    def advise(ask: Advise, request: Request) -> models.JobModel:
        """What to do now in a game in progress, from what one player can know; ask `/jobs/{id}` for its progress."""
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
            config |= {"finalists": FINALISTS, "full_game_rollouts": ROLLOUTS}
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
