"""Dataclasses to JSON values and back, by their type hints; settings checked by them; and JSON as strangers write it.

>>> from kibitz.play.share import Share
>>> encode_fields(Share(3, 4))
{'won': 3, 'games': 4, 'fair': None, 'as_good_as': None}
>>> decode(Share, {"won": 3, "games": 4, "rate": 0.75})
Share(won=3, games=4, fair=None, as_good_as=None)
"""

import ast
import inspect
import json
import reprlib
import textwrap
import types
from collections.abc import Callable, Hashable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")


def encode(value: Any) -> Any:
    """A JSON value: objects by field name, keys as text, tuples as lists."""
    if hasattr(value, "to_json"):
        return value.to_json()
    if is_dataclass(value):
        return encode_fields(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): encode(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [encode(item) for item in value]
    return value


def encode_fields(value: Any) -> dict[str, Any]:
    """The fields of a dataclass by name."""
    return {f.name: encode(getattr(value, f.name)) for f in fields(value)}


def decode(kind: type[T], value: Any) -> T:
    """The dataclass of type `kind` that was encoded as `value`; fields that it does not have are left aside."""
    if not isinstance(value, Mapping):
        raise ValueError(f"expected an object for {kind.__name__}, found {type(value).__name__}")
    hints = _hints(cast("Hashable", kind))
    given = {}
    for f in fields(kind):  # type: ignore[arg-type]
        if f.name in value:
            given[f.name] = _decode(hints[f.name], value[f.name], f"{kind.__name__}.{f.name}")
        elif f.default is MISSING and f.default_factory is MISSING:
            raise ValueError(f"{kind.__name__}: the field {f.name} is missing")
    return kind(**given)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


@cache
def docstrings(kind: type[Any]) -> dict[str, str]:
    """The text below each field of a dataclass, which says what the field means."""
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    found = {name: text for base in kind.__bases__ if is_dataclass(base) for name, text in docstrings(base).items()}
    assert isinstance(body, ast.ClassDef)
    for field, text in zip(body.body, body.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            found[ast.unparse(field.target)] = " ".join(str(text.value.value).split())
    return found


def check_settings(settings: Any, bounds: Mapping[str, tuple[int, int]], error: type[ValueError] = ValueError) -> None:
    """Refuse a dataclass with a number out of its bounds, a switch that is not one or a word that is not among its choices."""
    hints = _hints(cast("Hashable", type(settings)))
    for f in fields(settings):
        value, hint = getattr(settings, f.name), hints[f.name]
        kinds = {hint, *get_args(hint)}
        if f.name in bounds and not (value is None and type(None) in kinds):
            (low, high), whole = bounds[f.name], float not in kinds
            if type(value) not in ((int,) if whole else (int, float)) or not low <= value <= high:
                number = "whole number" if whole else "number"
                raise error(f"{f.name}={value!r}: expected a {number} from {low} to {high}")
        elif hint is bool and type(value) is not bool:
            raise error(f"{f.name}={value!r}: expected true or false")
        elif get_origin(hint) is Literal and value not in get_args(hint):
            raise error(f"{f.name}={value!r}: expected {' or '.join(map(repr, get_args(hint)))}")


def _decode(hint: Any, value: Any, where: str) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if hint is Any or origin is Literal:  # a literal is checked by the class itself
        return value
    if origin is types.UnionType:
        if value is None and type(None) in arguments:
            return None
        (hint,) = (a for a in arguments if a is not type(None))
        return _decode(hint, value, where)
    if origin is tuple:
        given = _expect(list, value, where)
        items = arguments[:1] * len(given) if arguments[1:] == (...,) else arguments
        if len(items) != len(given):
            raise ValueError(f"{where}: expected {len(items)} values, found {len(given)}")
        return tuple(_decode(item, v, where) for item, v in zip(items, given, strict=True))
    if origin is dict:
        pairs = _expect(dict, value, where).items()
        return {_decode_key(arguments[0], key, where): _decode(arguments[1], item, where) for key, item in pairs}
    if is_dataclass(hint):
        return decode(cast("type[Any]", hint), value)
    if issubclass(hint, Enum):
        return _decode_key(hint, value, where)
    if hint is float and type(value) is int and abs(value) < 1 << 63:  # some whole numbers are too large for a float
        return float(value)
    return _expect(hint, value, where)


def _decode_key(kind: Callable[[Any], T], value: Any, where: str) -> T:
    """What is written as text: a number as the name of a field, a member of an enumeration."""
    try:
        return kind(value)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def _expect(kind: type[T], value: Any, where: str) -> T:
    if type(value) is not kind:
        raise ValueError(f"{where}: expected {kind.__name__}, found {reprlib.repr(value)}")
    return value


class _Twice(Exception):
    """A name that an object has twice: whoever reads it may take either."""


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _Twice(next(name for name in names if names.count(name) > 1))
    return found


_STRICT = json.JSONDecoder(object_pairs_hook=_each_once)


def parse_json(text: str, strict: bool = False) -> Any:
    """What a JSON text holds; any trouble with it is a ValueError of one line, also with a hostile one.

    With `strict`, no object may have a name twice.
    """
    try:
        return _STRICT.decode(text) if strict else json.loads(text)
    except _Twice as error:
        raise ValueError(f"the field {str(error)[:40]} is there twice") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise ValueError("not JSON that can be read: nested too deeply") from None
    except ValueError:
        raise ValueError("not JSON that can be read: a number is too long") from None
