"""A real server in a process of its own, and a real browser: for tests, screenshots and benchmarks."""

from __future__ import annotations

import asyncio
import atexit
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import httpx
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Playwright, ViewportSize, sync_playwright

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
DESKTOP, LAPTOP, PHONE = (1440, 900), (1366, 768), (390, 844)
#: Milliseconds that a page may take for what a test waits for; a busy machine is slow.
PATIENCE = 60_000
T = TypeVar("T")


@dataclass(frozen=True)
class Server:
    """Where a server listens, where it keeps things, and its process."""

    url: str
    data: Path
    process: subprocess.Popen[bytes]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


#: A server with other limits than those of ``kibitz web``.
_LIMITED = "from kibitz.web import server, services; server.serve(services.Options(port={}, **{}), open_browser=False)"


@contextmanager
def serving(data: Path, *options: str, port: int = 0, **limits: float) -> Iterator[Server]:
    """``kibitz web`` on a free port, with its library in `data`, and perhaps with some fields of `Options` as limits."""
    port = port or free_port()
    command = [sys.executable, "-m", "kibitz", "web", "--no-open", "--port", str(port), *options]
    if limits:
        command = [sys.executable, "-c", _LIMITED.format(port, limits)]
    log = (data / "server.log").open("wb")
    process = subprocess.Popen(command, env={**os.environ, "KIBITZ_DATA": str(data)}, stdout=log, stderr=subprocess.STDOUT)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_for(url, process, data)
        yield Server(url, data, process)
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        log.close()


def _wait_for(url: str, process: subprocess.Popen[bytes], data: Path) -> None:
    until = time.monotonic() + 120
    while time.monotonic() < until:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended: {(data / 'server.log').read_text()}")
        try:
            httpx.get(f"{url}/api/health", timeout=5)
            return
        except httpx.TransportError:
            time.sleep(0.1)
    raise RuntimeError("the server did not start in two minutes")


def chromium() -> str | None:
    """The browser of this machine."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


@cache
def playwright() -> Playwright:
    """What drives browsers; a process can have one."""
    started = sync_playwright().start()
    atexit.register(started.stop)
    return started


@contextmanager
def browsing_with(extension: Path, profile: Path) -> Iterator[BrowserContext]:
    """A browser with an extension: the whole Chromium, whose version without windows knows none."""
    executable = next((found for name in NAMES[1:] if (found := shutil.which(name))), None)
    if executable is None:
        raise FileNotFoundError("there is no whole Chromium on this machine")
    loads = [f"--disable-extensions-except={extension}", f"--load-extension={extension}"]
    allowed = "--disable-features=DisableLoadExtensionCommandLineSwitch"
    context = playwright().chromium.launch_persistent_context(
        profile, executable_path=executable, headless=True, viewport=ViewportSize(width=1280, height=800),
        args=["--headless=new", "--no-sandbox", *loads, allowed], ignore_default_args=["--disable-extensions"],
    )  # fmt: skip
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@contextmanager
def browsing(executable: str) -> Iterator[Browser]:
    browser = playwright().chromium.launch(executable_path=executable, args=["--no-sandbox"])
    yield browser
    browser.close()


@dataclass
class Visitor:
    """A page with everything that went wrong in it."""

    page: Page
    problems: list[str] = field(default_factory=list)


def newcomer(
    browser: Browser, url: str, size: tuple[int, int] = DESKTOP, dark: bool = False, scale: float = 1
) -> BrowserContext:
    """Somebody who has never been on the pages, with a screen of their own."""
    width, height = size
    context = browser.new_context(
        base_url=url,
        viewport=ViewportSize(width=width, height=height),
        color_scheme="dark" if dark else "light",
        has_touch=width < 600,
        device_scale_factor=scale,
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    return context


def visit(context: BrowserContext, url: str) -> Visitor:
    """A fresh page of theirs; whatever comes from another host or is logged as an error is noted."""
    visitor = Visitor(context.new_page())
    page, problems = visitor.page, visitor.problems
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))

    def requested(address: str) -> None:
        if not address.startswith((url, url.replace("http", "ws", 1), "data:", "blob:")):
            problems.append(f"asked another host: {address}")

    page.on("request", lambda request: requested(request.url))
    page.on("websocket", lambda sockets: requested(sockets.url))
    return visitor


def resize(page: Page, size: tuple[int, int], dark: bool) -> None:
    """Another screen for a page, and another theme of the system."""
    page.set_viewport_size(ViewportSize(width=size[0], height=size[1]))
    page.emulate_media(color_scheme="dark" if dark else "light")


def fits_everywhere(page: Page) -> None:
    """Wait until a page fits the window, in the theme of the system: on a phone and a desktop, in the light and the dark."""
    for size in (DESKTOP, PHONE):
        for dark in (False, True):
            resize(page, size, dark)
            page.wait_for_function(_FITS, arg=[*size, "dark" if dark else "light"])


_FITS = """([width, height, theme]) => innerWidth === width && innerHeight === height
  && document.documentElement.scrollWidth <= width && document.documentElement.dataset.theme === theme"""


def forget(visitor: Visitor) -> Visitor:
    """Make a newcomer of somebody again. The window stays: in one that has shown a page, the next costs half as much."""
    page = visitor.page
    for other in page.context.pages:
        if other is not page:
            other.close()
    page.goto("/api/health")
    page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    page.context.clear_cookies()
    visitor.problems.clear()
    return visitor


def awaited(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """What comes of a coroutine, in a thread of its own: the browser of other tests keeps an event loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(work())).result()


def paste(page: Page, text: str) -> None:
    """Put a text into the field for such, at once: a browser that types a long one is busy with it for seconds."""
    page.locator(".paste").evaluate("(field, text) => { field.value = text; }", text)


def at_once(*buttons: Locator) -> None:
    """Click on several buttons in one moment, before the page has heard what the first click changes."""
    found = [button.element_handle() for button in buttons]
    buttons[0].page.evaluate("buttons => buttons.forEach((button) => button.click())", found)


#: Where to click on the elements of a board. They are looked up in one moment: later each may have been drawn anew.
_SPOTS = """(ids) => {
  const found = ids.map((id) => document.querySelector(`.board [id="${id}"]`)?.getBoundingClientRect());
  return found.every(Boolean) && found.map((box) => [box.x + box.width / 2, box.y + box.height / 4]);
}"""


def clicks(page: Page, elements: Sequence[str]) -> None:
    """Real clicks on a board, as fast as a mouse can send them: it is drawn anew between pressing and letting go."""
    for x, y in page.wait_for_function(_SPOTS, arg=list(elements)).json_value():
        page.mouse.move(x, y)
        page.mouse.down()
        page.wait_for_timeout(20)
        page.mouse.up()
