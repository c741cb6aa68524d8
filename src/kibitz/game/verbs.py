"""The verbs, for every game: which game a state belongs to, and which function of it is called."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.game.definition import VERBS, Game, States
from kibitz.ground.inner import inner_options
from kibitz.ground.jit import COMPILED, Row
from kibitz.ground.plain_states import PlainStates

_GAMES: dict[str, Game] = {}
_BY_DTYPE: dict[Any, Game] = {}
_PLAIN_RULES: dict[Any, Any] = {}


def register(game: Game) -> Game:
    """Make a game known to the verbs. Refuses a second game with the same name or the same struct."""
    missing = [verb for verb in VERBS if not hasattr(game.rules, verb)]
    if missing:
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


def _rules(s: Any) -> Any:
    """The implementation of the verbs for `s`: plain for plain rows and objects, compiled for structs."""
    if isinstance(s, Row):
        if s.dtype not in _PLAIN_RULES:
            _PLAIN_RULES[s.dtype] = _BY_DTYPE[s.dtype].plain
        return _PLAIN_RULES[s.dtype]
    return _BY_DTYPE[s.dtype].rules if isinstance(s, np.void) else type(s)


def actor(s: Any) -> int:
    """Whose move it is: a seat, `CHANCE` or `OVER`."""
    return int(_rules(s).actor(s))


def kind(s: Any) -> int:
    """What kind of step comes next: a number from 0 to 62 whose meaning is the game's own."""
    return int(_rules(s).kind(s))


def legal(s: Any, x: Any) -> int:
    """Write the legal actions to ``x.actions`` in ascending order; how many there are."""
    return int(_rules(s).legal(s, x))


def sensible(s: Any, x: Any) -> int:
    """Write the legal actions that a search should try to ``x.actions`` in ascending order; how many there are."""
    return int(_rules(s).sensible(s, x))


def why_not(s: Any, a: int) -> int:
    """0 if `a` is legal, else the number of the broken rule."""
    return int(_rules(s).why_not(s, a))


def apply(s: Any, a: int) -> None:
    """Do `a`, which must be legal."""
    _rules(s).apply(s, a)


def weights(s: Any, x: Any) -> int:
    """Write chance's outcomes to ``x.actions`` and their weights to ``x.weights``; how many there are."""
    return int(_rules(s).weights(s, x))


def moment(s: Any) -> int:
    """A number that names the chance event at hand within the game."""
    return int(_rules(s).moment(s))


def score(s: Any, seat: int) -> int:
    """The score of `seat` at the end."""
    return int(_rules(s).score(s, seat))


def prize(s: Any, seat: int) -> int:
    """What the end is worth to `seat`."""
    return int(_rules(s).prize(s, seat))


def seen(s: Any, a: int, seat: int) -> int:
    """What `seat` perceives of `a`, before it is applied."""
    return int(_rules(s).seen(s, a, seat))


def hide(s: Any, seat: int) -> None:
    """Blank everything that `seat` cannot know."""
    _rules(s).hide(s, seat)


def peek(s: Any, w: Any) -> None:
    """Write the hidden things of `s` into the world `w`."""
    _rules(s).peek(s, w)


def deal(s: Any, w: Any) -> None:
    """Write the world `w` into `s`."""
    _rules(s).deal(s, w)


def redeal(s: Any, x: Any, seat: int) -> None:
    """Deal a random world that agrees with what `seat` sees."""
    _rules(s).redeal(s, x, seat)


def choose(s: Any, x: Any, policy: int) -> int:
    """The action that one of the game's own policies takes."""
    return int(_rules(s).choose(s, x, policy))


def tally(s: Any, x: Any, a: int) -> None:
    """Count in ``x.tally`` what the end will not tell, before `a` is applied."""
    _rules(s).tally(s, x, a)


def copy(states: Any, to: int, source: int) -> None:
    """``states[to]`` becomes an independent copy of ``states[source]``."""
    states[to] = states[source]


if COMPILED:
    from numba.extending import overload

    def _dispatch(verb: str, arguments: int) -> None:
        """Let compiled code call a verb: the implementation is chosen by the type of the state.

        Numba compares the signatures of `one`, `two`, `three` with those they return, hence no type hints. A GPU takes
        the overload without options.
        """

        def one(s):  # type: ignore[no-untyped-def]
            f = getattr(_BY_DTYPE[s].rules, verb)
            return lambda s: f(s)

        def two(s, a):  # type: ignore[no-untyped-def]
            f = getattr(_BY_DTYPE[s].rules, verb)
            return lambda s, a: f(s, a)

        def three(s, a, b):  # type: ignore[no-untyped-def]
            f = getattr(_BY_DTYPE[s].rules, verb)
            return lambda s, a, b: f(s, a, b)

        implementation = [one, two, three][arguments - 1]
        overload(globals()[verb])(implementation)
        overload(globals()[verb], inner_options(optimised=True), target="cpu")(implementation)

    for _verb, _arguments in {
        **dict.fromkeys(("actor", "kind", "moment"), 1),
        **dict.fromkeys(("legal", "sensible", "why_not", "apply", "weights", "score", "prize", "hide", "peek", "deal"), 2),
        **dict.fromkeys(("seen", "redeal", "choose", "tally"), 3),
    }.items():
        _dispatch(_verb, _arguments)

    @overload(copy)
    def _copy(states, to, source):  # type: ignore[no-untyped-def]
        def assign(states, to, source):  # type: ignore[no-untyped-def]
            states[to] = states[source]

        return assign
