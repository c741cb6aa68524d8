"""Golden games: readable files under `tests/golden/` that hold a game's actions, and what each of them changed.

The test replays the *stored* actions and compares what they change now: a changed rule shows up as the lines in which it
matters, and a bot that plays differently changes nothing. A file holds one game or several, with a blank line between them:

    seats   2
    played  seed 1: random, random
     step actor legal  action | what it changes
        0 chance   15  drawn assassin ambassador | P1: assassin +1, ambassador +1
    ...
    over after 25 steps: P1 0, P2 60

Numbers are changes, not totals, so that a difference is not repeated on every later line. An action that is now illegal says
so, with the reason. Where the game can still take it, it is played all the same and the replay goes on; where it cannot (it is
not the time for such an action, or the game is over), the replay stops and says how many actions are left.

A test module says how its games begin and what can change in them (`Kind`), and ends with `golden_command`:

    python -m tests.coup.test_golden --write           # the consequences anew, the actions as they are
    python -m tests.coup.test_golden --record honest   # let the bots play this game anew, and store their actions
"""

import difflib
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kibitz import game as verbs
from kibitz.game import CHANCE, OVER, RANDOM, game_of, seats_of
from kibitz.game.definition import seat_policies
from kibitz.game.doors import decide_at, reseed_at
from kibitz.ground.jit import uint64

FOLDER = Path(__file__).parent / "golden"
TITLE = " step actor legal  action | what it changes"

_STEP = re.compile(r" *\d+ (?:chance|P\d) +\d+  (?P<action>.*?)(?: \| .*)?")
#: Reasons after which the game cannot take an action, so that the replay stops.
_HOPELESS = {"UNKNOWN_ACTION", "GAME_IS_OVER", "WRONG_PHASE", "CHANCE_DECIDES", "NO_SUCH_OUTCOME"}

Header = Mapping[str, str]
#: What is true in a position, by owner and name: a count, a mark that is there or not, or a text.
Facts = Mapping[tuple[str, str], int | bool | str]


@dataclass(frozen=True)
class Kind:
    """How a kind of golden game begins, what its steps can change, and what stands above each turn."""

    start: Callable[[Header], Any]
    facts: Callable[[Any], Facts] = lambda states: {}
    turn: Callable[[Any], str | None] = lambda states: None


# --- a file -----------------------------------------------------------------------------------------------------


def games_in(text: str) -> Iterator[tuple[dict[str, str], list[str]]]:
    """The header and the actions of each game in a golden file."""
    for block in text.strip("\n").split("\n\n"):
        lines = block.split("\n")
        title = lines.index(TITLE)
        header = dict(line.split(maxsplit=1) for line in lines[:title])
        yield header, [step["action"] for line in lines[title:] if (step := _STEP.fullmatch(line))]


def golden_text(kind: Kind, games: Iterable[tuple[Header, Sequence[str]]]) -> str:
    """A golden file: each game replayed."""
    blocks = []
    for header, actions in games:
        width = max(map(len, header)) + 2
        lines = [f"{name:<{width}}{value}" for name, value in header.items()]
        blocks.append("\n".join([*lines, TITLE, *replay(kind, header, actions)]))
    return "\n\n".join(blocks) + "\n"


# --- a game -----------------------------------------------------------------------------------------------------


def replay(kind: Kind, header: Header, actions: Sequence[str]) -> Iterator[str]:
    """Play stored actions: a line for each with what it changes, one above each turn, and how it ends."""
    states = kind.start(header)
    turn, facts = None, kind.facts(states)
    for step, text in enumerate(actions):
        if (now := kind.turn(states)) != turn:
            turn = now
            yield f"--- {turn}"
        actor = verbs.actor_at(states, 0)
        who = "over" if actor == OVER else "chance" if actor == CHANCE else f"P{actor + 1}"
        line = f"{step:5} {who:<6} {len(verbs.legal_actions(states)):4}  {text}"
        code = game_of(states).parse(text)
        refusal = _refusal(states, code)
        if refusal and (actor == OVER or refusal[0] in _HOPELESS):
            yield f"{line} | ILLEGAL: {refusal[1]}"
            yield f"stopped: {len(actions) - step} actions are left"
            return
        verbs.apply_at(states, 0, code)
        before, facts = facts, kind.facts(states)
        notes = [f"ILLEGAL: {refusal[1]}"] if refusal else []
        notes += _changes(before, facts)
        yield f"{line} | {'; '.join(notes)}" if notes else line
    yield _end(states, len(actions))


