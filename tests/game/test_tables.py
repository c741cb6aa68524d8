"""Tables in files: packed, read again, refused by name."""

import json

import numpy as np
import pytest

from kibitz.game.tables import InvalidTable, TableFile, repack

pytestmark = pytest.mark.plain

DICE = np.random.default_rng(3)
ARRAYS = {
    "cells": np.cumsum(DICE.integers(0, 3, 700)).astype(np.int32),
    "wild": DICE.integers(-(2**31), 2**31, 50).astype(np.int32),
    "rows": (DICE.integers(0, 256, (700, 5)) * [0, 0, 1, 0, 0]).astype(np.uint8).ravel(),
    "none": np.zeros(0, np.uint8),
}
TABLE = TableFile("coup", "2-players", "v1", ARRAYS, {"rounds": 3})


def old_form(path):
    """As version 1 wrote it: the arrays as they are."""
    head = {
        "format": "kibitz table", "version": 1, "game": "coup", "variant": "2-players", "layout": "v1",
        "checksum": TABLE.checksum, "about": {"rounds": 3},
        "arrays": {name: [array.dtype.name, len(array)] for name, array in ARRAYS.items()},
    }  # fmt: skip
    path.write_bytes(json.dumps(head).encode() + b"\n" + b"".join(array.tobytes() for array in ARRAYS.values()))


def holds_the_same(path):
    found = TableFile.load(path, "coup", "v1")
    assert (found.variant, found.about, found.checksum) == ("2-players", {"rounds": 3}, TABLE.checksum)
    assert {*found.arrays} == {*ARRAYS}
    for name, array in ARRAYS.items():
        assert found.arrays[name].dtype == array.dtype
        assert np.array_equal(found.arrays[name], array)


def test_a_table_comes_back_from_fewer_bytes(tmp_path):
    path = tmp_path / "t"
    TABLE.save(path)
    holds_the_same(path)
    told = json.loads(path.read_bytes().partition(b"\n")[0])["arrays"]
    assert told["rows"][2] == 5  # rows are of five bytes, four of which are always 0
    assert told["rows"][4] < 800
    assert [told[name][3] for name in ("cells", "wild")] == [True, False]  # only ascending numbers are kept as steps
    assert told["cells"][4] < 300


def test_the_old_form_is_read_and_made_new(tmp_path):
    path, other = tmp_path / "t", tmp_path / "u"
    old_form(path)
    holds_the_same(path)
    size = path.stat().st_size
    repack(path)
    holds_the_same(path)
    TABLE.save(other)
    assert path.read_bytes() == other.read_bytes()
    assert path.stat().st_size < size / 2


@pytest.mark.parametrize(
    ("facts", "arrays", "reason"),
    [
        ({"version": 3}, {}, "a table of version 3; this Kibitz reads version 2"),
        ({}, {"cells": ["int32", 10**9, 1, False, 10]}, "not a table of Kibitz"),
        ({}, {"cells": ["int32", 3, 5, False, 10]}, "not a table of Kibitz"),
        ({}, {"none": ["uint8", 0, 1, False, 100]}, "damaged"),
        ({}, {"rows": ["uint8", 3500, 7, False]}, "damaged"),
        ({}, {"rows": ["uint8", 35, 5, False]}, "rows cannot be unpacked"),
    ],
    ids=["a version to come", "too large", "rows that do not fit", "a byte too many", "other rows", "more than was told"],
)
def test_what_is_wrong_is_refused(tmp_path, facts, arrays, reason):
    path = tmp_path / "t"
    TABLE.save(path)
    line, _, body = path.read_bytes().partition(b"\n")
    head = json.loads(line) | facts
    for name, told in arrays.items():
        head["arrays"][name][: len(told)] = told
    path.write_bytes(json.dumps(head).encode() + b"\n" + body)
    with pytest.raises(InvalidTable, match=reason):
        TableFile.load(path, "coup", "v1")
