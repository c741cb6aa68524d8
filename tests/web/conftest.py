"""What the tests of the app share: one server, one browser, and visitors who notice every error."""

import os

import httpx
import pytest
from playwright.sync_api import expect

from tests.web.driver import DESKTOP, PATIENCE, browsing, chromium, serving, visit

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


@pytest.fixture
def visitor(server, browser):
    """Opens pages. At the end of the test no page may have logged an error or asked another host, nor the server failed."""
    opened, log = [], server.data / "server.log"
    said = len(log.read_text())

    def open_page(path, size=DESKTOP, dark=False):
        found = visit(browser, server.url, size, dark)
        opened.append(found)
        found.page.goto(path)
        found.page.wait_for_selector("#content")
        return found.page

    yield open_page
    problems = [problem for found in opened for problem in found.problems]
    for found in opened:
        found.page.context.close()
    assert problems == []
    assert "Traceback" not in log.read_text()[said:]
