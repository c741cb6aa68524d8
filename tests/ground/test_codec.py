"""Dataclasses to JSON and back: every kind of field, and a message that names the field for what does not fit."""

import json
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

import pytest

from kibitz.ground.codec import decode, encode, encode_fields
from kibitz.play.share import Share

pytestmark = pytest.mark.plain


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Inner:
    n: int
    name: str = "none"


@dataclass(frozen=True)
class Outer:
    colour: Colour
    inner: Inner
    pair: tuple[int, float]
    many: tuple[Inner, ...]
    by_seat: dict[int, float | None]
    share: Share | None = None
    kind: Literal["a", "b"] = "a"
    anything: dict[str, Any] = field(default_factory=dict)
    sure: bool = False


OUTER = Outer(
    Colour.BLUE,
    Inner(3),
    (1, 0.5),
    (Inner(1, "x"), Inner(2, "y")),
    {0: 1.5, 1: None},
    Share(1, 4),
    "b",
    {"step": 7, "turn": None, "list": [1, "two"]},
    True,
)


def as_json(value: Any) -> Any:
    return json.loads(json.dumps(encode_fields(value)))


def test_there_and_back():
    for outer in (OUTER, Outer(Colour.RED, Inner(0), (0, 0.0), (), {})):
        assert decode(Outer, as_json(outer)) == outer


def test_as_it_is_written():
    assert as_json(OUTER) == {
        "colour": "blue",
        "inner": {"n": 3, "name": "none"},
        "pair": [1, 0.5],
        "many": [{"n": 1, "name": "x"}, {"n": 2, "name": "y"}],
        "by_seat": {"0": 1.5, "1": None},
        "share": {"won": 1, "games": 4, "rate": 0.25, "interval": list(Share(1, 4).interval)},
        "kind": "b",
        "anything": {"step": 7, "turn": None, "list": [1, "two"]},
        "sure": True,
    }
    assert encode([Colour.RED, (Inner(1),), {2: Colour.BLUE}]) == ["red", [{"n": 1, "name": "none"}], {"2": "blue"}]


def test_a_whole_number_may_stand_for_a_fraction_but_not_the_other_way_round():
    found = decode(Outer, as_json(OUTER) | {"pair": [1, 2]})
    assert found.pair == (1, 2.0)
    assert type(found.pair[1]) is float
    with pytest.raises(ValueError, match=r"^Outer\.pair: expected int, found 1\.5$"):
        decode(Outer, as_json(OUTER) | {"pair": [1.5, 2.0]})


def test_fields_that_are_not_known_are_left_aside_and_defaults_filled_in():
    assert decode(Inner, {"n": 1, "more": 2}) == Inner(1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"colour": "green"}, "Outer.colour: 'green' is not a valid Colour"),
        ({"inner": 3}, "expected an object for Inner, found int"),
        ({"inner": {"name": "x"}}, "Inner: the field n is missing"),
        ({"inner": {"n": True}}, "Inner.n: expected int, found True"),
        ({"inner": {"n": None}}, "Inner.n: expected int, found None"),
        ({"inner": {"n": 1, "name": 2}}, "Inner.name: expected str, found 2"),
        ({"pair": [1]}, "Outer.pair: expected 2 values, found 1"),
        ({"pair": 5}, "Outer.pair: expected list, found 5"),
        ({"many": "none"}, "Outer.many: expected list, found 'none'"),
        ({"many": [1]}, "expected an object for Inner, found int"),
        ({"by_seat": []}, "Outer.by_seat: expected dict, found []"),
        ({"by_seat": {"0": "much"}}, "Outer.by_seat: expected float, found 'much'"),
        ({"by_seat": {"first": 1.0}}, "Outer.by_seat: invalid literal for int() with base 10: 'first'"),
        ({"share": [1, 4]}, "expected an object for Share, found list"),
        ({"anything": None}, "Outer.anything: expected dict, found None"),
        ({"sure": 1}, "Outer.sure: expected bool, found 1"),
    ],
)
def test_what_does_not_fit_is_named(change, message):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        decode(Outer, as_json(OUTER) | change)
    assert str(error.value) == message


def test_no_object_at_all():
    with pytest.raises(ValueError, match=r"^expected an object for Outer, found list$"):
        decode(Outer, [])
