"""How good Coup's blueprint is, and what beats it.

    python benchmarks/blueprint.py             the endgames, an exploiter, and fast bots against each other; minutes of one core
    python benchmarks/blueprint.py --searches  also games against the bots that search: hours
    python benchmarks/blueprint.py --training  also how exploitable a blueprint is while it is learned: half an hour

The first table is exact: in endgames whose whole tree is made, what a perfect opponent gains on average over the two seats
(NashConv / 2; a win counts 1, a loss -1). It leaves out exchanges, as `kibitz coup solve` does; a bot that would exchange is
asked again. (`prove_resolving.py` measures the same with solving on top.) The second is a bound from below: a learner that
tells apart what the blueprint does, and all cells that its file leaves out, learns against the blueprint, which does not
change, by sweeps over the whole game (without a turn limit). What it wins is computed, not played. With `--training` it does
so against a blueprint in the making, of which nothing is cut or rounded: that says how far the abstraction and the sweeps go.
So is the third: games of a search whose opponents play by the blueprint and give away their cards as it says. The next one
pits every bot against every other: at tables of two in either seat, at larger ones one bot against as many of the other as
there are seats left, which wins a share of 1 / seats if both are alike. Intervals are Wilson's, 95 %. Then it counts games
that a bot, at a table of its own kind, does not end within 1,000 turns. The last one says how often a belief was right: what
it said, and what was seen.
"""

import argparse
from collections.abc import Iterator
from functools import partial

import numpy as np
from tables import Bench, Figures

from kibitz.compute.runtime import Limit
from kibitz.coup.belief import InfluenceBelief
from kibitz.coup.blueprint.exploiter import Exploiter, told_by
from kibitz.coup.blueprint.learners import FLOOR, Duel
from kibitz.coup.blueprint.measure import EndgameTree
from kibitz.coup.bots import DECLINE, WORLDS, Cards, bot_named
from kibitz.coup.core.blueprint import BLUEPRINT, TWO
from kibitz.coup.core.policy import EQUILIBRIUM
from kibitz.coup.core.record import simulate
from kibitz.coup.core.state import CHARACTERS
from kibitz.coup.endgames.solve import Endgame
from kibitz.coup.setup import setup
from kibitz.game import OVER, actor_at, seen_at
from kibitz.ground.intervals import wilson
from kibitz.ground.rng import derive_seed
from kibitz.play.bots import Bot
from kibitz.play.search_bot import SearchPlayer, Thinking
from kibitz.play.series import Plan, play_plan
from kibitz.search.ismcts import SearchConfig

ENDGAMES = [
    Endgame((6, 6), 1),
    Endgame((3, 3), 2),
    Endgame((6, 6), 2),
    Endgame((2, 5), 3),
    Endgame((4, 4), 3),
    Endgame((6, 6), 3),
    Endgame((5, 4), 3, revealed=("duke", "captain")),
    Endgame((6, 3), 3, revealed=("contessa",)),
    Endgame((3, 3), 4),
    Endgame((6, 6), 4),
    Endgame((4, 3), 4, revealed=("captain", "contessa")),
    Endgame((2, 2), 1, influence=(2, 1), revealed=("duke",)),
    Endgame((6, 6), 2, influence=(2, 1)),
    Endgame((6, 6), 2, influence=(2, 1), revealed=("contessa",)),
    Endgame((3, 3), 3, influence=(2, 1)),
    Endgame((5, 9), 3, influence=(2, 1)),
    Endgame((3, 5), 3, influence=(2, 1), revealed=("assassin",)),
    Endgame((3, 3), 1, influence=(1, 2)),
    Endgame((3, 6), 2, influence=(1, 2)),
    Endgame((4, 3), 2, influence=(1, 2), revealed=("captain",)),
    Endgame((2, 2), 3, influence=(1, 2)),
    Endgame((4, 4), 3, influence=(1, 2)),
    Endgame((6, 6), 3, influence=(1, 2), revealed=("contessa",)),
    Endgame((6, 6), 1, influence=(2, 2)),
    Endgame((0, 0), 2, influence=(2, 2)),
    Endgame((3, 3), 2, influence=(2, 2)),
    Endgame((6, 6), 2, influence=(2, 2)),
    Endgame((9, 9), 2, influence=(2, 2)),
]
FAST = ("random", "honest", "heuristic", "equilibrium")
SLOW = ("ismcts:300", "solver:300")
SEED = 21
SEATS = (2, 3, 4, 6)
LIMIT = 1000
#: What a belief says is told in parts of this width.
STEP = 0.1


