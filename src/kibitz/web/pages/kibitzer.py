"""The kibitzer at the shoulder of a player: how often each option wins, in words and figures, while a search thinks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from nicegui import context, ui

from kibitz.compute.runtime import Limit, Runtime
from kibitz.game import States, game_of
from kibitz.game.nets import NoNetwork
from kibitz.ground.intervals import Z, wilson
from kibitz.ground.texts import chance_text
from kibitz.play.profile import Profile
from kibitz.play.search_bot import thinking_of
from kibitz.search.ismcts import ActionStatistics, SearchConfig, SearchResult
from kibitz.web.compiling import COMPILING, compiling
from kibitz.web.games import Session
from kibitz.web.jobs import Job, Jobs, JobState, QueueFull
from kibitz.web.parts import Handler, bar, box, card, emptied, hint, text

#: Seconds that the search thinks about a decision, and how many options are shown.
SECONDS, SHOWN = 10.0, 6
#: A chance below this, or above what is left of 1, is as good as none, or as certain.
HARDLY = 0.005
ABOUT = "Switch it on to see how often each of your options wins."
ORDER = "Best move first. The marks on the bars: 95 % intervals, if the games were independent."
#: The same where games are not played to their ends.
JUDGED = (
    "Best move first. Chances are what the evaluator says on average, about a turn later; the marks on the bars are 95 %"
    " intervals of that average, and the evaluator itself may be a few points off."
)
LESS = "Explored less, since others looked better:"
LOST = "As good as lost: whatever you do, you win less than 1 time in 200."
WON = "As good as won: whatever you do, you win more than 199 times in 200."
ALIKE = "It hardly matters which: they are all about equally good."


@dataclass(frozen=True)
class Thought:
    """What the kibitzer thinks of one option."""

    action: int
    words: str
    chance: float
    """Of winning, from 0 to 1, with its interval."""
    low: float
    high: float
    tries: int
    best: bool
    """Whether it is what the kibitzer would do."""
    compared: bool
    """Whether it was compared to the end; others were given up before."""


def thoughts_of(
    found: Sequence[ActionStatistics], best: int | None, seat: int, labels: Mapping[int, str], judged: bool
) -> list[Thought]:
    """The options that have a name, in order: the best, the others by their chances, then those that were looked at less.

    Where the search has not decided yet (`best` is None), the first is what leads.
    """
    tried = [one for one in found if one.action in labels and one.visits]
    most = max((one.visits for one in tried), default=0)
    thoughts = []
    for one in tried:
        value, error = one.values[seat], Z * one.errors[seat]
        low, high = (max(0.0, value - error), min(1.0, value + error)) if judged else wilson(value, one.visits)
        chosen, compared = one.action == best, 2 * one.visits > most
        thoughts.append(Thought(one.action, labels[one.action], value, low, high, one.visits, chosen, compared or chosen))
    return sorted(thoughts, key=lambda one: (not one.best, not one.compared, -one.chance, one.action))


def in_words(thoughts: Sequence[Thought]) -> str:
    """What the figures alone would not tell: that all is lost, or won, or that it does not matter; else nothing."""
    if len(thoughts) < 2:
        return ""
    lowest, highest = min(one.chance for one in thoughts), max(one.chance for one in thoughts)
    if highest < HARDLY:
        return LOST
    if lowest > 1 - HARDLY:
        return WON
    return ALIKE if highest - lowest < HARDLY else ""


class Moment(Protocol):
    """What the kibitzer must know of a moment."""

    @property
    def version(self) -> int:
        """A number that no other moment has."""

    @property
    def over(self) -> bool:
        """Whether the game is over."""


class Kibitzer:
    """How often each option wins, as far as the person can know, while a search thinks.

    A card with a switch; while it is off nothing is thought and nothing is shown.
    """

    def __init__(
        self,
        jobs: Jobs,
        session: Session[Any],
        profile: Profile,
        on: bool,
        on_switch: Handler,
        place: Callable[[int], str | None] = lambda code: None,
        on_thoughts: Callable[[Sequence[Thought]], None] = lambda thoughts: None,
    ) -> None:
        """`place` is the element of a board that an action is about; `on_thoughts` hears whenever something else is thought."""
        self._jobs, self._session, self._profile, self._place = jobs, session, profile, place
        self._job: Job | None = None
        self._on_switch, self._on_thoughts = on_switch, on_thoughts
        self._labels: Mapping[int, str] = {}
        self._version, self._over = -1, False
        self._judging = False  # by the evaluator, not by whole games
        self._shown: object = None
        with card(classes="k-kibitzer") as self.card:
            with box("line nowrap"):
                text("h2", "Kibitzer", "grow")
                self._switch = ui.switch(value=on, on_change=self._switched)
                self._switch.props('dense aria-label="Kibitzer at your shoulder" aria-keyshortcuts=K')
                text("kbd", "K").props('aria-hidden="true"')
            self._state = text("p", ABOUT, "muted small num")
            self._words = text("p", "", "strong small").props("role=status aria-live=polite")
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

    def show(self, moment: Moment, labels: Mapping[int, str]) -> None:
        """Think about another moment, if there are options to think about."""
        if (moment.version, labels) != (self._version, self._labels):
            self._version, self._labels, self._over = moment.version, labels, moment.over
            self._think()

    def _switched(self) -> None:
        self._on_switch()
        self._think()

    def _think(self) -> None:
        self.stop()
        self._list.clear()
        self._words.set_text("")
        self._order.set_text("")
        self._on_thoughts(())
        if not self.on:
            self._state.set_text(ABOUT)
        elif len(self._labels) < 2:
            self._state.set_text("The game is over." if self._over else "Nothing to decide now.")
        else:
            self._ask()

    def _ask(self) -> None:
        session, version, profile = self._session, self._version, self._profile

        def work(runtime: Runtime) -> SearchResult | None:
            with session.lock:
                match = session.match
                if session.version != version:
                    return None
                seat, view = match.seat, match.view(match.seat)
                how = thinking_of(profile, Limit(time=SECONDS)).fitting(view)
                self._judging = _is_judged(how.config, view)
                deals = how.deals(match.witness.belief, view, version)
            return how.search_in(*deals, seat, version, runtime)

        try:
            self._job = self._jobs.submit("kibitzer", work, session.id, Limit(time=SECONDS))
        except QueueFull as error:
            self._state.set_text(str(error))
        else:
            self._state.set_text("Getting ready…")

    def stop(self) -> None:
        """Stop thinking."""
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
            self._show(job.info.ranking, None, " so far…")
        elif compiling():
            self._state.set_text(COMPILING)

    def _show(self, found: tuple[ActionStatistics, ...], best: int | None, still: str) -> None:
        if found is self._shown:
            return
        self._shown, seat = found, self._session.match.seat
        thoughts = thoughts_of(found, best, seat, self._labels, self._judging)
        unit = "tries" if self._judging else "games"
        self._state.set_text(f"{sum(one.visits for one in found):,} {unit}{still}")
        self._order.set_text(JUDGED if self._judging else ORDER)
        self._words.set_text("" if still else in_words(thoughts))
        with emptied(self._list):
            for number, one in enumerate(thoughts[:SHOWN]):
                if number and thoughts[number - 1].compared and not one.compared:
                    text("p", LESS, "muted small")
                self._row(one, unit)
        self._on_thoughts(thoughts)

    def _row(self, one: Thought, unit: str) -> None:
        with box("k-thought" if one.compared else "k-thought less") as row:
            row.props["title"] = f"{one.tries:,} {unit}, {100 * one.low:.0f} to {100 * one.high:.0f} %"
            if place := self._place(one.action):
                row.props(f"data-spot={place} tabindex=0")
            text("span", f"{'★ ' if one.best else ''}{one.words}")
            text("b", chance_text(one.chance), "num")
            bar(one.chance, "var(--accent)", one.low, one.high)


def _is_judged(config: SearchConfig, view: States) -> bool:
    """Whether a search asks an evaluator instead of playing games to their ends: where there is one for these rules."""
    school = game_of(view).school
    if config.horizon is None or school is None:
        return False
    try:
        school.check_served(view, config.book)
    except NoNetwork:
        return False
    return True