def _refusal(states: Any, code: int) -> tuple[str, str] | None:
    """The name of the rule that an action breaks, and the rule in words."""
    if not (number := int(verbs.why_not_at(states, 0, code))):
        return None
    refusal = game_of(states).refuse(states, code, number)
    return refusal.reason, str(refusal)


def _changes(before: Facts, after: Facts) -> Iterator[str]:
    """What differs, by owner: counts by how much, marks by whether they came or went, texts as they are now."""
    owners: dict[str, list[str]] = {}
    for key in dict.fromkeys([*before, *after]):
        old, new = before.get(key, 0), after.get(key, 0)
        if old != new:
            owner, name = key
            owners.setdefault(owner, []).append(_change(name, old, new))
    for owner, changes in owners.items():
        yield f"{owner}: {', '.join(changes)}" if owner else ", ".join(changes)


def _change(name: str, old: int | bool | str, new: int | bool | str) -> str:
    if isinstance(old, str) or isinstance(new, str):
        return f"{name} {new or 'nobody'}"
    if isinstance(old, bool) or isinstance(new, bool):
        return f"{'+' if new else '-'}{name}"
    return f"{name} {new - old:+}"


def _end(states: Any, steps: int) -> str:
    if verbs.actor_at(states, 0) != OVER:
        return f"not over after {steps} steps"
    scores = ", ".join(f"P{seat + 1} {verbs.score_at(states, 0, seat)}" for seat in range(seats_of(states)))
    return f"over after {steps} steps: {scores}"


def recorded(kind: Kind, header: Header, bots: Sequence[str], seed: int) -> tuple[dict[str, str], list[str]]:
    """Let bots play a game: its header, which says who played, and its actions."""
    states = kind.start(header)
    game = game_of(states)
    xs = game.scratches()
    seat_policies(xs, [({"random": RANDOM} | game.policies)[bot] for bot in bots])
    reseed_at(xs, 0, uint64(seed))
    actions = []
    while verbs.actor_at(states, 0) != OVER:
        code = int(decide_at(states, 0, xs, 0))
        actions.append(game.describe(code))
        verbs.apply_at(states, 0, code)
    return {**header, "played": f"seed {seed}: {', '.join(bots)}"}, actions


# --- what a test module does --------------------------------------------------------------------------------------


def replayed(kind: Kind, name: str) -> str:
    """The golden file of this name as it would be today."""
    return golden_text(kind, games_in((FOLDER / name).read_text(encoding="utf-8")))


def check_golden(name: str, text: str, how: str) -> None:
    """Compare with the file; the failure shows the diff and says how to accept it."""
    golden = (FOLDER / name).read_text(encoding="utf-8")
    if text != golden:
        diff = list(difflib.unified_diff(golden.splitlines(), text.splitlines(), f"golden/{name}", "now", lineterm="", n=2))
        raise AssertionError(
            "\n".join([f"{name} has changed; if that is right: {how}", *diff[:60], f"({len(diff)} lines of diff)"])
        )


def changed_lines(before: str, after: str) -> int:
    """How many lines are not as they were: changed, gone or new."""
    matcher = difflib.SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    return sum(max(b - a, d - c) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal")


def golden_command(kind: Kind, record: Mapping[str, Callable[[], str]], usage: str) -> None:
    """What ``python -m ...`` does: ``--write`` all consequences anew, or ``--record`` the named games anew."""
    match sys.argv[1:]:
        case ["--write"]:
            for name in record:
                text = replayed(kind, name)
                if "\nstopped: " in text:
                    sys.exit(f"{name}: not all of its actions can be played; see the test's diff, then --record it anew")
                _write(name, text)
        case ["--record", *names] if names and all(f"{name}.txt" in record for name in names):
            for name in names:
                _write(f"{name}.txt", record[f"{name}.txt"]())
        case _:
            sys.exit(f"{usage}\nThe games are {', '.join(name.removesuffix('.txt') for name in record)}.")


def write_golden(texts: Mapping[str, Callable[[], str]], usage: str) -> None:
    """What ``python -m ... --write`` does for golden files that are not games."""
    if sys.argv[1:] != ["--write"]:
        sys.exit(usage)
    for name, text in texts.items():
        _write(name, text())


def _write(name: str, text: str) -> None:
    (FOLDER / name).write_text(text, encoding="utf-8")
    print(f"{FOLDER / name}: {len(text.splitlines()):,} lines")
