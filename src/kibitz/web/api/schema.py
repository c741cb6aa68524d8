"""Models of the API made from the dataclasses that hold the truth: names, types, bounds and meanings are theirs."""

from __future__ import annotations

import types
from collections.abc import Hashable
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, create_model

from kibitz.ground.codec import docstrings
from kibitz.play.advice import Advice
from kibitz.play.share import Share


class Strict(BaseModel):
    """A request: what it does not know it refuses."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ShareModel(BaseModel):
    """A share of games with its 95 % interval."""

    won: int
    games: int
    rate: float
    interval: tuple[float, float]


@cache
def answer_model(kind: type[Any]) -> type[BaseModel]:
    """A model of what `kibitz.ground.codec.encode` makes of a dataclass."""
    if kind is Share:
        return ShareModel
    hints, meanings = get_type_hints(kind), docstrings(cast("Hashable", kind))
    made: dict[str, Any] = {f.name: (_type(hints[f.name]), Field(..., description=meanings.get(f.name))) for f in fields(kind)}
    if issubclass(kind, Advice):
        made = {"advice": (Literal[kind.NAME], ...), "version": (Literal[kind.VERSION], ...), **made}
    return create_model(kind.__name__, __doc__=kind.__doc__, __config__=ConfigDict(extra="forbid"), **made)


def _type(hint: Any) -> Any:
    """A type with every dataclass in it replaced by its model."""
    if is_dataclass(hint):
        return answer_model(hint)  # type: ignore[arg-type]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is None or not arguments:
        return hint
    inner = tuple(argument if argument is ... else _type(argument) for argument in arguments)
    if origin is types.UnionType:
        return Union[inner]  # noqa: UP007 - of types that are not known before
    return origin[inner] if origin in (tuple, dict, list) else hint


def options_model(kind: type[Any], name: str) -> type[BaseModel]:
    """A request model of a dataclass of options: everything has its default, numbers have their bounds."""
    hints, meanings, bounds = get_type_hints(kind), docstrings(cast("Hashable", kind)), kind._BOUNDS
    made: dict[str, Any] = {}
    for f in fields(kind):
        assert f.default is not MISSING
        low, high = bounds.get(f.name, (None, None))
        field = Field(f.default, ge=low, le=high, description=meanings.get(f.name))
        made[f.name] = (Annotated[hints[f.name], field], f.default)
    return create_model(name, __base__=Strict, __doc__=kind.__doc__, **made)
