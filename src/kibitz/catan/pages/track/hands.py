"""The hands of all players: one small bar for each card that can be there, as high as the chance that it is.

The bars of a cell together are as high as the expected number of cards. Whoever rests on a cell sees the whole distribution.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from nicegui import ui

from kibitz.catan.core.events import Cards
from kibitz.catan.tracking.session import Moment
from kibitz.ground.figures import chance_text
from kibitz.web.parts import box, card, text

if TYPE_CHECKING:
    from kibitz.catan.pages.track.page import TrackPage

Marginal = Mapping[str, Any]
#: Bars in a cell, and lines of a distribution, at most.
_BARS, _LINES = 12, 12
#: How the table is read.
HOW = (
    "The most likely number of cards with its chance, and a bar for each card that can be there, as full as that is likely. "
    "Point at a cell, or tap it, for all numbers."
)
_PURCHASES = {"road": "road", "settlement": "settlement", "city": "city", "dev_card": "card"}


class Cell:
    """One number of cards: numbers and bars only, so that it can be written as HTML."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._shown: Any = None
        self._box = box(f"tk-cell r-{name}").props("tabindex=0 role=img")
        with self._box:
            self._html = ui.html("", sanitize=False)

    def show(self, marginal: Marginal, owner: str) -> None:
        """Show a distribution."""
        if marginal == self._shown:
            return
        self._shown = marginal
        self._html.set_content(cell_html(self._name, marginal))
        chances = ", ".join(f"{n}: {chance_text(p)}" for n, p in marginal["distribution"].items())
        self._box.props["aria-label"] = f"{owner}, {self._name}: expected {marginal['expected']:.2f}; {chances}"
        self._box.update()


def cell_html(name: str, marginal: Marginal) -> str:
    """The most likely number, the bars, and the distribution for whoever looks closer.

    >>> sure = {"most_likely": 2, "expected": 2.0, "distribution": {"2": 1.0}, "at_least": [1.0, 1.0, 1.0]}
    >>> cell_html("wood", sure).count("height:100%")
    2
    """
    best = marginal["most_likely"]
    chance = marginal["distribution"][str(best)]
    sure = chance > 1 - 1e-9
    look = "" if best or not sure else " none"
    top = f'<span class="tk-top{look}"><b>{best}</b>' + ("" if sure else f"<small>{chance_text(chance)}</small>") + "</span>"
    ladder = marginal["at_least"][1 : _BARS + 1]
    bars = "".join(f'<i><u style="height:{100 * p:.0f}%"></u></i>' for p in ladder)
    rows = list(marginal["distribution"].items())[:_LINES]
    lines = "".join(
        f'<tr><td>{n}</td><td><i style="width:{100 * p:.0f}%"></i></td><td>{chance_text(p)}</td></tr>' for n, p in rows
    )
    more = '<div class="tk-more">and more</div>' if len(marginal["distribution"]) > len(rows) else ""
    pop = f'<span class="tk-pop"><b>{name}</b> expected {marginal["expected"]:.2f}<table>{lines}</table>{more}</span>'
    return f'<span class="tk-name">{name}</span>{top}<span class="tk-bars">{bars}</span>{pop}'


class HandsPanel:
    """The heart of the page."""

    def __init__(self, page: TrackPage) -> None:
        self._page = page
        with card("Hands", "tk-hands-card"):
            self._grid = box("tk-hands")
            text("p", HOW, "muted small")
        self._rows: list[_Row] = []
        self._bank: dict[str, Cell] = {}

    def reset(self) -> None:
        """Make a row for each player of another game."""
        game = self._page.followed
        self._grid.clear()
        with self._grid:
            box("tk-corner")
            for resource in Cards._fields:
                text("div", resource, f"tk-head r-{resource}")
            self._rows = [_Row(seat, name, seat == game.observer) for seat, name in enumerate(game.players)]
            with box("tk-who tk-bank"):
                text("span", "Bank", "strong")
            self._bank = {resource: Cell(resource) for resource in Cards._fields}

    def show(self, moment: Moment) -> None:
        """Show the hands of a moment."""
        acting = getattr(moment.event, "player", None)
        for seat, row in enumerate(self._rows):
            row.show(moment.told["players"][seat], seat == acting)
        for resource, cell in self._bank.items():
            cell.show(moment.told["bank"][resource], "the bank")


class _Row:
    """One player."""

    def __init__(self, seat: int, name: str, me: bool) -> None:
        self._name = name
        with box("tk-who") as self._who:
            with box("line nowrap tight"):
                text("span", str(seat + 1), f"seat seat-{seat}")
                text("span", name, "tk-player strong").props["title"] = name
                if me:
                    text("span", "you", "tk-me")
            self._facts = text("div", "", "muted small num")
            self._facts.props["title"] = "Cards of the hand, visible points, hidden development cards"
            with box("tk-known"):
                self._known = text("span", "", "small num")
                with box("bar").props("aria-hidden=true"):
                    self._fill = ui.element("i").style("width:0;background:var(--accent)")
            self._known.props["title"] = "How much of this hand is known: 100% means that only one hand is possible."
            self._pays = text("div", "", "muted small num tk-pays")
            self._pays.props["title"] = "The chance that this hand pays for it."
        self._cells = {resource: Cell(resource) for resource in Cards._fields}

    def show(self, told: Mapping[str, Any], acting: bool) -> None:
        cards = told["cards"]
        size = str(cards["min"]) if cards["min"] == cards["max"] else f"{cards['min']} to {cards['max']}"
        held = told["dev_card_count"]
        bought = f" · {held} hidden" if held else ""
        points = told["visible_points"]
        self._facts.set_text(f"{size} card{'s' * (size != '1')} · {points} point{'s' * (points != 1)}{bought}")
        self._known.set_text(f"{chance_text(told['confidence'])} known")
        self._fill.style(f"width:{100 * told['confidence']:.0f}%")
        pays = [
            f"{name} {chance_text(told['can_afford'][item])}" for item, name in _PURCHASES.items() if told["can_afford"][item]
        ]
        self._pays.set_text("Pays: " + ", ".join(pays) if pays else "Pays for nothing")
        self._who.classes(add="acting") if acting else self._who.classes(remove="acting")
        for resource, cell in self._cells.items():
            cell.show(told["hand"][resource], self._name)
