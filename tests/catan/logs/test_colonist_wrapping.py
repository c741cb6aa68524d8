"""Captured messages in whatever they were saved: packed and not, one by one and together."""

import base64
import json
import struct
from typing import Any

import pytest

from kibitz.catan import Board
from kibitz.catan.core.record import simulate
from kibitz.catan.logs import LogError, read, recognise
from kibitz.catan.logs.colonist.wrapping import messages, unpack, values_of
from tests.catan.logs.writers import write

GAME = write(simulate(Board.beginner(), ["builder"] * 3, seed=1), "colonist-frames", 0)
FRAMES = json.loads(GAME)[:40]
EVENTS = read(json.dumps(FRAMES)).log.events


def pack(value: Any) -> bytes:
    """What the site sends: keys that are numbers go as numbers."""
    match value:
        case None | bool():
            return {None: b"\xc0", False: b"\xc2", True: b"\xc3"}[value]
        case int() if 0 <= value < 128:
            return bytes([value])
        case int():
            return b"\xd2" + struct.pack(">i", value)
        case float():
            return b"\xcb" + struct.pack(">d", value)
        case str() if len(value.encode()) < 32:
            return bytes([0xA0 + len(value.encode())]) + value.encode()
        case str():
            return b"\xda" + struct.pack(">H", len(value.encode())) + value.encode()
        case list():
            head = bytes([0x90 + len(value)]) if len(value) < 16 else b"\xdc" + struct.pack(">H", len(value))
            return head + b"".join(map(pack, value))
        case dict():
            head = bytes([0x80 + len(value)]) if len(value) < 16 else b"\xde" + struct.pack(">H", len(value))
            pairs = (pack(int(key)) + pack(held) if key.isdigit() else pack(key) + pack(held) for key, held in value.items())
            return head + b"".join(pairs)
    raise TypeError(type(value))


