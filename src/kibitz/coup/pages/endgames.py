"""Solved endgames: the question, the value with its bounds, and what to do with which cards how often."""

from __future__ import annotations

from functools import partial
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from nicegui import context, events, ui

from kibitz.coup.core.actions import Action
from kibitz.coup.core.state import CHARACTERS, COPIES
from kibitz.coup.core.svg import SHORT
from kibitz.coup.endgames.strategy import SELDOM, Decision, act, question
from kibitz.coup.pages.advice import LOOK, ProgressLine, mixed
from kibitz.coup.pages.pieces import mark, seat_disc
from kibitz.coup.pages.solving import MOST_TURNS, Ask, Solved, solve
from kibitz.coup.words import title
from kibitz.ground.messages import Mistake
from kibitz.web.jobs import Job, JobState, QueueFull
from kibitz.web.parts import box, button, card, note, say, text
from kibitz.web.services import Services

#: The names of the two.
NAMES = ("Player 1", "Player 2")
HOW = (
    "Two players are left, with hidden cards from what is not revealed; player 1 moves first. A win counts +1, a loss -1, a "
    "draw after the last turn 0. The answer is an equilibrium: whoever plays by it cannot be exploited. Both bounds are proven."
)
HINT = "Choose an endgame and press Solve. Small ones take a second, and what was solved is kept."
#: What the job of a solution is called.
TITLE = "Coup endgame: "
#: How far the strategies are shown.
DEPTHS = {1: "the first decision", 2: "two decisions deep", 3: "three deep", 4: "four deep"}
#: So many moments of a game are shown at most.
MOST_SHOWN = 60


