"""`GameState`: its fields by name, immutability, what a seat may know, exact chances, equality, and how it shows itself."""

from __future__ import annotations

import pickle
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from fractions import Fraction
from typing import Any

import pytest

from kibitz.catan import (
    Action,
    Board,
    DevCardType,
    GamePhase,
    GameState,
    IllegalAction,
    Outcome,
    PortType,
    Resource,
    Rules,
    apply_action,
    build_city,
    build_road,
    build_settlement,
    buy_dev_card,
    decline_offer,
    discard_resource,
    drawn,
    end_turn,
    initialize_game_state,
    list_legal_actions,
    move_robber,
    offer_trade,
    place_setup_road,
    place_setup_settlement,
    play_knight,
    play_monopoly,
    player_total_victory_points,
    player_visible_victory_points,
    roll_dice,
    rolled,
    steal_resource,
    stolen,
    trade_bank,
)
from kibitz.catan.core.state import new_states
from tests.catan.positions import Table, chain, hand, legal, play, refusal

pytestmark = pytest.mark.plain

CARDS = ("knight", "victory_point", "road_building", "year_of_plenty", "monopoly")


def table() -> Table:
    """Three players in the middle of a game; P2 has bought a knight this turn and is about to trade, build or play a card."""
    return (
        Table(seats=3)
        .build(0, settlements=[1], cities=[20], roads=chain(20, 21, 22))
        .build(1, settlements=[17, 25], roads=chain(17, 18, 19))
        .build(2, settlements=[40])
        .give(0, wood=2, ore=1)
        .give(1, sheep=1, wheat=1, ore=1)
        .give(2, brick=4)
        .cards(0, knight=1, victory_point=1)
        .cards(1, monopoly=1)
        .bought(1, knight=1)
        .played(0, knight=3)
        .played(2, monopoly=1)
        .robber(4)
    )


def cards(**counts: int) -> dict[str, int]:
    return {card: counts.get(card, 0) for card in CARDS}


# --- fields by name ---------------------------------------------------------------------------------------


def test_phases_by_name() -> None:
    names = ["SETUP_SETTLEMENT", "SETUP_ROAD", "TURN_START", "ROBBER_DISCARD", "ROBBER_MOVE", "ROBBER_STEAL"]
    names += ["TRADE", "BUILD", "DEV_PLAY", "GAME_OVER", "MAIN", "ROLLING", "STEALING", "DRAWING", "FREE_ROADS"]
    names += ["TRADE_ANSWER", "TRADE_CHOICE"]
    assert {phase.name for phase in GamePhase} == set(names)
    assert all(phase == phase.name for phase in GamePhase)


def test_cards_and_resources_by_name() -> None:
    assert [card.name for card in DevCardType] == ["KNIGHT", "VICTORY_POINT", "ROAD_BUILDING", "YEAR_OF_PLENTY", "MONOPOLY"]
    assert [str(resource) for resource in Resource] == ["wood", "brick", "sheep", "wheat", "ore"]


def test_fields_of_a_player() -> None:
    first, second, third = table().main(player=1).players
    assert (first.seat, second.seat, third.seat) == (0, 1, 2)
    assert first.hand == {"wood": 2, "brick": 0, "sheep": 0, "wheat": 0, "ore": 1}
    assert first.hand is not None
    assert first.hand[Resource.WOOD] == 2
    assert first.hand_size == 3
    assert (first.settlements, first.cities, first.roads) == ({1}, {20}, {(20, 21), (21, 22)})
    assert first.ports == {PortType.ANY_3TO1}
    assert second.ports == {PortType.WOOD}
    assert third.ports == set()
    assert first.dev_cards == cards(knight=1, victory_point=1)
    assert second.dev_cards == cards(knight=1, monopoly=1)
    assert second.dev_cards is not None
    assert second.dev_cards[DevCardType.MONOPOLY] == 1
    assert (first.new_dev_cards, second.new_dev_cards) == (cards(), cards(knight=1))
    assert (first.dev_card_count, second.dev_card_count, third.dev_card_count) == (2, 2, 0)
    assert (first.played_dev_cards, third.played_dev_cards) == (cards(knight=3), cards(monopoly=1))
    assert (first.played_knights, second.played_knights) == (3, 0)
    assert (first.longest_road_length, third.longest_road_length) == (2, 0)
    assert (first.visible_victory_points, first.total_victory_points) == (5, 6)
    assert (second.visible_victory_points, second.total_victory_points) == (2, 2)


