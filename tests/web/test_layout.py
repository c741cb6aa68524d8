"""When a page is sent: at once where all of it is there soon, else as it is."""

import asyncio

from kibitz.web import layout, painting
from kibitz.web.layout import patiently
from tests.web.driver import awaited


class Visitor:
    """Somebody who sees a page as soon as it is sent."""

    def __init__(self):
        self.there = asyncio.Event()

    async def connected(self):
        self.there.set()


def test_a_page_with_much_to_do_is_sent_before_that_is_done(monkeypatch):
    monkeypatch.setattr(layout, "SOON", 0.01)

    async def visit():
        visitor = Visitor()

        async def read():
            await visitor.there.wait()
            return "a long story"

        return await asyncio.wait_for(patiently(visitor, read()), 20)

    assert awaited(visit) == "a long story"


def test_a_page_that_is_ready_soon_is_sent_whole():
    async def visit():
        visitor = Visitor()
        return await patiently(visitor, asyncio.sleep(0, "a short story")), visitor.there.is_set()

    assert awaited(visit) == ("a short story", False)


def test_a_second_app_in_the_process_has_the_page_of_the_first(monkeypatch):
    """What is painted early is made of NiceGUI's page each time, and never of what was made of it."""
    monkeypatch.setattr(painting.templates.env, "loader", painting.templates.env.loader)
    files = {painting.FRAME: b"", "one.css": b""}
    known, first = painting.paint_early(files), page_source()
    assert (painting.paint_early(files), page_source()) == (known, first) == (True, first)
    assert first.count("kibitzStyled = ") == 1
    painting.paint_early({**files, "two.css": b""})
    assert "let left = 3" in page_source()


def page_source():
    env = painting.templates.env
    return env.loader.get_source(env, "index.html")[0]
