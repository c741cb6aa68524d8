"""The verbs: what generic code asks of every game, each declared once, below.

A verb is a function without a body, decorated with `verb`: its name, its arguments and its docstring say all that there is to
say. What it does is up to the games: the rules of a game bring a function of the same name (a plain game: a method of its
states). A verb with a default is optional.

`s` is a state, `x` the scratch struct of whoever asks, `w` a world, `a` an action. `seen`, `news` and `hide` are also asked for
a spectator, whose seat is -1. In compiled code the implementation is chosen by the type of `s` when the call is compiled; in
plain Python when the call is made, where `s` may also be an ordinary object.
"""
# mypy: disable-error-code="empty-body"

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from types import SimpleNamespace
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np

from kibitz.game.definition import Game, States
from kibitz.ground.inner import inner_options
from kibitz.ground.jit import COMPILED, Row, jit, plain
from kibitz.ground.plain_states import PlainStates

F = TypeVar("F", bound=Callable[..., Any])

#: What serves a game that does not bring a verb: another verb, by its name, or a function.
Default: TypeAlias = "str | Callable[..., Any] | None"

_GAMES: dict[str, Game] = {}
_BY_DTYPE: dict[Any, Game] = {}


@dataclass(frozen=True)
class Verb:
    """A verb as it was declared."""

    name: str
    arguments: tuple[str, ...]
    meaning: str
    default: Default = None

    def of(self, rules: Any) -> Any:
        """The implementation in a game's rules, or what serves in its place. Raises a TypeError where there is neither."""
        found = getattr(rules, self.name, None)
        if found is not None:
            return found
        if self.default is None:
            raise TypeError(f"the rules lack {self.name}")
        return VERBS[self.default].of(rules) if isinstance(self.default, str) else self.default


#: All verbs by name, in their order.
VERBS: dict[str, Verb] = {}


def verb(default: Default = None) -> Callable[[F], F]:
    """Declare a verb: the decorated function says how it is called and what it means."""

    def declare(declared: F) -> F:
        name, arguments = declared.__name__, tuple(signature(declared).parameters)
        is_number = signature(declared).return_annotation == "int"
        own = VERBS[name] = Verb(name, arguments, (declared.__doc__ or "").partition("\n")[0], default)
        chosen: dict[Any, Any] = {}

        @wraps(declared)
        def call(s: Any, *others: Any) -> Any:
            key = (s.dtype, type(s)) if isinstance(s, Row | np.void) else type(s)
            if key not in chosen:
                chosen[key] = _choose(own, s)
            found = chosen[key](s, *others)
            return int(found) if is_number else found

        if COMPILED:
            _dispatch(own, call)
        return cast("F", call)

    return declare


def _choose(wanted: Verb, s: Any) -> Any:
    """The implementation for `s`: plain for plain rows and objects, compiled for structs."""
    if isinstance(s, Row):
        return plain(wanted.of(_BY_DTYPE[s.dtype].rules))
    return wanted.of(_BY_DTYPE[s.dtype].rules) if isinstance(s, np.void) else _twin(wanted.of(type(s)))


def _twin(implementation: Any) -> Any:
    """A method of a plain game as it is, a default uncompiled."""
    return plain(implementation) if hasattr(implementation, "py_func") else implementation


def _dispatch(wanted: Verb, call: Any) -> None:
    """Let compiled code call a verb: the implementation is chosen by the type of the state.

    Numba compares the signatures of `one`, `two`, `three` with those they return, hence no type hints. A GPU takes
    the overload without options.
    """
    from numba.extending import overload

    def one(s):  # type: ignore[no-untyped-def]
        f = wanted.of(_BY_DTYPE[s].rules)
        return lambda s: f(s)

    def two(s, a):  # type: ignore[no-untyped-def]
        f = wanted.of(_BY_DTYPE[s].rules)
        return lambda s, a: f(s, a)

    def three(s, a, b):  # type: ignore[no-untyped-def]
        f = wanted.of(_BY_DTYPE[s].rules)
        return lambda s, a, b: f(s, a, b)

    implementation = [one, two, three][len(wanted.arguments) - 1]
    overload(call)(implementation)
    overload(call, inner_options(optimised=True), target="cpu")(implementation)


@verb()
def actor(s: Any) -> int:
    """Whose move it is: a seat, `CHANCE` or `OVER`."""


@jit
def step_of_actor(s: Any) -> int:
    """The kind of step in a game that tells only those of chance, the end and each seat apart."""
    return actor(s) + 2


@verb(default=step_of_actor)
def kind(s: Any) -> int:
    """What kind of step comes next: a number from 0 to 62 whose meaning is the game's own. By default, who is to move."""


@verb()
def legal(s: Any, x: Any) -> int:
    """Write the legal actions to ``x.actions`` in ascending order; how many there are."""


@verb(default="legal")
def sensible(s: Any, x: Any) -> int:
    """The same for those that a search should try: all legal ones by default, or fewer where many are pointless."""


@verb()
def why_not(s: Any, a: int) -> int:
    """0 if `a` is legal, else the number of the broken rule."""


@verb()
def apply(s: Any, a: int) -> None:
    """Do `a`; the caller has made sure that it is legal."""


@verb()
def weights(s: Any, x: Any) -> int:
    """Write chance's outcomes to ``x.actions``, ascending, and their integer weights to ``x.weights``; how many there are."""


@verb()
def moment(s: Any) -> int:
    """A number that names the chance event at hand within the game (*turn 12, the dice*)."""


