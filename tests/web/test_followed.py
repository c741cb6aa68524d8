"""Games as the Track page follows them: logs of all formats, changes by hand, other eyes, hostile texts."""

import gzip
import json
from pathlib import Path

import pytest

from kibitz.catan.core.board import Board
from kibitz.catan.core.events import Build, Discard, EndTurn, EventLog, MoveRobber, Roll, StartingResources, Steal
from kibitz.catan.core.record import check
from kibitz.catan.logs import FORMATS
from kibitz.catan.pages.track.form import TrackedBoard
from kibitz.catan.pages.track.hands import cell_html
from kibitz.catan.tracking import followed
from kibitz.catan.tracking.followed import KNOWN, Followed, InvalidGame, Source, board_of
from kibitz.compute.runtime import Runtime
from tests.catan.logs.writers import WRITERS, write

EXAMPLES = Path(__file__).parents[2] / "examples"
CHAT = (EXAMPLES / "chat.txt").read_text()
PLAYERS = ("Ann", "Bob", "Cem")
ROLL = Roll(0, 8, {0: {"wood": 1, "ore": 1}, 1: {"sheep": 1}})


def text(*events, observer=None):
    return "\n".join(EventLog(PLAYERS, events, observer).lines())


def expected(game, number, player, resource):
    return game.moment(number).told["players"][player]["hand"][resource]["expected"]


@pytest.fixture(scope="module")
def record():
    with gzip.open(EXAMPLES / "game.jsonl.gz", "rt") as lines:
        return next(check(lines))


class Clock(Runtime):
    """One that tells when it starts."""

    def __init__(self, told):
        super().__init__()
        self._told = told

    def begin(self):
        self._told.append("the clock")
        super().begin()


def test_what_is_compiled_the_first_time_takes_nothing_from_the_time_of_a_log(monkeypatch):
    told = []
    monkeypatch.setattr(followed, "warm_up", lambda: told.append("compiled"))
    Followed.read(Source(text(ROLL)), runtime=Clock(told))
    assert told == ["compiled", "the clock"]


def test_all_formats_have_names():
    assert set(KNOWN) == set(FORMATS)


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_is_followed_to_its_end(record, name):
    game = Followed.read(Source(write(record, name, None)))
    assert not game.gaps
    assert not game.moment(len(game)).told["approximate"]
    assert game.title.startswith(KNOWN[name])


def test_a_game_of_the_library_is_as_it_was():
    game = Followed.read(Source(text(ROLL, Steal(1, 0)), board=Board.beginner()))
    game.insert(2, [EndTurn(0)])
    game.resolve("s2", "ore")
    again = Followed.from_json(game.to_json())
    assert again.events == game.events
    assert again.answers == game.answers
    assert again.board == Board.beginner()
    assert again.moment(3).told == game.moment(3).told
    assert Followed.from_json(text(ROLL)).events == (ROLL,)
    assert Followed.from_file(json.dumps(game.to_json(), indent=2)).events == game.events
    assert Followed.from_file(text(ROLL)).events == (ROLL,)
    with pytest.raises(InvalidGame):
        Followed.from_file('{"track": "catan", ')


@pytest.mark.parametrize("damage", [{"version": 2}, {"edits": [[7, None]]}, {"edits": 3}, {"board": "x"}, {"answers": [["a"]]}])
def test_a_damaged_game_is_refused(damage):
    with pytest.raises(InvalidGame):
        Followed.from_json({**Followed.read(Source(text(ROLL))).to_json(), **damage})


def test_changes_are_taken_back_one_by_one():
    game = Followed.read(Source(text(ROLL, EndTurn(0))))
    game.insert(1, [Steal(1, 0), Build(1, "road", free=True)])
    assert game.events == (ROLL, Steal(1, 0), Build(1, "road", free=True), EndTurn(0))
    game.remove(0)
    assert game.events[0] == Steal(1, 0)
    assert game.marks
    assert game.take_back() == 1
    assert not game.marks
    assert game.take_back() == 2
    assert game.take_back() == 1
    assert game.events == (ROLL, EndTurn(0))
    with pytest.raises(InvalidGame, match="nothing was changed"):
        game.take_back()


