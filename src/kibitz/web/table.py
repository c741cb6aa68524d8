"""A table at which a person plays against bots: who sits there, what they are called, and what the person saw.

It serves every game that has a profile; a game with a page of its own says in its own words what happens (`Witness.tell`).
"""

import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from kibitz import game as verbs
from kibitz.compute.runtime import Limit
from kibitz.game import OVER, Game, States
from kibitz.game.definition import Told
from kibitz.game.record import GameRecord
from kibitz.ground.rng import derive_seed
from kibitz.play.bots import Bot, UnknownBot, effort
from kibitz.play.match import TakebackTable
from kibitz.play.names import YOU, name_of
from kibitz.play.profile import InvalidSetup, Profile, SetupOption
from kibitz.play.search_bot import Belief
from kibitz.web.games import GameKind, Setup

#: What may be typed for a rule option: nothing that could be the name of a file.
_VALUE = re.compile(r"[\w-]{1,20}", re.ASCII)


def own_bot(profile: Profile, name: str, most_iterations: int, most_seconds: float) -> Bot:
    """A bot of a game by its name, if it does not think for too long. Raises `InvalidSetup`.

    Never one from outside (`kibitz.play.outside`): its name is that of a file, and whoever reaches the server could start
    programs of this machine. Those bots play on the command line.

    >>> from kibitz.play.registry import profile
    >>> own_bot(profile("kuhn"), "my_bot.py:MyBot", 100, 1.0)
    Traceback (most recent call last):
    ...
    kibitz.play.profile.InvalidSetup: 'my_bot.py:MyBot': no such bot; these are random, honest, ismcts
    """
    if name.partition(":")[0] not in profile.bot_names:
        raise InvalidSetup(f"{name[:40]!r}: no such bot; these are {', '.join(profile.bot_names)}")
    _, colon, parameter = next((level.bot for level in profile.levels if level.name == name), name).partition(":")
    try:
        asked = effort(parameter) if colon else Limit()
        bot = profile.bot_named(name)
    except UnknownBot as error:
        raise InvalidSetup(str(error)) from None
    if asked.iterations is not None and asked.iterations > most_iterations:
        raise InvalidSetup(f"{name}: a bot thinks for {most_iterations:,} iterations at most")
    if asked.time is not None and asked.time > most_seconds:
        raise InvalidSetup(f"{name}: a bot thinks for {most_seconds:g} seconds at most")
    return bot


class Witness:
    """The person at the table as a player: remembers what happened, in sentences, and what follows from it."""

    belief: Belief

    def __init__(self, profile: Profile) -> None:
        self.log: list[Told] = []
        self.silent = False
        """Whether the last step is not worth a look."""
        self._believes = profile.belief

    def begin(self, game: Game, seat: int, view: States, seed: int) -> None:
        """Sit down."""
        self.belief = self._believes(game, seat, view)

    def saw(self, before: States, code: int, after: States) -> None:
        """Remember a step."""
        told = list(self.tell(before, code, after))
        self.log += told
        self.silent = not told
        self.belief.saw(before, code, after)

    def tell(self, before: States, code: int, after: States) -> Iterable[Told]:
        """A step in words, as the person saw it; nothing, where it is not worth a word."""
        return ()

    def decide(self, view: States) -> int:
        """Nobody asks: the session waits for the person."""
        raise AssertionError("a person decides through the session")


W = TypeVar("W", bound=Witness)


class PersonTable(TakebackTable, Generic[W]):
    """A game of a person against bots."""

    def __init__(
        self, game: Game, start: States, seat: int, witness: W, bots: Sequence[Bot], seed: int, hook: Any = None
    ) -> None:
        """`bots` are the others, in the order of their seats."""
        self.seed, self.witness = seed, witness
        players = [*bots[:seat], Bot(YOU, lambda: witness), *bots[seat:]]
        self.bots = tuple(bot.name for bot in players)
        self._policies = [bot.policy is not None for bot in players]
        super().__init__(game, start, players, seed, hook, seat=seat)

    def replay(self, code: int) -> None:
        """Do what was done before. A policy draws again what it drew then, so that it plays on as it would have."""
        if self.actor >= 0 and self._policies[self.actor]:
            self.choose()
        self.step(code)


T = TypeVar("T", bound=PersonTable[Any])


