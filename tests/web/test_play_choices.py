"""What the Play page offers a person, by the rules of the engine."""

import pytest

from kibitz.catan.analysis.report import COLOURS, PALE
from kibitz.catan.core.actions import Action, build_city, offer_trade, place_setup_settlement
from kibitz.catan.core.board import Board
from kibitz.catan.core.codes import END_ROADS, OFFER
from kibitz.catan.core.record import simulate
from kibitz.catan.core.state import MAIN, ROBBER_DISCARD, ROBBER_MOVE, Rules, new_states
from kibitz.catan.pages.play.scene import LIGHT, Choices, Scene, element_of
from kibitz.game import actor_at, apply_at, legal_actions, to_dict
from kibitz.web.pages.kibitzer import Thought

WOOD, BRICK, SHEEP, WHEAT, ORE = range(5)


def started(hand=(0, 0, 0, 0, 0), phase=MAIN):
    """Two players after set-up, player 1 to move, with these cards."""
    states = new_states(Board.beginner(), 2)
    for text in ("place_setup_settlement 20", "place_setup_road 20-21", "place_setup_settlement 40", "place_setup_road 40-41"):
        word, place = text.split()
        code = Action.from_text(text).code if "road" not in word else road_at(states, int(place.split("-")[0]))
        apply_at(states, 0, code)
    for corner in (10, 30):
        apply_at(states, 0, Action.from_text(f"place_setup_settlement {corner}").code)
        apply_at(states, 0, road_at(states, corner))
    states["phase"] = phase
    states["roll"] = 6
    states["bank"][0] += states["hand"][0, 0]
    states["hand"][0, 0] = hand
    states["hand_size"][0, 0] = sum(hand)
    states["bank"][0] -= hand
    return states


def road_at(states, corner):
    return legal_actions(states)[0]


def test_the_places_of_a_tool_are_the_legal_ones():
    choices = Choices.of(started((1, 1, 1, 3, 3)), 0)
    assert set(choices.places) >= {"road", "city"}
    assert set(choices.places["city"]) == {"corner-20", "corner-30"}
    assert choices.places["city"]["corner-20"] == build_city(20).code
    assert all(place.startswith("edge-") for place in choices.places["road"])
    assert choices.at_once is None
    assert {"buy_dev_card", "end_turn"} <= set(choices.buttons)


def test_before_the_first_settlement_the_tool_is_in_the_hand():
    choices = Choices.of(new_states(Board.beginner(), 3), 0)
    assert choices.at_once == "settlement"
    assert len(choices.places["settlement"]) == 54
    assert "settlement" in choices.sentence


def test_the_robber_may_go_anywhere_else():
    states = started(phase=ROBBER_MOVE)
    places = Choices.of(states, 0).places["robber"]
    assert len(places) == 18
    assert f"hex-{int(states['robber'][0])}" not in places


def test_a_discard_has_the_right_total_and_only_own_cards():
    states = started((4, 3, 1, 0, 0), ROBBER_DISCARD)
    states["discards"][0, 0] = 4
    choices = Choices.of(states, 0)
    assert choices.to_discard == 4
    assert choices.discard({"wood": 3}) == []
    assert choices.discard({"wood": 1, "ore": 3}) == []
    codes = choices.discard({"wood": 2, "brick": 2})
    thrown = [Action.from_code(code).data["resource"] for code in codes]
    assert thrown == ["wood", "wood", "brick", "brick"]


def test_the_bank_trades_by_the_best_rate():
    states = started((8, 0, 0, 0, 1))
    choices = Choices.of(states, 0)
    rate = choices.rates()["wood"]
    assert rate in (2, 3, 4)
    (code,) = choices.bank_trade({"wood": rate}, {"ore": 1})
    assert Action.from_code(code).to_text() == f"trade_bank {rate} wood for ore"
    assert len(choices.bank_trade({"wood": 2 * rate}, {"ore": 1, "brick": 1})) == 2
    assert choices.bank_trade({"wood": rate}, {"ore": 2}) == []
    assert choices.bank_trade({"wood": rate}, {"wood": 1}) == []
    assert choices.bank_trade({"ore": rate}, {"wood": 1}) == []


def test_offers_are_judged_by_the_rules():
    choices = Choices.of(started((2, 0, 0, 0, 1)), 0)
    assert choices.offer({"wood": 2}, {"ore": 0, "sheep": 1}) == (offer_trade({"wood": 2}, {"sheep": 1}).code, "")
    assert choices.offer({"wood": 3}, {"sheep": 1})[0] is None
    assert choices.offer({"wood": 1}, {})[0] is None
    assert choices.offer({"wood": 1}, {"wood": 1}) == (None, "wood: a resource cannot be on both sides of a trade")


def test_the_offer_on_the_table_is_told():
    states = started((2, 0, 0, 0, 1))
    apply_at(states, 0, offer_trade({"wood": 2}, {"sheep": 1}).code)
    assert Choices.of(states, 1).open_offer() == (0, {"wood": 2}, {"sheep": 1})


def test_steps_have_their_places():
    assert element_of(build_city(23).code) == "corner-23"
    assert element_of(Action.from_text("move_robber 7").code) == "hex-7"
    assert element_of(-1) is None


@pytest.mark.parametrize("rules", [Rules(), Rules(phased_turns=True), Rules(domestic_trade=False, friendly_robber=True)])
def test_whatever_the_rules_allow_the_page_offers(rules):
    """In whole games: every legal action is a place, a button, a question or a trade of the page; and nothing else is."""
    for seed in range(2):
        record = simulate(Board.beginner(), ["builder", "random", "seed"], seed, rules)
        for states in record.states():
            seat = actor_at(states, 0)
            if seat < 0:
                continue
            choices = Choices.of(states, seat)
            offered = [*choices.buttons.values(), *choices.victims.values(), *choices.partners.values()]
            offered += [*choices.monopolies.values(), *choices.plenties.values(), *choices.bank.values()]
            offered += [code for places in choices.places.values() for code in places.values()]
            legal = [code for code in legal_actions(states) if not OFFER <= code < END_ROADS]
            if choices.to_discard:
                offered += [Action("discard_resource", {"resource": name}).code for name, n in choices.hand.items() if n]
            assert sorted(offered) == legal
            assert choices.sentence
            assert choices.may_offer or not any(OFFER <= code < END_ROADS for code in legal_actions(states))


def test_only_what_the_kibitzer_has_tried_has_a_colour_of_its_scale():
    """A place that it has not looked at must not look like the best one."""
    view = new_states(Board.beginner(), 2)
    row, choices = to_dict(view), Choices.of(view, 0)
    scene = Scene(
        version=0, turn=0, log=(), over=False, result="", seat=0, names=("You", "Bob"), view=view, row=row, actor=0,
        choices=choices, labels={}, holdings=(), last=None, steps=0, happened=(),
    )  # fmt: skip
    assert f'fill="{LIGHT}"' in scene.drawing("settlement")
    tried = [Thought(place_setup_settlement(41 - n).code, "", 0.4 - n / 10, 0, 1, 9, n == 0, True) for n in (0, 1)]
    drawn = scene.drawing("settlement", tried)
    assert f'fill="{LIGHT}"' not in drawn
    assert "grey: not tried" in drawn
    assert all(drawn.count(f'fill="{colour}"') >= count for colour, count in ((COLOURS[-1], 1), (COLOURS[0], 1), (PALE, 50)))
