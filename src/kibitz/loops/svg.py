"""A lap as a picture: its steps in a circle with who acts, the ways out as branches, the verdict and its rule in the middle.

Two layouts of the same: `draw_wide`, a ring, and `draw_tall`, a column whose end leads back to its beginning, for narrow
screens. Colours are those of the page (variables), with values of their own elsewhere; who acts is told by shape and number.
"""

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape

from kibitz.ground.texts import counted
from kibitz.loops.lap import who

INK, MUTED, SURFACE, RAISED, LINE, ACCENT = (
    "var(--ink,#1f2a30)", "var(--muted,#5c6870)", "var(--surface,#fff)", "var(--raised,#faf8f3)", "var(--line,#dedad0)",
    "var(--accent,#0067a8)",
)  # fmt: skip
SEATS = ("#b84e00", "#0067a8")
#: A step: its width, the letters in a line of it, the height of a line.
WIDTH, LETTERS, PITCH = 236, 27, 19
#: A way out is a bit smaller.
EXIT_WIDTH, EXIT_LETTERS = 204, 26
#: Between a step and a way out.
GAP = 66
#: The width of a column, and the room for the verdict at its head.
TALL_WIDTH, TALL_HEAD = 366, 104
#: The pieces of which an arc of the ring consists.
ARC = 90


@dataclass(frozen=True)
class Node:
    """A step of the lap."""

    seat: int
    text: str
    lit: bool = False
    """Whether it is the step that was played last."""


@dataclass(frozen=True)
class Exit:
    """A move that leaves the lap instead of a step (from 0)."""

    step: int
    seat: int
    text: str
    sure: bool = True
    taken: bool = False

    @property
    def words(self) -> str:
        """What it says."""
        return self.text + ("" if self.sure else " (if others help)")

    @property
    def colour(self) -> str:
        """Whichever was taken stands out."""
        return ACCENT if self.taken else MUTED


@dataclass(frozen=True)
class Cycle:
    """What is drawn. A line of steps that does not come back is not `closed`."""

    nodes: tuple[Node, ...]
    verdict: str
    rule: str = ""
    exits: tuple[Exit, ...] = ()
    closed: bool = True
    more: int = 0
    """How many further ways out there are."""
    told: bool = True
    """Whether the ways out are known already; there is room for them from the start, so that nothing jumps."""

    @property
    def known(self) -> tuple[Exit, ...]:
        """The ways out that are drawn."""
        return self.exits if self.told else ()


@dataclass(frozen=True)
class _Box:
    """A rectangle with lines of text in it, around a centre."""

    x: float
    y: float
    width: float
    lines: tuple[str, ...]

    @property
    def height(self) -> float:
        return 16 + PITCH * len(self.lines)


def draw_wide(cycle: Cycle) -> str:
    """A ring."""
    n = len(cycle.nodes)
    rx, ry = (258, 172) if n < 3 else (244, 164) if n == 3 else (306, 184)
    boxes = []
    for i, node in enumerate(cycle.nodes):
        angle = 2 * math.pi * i / n - math.pi / 2
        boxes.append(_Box(rx * math.cos(angle), ry * math.sin(angle), WIDTH, _lines(f"{i + 1}. {node.text}", LETTERS)))
    exits = _beside(cycle, boxes)
    parts = [_ring(n, rx, ry, cycle.closed)]
    parts += [_branch(boxes[one.step], box, one) for one, box in zip(cycle.known, exits, strict=False)]
    parts += map(_step, boxes, cycle.nodes)
    parts += map(_way, exits, cycle.known)
    parts.append(_middle(cycle, 0, 0, 20, 36))
    boxes += [*exits, _Box(0, 0, 2 * rx + 30, ("",) * int(2 * ry / PITCH))]
    left = min(box.x - box.width / 2 for box in boxes) - 22
    right = max(box.x + box.width / 2 for box in boxes) + 8
    top = min(box.y - box.height / 2 for box in boxes) - 8
    bottom = max(box.y + box.height / 2 for box in boxes) + 8
    if cycle.more:
        bottom += 24
        parts.append(_more(cycle, right - 4, bottom - 8))
    return _svg(cycle, parts, f"{left:.0f} {top:.0f} {right - left:.0f} {bottom - top:.0f}")


def _beside(cycle: Cycle, boxes: Sequence[_Box]) -> list[_Box]:
    """Where the ways out stand, piled away from the middle: beside a step at the top or the bottom, else above or below it."""
    found: list[_Box] = []
    piled: dict[tuple[int, bool], float] = {}
    for number, one in enumerate(cycle.exits):
        box = boxes[one.step]
        central = _is_central(box)
        right = number % 2 == 0 if central else box.x > 0
        away = -1 if box.y < -1 else 1
        made = _Box(box.x, box.y, EXIT_WIDTH, _lines(one.words, EXIT_LETTERS))
        if central:
            first, x = box.y, box.x + (1 if right else -1) * (WIDTH / 2 + GAP + EXIT_WIDTH / 2)
        else:
            first, x = box.y + away * (box.height / 2 + GAP + made.height / 2), box.x
        y = piled.get((one.step, right), first)
        piled[one.step, right] = y + away * (made.height + 12)
        found.append(replace(made, x=x, y=y))
    return found


