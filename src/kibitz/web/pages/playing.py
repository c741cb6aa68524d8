"""What the pages of a running game share: what a person does, another game of the same kind, the record."""

from __future__ import annotations

import asyncio
from typing import Any

from nicegui import events, ui

from kibitz.web.games import NotNow, Session
from kibitz.web.pages.newgame import Again
from kibitz.web.parts import say


async def decide(session: Session[Any], code: int, version: int, page: ui.element) -> None:
    """Do something, or say on the page why it cannot be done any more."""
    try:
        await asyncio.to_thread(session.play, [code], version)
    except NotNow as error:
        with page:
            say(str(error), "negative")


async def play_again(session: Session[Any], again: Again) -> None:
    """Another game with the same setup, and the next seed."""
    setup = dict(session.setup)
    await again({**setup, "seed": int(setup["seed"]) + 1}, session.pace)


async def download_record(session: Session[Any], game: str) -> None:
    """The game so far, as a file."""
    lines = await asyncio.to_thread(lambda: "".join(f"{line}\n" for line in session.match.record().lines()))
    ui.download.content(lines, f"{game}-{session.id}.jsonl", "application/x-ndjson")


def typed(event: events.KeyEventArguments) -> str:
    """The key that was pressed, alone or with shift; nothing if it was let go, or was a shortcut of the browser."""
    modifiers = event.modifiers
    shortcut = modifiers.ctrl or modifiers.alt or modifiers.meta
    return str(event.key).lower() if event.action.keydown and not shortcut else ""
