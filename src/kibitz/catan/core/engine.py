"""Catan as one of Kibitz's games: the struct, the verbs and the declared facts, registered under the name ``catan``."""

from types import SimpleNamespace

from kibitz.catan.core import evaluator, features, hidden, luck, policy, trying, verbs
from kibitz.catan.core.actions import describe, parse
from kibitz.catan.core.board import Board
from kibitz.catan.core.habits import BUILDER, BUILDER_0_1
from kibitz.catan.core.reasons import refuse
from kibitz.catan.core.state import SCRATCH, SEATS, STATE, WORLD, new_states
from kibitz.game import Game, States, register
from kibitz.game.definition import GuardedFields
from kibitz.game.nets import School

RULES = SimpleNamespace(
    actor=verbs.actor, kind=verbs.kind, legal=verbs.legal, sensible=trying.sensible, why_not=verbs.why_not,
    apply=verbs.apply, weights=verbs.weights, moment=verbs.moment, score=verbs.score, prize=verbs.prize,
    seen=hidden.seen, news=hidden.news, hide=hidden.hide, peek=hidden.peek, deal=hidden.deal, redeal=hidden.redeal,
    choose=policy.choose, tally=verbs.tally, luck=luck.luck, inputs=features.inputs, value=evaluator.value,
    settled=verbs.settled,
)  # fmt: skip


def new(seats: int, seed: int) -> States:
    """A fresh game on a random board."""
    return new_states(Board.random(seed), seats)


GAME = register(
    Game(
        name="catan",
        seats=(2, SEATS),
        scores=(0, 22),
        prizes=(0, 1),
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
        nets=evaluator.NETS,
        luck=luck.LUCK,
        school=School(
            teacher=BUILDER,
            player=policy.NET,
            practice=policy.HASTY,
            styles=(BUILDER_0_1, policy.SEED),
            variant=evaluator.variant_of,
            check_served=evaluator.check_served,
            phase=evaluator.phase_of,
            later_share=0.8,
        ),
        # How many offers were made in a turn is history, though the engine limits it.
        guarded=GuardedFields(("turn", "offers"), ("hand_size", "dev_size", "deck_size")),
    )
)
