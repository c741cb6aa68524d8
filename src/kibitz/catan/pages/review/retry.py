"""Retry: the position before a mistake opens, the visitor plays, and games that are played out answer."""

from collections.abc import Awaitable, Callable
from functools import partial

from kibitz.catan.analysis.types import Difference
from kibitz.catan.core.actions import Action
from kibitz.catan.pages.play.scene import element_of
from kibitz.catan.pages.review.story import Story
from kibitz.catan.review.measure import counting
from kibitz.catan.review.types import BEST, GOOD, Entry, grade_of
from kibitz.catan.review.words import move_words, reasons_in_words
from kibitz.ground.signs import MINUS
from kibitz.ground.texts import capitalised
from kibitz.web.parts import box, button, pressable, text


class Retry:
    """One attempt at one mistake: what can be played, and what was tried."""

    def __init__(self, story: Story, entry: Entry) -> None:
        self._story, self.entry = story, entry
        self.tried: dict[str, Difference] = {}
        """What was played, and how much less it is worth than the best."""
        self.solved = False

    @property
    def places(self) -> dict[str, str]:
        """What can be played on the board, by the ids of its places."""
        found = {element_of(Action.from_text(option.move).code): option.move for option in self.entry.options}
        return {place: move for place, move in found.items() if place is not None}

    def answer(self, move: str, loss: Difference) -> None:
        """What a move that was tried is worth."""
        self.tried[move] = loss
        self.solved = self.solved or _grade(loss) in (BEST, GOOD)

    def show(
        self,
        on_try: Callable[[str], Awaitable[None]],
        on_close: Callable[[], object],
        on_next: Callable[[], object],
    ) -> None:
        """What is asked, what was answered, and what else can be played; `on_next` leads to the next mistake."""
        story, entry = self._story, self.entry
        names, board = story.names, story.record.board
        text("h2", "Your move" if names[entry.seat] == "You" else f"Your move as {names[entry.seat]}")
        if offer := story.offer_at(entry.verdict.step):
            text("p", offer, "small")
        if not self.solved:
            text("p", "Find a better move: click on the board, or choose one here.", "muted small")
        for move, loss in self.tried.items():
            self._answer(move, loss)
        if self.solved:
            for sentence in reasons_in_words(entry, board, names):
                text("p", sentence, "small")
        else:
            with box("rv-moves"):
                for move in sorted(option.move for option in entry.options):
                    if move not in self.tried:
                        made = pressable(capitalised(move_words(move, board, names)), partial(on_try, move), "rv-move")
                        if place := element_of(Action.from_text(move).code):
                            made.props["data-spot"] = place
        with box("line"):
            if not self.solved:
                button("Show the best", partial(on_try, entry.verdict.best), "visibility", "quiet")
            else:
                button("Next mistake", on_next, "skip_next")
            button("Back to the review", on_close, "close", "quiet")

    def _answer(self, move: str, loss: Difference) -> None:
        verdict, grade = self.entry.verdict, _grade(loss)
        words = capitalised(move_words(move, self._story.record.board, self._story.names))
        same = " (as in the game)" if move == verdict.played else ""
        if grade in (BEST, GOOD):
            answer = "the best move" if move == verdict.best else "about as good as the best"
        else:
            called = grade if loss.low > 0 else "perhaps a little worse"
            answer = f"{called}, {MINUS}{100 * loss.mean:.0f} ± {100 * loss.margin:.0f} points"
        with box(f"rv-answer grade-{grade}").props("role=status"):
            text("span", f"{'✓' if grade in (BEST, GOOD) else '✗'} {words}{same}: {answer}")


def _grade(loss: Difference) -> str:
    return grade_of(counting(loss))
