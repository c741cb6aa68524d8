"""How much chance is left in whole games of Catan when luck is taken out of them, and what that costs.

    python benchmarks/luck.py             the factors by phase of the game; some minutes of one core
    python benchmarks/luck.py --fit       find the weights of kibitz/catan/core/luck_weights.py anew, and print them

From positions of each phase two actions are played on in many games with the same dice (corners in the draft, actions of a turn
later; what is hidden is dealt anew for each game). The variance within a position is compared with and without luck, for how
often the seat wins and for the difference of the two actions. The processor time is that of the same games. The same interval
takes less time by the factor (variance without / with) / (time with / without).

The second table asks the evaluator instead (`value` after each outcome, less its mean): at all chance events, at the dice
alone, at the first throws. It says what there is to be had, and what it would cost.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from tables import Bench, Figures

from kibitz.catan import Board
from kibitz.catan.analysis import AnalysisConfig, Position
from kibitz.catan.analysis.corners import rank_corners
from kibitz.catan.analysis.draft import place
from kibitz.catan.analysis.full_game import candidate_actions
from kibitz.catan.analysis.rollouts import after
from kibitz.catan.core.codes import PLACE_SETTLEMENT
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.luck import FAR, LUCK, MANY, THROWS, WORTH
from kibitz.catan.core.record import simulate
from kibitz.catan.core.rules.production import DICE
from kibitz.catan.core.state import DRAWING, KINDS, KNIGHT, MAIN, ROLLING, SEATS, VICTORY_POINT, new_states
from kibitz.catan.core.topology import HEX_MASK, HEXES
from kibitz.compute import local
from kibitz.game import CHANCE, OVER, copied, structs
from kibitz.game.drivers import begin, decide, do
from kibitz.game.evaluator import SURE
from kibitz.game.verbs import actor, apply, value, weights
from kibitz.ground.jit import jit
from kibitz.ground.rng import Stream, derive_seed

Floats = npt.NDArray[np.float64]
BUILDERS = (1,) * SEATS
#: From which turn on a position of a phase is looked for.
PHASES = {"draft": 0, "early": 6, "middle": 28, "late": 50}
#: Chance events that a game has at most, nearly.
MOST_EVENTS = 200
SEED = 6


# --- positions ----------------------------------------------------------------------------------------------------


def positions(phase: str) -> Iterator[tuple[Position, list[int]]]:
    """Positions of a phase from games on random boards, and two actions of the seat in each."""
    stream = Stream(SEED)
    seed = 0
    while True:
        seed += 1
        if phase == "draft":
            position = Position.opening(Board.random(seed), seat=seed % SEATS)
            if seed % 2:  # the second settlement
                states = position.states.copy()
                place(states, rank_corners(position)[0].vertex_id, None, "builder")
                position = Position.of(states, seed % SEATS)
            yield position, [PLACE_SETTLEMENT + score.vertex_id for score in rank_corners(position)[:2]]
            continue
        record = simulate(Board.random(seed), ["builder"] * SEATS, seed)
        for step, states in enumerate(record.states()):
            if states["turn"][0] >= PHASES[phase] + seed % SEATS and states["phase"][0] == MAIN:
                position = Position.at(record, step)
                actions = candidate_actions(position, AnalysisConfig())
                if len(actions) > 2:
                    yield position, stream.shuffled(actions)[:2]
                    break


@dataclass(frozen=True)
class Sample:
    """Games from some positions: game i is one of ``position[i]`` for ``seat[i]``; the two halves are pairs with equal dice."""

    games: local.Games
    position: npt.NDArray[np.int64]
    seat: npt.NDArray[np.int64]

    def of_seat(self, table: npt.NDArray[Any]) -> Floats:
        """The column of each game's seat in ``table[game, seat]``."""
        return table[np.arange(len(table)), self.seat].astype(float)

    def won(self, batch: local.Batch) -> Floats:
        """1 for a game that the seat won, else 0."""
        return (np.asarray(batch.states)["winner"] == self.seat).astype(float)

    def variance(self, values: Floats) -> float:
        """Within a position and an action, of one game."""
        both = np.array_split(values, 2)
        return (_within(both[0], self.position) + _within(both[1], self.position)) / 2

    def variance_of_difference(self, values: Floats) -> float:
        """Within a position, of the difference of a pair."""
        one, other = np.array_split(values, 2)
        return _within(one - other, self.position)


