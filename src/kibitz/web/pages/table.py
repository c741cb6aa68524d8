"""What the pages of running games share: following a session, deciding by click and key, the log, the kibitzer, the end."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from nicegui import context, events, ui
from nicegui.elements.mixins.text_element import TextElement

from kibitz.compute.runtime import Limit, Runtime
from kibitz.game import States, game_of
from kibitz.game.definition import Told
from kibitz.game.nets import NoNetwork
from kibitz.ground.intervals import Z, wilson
from kibitz.play.profile import Profile
from kibitz.play.search_bot import thinking_of
from kibitz.search.ismcts import ActionStatistics, SearchConfig, SearchResult
from kibitz.web.games import NotNow, Session
from kibitz.web.jobs import Job, Jobs, JobState, QueueFull
from kibitz.web.layout import note_address
from kibitz.web.pages.newgame import Again
from kibitz.web.parts import Handler, bar, box, button, card, emptied, hint, say, seat_mark, text
from kibitz.web.services import Services

#: Seconds between two looks at the game.
LOOK = 0.2
#: Lines of the log that are shown.
LINES = 200
#: The keys that mean the same at every table.
KIBITZ, TAKE_BACK = "k", "u"
#: Seconds that the search thinks about a decision, and how many options are shown.
SECONDS, SHOWN = 10.0, 6
ABOUT = "Switch it on to see how often each of your options wins."
ORDER = "Those it looks at most come first. The marks on the bars: 95 % intervals, if the games were independent."
#: The same where games are not played to their ends.
JUDGED = (
    "Those it looks at most come first. Chances are what the evaluator says on average, about a turn later; the marks on the"
    " bars are 95 % intervals of that average, and the evaluator itself may be some points off."
)


@dataclass(frozen=True, kw_only=True)
class TableMoment:
    """What every page of a game shows; nothing that the person cannot know is in it until the end."""

    version: int
    turn: int
    log: tuple[Told, ...]
    over: bool
    result: str
    """How it ended."""
    can_take_back: bool = False


M = TypeVar("M", bound=TableMoment)


class TableView(ABC, Generic[M]):
    """A game as one visitor sees it. A page builds its parts before it calls this constructor, and shows moments."""

    kibitzer: Kibitzer | None = None

    def __init__(
        self,
        services: Services,
        session: Session[Any],
        again: Again,
        all_of_it: ui.element,
        question: TextElement,
        look: Callable[[], M],
    ) -> None:
        """`question` is where it is said why a game does not go on; `look` is called in a thread, since it takes a moment."""
        self.services, self.session = services, session
        self._question, self._now = question, look
        self.moment: M | None = None
        self._again, self._all = again, all_of_it
        self._client = context.client
        self._playing = False
        self._typed = ""
        self._timer = ui.timer(LOOK, self._look)
        ui.keyboard(on_key=self._key, ignore=["input", "select", "textarea"], repeating=False)
        self.note_address()

    # --- what a page says ------------------------------------------------------------------------------------------

    @abstractmethod
    def show(self, moment: M) -> None:
        """Show a moment."""

    @abstractmethod
    def keys(self) -> Mapping[str, int]:
        """The keys of what may be done now; a key may be several letters, typed one after another."""

    def address(self) -> dict[str, str]:
        """What the address says besides the game: whether the kibitzer is on."""
        return {"kibitz": "1"} if self.kibitzer and self.kibitzer.on else {}

    def idle(self) -> None:
        """Nothing has changed since the last look, but perhaps what the kibitzer thinks."""
        if self.kibitzer:
            self.kibitzer.look()

    def leave_moment(self) -> None:
        """The person has decided: thoughts about this moment are of no use now."""
        if self.kibitzer:
            self.kibitzer.stop()

    async def pressed(self, key: str) -> None:
        """A key that decides nothing."""
        if key == TAKE_BACK and self.moment and self.moment.can_take_back:
            await self.take_back()
        elif key == KIBITZ and self.kibitzer:
            self.kibitzer.flip()

    # --- following the game ----------------------------------------------------------------------------------------

    def note_address(self) -> None:
        """Let the address lead back here."""
        note_address(self._client, {"game": self.session.id, **self.address()})

    async def _look(self) -> None:
        if self._playing:  # what comes of it is shown then, and not before the next decision is heeded
            return
        if self.moment is None or self.session.version != self.moment.version:
            await self.refresh()
        elif self.session.trouble and not self.moment.over:
            self._timer.deactivate()
            self._question.set_text(self.session.trouble)
        else:
            self.idle()

    async def refresh(self, anew: bool = False) -> None:
        """Show the game as it is now; with `anew` even if nothing has happened in it."""
        moment = await asyncio.to_thread(self._now)
        if self._all.is_deleted:  # the visitor has gone on meanwhile
            return
        if self.moment is None or moment.version > self.moment.version or (anew and moment.version == self.moment.version):
            self.moment = moment
            self.show(moment)

    # --- what the person does --------------------------------------------------------------------------------------

    async def play(self, *codes: int) -> None:
        """Do something, in one step or several."""
        if codes:
            await self._decide(lambda version: self.session.play(codes, version))

    async def take_back(self) -> None:
        """Undo the last decision, if nothing was revealed since."""
        await self._decide(self.session.take_back)

    async def _decide(self, act: Callable[[int], None]) -> None:
        """Do something once, however often it is clicked, or say why it can no longer be done."""
        if self._playing or self.moment is None:
            return
        self._playing = True
        self.leave_moment()
        try:
            await asyncio.to_thread(act, self.moment.version)
        except NotNow as error:
            with self._all:
                say(str(error), "negative")
        finally:
            self._playing = False
        await self.refresh()

    async def _key(self, event: events.KeyEventArguments) -> None:
        key, held = str(event.key).lower(), event.modifiers
        if not event.action.keydown or held.ctrl or held.alt or held.meta or self.moment is None:
            return
        known = self.keys()
        typed = next((seen for seen in (self._typed + key, key) if any(one.startswith(seen) for one in known)), "")
        self._typed = "" if typed in known else typed
        if typed in known:
            await self.play(known[typed])
        elif not typed:
            await self.pressed(key)

    # --- the end ---------------------------------------------------------------------------------------------------

    def end_buttons(self) -> None:
        """What can be done when a game is over."""
        button("Play again", self._play_again, "replay", "primary")
        button("Another table", partial(self._again, None, 1.0), "tune")
        button("Download the record", self._download, "download")

    async def _play_again(self) -> None:
        """Another game with the same setup, and the next seed."""
        setup = dict(self.session.setup)
        await self._again({**setup, "seed": int(setup["seed"]) + 1}, self.session.pace)

    async def _download(self) -> None:
        """The game as a file."""
        session = self.session
        lines = await asyncio.to_thread(session.kind.record, session.setup, session.moves)
        ui.download.content(lines, f"{session.kind.name}-{session.id}.jsonl", "application/x-ndjson")


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
    ) -> None:
        """`place` is the element of a board that an action is about."""
        self._jobs, self._session, self._profile, self._place = jobs, session, profile, place
        self._job: Job | None = None
        self._on_switch = on_switch
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

    def show(self, moment: TableMoment, labels: Mapping[int, str]) -> None:
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
        self._order.set_text("")
        if not self.on:
            self._state.set_text(ABOUT)
        elif len(self._labels) < 2:
            self._state.set_text("The game is over." if self._over else "Nothing to decide now.")
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
                seat, view = match.seat, match.view(match.seat)
                self._judging = _is_judged(how.config, view)
                deals = how.deals(match.witness.belief, view, version)
            return how.search_in(*deals, seat, version, runtime)

        try:
            self._job = self._jobs.submit("kibitzer", work, session.id, Limit(time=SECONDS))
        except QueueFull as error:
            self._state.set_text(str(error))
        else:
            self._state.set_text("getting ready ...")

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
            self._show(job.info.ranking, None, " so far ...")

    def _show(self, found: tuple[ActionStatistics, ...], best: int | None, still: str) -> None:
        if found is self._shown:
            return
        self._shown, seat = found, self._session.match.seat
        shown = [one for one in found if one.action in self._labels and one.visits]
        shown.sort(key=lambda one: (one.action != best, -one.visits))
        unit = "tries" if self._judging else "games"
        self._state.set_text(f"{sum(one.visits for one in found):,} {unit}{still}")
        self._order.set_text(JUDGED if self._judging else ORDER)
        with emptied(self._list):
            for one in shown[:SHOWN]:
                value = one.values[seat]
                low, high = wilson(value, one.visits)
                if self._judging:
                    low, high = max(0.0, value - Z * one.errors[seat]), min(1.0, value + Z * one.errors[seat])
                with box("k-thought").props(f'title="{one.visits:,} {unit}, {100 * low:.0f} to {100 * high:.0f} %"') as row:
                    if place := self._place(one.action):
                        row.props(f"data-spot={place} tabindex=0")
                    text("span", f"{'★ ' if one.action == best else ''}{self._labels[one.action]}")
                    text("b", f"{100 * value:.0f} %", "num")
                    bar(value, "var(--accent)", low, high)


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


class LogLines:
    """What happened, in sentences, the last one in sight; older ones are in the record."""

    def __init__(self, opening: str) -> None:
        """`opening` is what comes before the first turn; nothing in a game that counts no turns."""
        self._opening = opening
        self._shown: tuple[Told, ...] = ()
        self._rows: dict[int, ui.element] = {}
        with box("k-log").props('role=log tabindex=0 aria-label="What happened"'):
            self._lines = box("k-lines")

    def show(self, log: Sequence[Told]) -> None:
        """Add what is new, and take away what was taken back."""
        both = zip(self._shown, log, strict=False)
        same = next((n for n, (shown, told) in enumerate(both) if shown != told), min(len(self._shown), len(log)))
        first = max(0, len(log) - LINES)
        for number in [n for n in self._rows if not first <= n < same]:
            self._rows.pop(number).delete()
        with self._lines:
            for number in range(max(first, same), len(log)):
                self._rows[number] = self._line(log[number - 1] if number > first else None, log[number])
        self._shown = tuple(log)

    def _line(self, before: Told | None, told: Told) -> ui.element:
        with box("k-line") as row:
            turn = f"Turn {told.turn}" if told.turn else self._opening
            if turn and (before is None or before.turn != told.turn):
                text("div", turn, "k-turn muted small")
            with box("k-said"):
                if told.seat >= 0:
                    seat_mark(told.seat).props('aria-hidden="true"')
                else:
                    box("seat nobody", "span")
                text("span", told.text)
        return row
