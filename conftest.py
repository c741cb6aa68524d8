"""Doctests of modules whose library is not installed are left out, and so are files that hold no test that is asked for."""

import builtins
import gc
import os
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.traced import untraced

NEEDS = {"gymnasium": ("gym", "vector", "zoo"), "pettingzoo": ("zoo",), "pyspiel": ("spiel",), "stable_baselines3": ("sb3",)}
collect_ignore = [
    f"src/kibitz/adapters/{module}.py" for library, modules in NEEDS.items() if find_spec(library) is None for module in modules
]


def pytest_ignore_collect(collection_path, config):
    """`-m plain` loads only files that say so: others simulate games while they are loaded, which is slow in plain Python."""
    if config.option.markexpr == "plain" and collection_path.suffix == ".py":
        return "mark.plain" not in collection_path.read_text(encoding="utf-8") or None
    return None


def pytest_collection_finish():
    """The collector of garbage took a tenth of all time: what has been loaded stays, and the rest is looked at less often."""
    if measuring():
        load_everything()
    gc.collect()
    gc.freeze()
    gc.set_threshold(7_000)


def _exact_sum(iterable, /, start=0):  # named as in `sum`: PyTorch compares
    """The `sum` of Kibitz adds no floats: since Python 3.12 they are added otherwise than before (`math.fsum` is the same)."""
    total = _SUM(iterable, start)
    if type(total) is float and str(sys._getframe(1).f_globals.get("__name__")).startswith("kibitz."):
        raise AssertionError("a sum of floats depends on the version of Python: use math.fsum")
    return total


_SUM, builtins.sum = builtins.sum, _exact_sum


def measuring():
    """What measures the coverage, if anything does."""
    return sys.modules["coverage"].Coverage.current() if "coverage" in sys.modules else None


def load_everything():
    """Load every module that is measured, so that its first lines count whichever test would have loaded it."""
    source = Path(__file__).parent / "src"
    left_out = [source / ignored.removeprefix("src/") for ignored in collect_ignore]
    for file in sorted((source / "kibitz").rglob("*.py")):
        parts = file.relative_to(source).with_suffix("").parts
        if not {"web", "pages", "api", "__main__", "fit", "cuda"} & {*parts} and file not in left_out:
            import_module(".".join(part for part in parts if part != "__init__"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """A test that is marked `untraced`, or listed as one that adds no line, is not measured by coverage."""
    coverage = measuring()
    if not coverage or not (item.get_closest_marker("untraced") or name_of(item) in UNTRACED):
        return (yield)
    coverage.stop()
    try:
        return (yield)
    finally:
        coverage.start()


def name_of(item):
    """A test without its parameters, as tests/untraced.txt names it."""
    return item.nodeid.partition("[")[0]


UNTRACED = frozenset() if os.environ.get("KIBITZ_TRACE_ALL") else untraced()
