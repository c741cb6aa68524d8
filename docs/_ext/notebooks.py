"""``notebook FILE``: a Jupyter notebook as a part of a page, with the outputs that are stored in it."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Notebook(SphinxDirective):
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        _, path = self.env.relfn2path(self.arguments[0])
        self.env.note_dependency(path)
        cells = json.loads(Path(path).read_text(encoding="utf-8"))["cells"]
        return [node for cell in cells for node in self.cell(cell)]

    def cell(self, cell: dict[str, Any]) -> list[nodes.Node]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            return self.parse_text_to_nodes(source, allow_section_headings=True)
        code = nodes.literal_block(source, source, language="python")
        return [code, *(output_node(output) for output in cell["outputs"])]


def output_node(output: dict[str, Any]) -> nodes.Node:
    """The richest form of an output: a picture, HTML, or text."""
    if output["output_type"] == "stream":
        return text_node("".join(output["text"]))
    data = {kind: "".join(value) for kind, value in output["data"].items()}
    if "image/svg+xml" in data:  # as an image of its own, so that ids and styles of two pictures do not meet
        encoded = base64.b64encode(data["image/svg+xml"].encode()).decode()
        return nodes.raw("", f'<img class="notebook-picture" alt="" src="data:image/svg+xml;base64,{encoded}">', format="html")
    if "text/html" in data:
        return nodes.raw("", f'<div class="notebook-table">{data["text/html"]}</div>', format="html")
    return text_node(data["text/plain"])


def text_node(text: str) -> nodes.Node:
    return nodes.literal_block(text, text, language="text", classes=["notebook-output"])


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("notebook", Notebook)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
