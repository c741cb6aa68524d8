"""What a game is: a struct, a handful of verbs over it, and drivers that are written once for every game.

A game registers its struct and the functions that implement the verbs:

=============================  ==================================================================================
``actor(s)``                   whose move it is: a seat, `CHANCE` or `OVER`
``kind(s)``                    what kind of step comes next, a small number: rolling, building, answering an offer ...
``legal(s, x) -> n``           the legal actions in ascending order in ``x.actions[:n]``
``sensible(s, x) -> n``        those of them that a search should try, likewise: all, or fewer where many are pointless
``why_not(s, a) -> code``      0 if `a` is legal, else the number of the broken rule
``apply(s, a)``                do it; the caller has made sure that it is legal
``weights(s, x) -> n``         chance: the outcomes in ``x.actions[:n]``, their integer weights in ``x.weights[:n]``
``moment(s)``                  chance: a number that names this event within the game (``turn 12, the dice``)
``score(s, seat)``             the score of a seat at the end
``prize(s, seat)``             what the end is worth to a seat that plays to win: the score itself, or 1 for the winner
``seen(s, a, seat)``           what `seat` perceives of `a`, before it is applied
``hide(s, seat)``              blank everything that `seat` cannot know
``peek(s, w)``                 write the hidden things of `s` into the world `w`
``deal(s, w)``                 write the world `w` back into `s`
``redeal(s, x, seat)``         deal a random world that agrees with what `seat` sees (its history left aside)
``choose(s, x, policy)``       the action of a policy of the game's own (``policy >= 1``; 0 is `RANDOM`, everywhere)
``tally(s, x, a)``             count in ``x.tally`` what the end will not tell, before `a` is applied
=============================  ==================================================================================

In compiled code the verb is chosen by the type of `s` at compile time; in plain Python at run time, where `s`
may also be an ordinary object: a *plain game*, too rich for a struct, brings the verbs as methods of its states
(and ``copy()``; ``key(view)`` for loops; for trees ``exact()``, everything in it as something hashable, which its worlds
have, too), and `PlainStates` stand where other games have arrays of structs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import wraps
from types import SimpleNamespace
from typing import Any, ParamSpec, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from kibitz.actions import IllegalAction
from kibitz.inner import inner_options
from kibitz.jit import COMPILED, Ints, Row, Vector, field_names, jit, plain, rows
from kibitz.plain_states import PlainScratches, PlainStates
from kibitz.rng import below, chance, child, reseed

P = ParamSpec("P")
R = TypeVar("R")

# States as the verbs want them: an array of structs, or of a plain game's objects. A single one is an array of one.
States: TypeAlias = npt.NDArray[np.void]

CHANCE = -1
OVER = -2
#: The policy that every game has: any legal action, all equally likely.
RANDOM = 0

VERBS = (
    "actor",
    "kind",
    "legal",
    "sensible",
    "why_not",
    "apply",
    "weights",
    "moment",
    "score",
    "prize",
    "seen",
    "hide",
    "peek",
    "deal",
    "redeal",
    "choose",
    "tally",
)


class Scratch(Protocol):
    """What the generic drivers need of a game's scratch struct."""

    seed: int
    random: int
    policy: Vector
    actions: Vector
    weights: Vector
    tally: Vector


def scratch_fields(seats: int, actions: int, outcomes: int) -> list[tuple[Any, ...]]:
    """The fields of a scratch struct: seeds, policy and tally of each seat, room for legal actions and for outcomes."""
    return [
        ("seed", np.uint64),
        ("random", np.uint64),
        ("actions", np.int32, (actions,)),
        ("weights", np.int32, (outcomes,)),
        ("policy", np.int32, (seats,)),
        ("tally", np.int32, (seats,)),
    ]


def _breaks_rule(states: States, code: int, reason: int) -> IllegalAction:
    return IllegalAction(code, str(reason), f"action {code} breaks rule {reason}")


