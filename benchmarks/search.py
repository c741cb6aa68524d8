"""How fast games are solved and searched, beside OpenSpiel where it is installed: ``python benchmarks/search.py``.

One core, in processor time, and OpenSpiel in the same run. A visit is one node for one update of one seat: an iteration of CFR
counts as two for every node, in Kibitz (which looks at the ends alone, and skips most of them) as in OpenSpiel (which skips
what nobody would come to). OpenSpiel has its own trees: its Leduc tells suits apart, ours does not. An iteration of ISMCTS is a
walk down the trees and a game to its end. Every figure is the median of five measurements.

The second table is about strength: how far ISMCTS can be exploited in Leduc, with and without doubts.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from tables import Bench, Figures

from kibitz import game
from kibitz.compute.runtime import Threads
from kibitz.coup.core.engine import GAME as COUP
from kibitz.coup.core.policy import BOTS
from kibitz.examples import leduc, liars_dice
from kibitz.game.definition import as_structs
from kibitz.game.doors import decide_at, redeal_all, reseed_at
from kibitz.ground.jit import uint64
from kibitz.search.cfr import Solver, solve
from kibitz.search.flat import Flat, flatten
from kibitz.search.ismcts import SearchConfig, search
from kibitz.search.response import exploitability, normalised
from kibitz.search.walk import node_states, prune

MILLION = 1_000_000
#: Of doubts in Leduc: how many times everything is searched, how finely worlds are weighed, how often somebody does anything.
SEEDS, COPIES, ANYTHING = 5, 200, 0.02
#: Iterations of one search, and worlds to draw from.
ITERATIONS, WORLDS = 50_000, 1000
Row = tuple[str, str, str, str]

GAMES: list[tuple[str, Callable[[], Any], str]] = [
    ("Leduc", lambda: leduc.new(2, 0), "leduc_poker"),
    ("liar's dice, 1 die, 6 sides", liars_dice.start, "liars_dice(numdice=1,dice_sides=6)"),
]


def flatten_row(bench: Bench, name: str, start: Callable[[], Any]) -> Row:
    nodes = len(flatten(start()).actor)
    took = bench.seconds(lambda: flatten(start()))
    return f"{name}: flatten", f"{nodes / took / MILLION:.1f} million nodes/s", "", f"{nodes:,} nodes"


def visits(bench: Bench, flat: Flat, method: str, iterations: int) -> tuple[float, float]:
    """Visits and iterations a second."""
    solver, iterations = Solver(flat, method), bench.many(iterations)
    took = bench.seconds(lambda: solver.run(iterations))
    return 2 * len(flat.actor) * iterations / took, iterations / took


def peer_nodes(state: Any) -> int:
    """How many nodes OpenSpiel's tree has."""
    return 1 + sum(peer_nodes(state.child(action)) for action in state.legal_actions())


def peer_iterations(bench: Bench, name: str, sampled: bool, iterations: int) -> tuple[float, int]:
    """Iterations a second of OpenSpiel's C++ solver, and the nodes of its tree."""
    import pyspiel

    game = pyspiel.load_game(name)
    solver = pyspiel.ExternalSamplingMCCFRSolver(game) if sampled else pyspiel.CFRPlusSolver(game)
    step = solver.run_iteration if sampled else solver.evaluate_and_update_policy

    def run() -> None:
        for _ in range(bench.many(iterations)):
            step()

    took = bench.seconds(run)
    return bench.many(iterations) / took, 0 if sampled else peer_nodes(game.new_initial_state())


