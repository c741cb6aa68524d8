"""Reading JSON objects field by field: whatever is wrong is named by file, card and field."""

from __future__ import annotations

from typing import Any

from kibitz.ground.texts import Mistake

#: Objects within objects.
DEEPEST = 50


class CardError(Mistake):
    """A card (or a deck) that cannot be read; the message begins with the place: file, card, field."""


class FieldReader:
    """One JSON object. Each field is asked for once; `finish` refuses those that nobody asked for."""

    def __init__(self, value: Any, where: str, depth: int = 0) -> None:
        self.where = where
        self.depth = depth
        if depth > DEEPEST:
            raise CardError(f"{where[:200]} ...: nested too deeply")
        if not isinstance(value, dict):
            raise CardError(f"{where}: expected an object, found {value!r:.60}")
        self.value: dict[str, Any] = value
        self.asked: set[str] = set()

    def fail(self, name: str, message: str) -> CardError:
        """What is wrong with a field, to be raised."""
        return CardError(f"{self.where}: {name}: {message}")

    def has(self, name: str) -> bool:
        """Whether the field is there."""
        return name in self.value

    def raw(self, name: str, default: Any = None) -> Any:
        """The field as it is."""
        self.asked.add(name)
        return self.value.get(name, default)

    def number(self, name: str, low: int, high: int, default: int | None = None) -> int:
        """A whole number within bounds; required unless there is a default."""
        value = self.raw(name, default)
        if type(value) is not int or not low <= value <= high:
            raise self.fail(name, f"expected a whole number from {low} to {high}, found {self._found(name)}")
        return value

    def flag(self, name: str) -> bool:
        """True or false; false if it is not there."""
        value = self.raw(name, False)
        if not isinstance(value, bool):
            raise self.fail(name, f"expected true or false, found {value!r:.60}")
        return value

    def text(self, name: str, default: str | None = None) -> str:
        """A text; required unless there is a default."""
        value = self.raw(name, default)
        if not isinstance(value, str) or (default is None and not value):
            raise self.fail(name, f"expected a text, found {self._found(name)}")
        if not value.isprintable():
            raise self.fail(name, f"expected a text of one line without control characters, found {value!r:.60}")
        return value

    def one_of(self, name: str, options: Any, default: str | None = None) -> str:
        """One of some words."""
        value = self.raw(name, default)
        if value not in tuple(options):
            raise self.fail(name, f"expected one of {', '.join(options)}, found {self._found(name)}")
        return str(value)

    def some_of(self, name: str, options: Any = None) -> tuple[str, ...]:
        """A list of words; nothing if it is not there."""
        value = self.raw(name, [])
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            raise self.fail(name, f"expected a list of words, found {value!r:.60}")
        for word in value:
            if options is not None and word not in options:
                raise self.fail(name, f"{word!r}: expected one of {', '.join(options)}")
        return tuple(value)

    def objects(self, name: str) -> list[FieldReader]:
        """A list of objects; nothing if it is not there."""
        value = self.raw(name, [])
        if not isinstance(value, list):
            raise self.fail(name, f"expected a list, found {value!r:.60}")
        return [FieldReader(item, f"{self.where}: {name}[{i}]", self.depth + 1) for i, item in enumerate(value)]

    def object(self, name: str) -> FieldReader:
        """An object in this one."""
        return FieldReader(self.raw(name), f"{self.where}: {name}", self.depth + 1)

    def range(self, name: str, low: int = 0, high: int = 99_999) -> tuple[int, int]:
        """``{"min": 1, "max": 3}``, either of them, or one number for both; everything if it is not there."""
        value = self.raw(name, {})
        if type(value) is int:
            exact = self.number(name, low, high)
            return exact, exact
        reader = FieldReader(value, f"{self.where}: {name}")
        bounds = reader.number("min", low, high, low), reader.number("max", low, high, high)
        reader.finish()
        return bounds

    def finish(self) -> None:
        """Refuse a field that nobody asked for."""
        unknown = sorted(set(self.value) - self.asked)
        if unknown:
            raise self.fail(unknown[0], "there is no such field here")

    def _found(self, name: str) -> str:
        return f"{self.value[name]!r:.60}" if name in self.value else "nothing"
