"""Proofs of the analysis by whole games, heavier than tests can be.

    python benchmarks/prove_analysis.py              about ten minutes of one core; all cores by default
    python benchmarks/prove_analysis.py --full       more than an hour of one core
    python benchmarks/prove_analysis.py --only mirrors

Intervals contain the long-run rates as often as they say; the twelve turned and mirrored boards get the same answer; threads
and processes give the same result; hardly a game ends without a winner. All is seeded. Any failure makes the exit code 1.
"""

import argparse
import hashlib
import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import chain, count
from multiprocessing import get_context

import numpy as np
import numpy.typing as npt
from tables import Bench, Figures, add_full, add_jobs

from kibitz import game
from kibitz.catan import Board, Rules
from kibitz.catan.analysis import AnalysisConfig, AnalysisResult, AnalysisRuntime, Info, Position, create_analyzer
from kibitz.catan.analysis.corners import rank_corners
from kibitz.catan.analysis.draft import place
from kibitz.catan.analysis.full_game import candidate_actions
from kibitz.catan.analysis.rollouts import play_units, split
from kibitz.catan.analysis.types import Difference
from kibitz.catan.core.actions import parse
from kibitz.catan.core.codes import PLACE_ROAD, PLACE_SETTLEMENT
from kibitz.catan.core.policy import BOTS
from kibitz.catan.core.record import simulate
from kibitz.catan.core.state import MAIN, ROBBER_MOVE
from kibitz.catan.core.topology import CORNERS
from kibitz.compute.runtime import Threads
from kibitz.ground.rng import derive_seed
from kibitz.play.series import play
from kibitz.play.share import Share
from tests.catan.analysis.symmetry import SYMMETRIES

SEED = 4
#: How many standard errors are no longer chance: one in 16,000.
FAR = 4.0


@dataclass(frozen=True)
class Size:
    """How much is proved."""

    repetitions: int
    long_run: int
    boards: int
    rollouts: int
    games: int
    jobs: int
    #: Only the first positions, where a little is enough.
    positions: int | None = None

    @property
    def cases(self) -> list[str]:
        return [*POSITIONS][: self.positions]


@dataclass
class Proof:
    """What a proof found, as a table."""

    title: str
    text: str
    columns: Sequence[str]
    rows: list[tuple[object, ...]] = field(default_factory=list)
    verdict: str = ""
    failures: list[str] = field(default_factory=list)

    def add(self, *figures: object) -> None:
        """One more row."""
        self.rows.append(figures)

    def figures(self) -> Figures:
        """The section of the results."""
        verdict = f"{len(self.failures)} failures" if self.failures else self.verdict
        return Figures(self.title, self.columns, self.rows, f"{self.text}\n\n**{verdict}.**")


def analyse(
    position: Position, config: AnalysisConfig, jobs: int = 1, on_info: Callable[[Info], None] | None = None
) -> AnalysisResult:
    """The analysis by whole games."""
    runtime = AnalysisRuntime(on_info=on_info) if on_info else None
    return create_analyzer("full_game").analyze(position, config, runtime, Threads(jobs))


# --- positions --------------------------------------------------------------------------------------------------------


def second_settlement() -> Position:
    """The last player's second settlement, to be chosen with its road."""
    first = Position.opening(Board.random(2), seat=3)
    states = first.states.copy()
    place(states, rank_corners(first)[0].vertex_id, None, "builder")
    return Position.of(states, 3)


def running(turn: int, phase: int) -> Position:
    """The first position after some turns of a recorded game in which there is much to choose from."""
    for seed in count():
        record = simulate(Board.random(seed), ["builder"] * 4, seed)
        for step, states in enumerate(record.states()):
            if states["turn"][0] >= turn and states["phase"][0] == phase:
                if len(candidate_actions(Position.of(states), AnalysisConfig())) >= 5:
                    return Position.at(record, step)
    raise AssertionError("there is always another game")


