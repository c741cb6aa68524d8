"""A row of the loop lab for the page, without the page: what is asked for, how it was played, and what is drawn of it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self
from urllib.parse import urlencode

from kibitz.game.definition import SPECTATOR
from kibitz.ground.texts import capitalised
from kibitz.loops.config import MODELS, Config, Consequence
from kibitz.loops.lab import LAB, LabRow, Note, Trial, try_out
from kibitz.loops.protocol import PlainGame, WatchedGame
from kibitz.loops.svg import Cycle, Exit, Node
from kibitz.loops.words import WAYS, leads_to, rule
from kibitz.onepiece.core.engine import OnePieceState
from kibitz.onepiece.looplab import CARD_LAB
from kibitz.onepiece.pages.matches import GUARDS, UNGUARDED
from kibitz.play.guarded import guards

#: The most laps that are declared, positions that are looked at, and letters of a rules file.
MOST_LAPS, MOST_NODES, LONGEST = 1_000_000, 5_000, 4_000
#: The position is kept at intervals of this many steps; those between are played again.
EVERY = 25
#: This many steps of a line without a loop are drawn.
OPEN_STEPS = 6
OWN = "own"
#: What the models say, in a few words.
MODEL_WORDS = {name: capitalised(words) for name, words in GUARDS.items() if name != UNGUARDED} | {OWN: "Rules of your own"}


@dataclass(frozen=True)
class Wish:
    """What is to be shown."""

    name: str = "both"
    flipped: bool = False
    machine: bool = False
    model: str = "onepiece"
    numbers: tuple[int, int] = (1, 1)
    rules: str = ""
    """The text of a rules file, where the rules are one's own."""

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> Self:
        """What an address asks for; whatever makes no sense there is left out."""
        found: dict[str, Any] = {"flipped": query.get("flip") == "1", "machine": query.get("machine") == "1"}
        if query.get("loop") in LAB:
            found["name"] = query["loop"]
        if query.get("model") in MODEL_WORDS:
            found |= {"model": query["model"], "rules": query.get("rules", "")[:LONGEST]}
        words = query.get("declare", "").split(",")
        if len(words) == 2 and all(word.isascii() and word.isdigit() and len(word) < 8 for word in words):
            found["numbers"] = tuple(min(int(word), MOST_LAPS) for word in words)
        return cls(**found)

    def to_query(self) -> str:
        """The address."""
        query = {"loop": self.name}
        query |= {"flip": "1"} if self.flipped else {}
        query |= {"machine": "1"} if self.machine else {}
        query |= {"model": self.model} if self.model != "onepiece" else {}
        query |= {"rules": self.rules} if self.model == OWN else {}
        query |= {"declare": f"{self.numbers[0]},{self.numbers[1]}"} if self.numbers != (1, 1) else {}
        return urlencode(query)

    @property
    def row(self) -> LabRow:
        """The row of the lab."""
        return (LAB if self.machine else CARD_LAB)[self.name]

    def config(self) -> Config:
        """The rules, within the limits of a page. Raises `InvalidRules`."""
        if self.model != OWN:
            return guards()[self.model]
        config = Config.from_text(self.rules, guards())
        return replace(config, search_nodes=min(config.search_nodes, MOST_NODES))


