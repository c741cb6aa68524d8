"""Tables that are made from the code when the docs are built, so that they cannot drift from it.

``state-layout CLASS``    the struct ``STATE`` of a module, field by field; what a field means is the comment beside it in
                          the Protocol ``CLASS`` there, or the text of the rule option of that name
``rule-options CLASS``    the options of a rules dataclass with their defaults and bounds
``config-fields CLASS``   the settings of a config dataclass, likewise
``dataclass-fields CLASS``  the fields of any other dataclass, with the text below each
``event-table MODULE``    the kinds of events in ``MODULE.EVENTS`` with their fields
``action-codes MODULE``   the ranges of codes in ``MODULE.RANGES``
``action-ids GAME``       the ids that the adapters give to the actions of a game, one row for each kind
``observation-parts GAME``  what an observation of the adapters holds
``level-table GAME``      the levels of a game, with their measured ratings
``rating-table GAME``     the measured ratings of all its bots
``verb-table MODULE``     the verbs in ``MODULE.VERBS``, and which of them a game may leave out
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, Field, fields
from importlib import import_module
from itertools import groupby
from math import prod
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from kibitz.adapters import observations
from kibitz.adapters import setting as settings
from kibitz.adapters.setting import setting
from kibitz.ground.jit import field_names
from kibitz.play.ladder import ladder_of
from kibitz.play.registry import known


def attributes(cls: type) -> Iterator[tuple[str, str]]:
    """The annotated attributes of a class, each with the comment beside it or the string below it."""
    source = inspect.getsource(cls)
    lines = source.splitlines()
    body = ast.parse(source).body[0].body  # type: ignore[attr-defined]
    for here, below in zip(body, [*body[1:], None], strict=True):
        if isinstance(here, ast.AnnAssign) and isinstance(here.target, ast.Name):
            _, _, comment = lines[here.lineno - 1].partition("  # ")
            text = below is not None and isinstance(below, ast.Expr) and ast.literal_eval(below.value)
            yield here.target.id, comment or text or ""


def code(name: object) -> str:
    return f"``{name}``"


def state_layout(module: ModuleType, protocol: type) -> Iterator[list[str]]:
    dtype = module.STATE
    meaning = dict(attributes(module.Rules)) if hasattr(module, "Rules") else {}
    meaning |= {name: text for name, text in attributes(protocol) if text}
    for name in field_names(dtype):
        kind, offset = dtype.fields[name][:2]
        shape = " x ".join(map(str, kind.shape))
        yield [code(name), code(kind.base), shape, str(offset), re.sub(r"^(\[.*?\])", r"``\1``", meaning.get(name, ""))]


def rule_options(rules: Any) -> Iterator[list[str]]:
    meaning = dict(attributes(rules))
    for option in fields(rules):
        low, high = rules._BOUNDS.get(option.name, (None, None))
        allowed = "true or false" if low is None else f"{low} to {high}"
        yield [code(option.name), str(option.default).lower(), allowed, meaning[option.name]]


def config_fields(config: Any) -> Iterator[list[str]]:
    meaning, hints = dict(attributes(config)), get_type_hints(config)
    for f in fields(config):
        yield [code(f.name), default_text(f), allowed(config, f.name, hints[f.name]), meaning[f.name]]


def default_text(f: Field[Any]) -> str:
    return str(f.default).lower() if isinstance(f.default, bool) else str(f.default)


def allowed(config: Any, name: str, kind: Any) -> str:
    if name in config._BOUNDS:
        low, high = config._BOUNDS[name]
        return "any, of 64 bits" if high == 2**63 - 1 else f"{low:,} to {high:,}"
    if get_origin(kind) is Literal:
        return " or ".join(get_args(kind))
    words = {bool: "true or false", str: "a bot", float: "0 to 100", str | None: "none, a model or the text of a rules file"}
    return words[kind]


def event_table(module: ModuleType) -> Iterator[list[str]]:
    for kind, event in module.EVENTS.items():
        names = (f.name + "?" * (str(f.type).endswith("None") or is_optional(f)) for f in fields(event))
        yield [code(kind), ", ".join(code(name) for name in names), (inspect.getdoc(event) or "").partition("\n\n")[0]]


def is_optional(f: Field[Any]) -> bool:
    return f.default is not MISSING or f.default_factory is not MISSING


def dataclass_fields(kind: Any) -> Iterator[list[str]]:
    meaning = dict(attributes(kind))
    for f in fields(kind):
        default = "" if f.default is MISSING else default_text(f)
        if f.default_factory is not MISSING:
            default = str(f.default_factory())
        text = " ".join(meaning[f.name].split())
        yield [code(f.name), code(str(f.type)), default if len(default) < 20 else "see below", text]


def action_codes(module: ModuleType) -> Iterator[list[str]]:
    for kind, count in module.RANGES.items():
        yield [code(kind), str(module.BASE[kind]), f"{count:,}"]


def action_ids(game: str) -> Iterator[list[str]]:
    """One row for each run of ids of one kind of action."""
    table = setting(game).actions
    texts = [table.describe(number) for number in range(len(table))]
    for kind, run in groupby(range(len(table)), lambda number: texts[number].partition(" ")[0]):
        numbers = list(run)
        span = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
        ends = dict.fromkeys((texts[numbers[0]], texts[numbers[-1]]))
        yield [code(kind), span, str(len(numbers)), " ... ".join(map(code, ends))]


def observation_parts(game: str) -> Iterator[list[str]]:
    at = 0
    for part in setting(game).layout.parts:
        shape = " x ".join(map(str, part.shape))
        meaning = re.sub(r"^(\[.*?\])", r"``\1``", part.meaning) + (" (a name)" if part.choice else "")
        yield [code(part.name), str(at), shape, f"{part.low} to {part.high}", meaning]
        at += prod(part.shape)


def level_table(game: str) -> Iterator[list[str]]:
    profile = known(game)
    ladder = ladder_of(profile)
    for level in profile.levels:
        slips = f", with {level.slips} of 100 decisions at random" if level.slips else ""
        yield [code(level.name), f"``{level.bot}``{slips}", str(ladder.of(level.name) or ""), level.about]


def rating_table(game: str) -> Iterator[list[str]]:
    ladder = ladder_of(known(game))
    for name, rung in ladder.bots.items():
        seconds = f"{rung.seconds:.1g} s" if rung.seconds else ""
        yield [code(name), str(rung), f"{rung.games:,}", seconds]


def verb_table(module: ModuleType) -> Iterator[list[str]]:
    for verb in module.VERBS.values():
        serves = "" if verb.default is None else f"`{getattr(verb.default, '__name__', verb.default)}`"
        yield [f"`{verb.name}({', '.join(verb.arguments)})`", verb.meaning, serves]


class Table(SphinxDirective):
    """A table whose cells are the texts that `rows` gives for the object named in the argument."""

    required_arguments = 1
    head: tuple[str, ...]
    widths: tuple[int, ...]

    def source(self) -> ModuleType:
        raise NotImplementedError

    def rows(self) -> Iterable[list[str]]:
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(inspect.getfile(self.source()))
        return [self.table(self.rows())]

    def table(self, rows: Iterable[list[str]]) -> nodes.table:
        group = nodes.tgroup("", *(nodes.colspec(colwidth=w) for w in self.widths), cols=len(self.head))
        group += nodes.thead("", self.row(self.head))
        group += nodes.tbody("", *(self.row(row) for row in rows))
        return nodes.table("", group)

    def row(self, cells: Iterable[str]) -> nodes.row:
        return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", *self.inline(text))) for text in cells))

    def inline(self, text: str) -> list[nodes.Node]:
        """The code and the words of one cell: the only mark-up is ``code``, between one or two backticks."""
        parts = re.split(r"(?<!`)``?(?!`)(.+?)``?(?!`)", text)
        return [nodes.literal("", part) if i % 2 else nodes.Text(part) for i, part in enumerate(parts) if part]


class StateLayout(Table):
    head = ("field", "type", "shape", "byte", "meaning")
    widths = (20, 8, 8, 6, 58)

    def source(self) -> ModuleType:
        return import_module(self.arguments[0].rpartition(".")[0])

    def rows(self) -> Iterable[list[str]]:
        return state_layout(self.source(), getattr(self.source(), self.arguments[0].rpartition(".")[2]))

    def run(self) -> list[nodes.Node]:
        dtype = self.source().STATE
        total = f"{dtype.itemsize} bytes a state, {len(field_names(dtype))} fields."
        return [nodes.paragraph("", total), *super().run()]


class RuleOptions(Table):
    head = ("option", "default", "values", "meaning")
    widths = (20, 10, 12, 58)

    def source(self) -> ModuleType:
        return import_module(self.arguments[0].rpartition(".")[0])

    def rows(self) -> Iterable[list[str]]:
        return rule_options(getattr(self.source(), self.arguments[0].rpartition(".")[2]))


class ConfigFields(RuleOptions):
    head = ("setting", "default", "values", "meaning")
    widths = (26, 10, 16, 48)

    def rows(self) -> Iterable[list[str]]:
        return config_fields(getattr(self.source(), self.arguments[0].rpartition(".")[2]))


class DataclassFields(RuleOptions):
    head = ("field", "type", "default", "meaning")
    widths = (20, 16, 14, 50)

    def rows(self) -> Iterable[list[str]]:
        return dataclass_fields(getattr(self.source(), self.arguments[0].rpartition(".")[2]))


class ActionCodes(Table):
    head = ("kind", "first code", "how many")
    widths = (40, 30, 30)

    def source(self) -> ModuleType:
        return import_module(self.arguments[0])

    def rows(self) -> Iterable[list[str]]:
        return action_codes(self.source())


class ActionIds(Table):
    head = ("kind", "ids", "how many", "first and last")
    widths = (26, 14, 10, 50)

    def source(self) -> ModuleType:
        return settings

    def rows(self) -> Iterable[list[str]]:
        return action_ids(self.arguments[0])


class ObservationParts(Table):
    head = ("part", "at", "shape", "values", "meaning")
    widths = (20, 8, 10, 14, 48)

    def source(self) -> ModuleType:
        return observations

    def rows(self) -> Iterable[list[str]]:
        return observation_parts(self.arguments[0])


class EventTable(Table):
    head = ("event", "fields", "meaning")
    widths = (16, 28, 56)

    def source(self) -> ModuleType:
        return import_module(self.arguments[0])

    def rows(self) -> Iterable[list[str]]:
        return event_table(self.source())


class LevelTable(Table):
    head = ("level", "who plays", "rating", "how")
    widths = (10, 24, 12, 54)

    def source(self) -> ModuleType:
        return import_module(f"kibitz.{self.arguments[0]}.profile")

    def rows(self) -> Iterable[list[str]]:
        return level_table(self.arguments[0])

    def run(self) -> list[nodes.Node]:
        package, _, name = known(self.arguments[0]).ratings.partition(":")
        if package:
            self.env.note_dependency(str(Path(import_module(package).__file__ or "").parent / name))
        return super().run()


class RatingTable(LevelTable):
    head = ("bot", "rating", "games", "a game")
    widths = (34, 24, 20, 22)

    def rows(self) -> Iterable[list[str]]:
        return rating_table(self.arguments[0])


class VerbTable(Table):
    head = ("verb", "meaning", "without it")
    widths = (18, 64, 18)

    def source(self) -> ModuleType:
        return import_module(self.arguments[0])

    def rows(self) -> Iterable[list[str]]:
        return verb_table(self.source())


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("state-layout", StateLayout)
    app.add_directive("rule-options", RuleOptions)
    app.add_directive("config-fields", ConfigFields)
    app.add_directive("dataclass-fields", DataclassFields)
    app.add_directive("event-table", EventTable)
    app.add_directive("action-codes", ActionCodes)
    app.add_directive("action-ids", ActionIds)
    app.add_directive("observation-parts", ObservationParts)
    app.add_directive("level-table", LevelTable)
    app.add_directive("rating-table", RatingTable)
    app.add_directive("verb-table", VerbTable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