POSITIONS: dict[str, Callable[[], Position]] = {
    "first settlement, beginner board": partial(Position.opening, Board.beginner()),
    "first settlement, third of three": partial(Position.opening, Board.random(1), seats=3, seat=2),
    "second settlement with its road": second_settlement,
    "a turn, early": partial(running, 12, MAIN),
    "a turn, late": partial(running, 40, MAIN),
    "moving the robber": partial(running, 24, ROBBER_MOVE),
}


@cache
def position_of(case: str) -> Position:
    return POSITIONS[case]()


def config_of(number: int) -> AnalysisConfig:
    """A small adaptive analysis, another for every number."""
    return AnalysisConfig(mc_seed=number, full_game_candidate_vertices=6, full_game_rollouts=100, top=1)


# --- 1. intervals -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Interval:
    """The interval of a share of so many games, in which luck was weighed or not."""

    low: float
    high: float
    games: int
    weighed: bool

    @classmethod
    def of(cls, share: Share) -> "Interval":
        return cls(*share.interval, share.games, share.fair is not None)

    def expected(self, rate: float) -> float:
        """How often such an interval contains the rate, if it is honest."""
        return 0.95 if self.weighed else exact_coverage(self.games, rate)


@dataclass(frozen=True)
class Finding:
    """What one analysis says of one candidate: `found` by the games that are reported, `every` by all games."""

    name: str
    found: Interval
    every: Interval
    survivor: bool
    difference: Difference | None = None


def repeat(case: str, numbers: range) -> list[list[Finding]]:
    """Analyses of one position with different seeds; in each the candidates in the order of its ranking."""
    found = []
    for number in numbers:
        infos: list[Info] = []
        result = analyse(position_of(case), config_of(number), on_info=infos.append)
        last = {standing.name: standing for standing in infos[-1].ranking}
        reported: list[tuple[str, Interval, Difference | None]] = [
            (
                f"V{score.vertex_id}" if score.road is None else f"V{score.vertex_id}-E{score.road}",
                Interval.of(score.win_rate),
                None,
            )
            for score in result.global_ranking
            if score.win_rate
        ]
        reported += [
            (
                move.action,
                Interval(*move.interval, move.visits, move.interval != move.share.interval),
                move.difference if place else None,
            )
            for place, move in enumerate(result.options)
        ]
        every = {name: Interval.of(standing.win_rate) for name, standing in last.items()}
        found.append([Finding(name, share, every[name], last[name].racing, d) for name, share, d in reported])
    return found


def repetitions(case: str, size: Size) -> list[list[Finding]]:
    """All repetitions, spread over processes."""
    chunks = [range(first, min(first + 10, size.repetitions)) for first in range(0, size.repetitions, 10)]
    if size.jobs == 1:
        return [one for chunk in chunks for one in repeat(case, chunk)]
    with ProcessPoolExecutor(size.jobs, mp_context=get_context("spawn")) as pool:
        return [one for chunk in pool.map(repeat, [case] * len(chunks), chunks) for one in chunk]


def long_run(case: str, name: str, size: Size) -> float:
    """How often the seat wins after a candidate, from many games with dice and worlds of their own."""
    position, config = position_of(case), config_of(0)
    seed = derive_seed(SEED, "long run", case)
    starts = position.worlds(size.long_run, derive_seed(seed, "worlds"))
    starts["max_turns"] = np.minimum(starts["max_turns"], starts["turn"].astype(np.int64) + config.turn_cap)
    starts["offer_limit"] = config.full_game_trade_offer_limit
    for code in codes_of(name):
        for i in range(len(starts)):
            game.apply_at(starts, i, code)
    units = list(split(starts, seed, 0, size.long_run, (BOTS[config.policy],) * position.seats))
    won = sum(int((outcomes["winner"] == position.seat).sum()) for _, outcomes in play_units(units, Threads(size.jobs)))
    return won / size.long_run


def codes_of(name: str) -> list[int]:
    """The actions of a candidate: ``V41``, ``V41-E60`` or the text of an action."""
    if not name.startswith("V"):
        return [parse(name)]
    corner, _, edge = name.partition("-E")
    return [PLACE_SETTLEMENT + int(corner[1:]), *([PLACE_ROAD + int(edge)] if edge else [])]