@dataclass(frozen=True)
class Bench:
    """How a wish was played."""

    wish: Wish
    trial: Trial
    official: bool
    """Whether it was judged by the rules of One Piece."""
    marks: tuple[WatchedGame, ...]
    """The game before the first step, and after every `EVERY` steps."""

    @classmethod
    def play(cls, wish: Wish) -> Self:
        """Play it. Takes up to a few seconds. Raises `InvalidRules`."""
        config, row = wish.config(), wish.row

        def declare(seat: int, lap: object, smallest: int | None) -> int:
            return wish.numbers[seat]

        trial = try_out(row, config, wish.flipped, declare, escapes=True)
        position: WatchedGame = row.start(wish.flipped)
        marks = [position.copy()]
        for number, step in enumerate(trial.steps, start=1):
            position.apply(step.action)
            if number % EVERY == 0:
                marks.append(position.copy())
        return cls(wish, trial, config.resolution == MODELS["declare"].resolution, tuple(marks))

    def state(self, step: int) -> Any:
        """The state of the game after this many steps; of cards, as a spectator sees it."""
        position = self.marks[step // EVERY].copy()
        for played in self.trial.steps[step - step % EVERY : step]:
            position.apply(played.action)
        if not isinstance(position, PlainGame):
            raise TypeError("the rows of the lab are games in plain Python")
        if is_cards(position.state):
            position.state.hide(SPECTATOR)
        return position.state

    @property
    def note(self) -> Note | None:
        """What the guard found out about the lap: the verdict, or else the first other thing."""
        spoken = [note for note in self.trial.notes if note.result.words and note.lap]
        return next((note for note in spoken if note.result.loop_detected), spoken[0] if spoken else None)

    def cycle(self, step: int) -> Cycle:
        """The picture when this many steps have been played."""
        note = self.note
        if note is None:
            shown = self.trial.steps[:OPEN_STEPS]
            nodes = tuple(Node(one.seat, one.text, i == step - 1) for i, one in enumerate(shown))
            return Cycle(nodes, self.trial.verdict, "nothing repeats, so there is nothing to judge", closed=False)
        length = len(note.lap)
        lap = self.trial.steps[note.after - length : note.after]
        lit = self._lit(note, step)
        nodes = tuple(Node(one.seat, one.text, i == lit) for i, one in enumerate(lap))
        told = step >= note.after
        verdict = note.result.words if told else f"lap {max(1, self.laps(step))}"
        rules = self.why(note) if told else "the guard has not spoken yet"
        exits = tuple(self._exits(note, step))
        return Cycle(nodes, verdict, rules, exits[:WAYS], more=max(0, len(exits) - WAYS), told=told)

    def _exits(self, note: Note, step: int) -> list[Exit]:
        if note.result.stopping is None:
            return []
        way = self._taken(note) if step >= len(self.trial.steps) or step > self._stopped(note) else None
        pairs = zip(note.result.stopping.breaks, note.exits, strict=True)
        return [Exit(one.step, one.seat, words, one.sure, taken=(one.step, one.action) == way) for one, words in pairs]

    def _stopped(self, note: Note) -> int:
        """The number of the step with which the loop was left, from 0."""
        steps = self.trial.steps
        return max((i + 1 for i in range(note.after, len(steps)) if steps[i].demanded), default=note.after)

    def _taken(self, note: Note) -> tuple[int, int] | None:
        """The way out that was taken: instead of which step, and by which action."""
        stop = self._stopped(note)
        if note.settlement is None or stop >= len(self.trial.steps):
            return None
        return len(note.settlement.way), self.trial.steps[stop].action

    def _lit(self, note: Note, step: int) -> int | None:
        """Which step of the lap was played last, if it was one."""
        if step <= self._begins(note):
            return None
        length, words = len(note.lap), self._words
        at = (step - 1 - note.after) % length
        return at if words[step - 1] == words[note.after - length + at] else None

    def _begins(self, note: Note) -> int:
        """How many steps come before the first lap."""
        length, words = len(note.lap), self._words
        begin = note.after - length
        while begin > 0 and words[begin - 1] == words[begin - 1 + length]:
            begin -= 1
        return begin

    @property
    def _words(self) -> list[tuple[int, str]]:
        """Who did what in each step: what is the same in every lap."""
        return [(step.seat, step.text) for step in self.trial.steps]

    def laps(self, step: int) -> int:
        """In which lap the game is after this many steps, from 1; 0 where it is in none."""
        note = self.note
        if note is None or self._lit(note, step) is None:
            return 0
        return (step - self._begins(note) - 1) // len(note.lap) + 1

    def why(self, note: Note) -> str:
        """The rule, or where it leads."""
        result = note.result
        if result.progress:
            return leads_to(result.progress)
        if result.suspected:
            return "hidden cards may differ from lap to lap: nothing is judged"
        if result.verdict is None:
            return ""
        if self.official:
            return rule(result.verdict)
        return f"{result.verdict.case}" + (
            "; by these rules it goes on" if result.verdict.outcome == Consequence.CONTINUES else ""
        )


def is_cards(state: Any) -> bool:
    """Whether a state is one of the One Piece card game, not of a machine."""
    return isinstance(state, OnePieceState)
