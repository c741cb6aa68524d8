"""Sessions of games: who is asked when, what is kept, and what a killed server goes on with."""

from types import SimpleNamespace

import pytest

from kibitz.catan.core.board import Board
from kibitz.catan.core.record import check
from kibitz.catan.core.state import Rules
from kibitz.catan.pages.play.game import YOU, CatanKind, CatanSetup
from kibitz.game import OVER, legal_actions
from kibitz.game.actions import InvalidAction
from kibitz.game.doors import sensible_actions
from kibitz.play.match import IllegalDecision
from kibitz.play.profile import InvalidSetup
from kibitz.web.games import GameKind, Games, NotNow, kept_game
from kibitz.web.store import Store


def parse(text):
    verb, _, number = text.partition(" ")
    if verb != "say":
        raise InvalidAction(f"{text!r}: no such action")
    return int(number)


class Counting:
    """A game in which everybody says the next number, up to ten: seat 0 is a person, seat 1 a bot."""

    can_return_to = None

    def __init__(self):
        self.codes = []
        self.game = SimpleNamespace(describe="say {}".format, parse=parse)

    @property
    def actor(self):
        return OVER if len(self.codes) == 10 else len(self.codes) % 2

    def choose(self):
        return len(self.codes)

    def step(self, code):
        if code != len(self.codes):
            raise IllegalDecision(f"{code}: expected {len(self.codes)}")
        self.codes.append(code)

    replay = step


class CountingKind(GameKind):
    name = "counting"
    page = "/counting?game="

    def match(self, setup):
        if "limit" in setup:
            raise InvalidSetup("there is no limit")
        return Counting()

    def title(self, setup, match):
        return f"counted to {len(match.codes)}"


@pytest.fixture
def store(tmp_path):
    opened = Store(tmp_path / "library.sqlite3")
    yield opened
    opened.close()


@pytest.fixture
def games(store):
    opened = Games(store, [CountingKind(), CatanKind()])
    yield opened
    opened.close()


def test_a_person_and_a_bot_take_turns(games):
    session = games.new("counting", {"seat": 0}, pace=0)
    for number in range(0, 10, 2):
        assert session.wait(10)
        assert session.asks
        session.play([number], at=session.version)
    assert session.wait(10)
    assert session.over
    assert session.match.codes == list(range(10))


def test_every_step_is_in_the_library_before_it_is_seen(games, store):
    session = games.new("counting", {"seat": 0}, pace=0)
    assert store.load(session.id).data["moves"] == []
    session.play([0], at=0)
    session.wait(10)
    kept = store.load(session.id)
    assert (kept.title, kept.data["moves"]) == ("counted to 2", ["say 0", "say 1"])


def test_a_stale_or_illegal_decision_is_refused(games):
    session = games.new("counting", {"seat": 0}, pace=0)
    with pytest.raises(NotNow, match="expected 0"):
        session.play([7], at=0)
    session.play([0], at=0)
    session.wait(10)
    with pytest.raises(NotNow, match="moved on in the meantime"):
        session.play([2], at=0)
    with pytest.raises(NotNow, match="not your move"):
        session.play([2, 3], at=2)
    assert session.wait(10)
    assert session.match.codes == [0, 1, 2, 3]  # what was possible is done, and the bot has answered
    assert session.asks


def test_a_game_is_opened_again_after_the_server_was_killed(store):
    first = Games(store, [CountingKind()])
    session = first.new("counting", {"seat": 0}, pace=0)
    session.play([0], at=0)
    session.wait(10)
    second = Games(store, [CountingKind()])
    again = second.open(session.id)
    assert again is not session
    assert again.match.codes == [0, 1]
    assert again.asks
    again.play([2], at=2)
    assert first.open("no such game") is None
    first.close()
    second.close()