@cache
def exact_coverage(games: int, rate: float) -> float:
    """How often the interval of so many games contains the rate: near 95 %, but counts are whole numbers."""
    chances = (math.comb(games, won) * rate**won * (1 - rate) ** (games - won) for won in range(games + 1))
    return sum(chance for won, chance in enumerate(chances) if inside(rate, Share(won, games)))


def inside(rate: float, share: Share) -> bool:
    low, high = share.interval
    return low <= rate <= high


@dataclass(frozen=True)
class Coverage:
    """How many of `number` intervals contain the truth, and how many should; `z` in standard errors."""

    number: int
    covered: int
    expected: float
    z: float

    @classmethod
    def of(cls, samples: Sequence[Sequence[tuple[bool, float]]]) -> "Coverage":
        """From (contains it, the chance of that) in each repetition; those of one repetition share their dice."""
        covered = sum(contains for sample in samples for contains, _ in sample)
        expected = sum(chance for sample in samples for _, chance in sample)
        together = sum(sum(contains - chance for contains, chance in sample) ** 2 for sample in samples)
        apart = sum(chance * (1 - chance) for sample in samples for _, chance in sample)
        z = (covered - expected) / math.sqrt(max(together, apart, 1e-9))
        return cls(sum(map(len, samples)), covered, expected, z)

    def figures(self) -> tuple[object, ...]:
        shares = (percent(n / max(1, self.number)) for n in (self.covered, self.expected))
        return self.number, *shares, f"{self.z:+.1f}"


def percent(share: float) -> str:
    return f"{share:.1%}".replace("%", " %")


def prove_intervals(size: Size) -> Proof:
    """The intervals contain the truth as often as they say."""
    result = Proof(
        "Intervals",
        f"{size.repetitions} small adaptive analyses of each position (600 games, up to 18 candidates), each with its own"
        f" dice and worlds: how often the 95 % interval of a candidate contains its long-run rate ({size.long_run:,} other"
        " games). Where luck was weighed, 95 % are expected. Elsewhere games are counted in whole numbers, and an honest"
        " interval contains the rate not in exactly 95 %: *expected* is what binomial chance gives for the number of games"
        " (for differences: 95 %, and more is no failure)."
        " z is the difference in standard errors. For comparison, what the survivors' intervals would be worth if the games"
        " that let them survive were counted too.",
        ("position", "intervals of", "number", "contain the truth", "expected", "z"),
    )
    for case in size.cases:
        found = repetitions(case, size)
        truth = {name: long_run(case, name, size) for name in sorted({f.name for one in found for f in one})}
        for what, coverage, judged in coverages(found, truth):
            result.add(case, what, *coverage.figures())
            if judged and (coverage.z < -FAR or (coverage.z > FAR and not what.startswith("differences"))):
                result.failures.append(f"intervals: {case}, {what}: {coverage}")
    result.verdict = "Every interval contains the truth as often as it should"
    return result


def coverages(found: Sequence[Sequence[Finding]], truth: dict[str, float]) -> Iterator[tuple[str, Coverage, bool]]:
    """What the intervals of one position are worth; whether it is judged."""

    def judge(name: str, one: Interval) -> tuple[bool, float]:
        return one.low <= truth[name] <= one.high, one.expected(truth[name])

    yield "all candidates", Coverage.of([[judge(f.name, f.found) for f in one] for one in found]), True
    by_name: defaultdict[str, list[list[tuple[bool, float]]]] = defaultdict(list)
    for f in chain(*found):
        by_name[f.name].append([judge(f.name, f.found)])
    each = {name: Coverage.of(samples) for name, samples in by_name.items() if len(samples) >= len(found) / 10}
    worst = max(each, key=lambda name: abs(each[name].z))
    yield f"the worst of them, {worst}", each[worst], True
    survivors = [[f for f in one if f.survivor] for one in found]
    yield "the survivors", Coverage.of([[judge(f.name, f.found) for f in one] for one in survivors]), True
    yield "the first in the ranking", Coverage.of([[judge(one[0].name, one[0].found)] for one in found]), True
    yield "the survivors, all games counted", Coverage.of([[judge(f.name, f.every) for f in one] for one in survivors]), False
    for what, chosen in (("differences to the best", found), ("differences of survivors", survivors)):
        samples = [[(contains(f, truth[f.name] - truth[one[0].name]), 0.95) for f in one[1:] if f.difference] for one in chosen]
        if any(samples):
            yield what, Coverage.of(samples), True


