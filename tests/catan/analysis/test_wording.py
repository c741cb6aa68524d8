"""Actions in plain words: every kind that a player can choose has some, and seats count from 1."""

import pytest

from kibitz.catan import Board
from kibitz.catan.core.actions import Action
from kibitz.catan.core.codes import BASE
from kibitz.catan.words import say

pytestmark = pytest.mark.plain

CHANCE = {"rolled", "stolen", "drawn"}


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("place_setup_settlement 23", "a settlement on V23"),
        ("place_setup_road 17-18", "the road V17-V18"),
        ("roll_dice", "roll the dice"),
        ("discard_resource ore", "discard ore"),
        ("move_robber 7", "the robber to hex 7"),
        ("steal_resource P2", "rob seat 2"),
        ("skip_steal", "rob nobody"),
        ("trade_bank 4 wood for ore", "trade 4 wood for 1 ore with the bank"),
        ("offer_trade 2 wood 1 brick for 1 ore", "offer 2 wood and 1 brick for 1 ore"),
        ("accept_offer", "accept the offer"),
        ("decline_offer", "decline the offer"),
        ("confirm_trade P4", "trade with seat 4"),
        ("cancel_offer", "take the offer back"),
        ("end_trade_phase", "end the trading"),
        ("build_road 17-18", "a road V17-V18"),
        ("build_settlement 23", "a settlement on V23"),
        ("build_city 23", "a city on V23"),
        ("buy_dev_card", "buy a development card"),
        ("end_build_phase", "end the building"),
        ("play_knight", "play a knight"),
        ("play_road_building", "play Road Building"),
        ("place_free_road 17-18", "the free road V17-V18"),
        ("play_year_of_plenty wood ore", "play Year of Plenty for wood and ore"),
        ("play_monopoly sheep", "play Monopoly on sheep"),
        ("reveal_vp", "reveal a victory point"),
        ("end_turn", "end the turn"),
    ],
)
def test_in_words(action, words):
    assert say(action) == words


def test_every_kind_of_action_can_be_said():
    for kind, code in BASE.items():
        if kind not in CHANCE:
            assert "_" not in say("offer_trade 1 wood for 1 ore" if kind == "offer_trade" else Action.from_code(code).to_text())


def test_a_hex_is_called_by_what_lies_there():
    board = Board.beginner()
    assert say("move_robber 4", board) == "the robber to hex 4 (brick 6)"
    assert say(f"move_robber {board.desert}", board) == f"the robber to hex {board.desert} (desert)"
    assert say("build_city 23", board) == "a city on V23"
