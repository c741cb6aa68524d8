"""Where a game that is followed leads: to its review, and to the analysis of its board."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from nicegui import ui

from kibitz.catan.logs import LogError
from kibitz.catan.pages.play.game import REVIEW
from kibitz.catan.pages.review.story import Story, keep
from kibitz.catan.tracking.followed import Followed
from kibitz.web.parts import box, button
from kibitz.web.store import NotSaved

if TYPE_CHECKING:
    from kibitz.catan.pages.track.page import TrackPage


class Ways:
    """The buttons that lead on."""

    def __init__(self, page: TrackPage) -> None:
        self._page = page
        with box("line tight"):
            self._review = button("Review", self._to_review, "show_chart", "quiet")
            self._review.props["title"] = "Everybody's chances, and the moves that cost most"
            self._analyse = button("Analyse the board", self._to_analyse, "insights", "quiet")

    def open(self, game: Followed) -> None:
        """Offer what another game allows: only one that is told whole can be reviewed."""
        self._review.set_visibility(game.imported.board is not None and game.imported.everything is not None)
        self._analyse.set_visibility(game.board is not None)

    async def _to_review(self) -> None:
        """Look back on the same game, from the turn that is shown."""
        game, moment, store = self._page.followed, self._page.moment, self._page.services.store
        turn = moment.told["turn"] if moment else 0

        def kept() -> tuple[str, int]:
            story = Story(game.imported.record())
            return keep(store, story), story.beginning_of(turn)

        self._review.disable()
        try:
            id, step = await asyncio.to_thread(kept)
            ui.navigate.to(f"{REVIEW}{id}&step={step}")
        except (LogError, NotSaved) as error:
            self._page.say(f"this cannot be reviewed: {error}")
        finally:
            self._review.enable()

    def _to_analyse(self) -> None:
        game = self._page.followed
        if game.board is not None:
            ui.navigate.to(f"/analyse?{urlencode({'board': game.board.to_text(), 'seats': len(game.players)})}")
