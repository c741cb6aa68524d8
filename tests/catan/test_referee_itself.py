"""The referee is only worth what it is checked against: its helpers by hand, and whole games with one thing wrong."""

import copy
import gzip
import json
import random
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from tests.catan.referee import (
    DECK,
    RESOURCES,
    Edge,
    Line,
    Offer,
    Position,
    Violation,
    act,
    cards_to_discard,
    check_chosen,
    check_win,
    city_spots,
    largest_army_holder,
    legal,
    longest_road_holder,
    longest_trail,
    maritime_rates,
    payouts,
    plenty_choices,
    produce,
    referee,
    road_spots,
    robber_hexes,
    settlement_spots,
    snapshot,
    text_of,
    tidy,
    update_longest_road,
    victims,
)
from tests.catan.referee import games as read_games

RULES = {
    "victory_points": 10,
    "discard_limit": 7,
    "domestic_trade": True,
    "offer_limit": 2,
    "friendly_robber": False,
    "max_turns": 400,
    "all_or_nothing_bank": False,
    "phased_turns": False,
}
LAND = ["ore", "sheep", "wood", "wheat", "brick", "sheep", "brick", "wheat", "wood", "desert"]
LAND += ["wood", "ore", "wood", "ore", "wheat", "sheep", "brick", "wheat", "sheep"]
TOKENS = [10, 2, 9, 12, 6, 4, 10, 9, 11, None, 3, 8, 8, 3, 4, 5, 5, 6, 11]
KINDS = ["3:1", "wheat", "ore", "3:1", "sheep", "3:1", "3:1", "brick", "wood"]


def header(seats: int = 3, **options: object) -> Line:
    """The beginner's island, its corners numbered row by row from the top left."""
    centres = [(2 * i - width + 1, 3 * row) for row, width in enumerate((3, 4, 5, 4, 3)) for i in range(width)]
    shape = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)]
    places = sorted({(y + dy, x + dx) for x, y in centres for dx, dy in shape})
    hexes = [[places.index((y + dy, x + dx)) for dx, dy in shape] for x, y in centres]
    sides = Counter(tuple(sorted((h[i], h[i - 1]))) for h in hexes for i in range(6))
    coast, around = [side for side, count in sides.items() if count == 1], [0]
    while len(around) < 30:
        around.append(next(sum(s) - around[-1] for s in coast if around[-1] in s and sum(s) - around[-1] not in around))
    spots = [0, 3, 7, 10, 13, 17, 20, 23, 27]
    return {
        "record": "catan",
        "version": 1,
        "game": 7,
        "seed": None,
        "rules": RULES | options,
        "seats": ["random"] * seats,
        "board": {
            "hexes": [{"resource": r, "number": n, "corners": h} for r, n, h in zip(LAND, TOKENS, hexes, strict=True)],
            "edges": sorted(list(side) for side in sides),
            "harbours": [{"kind": k, "corners": sorted(around[i : i + 2])} for k, i in zip(KINDS, spots, strict=True)],
        },
    }


def position(phase: str = "MAIN", seats: int = 3, **options: object) -> Position:
    """A position in the first turn of seat 0, after the roll, with nothing built."""
    p = Position(header(seats, **options))
    p.phase, p.turn, p.roll = phase, 1, 8
    return p


def ring(p: Position, h: int) -> list[Edge]:
    """The six edges around a hex."""
    corners = p.board.hexes[h]
    return [(min(a, b), max(a, b)) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]


def do(p: Position, kind: str, **data: object) -> None:
    """One action, as `judge_step` carries it out."""
    assert text_of(kind, data) in legal(p)
    act(p, p.actor(), kind, data)
    check_win(p)


# --- Longest road ------------------------------------------------------------------------------------------------------

