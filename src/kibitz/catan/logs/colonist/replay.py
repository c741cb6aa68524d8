"""Replays of colonist.io: the JSON of a whole game, with every hand in clear."""

import re
from typing import Any

from kibitz.catan.logs.base import ImportedLog, LogError
from kibitz.catan.logs.colonist.embedded import as_json, closed, values_in
from kibitz.catan.logs.colonist.frames import SiteGame
from kibitz.catan.logs.colonist.values import as_dict, as_list
from kibitz.catan.logs.colonist.wrapping import holds_messages
from kibitz.ground.codec import parse_json

_KEYS = re.compile(r"""\beventHistory["']?\s*:""")


def recognises(text: str) -> bool:
    """The history of a game is in it (and not as the last of many messages)."""
    if _KEYS.search(text) is None or ("initialState" not in text and "stateChange" not in text):
        return False
    return not holds_messages(text)


def read(text: str, me: str | None = None, strict: bool = False) -> ImportedLog:
    """Read a replay as `me` (a player's name) or a spectator saw the game; `everything` has nothing hidden."""
    value, trouble = _value(text)
    data = _replay(value)
    history = as_dict(data.get("eventHistory"))
    if not isinstance(history.get("initialState"), dict):
        raise LogError(1, "no initial state of a game (eventHistory.initialState) is in it")
    game = SiteGame({**data, "gameState": history["initialState"]}, me, strict, all_seeing=True)
    if trouble:
        game.notebook.problem(1, trouble)
    game.narrator.start(history["initialState"])
    for number, event in enumerate(as_list(history.get("events")), start=1):
        change = as_dict(event).get("stateChange")
        if isinstance(change, dict):
            game.narrator.patch(change)
        elif not isinstance(event, dict) or change is not None:
            game.notebook.problem(number, f"event {number} of the history has no change of the state that can be read")
    return game.imported("colonist-replay", everything=tuple(game.notebook.events))


def _value(text: str) -> tuple[Any, str]:
    """The JSON of a replay: whole, as far as it goes, or from a script; and what is wrong with it."""
    try:
        return parse_json(text), ""
    except ValueError as error:
        trouble = str(error)
    for words in (text, as_json(text)):
        for value in values_in(words):
            if "eventHistory" in _replay(value):
                return value, ""
        beginning = words.find("{")
        try:
            value = parse_json(closed(words[max(beginning, 0) :]))
        except ValueError:
            continue
        if isinstance(as_dict(_replay(value).get("eventHistory")).get("initialState"), dict):
            return value, "the file breaks off: it is read as far as it goes"
    raise LogError(1, trouble)


def _replay(value: Any) -> dict[str, Any]:
    """The object that holds the history, inside of up to two others called data."""
    found = as_dict(value)
    for _ in range(2):
        if "eventHistory" not in found:
            found = as_dict(found.get("data"))
    return found
