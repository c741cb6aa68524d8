"""Structs and the Protocols that stand for them in type hints."""

from inspect import get_annotations
from typing import Any

import numpy as np

from kibitz.ground.jit import field_names


def mismatches(dtype: np.dtype[np.void], protocol: type) -> list[str]:
    """The differences between a dtype and the Protocol that stands for it in type hints (none when they agree).

    A misspelt field would otherwise be found late and with an obscure message.
    """
    kinds = {0: "int", 1: "Vector", 2: "Grid"}
    fields: Any = dtype.fields or {}
    hints = [hint for base in reversed(protocol.__mro__) for hint in get_annotations(base).items()]
    declared = {n: getattr(t, "__name__", str(t)) for n, t in hints}
    actual = {n: "Structs" if fields[n][0].base.names else kinds[fields[n][0].ndim] for n in field_names(dtype)}
    return [f"{n}: {declared.get(n)} declared, {actual.get(n)} in the dtype"
            for n in {**declared, **actual} if declared.get(n) != actual.get(n)]  # fmt: skip