LOOP = [(1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (1, 6)]
PATH = [(1, 2), (2, 3), (3, 4), (4, 5), (5, 6)]


@pytest.mark.parametrize(
    ("roads", "blocked", "length"),
    [
        ([], set(), 0),
        ([(1, 2)], set(), 1),
        ([(1, 2)], {1, 2}, 1),
        (PATH, set(), 5),
        (PATH, {1, 6}, 5),  # a trail may start and end at enemy buildings
        (PATH, {3}, 3),  # but not pass through one
        (PATH, {2, 4}, 2),
        ([*PATH, (8, 9), (9, 10)], set(), 5),  # two networks do not add up
        ([(1, 2), (2, 3), (3, 4), (3, 5), (5, 6)], set(), 4),  # a branch counts once
        ([(1, 2), (2, 3), (3, 4), (3, 5), (5, 6)], {3}, 2),
        (LOOP, set(), 6),
        (LOOP, {1}, 6),  # round and back to the enemy building
        (LOOP, {1, 3}, 4),
        ([*LOOP, (6, 7), (7, 8)], set(), 8),  # a corner may repeat
        ([*LOOP, (6, 7), (7, 8)], {6}, 6),
        ([*LOOP, (6, 7), (7, 8)], {7}, 7),
        ([*LOOP, (6, 7), (3, 9)], set(), 7),  # one tail and all the way round, not both tails
        ([*LOOP, (1, 12), (11, 12), (10, 11), (9, 10), (2, 9)], set(), 11),  # two hexes that share an edge
    ],
)
def test_longest_trail_by_hand(roads: list[Edge], blocked: set[int], length: int) -> None:
    assert longest_trail(roads, blocked) == length


def eulerian_length(roads: list[Edge], blocked: set[int]) -> int:
    """The longest trail by another road: the largest connected set of edges with at most two odd corners.

    A corner that must not be passed becomes a separate corner for each of its edges.
    """
    split = [tuple((c, road if c in blocked else None) for c in road) for road in roads]
    for size in range(len(split), 0, -1):
        for chosen in combinations(split, size):
            degrees = Counter(corner for edge in chosen for corner in edge)
            if sum(degree % 2 for degree in degrees.values()) > 2:
                continue
            reached, grown = {chosen[0][0]}, True
            while grown:
                more = {corner for edge in chosen if reached & set(edge) for corner in edge}
                grown, reached = not more <= reached, reached | more
            if len(reached) == len(degrees):
                return size
    return 0


def test_longest_trail_against_euler() -> None:
    rng, p = random.Random(4), position()
    for _ in range(150):
        roads = [rng.choice(p.board.edges)]
        while len(roads) < 10:
            corner = rng.choice([c for road in roads for c in road])
            roads = sorted({*roads, rng.choice(sorted(p.board.edges_at[corner]))})
        blocked = set(rng.sample([c for road in roads for c in road], rng.randrange(4)))
        assert longest_trail(roads, blocked) == eulerian_length(roads, blocked), (roads, blocked)


@pytest.mark.parametrize(
    ("holder", "lengths", "then"),
    [
        (None, [4, 4, 1], None),
        (None, [5, 4, 1], 0),
        (None, [5, 5, 1], None),  # set aside until one alone leads
        (0, [5, 5, 1], 0),  # the holder keeps it on a tie
        (0, [5, 6, 1], 1),
        (0, [4, 4, 4], None),  # cut below five, nobody else has five
        (0, [3, 6, 6], None),  # cut, and a tie of others
        (0, [3, 6, 5], 1),  # cut, and a single leader
        (0, [6, 6, 6], 0),  # cut, but still tied-longest
    ],
)
def test_longest_road_card(holder: int | None, lengths: list[int], then: int | None) -> None:
    assert longest_road_holder(holder, lengths) == then


def test_a_settlement_cuts_a_road_and_the_card_is_set_aside() -> None:
    p = position()
    p.roads[1] = set(ring(p, 9)[:5])
    update_longest_road(p)
    assert (p.road_holder, p.lengths) == (1, [0, 5, 0])
    p.settlements[0] = {p.board.hexes[9][2]}
    update_longest_road(p)
    assert (p.road_holder, p.lengths) == (None, [0, 3, 0])
    assert (p.summary.roads_cut, p.summary.longest_road_changes, p.summary.longest_road_set_aside) == (1, 2, 1)


@pytest.mark.parametrize(
    ("holder", "sizes", "then"),
    [(None, [2, 2], None), (None, [2, 3], 1), (1, [3, 3], 1), (1, [4, 3], 0), (0, [3, 0], 0)],
)
def test_largest_army_card(holder: int | None, sizes: list[int], then: int | None) -> None:
    assert largest_army_holder(holder, sizes) == then


# --- Building ----------------------------------------------------------------------------------------------------------


def test_no_road_continues_through_an_enemy_building() -> None:
    p = position()
    a, b, c = p.board.hexes[9][:3]
    p.roads[0] = {(min(a, b), max(a, b))}
    p.settlements[1] = {b}
    assert road_spots(p) == p.board.edges_at[a] - p.roads[0]
    assert road_spots(p, past_enemies=True) == (p.board.edges_at[a] | p.board.edges_at[b]) - p.roads[0]
    p.settlements = [{b}, set(), {c}]  # one's own building joins
    assert road_spots(p) == (p.board.edges_at[a] | p.board.edges_at[b]) - p.roads[0]
    p.roads[0] = {p.board.edges[i] for i in range(15)}
    assert road_spots(p) == set()


def test_settlements_need_distance_a_road_and_a_piece() -> None:
    p = position()
    corners = p.board.hexes[9]
    p.roads[0] = set(ring(p, 9))
    assert settlement_spots(p) == set(corners)
    p.settlements[2] = {corners[0]}
    assert settlement_spots(p) == set(corners[2:5])
    p.settlements[0] = {40, 42, 44, 50, 53}
    assert settlement_spots(p) == set()
    assert city_spots(p) == {40, 42, 44, 50, 53}
    p.cities[0] = {0, 2, 9, 11}
    assert city_spots(p) == set()


def test_set_up_goes_round_and_back() -> None:
    p, order = Position(header()), []
    assert len(legal(p)) == 54
    for h in (0, 2, 7, 11, 16, 18):  # one settlement at the north of each of these hexes, no two of them near
        order.append(p.actor())
        corner = p.board.hexes[h][0]
        do(p, "place_setup_settlement", corner=corner)
        assert legal(p) == {f"place_setup_road {a}-{b}" for a, b in p.board.edges_at[corner]}
        assert f"place_setup_settlement {corner}" not in legal(p)
        do(p, "place_setup_road", edge=list(min(p.board.edges_at[corner])))
    assert order == [0, 1, 2, 2, 1, 0]
    assert (p.phase, p.actor(), p.turn, p.setup_corner) == ("TURN_START", 0, 1, None)
    touched = [(18, 14, 15), (16, 12, 13), (11, 6)]  # the hexes of the second settlements, by seat; the last is coastal
    assert [+hand for hand in p.hands] == [Counter(LAND[h] for h in hexes) for hexes in touched]


def test_road_building_may_be_declined() -> None:
    for phased, left in ((False, 2), (False, 1), (True, 2), (True, 1)):
        p = position("FREE_ROADS")
        p.rules["phased_turns"] = phased
        p.settlements[0], p.free_roads, p.dev_card_played = {20}, left, True
        assert ("end_road_building" in legal(p)) == (not phased or left == 1)
        if not phased:
            do(p, "end_road_building")
            assert (p.phase, p.free_roads, p.summary.short_road_building) == ("MAIN", 0, 1)


def test_road_building_stops_where_no_road_fits() -> None:
    p = position("FREE_ROADS")
    edge = p.board.edges[0]
    p.settlements[0], p.free_roads, p.dev_card_played = {edge[0]}, 2, True
    p.roads[1] = (p.board.edges_at[edge[0]] | p.board.edges_at[edge[1]]) - {edge}
    do(p, "place_free_road", edge=list(edge))
    assert (p.phase, p.free_roads, p.summary.short_road_building) == ("MAIN", 0, 1)


# --- Production and robber ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("owed", "supply", "all_or_nothing", "paid"),
    [
        ({0: 2, 1: 1}, 3, False, {0: 2, 1: 1}),
        ({0: 2, 1: 1}, 2, False, {}),  # several claimants: nobody
        ({1: 3}, 2, False, {1: 2}),  # one claimant: what is left
        ({1: 3}, 0, False, {1: 0}),
        ({1: 3}, 2, True, {}),
        ({1: 3}, 3, True, {1: 3}),
    ],
)
def test_payouts(owed: dict[int, int], supply: int, all_or_nothing: bool, paid: dict[int, int]) -> None:
    assert payouts(owed, supply, all_or_nothing) == paid


