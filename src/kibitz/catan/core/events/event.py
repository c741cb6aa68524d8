"""What all events have in common: they check their fields, are written as JSON and said in one line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import cache
from types import NoneType
from typing import Any, ClassVar, NamedTuple, get_args, get_type_hints

from kibitz.catan.core.events.fields import Cards, InvalidEvent, Seat
from kibitz.ground.figures import counted

#: All kinds of events by their names.
EVENTS: dict[str, type[Event]] = {}


class _Field(NamedTuple):
    """How one field of an event is checked and written."""

    name: str
    check: Callable[[Any], Any]
    optional: bool
    default: Any


@dataclass(frozen=True)
class Event:
    """One line of the log: who did what. Seats count from 0. All fields are checked and put into normal form."""

    kind: ClassVar[str] = ""
    #: How `text` says it; `{names}` are the fields.
    words: ClassVar[str] = ""

    def __init_subclass__(cls, kind: str = "", words: str = "") -> None:
        cls.kind, cls.words = kind, words
        if kind:
            EVENTS[kind] = cls

    def __post_init__(self) -> None:
        for name, check, optional, _ in _fields_of(self.kind):
            value = getattr(self, name)
            if value is None and optional:
                continue
            try:
                object.__setattr__(self, name, check(value))
            except InvalidEvent as error:
                raise InvalidEvent(f"{self.kind}: {name} {error}") from None

    def to_json(self) -> dict[str, Any]:
        """An object with the kind as `event`; fields that say nothing are left out."""
        data = {"event": self.kind}
        for name, _, _, default in _fields_of(self.kind):
            value = getattr(self, name)
            if default is MISSING or value != default:
                data[name] = _plain(value)
        return data

    @staticmethod
    def from_json(data: Any) -> Event:
        """Read what `to_json` wrote."""
        if not isinstance(data, Mapping) or not isinstance(data.get("event"), str):
            raise InvalidEvent("expected an object with the field event")
        cls = EVENTS.get(data["event"])
        if cls is None:
            raise InvalidEvent(f"{data['event']!r}: no such event; these are {', '.join(EVENTS)}")
        known = _fields_of(cls.kind)
        for name in data:
            if name != "event" and name not in [known_name for known_name, *_ in known]:
                raise InvalidEvent(f"{cls.kind}: {name} does not belong there")
        for name, _, _, default in known:
            if name not in data and default is MISSING:
                raise InvalidEvent(f"{cls.kind}: {name} is missing")
        return cls(**{name: value for name, value in data.items() if name != "event"})

    def text(self, names: Sequence[str] = ()) -> str:
        """One line for people, with the players' names (P1, P2 ... without them)."""
        values = {name: _spoken(self.kind, name, getattr(self, name), names) for name, *_ in _fields_of(self.kind)}
        return self.words.format(**values)


@cache
def _fields_of(kind: str) -> list[_Field]:
    hints = get_type_hints(EVENTS[kind], include_extras=True)
    found = []
    for f in fields(EVENTS[kind]):
        optional = NoneType in get_args(hints[f.name])
        annotated = get_args(hints[f.name])[0] if optional else hints[f.name]
        default = f.default_factory() if f.default_factory is not MISSING else f.default
        found.append(_Field(f.name, annotated.__metadata__[0], optional, default))
    return found


def _plain(value: Any) -> Any:
    if isinstance(value, Cards):
        return value.as_dict()
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    return list(value) if isinstance(value, tuple) else value


def name_of(seat: int, names: Sequence[str]) -> str:
    """A player's name, or P1, P2 ... without names."""
    return names[seat] if seat < len(names) else f"P{seat + 1}"


def _spoken(kind: str, field_name: str, value: Any, names: Sequence[str]) -> str:
    if field_name in ("player", "partner", "victim"):
        return "nobody" if value is None else name_of(value, names)
    if isinstance(value, Cards):
        return value.text()
    if isinstance(value, Mapping):
        if not value:
            return ""
        if field_name == "counts":
            return ", ".join(f"{n} {name}" for name, n in value.items())
        verb, cards = ("got", Cards.text) if field_name == "gains" else ("gave", str)
        return ": " + ", ".join(f"{name_of(seat, names)} {verb} {cards(held)}" for seat, held in value.items())
    if field_name == "count":
        return counted(value, "card")
    if field_name == "total" and isinstance(value, int):
        return str(value) if kind == "roll" else ", " + counted(value, "card")
    if field_name == "hex" and value is not None:
        return f"hex {value}"
    if isinstance(value, tuple):
        return "-".join(map(str, value))
    return _SPOKEN.get((field_name, value), str(value).replace("_", " "))


#: How missing values and flags are said.
_SPOKEN = {
    ("resource", None): "a card",
    ("card", None): "development card",
    ("cards", None): "",
    ("free", True): " for free",
    ("free", False): "",
    ("hex", None): "another hex",
    ("total", None): "",
    ("losses", None): "",
    ("corner", None): "",
    ("edge", None): "",
}


@dataclass(frozen=True)
class PlayerEvent(Event):
    """What one player did."""

    player: Seat
