"""The code in README and docs: which blocks there are, and how each kind is run.

A page is run from its top to its end in a folder of its own, which holds ``examples``. A block is

- ``python``: run; what stands behind a print (or below it as a list) must be printed. Lessons (tutorials) share their names
  from block to block, other pages begin anew with each block.
- ``{code-block}`` with a caption: a file of that name, written to the folder.
- ``console``: each line after ``$ `` is a command, what follows is printed by it; a line of dots stands for any lines. In a
  game against bots, what stands behind ``> `` is typed.

To write the output of commands anew, after a deliberate change, and read the diff: ``python -m tests.docs.pages --write``.
"""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from kibitz import cli

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
#: Console blocks of these pages are compared with what is printed by the tests of their commands.
ELSEWHERE = {
    "docs/coup_advise.md": "tests/cli/test_coup_advise.py",
    "docs/tree.md": "tests/cli/test_coup_tree.py and those of the other games",
}
#: Commands that a test cannot run, each with the reason.
NOT_RUN = {
    "make web": "serves until it is stopped; tests/web does",
    "kibitz web": "the same",
    "kibitz catan play": "asks a person; tests/cli/test_catan_play.py does",
    "kibitz coup play": "asks a person; tests/cli/test_coup_play.py does",
    "kibitz onepiece play": "asks a person; the tests of the command line do",
    "kibitz track --follow": "goes on until it is stopped",
    "pip install": "needs a network; benchmarks/prove_package.py does",
    "dask": "starts a cluster; tests/compute/test_cluster.py does",
}
#: As wide as the pages.
WIDTH = "80"
FENCE = re.compile(r"^(?P<fence>`{3,})(?P<kind>[^\n`]*)\n(?P<text>.*?)^(?P=fence)[ ]*$", re.DOTALL | re.MULTILINE)
CAPTION = re.compile(r":caption: (.+)\n\n?")
COMMAND = re.compile(r"^\$ (?P<command>.+)\n(?P<printed>(?:(?!\$ ).*\n)*)", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A block of code: its kind (python, file, console), its text, and where it stands."""

    kind: str
    text: str
    where: str
    name: str = ""


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found = []
    for fence in FENCE.finditer(text):
        kind, body = fence["kind"].strip(), fence["text"]
        where = f"{name_of(page)}:{text[: fence.start()].count(chr(10)) + 1}"
        if kind == "{code-block} python":
            caption = CAPTION.match(body)
            assert caption, f"{where}: a code-block has a caption, the name of its file"
            found.append(Block("file", body[caption.end() :], where, caption[1]))
        elif kind == "python" or (kind == "console" and name_of(page) not in ELSEWHERE):
            found.append(Block(kind, body, where))
    return found


def promises(block: str) -> list[str]:
    """What stands behind a print, or below it as a list."""
    return [a or b for a, b in re.findall(r"^ *print\(.*\) +# (.+)$|^# (\[.+\])$", block, re.MULTILINE)]


def not_run(command: str) -> bool:
    """Whether it is one of the exceptions: the words of an exception stand in it, in their order."""
    given = shlex.split(command, comments=True)
    return any(all(word in given for word in exception.split()) for exception in NOT_RUN)


# --- running ----------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def folder_of_its_own() -> Iterator[Path]:
    """The working folder of a page, with the examples in it."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "examples").symlink_to(ROOT / "examples", target_is_directory=True)
        data = {"KIBITZ_DATA": name, "KIBITZ_ENDGAMES": name, "COLUMNS": WIDTH}
        with mock.patch.dict(os.environ, data), mock.patch.object(sys, "path", [name, *sys.path]):
            os.chdir(name)
            try:
                yield Path(name)
            finally:
                os.chdir(before)


def run_python(block: Block, names: dict[str, Any]) -> str:
    """What a block prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(block.text, block.where, "exec"), names)
    return printed.getvalue()


def typed_in(promised: str) -> list[str]:
    """What somebody types, by what a page shows.

    >>> typed_in("Your move:\\n> 2\\nYou: baron 2\\n> q\\n")
    ['2', 'q']
    """
    return [line[2:] for line in promised.splitlines() if line.startswith("> ")]


def run_command(command: str, typed: Sequence[str] = ()) -> str:
    """What a command prints, on either stream; commands of Kibitz run in this process, which has everything compiled.

    A game in the terminal is told what is `typed`; then nobody types any more.
    """
    words = shlex.split(command, comments=True)
    if words[0] != "kibitz":
        words = [sys.executable, *words[1:]] if words[0] == "python" else words
        done = subprocess.run(words, check=False, capture_output=True, text=True)
        return clean(done.stdout + done.stderr)
    printed, answers = io.StringIO(), iter(typed)

    def answer(prompt: str) -> str:
        text = next(answers, None) if prompt == "> " else ""
        if text is None:
            raise EOFError
        printed.write(f"{prompt}{text}\n")
        return text

    with (
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(printed),
        contextlib.suppress(SystemExit),
        mock.patch.object(sys, "argv", words),
        mock.patch("builtins.input", answer),
    ):
        cli.main()
    return clean(printed.getvalue())


def clean(printed: str) -> str:
    """Without blanks at the ends of lines, empty lines around, and what depends on the machine."""
    lines = [line.rstrip() for line in printed.splitlines() if not re.search(r"kibitz: compiling|games/s$", line)]
    return "".join(f"{line}\n" for line in lines).strip("\n") + "\n"


def agrees(printed: str, promised: str) -> bool:
    """Whether a command printed what the page shows."""
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == "..." else re.escape(f"{line}\n") for line in promised.splitlines())
    return re.fullmatch(pattern, printed) is not None


# --- writing ------------------------------------------------------------------------------------------------------------


def shortened(printed: str, promised: str) -> str:
    """What is printed now, as much of its head and tail as the page showed."""
    shown = [line.strip() for line in promised.splitlines()]
    if "..." not in shown:
        return printed
    lines = printed.splitlines()
    head, tail = shown.index("..."), shown[::-1].index("...")
    return "".join(f"{line}\n" for line in [*lines[:head], "...", *lines[len(lines) - tail :]])


def rewritten(page: Path) -> str:
    """The page with what its commands print now."""
    text = page.read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    with folder_of_its_own() as folder:
        for block in blocks(page):
            if block.kind == "file":
                (folder / block.name).write_text(block.text, encoding="utf-8")
            elif block.kind == "python":
                run_python(block, names)
            else:
                text = text.replace(block.text, "".join(_told(found) for found in COMMAND.finditer(block.text)))
    return text


def _told(found: re.Match[str]) -> str:
    command, promised = found["command"], found["printed"]
    if not_run(command):
        return found[0]
    printed = run_command(command, typed_in(promised))
    if promised.strip() == "" or agrees(printed, promised):
        return found[0]
    return f"$ {command}\n{shortened(printed, promised)}"


if __name__ == "__main__":
    for page in PAGES:
        if "--write" in sys.argv and any(block.kind == "console" for block in blocks(page)):
            page.write_text(rewritten(page), encoding="utf-8")
            print(name_of(page))
