"""Positions from a few facts: each phase can be set up, goes on by the rules, and what cannot be is refused in one sentence."""

import numpy as np
import pytest

from kibitz import game
from kibitz.coup import (
    Action,
    GameState,
    Rules,
    allow,
    assassinate,
    block,
    challenge,
    coup,
    drawn,
    exchange,
    foreign_aid,
    income,
    lose,
    show,
    steal,
    tax,
)
from kibitz.coup.core.record import simulate
from kibitz.coup.core.setup import SetupError, setup, unfold
from kibitz.coup.core.state import CHARACTERS
from kibitz.game import CHANCE
from tests.coup.positions import options, position

pytestmark = pytest.mark.plain

OWN = {0: ["duke", "captain"]}
SHOWN = [(0, steal(1)), (2, challenge()), (0, show("captain")), (2, lose("duke"))]


def phase(states):
    return GameState(states).phase.name


# --- what is set up -------------------------------------------------------------------------------------------------


def test_all_hands_give_the_position_itself():
    states = setup([3, 5], hands={0: ["duke", "assassin"], 1: ["contessa"]}, revealed={1: ["captain"]}, player=1, turn=4)
    assert states.tobytes() == position("DA", "T/C", coins=[3, 5], player=1, turn=4).tobytes()


def test_one_hand_gives_what_its_seat_sees():
    states = setup([3, 5], hands={1: ["contessa"]}, revealed={1: ["captain"]}, player=1, turn=4)
    whole = position("DA", "T/C", coins=[3, 5], player=1, turn=4)
    game.hide_at(whole, 0, 1)
    assert states.tobytes() == whole.tobytes()


def test_no_hand_gives_the_position_before_the_deal():
    states = setup([6, 6], influence=[1, 1])
    assert game.actor_at(states, 0) == CHANCE
    assert options(states) == ["drawn duke", "drawn assassin", "drawn captain", "drawn ambassador", "drawn contessa"]
    for _ in range(2):
        game.apply_at(states, 0, drawn("duke").code)
    assert (phase(states), int(states["active"][0]), int(states["turn"][0])) == ("ACTION", 0, 1)


def test_the_deal_passes_over_who_is_out_and_leaves_revealed_cards_out():
    states = setup([0, 4, 4], revealed={0: ["duke", "duke"], 1: ["duke"]}, player=2)
    assert "drawn duke" not in options(states)
    game.apply_at(states, 0, drawn("captain").code)
    game.apply_at(states, 0, drawn("captain", "contessa").code)
    assert (phase(states), int(states["active"][0])) == ("ACTION", 2)
    assert states["hand"][0].sum(axis=1).tolist()[:3] == [0, 1, 2]


def test_rule_options_are_part_of_it():
    rules = Rules(steal_from_zero=True, max_turns=7)
    assert GameState(setup([2, 2], hands=OWN, rules=rules)).rules == rules


@pytest.mark.parametrize(
    ("player", "table", "asked", "expected", "legal"),
    [
        (0, [], 0, "ACTION", None),
        (1, [(1, assassinate(0))], 0, "CHALLENGE", ["allow", "challenge"]),
        (1, [(1, assassinate(0)), (0, allow())], 0, "BLOCK", ["allow", "block contessa"]),
        (1, [(1, steal(0)), (2, allow()), (0, allow())], 0, "BLOCK", ["allow", "block captain", "block ambassador"]),
        (1, [(1, foreign_aid())], 0, "BLOCK", ["allow", "block duke"]),
        (1, [(1, foreign_aid()), (2, block("duke"))], 0, "CHALLENGE", ["allow", "challenge"]),
        (1, [(1, coup(0))], 0, "LOSE", ["lose duke", "lose captain"]),
        (0, [(0, tax()), (2, challenge())], 0, "SHOW", ["show duke", "lose captain"]),
        (0, [(0, exchange()), (2, challenge())], 0, "SHOW", ["lose duke", "lose captain"]),
        (1, [(1, tax()), (0, challenge()), (1, show("duke"))], 0, "LOSE", ["lose duke", "lose captain"]),
        (1, [(1, assassinate(0)), (2, challenge()), (1, show("assassin")), (2, lose("duke"))], 0, "BLOCK", None),
        (1, [(1, assassinate(0)), (0, block("contessa")), (1, challenge())], 0, "SHOW", ["lose duke", "lose captain"]),
        (0, [(0, exchange()), (0, drawn("duke", "contessa"))], 0, "RETURN", None),
        (
            0,
            [
                (0, steal(1)),
                (2, challenge()),
                (0, show("captain")),
                (2, lose("duke")),
                (0, drawn("duke")),
                (1, block("captain")),
            ],
            0,
            "CHALLENGE",
            ["allow", "challenge"],
        ),
    ],
)
def test_every_phase_can_be_set_up(player, table, asked, expected, legal):
    states = setup([7, 7, 7], hands=OWN, player=player, table=table, asked=asked)
    assert (phase(states), game.actor_at(states, 0)) == (expected, asked)
    if legal is not None:
        assert options(states) == legal
    assert not states["hand"][0, 1:].any()
    assert not states["deck"].any()
    assert int(states["coins"].sum() + states["treasury"][0]) == 50


