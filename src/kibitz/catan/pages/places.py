"""Texts of the analysis in a page: players by name, and places in words, which light up on the board and tell their code.

>>> with_names("assumed: seat 1 V35, seat 3 V40", ("Ann", "Bob"))
'assumed: Ann V35, Player 3 V40'
>>> print(placed("V41 & more", Board.beginner()))
<span class="place" title="V41" data-spot="corner-41">wheat 6, brick 5, ore 3</span> &amp; more
>>> placed("seat 1 and seat 2 agree", Board.beginner(), ("V41", "<b>Bob"))
'V41 and &lt;b&gt;Bob agree'
"""

import re
from collections.abc import Sequence
from html import escape

from nicegui import ui

from kibitz.catan.core.board import Board
from kibitz.catan.core.places import in_words

_SEAT = re.compile(r"\b[Ss]eat (\d)\b")


def with_names(text: str, names: Sequence[str]) -> str:
    """A text that numbers the seats, with the names of the players."""
    return _SEAT.sub(lambda found: called(int(found[1]) - 1, names), text)


def called(seat: int, names: Sequence[str]) -> str:
    """What a player is called."""
    return names[seat] if seat < len(names) else f"Player {seat + 1}"


def placed(text: str, board: Board, names: Sequence[str] = ()) -> str:
    """A text as HTML, in which places are marked and seats have names; the names come last, since one may be called V41."""
    return with_names(in_words(escape(text, quote=False), board, _mark), [escape(name, quote=False) for name in names])


def _mark(words: str, code: str, element: str) -> str:
    return f'<span class="place" title="{code}" data-spot="{element}">{escape(words)}</span>'


def told(tag: str, text: str, board: Board, names: Sequence[str] = (), classes: str = "") -> ui.html:
    """An element with such a text."""
    return ui.html(placed(text, board, names), sanitize=False, tag=tag).classes(classes)
