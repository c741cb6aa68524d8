"""Rules by name, and what captured games say about those that are played elsewhere.

The captured games lie outside the repository (``../shared/logs``); where they are missing, their tests are skipped.
"""

from pathlib import Path

import pytest

from kibitz.catan import Rules, logs
from kibitz.catan.analysis.question import InvalidQuestion, Question
from kibitz.catan.core.events import (
    Award,
    BankTrade,
    Build,
    BuyDevCard,
    Cards,
    Discard,
    Roll,
    StartingResources,
    Steal,
)  # fmt: skip
from kibitz.catan.core.rules.costs import COSTS
from kibitz.catan.setup import typed
from kibitz.play.profile import InvalidSetup

pytestmark = pytest.mark.plain


def captured(name: str) -> logs.ImportedLog:
    """A captured game, if it is there."""
    for parent in Path(__file__).parents:
        if (file := parent / "shared" / "logs" / name).is_file():
            return logs.read_path(file)
    pytest.skip(f"{name} is not here")


# --- by name --------------------------------------------------------------------------------------------------------


def test_rules_by_name():
    assert Rules.presets() == ("official", "seed", "colonist", "colonist-1v1")
    assert Rules.preset("official") == Rules()
    assert Rules.preset("seed") == Rules(phased_turns=True, all_or_nothing_bank=True)
    with pytest.raises(
        ValueError, match=r"^'house': no rules have this name; expected official, seed, colonist, colonist-1v1$"
    ):
        Rules.preset("house")


def test_rules_by_name_on_the_command_line():
    assert typed({"rule": ["colonist-1v1"]}, 0).rules == Rules.preset("colonist-1v1")
    assert typed({"rule": ["seed", "victory_points=8"]}, 0).rules == Rules(
        phased_turns=True, all_or_nothing_bank=True, victory_points=8
    )
    assert typed({"rule": ["victory_points=8", "official"]}, 0).rules == Rules(), "what is typed later counts"
    with pytest.raises(
        InvalidSetup, match=r"unknown rule 'colonist-2v2'.*\(sets of rules: official, seed, colonist, colonist-1v1\)$"
    ):
        typed({"rule": ["colonist-2v2"]}, 0)


def test_rules_by_name_in_a_question():
    assert Question.from_json({"board": "beginner", "rules": "colonist-1v1", "seats": 2}).rules == Rules.preset("colonist-1v1")
    with pytest.raises(InvalidQuestion, match=r"^rules: 'house': no rules have this name"):
        Question.from_json({"board": "beginner", "rules": "house"})


# --- what captured games say ----------------------------------------------------------------------------------------


def test_colonist_is_what_the_settings_of_a_captured_game_say():
    found = captured("cocaco_frames.jsonl")
    assert len(found.log.players) == 4
    assert found.rules == Rules.preset("colonist")


def hands_at_sevens(events):
    """At each seven the cards of both players, and what each discarded (every card of the log is known)."""
    hands = [Cards(), Cards()]
    sevens = []
    for event in events:
        match event:
            case Roll(total=7):
                sevens.append(([hand.size for hand in hands], [0, 0]))
            case Roll():
                for seat, gain in event.gains.items():
                    hands[seat] = hands[seat].plus(gain)
            case StartingResources():
                hands[event.player] = hands[event.player].plus(event.cards)
            case Discard():
                sevens[-1][1][event.player] += event.cards.size
                hands[event.player] = hands[event.player].minus(event.cards)
            case Steal():
                card = Cards.of({event.resource: 1})
                hands[event.player], hands[event.victim] = hands[event.player].plus(card), hands[event.victim].minus(card)
            case BankTrade():
                hands[event.player] = hands[event.player].minus(event.give).plus(event.receive)
            case Build(free=False) | BuyDevCard():
                item = 3 if isinstance(event, BuyDevCard) else ("road", "settlement", "city").index(event.piece)
                hands[event.player] = hands[event.player].minus(Cards(*COSTS[item].tolist()))
        assert min(min(hand) for hand in hands) >= 0
    return sevens


def test_colonist_1v1_discards_as_a_captured_game_does():
    """A hand of nine lost four cards, no smaller one lost any: nine are too many there, though the site's guide allows them."""
    rules = Rules.preset("colonist-1v1")
    sevens = hands_at_sevens(captured("cc_logs.example.html").log.events)
    assert len(sevens) > 10
    for sizes, discarded in sevens:
        assert discarded == [size // 2 if size > rules.discard_limit else 0 for size in sizes]
    assert ([9, 2], [4, 0]) in sevens
    assert rules.discard_limit > Rules().discard_limit


def test_colonist_1v1_is_won_with_the_points_of_a_captured_game():
    """Eleven points in settlements and cities, and both special cards."""
    found = captured("cc_logs.example.html")
    winner = found.log.events[-1].player
    built = sum(isinstance(event, Build) and event.piece != "road" and event.player == winner for event in found.log.events)
    holders = {event.award: event.player for event in found.log.events if isinstance(event, Award)}
    awards = [*holders.values()].count(winner)
    assert len(found.log.players) == 2
    assert built + 2 * awards == Rules.preset("colonist-1v1").victory_points
