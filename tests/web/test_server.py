"""The server itself: how it ends."""

import os
import re
import signal
import threading
import time

import httpx
import pytest
from playwright.sync_api import expect

from kibitz.catan.core.state import MAIN
from tests.web.driver import newcomer, serving, visit
from tests.web.tables import keep, moment

SOON = 30.0
TABLE = {"players": ["Ann", "Bob", "Cem"]}
EVENTS = [
    {"event": "roll", "player": 0, "total": 8, "gains": {"0": {"wood": 2, "ore": 2, "sheep": 2}}},
    {"event": "steal", "player": 1, "victim": 0},
]


def client(server):
    return httpx.Client(base_url=f"{server.url}/api", timeout=60)


def sit_down(browser, server, game):
    """Somebody at a table of Catan, and the log of the game."""
    found = visit(newcomer(browser, server.url), server.url)
    found.page.goto(f"/play?game={game}")
    return found, found.page.locator(".k-log")


@pytest.mark.skipif(os.name == "nt", reason="signals are of Unix")
def test_a_killed_server_has_lost_nothing_and_the_next_ends_soon(browser, tmp_path):
    game = keep(tmp_path, *moment(lambda s: s["phase"][0] == MAIN and s["turn"][0] > 3, seats=2))
    with serving(tmp_path) as server, client(server) as api:
        session = api.post("/track", json=TABLE).json()["id"]
        told = api.post(f"/track/{session}/events", json={"events": EVENTS}).json()
        person, log = sit_down(browser, server, game)
        person.page.get_by_role("button", name="End turn").click()
        expect(log).to_contain_text("You ended the turn")
        server.process.kill()
        server.process.wait()
        person.page.context.close()
    with serving(tmp_path) as server, client(server) as api:
        assert api.get(f"/track/{session}").json() == told
        assert api.delete(f"/track/{session}").status_code == 204
        assert api.get(f"/track/{session}").status_code == 404
        person, log = sit_down(browser, server, game)
        expect(log).to_contain_text("You ended the turn")
        status = person.page.locator(".ct-status [role=status]")
        expect(status).to_contain_text(re.compile("Your turn|Answer|discard", re.IGNORECASE))
        assert person.problems == []
        person.page.context.close()
        it_ends_soon(server, api)
    assert "Traceback" not in (tmp_path / "server.log").read_text()


def it_ends_soon(server, api):
    """Even while somebody waits for an analysis."""
    job = api.post("/analyse", json={"config": {"full_game_rollouts": 200_000}}).json()["id"]
    while not api.get(f"/jobs/{job}").json()["progress"]:
        time.sleep(0.05)
    answers = []
    waiting = threading.Thread(target=lambda: answers.append(api.get(f"/jobs/{job}", params={"wait": 30}).json()))
    waiting.start()
    time.sleep(0.5)
    server.process.send_signal(signal.SIGINT)
    server.process.wait(SOON)
    waiting.join(SOON)
    assert answers[0]["result"]["stopped"] == "cancelled"
