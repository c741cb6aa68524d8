"""Somebody at the keyboard as a player of any game: is told what happens, is shown the position, and is asked.

A game with words of its own has a subclass (`kibitz.play.profile.Profile.person`), which says better what it can say better.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from rich.console import Console

from kibitz.cli.common import console, joined
from kibitz.cli.keyboard import NotUnderstood, TakeBack, answer, choice_of
from kibitz.cli.players import FORBIDDEN
from kibitz.cli.tables import WIDTH, fitted, folded
from kibitz.game import OVER, Game, States, actor_at, game_of, legal_actions, score_at, why_not_at
from kibitz.ground.intervals import margin_of, wilson
from kibitz.ground.texts import capitalised, counted, with_margin
from kibitz.play.search_bot import SearchPlayer, adviser

if TYPE_CHECKING:
    from kibitz.game.state import FriendlyState
    from kibitz.loops.protocol import WatchedGame
    from kibitz.play.profile import Profile

#: Between two choices in a line.
GAP = 3


class Choice(NamedTuple):
    """Something that may be done: as it is typed, and what it means, where there is more to say."""

    text: str
    meaning: str = ""


class Command(NamedTuple):
    """What may be typed beside choices: a word (and others for the same), what it is good for, and what it does."""

    words: tuple[str, ...]
    use: str
    do: Callable[[States, str], None]
    """Given what the person sees, and what stands behind the word."""


class Person:
    """A player who is asked. `names` are those of the bots by seat; with `hints` every question comes with what `why` says."""

    #: How choices are typed, for the help.
    TYPING: ClassVar[str] = "Type the number of a choice, or its words; you can shorten them."
    #: What else the help says.
    NOTES: ClassVar[str] = ""

    def __init__(self, profile: Profile, names: Sequence[str], hints: bool = False) -> None:
        self.profile, self.names, self.hints = profile, names, hints
        self.out = Console(highlight=False)
        self._commands = [
            *self.commands(),
            Command(("undo", "back"), "take back your last step", self._take_back),
            Command(("?", "help"), "this help", self._help),
        ]

    def begin(self, game: Game, seat: int, view: States, seed: int) -> None:
        """Sit down."""
        self.seat, self._turn = seat, -1
        self._planned: list[int] = []
        self._log: list[tuple[int, str]] = []
        self.looks: Any = None
        self.follow(game, view, seed)

    def saw(self, before: States, code: int, after: States) -> None:
        """Tell what happened."""
        self.kibitzer.saw(before, code, after)
        for sentence in self.told(before, code, after):
            self.say(before, sentence)

    def decide(self, view: States) -> int:
        """Go on with what was typed, or ask until the answer is allowed; mostly nobody is asked where there is one way only."""
        if self._planned and not why_not_at(view, 0, self._planned[0]):
            return self._planned.pop(0)
        self._planned.clear()  # the loop rule has stepped in
        legal = legal_actions(view)
        return legal[0] if len(legal) == 1 and not self.asked_anyway(view) else self._choice(view, legal)

    def decide_among(self, view: States, allowed: Sequence[int]) -> int:
        """Ask again, without what the loop rule forbids."""
        self._planned.clear()
        print(FORBIDDEN)
        return self._choice(view, list(allowed), only=True)

    def _choice(self, view: States, legal: list[int], only: bool = False) -> int:
        """What is chosen; `only` out of what is listed."""
        self.head(view)
        self.look(view)
        self.ask(view, legal)
        if self.hints:
            self.advise(view)
        while True:
            text = answer()
            if command := self._command(text, legal, game_of(view)):
                command.do(view, text.partition(" ")[2].strip())
                continue
            try:
                first, *self._planned = self.read(text, view, legal)
            except NotUnderstood as error:
                print(textwrap.fill(str(error), WIDTH))
                continue
            if first in legal or not only:
                return first
            self._planned.clear()
            print(FORBIDDEN)

    def _command(self, text: str, legal: Sequence[int], game: Game) -> Command | None:
        """The command that was typed, unless a choice begins with the same word."""
        word = (text.lower().split() or [""])[0]
        word = word.rstrip("?") or word
        if any(word == game.describe(code).partition(" ")[0] for code in legal):
            return None
        return next((command for command in self._commands if word in command.words), None)

    def follow(self, game: Game, view: States, seed: int) -> None:
        """Let a kibitzer sit down, too, at the person's shoulder."""
        self.kibitzer: SearchPlayer[Any] = adviser(self.profile)
        self.kibitzer.begin(game, self.seat, view, seed)

    def commands(self) -> list[Command]:
        """What may be typed beside choices."""
        return [
            Command(("show", "table"), "the table", lambda view, rest: self.show(view)),
            Command(("log",), "what happened in the last round", lambda view, rest: print(self.log())),
            Command(("why", "hint"), "what a search thinks of your choices", lambda view, rest: self.advise(view)),
        ]

    def asked_anyway(self, view: States) -> bool:
        """Whether somebody who has one way only is asked all the same."""
        return False

    def told(self, before: States, code: int, after: States) -> Iterable[str]:
        """What happened, in sentences; `code` is what was seen of it."""
        actor = actor_at(before, 0)
        words = self.state(before).words_of(code)
        yield f"{capitalised(self.who(actor))}: {words}" if actor >= 0 else f"({words})"

    def heading(self, view: States) -> str:
        """What stands above all that happens in a turn; nothing in a game that counts no turns."""
        return capitalised(self.state(view).when)

    def look(self, view: States) -> None:
        """Show the position before a question, unless it looks as it did."""
        if self.looks_of(view) != self.looks:
            self.show(view)

    def looks_of(self, view: States) -> Any:
        """Equal where the position looks alike."""
        return self.profile.text(self.state(view), self.names)

    def show(self, view: States) -> None:
        """Show the position."""
        state, self.looks = self.state(view), self.looks_of(view)
        screen = self.profile.screen or (lambda state, names: [self.profile.text(state, names)])
        print()
        for part in screen(state, self.names):
            self.out.print(part, soft_wrap=isinstance(part, str), markup=False)

    def ask(self, view: States, legal: Sequence[int]) -> None:
        """The question, and what can be answered."""
        print(f"\n{self.question(view)}")
        choices = [self.choice(view, code) for code in legal]
        wide = max(len(choice.text) for choice in choices)
        if any(choice.meaning for choice in choices):
            for number, (text, meaning) in enumerate(choices, start=1):
                print(folded(f"{number:3} {text}", meaning, min(wide, 24) + 4))
            return
        cells = [f"{number:3} {text:{wide}}" for number, (text, _) in enumerate(choices, start=1)]
        columns = max(1, (WIDTH + GAP) // (wide + 4 + GAP))
        rows = -(-len(cells) // columns)
        for row in range(rows):
            print((" " * GAP).join(cells[row::rows]).rstrip())

    def question(self, view: States) -> str:
        """What is asked."""
        return "Your move:"

    def choice(self, view: States, code: int) -> Choice:
        """Something that may be done."""
        return Choice(self.state(view).action_of(code).to_text())

    def read(self, text: str, view: States, legal: Sequence[int]) -> list[int]:
        """The steps that somebody typed. Raises `NotUnderstood`, which says what was expected."""
        return [choice_of(text, legal, view)]

    def advise(self, view: States) -> None:
        """What a search makes of the choices."""
        with console().status("thinking"):
            found = self.kibitzer.think(view)
        rows = []
        for one in found.actions:
            value = one.values[self.seat]
            won = with_margin(value, margin_of(value, *wilson(value, one.visits)))
            rows.append({"choice": self.choice(view, one.action).text, "you win": won, "tried": f"{one.visits:,}"})
        print(f"\nYour chances, from a search of {counted(found.iterations, 'game')}:")
        self.out.print(fitted(rows, tuple(rows[0]), width=self.out.width, left=("choice",)))
        print(f"It would choose: {self.choice(view, found.best.action).text}")

    def farewell(self, states: States, drawn: bool) -> None:
        """How it ended, and what everybody held."""
        self.show(states)
        print(f"\n{self.ending(states, drawn)}")

    def describe(self, position: WatchedGame, action: int) -> str:
        """An action as the loop guard names it."""
        return position.describe(action)

    def state(self, view: States) -> FriendlyState[Any]:
        """What the person sees, as a friendly object; at the end that is everything."""
        return self.profile.state(view, observer=self.seat) if actor_at(view, 0) != OVER else self.profile.state(view)

    def who(self, seat: int) -> str:
        """What a seat is called in a sentence."""
        return "you" if seat == self.seat else f"player {seat + 1} ({self.names[seat]})"

    def say(self, view: States, text: str) -> None:
        """Print something that happened, below a heading for each turn, and remember it."""
        self.head(view)
        self._say(textwrap.fill(text, WIDTH, initial_indent="  ", subsequent_indent="    "))

    def head(self, view: States) -> None:
        """Whose turn begins, once."""
        turn = self.state(view).turn_number
        if turn != self._turn:
            self._turn = turn
            if heading := self.heading(view):
                self._say(f"\n{heading}")

    def _say(self, text: str) -> None:
        self._log.append((self._turn, text.strip("\n")))
        print(text)

    def log(self) -> str:
        """What happened in the last round."""
        lines = [text for turn, text in self._log if turn > self._turn - len(self.names)]
        return "\n".join(lines) or "Nothing has happened yet."

    def ending(self, states: States, drawn: bool) -> str:
        """Who has won."""
        state = self.profile.state(states)
        turns = f" after {counted(state.turn_number, 'turn')}" if state.turn_number else ""  # not every game counts them
        if drawn:
            return f"The loop rule ends the game{turns}: a draw."
        if state.winner_id == self.seat:
            return f"You have won{turns}!"
        if state.winner_id is not None:
            return f"{capitalised(self.who(state.winner_id))} has won{turns}."
        scores = [score_at(states, 0, seat) for seat in range(len(self.names))]
        best = [self.who(seat) for seat, score in enumerate(scores) if score == max(scores)]
        if len(best) < len(scores):
            return f"{capitalised(joined(best))} share the win{turns}."
        return f"The game ends{turns}: nobody has won."

    def _help(self, view: States, rest: str) -> None:
        lines = [f"  {', '.join(command.words):12} {command.use}" for command in self._commands]
        print("\n".join([self.TYPING, "and besides:", *lines, f"  {'q':12} leave the game", *filter(None, [self.NOTES])]))

    def _take_back(self, view: States, rest: str) -> None:
        raise TakeBack
