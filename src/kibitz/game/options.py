"""The named rule options of a game: what every game's `Rules` can do."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, Self

import numpy as np

from kibitz.ground.codec import check_settings

SWITCHES = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}
#: No number that means anything has so many digits.
LONGEST_NUMBER = 10


@dataclass(frozen=True, repr=False)
class RuleOptions:
    """Options with defaults, checked when they are set: switches, and whole numbers within `_BOUNDS`."""

    _BOUNDS: ClassVar[dict[str, tuple[int, int]]] = {}
    _PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Sets of options that have a name, each as what differs from the defaults."""

    def __post_init__(self) -> None:
        check_settings(self, self._BOUNDS)

    def __repr__(self) -> str:
        changed = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if getattr(self, f.name) != f.default)
        return f"{type(self).__name__}({changed})"

    def to_json(self) -> dict[str, Any]:
        """Every option by name."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        """The options by name; an unknown one is refused."""
        unknown = set(data) - {f.name for f in fields(cls)}
        if unknown:
            named = f" (sets of rules: {', '.join(cls._PRESETS)})" if cls._PRESETS else ""
            raise ValueError(f"unknown rule {min(unknown)!r}; the rules are {', '.join(f.name for f in fields(cls))}{named}")
        return cls(**data)

    @classmethod
    def presets(cls) -> tuple[str, ...]:
        """The names of the sets of options that have one."""
        return tuple(cls._PRESETS)

    @classmethod
    def preset(cls, name: str) -> Self:
        """The set of options of this name. Raises `ValueError`."""
        if name not in cls._PRESETS:
            raise ValueError(f"{name[:40]!r}: no rules have this name; expected {', '.join(cls._PRESETS)}")
        return cls(**cls._PRESETS[name])

    @classmethod
    def typed(cls, options: Iterable[str]) -> Self:
        """The options as people type them: ``NAME`` or ``NAME=VALUE``, with ``on``, ``yes`` or ``1`` for a switch.

        The name of a preset sets all options; what is typed after it changes some of them.
        """
        defaults = cls().to_json()
        values: dict[str, Any] = {}
        for option in options:
            if option in cls._PRESETS:
                values = dict(cls._PRESETS[option])
                continue
            name, given, value = option.partition("=")
            number = int(value) if value.isascii() and value.isdigit() and len(value) < LONGEST_NUMBER else value
            if isinstance(defaults.get(name), bool) and number in (0, 1):
                number = bool(number)
            values[name] = SWITCHES.get(value.lower(), number) if given else True
        return cls.from_json(values)

    @classmethod
    def from_struct(cls, row: np.void) -> Self:
        """The options in a state, which has a field for each."""
        values = {option.name: row[option.name].item() for option in fields(cls)}
        return cls(**{name: value if name in cls._BOUNDS else bool(value) for name, value in values.items()})
