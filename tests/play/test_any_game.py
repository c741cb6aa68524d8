"""What serves any game: its friendly state, its records, its bots, for a struct game and one of plain Python."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from kibitz.game.actions import IllegalAction, InvalidAction
from kibitz.game.files import RecordError
from kibitz.play.any_game import TextAction
from kibitz.play.profile import Profile
from kibitz.play.registry import profile
from kibitz.play.series import play

GAMES = ("kuhn", "leduc", "liars_dice", "tests/examples/knock.py")
pytestmark = pytest.mark.plain


@pytest.fixture(params=GAMES)
def known(request: pytest.FixtureRequest) -> Profile:
    return profile(request.param)


def test_recorded_games_are_the_played_ones_and_replay(known: Profile, tmp_path: Path) -> None:
    bots, file = [known.bots[1], "random"], tmp_path / "games.jsonl"
    written = play(known, bots, seed=3, games=5, record=file, full=True)
    played = play(known, bots, seed=3, games=5)
    assert written.winners.tolist() == played.winners.tolist()
    assert written.steps == played.steps
    lines = file.read_text().splitlines()
    records = list(known.records().check(lines, lambda steps: None))
    assert [record.game for record in records] == [0, 1, 2, 3, 4]
    assert [line for record in records for line in record.lines(full=True)] == lines
    assert list(known.records().read_lines(lines)) == records


@pytest.mark.untraced
def test_a_search_plays_it_and_splitting_makes_no_difference(known: Profile) -> None:
    bots = ["ismcts:20", "random"]
    whole = play(known, bots, seed=1, games=3)
    parts = [play(known, bots, seed=1, games=n, first=first) for first, n in ((0, 1), (1, 2))]
    assert whole.winners.tolist() == np.concatenate([part.winners for part in parts]).tolist()


def test_a_record_that_does_not_hold_is_refused_at_its_line(tmp_path: Path) -> None:
    known, file = profile("kuhn"), tmp_path / "games.jsonl"
    play(known, ["random", "random"], seed=3, record=file)
    lines = file.read_text().splitlines()
    twice = [*lines[:2], lines[1].replace('"step": 0', '"step": 1'), *lines[3:]]
    with pytest.raises(RecordError, match="line 3: step 1"):
        list(known.records().check(twice, lambda steps: None))
    nonsense = [*lines[:3], lines[3].replace('"kind": "', '"kind": "no_'), *lines[4:]]
    with pytest.raises(RecordError, match=r"line 4: 'no_\w+' is not an action of kuhn"):
        list(known.records().read_lines(nonsense))


def test_the_friendly_state_of_any_game(known: Profile) -> None:
    state = known.state(known.setup().starts(2, 0, 1), seed=4)
    assert state.actor == "chance"
    assert abs(sum(p for _, p in state.outcomes()) - 1) < 1e-9
    state = state.resolve()
    while state.actor is not None:
        action = state.legal_actions()[0]
        assert state.why_not(action) is None
        view = state.observe(0)
        assert pickle.loads(pickle.dumps(view)) == view
        assert known.text(view, ["Ann", "Bob"])
        state = state.apply(action).resolve()
    assert state.outcome is not None
    assert state.outcome.winner == state.winner_id
    assert len(state.event_log) == len(state.actions)
    with pytest.raises(IllegalAction):
        state.apply(action)
    with pytest.raises(InvalidAction, match="'castle' is not an action of"):
        state.apply(TextAction("castle"))


def test_what_a_seat_did_not_see_stays_unsaid() -> None:
    known = profile("tests/examples/knock.py")
    state = known.state(known.setup().starts(2, 0, 1), seed=4).resolve()
    log = state.observe(1).event_log
    assert [line.partition("chance ")[2].split()[0] for line in log] == ["something", "deal", "deal"]
    assert "places: -1" in known.text(state.observe(1), ["", ""])


def test_a_bot_from_outside_sits_down_at_a_game_from_a_file(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("class Last:\n    def decide(self, observation, actions, events):\n        return actions[-1]\n")
    for game in ("kuhn", "tests/examples/knock.py"):
        results = play(game, [f"{bot}:Last", "random"], seed=1, games=2)
        assert results.conduct[f"{bot}:Last"].lost == {}