def test_a_game_begins_where_another_one_stood(games, store):
    session = games.new("counting", {"seat": 0}, pace=0, moves=["say 0", "say 1", "say 2", "say 3"])
    assert session.asks
    assert store.load(session.id).data["moves"] == ["say 0", "say 1", "say 2", "say 3"]
    with pytest.raises(InvalidSetup, match="5: expected 1"):
        games.new("counting", {"seat": 0}, moves=["say 0", "say 5"])


def test_a_setup_that_is_refused_leaves_nothing_behind(games, store):
    with pytest.raises(InvalidSetup):
        games.new("counting", {"seat": 0, "limit": 3})
    assert store.items() == []


def test_a_game_that_is_deleted_while_it_is_opened_does_not_come_back(store):
    id = Games(store, [CountingKind()]).new("counting", {"seat": 0}, pace=0).id

    class Slow(CountingKind):
        """Somebody deletes the game while it is set up."""

        def match(self, setup):
            games.delete(id)
            return super().match(setup)

    games = Games(store, [Slow()])
    assert games.open(id) is None
    games.close()
    assert store.load(id) is None


def test_a_deleted_game_does_not_come_back(games, store):
    session = games.new("counting", {"seat": 0}, pace=0)
    assert games.delete(session.id)
    with pytest.raises(NotNow, match="put away"):
        session.play([0], at=0)
    session.go_on()
    assert session.wait(10)
    assert store.items() == []
    assert games.open(session.id) is None
    assert not games.delete(session.id)


def test_a_game_that_made_room_for_others_is_opened_where_it_was(store):
    few = Games(store, [CountingKind()], most=1)
    first = few.new("counting", {"seat": 0}, pace=0)
    first.play([0], at=0)
    first.wait(10)
    few.new("counting", {"seat": 0}, pace=0)
    with pytest.raises(NotNow, match="put away"):
        first.play([2], at=2)
    again = few.open(first.id)
    again.play([2], at=2)
    again.wait(10)
    assert store.load(first.id).data["moves"] == ["say 0", "say 1", "say 2", "say 3"]
    few.close()


def test_a_step_that_the_disk_does_not_take_is_not_shown_as_done(games, store):
    session = games.new("counting", {"seat": 0}, pace=0)
    store._connection.execute("PRAGMA query_only=1")
    with pytest.raises(NotNow, match="could not be saved"):
        session.play([0], at=0)
    assert session.version == 0
    with pytest.raises(NotNow, match="could not be saved"):
        session.play([0], at=0)
    store._connection.execute("PRAGMA query_only=0")
    assert store.load(session.id).data["moves"] == []
    again = games.open(session.id)
    again.play([0], at=0)
    assert again.wait(10)
    assert store.load(session.id).data["moves"] == ["say 0", "say 1"]


def test_a_game_from_a_file_is_not_played_on(games, store):
    id = store.save("game", "loaded", kept_game("counting", {"seat": None}, ["say 0"]))
    assert games.open(id) is None
    assert store.load(id).data["moves"] == ["say 0"]


@pytest.mark.parametrize("move", ["say 7", "dance"])
def test_a_game_that_the_rules_do_not_allow_any_more_says_so(games, store, move):
    id = store.save("game", "odd", kept_game("counting", {"seat": 0}, [move]))
    with pytest.raises(InvalidSetup, match="does not follow the rules"):
        games.open(id)


def test_a_game_that_another_version_kept_says_so(games, store):
    id = store.save("game", "odd", {"game": "counting", "version": 1, "setup": {"seat": 0}, "codes": [0]})
    with pytest.raises(InvalidSetup, match="kept by another version"):
        games.open(id)
    assert games.record(store.load(id).data) == ""


def test_a_game_that_cannot_be_saved_is_not_begun(games, store):
    store._connection.execute("PRAGMA query_only=1")
    with pytest.raises(NotNow, match="it could not be saved: attempt to write a readonly database"):
        games.new("counting", {"seat": 0})
    store._connection.execute("PRAGMA query_only=0")
    assert store.items() == []


