"""Actions: the same through codes, text and JSON; plans and their steps; nonsense is refused in clear words."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from kibitz.catan import (
    Action,
    IllegalAction,
    InvalidAction,
    Resource,
    Rules,
    accept_offer,
    build_city,
    build_road,
    build_settlement,
    buy_dev_card,
    cancel_offer,
    confirm_trade,
    decline_offer,
    discard_resource,
    discard_resources,
    drawn,
    end_build_phase,
    end_road_building,
    end_trade_phase,
    end_turn,
    move_robber,
    offer_trade,
    place_free_road,
    place_setup_road,
    place_setup_settlement,
    play_knight,
    play_monopoly,
    play_road_building,
    play_year_of_plenty,
    reveal_vp,
    roll_dice,
    rolled,
    skip_steal,
    steal_resource,
    stolen,
    trade_bank,
    trade_player,
)
from kibitz.catan.core.actions import describe, parse, steps_of
from kibitz.catan.core.codes import ALL_CODES, END_ROADS, OFFER, RANGES
from kibitz.game import why_not_at
from tests.catan.positions import Table, hand, play
from tests.catan.referee import RESOURCES

pytestmark = pytest.mark.plain

#: Every constructor of a single step: the action, its data and its text.
STEPS: list[tuple[Action, dict[str, Any], str]] = [
    (place_setup_settlement(23), {"corner": 23}, "place_setup_settlement 23"),
    (place_setup_road((17, 18)), {"edge": (17, 18)}, "place_setup_road 17-18"),
    (roll_dice(), {}, "roll_dice"),
    (discard_resource("ore"), {"resource": "ore"}, "discard_resource ore"),
    (move_robber(7), {"hex": 7}, "move_robber 7"),
    (steal_resource(1), {"victim": 1}, "steal_resource P2"),
    (skip_steal(), {}, "skip_steal"),
    (trade_bank("wood", "ore"), {"give": {"wood": 4}, "receive": {"ore": 1}}, "trade_bank 4 wood for ore"),
    (trade_bank("sheep", "brick", 2), {"give": {"sheep": 2}, "receive": {"brick": 1}}, "trade_bank 2 sheep for brick"),
    (offer_trade({"wood": 1}, {"ore": 2}), {"give": {"wood": 1}, "receive": {"ore": 2}}, "offer_trade 1 wood for 2 ore"),
    (
        offer_trade({"ore": 1, "wood": 19}, {"sheep": 3, "brick": 1}),
        {"give": {"wood": 19, "ore": 1}, "receive": {"brick": 1, "sheep": 3}},
        "offer_trade 19 wood 1 ore for 1 brick 3 sheep",
    ),
    (accept_offer(), {}, "accept_offer"),
    (decline_offer(), {}, "decline_offer"),
    (confirm_trade(2), {"partner": 2}, "confirm_trade P3"),
    (cancel_offer(), {}, "cancel_offer"),
    (end_trade_phase(), {}, "end_trade_phase"),
    (build_road((18, 17)), {"edge": (17, 18)}, "build_road 17-18"),
    (build_settlement(0), {"corner": 0}, "build_settlement 0"),
    (build_city(53), {"corner": 53}, "build_city 53"),
    (buy_dev_card(), {}, "buy_dev_card"),
    (end_build_phase(), {}, "end_build_phase"),
    (play_knight(), {}, "play_knight"),
    (play_road_building(), {}, "play_road_building"),
    (place_free_road((52, 53)), {"edge": (52, 53)}, "place_free_road 52-53"),
    (end_road_building(), {}, "end_road_building"),
    (play_year_of_plenty("ore", "wood"), {"resources": ("wood", "ore")}, "play_year_of_plenty wood ore"),
    (play_year_of_plenty("ore", "ore"), {"resources": ("ore", "ore")}, "play_year_of_plenty ore ore"),
    (play_year_of_plenty("ore"), {"resources": ("ore",)}, "play_year_of_plenty ore"),
    (play_monopoly("sheep"), {"resource": "sheep"}, "play_monopoly sheep"),
    (reveal_vp(), {}, "reveal_vp"),
    (end_turn(), {}, "end_turn"),
    (rolled(2), {"total": 2}, "rolled 2"),
    (stolen("brick"), {"resource": "brick"}, "stolen brick"),
    (drawn("year_of_plenty"), {"card": "year_of_plenty"}, "drawn year_of_plenty"),
]


def check_round_trips(code: int) -> None:
    action = Action.from_code(code)
    assert action.code == code
    assert Action.from_text(action.to_text()) == action
    assert Action.from_json(json.loads(json.dumps(action.to_json()))) == action
    assert parse(describe(code)) == code


# --- codes, text and JSON ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [kind for kind in RANGES if kind != "offer_trade"])
def test_round_trip_of_every_code(kind: str) -> None:
    codes = [code for code in (*range(OFFER), *range(END_ROADS, ALL_CODES)) if Action.from_code(code).kind == kind]
    assert len(codes) == RANGES[kind]
    assert codes == list(range(codes[0], codes[0] + len(codes)))
    for code in codes:
        check_round_trips(code)


def test_codes_have_unique_names() -> None:
    assert len({describe(code) for code in range(OFFER)}) == OFFER


def test_codes_of_all_kinds() -> None:
    assert sum(RANGES.values()) == ALL_CODES
    assert RANGES["offer_trade"] == 39**5
    assert (Action.from_code(0), Action.from_code(53)) == (place_setup_settlement(0), place_setup_settlement(53))
    assert Action.from_code(54) == place_setup_road((0, 1))


def test_round_trip_of_random_offers() -> None:
    rng = random.Random(1)
    for _ in range(2000):
        check_round_trips(rng.randrange(OFFER, END_ROADS))


def test_round_trip_of_offers_by_their_bundles() -> None:
    rng = random.Random(2)
    for _ in range(500):
        counts = {resource: rng.choice((0, 0, rng.randint(-19, 19))) for resource in RESOURCES}
        give = {resource: n for resource, n in counts.items() if n > 0}
        receive = {resource: -n for resource, n in counts.items() if n < 0}
        offer = offer_trade(give, receive)
        assert Action.from_code(offer.code).data == {"give": give, "receive": receive}


@pytest.mark.parametrize("code", [OFFER, END_ROADS - 1])
def test_round_trip_of_the_extreme_offers(code: int) -> None:
    check_round_trips(code)
    everything = dict.fromkeys(RESOURCES, 19)
    give, receive = ({}, everything) if code == OFFER else (everything, {})
    assert Action.from_code(code) == offer_trade(give, receive)


@pytest.mark.parametrize(("action", "data", "text"), STEPS, ids=[text for _, _, text in STEPS])
def test_constructors_data_and_text(action: Action, data: dict[str, Any], text: str) -> None:
    assert action.data == data
    assert action.to_text() == text
    assert action.kind == text.split(maxsplit=1)[0]
    assert Action.from_text(text) == action
    check_round_trips(action.code)


def test_constructors_exist_for_every_kind() -> None:
    assert {action.kind for action, _, _ in STEPS} == set(RANGES)


def test_table_in_the_documentation_is_right() -> None:
    """Each row of the table of actions in docs/record.md: the kind, an example of its data, the same in text."""
    lines = (Path(__file__).parents[2] / "docs" / "record.md").read_text("utf-8").splitlines()
    rows = [re.match(r"\| (`[a-z_]+`(?:, `[a-z_]+`)*) \| `(\{.*?\})` \| `([^`]+)` \|", line) for line in lines]
    documented = set()
    for row in filter(None, rows):
        kinds = re.findall(r"[a-z_]+", row[1])
        documented |= set(kinds)
        action = Action.from_json({"kind": kinds[0], "data": json.loads(row[2])})
        assert action.to_text() == row[3]
        assert action.to_json()["data"] == json.loads(row[2])
    assert documented == set(RANGES)


def test_text_may_be_spaced_freely() -> None:
    assert Action.from_text("  build_city   5 ") == build_city(5)
    assert Action.from_text("steal_resource p2") == steal_resource(1)
    assert Action.from_text("offer_trade wood for ore") == offer_trade({"wood": 1}, {"ore": 1})


def test_json_has_plain_lists() -> None:
    assert build_road((17, 18)).to_json() == {"kind": "build_road", "data": {"edge": [17, 18]}}
    assert play_year_of_plenty("ore", "ore").to_json() == {"kind": "play_year_of_plenty", "data": {"resources": ["ore", "ore"]}}


def test_actions_are_values() -> None:
    assert build_road((17, 18)) == build_road((18, 17))
    assert len({build_road((17, 18)), build_road((18, 17)), build_road((18, 19))}) == 2
    assert offer_trade({"wood": 1, "ore": 1}, {"brick": 1}) == offer_trade({"ore": 1, "wood": 1}, {"brick": 1})
    assert play_monopoly(Resource.ORE) == play_monopoly("ore")
    assert repr(build_road((17, 18))) == "Action('build_road', {'edge': (17, 18)})"
    assert repr(roll_dice()) == "Action('roll_dice')"


@pytest.mark.parametrize(
    ("one", "same"),
    [
        (Action("play_monopoly", {"resource": Resource.ORE}), Action("play_monopoly", {"resource": "ore"})),
        (
            Action("offer_trade", {"give": {"wood": 1, "ore": 1}, "receive": {"brick": 1}}),
            Action("offer_trade", {"give": {"ore": 1, "wood": 1}, "receive": {"brick": 1}}),
        ),
    ],
)
def test_equal_actions_have_equal_hashes(one: Action, same: Action) -> None:
    assert one == same
    assert hash(one) == hash(same)


def test_text_does_not_depend_on_the_order_of_the_data() -> None:
    action = Action("trade_bank", {"receive": {"ore": 1}, "give": {"wood": 4}})
    assert action == trade_bank("wood", "ore")
    assert action.to_text() == "trade_bank 4 wood for ore"


# --- plans ------------------------------------------------------------------------------------------------


def test_plan_whole_discard() -> None:
    plan = discard_resources({"wood": 2, "ore": 1})
    assert steps_of(plan, 4, 0) == [discard_resource("wood"), discard_resource("wood"), discard_resource("ore")]


def test_plan_knight_with_hex_and_victim() -> None:
    assert steps_of(play_knight(7), 4, 0) == [play_knight(), move_robber(7)]
    assert steps_of(play_knight(7, 2), 4, 0) == [play_knight(), move_robber(7), steal_resource(2)]
    assert steps_of(play_knight(), 4, 0) == [play_knight()]


def test_plan_one_or_two_roads() -> None:
    first, second = (20, 21), (22, 21)
    assert steps_of(play_road_building(first), 4, 0) == [play_road_building(), place_free_road((20, 21))]
    steps = [play_road_building(), place_free_road((20, 21)), place_free_road((21, 22))]
    assert steps_of(play_road_building(first, second), 4, 0) == steps
    assert steps_of(play_road_building(), 4, 0) == [play_road_building()]


def test_plan_trade_with_a_partner() -> None:
    """P3 of four offers; P4, P1 and P2 answer in this order, and P1 accepts."""
    plan = trade_player(0, {"wood": 1}, {"ore": 1})
    offer = offer_trade({"wood": 1}, {"ore": 1})
    assert steps_of(plan, 4, 2) == [offer, decline_offer(), accept_offer(), decline_offer(), confirm_trade(0)]
    assert steps_of(plan, 2, 1) == [offer, accept_offer(), confirm_trade(0)]


def test_plan_of_a_single_step_is_the_step() -> None:
    assert steps_of(build_city(5), 4, 0) == [build_city(5)]


def test_plans_are_carried_out() -> None:
    table = Table().build(0, settlements=[20]).build(2, settlements=[25]).cards(0, knight=1).give(0, wood=1).give(2, ore=2)
    state = play(table.main(), trade_player(2, {"wood": 1}, {"ore": 1}))
    assert (hand(state, 0), hand(state, 2)) == ({"ore": 1}, {"wood": 1, "ore": 1})
    state = play(state, play_knight(11, 2), stolen("wood"))
    assert (hand(state, 0), state.robber_hex) == ({"wood": 1, "ore": 1}, 11)
    assert [action.kind for action in state.actions] == [
        "offer_trade", "decline_offer", "accept_offer", "decline_offer", "confirm_trade",
        "play_knight", "move_robber", "steal_resource", "stolen",
    ]  # fmt: skip


def test_plan_discard_is_carried_out() -> None:
    state = play(Table().give(1, wood=5, ore=4).turn_start(), roll_dice(), rolled(7), discard_resources({"wood": 1, "ore": 3}))
    assert (hand(state, 1), state.phase) == ({"wood": 4, "ore": 1}, "ROBBER_MOVE")


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        (play_knight(9), "the robber must move to another hex"),
        (play_knight(11, 3), "player 4 cannot be robbed on this hex"),
        (play_road_building((20, 21), (22, 23)), "road 22-23 does not touch your network"),
        (trade_player(1, {"wood": 1}, {"ore": 1}), "these cards are not in the hand of player 2"),
    ],
)
def test_plans_are_carried_out_whole_or_not_at_all(plan: Action, message: str) -> None:
    table = Table().build(0, settlements=[20]).build(2, settlements=[25]).cards(0, knight=1, road_building=1)
    state = table.give(0, wood=1).give(2, ore=1).main()
    before = state.position()
    with pytest.raises(IllegalAction) as error:
        state.apply(plan)
    assert str(error.value) == message
    assert state.position() == before
    assert state.actions == []


def test_plan_discard_of_too_many_cards_is_refused() -> None:
    """P1 and P2 hold 8 cards each and discard 4; a plan of 5 must not touch P2's hand."""
    state = play(Table().give(0, wood=8).give(1, wood=8).turn_start(), roll_dice(), rolled(7))
    with pytest.raises((IllegalAction, InvalidAction)):
        state.apply(discard_resources({"wood": 5}))