def literal(value: Any) -> str:
    """As a console shows an object: keys without quotes, texts in single ones."""
    if isinstance(value, dict):
        return (
            "{" + ", ".join(f"{key if key.isidentifier() else repr(key)}: {literal(held)}" for key, held in value.items()) + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    return repr(value) if isinstance(value, str) else json.dumps(value)


PACKED = [base64.b64encode(pack(frame)).decode() for frame in FRAMES]
#: Something else that goes over the same wire.
OTHER = base64.b64encode(pack({"id": "136", "data": {"timestamp": 1.5}})).decode()

NOTES = [{"direction": "incoming", "encoding": "base64", "data": frame} for frame in [OTHER, *PACKED]]
HAR = {
    "log": {
        "entries": [
            {"request": {"url": "index.html"}, "response": {"content": {"text": "<html>", "mimeType": "text/html"}}},
            {
                "_resourceType": "websocket",
                "_webSocketMessages": [
                    {"type": "receive", "time": 1.5, "opcode": 2, "data": frame} for frame in [OTHER, *PACKED]
                ],
            },
        ]
    }
}
WRAPPINGS = {
    "a list": json.dumps(FRAMES),
    "one a line": "\n".join(map(json.dumps, FRAMES)),
    "texts in a list": json.dumps([json.dumps(frame) for frame in FRAMES]),
    "packed": json.dumps(PACKED),
    "packed, one a line": "\n".join(PACKED),
    "packed for an address": "\n".join(frame.rstrip("=").replace("+", "-").replace("/", "_") for frame in PACKED),
    "packed, among other words": "\n".join(f"1731.5,receive,2,{frame}" for frame in PACKED),
    "the notes of an extension": "\n".join(map(json.dumps, NOTES)),
    "numbered notes": json.dumps([{"id": 120 + number, "data": frame} for number, frame in enumerate(PACKED)]),
    "the network of a browser": json.dumps(HAR, indent=1),
    "a script with a list": "// kept\nif (on) {}\nKept.frames = [\n" + ",\n".join(map(json.dumps, FRAMES)) + ",\n];\n",
    "a script on one line": f"const kept = {json.dumps(FRAMES)};",
    "a console": "\n".join(f"page.js:{number} {json.dumps(frame)}" for number, frame in enumerate(FRAMES)),
    "a console that shows objects": "\n".join(f"12:01:07 page.js:7 {literal(frame)}" for frame in FRAMES),
}


@pytest.mark.parametrize("text", WRAPPINGS.values(), ids=WRAPPINGS)
def test_every_wrapping_holds_the_same_game(text):
    assert recognise(text) == "colonist-frames"
    imported = read(text)
    assert imported.problems == ()
    assert imported.log.events == EVENTS


def test_a_packed_message_that_breaks_off_is_a_problem():
    imported = read("\n".join([*PACKED[:5], PACKED[5][:60], *PACKED[6:]]))
    assert [problem.reason for problem in imported.problems] == ["the packed message breaks off"]


def test_a_full_state_that_breaks_off_says_so():
    with pytest.raises(LogError, match="the packed message breaks off"):
        read(PACKED[0][:60])


def test_a_packed_message_is_not_unpacked_at_any_length():
    [found] = messages([PACKED[0] + "A" * (1 << 21)])
    assert found["data"] == "the message is too long"


def test_words_that_hold_no_message_are_listed():
    assert values_of(f"{PACKED[0]}\nnonsense")[1][0][0] == 2
    assert values_of("nonsense")[0] == []
    assert list(messages(["nonsense", 3, None, OTHER])) == []


@pytest.mark.parametrize(
    "value",
    [None, True, 0, 127, 128, -1, -40, 1.5, "", "Zoë", "x" * 40, [], list(range(20)), {str(i): [i] for i in range(20)}],
)
def test_values_come_back(value):
    assert unpack(pack(value)) == value


@pytest.mark.parametrize(
    ("data", "value"),
    [
        ("cc80", 128), ("cd0100", 256), ("ce00010000", 65536), ("cf0000000100000000", 1 << 32), ("e0", -32), ("d0df", -33),
        ("d1ff00", -256), ("d3ffffffffffffffff", -1), ("ca3fc00000", 1.5), ("d90161", "a"), ("db0000000161", "a"),
        ("dd0000000101", [1]), ("df0000000101c0", {"1": None}), ("c40161", None), ("d6ff00000000", None), ("c70105ff", None),
    ],
)  # fmt: skip
def test_every_form_of_a_value(data, value):
    assert unpack(bytes.fromhex(data)) == value


@pytest.mark.parametrize("data", ["", "91", "a5", "c1", "0101", "dd7fffffff", "81", "cd00", "91" * 200])
def test_what_is_not_packed_is_a_value_error(data):
    with pytest.raises(ValueError, match=r"^the packed message "):
        unpack(bytes.fromhex(data))


# --- texts that break off -------------------------------------------------------------------------------------


@pytest.mark.parametrize("indent", [None, 1])
def test_a_list_that_breaks_off_is_read_as_far_as_it_goes(indent):
    text = json.dumps(FRAMES, indent=indent)
    for at in (len(text) - 2, len(text) * 3 // 4, len(text) * 9 // 10):
        imported = read(text[:at])
        found = imported.log.events
        assert len(found) > 10
        assert found[:-8] == EVENTS[: len(found)][:-8]
        assert any("breaks off" in problem.reason for problem in imported.problems)
        assert imported.doubts


def test_a_replay_that_breaks_off_is_read_as_far_as_it_goes():
    record = simulate(Board.beginner(), ["builder"] * 3, seed=1)
    whole = write(record, "colonist-replay", None)
    imported = read(whole[: len(whole) * 2 // 3])
    assert len(imported.log.events) > 50
    assert ["breaks off" in problem.reason for problem in imported.problems] == [True]
    assert read(f"window.replay = {whole};").log.events == read(whole).log.events


def test_a_damaged_line_among_others_is_named():
    lines = [json.dumps(frame) for frame in FRAMES]
    lines[7] = lines[7][:-9]
    (problem,) = read("\n".join(lines)).problems
    assert (problem.line, problem.reason.startswith("not JSON")) == (8, True)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 50_000, "[{" * 50_000 + '"id":"130","payload"'])
def test_nests_without_an_end_take_no_time(text):
    with pytest.raises(LogError):
        read(text)
