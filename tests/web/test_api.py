"""The API as a program uses it: analyse, legal moves, advise, track, and what it says about mistakes."""

import json
from dataclasses import replace

import httpx
import pytest

from kibitz import coup, onepiece
from kibitz.catan import Board, GameState
from kibitz.catan.analysis import AnalysisConfig, AnalysisResult, Position, create_analyzer
from kibitz.catan.api.tracked import WorldsAnswer
from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.belief.summary import summary
from kibitz.catan.core.events import EventLog
from kibitz.catan.core.record import simulate
from kibitz.catan.core.transcript import events_of
from kibitz.catan.logs.colonist.frames import read
from kibitz.coup.core import record as coup_record
from kibitz.game import actor_at
from kibitz.onepiece.core import record as onepiece_record
from kibitz.web.games import kept_game
from kibitz.web.services import LIBRARY
from kibitz.web.store import Store
from tests.catan.logs.writers import write

ROLLOUTS = {"full_game_rollouts": 12, "full_game_candidate_vertices": 3}


@pytest.fixture(scope="module")
def game():
    return simulate(Board.beginner(), ["builder"] * 4, seed=3)


def done(api, answer):
    """The job that an answer tells of, once it is over."""
    assert answer.status_code == 202, answer.text
    job = answer.json()
    while job["state"] in ("waiting", "running"):
        job = api.get(f"/jobs/{job['id']}", params={"wait": 20}).json()
    return job


def test_an_analysis_is_the_same_as_in_python(api):
    job = done(api, api.post("/analyse", json={"seat": 1, "config": ROLLOUTS, "save": True}))
    assert (job["state"], job["error"], job["place"]) == ("done", None, 0)
    position, config = Position.opening(Board.beginner(), seat=1), AnalysisConfig(**ROLLOUTS)
    assert AnalysisResult.from_json(job["result"]) == create_analyzer("full_game").analyze(position, config)
    assert job["progress"]["done"] == 36
    saved = api.get(f"/library/{job['saved']}").json()
    assert saved["data"]["result"] == job["result"]
    assert api.delete(f"/library/{job['saved']}").status_code == 204
    assert api.get(f"/library/{job['saved']}").status_code == 404


def test_an_analysis_is_watched_and_cancelled(api):
    started = api.post("/analyse", json={"config": {"full_game_rollouts": 100_000}}).json()
    ranking = []
    while not ranking:
        found = api.get(f"/jobs/{started['id']}").json()
        ranking = (found["progress"] or {}).get("ranking", [])
    assert ranking[0]["name"].startswith("V")
    assert found["progress"]["total"] == 1_000_000
    api.delete(f"/jobs/{started['id']}")
    ended = api.get(f"/jobs/{started['id']}", params={"wait": 20}).json()
    assert (ended["state"], ended["result"]["stopped"]) == ("done", "cancelled")


def test_legal_moves_follow_the_game(api, game):
    moves = [move.to_text() for move in _actions(game)]
    state = GameState.new(game.board)
    for step in (0, 1, 16, 40):
        while len(state.actions) < step:
            state = state.apply(_actions(game)[len(state.actions)])
        found = api.post("/catan/legal", json={"board": game.board.to_text(), "moves": moves[:step]}).json()
        assert found["actor"] == state.actor
        assert found["phase"] == state.phase.value
        assert [legal["action"] for legal in found["legal"]] == [action.to_text() for action in state.legal_actions()]


def _actions(game):
    from kibitz.catan import Action

    return [Action.from_code(code) for code in game.codes]


def test_chance_has_its_probabilities(api, game):
    moves = [move.to_text() for move in _actions(game)]
    rolling = moves.index("roll_dice") + 1
    found = api.post("/catan/legal", json={"board": game.board.to_text(), "moves": moves[:rolling]}).json()
    assert found["actor"] == "chance"
    assert sum(legal["probability"] for legal in found["legal"]) == pytest.approx(1)
    assert next(legal["probability"] for legal in found["legal"] if legal["action"] == "rolled 7") == pytest.approx(1 / 6)


def test_an_action_is_judged_with_its_reason(api):
    found = api.post("/catan/legal", json={"moves": ["place_setup_settlement 41"], "action": "place_setup_road 0-1"}).json()
    assert found["legality"] == GameState.new(Board.beginner()).apply(_place(41)).why_not(_road(0, 1))
    assert api.post("/catan/legal", json={"action": "place_setup_settlement 41"}).json()["legality"] is None
    assert "no such action" in api.post("/catan/legal", json={"action": "dance"}).json()["legality"]