def test_plans_have_no_code() -> None:
    for plan in (discard_resources({"wood": 1}), trade_player(1, {"wood": 1}, {"ore": 1})):
        with pytest.raises(InvalidAction, match=f"^{plan.kind} is a plan of several steps"):
            _ = plan.code


@pytest.mark.parametrize(
    "plan",
    [
        discard_resources({"wood": 1}),
        play_knight(4),
        play_knight(4, 1),
        play_road_building((20, 21)),
        trade_player(1, {"wood": 1}, {"ore": 1}),
    ],
    ids=lambda plan: f"{plan.kind}-{len(plan.data)}",
)
def test_plans_are_written_and_read_like_steps(plan: Action) -> None:
    assert Action.from_text(plan.to_text()) == plan
    assert Action.from_json(json.loads(json.dumps(plan.to_json()))) == plan


def test_text_of_plans() -> None:
    assert play_knight(4, 1).to_text() == "play_knight 4 P2"
    assert play_road_building((21, 20), (21, 22)).to_text() == "play_road_building 20-21 21-22"
    assert discard_resources({"ore": 1, "wood": 3}).to_text() == "discard_resources 3 wood 1 ore"
    assert trade_player(1, {"wood": 1}, {"ore": 2}).to_text() == "trade_player P2 1 wood for 2 ore"


