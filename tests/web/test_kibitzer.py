"""What the kibitzer says: the best first, the others in order, and in words what figures alone would not tell."""

import pytest

from kibitz.search.ismcts import ActionStatistics
from kibitz.web.pages.kibitzer import ALIKE, LOST, WON, in_words, thoughts_of

pytestmark = pytest.mark.plain
LABELS = {1: "roll", 2: "build", 3: "trade", 4: "wait"}


def tried(*options):
    """Options as a search reports them: the action, how often it was tried, and how often the first seat won."""
    return [ActionStatistics(action, visits, visits, (value, 1 - value), (0.01, 0.01)) for action, visits, value in options]


def test_the_best_comes_first_then_the_others_in_order_and_what_was_given_up_last():
    found = tried((1, 100, 0.40), (2, 90, 0.30), (3, 95, 0.45), (4, 10, 0.60), (9, 100, 0.9))
    thoughts = thoughts_of(found, 3, 0, LABELS, judged=True)
    assert [one.action for one in thoughts] == [3, 1, 2, 4]  # what has no name is no option of the person's
    assert [one.compared for one in thoughts] == [True, True, True, False]
    assert [one.words for one in thoughts][:1] == ["trade"]
    assert thoughts[0].best
    assert thoughts[0].low == pytest.approx(0.45 - 1.96 * 0.01, abs=1e-3)


def test_what_leads_comes_first_before_anything_is_decided():
    thoughts = thoughts_of(tried((1, 100, 0.2), (2, 100, 0.4), (3, 0, 0.0)), None, 0, LABELS, judged=False)
    assert [one.action for one in thoughts] == [2, 1]
    assert not any(one.best for one in thoughts)
    assert thoughts[0].low < 0.4 < thoughts[0].high


@pytest.mark.parametrize(
    ("chances", "words"),
    [((0.0, 0.0), LOST), ((0.004, 0.0), LOST), ((1.0, 0.999), WON), ((0.301, 0.3), ALIKE), ((0.3, 0.4), ""), ((0.0,), "")],
)
def test_a_lost_or_won_game_is_said_in_words(chances, words):
    found = tried(*((action, 100, chance) for action, chance in enumerate(chances, start=1)))
    assert in_words(thoughts_of(found, 1, 0, LABELS, judged=False)) == words
