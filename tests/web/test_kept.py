"""What is kept or sent means the same tomorrow: a golden file of each format, in `tests/golden/kept/`, opened again.

`library-v3.sql` and the links of 0.1 were written by Kibitz 0.1, which named the steps of games by their codes. Those of today
are written anew, when a format has changed and that is right, with

    python -m tests.web.test_kept --write

A format that has changed gets a new version, and the file of the old one stays, with a test that opens it.
"""

import json
import sqlite3
import tempfile
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import numpy as np
import pytest

from kibitz.catan.analysis import create_analyzer
from kibitz.catan.analysis.question import Question
from kibitz.catan.analysis.race import outcomes_of
from kibitz.catan.core import actions as catan_actions
from kibitz.catan.core import record as catan_record
from kibitz.catan.core.actions import parse
from kibitz.catan.core.events import EventLog
from kibitz.catan.logs import read
from kibitz.catan.pages.analyses import reopened
from kibitz.catan.pages.play.game import CatanKind
from kibitz.catan.pages.review.panel import keep_review, kept_review
from kibitz.catan.pages.review.story import story_of
from kibitz.catan.review import Review
from kibitz.catan.tracking.followed import Followed
from kibitz.catan.tracking.sessions import TrackingSessions
from kibitz.compute.checkpoint import Checkpoint, CheckpointError
from kibitz.compute.runtime import Runtime
from kibitz.coup.core import record as coup_record
from kibitz.coup.endgames import store as endgame_store
from kibitz.coup.endgames.solve import Endgame
from kibitz.coup.pages.matches import CoupKind
from kibitz.game.actions import InvalidAction
from kibitz.onepiece.core import record as onepiece_record
from kibitz.onepiece.pages.matches import OnePieceKind
from kibitz.play.profile import InvalidSetup
from kibitz.web.games import Games
from kibitz.web.services import Room
from kibitz.web.store import Store
from tests.playthrough import check_golden, write_golden

KEPT = Path(__file__).parents[1] / "golden" / "kept"
HOW = "python -m tests.web.test_kept --write"
#: The games of both libraries: who they are, how many steps are kept, and whether they are over.
GAMES = {
    "item00000001": ("catan", 97, False),
    "item00000002": ("catan", 107, True),
    "item00000003": ("catan", 407, False),
    "item00000004": ("coup", 26, False),
    "item00000005": ("coup", 50, True),
    "item00000006": ("onepiece", 40, False),
    "item00000007": ("onepiece", 51, True),
}
#: A game that came from a file, and its review.
FROM_FILE = "aa7f00edb76fb82c39a3de67"


def dumped(path):
    """A library as SQL."""
    connection = sqlite3.connect(path)
    lines = [*connection.iterdump(), f"PRAGMA user_version={connection.execute('PRAGMA user_version').fetchone()[0]};"]
    connection.close()
    return "\n".join(lines) + "\n"


def loaded(path, version):
    """A library of a version, as a file."""
    connection = sqlite3.connect(path)
    connection.executescript((KEPT / f"library-v{version}.sql").read_text(encoding="utf-8"))
    connection.close()
    return path


def taken_over():
    """The library of version 3, after it was opened."""
    with tempfile.TemporaryDirectory() as folder:
        path = loaded(Path(folder) / "library.sqlite3", 3)
        Store(path).close()
        return dumped(path)


@pytest.fixture(params=[3, 4])
def store(tmp_path, request):
    opened = Store(loaded(tmp_path / "library.sqlite3", request.param))
    yield opened
    opened.close()


@pytest.fixture
def games(store):
    opened = Games(store, [CatanKind(), CoupKind(), OnePieceKind()])
    yield opened
    opened.close()


# --- the library ----------------------------------------------------------------------------------------------------


def test_a_library_of_version_3_is_rewritten_in_names():
    check_golden("kept/library-v4.sql", taken_over(), HOW)


def test_a_library_that_was_taken_over_is_left_alone(tmp_path):
    path = loaded(tmp_path / "library.sqlite3", 4)
    before = dumped(path)
    Store(path).close()
    assert dumped(path) == before


