"""The examples in README and docs run, and print what they say."""

import re
import shlex
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kibitz.cli import create_app
from kibitz.cli.games import Later
from tests.docs.pages import (
    COMMAND,
    ELSEWHERE,
    NOT_RUN,
    PAGES,
    agrees,
    blocks,
    folder_of_its_own,
    name_of,
    not_run,
    promises,
    run_command,
    run_python,
    typed_in,
)

KIBITZ: Any = create_app()
RUNNING = [page for page in PAGES if blocks(page)]


@pytest.mark.parametrize("page", RUNNING, ids=name_of)
def test_a_page_does_what_it_says(page: Path) -> None:
    for library in ("gymnasium", "pettingzoo", "pyspiel", "catanatron"):
        if any(re.search(rf"^(import|from) {library}\b", block.text, re.MULTILINE) for block in blocks(page)):
            pytest.importorskip(library, reason=f"{library} is not installed")
    names: dict[str, Any] = {}
    with folder_of_its_own() as folder:
        for block in blocks(page):
            if block.kind == "file":
                (folder / block.name).write_text(block.text, encoding="utf-8")
            elif block.kind == "python":
                names = names if page.parent.name == "tutorials" else {}
                printed = run_python(block, names)
                for promise in promises(block.text):
                    assert promise in printed, block.where
            else:
                check_commands(block.text, block.where)


def check_commands(text: str, where: str) -> None:
    for found in COMMAND.finditer(text):
        if not not_run(found["command"]):
            printed = run_command(found["command"], typed_in(found["printed"]))
            assert found["printed"].strip() == "" or agrees(printed, found["printed"]), f"{where}:\n{printed}"


def test_there_are_examples_with_promises() -> None:
    pages = {name_of(page) for page in RUNNING if any(promises(block.text) for block in blocks(page))}
    assert {"README.md", "docs/tracking.md", "docs/formats.md"} <= pages


# --- commands that are only shown -----------------------------------------------------------------------------------------


def commands() -> list[tuple[str, str]]:
    """Every command of Kibitz in a block of code, indented or fenced."""
    return [
        (name_of(page), command)
        for page in PAGES
        for command in re.findall(r"^(?: {4})?(?:\$ )?(kibitz [a-z].*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    ]


@pytest.mark.parametrize("page", sorted({page for page, _ in commands()}))
def test_every_command_is_one(page: str) -> None:
    """Its words and options exist, and its values are of their kind."""
    for command in [command for where, command in commands() if where == page]:
        _, *words = shlex.split(command, comments=True)
        at = KIBITZ
        while hasattr(at, "commands"):
            at = at.get_command(SimpleNamespace(resilient_parsing=False), words.pop(0))
            at = at.real if isinstance(at, Later) else at
        at.make_context(command, words)


def test_exceptions_have_reasons() -> None:
    assert all(len(reason) > 10 or reason == "the same" for reason in NOT_RUN.values())
    assert all(name in {name_of(page) for page in PAGES} for name in ELSEWHERE)
