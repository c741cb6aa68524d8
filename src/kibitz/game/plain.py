"""A game in one Python file: a base for its states, `PlainState`, and the `Game` that they make, `plain_game`.

An action is its name. The author says whose move it is, what may be done, what happens, and what each seat sees of it; the
verbs of `kibitz.game`, which speak in numbers, are made of that.

>>> class Coin(PlainState):
...     '''Call a coin that has been tossed unseen.'''
...     ACTIONS, OUTCOMES = ("heads", "tails"), ("toss heads", "toss tails")
...     NAMES = (*ACTIONS, *OUTCOMES, "toss ?")
...     def __init__(self, seats):
...         self.seats, self.player, self.side, self.called = seats, 0, "", ""
...     def actor(self):
...         return CHANCE if not self.side else OVER if self.called else 0
...     def plays(self):
...         return ["heads", "tails"]
...     def outcomes(self):
...         return {"toss heads": 1, "toss tails": 1}
...     def do(self, name):
...         if name.startswith("toss"):
...             self.side = name.split()[1]
...         else:
...             self.called = name
...     def score(self, seat):
...         return int(self.side == self.called)
...     def perceived(self, name, seat):
...         return "toss ?" if name.startswith("toss") else name
...     def hide(self, seat):
...         self.side = "?" if self.side and not self.called else self.side
...     def imagine(self, seat, below):
...         self.side = ("heads", "tails")[below(2)]
>>> coin = plain_game(Coin, "coin", seats=(1, 1), scores=(0, 1), max_turns=0)
>>> states = coin.new(1, 0)
>>> states[0].apply(coin.parse("toss heads"))
>>> states[0].why_not(coin.parse("tails")), states[0].seen(coin.parse("toss tails"), 0) == coin.parse("toss ?")
(0, True)
>>> coin.codes
([0, 1], [2, 3])
"""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from types import SimpleNamespace
from typing import Any, ClassVar, Self

import numpy as np

from kibitz.game.actions import IllegalAction, InvalidAction
from kibitz.game.definition import CHANCE, OVER, RANDOM, Game, States, scratch_fields
from kibitz.ground import rng
from kibitz.ground.folders import from_here
from kibitz.ground.jit import plain
from kibitz.ground.plain_states import OBJECT, PlainStates
from kibitz.ground.texts import Mistake

_below = plain(rng.below)


class BrokenRule(Mistake):
    """A rule of somebody's game returns what it must not; the message says which, and where it is written."""

    def __init__(self, rule: Any, problem: str) -> None:
        code = inspect.unwrap(rule).__code__
        super().__init__(f"{from_here(code.co_filename)}, line {code.co_firstlineno}, in {code.co_name}: {problem}")


class PlainWorld(SimpleNamespace):
    """What is hidden in a state: kept as the whole of it."""

    def exact(self) -> tuple[Any, ...]:
        """Everything in it."""
        return _frozen(vars(self))