class EndgamePage:
    """One visitor's page."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._client = context.client
        self.ask = Ask()
        self.job: Job | None = None
        with box("coup-ask endgames"):
            with box("stack"):
                with card("The endgame"):
                    self._form = box("stack")
                    self._button = button("Solve", self.start, "calculate", "primary big")
                with card("How to read it"):
                    text("p", HOW, "small muted")
            with box("stack"):
                self._progress = box("stack")
                self._answer = box("stack").props("aria-live=polite")
        self._timer = ui.timer(LOOK, self._look, active=False)
        self._client.on_delete(self._left)

    async def begin(self, query: dict[str, str]) -> None:
        """Take up the question in the address; one that was asked is asked again."""
        problem = ""
        try:
            self.ask = Ask.from_query(query)
        except ValueError as error:
            problem = f"This link cannot be read: {error}"
        self._show_form()
        with self._answer:
            if problem:
                note(problem, "bad")
            else:
                text("p", HINT, "muted")
        if "job" not in query or problem:
            return
        asked, job = question(self.ask.endgame()), self._services.jobs.get(query["job"])
        if job is not None and job.title == TITLE + asked:
            self._follow(job, asked)
        else:
            self.start()  # the server was started anew, or the link comes from elsewhere; what was solved is kept in a file

    # --- the question ---------------------------------------------------------------------------------------------------

    def _show_form(self) -> None:
        ask = self.ask
        self._form.clear()
        with self._form:
            for seat, name in enumerate(NAMES):
                with box("line coup-side-line"):
                    seat_disc(seat)
                    text("span", name, "strong k-label")
                    self._stepper(f"{name}: coins", ask.coins[seat], 0, 12, partial(ask.with_coins, seat), "coins")
                    self._stepper(f"{name}: cards", ask.influence[seat], 1, 2, partial(ask.with_influence, seat), "cards")
            with box("line"):
                text("span", "A draw after", "muted small k-label")
                self._stepper("turns", ask.turns, 1, MOST_TURNS, ask.with_turns, "turns")
            text("span", "Revealed cards, out of play", "muted small")
            with box("coup-revealed"):
                for character in CHARACTERS:
                    with box("line tight nowrap"):
                        mark(character.value)
                        n = ask.revealed.count(character.value)
                        change = partial(ask.with_revealed, character.value)
                        self._stepper(f"{title(character)} revealed", n, 0, COPIES, change)
            switch = ui.switch("The Ambassador exchanges", value=ask.exchange, on_change=self._exchange).props("dense")
            with switch:
                ui.tooltip("A far larger tree. The Ambassador blocks theft in any case.").props("delay=250")

    def _stepper(self, name: str, value: int, low: int, high: int, change: Any, unit: str = "") -> None:
        with box("line tight nowrap coup-stepper").props(f'role=group aria-label="{name}"'):
            for label, to, said in (("\N{MINUS SIGN}", value - 1, "less"), (None, value, ""), ("+", value + 1, "more")):
                if label is None:
                    text("span", str(value), "num strong coup-count")
                    continue
                made = button(label, partial(self._set, change, to), classes="coup-mini")
                made.props["aria-label"] = f"{name}: {said}"
                made.set_enabled(low <= to <= high)
            if unit:
                text("span", unit, "muted small")

    def _set(self, change: Any, to: int) -> None:
        try:
            self.ask = change(to)
        except ValueError as error:
            say(str(error), "negative")
        self._changed()

    def _exchange(self, event: events.ValueChangeEventArguments[Any]) -> None:
        self.ask = self.ask.with_exchange(bool(event.value))
        self._changed()

    def _changed(self) -> None:
        """Another question: the answer to the old one is put away."""
        self.stop()
        self.job = None
        self._progress.clear()
        self._answer.clear()
        with self._answer:
            text("p", HINT, "muted")
        self._show_form()
        self._note_address()

    def _note_address(self) -> None:
        if self._client.has_socket_connection:
            query = self.ask.query() | ({"job": self.job.id} if self.job else {})
            self._client.run_javascript(f"kibitz.address({urlencode(query)!r})")

    # --- the answer -----------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Solve it in the background."""
        self.stop()
        try:
            endgame = self.ask.endgame()
            work = partial(solve, endgame, self._services.options.data)
            job = self._services.jobs.submit(TITLE + question(endgame), work, self._client.id, large=True)
        except (Mistake, QueueFull) as error:
            self._fail(str(error))
            return
        self._follow(job, question(endgame))

    def _follow(self, job: Job, asked: str) -> None:
        """Show the work until it is over."""
        self._services.jobs.follow(job, self._client.id)
        self.job = job
        self._answer.clear()
        self._progress.clear()
        with self._progress, card(asked[0].upper() + asked[1:]):
            self._line = ProgressLine("counting the nodes", self.stop)
        self._timer.activate()
        self._note_address()

    def stop(self) -> None:
        """End with what is proven by then."""
        if self.job is not None:
            self._services.jobs.cancel(self.job)

    def _left(self) -> None:
        """The page is gone; after a refresh another one may have taken the work up."""
        if self.job is not None:
            self._services.jobs.leave(self.job, self._client.id)

    def _fail(self, message: str) -> None:
        self._progress.clear()
        self._answer.clear()
        with self._answer:
            note(message[0].upper() + message[1:], "bad")

    def _look(self) -> None:
        job = self.job
        if job is None:
            self._timer.deactivate()
        elif job.over:
            self._timer.deactivate()
            self._progress.clear()
            if job.state is JobState.DONE:
                self._answer.clear()
                with self._answer:
                    Answer(job.result)
            elif job.state is JobState.FAILED:
                self._fail(job.error)
        elif place := self._services.jobs.place(job):
            self._line.show(0.0, f"number {place} in the queue")
        elif job.info is not None and job.info.ranking:
            self._line.show(job.info.ranking.progress, job.info.ranking.words)


