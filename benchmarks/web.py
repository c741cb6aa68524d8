"""How soon a page is there, and how soon the server answers while an analysis runs: ``python benchmarks/web.py [SECONDS]``.

Everything stays on the loopback interface. Each of 200 clients asks once a second, for SECONDS (60).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import httpx
from tables import Bench, Figures

from kibitz.catan import Action, Board
from kibitz.catan.core.record import Record, simulate
from kibitz.catan.core.transcript import events_of
from tests.web.driver import browsing, chromium, newcomer, serving, visit

CLIENTS = 200
#: Seconds between two requests of a client.
PAUSE = 1.0
PLAYERS = ["Ann", "Bob", "Cem", "Dan"]


def paints(url: str, times: int) -> list[float]:
    """Seconds to the first paint of the Analyse page with an empty cache, and until its board is there."""
    executable = chromium()
    if executable is None:
        return []
    found = []
    with browsing(executable) as browser:
        for _ in range(times):
            page = visit(newcomer(browser, url), url).page
            page.goto("/analyse")
            page.wait_for_selector(".board svg")
            script = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
            found.append(page.evaluate(script) / 1000)
            page.context.close()
    return found


@cache
def game() -> Record:
    """The game that is asked about."""
    return simulate(Board.beginner(), ["builder"] * 4, seed=1)


@cache
def events() -> list[dict[str, Any]]:
    """What somebody who tracks it sees."""
    return [event.to_json() for event in events_of(game(), None).events]


def position() -> dict[str, Any]:
    """It, after its first turns."""
    return {"board": game().board.to_text(), "moves": [Action.from_code(code).to_text() for code in game().codes[:60]]}


class Client:
    """A bare connection: a library would need more time than the server."""

    async def connect(self, url: str) -> None:
        self._host, port = url.removeprefix("http://").split(":")
        self._port = int(port)
        self._reader, self._writer = await asyncio.open_connection(self._host, self._port)

    async def ask(self, path: str, body: object = None) -> tuple[bool, bytes]:
        """Whether it went well, and the answer."""
        sent = b"" if body is None else json.dumps(body).encode()
        kind = f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n" if sent else ""
        head = f"{'POST' if sent else 'GET'} {path} HTTP/1.1\r\nHost: {self._host}:{self._port}\r\n{kind}\r\n"
        self._writer.write(head.encode() + sent)
        answer = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        length = next(line for line in answer.split(b"\r\n") if line.startswith(b"content-length:"))
        found = await self._reader.readexactly(int(length.partition(b":")[2]))
        return answer.startswith(b"http/1.1 20"), found

    def close(self) -> None:
        self._writer.close()


async def crowd(url: str, seconds: float, clients: int) -> tuple[dict[str, list[float]], int]:
    """The times of all light requests of many clients at once, by what is asked, and how many failed."""
    legal = position()
    times: dict[str, list[float]] = {"health": [], "library": [], "style sheet": [], "legal moves": [], "an event more": []}
    failed = 0
    until = time.monotonic() + seconds

    async def client(number: int) -> None:
        nonlocal failed
        await asyncio.sleep(min(PAUSE, seconds) * number / clients)
        asked = list(times)[number % len(times)]
        connection = Client()
        await connection.connect(url)
        path, body = {
            "health": ("/api/health", None),
            "library": ("/api/library", None),
            "style sheet": ("/static/kibitz.css", None),
            "legal moves": ("/api/catan/legal", legal),
            "an event more": ("/api/track", {"players": PLAYERS}),
        }[asked]
        if asked == "an event more":
            _, opened = await connection.ask(path, body)
            path = f"/api/track/{json.loads(opened)['id']}/events"
        for happened in events():
            if time.monotonic() >= until:
                break
            began = time.perf_counter()
            good, _ = await connection.ask(path, {"events": [happened]} if asked == "an event more" else body)
            times[asked].append(time.perf_counter() - began)
            failed += not good
            await asyncio.sleep(min(PAUSE, seconds))
        connection.close()

    await asyncio.gather(*(client(number) for number in range(clients)))
    return times, failed


def appends(url: str, times: int) -> list[float]:
    """Seconds for one event more in a session that tracks a game."""
    with httpx.Client(base_url=url, timeout=30) as http:
        id = http.post("/api/track", json={"players": PLAYERS}).json()["id"]
        found = []
        for happened in events()[:times]:
            began = time.perf_counter()
            http.post(f"/api/track/{id}/events", json={"events": [happened]}).raise_for_status()
            found.append(time.perf_counter() - began)
        return found


def row(name: str, times: list[float]) -> tuple[str, ...]:
    last = statistics.quantiles(times, n=100)[98] if len(times) > 1 else times[0]
    return (
        name,
        *(f"{1000 * value:,.0f}" for value in (statistics.median(times), min(last, max(times)), max(times))),
        f"{len(times):,}",
    )


def measure(seconds: float, clients: int, quick: bool) -> tuple[list[tuple[str, ...]], str]:
    """The table, and a sentence about the analysis that ran meanwhile."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        painted = [] if quick else paints(server.url, 5)
        rows = [row("first paint of the Analyse page, empty cache", painted)] if painted else []
        rows.append(row("one event more in a tracked game", appends(server.url, 10 if quick else 200)))
        times, failed = asyncio.run(crowd(server.url, seconds, clients))
        rows.append(row(f"a light request, {clients} clients", [*chain(*times.values())]))
        job = httpx.post(f"{server.url}/api/analyse", json={"config": {"full_game_rollouts": 200_000}}).json()
        while not httpx.get(f"{server.url}/api/jobs/{job['id']}").json()["progress"]:
            time.sleep(0.1)
        times, more = asyncio.run(crowd(server.url, seconds, clients))
        rows.append(row("the same, while an analysis runs", [*chain(*times.values())]))
        rows += [row(f"of these: {asked}", found) for asked, found in times.items()]
        running = httpx.get(f"{server.url}/api/jobs/{job['id']}", timeout=30).json()
        httpx.delete(f"{server.url}/api/jobs/{job['id']}", timeout=30)
        speed = running["progress"]["done"] / running["progress"]["elapsed"]
        return rows, f"{failed + more} requests failed. The analysis played {speed:,.0f} games a second meanwhile."


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("seconds", type=float, nargs="?", default=60.0)


def main() -> None:
    bench = Bench(__doc__, "web.md", options)
    rows, remark = measure(0.2 if bench.quick else bench.options.seconds, bench.many(CLIENTS, 10), bench.quick)
    bench.publish(
        "The app in the browser", [Figures("Answers", ("milliseconds", "median", "99 %", "most", "times"), rows)], remark
    )


if __name__ == "__main__":
    main()