class PlainState(ABC):
    """One game at one moment. Its attributes are numbers, texts, tuples, frozen sets, and lists of these."""

    #: All that can be done or happen, by name; also what a seat perceives that does not see everything.
    NAMES: ClassVar[tuple[str, ...]] = ()
    #: Those of the names that players can do, and those that chance can, for learning code that numbers them; all by default.
    ACTIONS: ClassVar[tuple[str, ...]] = ()
    OUTCOMES: ClassVar[tuple[str, ...]] = ()
    #: The number of each name, which is its place among them.
    CODES: ClassVar[Mapping[str, int]] = {}
    #: Attributes that make no difference to what may happen: the loop guard leaves them out.
    HISTORY: ClassVar[tuple[str, ...]] = ("turn", "events")
    #: The bots of the game: methods that are called on what a player sees, and return the name of an action.
    BOTS: ClassVar[tuple[str, ...]] = ()

    seats: int
    """How many play."""
    player: int
    """Whose turn it is."""
    turn = 0
    """One player's turn; 0 before the first."""
    events = 0
    """How often chance has decided."""

    def __init_subclass__(cls) -> None:
        cls.CODES = {name: code for code, name in enumerate(cls.NAMES)}

    @abstractmethod
    def __init__(self, seats: int) -> None:
        """The position before the first step, for so many players; what is dealt is a step of chance."""

    @abstractmethod
    def actor(self) -> int:
        """Whose move it is: a seat, `CHANCE` or `OVER`."""

    @abstractmethod
    def plays(self) -> Collection[str]:
        """What the player whose move it is may do."""

    @abstractmethod
    def do(self, name: str) -> None:
        """Do it, or let it happen."""

    @abstractmethod
    def score(self, seat: int) -> int:
        """What the end is worth to a seat."""

    def outcomes(self) -> Mapping[str, int]:
        """What chance may do, with whole numbers as weights."""
        return {}

    def worthwhile(self) -> Collection[str]:
        """Those of the plays that a search should try."""
        return self.plays()

    def objection(self, name: str) -> str:
        """Why something may not be done, in words."""
        return f"{name}: not possible now"

    def perceived(self, name: str, seat: int) -> str:
        """What a seat (-1: a spectator) perceives of what is about to be done or to happen: the name of that, or another."""
        return name

    def hide(self, seat: int) -> None:  # noqa: B027 (a game may have nothing to hide)
        """Blank everything that a seat (-1: a spectator) cannot know."""

    def imagine(self, seat: int, below: Callable[[int], int]) -> None:  # noqa: B027 (the same)
        """Fill in at random what has been hidden from a seat; ``below(n)`` draws a number from 0 to ``n - 1``."""

    def moment(self) -> int:
        """Which chance event comes next: games with the same seed meet the same chance in the same moments."""
        return self.events

    @property
    def winner(self) -> int:
        """Who has won; -1 before the end, and where several have won."""
        scores = [self.score(seat) for seat in range(self.seats)] if self.actor() == OVER else [0, 0]
        return scores.index(max(scores)) if scores.count(max(scores)) == 1 else -1

    def kind(self) -> int:
        """What kind of step comes next: 0 chance, 1 a player's."""
        return int(self.actor() != CHANCE)

    def legal(self, x: Any) -> int:
        """Write the legal actions to ``x.actions``; how many there are."""
        return self._write(x, self.plays, dict.fromkeys(self.plays(), 0))

    def sensible(self, x: Any) -> int:
        """The same for those that a search should try."""
        return self._write(x, self.worthwhile, dict.fromkeys(self.worthwhile(), 0))

    def weights(self, x: Any) -> int:
        """Write chance's outcomes to ``x.actions`` and their weights to ``x.weights``; how many there are."""
        found = self.outcomes()
        for name, weight in found.items():
            if not isinstance(weight, int | np.integer) or weight <= 0:
                raise BrokenRule(self.outcomes, f"{name!r} has the weight {weight!r}: expected a whole number above 0")
        return self._write(x, self.outcomes, found)

    def _write(self, x: Any, rule: Any, found: Mapping[str, int]) -> int:
        if not found and self.actor() != OVER:
            raise BrokenRule(rule, "nothing is possible, but the game is not over")
        coded = sorted((self._code(rule, name), weight) for name, weight in found.items())
        x.actions[: len(coded)] = [code for code, _ in coded]
        x.weights[: len(coded)] = [weight for _, weight in coded]
        return len(coded)

    def _code(self, rule: Any, name: str) -> int:
        """The number of what a rule names."""
        try:
            return self.CODES[name]
        except (KeyError, TypeError):
            raise BrokenRule(rule, f"{name!r} is not among the NAMES") from None

    @classmethod
    def parse(cls, name: str) -> int:
        """The number of an action. Raises `InvalidAction`."""
        if name not in cls.CODES:
            raise InvalidAction(f"{name[:40]!r} is not an action")
        return cls.CODES[name]

    def describe(self, a: int) -> str:
        """The name of an action."""
        return self.NAMES[a]

    def why_not(self, a: int) -> int:
        """0 if `a` is legal, else 1; `objection` has the words."""
        actor = self.actor()
        possible = () if actor == OVER else self.outcomes() if actor == CHANCE else self.plays()
        return int(not 0 <= a < len(self.NAMES) or self.NAMES[a] not in possible)

    def apply(self, a: int) -> None:
        """Do `a`, which must be legal."""
        self.events += self.actor() == CHANCE
        self.do(self.NAMES[a])

    def seen(self, a: int, seat: int) -> int:
        """What a seat perceives of `a`, before it is applied."""
        return self._code(self.perceived, self.perceived(self.NAMES[a], seat))

    def peek(self, w: PlainWorld) -> None:
        """The hidden things, into a world."""
        vars(w).update(vars(self.copy()))

    def deal(self, w: PlainWorld) -> None:
        """And back."""
        vars(self).update(_copied(vars(w)))

    def redeal(self, x: Any, seat: int) -> None:
        """Deal a random world that agrees with what a seat sees."""
        self.hide(seat)
        self.imagine(seat, lambda n: int(_below(x, n)))

    def choose(self, x: Any, policy: int) -> int:
        """What one of the bots does; it is shown what its seat sees."""
        view = self.copy()
        view.hide(self.actor())
        bot = getattr(view, self.BOTS[policy - 1])
        return self._code(bot, bot())

    def copy(self) -> Self:
        """An independent copy."""
        twin = object.__new__(type(self))
        vars(twin).update(_copied(vars(self)))
        return twin

    def exact(self) -> tuple[Any, ...]:
        """Everything in it, to tell states apart."""
        return _frozen(vars(self))

    def key(self, view: int | str = "omniscient") -> tuple[Any, ...]:
        """The position as the loop guard compares it, through somebody's eyes."""
        shown = self.copy()
        if view != "omniscient":
            shown.hide(view if isinstance(view, int) else -1)
        return _frozen({name: value for name, value in vars(shown).items() if name not in self.HISTORY})


