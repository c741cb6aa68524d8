"""The tables of the page about good play: what Coup's blueprint does, asked when the pages are built.

``strategy-table NAME``  one of `kibitz.coup.blueprint.telling.TABLES`
"""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType

from docutils import nodes
from sphinx.application import Sphinx
from tables import Table

from kibitz.coup.blueprint import telling


class StrategyTable(Table):
    def source(self) -> ModuleType:
        return telling

    def rows(self) -> Iterable[list[str]]:
        heads, rows = telling.TABLES[self.arguments[0]]()
        self.head, self.widths = tuple(heads), (100 // len(heads),) * len(heads)
        return rows

    def run(self) -> list[nodes.Node]:
        rows = list(self.rows())
        return [self.table(rows)]


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("strategy-table", StrategyTable)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