def test_production_counts_buildings_and_spares_the_robber() -> None:
    p = position()
    h = LAND.index("brick")  # its number is 6, as is that of a wheat hex
    assert (TOKENS[h], LAND[TOKENS.index(6, h + 1)]) == (6, "wheat")
    p.settlements[0], p.cities[1] = {p.board.hexes[h][0]}, {p.board.hexes[h][3]}
    produce(p, 6)
    assert [hand["brick"] for hand in p.hands] == [1, 2, 0]
    p.bank["brick"] = 2
    produce(p, 6)
    assert [hand["brick"] for hand in p.hands] == [1, 2, 0]
    p.cities[1] = {p.board.hexes[17][3]}
    p.settlements[0] = set(p.board.hexes[h][0::2])
    produce(p, 6)
    assert [hand["brick"] for hand in p.hands] == [3, 2, 0]
    assert p.hands[1]["wheat"] == 2
    assert (p.summary.shortages, p.summary.sole_claimant_shortages, p.summary.partial_payments) == (2, 1, 1)
    p.robber = 17
    produce(p, 6)
    assert p.hands[1]["wheat"] == 2


@pytest.mark.parametrize(("hand", "limit", "discards"), [(7, 7, 0), (8, 7, 4), (9, 7, 4), (9, 9, 0), (0, 7, 0)])
def test_discards(hand: int, limit: int, discards: int) -> None:
    assert cards_to_discard(hand, limit) == discards


