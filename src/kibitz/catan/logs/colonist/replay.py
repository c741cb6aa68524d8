"""Replays of colonist.io: the JSON of a whole game, with every hand in clear."""

from __future__ import annotations

from typing import Any

from kibitz.catan.core.events import EventLog, seen_by
from kibitz.catan.logs.base import ImportedLog, LogError, Notebook, seat_of
from kibitz.catan.logs.colonist import frames
from kibitz.catan.logs.colonist.log import Narrator, carried
from kibitz.catan.logs.colonist.state import Roster, read_board, rules_of
from kibitz.catan.logs.colonist.values import as_dict, as_list
from kibitz.ground.codec import parse_json

__all__ = ["carried", "read", "recognises"]


def recognises(text: str) -> bool:
    """The history of a game is in it (and not as the last of many messages)."""
    if not text.lstrip().startswith("{") or '"eventHistory"' not in text or '"initialState"' not in text:
        return False
    return not frames.recognises(text)


def read(text: str, me: str | None = None, strict: bool = False) -> ImportedLog:
    """Read a replay as `me` (a player's name) or a spectator saw the game; `everything` has nothing hidden."""
    try:
        data = _replay(parse_json(text))
    except ValueError as error:
        raise LogError(1, str(error)) from None
    history = as_dict(data.get("eventHistory"))
    if not isinstance(history.get("initialState"), dict):
        raise LogError(1, "no initial state of a game (eventHistory.initialState) is in it")
    state = history["initialState"]
    roster = Roster.of(data, state)
    observer = None if me is None else seat_of(me, roster.players)
    notebook = Notebook(len(roster.players), strict)
    board = read_board(state, notebook)
    rules = rules_of([as_dict(data.get("gameSettings"))], notebook)
    narrator = Narrator(roster, notebook)
    narrator.start(state)
    for number, event in enumerate(as_list(history.get("events")), start=1):
        change = as_dict(event).get("stateChange")
        if isinstance(change, dict):
            narrator.patch(change)
        elif not isinstance(event, dict) or change is not None:
            notebook.problem(number, f"event {number} of the history has no change of the state that can be read")
    everything = tuple(notebook.events)
    log = EventLog(roster.players, tuple(seen_by(event, observer) for event in everything), observer, rules.victory_points)
    lines, problems = tuple(notebook.lines), tuple(notebook.problems)
    return ImportedLog("colonist-replay", log, lines, problems, board, rules, everything, lines, narrator.incomplete)


def _replay(value: Any) -> dict[str, Any]:
    """The object that holds the history, inside of up to two others called data."""
    found = as_dict(value)
    for _ in range(2):
        if "eventHistory" not in found:
            found = as_dict(found.get("data"))
    return found
