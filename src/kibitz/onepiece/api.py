"""Routes of One Piece: legal moves, advise."""

from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import APIRouter, Request
from pydantic import Field

from kibitz.compute.runtime import Limit, Runtime
from kibitz.ground.texts import Mistake
from kibitz.onepiece.bots import DEFAULT, OnePieceAdvice
from kibitz.onepiece.bots import advise as think
from kibitz.onepiece.core.actions import Action
from kibitz.onepiece.core.game_state import GameState
from kibitz.onepiece.core.record import check
from kibitz.web.api import job_model, models
from kibitz.web.services import Services

#: Moves of one game; the rules are plain Python, and replaying takes its time.
MOST_MOVES = 1_000


class OnePiecePosition(models.Strict):
    """A game of One Piece: its decks and all moves, or a record with a step. Chance decides by the `seed`; it is no move."""

    decks: Annotated[list[Literal["tide", "ember"]], Field(min_length=2, max_length=2)] = Field(default=["tide", "ember"])
    first: Annotated[int, Field(ge=0, le=1, description="Who moves first.")] = 0
    seed: models.Seed = 0
    moves: Annotated[
        list[models.ActionText],
        Field(max_length=MOST_MOVES, description="What the players did, as texts.", examples=[["keep", "keep"]]),
    ] = Field(default_factory=list)
    record: Annotated[str, Field(max_length=1 << 20, description="A game record, instead of all the above.")] | None = None
    step: models.StepNumber | None = None


class OnePieceLegal(OnePiecePosition):
    """A position, and perhaps one action to judge."""

    action: models.ActionText | None = None


class OnePieceAsk(OnePiecePosition):
    """A position, and how long to think about it."""

    iterations: Annotated[int, Field(ge=1, le=10_000, description="100, or as many as time allows.")] | None = None
    time: Annotated[models.Seconds, Field(description="At most.")] | None = None
    search_seed: models.Seed = 0


def routers(services: Services) -> Sequence[APIRouter]:
    """All routes of the game."""
    routes = APIRouter(prefix="/onepiece", tags=["onepiece"])

    @routes.post("/legal", responses=models.errors(400, 413, 422))
    def legal(ask: OnePieceLegal) -> models.LegalAnswer:
        """The legal actions in a game of One Piece, and whether a given action is one of them."""
        return models.legal_answer(_position(ask)[0], ask.action, Action)

    @routes.post("/advise", status_code=202, responses=models.errors(400, 413, 422, 429))
    def advise(ask: OnePieceAsk, request: Request) -> models.JobModel:
        """What to do now, and how likely each option wins; ask `/jobs/{id}` for its progress."""

        def work(runtime: Runtime) -> OnePieceAdvice:
            state, step = _position(ask)
            if state.actor in ("chance", None):
                raise Mistake("no player is to decide: there is nothing to advise")
            limit = Limit(iterations=ask.iterations or (DEFAULT.iterations if ask.time is None else None))
            return think(state, limit, ask.search_seed, runtime, step)

        job = services.jobs.submit("one piece advice", work, models.owner_of(request), Limit(time=ask.time))
        return job_model(services, job)

    return (routes,)


def _position(ask: OnePiecePosition) -> tuple[GameState, int | None]:
    """The position, and the step of a record. Raises `Mistake`."""
    if ask.record is not None:
        record, step = models.read_record(ask.record, ask.step, check)
        return GameState(record.before(step)), step
    start = GameState.new(ask.decks[0], ask.decks[1], ask.seed, ask.first)
    return models.played(start, models.read_moves(ask.moves, Action)), None
