"""Coup as one of Kibitz's games: the struct, the verbs and the declared facts, registered under the name ``coup``."""

from types import SimpleNamespace

import numpy as np
import numpy.typing as npt

from kibitz.coup.core import cards, equilibrium, evaluator, features, policy, rules
from kibitz.coup.core.actions import describe, parse
from kibitz.coup.core.blueprint import BLUEPRINT
from kibitz.coup.core.layout import SCRATCH
from kibitz.coup.core.reasons import refuse
from kibitz.coup.core.sensible import sensible
from kibitz.coup.core.state import PRIZE, SEATS, STATE, WORLD, new_states
from kibitz.coup.core.tree import WORDS
from kibitz.game import Game, register
from kibitz.game.definition import GuardedFields
from kibitz.game.nets import School

RULES = SimpleNamespace(
    sensible=sensible,
    actor=rules.actor, kind=rules.kind, legal=rules.legal, why_not=rules.why_not, apply=rules.apply,
    weights=cards.weights, moment=cards.moment, score=rules.score,
    seen=cards.seen, hide=cards.hide, peek=cards.peek, deal=cards.deal, redeal=cards.redeal, choose=equilibrium.choose,
    inputs=features.inputs, value=evaluator.value, settled=evaluator.settled,
)  # fmt: skip


def new(seats: int, seed: int) -> npt.NDArray[np.void]:
    """A fresh game before the deal."""
    return new_states(seats)


GAME = register(
    Game(
        name="coup",
        seats=(2, SEATS),
        scores=(0, PRIZE),
        max_turns=30000,
        state=STATE,
        scratch=SCRATCH,
        world=WORLD,
        rules=RULES,
        describe=describe,
        parse=parse,
        new=new,
        refuse=refuse,
        policies=policy.BOTS,
        tree=WORDS,
        tables=BLUEPRINT,
        nets=evaluator.NETS,
        school=School(
            teacher=policy.EQUILIBRIUM,
            player=policy.NET,
            styles=(policy.HONEST, policy.HEURISTIC),
            variant=evaluator.variant_of,
            check_served=evaluator.check_served,
            phase=evaluator.phase_of,
            switch=10,
            share=1.0,
        ),
        guarded=GuardedFields(("turn", "claimed"), ("coins", "influence", "treasury")),
    )
)