def _within(values: Floats, position: npt.NDArray[np.int64]) -> float:
    n = np.bincount(position)
    off = values - (np.bincount(position, values) / n)[position]
    return max(float(off @ off) / (len(values) - len(n)), 1e-12)


def sample(phase: str, many: int, games: int) -> Sample:
    """So many positions of a phase, and so many pairs of games from each."""
    starts: list[list[Any]] = [[], []]
    seeds, seats = [], []
    for number, (position, actions) in zip(range(many), positions(phase), strict=False):
        worlds = position.limited(300, 4).worlds(games, derive_seed(SEED, "worlds", number))
        for side, action in enumerate(actions):
            played = np.asarray(after(worlds, [action]))
            starts[side].append(played[np.arange(games) % len(played)])
        seeds.append(local.series(GAME, worlds, games, derive_seed(SEED, phase, number), BUILDERS).seeds)
        seats += [position.seat] * games
    own, dice = np.concatenate(starts[0] + starts[1]), np.concatenate(seeds)
    listed = local.Games(GAME, own, np.arange(len(own), dtype=np.int32), np.concatenate([dice, dice]), BUILDERS)
    return Sample(listed, np.repeat(np.arange(many), games), np.array(seats * 2))


# --- the factors --------------------------------------------------------------------------------------------------


def by_phase(bench: Bench) -> Figures:
    """What luck explains in each phase, and the factor in processor time."""
    rows: list[Sequence[object]] = []
    for phase in PHASES:
        games = sample(phase, bench.many(40, 2), bench.many(120, 10))
        weighed = replace(games.games, given={"weighing": 1})
        without, cost = bench.seconds(lambda: local.play(games.games, 1)), bench.seconds(lambda: local.play(weighed, 1))  # noqa: B023
        batch = local.play(weighed, 1)
        won = games.won(batch)
        assert batch.lucks is not None
        fair = won - games.of_seat(batch.lucks) / LUCK
        one = games.variance(won) / games.variance(fair)
        both = games.variance_of_difference(won) / games.variance_of_difference(fair)
        paired = 2 * games.variance(won) / games.variance_of_difference(won)
        slower = cost / without
        rows.append(
            (
                phase, f"{1e6 * without / len(won):.0f} µs", f"{slower:.2f}", f"{one:.2f}", f"{one / slower:.2f}",
                f"{paired:.2f}", f"{both:.2f}", f"{both / slower:.2f}",
            )
        )  # fmt: skip
    return Figures(
        "Luck taken out",
        (
            "phase", "a game", "time with luck weighed", "variance of a win: less by", "factor", "same dice: less by",
            "variance of a difference: less by", "factor",
        ),
        rows,
    )  # fmt: skip


@jit
def record(starts: Any, seeds: Any, room: Any, xs: Any, events: Any, actions: Any, games: Any, winners: Any) -> int:
    """Play games and keep every state before a chance event, with what happened; how many there are."""
    n = 0
    x = xs[0]
    for i in range(len(seeds)):
        room[0] = starts[i]
        s = room[0]
        begin(x, seeds[i])
        seat = actor(s)
        while seat != OVER:
            a = decide(s, x, seat)
            if seat == CHANCE:
                events[n], actions[n], games[n] = s, a, i
                n += 1
            do(s, x, a)
            seat = actor(s)
        winners[i] = s.winner
    return n


@jit
def surprise(events: Any, actions: Any, room: Any, xs: Any, found: Any) -> None:
    """``found[event, seat]``: the `value` after what happened, less its mean over what could have happened."""
    x = xs[0]
    for k in range(len(events)):
        n = weights(events[k], x)
        total = 0
        for i in range(n):
            total += x.weights[i]
        for i in range(n):
            a, weight = x.actions[i], x.weights[i]
            room[0] = events[k]
            apply(room[0], a)
            value(room[0], x)
            for seat in range(found.shape[1]):
                found[k, seat] += x.values[seat] * ((total if a == actions[k] else 0) - weight) / total
            weights(events[k], x)


