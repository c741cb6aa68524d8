"""A paired extension that tells of a game of ours, message by message."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import httpx

from kibitz.catan.core.board import Board
from kibitz.catan.core.record import simulate
from kibitz.web.companions import Companions
from tests.web.driver import Server
from tests.web.site import pack, played

ORIGIN = "chrome-extension://of-the-tests"
NAMES = ("Gus", "Hal", "Ida")


def pair(
    api: httpx.Client, server: Server, number: str, names: tuple[str, ...] = NAMES
) -> tuple[Callable[[int, int], httpx.Response], int, int]:
    """Who tells the messages of a game from one to another, a moment of the first seat's turn, and how many there are."""
    code = Companions(server.data).new_code()
    token = api.post("/live/pair", json={"code": code}, headers={"origin": ORIGIN}).json()["token"]
    headers = {"origin": ORIGIN, "x-kibitz-companion": token}
    frames = played(simulate(Board.random(5), ["builder-0.1"] * 3, seed=9), 0, names, number)
    own = next(n for n in range(120, len(frames)) if _rolled(frames[n], 1))

    def say(first: int, last: int) -> httpx.Response:
        messages = ["b" + base64.b64encode(pack(frame)).decode() for frame in frames[first:last]]
        told = {"connection": f"of-game-{number}", "first": first, "messages": messages}
        return api.post("/live/messages", json=told, headers=headers)

    return say, own + 1, len(frames)


def _rolled(frame: dict[str, Any], colour: int) -> bool:
    entries = frame["data"]["payload"].get("diff", {}).get("gameLogState", {}).values()
    texts = [entry["text"] for entry in entries]
    return any(t["type"] == 10 and t["playerColor"] == colour and t["firstDice"] + t["secondDice"] != 7 for t in texts)
