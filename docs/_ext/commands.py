"""``command-help``: every command of the command line with its arguments and options, made from the commands themselves."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any, get_args, get_type_hints

from docutils import nodes
from sphinx.application import Sphinx
from tables import Table, code
from typer import Typer
from typer.models import ArgumentInfo, OptionInfo

from kibitz import cli
from kibitz.cli import create_app


def walk(app: Typer, name: str) -> Iterator[tuple[str, Callable[..., Any]]]:
    """Each command of an app and of the groups in it, with its full name."""
    for command in app.registered_commands:
        if command.callback and not command.hidden:
            yield f"{name} {command.name or command.callback.__name__.replace('_', '-')}", command.callback
    for group in app.registered_groups:
        if group.typer_instance:
            yield from walk(group.typer_instance, f"{name} {group.name}")


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
    names = " or ".join(code(word) for word in info.param_decls or (f"--{name.replace('_', '-')}",))
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
