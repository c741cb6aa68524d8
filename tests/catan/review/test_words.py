"""What people read: places by what lies there, differences in points, reasons, and what a game came to."""

import pytest

from kibitz.catan.analysis.types import Difference
from kibitz.catan.core.board import Board
from kibitz.catan.review.types import Account, Award, Entry, Fortune, Moment, Verdict, Why, grade_of
from kibitz.catan.review.words import (
    fortune_words,
    grade_words,
    move_words,
    reasons_in_words,
    turn_words,
    verdict_in_words,
)
from kibitz.game.evaluator import SURE
from kibitz.ground.signs import MINUS

pytestmark = [pytest.mark.plain, pytest.mark.once]
BOARD, NAMES = Board.beginner(), ("Ann", "Bob")


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("place_setup_settlement 41", "a settlement on wheat 6, brick 5, ore 3"),
        ("build_road 17-18", "a road between wheat 12 and wheat 9"),
        ("build_road 0-8", "a road on the coast of ore 10, beside wheat 12"),
        ("build_road 0-1", "a road on the coast of ore 10"),
        ("move_robber 4", "the robber to brick 6"),
        ("move_robber 9", "the robber to the desert"),
        ("steal_resource P2", "rob Bob"),
        ("play_monopoly ore", "play Monopoly on ore"),
        ("end_turn", "end the turn"),
    ],
)
def test_moves_are_told_by_what_lies_there(move, words):
    assert move_words(move, BOARD, NAMES) == words


def entry(why):
    return Entry(Verdict(5, 2, 0, "end_turn", "build_city 41", Difference(0.1, 0.1, 0.1), 100, "blunder"), (5,), why=why)


def test_why_tells_the_line_the_income_who_is_blocked_and_when_points_come():
    why = Why(
        line=("build_city 41", "buy_dev_card", "build_road 17-18"),
        income=(0.0, 4.0, 0.0, 5.0, -2.0),
        blocked=(0.0, 3.0),
        cards=2.0,
        points=((1, 4.0, 3.0), (3, 5.0, 4.5)),
        lost=(41, 1, 0.5),
        award=Award("road", 1, 0.04, 0.93),
    )
    assert reasons_in_words(entry(why), BOARD, NAMES) == [
        "Then buy a development card and build a road between wheat 12 and wheat 9.",
        "Three rounds later Bob holds the Longest Road in 4 % of games instead of 93 %.",
        f"Over 36 rolls it brings 7 more cards (brick +4, wheat +5, ore {MINUS}2).",
        "Bob gets 3 fewer cards.",
        "Otherwise Bob takes wheat 6, brick 5, ore 3 in 50 % of games.",
        "It leaves 2 more cards in hand at the end of the turn.",
        "After 1 round it leads to 4.0 victory points on average instead of 3.0.",
    ]


def test_who_gets_fewer_cards_is_told_with_the_rolls_that_are_meant():
    assert reasons_in_words(entry(Why(blocked=(0.0, 3.0), points=((1, 4.0, 4.0),))), BOARD, NAMES)[0] == (
        "Over 36 rolls Bob gets 3 fewer cards."
    )
    assert reasons_in_words(entry(Why(lost=(41, 1, 1.0))), BOARD, ("Ann", "You")) == [
        "Otherwise you always take wheat 6, brick 5, ore 3."
    ]


def test_what_the_better_move_costs_is_called_its_price():
    """Fewer cards for oneself and more for others are no reasons: they come after those, and are told as a cost."""
    why = Why(
        income=(-7.0, 0.0, 2.0, 0.0, -2.0),
        blocked=(0.0, 3.0, -4.0),
        lost=(41, 1, 1.0),
        points=((1, 4.0, 3.0),),
    )
    assert reasons_in_words(entry(why), BOARD, ("Ann", "Bob", "You")) == [
        "Over 36 rolls Bob gets 3 fewer cards.",
        "Otherwise Bob always takes wheat 6, brick 5, ore 3.",
        f"The price: over 36 rolls it brings 7 fewer cards (wood {MINUS}7, sheep +2, ore {MINUS}2) and you get 4 more cards.",
        "After 1 round it leads to 4.0 victory points on average instead of 3.0.",
    ]
    alone = Why(blocked=(0.0, -3.0), points=((1, 4.0, 3.0),))
    assert reasons_in_words(entry(alone), BOARD, NAMES)[0] == "The price: over 36 rolls Bob gets 3 more cards."


