"""What a search thinks of the options: asked for as a job, followed, and shown."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from nicegui import context, ui

from kibitz.compute.runtime import Info, Runtime
from kibitz.coup.advise import CONFIG, CoupAdvice, advise
from kibitz.coup.belief import InfluenceBelief
from kibitz.coup.core.actions import Action
from kibitz.coup.pages.matches import BUTTONS
from kibitz.coup.pages.pieces import mark
from kibitz.coup.words import Words
from kibitz.game import States
from kibitz.ground.texts import capitalised, chance_text
from kibitz.play.advice import IN_DOUBT
from kibitz.web.jobs import Job, Jobs, JobState, QueueFull
from kibitz.web.parts import ProgressBar, bar, box, button, card, note, table, text

#: How many games the search plays in its mind, for somebody who waits for a move.
QUICK = 20_000
#: What the job of a search is called.
TITLE = "Coup: advice "
#: Seconds between two looks at a running search.
LOOK = 0.2
#: What should be done more rarely than this is not worth a word.
LEAST = 0.005
#: The colour of a bar of chances.
BLUE = "var(--accent)"
#: The colours of what claims nobody, by its first word; what else there is is grey.
PLAIN = {
    "income": "#8CA0AC", "foreign": "#5F8F7C", "coup": "#A0566E", "allow": "#A8A294", "let": "#A8A294", "challenge": "#B8665C"
}  # fmt: skip
GREY = "#7A7F85"


class JobBox:
    """A box in which an answer appears: the work runs as a job, tells how far it is, and may be stopped."""

    def __init__(
        self,
        jobs: Jobs,
        show: Callable[[Any], object],
        told: Callable[[Info], tuple[float, str]],
        doing: str,
        classes: str = "",
    ) -> None:
        """`show` puts the result into the page; `told` is how far the work is, as a share and in words."""
        self._jobs, self._show, self._told, self._doing = jobs, show, told, doing
        self._owner = context.client.id
        self.job: Job | None = None
        self._box = box(f"stack {classes}").props("aria-live=polite")
        self._timer = ui.timer(LOOK, self._look, active=False)
        context.client.on_delete(self._left)

    def submit(self, title: str, work: Callable[[Runtime], Any], heading: str = "", large: bool = False) -> None:
        """Begin; what was asked before is given up. `title` tells one question from another."""
        self.cancel()
        try:
            job = self._jobs.submit(title, work, self._owner, large=large)
        except QueueFull as error:
            self.say(str(error), "bad")
        else:
            self.follow(job, heading)

    def follow(self, job: Job, heading: str = "") -> None:
        """Show the work until it is over."""
        self._jobs.follow(job, self._owner)
        self.job = job
        self._box.clear()
        with self._box, card(heading) if heading else nullcontext():
            self._bar = ProgressBar(self._doing)
            with box("line"):
                self._state = text("span", self._doing, "muted small num")
                box("grow")
                button("Stop", self.stop, classes="quiet")
        self._timer.activate()

    def stop(self) -> None:
        """End the work with what it has."""
        if self.job is not None:
            self._jobs.cancel(self.job)

    def _left(self) -> None:
        """The page is gone; after a refresh another one may have taken the work up."""
        if self.job is not None:
            self._jobs.leave(self.job, self._owner)

    def cancel(self) -> None:
        """Forget the work."""
        self.stop()
        self.job = None
        self._timer.deactivate()

    def say(self, message: str, look: str = "") -> None:
        """Show a sentence instead."""
        self.cancel()
        self._box.clear()
        with self._box:
            if look:
                note(capitalised(message), look)
            else:
                text("p", message, "muted small")

    def _look(self) -> None:
        job = self.job
        if job is None:
            self._timer.deactivate()
        elif job.over:
            self._timer.deactivate()
            self._box.clear()
            if job.state is JobState.DONE:
                with self._box:
                    self._show(job.result)
            elif job.state is JobState.FAILED:
                self.say(job.error, "bad")
        elif place := self._jobs.place(job):
            self._progress(0.0, f"number {place} in the queue")
        elif job.info is not None:
            self._progress(*self._told(job.info))

    def _progress(self, share: float, words: str) -> None:
        self._bar.show(share)
        self._state.set_text(words)


class Adviser(JobBox):
    """A box in which advice appears."""

    def __init__(self, jobs: Jobs, on_advice: Callable[[CoupAdvice], None] = lambda advice: None) -> None:
        self.words: Words | None = None
        self._on_advice = on_advice
        super().__init__(jobs, self._advised, _games, "thinking", "coup-advice")

    def ask(
        self, view: States, belief: InfluenceBelief, words: Words, iterations: int = QUICK, seed: int = 0, about: str = ""
    ) -> None:
        """Begin to search; `about` tells one question from another."""
        self.words = words
        config = replace(CONFIG, iterations=iterations, seed=seed)
        self.submit(TITLE + about, lambda runtime: advise(view, belief, config, runtime=runtime))

    def _advised(self, advice: CoupAdvice) -> None:
        assert self.words is not None
        show_advice(advice, self.words)
        self._on_advice(advice)


def _games(info: Info) -> tuple[float, str]:
    total = max(1, info.total)
    return info.done / total, f"{info.done:,} of {total:,} games"


def show_advice(advice: CoupAdvice, words: Words) -> None:
    """Each option with its chance to win, what the search expects, and the mixed strategy of a solved endgame."""
    if advice.equilibrium is not None:
        _solved(advice, words)
    with table(("", "Option", "You win"), right=("You win",)).classes("coup-options"):
        for number, option in enumerate(advice.options):
            action = Action.from_text(option.action)
            with ui.element("tr").classes("best" if not number else ""):
                text("td", "★" if not number else "", "coup-star").props(
                    'title="what the search advises"' if not number else ""
                )
                with ui.element("td"):
                    with box("line tight"):
                        if action.claim:
                            mark(action.claim)
                        text("span", spoken(words, action), "strong" if not number else "")
                        if option.bluffs:
                            text("span", "a bluff", "coup-bluff")
                    line = list(words.line(option.line))[1:]
                    if line:
                        text("div", "then " + "; ".join(line), "why")
                with ui.element("td").classes("r"):
                    text("div", f"{100 * option.value:.1f} %", "strong").props(f'title="± {100 * option.margin:.1f} %"')
                    bar(option.value, BLUE, *option.interval)
                    text("div", f"{option.visits:,} games", "muted small")
    others = "; others have won more often, but not by more than chance explains" if IN_DOUBT in advice.warnings else ""
    text("p", f"{advice.games:,} games in the mind of a search{advice.early}. ★ is what it advises{others}. The marks on the "
         "bars: 95 % intervals, if the games were independent.", "muted small")  # fmt: skip


def spoken(words: Words, action: Action) -> str:
    """An option in words, with the names of players instead of numbers."""
    return BUTTONS["allow"][1] if action.kind == "allow" else capitalised(words.deed(action))


def _solved(advice: CoupAdvice, words: Words) -> None:
    assert advice.equilibrium is not None
    turns = "this turn" if advice.solved_turns == 1 else f"the next {advice.solved_turns} turns"
    shares = sorted(advice.equilibrium.items(), key=lambda share: -share[1])
    with box("coup-solved stack"):
        text("h3", f"Solved for {turns}")
        actions = [(Action.from_text(text), p) for text, p in shares if p >= LEAST]
        mixed([(spoken(words, action), action.claim, p) for action, p in actions])
        text("p", "So often that no opponent can make use of it, bluffs included (without exchanges).", "muted small")


def mixed(shares: list[tuple[str, str | None, float]]) -> None:
    """A mixed strategy as a bar cut into shares, and in words: what, which character it claims, how often."""
    with box("coup-mixed").props('aria-hidden="true"'):
        for label, claim, p in shares:
            ui.element("i").style(f"width:{100 * p:.1f}%;background:{f'var(--c-{claim})' if claim else _plain(label)}")
    with box("line coup-shares"):
        for label, claim, p in shares:
            with box("line tight nowrap"):
                if claim:
                    mark(claim)
                else:
                    box("coup-plain", "span").style(f"background:{_plain(label)}")
                text("span", label)
                text("span", "always" if p > 1 - LEAST else chance_text(p), "strong num")


def _plain(label: str) -> str:
    return PLAIN.get(label.lower().split()[0].rstrip(","), GREY)