@verb()
def score(s: Any, seat: int) -> int:
    """The score of `seat` at the end."""


@verb(default="score")
def prize(s: Any, seat: int) -> int:
    """What the end is worth to a `seat` that plays to win: the score by default, or 1 for the winner."""


@verb()
def seen(s: Any, a: int, seat: int) -> int:
    """What `seat` perceives of `a`, before it is applied: a label. Who does it perceives `a` itself."""


@jit
def no_news(s: Any, a: int, seat: int) -> int:
    """Nothing: what `seen` says is all that anybody learns."""
    return 0


@verb(default=no_news)
def news(s: Any, a: int, seat: int) -> int:
    """What `seat` learns at once from what `a` does, as a number above 0; 0, the default, for nothing.

    Where an action shows hidden things to somebody (how many cards everybody has to hand over), who acts cannot know that
    before. So it is not part of the label `seen`, by which players choose. An action that may tell something never tells 0:
    that nobody has such a card is news, too.
    """


@verb()
def hide(s: Any, seat: int) -> None:
    """Blank everything that `seat` cannot know."""


@verb()
def peek(s: Any, w: Any) -> None:
    """Write the hidden things of `s` into the world `w`."""


@verb()
def deal(s: Any, w: Any) -> None:
    """Write the world `w` back into `s`."""


@verb()
def redeal(s: Any, x: Any, seat: int) -> None:
    """Deal a random world that agrees with what `seat` sees (its history left aside)."""


@jit
def lowest(s: Any, x: Any, policy: int) -> int:
    """The lowest legal action."""
    legal(s, x)
    return x.actions[0]  # type: ignore[no-any-return]


@verb(default=lowest)
def choose(s: Any, x: Any, policy: int) -> int:
    """The action that a policy of the game's own takes (``policy >= 1``; 0 is `RANDOM` in every game)."""


@jit
def nothing(s: Any, x: Any, a: int) -> None:
    """Count nothing."""


@verb(default=nothing)
def tally(s: Any, x: Any, a: int) -> None:
    """Count in ``x.tally`` what the end will not tell, before `a` is applied. By default there is nothing to count."""


@verb(default=nothing)
def luck(s: Any, x: Any, a: int) -> None:
    """Add to ``x.luck`` how much better than average the outcome `a` of chance is for each seat, before it is applied.

    A guess, in parts of `Game.luck`, which is asked for only if ``x.weighing`` is set. However bad the guess, its mean over the
    outcomes of a chance event, by their weights, is exactly 0: so it can be subtracted from what came of a game. By default
    there is no luck.
    """


@jit
def no_inputs(s: Any, x: Any) -> int:
    """No numbers: there is no evaluator."""
    return 0


@verb(default=no_inputs)
def inputs(s: Any, x: Any) -> int:
    """Write what the evaluator looks at to ``x.inputs``, equally many small numbers for each seat; how many for a seat."""


@verb(default=no_inputs)
def value(s: Any, x: Any) -> int:
    """Write every seat's chance to win in a whole state to ``x.values``; 0 where nothing can judge it, else 1.

    Certainty is `kibitz.game.evaluator.SURE`.
    """


@jit
def always(s: Any) -> int:
    """Every position."""
    return 1


@verb(default=always)
def settled(s: Any) -> int:
    """1 where nothing is under way (a turn has ended, say), so that the evaluator judges best; 1 everywhere by default."""


def lacking(rules: Any) -> list[str]:
    """The verbs that rules must bring and do not."""
    return [name for name, declared in VERBS.items() if declared.default is None and not hasattr(rules, name)]


def register(game: Game) -> Game:
    """Make a game known to the verbs. Refuses a second game with the same name or the same struct."""
    if missing := lacking(game.rules):
        raise TypeError(f"{game.name}: the rules lack {', '.join(missing)}")
    if game.name in _GAMES:
        raise ValueError(f"a game named {game.name} is registered already")
    if game.state in _BY_DTYPE:
        raise ValueError(f"{game.name}: {_BY_DTYPE[game.state].name} has the same struct")
    _GAMES[game.name] = game
    _BY_DTYPE[game.state] = game
    if COMPILED:
        import numba

        _BY_DTYPE[numba.from_dtype(game.state)] = game
    return game


def uncompiled(game: Game) -> Any:
    """All verbs of a game as plain Python, by name."""
    twin = _twin if game.is_plain else plain
    return SimpleNamespace(**{name: twin(declared.of(game.rules)) for name, declared in VERBS.items()})


def game_of(s: Any) -> Game:
    """The game that a state (a struct, an array of them, or a compiler's type) belongs to."""
    if isinstance(s, PlainStates):
        own: Game = s.game
        return own
    return _BY_DTYPE[getattr(s, "dtype", s)]


def seats_of(states: States) -> int:
    """How many play: what the states say, where the number is not always the same."""
    if isinstance(states, PlainStates):
        return int(getattr(states[0], "seats", states.game.seats[1]))
    return int(states["seats"][0]) if "seats" in (states.dtype.names or ()) else game_of(states).seats[1]


def copy(states: Any, to: int, source: int) -> None:
    """``states[to]`` becomes an independent copy of ``states[source]``."""
    states[to] = states[source]


if COMPILED:
    from numba.extending import overload

    @overload(copy)
    def _copy(states, to, source):  # type: ignore[no-untyped-def]
        def assign(states, to, source):  # type: ignore[no-untyped-def]
            states[to] = states[source]

        return assign
