"""Generic packages name no game, in whatever way, and every module has its layer."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

import kibitz

pytestmark = pytest.mark.plain
ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "kibitz"
#: Every package but the games and the examples: a new one is generic until `kibitz.GAMES` calls it a game.
GENERIC = sorted(
    path.name for path in SOURCES.iterdir() if path.is_dir() and path.name not in (*kibitz.GAMES, "examples", "__pycache__")
)
#: How a game is named: in a sentence, in an import, in part of a longer name (`my_coup_table`, `CatanState`); not in a coupon.
_LOWER, _TITLE, _UPPER = ("|".join(write(game) for game in kibitz.GAMES) for write in (str.lower, str.title, str.upper))
NAME = re.compile(
    rf"(?<![a-z])(?:{_LOWER})(?![a-z])|(?:{_TITLE})(?![a-z])|(?<![A-Z])(?:{_UPPER})(?![A-Z])|one_piece|One ?Piece|ONE_PIECE"
)
#: An example in a docstring, with what it prints.
EXAMPLE = re.compile(r"^ *>>> .*\n(?:.*\S.*\n)*", re.MULTILINE)
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def docstring_of(node: ast.AST) -> ast.Constant | None:
    first = node.body[0] if isinstance(node, DOCUMENTED) and node.body else None
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    return first.value if is_text else None


def named(source: str) -> list[str]:
    """Where a game is named: in code, in comments and in strings. The examples of a docstring may do so, its prose may not."""
    tree, lines = ast.parse(source), source.splitlines()
    docstrings = [text for node in ast.walk(tree) if (text := docstring_of(node))]
    found = []
    for text in docstrings:
        lines[text.lineno - 1 : text.end_lineno] = [""] * (text.end_lineno - text.lineno + 1)
        found += [f"{text.lineno}: {line}" for line in EXAMPLE.sub("", f"{text.value}\n").splitlines() if NAME.search(line)]
    found += [f"{number}: {line}" for number, line in enumerate(lines, start=1) if NAME.search(line)]
    told = {id(text) for text in docstrings}  # what is put together of pieces, or written in numbers of letters
    texts = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in told)
    return found + [f"{text.lineno}: {text.value!r}" for text in texts if NAME.search(str(text.value))]


@pytest.mark.parametrize("package", GENERIC)
def test_no_generic_package_names_a_game(package: str) -> None:
    files = [path for path in (SOURCES / package).rglob("*") if path.is_file() and path.suffix != ".pyc"]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    found = {path: named(text) if path.suffix == ".py" else NAME.findall(text) for path, text in texts.items()}
    assert {str(path): names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    "source",
    [
        "from kibitz.catan.core import x", "import kibitz.coup", "from kibitz import coup", "x = 'onepiece'",
        "x = f'Catan, {y}'", '"""As in Coup."""', "x = 'my_coup_table'", "class CatanThing: pass", "x = one_piece",
        "x = y.catan", "COUP = 1", "f(x)  # as in Coup", "x = 'cat' 'an'", "x = '\\x63atan'", "x = b'catan'",
        'x = """\n>>> catan\n"""', 'def f():\n    """Text.\n\n    >>> f()\n    """\n    return "coup"', "f('>>> catan')",
    ],
)  # fmt: skip
def test_the_check_finds_a_name_wherever_it_stands(source: str) -> None:
    assert named(source)


def test_the_check_leaves_examples_and_other_words_alone() -> None:
    assert not named('"""Prose.\n\n>>> from kibitz import coup\n"""\nx = "a coupon, in one piece; a couple, to recoup"')
    assert {"learn", "web", "cli", "play"} <= set(GENERIC)


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
