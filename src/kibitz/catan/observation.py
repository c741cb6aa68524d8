"""Catan as learning code meets it: the ids of its actions, which never change, and what a seat sees as numbers.

An offer is one of a menu of 60: one card for one, two alike for one, one for two alike. The rules know any offer, but `legal`
lists these, and so do the ids.
"""

from kibitz.adapters.observations import Layout, Part, struct_layout
from kibitz.adapters.setting import Codes, codes_of
from kibitz.catan.core.codes import BASE, RANGES, SMALL_OFFERS
from kibitz.catan.core.topology import CORNERS, HALF, HEXES
from kibitz.game import Game

#: The kinds of actions in the order of their ids; a new one is appended.
KINDS = (
    "place_setup_settlement", "place_setup_road", "roll_dice", "discard_resource", "move_robber", "steal_resource",
    "skip_steal", "trade_bank", "accept_offer", "decline_offer", "confirm_trade", "cancel_offer", "end_trade_phase",
    "build_road", "build_settlement", "build_city", "buy_dev_card", "end_build_phase", "play_knight", "play_road_building",
    "place_free_road", "play_year_of_plenty", "play_monopoly", "reveal_vp", "end_turn", "offer_trade",
    "end_road_building",
)  # fmt: skip
#: What chance can do, likewise.
OUTCOMES = ("rolled", "stolen", "drawn")

#: How far each field can go, and as how many bits a mask is spread out (roads: in two halves). Left out is what
#: follows from the others.
PARTS: tuple[Part, ...] = (
    Part("turn", (), 0, 30000, "one player's turn; 0 during set-up"),
    Part("max_turns", (), 1, 30000, "the game ends here"),
    Part("terrain", (HEXES,), -1, 4, "[hex] wood, brick, sheep, wheat, ore; -1 is the desert", choice=True),
    Part("number", (HEXES,), 0, 12, "[hex] the token"),
    Part("harbours", (6, CORNERS), 0, 1, "[3:1 or 1 + resource, corner] whether it serves the corner", bits=CORNERS),
    Part("settlements", (4, CORNERS), 0, 1, "[seat, corner]", bits=CORNERS),
    Part("cities", (4, CORNERS), 0, 1, "[seat, corner]", bits=CORNERS),
    Part("roads", (4, 2 * HALF), 0, 1, "[seat, edge]", bits=HALF),
    Part("hand", (5,), 0, 19, "[resource] the observer's cards", own=True),
    Part("hand_size", (4,), 0, 95, "[seat]"),
    Part("bank", (5,), 0, 19, "[resource]"),
    Part("dev", (5,), 0, 14, "[card] the observer's knights, victory points, road building, plenty, monopoly", own=True),
    Part("new_dev", (5,), 0, 14, "[card] those that the observer bought this turn"),
    Part("dev_size", (4,), 0, 25, "[seat]"),
    Part("new_dev_size", (), 0, 25, "cards bought this turn"),
    Part("played", (4, 5), 0, 14, "[seat, card] played or revealed"),
    Part("deck_size", (), 0, 25, "development cards left"),
    Part("road_length", (4,), 0, 15, "[seat]"),
    Part("discards", (4,), 0, 95, "[seat] still to be discarded"),
    Part("offer", (5,), -19, 19, "[resource] offered, wanted below 0"),
    Part("answers", (4,), 0, 2, "[seat] to the offer: none yet, accepted, declined", choice=True),
    Part("seats", (), 2, 4, "how many play", choice=True),
    Part("phase", (), 0, 16, "what the game waits for", choice=True),
    Part("player", (), 0, 3, "whose turn it is", choice=True),
    Part("roll", (), 0, 12, "0 before the dice are rolled"),
    Part("robber", (), 0, 18, "its hex", choice=True),
    Part("road_holder", (), -1, 3, "a seat, or -1", choice=True),
    Part("army_holder", (), -1, 3, "a seat, or -1", choice=True),
    Part("winner", (), -1, 3, "a seat, or -1", choice=True),
    Part("placed", (), 0, 8, "set-up settlements"),
    Part("corner", (), -1, 53, "where the set-up road must begin, or -1", choice=True),
    Part("victim", (), -1, 3, "who is being robbed, or -1", choice=True),
    Part("dev_done", (), 0, 1, "whether a card was played this turn"),
    Part("free_roads", (), 0, 2, "still to be placed"),
    Part("offers", (), 0, 100, "made this turn"),
    Part("victory_points", (), 3, 20, "rule option: that win"),
    Part("discard_limit", (), 1, 95, "rule option"),
    Part("domestic_trade", (), 0, 1, "rule option"),
    Part("offer_limit", (), 0, 100, "rule option"),
    Part("friendly_robber", (), 0, 1, "rule option"),
    Part("all_or_nothing_bank", (), 0, 1, "rule option"),
    Part("phased_turns", (), 0, 1, "rule option"),
)


def ids(game: Game) -> Codes:
    """The codes in the order of their ids."""
    return Codes(codes_of(BASE, RANGES, KINDS, {"offer_trade": SMALL_OFFERS.tolist()}), codes_of(BASE, RANGES, OUTCOMES))


def observation(game: Game) -> Layout:
    """What a seat sees: fields of the struct."""
    return struct_layout(game, PARTS)
