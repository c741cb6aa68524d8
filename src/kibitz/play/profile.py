"""What a game offers to those who play it, show it, analyse it and learn from it: one object, its `Profile`.

The command line, the pages, the adapters and the drivers of games read it and name no game. A game of this house is a package
with a module `profile`; a game of somebody else's is a Python file (`kibitz.play.registry` finds both). Only `game` and a few
words must be given: everything else has a default that serves any game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:  # to load all of it for a help text would take a second
    from kibitz.game import Game, States
    from kibitz.game.options import RuleOptions
    from kibitz.game.record import GameRecord, RecordFiles
    from kibitz.game.state import FriendlyState
    from kibitz.play.bots import Bot
    from kibitz.play.match import Results
    from kibitz.play.search_bot import Belief

#: What was typed for the options of a setup, by name: a text, or a list of them where an option may be repeated.
Typed = Mapping[str, Any]


R = TypeVar("R", bound="RuleOptions")


class InvalidSetup(ValueError):
    """A game cannot be set up as it was asked for.

    The message is one line for people; where an option was typed, it begins with that.
    """


def load(where: str) -> Any:
    """What is at ``module:name``."""
    module, _, name = where.partition(":")
    return getattr(import_module(module), name)


def late(where: str) -> Any:
    """The function at ``module:name``, which is imported when it is first called.

    >>> late("math:sqrt")(9)
    3.0
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        return load(where)(*args, **kwargs)

    call.where = where  # type: ignore[attr-defined]
    return call


def arguments_of(function: Callable[..., Any]) -> list[str]:
    """The names of what a function takes, also of one that is imported late.

    >>> arguments_of(late("kibitz.play.profile:late"))
    ['where']
    """
    return [*signature(load(function.where) if hasattr(function, "where") else function).parameters]


def policy_or(policies: str, named: str) -> Callable[[str], Bot]:
    """A `bot_named`: a policy by its name, without loading what others need; else what the function `named` finds."""

    def bot_named(text: str) -> Bot:
        from kibitz.play.bots import policy_bot

        known: Mapping[str, int] = load(policies)
        if text in known:
            return policy_bot(text, known[text])
        found: Bot = load(named)(text)
        return found

    return bot_named


def rules_typed(kind: type[R], options: Sequence[str] | None) -> R:
    """The rule options of a game as they are typed, ``NAME`` or ``NAME=VALUE``. Raises `InvalidSetup`."""
    try:
        return kind.typed(options or ())
    except ValueError as error:
        raise InvalidSetup(f"--rule {error}") from None


@dataclass(frozen=True)
class SetupOption:
    """One thing about a game that can be chosen before it begins: its rules, its board, its decks."""

    name: str
    """What the command line calls it, without the dashes."""
    help: str
    metavar: str
    default: str | None = None
    """What is meant where nothing is typed."""
    names: tuple[str, ...] = ()
    """What a shell completes."""
    repeated: bool = False
    """Whether it may be given several times; what was typed is then a list."""
    listed: bool = False
    """Whether several names are typed with commas between them, for a shell that completes the last."""
    reads: bool = False
    """Whether the records of the game cannot be read without it, either."""

    def __post_init__(self) -> None:
        if not self.name.replace("-", "_").isidentifier():
            raise ValueError(f"{self.name!r}: an option is named by letters, digits and dashes")


class Setup(ABC):
    """What is played: a game with its rules, its board, its decks, and where its games begin."""

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game."""

    @property
    def guard(self) -> str | None:
        """The name of the loop rules under which it is played unless others are asked for."""
        return None

    @abstractmethod
    def starts(self, seats: int, first: int, n: int) -> States:
        """Where games `first` to ``first + n - 1`` of a series begin: game ``first + i`` at ``starts[i % len(starts)]``.

        Where there are fewer than `n` of them, they serve every game, beginning with `first`.
        """

    @abstractmethod
    def record(self, number: int, heading: Mapping[str, Any]) -> GameRecord:
        """The record of game `number` of a series, given what all records say (see `kibitz.play.series.Series.heading`)."""

    def facts(self) -> dict[str, Any]:
        """What was chosen, by name, for JSON."""
        return {}

    def summary(self, results: Results) -> Summary:
        """What there is to say about these games beyond who won them."""
        return Summary()


@dataclass(frozen=True)
class Summary:
    """What else there is to say about a series of games than who won how often."""

    words: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By heading, something about each seat: its deck."""
    figures: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """By heading, a number for each seat: its points on average."""
    shares: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """By heading, how many games somebody won who sits now here, now there (``who_began``), out of how many."""
    endings: Sequence[str] = ()
    """How each game ended, where a game can end in several ways."""


@dataclass(frozen=True)
class Tournament:
    """The tournament that is played where nothing else is asked for."""

    bots: tuple[str, ...]
    games: int
    seats: int


@dataclass(frozen=True)
class Level:
    """How strong somebody wants the others to be, in one word: a bot under a name that needs no explaining."""

    name: str
    """As it is typed, in small letters: it is the name of a bot, too."""
    bot: str
    """Who plays."""
    about: str
    """One plain sentence."""
    slips: int = 0
    """Of a hundred decisions, how many are any sensible action instead of the bot's choice."""
    spare: str = ""
    """Who plays under rules for which there is no network."""

    @property
    def title(self) -> str:
        """As people read it.

        >>> Level("easy", "random", "").title
        'Easy'
        """
        return self.name.capitalize()


