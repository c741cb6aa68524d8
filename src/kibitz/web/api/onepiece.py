"""Routes of One Piece: legal moves, advise."""

from __future__ import annotations

from fastapi import APIRouter, Request

from kibitz.actions import InvalidAction
from kibitz.analysis.question import InvalidQuestion
from kibitz.compute.runtime import Limit, Runtime
from kibitz.onepiece.actions import Action
from kibitz.onepiece.decks import Deck, starter
from kibitz.onepiece.engine import State
from kibitz.onepiece.game_state import GameState
from kibitz.onepiece.record import check
from kibitz.play.onepiece_advise import OnePieceAdvice
from kibitz.play.onepiece_advise import advise as think
from kibitz.records import RecordError
from kibitz.web.analyses import MISTAKES
from kibitz.web.api.answers import errors
from kibitz.web.api.catan import legal_answer, owner_of, played
from kibitz.web.api.general import job_model
from kibitz.web.api.models import JobModel, LegalAnswer, OnePieceAsk, OnePieceLegal, OnePiecePosition
from kibitz.web.services import Services


def router(services: Services) -> APIRouter:
    """The routes."""
    routes = APIRouter(prefix="/onepiece", tags=["onepiece"])

    @routes.post("/legal", responses=errors(400, 413, 422))
    def legal(ask: OnePieceLegal) -> LegalAnswer:
        """What may be done in a game of One Piece, and whether one action is among it."""
        state = GameState(_position(ask)[1])
        return legal_answer(state, state.phase, ask.action, Action)

    @routes.post("/advise", status_code=202, responses=errors(400, 413, 422, 429))
    def advise(ask: OnePieceAsk, request: Request) -> JobModel:
        """What to do now, and how likely each option wins; `/jobs/{id}` tells how it goes on."""

        def work(runtime: Runtime) -> OnePieceAdvice:
            decks, state = _position(ask)
            if state.actor() < 0:
                raise InvalidQuestion("no player is to decide: there is nothing to advise")
            limit = Limit(iterations=None if ask.time is not None else ask.iterations)
            return think(decks, state, limit, ask.search_seed, runtime, step=ask.step)

        job = services.jobs.submit("one piece advice", work, owner_of(request), Limit(time=ask.time), MISTAKES)
        return job_model(services, job)

    return routes


def _position(ask: OnePiecePosition) -> tuple[tuple[Deck, Deck], State]:
    """The decks and the position. Raises `InvalidQuestion`."""
    if ask.record is not None:
        return _recorded(ask.record, ask.step)
    decks = starter(ask.decks[0]), starter(ask.decks[1])
    actions = [_action(move, number) for number, move in enumerate(ask.moves)]
    return decks, played(GameState.new(*decks, ask.seed, ask.first), actions).state


def _recorded(text: str, step: int | None) -> tuple[tuple[Deck, Deck], State]:
    try:
        record = next(check(text.splitlines()), None)
    except RecordError as error:
        raise InvalidQuestion(f"record: {error}") from None
    if record is None:
        raise InvalidQuestion("record: there is no game in it")
    last = len(record.codes)
    if step is not None and step > last:
        raise InvalidQuestion(f"step {step}: the game has steps 0 to {last}")
    wanted = last if step is None else step
    return record.decks, next(state for number, (state,) in enumerate(record.states()) if number == wanted)


def _action(move: str, number: int) -> Action:
    try:
        return Action.from_text(move)
    except InvalidAction as error:
        raise InvalidQuestion(f"move {number + 1}: {error}") from None