def _place(corner):
    from kibitz.catan import place_setup_settlement

    return place_setup_settlement(corner)


def _road(a, b):
    from kibitz.catan import Action

    return Action("place_setup_road", {"edge": (a, b)})


def test_coup_by_a_seed(api):
    state = coup.GameState.new(3, seed=5).resolve().apply(coup.tax()).resolve()
    found = api.post("/coup/legal", json={"seats": 3, "seed": 5, "moves": ["tax"], "action": "income"}).json()
    assert found["actor"] == state.actor
    assert [legal["action"] for legal in found["legal"]] == [action.to_text() for action in state.legal_actions()]
    assert found["legality"] == state.why_not(coup.income())


def test_advice_in_coup(api):
    told = "coins 7 2; cards duke; I lost contessa; 2 lost captain; 2 claimed duke"
    job = done(api, api.post("/coup/advise", json={"situation": told, "iterations": 400}))
    assert job["result"]["options"][0]["action"] == "coup 2"
    assert job["result"]["options"][0]["value"] == 1.0
    assert job["result"]["belief"][1]["holds"]["duke"] == pytest.approx(0.40, abs=0.01)  # as often as the blueprint bluffs


def test_one_piece_by_a_seed_and_from_a_record(api):
    state = onepiece.GameState.new("ember", "tide", seed=5, starts=1).resolve()
    for _ in range(2):
        state = state.apply(onepiece.simple("keep"))
    position = {"decks": ["ember", "tide"], "seed": 5, "first": 1, "moves": ["keep", "keep"]}
    found = api.post("/onepiece/legal", json={**position, "action": "pass"}).json()
    assert (found["actor"], found["phase"], found["turn"]) == (1, "MAIN", 1)
    assert [legal["action"] for legal in found["legal"]] == [action.to_text() for action in state.legal_actions()]
    assert found["legality"] == state.why_not(onepiece.simple("pass"))
    record = onepiece_record.simulate(["greedy", "random"], seed=3)
    text = "\n".join(record.lines())
    at_deal = api.post("/onepiece/legal", json={"record": text, "step": 0}).json()
    assert at_deal["actor"] == "chance"
    assert sum(legal["probability"] for legal in at_deal["legal"]) == pytest.approx(1)
    assert api.post("/onepiece/legal", json={"record": text}).json()["actor"] is None
    beyond = api.post("/onepiece/legal", json={"record": text, "step": 9999})
    assert (beyond.status_code, beyond.json()["error"]) == (422, f"step 9999: the game has steps 0 to {len(record.codes)}")
    illegal = api.post("/onepiece/legal", json={"moves": ["end_turn"]})
    assert (illegal.status_code, illegal.json()["error"].partition(":")[0]) == (422, "move 1")


def test_advice_in_coup_from_a_record(api):
    whole = coup_record.simulate(["heuristic"] * 3, seed=1)
    step = next(n for n, states in enumerate(whole.states()) if n > 12 and actor_at(states, 0) >= 0)
    text, begun = ("\n".join(one.lines()) for one in (whole, replace(whole, codes=whole.codes[:step])))
    asked = {"record": text, "step": step, "iterations": 100}, {"record": begun, "iterations": 100}
    by_step, at_the_end = (done(api, api.post("/coup/advise", json=ask))["result"] for ask in asked)
    assert by_step == at_the_end
    assert by_step["position"]["step"] == step
    assert by_step["names"] == ["1", "2", "3"]
    over = api.post("/coup/advise", json={"record": text})
    assert over.json()["error"] == f"step {len(whole.codes)}: nobody decides there, the game is over"


def test_iterations_are_those_of_a_search(api):
    refused = api.post("/catan/advise", json={"position": {}, "mode": "full_game", "iterations": 20})
    assert (refused.status_code, refused.json()["error"]) == (422, "iterations: only for ismcts, not for full_game")