def _is_central(box: _Box) -> bool:
    return abs(box.x) < 1


def _ring(n: int, rx: float, ry: float, closed: bool) -> str:
    """The circle behind the steps, with an arrow between each two of them."""
    parts = []
    for i in range(n):
        start, end = (2 * math.pi * (i + k) / n - math.pi / 2 for k in (0, 1))
        last = i == n - 1 and not closed
        angles = [start + (end - start) * k / ARC for k in range(ARC + 1)]
        line = "L".join(f"{rx * math.cos(angle):.1f} {ry * math.sin(angle):.1f}" for angle in angles)
        parts.append(_path(f"M{line}", 1.5, "3 9") if last else _path(f"M{line}"))
        if not last:
            at = (start + end) / 2 if n > 1 else math.pi / 2
            parts.append(_arrow(rx * math.cos(at), ry * math.sin(at), -rx * math.sin(at), ry * math.cos(at)))
    return "".join(parts)


def _arrow(x: float, y: float, dx: float, dy: float, fill: str = MUTED) -> str:
    """The head of an arrow that points along (dx, dy)."""
    turn = math.degrees(math.atan2(dy, dx))
    return f'<path d="M-9 -9L11 0L-9 9Z" transform="translate({x:.1f} {y:.1f}) rotate({turn:.1f})" style="fill:{fill}"/>'


def _branch(step: _Box, exit: _Box, one: Exit) -> str:
    """The line from a step to a way out: bent to one beside it, straight to one above or below it."""
    if _is_central(step):
        side = 1 if exit.x > step.x else -1
        x1, x2 = step.x + side * step.width / 2, exit.x - side * (exit.width / 2 + (23 if side > 0 else 11))
        bend = (x1 + x2) / 2
        line = f"M{x1:.1f} {step.y:.1f}C{bend:.1f} {step.y:.1f} {bend:.1f} {exit.y:.1f} {x2:.1f} {exit.y:.1f}"
        head = _arrow(x2, exit.y, side, 0, one.colour)
    else:
        away = 1 if exit.y > step.y else -1
        y1, y2 = step.y + away * step.height / 2, exit.y - away * (exit.height / 2 + 11)
        line, head = f"M{step.x:.1f} {y1:.1f}V{y2:.1f}", _arrow(exit.x, y2, 0, away, one.colour)
    return _path(line, 3 if one.taken else 2, "" if one.taken else "6 5", one.colour) + head


def _step(box: _Box, node: Node) -> str:
    """A step of the lap."""
    stroke, width = (ACCENT, 4) if node.lit else (LINE, 1.5)
    return _boxed(box, f'style="fill:{RAISED};stroke:{stroke}" stroke-width="{width}"', 600) + _seat(box, node.seat, 14)


def _way(box: _Box, one: Exit) -> str:
    """A way out."""
    width, dash = (3, "") if one.taken else (1.5, "6 5")
    frame = f'style="fill:{SURFACE};stroke:{one.colour}" stroke-width="{width}"{_dash(dash)}'
    return _boxed(box, frame, 400) + _seat(box, one.seat, 11)


def _boxed(box: _Box, frame: str, weight: int) -> str:
    """The frame of a box, and its lines."""
    x, y = box.x - box.width / 2, box.y - box.height / 2
    size = f'x="{x:.1f}" y="{y:.1f}" width="{box.width}" height="{box.height}" rx="12"'
    text = f'<text font-size="15" font-weight="{weight}" style="fill:{INK}">{_spans(box.lines, x + 24, y + 22, PITCH)}</text>'
    return f"<rect {size} {frame}/>{text}"


def _spans(lines: Sequence[str], x: float, y: float, pitch: int) -> str:
    return "".join(f'<tspan x="{x:.1f}" y="{y + pitch * i:.1f}">{escape(line)}</tspan>' for i, line in enumerate(lines))


def _dash(pattern: str) -> str:
    return f' stroke-dasharray="{pattern}"' if pattern else ""


def _path(line: str, width: float = 3, dash: str = "", colour: str = MUTED) -> str:
    return f'<path d="{line}" fill="none" style="stroke:{colour}" stroke-width="{width}"{_dash(dash)}/>'


def _seat(box: _Box, seat: int, r: float) -> str:
    """Who acts, at the left edge of a box: a disc for player 1, a square for player 2, a diamond for chance."""
    if seat < 0:
        half = r * 0.8
        shape = f'<rect x="{-half}" y="{-half}" width="{2 * half}" height="{2 * half}" transform="rotate(45)" fill="#5c6870"/>'
    elif seat == 0:
        shape = f'<circle r="{r}" fill="{SEATS[0]}"/>'
    else:
        shape = f'<rect x="{-r}" y="{-r}" width="{2 * r}" height="{2 * r}" rx="4" fill="{SEATS[1]}"/>'
    label = "?" if seat < 0 else str(seat + 1)
    size = f'y="{r * 0.36:.1f}" font-size="{r * 1.05:.1f}" font-weight="700"'
    return (
        f'<g transform="translate({box.x - box.width / 2:.1f} {box.y:.1f})"><title>{who(seat)}</title>{shape}'
        f'<text text-anchor="middle" {size} fill="#fff">{label}</text></g>'
    )


