"""How a game judges its loops: thresholds, limits and rules of resolution, from a rules file or by the name of a model.

>>> MODELS["declare"].resolution.one_can_stop
<Consequence.DECLARES: 'stopping_player_declares'>
>>> Config.from_json({"infiniteLoopRules": {"maxRepeats": 2}}).max_repeats
2
>>> Config.from_json({"infiniteLoopRules": {"maxRepeats": 0}})
Traceback (most recent call last):
    ...
kibitz.loops.config.InvalidRules: infiniteLoopRules.maxRepeats: 0: expected a whole number from 1 to 1000000
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, TypeVar

from kibitz.ground.codec import parse_json

T = TypeVar("T")
HIGHEST = 1_000_000


class InvalidRules(ValueError):
    """A rules file that says something impossible; the message begins with the key."""


class Consequence(StrEnum):
    """What may follow once it is known who can stop a loop."""

    CONTINUES = "game_continues"
    MUST_STOP = "stopping_player_must_stop"
    DECLARES = "stopping_player_declares"
    """They name a number of laps, which is played, and then stop."""
    SMALLER = "smaller_declared_number"
    """All who can stop name a number, the turn player first; the smallest is played, and who named it stops."""
    DRAW = "draw"


@dataclass(frozen=True)
class Resolution:
    """What follows in each case. The defaults are those of the seed."""

    both_can_stop: Consequence = Consequence.CONTINUES
    """Two players or more can stop it."""
    one_can_stop: Consequence = Consequence.MUST_STOP
    """One player can, and nobody else."""
    neither_can_stop: Consequence = Consequence.DRAW
    """Nobody can, not even together."""
    only_together: Consequence = Consequence.CONTINUES
    """Nobody alone, but several who all want to."""
    unknown: Consequence = Consequence.CONTINUES
    """The search could not tell."""


_NOBODY = (Consequence.CONTINUES, Consequence.DRAW)
#: The consequences that make sense in each case.
_CASES = {
    "both_can_stop": (*_NOBODY, Consequence.SMALLER),
    "one_can_stop": (*_NOBODY, Consequence.MUST_STOP, Consequence.DECLARES),
    "neither_can_stop": _NOBODY,
    "only_together": _NOBODY,
    "unknown": _NOBODY,
}


@dataclass(frozen=True)
class Config:
    """Everything that can be set about a guard."""

    max_repeats: int = 4
    """A state that has been seen more often than this is a loop."""
    resolution: Resolution = field(default_factory=Resolution)
    cap: int | None = None
    """A state that has been seen more often than this is a draw, whatever the resolution says; at least `max_repeats`."""
    window: int | None = 4096
    """A state that has not been seen again for so many observations is forgotten; None: never."""
    max_age: int | None = None
    """A state that has not been seen again for so many turns is forgotten; None: never."""
    suspect: bool = False
    """Whether repetitions of what is public are watched, too. That costs a public key for each observation."""
    action_limits: Mapping[str, int] = field(default_factory=dict)
    """How often actions that begin with some words may be taken in one turn, while there is anything else to do."""
    once_per_loop: bool = False
    """Whether nobody may do again what was done in a loop, in the same state, while there is anything else to do."""
    search_nodes: int = 1000
    """The most positions that are looked at to find out who can stop a loop."""
    horizon: int = 2
    """So many decisions away from the loop, the way out counts as found."""

    @classmethod
    def from_json(cls, data: Any, models: Mapping[str, Config] | None = None) -> Config:
        """The configuration in a rules file, over the model that it names (or the defaults); raises `InvalidRules`.

        `models` are those that it may name; by default `MODELS`. Other parts of the file are ignored.
        """
        models = models or MODELS
        if not isinstance(data, Mapping) or "infiniteLoopRules" not in data:
            raise InvalidRules("infiniteLoopRules: missing")
        place = "infiniteLoopRules"
        rules = _object(data[place], place)
        base = models[_one_of(rules.get("model", "seed"), f"{place}.model", tuple(models))]
        _refuse_unknown(rules, {*map(_key, _CHECKS), "resolution", "model"}, place)
        values = {
            name: check(rules[_key(name)], f"{place}.{_key(name)}") for name, check in _CHECKS.items() if _key(name) in rules
        }
        if "resolution" in rules:
            values["resolution"] = _resolution(rules["resolution"], f"{place}.resolution", base.resolution)
        config = replace(base, **values)
        if config.cap is not None and config.cap < config.max_repeats:
            raise InvalidRules(f"{place}.cap: {config.cap}: expected at least maxRepeats, which is {config.max_repeats}")
        return config

    def to_json(self) -> dict[str, Any]:
        """What `from_json` reads."""
        rules = {_key(name): getattr(self, name) for name in _CHECKS}
        resolution = {_key(name): str(getattr(self.resolution, name)) for name in _CASES}
        return {"infiniteLoopRules": {**rules, "actionLimits": dict(self.action_limits), "resolution": resolution}}

    @classmethod
    def from_text(cls, text: str, models: Mapping[str, Config] | None = None) -> Config:
        """The configuration in the text of a rules file; raises `InvalidRules`."""
        try:
            data = parse_json(text)
        except ValueError as error:
            raise InvalidRules(str(error)) from None
        return cls.from_json(data, models)


_DECLARE = Resolution(both_can_stop=Consequence.SMALLER, one_can_stop=Consequence.DECLARES, only_together=Consequence.DRAW)
#: Whoever can stop a loop declares a number of laps; the seed's rules; a draw in any case; and a draw after a hundred laps.
MODELS = {
    "declare": Config(resolution=_DECLARE),
    "seed": Config(),
    "draw": Config(resolution=Resolution(*[Consequence.DRAW] * 5)),
    "cap": Config(resolution=Resolution(*[Consequence.CONTINUES] * 5), cap=100),
}


def _object(value: Any, place: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidRules(f"{place}: expected an object")
    return value


def _one_line(name: str) -> str:
    """The name of a key, short and without line breaks."""
    return name[:40] if name.isprintable() else repr(name[:40])


def _refuse_unknown(found: Mapping[str, Any], known: set[str], place: str) -> None:
    for name in found:
        if name not in known:
            raise InvalidRules(f"{place}.{_one_line(name)}: unknown; the keys are {', '.join(sorted(known))}")


def _one_of(value: Any, place: str, allowed: tuple[T, ...]) -> T:
    for one in allowed:
        if value == one:
            return one
    raise InvalidRules(f"{place}: {value!r}: expected one of {', '.join(map(str, allowed))}")


def _positive(value: Any, place: str) -> int:
    if type(value) is not int or not 1 <= value <= HIGHEST:
        raise InvalidRules(f"{place}: {value!r}: expected a whole number from 1 to {HIGHEST}")
    return value


def _positive_or_none(value: Any, place: str) -> int | None:
    return None if value is None else _positive(value, place)


def _switch(value: Any, place: str) -> bool:
    if not isinstance(value, bool):
        raise InvalidRules(f"{place}: {value!r}: expected true or false")
    return value


def _limits(value: Any, place: str) -> dict[str, int]:
    limits = {name: _positive(limit, f"{place}.{_one_line(name)}") for name, limit in _object(value, place).items()}
    for name in limits:
        if not name or " ".join(name.split()) != name:
            raise InvalidRules(f"{place}.{_one_line(name)}: expected the words with which the actions begin")
    return limits


def _resolution(value: Any, place: str, base: Resolution) -> Resolution:
    _refuse_unknown(_object(value, place), {*map(_key, _CASES)}, place)
    given = {name: allowed for name, allowed in _CASES.items() if _key(name) in value}
    return replace(base, **{name: _one_of(value[_key(name)], f"{place}.{_key(name)}", given[name]) for name in given})


def _key(name: str) -> str:
    """The name of a field as a rules file writes it, in camel case."""
    first, *others = name.split("_")
    return first + "".join(map(str.title, others))


#: How each field of a `Config` but the resolution is read.
_CHECKS: dict[str, Callable[[Any, str], Any]] = {
    "max_repeats": _positive,
    "cap": _positive_or_none,
    "window": _positive_or_none,
    "max_age": _positive_or_none,
    "suspect": _switch,
    "action_limits": _limits,
    "once_per_loop": _switch,
    "search_nodes": _positive,
    "horizon": _positive,
}