@dataclass(frozen=True, eq=False, kw_only=True)
class Profile:
    """A game, as everybody above the rules meets it.

    Its module is cheap to import: what is heavy is imported by the functions that need it.
    """

    name: str
    """As it is typed and as files say it, in small letters."""
    title: str
    """As people read it."""
    about: str
    """One sentence, for the help and the start page."""
    how: str = ""
    """How it is played, in paragraphs, for those who do not know it."""

    seats: tuple[int, int]
    """How many can play, at least and at most."""
    usual_seats: int
    options: tuple[SetupOption, ...] = ()
    """What can be chosen on the command line."""
    typed: Callable[[Typed, int], Setup]
    """The setup that is meant by what was typed for the `options`, and the seed. Raises `InvalidSetup`."""
    setup: Callable[..., Setup]
    """The same from Python objects, as keywords: ``setup(seed=7, rules=Rules(...), board=Board.beginner())``."""
    bots: tuple[str, ...]
    """The names of its bots, the levels excepted."""
    levels: tuple[Level, ...] = ()
    """Bots for people who want to play, the weakest first."""
    ratings: str = ""
    """Where the measured ratings of its bots are (``package:file``, see `kibitz.play.ladder`), if there are any."""
    usual_bot: str
    """Who plays unless somebody else is asked for."""
    bot_named: Callable[[str], Bot]
    """The bot that a text means, from outside too. Raises `kibitz.play.bots.UnknownBot`."""
    belief: Callable[[Game, int, States], Belief]
    """What a seat makes of all that it has seen since the start."""
    quiet: tuple[str, ...] = ()
    """Actions that commit to nothing, in the order in which they are tried in place of a lost or illegal decision."""
    ids: Callable[[Game], tuple[Sequence[int], Sequence[int]]] | None = None
    """The codes of all that players can do, and of all that chance can, in the order of the ids that learning code knows.

    None: those that the game declares (`kibitz.game.Game.codes`), in ascending order.
    """
    observation: Callable[[Game], Any] | None = None
    """What a seat sees as numbers (a `kibitz.adapters.observations.Layout`); None: everything in its view."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """Whole numbers by which a setup can be chosen where nothing else can be said (OpenSpiel), with their defaults."""
    numbered: Callable[..., Setup] | None = None
    """The setup that they mean, as keywords."""
    tournament: Tournament
    """Who meets whom unless somebody else is asked for."""
    compiled: bool = True
    """Whether its games are played on all cores: those of plain Python gain nothing from more than one."""
    devices: tuple[str, ...] = ("cpu",)
    """Where it can be played."""
    trains: bool = False
    """Whether it has something that can be trained: an evaluator, a blueprint, or the network of a resolver."""
    blueprint: str = ""
    """Where the function is that trains its blueprint, a mixed strategy (``module:function``)."""
    resolver: str = ""
    """The same for the network of its resolver, a bot for two players who solves every turn anew."""
    guards: Mapping[str, str] = field(default_factory=dict)
    """Loop rules that are named after it, and which of `kibitz.loops.config.MODELS` each means."""
    usual_guard: str = "none"
    """What the help says of games for which no loop rules are named."""

    state: Callable[..., FriendlyState[Any]]
    """``state(states, seed=0, observer=None)``: the friendly object for people."""
    records: Callable[..., RecordFiles[GameRecord]]
    """``records(typed={})``: how its records are read, given what was typed for the options that are needed for it."""
    text: Callable[[FriendlyState[Any], Sequence[str]], str]
    """A position as text, through the eyes of its observer, with the names of the players."""
    screen: Callable[[FriendlyState[Any], Sequence[str]], Iterable[Any]] | None = None
    """The same for a terminal, in colours: what Rich prints, part after part; the text where there is none."""
    svg: Callable[[FriendlyState[Any], Sequence[str]], str] | None = None
    """The same as a picture; None where there is only text."""

    with_person: Callable[[Bot], Bot] = lambda bot: bot
    """A bot as it behaves where a person sits at the table."""
    person: Callable[..., Any] | None = None
    """Somebody who plays it in the terminal, in its own words: a subclass of `kibitz.cli.person.Person`."""
    commands: Mapping[str, str] = field(default_factory=dict)
    """Its own commands, and where they are (``module:function``); they stand before the generic ones of the same name."""
    top_commands: Mapping[str, str] = field(default_factory=dict)
    """Commands and groups that stand at the top: ``kibitz analyze``."""
    pages: Callable[[], Sequence[Any]] = tuple
    """Its pages (`kibitz.web.pages.Page`); without any, the generic table is shown."""
    style: str = ""
    """Where the style sheet of its pages is (``package:file``), if they have one of their own."""
    routes: Callable[[Any], Sequence[Any]] = lambda services: ()
    """Its routes of the API, given the services of the app."""
    answer: str = ""
    """Where the class of the advice is that these routes give (``module:class``): its fields describe it."""
    warm_up: Callable[[], None] = lambda: None
    """Loads (the first time: compiles) what its pages need, before somebody waits for it."""
    old_moves: Callable[[Mapping[str, Any], Sequence[int]], list[str]] | None = None
    """The texts of steps that libraries of version 3 kept as codes, given the setup of their game; None: there were none."""

    @property
    def bot_names(self) -> tuple[str, ...]:
        """The names of all its bots, those of the levels first."""
        return (*(level.name for level in self.levels), *self.bots)

    def bot_title(self, name: str) -> str:
        """A bot as people read it: a level by its title."""
        return next((level.title for level in self.levels if level.name == name), name)

    @property
    def for_players(self) -> str:
        """How many can play, as a sentence about the title: ``... is for 2 to 6 players``."""
        low, high = self.seats
        return f"{self.title} is for {low if low == high else f'{low} to {high}'} players"
