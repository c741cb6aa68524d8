"""Game logs of every format, and ways to damage them.

Damaged log `index` of a format depends on the format and the index alone.
"""

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from typing import Any

from kibitz.catan import Board, Rules
from kibitz.catan.core.events import EventLog
from kibitz.catan.core.record import Record, simulate
from kibitz.catan.logs import FORMATS
from kibitz.ground.rng import derive_seed
from tests.catan.belief.short_logs import short_log
from tests.catan.logs import colonist_writer, jsettlers_writer, test_catanatron, test_catanlog, writers

#: Formats whose files are one JSON value; the others are damaged line by line.
JSON_FORMATS = ("colonist-replay", "colonist-frames", "catanatron")
#: The largest part of a log that is damaged, from hardly at all to beyond recognition.
PARTS = (0.01, 0.1, 0.5, 1.0)
#: A line of a log is about so many values of JSON.
VALUES = 15
#: Rarely a log is damaged by something that makes it much longer.
LONG = 100_000


@dataclass(frozen=True)
class Damaged:
    """A log that was written well and then damaged."""

    format: str
    index: int
    text: str
    #: How many lines (of JSON: values) were changed.
    changes: int
    #: Whose log the reader is told that it is.
    me: str | None


def damaged(format: str, index: int) -> Damaged:
    """One damaged log."""
    chance = random.Random(derive_seed(2026, "fuzzing", format, index))
    document = chance.choice(documents(format))
    part = chance.choice(PARTS) * chance.random()
    damage = _damaged_json if format in JSON_FORMATS else _damaged_lines
    text, changes = damage(chance, document, part)
    if chance.random() < 0.1:
        text = chance.choice(WHOLE)(chance, text)
        changes += 1
    me = chance.choice((*NAMES, "Player 2", "p1", "RED", "nobody")) if chance.random() < 0.1 else None
    return Damaged(format, index, text, changes, me)


# --- logs -----------------------------------------------------------------------------------------------------------

NAMES = ("Ann", "Bob #2", "got rolled", "Zoë 日本")
TABLES = (
    (("builder",) * 4, Rules(max_turns=16)),
    (("builder",) * 3, Rules(max_turns=40, discard_limit=4)),
    (("builder", "random"), Rules(max_turns=60, victory_points=6)),
    (("random",) * 4, Rules(max_turns=25, friendly_robber=True)),
    (("builder",) * 4, Rules()),
)


@cache
def documents(format: str) -> tuple[str, ...]:
    """Whole and short games as logs of a format, in all its variants."""
    return tuple(text for number, record in enumerate(_games()) for text in _written(format, record, number))


@cache
def _games() -> tuple[Record, ...]:
    return tuple(simulate(Board.random(seed), bots, seed, rules) for seed, (bots, rules) in enumerate(TABLES))


def _written(format: str, record: Record, number: int) -> Iterator[str]:
    names = NAMES[: len(record.seats)] if number % 2 else None
    observer = (None, 0, 1)[number % 3]
    match format:
        case "catanatron":
            yield json.dumps(test_catanatron.written(record, new=number % 2 == 0))
            return
        case "catanlog":
            yield "\n".join([*test_catanlog.written(record), ""])
            return
        case "jsettlers":
            yield jsettlers_writer.write(record, players=names, old=True)
        case "colonist-text":
            yield colonist_writer.old_chat(record, observer, names)
        case "kibitz":
            yield "\n".join([*record.lines(full=number == 0), ""])
            short = short_log(number)
            players = tuple(f"Player {seat + 1}" for seat in range(short.players))
            events = short.seen_by(0)
            yield "\n".join([*EventLog(players, events, 0, short.victory_points).lines(), ""])
    yield writers.write(record, format, observer, names)


# --- lines ----------------------------------------------------------------------------------------------------------

#: What is put into a line: digits of other scripts, what nobody sees, what other formats are made of, halves of characters.
PIECES = (
    "\0", "\ud800", "\udfff", "\u2028", "\x85", "\r", "\t", "\ufeff", "\u200b", "\u202e", "é", "日", "🎲", "٣", "²", "½",
    "İ", "ß", "0", "9", "-1", "007", "1e9", "99999999999", "9" * 5000, ":", "|", "=", ",", ".", "?", "!", "#", "'", '"', "\\",
    "{", "}", "[", "]", "(", ")", "<", ">", "</div>", "<hr>", "<!--", "<script>", "&#", "&#x110000;", "&lt;", "%s", "{0}",
    "You", "you", " from ", " and got ", " and took ", " for ", "Ore", "NaN", "null", "true", '"event"', "all:", "SOC",
    "data-index=", "alt=",
)  # fmt: skip
NUMBER = re.compile(r"-?\d+")


