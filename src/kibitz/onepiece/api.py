"""Routes of One Piece: legal moves, advise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import APIRouter, Request
from pydantic import Field

from kibitz.compute.runtime import Limit, Runtime
from kibitz.ground.messages import Mistake
from kibitz.onepiece.advise import OnePieceAdvice
from kibitz.onepiece.advise import advise as think
from kibitz.onepiece.bots import DEFAULT
from kibitz.onepiece.core.actions import Action
from kibitz.onepiece.core.decks import Deck, starter
from kibitz.onepiece.core.engine import OnePieceState
from kibitz.onepiece.core.game_state import GameState
from kibitz.onepiece.core.record import check
from kibitz.play.advice import Advice
from kibitz.web.api import job_model
from kibitz.web.api.models import (
    ActionText,
    JobModel,
    LegalAnswer,
    Seconds,
    Seed,
    StepNumber,
    Strict,
    errors,
    legal_answer,
    owner_of,
    played,
    read_moves,
    read_record,
)
from kibitz.web.services import Services

#: Moves of one game; the rules are plain Python, and replaying takes its time.
MOST_MOVES = 1_000


class OnePiecePosition(Strict):
    """A game of One Piece: its decks and all moves, or a record with a step. Chance decides by the `seed`; it is no move."""

    decks: Annotated[list[Literal["tide", "ember"]], Field(min_length=2, max_length=2)] = Field(default=["tide", "ember"])
    first: Annotated[int, Field(ge=0, le=1, description="Who begins.")] = 0
    seed: Seed = 0
    moves: Annotated[
        list[ActionText],
        Field(max_length=MOST_MOVES, description="What the players did, as texts.", examples=[["keep", "keep"]]),
    ] = Field(default_factory=list)
    record: Annotated[str, Field(max_length=1 << 20, description="A game record, instead of all that.")] | None = None
    step: StepNumber | None = None


class OnePieceLegal(OnePiecePosition):
    """A position, and perhaps one action to judge."""

    action: ActionText | None = None


class OnePieceAsk(OnePiecePosition):
    """A position, and how long to think about it."""

    iterations: Annotated[int, Field(ge=1, le=10_000, description="100, or as many as time allows.")] | None = None
    time: Annotated[Seconds, Field(description="At most.")] | None = None
    search_seed: Seed = 0


def routers(services: Services) -> Sequence[APIRouter]:
    """All routes of the game."""
    routes = APIRouter(prefix="/onepiece", tags=["onepiece"])

    @routes.post("/legal", responses=errors(400, 413, 422))
    def legal(ask: OnePieceLegal) -> LegalAnswer:
        """What may be done in a game of One Piece, and whether one action is among it."""
        state = GameState(_position(ask)[1])
        return legal_answer(state, ask.action, Action)

    @routes.post("/advise", status_code=202, responses=errors(400, 413, 422, 429))
    def advise(ask: OnePieceAsk, request: Request) -> JobModel:
        """What to do now, and how likely each option wins; `/jobs/{id}` tells how it goes on."""

        def work(runtime: Runtime) -> OnePieceAdvice:
            decks, state, step = _position(ask)
            if state.actor() < 0:
                raise Mistake("no player is to decide: there is nothing to advise")
            limit = Limit(iterations=ask.iterations or (DEFAULT.iterations if ask.time is None else None))
            return think(decks, state, limit, ask.search_seed, runtime, step=step)

        job = services.jobs.submit("one piece advice", work, owner_of(request), Limit(time=ask.time))
        return job_model(services, job)

    return (routes,)


def _position(ask: OnePiecePosition) -> tuple[tuple[Deck, Deck], OnePieceState, int | None]:
    """The decks, the position, and the step of a record. Raises `Mistake`."""
    if ask.record is not None:
        record, step = read_record(ask.record, ask.step, check)
        return record.decks, record.before(step)[0], step
    decks = starter(ask.decks[0]), starter(ask.decks[1])
    return decks, played(GameState.new(*decks, ask.seed, ask.first), read_moves(ask.moves, Action)).state, None


def answer() -> type[Advice]:
    """What advice on the game says."""
    return OnePieceAdvice
