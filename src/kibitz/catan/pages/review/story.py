"""A recorded game to step through: every position with open cards, what happened at each step in words, and where it lies."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from kibitz import game
from kibitz.catan.analysis.question import InvalidQuestion, Question
from kibitz.catan.core.actions import Action, describe
from kibitz.catan.core.position import PHASES
from kibitz.catan.core.record import Record
from kibitz.catan.core.svg import draw_state
from kibitz.catan.core.transcript import Onlooker, awards, changes
from kibitz.catan.logs import ImportedLog, LogError, read_bounded
from kibitz.catan.logs.likely import likely_game
from kibitz.catan.pages.files import games_of
from kibitz.catan.pages.play.game import CatanSetup
from kibitz.catan.pages.play.scene import LIGHT, Choices, element_of
from kibitz.catan.review import Entry
from kibitz.catan.words import say, told
from kibitz.compute.runtime import Runtime
from kibitz.game import CHANCE, OVER, States, to_dict
from kibitz.game.actions import InvalidAction
from kibitz.play.profile import InvalidSetup
from kibitz.web.games import kept_game
from kibitz.web.store import Store, content_id

#: The colours of a costly move and of a better one; a mark on each says the same.
PLAYED, BETTER = "#E8B4A8", LIGHT


class Line(NamedTuple):
    """One line of the log: after which step, in which turn, whose doing it is, and whether it matters little."""

    step: int
    turn: int
    seat: int
    text: str
    minor: bool


class NotYet(ValueError):
    """A game that is still played: its record would tell hidden cards."""


@dataclass(frozen=True)
class Story:
    """One game."""

    record: Record
    assumed: str = ""
    """What is filled in with the likeliest cards, in words; empty where nothing is."""
    observer: int | None = None
    """Through whose eyes the log was written that it came from, where it says so."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the players are called."""
        return CatanSetup.of(self.record).names

    @property
    def kinds(self) -> tuple[str, ...]:
        """Which bots they are; empty for people."""
        return CatanSetup.of(self.record).kinds

    @property
    def levels(self) -> tuple[str, ...]:
        """The same as people read it: levels by their titles."""
        return CatanSetup.of(self.record).levels

    @property
    def steps(self) -> int:
        """How many there are; position k is that after k steps."""
        return len(self.record.codes)

    @cached_property
    def positions(self) -> list[States]:
        """All positions."""
        return [states.copy() for states in self.record.states()]

    @cached_property
    def lines(self) -> list[tuple[Line, ...]]:
        """What each step says, with everything open."""
        onlooker, found = Onlooker(None, all_seeing=True), []
        before = to_dict(self.positions[0])
        for step, code in enumerate(self.record.codes):
            states = self.positions[step + 1]
            after, actor = to_dict(states), game.actor_at(self.positions[step], 0)
            action = Action.from_code(code)
            events = [*onlooker.step(actor, action, before, changes(before["hand"], after["hand"])), *awards(before, after)]
            seat = before["player"] if actor == CHANCE else actor
            said = [told(event, self.names, states) for event in events]
            turn = int(before["turn"])
            found.append(tuple(Line(step + 1, turn, seat, words, action.kind in _MINOR) for words in said))
            before = after
        return found

    def log(self) -> list[Line]:
        """All lines."""
        return [line for lines in self.lines for line in lines]

    def said(self, step: int) -> str:
        """What happened last before position `step`."""
        if step == 0:
            return "The board before the first settlement"
        lines = self.lines[step - 1]
        if lines:
            return "; ".join(line.text for line in lines)
        actor = game.actor_at(self.positions[step - 1], 0)
        words = say(Action.from_code(self.record.codes[step - 1]).to_text(), self.record.board)
        return f"{self.names[actor]}: {words}"

    def offer_at(self, step: int) -> str:
        """The offer that is to be answered at a position, in words; nothing where there is none."""
        states = self.positions[step]
        offer = Choices(states, game.actor_at(states, 0)).open_offer()
        if offer is None or PHASES[int(states["phase"][0])] != "TRADE_ANSWER":
            return ""
        who, give, want = offer
        given, wanted = (", ".join(f"{n} {name}" for name, n in cards.items()) for cards in (give, want))
        return f"{self.names[who]} offered {given} for {wanted}."

    def turn_of(self, step: int) -> int:
        """The turn of a position."""
        return int(self.positions[step]["turn"][0])

    def turn_start(self, step: int, by: int) -> int:
        """The beginning of this turn or, if that is here, of the one before; with ``by=1`` of the next."""
        if by > 0:
            turn = self.turn_of(step)
            return next((k for k in range(step + 1, self.steps + 1) if self.turn_of(k) > turn), self.steps)
        if step == 0:
            return 0
        return self.beginning_of(self.turn_of(step - 1))

    def beginning_of(self, turn: int) -> int:
        """The step with which a turn begins; the last one, if there is no such turn."""
        return next((k for k in range(self.steps + 1) if self.turn_of(k) == turn), self.steps)

    def question(self, step: int) -> Question:
        """What to do at a position."""
        return Question(self.record.board, len(self.record.seats), self.record.rules, self.record.codes[:step])

    def drawing(self, step: int, entry: Entry | None = None, places: Iterable[str] = ()) -> str:
        """The board at a position: the last move rimmed; of a mistake the places of what was played and of the better line.

        With `places` these are lit up instead.
        """
        last = element_of(self.record.codes[step - 1]) if step else None
        fill: dict[int | str, str] = dict.fromkeys(places, LIGHT)
        marks: dict[int | str, str] = {}
        if entry is not None:
            later = [(move, BETTER, str(number)) for number, move in enumerate(entry.why.line[1:], start=2)]
            here = [(entry.verdict.played, PLAYED, "✗"), (entry.verdict.best, BETTER, "✓")]
            for move, colour, mark in (*later, *here):
                if (place := element_of(Action.from_text(move).code)) is not None:
                    fill[place], marks[place] = colour, mark
        return draw_state(self.positions[step], names=self.names, hands=False, fill=fill, marks=marks, lastmove=last)

    @property
    def person(self) -> int | None:
        """The seat of who looks back: who wrote the log, or else the one person at the table; None if nobody knows."""
        people = [seat for seat, kind in enumerate(self.kinds) if not kind]
        return self.observer if self.observer is not None else people[0] if len(people) == 1 else None

    @property
    def over(self) -> bool:
        """Whether it was played to its end."""
        return game.actor_at(self.positions[-1], 0) == OVER

    @property
    def title(self) -> str:
        """A name for the library."""
        states = self.positions[-1]
        winner = int(states["winner"][0])
        how = f"{self.names[winner]} won on turn {self.turn_of(self.steps)}" if winner >= 0 else f"{self.steps} steps"
        return f"Catan: {', '.join(self.names)} · {how}"


