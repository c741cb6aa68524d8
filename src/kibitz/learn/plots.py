"""Plots as SVG: axes, lines, dots with intervals. Colours are those of the page around them (`kibitz.learn.report`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape

#: Room to the right of a plot, for half of the last number below it.
RIGHT = 20

Point = tuple[float, float]
Words = Callable[[float], str]


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers from `low` to `high`, about so many.

    >>> ticks(0, 1), ticks(0.83, 0.9), ticks(0, 2600)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.84, 0.86, 0.88, 0.9], [0.0, 1000.0, 2000.0])
    """
    rough = (high - low) / about
    unit = 10 ** math.floor(math.log10(rough))
    step = next(unit * n for n in (1, 2, 5, 10) if unit * n >= 0.999 * rough)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(float(step * n), 10) for n in range(first, last + 1)]


@dataclass
class Plot:
    """A frame with two axes; what is drawn into it is collected in `parts`."""

    x: tuple[float, float]
    y: tuple[float, float]
    title: str
    """Said above it, and to those who do not see it."""
    across: str = ""
    """What the x axis means."""
    width: int = 420
    height: int = 240
    x_words: Words = lambda value: f"{value:g}"
    y_words: Words = lambda value: f"{value:g}"
    x_ticks: Sequence[float] | None = None
    y_ticks: Sequence[float] | None = None
    left: int = 46
    parts: list[str] = field(default_factory=list)

    def at(self, point: Point) -> Point:
        """Where a point lies, in pixels."""
        inner, tall = self.width - self.left - RIGHT, self.height - 62
        x = self.left + inner * (point[0] - self.x[0]) / (self.x[1] - self.x[0])
        return x, 26 + tall * (1 - (point[1] - self.y[0]) / (self.y[1] - self.y[0]))

    def line(self, points: Sequence[Point], look: str = "line") -> None:
        """Points joined by a line."""
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(self.at, points))
        self.parts.append(f'<polyline class="{look}" points="{places}"/>')

    def dot(self, point: Point, look: str = "dot", words: str = "", shape: str = "disc") -> None:
        """A disc, or a bar that stands upright; `words` are told where the pointer rests."""
        x, y = self.at(point)
        told = f"<title>{escape(words)}</title>" if words else ""
        if shape == "disc":
            self.parts.append(f'<circle class="{look}" cx="{x:.1f}" cy="{y:.1f}" r="4">{told}</circle>')
        else:
            self.parts.append(f'<rect class="{look}" x="{x - 2:.1f}" y="{y - 8:.1f}" width="4" height="16">{told}</rect>')

    def span(self, low: Point, high: Point, look: str = "span") -> None:
        """An interval."""
        (x1, y1), (x2, y2) = self.at(low), self.at(high)
        self.parts.append(f'<line class="{look}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>')

    def text(self, point: Point, words: str, look: str = "", anchor: str = "start", up: float = 0) -> None:
        """Words beside a point."""
        x, y = self.at(point)
        self.parts.append(f'<text class="{look}" x="{x:.1f}" y="{y - up:.1f}" text-anchor="{anchor}">{escape(words)}</text>')

    def svg(self) -> str:
        """The whole picture."""
        frame = [f'<text class="title" x="0" y="14">{escape(self.title)}</text>']
        for value in ticks(*self.x) if self.x_ticks is None else self.x_ticks:
            x, bottom = self.at((value, self.y[0]))
            frame.append(f'<text x="{x:.1f}" y="{bottom + 15:.1f}" text-anchor="middle">{escape(self.x_words(value))}</text>')
        for value in ticks(*self.y) if self.y_ticks is None else self.y_ticks:
            x, y = self.at((self.x[0], value))
            frame.append(f'<line class="grid" x1="{x:.1f}" y1="{y:.1f}" x2="{self.width - RIGHT}" y2="{y:.1f}"/>')
            frame.append(f'<text x="{x - 6:.1f}" y="{y + 4:.1f}" text-anchor="end">{escape(self.y_words(value))}</text>')
        middle = (self.left + self.width - RIGHT) / 2
        frame.append(
            f'<text class="axis" x="{middle:.0f}" y="{self.height - 4}" text-anchor="middle">{escape(self.across)}</text>'
        )
        size = f'viewBox="0 0 {self.width} {self.height}" width="{self.width}" height="{self.height}"'
        return f'<svg {size} role="img" aria-label="{escape(self.title)}">{"".join([*frame, *self.parts])}</svg>'
