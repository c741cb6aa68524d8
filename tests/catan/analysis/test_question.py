"""Questions as links and as JSON; the settings as people meet them; drafts by clicks."""

from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.catan import Board, GameState, Rules
from kibitz.catan.analysis import AnalysisConfig, AnalysisMode, InvalidConfig, InvalidPosition, Position
from kibitz.catan.analysis.draft import Draft
from kibitz.catan.analysis.question import InvalidQuestion, Question
from kibitz.catan.analysis.types import SETTINGS, describe, docstrings, settings_of
from kibitz.catan.commands.analyze import SETTINGS as OPTIONS
from kibitz.catan.core.board import InvalidBoard
from kibitz.catan.core.record import simulate

CONFIGS = st.builds(
    AnalysisConfig,
    mc_seed=st.integers(-(2**63), 2**63 - 1),
    policy=st.sampled_from(["random", "builder", "seed"]),
    rank_by=st.sampled_from(["score", "win_rate"]),
    adaptive=st.booleans(),
    mcts_exploration=st.sampled_from([0.0, 0.25, 0.7, 100.0]),
    full_game_rollouts=st.integers(1, 10**7),
)


@settings(deadline=None)
@given(
    st.integers(0, 1000), st.integers(2, 4), st.sampled_from(AnalysisMode), CONFIGS,
    st.sampled_from([None, 0.5, 30.0]), st.sampled_from([Rules(), Rules(victory_points=12, friendly_robber=True)]),
)  # fmt: skip
def test_a_question_survives_a_link_and_a_file(seed, seats, mode, config, time, rules):
    question = Question(Board.random(seed), seats, rules, (), seats - 1, mode, config, time)
    assert Question.from_query(question.to_query()) == question
    assert Question.from_json(question.to_json()) == question