@dataclass(frozen=True)
class Events:
    """Chance events of some games: the states before them, what happened, in which game; and who won each."""

    states: npt.NDArray[np.void]
    actions: npt.NDArray[np.int32]
    games: npt.NDArray[np.int64]
    winners: npt.NDArray[np.int8]


def events_of(starts: npt.NDArray[np.void], seeds: npt.NDArray[np.uint64]) -> Events:
    """Play some games and keep their chance events."""
    n = len(seeds)
    xs = GAME.scratches()
    xs["policy"][0] = BUILDERS
    found = structs(GAME.state, n * MOST_EVENTS)
    actions, games, winners = np.zeros(len(found), np.int32), np.zeros(len(found), np.int64), np.zeros(n, np.int8)
    k = record(starts, seeds, structs(GAME.state), xs, found, actions, games, winners)
    return Events(copied(found[:k]), actions[:k].copy(), games[:k].copy(), winners)


def by_evaluator(bench: Bench) -> Figures:
    """The same with the evaluator, at all chance events and at some."""
    rows: list[Sequence[object]] = []
    for phase in PHASES:
        games = sample(phase, bench.many(20, 2), bench.many(100, 5))
        listed = games.games
        plain = bench.seconds(lambda: local.play(listed, 1))  # noqa: B023
        events = events_of(np.asarray(listed.starts), listed.seeds)
        found, xs, room = np.zeros((len(events.states), SEATS)), GAME.scratches(), structs(GAME.state)
        surprise(events.states[:1], events.actions, room, xs, found[:1].copy())
        began = time.process_time()
        surprise(events.states, events.actions, room, xs, found)
        cost = time.process_time() - began
        won = games.won(local.play(listed, 1))
        dice = np.asarray(events.states)["phase"] == ROLLING
        throw = np.cumsum(dice) - np.concatenate([[0], np.bincount(events.games, dice).cumsum()])[events.games]
        asked = {"all": np.ones(len(dice), bool), "dice": dice, **{f"first {k}": dice & (throw <= k) for k in (1, 4, 8, 16)}}
        for name, which in asked.items():
            luck = np.stack([np.bincount(events.games, found[:, seat] * which, len(won)) for seat in range(SEATS)], 1) / SURE
            fair = won - games.of_seat(luck)
            slower = 1 + cost / plain * float(which.sum()) / len(which)
            one = games.variance(won) / games.variance(fair)
            both = games.variance_of_difference(won) / games.variance_of_difference(fair)
            rows.append(
                (phase, name, f"{slower:.1f}", f"{one:.2f}", f"{one / slower:.2f}", f"{both:.2f}", f"{both / slower:.2f}")
            )
    return Figures(
        "The evaluator asked at chance events",
        (
            "phase", "chance events", "time", "variance of a win: less by", "factor", "variance of a difference: less by",
            "factor",
        ),
        rows,
    )  # fmt: skip


# --- the weights --------------------------------------------------------------------------------------------------

#: Features of the outlook, in their order, with how many there are and what divides them.
OUTLOOK = {
    "OUTLOOK_TO_GO": (FAR, 1), "OUTLOOK_INCOME": (KINDS, 5), "OUTLOOK_KINDS": (KINDS, 1), "OUTLOOK_NEXT": (SEATS, 1),
    "OUTLOOK_CARDS": (1, 1), "OUTLOOK_KNIGHTS": (1, 1), "OUTLOOK_ROAD": (1, 3), "OUTLOOK_HAND": (1, 1),
}  # fmt: skip
PARTS, STAGES = 3, 5
CARDS = STAGES * KINDS * (MANY + 1)