def test_a_bots_step_that_cannot_be_saved_ends_the_game_in_words(games, store, monkeypatch, caplog):
    def choose(match):
        store._connection.execute("PRAGMA query_only=1")
        return len(match.codes)

    session = games.new("counting", {"seat": 0}, pace=0)
    monkeypatch.setattr(Counting, "choose", choose)
    session.play([0], at=0)
    assert session.wait(10)
    store._connection.execute("PRAGMA query_only=0")
    assert "could not be saved" in session.trouble
    assert [record.exc_info for record in caplog.records if record.name == "kibitz.web.games"] == [None]


def test_the_library_knows_which_games_are_over(games, store):
    session = games.new("counting", {"seat": 0}, pace=0)
    assert [item.id for item in store.items("game", game="counting", over=False)] == [session.id]
    for number in range(0, 10, 2):
        assert session.wait(10)
        session.play([number], at=session.version)
    assert session.wait(10)
    assert [item.id for item in store.items("game", game="counting", over=True)] == [session.id]


def test_the_record_of_a_game_that_goes_on_is_a_record_that_ends_early(games, store):
    session = games.new("catan", catan(YOU, "builder", "builder"), pace=0)
    play_on(session, 30)
    session.wait(60)
    (record,) = check(games.record(store.load(session.id).data).splitlines())
    assert list(record.codes) == session.match.codes


# --- Catan --------------------------------------------------------------------------------------------------------


def catan(*seats, seed=5, rules=None):
    return CatanSetup(Board.beginner(), seats, seed, rules or Rules()).to_json()


def play_on(session, steps):
    """Decide for the person, always the last sensible way, until so many steps are done or the game is over."""
    while session.version < steps:
        assert session.wait(60)
        if session.over:
            return
        session.play([sensible_actions(session.match.view(session.seat))[-1]], at=session.version)


def test_the_same_dice_fall_after_a_restart(store):
    setup = catan(YOU, "builder", "builder")
    first = Games(store, [CatanKind()])
    session = first.new("catan", setup, pace=0)
    play_on(session, 60)
    session.wait(60)
    second = Games(store, [CatanKind()])
    other = second.open(session.id)
    assert other.match.states.tobytes() == session.match.states.tobytes()
    assert other.match.witness.log == session.match.witness.log
    at = session.version
    for one in (session, other):
        one.pace = 0
        play_on(one, at + 40)
    assert session.match.codes[:at] == other.match.codes[:at]
    first.close()
    second.close()


def test_the_log_tells_what_the_seat_saw(games):
    session = games.new("catan", catan(YOU, "builder", "builder"), pace=0)
    play_on(session, 200)
    text = "\n".join(line.text for line in session.match.witness.log)
    assert "You placed a settlement" in text
    assert "Bob rolled" in text
    for line in text.splitlines():
        assert " You" not in line
        if "Bob stole" in line and "Cid" in line:
            assert "stole a card" in line


def test_what_has_no_alternative_is_not_asked(games):
    session = games.new("catan", catan(YOU, "builder", "builder", seed=11), pace=0)
    while session.version < 300:
        assert session.wait(60)
        assert not session.trouble
        if session.over:
            break
        view = session.match.view(0)
        if len(legal := legal_actions(view)) == 1:
            assert session.match.codes  # rolling, placing or ending a turn is asked even so
            assert int(view["phase"][0]) in (0, 1, 2, 4, 5, 8)
        session.play([legal[0] if len(legal) == 1 else sensible_actions(view)[0]], at=session.version)


@pytest.mark.parametrize(
    ("seats", "complaint"),
    [
        ((YOU, "nobody"), "no such bot"),
        ((YOU, "examples/my_bot.py:MyBot"), "no such bot"),  # no browser starts a program
        ((YOU, "ismcts:999999"), "50,000 iterations at most"),
        ((YOU, "ismcts:60s"), "20 seconds at most"),
        ((YOU, YOU), "one of them you"),
        ((YOU,), "2 to 4"),
    ],
)
def test_a_game_that_cannot_be_played_is_explained(games, seats, complaint):
    with pytest.raises(InvalidSetup, match=complaint):
        games.new("catan", catan(*seats))
