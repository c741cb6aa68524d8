"""What may be typed in a game of Catan in the terminal, and how mistakes are answered."""

import contextlib
import re
from itertools import product

import pytest

from kibitz.catan import Board, GameState, Rules
from kibitz.catan.commands.choices import Question, Refused, spoken
from kibitz.catan.commands.typed import WORDS, read_steps
from kibitz.catan.core.actions import Action, discard_resource
from kibitz.catan.core.board import RESOURCES
from kibitz.catan.core.record import simulate
from kibitz.cli.keyboard import NotUnderstood
from kibitz.game import actor_at, hide_at, legal_actions
from tests.catan.positions import Table, chain, play


def asked(state: GameState, seat: int = 0) -> Question:
    view = state.observe(seat).states
    return Question(view, seat, legal_actions(view))


def table(**hand: int) -> Table:
    """Player 1 on corner 20 (brick 6, wood 11, desert) of the beginner board, player 2 on 41 (wheat 6, brick 5, ore 3)."""
    cards = {"knight": 1, "monopoly": 1, "year_of_plenty": 1, "road_building": 1}
    placed = Table(seats=3).build(0, settlements=[20], roads=chain(20, 21, 22)).build(1, settlements=[41], roads=[(41, 42)])
    return placed.build(2, settlements=[39], roads=[(38, 39)]).give(0, **hand).give(1, wood=1).give(2, ore=1).cards(0, **cards)


RICH = asked(table(wood=5, brick=2, sheep=1, wheat=3, ore=3).main())
SETUP = asked(GameState.new(Board.beginner(), 3))
ROAD = asked(GameState.new(Board.beginner(), 3).apply(Action.from_text("place_setup_settlement 20")))
ROBBER = asked(play(table(wood=1).main(), Action.from_text("play_knight")))
STEAL = asked(play(table(wood=1).main(), Action.from_text("play_knight"), Action.from_text("move_robber 16")))
SEVEN = asked(play(table(wood=5, ore=4).turn_start(), Action.from_text("roll_dice"), Action.from_text("rolled 7")))
OFFERED = play(table(wood=5).main(), Action.from_text("offer_trade 1 wood for 1 ore"))
ANSWER = asked(OFFERED, 1)
CHOICE = asked(play(OFFERED, Action.from_text("decline_offer"), Action.from_text("accept_offer")))
FREE = asked(play(table(wood=1).main(), Action.from_text("play_road_building")))


@pytest.mark.plain
@pytest.mark.parametrize(
    ("typed", "question", "meant"),
    [
        ("23", SETUP, ["place_setup_settlement 23"]),
        ("settlement 23", SETUP, ["place_setup_settlement 23"]),
        ("Place a settlement on V23", SETUP, ["place_setup_settlement 23"]),
        ("s 23", SETUP, ["place_setup_settlement 23"]),
        ("31", ROAD, ["place_setup_road 20-31"]),
        ("20-31", ROAD, ["place_setup_road 20-31"]),
        ("road 31 20", ROAD, ["place_setup_road 20-31"]),
        ("23-22", FREE, ["place_free_road 22-23"]),
        ("road 20-31", RICH, ["build_road 20-31"]),
        ("build road V20-V31", RICH, ["build_road 20-31"]),
        ("road 31", RICH, ["build_road 20-31"]),
        ("settlement 22", RICH, ["build_settlement 22"]),
        ("settlement", RICH, ["build_settlement 22"]),
        ("settle 22", RICH, ["build_settlement 22"]),
        ("city", RICH, ["build_city 20"]),
        ("c", RICH, ["build_city 20"]),
        ("buy", RICH, ["buy_dev_card"]),
        ("buy a road on 20-31", RICH, ["build_road 20-31"]),
        ("dev card", RICH, ["buy_dev_card"]),
        ("trade 4 wood for ore", RICH, ["trade_bank 4 wood for ore"]),
        ("trade wood for ore", RICH, ["trade_bank 4 wood for ore"]),
        ("bank 4wood -> ore", RICH, ["trade_bank 4 wood for ore"]),
        ("offer wood for ore", RICH, ["offer_trade 1 wood for 1 ore"]),
        ("offer 2 wood, brick for 1 ore", RICH, ["offer_trade 2 wood 1 brick for 1 ore"]),
        ("offer lumber for grain wool", RICH, ["offer_trade 1 wood for 1 sheep 1 wheat"]),
        ("knight", RICH, ["play_knight"]),
        ("knight h16", RICH, ["play_knight", "move_robber 16"]),
        ("knight h16 3", RICH, ["play_knight", "move_robber 16", "steal_resource P3"]),
        ("play knight wheat 6 rob P2", RICH, ["play_knight", "move_robber 17", "steal_resource P2"]),
        ("monopoly ore", RICH, ["play_monopoly ore"]),
        ("plenty ore", RICH, ["play_year_of_plenty ore"]),
        ("year of plenty wood ore", RICH, ["play_year_of_plenty wood ore"]),
        ("plenty 2 ore", RICH, ["play_year_of_plenty ore ore"]),
        ("road building", RICH, ["play_road_building"]),
        ("roads 20-31 31-32", RICH, ["play_road_building", "place_free_road 20-31", "place_free_road 31-32"]),
        ("end turn", RICH, ["end_turn"]),
        ("done", RICH, ["end_turn"]),
        ("h16", ROBBER, ["move_robber 16"]),
        ("hex 16", ROBBER, ["move_robber 16"]),
        ("robber to wheat 6", ROBBER, ["move_robber 17"]),
        ("wheat 6", ROBBER, ["move_robber 17"]),
        ("16", ROBBER, ["move_robber 16"]),
        ("move robber h16 rob 2", ROBBER, ["move_robber 16", "steal_resource P2"]),
        ("2", STEAL, ["steal_resource P2"]),
        ("steal from player 3", STEAL, ["steal_resource P3"]),
        ("discard 2 wood 2 ore", SEVEN, ["discard_resource wood"] * 2 + ["discard_resource ore"] * 2),
        ("wood wood 2 ore", SEVEN, ["discard_resource wood"] * 2 + ["discard_resource ore"] * 2),
        ("yes", ANSWER, ["accept_offer"]),
        ("no", ANSWER, ["decline_offer"]),
        ("pass", ANSWER, ["decline_offer"]),
        ("3", CHOICE, ["confirm_trade P3"]),
        ("trade with 3", CHOICE, ["confirm_trade P3"]),
        ("deal", CHOICE, ["confirm_trade P3"]),
        ("cancel", CHOICE, ["cancel_offer"]),
        ("no", CHOICE, ["cancel_offer"]),
    ],
)
def test_what_is_understood(typed, question, meant):
    assert [step.to_text() for step in read_steps(typed, question)] == meant