# --- nonsense ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'': no such action"),
        ("fly", "'fly': no such action"),
        ("BUILD_CITY 5", "'BUILD_CITY': no such action"),
        ("roll_dice now", "'roll_dice now': cannot be read"),
        ("build_city", "'build_city': cannot be read; expected for example 'build_city 27'"),
        ("build_city x", "'x': expected a number"),
        ("build_city 5 6", "'build_city 5 6': cannot be read; expected for example 'build_city 27'"),
        ("build_city 54", "corner 54: expected a whole number from 0 to 53"),
        ("build_city -1", "'-1': expected a number"),
        ("build_city +1", "'+1': expected a number"),
        ("build_city 2_3", "'2_3': expected a number"),
        ("build_road 17", "'build_road 17': cannot be read"),
        ("build_road 1-40", "edge (1, 40): not two neighbouring corners"),
        ("build_road 17-18-19", "'build_road 17-18-19': cannot be read"),
        ("build_road a-b", "'a': expected a number"),
        ("move_robber 19", "hex 19: expected a whole number from 0 to 18"),
        ("steal_resource 2", "'2': expected a player, P1 to P4"),
        ("steal_resource P", "'': expected a number"),
        ("steal_resource P0", "'P0': expected a player, P1 to P4"),
        ("confirm_trade P5", "'P5': expected a player, P1 to P4"),
        ("trade_bank 4 wood", "'trade_bank 4 wood': cannot be read; expected for example 'trade_bank 4 wood for ore'"),
        ("trade_bank 5 wood for ore", "trade_bank: expected 2, 3 or 4 cards of one resource for one card"),
        ("trade_bank wood for ore", "trade_bank: expected 2, 3 or 4 cards of one resource for one card"),
        ("trade_bank 4 wood for 2 ore", "trade_bank: expected 2, 3 or 4 cards of one resource for one card"),
        ("trade_bank 2 wood 2 ore for sheep", "trade_bank: expected 2, 3 or 4 cards of one resource for one card"),
        ("trade_bank 4 gold for ore", "'gold': not a resource; these are wood, brick, sheep, wheat, ore"),
        ("offer_trade 1 wood", "'offer_trade 1 wood': cannot be read; expected for example 'offer_trade 1 wood for 2 ore'"),
        ("offer_trade 1 wood for 1 wood", "wood: a resource cannot be on both sides of a trade"),
        ("offer_trade 20 wood for ore", "wood 20: expected a number of cards from 0 to 19"),
        ("offer_trade -1 wood for ore", "'-1': expected a number"),
        ("offer_trade 1 wood 2 wood for ore", "1 wood 2 wood: a resource twice"),
        ("offer_trade x wood for ore", "'x': expected a number"),
        ("play_year_of_plenty", "(): expected two resources (one if the supply holds only one card)"),
        ("play_year_of_plenty ore ore ore", "('ore', 'ore', 'ore'): expected two resources"),
        ("play_monopoly gold", "'gold': not a resource; these are wood, brick, sheep, wheat, ore"),
        ("rolled 1", "total 1: expected a whole number from 2 to 12"),
        ("rolled 13", "total 13: expected a whole number from 2 to 12"),
        (
            "drawn joker",
            "'joker': not a development card; these are knight, victory_point, road_building, year_of_plenty, monopoly",
        ),
    ],
)
def test_nonsense_text(text: str, message: str) -> None:
    with pytest.raises(InvalidAction) as error:
        Action.from_text(text)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "expected an object with the fields kind and data"),
        ([], "expected an object with the fields kind and data"),
        ({"kind": "roll_dice"}, "expected an object with the fields kind and data"),
        ({"kind": 5, "data": {}}, "expected an object with the fields kind and data"),
        ({"kind": "roll_dice", "data": []}, "expected an object with the fields kind and data"),
        ({"kind": "fly", "data": {}}, "'fly': no such action"),
        ({"kind": "build_city", "data": {}}, "build_city: corner is missing; it takes corner"),
        ({"kind": "build_city", "data": {"corner": 5, "hex": 1}}, "build_city: hex does not belong there; it takes corner"),
        ({"kind": "roll_dice", "data": {"total": 8}}, "roll_dice: total does not belong there; it takes no data"),
        ({"kind": "build_city", "data": {"corner": "5"}}, "corner '5': expected a whole number from 0 to 53"),
        ({"kind": "build_city", "data": {"corner": 5.0}}, "corner 5.0: expected a whole number from 0 to 53"),
        ({"kind": "build_city", "data": {"corner": True}}, "corner True: expected a whole number from 0 to 53"),
        ({"kind": "build_road", "data": {"edge": "17-18"}}, "edge '17-18': not two neighbouring corners"),
        ({"kind": "build_road", "data": {"edge": [17, 19]}}, "edge [17, 19]: not two neighbouring corners"),
        ({"kind": "build_road", "data": {"edge": [[17], 18]}}, "edge [[17], 18]: not two neighbouring corners"),
        ({"kind": "play_monopoly", "data": {"resource": None}}, "None: not a resource; these are wood, brick,"),
        ({"kind": "play_monopoly", "data": {"resource": []}}, "[]: not a resource; these are wood, brick,"),
        ({"kind": "drawn", "data": {"card": "wood"}}, "'wood': not a development card; these are knight,"),
        ({"kind": "play_year_of_plenty", "data": {"resources": "ore"}}, "'ore': expected two resources"),
        ({"kind": "trade_bank", "data": {"give": 4, "receive": {"ore": 1}}}, "4: expected cards by resource, as in"),
        ({"kind": "offer_trade", "data": {"give": {"wood": 1.5}, "receive": {}}}, "wood 1.5: expected a number of cards"),
        ({"kind": "trade_player", "data": {}}, "trade_player: partner is missing"),
    ],
)  # fmt: skip
def test_nonsense_json(value: Any, message: str) -> None:
    with pytest.raises(InvalidAction) as error:
        Action.from_json(value)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("code", [-1, ALL_CODES, 10**12])
