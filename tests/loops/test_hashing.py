"""Fingerprints: the same everywhere, and hardly ever the same for different things."""

from __future__ import annotations

import subprocess
import sys
from enum import IntEnum
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.ground.jit import plain
from kibitz.loops import protocol
from kibitz.loops.protocol import hash_bytes, hash_key

pytestmark = pytest.mark.plain
fixed = settings(derandomize=True, database=None, deadline=None)


@given(st.binary(max_size=40))
@fixed
def test_compiled_and_plain_agree(data: bytes) -> None:
    import numpy as np

    words = np.frombuffer(data + bytes(-len(data) % 8), np.uint64)
    assert hash_bytes(data) == plain(protocol._hash_words)(words, len(data))
    assert 0 <= hash_bytes(data) < 1 << 64


def test_every_bit_of_a_state_counts() -> None:
    data = bytearray(range(64))
    seen = {hash_bytes(bytes(data))}
    for bit in range(8 * len(data)):
        data[bit // 8] ^= 1 << bit % 8
        seen.add(hash_bytes(bytes(data)))
        data[bit // 8] ^= 1 << bit % 8
    assert len(seen) == 1 + 8 * len(data)


def test_leading_and_trailing_zeros_count() -> None:
    assert len({hash_bytes(bytes(n)) for n in range(20)}) == 20


def test_a_key_has_the_same_fingerprint_in_another_process() -> None:
    key = ("main", 0, ("luff", None, True), b"cards", -5)
    code = f"from kibitz.loops.protocol import hash_key; print(hash_key({key!r}))"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert int(out) == hash_key(key)


def test_the_same_strings_by_another_way_are_the_same_key() -> None:
    one, other = "ab" * 3, "".join(["abab", "ab"])
    assert hash_key((one, one)) == hash_key((one, other))


class Place(NamedTuple):
    zone: str
    number: int


class Phase(IntEnum):
    MAIN = 3


def test_named_tuples_and_enumerations_count_as_what_they_are_made_of() -> None:
    assert hash_key((Place("hand", 2), Phase.MAIN, None, True)) == hash_key((("hand", 2), 3, None, True))


def test_anything_else_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="frozenset"):
        hash_key((Phase.MAIN, frozenset({1})))
