"""Live games as a companion tells of them: each message counts once, whatever is repeated, lost or restarted in between."""

import base64
import json
import threading
from contextlib import contextmanager

import httpx
import pytest
from fastapi import FastAPI

from kibitz.catan.api.tracked import _changes
from kibitz.catan.belief import evidence
from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.belief.summary import summary
from kibitz.catan.core.actions import describe
from kibitz.catan.core.board import Board
from kibitz.catan.core.record import simulate
from kibitz.catan.logs import read
from kibitz.catan.tracking import live as module
from kibitz.catan.tracking.live import QUIET, live_games, tracking
from kibitz.play.registry import known
from kibitz.web.api import at_api, create_api
from kibitz.web.companions import LASTS, TRIES, Companions
from kibitz.web.games import Games
from kibitz.web.jobs import Jobs
from kibitz.web.security import Gate
from kibitz.web.services import Options, Room, Services
from kibitz.web.store import NotSaved, Store
from tests.catan.logs.writers import write
from tests.web.driver import awaited
from tests.web.site import merged, message, pack, played, rejoined

NAMES = ("Ann", "Bob", "Cem")
EXTENSION = "chrome-extension://abcdefghijklmnop"
PAIR, HELLO, MESSAGES = "/api/live/pair", "/api/live/hello", "/api/live/messages"

pytestmark = [pytest.mark.plain, pytest.mark.once]


@pytest.fixture(scope="module")
def record():
    return simulate(Board.beginner(), ["builder"] * 3, seed=1)


@pytest.fixture(scope="module")
def frames(record):
    return played(record, 0, NAMES, "77")


@contextmanager
def running(folder, **options):
    """Kibitz, from its start to its end; its library is in the folder."""
    store = Store(folder / "library")
    jobs = Jobs(workers=1, seconds=5)
    made = Services(Options(data=folder, **options), jobs, store, Room(1 << 30), Games(store), (known("catan"),))
    yield made
    made.stop()


@pytest.fixture
def services(tmp_path):
    with running(tmp_path) as made:
        yield made


@pytest.fixture
def games(services):
    return services.one(live_games)


def raw(*frames):
    return ["b" + base64.b64encode(pack(frame)).decode() for frame in frames]


def table(frames):
    """What ``kibitz track`` says of messages."""
    told = summary(HandTracker.of(read(json.dumps(frames)).log, on_contradiction="repair"))
    return json.loads(json.dumps({name: told[name] for name in ("events", "players", "bank", "steals", "dice", "worlds")}))


def shown(answer):
    return {name: answer["game"][name] for name in ("events", "players", "bank", "steals", "dice", "worlds")}


def test_what_comes_twice_counts_once(games, frames):
    begun = frames[:60]
    games.take("first-connection", 0, raw(*begun[:40]))
    games.take("first-connection", 20, raw(*begun[20:50]))
    again = games.take("first-connection", 0, raw(*begun))
    assert (again["next"], shown(again)) == (60, table(begun))
    assert games.take("first-connection", 0, []) == again
    assert [game.title for game in games.under_way()] == ["Ann, Bob, Cem"]


def test_a_restart_of_kibitz_loses_nothing(tmp_path, frames):
    for first, last in ((0, 1), (1, 30), (25, 60)):
        with running(tmp_path) as services:
            told = services.one(live_games).take("first-connection", first, raw(*frames[first:last]))
    assert shown(told) == table(frames[:60])
    assert told["game"]["approximate"] is False


def test_what_the_disk_does_not_take_may_come_again(games, frames, monkeypatch):
    games.take("first-connection", 0, raw(*frames[:30]))
    real = games.sessions.tell

    def full(*_):
        raise NotSaved("the disk is full")

    monkeypatch.setattr(games.sessions, "tell", full)
    with pytest.raises(NotSaved):
        games.take("first-connection", 30, raw(*frames[30:50]))
    monkeypatch.setattr(games.sessions, "tell", real)
    told = games.take("first-connection", 30, raw(*frames[30:50]))
    assert (told["next"], shown(told)) == (50, table(frames[:50]))


def test_a_page_that_is_loaded_again_goes_on_with_its_game(games, frames):
    first = games.take("first-connection", 0, raw(*frames[:50]))
    sent = [*frames[:50], *rejoined(frames[:50])]
    second = games.take("second-connection", 0, raw(*sent[50:]))
    assert second["game"]["id"] == first["game"]["id"]
    stale = games.take("first-connection", 50, raw(message(91, {"diff": {}}, 51)))  # what the old page still says is old
    assert (stale["next"], shown(stale)) == (51, table(sent))
    rest = [message(one["data"]["type"], one["data"]["payload"], n) for n, one in enumerate(frames[50:90], start=4)]
    assert shown(games.take("second-connection", 3, raw(*rest))) == table([*sent, *rest])


