"""``package-api``: a section for each module of the packages in its lines, from their docstrings. No module can be forgotten.

A line is a package, or ``PACKAGE except NAME NAME ...`` where other pages describe some of its parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.domains.python import PythonDomain
from sphinx.util.docutils import SphinxDirective

#: The command line and the browser are described by their commands and routes.
FACES = ("kibitz.cli", "kibitz.web")
#: So are the faces of a game, whatever it is.
PARTS_OF_FACES = ("pages", "api", "commands")


def modules(line: str) -> Iterator[str]:
    """A module, or a package and all that is in it, in the order of the alphabet."""
    name, _, others = line.strip().partition(" except ")
    left_out = [*(f"{name}.{other}" for other in (*others.split(), *PARTS_OF_FACES)), *FACES]
    yield name
    for found in walk_packages(getattr(import_module(name), "__path__", []), f"{name}."):
        private = found.name.rpartition(".")[2].startswith("_")
        if not private and not any(found.name == part or found.name.startswith(f"{part}.") for part in left_out):
            yield found.name


class PackageApi(SphinxDirective):
    has_content = True

    def run(self) -> list[nodes.Node]:
        names = [module for line in self.content for module in modules(line)]
        text = "\n\n".join(f"{name}\n{'-' * len(name)}\n\n.. automodule:: {name}\n" for name in names)
        return self.parse_text_to_nodes(text, allow_section_headings=True)


class QuickPythonDomain(PythonDomain):
    """Python's names, without a look through all of them for each ``int`` and ``str`` of a signature."""

    _known: frozenset[str] = frozenset()
    _counted = 0

    def find_obj(self, env: Any, modname: Any, classname: Any, name: str, type: Any, searchmode: int = 0) -> Any:
        if len(self.objects) != self._counted:
            self._counted = len(self.objects)
            self._known = frozenset(full.rpartition(".")[2] for full in self.objects)
        if name.removesuffix("()").rpartition(".")[2] not in self._known:
            return []
        return super().find_obj(env, modname, classname, name, type, searchmode)


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("package-api", PackageApi)
    app.add_domain(QuickPythonDomain, override=True)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
