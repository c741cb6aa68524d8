"""Endgames as the page asks for them: the question in an address, and the work of solving it.

>>> asked = endgame_in({"coins": "6,5", "turns": "3", "revealed": "duke,duke"})
>>> asked.revealed, query_of(asked)["coins"], endgame_in(query_of(asked)) == asked
(('duke', 'duke'), '6,5', True)
>>> endgame_in({"coins": "6"})
Traceback (most recent call last):
...
ValueError: coins: expected two numbers, as in 6,5
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from kibitz.compute.runtime import Info, Runtime
from kibitz.coup.core.state import CHARACTERS, COPIES, DRAWN, UNSEEN_CARD, UNSEEN_CARDS
from kibitz.coup.endgames.solve import Endgame, SolvedEndgame, TooLarge, falling, solve_endgame
from kibitz.coup.endgames.store import load, save, store_path
from kibitz.coup.endgames.strategy import Decision, decisions
from kibitz.ground.messages import Mistake

#: What is asked for at first.
USUAL = Endgame(coins=(3, 3), turns=3)
#: The largest tree that is made here, and the most turns that may be asked for.
MAX_NODES, MOST_TURNS = 1_500_000, 12
#: How many decisions deep strategies are told, and how likely play must come there.
DEPTH, RARE = 4, 2e-3

logger = logging.getLogger(__name__)


def endgame_in(query: Mapping[str, str]) -> Endgame:
    """Read what `query_of` wrote. Raises a ValueError that says what is wrong."""
    turns = query.get("turns", str(USUAL.turns))[:6]
    if not (turns.isascii() and turns.isdigit() and 1 <= int(turns) <= MOST_TURNS):
        raise ValueError(f"turns: expected a number from 1 to {MOST_TURNS}")
    revealed = tuple(name for name in query.get("revealed", "")[:200].split(",") if name)
    coins, influence = _pair(query, "coins", USUAL.coins), _pair(query, "influence", USUAL.influence)
    return Endgame(coins, int(turns), revealed, influence, query.get("exchange") == "1")


def _pair(query: Mapping[str, str], name: str, usual: tuple[int, int]) -> tuple[int, int]:
    if name not in query:
        return usual
    parts = query[name][:20].split(",")
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() for part in parts):
        raise ValueError(f"{name}: expected two numbers, as in 6,5")
    return int(parts[0]), int(parts[1])


def query_of(endgame: Endgame) -> dict[str, str]:
    """The question for an address."""
    return {
        "coins": "{},{}".format(*endgame.coins),
        "turns": str(endgame.turns),
        "influence": "{},{}".format(*endgame.influence),
        **({"revealed": ",".join(endgame.revealed)} if endgame.revealed else {}),
        **({"exchange": "1"} if endgame.exchange else {}),
    }


@dataclass(frozen=True, eq=False)
class Solved:
    """A solution with all that the page shows of it."""

    solved: SolvedEndgame
    deals: dict[tuple[str, str], float]
    """What the strategies give player 1 with the first card against the second, where each has one."""
    decisions: tuple[tuple[int, Decision], ...]
    """The decisions of the strategies, each with how many it lies below the deal: 1 is the first."""


def solve(endgame: Endgame, data: Path, runtime: Runtime) -> Solved:
    """Solve an endgame, or take its solution from the files in the data folder. Raises `Mistake`.

    What `runtime` hears is how far the work is, as a share and in words.
    """
    path = data / "endgames" / store_path(endgame).name
    found = load(endgame, path)
    if found is None:
        try:
            nodes = endgame.count(MAX_NODES)
        except TooLarge as error:
            raise Mistake(f"{error}: ask for fewer turns, or without the exchange") from None
        runtime.report(0, 0, (0.0, f"making a tree of {nodes:,} nodes"))
        flat = endgame.tree(nodes)
        tell, told = runtime.on_info, falling()

        def on_info(info: Info) -> None:
            tell(replace(info, ranking=told(info)))

        runtime.on_info = on_info
        found = solve_endgame(endgame, runtime=runtime, flat=flat)
        if not found.stopped:
            try:
                save(found, path)
            except OSError as error:  # it is an answer nevertheless
                logger.error("the solution of an endgame cannot be kept: %s", error)
    deals = {}
    if endgame.influence == (1, 1):
        left = [(character.value, COPIES - endgame.revealed.count(character.value)) for character in CHARACTERS]
        for mine, n in left:
            for theirs, m in left:
                if n > 0 and m > (mine == theirs):
                    deals[mine, theirs] = found.value_of_deal([mine], [theirs])
    return Solved(found, deals, tuple((_depth(one), one) for one in decisions(found, DEPTH, RARE)))


def _depth(decision: Decision) -> int:
    """How many decisions were made before it, this one included; a card that was drawn is none."""
    codes = [step.code for step in decision.history]
    return 1 + sum(code not in (UNSEEN_CARD, UNSEEN_CARDS) and code < DRAWN for code in codes)