def contains(finding: Finding, difference: float) -> bool:
    found = finding.difference
    return found is not None and found.low <= difference <= found.high


# --- 2. turned and mirrored boards --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Agreement:
    """How well the win rates of the same corners agree in analyses of the same board in several positions.

    `wins` [position, corner], of so many `games` each.
    """

    wins: npt.NDArray[np.int64]
    games: int

    @classmethod
    def of(cls, shares: Sequence[dict[int, Share]]) -> "Agreement":
        """From the shares of the corners in each analysis, as far as all have them."""
        corners = sorted(set.intersection(*map(set, shares)))
        return cls(np.array([[share[corner].won for corner in corners] for share in shares]), shares[0][corners[0]].games)

    @property
    def pooled(self) -> npt.NDArray[np.float64]:
        return np.asarray(self.wins.mean(axis=0) / self.games)

    @property
    def variance(self) -> npt.NDArray[np.float64]:
        """What chance alone gives to the rate of a corner in one position."""
        return self.pooled * (1 - self.pooled) / self.games

    @property
    def inner(self) -> float:
        """The share of the intervals that contain the rate of all positions together."""
        rates = self.pooled.tolist()
        pairs = [(won, rate) for row in self.wins.tolist() for won, rate in zip(row, rates, strict=True)]
        return float(np.mean([inside(rate, Share(won, self.games)) for won, rate in pairs]))

    @property
    def z(self) -> float:
        """Chi-square over all corners, in standard deviations from what it should be."""
        degrees = int(self.wins.size - self.wins.shape[1])
        chi_square = float(((self.wins / self.games - self.pooled) ** 2 / self.variance).sum())
        return (chi_square - degrees) / math.sqrt(2 * degrees)


def prove_mirrors(size: Size) -> Proof:
    """A turned or mirrored board has the turned or mirrored answer."""
    result = Proof(
        "Turned and mirrored boards",
        f"Random boards in all twelve positions on the table, each analysed by itself ({size.rollouts:,} games for each of the"
        " eight best corners, all with dice of their own), with bots that take no notice of where on the table a corner lies."
        " Static scores are equal; the win rates of a corner differ by chance alone (z of chi-square), and their intervals"
        " contain the rate of all twelve together.",
        ("board", "bots", "corners", "static scores", "in the interval", "z", "same best corner"),
    )
    for number in range(size.boards):
        board = Board.random(derive_seed(SEED, "mirrors", number))
        for bot in ("random", "builder")[: size.positions]:
            static, shares, first = [], [], []
            for symmetry in SYMMETRIES:
                back = {symmetry.corner(corner): corner for corner in range(CORNERS)}
                position = Position.opening(symmetry.board(board))
                ranking = analyse(position, mirror_config(bot, size.rollouts), size.jobs).global_ranking
                static.append({back[score.vertex_id]: score.baseline_total for score in ranking})
                shares.append({back[score.vertex_id]: score.win_rate for score in ranking if score.win_rate})
                first.append(back[ranking[0].vertex_id])
            found = Agreement.of(shares)
            equal = "equal" if all(scores == static[0] for scores in static) else "DIFFER"
            best = f"{max(map(first.count, first))} of {len(first)}"
            result.add(number, bot, found.wins.shape[1], equal, percent(found.inner), f"{found.z:+.1f}", best)
            if equal != "equal" or found.z > FAR:
                result.failures.append(f"mirrors: board {number}, {bot}: {found}, static scores {equal}")
    result.verdict = "Every position of a board on the table has the same answer"
    return result


def mirror_config(bot: str, rollouts: int) -> AnalysisConfig:
    """Even spending with separate dice; random bots need longer, and their trades are only in the way."""
    return AnalysisConfig(
        policy=bot,
        rank_by="win_rate",
        top=1,
        full_game_rollouts=rollouts,
        full_game_candidate_vertices=8,
        full_game_max_turns=2000 if bot == "random" else 300,
        full_game_trade_offer_limit=0 if bot == "random" else 4,
        common_random_numbers=False,
        adaptive=False,
    )