def test_fields_of_a_player_that_change_within_a_turn() -> None:
    state = table().main(player=1)
    assert [player.played_non_vp_dev_this_turn for player in state.players] == [False, False, False]
    state = play(state, play_monopoly("brick"))
    assert [player.played_non_vp_dev_this_turn for player in state.players] == [False, True, False]
    state = play(state, end_turn())
    assert [player.played_non_vp_dev_this_turn for player in state.players] == [False, False, False]
    assert [player.new_dev_cards for player in state.players] == [cards(), cards(), cards()]


def test_field_revealed_vp_cards() -> None:
    state = Table(rules=Rules(phased_turns=True)).played(0, victory_point=2).cards(0, victory_point=1).at("DEV_PLAY")
    assert state.players[0].revealed_vp_cards == 2
    assert (state.visible_victory_points(0), state.total_victory_points(0)) == (2, 3)


def test_fields_of_the_game() -> None:
    state = table().main(player=1, roll=9, turn=14)
    assert state.board == Board.beginner()
    assert state.rules == Rules()
    assert len(state.players) == 3
    assert (state.phase, state.actor, state.current_player_id) == (GamePhase.MAIN, 1, 1)
    assert (state.turn_number, state.dice_roll, state.robber_hex) == (14, 9, 4)
    assert state.bank == {"wood": 17, "brick": 15, "sheep": 18, "wheat": 18, "ore": 17}
    assert state.dev_deck == cards(knight=9, victory_point=4, road_building=2, year_of_plenty=2)
    assert state.dev_deck_size == 17
    assert (state.longest_road_owner, state.longest_road_length) == (None, 0)
    assert (state.largest_army_owner, state.largest_army_size) == (0, 3)
    assert (state.winner_id, state.outcome) == (None, None)
    assert (state.setup_order, state.setup_index, state.setup_corner) == ([0, 1, 2, 2, 1, 0], 6, None)
    assert (state.discard_queue, state.pending_steal_target_ids) == ([], [])
    assert [state.longest_road_length_for_player(seat) for seat in range(3)] == [2, 2, 0]
    assert [player_visible_victory_points(state, seat) for seat in range(3)] == [5, 2, 1]
    assert [player_total_victory_points(state, seat) for seat in range(3)] == [6, 2, 1]
    assert state.event_log == []


def test_field_longest_road() -> None:
    state = Table().build(0, settlements=[0], roads=chain(0, 1, 2, 3, 4, 5, 6)).main()
    assert (state.longest_road_owner, state.longest_road_length) == (0, 6)


def test_fields_of_the_setup() -> None:
    state = GameState.new(Board.beginner(), seats=2)
    assert (state.phase, state.actor, state.turn_number, state.setup_index) == ("SETUP_SETTLEMENT", 0, 0, 0)
    state = play(state, place_setup_settlement(20))
    assert (state.phase, state.setup_index, state.setup_corner) == ("SETUP_ROAD", 1, 20)
    state = play(state, place_setup_road((20, 21)))
    assert (state.actor, state.setup_index, state.setup_corner) == (1, 1, None)


def test_fields_of_the_robber() -> None:
    start = Table().build(1, settlements=[20]).build(3, settlements=[11]).give(1, ore=8).give(0, wood=9)
    state = play(start.turn_start(), roll_dice(), rolled(7))
    assert (state.discard_queue, state.dice_roll) == ([0, 1], 7)
    state = play(state, *[discard_resource("wood")] * 4)
    assert state.discard_queue == [1]
    state = play(state, *[discard_resource("ore")] * 4, move_robber(4))
    assert (state.discard_queue, state.pending_steal_target_ids) == ([], [1, 3])


def test_functions_of_the_seed() -> None:
    state = initialize_game_state(Board.beginner(), seats=3, rules=Rules(victory_points=8), seed=5)
    assert (len(state.players), state.rules.victory_points, state.seed) == (3, 8, 5)
    assert list_legal_actions(state) == [place_setup_settlement(corner) for corner in range(54)]
    assert apply_action(state, place_setup_settlement(20)).players[0].settlements == {20}


