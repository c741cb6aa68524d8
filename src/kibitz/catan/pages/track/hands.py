"""Who can hold what: a table of hands with the odds of every count, and the likeliest worlds."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from nicegui import events, ui

from kibitz.catan.core.events import Cards
from kibitz.catan.tracking.session import Moment
from kibitz.ground.texts import ROUNDING, chance_text, counted, likeliest_text
from kibitz.web.parts import box, card, emptied, hint, table, text

if TYPE_CHECKING:
    from kibitz.catan.pages.track.page import TrackPage
    from kibitz.catan.pages.track.shown import Host


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

    def show(self, marginal: Marginal, owner: str, some: bool = False) -> None:
        """Show a distribution."""
        if (marginal, some) == self._shown:
            return
        self._shown = marginal, some
        self._html.set_content(cell_html(self._name, marginal, some))
        chances = ", ".join(f"{n}: {chance_text(p)}" for n, p in marginal["distribution"].items())
        self._box.props["aria-label"] = f"{owner}, {self._name}: expected {marginal['expected']:.2f}; {chances}"
        self._box.update()


def shown_number(marginal: Marginal, some: bool = False) -> int:
    """The most likely number, or (`some`) the most likely one that is not none, if there is one."""
    chances = {int(n): p for n, p in marginal["distribution"].items() if not some or n != "0"}
    return max(chances, key=lambda n: (chances[n], -n)) if chances else 0


def cell_html(name: str, marginal: Marginal, some: bool = False) -> str:
    """The most likely number (see `shown_number`), the bars, and the distribution for whoever looks closer.

    >>> sure = {"most_likely": 2, "expected": 2.0, "distribution": {"2": 1.0}, "at_least": [1.0, 1.0, 1.0]}
    >>> cell_html("wood", sure).count("height:100%")
    2
    """
    best = shown_number(marginal, some)
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

    def __init__(self, page: Host) -> None:
        self._page = page
        with card("Hands", "tk-hands-card"):
            self._grid = box("tk-hands")
            hint(HOW)
        self._rows: list[_Row] = []
        self._bank: dict[str, Cell] = {}

    def reset(self) -> None:
        """Make a row for each player of another game."""
        game = self._page.followed
        with emptied(self._grid):
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
        self._pays.set_text("Can buy: " + ", ".join(pays) if pays else "Can't buy anything")
        self._who.classes(add="acting") if acting else self._who.classes(remove="acting")
        likely = sum(marginal["most_likely"] for marginal in told["hand"].values())
        for resource, cell in self._cells.items():  # one card that may be any is not five times none
            cell.show(told["hand"][resource], self._name, some=likely < cards["min"])


#: Worlds that are shown.
MOST = 12


class WorldsPanel:
    """Two tables: whole worlds with the steals that led to them; and for each stolen card who can hold such a one now."""

    def __init__(self, page: TrackPage) -> None:
        self._page = page
        self._open = False
        self._shown: Moment | None = None
        with box("card tk-worlds", "details") as self._box:
            text("summary", "Possible worlds")
            self._body = box("stack")
        self._box.on("toggle", self._toggled, js_handler="(event) => emit(event.target.open)")

    async def _toggled(self, event: events.GenericEventArguments) -> None:
        self._open = bool(event.args)
        await self.refresh()

    async def refresh(self) -> None:
        """Show the worlds of the moment, if somebody looks at them and they have changed."""
        game, moment = self._page.game, self._page.moment
        if not self._open or game is None or moment is None or moment is self._shown:
            return
        found = await asyncio.to_thread(game.worlds, moment.number, MOST)
        if self._page.moment is moment:  # else another moment is shown by now
            self._shown = moment
            with emptied(self._body):
                self._worlds(found, game.players)
                self._carriers(found, game.players)

    def _worlds(self, found: Mapping[str, Any], names: Sequence[str]) -> None:
        shown, count = len(found["likeliest"]), found["worlds"]
        which = f"The likeliest {shown} of {count:,} worlds" if shown < count else counted(count, "world")
        resources = ", ".join(Cards._fields)
        hint(f"{which}: the hands ({resources}), and what the open steals most likely took there.")
        with table(("Chance", *names, "Steals, by their events"), ("Chance",), "tk-likeliest"):
            for world in found["likeliest"]:
                with ui.element("tr"):
                    text("td", chance_text(world["probability"]), "r")
                    for cards in world["hands"]:
                        self._hand(cards)
                    steals = (f"{id[1:]}: {likeliest_text(odds)}" for id, odds in world["steals"].items())
                    text("td", " · ".join(steal.replace(" ", "\N{NO-BREAK SPACE}") for steal in steals), "small")

    def _hand(self, cards: Mapping[str, int]) -> None:
        with ui.element("td"), box("tk-hand").props("role=img") as hand:
            for resource in Cards._fields:
                text("span", str(cards.get(resource, 0)), f"r-{resource}" + " none" * (resource not in cards))
        hand.props["aria-label"] = hand.props["title"] = Cards.of(cards).text()

    def _carriers(self, found: Mapping[str, Any], names: Sequence[str]) -> None:
        if not found["carriers"]:
            return
        about = "Who can hold a card of that kind now, if that is what was stolen (cards of a kind are alike):"
        hint(about)
        with table(("Steal", "Card", "Chance", *names), ("Chance", *names), "tk-carriers"):
            for id, cards in groupby(found["carriers"], lambda card: card["steal"]):
                for number, card in enumerate(cards):
                    theft = f"{names[card['thief']]} from {names[card['victim']]}, event {id[1:]}"
                    with ui.element("tr"):
                        text("td", "" if number else theft)
                        text("td", card["resource"])
                        text("td", chance_text(card["probability"]), "r")
                        for chance in card["holders"]:
                            text("td", chance_text(chance) if chance > ROUNDING else "-", "r")
