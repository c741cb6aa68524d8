"""What the Play page says of the others' hands."""

import pytest

from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.core.events import BuyDevCard, Cards, StartingResources
from kibitz.catan.pages.play.scene import holdings

pytestmark = [pytest.mark.plain, pytest.mark.once]
PAID = Cards.of({"sheep": 1, "wheat": 1, "ore": 1})


def test_a_hidden_card_may_be_a_victory_point():
    """5 of the 25 cards are; of two cards at least one is with 1 - 20/25 * 19/24."""
    tracker = HandTracker(2, 0)
    tracker.process(StartingResources(1, PAID))
    assert holdings(tracker, 0)[0].victory_point is None
    tracker.process(BuyDevCard(1))
    assert holdings(tracker, 0)[0].victory_point == pytest.approx(5 / 25)
    tracker.process(StartingResources(1, PAID))
    tracker.process(BuyDevCard(1))
    assert holdings(tracker, 0)[0].victory_point == pytest.approx(1 - 20 / 25 * 19 / 24)