def test_two_games_at_once_and_two_over_one_connection(games, frames, record):
    other = played(record, 1, NAMES, "78")
    both = [games.take(name, 0, raw(*sent[:40])) for name, sent in (("connection-a", frames), ("connection-b", other))]
    assert [shown(told) for told in both] == [table(frames[:40]), table(other[:40])]
    third = played(record, 2, NAMES, "79")
    told = games.take("connection-a", 40, raw(*frames[40:50], *third[:30]))
    assert shown(told) == table(third[:30])
    assert shown({"game": games.sessions.ask(both[0]["game"]["id"])}) == table(frames[:50])
    assert len(games.under_way()) == 3


def test_what_was_lost_counts_once_even_where_it_could_not_be_saved(games, frames, monkeypatch):
    games.take("first-connection", 0, raw(*frames[:30]))
    saving = games.sessions.tell
    monkeypatch.setattr(games.sessions, "tell", lambda *given, **named: (_ for _ in ()).throw(NotSaved("the disk is full")))
    with pytest.raises(NotSaved):
        games.take("first-connection", 34, raw(*frames[34:40]))
    monkeypatch.setattr(games.sessions, "tell", saving)
    assert games.take("first-connection", 34, raw(*frames[34:40]))["game"]["lost"] == 4


def test_what_is_missing_or_not_understood_is_said(games, frames):
    odd = message(991, {}, frames[29]["data"]["sequence"] + 1)
    games.take("first-connection", 0, raw(*frames[:30], odd, odd))
    told = games.take("first-connection", 36, ["b" + base64.b64encode(b"\xc1\xc1").decode(), *raw(*frames[36:40])])["game"]
    reasons = {problem["reason"]: problem["count"] for problem in told["problems"]}
    assert reasons["not understood: a message of type 991"] == 2
    assert any("means nothing" in reason for reason in reasons)
    assert (told["gaps"], told["lost"], told["approximate"]) == ([[32, 36]], 4, True)
    assert (told["incomplete"], told["missing"]) == (True, "some of the game's messages are missing")


def test_a_game_that_was_joined_late_says_so(games, frames):
    told = games.take("first-connection", 0, raw(*rejoined(frames[:80], log_from=10**9)))["game"]
    assert (told["incomplete"], told["approximate"], told["over"]) == (True, True, False)


def test_what_is_not_about_a_game_is_passed_over(games, frames):
    lobby = [{"v0": 2, "str": "lobby", "message": {"action": 9}}, {"id": "133", "data": {"type": 2}}]
    told = games.take("first-connection", 0, ["tping", "b!", *raw(*lobby)])
    assert (told["next"], told["game"]) == (4, None)
    assert shown(games.take("first-connection", 4, ["tping", *raw(*frames[:30])])) == table(frames[:30])
    as_text = ["t" + json.dumps(frame) for frame in frames[30:40]]
    assert shown(games.take("first-connection", 35, as_text)) == table(frames[:40])


def test_a_game_of_an_expansion_is_refused_in_words_and_the_next_is_followed(games, frames):
    ship = {"diff": {"gameLogState": {"0": {"text": {"type": 6}}}}}
    told = games.take("first-connection", 0, raw(*frames[:2], message(91, ship, 3), *frames[2:9]))
    assert "Seafarers" in told["game"]["trouble"]
    assert told["next"] == 10
    assert games.under_way() == []


def test_a_game_that_is_over_is_in_the_library_ready_for_review(services, games, frames, record):
    told = games.take("first-connection", 0, raw(*frames))["game"]
    assert (told["over"], told["review"]) == (True, f"/review?log={told['id']}")
    kept = games.wait_for(told["id"]).kept
    assert kept.trouble == ""
    log, review = services.store.load(told["id"]), services.store.load(kept.record)
    assert (log.kind, log.title.startswith("Live: Ann, Bob, Cem · "), review.kind, review.over) == ("log", True, "game", True)
    assert len(review.data["moves"]) == len(record.codes)
    assert shown({"game": games.sessions.ask(told["id"])}) == table(frames)
    assert games.under_way() == []