@dataclass(frozen=True)
class Described:
    """What `kibitz.catan.core.luck` looks at, for many chance events: ``[event, seat, ...]``."""

    outlook: npt.NDArray[np.float32]
    part: npt.NDArray[np.int64]
    stage: npt.NDArray[np.int64]
    gains: Floats  # [event, seat, resource] beyond the mean of the throws
    events: Events


def described(events: Events) -> Described:
    """Describe the chance events of some games."""
    s = np.asarray(events.states)
    n = len(s)
    number = np.where(s["phase"] == ROLLING, events.actions - events.actions[s["phase"] == ROLLING].min() + 2, 0)
    income, gain = np.zeros((n, SEATS, KINDS), np.float32), np.zeros((n, SEATS, KINDS), np.float32)
    for hex in range(HEXES):
        token, terrain = s["number"][:, hex], s["terrain"][:, hex]
        pays = (token > 0) & (s["robber"] != hex)
        corners = np.int64(HEX_MASK[hex])
        cards = np.bitwise_count(s["settlements"] & corners) + 2 * np.bitwise_count(s["cities"] & corners)
        pips = np.asarray(DICE)[np.maximum(token - 2, 0)]
        at = np.flatnonzero(pays)
        income[at, :, terrain[at]] += cards[at] * pips[at, None]
        at = np.flatnonzero(pays & (token == number))
        gain[at, :, terrain[at]] += cards[at]
    points = np.bitwise_count(s["settlements"]) + 2 * np.bitwise_count(s["cities"]).astype(int)
    points += s["played"][:, :, VICTORY_POINT] + s["dev"][:, :, VICTORY_POINT]
    for holder in ("road_holder", "army_holder"):
        points += 2 * (s[holder][:, None] == np.arange(SEATS))
    to_go = np.clip(s["victory_points"][:, None] - points, 1, FAR)
    least = to_go.min(axis=1)
    later = (np.arange(SEATS) - s["player"][:, None]) % SEATS
    columns = [
        np.eye(FAR)[to_go - 1], income / 5, income > 0, np.eye(SEATS)[later],
        (s["dev_size"] - s["dev"][:, :, VICTORY_POINT])[..., None], s["played"][:, :, KNIGHT, None],
        s["road_length"][..., None] / 3, s["hand_size"][..., None],
    ]  # fmt: skip
    stage = np.searchsorted([2, 3, 4, 6], to_go, side="right")
    outlook = np.concatenate(columns, axis=2).astype(np.float32)
    part = np.where(least <= 2, 2, np.where(least <= 5, 1, 0))
    return Described(outlook, part, stage, gain - income / THROWS, events)


def chances(found: Described, weights_: Floats) -> Floats:
    """The guess at everybody's chances."""
    speaks = np.einsum("ksf,kf->ks", found.outlook, weights_[found.part])
    odds = np.exp(speaks - speaks.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def fit_outlook(found: Sequence[Described], rounds: int) -> Floats:
    """The weights of the outlook: the most likely ones, by steps down the gradient (Adam, Kingma and Ba 2015)."""
    own = np.zeros((PARTS, found[0].outlook.shape[2]))
    mean, square, step = np.zeros_like(own), np.zeros_like(own), 0
    for lap in range(rounds):
        for some in found:
            dice = np.asarray(some.events.states)["phase"] == ROLLING
            dice &= some.events.winners[some.events.games] >= 0
            winner = some.events.winners[some.events.games]
            for piece in np.array_split(Stream(lap).shuffled(np.flatnonzero(dice).tolist()), 16):
                step += 1
                off = chances(_some(some, piece), own) - (winner[piece, None] == np.arange(SEATS))
                slope = np.zeros_like(own)
                for part in range(PARTS):
                    here = some.part[piece] == part
                    slope[part] = np.einsum("ks,ksf->f", off[here], some.outlook[piece][here]) / len(piece)
                mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
                size = 0.02 * 0.5**lap
                own -= size * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-6)
    return own


def _some(found: Described, which: Any) -> Described:
    return replace(found, outlook=found.outlook[which], part=found.part[which])


