"""A game to step through: whose report it opens with, and what was offered."""

from pathlib import Path

import pytest

from kibitz.catan.core.board import Board
from kibitz.catan.core.record import simulate
from kibitz.catan.logs import read
from kibitz.catan.manners import is_offer
from kibitz.catan.pages.review.story import Story, keep, likely_story, story_of
from kibitz.web.store import Store
from tests.catan.logs.writers import write

PEOPLE = ("Ada", "Ben", "Cleo")


@pytest.fixture(scope="module")
def record():
    return simulate(Board.beginner(), ["builder"] * 3, 3)


def test_a_game_among_people_is_for_who_wrote_the_log(record):
    story = likely_story(read(write(record, "colonist-frames", 1, PEOPLE)))
    assert (story.names, story.person) == (PEOPLE, 1)
    store = Store(Path(":memory:"))
    kept = story_of(store.load(keep(store, story)).data)
    assert (kept.person, kept.observer) == (1, 1)
    store.close()


def test_a_game_that_everybody_saw_is_for_nobody_in_particular(record):
    assert Story(record).person is None


def test_a_seat_that_there_is_not_is_nobody(record):
    store = Store(Path(":memory:"))
    data = store.load(keep(store, Story(record))).data
    assert "observer" not in data
    assert story_of({**data, "observer": 7}).person is None
    store.close()


def test_an_offer_is_told_where_it_is_to_be_answered(record):
    story = Story(record)
    made = [step for step, code in enumerate(record.codes, start=1) if is_offer(code)]
    assert made
    assert [story.offer_at(step) for step in made] == [f"{story.said(step)}." for step in made]
    assert story.offer_at(0) == story.offer_at(story.steps) == ""