def endgame_rows(bench: Bench) -> Iterator[list[object]]:
    """How much each fast bot can be exploited."""
    for endgame in ENDGAMES[: bench.many(len(ENDGAMES))]:
        tree = EndgameTree(endgame)
        name = f"{endgame.coins[0]},{endgame.coins[1]} coins, {endgame.turns} turns"
        against = f"{endgame.influence[0]} against {endgame.influence[1]}"
        gains = [tree.exploitability(bot) for bot in ("honest", "uniform", "heuristic", "equilibrium")]
        yield [name, against, " ".join(endgame.revealed) or "none", len(tree.flat.actor), *gains]


def exploiter_rows(bench: Bench) -> Iterator[list[object]]:
    """What a learner wins against the blueprint, the longer it has learned."""
    file = next(file for file in BLUEPRINT.files if file.variant == TWO)
    learner = Exploiter(told_by(file), floor=1e-2 if bench.quick else 1e-5)
    for number in range(1, bench.many(80, 2) + 1):
        learner.play(0, SEED, number)
        learner.learn(0, number)
        if number % 10 == 0 or bench.quick:
            yield [number, f"{100 * learner.wins:.1f} %"]


def knowing(iterations: int) -> Bot:
    """A search that knows the blueprint: its opponents play by it, and what they do tells of their cards as it says."""
    config = SearchConfig(policy=EQUILIBRIUM, guide=EQUILIBRIUM, others=EQUILIBRIUM, trees=1)
    thinks = Thinking(config, Limit(iterations=iterations), WORLDS, partial(Cards, trust=0.99))
    return Bot(f"knowing:{iterations}", lambda: SearchPlayer(thinks))


