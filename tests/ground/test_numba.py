"""Kibitz uses internals of Numba, so it names the releases that it was tried with."""

import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from numba.core import cgutils, codegen, compiler, config, cpu, event

pytestmark = pytest.mark.plain

#: What is used of Numba that its documentation does not promise, by the module of ours that uses it.
INTERNALS = {
    "kibitz.ground.inner": [(codegen, "JITCodeLibrary"), (compiler, "Compiler")],
    "kibitz.ground.jit": [(event, "Listener"), (event, "register")],
    "kibitz.game.layers": [(cpu, "CPUContext"), (cgutils, "alloca_once"), (config, "CPU_NAME")],
}


def bound() -> tuple[int, ...]:
    """The first release of Numba that is refused."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    (declared,) = (one for one in project["dependencies"] if one.startswith("numba"))
    return tuple(map(int, re.search(r"<(\d+)\.(\d+)", declared).groups()))


@pytest.mark.parametrize("module", INTERNALS)
def test_what_kibitz_uses_of_numbas_inside_is_there(module):
    missing = [f"{home.__name__}.{name}" for home, name in INTERNALS[module] if not hasattr(home, name)]
    assert not missing, f"{module} cannot work with Numba {version('numba')}: {missing}"


def test_the_installed_numba_is_one_that_the_package_allows():
    installed = tuple(map(int, version("numba").split(".")[:2]))
    assert installed < bound(), (
        f"Numba {version('numba')} is newer than the package allows. If all other tests pass with it, "
        f"move the bound in pyproject.toml to <{installed[0]}.{installed[1] + 1}."
    )