def test_players_discard_clockwise_from_the_roller() -> None:
    p = position("ROLLING")
    p.player, p.roll = 1, None
    for seat, cards in ((0, 8), (2, 9)):
        p.hands[seat]["ore"], p.bank["ore"] = cards, p.bank["ore"] - cards
    do(p, "rolled", total=7)
    assert (p.discards, p.actor(), legal(p)) == ([4, 0, 4], 2, {"discard_resource ore"})
    for _ in range(4):
        do(p, "discard_resource", resource="ore")
    assert p.actor() == 0


def test_robber_hexes() -> None:
    p = position("ROBBER_MOVE")
    assert robber_hexes(p) == set(range(19)) - {LAND.index("desert")}
    p.rules["friendly_robber"] = True
    p.settlements[0] = {p.board.hexes[0][0]}  # on the coast, at this one hex; one's own hexes are spared too
    assert robber_hexes(p) == set(range(1, 19)) - {LAND.index("desert")}
    p.cities[0] = {p.board.hexes[18][3]}  # three points
    assert robber_hexes(p) == set(range(19)) - {LAND.index("desert")}
    p.settlements[1] = {corner for h in p.board.hexes for corner in h}
    p.cities[0], p.army_holder = set(), None
    p.visible_points = lambda seat: 0  # type: ignore[method-assign]
    assert robber_hexes(p) == set(range(19)) - {LAND.index("desert")}  # no hex is friendly, so any will do


def test_victims_with_and_without_cards() -> None:
    p = position("ROBBER_MOVE")
    corners = p.board.hexes[4]
    p.settlements = [{corners[0]}, {corners[2]}, set()]
    do(p, "move_robber", hex=4)
    assert (p.phase, victims(p), legal(p)) == ("ROBBER_STEAL", {1}, {"steal_resource P2"})
    do(p, "steal_resource", victim=1)
    assert (p.phase, p.summary.empty_victims) == ("MAIN", 1)

    p.rules["phased_turns"], p.phase = True, "ROBBER_STEAL"
    assert legal(p) == {"skip_steal"}
    p.hands[1]["ore"] = 1
    do(p, "steal_resource", victim=1)
    assert (p.phase, p.actor(), legal(p)) == ("STEALING", "chance", {"stolen ore"})
    do(p, "stolen", resource="ore")
    assert (p.phase, p.hands[0]["ore"], p.hands[1]["ore"]) == ("TRADE", 1, 0)