def test_nonsense_codes(code: int) -> None:
    with pytest.raises(InvalidAction, match=f"^{code} is not an action; codes run from 0 to {ALL_CODES - 1}$"):
        Action.from_code(code)


def test_nonsense_is_refused_by_the_constructors() -> None:
    with pytest.raises(InvalidAction, match="not two neighbouring corners"):
        build_road((0, 2))
    with pytest.raises(InvalidAction, match="trade_bank: expected 2, 3 or 4 cards"):
        trade_bank("wood", "ore", 5)
    with pytest.raises(InvalidAction, match="wood 20: expected a number of cards from 0 to 19"):
        discard_resources({"wood": 20})
    with pytest.raises(InvalidAction, match="hex 19: expected a whole number from 0 to 18"):
        play_knight(19)
    with pytest.raises(InvalidAction, match="seat 4: expected a whole number from 0 to 3"):
        trade_player(4, {"wood": 1}, {"ore": 1})


def test_nobody_trades_with_himself_or_an_empty_chair() -> None:
    state = Table(seats=3).give(0, wood=1).main()
    for partner in (0, 3):
        with pytest.raises(InvalidAction, match=f"P{partner + 1} is not another player at this table"):
            state.apply(trade_player(partner, {"wood": 1}, {"ore": 1}))


