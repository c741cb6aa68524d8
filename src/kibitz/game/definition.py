"""What a game declares: its facts, its structs and who implements its verbs; and how seats are named in files and sentences."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from kibitz.game.actions import IllegalAction
from kibitz.ground.jit import COMPILED, Vector, field_names, rows
from kibitz.ground.plain_states import PlainScratches, PlainStates


# States as the verbs want them: an array of structs, or of a plain game's objects. A single one is an array of one.
States: TypeAlias = npt.NDArray[np.void]

CHANCE = -1
OVER = -2
#: The observer who sits nowhere.
SPECTATOR = -1
#: The policy that every game has: any legal action, all equally likely.
RANDOM = 0


class Scratch(Protocol):
    """What the generic drivers need of a game's scratch struct."""

    seed: int
    random: int
    net: int
    book: int
    tables: int
    policy: Vector
    actions: Vector
    weights: Vector
    tally: Vector
    values: Vector
    weighing: int
    luck: Vector


def scratch_fields(seats: int, actions: int, outcomes: int) -> list[tuple[Any, ...]]:
    """The fields of a scratch struct: seeds, room for legal actions and outcomes; each seat's policy, tally, value and luck."""
    return [
        ("seed", np.uint64),
        ("random", np.uint64),
        ("net", np.int64),
        ("tables", np.int64),
        ("book", np.int32),
        ("actions", np.int32, (actions,)),
        ("weights", np.int32, (outcomes,)),
        ("policy", np.int32, (seats,)),
        ("tally", np.int32, (seats,)),
        ("values", np.int32, (seats,)),
        ("weighing", np.int32),
        ("luck", np.int32, (seats,)),
    ]


def _breaks_rule(states: States, code: int, reason: int) -> IllegalAction:
    return IllegalAction(code, str(reason), f"action {code} breaks rule {reason}")


def _not_seen(label: int) -> str:  # not a lambda: games are pickled
    return "something unseen"


@dataclass(frozen=True)
class GuardedFields:
    """What a loop guard has to be told about a struct: which fields do not count, and which of them count something.

    (A plain game says it with methods of its states: see `kibitz.loops.protocol.PlainGame`.)
    """

    excluded: tuple[str, ...] = ("turn",)
    """Fields that are not part of what is compared: history, such as the number of the turn."""
    resources: tuple[str, ...] = ()
    """Numbers, or one number for each seat, that can grow or drain."""


@dataclass(frozen=True, eq=False)
class Game:
    """The facts that a game declares, and its verbs.

    The bounds are promises that `kibitz.testing.check_game` checks: every game ends within `max_turns` turns, with
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
    guarded: GuardedFields = GuardedFields()
    """What a loop guard compares."""
    text: Callable[[States, int | None], str] | None = None
    """A position (``states[0]``) as text, for who sees it: a seat, -1 for a spectator, None for everything.

    What the seat cannot know is hidden in it already. Without this the fields of the state are shown.
    """
    svg: Callable[[States, int | None], str] | None = None
    """The same as a picture."""
    codes: tuple[Collection[int], Collection[int]] | None = None
    """The codes of all actions of players, and of all outcomes of chance: learning code numbers its actions by them."""
    nets: Any = None
    """The networks of the evaluator (a `kibitz.game.nets.NetShelf`), where the game has one."""
    school: Any = None
    """How they are trained (a `kibitz.game.nets.School`)."""
    tables: Any = None
    """Learned bytes that its policies read by address (something with ``bytes`` and their ``address``), where it has any."""
    luck: int = 0
    """What stands for a whole prize in what the verb `luck` counts; 0 where the game does not bring it."""
    unseen: Callable[[int], str] = _not_seen
    """What somebody perceives who does not see an action: a label of ``seen`` that is negative, in words."""

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
        if self.is_plain:
            return PlainScratches(self.scratch, n)
        xs = structs(self.scratch, n)
        if self.nets:
            xs["net"] = self.nets.address
        if self.tables:
            xs["tables"] = self.tables.address
        return xs

    def room(self, n: int) -> States:
        """Room for `n` states."""
        return PlainStates(self, [None] * n) if self.is_plain else structs(self.state, n)


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


def concatenated(parts: Sequence[States]) -> States:
    """The states of all parts, which are of the same game, one part after the other."""
    if isinstance(parts[0], PlainStates):
        return PlainStates(parts[0].game, [state for part in parts for state in part])
    return as_structs(np.concatenate(parts))


def exact(states: States) -> Any:
    """Everything in ``states[0]``, as something that can be compared and hashed."""
    return states[0].exact() if isinstance(states, PlainStates) else states[:1].tobytes()


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


class Told(NamedTuple):
    """One sentence about a game: in which turn, and of which seat it tells (-1: of nobody)."""

    turn: int
    seat: int
    text: str


def actor_name(seat: int) -> int | str | None:
    """A seat, ``"chance"``, or None when the game is over.

    >>> [actor_name(seat) for seat in (1, CHANCE, OVER)]
    [1, 'chance', None]
    """
    return "chance" if seat == CHANCE else None if seat == OVER else seat


def seat_or_none(seat: int) -> int | None:
    """None for nobody, who is -1 in all states.

    >>> seat_or_none(-1), seat_or_none(0)
    (None, 0)
    """
    return None if seat < 0 else seat


def observer_name(observer: int) -> str:
    """A player, counted from 1, or a spectator.

    >>> observer_name(0), observer_name(SPECTATOR)
    ('player 1', 'a spectator')
    """
    return "a spectator" if observer == SPECTATOR else f"player {observer + 1}"
