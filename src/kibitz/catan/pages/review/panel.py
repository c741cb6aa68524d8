"""What a review finds, beside the board: the report for a player, the mistakes, and how far it is."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from nicegui import context, ui

from kibitz.catan.core.actions import Action
from kibitz.catan.pages.analyse.tools import duration
from kibitz.catan.pages.play.scene import element_of
from kibitz.catan.pages.review.story import Story
from kibitz.catan.review import Entry, Review, look_back
from kibitz.catan.review.types import BLUNDER, INACCURACY, MISTAKE, Fortune, ReviewConfig, points
from kibitz.catan.review.words import (
    fortune_words,
    grade_words,
    in_points,
    move_words,
    times,
    turn_words,
    verdict_in_words,
)  # fmt: skip
from kibitz.compute.runtime import Runtime
from kibitz.game.evaluator import SURE
from kibitz.ground.signs import MINUS, minus
from kibitz.ground.texts import capitalised, counted, percent
from kibitz.web.jobs import Job, JobState, QueueFull
from kibitz.web.parts import ProgressBar, box, button, card, choice, emptied, hint, press, say, seat_mark, table, text
from kibitz.web.services import Services
from kibitz.web.store import NotSaved, Store

if TYPE_CHECKING:
    from kibitz.catan.pages.review.page import ReviewPage

#: What the review of a game is called in the library, after the id of the game.
SUFFIX = ".review"
#: Seconds between two looks at a review that runs.
LOOK = 0.5
#: Mistakes that are shown at first, and rolls and cards that are told.
TOP, FORTUNES = 3, 5


def kept_review(store: Store, id: str) -> Review | None:
    """The complete review of a game, from the library; none if another version of Kibitz made it. To be called in a thread."""
    found = store.load(id + SUFFIX)
    if found is None or found.kind != "review":
        return None
    try:
        return Review.from_json(found.data["review"])
    except ValueError:
        return None


def keep_review(store: Store, id: str, story: Story, review: Review) -> None:
    """Keep a complete review in the library."""
    data = {"game": id, "review": review.to_json()}
    with suppress(NotSaved):  # it is shown all the same
        store.save("review", f"Review of {story.title}", data, id + SUFFIX, parent=id)


def submit_review(services: Services, id: str, story: Story, owner: str) -> Job:
    """Review a game, or join those who wait for its review; a complete one is kept in the library. Raises `QueueFull`."""

    def work(runtime: Runtime) -> Review:
        found = look_back(story.record, ReviewConfig(seat=story.person), runtime)
        if found.partial is None:
            keep_review(services.store, id, story, found)
        return found

    return services.jobs.submit(f"review of {id}", work, owner, once=True)


class ReviewPanel:
    """The report and the mistakes, for one visitor."""

    def __init__(self, page: ReviewPage, story: Story, found: Review | None) -> None:
        """`found` is the review of the game, if it is complete; else one is begun (`start`)."""
        self._page, self._story, self.review = page, story, found
        self._client = context.client
        self._job: Job | None = None
        self._seen: tuple[Any, ...] = ()
        self._all = False
        self.seat = story.person
        self._timer = ui.timer(LOOK, self._look, active=False)

    def build_report(self) -> None:
        """Who it is about, the verdict, and how far it is."""
        with box("line rv-who").props('role=group aria-label="Whose decisions"'), box("line tight"):
            self._who = {seat: self._reported(seat) for seat in self._everybody()}
        self._sentence = text("p", "", "strong rv-sentence").props("role=status")
        self._progress = box("line nowrap rv-progress")
        with self._progress:
            self._state = text("div", "", "muted small num")
            with box("grow"):
                self._bar = ProgressBar()
            button("Stop", self._stop, "stop", "quiet")
        self._redo = button("Review again", self._restart, "refresh", "quiet")

    def build_mistakes(self) -> None:
        """The list of mistakes."""
        with card("", "rv-mistakes"):
            with box("line nowrap"):
                text("h2", "Mistakes", "grow")
                self._next = button("Next", partial(self.next, 1), "skip_next", key="n", name="Next mistake")
            self._slips = box("rv-slips")

    def build_account(self) -> None:
        """Accuracy and luck."""
        with card("Accuracy and luck", "rv-account"):
            self._account = box("stack")

    def start(self) -> None:
        """Begin the review in the background, or join one that runs; unless it is known."""
        if self.review is not None:
            return
        try:
            self._job = submit_review(self._page.services, self._page.id, self._story, self._client.id)
        except QueueFull as error:
            say(str(error), "negative")
            return
        self._timer.activate()

    # --- what is known ---------------------------------------------------------------------------------------------

    def entry_at(self, step: int) -> Entry | None:
        """The mistake at a position, if there was one."""
        found = self.review.entries if self.review is not None else ()
        return next((entry for entry in found if entry.verdict.step == step), None)

    def fortune_at(self, step: int) -> Fortune | None:
        """The roll or card that has led to a position."""
        found = self.review.fortunes if self.review is not None else ()
        return next((fortune for fortune in found if fortune.step == step - 1), None)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The mistakes of the player whom it is about, the costliest first."""
        return self.review.of_seat(self.seat) if self.review is not None else ()

    async def next(self, by: int) -> None:
        """To the next mistake in the order of the game, or the one before; from the last one to the first."""
        steps = sorted(entry.verdict.step for entry in self.entries)
        here = self._page.step
        if not steps or steps == [here]:
            say("There is no other mistake." if steps else "No mistakes to show.")
            return
        beyond = [step for step in steps if (step > here if by > 0 else step < here)]
        await self._page.go((beyond or steps)[0 if by > 0 else -1])

    async def _choose(self, seat: int | None) -> None:
        self.seat, self._all = seat, False
        await self._page.show()

    async def _show_all(self) -> None:
        self._all = True
        await self._page.show()

    # --- the work --------------------------------------------------------------------------------------------------

    def _stop(self) -> None:
        """End the review, with the results so far."""
        if self._job is not None:
            self._page.services.jobs.cancel(self._job)

    async def _restart(self) -> None:
        """Review once more what was stopped."""
        self.review = None
        self.start()
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

    # --- what is shown ---------------------------------------------------------------------------------------------

    def show(self) -> None:
        """Show what is known by now, and where the page is."""
        step, entries, review = self._page.step, self.entries, self.review
        self._page.chart.show(review, step, self.seat)
        self._show_progress()
        here = self.entry_at(step)
        accounts = review.accounts if review is not None else ()
        seen = (entries, here, self._job is None, self.seat, self._all, accounts)
        if self._seen == seen:
            return
        self._seen = seen
        self._show_who()
        self._next.set_enabled(bool(entries))
        with emptied(self._slips):
            self._list(entries)
        with emptied(self._account):
            self._show_account()

    def _everybody(self) -> list[int | None]:
        """Whose report there is, in the order of the buttons: the person's own first, None for all of them."""
        person, seats = self._story.person, range(len(self._story.names))
        return [*seats, None] if person is None else [person, None, *(seat for seat in seats if seat != person)]

    def _reported(self, seat: int | None) -> ui.button:
        label = "Everybody" if seat is None else self._story.names[seat]
        return choice(label, partial(self._choose, seat), seat == self.seat, f"Report for {label}")

    def _show_who(self) -> None:
        review = self.review
        for seat, made in self._who.items():
            press(made, seat == self.seat)
        if review is None or not review.accounts or not review.verdicts:
            self._sentence.set_text("")
            return
        self._sentence.set_text(self._verdict(review))

    def _verdict(self, review: Review) -> str:
        names = self._story.names
        if self.seat is not None:
            who = "you" if self.seat == self._story.person else names[self.seat]
            return verdict_in_words(review.accounts[self.seat], who, self._story.over)
        winner = next((seat for seat, account in enumerate(review.accounts) if account.result == SURE), None)
        lucky = max(range(review.seats), key=lambda seat: review.accounts[seat].luck)
        best = max(range(review.seats), key=lambda seat: review.accounts[seat].accuracy or 0)
        won = f"{names[winner]} won. " if winner is not None else ""
        if lucky == best:
            return f"{won}{names[lucky]} had the best luck and played most accurately."
        return f"{won}{names[lucky]} had the best luck, {names[best]} played most accurately."

    def _list(self, entries: tuple[Entry, ...]) -> None:
        review = self.review
        whole = review is not None and review.partial is None
        shown = entries if self._all else entries[:TOP]
        for entry in shown:
            self._entry(entry)
        if len(shown) < len(entries):
            button(f"Show all {len(entries)}", self._show_all, "expand_more", "quiet")
        if not entries:
            if self._job is not None:
                hint("Judging every decision. Mistakes appear here as soon as simulated games confirm them.")
            else:
                hint("No mistakes found." if whole else "The review was stopped: not everything was judged.")
        if review is not None and not review.served:
            hint("The evaluator was not trained for these rules: chances and luck are rough.")
        if whole:
            hint(f"Judged by what each player could know. {grade_words()}")

    def _entry(self, entry: Entry) -> None:
        verdict, board, names = entry.verdict, self._story.record.board, self._story.names
        with box(f"rv-slip grade-{verdict.grade}", "button").props("type=button") as made:
            seat_mark(entry.seat)
            with box("grow"):
                with box("line tight"):
                    text("span", capitalised(verdict.grade), "rv-grade")
                    many = f", {times(len(entry.steps))}" if len(entry.steps) > 1 else ""
                    text("span", f"{turn_words(verdict)}{many}", "muted small")
                text("div", capitalised(move_words(verdict.played, board, names)))
                text("div", f"better: {move_words(verdict.best, board, names)}", "muted small")
            with box("rv-loss num"):
                text("div", f"{MINUS}{100 * verdict.loss.mean:.0f}", "strong")
                text("div", f"± {100 * verdict.loss.margin:.0f}", "muted small")
        made.props["title"] = f"{100 * verdict.loss.mean:.1f} points of winning chances, by {verdict.games:,} pairs of games"
        if verdict.step == self._page.step:
            made.props("aria-current=true")
        if place := element_of(Action.from_text(verdict.best).code):
            made.props["data-spot"] = place
        made.on("click", partial(self._page.go, verdict.step))

    def _show_account(self) -> None:
        review = self.review
        if review is None or not review.accounts:
            hint("Not known yet.")
            return
        rows = ("Accuracy", "Blunders", "Mistakes", "Inaccuracies", "", "Chance at the start", "Dice", "Stolen cards",
                "Drawn cards", "Own decisions", "Others' decisions", "Result", "Result without luck",
                "Lost to mistakes")  # fmt: skip
        names = self._story.names
        body = table(("", *names), names, "dense")
        columns = [self._column(seat) for seat in range(review.seats)]
        with body:
            for number, name in enumerate(rows):
                if name:
                    with box("rv-total" if name in ("Result", "Chance at the start") else "", "tr"):
                        text("th", name).props("scope=row")
                        for seat, column in enumerate(columns):
                            text("td", column[number], "r num" + (" strong" if seat == self.seat else ""))
        hint("Accuracy is 100 % for the best move every time, and 0 % for moves no better than sensible ones at random.")
        hint("How the chance at the start became the result, in points. Luck is what chance gave beyond the average. Decisions "
             "are compared with what the evaluator expects, mistakes with the best moves.")  # fmt: skip
        self._fortunes(review)

    def _column(self, seat: int) -> list[str]:
        assert self.review is not None
        own = self.review.accounts[seat]
        accuracy = "-" if own.accuracy is None or not own.decisions else percent(own.accuracy, 0)
        grades = [str(own.grades.get(grade, 0)) for grade in (BLUNDER, MISTAKE, INACCURACY)]
        terms = [in_points(term / SURE) for term in (own.dice, own.stolen, own.drawn, own.own, own.others)]
        whole = own.start, own.result, own.adjusted, own.losses
        start, *ends = (minus(points(end), 0) for end in whole)
        return [accuracy, *grades, "", start, *terms, *ends]

    def _fortunes(self, review: Review) -> None:
        """What chance did most to the player."""
        seat = self.seat
        worth = [(f.worth[seat] if seat is not None else max(f.worth, key=abs), f) for f in review.fortunes]
        told = [item for item in worth if abs(item[0]) >= SURE // 200]  # what would be shown as 0 is none
        ranked = sorted(told, key=lambda item: -abs(item[0]))[:FORTUNES]
        text("h3", "Biggest swings of luck")
        if not ranked:
            hint("Luck hardly mattered.")
        with box("rv-fortunes"):
            for value, fortune in ranked:
                said = f"{capitalised(turn_words(fortune))}: {fortune_words(fortune, self._story.names)}"
                with box("rv-fortune", "button").props("type=button") as made:
                    text("span", said, "grow")
                    text("span", in_points(value / SURE), "num strong")
                made.on("click", partial(self._page.go, fortune.step + 1))

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
            said = "Getting ready…"
        else:
            share = info.done / max(1, info.total)
            left = "" if info.eta is None or share < 0.03 else f", {duration(info.eta)} left"
            many = counted(len(review.verdicts), "decision") if review is not None else "decisions"
            said = f"Looking at {many}: {percent(share, 0)}{left}"
        self._state.set_text(said)
        self._bar.show(share)


def so_far(job: Job) -> Review | None:
    """What a review has found by now."""
    if job.state is JobState.DONE and isinstance(job.result, Review):
        return job.result
    return job.info.ranking if job.info is not None and isinstance(job.info.ranking, Review) else None
