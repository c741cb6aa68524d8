"""The server itself: how it ends."""

import os
import signal
import threading
import time

import httpx
import pytest

from tests.web.driver import serving

SOON = 30.0


@pytest.mark.skipif(os.name == "nt", reason="signals are of Unix")
def test_it_ends_soon_even_while_somebody_waits_for_an_analysis(tmp_path):
    with serving(tmp_path) as server:
        job = httpx.post(f"{server.url}/api/analyse", json={"config": {"full_game_rollouts": 200_000}}, timeout=SOON).json()
        url = f"{server.url}/api/jobs/{job['id']}"
        while not httpx.get(url, timeout=SOON).json()["progress"]:
            time.sleep(0.05)
        answers = []
        waiting = threading.Thread(target=lambda: answers.append(httpx.get(url, params={"wait": 30}, timeout=SOON).json()))
        waiting.start()
        time.sleep(0.5)
        server.process.send_signal(signal.SIGINT)
        server.process.wait(SOON)
        waiting.join(SOON)
    assert answers[0]["result"]["stopped"] == "cancelled"
    assert "Traceback" not in (tmp_path / "server.log").read_text()