@pytest.mark.parametrize("id", GAMES)
def test_games_go_on_where_they_were(games, store, id):
    name, steps, over = GAMES[id]
    data = store.load(id).data
    session = games.open(id)
    assert (session.kind.name, session.version, session.over) == (name, steps, over)
    assert list(session.moves) == data["moves"]
    check = {"catan": catan_record, "coup": coup_record, "onepiece": onepiece_record}[name].check
    [record] = check(games.record(data).splitlines())
    assert list(record.codes) == session.match.codes


def test_the_first_steps_of_a_game_are_those_that_were_played(store):
    assert store.load("item00000003").data["moves"][:2] == ["place_setup_settlement 42", "place_setup_road 42-43"]
    assert store.load("item00000004").data["moves"][2:6] == ["drawn captain contessa", "income", "tax", "allow"]
    assert store.load("item00000006").data["moves"][-1] == "attack C2 L"


def test_a_game_that_means_nothing_stays_and_says_so(tmp_path):
    path = loaded(tmp_path / "library.sqlite3", 3)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE items SET data = replace(data, '\"codes\": [', '\"codes\": [9999999999, ') WHERE game = 'catan'")
    connection.commit()
    connection.close()
    store = Store(path)
    games = Games(store, [CatanKind(), CoupKind()])
    assert store.load("item00000001").data["codes"][0] == 9999999999
    with pytest.raises(InvalidSetup, match="kept by another version"):
        games.open("item00000001")
    assert games.open("item00000004").version == GAMES["item00000004"][1]
    games.close()
    store.close()


def test_a_game_from_a_file_is_opened_and_reviewed_anew(store):
    """What 0.1 kept as a review says less than a review says today."""
    story = story_of(store.load(FROM_FILE).data)
    assert (story.title, story.over) == ("Catan: Ann, Bob · Bob won on turn 10", True)
    review = store.load(f"{FROM_FILE}.review").data
    assert review["game"] == FROM_FILE
    assert kept_review(store, FROM_FILE) is None
    keep_review(store, FROM_FILE, story, Review(2, partial=None))
    assert kept_review(store, FROM_FILE) == Review(2, partial=None)
    record = store.load("fbb982bbdeda245c4a2178b6").data
    assert story_of(record).steps == 30


def holds(now, then) -> bool:
    """Whether all that was kept then is still so."""
    if isinstance(then, dict):
        return all(name in now and holds(now[name], value) for name, value in then.items())
    return now == then


def test_analyses_are_opened_again(store):
    for id, actions in (("item00000008", 0), ("item00000009", 4)):
        data = store.load(id).data
        found = reopened(id, data)
        assert holds(found.to_json(), data)  # settings that came later have their defaults
        assert len(found.result.options) == actions


def test_logs_are_followed_as_they_were(store):
    by_hand, chat = (Followed.from_json(store.load(id).data) for id in ("item00000010", "item00000011"))
    assert [len(by_hand), len(by_hand.edits), by_hand.answers] == [3, 2, {1: "ore"}]
    assert by_hand.to_json() == store.load("item00000010").data
    assert chat.players == ("Ann", "Bob B.", "Cem #3", "Dora")
    assert chat.board is not None


def test_sessions_of_the_api_tell_what_they_told(store):
    told = json.loads((KEPT / "sessions.json").read_text(encoding="utf-8"))
    sessions = TrackingSessions(store, Room(1 << 30))
    assert len(told) == 3
    for before in told.values():
        now = sessions.ask(before["id"])
        assert {name: now[name] for name in before} == before  # what is told besides came later


# --- links ----------------------------------------------------------------------------------------------------------


def links():
    """By name: the link that 0.1 wrote and, made of what it means, the one that is written today."""
    found = json.loads((KEPT / "links.json").read_text(encoding="utf-8"))
    for link in found.values():
        page, _, query = link["0.1"].partition("?")
        if "moves=~" not in link.get("0.2", ""):  # what is packed may have other letters with another zlib
            link["0.2"] = f"{page}?{urlencode(Question.from_query(dict(parse_qsl(query))).to_query())}"
    return json.dumps(found, indent=1) + "\n"