def test_answers_stay_with_their_steal_when_events_come_before_it():
    game = Followed.read(Source(text(ROLL, Steal(1, 0))))
    game.resolve("s2", "ore")
    game.insert(0, [Roll(2, 5, {2: {"wheat": 1}})])
    assert expected(game, 3, 1, "ore") == 1
    game.take_back()
    assert expected(game, 2, 1, "ore") == 1
    game.resolve("s2", None)
    assert expected(game, 2, 1, "ore") == 0.5


def test_the_worlds_of_a_moment_agree_with_what_was_said_by_hand():
    game = Followed.read(Source(text(ROLL, Steal(1, 0), EndTurn(0))))
    assert (game.worlds(1, 5)["worlds"], game.worlds(3, 1)["worlds"], len(game.worlds(3, 1)["likeliest"])) == (1, 2, 1)
    game.resolve("s2", "ore")
    (world,) = game.worlds(3, 5)["likeliest"]
    assert (world["hands"][1].get("ore"), world["steals"]) == (1, {"s2": {"ore": 1.0}})


def test_an_answer_that_the_rest_of_the_log_rules_out_is_refused():
    game = Followed.read(Source(text(ROLL, Steal(1, 0), Steal(2, 0, "wood"))))
    assert game.moment(2).told["steals"][0]["odds"] == {"wood": 0.5, "ore": 0.5}
    with pytest.raises(InvalidGame, match="cannot have been wood"):
        game.resolve("s2", "wood")
    assert game.answers == {}


def test_impossible_events_are_explained_and_can_be_added_all_the_same():
    game = Followed.read(Source(text(ROLL)))
    assert game.trouble(1, [Steal(1, 0)]) == ""
    assert "needs at least" in game.trouble(1, [Build(1, "city")])
    assert "no seat 5" in game.trouble(1, [Steal(0, 5)])
    game.insert(1, [Build(1, "city")])
    assert list(game.marks) == [2]
    assert game.moment(2).told["approximate"]
    assert not game.moment(1).told["approximate"]


def test_other_eyes_see_other_cards(record):
    game = Followed.read(Source("\n".join(record.lines())))
    hidden = len(game.moment(len(game)).told["steals"])
    mine = Followed.from_json(game.seen_by("Bob"))
    assert mine.observer == 1
    assert Followed.from_json(game.seen_by("Player 2")).observer == 1  # as older libraries say it
    assert len(mine.moment(len(mine)).told["steals"]) < hidden
    assert mine.moment(len(mine)).told["players"][1]["confidence"] == 1


def test_a_log_may_not_take_for_ever(monkeypatch):
    grow = [Roll(s, 6, {p: {"wood": 1, "brick": 1, "sheep": 1, "wheat": 1, "ore": 1} for p in range(3)}) for s in range(3)]
    log = text(*(grow + [Discard(s, count=3) for s in range(3)]) * 50)
    monkeypatch.setattr(followed, "SECONDS", 0.2)
    game = Followed.read(Source(log))
    assert game.unread > 0
    assert game.gaps
    assert len(game) + game.unread == 300
    stopped = Runtime()
    stopped.cancel()
    assert len(Followed.read(Source(log), runtime=stopped)) == 0


@pytest.mark.parametrize("noise", ["", "x" * 1_000_000, "[" * 100_000, "<div>" * 50_000, "\n" * 100_000, "\0\ufffe" * 1000])
def test_noise_is_refused_in_one_line(noise):
    with pytest.raises(InvalidGame) as refused:
        Followed.read(Source(noise))
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


