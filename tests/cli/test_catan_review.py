"""``kibitz catan review``: a game looked back on in the terminal, as JSON, and as a file for others."""

import json
from dataclasses import replace

import pytest

from kibitz.catan import Board
from kibitz.catan.analysis.types import Difference
from kibitz.catan.core.codes import END_TURN
from kibitz.catan.core.record import simulate
from kibitz.catan.core.state import Rules
from kibitz.catan.pages.review.story import Story
from kibitz.catan.review import Account, Entry, Review, Verdict
from kibitz.catan.review.shared import read_shared, shared_text
from kibitz.catan.review.types import Award, Fortune, Moment, Option, Why
from kibitz.game.evaluator import SURE
from kibitz.ground.signs import MINUS

#: Over soon: somebody who could have won ends the turn instead.
FULL = simulate(Board.beginner(), ["builder"] * 2, 3, Rules(victory_points=3, offer_limit=0))
RECORD = replace(FULL, codes=(*FULL.codes[:-1], END_TURN), seats=("Ann", "Bob"))
TENTH = SURE // 10
MISSED = Verdict(5, 2, 0, "end_turn", "play_monopoly ore", Difference(0.12, 0.09, 0.15), 500, "blunder")
#: Of a game that nobody has worked out.
MADE = Review(
    2,
    moments=(Moment(0, 0, 1, (5 * TENTH, 5 * TENTH), (0, 0)), Moment(9, 4, 0, (0, SURE), (-TENTH, TENTH))),
    fortunes=(Fortune(4, 2, 1, "dice", "8", (-TENTH, TENTH)),),
    verdicts=(MISSED,),
    entries=(
        Entry(
            MISSED,
            (5, 7),
            (Option("play_monopoly ore", 0.0), Option("end_turn", 0.12)),
            why=Why(line=("play_monopoly ore",), points=((1, 3.0, 2.0),)),
        ),
    ),
    accounts=(
        Account(5 * TENTH, -TENTH, 0, 0, -2 * TENTH, -2 * TENTH, 0, 2 * TENTH, 0, 3, {"blunder": 1}, 0.5),
        Account(5 * TENTH, TENTH, 0, 0, 2 * TENTH, SURE - 8 * TENTH, SURE, 0, 2 * TENTH),
    ),
    served=False,
    partial="time",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("reviews")


@pytest.fixture
def shared(folder, kibitz):
    """The review of the game, written once."""
    target, record = folder / "game.review.json", folder / "game.jsonl"
    if not target.exists():
        record.write_text("\n".join([*RECORD.lines(), ""]))
        code, out, err = kibitz("catan", "review", record, "--save", target)
        assert (code, err) == (0, "")
        assert f"written: {target}" in out
    return target


def told(kibitz, *arguments):
    code, out, err = kibitz("catan", "review", *arguments)
    assert (code, err) == (0, "")
    return " ".join(out.split())


def test_luck_and_accuracy_of_everybody_are_told_and_why(kibitz, shared):
    out = told(kibitz, shared)
    for words in ("accuracy", "Where the result comes from", "1 Ann", "2 Bob", "Dice and cards were worth", "Points lost:"):
        assert words in out


@pytest.mark.plain
def test_players_are_called_as_on_the_page(kibitz, tmp_path):
    """Two bots of one kind have names of their own, and which bot it is stands beside them; a person is you."""
    file = tmp_path / "made.review.json"
    record = replace(RECORD, seats=("you", "builder"))
    file.write_text(shared_text(record, MADE))
    out = told(kibitz, file, "--seat", 1)
    assert Story(record).names == ("You", "Bob")
    for words in ("1 You 50 %", "2 Bob (builder)", "Bob won", "points to you, your decisions cost", "1 costly decision by you"):
        assert words in out
    assert "You, turn 2" in out
    assert "Bob rolled 8" in out
    file.write_text(shared_text(replace(RECORD, seats=("builder", "builder")), MADE))
    out = told(kibitz, file)
    assert "1 Ann (builder)" in out
    assert "builder 1" not in out
    file.write_text(shared_text(replace(RECORD, seats=("builder:\x1b[31m9", "Eve\x1b[31m")), MADE))
    out = told(kibitz, file)
    assert "1 Ann (builder:[31m9)" in out  # a file of others cannot paint the terminal
    assert "\x1b" not in out


def test_a_seat_has_its_own_report(kibitz, shared):
    seats = [told(kibitz, shared, "--seat", seat) for seat in (1, 2)]
    _, review = read_shared(shared.read_text())
    for seat, (out, name, other) in enumerate(zip(seats, ("Ann", "Bob"), ("Bob", "Ann"), strict=True)):
        assert f"points to {name}" in out
        assert f"points to {other}" not in out
        own = review.of_seat(seat)
        assert (f"No mistakes by {name} were found" if not own else f"by {name}") in out


def test_json_is_the_whole_review(kibitz, shared):
    found = json.loads(told(kibitz, shared, "--json", "--seat", 2))
    assert found.pop("seats") == 2
    record, review = read_shared(shared.read_text())
    assert found.pop("players") == ["Ann", "Bob"]
    assert Review.from_json({"seats": 2, **found}) == review
    assert record == RECORD
    assert review.entries  # the missed win


@pytest.mark.plain
@pytest.mark.parametrize("width", [60, 120])
def test_a_review_that_was_shared_is_told_without_working_it_out(kibitz, tmp_path, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    file = tmp_path / "made.review.json"
    file.write_text(shared_text(RECORD, MADE))
    out = told(kibitz, file, "--seat", 1)
    for words in (
        "4 turns", "Bob won", "Stopped early (time)", "not trained for these rules", f"worth {MINUS}10 points to Ann",
        "Ann lost by play", "turn 2, Bob rolled 8", f"Blunder {MINUS}12.0 ± 3.0", "Better: play Monopoly on ore.",
        "Missed twice.",
    ):  # fmt: skip
        assert words in out
    assert "1 costly decision " in out
    everybody = told(kibitz, file)
    assert "Dice and cards were worth" in everybody
    assert json.loads(told(kibitz, file, "--json"))["players"] == ["Ann", "Bob"]
    assert "No mistakes by Bob were found" in told(kibitz, file, "--seat", 2)


@pytest.mark.plain
@pytest.mark.parametrize(
    "damaged",
    [
        replace(MADE, verdicts=(replace(MISSED, grade="<script>"),)),
        replace(MADE, fortunes=(replace(MADE.fortunes[0], seat=7),)),
        replace(MADE, entries=(replace(MADE.entries[0], options=()),)),
        replace(MADE, entries=(replace(MADE.entries[0], verdict=replace(MISSED, best="fly away")),)),
        replace(MADE, entries=(replace(MADE.entries[0], why=Why(lost=(99, 0, 0.5))),)),
        replace(MADE, entries=(replace(MADE.entries[0], why=Why(award=Award("road", 7, 0.5, 0.1))),)),
    ],
)
def test_what_a_stranger_shares_is_not_trusted(kibitz, tmp_path, damaged):
    file = tmp_path / "bad.review.json"
    file.write_text(shared_text(RECORD, damaged))
    assert "this review cannot be opened" in refused(kibitz, file)


def refused(kibitz, *arguments):
    code, out, err = kibitz("catan", "review", *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    return err


def test_what_cannot_be_reviewed_is_refused_in_one_line(kibitz, shared, tmp_path):
    assert "seat 3" in refused(kibitz, shared, "--seat", 3)
    assert "--game" in refused(kibitz, shared, "--game", 0)
    damaged = tmp_path / "damaged.review.json"
    damaged.write_text(shared.read_text()[:500])
    assert "this review cannot be opened" in refused(kibitz, damaged)
    nonsense = tmp_path / "nonsense.txt"
    nonsense.write_text("hello")
    assert "nonsense.txt" in refused(kibitz, nonsense)
    assert "no-such-file" in refused(kibitz, "no-such-file")
    assert "nowhere" in refused(kibitz, shared, "--save", tmp_path / "nowhere" / "x.json")
