"""The bots of Catan: their names, what the searching one remembers, and that it never sees what is hidden."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import numpy as np
import numpy.typing as npt
import pytest

from kibitz import game
from kibitz.catan import Board, Rules
from kibitz.catan.belief.deals import belief_at
from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.bots import CONFIG, NAMES, TO_THE_END, Memory, bot_named, events_seen
from kibitz.catan.core.codes import BUILD_CITY, BUY_DEV
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.policy import BOTS
from kibitz.catan.core.record import Record, simulate
from kibitz.catan.core.state import DRAWING, STEALING, VICTORY_POINT, new_states
from kibitz.catan.core.transcript import events_of
from kibitz.compute.runtime import Limit
from kibitz.game.doors import sensible_actions
from kibitz.play.bots import UnknownBot
from kibitz.play.match import play_game
from kibitz.play.search_bot import AnyDeal, SearchPlayer

SHORT = Rules(max_turns=4)


# --- names ------------------------------------------------------------------------------------------------------


def test_names():
    assert set(NAMES) == {*BOTS, "ismcts", "ismcts-0.1"}
    for name in BOTS:
        assert bot_named(name).policy == BOTS[name]
    for name in ("ismcts", "ismcts:200", "ismcts:0.5s"):
        bot = bot_named(name)
        assert (bot.name, bot.policy) == (name, None)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nobody", f"'nobody': no such bot; these are {', '.join(NAMES)}, easy, medium, hard, expert"),
        ("hard:5", "'hard:5': hard takes no parameter"),
        ("builder:5", "'builder:5': builder takes no parameter"),
        ("ismcts:soon", "'soon': expected a number of iterations (2000) or of seconds (0.5s)"),
        ("ismcts:0", "'0': expected a number of iterations (2000) or of seconds (0.5s)"),
    ],
)
def test_what_is_no_bot(name, message):
    with pytest.raises(UnknownBot) as error:
        bot_named(name)
    assert str(error.value) == message


def test_how_long_it_thinks():
    assert bot_named("ismcts:0.5s").player().thinking.limit == Limit(time=0.5)  # type: ignore[attr-defined]
    assert bot_named("ismcts:200").player().thinking.limit == Limit(iterations=200)  # type: ignore[attr-defined]


def test_where_there_is_no_network_games_are_played_to_their_ends():
    """A player that sits down again asks anew: the rules may be others."""
    player = bot_named("ismcts:200").player()
    assert isinstance(player, SearchPlayer)
    for rules, config in ((Rules(victory_points=12), TO_THE_END), (Rules(), CONFIG), (Rules(victory_points=12), TO_THE_END)):
        view = new_states(Board.beginner(), 4, rules)
        player.begin(GAME, 0, view, 0)
        assert player._how.config == player.thinking.fitting(view).config == config
    assert player.thinking.config == CONFIG


# --- what it remembers ------------------------------------------------------------------------------------------


#: What a player is told of a step.
Told = tuple[npt.NDArray[np.void], int, npt.NDArray[np.void]]


def view(states: npt.NDArray[np.void], seat: int) -> npt.NDArray[np.void]:
    seen = states.copy()
    game.hide_at(seen, 0, seat)
    return seen


def steps_seen(record: Record, seat: int) -> list[Told]:
    """What a seat is told of a game, step by step."""
    states = [each.copy() for each in record.states()]
    return [
        (view(before, seat), int(game.seen_at(before, 0, code, seat)), view(after, seat))
        for before, code, after in zip(states, record.codes, states[1:], strict=False)
    ]


@pytest.mark.parametrize(("bots", "seat"), [(["builder"] * 4, 1), (["random", "builder", "random"], 2), (["seed"] * 3, 0)])
def test_steps_become_the_events_of_a_log(bots, seat):
    """Told step by step from views alone, a game is what the log of the whole game tells that seat."""
    record = simulate(Board.random(4), bots, seed=4, rules=Rules(max_turns=60))
    told = [event for step in steps_seen(record, seat) for event in events_seen(seat, *step)]
    tracker = HandTracker(len(bots), seat)
    tracker.process_all(told)
    log = HandTracker.of(events_of(record, seat))
    assert {event.kind for event in told} | {"win"} >= {event.kind for event in log.events}
    for other in range(len(bots)):
        assert tracker.total(other).distribution == log.total(other).distribution
        assert tracker.marginals(other) == log.marginals(other)
        assert tracker.dev_cards(other) == log.dev_cards(other)
        assert tracker.visible_points(other) == log.visible_points(other)


def test_worlds_are_those_of_the_log():
    record = simulate(Board.random(5), ["builder"] * 4, seed=5)
    seat, at = 2, 300
    steps = steps_seen(record, seat)
    memory = Memory(GAME, seat, steps[0][0])
    for step in steps[:at]:
        memory.saw(*step)
    here = steps[at][0]
    worlds = memory.worlds(here, 50, seed=1)
    for name in ("hand_size", "bank", "settlements", "played", "dev_size", "player", "phase"):
        assert (worlds[name] == here[name]).all(), name
    tracker = belief_at(record, at, seat)
    held = {tuple(map(tuple, world.hands)) for world in tracker.worlds()}
    if here["phase"][0] != DRAWING:
        assert {tuple(map(tuple, hands)) for hands in worlds["hand"].tolist()} <= held


# --- what it sees -----------------------------------------------------------------------------------------------


def twin_games(record: Record, seat: int) -> Iterator[tuple[list[Told], list[Told]]]:
    """Pairs of games that differ by one card that others moved or drew unseen by `seat`, up to its next decision."""
    for at, (states, code) in enumerate(zip(record.states(), record.codes, strict=False)):
        outcomes = [outcome for outcome, _ in game.outcomes(states)] if states["phase"][0] in (STEALING, DRAWING) else []
        for other in outcomes:
            if other != code and game.seen_at(states, 0, other, seat) == game.seen_at(states, 0, code, seat):
                twin = replace(record, codes=(*record.codes[:at], other, *record.codes[at + 1 :]))
                pair = tuple(told_until_decision(each, seat, at + 1) for each in (record, twin))
                if pair[0] and pair[1]:
                    yield pair[0], pair[1]


def told_until_decision(record: Record, seat: int, first: int) -> list[Told]:
    """What a seat is told of a game until it decides for the first time after step `first`; nothing if that breaks a rule."""
    states, told = record.start(), []
    for at, code in enumerate(record.codes):
        if at >= first and game.actor_at(states, 0) == seat and len(sensible_actions(states)) > 1:
            return told
        if game.why_not_at(states, 0, code):
            return []
        before, seen = view(states, seat), int(game.seen_at(states, 0, code, seat))
        game.apply_at(states, 0, code)
        told.append((before, seen, view(states, seat)))
    return []


def test_decisions_do_not_depend_on_what_is_hidden():
    """Two games that differ by a card that the seat did not see are one to it, and it decides the same."""
    record = simulate(Board.random(7), ["builder"] * 3, seed=7)
    pairs = list(islice(twin_games(record, 0), 0, None, 3))[:5]
    assert len(pairs) == 5
    for pair in pairs:
        decisions = []
        for told in pair:
            player = bot_named("ismcts:40").player()
            player.begin(GAME, 0, told[0][0], seed=3)
            for step in told:
                player.saw(*step)
            decisions.append(player.decide(told[-1][2]))
        assert all(np.array_equal(x, y) and a == b for (x, a, _), (y, b, _) in zip(*pair, strict=True))
        assert decisions[0] == decisions[1]


# --- games ------------------------------------------------------------------------------------------------------


def test_the_same_seed_plays_the_same_game():
    bots = [bot_named(name) for name in ("ismcts:20", "builder", "random")]
    start = new_states(Board.random(8), 3, SHORT)
    first, second = (play_game(GAME, start, bots, seed=8) for _ in range(2))
    assert first.codes == second.codes


def test_a_move_that_wins_is_found():
    """One point is missing, and a city can be paid for."""
    record = simulate(Board.random(9), ["builder"] * 3, seed=9)
    for states in record.states():
        seat = game.actor_at(states, 0)
        cities = [code for code in game.legal_actions(states) if BUILD_CITY <= code < BUY_DEV] if seat >= 0 else []
        if cities and not states["dev"][0, seat, VICTORY_POINT]:
            break
    states["victory_points"] = game.score_at(states, 0, seat) + 1
    thinking = replace(bot_named("ismcts:200").player().thinking, belief=AnyDeal)  # type: ignore[attr-defined]
    player: SearchPlayer[AnyDeal] = SearchPlayer(thinking)
    player.begin(GAME, seat, view(states, seat), seed=1)
    assert player.decide(view(states, seat)) in cities
