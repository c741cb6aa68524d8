"""Routes of Catan: analyse, legal moves, advise."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fastapi import APIRouter, HTTPException, Request

from kibitz.catan.analysis.question import Question, move_code
from kibitz.catan.api.models import Advise, Ask, CatanLegal
from kibitz.catan.core.actions import Action
from kibitz.catan.core.game_state import GameState
from kibitz.catan.pages import analyses
from kibitz.catan.pages.analyses import submit_log, submit_record
from kibitz.web.api.answers import errors, owner_of
from kibitz.web.api.general import job_model
from kibitz.web.api.models import JobModel, LegalAnswer
from kibitz.web.api.positions import legal_answer, played
from kibitz.web.services import Services

#: Seconds that advice takes unless something else is asked for.
USUAL_TIME = 5.0


def router(services: Services) -> APIRouter:
    """The routes."""
    routes = APIRouter(tags=["catan"])

    @routes.post("/analyse", status_code=202, responses=errors(400, 413, 422, 429))
    def analyse(ask: Ask, request: Request) -> JobModel:
        """Where to settle or what to play: put an analysis into the queue; `/jobs/{id}` tells how it goes on."""
        job = analyses.submit(services, ask.question(), owner_of(request), ask.save)
        return job_model(services, job)

    @routes.post("/catan/legal", responses=errors(400, 413, 422))
    def legal(ask: CatanLegal) -> LegalAnswer:
        """What may be done in a position, and whether one action is among it."""
        return legal_answer(_state(ask), ask.action, Action)

    @routes.post("/catan/advise", status_code=202, responses=errors(400, 413, 422, 429))
    def advise(ask: Advise, request: Request) -> JobModel:
        """What to do now in a running game, from what one player can know; `/jobs/{id}` tells how it goes on."""
        given = [name for name in ("position", "record", "log") if getattr(ask, name) is not None]
        if len(given) != 1:
            raise HTTPException(422, "give one of position, record and log")
        config: dict[str, Any] = {"mc_seed": ask.seed}
        if ask.iterations is not None:
            if ask.mode != "ismcts":
                raise HTTPException(422, f"iterations: only for ismcts, not for {ask.mode}")
            config["ismcts_iterations"] = ask.iterations
        time = USUAL_TIME if ask.time is None and ask.iterations is None else ask.time
        asked = {"mode": ask.mode, "config": config, "time": time, "seat": ask.seat}
        if ask.log is not None:
            job = submit_log(services, ask.log, asked, owner_of(request), ask.save)
        elif ask.record is not None:
            job = submit_record(services, ask.record, ask.step, asked, owner_of(request), ask.save)
        else:
            assert ask.position is not None
            question = Question.from_json({**ask.position.model_dump(), **asked})
            job = analyses.submit(services, question, owner_of(request), ask.save)
        return job_model(services, job)

    return routes


def _state(ask: CatanLegal) -> GameState:
    question = Question.from_json({**ask.model_dump(include={"board", "seats", "rules"})})
    codes = tuple(move_code(move, number) for number, move in enumerate(ask.moves))
    if ask.seed is None:
        return GameState(replace(question, moves=codes).states())
    state = GameState.new(question.board, question.seats, question.rules, ask.seed)
    return played(state, [Action.from_code(code) for code in codes])