def test_other_cards_but_as_many_are_no_price():
    why = Why(income=(-3.0, 0.0, 3.2, 0.0, 0.0))
    assert reasons_in_words(entry(why), BOARD, NAMES) == [
        f"Over 36 rolls it brings just as many cards (wood {MINUS}3, sheep +3)."
    ]


def test_an_award_of_yours_is_told_as_yours():
    why = Why(award=Award("army", 1, 0.8, 0.5))
    assert reasons_in_words(entry(why), BOARD, ("Ann", "You")) == [
        "Three rounds later you hold the Largest Army in 80 % of games instead of 50 %."
    ]


def test_where_nothing_can_be_named_it_is_said():
    assert "no sooner" in reasons_in_words(entry(Why(points=((1, 4.0, 4.0),))), BOARD, NAMES)[-1]
    assert "later" in reasons_in_words(entry(Why(points=((1, 4.0, 4.5),))), BOARD, NAMES)[-1]


def account(luck, losses, result):
    start, luck, lost, end = (round(share * SURE) for share in (0.25, luck, losses, result))
    return Account(start, luck, 0, 0, -lost, end - start - luck + lost, end, lost, 0)


@pytest.mark.parametrize(
    ("luck", "losses", "result", "end"),
    [
        (-0.14, 0.31, 0, "you lost by play"),
        (-0.4, 0.1, 0, "you lost by bad luck"),
        (0.1, 0.02, 0, "you lost because others played better"),
        (0.8, 0.2, 1, "you won by luck"),
        (0.1, 0.0, 1, "you won by play"),
        (0.5, 0.0, 1, "you won with some luck"),
    ],
)
def test_a_game_is_summed_up_in_a_sentence(luck, losses, result, end):
    assert verdict_in_words(account(luck, losses, result), "you").endswith(f": {end}.")


def test_differences_are_points_with_their_sign():
    said = verdict_in_words(account(-0.14, 0.31, 0), "you")
    assert said == f"Dice and cards were worth {MINUS}14 points to you, your decisions cost 31: you lost by play."
    assert "%" not in said
    unfinished = verdict_in_words(account(-0.14, 0.31, 0.3), "Ann", over=False)
    assert unfinished == f"Dice and cards were worth {MINUS}14 points to Ann, their decisions cost 31."


def test_rolls_cards_turns_and_grades_have_words():
    assert fortune_words(Fortune(3, 1, 1, "dice", "8", (1, 2)), NAMES) == "Bob rolled 8"
    assert fortune_words(Fortune(3, 1, 0, "stolen card", "ore", (1, 2)), NAMES) == "Ann stole ore"
    assert fortune_words(Fortune(3, 1, 0, "drawn card", "victory_point", (1, 2)), NAMES) == "Ann drew a victory point"
    assert fortune_words(Fortune(3, 1, 0, "drawn card", "year_of_plenty", (1, 2)), NAMES) == "Ann drew Year of Plenty"
    # a review from elsewhere may name anything
    assert fortune_words(Fortune(3, 1, 0, "drawn card", "a castle", (1, 2)), NAMES) == "Ann drew a castle"
    assert turn_words(Moment(0, 0, 1, (), ())) == "draft"
    assert grade_words().startswith("Points lost: blunder 10 or more")
    assert [grade_of(loss) for loss in (0.0, 0.019, 0.05, 0.1)] == ["best", "good", "mistake", "blunder"]
