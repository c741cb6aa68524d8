"""What a game is: a struct, a handful of verbs over it, and drivers that are written once for every game.

A game registers its struct and the functions that implement the verbs:

=============================  ==================================================================================
``actor(s)``                   whose move it is: a seat, `CHANCE` or `OVER`
``kind(s)``                    what kind of step comes next, a small number: rolling, building, answering an offer ...
``legal(s, x) -> n``           the legal actions in ascending order in ``x.actions[:n]``
``sensible(s, x) -> n``        those of them that a search should try, likewise: all, or fewer where many are pointless
``why_not(s, a) -> code``      0 if `a` is legal, else the number of the broken rule
``apply(s, a)``                do it; the caller has made sure that it is legal
``weights(s, x) -> n``         chance: the outcomes in ``x.actions[:n]``, their integer weights in ``x.weights[:n]``
``moment(s)``                  chance: a number that names this event within the game (``turn 12, the dice``)
``score(s, seat)``             the score of a seat at the end
``prize(s, seat)``             what the end is worth to a seat that plays to win: the score itself, or 1 for the winner
``seen(s, a, seat)``           what `seat` perceives of `a`, before it is applied
``hide(s, seat)``              blank everything that `seat` cannot know
``peek(s, w)``                 write the hidden things of `s` into the world `w`
``deal(s, w)``                 write the world `w` back into `s`
``redeal(s, x, seat)``         deal a random world that agrees with what `seat` sees (its history left aside)
``choose(s, x, policy)``       the action of a policy of the game's own (``policy >= 1``; 0 is `RANDOM`, everywhere)
``tally(s, x, a)``             count in ``x.tally`` what the end will not tell, before `a` is applied
=============================  ==================================================================================

In compiled code the verb is chosen by the type of `s` at compile time; in plain Python at run time, where `s`
may also be an ordinary object: a *plain game*, too rich for a struct, brings the verbs as methods of its states
(and ``copy()``; ``key(view)`` for loops; for trees ``exact()``, everything in it as something hashable, which its worlds
have, too), and `PlainStates` stand where other games have arrays of structs.

Everything is imported from here. `kibitz.game.definition` holds what a game declares, `kibitz.game.verbs` the choice of the
implementation, `kibitz.game.drivers` what plays whole games with the verbs, `kibitz.game.doors` the ways in from Python.
"""

from __future__ import annotations

from kibitz.game.definition import (
    CHANCE, OVER, RANDOM, VERBS, Game, Scratch, States, as_structs, copied, from_dict, repeated, scratch_fields,
    seat_policies, structs, to_dict,
)  # fmt: skip
from kibitz.game.doors import (
    actor_at, apply_at, deal_all, deal_at, decide_at, door, hide_at, legal_actions, legal_at, number_seeds, outcomes,
    peek_at, play_range, redeal_all, redeal_at, reseed_at, score_all, score_at, seen_at, sensible_actions, sensible_at,
    weights_at, why_not_at,
)  # fmt: skip
from kibitz.game.drivers import begin, decide, decide_by, do, draw, play_out
from kibitz.game.verbs import (
    actor, apply, choose, copy, deal, game_of, hide, kind, legal, moment, peek, prize, redeal, register, score, seats_of,
    seen, sensible, tally, weights, why_not,
)  # fmt: skip

__all__ = [
    "CHANCE", "OVER", "RANDOM", "VERBS", "Game", "Scratch", "States", "actor", "actor_at", "apply", "apply_at",
    "as_structs", "begin", "choose", "copied", "copy", "deal", "deal_all", "deal_at", "decide", "decide_at", "decide_by", "do",
    "door", "draw", "from_dict", "game_of", "hide", "hide_at", "kind", "legal", "legal_actions", "legal_at", "moment",
    "number_seeds", "outcomes", "peek", "peek_at", "play_out", "play_range", "prize", "redeal", "redeal_all", "redeal_at",
    "register", "repeated", "reseed_at", "score", "score_all", "score_at", "scratch_fields", "seat_policies", "seats_of",
    "seen", "seen_at", "sensible", "sensible_actions", "sensible_at", "structs", "tally", "to_dict", "weights",
    "weights_at", "why_not", "why_not_at",
]  # fmt: skip
