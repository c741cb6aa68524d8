"""Routes of Coup: legal moves, advise."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Request
from pydantic import Field

from kibitz import game
from kibitz.compute.runtime import Limit, Runtime
from kibitz.coup.advise import CONFIG, CoupAdvice, belief_of, recorded
from kibitz.coup.advise import advise as think
from kibitz.coup.core.actions import Action
from kibitz.coup.core.game_state import GameState
from kibitz.coup.core.record import check
from kibitz.coup.core.situation import read_situation
from kibitz.coup.core.state import SEATS, Rules
from kibitz.ground.texts import Mistake
from kibitz.web.api import job_model, models
from kibitz.web.services import Services

#: How many games a search plays unless something else is asked for.
USUAL_ITERATIONS = 20_000
#: A search by the clock plays as many games as there is time for, and no more than these.
MOST_ITERATIONS = 5_000_000

CoupRules: Any = models.options_model(Rules, "CoupRules")


class CoupLegal(models.Strict):
    """A game of Coup from its beginning. With a `seed`, chance (the deal, draws) decides by it and is left out of `moves`."""

    seats: Annotated[int, Field(ge=2, le=SEATS)] = 2
    rules: CoupRules = CoupRules()
    moves: models.Moves = Field(default_factory=list, examples=[["tax", "allow"]])
    action: models.ActionText | None = None
    seed: models.Seed | None = 0


class CoupAsk(models.Strict):
    """A situation of Coup, in words or as a record with a step."""

    situation: Annotated[str, Field(max_length=10_000, examples=["cards duke captain; coins 3 5; 2 claimed duke"])] | None = (
        None
    )
    record: Annotated[str, Field(max_length=1 << 20)] | None = None
    step: models.StepNumber | None = None
    seat: models.SeatNumber | None = None
    rules: CoupRules = CoupRules()
    bluff: Annotated[
        float | None,
        Field(
            ge=0,
            le=1,
            description="Claims without the card, for each one made with it; null: by the blueprint.",
        ),
    ] = None
    iterations: (
        Annotated[int, Field(ge=1, le=2_000_000, description="20,000 by default, or as many as time allows.")] | None
    ) = None
    time: Annotated[models.Seconds, Field(description="At most.")] | None = None
    seed: models.Seed = 0


def routers(services: Services) -> Sequence[APIRouter]:
    """All routes of the game."""
    routes = APIRouter(prefix="/coup", tags=["coup"])

    @routes.post("/legal", responses=models.errors(400, 413, 422))
    def legal(ask: CoupLegal) -> models.LegalAnswer:
        """The legal actions in a game of Coup, and whether a given action is one of them."""
        state = GameState.new(ask.seats, Rules.from_json(ask.rules.model_dump()), ask.seed or 0)
        state = models.played(state, models.read_moves(ask.moves, Action), by_seed=ask.seed is not None)
        return models.legal_answer(state, ask.action, Action)

    @routes.post("/advise", status_code=202, responses=models.errors(400, 413, 422, 429))
    def advise(ask: CoupAsk, request: Request) -> models.JobModel:
        """What to do now, how likely each option wins, and who may hold what; ask `/jobs/{id}` for its progress."""
        if (ask.situation is None) == (ask.record is None):
            raise HTTPException(422, "give one of situation and record")
        step: int | None = None
        names: tuple[str, ...] = ()
        if ask.record is not None:
            record, step = models.read_record(ask.record, ask.step, check)
            states, belief = recorded(record, step, ask.bluff)
        else:
            told = read_situation(ask.situation or "", ask.seat, Rules.from_json(ask.rules.model_dump()))
            states, belief, names = told.states, belief_of(told, ask.bluff), told.names
        actor = game.actor_at(states, 0)
        if actor != belief.observer:
            raise Mistake(f"player {actor + 1} is to decide: there is nothing to advise")
        iterations = ask.iterations or (USUAL_ITERATIONS if ask.time is None else MOST_ITERATIONS)
        config = replace(CONFIG, iterations=iterations, seed=ask.seed)

        def work(runtime: Runtime) -> CoupAdvice:
            return think(states, belief, config, names=names, step=step, runtime=runtime)

        job = services.jobs.submit("coup advice", work, models.owner_of(request), Limit(time=ask.time))
        return job_model(services, job)

    return (routes,)
