"""How soon a page is there, and how soon the server answers while an analysis runs: ``python benchmarks/web.py [SECONDS]``.

Everything stays on the loopback interface. Each of 200 clients asks once a second, for SECONDS (60). ``--write`` keeps the
table in ``benchmarks/results/web.md``.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

import httpx
from tables import RESULTS, as_markdown, machine, show

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.web.driver import browsing, chromium, serving, visit

CLIENTS = 200
#: Seconds between two requests of a client.
PAUSE = 1.0
LIGHT = ("/api/health", "/api/library", "/static/kibitz.css")


def paints(url: str, times: int = 5) -> list[float]:
    """Seconds to the first paint of the Analyse page with an empty cache, and until its board is there."""
    executable = chromium()
    if executable is None:
        return []
    found = []
    with browsing(executable) as browser:
        for _ in range(times):
            page = visit(browser, url).page
            page.goto("/analyse")
            page.wait_for_selector(".board svg")
            script = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
            found.append(page.evaluate(script) / 1000)
            page.context.close()
    return found


async def crowd(url: str, seconds: float) -> tuple[list[float], int]:
    """The times of all light requests of many clients at once, and how many failed.

    Each client is a bare connection: a library would need more time than the server.
    """
    host, port = url.removeprefix("http://").split(":")
    times: list[float] = []
    failed = 0
    until = time.monotonic() + seconds

    async def client(number: int) -> None:
        nonlocal failed
        await asyncio.sleep(PAUSE * number / CLIENTS)
        reader, writer = await asyncio.open_connection(host, int(port))
        request = f"GET {LIGHT[number % len(LIGHT)]} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode()
        while time.monotonic() < until:
            began = time.perf_counter()
            writer.write(request)
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = next(line for line in head.split(b"\r\n") if line.startswith(b"content-length:"))
            await reader.readexactly(int(length.partition(b":")[2]))
            times.append(time.perf_counter() - began)
            failed += not head.startswith(b"http/1.1 200")
            await asyncio.sleep(PAUSE)
        writer.close()

    await asyncio.gather(*(client(number) for number in range(CLIENTS)))
    return times, failed


def appends(url: str, times: int = 200) -> list[float]:
    """Seconds for one event more in a session that tracks a game."""
    with httpx.Client(base_url=url, timeout=30) as http:
        id = http.post("/api/track", json={"players": ["A", "B", "C", "D"]}).json()["id"]
        found = []
        for n in range(times):
            gains = {str(n % 4): {"wood": 1, "ore": 1}, str((n + 1) % 4): {"sheep": 1}}
            event = {"event": "roll", "player": n % 4, "total": 8, "gains": gains}
            if n % 10 == 9:
                event = {"event": "steal", "player": n % 4, "victim": (n + 1) % 4}
            elif n % 5 == 4:
                event = {"event": "bank_trade", "player": n % 4, "give": {"wood": 4}, "receive": {"brick": 1}}
            began = time.perf_counter()
            http.post(f"/api/track/{id}/events", json={"events": [event]})
            found.append(time.perf_counter() - began)
        return found


def row(name: str, times: list[float]) -> tuple[str, ...]:
    last = statistics.quantiles(times, n=100)[98] if len(times) > 1 else times[0]
    return (
        name,
        *(f"{1000 * value:,.0f}" for value in (statistics.median(times), min(last, max(times)), max(times))),
        f"{len(times):,}",
    )


def measure(seconds: float) -> tuple[list[tuple[str, ...]], str]:
    """The table, and a sentence about the analysis that ran meanwhile."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        painted = paints(server.url)
        rows = [row("first paint of the Analyse page, empty cache", painted)] if painted else []
        rows.append(row("one event more in a tracked game", appends(server.url)))
        times, failed = asyncio.run(crowd(server.url, seconds))
        rows.append(row(f"a light request, {CLIENTS} clients", times))
        job = httpx.post(f"{server.url}/api/analyse", json={"config": {"full_game_rollouts": 200_000}}).json()
        while not httpx.get(f"{server.url}/api/jobs/{job['id']}").json()["progress"]:
            time.sleep(0.1)
        times, more = asyncio.run(crowd(server.url, seconds))
        rows.append(row("the same, while an analysis runs", times))
        running = httpx.get(f"{server.url}/api/jobs/{job['id']}", timeout=30).json()
        httpx.delete(f"{server.url}/api/jobs/{job['id']}", timeout=30)
        speed = running["progress"]["done"] / running["progress"]["elapsed"]
        return rows, f"{failed + more} requests failed. The analysis played {speed:,.0f} games a second meanwhile."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seconds", type=float, nargs="?", default=60.0)
    parser.add_argument("--write", action="store_true", help="keep the table")
    options = parser.parse_args()
    rows, remark = measure(options.seconds)
    headings = ("milliseconds", "median", "99 %", "most", "times")
    show("the app in the browser", headings, rows)
    print(remark)
    if options.write:
        text = f"# The app in the browser\n\n{machine()}\n\n{as_markdown(headings, rows)}\n{remark}\n"
        (RESULTS / "web.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
