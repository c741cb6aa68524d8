"""Tables for a terminal of any width: with fewer columns where it is narrow, and stacked where even those do not fit.

A figure is never broken, and a word only where the terminal is narrower than the word.
"""

import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from io import StringIO
from typing import cast

from rich.box import Box
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

#: Lines only below the headings and between sections.
LINES = Box("    \n    \n ── \n    \n ── \n ── \n    \n    \n")
#: Between two columns.
GAP = 2
#: A column whose text may be wrapped is not made narrower than this.
LEAST = 16
#: How far facts are moved in below the name of their row.
INDENT = 2
#: How wide text is that is only printed.
WIDTH = 79

Rows = Sequence[Mapping[str, str]]
"""The cells of each row by heading."""


def fitted(
    rows: Rows,
    *choices: Sequence[str],
    width: int,
    names: int = 1,
    left: Collection[str] = (),
    wrapped: Collection[str] = (),
    ends: Collection[int] = (),
    bold_first: bool = False,
) -> RenderableType:
    """A table with the first of these choices of headings that fits into `width`; else all facts of the first one, stacked.

    The first `names` headings are what a row is called. Figures stand to the right unless their heading is in `left`; texts
    under a heading in `wrapped` may take several lines. A line is drawn below the rows in `ends`.
    """
    for headings in choices:
        if sum(_least(rows, heading, heading in wrapped) + GAP for heading in headings) - GAP <= width:
            break
    else:
        return _stacked(rows, choices[0], width, names, wrapped, ends, bold_first)
    table = Table(box=LINES, show_edge=False, padding=(0, GAP - 1, 0, 0), pad_edge=False)
    for heading in headings:
        wraps = heading in wrapped
        table.add_column(heading, justify="left" if wraps or heading in left else "right", no_wrap=not wraps, overflow="fold")
    for number, row in enumerate(rows):
        cells = (Text(row[heading]) for heading in headings)
        table.add_row(*cells, style="bold" if bold_first and number == 0 else None, end_section=number in ends)
    return table


def _least(rows: Rows, heading: str, wraps: bool) -> int:
    texts = (heading, *(row[heading] for row in rows))
    longest = max(map(cell_len, texts))
    return min(longest, max(LEAST, *(cell_len(word) for text in texts for word in text.split()))) if wraps else longest


def _stacked(
    rows: Rows, headings: Sequence[str], width: int, names: int, wrapped: Collection[str], ends: Collection[int], bold: bool
) -> Group:
    parts: list[RenderableType] = []
    for number, row in enumerate(rows):
        parts.append(Text(" ".join(row[heading] for heading in headings[:names]), style="bold" if bold and number == 0 else ""))
        told = [heading for heading in headings[names:] if row[heading]]
        lines = packed([f"{heading} {row[heading]}" for heading in told if heading not in wrapped], width - INDENT)
        lines += [row[heading] for heading in told if heading in wrapped]
        parts.append(Padding(Text("\n".join(lines)), (0, 0, 0, INDENT), expand=False))
        if number in ends:
            parts.append(Text("─" * width))
    return Group(*parts)


def packed(facts: Sequence[str], width: int) -> list[str]:
    """Facts in as few lines as they need, none of them broken.

    >>> packed(["win rate 40.9 %", "games 2,108", "score 1.4"], 30)
    ['win rate 40.9 % · games 2,108', 'score 1.4']
    """
    lines: list[str] = []
    for fact in facts:
        if lines and cell_len(f"{lines[-1]} · {fact}") <= width:
            lines[-1] += f" · {fact}"
        else:
            lines.append(fact)
    return lines


def as_text(parts: Iterable[RenderableType], width: int = WIDTH) -> str:
    """What Rich would print, without colours.

    >>> print(as_text([Text("a board", style="red"), "a line"]))
    a board
    a line
    """
    out = Console(file=StringIO(), width=width, color_system=None, highlight=False)
    for part in parts:
        out.print(part, soft_wrap=isinstance(part, str | Text))
    lines = cast("StringIO", out.file).getvalue().splitlines()
    return "\n".join(line.rstrip() for line in lines)


def folded(first: str, words: str, width: int) -> str:
    """Words behind a first column of some width, in lines that fit.

    >>> folded("road", "3-4", 10)
    'road       3-4'
    """
    column = f"{first:{width}} "
    return textwrap.fill(words, WIDTH, initial_indent=column, subsequent_indent=" " * (width + 1)) if words else first
