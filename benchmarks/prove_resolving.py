"""Is an endgame of Coup solved safely in the middle of a game? ``python benchmarks/prove_resolving.py``.

Twenty endgames, whole trees of up to 140,000 nodes. A player keeps to the blueprint in the first turn. At the start of each
later turn it solves the rest of the game again, with the gadget (`kibitz.search.resolving`), from the strategy that it had
until then. A best response, computed on the whole tree, says what a perfect opponent wins: against the blueprint alone, if
the rest is solved without the gadget from the second turn on, and if it is solved safely. The last must never be more than the
first, whichever seat the player has. (A win counts 1, a loss -1.)

The second table is for those who solve from the first turn on, as accurately as the bots do: what a perfect opponent gains on
average over the two seats (NashConv / 2), from the blueprint alone and with solving on top.
"""

from __future__ import annotations

from collections import Counter

from tables import Bench, Figures

from kibitz.coup.endgames.policy import ITERATIONS, TARGET
from kibitz.coup.endgames.safely import TOLERANCE, WholeEndgame
from kibitz.coup.endgames.solve import UNIT, Endgame
from kibitz.search.cfr import solve

ENDGAMES = [
    Endgame((3, 3), 2),
    Endgame((6, 6), 2),
    Endgame((5, 2), 2),
    Endgame((2, 5), 3),
    Endgame((3, 3), 3),
    Endgame((4, 4), 3),
    Endgame((6, 6), 3),
    Endgame((1, 6), 3),
    Endgame((6, 1), 3),
    Endgame((5, 4), 3, revealed=("duke", "captain")),
    Endgame((4, 5), 3, revealed=("contessa", "contessa")),
    Endgame((6, 3), 3, revealed=("contessa",)),
    Endgame((3, 6), 3, revealed=("assassin", "duke")),
    Endgame((5, 5), 3, revealed=("captain", "ambassador")),
    Endgame((6, 6), 4),
    Endgame((6, 5), 4, revealed=("duke", "assassin")),
    Endgame((6, 6), 2, influence=(2, 1)),
    Endgame((3, 6), 2, influence=(1, 2)),
    Endgame((4, 4), 2, influence=(2, 1)),
    Endgame((5, 6), 2, influence=(1, 2), revealed=("captain",)),
]
#: Larger ones, which are solved from the first turn on alone.
LARGE = [Endgame((6, 6), 1, influence=(2, 2)), Endgame((6, 6), 2, influence=(2, 2)), Endgame((4, 4), 3, influence=(2, 1))]
#: What the last column may be.
GAIN = 0.01
SEATS = ("mover", "responder")


def name(endgame: Endgame) -> str:
    """An endgame in words."""
    cards = f"{endgame.influence[0]} against {endgame.influence[1]}"
    lost = f"; {', '.join(endgame.revealed)} lost" if endgame.revealed else ""
    return f"{endgame.coins[0]},{endgame.coins[1]} coins, {endgame.turns} turns, {cards}{lost}"


def main() -> None:
    bench = Bench(__doc__, "prove_resolving.md")
    rows, gains, failures = [], [], []
    for endgame in ENDGAMES[: bench.many(len(ENDGAMES))]:
        whole = WholeEndgame(endgame)
        trunk = whole.blueprint()
        for seat, role in enumerate(SEATS):
            told: list[str] = []
            refined = trunk
            for turn in range(2, endgame.turns + 1):
                refined = whole.resolved(refined, seat, turn, told=told)
            unsafe = whole.resolved(trunk, seat, 2, safely=False)
            before, after = whole.conceded(trunk, seat), whole.conceded(refined, seat)
            counts = Counter(told)
            parts = [counts[how] for how in ("plain", "guarded", "trunk")]
            rows.append([name(endgame), role, before, whole.conceded(unsafe, seat), after, *parts])
            print(*rows[-1], sep=" | ", flush=True)
            if after > before + TOLERANCE:
                failures.append(f"{name(endgame)}, {role}: {after - before:.2e} more than against the blueprint")
    for endgame in [*ENDGAMES[: bench.many(len(ENDGAMES))], *LARGE[: bench.many(len(LARGE), 0)]]:
        whole = WholeEndgame(endgame)
        solved = solve(whole.flat, "pdcfr+", ITERATIONS, target=TARGET * UNIT).strategy
        gained = whole.exploitability(solved)
        gains.append([name(endgame), len(whole.flat.actor), whole.exploitability(whole.blueprint()), gained])
        if gained > GAIN:
            failures.append(f"{name(endgame)}: {gained:.3f} with solving on top")
    heads = ("endgame", "the player is the", "blueprint", "solved without the gadget", "solved safely")
    figures = [
        Figures("What a perfect opponent wins", (*heads, "parts solved plainly", "with the gadget", "left as they were"), rows),
        Figures("NashConv / 2", ("endgame", "nodes", "blueprint", "with solving on top"), gains),
    ]
    bench.publish("Coup: endgames solved safely", figures, failures=failures)


if __name__ == "__main__":
    main()
