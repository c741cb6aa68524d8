"""Doctests of modules whose library is not installed are left out, and so are files that hold no test that is asked for."""

import builtins
import gc
import sys
from importlib.util import find_spec

import pytest

NEEDS = {"gymnasium": ("gym", "vector", "zoo"), "pettingzoo": ("zoo",), "pyspiel": ("spiel",)}
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
    gc.collect()
    gc.freeze()
    gc.set_threshold(7_000)


def _exact_sum(values, /, start=0):
    """The `sum` of Kibitz adds no floats: since Python 3.12 they are added otherwise than before (`math.fsum` is the same)."""
    total = _SUM(values, start)
    if type(total) is float and sys._getframe(1).f_globals["__name__"].startswith("kibitz."):
        raise AssertionError("a sum of floats depends on the version of Python: use math.fsum")
    return total


_SUM, builtins.sum = builtins.sum, _exact_sum


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """A test marked `untraced` is not measured by coverage."""
    measured = "coverage" in sys.modules and item.get_closest_marker("untraced") and sys.modules["coverage"].Coverage.current()
    if not measured:
        return (yield)
    measured.stop()
    try:
        return (yield)
    finally:
        measured.start()
