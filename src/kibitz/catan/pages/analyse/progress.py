"""The button that starts an analysis, how far it is while it runs, and what leaves the page: links, pictures, files."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from nicegui import ui

from kibitz.catan.analysis import AnalysisMode
from kibitz.catan.analysis.types import AnalysisConfig
from kibitz.catan.pages.analyses import MOST
from kibitz.web.jobs import Job
from kibitz.web.parts import ProgressBar, box, button, card, hint, say, text

if TYPE_CHECKING:
    from kibitz.catan.pages.analyse.page import AnalysePage

#: So much work means: as much as there is time for.
_ENDLESS = (AnalysisConfig.MOST_ITERATIONS, MOST["ismcts_iterations"])


class Progress:
    """The top of the right column."""

    def __init__(self, page: AnalysePage) -> None:
        self._page = page
        with card(classes="run"):
            self._start = button("Analyse", page.start, "play_arrow", "primary big")
            self._running = box("stack")
            with self._running:
                self._line = text("div", "", "num")
                self._bar = ProgressBar()
                button("Cancel", page.cancel, "stop")
            self.share = SharePanel(page)

    def refresh(self) -> None:
        """Show how far it is."""
        self.share.refresh()
        job = self._page.job
        self._start.set_visibility(job is None)
        self._running.set_visibility(job is not None)
        self._start.set_enabled(not self._page.desk.trouble())
        if job is None:
            return
        line, share = self._standing(job)
        self._line.set_text(line)
        self._bar.show(share)

    def _standing(self, job: Job) -> tuple[str, float]:
        """How far a job is, in words and as a share."""
        if place := self._page.services.jobs.place(job):
            return f"Waiting: number {place} in the queue", 0.0
        info, time = job.info, self._page.desk.time
        if info is None:
            return "Getting ready; the very first time the rules are compiled ...", 0.0
        total, share, left = f" of {info.total:,}", info.done / max(1, info.total), info.eta
        if info.total in _ENDLESS or time is not None:
            seconds = time or self._page.services.options.job_seconds
            total, share, left = "", min(1.0, info.elapsed / seconds), seconds - info.elapsed
        unit = "sequences" if self._page.desk.mode is AnalysisMode.MONTE_CARLO else "games"
        until = "" if left is None else f", {duration(left)} left"
        return f"{info.done:,}{total} {unit}, {info.speed:,.0f}/s{until}", share


def duration(seconds: float) -> str:
    """A time for people.

    >>> duration(0.4), duration(75), duration(7300)
    ('1 s', '1 min 15 s', '2 h 1 min')
    """
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


class SharePanel:
    """The line below the button that starts an analysis."""

    def __init__(self, page: AnalysePage) -> None:
        self._page = page
        with box("line tight"):
            self._link = button("Copy link", self._copy, "link", "quiet")
            button("SVG", self._svg, "image", "quiet")
            self._json = button("JSON", self._download, "data_object", "quiet")
        self._play = button("Play from here", self._play_on, "extension", "quiet")
        self._play.props["title"] = "Begin a game against bots on this board, with what stands on it"
        self._saved = hint("")

    def refresh(self) -> None:
        """Say whether the answer is in the library."""
        answer = self._page.answer
        saved = answer is not None and bool(answer.id)
        self._saved.set_text("Saved to the library." if saved else "")
        self._saved.set_visibility(saved)
        for made in (self._play, self._link, self._json):
            made.set_enabled(not self._page.desk.trouble())

    def _play_on(self) -> None:
        ui.navigate.to(f"/play?{urlencode(self._page.desk.query())}")

    def _copy(self) -> None:
        """The position and the settings, not the answer: whoever opens the link can run it."""
        query = urlencode(self._page.desk.query())
        ui.run_javascript(f"kibitz.copy(location.origin + '/analyse?' + {query!r})")
        say("link copied", "positive")

    async def _svg(self) -> None:
        drawing = await asyncio.to_thread(self._page.drawing())
        ui.download.content(drawing, "kibitz-board.svg", "image/svg+xml")

    def _download(self) -> None:
        page = self._page
        data = page.desk.question().to_json() if page.answer is None else page.answer.to_json()
        name = "kibitz-question.json" if page.answer is None else "kibitz-analysis.json"
        ui.download.content(json.dumps(data, indent=2), name, "application/json")