# --- Cards, trade, winning ---------------------------------------------------------------------------------------------


def test_year_of_plenty() -> None:
    assert plenty_choices(Counter(wood=2, ore=1)) == {("wood", "wood"), ("wood", "ore")}
    assert plenty_choices(Counter(ore=1)) == {("ore",)}
    assert plenty_choices(Counter(ore=2)) == {("ore", "ore")}
    assert plenty_choices(Counter()) == set()
    assert len(plenty_choices(Counter(dict.fromkeys(RESOURCES, 19)))) == 15


def test_monopoly() -> None:
    p = position()
    p.player, p.dev_cards[1] = 1, Counter(monopoly=1)
    p.hands = [Counter(ore=3, wood=1), Counter(ore=1), Counter(wood=2)]
    do(p, "play_monopoly", resource="ore")
    assert [dict(+hand) for hand in p.hands] == [{"wood": 1}, {"ore": 4}, {"wood": 2}]
    assert (p.phase, p.dev_card_played, p.played[1]["monopoly"]) == ("MAIN", True, 1)


def test_a_new_card_waits_and_one_card_a_turn() -> None:
    p = position("TURN_START")
    p.roll = None
    p.dev_cards[0] = Counter(knight=2, monopoly=1, victory_point=1)
    p.new_dev_cards = Counter(monopoly=1)
    assert legal(p) == {"roll_dice", "play_knight"}
    do(p, "play_knight")
    do(p, "move_robber", hex=0)
    assert (p.phase, legal(p)) == ("TURN_START", {"roll_dice"})
    p.rules["phased_turns"], p.dev_card_played = True, False
    assert legal(p) == {"roll_dice"}


def test_phased_turn() -> None:
    p = position("ROLLING", phased_turns=True)
    p.roll = None
    do(p, "rolled", total=2)
    do(p, "end_trade_phase")
    do(p, "end_build_phase")
    p.dev_cards[0] = Counter(knight=1, victory_point=2)
    p.new_dev_cards = Counter(victory_point=1)
    assert legal(p) == {"play_knight", "reveal_vp", "end_turn"}
    do(p, "reveal_vp")
    assert (p.dev_cards[0]["victory_point"], p.new_dev_cards["victory_point"], p.played[0]["victory_point"]) == (1, 0, 1)
    do(p, "play_knight")
    do(p, "move_robber", hex=0)
    do(p, "skip_steal")
    assert p.phase == "DEV_PLAY"


@pytest.mark.parametrize(
    ("kinds", "rates"), [(set(), {4}), ({"3:1"}, {4, 3}), ({"ore"}, {4, 2}), ({"wood"}, {4}), ({"ore", "3:1"}, {4, 3, 2})]
)
def test_maritime_rates(kinds: set[str], rates: set[int]) -> None:
    assert maritime_rates(kinds, "ore") == rates


def test_maritime_trade_at_a_harbour() -> None:
    p = position(domestic_trade=False)
    p.settlements[0] = {min(corners) for kind, corners in p.board.harbours if kind == "ore"}
    p.hands[0] = Counter(ore=3, wood=4)
    p.bank["sheep"] = 0
    ore = {f"trade_bank 2 ore for {resource}" for resource in ("wood", "brick", "wheat")}
    wood = {f"trade_bank 4 wood for {resource}" for resource in ("brick", "wheat", "ore")}
    assert {text for text in legal(p) if text.startswith("trade_bank")} == ore | wood