class TableKind(GameKind[T]):
    """A game for the sessions. Its setup has the person's `seat`, the `bots` of the others in order, and a `seed`."""

    #: How long a bot may think about a decision.
    most_iterations, most_seconds = 50_000, 10.0

    def __init__(self, profile: Profile, page: str) -> None:
        """`page` is the address of its table."""
        self.profile, self.name, self.page = profile, profile.name, f"{page}?game="
        self.titled = self.titled or f"{profile.title}, "

    def match(self, setup: Setup) -> T:
        """A game before its first step."""
        bots, seat, seed = self.names(setup), setup.get("seat"), setup.get("seed")
        low, high = self.profile.seats
        if not isinstance(bots, list) or not low <= len(bots) + 1 <= high:
            raise InvalidSetup(self.profile.for_players)
        if type(seat) is not int or not 0 <= seat <= len(bots) or type(seed) is not int:
            raise InvalidSetup("expected a seat at this table and a seed")
        others = [own_bot(self.profile, str(name), self.most_iterations, self.most_seconds) for name in bots]
        try:
            return self.table(setup, seat, others, seed)
        except (KeyError, ValueError, TypeError) as error:
            raise InvalidSetup(str(error)) from None

    def names(self, setup: Setup) -> Any:
        """The names of the bots."""
        return setup.get("bots")

    @abstractmethod
    def table(self, setup: Setup, seat: int, bots: Sequence[Bot], seed: int) -> T:
        """The table with these bots. Raises a ValueError of one line for what cannot be."""

    @abstractmethod
    def stands(self, match: T) -> str:
        """How a game stands or ended, in a few words."""

    def title(self, setup: Setup, match: T) -> str:
        """Who plays, and how it stands."""
        bots = ", ".join(dict.fromkeys(bot for bot in match.bots if bot != YOU))
        return f"{self.titled}{len(match.bots)} players, against {bots}: {self.stands(match)}"

    @abstractmethod
    def recorded(self, setup: Setup, moves: Sequence[str]) -> GameRecord:
        """The record of a game, from the texts of its steps."""

    def record(self, setup: Setup, moves: Sequence[str]) -> str:
        """The game as the text of a record file."""
        return "".join(f"{line}\n" for line in self.recorded(setup, moves).lines())

    def forced(self, match: T) -> int | None:
        """Where there is only one thing to do it is done."""
        legal = verbs.legal_actions(match.view(match.seat))
        return legal[0] if len(legal) == 1 else None

    def pause(self, match: T, code: int) -> float:
        """Only what is told is worth a look."""
        return 0.0 if match.witness.silent else 1.0


class AnyWitness(Witness):
    """Tells a game in the words of its own notation."""

    def __init__(self, profile: Profile, seat: int) -> None:
        super().__init__(profile)
        self._state, self._seat = profile.state, seat

    def tell(self, before: States, code: int, after: States) -> Iterable[Told]:
        """Who did what."""
        state, actor = self._state(before, observer=self._seat), verbs.actor_at(before, 0)
        words = plain_words(state.words_of(code))
        yield Told(state.turn_number, max(actor, -1), words if actor < 0 else f"{name_at(actor, self._seat)}: {words}")


class AnyTable(PersonTable[AnyWitness]):
    """A game of any profile."""

    def __init__(self, profile: Profile, options: Mapping[str, Any], seat: int, bots: Sequence[Bot], seed: int) -> None:
        self.setup = profile.typed(options, seed)
        start = self.setup.starts(len(bots) + 1, 0, 1)[:1]
        super().__init__(self.setup.game, start, seat, AnyWitness(profile, seat), bots, seed)


class AnyKind(TableKind[AnyTable]):
    """A game without a page of its own. Its setup has `options` too: what was chosen of those that the profile has."""

    def table(self, setup: Setup, seat: int, bots: Sequence[Bot], seed: int) -> AnyTable:
        """The table with these bots."""
        return AnyTable(self.profile, chosen(self.profile.options, setup.get("options", {})), seat, bots, seed)

    def stands(self, match: AnyTable) -> str:
        """Which turn it is, or who won."""
        turn = self.profile.state(match.states).turn_number
        return winners(match) if match.actor == OVER else f"turn {turn}" if turn else "under way"

    def recorded(self, setup: Setup, moves: Sequence[str]) -> GameRecord:
        """The record of a game."""
        match = self.match(setup)
        heading = {
            "seats": match.bots,
            "codes": tuple(map(match.game.parse, moves)),
            "seed": derive_seed(match.seed),
            "game": 0,
            "guard": None,
            "drawn": False,
        }
        return match.setup.record(0, heading)


def winners(match: PersonTable[Any]) -> str:
    """Who won a game that is over: whoever scored most."""
    scores = [verbs.score_at(match.states, 0, seat) for seat in range(len(match.bots))]
    best = [name_at(seat, match.seat) for seat, score in enumerate(scores) if score == max(scores)]
    if len(best) == len(scores):
        return "nobody won"
    return f"{best[0]} won" if len(best) == 1 else f"{', '.join(best[:-1])} and {best[-1]} share the win"


def plain_words(action: str) -> str:
    """The text of an action as it is read: ``foreign_aid`` is two words."""
    return action.replace("_", " ")


def name_at(seat: int, you: int) -> str:
    """What a player is called at a table."""
    return "You" if seat == you else name_of(seat)


def chosen(options: Sequence[SetupOption], given: Any) -> dict[str, Any]:
    """What a browser chose of the options of a game: out of their names alone, so that nobody can name a file.

    >>> rules = SetupOption("rule", "", "NAME[=VALUE]", repeated=True, names=("points",))
    >>> chosen([rules], {"rule": ["points=5"]})
    {'rule': ['points=5']}
    >>> chosen([rules], {"rule": ["points=/etc/passwd"]})
    Traceback (most recent call last):
    ...
    kibitz.play.profile.InvalidSetup: rule: 'points=/etc/passwd' cannot be chosen here
    """
    if not isinstance(given, dict):
        raise InvalidSetup("options: expected an object")
    found: dict[str, Any] = {}
    for option in options:
        value = given.get(option.name)
        for one in value if isinstance(value, list) and option.repeated else [] if value is None else [value]:
            name, equals, rest = one.partition("=") if isinstance(one, str) else ("", "", "")
            if name not in option.names or (equals and not (option.repeated and _VALUE.fullmatch(rest))):
                raise InvalidSetup(f"{option.name}: {str(one)[:40]!r} cannot be chosen here")
        if value:
            found[option.name] = value
    return found
