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
from pathlib import Path
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
#: The keys of the file, and the rules that make sense for each.
_CASES = {
    "bothCanStop": ("both_can_stop", (*_NOBODY, Consequence.SMALLER)),
    "oneCanStop": ("one_can_stop", (*_NOBODY, Consequence.MUST_STOP, Consequence.DECLARES)),
    "neitherCanStop": ("neither_can_stop", _NOBODY),
    "onlyTogether": ("only_together", _NOBODY),
    "unknown": ("unknown", _NOBODY),
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

        `models` are those that it may name; by default `MODELS`. Other parts of the file are none of our business.
        """
        models = models or MODELS
        if not isinstance(data, Mapping) or "infiniteLoopRules" not in data:
            raise InvalidRules("infiniteLoopRules: missing")
        place = "infiniteLoopRules"
        rules = _object(data[place], place)
        base = models[_one_of(rules.get("model", "seed"), f"{place}.model", tuple(models))]
        known: dict[str, tuple[str, Callable[[Any, str], Any]]] = {
            "maxRepeats": ("max_repeats", _positive),
            "cap": ("cap", _positive_or_none),
            "window": ("window", _positive_or_none),
            "maxAge": ("max_age", _positive_or_none),
            "suspect": ("suspect", _switch),
            "actionLimits": ("action_limits", _limits),
            "oncePerLoop": ("once_per_loop", _switch),
            "searchNodes": ("search_nodes", _positive),
            "horizon": ("horizon", _positive),
        }
        _refuse_unknown(rules, {*known, "resolution", "model"}, place)
        values = {known[name][0]: known[name][1](value, f"{place}.{name}") for name, value in rules.items() if name in known}
        if "resolution" in rules:
            values["resolution"] = _resolution(rules["resolution"], f"{place}.resolution", base.resolution)
        config = replace(base, **values)
        if config.cap is not None and config.cap < config.max_repeats:
            raise InvalidRules(f"{place}.cap: {config.cap}: expected at least maxRepeats, which is {config.max_repeats}")
        return config

    def to_json(self) -> dict[str, Any]:
        """What `from_json` reads."""
        return {
            "infiniteLoopRules": {
                "maxRepeats": self.max_repeats,
                "cap": self.cap,
                "window": self.window,
                "maxAge": self.max_age,
                "suspect": self.suspect,
                "actionLimits": dict(self.action_limits),
                "oncePerLoop": self.once_per_loop,
                "searchNodes": self.search_nodes,
                "horizon": self.horizon,
                "resolution": {name: str(getattr(self.resolution, of)) for name, (of, _) in _CASES.items()},
            }
        }

    @classmethod
    def read(cls, file: Path, models: Mapping[str, Config] | None = None) -> Config:
        """The configuration in a rules file; `InvalidRules` names the key, an OSError the file."""
        try:
            return cls.from_json(parse_json(file.read_text(encoding="utf-8-sig")), models)
        except InvalidRules:
            raise
        except ValueError as error:
            raise InvalidRules(str(error)) from None


_DECLARE = Resolution(both_can_stop=Consequence.SMALLER, one_can_stop=Consequence.DECLARES, only_together=Consequence.DRAW)
_DRAW = Resolution(Consequence.DRAW, Consequence.DRAW, Consequence.DRAW, Consequence.DRAW, Consequence.DRAW)
_CAP = Resolution(Consequence.CONTINUES, Consequence.CONTINUES, Consequence.CONTINUES)
#: Who can stop a loop declares a number of laps; the seed's rules; a draw in any case; and a draw after a hundred laps.
MODELS = {
    "declare": Config(resolution=_DECLARE),
    "seed": Config(),
    "draw": Config(resolution=_DRAW),
    "cap": Config(resolution=_CAP, cap=100),
}


# --- values, checked --------------------------------------------------------------------------------------


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
    _refuse_unknown(_object(value, place), set(_CASES), place)
    return replace(base, **{_CASES[name][0]: _one_of(rule, f"{place}.{name}", _CASES[name][1]) for name, rule in value.items()})
