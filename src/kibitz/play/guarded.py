"""Loop guards by name, and records of games that were played under one: played again, and the verdict compared."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from kibitz.game.files import RecordError, compare
from kibitz.game.record import GameRecord
from kibitz.loops.config import MODELS, Config, InvalidRules
from kibitz.loops.drive import Guarded, LoopRuleBroken, position_of, replay
from kibitz.loops.guard import LoopGuard
from kibitz.play.registry import profiles

R = TypeVar("R", bound=GameRecord)


def guards() -> dict[str, Config]:
    """All loop rules by the names that people type: those that are named after games, and the others.

    >>> guards()["onepiece"] == MODELS["declare"]
    True
    """
    return {**{name: MODELS[model] for game in profiles() for name, model in game.guards.items()}, **MODELS}


def check_guards(records: Iterable[R]) -> Iterator[R]:
    """Those games of a file that hold under their guards: all, or a `RecordError` says at which line one does not.

    Games without a guard are passed on.
    """
    line = 1
    try:
        for record in records:
            if record.guard is not None:
                _check(record, record.guard, line)
            yield record
            line += len(record.codes) + 2
    except RecordError as error:
        if error.begun is not None and error.begun.guard is not None:
            _play_again(error.begun, error.begun.guard, line)  # the guard may have been disobeyed before that
        raise


def _play_again(record: GameRecord, guard: Mapping[str, Any], line: int) -> bool:
    """Play a game again under its guard, as far as it goes; whether it ends in a draw."""
    try:
        config = Config.from_json(guard)
    except InvalidRules as error:
        raise RecordError(line, f"guard: {error}") from None
    compare(line, "header.guard", guard, config.to_json())
    try:
        return replay(position_of(record.start()), record.codes, Guarded(LoopGuard(config)))
    except LoopRuleBroken as error:
        raise RecordError(line + 1 + error.step, str(error)) from None


def _check(record: GameRecord, guard: Mapping[str, Any], line: int) -> None:
    drawn = _play_again(record, guard, line)
    if drawn != record.drawn:
        verdict = "the guard calls it a draw" if drawn else "the guard finds no draw here"
        raise RecordError(line + len(record.codes) + 1, f"the game {'was' if record.drawn else 'was not'} drawn: {verdict}")
