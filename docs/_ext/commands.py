"""``command-help``: every command of the command line with its arguments and options, made from the commands themselves."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from tables import Table, code
from typer.main import get_command

from kibitz import cli
from kibitz.cli import app as command_line


def walk(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Each command below a group, with its full name."""
    for word, below in command.commands.items():
        if not below.hidden:
            yield from walk(below, f"{name} {word}") if hasattr(below, "commands") else [(f"{name} {word}", below)]


def shown(parameter: Any) -> str:
    """How a parameter is typed: its names, and what follows them."""
    names = " or ".join(code(name) for name in (*parameter.opts, *parameter.secondary_opts))
    kind = parameter.type_descriptor.annotation
    if parameter.param_type_name == "argument":
        return code((parameter.metavar or parameter.name).upper())
    if kind is bool:
        return names
    return f"{names} {parameter.metavar or kind.__name__.upper()}"


def meaning(parameter: Any) -> str:
    """What it says of itself, with bounds and default."""
    low, high = parameter.min, parameter.max
    bounds = "" if low is None else f" At least {low}." if high is None else f" {low} to {high}."
    default = parameter.show_default if isinstance(parameter.show_default, str) else parameter.default
    told = "" if default in (None, False, ()) or callable(default) else f" Default: {default}."
    needed = " Required." if parameter.required else ""
    return f"{parameter.help or ''}{bounds}{told}{needed}"


class CommandHelp(Table):
    required_arguments = 0
    head = ("option", "meaning")
    widths = (34, 66)

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(inspect.getfile(cli))
        return [self.section(name, command) for name, command in walk(get_command(command_line), "kibitz")]

    def section(self, name: str, command: Any) -> nodes.Node:
        section = nodes.section(ids=[name.replace(" ", "-")], names=[name])
        section += nodes.title("", name)
        for paragraph in inspect.cleandoc(command.help).split("\n\n"):
            section += nodes.paragraph("", "", *self.inline(" ".join(paragraph.split())))
        options = [parameter for parameter in command.params if not parameter.hidden]
        if options:
            section += self.table([shown(parameter), meaning(parameter)] for parameter in options)
        return section


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("command-help", CommandHelp)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
