"""The chat log of colonist.io as a saved page.

Classes of the page change with every release, so rows are found by their structure: an element with `data-index` is a
row (in old pages one of the class `message_post` or `message-post`), a span in semi-bold type (or of the class `semibold`)
a player, a picture a card, a die or a piece, a rule the end of a turn. The panels of the players, which other attributes
mark, tell how many cards everybody holds after the last row. A page that was saved as one file with its pictures (MHTML) is
unpacked first.

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

import quopri
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from html import unescape
from itertools import pairwise
from urllib.parse import unquote

from kibitz.catan.core.events import MOST_PLAYERS
from kibitz.catan.logs.base import ImportedLog, LogError, Problem
from kibitz.catan.logs.colonist import wordings
from kibitz.catan.logs.colonist.cast import Panel, Row
from kibitz.catan.logs.colonist.language import squeeze
from kibitz.catan.logs.colonist.rows import read_rows
from kibitz.ground.texts import writable

_ROW = re.compile(r"""<[a-zA-Z][^<>]*\s(?:data-index\s*=|class\s*=\s*["'][^"']*\bmessage[_-]post\b)""")
_TAG_NAME = re.compile(r"(/?)([a-zA-Z][a-zA-Z0-9-]*)")
_ATTRIBUTE = re.compile(r"""(?<=[\s"'/])([^\s=/"'<>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?""")
_COLOUR = re.compile(r"\bcolor\s*:([^;]+)", re.IGNORECASE)
_RGB = re.compile(r"rgba?\(([0-9]{1,3}),([0-9]{1,3}),([0-9]{1,3})(?:,1)?\)")
_PIECE = re.compile(r"(?:road|settlement|city)_([a-z]{1,20})")
_SEMI_BOLD = re.compile(r"font-weight\s*:\s*600", re.IGNORECASE)
_NO_CONTENT = frozenset(("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"))
_NO_TEXT = frozenset(("script", "style"))
_END_OF_NO_TEXT = {name: re.compile(f"</{name}", re.IGNORECASE) for name in _NO_TEXT}
_BOUNDARY = re.compile(r'multipart/related;.{0,300}?\bboundary="([^"\n]{1,100})"', re.DOTALL)
_OLD_ROWS = frozenset(("message_post", "message-post"))
_OLD_NAME = "semibold"
#: The colours of the seats, as the names of pictures have them.
COLOURS = ("red", "blue", "orange", "green", "black", "brown")
#: The pictures of awards and cards by their files, with the English words for them.
AWARDS = {"icon_longest_road": "Longest Road", "icon_largest_army": "Largest Army"}
AWARDS |= {name.removeprefix("icon_"): word for name, word in AWARDS.items()}
CARDS = {f"card_{word.lower()}": word for word in ("Lumber", "Brick", "Wool", "Grain", "Ore", "Knight", "Monopoly")}
CARDS |= {
    "card_rescardback": "Resource Card", "card_devcardback": "Development Card", "card_roadbuilding": "Road Building",
    "card_yearofplenty": "Year of Plenty", "card_vp": "Victory Point", "card_victorypoint": "Victory Point",
}  # fmt: skip
_LONGEST_HEADER = 2000
_HIGHEST_INDEX_DIGITS = 7
_HIGHEST_COUNT_DIGITS = 3

# The attributes of a player's panel.
_PANEL = "data-player-information-container"
_PANEL_COLOUR = "data-player-color"
_PANEL_CARDS = "data-resource-card"


def recognises(text: str) -> bool:
    """There is a row."""
    return _ROW.search(text) is not None


def read(text: str, me: str | None = None, strict: bool = False) -> ImportedLog:
    """Read a saved page, or the part of one that holds the log. Rows that the page does not hold are listed as problems.

    Rows may come in any order and more than once. The observer is `me`, or whom the page marks as the current user.
    Whether rows are missing after the last one, no page tells.
    """
    page = _Page()
    page.read(_tokens(_unpacked(writable(text))))
    found = _unique(page.rows)
    if not found:
        raise LogError(1, "the page holds no row of a game log (no element with data-index)")
    missing = [_missing(0, found[0].line - 1)] if found[0].line > 1 else []
    rows = found[:1]
    for row, after in pairwise(found):
        gap = after.line - row.line - 1
        missing += [_missing(row.line + 1, after.line - 1)] if gap else []
        rows.append(replace(after, after_gap=gap))
    return read_rows("colonist-html", rows, me, strict, page.users(), page.panels(), missing)


def _unpacked(text: str) -> str:
    """The page in a file that holds its pictures too; any other text as it is."""
    boundary = _BOUNDARY.search(text, 0, _LONGEST_HEADER)
    if boundary is None:
        return text
    parts = [part.partition("\n\n") for part in text.replace("\r\n", "\n").split(f"--{boundary[1]}")]
    return "\n".join(
        quopri.decodestring(page.encode()).decode("utf-8", "replace") if "quoted-printable" in head.lower() else page
        for head, _, page in parts
        if "text/html" in head.lower()
    )


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
    return row.separator or wordings.is_sentence(row.text)


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
            yield "", unescaped(text[at:]), {}
            return
        if tag > at:
            yield "", unescaped(text[at:tag]), {}
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


def words_of_tag(tag: str) -> str:
    """What a single tag shows: the word of a picture; of others nothing."""
    return _picture(_attributes(tag[1:-1]))[0] if tag.lower().startswith("<img") else ""


def _attributes(text: str) -> dict[str, str]:
    """Names and values; of several with the same name the first counts."""
    return {name.lower(): unescaped(a or b or c) for name, a, b, c in reversed(_ATTRIBUTE.findall(text))}


def unescaped(text: str) -> str:
    """A text with characters in the place of their names and numbers."""
    try:
        return unescape(text)
    except ValueError:  # the number of a character with thousands of digits
        return text


@dataclass
class _Page:
    """Collects rows from tags and texts, however badly they are nested."""

    rows: list[Row] = field(default_factory=list)
    _user_texts: list[str] = field(default_factory=list)
    _panels: list[_OpenPanel] = field(default_factory=list)
    #: Who is written in a colour, or has pieces of it.
    _inks: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    #: The open elements: their tags, and what ends with them.
    _open: list[tuple[str, list[Callable[[], None]]]] = field(default_factory=list)
    _tags: Counter[str] = field(default_factory=Counter)
    _users: int = 0
    _name: list[str] | None = None
    _name_inks: list[str] = field(default_factory=list)
    _row: _OpenRow | None = None
    _panel: _OpenPanel | None = None

    def read(self, tokens: Iterable[tuple[str, str, dict[str, str]]]) -> None:
        """The whole page."""
        for tag, text, attributes in tokens:
            if not tag:
                self._text(text)
            elif tag.startswith("/"):
                self._close(tag[1:])
            elif tag in _NO_CONTENT:
                self._empty(tag, attributes)
            else:
                self._begin(tag, attributes)
        self._end_row()

    def _text(self, text: str) -> None:
        if self._users:
            self._user_texts.append(squeeze(text))
        if self._panel is not None:
            self._panel.text(text)
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
            self._row.picture(*_picture(attributes))
        else:
            self._row.text(" ")

    def _begin(self, tag: str, attributes: dict[str, str]) -> None:
        classes, style = attributes.get("class", "").split(), attributes.get("style", "")
        counted = str(len(self.rows) + (self._row is not None)) if not _OLD_ROWS.isdisjoint(classes) else ""
        index = attributes.get("data-index", counted).strip()
        ends: list[Callable[[], None]] = []
        if _is_number(index, _HIGHEST_INDEX_DIGITS):
            self._end_row()
            self._row, self._panel = _OpenRow(int(index)), None
            ends.append(self._end_row)
        elif self._row is not None and self._name is None and (_OLD_NAME in classes or _SEMI_BOLD.search(style)):
            self._row.text(" ")
            self._name = []
            self._name_inks = _colours(attributes)
            ends.append(self._end_name)
        if any(name.startswith("currentUser") for name in classes):
            self._users += 1
            ends.append(self._end_user)
        ends += self._begin_panel(attributes)
        self._open.append((tag, ends))
        self._tags[tag] += 1

    def _begin_panel(self, attributes: dict[str, str]) -> Iterator[Callable[[], None]]:
        """A panel begins with a container, or within one with another colour; what ends with the element."""
        colour = _normal(attributes.get(_PANEL_COLOUR, ""))
        if _PANEL in attributes or (self._panel is not None and colour and self._panel.colour not in ("", colour)):
            self._panel = _OpenPanel()
            self._panels.append(self._panel)
        if self._panel is None:
            return
        self._panel.is_user = self._panel.is_user or self._users > 0
        if colour:
            self._panel.colour = colour
            self._panel.colours |= {colour, *_colours(attributes)}
        if _PANEL_CARDS in attributes and not self._panel.counting:
            self._panel.counting = True
            self._panel.count, self._panel.count_texts = attributes[_PANEL_CARDS], []
            yield partial(setattr, self._panel, "counting", False)
        if _PANEL in attributes:
            yield partial(setattr, self, "_panel", None)

    def _close(self, tag: str) -> None:
        """Close an element and whatever was left open in it; what was never opened closes nothing."""
        closed = ""
        while closed != tag and self._tags[tag]:
            closed, ends = self._open.pop()
            self._tags[closed] -= 1
            for end in ends:
                end()

    def _end_user(self) -> None:
        self._users -= 1

    def _end_name(self) -> None:
        if self._row is not None and self._name is not None:
            self._row.text(" ")
            name = squeeze("".join(self._name))
            self._row.names.append(name)
            for ink in self._name_inks:
                self._inks[ink].add(name)
        self._name = None

    def _end_row(self) -> None:
        self._end_name()
        if self._row is not None:
            self.rows.append(self._row.row())
            if len(self._row.names) == 1:
                for ink in self._row.colours:
                    self._inks[ink].add(self._row.names[0])
        self._row = None

    def panels(self) -> list[Panel]:
        """What the page shows of each player."""
        return [panel.panel(self._inks) for panel in self._panels]

    def users(self) -> list[Panel]:
        """What the page marks as the current user."""
        panels = [panel.panel(self._inks) for panel in self._panels if panel.is_user]
        return [Panel(frozenset(self._user_texts)), *panels]


@dataclass
class _OpenPanel:
    """A player's panel that is being read."""

    texts: set[str] = field(default_factory=set)
    colour: str = ""
    colours: set[str] = field(default_factory=set)
    is_user: bool = False
    #: Whether the element is open that counts the cards; the value of its attribute, and what is written in it.
    counting: bool = False
    count: str = ""
    count_texts: list[str] = field(default_factory=list)

    def text(self, text: str) -> None:
        self.texts.add(squeeze(text))
        if self.counting:
            self.count_texts.append(text)

    def panel(self, inks: dict[str, set[str]]) -> Panel:
        """What it says, given who is written in which colour; the colour of a whole crowd is nobody's."""
        written = (squeeze(text) for text in ("".join(self.count_texts), self.count))
        cards = next((int(text) for text in written if _is_number(text, _HIGHEST_COUNT_DIGITS)), None)
        owners = [inks[colour] for colour in self.colours if colour in inks and len(inks[colour]) <= MOST_PLAYERS]
        return Panel(frozenset(self.texts), frozenset().union(*owners), cards)


@dataclass
class _OpenRow:
    """A row that is being read."""

    index: int
    texts: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    #: The colours of the pieces in it.
    colours: set[str] = field(default_factory=set)
    begun: bool = False
    pictures: bool = False
    separator: bool = False

    def text(self, text: str) -> None:
        self.texts.append(text)
        self.begun = self.begun or not text.isspace()

    def picture(self, word: str, file: str) -> None:
        """A picture after the first text, or an award; others before are the face of a player, or a trophy."""
        self.begun = self.begun or word in AWARDS.values()
        if self.begun and word:
            self.texts.append(f" {word} ")
            self.pictures = True
            self.colours |= {piece[1] for name in (word, file) if (piece := _PIECE.fullmatch(name.lower()))}

    def row(self) -> Row:
        names = frozenset(filter(None, self.names))
        return Row(self.index, squeeze("".join(self.texts)), names, self.separator, note=not names and not self.pictures)


def _picture(attributes: dict[str, str]) -> tuple[str, str]:
    """The word of a picture and the file; players' faces have no word.

    Files have the same names whatever language the page is in: where theirs is known it counts, else what the picture says.
    """
    file = unquote(attributes.get("src", "")).rpartition("/")[2].partition(".")[0]
    said = attributes.get("alt", "")
    award = next((word for name, word in AWARDS.items() if name in (file, said.lower().replace(" ", "_"))), "")
    piece = _PIECE.fullmatch(file.lower()) is not None and file.partition("_")[0]
    word = award or CARDS.get(file.lower(), "") or piece or said or file.removeprefix("card_")
    return "" if "icon_" in (file + word) and not award else word, file


def _colours(attributes: dict[str, str]) -> list[str]:
    """The colours in the style of an element."""
    return list(filter(None, map(_normal, _COLOUR.findall(attributes.get("style", "")))))


def _normal(colour: str) -> str:
    """A colour as pages write it in several ways: by number, as three numbers, or in hexadecimal."""
    bare = "".join(colour.lower().split())
    if _is_number(bare, 1):
        return dict(enumerate(COLOURS, start=1)).get(int(bare), bare)
    rgb = _RGB.fullmatch(bare)
    return "#" + "".join(f"{int(part):02x}" for part in rgb.groups()) if rgb else bare


def _is_number(text: str, digits: int) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= digits
