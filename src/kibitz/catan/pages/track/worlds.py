"""The possible worlds of a moment, folded away until somebody asks: the likeliest, and who can hold the stolen cards."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from nicegui import events, ui

from kibitz.catan.core.events import Cards
from kibitz.catan.tracking.session import Moment
from kibitz.ground.figures import ROUNDING, chance_text, counted, likeliest_text
from kibitz.web.parts import box, table, text

if TYPE_CHECKING:
    from kibitz.catan.pages.track.page import TrackPage

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
        """Show the worlds of the moment, if somebody looks at them and they are others than before."""
        game, moment = self._page.game, self._page.moment
        if not self._open or game is None or moment is None or moment is self._shown:
            return
        found = await asyncio.to_thread(game.worlds, moment.number, MOST)
        if self._page.moment is moment:  # else another moment is shown by now
            self._shown = moment
            self._body.clear()
            with self._body:
                self._worlds(found, game.players)
                self._carriers(found, game.players)

    def _worlds(self, found: Mapping[str, Any], names: Sequence[str]) -> None:
        shown, count = len(found["likeliest"]), found["worlds"]
        which = f"The likeliest {shown} of {count:,} worlds" if shown < count else counted(count, "world")
        resources = ", ".join(Cards._fields)
        text("p", f"{which}: the hands ({resources}), and what the open steals most likely took there.", "muted small")
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
        text("p", about, "muted small")
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
