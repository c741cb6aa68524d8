"""A review as a file: what was found comes back, and what is no review is refused in one line."""

import json
from pathlib import Path

import pytest

from kibitz.catan.core.board import Board
from kibitz.catan.core.record import simulate
from kibitz.catan.core.state import Rules
from kibitz.catan.review import Review, ReviewConfig, look_back
from kibitz.catan.review.shared import InvalidReview, is_shared, read_shared, shared_text

RECORD = simulate(Board.beginner(), ["builder"] * 2, 3, Rules(victory_points=3))
STEPS = len(RECORD.codes)


@pytest.fixture(scope="module")
def shared():
    found = look_back(RECORD, ReviewConfig(worlds=2, games=0))
    return found, shared_text(RECORD, found)


def test_game_and_review_come_back(shared):
    found, text = shared
    assert is_shared(text)
    assert read_shared(text) == (RECORD, found)


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda data: {**data, "version": 9}, "version 9"),
        (lambda data: {**data, "record": None}, "record is missing"),
        (lambda data: {**data, "record": data["record"][:3]}, "line"),
        (lambda data: {**data, "review": {}}, "seats is missing"),
        (lambda data: {**data, "review": {**data["review"], "seats": 4}}, "another game"),
        (lambda data: {**data, "review": {**data["review"], "accounts": data["review"]["accounts"][:1]}}, "damaged"),
        (
            lambda data: {**data, "review": {**data["review"], "moments": [{**data["review"]["moments"][0], "step": 9999}]}},
            "another",
        ),
        (
            lambda data: {**data, "review": {**data["review"], "verdicts": [{**data["review"]["verdicts"][0], "step": STEPS}]}},
            "another",
        ),
    ],
)
def test_what_is_damaged_is_refused_in_one_line(shared, damage, complaint):
    text = json.dumps(damage(json.loads(shared[1])))
    with pytest.raises(InvalidReview, match=complaint) as refused:
        read_shared(text)
    assert "\n" not in str(refused.value)


@pytest.mark.plain
@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": "kibitz review"}', "x" * 1000])
def test_what_is_something_else_is_refused(text):
    with pytest.raises(InvalidReview):
        read_shared(text)


@pytest.mark.plain
def test_a_review_that_has_only_begun_is_shared_too():
    text = shared_text(RECORD, Review(2))
    assert read_shared(text)[1] == Review(2)


@pytest.mark.plain
def test_a_file_that_was_shared_once_is_still_opened():
    """Written by 0.2: the format must not change under those who kept it."""
    text = (Path(__file__).parents[2] / "golden" / "kept" / "shared.review.json").read_text(encoding="utf-8")
    record, review = read_shared(text)
    assert record.seats == ("Ann", "Bob")
    (entry,) = review.entries
    assert (entry.verdict.best, entry.verdict.grade, entry.steps) == ("play_monopoly ore", "blunder", (5, 7))
    assert shared_text(record, review) == text
    assert read_shared(text.replace(', "award": null', ""))[1] == review  # written before reasons told of awards