def test_offers_are_answered_clockwise_and_then_chosen() -> None:
    p = position(offer_limit=1)
    p.player = 1
    p.hands = [Counter(ore=2), Counter(wood=2, sheep=1), Counter(ore=1)]
    offers = {text for text in legal(p) if text.startswith("offer_trade")}
    assert len(offers) == 4 * (3 + 2)
    assert {"offer_trade 2 wood for 1 ore", "offer_trade 1 sheep for 2 ore"} <= offers
    act(p, 1, "offer_trade", {"give": {"wood": 2, "sheep": 1}, "receive": {"ore": 1}})
    do(p, "accept_offer")
    assert p.actor() == 0
    do(p, "decline_offer")
    assert (p.phase, p.actor(), legal(p)) == ("TRADE_CHOICE", 1, {"confirm_trade P3", "cancel_offer"})
    do(p, "confirm_trade", partner=2)
    assert [dict(+hand) for hand in p.hands] == [{"ore": 2}, {"ore": 1}, {"wood": 2, "sheep": 1}]
    assert not any(text.startswith("offer_trade") for text in legal(p))


def test_any_bundle_may_be_offered() -> None:
    p = position()
    p.hands[0] = Counter(wood=2, sheep=1)
    check_chosen(p, legal(p), "offer_trade", {"give": {"wood": 2, "sheep": 1}, "receive": {"ore": 1, "wheat": 3}})
    assert p.summary.unlisted_offers == 1
    for give, receive in (({"ore": 1}, {"wood": 1}), ({"wood": 1}, {"wood": 2}), ({"wood": 1}, {}), ({}, {"ore": 1})):
        with pytest.raises(Violation, match="legal in MAIN"):
            check_chosen(p, legal(p), "offer_trade", {"give": give, "receive": receive})


def test_an_offer_that_nobody_accepts_is_gone() -> None:
    p = position("TRADE_ANSWER", seats=2)
    p.offer = Offer(Counter(wood=1), Counter(ore=1), [None, None])
    assert legal(p) == {"decline_offer"}
    do(p, "decline_offer")
    assert (p.phase, snapshot(p)["offer"]) == ("MAIN", None)


def test_a_knight_wins_at_once() -> None:
    p = position(victory_points=2)
    p.played[0], p.dev_cards[0] = Counter(knight=2), Counter(knight=1)
    do(p, "play_knight")
    assert (p.phase, p.winner, p.actor()) == ("GAME_OVER", 0, None)


def test_the_first_free_road_wins_at_once() -> None:
    p = position(victory_points=2)
    p.dev_cards[0] = Counter(road_building=1)
    *path, last, _ = ring(p, 9)
    p.roads[0] = set(path)
    do(p, "play_road_building")
    do(p, "place_free_road", edge=list(last))
    assert (p.phase, p.winner, p.free_roads, p.lengths[0]) == ("GAME_OVER", 0, 0, 5)


def test_points_of_another_turn_win_when_ones_own_begins() -> None:
    p = position(victory_points=3)
    p.dev_cards[1] = Counter(victory_point=3)
    check_win(p)
    assert p.phase == "MAIN"
    do(p, "end_turn")
    assert (p.phase, p.winner, p.turn, p.summary.wins_at_turn_start) == ("GAME_OVER", 1, 2, 1)


def test_turn_limit() -> None:
    p = position(max_turns=1)
    p.dev_cards[1] = Counter(victory_point=10)
    do(p, "end_turn")
    assert (p.phase, p.winner, p.player, p.turn, p.roll) == ("GAME_OVER", None, 0, 1, None)


# --- Whole games -------------------------------------------------------------------------------------------------------


def data_of(text: str) -> Line:
    """The data of an action in text form."""
    kind, *words = text.split()
    match kind, words:
        case _, []:
            return {}
        case "trade_bank", [n, give, _, receive]:
            return {"give": {give: int(n)}, "receive": {receive: 1}}
        case "offer_trade", [m, give, _, n, receive]:
            return {"give": {give: int(m)}, "receive": {receive: int(n)}}
        case "play_year_of_plenty", _:
            return {"resources": words}
        case "steal_resource" | "confirm_trade", [seat]:
            return {"victim" if kind == "steal_resource" else "partner": int(seat[1:]) - 1}
        case "move_robber" | "rolled", [n]:
            return {"hex" if kind == "move_robber" else "total": int(n)}
        case _, [word] if "-" in word:
            return {"edge": [int(n) for n in word.split("-")]}
        case _, [word] if word.isdigit():
            return {"corner": int(word)}
    return {"card" if kind == "drawn" else "resource": words[0]}