def test_advice_in_one_piece(api):
    ask = {"moves": ["keep", "keep"], "iterations": 20}
    first, again = (done(api, api.post("/onepiece/advise", json=ask))["result"] for _ in range(2))
    assert first == again
    assert (first["advice"], first["seat"], first["games"], first["stopped"]) == ("onepiece", 0, 20, None)
    legal = api.post("/onepiece/legal", json={"moves": ["keep", "keep"]}).json()["legal"]
    assert {option["action"] for option in first["options"]} <= {action["action"] for action in legal}
    assert sum(option["visits"] for option in first["options"]) == 20
    over = "\n".join(onepiece_record.simulate(["greedy", "random"], seed=3).lines())
    assert "nothing to advise" in done(api, api.post("/onepiece/advise", json={"record": over}))["error"]


def test_advice_in_catan_from_a_record_a_log_and_a_position(api, game):
    step = next(n for n, action in enumerate(_actions(game)) if n > 40 and action.kind == "end_turn")
    text = "\n".join(game.lines())
    by_record = done(api, api.post("/catan/advise", json={"record": text, "step": step, "iterations": 60}))
    moves = [move.to_text() for move in _actions(game)[:step]]
    position = {"board": game.board.to_text(), "moves": moves}
    by_position = done(api, api.post("/catan/advise", json={"position": position, "iterations": 60}))
    assert by_record["result"]["options"] == by_position["result"]["options"]
    assert by_record["result"]["games"] == 60
    seat = by_record["result"]["seat"]
    begun = replace(game, codes=game.codes[:step])
    log = write(begun, "colonist-frames", seat)
    by_log = done(api, api.post("/catan/advise", json={"log": log, "iterations": 60}))
    assert by_log["error"] is None
    assert {move["action"] for move in by_log["result"]["options"]} == {
        move["action"] for move in by_record["result"]["options"]
    }


def test_advice_that_cannot_be_given_says_why(api):
    assert done(api, api.post("/catan/advise", json={"log": "hello"}))["error"].startswith("log: line 1: no known format")
    assert done(api, api.post("/catan/advise", json={"record": "hello"}))["error"].startswith("record: line 1: not JSON")
    assert api.post("/catan/advise", json={"record": "a", "log": "b"}).json() == {
        "error": "give one of position, record and log"
    }


# --- the library --------------------------------------------------------------------------------------------------


def test_what_is_hidden_in_a_game_is_told_when_it_is_over(api, server):
    store = Store(server.data / LIBRARY)
    setup = {"seat": 0, "seed": 271828}
    game = kept_game("catan", setup, ["place_setup_settlement 41", "place_setup_road 40-41"])
    id = store.save("game", "Catan: running", game, game="catan", over=False)
    refused = api.get(f"/library/{id}")
    assert refused.status_code == 409
    assert "still being played" in refused.json()["error"]
    assert "271828" not in refused.text + api.get("/library").text
    assert api.get(f"/library/{id}", params={"unfinished": True}).json()["data"]["setup"] == setup
    store.save("game", "Catan: over", game, id, game="catan", over=True)
    assert api.get(f"/library/{id}").json()["data"]["setup"] == setup
    review = store.save("review", "Review", {"game": id}, f"{id}.review", parent=id)
    assert api.get(f"/library/{review}").json()["kind"] == "review"
    assert [api.delete(f"/library/{one}").status_code for one in (id, review)] == [204, 404]
    store.close()


def test_the_library_is_listed_in_parts(api, server):
    store = Store(server.data / LIBRARY)
    ids = [store.save("log", f"a log of zebras, number {n}", n) for n in range(5)]
    found = [api.get("/library", params={"words": "Zebras", "most": 2, "first": n}).json() for n in (0, 2, 4)]
    assert [item["id"] for part in found for item in part] == ids[::-1]
    for id in ids:
        store.delete(id)
    store.close()


def test_only_what_is_to_be_saved_is_saved(api):
    before = [item["id"] for item in api.get("/library").json()]
    job = done(api, api.post("/analyse", json={"mode": "static", "seat": 0}))
    assert (job["state"], job["saved"]) == ("done", None)
    advised = done(api, api.post("/catan/advise", json={"position": {}, "mode": "ismcts", "iterations": 20}))
    assert (advised["state"], advised["saved"]) == ("done", None)
    assert [item["id"] for item in api.get("/library").json()] == before


# --- tracking -----------------------------------------------------------------------------------------------------