def test_what_was_paid_drawn_and_lost_is_in_the_position():
    table = [(1, assassinate(0)), (2, challenge()), (1, show("assassin")), (2, lose("duke"))]
    states = setup([2, 5, 2], hands=OWN, player=1, table=table, asked=0)
    state = GameState(states, observer=0)
    assert [player.coins for player in state.players] == [2, 2, 2]
    assert state.players[2].revealed == ("duke",)
    assert state.players[1].influence == 2
    states = setup([2, 2], hands=OWN, table=[(0, exchange()), (0, drawn("duke", "contessa"))])
    assert GameState(states, observer=0).players[0].cards == ("duke", "duke", "captain", "contessa")


def test_a_recorded_turn_is_set_up_again_as_its_player_saw_it():
    """Any position within a turn of a game, from the start of the turn and what one seat saw of it."""
    compared = 0
    for seed in range(6):
        record = simulate(["heuristic", "honest", "random"], seed=seed)
        for seat in range(3):
            compared += _compare_turns(record, seat)
    assert compared > 200


def _compare_turns(record, seat):
    compared, first, table = 0, None, []
    for states, code in zip(record.states(), record.codes, strict=False):
        if phase(states) in ("DEAL", "REPLACE", "DRAW", "RETURN") and int(states["active"][0]) != seat:
            continue  # nobody else tells what is drawn; an exchange ends the turn
        if phase(states) == "ACTION":
            first, table = states.copy(), []
        if first is not None and first["influence"][0, seat] and game.actor_at(states, 0) == seat:
            row = GameState(first)
            again = setup(
                [player.coins for player in row.players],
                hands={seat: row.players[seat].cards},
                revealed={player.seat: player.revealed for player in row.players},
                claimed={s: CHARACTERS[card] for s, card in enumerate(first["claimed"][0].tolist()) if card >= 0},
                player=row.current_player_id,
                turn=row.turn_number,
                table=table,
                asked=seat,
            )
            view = states.copy()
            game.hide_at(view, 0, seat)
            assert again.tobytes() == view.tobytes()
            compared += 1
        action = Action.from_code(code)
        if phase(states) != "DEAL" and action.kind != "return_cards":
            table.append((int(states["active"][0]), action))
    return compared


def test_what_an_observer_saw_of_the_turn_comes_back():
    states = setup([7, 7, 7], hands=OWN, player=1)
    seen = unfold(states, [0], [(1, tax()), (0, challenge()), (1, show("duke")), (0, lose("captain"))], asked=None)
    assert [Action.from_code(step.code).to_text() for step in seen] == [
        "tax",
        "allow",
        "challenge",
        "show duke",
        "lose captain",
    ]
    assert [phase(step.states) for step in seen] == ["ACTION", "CHALLENGE", "CHALLENGE", "SHOW", "LOSE"]
    assert not np.concatenate([step.states for step in seen])["hand"][:, 1:].any()


