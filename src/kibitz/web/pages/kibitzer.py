"""The kibitzer at the shoulder: how often each option wins, as far as the person can know, while a search thinks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from nicegui import context, ui

from kibitz.compute.runtime import Limit, Runtime
from kibitz.play.profile import Profile
from kibitz.play.search_bot import thinking_of
from kibitz.play.share import wilson
from kibitz.search.ismcts import ActionStatistics, SearchResult
from kibitz.web.games import Session
from kibitz.web.jobs import Job, Jobs, JobState, QueueFull
from kibitz.web.parts import Handler, bar, box, card, hint, text

#: Seconds that the search thinks about a decision, and how many options are shown.
SECONDS, SHOWN = 10.0, 6
ABOUT = "Switch it on for how often each of your options wins."
ORDER = "Those that it looks at most come first. The marks on the bars: 95 % intervals, if the games were independent."


class Kibitzer:
    """A card with a switch; while it is off nothing is thought and nothing is shown."""

    def __init__(
        self,
        jobs: Jobs,
        session: Session[Any],
        profile: Profile,
        on: bool,
        on_switch: Handler,
        place: Callable[[int], str | None] = lambda code: None,
    ) -> None:
        """`place` is the element of a board that an action is about."""
        self._jobs, self._session, self._profile, self._place = jobs, session, profile, place
        self._job: Job | None = None
        self._on_switch = on_switch
        self._labels: Mapping[int, str] = {}
        self._version, self._nothing = -1, ""
        self._shown: object = None
        with card(classes="k-kibitzer") as self.card:
            with box("line nowrap"):
                text("h2", "Kibitzer", "grow")
                self._switch = ui.switch(value=on, on_change=self._switched)
                self._switch.props('dense aria-label="Kibitzer at your shoulder" aria-keyshortcuts=K')
                text("kbd", "K").props('aria-hidden="true"')
            self._state = text("p", ABOUT, "muted small num")
            self._list = box("k-thoughts")
            self._order = hint("")
        context.client.on_delete(self.stop)

    @property
    def on(self) -> bool:
        """Whether it is asked."""
        return bool(self._switch.value)

    def flip(self) -> None:
        """The other way round."""
        self._switch.set_value(not self._switch.value)

    def show(self, version: int, labels: Mapping[int, str], nothing: str = "Nothing to decide now.") -> None:
        """Think about another moment: about these options, or say that there is `nothing` to think about."""
        if (version, labels, nothing) != (self._version, self._labels, self._nothing):
            self._version, self._labels, self._nothing = version, labels, nothing
            self._think()

    def _switched(self) -> None:
        self._on_switch()
        self._think()

    def _think(self) -> None:
        self.stop()
        self._list.clear()
        self._order.set_text("")
        if not self.on:
            self._state.set_text(ABOUT)
        elif len(self._labels) < 2:
            self._state.set_text(self._nothing)
        else:
            self._ask()

    def _ask(self) -> None:
        session, version, profile = self._session, self._version, self._profile

        def work(runtime: Runtime) -> SearchResult | None:
            how = thinking_of(profile, Limit(time=SECONDS))
            with session.lock:
                match = session.match
                if session.version != version:
                    return None
                seat = match.seat
                deals = how.deals(match.witness.belief, match.view(seat), version)
            return how.search_in(*deals, seat, version, runtime)

        try:
            self._job = self._jobs.submit("kibitzer", work, session.id, Limit(time=SECONDS))
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
        job = self._job
        if job is None:
            return
        if place := self._jobs.place(job):
            self._state.set_text(f"Waiting: number {place} in the queue")
            return
        if job.over:
            self._job = None
        if job.state is JobState.FAILED:
            self._state.set_text(job.error)
        elif job.state is JobState.DONE and job.result is not None:
            self._show(job.result.actions, job.result.best.action, "")
        elif job.info is not None:
            self._show(job.info.ranking, None, " so far ...")

    def _show(self, found: tuple[ActionStatistics, ...], best: int | None, still: str) -> None:
        if found is self._shown:
            return
        self._shown, seat = found, self._session.match.seat
        shown = [one for one in found if one.action in self._labels and one.visits]
        shown.sort(key=lambda one: (one.action != best, -one.visits))
        self._state.set_text(f"{sum(one.visits for one in found):,} games{still}")
        self._order.set_text(ORDER)
        self._list.clear()
        with self._list:
            for one in shown[:SHOWN]:
                value = one.values[seat]
                low, high = wilson(value, one.visits)
                with box("k-thought").props(f'title="{one.visits:,} games, {100 * low:.0f} to {100 * high:.0f} %"') as row:
                    if place := self._place(one.action):
                        row.props(f"data-spot={place} tabindex=0")
                    text("span", f"{'★ ' if one.action == best else ''}{self._labels[one.action]}")
                    text("b", f"{100 * value:.0f} %", "num")
                    bar(value, "var(--accent)", low, high)