# --- 3. the same result everywhere ------------------------------------------------------------------------------------


def digest(case: str, jobs: int) -> tuple[str, str]:
    """Fingerprints of a whole result, and of the first worlds that the seat's belief draws (the more jobs, the more)."""
    result = json.dumps(analyse(position_of(case), config_of(1), jobs).to_json(), sort_keys=True)
    worlds = np.asarray(position_of(case).worlds(100 * jobs, SEED))[:100].tobytes()
    return fingerprint(result.encode()), fingerprint(worlds)


def fingerprint(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=8).hexdigest()


def prove_sameness(size: Size) -> Proof:
    """Threads and processes give the same result."""
    result = Proof(
        "The same result everywhere",
        "One seed, on one, two and five threads and in two fresh processes (whose hashes are salted differently): fingerprints"
        " of the whole result as JSON, and of the worlds that are drawn for the seat that asks, of which the first hundred are"
        " the same however many are drawn.",
        ("position", "result", "worlds", "equal"),
    )
    for case in size.cases:
        found = [digest(case, jobs) for jobs in (1, 2, 5)]
        for _ in range(2 if size.jobs > 1 else 0):
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
                found.append(pool.submit(digest, case, 1).result())
        same = sum(one == found[0] for one in found)
        result.add(case, *found[0], f"{same} of {len(found)}")
        if same < len(found):
            result.failures.append(f"sameness: {case}: {found}")
    result.verdict = "One seed, one result"
    return result


# --- 4. games without a winner ------------------------------------------------------------------------------------------


def ends_board(number: int) -> Board:
    return Board.random(derive_seed(SEED, "ends", number))


def prove_ends(size: Size) -> Proof:
    """Hardly a game reaches the turn cap."""
    cap = AnalysisConfig().turn_cap
    result = Proof(
        "Games without a winner",
        f"Whole games on random boards with the default cap of {cap} turns: how many nobody has won when it comes.",
        ("table", "games", "without a winner", "share", "mean length", "longest"),
    )
    for bot in ("builder", "seed"):
        for seats in (2, 3, 4):
            states = play(
                "catan", [bot] * seats, SEED, size.games, rules=Rules(max_turns=cap), board=ends_board, jobs=size.jobs
            ).states
            turns, unfinished = np.asarray(states["turn"]), int((np.asarray(states["winner"]) < 0).sum())
            lengths = f"{turns.mean():.1f}", int(turns.max())
            result.add(f"{seats} {bot}s", size.games, unfinished, f"{unfinished / size.games:.2%}", *lengths)
            if unfinished >= size.games / 100:
                result.failures.append(f"ends: {seats} {bot}s: {unfinished} of {size.games} games reach the cap of {cap} turns")
    result.verdict = "Under 1 % at every table"
    return result


# --- all of them --------------------------------------------------------------------------------------------------------

PROOFS = {"intervals": prove_intervals, "mirrors": prove_mirrors, "sameness": prove_sameness, "ends": prove_ends}


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repetitions", type=int, help="analyses of each position whose intervals are judged (150)")
    parser.add_argument("--only", action="append", choices=list(PROOFS), help="only some of the proofs")
    add_full(parser)
    add_jobs(parser)


def main() -> None:
    bench = Bench(__doc__, "prove_analysis.md", options)
    asked = bench.options
    size = Size(150, 20_000, 2, 1_000, 2_000, asked.jobs)
    if asked.full:
        size = Size(500, 20_000, 6, 2_000, 10_000, asked.jobs)
    if asked.repetitions:
        size = replace(size, repetitions=asked.repetitions)
    if bench.quick:
        size = Size(1, 20, 1, 1, 10, 1, positions=1)
    proofs = [PROOFS[name](size) for name in asked.only or PROOFS]
    failures = [failure for proof in proofs for failure in proof.failures]
    bench.publish("Proofs of the analysis", [proof.figures() for proof in proofs], failures=failures)


if __name__ == "__main__":
    main()