def cfr_rows(bench: Bench, name: str, start: Callable[[], Any], peer: str) -> list[Row]:
    flat = flatten(start())
    speed, per_second = visits(bench, flat, "cfr+", max(1, 20 * MILLION // len(flat.actor)))
    _, samples = visits(bench, flat, "mccfr", 20_000)
    rows = [
        (
            f"{name}: CFR+",
            f"{speed / MILLION:.0f} million visits/s",
            "at least 40 million",
            f"{per_second:,.0f} iterations/s, {len(flat.actor):,} nodes",
        )
    ]
    sampling = (f"{name}: external sampling", f"{samples:,.0f} iterations/s", "", "")
    try:
        theirs, nodes = peer_iterations(bench, peer, sampled=False, iterations=max(1, 100_000 // len(flat.actor)))
        their_samples, _ = peer_iterations(bench, peer, sampled=True, iterations=500)
    except ImportError:
        return [*rows, sampling, (f"{name}: OpenSpiel", "not installed", "", "pip install 'kibitz[bench]'")]
    their_visits = 2 * nodes * theirs
    note = f"{theirs:,.1f} iterations/s, {nodes:,} nodes; Kibitz visits {speed / their_visits:,.0f} times as many"
    return [
        *rows,
        (f"{name}: CFR+ of OpenSpiel (C++)", f"{their_visits / MILLION:.2f} million visits/s", "", note),
        sampling,
        (
            f"{name}: external sampling of OpenSpiel (C++)",
            f"{their_samples:,.0f} iterations/s",
            "",
            f"Kibitz does {samples / their_samples:,.0f} times as many",
        ),
    ]


def accuracy_rows(target: float) -> list[Row]:
    flat = flatten(leduc.new(2, 0))
    rows = []
    for method in ("cfr+", "dcfr"):
        began = time.perf_counter()
        solution = solve(flat, method, 100_000, target=target)
        took = time.perf_counter() - began
        measured = f"{took:.2f} s"
        note = f"{solution.iterations:,} iterations, value {solution.value:.8f}"
        rows.append((f"Leduc: {method} until exploitability is {target:f}", measured, "", note))
    return rows


# --- information-set MCTS -----------------------------------------------------------------------------------


def dealt(states: Any) -> Any:
    """Worlds after the deal that look the same to the first player."""
    xs = game.game_of(states).scratches()
    reseed_at(xs, 0, uint64(1))
    while game.actor_at(states, 0) == game.CHANCE:
        game.apply_at(states, 0, decide_at(states, 0, xs, 0))
    worlds = np.repeat(states, WORLDS)
    redeal_all(worlds, xs, 0, uint64(2))
    return worlds


def iterations(bench: Bench, worlds: Any, policy: int, observers: str) -> tuple[float, int]:
    """Iterations a second, and the nodes of all trees."""
    config = SearchConfig(iterations=bench.many(ITERATIONS, 50), policy=policy, observers=observers)
    nodes = search(worlds, 0, config, workers=Threads(1)).nodes
    return config.iterations / bench.seconds(lambda: search(worlds, 0, config, workers=Threads(1))), nodes


def coup_rows(bench: Bench) -> list[Row]:
    rows: list[Row] = []
    for seats, bot, observers in (
        (2, "random", "multiple"),
        (2, "random", "single"),
        (2, "heuristic", "multiple"),
        (6, "random", "multiple"),
    ):
        speed, nodes = iterations(bench, dealt(COUP.new(seats, 0)), BOTS[bot], observers)
        what = f"Coup, {seats} players: ISMCTS, {observers} observer{'s' * (observers == 'multiple')}, {bot} rollouts"
        first = not rows
        note = f"{bench.many(ITERATIONS, 50):,} iterations from the first turn, {nodes:,} nodes"
        peer = f"; the peer is said to do 2,000: {speed / 2000:,.0f} times" if first else ""
        rows.append((what, f"{speed:,.0f} iterations/s", "at least 100,000" if first else "", note + peer))
    return rows


def peer_search(bench: Bench, state: Any) -> float:
    """Iterations a second of OpenSpiel's C++ search, which draws worlds itself and has one tree."""
    import pyspiel

    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
    bot = pyspiel.ISMCTSBot(1, evaluator, uct_c=SearchConfig().exploration * 26, max_simulations=bench.many(ITERATIONS, 50))
    return bench.many(ITERATIONS, 50) / bench.seconds(lambda: bot.step(state))


def leduc_search_rows(bench: Bench) -> list[Row]:
    speeds = {observers: iterations(bench, dealt(leduc.new(2, 0)), 0, observers)[0] for observers in ("single", "multiple")}
    rows = [(f"Leduc: ISMCTS, {observers}", f"{speed:,.0f} iterations/s", "", "") for observers, speed in speeds.items()]
    try:
        import pyspiel
    except ImportError:
        return rows
    theirs = peer_search(bench, pyspiel.load_game("leduc_poker").new_initial_state())
    note = f"Kibitz does {speeds['single'] / theirs:.1f} (single) and {speeds['multiple'] / theirs:.1f} times as many"
    return [*rows, ("Leduc: ISMCTS of OpenSpiel (C++)", f"{theirs:,.0f} iterations/s", "", note)]


# --- doubts -------------------------------------------------------------------------------------------------


def doubt_rows(bench: Bench) -> list[Row]:
    """How far a search of every decision of Leduc can be exploited, with and without doubts.

    Worlds and doubts are drawn by counting cards, or by what both would have done before with each card in an equilibrium. A
    search with doubts has twice the iterations, as half of them take doubts.
    """
    rows: list[Row] = []
    start = leduc.new(2, 0)
    flat, positions = flatten(start), np.asarray(node_states(start, prune()))
    likely = _likelihoods(flat, solve(flat, "pdcfr+", bench.many(1000, 20)).strategy)
    public: dict[tuple[int, ...], list[int]] = {}
    for node in np.flatnonzero(flat.actor >= 0).tolist():
        public.setdefault(tuple(flat.path(node)[2:]), []).append(node)
    for drawn, weight in (("by counting", likely[:, 0]), ("by an equilibrium", likely.prod(axis=1))):
        for doubting in (False, True):
            found = []
            for seed in range(bench.many(SEEDS, 1)):
                pure, mixed = (np.zeros(len(flat.slot_action)) for _ in range(2))
                for nodes in public.values():
                    for known in {int(flat.infoset[node]) for node in nodes[: bench.many(len(nodes), 1)]}:
                        worlds = _copies(positions, [node for node in nodes if flat.infoset[node] == known], weight)
                        doubts = _copies(positions, nodes, weight) if doubting else None
                        iterations = bench.many(3000, 20) * (1 + doubting)
                        config = SearchConfig(iterations=iterations, trees=1, seed=1000 * seed + known)
                        result = search(worlds, int(flat.set_seat[known]), config, doubts=doubts, workers=Threads(1))
                        for slot in range(flat.set_slot[known], flat.set_slot[known + 1]):
                            for one in result.actions:
                                if one.action == flat.slot_action[slot]:
                                    mixed[slot] = one.visits**2
                            pure[slot] = flat.slot_action[slot] == result.best.action
                found.append([exploitability(flat, normalised(flat, played)) for played in (pure, mixed)])
            best, often = np.mean(found, axis=0)
            name = f"Leduc: ISMCTS {'with' if doubting else 'without'} doubts, worlds drawn {drawn}"
            rows.append((name, f"{best:.3f} chips", "", f"{often:.3f} if it plays in proportion to the squares of its visits"))
    return rows


def _likelihoods(flat: Flat, strategy: Any) -> Any:
    """[nodes, 3] how likely chance comes to a node, and each seat; now and then a seat does anything."""
    found = np.ones((len(flat.actor), 3))
    for node in range(1, len(flat.actor)):
        above = int(flat.parent[node])
        found[node] = found[above]
        if flat.actor[above] < 0:
            found[node, 0] *= flat.probability[node]
        else:
            often = strategy[flat.slot[above] + node - flat.first[above]]
            found[node, 1 + flat.actor[above]] *= (1 - ANYTHING) * often + ANYTHING / flat.children[above]
    return found


def _copies(positions: Any, nodes: list[int], weight: Any) -> Any:
    """The positions of these nodes, each so many times as it is likely."""
    often = np.round(COPIES * weight[nodes] / weight[nodes].max()).astype(int)
    return as_structs(positions[np.repeat(nodes, often)])


def main() -> None:
    bench = Bench(__doc__, "search.md")
    games = GAMES[: bench.many(len(GAMES))]
    rows = [
        row for name, start, peer in games for row in (flatten_row(bench, name, start), *cfr_rows(bench, name, start, peer))
    ]
    rows += [*accuracy_rows(1e-2 if bench.quick else 1e-5), *coup_rows(bench), *leduc_search_rows(bench)]
    note = "One core. Visits are counted as if neither skipped anything: two for each node in an iteration."
    headings = ("what", "measured", "target", "note")
    doubts = ("what", "exploitability", "target", "note")
    figures = [Figures("Solvers and trees", headings, rows), Figures("Doubts", doubts, doubt_rows(bench))]
    bench.publish("Search: speed", figures, note)


if __name__ == "__main__":
    main()