@dataclass(frozen=True, eq=False)
class Game:
    """The facts that a game declares, and its verbs.

    The bounds are promises that `tests/conformance.py` checks: every game ends within `max_turns` turns, with
    scores inside `scores` and prizes inside `prizes` (by default the same).

    Of a plain game, `state` is `OBJECT`, `world` the class of its worlds and `rules` that of its states.
    """

    name: str
    seats: tuple[int, int]
    scores: tuple[int, int]
    max_turns: int
    state: np.dtype[np.void]
    scratch: np.dtype[np.void]
    world: Any
    rules: Any
    describe: Callable[[int], str]
    parse: Callable[[str], int]
    new: Callable[[int, int], npt.NDArray[np.void]]
    policies: dict[str, int] = field(default_factory=dict)
    prizes: tuple[int, int] | None = None
    refuse: Callable[[States, int, int], IllegalAction] = _breaks_rule
    """Says in words why an action is illegal in ``states[0]``, from the number of the rule that it breaks."""
    tree: Any = None
    """What a tree of the game is drawn with (see `kibitz.search.tree`), where the game has words of its own for it."""

    @property
    def stakes(self) -> tuple[int, int]:
        """The least and the most that the end can be worth to a seat."""
        return self.prizes or self.scores

    @property
    def is_plain(self) -> bool:
        """Whether its states are objects of plain Python."""
        return self.state.hasobject

    def scratches(self, n: int = 1) -> Any:
        """`n` scratch structs, ready to be handed to the verbs."""
        return PlainScratches(self.scratch, n) if self.is_plain else structs(self.scratch, n)

    def room(self, n: int) -> States:
        """Room for `n` states."""
        return PlainStates(self, [None] * n) if self.is_plain else structs(self.state, n)

    @property
    def plain(self) -> Any:
        """The verbs, uncompiled."""
        if self.is_plain:
            return self.rules
        return SimpleNamespace(**{verb: plain(getattr(self.rules, verb)) for verb in VERBS})


def structs(dtype: np.dtype[np.void], n: int = 1) -> npt.NDArray[np.void]:
    """`n` zeroed structs as compiled code (or plain mode) wants them."""
    return as_structs(np.zeros(n, dtype))


