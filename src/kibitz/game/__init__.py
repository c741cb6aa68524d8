"""What a game is: a struct, a handful of verbs over it, and drivers that are written once for every game.

A game registers its struct and the functions that implement the verbs, which are declared in `kibitz.game.verbs`.

In compiled code the verb is chosen by the type of `s` at compile time; in plain Python at run time, where `s`
may also be an ordinary object: a *plain game*, too rich for a struct, brings the verbs as methods of its states
(and ``copy()``; ``key(view)`` for loops; for trees ``exact()``, everything in it as something hashable, which its worlds
have, too), and `PlainStates` stand where other games have arrays of structs.

Everything is imported from here. `kibitz.game.definition` holds what a game declares, `kibitz.game.verbs` the choice of the
implementation, `kibitz.game.drivers` what plays whole games with the verbs, `kibitz.game.doors` the ways in from Python.
"""

from __future__ import annotations

from kibitz.game.definition import (
    CHANCE, OVER, RANDOM, Game, Scratch, States, as_structs, copied, from_dict, repeated, scratch_fields,
    seat_policies, structs, to_dict,
)  # fmt: skip
from kibitz.game.doors import (
    actor_at, apply_at, deal_all, deal_at, decide_at, door, hide_at, legal_actions, legal_at, number_seeds, outcomes,
    peek_at, play_range, redeal_all, redeal_at, reseed_at, score_all, score_at, seen_at, sensible_actions, sensible_at,
    weights_at, why_not_at,
)  # fmt: skip
from kibitz.game.drivers import begin, decide, decide_by, do, draw, play_out
from kibitz.game.verbs import (
    actor, apply, choose, copy, deal, game_of, hide, kind, legal, moment, news, peek, prize, redeal, register, score,
    seats_of, seen, sensible, tally, weights, why_not,
)  # fmt: skip

__all__ = [
    "CHANCE", "OVER", "RANDOM", "Game", "Scratch", "States", "actor", "actor_at", "apply", "apply_at",
    "as_structs", "begin", "choose", "copied", "copy", "deal", "deal_all", "deal_at", "decide", "decide_at", "decide_by", "do",
    "door", "draw", "from_dict", "game_of", "hide", "hide_at", "kind", "legal", "legal_actions", "legal_at", "moment", "news",
    "number_seeds", "outcomes", "peek", "peek_at", "play_out", "play_range", "prize", "redeal", "redeal_all", "redeal_at",
    "register", "repeated", "reseed_at", "score", "score_all", "score_at", "scratch_fields", "seat_policies", "seats_of",
    "seen", "seen_at", "sensible", "sensible_actions", "sensible_at", "structs", "tally", "to_dict", "weights",
    "weights_at", "why_not", "why_not_at",
]  # fmt: skip
