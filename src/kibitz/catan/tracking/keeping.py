"""A live game that is over, put into the library: as a log to step through and, where its messages hold it, as a record."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.catan.logs import ImportedLog, LogError, read
from kibitz.catan.logs.likely import LikelyGame, likely_game
from kibitz.catan.tracking.followed import InvalidGame
from kibitz.catan.tracking.reading import CapturedSession, RowsSession
from kibitz.catan.tracking.sessions import NoSession, TrackingSessions
from kibitz.web.store import Store


@dataclass(frozen=True)
class Kept:
    """What became of a game."""

    record: str | None = None
    """The id of its record in the library."""
    assumed: str = ""
    """Which cards of the record nobody showed."""
    trouble: str = ""
    """Why there is none."""
    exact: bool = False
    """Whether the site told everything at the end."""


def kept_at_end(
    store: Store,
    id: str,
    frames: Sequence[Any],
    answers: Mapping[int, str],
    imported: ImportedLog,
    replay: Mapping[str, Any] | None,
    winner: str,
) -> Kept:
    """Keep a game under the id of its session, and its record. Raises `NotSaved`."""
    from kibitz.catan.pages.review.story import Story, keep

    how = f" · {winner} won" if winner else ""
    data = saved_log("\n".join(map(json.dumps, frames)), [[event, resource] for event, resource in answers.items()])
    store.save("log", f"Live: {', '.join(imported.log.players)}{how}", data, id)
    try:
        found = whole_game(imported, frames, replay)
        exact = replay is not None and not found.assumed
        log, seats = imported.log, found.record.seats
        me = "" if log.observer is None else log.players[log.observer]  # a replay may seat the players in another order
        story = Story(found.record, found.assumed, seats.index(me) if me in seats else None)
        return Kept(keep(store, story), found.assumed, exact=exact)
    except LogError as error:
        return Kept(trouble=error.message, exact=replay is not None)


def whole_game(imported: ImportedLog, frames: Sequence[Any] = (), replay: Mapping[str, Any] | None = None) -> LikelyGame:
    """The whole game: from what the site told at its end, else with the likeliest cards. Raises `LogError`."""
    if replay is not None:
        try:
            return likely_game(read(json.dumps({"data": {**_header(frames), **replay}}), "colonist-replay"))
        except LogError:
            if imported.incomplete:
                raise
    return likely_game(imported)


def session_text(sessions: TrackingSessions, id: str) -> str:
    """A session as the text of a log, with what was said by hand: `kibitz.catan.tracking.followed.Followed.from_file` reads it.

    Raises `InvalidGame` where there is none.
    """
    try:
        with sessions.using(id) as session:
            answers = [[event, resource] for event, resource in session.answers.items()]
            if isinstance(session, CapturedSession):
                text = "\n".join(json.dumps(frame) for step in sessions.steps(id) for frame in step.get("frames", ()))
            else:
                text = session.text if isinstance(session, RowsSession) else "\n".join(session.log.lines())
    except NoSession:
        raise InvalidGame("this game is no longer followed: it was deleted, or made room for others") from None
    return json.dumps(saved_log(text, answers))


def saved_log(text: str, answers: Sequence[Sequence[Any]]) -> dict[str, Any]:
    """What the library keeps of a log (see `kibitz.catan.tracking.followed`)."""
    return {"track": "catan", "version": 1, "text": text, "me": None, "board": None, "edits": [], "answers": answers}


def _header(frames: Sequence[Any]) -> dict[str, Any]:
    """What surrounds the first full state: players and settings, which a replay need not repeat."""
    for frame in frames:
        payload = frame["data"].get("payload") if isinstance(frame["data"], dict) else None
        if isinstance(payload, dict) and "gameState" in payload:
            return {name: value for name, value in payload.items() if name != "gameState"}
    return {}
