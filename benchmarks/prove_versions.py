"""The same answers from every Python, byte for byte: ``python benchmarks/prove_versions.py PYTHON...``.

Each PYTHON is an interpreter with Kibitz installed. ``make versions`` makes two: the oldest that is declared, with the lowest
declared version of every package, and a new one with the newest (``make versions OLDEST=python3.11 NEWEST=python3.14``).

Commands that print numbers, JSON, records and pictures are run in each of them, compiled there; all that they print and write
is compared. Then the page is started in each, is loaded, and an answer of its API is compared. ``--quick`` runs the
shortest command twice in this Python, under different hash seeds.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from hashlib import sha256
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from tables import ROOT, Bench

#: What is run, in an empty folder; FILE is written there.
COMMANDS = (
    "catan simulate --players builder,seed,random,builder-0.1 --games 20 --seed 1 --json --record FILE --full",
    "analyze beginner --rollouts 20 --json --svg FILE",
    "analyze beginner --mode mcts --iterations 100 --json",
    "analyze {root}/examples/game.jsonl.gz --at 200 --rollouts 20 --json",
    "catan review {root}/examples/game.jsonl.gz --seat 1 --json",
    "track {root}/examples/chat.txt --json",
    "coup advise 'cards duke captain; coins 3 5' --iterations 2000 --json",
    "coup solve --coins 3,5 --influence 1,1 --turns 6 --json",
    "coup simulate --players heuristic,honest,random --games 50 --seed 1 --json --record FILE",
    "coup tournament --players heuristic,honest,random --seats 2 --games 60 --seed 1 --json",
    "onepiece simulate --games 2 --seed 1 --json --record FILE",
)  # fmt: skip
#: What an interpreter says of itself.
VERSION = """
import platform
from importlib.metadata import version
print(platform.python_version(), *(f"{name} {version(name)}" for name in ("numpy", "numba", "nicegui")))
"""
#: What the API is asked, and for how many seconds a page may need to be there.
WEB_QUESTION, PATIENCE = b'{"seats": 3, "seed": 5, "moves": ["tax"], "action": "income"}', 180


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pythons", nargs="*", metavar="PYTHON", help="interpreters with Kibitz installed")


def outcome(python: str, command: str, environment: dict[str, str]) -> dict[str, bytes]:
    """All that a command prints and writes."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["out" if word == "FILE" else word.format(root=ROOT) for word in shlex.split(command)]
        words = [
            f"{word}.svg" if words[at - 1] == "--svg" else f"{word}.jsonl" if word == "out" else word
            for at, word in enumerate(words)
        ]
        done = subprocess.run(
            [python, "-P", "-m", "kibitz", *words], cwd=folder, env=environment, capture_output=True, check=False
        )
        if done.returncode:
            raise SystemExit(f"{python}: kibitz {command}: {done.stderr.decode()}")
        return {"": done.stdout, **{file.name: file.read_bytes() for file in sorted(Path(folder).iterdir())}}


def free_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def served(python: str, environment: dict[str, str]) -> dict[str, bytes]:
    """What the page answers; that it can be loaded at all is proved by the way."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as said:
        server = subprocess.Popen(
            [python, "-P", "-m", "kibitz", "web", "--no-open", "--port", str(port)],
            cwd=folder, env=environment, stdout=said, stderr=said,
        )  # fmt: skip
        try:
            page = fetched(server, f"http://127.0.0.1:{port}/")
            if b"Kibitz" not in page:
                raise SystemExit(f"{python}: the page does not name itself")
            asked = Request(f"http://127.0.0.1:{port}/api/coup/legal", WEB_QUESTION, {"Content-Type": "application/json"})
            return {"the answer of the API": fetched(server, asked)}
        except OSError as error:
            said.seek(0)
            raise SystemExit(f"{python}: kibitz web: {error}: {said.read().decode()}") from None
        finally:
            server.terminate()
            try:
                server.wait(timeout=60)
            except subprocess.TimeoutExpired:
                server.kill()


def fetched(server: subprocess.Popen[bytes], what: str | Request) -> bytes:
    """What an address answers, as soon as somebody listens there."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            with urlopen(what, timeout=PATIENCE) as answer:
                found: bytes = answer.read()
                return found
        except HTTPError as error:
            raise OSError(f"{error}: {error.read().decode()}") from None
        except OSError:
            if server.poll() is not None or time.monotonic() > until:
                raise
            time.sleep(0.2)


def compare(runs: dict[str, tuple[str, dict[str, str]]], commands: tuple[str, ...]) -> None:
    """Run every command everywhere; the first difference ends the proof."""
    for command in commands:
        found = {name: outcome(python, command, environment) for name, (python, environment) in runs.items()}
        check_same(command, found)


def check_same(command: str, found: dict[str, dict[str, bytes]]) -> None:
    """Say that all runs of a command gave the same, or end the proof."""
    first, *others = found
    for other in others:
        for part in sorted({*found[first], *found[other]}):
            left, right = found[first].get(part, b""), found[other].get(part, b"")
            if left != right:
                where = f"{part or 'the output'} differs between {first} and {other}"
                raise SystemExit(f"kibitz {command}: {where}: {difference(left, right)}")
    size, digest = sum(map(len, found[first].values())), sha256(b"".join(found[first].values())).hexdigest()[:12]
    print(f"the same in all: {size:9,} bytes, {digest}  kibitz {command.format(root='.')}", flush=True)


def difference(left: bytes, right: bytes) -> str:
    """Where two texts part."""
    at = next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
    return f"byte {at}, {left[max(0, at - 60) : at + 30]!r} and {right[max(0, at - 60) : at + 30]!r}"


def main() -> None:
    """Prove it."""
    bench = Bench(__doc__, None, options)
    if bench.quick:
        here = {
            f"hash seed {seed}": (sys.executable, {**os.environ, "KIBITZ_JIT": "0", "PYTHONHASHSEED": seed}) for seed in "12"
        }
        compare(here, ("coup simulate --players heuristic,honest --games 2 --seed 1 --json --record FILE",))
        return
    if len(bench.options.pythons) < 2:
        raise SystemExit("expected at least two interpreters: see --help")
    with tempfile.TemporaryDirectory() as caches:
        runs = {}
        for number, given in enumerate(bench.options.pythons):
            python = str(Path(shutil.which(given) or given).absolute())  # commands run in other folders; a link stays a link
            version = subprocess.run([python, "-c", VERSION], capture_output=True, text=True, check=True).stdout.strip()
            home = str(Path(caches, str(number)))
            environment = {**os.environ, "KIBITZ_CACHE": home, "KIBITZ_DATA": home, "KIBITZ_ENDGAMES": home}
            runs[f"{number + 1}: {version}"] = (python, environment)
            print(f"{number + 1}: {version}", flush=True)
        compare(runs, COMMANDS)
        check_same("web", {name: served(python, environment) for name, (python, environment) in runs.items()})


if __name__ == "__main__":
    main()