def _damaged_lines(chance: random.Random, text: str, part: float) -> tuple[str, int]:
    """Change a part of the lines (some of them perhaps twice)."""
    lines = text.split("\n")
    changes = max(1, round(part * len(lines)))
    whole = tuple(lines)
    for _ in range(changes):
        at = chance.randrange(len(lines))
        line = lines[at]
        kind = chance.random()
        if kind < 0.08:
            lines.insert(chance.randrange(len(lines) + 1), line)
        elif kind < 0.16 and len(lines) > 1:
            del lines[at]
        elif kind < 0.22:
            other = chance.randrange(len(lines))
            lines[at], lines[other] = lines[other], line
        elif kind < 0.27:
            lines[at : at + 2] = ["".join(lines[at : at + 2])]
        elif kind < 0.3:
            lines.insert(at, chance.choice(documents(chance.choice(list(FORMATS)))).partition("\n")[0][:2000])
        elif kind < 0.303:
            piece = chance.choice((line, chance.choice(PIECES)))
            lines[at] = piece * (LONG // (len(piece) + 1))
        elif kind < 0.5 and (fresh := whole[at % len(whole)]).startswith("{"):
            lines[at] = _damaged_json(chance, fresh, 0)[0]
        else:
            lines[at] = chance.choice(LINE)(chance, line, whole)
    return "\n".join(lines), changes


def _flip(chance: random.Random, line: str, whole: tuple[str, ...]) -> str:
    at = chance.randrange(len(line) + 1)
    return line[:at] + chr(chance.randrange(32, 127)) + line[at + 1 :]


def _insert(chance: random.Random, line: str, whole: tuple[str, ...]) -> str:
    at = chance.randrange(len(line) + 1)
    return line[:at] + chance.choice(PIECES) + line[at:]


def _cut(chance: random.Random, line: str, whole: tuple[str, ...]) -> str:
    at, to = sorted((chance.randrange(len(line) + 1), chance.randrange(len(line) + 1)))
    return chance.choice((line[:at], line[at:], line[:at] + line[to:], line[:to] + line[at:]))


def _number(chance: random.Random, line: str, whole: tuple[str, ...]) -> str:
    """Another number in the place of one."""
    found = list(NUMBER.finditer(line))
    if not found:
        return _flip(chance, line, whole)
    number = chance.choice(found)
    n = int(number[0][:20])
    new = chance.choice((n + 1, n - 1, -n, n * 10, 0, chance.randrange(30), 10**19, ""))
    return f"{line[: number.start()]}{new}{line[number.end() :]}"


def _words(chance: random.Random, line: str, whole: tuple[str, ...]) -> str:
    """A word is doubled, lost, or changes places with another, also of another line."""
    words = re.split(r"(\W+)", line)
    at, other = chance.randrange(len(words)), chance.randrange(len(words))
    match chance.randrange(4):
        case 0:
            words[at], words[other] = words[other], words[at]
        case 1:
            words[at] *= chance.choice((0, 2, 30))
        case 2:
            words[at] = chance.choice(re.split(r"\W+", chance.choice(whole)[:2000]))
        case _:
            words[at] = chance.choice((str.upper, str.lower, str.swapcase, str.title))(words[at])
    return "".join(words)


LINE: tuple[Callable[[random.Random, str, tuple[str, ...]], str], ...] = (_flip, _insert, _cut, _number, _words)


def _truncated(chance: random.Random, text: str) -> str:
    return text[: chance.randrange(len(text))]


def _beheaded(chance: random.Random, text: str) -> str:
    return text[chance.randrange(len(text)) :]


def _window(chance: random.Random, text: str) -> str:
    """Some lines from the middle, as copying from a page gives them."""
    lines = text.splitlines(keepends=True)
    first = chance.randrange(len(lines) + 1)
    return "".join(lines[first : first + chance.randrange(1, 200)])


def _with_another(chance: random.Random, text: str) -> str:
    """Another log of any format behind it, or its lines between those of this one."""
    other = chance.choice(documents(chance.choice(list(FORMATS))))
    if chance.random() < 0.5:
        return text + other
    pairs = zip_longest(text.splitlines(keepends=True), other.splitlines(keepends=True), fillvalue="")
    return "".join(line for pair in pairs for line in pair)


WHOLE: tuple[Callable[[random.Random, str], str], ...] = (
    _truncated,
    _truncated,
    _beheaded,
    _window,
    _window,
    _with_another,
    lambda chance, text: f"// kept\nconst kept = {text};",
    lambda chance, text: text.replace("\n", chance.choice(("\r\n", "\r", "\n\n", " ", "\u2028"))),
    lambda chance, text: "\ufeff" + text,
    lambda chance, text: text + text,
    lambda chance, text: "\n".join(reversed(text.split("\n"))),
    lambda chance, text: chance.choice(PIECES) + text,
    lambda chance, text: text.upper(),
)

# --- JSON -----------------------------------------------------------------------------------------------------------

ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 3, 6, 10**6, 10**40, -(10**40), 1.5, -0.0, 1e300, float("nan"), float("inf"),
    "", "0", "1", "x", "\0", "\ud800", "٣", "a" * 5000, "9" * 5000, [], [[]], [None], [0] * 300, {}, {"1": {}}, {"type": []},
)  # fmt: skip
KEYS = ("0", "1", "-1", "x", "", "٣", "type", "text", "9" * 5000, "\ud800", "1.0", "11")
DEEP = 3000


