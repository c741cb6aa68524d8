"""Retry: the position before a mistake opens, the visitor plays, and the review answers."""

from collections.abc import Callable
from functools import partial

from kibitz.catan.core.actions import Action
from kibitz.catan.pages.play.scene import element_of
from kibitz.catan.pages.review.story import Story
from kibitz.catan.review.types import BEST, GOOD, Entry, Option, grade_of
from kibitz.catan.review.words import MINUS, move_words, reasons_in_words
from kibitz.ground.texts import capitalised
from kibitz.web.parts import box, button, pressable, text


class Retry:
    """One attempt at one mistake: what can be played, and what was tried."""

    def __init__(self, story: Story, entry: Entry) -> None:
        self._story, self.entry = story, entry
        self.tried: list[Option] = []
        self.solved = False

    @property
    def places(self) -> dict[str, Option]:
        """What can be played on the board, by the ids of its places."""
        found = {element_of(Action.from_text(option.move).code): option for option in self.entry.options}
        return {place: option for place, option in found.items() if place is not None}

    def play(self, option: Option) -> None:
        """Try a move."""
        if option not in self.tried:
            self.tried.append(option)
        self.solved = self.solved or grade_of(option.loss) in (BEST, GOOD)

    def click(self, place: str) -> bool:
        """Play at a place of the board; whether there is anything to play."""
        option = self.places.get(place)
        if option is not None:
            self.play(option)
        return option is not None

    def give_up(self) -> None:
        """Show what would have been best."""
        self.play(min(self.entry.options, key=lambda option: option.loss))

    def show(self, on_change: Callable[[], object], on_close: Callable[[], object], on_next: Callable[[], object]) -> None:
        """What is asked, what was answered, and what else can be played; `on_next` leads to the next mistake."""
        story, entry = self._story, self.entry
        names, board = story.names, story.record.board
        text("h2", "Your move" if names[entry.seat] == "You" else f"Your move as {names[entry.seat]}")
        if not self.solved:
            text("p", "Find a better move: click on the board, or choose one here.", "muted small")
        for option in self.tried:
            self._answer(option)
        if self.solved:
            for sentence in reasons_in_words(entry, board, names):
                text("p", sentence, "small")
        else:
            with box("rv-moves"):
                for option in sorted(self.entry.options, key=lambda option: option.move):
                    if option not in self.tried:
                        said = capitalised(move_words(option.move, board, names))
                        made = pressable(said, partial(self._play, option, on_change), "rv-move")
                        if place := element_of(Action.from_text(option.move).code):
                            made.props["data-spot"] = place
        with box("line"):
            if not self.solved:
                button("Show the best", partial(self._give_up, on_change), "visibility", "quiet")
            else:
                button("Next mistake", on_next, "skip_next")
            button("Back to the review", on_close, "close", "quiet")

    def _play(self, option: Option, on_change: Callable[[], object]) -> object:
        self.play(option)
        return on_change()

    def _give_up(self, on_change: Callable[[], object]) -> object:
        self.give_up()
        return on_change()

    def _answer(self, option: Option) -> None:
        grade = grade_of(option.loss)
        words = capitalised(move_words(option.move, self._story.record.board, self._story.names))
        same = " (as in the game)" if option.move == self.entry.verdict.played else ""
        if grade in (BEST, GOOD):
            answer = "the best move" if option.move == self.entry.verdict.best else "as good as the best"
        else:
            answer = f"{grade}, {MINUS}{100 * option.loss:.0f} points"
        with box(f"rv-answer grade-{grade}").props("role=status"):
            text("span", f"{'✓' if grade in (BEST, GOOD) else '✗'} {words}{same}: {answer}")
