"""Does the advice on Coup add up from one decision to the next? ``python benchmarks/prove_advice.py``.

Positions are those of games between heuristic bots, of two to four players, in which somebody may let something pass and
decides next again: whether to block, which card to lose, what to do in a turn of their own. The advice there says what the pass
is worth; asked one step later, it says what the best step is worth. Both should be the same number. Where an endgame is solved
the same is asked of the values of the solution. And nothing that loses by force may be shown as playable.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tables import Bench, Figures

from kibitz.compute.runtime import Threads
from kibitz.coup.advise import CONFIG, CoupAdvice, advise, recorded
from kibitz.coup.core.record import Record, simulate
from kibitz.coup.core.state import ALLOW
from kibitz.game import actor_at

POSITIONS = 500
ITERATIONS = 400
#: Solutions are accurate to a thousandth of what there is to win.
CLOSE = 2e-3


def positions() -> Iterator[tuple[Record, int]]:
    """Records, and steps at which somebody lets something pass and decides again at the next step."""
    seed = 0
    while True:
        record = simulate(["heuristic"] * (2 + seed % 3), seed=seed)
        for step, code in enumerate(record.codes):
            if code == ALLOW and actor_at(record.before(step), 0) == actor_at(record.before(step + 1), 0):
                yield record, step
        seed += 1


def at(record: Record, step: int) -> CoupAdvice:
    """The advice for whoever decides a step."""
    config = replace(CONFIG, iterations=ITERATIONS, trees=1)
    return advise(*recorded(record, step), config, workers=Threads(1))


def main() -> None:
    bench = Bench(__doc__, "prove_advice.md")
    apart, solved, playable, failures = [], [], 0, []
    found = positions()
    for number in range(bench.many(POSITIONS, 3)):
        record, step = next(found)
        now, then = at(record, step), at(record, step + 1)
        (passed,) = (option for option in now.options if option.action == "allow")
        playable += sum(len({option.action for option in advice.options} & {*advice.lost}) for advice in (now, then))
        if now.solved_values is not None and then.solved_values:
            solved.append(abs(now.solved_values["allow"] - max(then.solved_values.values())))
        if then.equilibrium is None:
            apart.append(abs(passed.value - then.best.value))
            if apart[-1] > 1e-9:
                failures.append(f"position {number}: {passed.value:.4f} and then {then.best.value:.4f}")
        elif solved and solved[-1] > CLOSE:
            failures.append(f"position {number}: a solution is {solved[-1]:.4f} apart")
    rows = [
        ("searched", len(apart), f"{max(apart, default=0.0):.1e}", "the same to the last digit"),
        ("solved", len(solved), f"{max(solved, default=0.0):.1e}", f"{CLOSE:g}"),
        ("lost by force, and shown as playable", playable, "", "none"),
    ]
    failures += ["something that loses by force is shown"] if playable else []
    bench.publish(
        "Coup: advice that adds up",
        [Figures("One decision and the next", ("positions", "how many", "largest difference", "target"), rows)],
        failures=failures,
    )


if __name__ == "__main__":
    main()