def test_nonsense_is_no_action() -> None:
    with pytest.raises(InvalidAction, match="'fly': no such action"):
        Action("fly")
    with pytest.raises(InvalidAction, match="build_city: corner is missing; it takes corner"):
        Action("build_city")


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("discard_resources", {}),
        ("discard_resources", {"resources": {}}),
        ("discard_resources", {"resources": {"wood": "x"}}),
        ("discard_resources", {"resources": 5}),
        ("play_knight", {"victim": 1}),
        ("play_road_building", {"edge": (20, 21)}),
        ("trade_player", {"partner": 1}),
        ("build_city", 5),
    ],
    ids=repr,
)
def test_nonsense_plans_are_no_actions(kind: str, data: object) -> None:
    with pytest.raises(InvalidAction):
        Action(kind, data)  # type: ignore[arg-type]


def test_actions_do_not_change() -> None:
    action = build_city(5)
    with pytest.raises(AttributeError):
        action.kind = "build_road"
    with pytest.raises(TypeError):
        action.data["corner"] = 6  # type: ignore[index]


def test_the_first_code_of_an_offer_is_judged_as_an_offer() -> None:
    """It stands behind the last outcome of chance, and is no outcome itself."""
    states = Table().give(0, wood=1).main().states
    last_outcome, first, second = (why_not_at(states, 0, code) for code in (OFFER - 1, OFFER, OFFER + 1))
    assert first == second != last_outcome


def test_a_point_bought_in_this_turn_and_revealed_is_no_new_card_any_more() -> None:
    """Phased turns: only what is still face down and was bought in this turn is new."""
    table = Table(rules=Rules(phased_turns=True)).cards(0, knight=1).bought(0, victory_point=1, monopoly=1)
    after = play(table.at("DEV_PLAY"), reveal_vp()).states
    assert int(after["new_dev_size"][0]) == after["new_dev"][0].sum() == 1
