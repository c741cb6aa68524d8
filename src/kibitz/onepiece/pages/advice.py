"""The kibitzer of the One Piece card game: a search thinks about what the person may do, as far as the person can know."""

from __future__ import annotations

from html import escape

from nicegui import context, events, ui

from kibitz.compute.runtime import Limit, Runtime
from kibitz.onepiece.bots import thinking
from kibitz.onepiece.pages.matches import OnePieceMatch
from kibitz.onepiece.pages.moment import Moment
from kibitz.play.search_bot import AnyDeal
from kibitz.search.ismcts import ActionStatistics, SearchResult
from kibitz.web.games import Session
from kibitz.web.jobs import Job, Jobs, JobState, QueueFull
from kibitz.web.parts import Handler, box, card, text

#: Seconds that the search thinks about a decision, and how many options are shown.
SECONDS, SHOWN = 10.0, 5
ABOUT = "Switch it on for how often each of your options wins."


class AdvicePanel:
    """A card with a switch; while it is off nothing is thought and nothing is shown."""

    def __init__(self, jobs: Jobs, session: Session[OnePieceMatch], on: bool, on_switch: Handler) -> None:
        self._jobs, self._session = jobs, session
        self._job: Job | None = None
        self._moment: Moment | None = None
        self._on_switch = on_switch
        with card(classes="op-advice"):
            with box("line nowrap"):
                text("h2", "Kibitzer", "grow")
                self._switch = ui.switch(value=on, on_change=self._switched)
                self._switch.props('dense aria-label="Kibitzer at your shoulder"')
            self._state = text("p", ABOUT, "muted small num")
            self._list = ui.html("", sanitize=False).classes("op-advised")
        context.client.on_delete(self.stop)

    @property
    def on(self) -> bool:
        """Whether it is asked."""
        return bool(self._switch.value)

    def _switched(self, event: events.ValueChangeEventArguments[bool | None]) -> None:
        self._on_switch()
        if self._moment is not None:
            self.show(self._moment)

    def show(self, moment: Moment) -> None:
        """Think about another moment."""
        self.stop()
        self._moment = moment
        self._list.set_content("")
        if not self.on:
            self._state.set_text(ABOUT)
        elif len(moment.options) < 2:
            self._state.set_text("The game is over." if moment.over else "Nothing to decide now.")
        else:
            self._ask(moment)

    def _ask(self, moment: Moment) -> None:
        session = self._session

        def work(runtime: Runtime) -> SearchResult | None:
            with session.lock:
                match = session.match
                if session.version != moment.version:
                    return None
                view = match.view(match.seat)
            how = thinking(Limit(time=SECONDS))
            return how.search(AnyDeal(match.game, match.seat, view), view, match.seat, moment.version, runtime)

        try:
            self._job = self._jobs.submit("One Piece: kibitzer", work, session.id, Limit(time=SECONDS))
        except QueueFull as error:
            self._state.set_text(str(error))
        else:
            self._state.set_text("getting ready ...")

    def stop(self) -> None:
        """Think no more."""
        if self._job is not None:
            self._jobs.cancel(self._job)
        self._job = None

    def look(self) -> None:
        """Show what it thinks by now."""
        job, moment = self._job, self._moment
        if job is None or moment is None:
            return
        if place := self._jobs.place(job):
            self._state.set_text(f"Waiting: number {place} in the queue")
            return
        if job.over:
            self._job = None
        if job.state is JobState.FAILED:
            self._state.set_text(job.error)
        elif job.state is JobState.DONE and job.result is not None:
            self._show(moment, job.result.actions, job.result.best.action, "")
        elif job.info is not None:
            self._show(moment, job.info.ranking, None, " so far ...")

    def _show(self, moment: Moment, found: tuple[ActionStatistics, ...], best: int | None, still: str) -> None:
        games, seat = sum(one.visits for one in found), moment.me.seat
        self._state.set_text(f"{games:,} games{still}; those that it looks at most come first")
        labels = {option.code: option.label for option in moment.options}
        shown = [one for one in found if one.action in labels]
        shown.sort(key=lambda one: (one.action != best, -one.visits))
        self._list.set_content("".join(_row(labels[one.action], one.values[seat], one.visits) for one in shown[:SHOWN]))


def _row(label: str, value: float, games: int) -> str:
    """One option with the share of games that it wins."""
    return (
        f'<div class="op-advised-row" title="{games:,} games"><span>{escape(label)}</span>'
        f'<b class="num">{100 * value:.0f} %</b>'
        f'<div class="bar" aria-hidden="true"><i style="width:{100 * value:.0f}%;background:var(--accent)"></i></div></div>'
    )