def test_a_game_is_followed_event_by_event(api, game):
    events = events_of(game, observer=1).events
    session = api.post("/track", json={"players": list("ABCD"), "observer": 1}).json()
    assert session["events"] == 0
    for event in events[:150]:
        found = api.post(f"/track/{session['id']}/events", json={"events": [event.to_json()]}).json()
    tracker = HandTracker.of(EventLog(tuple("ABCD"), tuple(events[:150]), 1))
    assert {**found, **json.loads(json.dumps(summary(tracker)))} == found
    assert (found["incomplete"], found["problems"], found["gaps"], found["over"]) == (False, [], [], False)
    back = api.post(f"/track/{session['id']}/undo", json={"events": 149}).json()
    assert back["events"] == 1
    assert api.delete(f"/track/{session['id']}").status_code == 204
    assert api.get(f"/track/{session['id']}").status_code == 404


def test_events_are_taken_in_whole_or_not_at_all(api):
    id = api.post("/track", json={"players": ["Ann", "Bob"]}).json()["id"]
    roll = {"event": "roll", "player": 0, "total": 8, "gains": {"0": {"wood": 1}}}
    city = {"event": "build", "player": 1, "piece": "city"}
    refused = api.post(f"/track/{id}/events", json={"events": [roll, city]})
    assert refused.status_code == 422
    assert "Bob built a city" in refused.json()["error"]
    assert api.get(f"/track/{id}").json()["events"] == 0


def test_a_steal_is_resolved_by_hand_and_taken_back(api):
    id = api.post("/track", json={"players": ["Ann", "Bob", "Cem"]}).json()["id"]
    roll = {"event": "roll", "player": 0, "total": 8, "gains": {"0": {"wood": 2, "ore": 1}}}
    found = api.post(f"/track/{id}/events", json={"events": [roll, {"event": "steal", "player": 1, "victim": 0}]}).json()
    steal = found["steals"][0]
    assert steal["odds"] == {"wood": pytest.approx(2 / 3), "ore": pytest.approx(1 / 3)}
    path = f"/track/{id}/steals/{steal['id']}"
    assert api.post(path, json={"resource": "ore"}).json()["players"][1]["hand"]["ore"]["expected"] == 1
    assert api.post(path, json={"resource": None}).json()["steals"][0]["resolved"] is None
    assert "cannot have been sheep" in api.post(path, json={"resource": "sheep"}).json()["error"]


def test_the_likeliest_worlds_are_told_with_their_steals_and_carriers(api):
    id = api.post("/track", json={"players": ["Ann", "Bob", "Cem"]}).json()["id"]
    roll = {"event": "roll", "player": 0, "total": 8, "gains": {"0": {"wood": 2, "ore": 1}}}
    api.post(f"/track/{id}/events", json={"events": [roll, {"event": "steal", "player": 1, "victim": 0}]})
    found = api.get(f"/track/{id}/worlds", params={"limit": 1}).json()
    assert WorldsAnswer(**found).model_dump() == found
    assert (found["id"], found["events"], found["worlds"]) == (id, 2, 2)
    (world,) = found["likeliest"]
    assert world == {
        "probability": pytest.approx(2 / 3),
        "hands": [{"wood": 1, "ore": 1}, {"wood": 1}, {}],
        "steals": {"s2": {"wood": 1.0}},
    }
    assert [(card["steal"], card["resource"], card["holders"]) for card in found["carriers"]] == [
        ("s2", "wood", [1.0, 1.0, 0.0]),
        ("s2", "ore", [0.0, 1.0, 0.0]),
    ]
    assert len(api.get(f"/track/{id}/worlds").json()["likeliest"]) == 2
    assert api.get(f"/track/{id}/worlds", params={"limit": 0}).status_code == 422
    assert api.get("/track/none/worlds").status_code == 404


def test_a_game_is_followed_under_the_settings_that_were_asked_for(api):
    def told(**settings):
        id = api.post("/track", json={"players": ["Ann", "Bob", "Cem"], **settings}).json()["id"]
        gains = {"0": {"wood": 4, "brick": 3, "sheep": 2, "ore": 1}}
        events = [{"event": "roll", "player": 0, "total": 8, "gains": gains}, {"event": "steal", "player": 1, "victim": 0}]
        return api.post(f"/track/{id}/events", json={"events": events}).json()

    assert (told()["worlds"], told()["error_bound"]) == (4, 0)
    assert (told(max_worlds=2)["worlds"], told(max_worlds=2)["error_bound"]) == (2, pytest.approx(0.3))
    assert (told(prune_threshold=0.15)["worlds"], told(memory=1)["approximate"]) == (3, False)
    assert told(hidden_discards="bundles")["worlds"] == 4


