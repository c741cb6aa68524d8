"""Coup as learning code meets it: the ids of its actions, which never change, and what a seat sees as numbers."""

from kibitz.adapters.observations import Layout, Part, struct_layout
from kibitz.adapters.setting import Codes, codes_of
from kibitz.coup.core.state import BASE, RANGES
from kibitz.game import Game

#: The kinds of actions in the order of their ids; a new one is appended.
KINDS = (
    "income", "foreign_aid", "tax", "exchange", "coup", "assassinate", "steal", "allow", "challenge", "block", "show", "lose",
    "return_cards",
)  # fmt: skip
#: What chance can do, likewise.
OUTCOMES = ("drawn", "drawn_two")

#: How far each field can go.
PARTS: tuple[Part, ...] = (
    Part("turn", (), 0, 30000, "one player's turn; 0 during the deal"),
    Part("max_turns", (), 1, 30000, "the game ends here"),
    Part("hand", (5,), 0, 3, "[character] the seat's own cards", own=True),
    Part("revealed", (6, 5), 0, 3, "[seat, character] cards lost"),
    Part("coins", (6,), 0, 50, "[seat]"),
    Part("influence", (6,), 0, 2, "[seat]"),
    Part("treasury", (), 0, 50, "coins that nobody has"),
    Part("seats", (), 2, 6, "how many play", choice=True),
    Part("phase", (), 0, 9, "what the game waits for", choice=True),
    Part("player", (), 0, 5, "whose turn it is", choice=True),
    Part("active", (), 0, 5, "who decides", choice=True),
    Part("action", (), -1, 6, "announced this turn, or -1", choice=True),
    Part("target", (), -1, 5, "a seat, or -1", choice=True),
    Part("claim", (), -1, 4, "the character claimed, or -1", choice=True),
    Part("blocker", (), -1, 5, "a seat, or -1", choice=True),
    Part("challenger", (), -1, 5, "a seat, or -1", choice=True),
    Part("winner", (), -1, 5, "a seat, or -1", choice=True),
    Part("target_may_block_after_failed_challenge", (), 0, 1, "rule option"),
    Part("refund_on_caught_bluff", (), 0, 1, "rule option"),
    Part("steal_from_zero", (), 0, 1, "rule option"),
)


def ids(game: Game) -> Codes:
    """The codes in the order of their ids."""
    return Codes(codes_of(BASE, RANGES, KINDS), codes_of(BASE, RANGES, OUTCOMES))


def observation(game: Game) -> Layout:
    """What a seat sees: fields of the struct."""
    return struct_layout(game, PARTS)
