"""A whole profile for a game of which nothing is known but its `kibitz.game.Game`: what serves any game.

Actions are their texts, positions their fields (or the text and the picture that the game offers), the bots are `random`, the
game's own policies, and a search.

>>> from kibitz.examples.kuhn import GAME
>>> known = profile_of(GAME)
>>> known.title, known.bots
('Kuhn', ('random', 'honest', 'ismcts'))
>>> state = known.state(GAME.new(2, 0), seed=1).resolve()
>>> state.title, [action.to_text() for action in state.legal_actions()]
('player 1 to move', ['pass', 'bet'])
>>> print(known.text(state.observe(0), ["Ann", "Bob"]))
card: 2 -1
moves: 0 0 0
done: 0
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.game import CHANCE, OVER, RANDOM, Game, States, actor_at, game_of, score_at, to_dict
from kibitz.game.actions import InvalidAction
from kibitz.game.definition import as_structs, concatenated, seat_or_none
from kibitz.game.doors import counts_turns, turn_of, winner_of
from kibitz.game.files import RecordError, get
from kibitz.game.record import GameRecord, RecordFiles
from kibitz.game.state import FriendlyState
from kibitz.ground.plain_states import PlainStates
from kibitz.ground.rng import derive_seed
from kibitz.play import profile, registry
from kibitz.play.profile import Profile, Tournament, late

if TYPE_CHECKING:
    from kibitz.play.bots import Bot, Player

#: The usual length of a tournament, in compiled games and in others.
GAMES, PLAIN_GAMES = 4000, 400


@dataclass(frozen=True)
class TextAction:
    """An action, as the game writes it."""

    text: str

    def to_text(self) -> str:
        """One line, as people write it."""
        return self.text

    def to_json(self) -> dict[str, Any]:
        """The first word as its `kind`, and `what` follows."""
        kind, _, rest = self.text.partition(" ")
        return {"kind": kind, "data": {"what": rest} if rest else {}}


def code_of(game: Game, text: str) -> int:
    """The code of an action of this text. Raises `InvalidAction`."""
    try:
        code = int(game.parse(text))
    except (ValueError, LookupError):
        raise InvalidAction(f"{text[:60]!r} is not an action of {game.name}") from None
    return code


def position_of(states: States) -> dict[str, Any]:
    """Everything in ``states[0]``: the fields of a struct by name, of a plain game what ``exact()`` says."""
    if isinstance(states, PlainStates):
        return {"exact": json.loads(json.dumps(states[0].exact(), default=str))}
    return to_dict(states)


class AnyState(FriendlyState[TextAction]):
    """One game of any kind at one moment. `apply` returns a new state; nothing changes this one."""

    __slots__ = ()
    OPENING = "before the first turn"

    @property
    def game(self) -> Game:
        """The game that is played."""
        return game_of(self._states)

    @property
    def turn_number(self) -> int:
        """What the game says of it; 0 where it does not count turns."""
        return turn_of(self._states)

    @property
    def counts_turns(self) -> bool:
        """Whether the game has turns."""
        return counts_turns(self._states)

    @property
    def phase(self) -> str:
        """``chance``, ``move`` or ``over``."""
        return {CHANCE: "chance", OVER: "over"}.get(actor_at(self._states, 0), "move")

    @property
    def winner_id(self) -> int | None:
        """The winner that the game names, else the one seat with the highest score; None before the end and in a draw."""
        return seat_or_none(winner_of(self._states))

    def action_of(self, code: int) -> TextAction:
        """The action (or outcome of chance) of an integer code."""
        return TextAction(self.game.describe(code))

    def code_of(self, action: TextAction) -> int:
        """The integer code of an action."""
        return code_of(self.game, action.text)

    def unseen(self, label: int) -> str | None:
        """What is said of something that was not seen; None for an action."""
        return self.game.unseen(label) if label < 0 else None

    def concerns(self) -> int:
        """Who is to move; a spectator's number for chance."""
        return max(int(actor_at(self._states, 0)), CHANCE)

    def _facts(self) -> dict[str, Any]:
        return position_of(self._states)

    def _waits_for(self) -> str:
        return "to move"

    def _packed(self) -> Any:
        return registry.source_of(self.game.name), packed(self._states)

    @classmethod
    def _unpacked(cls, packed: Any) -> States:
        source, data = packed
        return unpacked(registry.profile(source).setup().game, data)


def packed(states: States) -> tuple[str, bytes]:
    """A position as something that can be pickled: the module of its class, and all that is in it."""
    data = states[0] if isinstance(states, PlainStates) else np.asarray(states).tobytes()
    return type(data).__module__, pickle.dumps(data)


def unpacked(game: Game, packed: tuple[str, bytes]) -> States:
    """The opposite; another process packed it, where the file of a game may be a module of another name."""
    module, data = packed

    class Unpickler(pickle.Unpickler):
        """Finds the classes of that module in the one that has been loaded here."""

        def find_class(self, name: str, of: str) -> Any:
            return super().find_class(game.rules.__module__ if game.is_plain and name == module else name, of)

    state = Unpickler(BytesIO(data)).load()
    return PlainStates(game, [state]) if game.is_plain else as_structs(np.frombuffer(bytearray(state), game.state))


