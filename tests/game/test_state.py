"""The friendly states and the records of all games are alike: one way to act, to be refused, to look, to keep and to write."""

import json
import pickle
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import pytest

from kibitz import catan, coup, onepiece
from kibitz.catan.core import record as catan_record
from kibitz.coup.core import record as coup_record
from kibitz.game import legal_actions
from kibitz.game.actions import IllegalAction, InvalidAction
from kibitz.game.files import RecordError
from kibitz.game.record import GameRecord
from kibitz.game.state import FriendlyState
from kibitz.onepiece.core import record as onepiece_record

pytestmark = pytest.mark.plain


class Played(NamedTuple):
    """A game by its friendly state, its action class, its record module, and a short record."""

    new: Callable[[], FriendlyState[Any]]
    action: Any
    files: Any
    record: Callable[[], GameRecord]


BOARD, SHORT = catan.Board.beginner(), catan.Rules(max_turns=2)
GAMES = {
    "catan": Played(
        lambda: catan.GameState.new(BOARD, 3, SHORT, seed=4),
        catan.Action,
        catan_record,
        lambda: catan_record.simulate(BOARD, ["random"] * 3, 4, SHORT),
    ),
    "coup": Played(
        lambda: coup.GameState.new(3, seed=4),
        coup.Action,
        coup_record,
        lambda: coup_record.simulate(["random"] * 3, 4, coup.Rules(max_turns=4)),
    ),
    "onepiece": Played(
        lambda: onepiece.GameState.new(seed=4),
        onepiece.Action,
        onepiece_record,
        lambda: onepiece_record.simulate(["random"] * 2, 4),
    ),
}
every_game = pytest.mark.parametrize("name", GAMES)


def played_on(name: str, steps: int = 14) -> FriendlyState[Any]:
    """Some steps into a game: always the last legal action."""
    state = GAMES[name].new().resolve()
    for _ in range(steps):
        if state.actor is not None:
            state = state.apply(state.legal_actions()[-1]).resolve()
    return state


@cache
def record_of(name: str) -> GameRecord:
    return GAMES[name].record()


@every_game
def test_a_game_is_played_again_from_its_actions(name):
    state = played_on(name)
    again = GAMES[name].new()
    for action in state.actions:
        again = again.apply(action)
    assert again == state
    assert hash(again) == hash(state)
    assert again.event_log == state.event_log
    assert again.position() == state.position()


@every_game
def test_a_step_is_one_step_and_chance_waits_to_be_resolved(name):
    state = GAMES[name].new().resolve()
    after = state.apply(state.legal_actions()[0])
    assert len(after.actions) == len(state.actions) + 1
    assert after.resolve().actor != "chance"


@every_game
def test_states_and_observations_survive_a_pickle(name):
    state = played_on(name)
    for one in (state, state.observe(0), state.observe(None)):
        again = pickle.loads(pickle.dumps(one))
        assert (again, again.event_log, repr(again)) == (one, one.event_log, repr(one))


@every_game
def test_an_observation_is_no_game_to_play_on(name):
    state = played_on(name)
    view = state.observe(1)
    assert view.event_log == view.observe(1).event_log
    assert len(view.event_log) == len(state.event_log)
    for refused, words in (
        (lambda: view.apply(state.actions[0]), "an observation cannot be played on"),
        (lambda: view.actions, "an observer has an event_log, not the actions"),
        (lambda: view.observe(0), "this is what player 2 knows"),
        (view.position, "does not hold the whole position"),
        (lambda: state.observe(9), "seat 9: expected 0 to"),
    ):
        with pytest.raises(ValueError, match=words):
            refused()


@every_game
def test_what_a_rule_forbids_and_what_is_no_action_are_refused_alike(name):
    state = GAMES[name].new()
    chosen = GAMES[name].new().resolve().legal_actions()[0]
    if state.actor == "chance":
        with pytest.raises(IllegalAction, match="is not possible now: the game waits for"):
            state.apply(chosen)
    outcome = next(a for a in played_on(name).actions if a.kind in ("rolled", "drawn"))
    with pytest.raises(IllegalAction, match="is not a player's choice: chance decides it") as error:
        state.resolve().apply(outcome)
    assert (error.value.reason, error.value.action) == ("CHANCE_DECIDES", outcome)
    for text in ("fly away", ""):
        with pytest.raises(InvalidAction, match="no such action"):
            GAMES[name].action.from_text(text)
    with pytest.raises(InvalidAction, match="expected an object with the fields kind and data"):
        GAMES[name].action.from_json([])


@every_game
def test_records_are_built_alike(name):
    record = record_of(name)
    header, *steps, end = map(json.loads, record.lines(full=True))
    assert list(header)[:5] == ["record", "version", "game", "seed", "seats"]
    assert {tuple(step) for step in steps} == {("step", "turn", "phase", "actor", "kind", "data", "legal", "state")}
    assert list(end)[:5] == ["end", "termination", "winner", "turns", "steps"]
    assert end["steps"] == len(steps) == len(record.codes)
    assert [found.codes for found in GAMES[name].files.check(record.lines(full=True))] == [record.codes]


@every_game
def test_the_order_of_the_fields_of_a_header_does_not_matter(name):
    header, *rest = record_of(name).lines()
    turned = json.dumps(dict(reversed(json.loads(header).items())))
    assert [found.codes for found in GAMES[name].files.check([turned, *rest])] == [record_of(name).codes]


@every_game
def test_a_broken_record_is_refused_alike(name):
    lines = list(record_of(name).lines())
    header, step = json.loads(lines[0]), json.loads(lines[1])
    for at, line, words in (
        (0, {**header, "version": 9}, "line 1: version 9 of the format is unknown; this is version 1"),
        (0, {**header, "seats": ["one"]}, "line 1: seats: expected 2"),
        (0, {**header, "seed": -1}, "line 1: game and seed: expected numbers of at least 0"),
        (1, {**step, "kind": "fly"}, "line 2: 'fly': no such action"),
        (1, {**step, "turn": 99}, "line 2: step 0: turn is 99 in the record, 0 by the rules"),
    ):
        with pytest.raises(RecordError, match=words):
            list(GAMES[name].files.check([*lines[:at], json.dumps(line), *lines[at + 1 :]]))


@every_game
def test_generic_code_sees_the_same_game(name):
    state = played_on(name)
    assert [state.code_of(action) for action in state.legal_actions()] == legal_actions(state.states)