def test_captured_messages_are_followed_one_by_one(api, game):
    begun = replace(game, codes=game.codes[:300])
    frames = json.loads(write(begun, "colonist-frames", 2))
    session = api.post("/track/frames", json={"frames": frames[:1]}).json()
    for frame in frames[1:]:
        found = api.post(f"/track/{session['id']}/frames", json={"frames": [frame]})
        assert found.status_code == 200, found.text
    whole = HandTracker.of(read(json.dumps(frames)).log, on_contradiction="repair")
    expected = json.loads(json.dumps(summary(whole)))
    assert {**found.json(), **expected} == found.json()
    assert "takes frames, not events" in api.post(f"/track/{session['id']}/events", json={"events": []}).json()["error"]
    assert api.post("/track/frames", json={"frames": [1, "a"]}).status_code == 422


# --- mistakes -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("/analyse", {"board": "d.d.d/d"}, "expected the hexes"),
        ("/analyse", {"board": "beginner", "seat": 4, "seats": 2}, "seat=4: expected 0 to 1"),
        ("/analyse", {"moves": ["place_setup_settlement 1"] * 2}, "move 2: place_setup_settlement 1 is not possible now"),
        ("/analyse", {"config": {"full_game_rollouts": 10**7}}, "at most 200,000 in the browser"),
        ("/analyse", {"config": {"policy": "wizard"}}, "no such bot"),
        ("/analyse", {"time": -1}, "time: Input should be greater than 0"),
        ("/analyse", {"sead": 1}, "sead: Extra inputs are not permitted"),
        ("/coup/legal", {"moves": ["dance"]}, "move 1:"),
        ("/coup/advise", {"situation": "cards duke dragon; coins 2 2"}, "'dragon' is not a character"),
        ("/track", {"players": ["Ann", "Ann"]}, "different names"),
        ("/track", {"players": ["Ann", "Bob"], "memory": 1 << 30}, "memory: Input should be less than or equal to 16777216"),
        ("/track", {"players": ["Ann", "Bob"], "prune_threshold": 1}, "prune_threshold=1: expected a probability below 1"),
    ],
)
def test_a_mistake_is_one_line(api, path, body, said):
    answer = api.post(path, json=body)
    assert answer.status_code == 422
    assert said in answer.json()["error"]
    assert "\n" not in answer.json()["error"]


def test_a_mistake_is_not_told_at_length(api):
    ask = {"record": json.dumps({"record": "catan", "version": 1, "game": 0, "seed": None, "board": "x" * 100_000})}
    assert len(done(api, api.post("/catan/advise", json=ask))["error"]) <= 500
    assert len(api.post("/coup/advise", json={"situation": "y" * 9_000}).json()["error"]) <= 500
    assert len(api.post("/analyse", json={"x" * 9_000: 1}).json()["error"]) <= 500


def test_what_is_no_json_is_refused(api):
    headers = {"content-type": "application/json"}
    for body in (b"{", b"\xff\xfe", b"[" * 100_000, b'{"seats": 1e999}', b'{"seats": ' + b"9" * 10_000 + b"}"):
        answer = api.post("/analyse", content=body, headers=headers)
        assert answer.status_code in (400, 422), answer.text
        assert set(answer.json()) == {"error"}
    assert api.post("/analyse", content=b" " * (65 << 20), headers=headers).status_code == 413


def test_half_letters_are_answered_like_others(api):
    headers = {"content-type": "application/json"}
    for path, body in [
        ("/analyse", rb'{"\ud83d": 1}'),
        ("/analyse", rb'{"board": "\ud83d"}'),
        ("/track", rb'{"players": ["\ud83d", "Bob"]}'),
        ("/coup/advise", rb'{"situation": "cards \ud83d"}'),
        ("/catan/legal", rb'{"action": "\ud83d"}'),
    ]:
        answer = api.post(path, content=body, headers=headers)
        assert answer.status_code == 422, (path, body, answer.text)
        assert set(answer.json()) == {"error"}


def test_what_is_not_there_is_json_too(api, server):
    for path in ("/nothing", "/jobs/none", "/library/none", "/track/none"):
        answer = api.get(path)
        assert answer.status_code == 404
        assert set(answer.json()) == {"error"}
    page = httpx.get(f"{server.url}/api/")
    assert page.status_code == 200
    assert "http" not in page.text  # all of it comes from here