def test_a_replay_at_the_end_shows_what_was_hidden(services, games, frames, record):
    history = json.loads(write(record, "colonist-replay", None, NAMES))["data"]["eventHistory"]
    end = message(45, {"eventHistory": history}, len(frames) + 1)
    told = games.take("first-connection", 0, raw(*frames, end))["game"]
    kept = games.wait_for(told["id"]).kept
    while not kept.exact:  # it is kept when it is over, and again when more is known
        kept = games.wait_for(told["id"]).kept
    moves, truth = services.store.load(kept.record).data["moves"], [describe(code) for code in record.codes]
    hidden = [[move for move in game if move.startswith(("stolen", "drawn"))] for game in (moves, truth)]
    assert kept.assumed == ""
    assert hidden[0] == hidden[1] != []


def test_advice_rests_while_a_game_runs_unless_the_setting_says_otherwise(games, frames):
    bots = json.loads(json.dumps(frames))
    for user in bots[1]["data"]["payload"]["playerUserStates"][1:]:
        user["isBot"] = True
    bots[0]["data"]["payload"]["databaseGameId"] = "80"
    bots[1]["data"]["payload"]["playerUserStates"][0]["username"] = "Me"
    people = games.take("with-people", 0, raw(*frames[:40]))["game"]
    against_bots = games.take("with-bots", 0, raw(*bots[:40]))["game"]
    given = {}
    for setting in ("never", "bots", "always"):
        games.companions.set("advice", setting)
        given[setting] = [games.take(name, 0, [])["game"]["advice"] for name in ("with-people", "with-bots")]
    assert given == {"never": [False, False], "bots": [False, True], "always": [True, True]}
    assert people["advice"] is against_bots["advice"] is False
    games.companions.set("advice", "never")
    assert games.take("with-people", 40, raw(*frames[40:]))["game"]["advice"] is True  # it is over


def test_a_game_that_nobody_plays_on_with_is_not_under_way(games, frames, monkeypatch):
    games.take("first-connection", 0, raw(*frames[:40]))
    monkeypatch.setattr(module, "QUIET", -QUIET)
    assert games.under_way() == []


# --- who may tell of games -------------------------------------------------------------------------------------------


class Client:
    """Asks the API through the gate, from a machine."""

    def __init__(self, services, machine="127.0.0.1"):
        app = Gate(at_api(create_api(services), FastAPI()), services.options)
        self._way = httpx.ASGITransport(app, client=(machine, 50000))

    def ask(self, method, path, **asked):
        async def answer():
            async with httpx.AsyncClient(transport=self._way, base_url="http://127.0.0.1:8477") as client:
                return await client.request(method, path, **asked)

        return awaited(answer)

    def post(self, path, **asked):
        return self.ask("POST", path, **asked)


@pytest.fixture
def client(services):
    return Client(services)


@pytest.fixture
def paired(services, client):
    code = Companions(services.options.data).new_code()
    token = client.post(PAIR, json={"code": code.lower()}, headers={"origin": EXTENSION}).json()["token"]
    return {"origin": EXTENSION, "x-kibitz-companion": token}


def test_only_a_paired_extension_is_heard(client, paired, frames):
    asked = {"connection": "first-connection", "first": 0, "messages": raw(*frames[:40])}
    assert client.post(HELLO, headers=paired).status_code == 200
    told = client.post(MESSAGES, json=asked, headers=paired)
    assert (told.status_code, shown(told.json())) == (200, table(frames[:40]))
    assert "access-control-allow-origin" not in told.headers
    token = {"x-kibitz-companion": paired["x-kibitz-companion"]}
    strangers = [
        {}, token, {"origin": EXTENSION}, {**paired, "x-kibitz-companion": "guess"}, {**token, "origin": "null"},
        {**token, "origin": "chrome-extension://another"}, {**token, "origin": "https://colonist.io"},
        {**token, "origin": "http://127.0.0.1:8477"},
    ]  # fmt: skip
    for headers in strangers:
        for path, body in ((MESSAGES, asked), (HELLO, {}), (PAIR, {"code": "AAAA-AAAA"})):
            assert client.post(path, json=body, headers=headers).status_code == 403, (path, headers)
    assert client.ask("OPTIONS", MESSAGES, headers={"origin": "https://colonist.io"}).status_code == 403


def test_another_machine_is_not_heard(services, paired):
    assert Client(services, "192.168.0.7").post(HELLO, headers=paired).status_code == 403


def test_where_others_are_served_too_an_extension_shows_its_own_token(tmp_path):
    with running(tmp_path, host="0.0.0.0", token="secret") as services:
        client, code = Client(services), Companions(tmp_path).new_code()
        token = client.post(PAIR, json={"code": code}, headers={"origin": EXTENSION}).json()["token"]
        headers = {"origin": EXTENSION, "x-kibitz-companion": token}
        assert client.post(HELLO, headers=headers).status_code == 200
        assert client.ask("GET", "/api/library", headers=headers).status_code == 401


