"""What the tests of the app share: one server, one browser, and visitors who notice every error."""

import os
from collections import defaultdict

import httpx
import pytest
from playwright.sync_api import expect

from tests.web.driver import DESKTOP, PATIENCE, PHONE, browsing, chromium, forget, newcomer, resize, serving, visit

expect.set_options(timeout=PATIENCE)


#: Games of one's own that the server has, beside those of this house.
FILES = ("examples/love_letter.py", "tests/web/nim.py")


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("data"), *FILES) as running:
        yield running


@pytest.fixture(scope="session")
def api(server):
    with httpx.Client(base_url=f"{server.url}/api", timeout=60) as client:
        yield client


@pytest.fixture(scope="session")
def browser():
    executable = chromium()
    if executable is None:
        if os.environ.get("CI"):
            pytest.fail("there is no Chromium: .ci/run should have installed it")
        pytest.skip("there is no Chromium on this machine: install it to test the pages")
    with browsing(executable) as opened:
        yield opened


@pytest.fixture(scope="session")
def known():
    """Those whose tests are over, by whether they have a screen to touch: their windows have the files of the pages already."""
    return defaultdict(list)


@pytest.fixture
def visitor(server, browser, known):
    """Opens pages. At the end of the test no page may have logged an error or asked another host, nor the server failed."""
    opened, log = [], server.data / "server.log"
    said = len(log.read_text())

    def open_page(path, size=DESKTOP, dark=False):
        others = known[size[0] <= PHONE[0]]
        found = others.pop() if others else visit(newcomer(browser, server.url, size), server.url)
        opened.append((others, found))
        resize(found.page, size, dark)
        found.page.goto(path)
        found.page.wait_for_selector("#content")
        return found.page

    yield open_page
    try:
        assert [problem for _, found in opened for problem in found.problems] == []
        assert "Traceback" not in log.read_text()[said:]
    finally:
        for others, found in opened:
            others.append(forget(found))
