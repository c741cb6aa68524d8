"""Generic packages name no game, neither in an import nor in a string, and every module has its layer."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import kibitz

pytestmark = pytest.mark.plain
ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "kibitz"
GENERIC = ("ground", "game", "compute", "search", "belief", "loops", "play", "cli", "web", "adapters", "testing")
NAME = re.compile(rf"\b((?i:{'|'.join(kibitz.GAMES)})|One Piece)\b")
#: An example in a docstring, with what it prints.
EXAMPLE = re.compile(r"^ *>>> .*\n(?:.*\S.*\n)*", re.MULTILINE)


def named(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Where a game is named, in imports and in strings; the examples of a docstring may do so, its prose may not."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            texts = [node.module or "", *(alias.name for alias in node.names)]
        elif isinstance(node, ast.Import):
            texts = [alias.name for alias in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts = [EXAMPLE.sub("", node.value) if id(node) in docstrings else node.value]
        else:
            continue
        yield from ((node.lineno, text) for text in texts if NAME.search(text.replace("_", " ")))


def test_no_generic_package_names_a_game() -> None:
    found = {
        str(path.relative_to(SOURCES)): list(named(ast.parse(path.read_text(encoding="utf-8"))))
        for package in GENERIC
        for path in (SOURCES / package).rglob("*.py")
    }
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_the_check_finds_imports_and_strings() -> None:
    told = ["from kibitz.catan.core import x", "import kibitz.coup", "x = 'onepiece'", "x = f'Catan, {y}'", '"""As in Coup."""']
    for text in (*told, "from kibitz import coup", "x = 'my_coup_table'"):
        assert list(named(ast.parse(text))), text
    assert not list(named(ast.parse('"""Prose.\n\n>>> from kibitz import coup\n"""\nx = "a coupon, in one piece"')))


def modules() -> set[str]:
    found = (path.relative_to(SOURCES.parent).with_suffix("") for path in SOURCES.rglob("*.py"))
    return {".".join(path.parts).removesuffix(".__init__") for path in found}


def test_every_module_has_a_layer() -> None:
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"][0]
    layered = [name for layer in contract["layers"] for name in re.findall(r"[\w.]+", layer)]
    assert sorted(name for name in layered if name not in modules()) == []
    ways_in = {"kibitz", "kibitz.__main__", *(f"kibitz.{game}" for game in kibitz.GAMES)}
    homeless = {name for name in modules() - ways_in if not any(f"{name}.".startswith(f"{layer}.") for layer in layered)}
    assert homeless == set()
