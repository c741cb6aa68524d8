"""``command-help``: every command of the command line with its arguments and options, made from the commands themselves.

A command that every game has stands with each game (``kibitz catan simulate``); as ``kibitz simulate GAME`` it is shown for a
game that brings no options of its own.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any, get_args, get_type_hints

from docutils import nodes
from sphinx.application import Sphinx
from tables import Table, code
from typer.core import TyperGroup
from typer.models import ArgumentInfo, OptionInfo

import kibitz
from kibitz import cli
from kibitz.cli import create_app
from kibitz.cli.games import GAME_OR_FILE, GameGroup, Later


def walk(command: Any, name: str) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Each command of a group and of the groups in it, with its full name, as a function."""
    found = command.real if isinstance(command, Later) else command
    if isinstance(found, GameGroup) and found.only_games:
        example = found.commands.get(kibitz.EXAMPLES[0]) or next(iter(found.commands.values()))
        yield from walk(example, f"{name} {GAME_OR_FILE}")
    elif isinstance(found, TyperGroup):
        for below, one in found.commands.items():
            yield from walk(one, f"{name} {below}")
    else:
        yield name, inspect.unwrap(found.callback)


def options(command: Callable[..., Any]) -> Iterator[list[str]]:
    """How each argument and option of a command is typed, and what it says of itself, with bounds and default."""
    hints = get_type_hints(command, include_extras=True)
    for name, parameter in inspect.signature(command).parameters.items():
        kind, info, *_ = get_args(hints[name])
        if not info.hidden:
            yield [shown(name, kind, info), f"{info.help or ''}{bounds(info)}{default(parameter.default, info)}"]


def shown(name: str, kind: Any, info: ArgumentInfo | OptionInfo) -> str:
    if isinstance(info, ArgumentInfo):
        return code((info.metavar or name).upper())
    # in an annotation, Typer keeps the first name where the default would be
    named = [*([info.default] if isinstance(info.default, str) else []), *(info.param_decls or ())]
    names = " or ".join(code(word) for word in named or [f"--{name.replace('_', '-')}"])
    inner = next((one for one in get_args(kind) if one is not type(None)), kind)
    return names if inner is bool else f"{names} {info.metavar or inner.__name__.upper()}"


def bounds(info: ArgumentInfo | OptionInfo) -> str:
    return "" if info.min is None else f" At least {info.min}." if info.max is None else f" {info.min} to {info.max}."


def default(value: Any, info: ArgumentInfo | OptionInfo) -> str:
    if value is inspect.Parameter.empty:
        return " Required."
    told = info.show_default if isinstance(info.show_default, str) else value
    return "" if told is None or told is False or told == [] else f" Default: {told}."


class CommandHelp(Table):
    required_arguments = 0
    head = ("option", "meaning")
    widths = (34, 66)

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(inspect.getfile(cli))
        return [self.section(name, command) for name, command in walk(create_app(), "kibitz")]

    def section(self, name: str, command: Callable[..., Any]) -> nodes.Node:
        section = nodes.section(ids=[name.replace(" ", "-")], names=[name])
        section += nodes.title("", name)
        for paragraph in (inspect.getdoc(command) or "").split("\n\n"):
            section += nodes.paragraph("", "", *self.inline(" ".join(paragraph.split())))
        section += self.table(options(command))
        return section


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("command-help", CommandHelp)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
