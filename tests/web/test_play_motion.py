"""What moves on the Play page: from where to where, out of what happened."""

import pytest

from kibitz.catan.core.events import (
    BankTrade,
    BuyDevCard,
    Cards,
    Discard,
    EndTurn,
    Monopoly,
    MoveRobber,
    PlayerTrade,
    Roll,
    Steal,
    YearOfPlenty,
)  # fmt: skip
from kibitz.catan.pages.play.clock import Clock, habit
from kibitz.catan.pages.play.motion import motions, two_dice
from kibitz.catan.pages.play.scene import pieces_left
from kibitz.game import legal_actions, to_dict
from tests.web.test_play_choices import started

pytestmark = pytest.mark.plain


@pytest.fixture(scope="module")
def row():
    return to_dict(started())


def flights(event, row, seat=0):
    return [(one["from"], one["to"], one["picture"]) for motion in motions([event], row, 9, seat) for one in motion["cards"]]


def test_dice_show_what_was_rolled():
    assert all(sum(two_dice(total, turn)) == total for total in range(2, 13) for turn in range(30))
    assert len({two_dice(7, turn) for turn in range(60)}) == 6
    assert two_dice(7, 3) == two_dice(7, 3)


def test_the_hexes_of_the_number_pay_but_not_the_robbers(row):
    hexes = [h for h, number in enumerate(row["number"]) if number == 6]
    (motion,) = motions([Roll(0, 6, {})], row, 9, 0)
    assert motion["lit"] == [f"hex-{h}" for h in hexes if h != row["robber"]]
    (motion,) = motions([Roll(0, 6, {})], {**row, "robber": hexes[0]}, 9, 0)
    assert f"hex-{hexes[0]}" not in motion["lit"]
    (motion,) = motions([Roll(0, 7, {})], row, 9, 0)
    assert (motion["lit"], motion["cards"]) == ([], [])


def test_cards_fly_from_a_hex_that_pays_to_who_gets_them(row):
    own = row["settlements"][0] | row["cities"][0]
    hex = next(h for h, mask in enumerate(_masks()) if mask & own and row["number"][h])
    names = ("wood", "brick", "sheep", "wheat", "ore")
    name = names[row["terrain"][hex]]
    (motion,) = motions([Roll(1, row["number"][hex], {0: Cards.of({name: 2})})], row, 9, 0)
    assert {(one["from"], one["to"], one["picture"]) for one in motion["cards"]} == {(f"hex-{hex}", f"own-{name}", name)}
    assert len(motion["cards"]) == 2


def _masks():
    from kibitz.catan.core.topology import HEX_MASK

    return [int(mask) for mask in HEX_MASK]


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (Steal(1, 0, "ore"), [("own-ore", "seat-1", "ore")]),
        (Steal(1, 2), [("seat-2", "seat-1", "")]),
        (BankTrade(0, Cards(wood=2), Cards(ore=1)), [("own-wood", "bank", "wood")] * 2 + [("bank", "own-ore", "ore")]),
        (PlayerTrade(1, 0, Cards(wood=1), Cards(ore=1)), [("seat-1", "own-wood", "wood"), ("own-ore", "seat-1", "ore")]),
        (YearOfPlenty(2, Cards(ore=2)), [("bank", "seat-2", "ore")] * 2),
        (Discard(1, Cards(sheep=1)), [("seat-1", "bank", "sheep")]),
        (Monopoly(1, "ore", 3, {0: 1, 2: 2}), [("own-ore", "seat-1", "ore"), *[("seat-2", "seat-1", "ore")] * 2]),
        (BuyDevCard(0), [("bank", "seat-0", "")]),
        (EndTurn(0), []),
    ],
)
def test_cards_change_hands(event, expected, row):
    assert flights(event, row) == expected


def test_the_robber_walks(row):
    assert motions([MoveRobber(0, 4), MoveRobber(1, 7)], row, 9, 0) == [
        {"walks": {"piece": "robber", "from": "hex-9", "to": "hex-4"}},
        {"walks": {"piece": "robber", "from": "hex-4", "to": "hex-7"}},
    ]  # fmt: skip


def test_pieces_that_are_left(row):
    assert pieces_left(row, 0) == {"road": 13, "settlement": 3, "city": 4}


def test_without_seconds_there_is_no_clock():
    clock = Clock(0)
    clock.see(1, True, 0.0)
    assert clock.left(100.0) is None


def test_what_is_done_when_the_time_is_up_is_legal_and_no_offer():
    states = started((1, 1, 1, 3, 3))
    code = habit(states)
    assert code in legal_actions(states)
    assert states["offers"][0] == 0