def test_new_game_on_a_random_board() -> None:
    assert GameState.new(seed=3).board == Board.random(3)


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_new_game_is_for_2_to_4_players(seats: int) -> None:
    with pytest.raises(ValueError, match=f"{seats} seats: Catan is for 2 to 4 players"):
        GameState.new(Board.beginner(), seats=seats)


def test_hand_made_positions_are_those_reached_by_play() -> None:
    """What `Table` works out (networks, lengths, open corners, sizes) is what the engine keeps."""
    opening = [(1, (1, 2)), (20, (20, 21)), (40, (40, 41)), (25, (25, 26))]
    state = GameState.new(Board.beginner(), seats=2)
    for corner, road in opening:
        state = play(state, place_setup_settlement(corner), place_setup_road(road))
    built = Table(seats=2).build(0, settlements=[1, 25], roads=[(1, 2), (25, 26)]).give(0, brick=1, ore=1)
    built.build(1, settlements=[20, 40], roads=[(20, 21), (40, 41)]).give(1, wood=1, brick=1, ore=1)
    assert state == built.turn_start()
    # a 3: P2's hex 13 yields ore; an 8: P1's hex 11 yields ore, P2's hex 12 wood
    state = play(state, roll_dice(), rolled(3), end_turn(), roll_dice(), rolled(8))
    built.give(0, ore=1).give(1, wood=1, ore=1)
    assert state == built.main(player=1, roll=8, turn=2)
    # P2: a road, which makes a chain of two; and it is back at the start of P1's turn
    state = play(state, build_road((21, 22)), end_turn())
    built.build(1, roads=[(21, 22)]).give(1, wood=-1, brick=-1)
    assert state == built.turn_start(player=0, turn=3)


def test_hand_made_positions_with_a_cut_road_a_city_and_cards_are_those_reached_by_play() -> None:
    before = (
        Table(seats=2)
        .build(0, settlements=[0, 6], roads=chain(0, 1, 2, 3, 4, 5, 6))
        .build(1, settlements=[9], roads=chain(9, 10, 2))
    )
    before.give(1, wood=1, brick=1, sheep=2, wheat=4, ore=4).cards(1, knight=1)
    state = play(before.main(player=1), build_settlement(2), build_city(9), buy_dev_card(), drawn("monopoly"), play_knight(4))
    after = Table(seats=2).build(0, settlements=[0, 6], roads=chain(0, 1, 2, 3, 4, 5, 6)).robber(4)
    after.build(1, settlements=[2], cities=[9], roads=chain(9, 10, 2)).bought(1, monopoly=1).played(1, knight=1)
    assert state != after.main(player=1), "a card was played this turn"
    assert play(state, end_turn()) == play(after.main(player=1), end_turn())


# --- immutability -----------------------------------------------------------------------------------------


def test_apply_leaves_the_state_as_it_was() -> None:
    state = table().main(player=1)
    before, fingerprint = state.position(), hash(state)
    after = play(state, buy_dev_card(), drawn("knight"))
    assert after != state
    assert state.position() == before
    assert hash(state) == fingerprint
    assert (state.event_log, len(after.event_log)) == ([], 2)


def test_what_a_state_hands_out_is_not_the_state() -> None:
    state = table().main(player=1)
    before = state.position()
    state.bank[Resource.WOOD] = 0
    assert state.dev_deck is not None
    state.dev_deck[DevCardType.KNIGHT] = 0
    player = state.players[0]
    assert player.hand is not None
    player.hand[Resource.WOOD] = 9
    player.settlements.add(53)
    player.roads.clear()
    state.position()["hands"][0]["wood"] = 9
    state.legal_actions().clear()
    assert state.position() == before


def test_players_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        table().main(player=1).players[0].hand_size = 5  # type: ignore[misc]


def test_fields_cannot_be_assigned() -> None:
    state = table().main(player=1)
    for name in ("phase", "turn_number", "bank", "winner_id", "players"):
        with pytest.raises(AttributeError):
            setattr(state, name, None)
    with pytest.raises(AttributeError):
        state.note = "x"  # type: ignore[attr-defined]


