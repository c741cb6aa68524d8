"""The button that starts an analysis and, while it runs, how far it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.catan.analysis import AnalysisMode
from kibitz.catan.analysis.types import AnalysisConfig
from kibitz.catan.pages.analyse.files import SharePanel
from kibitz.catan.pages.analyses import MOST
from kibitz.web.parts import ProgressBar, box, button, card, text

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
        info = job.info
        if place := self._page.services.jobs.place(job):
            self._say(f"Waiting: number {place} in the queue", 0.0)
        elif info is None:
            self._say("Getting ready; the very first time the rules are compiled ...", 0.0)
        elif info.total in _ENDLESS or self._page.desk.time is not None:
            seconds = self._page.desk.time or self._page.services.options.job_seconds
            self._say(
                f"{info.done:,} {self._unit()}, {_speed(info.speed)}", min(1.0, info.elapsed / seconds), seconds - info.elapsed
            )
        else:
            done = f"{info.done:,} of {info.total:,} {self._unit()}, {_speed(info.speed)}"
            self._say(done, info.done / max(1, info.total), info.eta)

    def _unit(self) -> str:
        return "sequences" if self._page.desk.mode is AnalysisMode.MONTE_CARLO else "games"

    def _say(self, line: str, share: float, left: float | None = None) -> None:
        self._line.set_text(line if left is None else f"{line}, {duration(left)} left")
        self._bar.show(share)


def _speed(speed: float) -> str:
    return f"{speed:,.0f}/s"


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
