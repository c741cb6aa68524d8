"""What a game is: a struct, a handful of verbs over it, and drivers that are written once for every game.

A game registers its struct and the functions that implement the verbs. In compiled code the verb is chosen by the type of the
state at compile time; in plain Python at run time, where a state may also be an ordinary object: a *plain game*, too rich for a
struct, brings the verbs as methods of its states (and ``copy()``; ``key(view)`` for loops; for trees ``exact()``, everything in
it as something hashable, which its worlds have, too), and `PlainStates` stand where other games have arrays of structs.

Here is what authors and users of games need most. `kibitz.game.verbs` declares the verbs, `kibitz.game.definition` holds what a
game declares, `kibitz.game.drivers` what plays whole games with the verbs, `kibitz.game.doors` the ways in from Python, and
`kibitz.game.plain` a base for a game in one file.
"""

from kibitz.game.definition import (
    CHANCE, OVER, RANDOM, Game, Scratch, States, copied, from_dict, scratch_fields, structs, to_dict,
)  # fmt: skip
from kibitz.game.doors import actor_at, apply_at, hide_at, legal_actions, outcomes, score_at, seen_at, why_not_at
from kibitz.game.verbs import game_of, register, seats_of

__all__ = [
    "CHANCE", "OVER", "RANDOM", "Game", "Scratch", "States", "actor_at", "apply_at", "copied", "from_dict", "game_of",
    "hide_at", "legal_actions", "outcomes", "register", "score_at", "scratch_fields", "seats_of", "seen_at", "structs",
    "to_dict", "why_not_at",
]  # fmt: skip
