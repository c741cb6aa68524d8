"""``package-api NAME ...``: a section for each module of these packages, from their docstrings. No module can be forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


def modules(name: str) -> Iterator[str]:
    """A module, or a package and all that is in it, in the order of the alphabet."""
    yield name
    for found in walk_packages(getattr(import_module(name), "__path__", []), f"{name}."):
        if not found.name.rpartition(".")[2].startswith("_"):
            yield found.name


class PackageApi(SphinxDirective):
    has_content = True

    def run(self) -> list[nodes.Node]:
        names = [module for name in self.content for module in modules(name.strip())]
        text = "\n\n".join(f"{name}\n{'-' * len(name)}\n\n.. automodule:: {name}\n" for name in names)
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("package-api", PackageApi)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
