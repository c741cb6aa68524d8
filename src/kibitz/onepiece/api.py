"""Routes of One Piece: legal moves, advise."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter, Request

from kibitz.catan.analysis.question import InvalidQuestion
from kibitz.catan.pages.analyses import MISTAKES
from kibitz.catan.tracking.logs import read_record
from kibitz.compute.runtime import Limit, Runtime
from kibitz.onepiece.advise import OnePieceAdvice
from kibitz.onepiece.advise import advise as think
from kibitz.onepiece.bots import DEFAULT
from kibitz.onepiece.core.actions import Action
from kibitz.onepiece.core.decks import Deck, starter
from kibitz.onepiece.core.engine import State
from kibitz.onepiece.core.game_state import GameState
from kibitz.onepiece.core.record import check
from kibitz.web.api.answers import errors, owner_of
from kibitz.web.api.general import job_model
from kibitz.web.api.models import JobModel, LegalAnswer, OnePieceAsk, OnePieceLegal, OnePiecePosition
from kibitz.web.api.positions import legal_answer, played, read_moves
from kibitz.web.services import Services


def router(services: Services) -> APIRouter:
    """The routes."""
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
                raise InvalidQuestion("no player is to decide: there is nothing to advise")
            limit = Limit(iterations=ask.iterations or (DEFAULT.iterations if ask.time is None else None))
            return think(decks, state, limit, ask.search_seed, runtime, step=step)

        job = services.jobs.submit("one piece advice", work, owner_of(request), Limit(time=ask.time), MISTAKES)
        return job_model(services, job)

    return routes


def _position(ask: OnePiecePosition) -> tuple[tuple[Deck, Deck], State, int | None]:
    """The decks, the position, and the step of a record. Raises `InvalidQuestion`."""
    if ask.record is not None:
        record, step = read_record(ask.record, ask.step, check)
        return record.decks, record.before(step)[0], step
    decks = starter(ask.decks[0]), starter(ask.decks[1])
    return decks, played(GameState.new(*decks, ask.seed, ask.first), read_moves(ask.moves, Action)).state, None


def routers(services: Services) -> Sequence[APIRouter]:
    """All routes of the game."""
    return (router(services),)