@pytest.mark.plain
def test_a_number_is_a_row_of_the_choices():
    words = [choice.word for choice in RICH.choices]
    assert words == [
        "road", "settlement", "city", "buy", "knight", "roads", "plenty", "monopoly", "trade", "offer", "end",
    ]  # fmt: skip
    assert read_steps("11", RICH) == [Action("end_turn")]
    assert read_steps(str(1 + words.index("city")), RICH) == [Action("build_city", {"corner": 20})]
    with pytest.raises(NotUnderstood, match="Which one: road 11-21, 19-20"):
        read_steps("1", RICH)


@pytest.mark.plain
def test_a_harbour_makes_trades_cheaper():
    """Corner 1 of the beginner board has a 3:1 harbour, corner 3 one for wheat."""
    ports = Table(seats=2).build(0, settlements=[1, 3], roads=[(1, 2)]).build(1, settlements=[41])
    question = asked(ports.give(0, wood=4, wheat=2, sheep=1).main())
    (trade,) = [choice for choice in question.choices if choice.word == "trade"]
    assert trade.ends == ("3 wood for brick, sheep, wheat or ore", "2 wheat for wood, brick, sheep or ore")
    assert [step.to_text() for step in read_steps("trade wheat for ore", question)] == ["trade_bank 2 wheat for ore"]
    assert [step.to_text() for step in read_steps("trade wood for ore", question)] == ["trade_bank 3 wood for ore"]
    with pytest.raises(Refused, match="trade 3 sheep for ore costs 3 sheep, and you lack 2 sheep"):
        question.carried_out(read_steps("trade sheep for ore", question))