def test_links_with_codes_are_understood_and_written_in_names():
    check_golden("kept/links.json", links(), HOW)


@pytest.mark.parametrize("name", json.loads((KEPT / "links.json").read_text(encoding="utf-8")))
def test_links_mean_what_they_meant(name):
    link = json.loads((KEPT / "links.json").read_text(encoding="utf-8"))[name]
    old, new = (Question.from_query(dict(parse_qsl(link[version].partition("?")[2]))) for version in ("0.1", "0.2"))
    assert old == new
    old.states()  # every move is legal


def test_the_codes_of_then_are_found_where_codes_have_shifted(monkeypatch):
    settled = parse("place_setup_settlement 41")
    monkeypatch.setattr(catan_actions, "BASE", {kind: first + 7 for kind, first in catan_actions.BASE.items()})
    assert catan_actions.today(41) == settled + 7
    assert catan_actions.today(sum(catan_actions.OLD_RANGES.values()) - 1) == catan_actions.BASE["offer_trade"] + 39**5 - 1
    for code in (-1, sum(catan_actions.OLD_RANGES.values())):
        with pytest.raises(InvalidAction, match="no action had this number"):
            catan_actions.today(code)


# --- files ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", [catan_record, coup_record, onepiece_record])
def test_records_hold_and_are_written_as_they_were(module):
    lines = (KEPT / f"record-{module.Record.NAME}.jsonl").read_text(encoding="utf-8").splitlines()
    [record] = module.check(lines)
    assert list(record.lines()) == lines


def test_a_log_is_read_and_written_as_it_was():
    text = (KEPT / "events.jsonl").read_text(encoding="utf-8")
    log = read(text).log
    assert isinstance(log, EventLog)
    assert "".join(f"{line}\n" for line in log.lines()) == text


def searched():
    """The question of the checkpoint."""
    link = json.loads((KEPT / "links.json").read_text(encoding="utf-8"))["game"]["0.2"]
    return Question.from_query(dict(parse_qsl(link.partition("?")[2])))


def checkpointed():
    """A checkpoint as it is written today, but for the build that wrote it."""
    question = searched()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "checkpoint.jsonl"
        create_analyzer(question.mode).analyze(question.position(), question.config, Runtime(checkpoint=path))
        head, *results = path.read_text().splitlines()
    work = json.loads(head)
    work["checkpoint"]["kibitz"] = "0.2 (golden)"
    return "\n".join([json.dumps(work), *sorted(results)]) + "\n"


def test_a_checkpoint_names_what_it_counts(tmp_path):
    path = tmp_path / "checkpoint.jsonl"
    path.write_bytes((KEPT / "checkpoint.jsonl").read_bytes())
    head, *results = [json.loads(line) for line in path.read_text().splitlines()]
    with Checkpoint(path, head["checkpoint"]) as checkpoint:
        for result in results:
            action, _, games = result["key"].rpartition(" ")
            assert parse(action) >= 0
            assert np.all(outcomes_of(checkpoint.get(result["key"]), int(games.partition("+")[2]))["turn"] > 0)
    question = searched()
    with pytest.raises(CheckpointError, match=r"another analysis \(different: kibitz\)"):  # else it would go on from there
        create_analyzer(question.mode).analyze(question.position(), question.config, Runtime(checkpoint=path))


def test_a_solved_endgame_is_that_of_its_build_alone(monkeypatch):
    path, endgame = KEPT / "coup.endgame", Endgame((3, 2), 2)
    assert endgame_store.load(endgame, path) is None
    header = json.loads(path.read_bytes().partition(b"\n")[0])
    monkeypatch.setattr(endgame_store, "build", lambda: header["build"])
    solved = endgame_store.load(endgame, path)
    assert (solved.value, solved.stored) == (header["value"], True)


if __name__ == "__main__":
    write_golden(
        {
            "kept/library-v4.sql": taken_over,
            "kept/links.json": links,
            "kept/checkpoint.jsonl": checkpointed,
        },
        __doc__ or "",
    )