def _middle(cycle: Cycle, x: float, y: float, wide: int, letters: int) -> str:
    """The verdict and its rule."""
    verdict, about = _lines(cycle.verdict, wide), _lines(cycle.rule, letters) if cycle.rule else ()
    total = 28 * len(verdict) + (10 + 18 * len(about) if about else 0)
    top = y - total / 2
    head, small = _spans(verdict, x, top + 22, 28), _spans(about, x, top + 28 * len(verdict) + 24, 18)
    return (
        f'<text text-anchor="middle" font-size="23" font-weight="700" style="fill:{INK}">{head}</text>'
        f'<text text-anchor="middle" font-size="14" style="fill:{MUTED}">{small}</text>'
    )


def _lines(words: str, letters: int) -> tuple[str, ...]:
    return tuple(textwrap.wrap(words, letters)) or ("",)


def _more(cycle: Cycle, x: float, y: float) -> str:
    words = f"and {counted(cycle.more, 'other way')} out" if cycle.told else ""
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="end" font-size="14" style="fill:{MUTED}">{words}</text>'


def _svg(cycle: Cycle, parts: Sequence[str], view: str) -> str:
    said = escape(in_words(cycle), quote=True)
    return f'<svg viewBox="{view}" role="img" aria-label="{said}" font-family="inherit">{"".join(parts)}</svg>'


def in_words(cycle: Cycle) -> str:
    """The picture for those who do not see it.

    >>> in_words(Cycle((Node(0, "draw"), Node(1, "discard")), "draw"))
    'A lap of 2 steps: 1. player 1: draw; 2. player 2: discard; and again from 1. Verdict: draw.'
    """
    steps = "; ".join(f"{i}. {who(node.seat)}: {node.text}" for i, node in enumerate(cycle.nodes, start=1))
    ways = "".join(f" Way out instead of {one.step + 1}, {who(one.seat)}: {one.text}." for one in cycle.known)
    size = counted(len(cycle.nodes), "step")
    lap, line = f"A lap of {size}: {steps}; and again from 1.", f"A line of {size} that does not come back: {steps}."
    return f"{lap if cycle.closed else line} Verdict: {cycle.verdict}.{ways}"


def draw_tall(cycle: Cycle) -> str:
    """A column: the last step leads back to the first, along the left side."""
    parts: list[str] = []
    verdict = max(28 * len(_lines(cycle.verdict, 26)) + 10 + 18 * len(_lines(cycle.rule, 46)), TALL_HEAD)
    parts.append(_middle(cycle, TALL_WIDTH / 2, verdict / 2 + 4, 26, 46))
    y = verdict + 22.0
    first = last = last_bottom = y
    for i, node in enumerate(cycle.nodes):
        lines = _lines(f"{i + 1}. {node.text}", 34)
        box = _Box(TALL_WIDTH / 2 + 20, y + (16 + PITCH * len(lines)) / 2, TALL_WIDTH - 56, lines)
        if i:
            parts.append(_path(f"M58 {last_bottom:.0f}V{y - 8:.0f}") + _arrow(58, y - 11, 0, 1))
        else:
            first = box.y
        parts.append(_step(box, node))
        last, last_bottom = box.y, y + box.height
        y = last_bottom + 10
        for one in cycle.exits:
            if one.step == i:
                y = _exit_row(parts, one, y, last_bottom, cycle.told)
        y += 14
    parts.insert(0, _back(first, last, cycle.closed))
    if cycle.more:
        parts.append(_more(cycle, TALL_WIDTH - 6, y + 4))
        y += 18
    return _svg(cycle, parts, f"0 0 {TALL_WIDTH} {y:.0f}")


def _exit_row(parts: list[str], one: Exit, y: float, top: float, told: bool) -> float:
    """A way out below its step; where the next thing may stand."""
    lines = _lines(one.words, 29)
    box = _Box(TALL_WIDTH / 2 + 48, y + (16 + PITCH * len(lines)) / 2, TALL_WIDTH - 112, lines)
    if told:
        parts.insert(0, _path(f"M88 {top:.0f}V{box.y:.0f}H104", 2, "5 4", one.colour))
        parts.append(_way(box, one))
    return y + box.height + 8


def _back(first: float, last: float, closed: bool) -> str:
    """From the last step up to the first."""
    if not closed:
        return ""
    if first == last:  # one step leads back to itself
        first, last = first - 14, last + 14
    return _path(f"M48 {last:.0f}H14V{first:.0f}H26") + _arrow(24, first, 1, 0)
