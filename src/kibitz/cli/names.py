"""Names that are typed, for help and for what a shell completes: to load the games for them would take a second.

A test compares them with the games.
"""

from __future__ import annotations

#: The bots of Catan that simulated games can be played by, thousands a second.
POLICIES = ("random", "builder", "seed")
BOTS = {
    "catan": (*POLICIES, "ismcts"),
    "coup": ("random", "honest", "heuristic", "ismcts", "solver"),
    "onepiece": ("random", "greedy", "ismcts"),
}
RULES = {
    "catan": (
        "victory_points", "discard_limit", "domestic_trade", "offer_limit", "friendly_robber", "all_or_nothing_bank",
        "phased_turns", "max_turns",
    ),
    "coup": ("target_may_block_after_failed_challenge", "refund_on_caught_bluff", "steal_from_zero", "max_turns"),
}  # fmt: skip
#: Sets of rules that have names.
PRESETS = {"catan": ("official", "seed", "colonist", "colonist-1v1"), "coup": ()}
GUARDS = ("onepiece", "seed", "draw", "cap")
MODES = ("static", "monte_carlo", "mcts", "full_game", "ismcts")
RANKINGS = ("score", "win_rate")
DEVICES = ("cpu", "cuda")
BOARDS = ("random", "beginner")
DECKS = ("tide", "ember")
LOGS = (
    "kibitz", "colonist-replay", "colonist-frames", "catanatron", "jsettlers", "catanlog", "colonist-html", "colonist-text",
)  # fmt: skip
WRITTEN_LOGS = ("kibitz", "colonist-text")
CARDS = ("duke", "assassin", "captain", "ambassador", "contessa")
LOOPS = (
    "mandatory", "activate", "both", "other", "choices", "permanent", "once", "growth", "drain", "harmless", "supply", "hidden",
)  # fmt: skip