def test_a_state_is_a_copy_of_the_array_it_was_made_from() -> None:
    array = new_states(Board.beginner(), 4)
    state = GameState(array)
    array["turn"] = 17
    assert state.turn_number == 0


def test_illegal_action_says_which_rule() -> None:
    state = Table().build(0, settlements=[20]).give(0, wood=1, brick=1).main()
    with pytest.raises(IllegalAction, match="road 17-18 does not touch your network") as error:
        state.apply(build_road((17, 18)))
    assert error.value.reason == "NOT_CONNECTED"
    assert error.value.action == build_road((17, 18))
    assert state.why_not(build_road((17, 18))) == "road 17-18 does not touch your network"
    assert not state.is_legal(build_road((17, 18)))
    assert state.why_not(build_road((20, 21))) is None
    assert state.is_legal(build_road((20, 21)))


# --- what a seat may know ---------------------------------------------------------------------------------


def test_observe_shows_the_own_cards() -> None:
    seen = table().main(player=1).observe(1)
    assert seen.observer == 1
    me = seen.players[1]
    assert me.hand == {"wood": 0, "brick": 0, "sheep": 1, "wheat": 1, "ore": 1}
    assert me.dev_cards == cards(knight=1, monopoly=1)
    assert me.new_dev_cards == cards(knight=1)
    assert me.total_victory_points == 2
    assert seen.total_victory_points(1) == 2


def test_observe_hides_the_cards_of_others_and_the_deck() -> None:
    seen = table().main(player=1).observe(2)
    for other in seen.players[:2]:
        assert (other.hand, other.dev_cards, other.new_dev_cards, other.total_victory_points) == (None, None, None, None)
    assert seen.total_victory_points(0) is None
    assert seen.dev_deck is None


PUBLIC = ["board", "rules", "phase", "actor", "current_player_id", "turn_number", "dice_roll", "robber_hex", "bank"]
PUBLIC += ["dev_deck_size", "largest_army_owner", "largest_army_size", "longest_road_owner", "winner_id", "discard_queue"]
PUBLIC_OF_A_PLAYER = ["hand_size", "dev_card_count", "settlements", "cities", "roads", "ports", "played_dev_cards"]
PUBLIC_OF_A_PLAYER += ["played_knights", "revealed_vp_cards", "visible_victory_points", "longest_road_length"]


def test_observe_shows_what_is_public() -> None:
    state = table().main(player=1, roll=9, turn=14)
    for seat in range(3):
        seen = state.observe(seat)
        for name in PUBLIC:
            assert getattr(seen, name) == getattr(state, name), name
        for known, player in zip(seen.players, state.players, strict=True):
            for name in PUBLIC_OF_A_PLAYER:
                assert getattr(known, name) == getattr(player, name), name


def _swap_hands(t: Table) -> None:
    t.give(0, wood=-1, brick=1).give(2, wood=1, brick=-1)


def _swap_held_card_with_the_deck(t: Table) -> None:
    t.cards(0, knight=-1, monopoly=0, road_building=1)


def _victory_point_instead_of_a_knight(t: Table) -> None:
    t.cards(0, knight=-1, victory_point=1)


def _another_card_bought(t: Table) -> None:
    t.bought(1, knight=-1, year_of_plenty=1)


@pytest.mark.parametrize(
    ("change", "blind"),
    [
        (_swap_hands, {1}),
        (_swap_held_card_with_the_deck, {1, 2}),
        (_victory_point_instead_of_a_knight, {1, 2}),
        (_another_card_bought, {0, 2}),
    ],
)
def test_observe_is_the_same_whatever_is_hidden(change: Callable[[Table], None], blind: set[int]) -> None:
    """Two positions that differ only in what some seats cannot see are one and the same to these seats, and to no others."""
    other = table()
    change(other)
    one, two = table().main(player=1), other.main(player=1)
    assert one != two
    assert {seat for seat in range(3) if one.observe(seat) == two.observe(seat)} == blind
    for seat in blind:
        assert one.observe(seat)._repr_svg_() == two.observe(seat)._repr_svg_()
        assert repr(one.observe(seat)) == repr(two.observe(seat))


def test_observe_keeps_the_seed_to_itself() -> None:
    assert GameState.new(Board.beginner(), seed=99).observe(0).seed == 0


