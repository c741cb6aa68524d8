"""The named rule options of a game: what every game's `Rules` can do."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, Self

import numpy as np


@dataclass(frozen=True, repr=False)
class RuleOptions:
    """Options with defaults, checked when they are set: switches, and whole numbers within `_BOUNDS`."""

    _BOUNDS: ClassVar[dict[str, tuple[int, int]]] = {}

    def __post_init__(self) -> None:
        for option in fields(self):
            value = getattr(self, option.name)
            if option.name not in self._BOUNDS:
                if not isinstance(value, bool):
                    raise ValueError(f"{option.name}={value!r}: expected true or false")
                continue
            low, high = self._BOUNDS[option.name]
            if type(value) is not int or not low <= value <= high:
                raise ValueError(f"{option.name}={value!r}: expected a whole number from {low} to {high}")

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
            raise ValueError(f"unknown rule {min(unknown)!r}; the rules are {', '.join(f.name for f in fields(cls))}")
        return cls(**data)

    @classmethod
    def from_struct(cls, row: np.void) -> Self:
        """The options in a state, which has a field for each."""
        values = {option.name: row[option.name].item() for option in fields(cls)}
        return cls(**{name: value if name in cls._BOUNDS else bool(value) for name, value in values.items()})
