"""Bots at a table with a person: they offer what has a chance, do not repeat themselves, and listen to counter-offers."""

import pytest

from kibitz.catan.bots import bot_named
from kibitz.catan.core.actions import offer_trade
from kibitz.catan.core.board import Board
from kibitz.catan.core.codes import ACCEPT, CONFIRM, DECLINE, END_TURN
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.state import ACCEPTED, MAIN, TRADE_CHOICE, new_states
from kibitz.catan.manners import Considerate, Counter, considerate, is_offer
from kibitz.game import OVER, actor_at, apply_at, seen_at
from kibitz.game.doors import hidden_from, redeal_all, sensible_actions
from kibitz.ground.jit import uint64
from kibitz.play.match import Table
from kibitz.play.search_bot import AnyDeal
from tests.web.test_play_choices import started


class Talker:
    """Somebody who always wants to make the same offer, and else ends the turn."""

    def __init__(self, offer):
        self.offer, self.asked = offer, 0

    def begin(self, game, seat, view, seed):
        pass

    def saw(self, before, code, after):
        pass

    def decide(self, view):
        self.asked += 1
        return self.offer if view["offers"][0] < view["offer_limit"][0] else END_TURN


def at_the_table(talker, states, seat=0, counter=lambda: None, slow=False):
    player = Considerate(talker, counter, slow)
    player.begin(GAME, seat, hidden_from(states, seat), 7)
    return player


def rich(own, other):
    """Two players in the middle of a turn, with these cards."""
    states = started(own)
    states["bank"][0] += states["hand"][0, 1]
    states["hand"][0, 1] = other
    states["hand_size"][0, 1] = sum(other)
    states["bank"][0] -= other
    return states


@pytest.mark.plain
def test_what_nobody_would_take_is_not_offered():
    """The other player has no card at all."""
    states = rich((3, 0, 0, 0, 0), (0, 0, 0, 0, 0))
    talker = Talker(offer_trade({"wood": 1}, {"ore": 1}).code)
    assert at_the_table(talker, states).decide(hidden_from(states, 0)) == END_TURN
    assert talker.asked == 2
    assert at_the_table(talker, states, slow=True).decide(hidden_from(states, 0)) == END_TURN
    assert talker.asked == 3  # who thinks for long is asked only once


@pytest.mark.plain
def test_what_may_be_taken_is_offered_until_everybody_has_refused_it():
    """The other player can only hold sheep and wheat, and needs ore."""
    states = rich((0, 0, 0, 0, 6), (0, 0, 7, 5, 0))
    offer = offer_trade({"ore": 1}, {"sheep": 1}).code
    player = at_the_table(Talker(offer), states)
    view = hidden_from(states, 0)
    assert player.decide(view) == offer
    for code in (offer, DECLINE):
        before, seen = hidden_from(states, 0), int(seen_at(states, 0, code, 0))
        apply_at(states, 0, code)
        player.saw(before, seen, hidden_from(states, 0))
    assert states["phase"][0] == MAIN
    assert player.decide(hidden_from(states, 0)) == END_TURN
    states["turn"] += 2 * 2  # two rounds later
    assert player.decide(hidden_from(states, 0)) == offer


@pytest.mark.plain
@pytest.mark.parametrize(("wants", "welcome"), [("ore", True), ("wheat", False)])
def test_a_counter_offer_is_taken_up_if_it_helps(wants, welcome):
    """Whoever is on turn lacks one ore for a city, and has wood to spare: wood for ore is welcome, wheat for ore is not."""
    states = rich((3, 0, 0, 2, 2), (0, 0, 0, 0, 1))
    code = offer_trade({"wood": 1} if welcome else {"wheat": 1}, {"ore": 1}).code
    counter = Counter(1, 0, int(states["turn"][0]), code)
    player = at_the_table(Talker(END_TURN), states, counter=lambda: counter)
    assert player.welcomes(hidden_from(states, 0), counter) is welcome
    assert player.decide(hidden_from(states, 0)) == (code if welcome else END_TURN)
    if welcome:
        for step in (code, ACCEPT):
            apply_at(states, 0, step)
        assert (states["phase"][0], states["answers"][0, 1]) == (TRADE_CHOICE, ACCEPTED)
        assert player.decide(hidden_from(states, 0)) == CONFIRM + 1


@pytest.mark.plain
def test_worlds_are_dealt_once_for_a_decision(monkeypatch):
    dealt, deal = [], AnyDeal.worlds
    monkeypatch.setattr(AnyDeal, "worlds", lambda *given: dealt.append(1) or deal(*given))
    states = rich((0, 1, 0, 2, 0), (0, 0, 0, 0, 1))
    view = hidden_from(states, 0)
    assert sum(map(is_offer, sensible_actions(view))) > 1
    player = at_the_table(Talker(END_TURN), states, slow=True)
    assert player.decide(view) == END_TURN
    assert len(dealt) == 1
    player.saw(view, END_TURN, view)
    player.decide(view)
    assert len(dealt) == 2


@pytest.mark.plain
def test_a_counter_offer_takes_no_random_numbers():
    """A game that is opened again does not know of it, and its bots must play on as they would have."""
    states = rich((3, 0, 0, 2, 2), (0, 0, 0, 0, 1))
    hopeless = offer_trade({"wood": 1}, {"sheep": 1}).code
    counter = Counter(1, 0, int(states["turn"][0]), offer_trade({"wood": 1}, {"ore": 1}).code)
    talkers = Talker(hopeless), Talker(hopeless)
    first, again = (
        at_the_table(talker, states, counter=lambda made=made: made).decide(hidden_from(states, 0))
        for talker, made in zip(talkers, (counter, None), strict=True)
    )
    assert (first, again) == (counter.code, END_TURN)
    assert talkers[0].asked == talkers[1].asked == 2


def offers_of(bots, seed):
    """How many offers were made in a game, and how many of them somebody would accept."""
    table = Table(GAME, new_states(Board.random(seed), 4), bots, seed)
    made = taken = 0
    while table.actor != OVER:
        table.step()
        code = table.codes[-1]
        made += is_offer(code)
        taken += code == ACCEPT and is_offer(next(c for c in reversed(table.codes[:-1]) if c != DECLINE))
    return made, taken


def test_in_whole_games_there_are_few_offers_and_most_of_the_good_ones():
    plain = [offers_of([bot_named("builder")] * 4, seed) for seed in range(4)]
    polite = [offers_of([considerate(bot_named("builder"))] * 4, seed) for seed in range(4)]
    (made, taken), (fewer, kept) = (map(sum, zip(*games, strict=True)) for games in (plain, polite))
    assert fewer < made / 3
    assert kept / fewer > 2 * taken / made


def test_what_a_considerate_bot_does_does_not_hang_on_hidden_cards():
    """In worlds that its seat cannot tell apart it does the same."""
    bots = [considerate(bot_named("medium"))] * 3
    table = Table(GAME, new_states(Board.beginner(), 3), bots, 5)
    compared = 0
    while table.actor != OVER and compared < 12:
        seat = table.actor
        if seat >= 0 and table.states["phase"][0] == MAIN:
            chosen = table.choose()
            other = table.states.copy()
            redeal_all(other, GAME.scratches(), seat, uint64(compared))
            assert actor_at(other, 0) == seat
            assert table._players[seat].decide(hidden_from(other, seat)) == chosen
            compared += is_offer(chosen)
            table.step(chosen)
        else:
            table.step()
    assert compared