def _story() -> GameState:
    """P1 draws a card, P2 rolls a seven, makes P3 discard and robs P1."""
    start = Table(seats=3).build(0, settlements=[20]).give(0, sheep=1, wheat=1, ore=2).give(2, brick=8)
    state = play(start.main(), buy_dev_card(), drawn("knight"), end_turn(), roll_dice(), rolled(7))
    state = play(state, *[discard_resource("brick")] * 4, move_robber(4), steal_resource(0), stolen("ore"))
    return play(state, offer_trade({"ore": 1}, {"brick": 2}), decline_offer(), decline_offer())


STORY = [
    "turn 1 P1 buy_dev_card",
    "turn 1 P1 drawn knight",
    "turn 1 P1 end_turn",
    "turn 2 P2 roll_dice",
    "turn 2 P2 rolled 7",
    "turn 2 P3 discard_resource brick",
    "turn 2 P3 discard_resource brick",
    "turn 2 P3 discard_resource brick",
    "turn 2 P3 discard_resource brick",
    "turn 2 P2 move_robber 4",
    "turn 2 P2 steal_resource P1",
    "turn 2 P2 stolen ore",
    "turn 2 P2 offer_trade 1 ore for 2 brick",
    "turn 2 P3 decline_offer",
    "turn 2 P1 decline_offer",
]


def test_event_log_tells_the_whole_story() -> None:
    assert _story().event_log == STORY


def test_event_log_of_an_observer_hides_drawn_and_stolen_cards_from_others() -> None:
    state = _story()
    drawn_unseen, stolen_unseen = "turn 1 P1 drawn a card", "turn 2 P2 stolen a card"
    assert state.observe(0).event_log == STORY, "the buyer of the card and victim of the theft"
    assert state.observe(1).event_log == [*STORY[:1], drawn_unseen, *STORY[2:]], "the thief"
    assert state.observe(2).event_log == [*STORY[:1], drawn_unseen, *STORY[2:11], stolen_unseen, *STORY[12:]]


def test_actions_are_all_that_led_here() -> None:
    state = _story()
    assert [action.to_text() for action in state.actions] == [line.split(maxsplit=3)[3] for line in STORY]
    start = Table(seats=3).build(0, settlements=[20]).give(0, sheep=1, wheat=1, ore=2).give(2, brick=8).main()
    assert play(start, *state.actions) == state


def test_observation_cannot_be_played_on() -> None:
    seen = table().main(player=1).observe(1)
    with pytest.raises(ValueError, match="an observation cannot be played on: hidden cards are blank in it"):
        seen.apply(end_turn())
    with pytest.raises(ValueError, match="an observer has an event_log, not the actions"):
        _ = seen.actions
    with pytest.raises(ValueError, match="an observation does not hold the whole position"):
        seen.position()


def test_observation_lists_the_own_legal_actions_only() -> None:
    state = table().main(player=1)
    assert state.observe(1).legal_actions() == state.legal_actions()
    with pytest.raises(ValueError, match="player 1 does not see what others may do"):
        state.observe(0).legal_actions()


def test_observation_of_an_observation() -> None:
    seen = _story().observe(2)
    assert seen.observe(2) == seen
    assert seen.observe(2).event_log == seen.event_log
    with pytest.raises(ValueError, match="this is what player 3 knows; another view cannot be had from it"):
        seen.observe(1)


@pytest.mark.parametrize("seat", [-1, 3])
def test_observer_must_sit_at_the_table(seat: int) -> None:
    with pytest.raises(ValueError, match=f"seat {seat}: expected 0 to 2"):
        table().main(player=1).observe(seat)


def test_observation_shows_who_can_be_robbed() -> None:
    start = Table().build(1, settlements=[20]).build(3, settlements=[11]).turn_start()
    state = play(start, roll_dice(), rolled(7), move_robber(4))
    assert state.observe(0).pending_steal_target_ids == [1, 3]
    assert state.observe(1).pending_steal_target_ids == [1, 3]


# --- chance -----------------------------------------------------------------------------------------------


def test_outcomes_of_the_dice() -> None:
    state = play(Table().turn_start(), roll_dice())
    ways = {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}
    assert state.outcomes() == [(rolled(total), Fraction(n, 36)) for total, n in ways.items()]
    assert state.legal_actions() == [rolled(total) for total in ways]