def terms(found: Described, outlook: Floats) -> Floats:
    """``[game, seat, weight]``: what each weight of luck would take out of each game."""
    s, events = np.asarray(found.events.states), found.events
    chance, dice = chances(found, outlook), s["phase"] == ROLLING
    seven = np.where(dice, (events.actions == events.actions[dice].min() + 5) - 6 / THROWS, 0.0)
    over = np.where(s["hand_size"] > s["discard_limit"][:, None], s["hand_size"] // 2, 0) * seven[:, None]
    robs = (s["player"][:, None] == np.arange(SEATS)) * seven[:, None]
    drawing = s["phase"] == DRAWING
    first_card = events.actions[drawing].min()
    point = np.where(
        drawing, (events.actions == first_card + VICTORY_POINT) - s["deck"][:, VICTORY_POINT] / np.maximum(1, s["deck_size"]), 0
    )
    points = (s["player"][:, None] == np.arange(SEATS)) * point[:, None]
    many = CARDS + 3 * STAGES
    total = np.zeros(len(events.winners) * SEATS * many)
    for seat in range(SEATS):
        at = (events.games * SEATS + seat) * many
        for other in range(SEATS):
            between = chance[:, seat] * ((seat == other) - chance[:, other])
            stage = found.stage[:, other]
            for resource in range(KINDS):
                held = np.minimum(s["hand"][:, other, resource], MANY)
                weight = (stage * KINDS + resource) * (MANY + 1) + held
                total += np.bincount(at + weight, between * found.gains[:, other, resource] * dice, len(total))
            for kind, amount in enumerate((over, robs, points)):
                total += np.bincount(at + CARDS + kind * STAGES + stage, between * amount[:, other], len(total))
    return total.reshape(-1, SEATS, many)


def fit(games: int, boards: int) -> dict[str, npt.NDArray[np.int64]]:
    """All weights, from games of their own: the outlook by likelihood, the worths by least squares."""
    found = []
    for batch in range(0, games, 500):
        starts = new_states([Board.random(10**6 + batch + i) for i in range(boards)], SEATS)
        series = local.series(GAME, starts, min(500, games - batch), derive_seed(SEED, "fit", batch), BUILDERS)
        found.append(described(events_of(np.asarray(starts)[series.which], series.seeds)))
    outlook = fit_outlook(found, rounds=5)
    square, cross = np.zeros((CARDS + 3 * STAGES,) * 2), np.zeros(CARDS + 3 * STAGES)
    for some in found:
        own = terms(some, outlook).reshape(len(some.events.winners) * SEATS, -1)
        won = (some.events.winners[:, None] == np.arange(SEATS)) - 1 / SEATS
        square, cross = square + own.T @ own, cross + own.T @ won.reshape(-1)
    scale = np.sqrt(np.diag(square)) + 1e-9
    worths = np.linalg.solve(square / np.outer(scale, scale) + 1e-4 * np.eye(len(scale)), cross / scale) / scale
    parts: dict[str, Floats] = {}
    at = 0
    for name, (width, divided) in OUTLOOK.items():
        columns = outlook[:, at : at + width] / divided
        parts[name] = columns[:, 0] if width == 1 else columns
        at += width
    parts["CARD_WORTH"] = worths[:CARDS].reshape(STAGES, KINDS, MANY + 1)
    for kind, name in enumerate(("DISCARD_WORTH", "ROBBER_WORTH", "POINT_WORTH")):
        parts[name] = worths[CARDS + kind * STAGES :][:STAGES]
    return {name: np.rint(WORTH * numbers).astype(int) for name, numbers in parts.items()}


def main() -> None:
    """Measure, or find the weights."""
    bench = Bench(
        __doc__ or "", "luck.md", lambda parser: parser.add_argument("--fit", action="store_true", help="find the weights")
    )
    if bench.options.fit or bench.quick:
        for name, numbers in fit(bench.many(20_000, 100), bench.many(500, 20)).items():
            print(f"{name}: Any = table({numbers.tolist()}, np.int32)")
    if not bench.options.fit:
        bench.publish("Luck", [by_phase(bench), by_evaluator(bench)])


if __name__ == "__main__":
    main()
