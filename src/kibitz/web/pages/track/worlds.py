"""The possible worlds of a moment, folded away until somebody asks: the likeliest, and who can hold the stolen cards."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from nicegui import events, ui

from kibitz.catan.events import Cards
from kibitz.figures import ROUNDING, chance_text, counted
from kibitz.web.followed import Moment
from kibitz.web.parts import box, table, text

if TYPE_CHECKING:
    from kibitz.web.pages.track.page import TrackPage

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
                self._carriers(found, moment, game.players)

    def _worlds(self, found: Mapping[str, Any], names: tuple[str, ...]) -> None:
        shown, count = len(found["likeliest"]), found["worlds"]
        which = f"The likeliest {shown} of {count:,} worlds" if shown < count else counted(count, "world")
        text("p", f"{which}: all hands, and which card each open steal took there.", "muted small")
        with table(("Chance", *names, "Steals"), ("Chance",), "tk-likeliest"):
            for world in found["likeliest"]:
                with ui.element("tr"):
                    text("td", chance_text(world["probability"]), "r")
                    for cards in world["hands"]:
                        self._hand(cards)
                    with ui.element("td"):
                        for id, odds in world["steals"].items():
                            text("div", f"event {id[1:]}: {_told(odds)}", "small")

    def _hand(self, cards: Mapping[str, int]) -> None:
        with ui.element("td"), box("tk-hand").props("role=img") as hand:
            for resource, n in cards.items():
                text("span", str(n), f"r-{resource}").props["title"] = f"{n} {resource}"
        hand.props["aria-label"] = Cards.of(cards).text()

    def _carriers(self, found: Mapping[str, Any], moment: Moment, names: tuple[str, ...]) -> None:
        if not found["carriers"]:
            return
        steals = {steal["id"]: steal for steal in moment.told["steals"]}
        text(
            "p", "Who can hold a card of that kind now, if that is what was stolen (cards of a kind are alike):", "muted small"
        )
        with table(("Steal", "Card", "Chance", *names), ("Chance", *names), "tk-carriers"):
            for card in found["carriers"]:
                steal = steals[card["steal"]]
                with ui.element("tr"):
                    text("td", f"{names[steal['thief']]} from {names[steal['victim']]}, event {steal['event'] + 1}")
                    text("td", card["resource"])
                    text("td", chance_text(card["probability"]), "r")
                    for chance in card["holders"]:
                        text("td", chance_text(chance) if chance > ROUNDING else "-", "r")


def _told(odds: Mapping[str, float]) -> str:
    """What a steal took, with the chances where several cards are possible.

    >>> _told({"wood": 0.75, "ore": 0.25}), _told({"ore": 1.0})
    ('wood 75 %, ore 25 %', 'ore')
    """
    return next(iter(odds)) if len(odds) == 1 else ", ".join(f"{resource} {chance_text(p)}" for resource, p in odds.items())