def test_outcomes_of_a_theft_and_of_a_purchase() -> None:
    start = Table().build(1, settlements=[20]).give(1, wood=3, wheat=2).cards(0, knight=1).give(0, sheep=1, wheat=1, ore=1)
    state = play(start.main(), play_knight(4, 1))
    assert state.outcomes() == [(stolen("wood"), Fraction(3, 5)), (stolen("wheat"), Fraction(2, 5))]
    state = play(state, stolen("wheat"), buy_dev_card())
    assert state.outcomes() == [
        (drawn("knight"), Fraction(13, 24)),
        (drawn("victory_point"), Fraction(5, 24)),
        (drawn("road_building"), Fraction(1, 12)),
        (drawn("year_of_plenty"), Fraction(1, 12)),
        (drawn("monopoly"), Fraction(1, 12)),
    ]


def test_outcomes_are_none_when_a_player_is_to_move() -> None:
    assert Table().main().outcomes() == []
    assert Table().turn_start().outcomes() == []


def _with_seed(seed: int) -> GameState:
    """Two players after set-up, the first of whom has called for the dice."""
    state = GameState.new(Board.beginner(), seats=2, seed=seed)
    for corner, road in [(1, (1, 2)), (20, (20, 21)), (40, (40, 41)), (25, (25, 26))]:
        state = play(state, place_setup_settlement(corner), place_setup_road(road))
    return play(state, roll_dice())


def test_resolve_is_reproducible() -> None:
    for seed in range(20):
        one, two = _with_seed(seed).resolve(), _with_seed(seed).resolve()
        assert one == two
        assert one.event_log == two.event_log
        assert one.actor in (0, 1)
        assert one.dice_roll in range(2, 13)
    assert len({_with_seed(seed).resolve().dice_roll for seed in range(60)}) >= 8


def test_resolve_gives_the_same_dice_after_games_have_diverged() -> None:
    for seed in range(20):
        quiet = play(_with_seed(seed), rolled(8))
        busy = play(_with_seed(seed), rolled(12), offer_trade({"ore": 1}, {"wood": 1}), decline_offer())
        rolls = [play(state, end_turn(), roll_dice()).resolve().dice_roll for state in (quiet, busy)]
        assert rolls[0] == rolls[1]


def test_resolve_draws_afresh_for_every_theft_of_a_turn() -> None:
    """In the same turn of the same game, a knight before the roll, a seven, and a knight after the roll are three events."""
    stolen_cards = []
    for seed in range(40):
        start = Table(seed=seed).build(1, settlements=[20]).give(1, wood=3, ore=3).cards(0, knight=1).turn_start()
        knight = play(start, play_knight(4, 1))
        seven = play(start, roll_dice(), rolled(7), move_robber(4), steal_resource(1))
        late_knight = play(start, roll_dice(), rolled(12), play_knight(4, 1))
        stolen_cards.append([state.resolve().actions[-1].data["resource"] for state in (knight, seven, late_knight)])
    for i, j in ((0, 1), (0, 2), (1, 2)):
        assert 10 <= sum(cards[i] == cards[j] for cards in stolen_cards) <= 30


def test_resolve_draws_afresh_for_every_card_bought_in_a_turn() -> None:
    equal = 0
    for seed in range(40):
        state = play(Table(seed=seed).give(0, sheep=2, wheat=2, ore=2).main(), buy_dev_card()).resolve()
        first = state.actions[-1]
        second = play(state, buy_dev_card()).resolve().actions[-1]
        equal += first == second
    assert 10 <= equal <= 30


def test_resolve_leaves_players_their_choice() -> None:
    state = Table().turn_start()
    assert state.resolve() == state


# --- equality, text and picture ---------------------------------------------------------------------------


def test_equal_positions_are_equal_however_they_came_about() -> None:
    start = Table().build(0, settlements=[20]).give(0, wood=5, brick=5).main()
    one = play(start, build_road((20, 21)), trade_bank("wood", "ore"), trade_bank("brick", "ore"))
    two = play(start, trade_bank("brick", "ore"), trade_bank("wood", "ore"), build_road((20, 21)))
    assert one == two
    assert hash(one) == hash(two)
    assert len({one, two, start}) == 2
    assert one.event_log != two.event_log


