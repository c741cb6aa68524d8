"""Notebooks without Jupyter: cells are run one after another, and the last expression of each is shown as a notebook shows it.

To store the outputs anew, after a deliberate change, and read the diff: ``python -m tests.docs.notebook --write``.
"""

import ast
import contextlib
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.docs.pages import ROOT, folder_of_its_own

NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))
#: The rich forms of an object, as notebooks ask for them.
RICH = {"image/svg+xml": "_repr_svg_", "text/html": "_repr_html_"}


def run(notebook: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    """The outputs of each code cell, in their order."""
    names: dict[str, Any] = {}
    with folder_of_its_own():
        for number, cell in enumerate((cell for cell in notebook["cells"] if cell["cell_type"] == "code"), 1):
            yield run_cell("".join(cell["source"]), names, number)


def run_cell(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """What a cell prints, and what its last expression shows."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), f"cell {number}", "exec"), names)
        value = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names) if last else None
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines(printed.getvalue())})
    if value is not None:
        rich = {kind: lines(getattr(value, method)()) for kind, method in RICH.items() if hasattr(value, method)}
        data = {**rich, "text/plain": lines(f"<{type(value).__name__}>" if rich else repr(value))}
        outputs.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return outputs


def lines(text: str) -> list[str]:
    """As the file format has them."""
    return text.splitlines(keepends=True)


def with_outputs(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook as it is after a run."""
    outputs = run(notebook)
    cells = []
    for cell in notebook["cells"]:
        done = cell
        if cell["cell_type"] == "code":
            number = sum(other["cell_type"] == "code" for other in cells) + 1
            done = {**cell, "execution_count": number, "outputs": next(outputs)}
        cells.append(done)
    return {**notebook, "cells": cells}


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


if __name__ == "__main__":
    for path in NOTEBOOKS:
        if "--write" in sys.argv:
            path.write_text(json.dumps(with_outputs(read(path)), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            print(path.name, path.stat().st_size)
