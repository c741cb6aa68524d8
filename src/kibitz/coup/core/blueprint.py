"""The blueprint's files, and how they lie in memory for the policy `equilibrium`.

There is a file for two players and one for three to six (`VARIANTS`). The cells of two players that hardly ever matter are left
out of the file: their coarse cells answer for them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.coup.core import sets, table_sets
from kibitz.coup.core.equilibrium import COARSE_AT, DUEL, INDEX_AT, MORE, RETURNS_AT, ROW, ROWS_AT, TABLE_AT
from kibitz.coup.core.sets import CLAIMED, LAYERS, PURSES, STANDINGS
from kibitz.game.tables import InvalidTable, TableFile
from kibitz.ground.memory import keep

TWO, TABLE = VARIANTS = ("2-players", "3-to-6-players")
SUFFIX = ".blueprint"
FOLDER = Path(__file__).parents[1] / "blueprints"
#: What the places mean: a change of the information sets is another layout.
_MEANING = (sets.FINE, sets.COARSE, sets.RETURNS, sets.LAYERS, tuple(sets.QUESTIONS.items()), ROW, table_sets.TABLE_SLOTS, 1)
LAYOUT = hashlib.blake2b(repr(_MEANING).encode(), digest_size=4).hexdigest()


def read(path: Path) -> TableFile:
    """A blueprint from a file. Raises `InvalidTable`, which names what is wrong with it."""
    file = TableFile.load(path, "coup", LAYOUT)
    wanted = {TWO: {"cells", "rows", "coarse", "returns"}, TABLE: {"table"}}
    if wanted.get(file.variant) != set(file.arrays):
        raise InvalidTable(f"{path}: made for {file.variant!r}, which is none of {', '.join(VARIANTS)}")
    return file


def image(files: Iterable[TableFile]) -> npt.NDArray[np.uint8]:
    """The bytes that compiled code reads (see `kibitz.coup.core.equilibrium`)."""
    parts = {file.variant: file.arrays for file in files}
    cells = parts[TWO]["cells"] if TWO in parts else np.zeros(0, np.int32)
    made = np.zeros(ROWS_AT + ROW * len(cells), np.uint8)
    if TWO in parts:
        made[0] |= DUEL
        numbers = np.arange(1, len(cells) + 1)
        index = made[INDEX_AT:COARSE_AT].reshape(-1, 3)
        for place in range(3):
            index[cells, place] = (numbers >> (8 * place)) & 255
        made[COARSE_AT:RETURNS_AT] = parts[TWO]["coarse"]
        made[RETURNS_AT:TABLE_AT] = parts[TWO]["returns"]
        made[ROWS_AT:] = parts[TWO]["rows"]
        _fall_back(index, cells, parts[TWO]["coarse"])
    if TABLE in parts:
        made[0] |= MORE
        made[TABLE_AT:ROWS_AT] = parts[TABLE]["table"]
    return made


def coarse_of(cells: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The coarse cells that answer for fine ones."""
    return np.asarray(cells // (CLAIMED * PURSES) * PURSES + cells % PURSES)


def _fall_back(index: npt.NDArray[np.uint8], cells: npt.NDArray[np.int32], coarse: npt.NDArray[np.uint8]) -> None:
    """Where nothing was solved for so many turns left, the cells far from the turn limit answer: `index` [fine, 3]."""
    rows = coarse.reshape(LAYERS + 1, -1, ROW)
    known = (rows != rows[0]).any(axis=2)
    known.reshape(-1)[coarse_of(cells)] = True
    late, unknown = np.nonzero(~known.reshape(LAYERS + 1, -1)[1:])
    every = index.reshape(LAYERS + 1, STANDINGS, CLAIMED, PURSES, 3)
    stand, purse = unknown // PURSES, unknown % PURSES
    every[1 + late, stand, :, purse] = every[0, stand, :, purse]


class BlueprintShelf:
    """The blueprint that comes with Kibitz, and what somebody puts in its place for a while."""

    @cached_property
    def files(self) -> list[TableFile]:
        """What there is."""
        return [read(path) for variant in VARIANTS if (path := FOLDER / f"{variant}{SUFFIX}").exists()]

    @cached_property
    def bytes(self) -> npt.NDArray[np.uint8]:
        """All of it as compiled code reads it."""
        return image(self.files)

    @cached_property
    def address(self) -> int:
        """Where it lies."""
        return keep(self.bytes)

    def use(self, files: Iterable[TableFile]) -> None:
        """Let `equilibrium` play by other files from now on (those who are at a table already play on as they began)."""
        made = list(files)
        self.__dict__.update(files=made, bytes=image(made))
        self.__dict__.pop("address", None)

    def use_file(self, path: Path) -> None:
        """The same for one file: the other number of seats is played as before."""
        file = read(path)
        self.use([file, *(other for other in self.files if other.variant != file.variant)])

    def __reduce__(self) -> tuple[type[Any], tuple[()]]:
        """In another process it is read anew."""
        return BlueprintShelf, ()


BLUEPRINT = BlueprintShelf()