def test_a_code_pairs_once_for_ten_minutes_and_survives_few_guesses(tmp_path, monkeypatch):
    kept = Companions(tmp_path)
    code = kept.new_code()
    assert kept.pair(code, "https://colonist.io") is None
    assert kept.pair(code, EXTENSION)
    assert kept.pair(code, EXTENSION) is None
    old = kept.new_code()
    new = kept.new_code()
    assert kept.pair(old, EXTENSION) is None
    assert kept.pair(new, EXTENSION)
    code = kept.new_code()
    assert [kept.pair("WRONG", EXTENSION) for _ in range(TRIES)] == [None] * TRIES
    assert kept.pair(code, EXTENSION) is None
    code = kept.new_code()
    monkeypatch.setattr("kibitz.web.companions.time.time", lambda: LASTS + 4e9)
    assert kept.pair(code, EXTENSION) is None


def test_pairing_outlives_a_restart_and_is_forgotten_when_asked(tmp_path):
    token = Companions(tmp_path).pair(Companions(tmp_path).new_code(), EXTENSION)
    again = Companions(tmp_path)
    assert again.known(token, EXTENSION)
    assert token not in (tmp_path / "companions.json").read_text()
    assert (tmp_path / "companions.json").stat().st_mode & 0o077 == 0
    again.forget()
    assert not Companions(tmp_path).known(token, EXTENSION)
    (tmp_path / "companions.json").write_text("{")
    assert Companions(tmp_path).paired() == []


# --- rows, and changes as they come ---------------------------------------------------------------------------------


def test_rows_of_text_are_followed_and_those_that_come_again_are_known(client, record):
    rows = write(record, "colonist-text", 0, NAMES).splitlines()[:120]
    opened = client.post("/api/track/rows", json={"rows": rows[:50], "first": 0, "me": "Ann"}).json()
    told = client.post(f"/api/track/{opened['id']}/rows", json={"rows": rows[30:], "first": 30}).json()
    whole = read("\n".join(rows), "colonist-text", me="Ann")
    assert told["events"] == len(whole.log.events)
    assert told["players"] == json.loads(json.dumps(summary(HandTracker.of(whole.log, on_contradiction="repair"))["players"]))
    assert told["gaps"] == []
    gap = client.post(f"/api/track/{opened['id']}/rows", json={"rows": ["Ann rolled dice_3 dice_5"], "first": 130}).json()
    assert (gap["gaps"], gap["incomplete"], gap["approximate"]) == ([[120, 129]], True, True)
    assert client.post(f"/api/track/{opened['id']}/frames", json={"frames": []}).status_code == 422


def test_rows_of_the_page_say_their_numbers(client, record, monkeypatch):
    monkeypatch.setattr(evidence, "MOST_DEALS", 500)  # of the hands where the rows begin late
    rows = [row for row in write(record, "colonist-html", 0, NAMES).splitlines() if "data-index" in row]
    opened = client.post("/api/track/rows", json={"rows": rows[:60], "format": "html"}).json()
    told = client.post(f"/api/track/{opened['id']}/rows", json={"rows": rows[45:90]}).json()
    assert told["gaps"] == []
    late = client.post("/api/track/rows", json={"rows": rows[40:60], "format": "html"}).json()
    assert (late["incomplete"], late["approximate"], late["gaps"]) == (True, True, [[0, 39]])


def test_a_stream_tells_every_change(services, client):
    sessions = services.one(tracking)
    id = sessions.open({"players": ["Ann", "Bob"]})["id"]
    roll = {"event": "roll", "player": 0, "total": 8, "gains": {"1": {"wood": 2}}}

    async def listen():
        stream = _changes(sessions, id, json.dumps(sessions.ask(id)).encode())
        heard = [await anext(stream)]
        threading.Thread(target=sessions.tell, args=(id, {"events": [roll]})).start()
        heard.append(await anext(stream))
        sessions.close(id)
        for tell in [*sessions._watching.values()]:
            tell(id)
        return [*heard, *[part async for part in stream]]

    first, second, gone = awaited(listen)
    assert [json.loads(part.removeprefix(b"data: "))["events"] for part in (first, second)] == [0, 1]
    assert gone.startswith(b"event: gone")
    assert sessions._watching == {}
    assert client.ask("GET", "/api/track/nothing/stream").status_code == 404


def test_merging_states_is_that_of_the_format():
    assert merged({"a": 1, "b": {"c": 2}}, {"a": None, "b": {"d": 3}}) == {"b": {"c": 2, "d": 3}}
