"""How soon a page is there, how soon the server answers while an analysis runs, and whether its memory stays what it was.

``python benchmarks/web.py [SECONDS] [--analyses 1000]``. Everything stays on the loopback interface. Each of 200 clients asks
once a second, for SECONDS (60). The slow network is the browser's own: 0.8 Mbit/s and 300 ms, told through its protocol, with
an empty cache; what counts is the moment at which the heading and the links can be seen.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import tempfile
import time
from collections.abc import Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import httpx
from rich.progress import Progress
from tables import Bench, Figures

from kibitz.catan import Action, Board
from kibitz.catan.core.record import Record, simulate
from kibitz.catan.core.transcript import events_of
from tests.web.driver import browsing, chromium, newcomer, serving, visit

CLIENTS = 200
#: Seconds between two requests of a client.
PAUSE = 1.0
PLAYERS = ["Ann", "Bob", "Cem", "Dan"]
#: Pages that are opened over a slow network.
PAGES = ("/", "/analyse", "/track", "/play", "/review", "/coup", "/onepiece", "/library")
#: 0.8 Mbit/s in bytes, and the milliseconds that every request waits.
SLOW = {"offline": False, "latency": 300, "downloadThroughput": 100_000, "uploadThroughput": 100_000}
#: Notes when a heading and a link (or the button that shows the links) are laid out and visible, one frame later than they are.
_SEEN = """(() => {
  const shown = (one) => one && one.getBoundingClientRect().height > 0 && one.checkVisibility({ visibilityProperty: true });
  const look = () => {
    const links = shown(document.querySelector(".k-nav a")) || shown(document.querySelector(".k-menu"));
    if (links && shown(document.querySelector("h1"))) requestAnimationFrame((now) => { window.seenAt = now; });
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()"""
#: Analyses after which the memory is read, as shares of all.
MARKS = (0.1, 0.25, 0.5, 1.0)


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


def slow_paints(url: str, pages: Sequence[str], times: int) -> list[tuple[str, list[float], list[float]]]:
    """For each page the seconds until heading and links are seen, and until all of it is there, over a slow network."""
    executable = chromium()
    if executable is None:
        return []
    found = []
    with browsing(executable) as browser:
        for path in pages:
            seen, whole = [], []
            for _ in range(times):
                page = visit(newcomer(browser, url), url).page
                page.context.new_cdp_session(page).send("Network.emulateNetworkConditions", SLOW)
                page.add_init_script(_SEEN)
                page.goto(path, wait_until="commit")
                page.wait_for_selector("#content")
                whole.append(page.evaluate("performance.now()") / 1000)
                seen.append(page.evaluate("window.seenAt") / 1000)
                page.context.close()
            found.append((path, seen, whole))
    return found


def memory_of(pid: int) -> int:
    """Kilobytes that a process holds in memory."""
    return int(subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True).stdout)


def memory(url: str, pid: int, analyses: int) -> list[tuple[str, ...]]:
    """The server's memory after some of so many different analyses."""
    rows: list[tuple[str, ...]] = []
    marks = {max(1, round(share * analyses)) for share in MARKS}
    settings = {"full_game_rollouts": 4, "full_game_candidate_vertices": 3}
    with httpx.Client(base_url=f"{url}/api", timeout=60) as http, Progress(transient=True, disable=analyses < 10) as bar:
        task = bar.add_task("analyses", total=analyses)
        for number in range(1, analyses + 1):
            asked = {"board": Board.random(number).to_text(), "config": settings, "save": number % 2 == 0}
            job = http.post("/analyse", json=asked).json()
            state = http.get(f"/jobs/{job['id']}", params={"wait": 30}).json()["state"]
            if state != "done":
                raise RuntimeError(f"analysis {number} is {state}")
            if number in marks:
                rows.append((f"{number:,}", f"{memory_of(pid) / 1024:,.0f}"))
            bar.advance(task)
    return rows


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


def measure(seconds: float, clients: int, analyses: int, quick: bool) -> tuple[list[Figures], str]:
    """The tables, and a sentence about the analysis that ran meanwhile."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        held = memory(server.url, server.process.pid, analyses)
        rows = [row("one event more in a tracked game", appends(server.url, 10 if quick else 200))]
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
        # The browser comes last: what drives it keeps an event loop running.
        slow = [
            (path, *(f"{statistics.median(times):.2f}" for times in (seen, whole)), f"{max(seen):.2f}")
            for path, seen, whole in slow_paints(server.url, PAGES[:1] if quick else PAGES, 1 if quick else 3)
        ]
        painted = [] if quick else paints(server.url, 5)
        rows += [row("first paint of the Analyse page, empty cache", painted)] if painted else []
        tables = [
            Figures("Answers", ("milliseconds", "median", "99 %", "most", "times"), rows),
            Figures("At 0.8 Mbit/s and 300 ms", ("seconds", "heading and links", "all of it", "heading, most"), slow),
            Figures("Memory of the server", ("analyses", "MB"), held),
        ]
        return tables, f"{failed + more} requests failed. The analysis played {speed:,.0f} games a second meanwhile."


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("seconds", type=float, nargs="?", default=60.0)
    parser.add_argument("--analyses", type=int, default=1000, help="how many analyses the memory is watched over")


def main() -> None:
    bench = Bench(__doc__, "web.md", options)
    seconds, analyses = (0.2, 2) if bench.quick else (bench.options.seconds, bench.options.analyses)
    tables, remark = measure(seconds, bench.many(CLIENTS, 10), analyses, bench.quick)
    bench.publish("The app in the browser", tables, remark)


if __name__ == "__main__":
    main()
