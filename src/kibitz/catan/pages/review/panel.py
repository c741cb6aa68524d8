"""What a review finds, beside the board: everybody's chances over the turns, how far it is, and the moves that cost most."""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from nicegui import context, events, ui

from kibitz.catan.analysis.review import Review, ReviewConfig, Slip, review
from kibitz.catan.core.actions import Action
from kibitz.catan.pages.analyse.tools import duration
from kibitz.catan.pages.play.pieces import MINUS
from kibitz.catan.pages.play.scene import element_of
from kibitz.catan.pages.review.story import Story
from kibitz.compute.runtime import Runtime
from kibitz.ground.texts import percent
from kibitz.web.jobs import Job, JobState, QueueFull
from kibitz.web.parts import ProgressBar, box, button, card, emptied, hint, say, seat_mark, text
from kibitz.web.services import Services
from kibitz.web.store import NotSaved

if TYPE_CHECKING:
    from kibitz.catan.pages.review.page import ReviewPage

#: What the review of a game is called in the library, after the id of the game.
SUFFIX = ".review"
#: Seconds between two looks at a review that runs.
LOOK = 0.5
#: Legible on light and on dark ground.
_GREY = "#7F8B93"
#: A colour, a dash and a symbol for each seat: those of the board, where they can be seen as a line.
_LOOKS = (("#D55E00", "solid", "circle"), ("#0072B2", "dashed", "rect"), ("#8A949B", "dotted", "triangle"),
          ("#CC79A7", [8, 3, 2, 3], "diamond"))  # fmt: skip


class Reviews:
    """The reviews that run: one for each game, whoever looks at it, and kept in the library when it is complete."""

    def __init__(self, services: Services, config: ReviewConfig = ReviewConfig()) -> None:  # noqa: B008
        self._services, self._config = services, config
        self._jobs: dict[str, Job] = {}
        self._lock = threading.Lock()

    def kept(self, id: str) -> Review | None:
        """A complete review from the library. To be called in a thread."""
        found = self._services.store.load(id + SUFFIX)
        return Review.from_json(found.data["review"]) if found is not None and found.item.kind == "review" else None

    def running(self, id: str) -> Job | None:
        """The review of a game, if one runs or waits."""
        job = self._jobs.get(id)
        return None if job is None or job.over else job

    def start(self, id: str, story: Story, owner: str) -> Job:
        """Review a game, or join those who wait for its review. Raises `QueueFull`."""
        with self._lock:
            if (job := self.running(id)) is not None:
                return job

            def work(runtime: Runtime) -> Review:
                found = review(story.record, self._config, runtime)
                if found.partial is None:
                    data = {"game": id, "review": found.to_json()}
                    with suppress(NotSaved):  # it is shown all the same
                        self._services.store.save("review", f"Review of {story.title}", data, id + SUFFIX, parent=id)
                return found

            job = self._services.jobs.submit("review", work, owner)
            self._jobs = {key: other for key, other in self._jobs.items() if not other.over} | {id: job}
            return job

    def stop(self, id: str) -> None:
        """End a review, with what there is."""
        if (job := self.running(id)) is not None:
            self._services.jobs.cancel(job)


class ReviewPanel:
    """The right column, for one visitor."""

    def __init__(self, page: ReviewPage, story: Story, found: Review | None) -> None:
        """`found` is the review of the game, if it is complete; else one is begun."""
        self._page, self._story, self.review = page, story, found
        self._reviews = page.services.own(Reviews)
        self._client = context.client
        self._job: Job | None = None
        self._seen: tuple[Any, ...] = ()
        self._timer = ui.timer(LOOK, self._look, active=False)
        with card("Chances to win"):
            self._chart = ChancesChart(story.names, page.go)
            self._progress = box("stack")
            with self._progress:
                self._state = text("div", "", "muted small num")
                self._bar = ProgressBar()
                button("Stop", lambda: self._reviews.stop(page.id), "stop")
            self._redo = button("Review again", self._restart, "refresh", "quiet")
        with card("Moves that cost most"):
            self._slips = box("rv-slips")
        if found is None:
            self._start()

    def slip_at(self, step: int) -> Slip | None:
        """The costly move at a position, if there was one."""
        return next((slip for slip in self._found if slip.step == step), None)

    @property
    def _found(self) -> tuple[Slip, ...]:
        return tuple(self.review.slips) if self.review is not None else ()

    def _start(self) -> None:
        """Begin the review in the background, or join one that runs."""
        try:
            self._job = self._reviews.start(self._page.id, self._story, self._client.id)
        except QueueFull as error:
            say(str(error), "negative")
            return
        self._timer.activate()

    async def _restart(self) -> None:
        """Review once more what was stopped."""
        self._start()
        await self._page.show()

    async def _look(self) -> None:
        job = self._job
        if job is None:
            self._timer.deactivate()
            return
        found = so_far(job)
        changed = found is not self.review and found is not None
        self.review = found or self.review
        if job.over:
            self._timer.deactivate()
            self._job = None
            if job.state is JobState.FAILED:
                say(job.error, "negative")
            await self._page.show()
        elif changed:
            self.show()
        else:
            self._show_progress()

    def show(self) -> None:
        """Show what is known by now, and where the page is."""
        step, slips, review = self._page.step, self._found, self.review
        self._chart.show(review, step)
        self._show_progress()
        seen = (slips, step if self.slip_at(step) else -1, self._job is None)
        if self._seen == seen:
            return
        self._seen = seen
        whole = review is not None and review.partial is None
        with emptied(self._slips):
            for slip in slips:
                self._slip(slip)
            if not slips:
                found = "None that cost much." if whole else "The review was stopped: not all moves were judged."
                hint("Moves are judged after the chances." if self._job is not None else found)
            elif review is not None and whole:
                hint(f"Of {review.decisions} decisions. By what each player could know.")

    def _slip(self, slip: Slip) -> None:
        played, better = self._story.words_of(slip)
        with box("rv-slip", "button").props("type=button") as made:
            seat_mark(slip.seat)
            with box("grow"):
                text("div", f"{f'Turn {slip.turn}' if slip.turn else 'Set-up'}: {played}")
                text("div", f"better: {better}", "muted small")
            with box("rv-loss num"):
                text("div", f"{MINUS}{100 * slip.loss.mean:.0f} %", "strong")
                text("div", f"± {100 * slip.loss.margin:.0f}{'' if slip.loss.tells_apart else '?'}", "muted small")
        if slip.step == self._page.step:
            made.props("aria-current=true")
        if place := element_of(Action.from_text(slip.better).code):
            made.props["data-spot"] = place
        made.on("click", partial(self._page.go, slip.step))

    def _show_progress(self) -> None:
        job, review = self._job, self.review
        self._progress.set_visibility(job is not None)
        self._redo.set_visibility(job is None and (review is None or review.partial is not None))
        if job is None:
            return
        info, share = job.info, 0.0
        if place := self._page.services.jobs.place(job):
            said = f"Waiting: number {place} in the queue"
        elif info is None:
            said = "Getting ready ..."
        else:
            share = info.done / max(1, info.total)
            left = "" if info.eta is None else f", {duration(info.eta)} left"
            doing = "Judging moves" if review is not None and review.decisions else "Estimating chances"
            said = f"{doing}: {percent(share, 0)}{left}"
        self._state.set_text(said)
        self._bar.show(share)


