"""Tests that prove a rule: on the pages of the rules, ``test_rules.py::test_setup_snake_order`` leads to its source.

`proof_folders` in the configuration says in which folder of tests a page's names are looked up. The sources are pages of the
site, as they stand when it is built.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

ROOT = Path(__file__).parents[2]
PROOF = re.compile(r"(test_\w+\.py)::(test_\w+)(?:\[.*\])?")


class LinkProofs(SphinxPostTransform):
    """Makes a link of every test that is named in code style."""

    default_priority = 500
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        folder = self.config.proof_folders.get(self.env.docname)
        if folder is None or self.app.builder.name != "html":
            return
        for literal in list(self.document.findall(nodes.literal)):
            named = PROOF.fullmatch(literal.astext())
            if named:
                page = page_name(f"{folder}/{named[1]}")
                uri = f"{self.app.builder.get_relative_uri(self.env.docname, page)}#{named[2]}"
                short = nodes.literal("", literal.astext().partition("::")[2], classes=["proof"])
                literal.replace_self(nodes.reference("", "", short, internal=True, refuri=uri))


def page_name(path: str) -> str:
    return f"_proofs/{path.removesuffix('.py')}"


def pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """A page for each file of tests that the rules name."""
    named = {
        f"{folder}/{file}"
        for page, folder in app.config.proof_folders.items()
        for file, _ in PROOF.findall((Path(app.srcdir) / f"{page}.md").read_text(encoding="utf-8"))
    }
    for path in sorted(named):
        body = f'<h1>{escape(path)}</h1><div class="highlight">{marked((ROOT / path).read_text(encoding="utf-8"))}</div>'
        yield page_name(path), {"title": path, "body": body}, "page.html"


def marked(source: str) -> str:
    """The source in colours, with an anchor at every test."""
    lines = highlight(source, PythonLexer(), HtmlFormatter(nowrap=True)).splitlines()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            first = min([node.lineno, *(found.lineno for found in node.decorator_list)]) - 1
            lines[first] = f'<span class="proof-source" id="{node.name}"></span>{lines[first]}'
    return "<pre>" + "\n".join(lines) + "</pre>"


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_config_value("proof_folders", {}, "env")
    app.add_post_transform(LinkProofs)
    app.connect("html-collect-pages", pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