def _copied(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value[:] if isinstance(value, list) else value for name, value in values.items()}


def _frozen(values: Mapping[str, Any]) -> tuple[Any, ...]:
    """Values by name as tuples, which can be compared, hashed and written to a file."""
    return tuple((name, _as_tuple(value)) for name, value in sorted(values.items()))


def _as_tuple(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(map(_as_tuple, value))
    return tuple(sorted(value)) if isinstance(value, frozenset) else value


def plain_game(state: type[PlainState], name: str, *, seats: tuple[int, int], scores: tuple[int, int], max_turns: int) -> Game:
    """The game of these states, under this name.

    `seats` is how many can play, `scores` the least and the most that the end can be worth; no game has more than `max_turns`.
    """

    def refuse(states: States, code: int, reason: int) -> IllegalAction:
        action = state.NAMES[code] if 0 <= code < len(state.NAMES) else f"action {code}"
        return IllegalAction(action, "NOT_POSSIBLE", states[0].objection(action))

    room = len(state.NAMES)
    game = Game(
        name=name,
        seats=seats,
        scores=scores,
        max_turns=max_turns,
        state=OBJECT,
        scratch=np.dtype(scratch_fields(seats=seats[1], actions=room, outcomes=room)),
        world=PlainWorld,
        rules=state,
        describe=state.NAMES.__getitem__,
        parse=state.parse,
        new=lambda seats, seed: PlainStates(game, [state(seats)]),
        policies={"random": RANDOM, **{bot: number for number, bot in enumerate(state.BOTS, start=1)}},
        refuse=refuse,
        codes=(list(map(state.parse, state.ACTIONS or state.NAMES)), list(map(state.parse, state.OUTCOMES or state.NAMES))),
        text=None if state.__str__ is object.__str__ else lambda states, observer: str(states[0]),
    )
    return game