def knowing_rows(bench: Bench) -> Iterator[list[object]]:
    """What such a search wins, the longer it thinks."""
    for iterations, games in ((20, 2),) if bench.quick else ((100, 2000), (1000, 2000), (10_000, 1000)):
        won = 0
        for seat in range(2):
            pair = (knowing(iterations), bot_named("equilibrium"))
            plan = Plan(setup(), pair if seat == 0 else pair[::-1], derive_seed(SEED, "knowing", seat), games // 2)
            won += int((play_plan(plan, jobs=1).winners == seat).sum())
        low, high = wilson(won / games, games)
        yield [iterations, games, f"{100 * won / games:.1f} % ({100 * low:.1f} to {100 * high:.1f})"]


def training_rows(bench: Bench) -> Iterator[list[object]]:
    """What an exploiter wins against a blueprint in the making, by sweeps that it has had."""
    floor, meets = (1e-2, 2) if bench.quick else (FLOOR, 40)
    learner = Duel(floor)
    number = 0
    for stop in (2,) if bench.quick else (25, 50, 100, 200, 400):
        while number < stop:
            number += 1
            learner.play(0, SEED, number)
            learner.learn(0, number)
        exploiter = Exploiter(learner.told, floor=max(floor, 1e-5))
        for meeting in range(1, meets + 1):
            exploiter.play(0, SEED, meeting)
            exploiter.learn(0, meeting)
        yield [number, f"{100 * exploiter.wins:.1f} %"]


def in_the_making(bench: Bench) -> Figures:
    """The table of it."""
    heads = ["sweeps of the blueprint", "an exploiter wins"]
    return Figures("An exploiter against a blueprint in the making", heads, list(training_rows(bench)))


def endless_rows(bench: Bench) -> Iterator[list[object]]:
    """How many games of a bot against its like reach the turn limit."""
    for bot in ("heuristic", "equilibrium"):
        for seats in SEATS:
            games = bench.many(20_000 if seats == 2 else 5_000, 4)
            results = play_plan(Plan(setup(), (bot_named(bot),) * seats, derive_seed(SEED, "endless", seats), games), jobs=1)
            yield [bot, seats, games, int((results.turns >= LIMIT).sum()), int(results.turns.max())]


def pairs(bench: Bench) -> list[tuple[str, str]]:
    """Who meets whom."""
    names = FAST + (SLOW if getattr(bench.options, "searches", False) else ())
    return [(one, other) for i, one in enumerate(names) for other in names[:i]]


def match_rows(bench: Bench, seats: int) -> Iterator[list[object]]:
    """One bot against a table of another."""
    for one, other in pairs(bench):
        slow = {one, other} & set(SLOW)
        games = bench.many((100 if slow else 20_000) // seats, 4)
        won = played = 0.0
        for seat in range(seats):
            bots = tuple(bot_named(one if place == seat else other) for place in range(seats))
            results = play_plan(Plan(setup(), bots, derive_seed(SEED, seats, one, other, seat), games), jobs=1)
            won += float((results.winners == seat).sum())
            played += games
        low, high = wilson(won / played, played)
        share = f"{100 * won / played:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
        yield [seats, one, other, int(played), share, f"{100 / seats:.1f} %"]


def calibration(bench: Bench, bluff: float | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of games of mixed bots: how often a belief said what, the sum of what it said, and how often it was so."""
    bins = round(1 / STEP)
    said, count, seen = np.zeros(bins), np.zeros(bins), np.zeros(bins)
    tables = [
        ("heuristic", "equilibrium"), ("honest", "equilibrium"), ("heuristic", "honest", "equilibrium"),
        ("equilibrium", "heuristic", "equilibrium", "honest"),
    ]  # fmt: skip
    for number in range(bench.many(120, 2)):
        record = simulate(list(tables[number % len(tables)]), derive_seed(SEED, "belief", number) % 10**6)
        beliefs: InfluenceBelief | None = None
        for states, code in zip(record.states(), record.codes, strict=False):
            if beliefs is None:
                beliefs = InfluenceBelief.at(states, 0, bluff=bluff, decline=DECLINE)
            if states["phase"][0] == 1 and states["influence"][0, 0]:
                for seat in range(1, int(states["seats"][0])):
                    for card, chance in beliefs.marginal(seat).items():
                        if states["influence"][0, seat] and 0 < chance < 1:
                            place = min(int(chance / STEP), bins - 1)
                            count[place] += 1
                            said[place] += chance
                            seen[place] += bool(states["hand"][0, seat, CHARACTERS.index(card)])
            if actor_at(states, 0) != OVER and states["influence"][0, 0]:
                beliefs = beliefs.see(states, 0, seen_at(states, 0, code, 0))
    return count, said, seen


def belief_rows(bench: Bench) -> Iterator[list[object]]:
    """What was said and what was seen, for both models."""
    models = {"blueprint": calibration(bench, None), "bluff 0.2": calibration(bench, 0.2)}
    for place in range(round(1 / STEP)):
        row: list[object] = [f"{100 * place * STEP:.0f} to {100 * (place + 1) * STEP:.0f} %"]
        for count, said, seen in models.values():
            n = count[place]
            row += [int(n), f"{100 * said[place] / n:.1f} %" if n else "", f"{100 * seen[place] / n:.1f} %" if n else ""]
        yield row
    off = []
    for count, said, seen in models.values():
        off.append(float(((said - seen) ** 2 / np.maximum(count, 1)).sum() / count.sum()) ** 0.5)
    yield ["off on average", "", f"{100 * off[0]:.1f} %", "", "", f"{100 * off[1]:.1f} %", ""]


def main() -> None:
    """Measure all of it."""

    def options(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--searches", action="store_true", help="also play against the bots that search")
        parser.add_argument("--training", action="store_true", help="also learn a blueprint, and what beats it meanwhile")

    bench = Bench(__doc__, "blueprint.md", options)
    heads = ["endgame", "cards", "revealed", "nodes", "honest", "uniform", "heuristic", "equilibrium"]
    tables = [
        Figures("Exploitability in whole endgame trees", heads, list(endgame_rows(bench))),
        Figures("An exploiter", ["sweeps", "wins"], list(exploiter_rows(bench))),
        Figures("A search that knows it", ["iterations", "games", "wins"], list(knowing_rows(bench))),
        *([] if not (bench.options.training or bench.quick) else [in_the_making(bench)]),
        Figures(
            "Bots against tables of others",
            ["seats", "bot", "against", "games", "wins", "a fair share"],
            [row for seats in SEATS[: bench.many(4)] for row in match_rows(bench, seats)],
        ),
        Figures("Games that do not end", ["bot", "seats", "games", "1,000 turns", "longest"], list(endless_rows(bench))),
        Figures(
            "What a belief says, and what is so",
            ["said", "blueprint: times", "said", "seen", "bluff 0.2: times", "said", "seen"],
            list(belief_rows(bench)),
        ),
    ]
    bench.publish("The blueprint of Coup", tables)


if __name__ == "__main__":
    main()
