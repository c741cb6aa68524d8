"""The names that help and completion know without loading a game are those of the games."""

import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

import pytest

import kibitz
from kibitz import EXAMPLES, GAMES
from kibitz.catan import Rules as CatanRules
from kibitz.catan import bots as catan_bots
from kibitz.catan import logs as formats
from kibitz.catan.analysis import AnalysisConfig
from kibitz.catan.analysis.types import AnalysisMode
from kibitz.catan.commands import options as catan_options
from kibitz.catan.core.policy import BOTS
from kibitz.catan.setup import typed
from kibitz.cli import create_app
from kibitz.cli.common import UserError
from kibitz.cli.games import Later
from kibitz.cli.options import guard_names
from kibitz.cli.players import read_guard
from kibitz.coup import Rules as CoupRules
from kibitz.coup import bots as coup_bots
from kibitz.coup.commands import situations as coup_situations
from kibitz.coup.core.state import CHARACTERS, Character
from kibitz.loops.lab import LAB
from kibitz.onepiece import bots as onepiece_bots
from kibitz.onepiece.commands import LOOPS
from kibitz.onepiece.core.decks import STARTERS
from kibitz.onepiece.setup import read_decks
from kibitz.play.guarded import guards
from kibitz.play.profile import rules_typed
from kibitz.play.registry import known as profile
from kibitz.play.registry import profiles


def typed_names(game: str, option: str) -> tuple[str, ...]:
    """What the profile of a game knows to be typed there."""
    return next(one.names for one in profile(game).options if one.name == option)


def options_of(rules: type) -> tuple[str, ...]:
    return tuple(option.name for option in fields(rules))


@pytest.mark.plain
@pytest.mark.parametrize(
    ("known", "true"),
    [
        (catan_options.POLICIES, tuple(BOTS)),
        (profile("catan").bots, catan_bots.NAMES),
        (profile("coup").bots, (*coup_bots.BOTS, *coup_bots.SEARCHES)),
        (profile("onepiece").bots, (*onepiece_bots.POLICIES, *onepiece_bots.SEARCHES)),
        (typed_names("catan", "rule"), (*CatanRules.presets(), *options_of(CatanRules))),
        (typed_names("coup", "rule"), options_of(CoupRules)),
        (guard_names(), tuple(guards())),
        (catan_options.MODES, tuple(AnalysisMode)),
        (typed_names("onepiece", "decks"), tuple(STARTERS)),
        (catan_options.LOGS, tuple(formats.FORMATS)),
        (catan_options.WRITTEN_LOGS, formats.WRITERS),
        (coup_situations.CARDS, tuple(CHARACTERS)),
        (LOOPS, tuple(LAB)),
    ],
    ids=lambda value: value[0],
)
def test_names_are_those_of_the_games(known, true):
    assert known == true


# --- every option of every command ----------------------------------------------------------------------------------

RULES = {"analyze": CatanRules, "catan": CatanRules, "coup": CoupRules}


def reader(command: str, option: str) -> Callable[[str], Any]:
    """What becomes of a name that is typed there; it raises for what is not taken."""
    game, *_ = [word for word in command.split() if word in (*GAMES, *EXAMPLES)] or ["analyze"]
    if command == "analyze" and option == "--policy":
        return lambda name: AnalysisConfig(policy=name)
    if option in ("--policy", "--players", "--bots"):
        return profile(game).bot_named
    if option == "--rule":
        values = RULES[game]().to_json()
        return lambda name: rules_typed(RULES[game], [f"{name}={values[name]}" if name in values else name])
    return {
        "board": lambda name: typed({"board": name}, 0),
        "--board": lambda name: typed({"board": name}, 0),
        "--guard": read_guard,
        "--decks": lambda name: read_decks(f"{name},{name}"),
        "--cards": Character,
        "--revealed": Character,
        "name": LAB.__getitem__,
    }[option]


def parameters() -> Iterator[tuple[str, Any]]:
    """Every option and argument with its command; games of other tests, loaded from files, are left out."""
    loaded = {game.name for game in profiles()} - {*kibitz.GAMES}

    def walk(command: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
        command = command.real if isinstance(command, Later) else command
        if hasattr(command, "commands"):
            for name, below in command.commands.items():
                if name not in loaded:
                    yield from walk(below, (*path, name))
        else:
            yield from ((" ".join(path), parameter) for parameter in command.params)

    return walk(create_app(), ())


def offered(parameter: Any) -> list[str]:
    """What a shell completes there."""
    complete = parameter._custom_shell_complete
    return [item.value for item in complete(None, parameter, "")] if complete else []


OFFERS = [(command, parameter) for command, parameter in parameters() if offered(parameter)]


@pytest.mark.parametrize(("command", "parameter"), OFFERS, ids=lambda value: getattr(value, "name", value))
def test_an_option_takes_what_it_offers(command, parameter):
    read = parameter.callback and (lambda name: parameter.callback(None, parameter, name))
    read = read or reader(command, parameter.opts[0])
    for name in offered(parameter):
        read(name)
    with pytest.raises((UserError, ValueError, LookupError)):
        read("zzz")


def test_a_list_in_a_help_text_is_what_the_option_offers():
    lists = 0
    for command, parameter in parameters():
        found = re.search(r": ((?:[\w-]+, )+.*)\.$", getattr(parameter, "help", None) or "")
        if found:
            lists += 1
            told = {part.removeprefix("or ") for part in re.split(r", | or ", found[1])}
            assert {name for name in told if " " not in name} == {*offered(parameter)}, (command, parameter.opts)
    assert lists > 10