@dataclass(frozen=True)
class AnyRecord(GameRecord):
    """One game of any kind: how it was set up, and every action and outcome as a code."""

    NAME = ""  # it is the game's
    STATE = AnyState

    played: Game
    begins: int = 0
    """The seed of its start."""

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.played.name

    def start(self) -> States:
        """The position before the first step."""
        return self.played.new(len(self.seats), self.begins)

    def setting(self) -> dict[str, Any]:
        """The seed of the start."""
        return {"start": self.begins}

    def action(self, code: int) -> TextAction:
        """The action of a code."""
        return TextAction(self.played.describe(code))

    def code_of(self, kind: str, data: dict[str, Any]) -> int:
        """The code of an action."""
        return code_of(self.played, f"{kind} {data['what']}" if "what" in data else kind)

    def moment(self, states: States) -> tuple[int, str]:
        """The turn, and who is to move."""
        return turn_of(states), AnyState(states).phase

    def result(self, states: States) -> dict[str, Any]:
        """How the game ended, and everybody's score."""
        over = actor_at(states, 0) == OVER
        scores = [int(score_at(states, 0, seat)) for seat in range(len(self.seats))] if over else []
        return {**super().result(states), "scores": scores}


def records_of(game: Game) -> RecordFiles[AnyRecord]:
    """How the records of a game are read."""

    def begun(line: int, header: dict[str, Any], common: dict[str, Any]) -> AnyRecord:
        begins = get(line, header, "start", int)
        if not 0 <= begins < 1 << 64:
            raise RecordError(line, "start: expected a number of at least 0, below 2^64")
        return AnyRecord(game, begins, **common)

    return RecordFiles(game.name, game.seats, begun)


@dataclass(frozen=True)
class AnySetup(profile.Setup):
    """A game; where each one begins is left to the game, given a seed of its own."""

    played: Game
    seed: int = 0

    @property
    def game(self) -> Game:
        """The game."""
        return self.played

    def begins(self, number: int) -> int:
        """The seed with which a game of the series is set up."""
        return derive_seed(self.seed, "start", number)

    def starts(self, seats: int, first: int, n: int) -> States:
        """A new start for each game."""
        return concatenated([self.played.new(seats, self.begins(first + i)) for i in range(n)])

    def record(self, number: int, heading: Mapping[str, Any]) -> AnyRecord:
        """The record of a game."""
        return AnyRecord(self.played, self.begins(number), **heading)


def bot_named(game: Game, text: str) -> Bot:
    """The bot that a text names: `random`, a policy of the game, ``ismcts``, ``ismcts:500``, ``my_bot.py:MyBot``."""
    from kibitz.play import outside

    def searcher(limit: Any) -> Player:
        from kibitz.play.search_bot import AnyDeal, SearchPlayer, any_thinking

        return SearchPlayer(any_thinking(game, AnyDeal, limit))

    friendly = outside.Friendly(AnyState, TextAction, ())
    return outside.any_bot(text, {"random": RANDOM, **game.policies}, {"ismcts": searcher}, friendly)


def text_of(state: FriendlyState[Any], names: Sequence[str]) -> str:
    """The game's own text of a position, else its fields, one in a line."""
    states = state.states
    game = game_of(states)
    if game.text is not None:
        return game.text(states, state.observer)
    fields = vars(states[0]) if game.is_plain and hasattr(states[0], "__dict__") else position_of(states)
    return "\n".join(f"{name.replace('_', ' ')}: {_values(value)}" for name, value in fields.items())


def _values(value: Any) -> str:
    return " ".join(map(_values, value)) if isinstance(value, list | tuple) else str(value)


def profile_of(game: Game, about: str = "", how: str = "") -> Profile:
    """All that the faces need, for a game that brings nothing of it but perhaps a sentence about it, and its rules."""
    title = game.name.replace("_", " ").title()
    policies = tuple(name for name in game.policies if name != "random")
    field = (*policies, "random") if policies else ("ismcts", "random")
    draw = game.svg
    return Profile(
        name=game.name,
        title=title,
        about=about or f"{title}: play, record, replay and show games.",
        how=how,
        seats=game.seats,
        usual_seats=game.seats[0],
        typed=lambda options, seed: AnySetup(game, seed),
        setup=lambda seed=0: AnySetup(game, seed),
        bots=("random", *policies, "ismcts"),
        usual_bot="random",
        bot_named=partial(bot_named, game),
        belief=late("kibitz.play.search_bot:AnyDeal"),
        tournament=Tournament(field, PLAIN_GAMES if game.is_plain else GAMES, game.seats[0]),
        compiled=not game.is_plain,
        state=AnyState,
        records=lambda options={}: records_of(game),
        text=text_of,
        svg=None if draw is None else lambda state, names: draw(state.states, state.observer),
    )