# --- what is refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("coins", "facts", "words"),
    [
        ([2], {}, "coins for 1 players: Coup is for 2 to 6"),
        ([2] * 3, {"hands": {0: ["duke"]}, "revealed": {0: ["duke"], 1: ["duke"], 2: ["duke"]}},
         "three Dukes are revealed and you hold one: there are only three"),
        ([2, 0, 2], {"hands": {0: ["duke"] * 2}, "revealed": {1: ["duke"] * 2}}, "two Dukes are revealed and you hold two"),
        ([2] * 2, {"hands": {0: ["duke", "duke"], 1: ["duke", "duke"]}}, "player 1 holds two Dukes and player 2 holds two"),
        ([2] * 3, {"hands": OWN, "revealed": {1: ["duke"] * 3}}, "player 2 has three cards revealed: nobody has more than two"),
        ([2] * 2, {"hands": OWN, "revealed": {1: ["duke"] * 2}}, "player 2 is out, so their 2 coins have gone back"),
        ([2, 0], {"hands": OWN, "revealed": {1: ["duke"] * 2}}, "only player 1 is left: the game is over"),
        ([2, 0, 2], {"hands": OWN, "revealed": {1: ["duke"] * 2}, "player": 1}, "player 2 is out: it cannot be their turn"),
        ([0, 2, 2], {"hands": {0: []}, "revealed": {0: ["duke"] * 2}, "player": 1}, "you are out of the game"),
        ([2, 2], {"hands": {0: ["duke"]}}, "you hold one card, but have two left"),
        ([2, 2], {"hands": {0: ["duke"], 1: ["duke"]}}, "player 1 holds one card, but has two left"),
        ([2, 2, 2], {"hands": {0: ["duke"] * 2, 1: ["captain"] * 2}}, "2 hands are given: expected none, one or all"),
        ([2, -1], {"hands": OWN}, "player 2 has -1 coins"),
        ([2, 13], {"hands": OWN}, "player 2 has 13 coins: nobody gets beyond 12, since ten or more force a coup"),
        ([9] * 6, {"hands": OWN}, "the players have 54 coins: there are only 50"),
        ([2, 2], {"hands": {0: ["duke", "king"]}}, "'king' is not a character; these are duke, assassin"),
        ([2, 2], {"hands": OWN, "player": 2}, "there is no player 3 at this table of 2"),
        ([2, 2], {"hands": OWN, "influence": [2]}, "influence of 1 players, but coins of 2"),
        ([2, 2], {"hands": OWN, "influence": [2, 3]}, "player 2 cannot have 3 cards left with 0 revealed"),
        ([0, 0], {"influence": [0, 0]}, "nobody has a card left"),
        ([2, 2], {"hands": OWN, "turn": 2000}, "turn 2000: expected 1 to 1000"),
        ([2, 2], {"table": [(0, tax())]}, "nothing can have happened before the deal"),
        ([2, 10], {"hands": OWN, "player": 1, "table": [(1, tax())]}, "a player with 10 or more coins must coup"),
        ([2, 2], {"hands": OWN, "player": 1, "table": [(1, assassinate(0))]}, "player 2 cannot pay for it"),
        ([0, 2], {"hands": OWN, "player": 1, "table": [(1, steal(0))]}, "player 1 has no coins"),
        ([2, 2], {"hands": OWN, "player": 1, "table": [(1, steal(0)), (0, block("duke"))]}, "the Duke does not block that"),
        ([2, 2], {"hands": OWN, "table": [(1, tax())]}, "player 2 cannot tax now: it is the turn of player 1"),
        ([2, 2], {"hands": OWN, "table": [(0, income())], "asked": 0}, "the turn of player 1 is over"),
        ([2, 2], {"hands": OWN, "player": 1, "table": [(1, tax())], "asked": 1}, "player 1 may challenge first"),
        ([2, 2, 2], {"hands": OWN, "player": 1, "table": [(1, exchange()), (0, allow())], "asked": 0},
         "the exchange ends the turn of player 2"),
        ([2, 2], {"hands": OWN, "table": [(0, exchange())], "asked": 0}, "say first what player 1 drew"),
        ([2, 2], {"hands": OWN, "table": [(0, exchange()), (0, drawn("duke"))]}, "drawn duke cannot happen here"),
        ([2, 2], {"hands": OWN, "table": [(0, tax()), (1, challenge()), (0, lose("duke"))]}, "show it, or lose another card"),
        ([2, 2], {"hands": OWN, "table": [(0, tax()), (1, challenge()), (0, lose("contessa"))]}, "does not hold these cards"),
        ([2, 2, 2], {"hands": {0: ["duke", "duke"]}, "revealed": {2: ["duke"]}, "player": 1,
                     "table": [(1, tax()), (0, challenge()), (1, show("duke"))]},
         "one Duke is revealed, you hold two and player 2 holds one: there are only three"),
        ([2, 2], {"hands": {0: ["duke", "duke"]}, "table": [(0, exchange()), (0, drawn("duke", "duke"))]},
         "you hold four Dukes: there are only three"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_the_reason(coins, facts, words):
    with pytest.raises(SetupError) as caught:
        setup(coins, **facts)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