class ChancesChart:
    """Everybody's chances over the turns of a game: a line for each seat; a click on a point goes to its turn."""

    def __init__(self, names: Sequence[str], on_step: Callable[[int], Any]) -> None:
        self._names, self._on_step = names, on_step
        self._steps: list[int] = []
        self._chart = ui.echart(self._options([], []), on_point_click=self._clicked).classes("rv-chances")
        self._chart.props["aria-label"] = "Chart: the chances of all players, turn by turn"

    def _options(self, turns: Sequence[int], lines: Sequence[Sequence[float]]) -> dict[str, Any]:
        series = []
        for seat, name in enumerate(self._names):
            colour, dash, symbol = _LOOKS[seat]
            series.append({
                "name": f"{seat + 1} {name}", "type": "line", "symbol": symbol, "symbolSize": 5, "triggerLineEvent": True,
                "lineStyle": {"width": 2.4, "color": colour, "type": dash}, "itemStyle": {"color": colour},
                "data": list(lines[seat]) if lines else [],
            })  # fmt: skip
        return {
            "textStyle": {"fontFamily": "Roboto, system-ui, sans-serif", "color": _GREY}, "animation": False,
            "tooltip": {"trigger": "axis", "order": "valueDesc"},
            "legend": {"top": 0, "textStyle": {"color": _GREY}, "itemWidth": 26},
            "grid": {"left": 4, "right": 14, "top": 54 if len(self._names) > 2 else 34, "bottom": 22, "containLabel": True},
            "xAxis": {"type": "category", "data": list(turns), "name": "turn", "nameLocation": "middle", "nameGap": 24,
                      "axisLabel": {"color": _GREY}, "boundaryGap": False},
            "yAxis": {"type": "value", "min": 0, "max": 100, "axisLabel": {"color": _GREY, "formatter": "{value} %"},
                      "splitLine": {"lineStyle": {"color": _GREY, "opacity": 0.25}}},
            "series": series,
        }  # fmt: skip

    def show(self, review: Review | None, step: int) -> None:
        """Show what is known, and where we are."""
        moments = review.moments if review is not None else ()
        self._steps = [moment.step for moment in moments]
        lines = [[round(100 * moment.chances[seat], 1) for moment in moments] for seat in range(len(self._names))]
        options = self._options([moment.turn for moment in moments], lines)
        if self._steps:
            at = max(0, bisect_right(self._steps, step) - 1)
            options["series"][0]["markLine"] = {
                "symbol": "none", "silent": True, "label": {"show": False}, "data": [{"xAxis": at}],
                "lineStyle": {"color": _GREY, "width": 2, "type": "solid"},
            }  # fmt: skip
        if dict(self._chart.options) != options:
            self._chart.options.clear()
            self._chart.options.update(options)
            self._chart.update()

    def _clicked(self, event: events.EChartPointClickEventArguments) -> Any:
        if 0 <= event.data_index < len(self._steps):
            return self._on_step(self._steps[event.data_index])
        return None


def so_far(job: Job) -> Review | None:
    """What a review has found by now."""
    if job.state is JobState.DONE and isinstance(job.result, Review):
        return job.result
    return job.info.ranking if job.info is not None and isinstance(job.info.ranking, Review) else None