def pick(rng: random.Random, actions: list[str], roll: bool) -> str:
    """A player who likes to build, now and then trades, and rolls real dice."""
    if roll:
        return f"rolled {rng.randint(1, 6) + rng.randint(1, 6)}"
    built = [
        text for text in actions if text.startswith(("build_", "buy", "play", "place_free", "confirm", "accept", "reveal"))
    ]
    if built and rng.random() < 0.7:
        actions = built
    kinds = sorted({text.split()[0] for text in actions})
    kind = rng.choice(kinds)
    return rng.choice([text for text in actions if text.split()[0] == kind])


def play(seed: int, seats: int = 3, **options: object) -> list[Line]:
    """A game of the referee against itself, in the form of a record."""
    rng, lines = random.Random(seed), [header(seats, **options)]
    p = Position(lines[0])
    while p.phase != "GAME_OVER":
        actions = sorted(legal(p))
        text = pick(rng, actions, p.phase == "ROLLING")
        kind, data = text.split()[0], data_of(text)
        line = {"step": len(lines) - 1, "turn": p.turn, "phase": p.phase, "actor": p.actor(), "kind": kind, "data": data}
        act(p, p.actor(), kind, data)
        check_win(p)
        lines.append(json.loads(json.dumps(line | {"legal": actions, "state": tidy(snapshot(p))})))
    end = {"end": True, "termination": "turn limit" if p.winner is None else "victory", "winner": p.winner}
    points = [p.total_points(seat) for seat in p.seats]
    return [*lines, end | {"turns": p.turn, "steps": len(lines) - 1, "points": points}]