def test_too_many_events_are_refused():
    with pytest.raises(InvalidGame, match="at most 20,000"):
        Followed.read(Source(text(*[EndTurn(0)] * 20_001)))


def test_a_board_is_typed_or_comes_in_a_link():
    beginner = Board.beginner()
    assert board_of("") is None
    assert board_of(beginner.to_text()) == beginner
    assert board_of(f"http://127.0.0.1:8477/analyse?board={beginner.to_text().replace(' ', '+')}&seats=4") == beginner
    for odd in ("nonsense", "http://[", "?board=nonsense"):
        with pytest.raises(InvalidGame, match="not a board"):
            board_of(odd)


@pytest.mark.parametrize(
    "change",
    [
        {"edits": [[1e999, None]]},
        {"edits": [[0, {"event": "end_turn", "player": 0}]] * 20_001},
        {"edits": 3},
        {"answers": [[0]]},
        {"me": ["Ann"]},
        {"board": "nonsense"},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_damaged_file_is_refused_at_once(change):
    kept = Followed.read(Source(text(Roll(0, 8, {0: {"wood": 1}})))).to_json()
    with pytest.raises(InvalidGame, match="damaged"):
        Followed.from_json({**kept, **change})


class TestTrackedBoard:
    """Pieces on the beginner board."""

    def test_clicks_say_what_happened(self):
        table = TrackedBoard(Board.beginner(), PLAYERS, [])
        assert table.events_of("corner-41", 1, setup=True) == [Build(1, "settlement", True, corner=41)]
        assert table.events_of("hex-4", 2, setup=False) == [MoveRobber(2, 4)]
        (road,) = table.events_of("edge-58", 0, setup=True)
        assert road == Build(0, "road", True, edge=(41, 42))
        table = TrackedBoard(Board.beginner(), PLAYERS, [Build(1, "settlement", True, corner=41)])
        assert table.events_of("corner-41", 1, setup=False) == [Build(1, "city", corner=41)]
        assert "corner-41" in table.choices(1)
        assert "corner-41" not in table.choices(0)
        second = table.events_of("corner-13", 1, setup=True)
        assert isinstance(second[1], StartingResources)
        assert second[1].cards == table.island.around(13)

    def test_a_roll_brings_what_the_board_says(self):
        events = [Build(0, "settlement", True, corner=41), Build(1, "city", corner=13)]
        table = TrackedBoard(Board.beginner(), PLAYERS, events)
        bank = {name: {"max": 19} for name in ("wood", "brick", "sheep", "wheat", "ore")}
        for total in (2, 3, 4, 5, 6, 8, 9, 10, 11, 12):
            assert table.gains(total, bank) == table.island.claims(total)
        assert table.gains(7, bank) == {}
        total = next(total for total in range(2, 13) if total != 7 and table.gains(total, bank))
        (seat, cards), *_ = table.gains(total, bank).items()
        empty = {**bank, **{name: {"max": 0} for name in cards.as_dict()}}
        assert table.gains(total, empty)[seat].size == 0

    def test_it_is_drawn(self):
        events = [Build(0, "settlement", True, corner=41), Build(1, "city", corner=13), Build(2, "road", True, edge=(41, 42))]
        picture = TrackedBoard(Board.beginner(), PLAYERS, events).draw()
        assert all(f'id="{piece}"' in picture for piece in ("settlement-41", "city-13", "road-58"))


def test_a_cell_of_a_hand_that_has_cards_is_not_none():
    one = {"most_likely": 0, "expected": 0.2, "distribution": {"0": 0.8, "1": 0.2}, "at_least": [1.0, 0.2]}
    assert "<b>0</b><small>80 %</small>" in cell_html("ore", one)
    assert "<b>1</b><small>20 %</small>" in cell_html("ore", one, some=True)
    none = {"most_likely": 0, "expected": 0.0, "distribution": {"0": 1.0}, "at_least": [1.0]}
    assert "<b>0</b></span>" in cell_html("ore", none, some=True)
