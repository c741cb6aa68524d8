"""What is read of catanatron's game, in its present form and in that of release 3.2, and what is not."""

from types import SimpleNamespace

import pytest

from kibitz.catan import Board
from kibitz.catan.core import actions as ours
from kibitz.catan.core.codes import OFFER, STOLEN, UNSEEN_DRAW, UNSEEN_STEAL
from kibitz.catan.core.state import MAIN
from kibitz.catan.versus.translate import code_of, offer_value, outcome_code, victim_code
from kibitz.catan.versus.window import Told, Window, places_of
from tests.catan.versus.fake import COLOURS, Action, ActionRecord, ActionType, map_of, tile

pytestmark = pytest.mark.plain
RED, BLUE, ORANGE, WHITE = COLOURS


def window(colour, *, records=None, actions=None):
    log = {"action_records": records} if actions is None else {"actions": actions}
    return Window(SimpleNamespace(id="one", state=SimpleNamespace(colors=COLOURS, **log)), colour)


def test_only_thief_and_victim_see_a_stolen_card():
    records = [ActionRecord(Action(RED, ActionType.MOVE_ROBBER, (tile(3), BLUE)), "ORE")]
    seen = [window(colour, records=records).told(0)[0] for colour in COLOURS]
    assert [outcome_code(one) for one in seen] == [STOLEN + 4, STOLEN + 4, UNSEEN_STEAL, UNSEEN_STEAL]
    old = [Action(RED, ActionType.MOVE_ROBBER, (tile(3), BLUE, "ORE"))]
    assert [window(colour, actions=old).told(0)[0] for colour in COLOURS] == seen


def test_only_the_buyer_sees_a_card():
    action = Action(RED, ActionType.BUY_DEVELOPMENT_CARD, "MONOPOLY")
    seen = [window(colour, records=[ActionRecord(action, "MONOPOLY")]).told(0)[0] for colour in COLOURS]
    assert [outcome_code(one) for one in seen] == [ours.drawn("monopoly").code, *[UNSEEN_DRAW] * 3]
    assert [window(colour, actions=[action]).told(0)[0] for colour in COLOURS] == seen


def test_dice_are_in_the_result_or_in_the_value():
    assert outcome_code(Told(0, "ROLL", None, (3, 5))) == outcome_code(Told(0, "ROLL", (2, 6))) == ours.rolled(8).code
    assert outcome_code(Told(0, "END_TURN")) is None


def test_the_board_is_read_as_it_lies():
    for seed in range(5):
        board = Board.random(seed)
        places = places_of(SimpleNamespace(map=map_of(board)), COLOURS)
        assert places.board == board
        assert sorted(places.corners.values()) == list(range(54))


def test_another_island_is_refused():
    small = map_of(Board.random(0))
    del small.land_tiles[0, 0, 0]
    with pytest.raises(ValueError, match="19 hexes"):
        places_of(SimpleNamespace(map=small), COLOURS)


def test_offers_there_and_back():
    places = places_of(SimpleNamespace(map=map_of(Board.random(0))), COLOURS)
    value = (1, 0, 0, 2, 0, 0, 1, 0, 0, 0)
    code = code_of(places, "OFFER_TRADE", value, MAIN)
    assert code >= OFFER
    assert offer_value(code) == value


def test_values():
    places = places_of(SimpleNamespace(map=map_of(Board.random(0))), COLOURS)
    assert code_of(places, "MARITIME_TRADE", ("ORE", "ORE", None, None, "WOOD"), MAIN) == ours.trade_bank("ore", "wood", 2).code
    assert code_of(places, "PLAY_YEAR_OF_PLENTY", ("ORE",), MAIN) == ours.play_year_of_plenty("ore").code
    assert victim_code(places, (tile(3), None)) is None
    with pytest.raises(ValueError, match="FLY: no action"):
        code_of(places, "FLY", None, MAIN)
