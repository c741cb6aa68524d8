"""Functions that only compiled code calls: linked into their callers, also from the cache, and no machine code themselves."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from kibitz.ground import inner
from kibitz.ground.jit import COMPILED, jit

pytestmark = pytest.mark.skipif(not COMPILED, reason="needs the compiler")

# Printing needs a function's environment: the text is an object of Python's.
GREETING = """
    import os
    from kibitz.ground.jit import jit

    @jit
    def greet(n: int) -> int:
        print("hello", n)
        return n + 1

    @jit
    def politely(n: int) -> int:
        return greet(n)

    @jit
    def once(n: int) -> int:
        return politely(n)

    @jit
    def twice(n: int) -> int:
        return politely(politely(n))

    print({"once": once, "twice": twice}[os.environ["DOOR"]](1))
    print(*(sum(f.inner().stats.cache_misses.values()) for f in (greet, politely)))
"""


@pytest.fixture
def no_cache(monkeypatch):
    """Functions are compiled, even if an earlier run has kept them."""
    monkeypatch.setattr("kibitz.ground.jit._cache_folder", lambda key: None)


def lines_from(door: str, folder: Path) -> list[str]:
    """What the script prints in a process of its own, with a cache in `folder`."""
    file = folder / "script.py"
    file.write_text(textwrap.dedent(GREETING))
    env = {**os.environ, "KIBITZ_CACHE": str(folder / "cache"), "DOOR": door}
    done = subprocess.run([sys.executable, str(file)], env=env, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_new_door_is_made_of_inner_functions_from_the_cache(tmp_path):
    assert lines_from("once", tmp_path) == ["hello 1", "2", "1 1"]
    assert lines_from("twice", tmp_path) == ["hello 1", "hello 2", "3", "0 0"]
    assert lines_from("twice", tmp_path) == ["hello 1", "hello 2", "3", "0 0"]


def test_only_doors_become_machine_code(no_cache):
    @jit
    def square(n: int) -> int:
        return n * n

    @jit
    def sum_of_squares(m: int, n: int) -> int:
        return square(m) + square(n)

    assert sum_of_squares(3, 4) == 25
    (library,) = (overload.library for overload in square.inner().overloads.values())
    assert not list(library.get_defined_functions())
    assert "square" in library.get_llvm_str()
    (door,) = (overload.library for overload in sum_of_squares.overloads.values())
    assert any("sum_of_squares" in f.name for f in door.get_defined_functions())
    assert not square.overloads


def test_another_numba_compiles_inner_functions_its_own_way(monkeypatch, no_cache):
    monkeypatch.setattr(inner, "INTERNALS", (*inner.INTERNALS, "_what_no_library_has"))

    @jit
    def cube(n: int) -> int:
        return n * n * n

    @jit
    def sum_of_cubes(m: int, n: int) -> int:
        return cube(m) + cube(n)

    assert sum_of_cubes(3, 4) == 91
    (library,) = (overload.library for overload in cube.inner().overloads.values())
    assert any("cube" in f.name for f in library.get_defined_functions())
