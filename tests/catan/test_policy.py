"""The bots: each formula of `seed` on a case worked out by hand, what `builder` works for, and that neither peeks.

Positions are on the beginner board; hands and points are given, so that every number can be followed.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kibitz import game
from kibitz.catan import GAME, Board, GameState, Rules
from kibitz.catan.core import builder_policy, habits, policy, scores, seed_policy
from kibitz.catan.core.actions import Action
from kibitz.catan.core.codes import END_ROADS, OFFER, offer_code
from kibitz.catan.core.evaluator import NETS
from kibitz.catan.core.habits import BUILDER, BUILDER_0_1, HAND_WEIGHTS, NAMES, STYLES
from kibitz.catan.core.policy import BOTS, HASTY, NET, SEED
from kibitz.catan.core.scores import score_vertex
from kibitz.catan.core.seed_policy import HANDS, MISSING, OFFERS, ONE
from kibitz.catan.core.state import SCRATCH, new_states
from kibitz.catan.core.topology import ALL_CORNERS, EDGE_BETWEEN
from kibitz.game import CHANCE, OVER, verbs
from kibitz.game.doors import decide_at, redeal_at, reseed_at
from kibitz.game.nets import BOOKS
from kibitz.ground.jit import plain, rows, uint64
from tests.catan.positions import Table, chain, play

WOOD, BRICK, SHEEP, WHEAT, ORE = range(5)


def row(state: GameState) -> Any:
    return rows(np.asarray(state._states))[0]


def notes() -> Any:
    return rows(np.zeros(1, SCRATCH))[0]


def asks(state: GameState, bot: int) -> str:
    """What a bot does here, as text."""
    chosen = int(plain(policy.choose)(row(state), notes(), bot))
    action = Action.from_code(chosen)
    assert state.why_not(action) is None, action
    return action.to_text()


# --- the seed's formulas --------------------------------------------------------------------------------------


@pytest.mark.plain
def test_robber_pressure():
    """Hex 12 (wood 8: 5 pips): another's settlement +1.00, another's city +1.40, an own settlement -0.45, an own city -0.85."""
    score: Any = plain(scores.robber_score)
    empty = Table().main()
    assert score(row(empty), 0, 12, scores.ALIKE) == 0
    table = Table().build(1, settlements=[29]).build(2, cities=[40])
    assert score(row(table.main()), 0, 12, scores.ALIKE) == (100 + 140) * 5
    assert score(row(table.give(1, wood=1).main()), 0, 12, scores.ALIKE) == (100 + 140) * 5 + 200
    table.build(0, settlements=[38])
    assert score(row(table.main()), 0, 12, scores.ALIKE) == (100 + 140 - 45) * 5 + 200
    own_city = Table().build(1, settlements=[29]).build(0, cities=[38])
    assert score(row(own_city.main()), 0, 12, scores.ALIKE) == (100 - 85) * 5


@pytest.mark.plain
def test_the_robber_goes_where_the_score_is_highest_and_robs_the_largest_hand():
    table = Table(3).build(1, settlements=[29]).build(2, cities=[40]).give(1, wood=3).give(2, ore=2).cards(0, knight=1)
    state = play(table.main(), Action.from_text("play_knight"))
    assert asks(state, SEED) == "move_robber 12"
    assert asks(play(state, Action.from_text("move_robber 12")), SEED) == "steal_resource P2"


@pytest.mark.plain
@pytest.mark.parametrize(
    ("cards", "worth"),
    [
        ({}, 1.0 / 3 + 3.0 / 5 + 3.2 / 6 + 2.2 / 4),
        ({"wood": 1, "brick": 1}, 1.0 + 3.0 / 3 + 3.2 / 6 + 2.2 / 4),
        ({"wheat": 2, "ore": 3, "sheep": 1}, 1.0 / 3 + 3.0 / 3 + 3.2 + 2.2),
    ],
)
def test_how_near_a_hand_is_to_its_purchases(cards, worth):
    x = notes()
    plain(seed_policy.note_hand)(row(Table().give(0, **cards).main()), x, 0, 0)
    total = sum(seed_policy.ACCESS[item, x.notes[MISSING + item]] for item in range(4))
    assert total == pytest.approx(worth * ONE, abs=1e-9)


@pytest.mark.plain
def test_the_gain_of_a_trade():
    """Two wood and a brick: a sheep for a wood leaves the road, a settlement 1 instead of 2 short, a card 2 instead of 3."""
    x = notes()
    plain(seed_policy.note_hand)(row(Table().give(0, wood=2, brick=1).main()), x, 0, 0)
    gain: Any = plain(seed_policy.gain)
    assert gain(x, 0, WOOD, 1, SHEEP, 1) == pytest.approx(ONE * (3.0 / 2 - 3.0 / 3 + 2.2 / 3 - 2.2 / 4))
    assert gain(x, 0, BRICK, 1, SHEEP, 1) == pytest.approx(ONE * (1.0 / 2 - 1.0 + 2.2 / 3 - 2.2 / 4))  # the road is lost


@pytest.mark.plain
def test_the_utility_of_a_trade():
    utility: Any = plain(seed_policy.trade_utility)
    even = row(Table().build(0, settlements=[20]).build(1, settlements=[40]).main())
    assert utility(even, 0, 1, 410, 0) == 20 * 410
    assert utility(even, 0, 1, 410, 100) == 20 * (410 - 0.45 * 100)
    assert utility(even, 0, 1, 410, -200) == 20 * 410
    assert utility(even, 0, 1, 410, -211) == 0  # -0.35 is -210
    assert utility(even, 0, 1, 0, 100) == 0
    ahead = row(Table().build(0, settlements=[20]).build(1, cities=[40, 10]).main())
    assert utility(ahead, 0, 1, 410, 1) == 0
    assert utility(ahead, 0, 1, 410, 0) == 20 * 410


@pytest.mark.plain
def test_a_partners_hand_is_estimated_from_its_size():
    """Unseen are 2 wood and 2 ore; player 2 has two cards and produces wood (5 pips): 12 to 2 for wood."""
    table = Table(3).build(1, settlements=[28]).give(1, wood=1, ore=1).give(2, wood=1, ore=1)
    state = table.main()
    x = notes()
    s = row(state)
    plain(seed_policy.estimate_hand)(s, x, 0, 1)
    pips = [4 if r == WHEAT else 5 if r == WOOD else 0 for r in range(5)]  # wheat 9, wood 8
    weights = [2 * (1 + pips[WOOD]), 0, 0, 0, 2]
    assert [x.notes[HANDS + 5 + r] for r in range(5)] == [round(2 * w / sum(weights)) for w in weights] == [2, 0, 0, 0, 0]


@pytest.mark.plain
def test_the_best_bank_trade():
    table = Table(2, Rules(domestic_trade=False)).build(0, settlements=[20], roads=[(20, 21)])
    state = table.give(0, wood=5, brick=1, sheep=1).main()
    assert asks(state, SEED) == "trade_bank 4 wood for wheat"


@pytest.mark.plain
def test_the_second_offer_of_a_turn_is_the_second_best():
    table = Table(3).build(0, settlements=[20], roads=[(20, 21)]).give(0, wood=2, brick=1, sheep=1)
    state = table.give(1, wheat=2, ore=1).give(2, wheat=1, ore=2).main()
    first = asks(state, SEED)
    assert first == "offer_trade 1 wood for 1 wheat"
    refused = play(state, Action.from_text(first), *[Action.from_text("decline_offer")] * 2)
    assert asks(refused, SEED) not in (first, "end_turn")


@pytest.mark.plain
def test_answers_by_the_same_utility():
    table = Table(3).build(0, settlements=[20]).build(1, settlements=[40]).give(0, sheep=1, ore=1)
    state = table.give(1, wood=2, brick=1, wheat=1).give(2, wood=1).main()
    good = play(state, Action.from_text("offer_trade 1 sheep for 1 wood"))
    assert asks(good, SEED) == "accept_offer"
    accepted = play(good, Action.from_text("accept_offer"), Action.from_text("decline_offer"))
    assert asks(accepted, SEED) == "cancel_offer"  # a wood for the sheep brings player 1 nothing
    bad = play(state, Action.from_text("offer_trade 1 ore for 1 wheat"))
    assert asks(bad, SEED) == "decline_offer"


@pytest.mark.plain
def test_the_offer_on_the_table_is_judged_whole():
    """Two for one: ore and sheep given, a wood wanted."""
    state = Table(2).give(0, sheep=1, ore=1).give(1, wood=2).main()
    offered = play(state, Action.from_code(offer_code([-1, 0, 1, 0, 1])))
    x = notes()
    s = row(offered)
    plain(seed_policy.note_hand)(s, x, 1, 1)
    # before: wood 2 (settlement 3 short, city 5, card 3, road 1); after: wood, sheep, ore (2, 4, 1, 1)
    expected = ONE * ((3.0 / 3 - 3.0 / 4) + (3.2 / 5 - 3.2 / 6) + (2.2 / 2 - 2.2 / 4))
    assert plain(seed_policy.offer_gain)(s, x, 1, 1) == pytest.approx(expected)


@pytest.mark.plain
def test_what_is_built_first():
    def turn(**cards: int) -> str:
        table = Table(2, Rules(domestic_trade=False)).build(0, settlements=[20], roads=chain(20, 31, 30, 40))
        return asks(table.give(0, **cards).main(), SEED)

    assert turn(wood=1, brick=1, sheep=1, wheat=3, ore=3).startswith("build_settlement 40")
    assert turn(wood=1, brick=1, wheat=2, ore=3) == "build_city 20"
    assert turn(wood=1, brick=1, sheep=1, wheat=1, ore=1).startswith("build_settlement")
    assert turn(wood=1, brick=1, sheep=1, ore=1) != "buy_dev_card"
    assert turn(sheep=1, wheat=1, ore=1) == "buy_dev_card"
    assert turn(wood=1, brick=1).startswith("build_road")
    assert turn() == "end_turn"


@pytest.mark.plain
def test_roads_lead_to_the_best_new_corner():
    state = Table(2).build(0, settlements=[20], roads=[(20, 21)]).main()
    best: Any = plain(scores.best_road)
    reach = 1 << 20 | 1 << 21
    # from 20 and 21 lead roads to 31 (4 pips), 19 (8), 11 (9) and 22 (5)
    assert best(row(state), 0, reach, ALL_CORNERS, 0, 0) == EDGE_BETWEEN[11, 21]
    assert best(row(state), 0, reach, 1 << 22, 0, 0) == EDGE_BETWEEN[21, 22]
    assert best(row(state), 0, reach, 1 << 53, 0, 0) == -1


@pytest.mark.plain
def test_which_card_is_played():
    def turn(**cards: int) -> str:
        table = Table(2, Rules(domestic_trade=False)).build(0, settlements=[20], roads=[(20, 21)]).build(1, settlements=[40])
        return asks(table.cards(0, **cards).give(1, wheat=3).main(), SEED)

    assert turn(knight=1, road_building=1, year_of_plenty=1, monopoly=1) == "play_knight"
    assert turn(road_building=1, year_of_plenty=1, monopoly=1) == "play_road_building"
    assert turn(year_of_plenty=1, monopoly=1).startswith("play_year_of_plenty")
    assert turn(monopoly=1) == "play_monopoly wheat"
    few = Table(2).build(0, settlements=[20]).cards(0, monopoly=1).give(1, wheat=2, wood=2).main()
    assert asks(few, SEED) == "end_turn"


@pytest.mark.plain
def test_year_of_plenty_completes_a_purchase():
    table = Table(2, Rules(domestic_trade=False)).build(0, settlements=[20]).cards(0, year_of_plenty=1)
    assert asks(table.give(0, wheat=1, ore=2).main(), SEED) == "play_year_of_plenty wheat ore"


@pytest.mark.plain
def test_victory_point_cards_are_revealed_to_win():
    rules = Rules(phased_turns=True, victory_points=3)
    state = Table(2, rules).build(0, settlements=[20]).cards(0, victory_point=1).at("DEV_PLAY")
    assert asks(state, SEED) == "end_turn"
    assert asks(state, BUILDER) == "end_turn"


@pytest.mark.plain
def test_setup_by_score():
    states = new_states(Board.beginner(), 2)
    x = notes()
    choose: Any = plain(policy.choose)
    first = choose(rows(np.asarray(states))[0], x, SEED)
    assert GAME.describe(first) == "place_setup_settlement 41"
    game.apply_at(states, 0, first)
    road = choose(rows(np.asarray(states))[0], x, SEED)
    scores = {c: int(plain(score_vertex)(rows(np.asarray(states))[0], 0, c)) for c in (40, 42, 49)}
    assert max(scores, key=lambda c: scores[c]) == 40
    assert GAME.describe(road) == "place_setup_road 40-41"


@pytest.mark.plain
def test_the_first_card_is_discarded():
    state = Table(2, Rules(discard_limit=1)).give(0, sheep=1, ore=2).turn_start()
    seven = play(state, Action.from_text("roll_dice"), Action.from_text("rolled 7"))
    assert asks(seven, SEED) == "discard_resource sheep"


# --- the builder ----------------------------------------------------------------------------------------------


def goal(state: GameState, seat: int = 0) -> tuple[int, int, int]:
    x = notes()
    plain(habits.take_up)(x, habits.BY_HAND)
    plain(builder_policy.plan)(row(state), x, seat)
    return x.notes[builder_policy.GOAL], x.notes[builder_policy.PLACE], x.notes[builder_policy.STEPS]


@pytest.mark.plain
def test_the_builder_works_for_what_comes_soonest():
    table = Table(2).build(0, settlements=[20], roads=[(20, 21)])
    assert goal(table.give(0, wheat=2, ore=3).main()) == (2, 20, 0)
    roads = Table(2).build(0, settlements=[20], roads=chain(20, 21, 11)).give(0, wood=1, brick=1, sheep=1, wheat=1)
    assert goal(roads.main()) == (1, 11, 0)
    one_road = Table(2).build(0, settlements=[20], roads=[(20, 21)]).give(0, wood=2, brick=2, sheep=1, wheat=1).main()
    item, place, steps = goal(one_road)
    assert (item, steps) == (1, 1)
    assert asks(one_road, BUILDER) == f"build_road {min(21, place)}-{max(21, place)}"


@pytest.mark.plain
def test_the_builder_waits_by_production():
    """A settlement on wood 8 and ore 3: ore comes 2 times in 36 throws, and half of all production is thought to be traded."""
    s, x = row(Table(2).build(0, settlements=[40]).main()), notes()
    plain(builder_policy.survey)(s, x, 0)
    assert [x.notes[builder_policy.INCOME + r] for r in range(5)] == [5, 4, 0, 0, 2]
    assert x.notes[builder_policy.BARTER] == 12 * 5 // 4 + 12 * 4 // 4 + 12 * 2 // 4
    wheat = 2 * 360 * 12 // (33 * 2 // 4 + 1)
    assert plain(builder_policy.delay)(s, x, 0, 2, 0, 2) == wheat
    assert plain(builder_policy.delay)(row(Table(2).give(0, wood=1, brick=1).main()), x, 0, 0, 0, 2) == 0


@pytest.mark.plain
def test_the_builder_takes_the_longest_road_when_it_can():
    table = Table(2).build(0, settlements=[20], roads=chain(20, 21, 22, 23, 24)).build(1, settlements=[40])
    state = table.give(0, wood=1, brick=1).main()
    after = play(state, Action.from_text(asks(state, BUILDER)))
    assert after.longest_road_owner == 0


@pytest.mark.plain
def test_the_builder_drives_the_robber_away_before_it_rolls():
    table = Table(2).build(0, settlements=[20], roads=[(20, 21)]).cards(0, knight=1)
    assert asks(table.turn_start(), BUILDER) == "play_knight"  # from the desert, which touches corner 20
    assert asks(table.robber(12).turn_start(), BUILDER) == "roll_dice"
    assert asks(table.robber(4).turn_start(), BUILDER) == "play_knight"


@pytest.mark.plain
def test_the_builder_trades_spare_cards_for_missing_ones():
    table = Table(2).build(0, settlements=[42], roads=[(42, 43)]).give(0, wheat=2, ore=2, wood=1).give(1, ore=1, wood=1)
    state = table.build(1, settlements=[40]).main()
    assert asks(state, BUILDER) == "offer_trade 1 wood for 1 ore"
    no_trade = Table(2, Rules(domestic_trade=False)).build(0, settlements=[42]).give(0, wheat=2, ore=2, wood=4).main()
    assert asks(no_trade, BUILDER) == "trade_bank 4 wood for ore"


@pytest.mark.plain
def test_the_builder_helps_nobody_to_win():
    rules = Rules(victory_points=9)
    table = Table(3, rules).build(0, cities=[20, 22, 40, 10]).build(1, settlements=[42])
    table = table.give(1, ore=2, wheat=2, wood=1).give(0, ore=1)
    offered = play(table.main(), Action.from_text("offer_trade 1 ore for 1 wood"))
    assert asks(offered, BUILDER) == "decline_offer"
    few = Table(3).build(0, cities=[20]).build(1, settlements=[42]).give(1, ore=2, wheat=2, wood=1).give(0, ore=1).main()
    assert asks(play(few, Action.from_text("offer_trade 1 ore for 1 wood")), BUILDER) == "accept_offer"


@pytest.mark.plain
def test_the_builder_discards_what_its_goal_can_spare():
    state = Table(2, Rules(discard_limit=3)).build(0, settlements=[20]).give(0, wheat=2, ore=3, sheep=2).turn_start()
    seven = play(state, Action.from_text("roll_dice"), Action.from_text("rolled 7"))
    assert asks(seven, BUILDER) == "discard_resource sheep"


@pytest.mark.plain
def test_the_builder_plays_cards_that_help_now():
    def turn(hand: dict[str, int], **cards: int) -> str:
        table = Table(2, Rules(domestic_trade=False)).build(0, settlements=[42], roads=[(42, 43)]).build(1, settlements=[29])
        return asks(table.give(0, **hand).cards(0, **cards).give(1, sheep=5).main(), BUILDER)

    assert turn({"wheat": 2, "ore": 1}, year_of_plenty=1) == "play_year_of_plenty ore ore"
    assert turn({"wheat": 1, "ore": 2}, year_of_plenty=1) == "play_year_of_plenty wheat ore"
    assert not turn({}, year_of_plenty=1).startswith("play")
    assert turn({}, year_of_plenty=1, monopoly=1) == "play_monopoly sheep"
    assert turn({}, road_building=1, knight=1) == "play_road_building"
    assert turn({}, knight=1) == "play_knight"
    assert turn({"sheep": 1, "wheat": 1, "ore": 1}) == "buy_dev_card"


@pytest.mark.plain
def test_the_builder_places_free_roads_toward_its_goal():
    table = Table(2).build(0, settlements=[20], roads=[(20, 21)]).give(0, wood=1, brick=1, sheep=1, wheat=1)
    state = play(table.cards(0, road_building=1).main(), Action.from_text("play_road_building"))
    item, place, steps = goal(state)
    assert (item, steps) == (1, 1)
    assert asks(state, BUILDER) == f"place_free_road {min(21, place)}-{max(21, place)}"
    full = Table(2).build(0, cities=[20, 42], settlements=[0, 10, 24, 29, 45], roads=[(20, 21)]).cards(0, road_building=1)
    state = play(full.main(), Action.from_text("play_road_building"))
    assert asks(state, BUILDER).startswith("place_free_road")  # no settlement left: for the longest road


@pytest.mark.plain
def test_the_builder_robs_the_leader_and_trades_with_the_last():
    table = Table(3).build(0, settlements=[20]).build(1, cities=[40]).build(2, settlements=[29])
    state = table.give(0, wood=2).give(1, ore=1, wheat=1).give(2, ore=4, wheat=1).cards(0, knight=1).main()
    moved = play(state, Action.from_text("play_knight"), Action.from_text("move_robber 12"))
    assert asks(moved, BUILDER) == "steal_resource P2"
    assert asks(moved, SEED) == "steal_resource P3"
    offered = play(state, Action.from_text("offer_trade 1 wood for 1 ore"), *[Action.from_text("accept_offer")] * 2)
    assert asks(offered, BUILDER) == "confirm_trade P3"
    table = Table(2, Rules(victory_points=9)).build(0, settlements=[20]).build(1, cities=[40, 42, 10, 24])
    nearly_won = table.give(0, wood=1).give(1, ore=1).main()
    assert asks(nearly_won, BUILDER) == "end_turn"
    offered = play(nearly_won, Action.from_text("offer_trade 1 wood for 1 ore"), Action.from_text("accept_offer"))
    assert asks(offered, BUILDER) == "cancel_offer"


@pytest.mark.plain
def test_the_builder_counts_roads_and_knights_to_the_special_cards():
    roads: Any = plain(builder_policy.roads_to_lead)
    knights: Any = plain(builder_policy.knights_to_lead)
    table = (
        Table(2)
        .build(0, roads=chain(20, 21, 22))
        .build(1, roads=chain(0, 1, 2, 3, 4, 5))
        .played(1, knight=3)
        .played(0, knight=1)
    )
    s = row(table.cards(0, knight=1).main())
    assert (roads(s, 0), roads(s, 1), knights(s, 0), knights(s, 1)) == (4, 0, 2, 0)
    s = row(Table(2).build(0, roads=chain(20, 21, 22)).played(0, knight=1).main())
    assert (roads(s, 0), roads(s, 1), knights(s, 0), knights(s, 1)) == (3, 5, 2, 3)


# --- all bots -------------------------------------------------------------------------------------------------


def positions(bots: list[str], seed: int, rules: Rules) -> Any:
    """Every position of a game in which a bot has to choose: (states, seat)."""
    states = new_states(Board.random(seed), len(bots), rules)
    xs = GAME.scratches()
    xs["policy"][0, : len(bots)] = [BOTS[bot] for bot in bots]
    reseed_at(xs, 0, uint64(seed))
    while (seat := game.actor_at(states, 0)) != OVER:
        action = int(decide_at(states, 0, xs, 0))
        if seat != CHANCE:
            yield states, seat, action
        game.apply_at(states, 0, action)


TABLES = [["seed", "builder-0.1", "seed", "builder-0.1"], ["builder-0.1", "seed"], ["seed", "random", "builder-0.1"]]


@pytest.mark.parametrize("bots", TABLES, ids=["4", "2", "3"])
@pytest.mark.parametrize("rules", [Rules(max_turns=100), Rules(phased_turns=True, max_turns=60)], ids=["official", "phased"])
def test_no_bot_looks_at_what_its_seat_cannot_see(bots, rules):
    """Whatever the others hold, every bot would do the same."""
    xs, dirty = GAME.scratches(), GAME.scratches()
    dirty["notes"] = 12345
    reseed_at(xs, 0, uint64(7))
    checked = 0
    for seed in range(3):
        for states, seat, _ in positions(bots, seed, rules):
            world = states.copy()
            redeal_at(world, 0, xs, 0, seat)
            for bot in (BUILDER_0_1, BUILDER, SEED):
                chosen = verbs.choose(states[0], xs[0], bot)
                assert game.why_not_at(states, 0, chosen) == 0
                assert verbs.choose(world[0], dirty[0], bot) == chosen
            checked += 1
    assert checked > 300


@pytest.mark.untraced
@pytest.mark.plain
def test_no_bot_looks_at_what_its_seat_cannot_see_in_a_short_game():
    xs = GAME.scratches()
    for states, seat, _ in positions(["seed", "builder-0.1"], 3, Rules(max_turns=8, discard_limit=4)):
        world = states.copy()
        redeal_at(world, 0, xs, 0, seat)
        for bot in (BUILDER, SEED):
            assert verbs.choose(states[0], xs[0], bot) == verbs.choose(world[0], xs[0], bot)


@pytest.mark.parametrize("bot", [NET, HASTY], ids=["net", "hasty"])
def test_net_looks_at_what_its_seat_sees_and_deals_the_rest_itself(bot):
    """The same choice whatever the others hold, with the same stream of random numbers; and every choice is legal."""
    xs = GAME.scratches()
    checked = 0
    for states, seat, _ in positions(["builder-0.1", "seed", "builder-0.1", "builder"], 5, Rules(max_turns=60)):
        world = states.copy()
        redeal_at(world, 0, xs, 0, seat)
        chosen = []
        for known in (states, world):
            reseed_at(xs, 0, uint64(checked))
            chosen.append(verbs.choose(known[0], xs[0], bot))
        assert chosen[0] == chosen[1]
        assert game.why_not_at(states, 0, chosen[0]) == 0
        checked += 1
    assert checked > 200


@pytest.mark.plain
@pytest.mark.parametrize("bot", [NET, HASTY], ids=["net", "hasty"])
def test_net_ends_the_game_when_it_can(bot):
    table = Table(2).build(0, settlements=[20, 24, 2], cities=[40, 44, 48]).build(1, settlements=[0])
    state = table.give(0, wheat=2, ore=3).main()
    x = rows(np.asarray(GAME.scratches()))[0]
    assert Action.from_code(int(plain(policy.choose)(row(state), x, bot))).kind == "build_city"


@pytest.mark.parametrize("bot", [NET, HASTY], ids=["net", "hasty"])
def test_where_there_is_no_network_net_plays_as_the_tuned_builder(bot):
    xs = GAME.scratches()
    for states, _, _ in positions(["builder-0.1", "seed", "builder-0.1"], 5, Rules(max_turns=10)):
        xs["net"] = 0
        assert verbs.choose(states[0], xs[0], bot) == verbs.choose(states[0], xs[0], BUILDER)


@pytest.mark.parametrize("bot", ["builder", "builder-0.1", "seed"])
def test_a_refused_offer_is_not_repeated(bot):
    offers = 0
    for seed in range(6):
        made: set[tuple[int, int, bytes]] = set()
        for states, seat, action in positions([bot] * 4, seed, Rules()):
            if OFFER <= action < END_ROADS:
                key = (int(states["turn"][0]), action, np.asarray(states["hand"][0, seat]).tobytes())
                assert key not in made
                made.add(key)
        offers += len(made)
    assert offers > 50


def test_builds_in_one_turn_stay_within_the_budget_of_eight():
    """The seed stops after 8 purchases in a turn; a policy that remembers nothing cannot count them, and need not."""
    most = 0
    for seed in range(20):
        turn, built = -1, 0
        for states, _, action in positions(["seed"] * 4, seed, Rules()):
            if int(states["turn"][0]) != turn:
                turn, built = int(states["turn"][0]), 0
            built += GAME.describe(action).split()[0] in ("build_road", "build_settlement", "build_city", "buy_dev_card")
            most = max(most, built)
    assert 2 <= most <= 8


def test_bots_have_stable_numbers():
    assert BOTS == {"random": 0, "builder": 1, "seed": 2, "net": 16, "builder-0.1": 3}
    assert len(NAMES) == SCRATCH["habits"].shape[0] == STYLES.shape[1]
    assert STYLES[1].tolist() == [*HAND_WEIGHTS]
    assert OFFERS < builder_policy.STEPS < SCRATCH["notes"].shape[0]


def test_hasty_asks_the_network_of_its_book():
    """Another network makes other choices; where there is none, it plays as the tuned builder; and net does something else."""
    book = NETS.add([replace(NETS.book(0)["3-players"], variant="3-players-offers")])
    xs, differ, unlike_net = GAME.scratches(), 0, 0
    for number, (states, _, _) in enumerate(positions(["builder-0.1", "seed", "builder-0.1"], 5, Rules(max_turns=20))):
        chosen = []
        for bot in (HASTY, HASTY + book, NET):
            reseed_at(xs, 0, uint64(number))
            chosen.append(verbs.choose(states[0], xs[0], bot))
        differ, unlike_net = differ + (chosen[1] != chosen[0]), unlike_net + (chosen[2] != chosen[0])
        assert verbs.choose(states[0], xs[0], HASTY + BOOKS - 1) == verbs.choose(states[0], xs[0], BUILDER)
    assert differ > 10
    assert unlike_net > 10