def test_the_link_of_a_long_game_is_packed():
    record = simulate(Board.beginner(), ["random"] * 4, seed=1)
    question = Question(record.board, 4, record.rules, record.codes)
    moves = question.to_query()["moves"]
    assert len(moves) < 4 * len(record.codes)
    assert Question.from_query(question.to_query()) == question
    with pytest.raises(InvalidQuestion, match="this link is damaged"):
        Question.from_query({**question.to_query(), "moves": moves[: len(moves) // 2]})


def test_a_link_says_only_what_is_unusual():
    assert Question(Board.beginner()).to_query() == {"board": Board.beginner().to_text(), "mode": "full_game"}


@pytest.mark.parametrize(
    ("query", "error", "said"),
    [
        ({"board": "x"}, InvalidBoard, "expected the hexes"),
        ({"seats": "5"}, InvalidQuestion, "Catan is for 2 to 4"),
        ({"seat": "0"}, InvalidQuestion, "seat=-1"),
        ({"moves": "1.x"}, InvalidQuestion, "move 2: 'x': no such action"),
        ({"moves": "place_setup_settlement 54"}, InvalidQuestion, "move 1: "),
        ({"moves": "~!"}, InvalidQuestion, "this link is damaged"),
        ({"moves": "~eJ"}, InvalidQuestion, "this link is damaged"),
        ({"moves": "9" * 30}, InvalidQuestion, "expected a whole number"),
        ({"moves": "999999999999"}, InvalidQuestion, "move 1: 999999999999: no action had this number"),
        ({"mode": "guess"}, InvalidConfig, "expected static"),
        ({"adaptive": "perhaps"}, InvalidConfig, "expected true or false"),
        ({"mcts_exploration": "nan"}, InvalidConfig, "from 0 to 100"),
        ({"time": "nan"}, InvalidQuestion, "greater than 0"),
        ({"victory_points": "99"}, InvalidQuestion, "rules: victory_points=99"),
    ],
)
def test_a_bad_link_is_refused_with_its_reason(query, error, said):
    with pytest.raises(error, match=said):
        Question.from_query(query)


def test_an_illegal_move_is_named():
    with pytest.raises(InvalidPosition, match="move 2: place_setup_settlement 41 is not possible now"):
        Question(Board.beginner(), moves=(41, 41)).states()


def test_a_position_is_that_of_the_record():
    record = simulate(Board.beginner(), ["builder"] * 4, seed=1)
    step = next(n for n, states in enumerate(record.states()) if int(states["turn"][0]) == 5 and states["phase"][0] == 8)
    question = Question(record.board, 4, record.rules, record.codes[:step])
    position, expected = question.position(), Position.at(record, step)
    assert position.states.tobytes() == expected.states.tobytes()
    assert position.seat == expected.seat
    assert position.worlds(20, 1).tobytes() == expected.worlds(20, 1).tobytes()


# --- settings -----------------------------------------------------------------------------------------------------


def test_every_setting_belongs_to_a_mode_and_is_explained():
    names = {f.name for f in fields(AnalysisConfig)}
    assert {name for mode in SETTINGS for name in SETTINGS[mode]} == names == set(docstrings(AnalysisConfig))
    for mode in AnalysisMode:
        for setting in settings_of(mode):
            assert setting.meaning.endswith(".")
            assert setting.default == getattr(AnalysisConfig(), setting.name)


def test_whatever_the_command_line_sets_can_be_set_here():
    for modes in OPTIONS.values():
        for mode, name in modes.items():
            assert name in SETTINGS[AnalysisMode(mode)]


def test_bounds_are_those_of_the_config():
    for f in fields(AnalysisConfig):
        setting = describe(f.name)
        if setting.high is not None:
            AnalysisConfig(**{f.name: setting.high})
            with pytest.raises(InvalidConfig):
                AnalysisConfig(**{f.name: setting.high + 1})


# --- drafts -------------------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.integers(2, 4), st.lists(st.integers(0, 10**6), min_size=40, max_size=40))
def test_a_draft_by_random_clicks_is_legal_once_it_is_in_order(seats, choices):
    """Whatever is clicked, in whatever order of the seats: what `codes` gives is a game by the rules."""
    draft = Draft(seats)
    for choice in choices:
        free = draft.free_edges()
        seat = choice % seats
        if free and choice % 3:
            draft = draft.pave(free[choice % len(free)])
        elif corners := draft.open_corners(seat):
            draft = draft.settle(seat, corners[choice % len(corners)])
        try:
            codes = draft.codes()
        except InvalidPosition:
            continue
        Question(Board.beginner(), seats, moves=codes).states()
        assert Draft.of(codes, seats) == draft.sorted()


def test_a_whole_game_begins_with_its_draft():
    record = simulate(Board.beginner(), ["builder"] * 3, seed=2)
    draft = Draft.of(record.codes, 3)
    assert draft.complete
    assert draft.codes() == record.codes[:12]


def test_what_is_missing_in_a_draft_is_named():
    with pytest.raises(InvalidPosition, match="seat 1 settles before V41 of seat 2"):
        Draft(4).settle(1, 41).codes()
    with pytest.raises(InvalidPosition, match="the settlement of seat 1 on V41 has no road yet"):
        Draft(4).settle(0, 41).settle(1, 13).codes()
    with pytest.raises(InvalidPosition, match="too near"):
        Draft(4).settle(0, 41).settle(1, 42)
    with pytest.raises(InvalidPosition, match="has both settlements"):
        Draft(4).settle(0, 41).settle(0, 13).settle(0, 0)


def test_pieces_are_taken_away_again():
    draft = Draft(4).settle(0, 41).pave(58)
    assert draft.without_road(58) == Draft(4).settle(0, 41)
    assert draft.without(41) == Draft(4)
    assert draft.without_road(0) == draft.without(0) == draft
    assert draft.next_seat() == 1


def test_the_next_seat_follows_the_snake():
    draft, order = Draft(3), []
    state = GameState.new(Board.beginner(), 3)
    for _ in range(6):
        seat = draft.next_seat()
        order.append(seat)
        draft = draft.settle(seat, draft.open_corners(seat)[0])
    assert order == state.setup_order
