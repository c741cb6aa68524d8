"""When a page is sent: at once where all of it is there soon, else as it is."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from kibitz.web import layout
from kibitz.web.layout import patiently


class Visitor:
    """Somebody who sees a page as soon as it is sent."""

    def __init__(self):
        self.there = asyncio.Event()

    async def connected(self):
        self.there.set()


def run(work):
    """In a thread of its own: the browser of other tests keeps an event loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(work())).result()


def test_a_page_with_much_to_do_is_sent_before_that_is_done(monkeypatch):
    monkeypatch.setattr(layout, "SOON", 0.01)

    async def visit():
        visitor = Visitor()

        async def read():
            await visitor.there.wait()
            return "a long story"

        return await asyncio.wait_for(patiently(visitor, read()), 20)

    assert run(visit) == "a long story"


def test_a_page_that_is_ready_soon_is_sent_whole():
    async def visit():
        visitor = Visitor()
        return await patiently(visitor, asyncio.sleep(0, "a short story")), visitor.there.is_set()

    assert run(visit) == ("a short story", False)