_MINOR = ("decline_offer", "end_turn")


def story_of(data: Any) -> Story:
    """The game that the library keeps. Raises `NotYet`, or `InvalidQuestion` for what is not a game of Catan."""
    if isinstance(data, str):
        return read_stories(data)[0]
    if not isinstance(data, Mapping) or data.get("game") != "catan":
        raise InvalidQuestion("this is not a game of Catan")
    try:
        record = CatanSetup.from_json(data["setup"]).record(data["moves"])
    except (InvalidSetup, InvalidAction) as error:
        raise InvalidQuestion(str(error)) from None
    except KeyError:
        raise InvalidQuestion("this game was kept by another version of Kibitz, and cannot be opened") from None
    observer = data.get("observer")
    story = Story(record, str(data.get("assumed", "")), observer if observer in range(len(record.seats)) else None)
    if data["setup"]["seat"] is not None and not story.over:
        raise NotYet("this game is still being played: it can be reviewed when it is over")
    return story


def keep(store: Store, story: Story) -> str:
    """Keep a game that came from a file in the library, once, however often it comes; its id. Raises `NotSaved`."""
    setup = CatanSetup.of(story.record).to_json()
    over = True if story.over else None  # nobody plays on with it
    data = kept_game("catan", setup, [*map(describe, story.record.codes)])
    if story.assumed:
        data = {**data, "assumed": story.assumed}
    if story.observer is not None:
        data = {**data, "observer": story.observer}
    return store.save("game", story.title, data, content_id(data), game="catan", over=over)


def likely_story(imported: ImportedLog) -> Story:
    """The whole game of a log, with the likeliest cards where it hides some. Raises `LogError`."""
    found = likely_game(imported)
    return Story(found.record, found.assumed, imported.log.observer)


def read_stories(text: str, runtime: Runtime | None = None) -> tuple[Story, ...]:
    """The games of a record file, or that of a log, with the likeliest cards where it hides some. Raises `InvalidQuestion`."""
    if text.lstrip().startswith("{") and '"record"' in text[:200]:
        return tuple(map(Story, games_of(text, runtime)))
    try:
        return (likely_story(read_bounded(text, runtime=runtime)),)
    except LogError as error:
        raise InvalidQuestion(f"this cannot be reviewed: {error}") from None
