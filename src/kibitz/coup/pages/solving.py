"""Endgames as the page asks for them: the question in an address, and the work of solving it.

>>> ask = Ask.from_query({"coins": "6,5", "turns": "3", "revealed": "duke,duke"})
>>> ask.endgame().revealed, ask.query()["coins"], Ask.from_query(ask.query()) == ask
(('duke', 'duke'), '6,5', True)
>>> Ask.from_query({"coins": "6"})
Traceback (most recent call last):
...
ValueError: coins: expected two numbers, as in 6,5
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import log
from pathlib import Path

from kibitz.compute.runtime import Info, Runtime
from kibitz.coup.core.state import CHARACTERS, COPIES, DRAWN, UNSEEN_CARD, UNSEEN_CARDS, Character
from kibitz.coup.endgames.solve import TARGET, UNIT, Endgame, SolvedEndgame, TooLarge, solve_endgame
from kibitz.coup.endgames.store import load, save, store_path
from kibitz.coup.endgames.strategy import Decision, StrategyStep, decisions
from kibitz.ground.messages import Mistake

#: The largest tree that is made here, and the most turns that may be asked for.
MAX_NODES, MOST_TURNS = 1_500_000, 12
#: How many decisions deep strategies are told, and how likely play must come there.
DEPTH, RARE = 4, 2e-3

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Ask:
    """An endgame as it is asked for. Every change gives a new one."""

    coins: tuple[int, int] = (3, 3)
    turns: int = 3
    revealed: tuple[str, ...] = ()
    influence: tuple[int, int] = (1, 1)
    exchange: bool = False

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> Ask:
        """Read what `query` wrote. Raises a ValueError that says what is wrong."""
        turns = query.get("turns", str(cls.turns))[:6]
        if not (turns.isascii() and turns.isdigit() and 1 <= int(turns) <= MOST_TURNS):
            raise ValueError(f"turns: expected a number from 1 to {MOST_TURNS}")
        revealed = tuple(name for name in query.get("revealed", "")[:200].split(",") if name)
        coins, influence = _pair(query, "coins", cls.coins), _pair(query, "influence", cls.influence)
        found = cls(coins, int(turns), revealed, influence, query.get("exchange") == "1")
        found.endgame()
        return found

    def query(self) -> dict[str, str]:
        """For an address."""
        return {
            "coins": f"{self.coins[0]},{self.coins[1]}",
            "turns": str(self.turns),
            "influence": f"{self.influence[0]},{self.influence[1]}",
            **({"revealed": ",".join(self.revealed)} if self.revealed else {}),
            **({"exchange": "1"} if self.exchange else {}),
        }

    def endgame(self) -> Endgame:
        """The question itself; raises a `SetupError` for what cannot be."""
        return Endgame(self.coins, self.turns, self.revealed, self.influence, self.exchange)

    def with_coins(self, seat: int, coins: int) -> Ask:
        """One of the two has so many coins."""
        return replace(self, coins=(coins, self.coins[1]) if seat == 0 else (self.coins[0], coins))

    def with_influence(self, seat: int, cards: int) -> Ask:
        """One of the two has so many cards."""
        return replace(self, influence=(cards, self.influence[1]) if seat == 0 else (self.influence[0], cards))

    def with_turns(self, turns: int) -> Ask:
        """A draw after so many turns."""
        return replace(self, turns=turns)

    def with_exchange(self, exchange: bool) -> Ask:
        """Whether the Ambassador exchanges."""
        return replace(self, exchange=exchange)

    def with_revealed(self, card: str, count: int) -> Ask:
        """So many cards of a character lie open."""
        others = [name for name in self.revealed if name != card]
        cards = sorted([*others, *[card] * count], key=lambda name: CHARACTERS.index(Character(name)))
        return replace(self, revealed=tuple(cards))


def _pair(query: Mapping[str, str], name: str, usual: tuple[int, int]) -> tuple[int, int]:
    if name not in query:
        return usual
    parts = query[name][:20].split(",")
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() for part in parts):
        raise ValueError(f"{name}: expected two numbers, as in 6,5")
    return int(parts[0]), int(parts[1])


@dataclass(frozen=True)
class Told:
    """A decision of a strategy, and how many decisions it lies below the deal: 1 is the first."""

    decision: Decision
    depth: int


@dataclass(frozen=True, eq=False)
class Solved:
    """A solution with all that the page shows of it."""

    solved: SolvedEndgame
    deals: dict[tuple[str, str], float]
    """What the strategies give player 1 with the first card against the second, where each has one."""
    decisions: tuple[Told, ...]


@dataclass(frozen=True)
class Shrinking:
    """How far the work is: the exploitability falls evenly on a scale of logarithms."""

    progress: float
    words: str


def solve(endgame: Endgame, data: Path, runtime: Runtime) -> Solved:
    """Solve an endgame, or take its solution from the files in the data folder. Raises `Mistake`."""
    path = data / "endgames" / store_path(endgame).name
    found = load(endgame, path)
    if found is None:
        try:
            nodes = endgame.count(MAX_NODES)
        except TooLarge as error:
            raise Mistake(f"{error}: ask for fewer turns, or without the exchange") from None
        runtime.report(0, 0, Shrinking(0.0, f"making a tree of {nodes:,} nodes"))
        flat = endgame.tree(nodes)
        runtime.on_info = _shrinking(runtime)
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
    told = tuple(Told(one, 1 + sum(map(_decided, one.history))) for one in decisions(found, DEPTH, RARE))
    return Solved(found, deals, told)


def _decided(step: StrategyStep) -> bool:
    """Whether a step was somebody's decision, and not a card that was drawn."""
    return step.code not in (UNSEEN_CARD, UNSEEN_CARDS) and step.code < DRAWN


def _shrinking(runtime: Runtime) -> Callable[[Info], None]:
    """Tell of the exploitability what a bar can show."""
    tell, first = runtime.on_info, [0.0]

    def on_info(info: Info) -> None:
        gap = float(info.ranking.exploitability)
        left = log(max(gap / (TARGET * UNIT), 1.0))
        first[0] = first[0] or left or 1.0
        words = f"exploitability {gap / UNIT:.1e} after {info.done:,} iterations"
        tell(replace(info, ranking=Shrinking(1 - left / first[0], words)))

    return on_info