def test_equality_is_about_the_position_not_the_seed() -> None:
    assert GameState.new(Board.beginner(), seed=1) == GameState.new(Board.beginner(), seed=2)


def test_different_positions_are_different() -> None:
    others: list[Any] = [
        Table().main(player=1),
        Table().main(roll=5),
        Table().turn_start(),
        Table(seats=3).main(),
        Table().robber(3).main(),
        Table(rules=Rules(victory_points=9)).main(),
        Table(board=Board.random(1)).main(),
        Table().main().observe(0),
        "a string",
        None,
    ]
    for other in others:
        assert Table().main() != other


def won_by_the_third() -> GameState:
    """P3 has the 3 points that win when the turn begins."""
    return play(Table(rules=Rules(victory_points=3)).build(2, settlements=[1, 3, 5]).main(player=1), end_turn())


MOMENTS: dict[str, Callable[[], GameState]] = {
    "set-up, player 1 to place a settlement": lambda: GameState.new(Board.beginner()),
    "set-up, player 1 to place a road": lambda: play(GameState.new(Board.beginner()), place_setup_settlement(20)),
    "turn 7, player 3 to roll": lambda: Table().turn_start(player=2, turn=7),
    "turn 5, chance": lambda: play(Table().turn_start(turn=5), roll_dice()),
    "turn 8, player 4 to trade, build or play a card": lambda: Table().main(player=3, turn=8),
    "turn 2, player 2 to roll, as player 1 sees it": lambda: Table().turn_start(player=1).observe(0),
    "turn 1, player 2 to discard": lambda: play(Table().give(1, ore=8).turn_start(), roll_dice(), rolled(7)),
    "turn 1, player 1 to move the robber": lambda: play(Table().turn_start(), roll_dice(), rolled(7)),
    "turn 1, player 2 to answer the offer": lambda: play(Table().give(0, ore=1).main(), offer_trade({"ore": 1}, {"wood": 1})),
    "over after turn 9, no winner": lambda: play(Table(rules=Rules(max_turns=9)).main(turn=9), end_turn()),
    "over after turn 3, player 3 won": won_by_the_third,
}


@pytest.mark.parametrize("text", MOMENTS)
def test_repr_says_what_the_game_waits_for(text: str) -> None:
    assert repr(MOMENTS[text]()) == f"<GameState: {text}>"


def test_outcome_of_a_finished_game() -> None:
    state = won_by_the_third()
    assert (state.outcome, state.winner_id, state.actor) == (Outcome("victory", 2), 2, None)
    assert state.position()["winner"] == 2
    assert legal(state) == []
    assert refusal(state, roll_dice()) == "the game is over"


@pytest.mark.parametrize("observer", [None, 0, 2])
def test_picture_is_svg(observer: int | None) -> None:
    state = table().main(player=1)
    picture = (state if observer is None else state.observe(observer))._repr_svg_()
    assert ET.fromstring(picture).tag == "{http://www.w3.org/2000/svg}svg"


def test_position_by_the_names_of_the_record() -> None:
    assert table().main(player=1, roll=9, turn=14).position() == {
        "phase": "MAIN",
        "actor": 1,
        "player": 1,
        "turn": 14,
        "roll": 9,
        "hands": [
            {"wood": 2, "brick": 0, "sheep": 0, "wheat": 0, "ore": 1},
            {"wood": 0, "brick": 0, "sheep": 1, "wheat": 1, "ore": 1},
            {"wood": 0, "brick": 4, "sheep": 0, "wheat": 0, "ore": 0},
        ],
        "bank": {"wood": 17, "brick": 15, "sheep": 18, "wheat": 18, "ore": 17},
        "dev_cards": [cards(knight=1, victory_point=1), cards(knight=1, monopoly=1), cards()],
        "new_dev_cards": cards(knight=1),
        "played_dev_cards": [cards(knight=3), cards(), cards(monopoly=1)],
        "dev_deck": cards(knight=9, victory_point=4, road_building=2, year_of_plenty=2),
        "roads": [[[20, 21], [21, 22]], [[17, 18], [18, 19]], []],
        "settlements": [[1], [17, 25], [40]],
        "cities": [[20], [], []],
        "robber": 4,
        "visible_points": [5, 2, 1],
        "total_points": [6, 2, 1],
        "longest_road": {"holder": None, "lengths": [2, 2, 0]},
        "largest_army": {"holder": 0, "sizes": [3, 0, 0]},
        "dev_card_played": False,
        "free_roads": 0,
        "discards": [0, 0, 0],
        "victim": None,
        "setup_corner": None,
        "offer": None,
        "offers_made": 0,
        "winner": None,
    }