def _damaged_json(chance: random.Random, text: str, part: float) -> tuple[str, int]:
    """Change some of the values, anywhere in a JSON text."""
    data = [json.loads(text)]
    places = [*_places(data)]
    changes = max(1, round(part * len(places) / VALUES))
    near_the_root = chance.random() < 0.3
    for number in range(changes):
        holder, key = _descended(chance, data) if near_the_root and not number else chance.choice(places)
        if key in holder if isinstance(holder, dict) else key < len(holder):
            _damage_value(chance, holder, key)
    text = json.dumps(data[0] if data else None)
    if chance.random() < 0.2:
        text = _doubled_key(chance, text) if chance.random() < 0.5 else chance.choice(LINE)(chance, text, (text,))
    if chance.random() < 0.003:
        text = text.replace("0", "[" * DEEP + "]" * DEEP, 1)
    return text, changes


def _places(data: list[Any]) -> Iterator[tuple[Any, Any]]:
    """Every value as what holds it and where, however deep."""
    todo: list[Any] = [data]
    while todo:
        holder = todo.pop()
        for key, value in holder.items() if isinstance(holder, dict) else enumerate(holder):
            yield holder, key
            if isinstance(value, dict | list):
                todo.append(value)


def _descended(chance: random.Random, data: list[Any]) -> tuple[Any, Any]:
    """A value that is found from branch to branch, and so more often a large one."""
    holder: Any = data
    key: Any = 0
    while data and isinstance(holder[key], dict | list) and holder[key] and chance.random() < 0.9:
        holder = holder[key]
        key = chance.choice(list(holder)) if isinstance(holder, dict) else chance.randrange(len(holder))
    return holder, key


def _damage_value(chance: random.Random, holder: Any, key: Any) -> None:
    value = holder[key]
    siblings = list(holder) if isinstance(holder, dict) else range(len(holder))
    match chance.randrange(8):
        case 0:
            del holder[key]
        case 1 | 2:
            holder[key] = json.loads(json.dumps(chance.choice(ODD)))
        case 3:
            other = chance.choice(siblings)
            holder[key], holder[other] = holder[other], value
        case 4 if isinstance(holder, list):
            holder.insert(chance.randrange(len(holder) + 1), json.loads(json.dumps(value)))
        case 4:
            holder[chance.choice((*KEYS, *siblings))] = json.loads(json.dumps(value))
        case 5 if isinstance(value, list):
            chance.shuffle(value)
        case 5 if isinstance(value, dict) and value:
            value[chance.choice(KEYS)] = value.pop(chance.choice(list(value)))
        case 6 if isinstance(value, list | dict):
            holder[key] = [value] if chance.random() < 0.5 else {chance.choice(KEYS): value}
        case _ if isinstance(value, str):
            holder[key] = chance.choice(LINE)(chance, value, (value,))
        case _ if isinstance(value, int):
            others = (value + 1, value - 1, -value, value * 10, str(value), float(value), chance.randrange(25))
            holder[key] = chance.choice(others)
        case _:
            holder[key] = chance.choice((value, "x", 7))


def _doubled_key(chance: random.Random, text: str) -> str:
    """One key of an object twice."""
    found = [*re.finditer(r'"\w+": ', text)]
    if not found:
        return text
    key = chance.choice(found)
    return f"{text[: key.start()]}{key[0]}{chance.choice(('null', '0', '[]', '{}'))}, {text[key.start() :]}"