class Answer:
    """A solved endgame in a page."""

    def __init__(self, solved: Solved) -> None:
        self._solved = solved
        self._depth = 2
        self._value()
        with card("Worth by cards"):
            self._deals()
        with card("What to do"):
            with box("line"):
                text("span", "Shown", "muted small")
                ui.select(DEPTHS, value=self._depth, on_change=self._deeper).props("outlined dense options-dense")
            self._decisions = box("stack")
        self._show_decisions()

    def _value(self) -> None:
        found = self._solved.solved
        exact = found.fraction
        with card("The value for player 1"):
            with box("coup-worth"):
                shown = found.value if exact is None else float(exact)
                text("span", str(exact) if exact is not None else f"{shown:+.4f}", "coup-big num")
                won = f"player 1 wins {100 * (1 + shown) / 2:.1f} % if a draw is half a win"
                text("span", f"{shown + 0.0:+.6f}; {won}", "muted")
            with box("coup-scale").props('aria-hidden="true"'):
                ui.element("i").style(f"left:{50 * (1 + shown):.2f}%")
            with box("line coup-ends").props('aria-hidden="true"'):
                text("span", "\N{MINUS SIGN}1: player 2 wins", "muted small")
                box("grow")
                text("span", "+1: player 1 wins", "muted small")
            text("p", f"Proven: between {found.low + 0.0:+.7f} and {found.high + 0.0:+.7f}. {found.nodes:,} nodes, "
                 f"{found.sets:,} information sets, {found.iterations:,} iterations"
                 f"{'; solved before' if found.stored else ''}.", "muted small num")  # fmt: skip
            if found.stopped:
                note("Stopped early: the strategies are not the best yet, and the bounds lie apart.", "warn")

    def _deals(self) -> None:
        deals = self._solved.deals
        if not deals:
            text("p", "With two cards in a hand there are too many deals for a table.", "muted small")
            return
        mine = list(dict.fromkeys(pair[0] for pair in deals))
        theirs = list(dict.fromkeys(pair[1] for pair in deals))
        with box("scroll-x"), box("coup-deals", "table"):
            with ui.element("thead"), ui.element("tr"):
                text("th", "holds ╲ against")
                for other in theirs:
                    with ui.element("th"):
                        mark(other)
                        text("div", SHORT[other], "small")
            with ui.element("tbody"):
                for own in mine:
                    with ui.element("tr"):
                        with ui.element("th"), box("line tight nowrap"):
                            mark(own)
                            text("span", title(own))
                        for other in theirs:
                            self._deal(deals.get((own, other)))
        text(
            "p", "What the two strategies give player 1 with the card of the row against the card of the column.", "muted small"
        )

    def _deal(self, value: float | None) -> None:
        if value is None:
            text("td", "", "r")
            return
        tint = "var(--accent)" if value >= 0 else "var(--focus)"
        cell = text("td", f"{round(value, 2) + 0.0:+.2f}", "num r")
        cell.style(f"background:color-mix(in srgb, {tint} {abs(value) * 42:.0f}%, transparent)")

    def _deeper(self, event: events.ValueChangeEventArguments[Any]) -> None:
        self._depth = int(event.value)
        self._show_decisions()

    def _show_decisions(self) -> None:
        found = [one for one in self._solved.decisions if one.depth <= self._depth]
        self._decisions.clear()
        with self._decisions:
            groups = [list(group) for _, group in groupby(found, key=lambda one: (one.decision.history, one.decision.seat))]
            for number, group in enumerate(groups[:MOST_SHOWN]):
                self._group(number, [one.decision for one in group])
            if len(groups) > MOST_SHOWN:
                text(
                    "p", f"and {len(groups) - MOST_SHOWN} more moments: kibitz coup solve --json tells them all", "muted small"
                )

    def _group(self, number: int, decisions: list[Decision]) -> None:
        history, seat = decisions[0].history, decisions[0].seat
        with box("coup-decision", "details") as shown:
            if number < 2:
                shown.props["open"] = True
            with box("", "summary"), box("line tight"):
                for step in history:
                    seat_disc(step.seat)
                    text("span", act(step.code) if step.code >= 0 else step.text)
                    text("span", "→", "muted")
                seat_disc(seat)
                text("span", "decides" if history else "begins", "strong")
                if history:
                    reach = sum(decision.reach for decision in decisions)
                    text("span", f"in {100 * reach:.1f} % of all games", "muted small")
            with box("coup-strategies"):
                for decision in decisions:
                    with box("coup-strategy"):
                        with box("coup-with"):
                            for held in decision.cards:
                                mark(held)
                            text("span", " and ".join(map(title, decision.cards)), "strong")
                        with box("stack coup-mix"):
                            _mix(decision)


def _mix(decision: Decision) -> None:
    shares = sorted(decision.actions.items(), key=lambda item: -item[1])
    often = [(code, p) for code, p in shares if p > SELDOM]
    mixed(
        [(f"{act(code)}{', a bluff' if decision.bluffs(code) else ''}", Action.from_code(code).claim, p) for code, p in often]
    )