def test_position_in_the_middle_of_things() -> None:
    state = play(GameState.new(Board.beginner()), place_setup_settlement(20))
    assert state.position()["setup_corner"] == 20
    state = play(Table().build(1, settlements=[20]).give(1, ore=1).cards(0, knight=1).main(), play_knight(4, 1))
    found = state.position()
    assert (found["phase"], found["actor"], found["victim"], found["dev_card_played"]) == ("STEALING", "chance", 1, True)
    assert play(state, stolen("ore")).position()["victim"] is None


def test_legal_actions_ascend_in_their_codes() -> None:
    rich = Table().build(0, settlements=[20, 0], roads=chain(20, 21, 22)).give(0, wood=4, brick=4, sheep=4, wheat=4, ore=4)
    state = rich.cards(0, knight=1, road_building=1, year_of_plenty=1, monopoly=1).main()
    codes = [action.code for action in state.legal_actions()]
    assert codes == sorted(set(codes))
    assert all(state.is_legal(Action.from_code(code)) for code in codes)
    assert hand(state, 0) == dict.fromkeys(("wood", "brick", "sheep", "wheat", "ore"), 4)


# --- plans that win, spectators, pickles ------------------------------------------------------------------


def test_a_plan_ends_with_the_game() -> None:
    """Eight points and the third knight: Largest Army wins before the robber moves."""
    state = Table().build(0, cities=[20, 22, 35, 45]).cards(0, knight=1).played(0, knight=2).main()
    assert state.visible_victory_points(0) == 8
    won = state.apply(play_knight(0, 1))
    assert won.outcome == Outcome("victory", 0)
    assert won.robber_hex == state.robber_hex


def test_a_spectator_sees_no_hand() -> None:
    state = Table().give(0, wood=2).give(1, ore=3).main()
    seen = state.observe(None)
    assert [player.hand for player in seen.players] == [None] * 4
    assert [player.hand_size for player in seen.players] == [2, 3, 0, 0]
    assert repr(seen).endswith("as a spectator sees it>")
    with pytest.raises(ValueError, match="another view cannot be had"):
        seen.observe(0)


def test_a_spectator_does_not_see_the_stolen_card() -> None:
    start = Table().build(1, settlements=[20]).give(1, wood=1).turn_start()
    state = play(start, roll_dice(), rolled(7), move_robber(4), steal_resource(1), stolen("wood"))
    assert state.event_log[-1].endswith("stolen wood")
    assert state.observe(None).event_log[-1].endswith("stolen a card")
    assert state.observe(1).event_log[-1].endswith("stolen wood")
    assert state.observe(2).event_log[-1].endswith("stolen a card")


def test_states_and_errors_survive_a_pickle() -> None:
    state = play(Table().give(0, wood=4).main(), trade_bank("wood", "ore"), end_turn())
    again = pickle.loads(pickle.dumps(state))
    assert again == state
    assert again.actions == state.actions
    assert again.apply(roll_dice()) == state.apply(roll_dice())
    with pytest.raises(IllegalAction) as caught:
        state.apply(end_turn())
    error = pickle.loads(pickle.dumps(caught.value))
    assert (str(error), error.reason) == (str(caught.value), "WRONG_PHASE")
    assert pickle.loads(pickle.dumps(trade_bank("wood", "ore"))) == trade_bank("wood", "ore")


def test_an_observer_asks_only_about_the_own_choices() -> None:
    state = Table().give(0, wood=4).main()
    mine = state.observe(0)
    assert mine.why_not(trade_bank("wood", "ore")) is None
    assert mine.why_not(trade_bank("ore", "wood")) == "you cannot pay for it"
    assert mine.why_not(play_knight(3)) == "you do not have that development card"
    with pytest.raises(ValueError, match="does not see what others may do"):
        state.observe(1).outcomes()