OPTIONS: list[Line] = [
    {},
    {"seats": 2, "all_or_nothing_bank": True},
    {"seats": 4, "friendly_robber": True, "offer_limit": 1, "victory_points": 7},
    {"seats": 4, "phased_turns": True, "discard_limit": 9, "victory_points": 7},
    {"domestic_trade": False, "max_turns": 30},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_whole_games(options: Line) -> None:
    summary = referee(play(0, **options))
    assert summary.steps == sum(summary.kinds.values())
    assert summary.winner is not None or summary.turns == options.get("max_turns", 400)
    assert (summary.trades_made > 0) == options.get("domestic_trade", True)


def test_the_summary_counts_what_happened() -> None:
    games = [referee(play(seed, seats=4)) for seed in (2, 3, 4)]
    assert {card for game in games for card in game.dev_cards_played} == set(DECK) - {"victory_point"}
    seen = {name for game in games for name, count in vars(game).items() if count}
    assert seen >= {"roads_cut", "roads_blocked", "longest_road_changes", "largest_army_changes", "cards_before_roll"}
    assert seen >= {"shortages", "sole_claimant_shortages", "empty_victims", "trades_made", "bank_trades"}


def test_games_are_read_one_by_one(tmp_path: Path) -> None:
    lines = play(1, victory_points=3)
    path = tmp_path / "games.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines * 2)
    assert list(read_games(path)) == [lines, lines]
    assert referee(lines).winner is not None


def last(lines: list[Line], kind: str) -> Line:
    """The last step of a kind."""
    return next(line for line in reversed(lines) if line.get("kind") == kind)


def change(kind: str, *path: object, to: Callable[[Any], object]) -> Callable[[list[Line]], object]:
    """Falsify one value in the last step of a kind."""

    def falsify(lines: list[Line]) -> None:
        spot: Any = last(lines, kind)
        for key in path[:-1]:
            spot = spot[key]
        spot[path[-1]] = to(copy.deepcopy(spot[path[-1]]))

    return falsify


FALSE: list[tuple[str, Callable[[list[Line]], object]]] = [
    ("board: edges", lambda lines: lines[0]["board"]["edges"].pop()),
    ("board: the corner at", lambda lines: lines[0]["board"]["hexes"][3]["corners"].reverse()),
    ("board: tokens", lambda lines: lines[0]["board"]["hexes"][0].update(number=7)),
    ("header: rule options", lambda lines: lines[0]["rules"].update(volcano=True)),
    ("field 'seats' is missing", lambda lines: lines[0].pop("seats")),
    ("missing fields of a --full step", lambda lines: lines[9].pop("state")),
    ("fields of state", lambda lines: lines[9]["state"].pop("bank")),
    ("number of the step", lambda lines: lines.pop(12)),
    ("turn, phase and actor", change("end_turn", "actor", to=lambda seat: seat + 1)),
    ("turn, phase and actor", change("end_turn", "turn", to=lambda turn: turn + 1)),
    ("turn, phase and actor", change("rolled", "phase", to=lambda phase: "MAIN")),
    (
        r"missing \['end_turn'\], forbidden \[\]",
        change("end_turn", "legal", to=lambda legal: legal[:0] + [text for text in legal if text != "end_turn"]),
    ),
    (
        r"missing \[\], forbidden \['build_city 99'\]",
        change("end_turn", "legal", to=lambda legal: sorted([*legal, "build_city 99"])),
    ),
    ("sorted, each once", change("rolled", "legal", to=lambda legal: legal[::-1])),
    ("sorted, each once", change("rolled", "legal", to=lambda legal: [*legal, legal[-1]])),
    ("legal in ROLLING", change("rolled", "data", to=lambda data: {"total": 13})),
    ("legal in ROLLING", change("rolled", "data", to=lambda data: data | {"extra": 1})),
    ("legal in MAIN", change("offer_trade", "data", "give", to=lambda give: dict.fromkeys(give, 20))),
    ("legal in MAIN", change("offer_trade", "data", to=lambda data: {"give": data["give"], "receive": data["give"]})),
    ("legal in MAIN", change("offer_trade", "data", to=lambda data: {"give": data["give"], "receive": {}})),
    ("a bundle counts resources", change("offer_trade", "data", "give", to=lambda give: {"wood": -1})),
    ("hands: expected", change("end_turn", "state", "hands", to=lambda hands: [{"wood": 1}, *hands[1:]])),
    ("longest_road: expected", change("build_road", "state", "longest_road", "lengths", to=lambda n: [n[0] + 1, *n[1:]])),
    ("roads: expected", change("build_road", "state", "roads", to=lambda roads: [roads[0][::-1], *roads[1:]])),
    ("discards: expected", change("end_turn", "state", "discards", to=lambda discards: [1, *discards[1:]])),
    ("actor: expected", change("end_turn", "state", "actor", to=lambda seat: "chance")),
    ("end line", lambda lines: lines[-1].update(points=[0, 0, 0])),
    ("end line", lambda lines: lines[-1].update(termination="turn limit")),
    ("breaks off", lambda lines: lines.pop()),
    ("phase at the end", lambda lines: lines.pop(-2)),
    ("the game is not over yet", lambda lines: lines.insert(-1, lines[-2])),
    ("the end line is the last", lambda lines: lines.append(lines[-1])),
]


@pytest.fixture(scope="module")
def game() -> list[Line]:
    """One honest short game with a winner."""
    return play(1, victory_points=5)


@pytest.mark.parametrize(("rule", "falsify"), FALSE, ids=[f"{i}-{rule}" for i, (rule, _) in enumerate(FALSE)])
def test_false_records_are_caught(game: list[Line], rule: str, falsify: Callable[[list[Line]], object]) -> None:
    assert game[-1]["termination"] == "victory"
    false = copy.deepcopy(game)
    falsify(false)
    with pytest.raises(Violation, match=rf"^game 7, .*{rule}"):
        referee(false)
