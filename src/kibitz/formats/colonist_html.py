"""The chat log of colonist.io as a saved page, in and out.

Classes of the page change with every release, so rows are found by their structure: an element with `data-index` is a
row, a span in semi-bold type a player, a picture a card, a die or a piece, a rule the end of a turn.

>>> page = '''
... <div data-index="7"><span style="font-weight: 600">Red</span> rolled <img alt="dice_5"/><img alt="dice_1"/></div>
... <div data-index="8"><span style="font-weight: 600">Blue</span> got <img src="a/card_ore.77.svg"/></div>
... '''
>>> imported = read(page)
>>> imported.log.events[-1].text(imported.log.players)
'Red rolled 6: Blue got 1 ore'
>>> str(imported.problems[0])
'line 0: rows 0 to 6 are missing'
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import escape, unescape
from itertools import pairwise

from kibitz.catan.record import Record
from kibitz.catan.transcript import events_of
from kibitz.formats import wordings
from kibitz.formats.base import ImportedLog, LogError, Problem
from kibitz.formats.colonist_rows import Row, read_rows
from kibitz.formats.colonist_text import Part, carried, parts_of
from kibitz.formats.wordings import ENGLISH, squeeze

__all__ = ["carried", "read", "recognises", "write"]

_ROW = re.compile(r"<[a-zA-Z][^<>]*\sdata-index\s*=")
_TAG_NAME = re.compile(r"(/?)([a-zA-Z][a-zA-Z0-9-]*)")
_ATTRIBUTE = re.compile(r"""(?<=[\s"'/])([^\s=/"'<>]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))""")
_SEMI_BOLD = re.compile(r"font-weight\s*:\s*600", re.IGNORECASE)
_NO_CONTENT = frozenset(("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"))
_NO_TEXT = frozenset(("script", "style"))
_END_OF_NO_TEXT = {name: re.compile(f"</{name}", re.IGNORECASE) for name in _NO_TEXT}
_HIGHEST_INDEX_DIGITS = 7


def recognises(text: str) -> bool:
    """There is an element with `data-index`."""
    return _ROW.search(text) is not None


def read(text: str, me: str | None = None, strict: bool = False) -> ImportedLog:
    """Read a saved page, or the part of one that holds the log. Rows that the page does not hold are listed as problems.

    Rows may come in any order and more than once. The observer is `me`, or whom the page marks as the current user.
    """
    page = _Page()
    for token in _tokens(text):
        page.take(*token)
    page.finish()
    found = _unique(page.rows)
    if not found:
        raise LogError(1, "the page holds no row of a game log (no element with data-index)")
    missing = []
    rows = found[:1]
    if found[0].line > 1:
        missing.append(_missing(0, found[0].line - 1))
    for row, after in pairwise(found):
        gap = after.line > row.line + 1
        if gap:
            missing.append(_missing(row.line + 1, after.line - 1))
        rows.append(replace(after, after_gap=gap))
    return read_rows("colonist-html", rows, me, strict, page.current_user, missing)


def _missing(first: int, last: int) -> Problem:
    return Problem(first, f"rows {first} to {last} are missing" if last > first else f"row {first} is missing", "")


def _unique(rows: Sequence[Row]) -> list[Row]:
    """One row for each index, in order; of several with the same, the first that can be read."""
    found: dict[int, Row] = {}
    for row in rows:
        if row.line not in found or (not _is_readable(found[row.line]) and _is_readable(row)):
            found[row.line] = row
    return [found[line] for line in sorted(found)]


def _is_readable(row: Row) -> bool:
    return row.separator or any(language.sentences(row.text) for language in wordings.LANGUAGES)


# --- the structure of the page ----------------------------------------------------------------------------


def _tokens(text: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """The page as tags (`name`, `/name`) with attributes, and texts (an empty name). Any input will do.

    The parser of the standard library takes quadratic time for some broken pages, and raises errors for others.
    """
    at = 0
    while at < len(text):
        tag = text.find("<", at)
        end = text.find(">", tag) if tag >= 0 else -1
        if end < 0:
            yield "", _unescaped(text[at:]), {}
            return
        if tag > at:
            yield "", _unescaped(text[at:tag]), {}
        at = end + 1
        if text.startswith("<!--", tag):
            end = text.find("-->", tag + 4)
            at = end + 3 if end >= 0 else len(text)
            continue
        name = _TAG_NAME.match(text, tag + 1, end)
        if name is None:
            continue
        slash, tag_name = name[1], name[2].lower()
        yield slash + tag_name, "", {} if slash else _attributes(text[name.end() : end])
        if tag_name in _NO_TEXT and not slash:
            close = _END_OF_NO_TEXT[tag_name].search(text, at)
            at = close.start() if close else len(text)


def _attributes(text: str) -> dict[str, str]:
    """Names and values; of several with the same name the first counts."""
    return {name.lower(): _unescaped(a or b or c) for name, a, b, c in reversed(_ATTRIBUTE.findall(text))}


def _unescaped(text: str) -> str:
    try:
        return unescape(text)
    except ValueError:  # the number of a character with thousands of digits
        return text


@dataclass
class _Element:
    """An open element, and what begins with it."""

    tag: str
    is_row: bool = False
    is_name: bool = False
    is_user: bool = False


@dataclass
class _Page:
    """Collects rows from tags and texts, however badly they are nested."""

    rows: list[Row] = field(default_factory=list)
    #: Texts inside of what the page marks as the current user.
    current_user: list[str] = field(default_factory=list)
    _open: list[_Element] = field(default_factory=list)
    _tags: Counter[str] = field(default_factory=Counter)
    _users: int = 0
    _name: list[str] | None = None
    _row: _OpenRow | None = None

    def take(self, tag: str, text: str, attributes: dict[str, str]) -> None:
        """One token."""
        if not tag:
            self._text(text)
        elif tag.startswith("/"):
            self._close(tag[1:])
        elif tag in _NO_CONTENT:
            self._empty(tag, attributes)
        else:
            self._begin(tag, attributes)

    def _text(self, text: str) -> None:
        if self._users:
            self.current_user.append(squeeze(text))
        if self._row is not None:
            self._row.text(text)
            if self._name is not None:
                self._name.append(text)

    def _empty(self, tag: str, attributes: dict[str, str]) -> None:
        if self._row is None:
            return
        if tag == "hr":
            self._row.separator = True
        elif tag == "img":
            self._row.picture(_picture(attributes))
        else:
            self._row.text(" ")

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        index = attributes.get("data-index", "").strip()
        element = _Element(tag)
        if index.isascii() and index.isdigit() and len(index) <= _HIGHEST_INDEX_DIGITS:
            self._end_row()
            self._row = _OpenRow(int(index))
            element.is_row = True
        elif self._row is not None and self._name is None and _SEMI_BOLD.search(attributes.get("style", "")):
            self._row.text(" ")
            self._name = []
            element.is_name = True
        if any(name.startswith("currentUser") for name in attributes.get("class", "").split()):
            self._users += 1
            element.is_user = True
        self._open.append(element)
        self._tags[tag] += 1

    def _close(self, tag: str) -> None:
        """Close an element and whatever was left open in it; what was never opened closes nothing."""
        while self._tags[tag]:
            element = self._open.pop()
            self._tags[element.tag] -= 1
            self._users -= element.is_user
            if element.is_name:
                self._end_name()
            if element.is_row:
                self._end_row()
            if element.tag == tag:
                return

    def _end_name(self) -> None:
        if self._row is not None and self._name is not None:
            self._row.text(" ")
            self._row.names.append(squeeze("".join(self._name)))
        self._name = None

    def _end_row(self) -> None:
        self._end_name()
        if self._row is not None:
            self.rows.append(self._row.row())
        self._row = None

    def finish(self) -> None:
        """The end of the page."""
        self._end_row()


@dataclass
class _OpenRow:
    """A row that is being read."""

    index: int
    texts: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    begun: bool = False
    pictures: bool = False
    separator: bool = False

    def text(self, text: str) -> None:
        self.texts.append(text)
        self.begun = self.begun or not text.isspace()

    def picture(self, word: str) -> None:
        """A picture after the first text; those before are the face of a player, or a trophy."""
        if self.begun and word:
            self.texts.append(f" {word} ")
            self.pictures = True

    def row(self) -> Row:
        names = frozenset(filter(None, self.names))
        return Row(self.index, squeeze("".join(self.texts)), names, self.separator, note=not names and not self.pictures)


def _picture(attributes: dict[str, str]) -> str:
    """The word of a picture: what it says it shows, or the name of its file; pictures of players say nothing."""
    file = attributes.get("src", "").rpartition("/")[2].partition(".")[0]
    word = attributes.get("alt", "") or file.removeprefix("card_")
    return "" if "icon_" in (file + word) else word


# --- out --------------------------------------------------------------------------------------------------

_STYLE = "font-weight: 600; word-break: break-all; color: "
_INKS = ("#e27174", "#223697", "#e09742", "#62b95d", "#3e3e3e", "#8b5a2b")


def write(record: Record, observer: int | None = None, players: Sequence[str] | None = None) -> str:
    """A game as the saved page of `observer` (None: a spectator), with all its rows."""
    log = events_of(record, observer, players=players)
    inks = dict(zip(log.players, _INKS, strict=False))
    if observer is not None:
        inks[ENGLISH.you[0]] = _INKS[observer]
    rows = []
    for index, parts in enumerate(parts_of(log, record.board, ENGLISH)):
        avatar = '<div><img src="assets/icon_player.svg"/></div>' if parts else ""
        content = "".join(_marked_up(part, inks) for part in parts) or "<hr/>"
        rows.append(f'<div data-index="{index}"><div>{avatar}<span>{content}</span></div></div>')
    return "\n".join(["<html><body><div>", *rows, "</div></body></html>", ""])


def _marked_up(part: Part, inks: dict[str, str]) -> str:
    if part.kind == "picture":
        return f' <img src="assets/{part.file}.svg" alt="{escape(part.text)}"/>'
    if part.kind == "name":
        return f'<span style="{_STYLE}{inks[part.text]}">{escape(part.text)}</span>'
    return escape(part.text)