@pytest.mark.plain
@pytest.mark.parametrize(
    ("typed", "question", "words"),
    [
        ("", RICH, "Type a number or words, or ? for help."),
        ("12", RICH, "There is no choice 12; choose 1 to 11."),
        ("hello", RICH, "'hello' is not a move: type a number or words, or ? for help."),
        ("setlement 22", RICH, "'setlement' is not a move: did you mean settlement?"),
        ("ro 3-4", RICH, "Which one: road or roads?"),
        ("road 1 40", RICH, "Corners 1 and 40 are not neighbours: next to 1 are 0 and 2."),
        ("road 20", RICH, "Which one: road 11-21, 19-20, 20-31, 22-23 or 22-33?"),
        ("settlement 99", SETUP, "The corners are 0 to 53."),
        ("settlement", SETUP, "Say where, as in settlement 23."),
        ("trade wodo for ore", RICH, "'wodo' is not a resource: did you mean wood?"),
        ("trade gold for ore", RICH, "'gold' is not a resource: these are wood, brick, sheep, wheat and ore."),
        ("trade 4 wood", RICH, "Say what for what, as in trade 4 wood for ore."),
        ("trade 1 wood for ore", RICH, "Expected 2, 3 or 4 cards of one resource for one card."),
        ("trade 5 wood for ore", RICH, "Expected 2, 3 or 4 cards of one resource for one card."),
        ("offer wood for wood", RICH, "A resource cannot be on both sides of a trade."),
        ("offer", RICH, "Say what for what, as in offer wood for ore."),
        ("robber 6", ROBBER, "Which one: h4 (brick 6), h6 (brick 10) or h17 (wheat 6)?"),
        ("robber wood 7", ROBBER, "Which hex? Type h0 to h18"),
        ("robber h19", ROBBER, "'h19' is not a resource"),
        ("rob 7", STEAL, "Which player? The players are 1 to 3."),
        ("discard wood", SEVEN, "You must discard 4 cards, in one line, as in discard 2 wood 1 ore; you named 1."),
        ("discard", RICH, "There is nothing to discard now."),
        ("monopoly", RICH, "Name one resource, as in monopoly ore."),
        ("plenty ore ore ore", RICH, "Name two cards, as in plenty wood ore."),
        ("end 7", RICH, "end takes no further words: '7' does not belong there."),
        ("²", RICH, "'²' is not a move"),
    ],
)
def test_what_is_not_understood_is_explained(typed, question, words):
    with pytest.raises(NotUnderstood, match=re.escape(words)):
        read_steps(typed, question)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("typed", "question", "words"),
    [
        ("roll", RICH, "Not now: you are to trade, build or play a card."),
        ("end", SETUP, "Not now: you are to place a settlement."),
        ("settlement 21", RICH, "Corner 21 is next to another settlement or city (distance rule). Possible: settlement 22."),
        ("settlement 20", RICH, "Corner 20 is taken. Possible: settlement 22."),
        ("road 20-21", RICH, "There is a road on 20-21 already. Possible: road 11-21, 19-20"),
        ("road 0-1", RICH, "Road 0-1 does not touch your network."),
        ("trade 3 wood for ore", RICH, "You have no harbour with that rate."),
        ("trade 4 sheep for ore", RICH, "trade 4 sheep for ore costs 4 sheep, and you lack 3 sheep."),
        ("offer 9 wood for ore", RICH, "These cards are not in your hand."),
        ("knight h9", RICH, "The robber must move to another hex."),
        ("knight h0 2", RICH, "After that, rob 2 is not possible."),
        ("city 20", asked(table(wheat=1, ore=2).main()), "city 20 costs 2 wheat, 3 ore, and you lack 1 wheat, 1 ore."),
        (
            "accept",
            asked(play(table(wood=5).main(), Action.from_text("offer_trade 1 wood for 1 sheep")), 1),
            "not in your hand",
        ),
        ("rob 1", STEAL, "Player 1 cannot be robbed on this hex. Possible: rob 2 or 3."),
        ("4 wood", SEVEN, ""),
        ("4 sheep", SEVEN, "These cards are not in your hand."),
        ("deal 2", CHOICE, "Player 2 has not accepted the offer. Possible: deal 3."),
    ],
)
def test_what_the_rules_forbid_is_explained(typed, question, words):
    steps = read_steps(typed, question)
    if not words:
        assert question.carried_out(steps) == [discard_resource("wood").code] * 4
        return
    with pytest.raises(Refused, match=re.escape(words)):
        question.carried_out(steps)


@pytest.mark.plain
def test_a_plan_that_wins_is_not_carried_on():
    """The third knight brings Largest Army and the tenth point; nobody is robbed any more."""
    won = Table(seats=3).build(0, cities=[20, 41, 23, 43]).cards(0, knight=1).played(0, knight=2).build(1, settlements=[39])
    question = asked(won.give(1, wood=1).main())
    knight = read_steps("knight h16 2", question)
    assert question.carried_out(knight)[0] == Action("play_knight").code


def test_whatever_is_typed_is_answered():
    """Every two and some three words out of everybody's mouth: steps, or a sentence that says what was expected."""
    words = [
        *WORDS, *RESOURCES, "0", "1", "2", "20", "31", "53", "54", "999999999", "3-4", "h9", "h99", "hex", "desert", "for",
        "and", "a", "v20", "p9", "-", "²", "?", "build", "card", "4wood", "it's", "\x1b[A", "ö",
    ]  # fmt: skip
    texts = [
        *words,
        *map(" ".join, product(words, words)),
        *(f"{word} 2 wood for {other}" for word, other in product(words, words)),
    ]
    for question in (RICH, SETUP, ROBBER, SEVEN, CHOICE):
        for text in texts:
            with contextlib.suppress(NotUnderstood, Refused):
                assert question.carried_out(read_steps(text, question))


@pytest.mark.parametrize("rules", [Rules(), Rules(phased_turns=True)], ids=["usual", "phased"])
def test_every_legal_action_can_be_typed_as_it_is_said(rules):
    """Through a whole game, as the seats see it: what is said of an action is read as this action."""
    record = simulate(Board.random(3), ["builder", "random", "seed"], seed=4, rules=rules)
    kinds = set()
    for states in record.states():
        seat = actor_at(states, 0)
        if seat < 0:
            continue
        view = states.copy()
        hide_at(view, 0, seat)
        question = Question(view, seat, legal_actions(view))
        for action in question.actions:
            if action.kind != "discard_resource":
                kinds.add(action.kind)
                assert read_steps(spoken(action), question) == [action]
                assert question.carried_out([action]) == [action.code]
    assert len(kinds) > 15