def as_structs(array: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    """An array of structs as compiled code (or plain mode) wants it."""
    return array if COMPILED else rows(array)


def seat_policies(xs: Any, policies: Sequence[int]) -> None:
    """Let these policies sit at the table of ``xs[0]``."""
    xs["policy"][0][: len(policies)] = policies


def copied(states: States) -> States:
    """Independent copies of all states; NumPy's own copy of structs goes field by field and takes seventy times as long."""
    if isinstance(states, PlainStates):
        return states.copy()
    return as_structs(np.frombuffer(bytearray(states.tobytes()), states.dtype))


def repeated(states: States, n: int) -> States:
    """`n` independent copies of an array of one state."""
    if isinstance(states, PlainStates):
        return PlainStates(states.game, [states[0].copy() for _ in range(n)])
    return as_structs(np.repeat(np.asarray(states), n))


# --- registration and dispatch ----------------------------------------------------------------------------

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


# --- drivers ----------------------------------------------------------------------------------------------


@jit
def draw(s: Any, x: Scratch) -> int:
    """One outcome of chance, by its weight: the same for the same seed and moment, whatever came before."""
    n = weights(s, x)
    total = 0
    for i in range(n):
        total += x.weights[i]
    at = chance(x, moment(s), total)
    for i in range(n - 1):
        at -= x.weights[i]
        if at < 0:
            return x.actions[i]
    return x.actions[n - 1]


@jit
def decide_by(s: Any, x: Scratch, seat: int, policy: int) -> int:
    """What comes next: chance's draw, or the choice of a policy."""
    if seat == CHANCE:
        return draw(s, x)
    if policy == RANDOM:
        return x.actions[below(x, legal(s, x))]
    return choose(s, x, policy)


@jit
def decide(s: Any, x: Scratch, seat: int) -> int:
    """What comes next at this table, where each seat has its policy."""
    return decide_by(s, x, seat, x.policy[max(seat, 0)])


@jit
def begin(x: Scratch, seed: int) -> None:
    """Make the scratch struct ready for the game with this seed."""
    reseed(x, seed)
    for i in range(len(x.tally)):
        x.tally[i] = 0


@jit
def do(s: Any, x: Scratch, a: int) -> None:
    """Count an action and apply it."""
    tally(s, x, a)
    apply(s, a)


@jit
def play_out(s: Any, x: Scratch) -> int:
    """Play the game to its end with the policies in ``x.policy``; how many steps that took."""
    steps = 0
    seat = actor(s)
    while seat != OVER:
        do(s, x, decide(s, x, seat))
        seat = actor(s)
        steps += 1
    return steps


# --- doors for Python: arrays and an index, since handing over a struct itself costs ten times as much -----


def _for_plain(argument: Any) -> Any:
    """Numbers as Python's own, which do not overflow."""
    if isinstance(argument, np.integer):
        return int(argument)
    return argument.view(Ints) if type(argument) is np.ndarray and argument.dtype.kind in "iu" else argument


def door(f: Callable[P, R]) -> Callable[P, R]:
    """Compile `f` for Python's use; states or scratch structs of a plain game are left to its uncompiled twin."""
    compiled: Any = jit(f)
    if not COMPILED:
        return compiled  # type: ignore[no-any-return]

    @wraps(f)
    def enter(*args: P.args, **kwargs: P.kwargs) -> R:
        if type(args[0]) is PlainStates or type(args[0]) is PlainScratches:
            return plain(compiled)(*map(_for_plain, args), **kwargs)  # type: ignore[no-any-return]
        return compiled(*args, **kwargs)  # type: ignore[no-any-return]

    enter.py_func = f  # type: ignore[attr-defined]
    return enter


@door
def actor_at(states: Any, i: int) -> int:
    """`actor` of ``states[i]``."""
    return actor(states[i])


@door
def legal_at(states: Any, i: int, xs: Any, j: int) -> int:
    """`legal` of ``states[i]`` into ``xs[j]``."""
    return legal(states[i], xs[j])


@door
def sensible_at(states: Any, i: int, xs: Any, j: int) -> int:
    """`sensible` of ``states[i]`` into ``xs[j]``."""
    return sensible(states[i], xs[j])


@door
def weights_at(states: Any, i: int, xs: Any, j: int) -> int:
    """`weights` of ``states[i]`` into ``xs[j]``."""
    return weights(states[i], xs[j])


@door
def why_not_at(states: Any, i: int, a: int) -> int:
    """`why_not` of ``states[i]``."""
    return why_not(states[i], a)


@door
def apply_at(states: Any, i: int, a: int) -> None:
    """`apply` to ``states[i]``."""
    apply(states[i], a)


@door
def decide_at(states: Any, i: int, xs: Any, j: int) -> int:
    """`decide` for ``states[i]``, which must not be over."""
    return decide(states[i], xs[j], actor(states[i]))


@door
def seen_at(states: Any, i: int, a: int, seat: int) -> int:
    """`seen` of ``states[i]``."""
    return seen(states[i], a, seat)


@door
def hide_at(states: Any, i: int, seat: int) -> None:
    """`hide` in ``states[i]``."""
    hide(states[i], seat)


@door
def peek_at(states: Any, i: int, worlds: Any, j: int) -> None:
    """`peek` of ``states[i]`` into ``worlds[j]``."""
    peek(states[i], worlds[j])


@door
def deal_at(states: Any, i: int, worlds: Any, j: int) -> None:
    """`deal` of ``worlds[j]`` into ``states[i]``."""
    deal(states[i], worlds[j])


@door
def redeal_at(states: Any, i: int, xs: Any, j: int, seat: int) -> None:
    """`redeal` in ``states[i]``."""
    redeal(states[i], xs[j], seat)


@door
def deal_all(states: Any, worlds: Any) -> None:
    """`deal` of ``worlds[i]`` into ``states[i]``, for all."""
    for i in range(len(states)):
        deal(states[i], worlds[i])


@door
def redeal_all(states: Any, xs: Any, seat: int, seed: int) -> None:
    """`redeal` in all states; what comes of number i depends on `seed` and i alone."""
    for i in range(len(states)):
        reseed(xs[0], child(seed, i))
        redeal(states[i], xs[0], seat)


@door
def score_at(states: Any, i: int, seat: int) -> int:
    """`score` of ``states[i]``."""
    return score(states[i], seat)


@door
def reseed_at(xs: Any, j: int, seed: int) -> None:
    """`kibitz.rng.reseed` of ``xs[j]``."""
    reseed(xs[j], seed)


@jit
def number_seeds(seeds: Any, seed: int, number: int) -> None:
    """The seeds of the games `number`, ``number + 1``, ... of a series: ``child(seed, number)`` and so on."""
    for i in range(len(seeds)):
        seeds[i] = child(seed, number + i)


@door
def play_range(starts: Any, which: Any, seeds: Any, states: Any, tallies: Any, xs: Any, j: int, first: int, last: int) -> int:
    """Games `first` to `last - 1` of a list to their ends in ``states``, with their tallies; how many steps they took.

    Game i begins at ``starts[which[i]]`` with the seed ``seeds[i]`` and depends on nothing else.
    """
    steps = 0
    x = xs[j]
    for i in range(first, last):
        states[i] = starts[which[i]]
        begin(x, seeds[i])
        steps += play_out(states[i], x)
        for seat in range(len(x.tally)):
            tallies[i, seat] = x.tally[seat]
    return steps


@door
def score_all(states: Any, scores: Any) -> None:
    """The `score` of every seat in every state, into ``scores[state, seat]``."""
    for i in range(len(scores)):
        for seat in range(scores.shape[1]):
            scores[i, seat] = score(states[i], seat)


def outcomes(states: npt.NDArray[np.void], i: int = 0) -> list[tuple[int, Fraction]]:
    """The outcomes of the chance event in ``states[i]`` with their exact probabilities.

    >>> from kibitz.examples import kuhn
    >>> outcomes(kuhn.GAME.new(2, 0))
    [(2, Fraction(1, 3)), (3, Fraction(1, 3)), (4, Fraction(1, 3))]
    """
    xs = game_of(states).scratches()
    n = weights_at(states, i, xs, 0)
    actions, counts = _written(xs, "actions", n), _written(xs, "weights", n)
    return [(a, Fraction(w, sum(counts))) for a, w in zip(actions, counts, strict=True)]


def legal_actions(states: npt.NDArray[np.void], i: int = 0) -> list[int]:
    """The legal actions in ``states[i]``, ascending; at a chance event its outcomes, at the end none."""
    xs = game_of(states).scratches()
    seat = actor_at(states, i)
    if seat == OVER:
        return []
    n = weights_at(states, i, xs, 0) if seat == CHANCE else legal_at(states, i, xs, 0)
    return _written(xs, "actions", n)


def sensible_actions(states: npt.NDArray[np.void], i: int = 0) -> list[int]:
    """The actions in ``states[i]`` that a search should try, ascending; a player is to move."""
    xs = game_of(states).scratches()
    n = sensible_at(states, i, xs, 0)
    return _written(xs, "actions", n)


def _written(xs: Any, name: str, n: int) -> list[int]:
    """The first numbers of a field of ``xs[0]``."""
    return [int(number) for number in xs[name][0][:n]]


def to_dict(states: npt.NDArray[np.void], i: int = 0) -> dict[str, Any]:
    """A state as plain numbers by field name, for files."""
    row = np.asarray(states)[i]
    return {name: row[name].tolist() for name in field_names(states.dtype)}


def from_dict(game: Game, values: dict[str, Any]) -> npt.NDArray[np.void]:
    """The state (an array of one) that `to_dict` described."""
    states = structs(game.state)
    for name in field_names(game.state):
        states[name][0] = values[name]
    return states
