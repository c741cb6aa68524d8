"""Whole games of Catan from a position, many of them, wherever there is somebody to play them.

A *unit* is a piece of work of its own: some consecutive games of one series. It is a value that can be sent anywhere, and
what comes back are a few integers a game. Game i of a series depends on the seed of the series, on i and on its start alone:
any split into units and any workers give the same.

>>> from kibitz.catan import Board
>>> from kibitz.catan.core.state import new_states
>>> unit = Unit(new_states(Board.beginner()), seed=7, first=0, count=100, policies=(1, 1, 1, 1))
>>> outcomes = play_unit(unit)
>>> int(outcomes["turn"].min()) > 20, sorted(set(outcomes["winner"].tolist()))
(True, [0, 1, 2, 3])

The figures that are made of outcomes say how often each seat won, when, and what the robber took. The luck of the dice and of
drawn cards is weighed in every game (`kibitz.catan.core.luck`) and taken out of shares and differences: its mean is 0, so that
they stay unbiased, and they are surer.
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np
import numpy.typing as npt

from kibitz import game
from kibitz.catan.analysis.types import Difference, FullGameSummary
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.luck import LUCK
from kibitz.catan.core.state import SEATS
from kibitz.compute import cuda, local
from kibitz.compute.runtime import Workers
from kibitz.game import RANDOM, States
from kibitz.game.definition import as_structs
from kibitz.game.doors import number_seeds
from kibitz.ground.intervals import Z
from kibitz.ground.jit import integers, uint64
from kibitz.loops import watch
from kibitz.loops.config import Config
from kibitz.play.share import Share

#: What is kept of a game: who won (-1: nobody within the limit; `DRAWN`), in which turn, what each seat lost to the robber, and
#: each seat's luck, in parts of `LUCK`.
OUTCOME = np.dtype([("winner", np.int8), ("turn", np.int16), ("lost", np.int16, (SEATS,)), ("luck", np.int32, (SEATS,))])
Outcomes = npt.NDArray[np.void]
#: The winner of a game that is a draw by the loop rule.
DRAWN = -2
Floats = npt.NDArray[np.float64]

#: Games in a unit: a few hundredths of a second of one core.
UNIT = 64
#: Games that a GPU is handed at once.
GPU_GAMES = 1 << 20
#: However well luck explains some games, they are not called surer than so many times as many.
MOST_CREDIT = 2.0
#: A few games tell little of how much less is left to chance: so many more are imagined in which luck was nothing.
DOUBTFUL = 20


@dataclass(frozen=True)
class Unit:
    """Games `first` to ``first + count - 1`` of the series with this `seed`.

    Game `first + i` begins at ``starts[i % len(starts)]``. With a `guard` they are played under its loop rules, and luck is not
    weighed.
    """

    starts: States
    seed: int
    first: int
    count: int
    policies: tuple[int, ...]
    guard: Config | None = None

    def games(self) -> local.Games:
        """The games as a list."""
        games = local.series(GAME, as_structs(self.starts), self.count, self.seed, self.policies, self.first)
        return games if self.guard else replace(games, given=_weighing(self.policies))


def split(
    starts: States, seed: int, first: int, count: int, policies: tuple[int, ...], guard: Config | None = None
) -> Iterator[Unit]:
    """Cut a stretch of a series into units, at multiples of `UNIT`; its game i begins at ``starts[i % len(starts)]``."""
    at, last = first, first + count
    while at < last:
        size = min(UNIT - at % UNIT, last - at)
        own = np.asarray(starts)[(at + np.arange(min(size, len(starts)))) % len(starts)]
        yield Unit(own, seed, at, size, policies, guard)
        at += size


def after(worlds: States, actions: Sequence[int]) -> States:
    """The worlds after some actions of the seat."""
    states = worlds.copy()
    for action in actions:
        for i in range(len(states)):
            game.apply_at(states, i, action)
    return states


def play_unit(unit: Unit) -> Outcomes:
    """Play the games of a unit, in the calling thread."""
    return play_list(unit.games(), unit.guard)


def play_list(games: local.Games, guard: Config | None = None) -> Outcomes:
    """Play some games, in the calling thread."""
    if guard is None:
        return _outcomes(local.play(games, jobs=1))
    watched = watch.play(games, guard, jobs=1)
    outcomes = _outcomes(watched.batch)
    outcomes["winner"][watched.drawn] = DRAWN
    return outcomes


def play_units(units: Sequence[Unit], workers: Workers | cuda.Gpu) -> Generator[tuple[int, Outcomes], None, None]:
    """The outcomes of all units with their numbers, in the order in which they are finished."""
    if isinstance(workers, cuda.Gpu):
        return _on_gpu(units)
    return workers.map(play_unit, units)


def _on_gpu(units: Sequence[Unit]) -> Generator[tuple[int, Outcomes], None, None]:
    """Many units in one go: a GPU wants more games at once than a unit holds. Loops are not looked for there."""
    if any(unit.guard for unit in units):
        raise ValueError("a GPU plays without a loop guard")
    first = 0
    while first < len(units):
        last, games = first, 0
        while last < len(units) and (last == first or games + units[last].count <= GPU_GAMES):
            if units[last].policies != units[first].policies:
                break
            games += units[last].count
            last += 1
        outcomes = _outcomes(cuda.play(_joined(units[first:last])))
        at = 0
        for number in range(first, last):
            yield number, outcomes[at : at + units[number].count]
            at += units[number].count
        first = last


def _joined(units: Sequence[Unit]) -> local.Games:
    """The games of all units as one list."""
    n = sum(unit.count for unit in units)
    which, seeds = np.zeros(n, np.int32), integers(np.zeros(n, np.uint64))
    series = {seed: uint64(local.series_seed(seed)) for seed in {unit.seed for unit in units}}
    at = offset = 0
    for unit in units:
        games = slice(at, at + unit.count)
        number_seeds(seeds[games], series[unit.seed], unit.first)
        which[games] = offset + np.arange(unit.count) % len(unit.starts)
        at += unit.count
        offset += len(unit.starts)
    # As bytes: NumPy compares the fields of structs for every array anew, which takes seconds for a million games.
    starts = np.concatenate([np.asarray(unit.starts).view(np.uint8) for unit in units]).view(GAME.state)
    return local.Games(GAME, as_structs(starts), which, seeds, units[0].policies, _weighing(units[0].policies))


def _weighing(policies: Sequence[int]) -> dict[str, int]:
    """Luck is weighed, unless all play at random: who makes nothing of a lucky throw is hardly the better for it."""
    return {"weighing": 0 if set(policies) == {RANDOM} else 1}


def _outcomes(batch: local.Batch) -> Outcomes:
    found = np.zeros(len(batch.states), OUTCOME)
    found["winner"] = np.asarray(batch.states["winner"])
    found["turn"] = np.asarray(batch.states["turn"])
    found["lost"] = batch.tallies
    if batch.lucks is not None:
        found["luck"] = batch.lucks
    return found


def summarize(outcomes: Outcomes, seats: int, numbers: npt.NDArray[np.int64] | None = None) -> FullGameSummary:
    """Win rates, turns to victory and length of some games.

    Where games of several candidates are taken together, those of one number may share their dice: with their `numbers` the
    intervals are those of so many independent numbers.
    """
    winners, turns = outcomes["winner"], outcomes["turn"]
    shares = {seat: win_share(outcomes, seat, numbers) for seat in range(seats)}
    return FullGameSummary(
        rollout_count=len(outcomes),
        player_win_rates={seat: share.rate for seat, share in shares.items()},
        player_win_intervals={seat: share.interval for seat, share in shares.items()},
        expected_turns_to_victory={
            seat: float(turns[winners == seat].mean()) if share.won else None for seat, share in shares.items()
        },
        average_game_length_turns=float(turns.mean()) if len(outcomes) else 0.0,
        unfinished=int((winners == -1).sum()),
        drawn=int((winners == DRAWN).sum()),
    )


def fair_wins(outcomes: Outcomes, seat: int) -> Floats:
    """``[game]`` 1 if the seat won, else 0, less its luck: the mean is the same in the long run, and less is left to chance."""
    return np.asarray((outcomes["winner"] == seat) - outcomes["luck"][:, seat] / LUCK)


def _effect(ratio: float, games: int) -> float:
    """How much of the variance is left without luck, by what these games show, as if `DOUBTFUL` more had shown no less."""
    return max((ratio * games + DOUBTFUL) / (games + DOUBTFUL), 1 / MOST_CREDIT)


def win_share(outcomes: Outcomes, seat: int, numbers: npt.NDArray[np.int64] | None = None) -> Share:
    """How often a seat won, without its luck; the interval shrinks as the variance does.

    Games of one of the `numbers`, if they are given, count as one cluster (Kish's design effect). Where all games or none were
    won, luck says nothing.
    """
    won, games = int((outcomes["winner"] == seat).sum()), len(outcomes)
    if not 0 < won < games:
        return Share(won, games)
    fair = fair_wins(outcomes, seat)
    rate = float(fair.mean())
    off = fair - rate
    variance = won / games * (1 - won / games)
    effect = _effect(float(off @ off) / games / variance, games)
    if numbers is not None:
        surplus = np.bincount(numbers, off)
        effect = max(effect, float(surplus @ surplus) / games / variance)
    if not outcomes["luck"].any():
        return Share(won, games, None, None if numbers is None else games / effect)
    return Share(won, games, min(1.0, max(0.0, rate)), games / effect)


def average_win_turn(outcomes: Outcomes, seat: int, cap: int) -> float:
    """The mean turn of victory over the games that the seat won; the turn cap if it won none."""
    turns = outcomes["turn"][outcomes["winner"] == seat]
    return float(turns.mean()) if len(turns) else float(cap)


def average_robber_loss(outcomes: Outcomes, seat: int) -> float:
    """Cards that the seat lost to blocked hexes, steals and sevens, a game."""
    return float(outcomes["lost"][:, seat].mean()) if len(outcomes) else 0.0


def paired_difference(outcomes: Outcomes, best: Outcomes, seat: int) -> Difference:
    """How much more often a seat won in `outcomes` than in `best`, game by game as far as both go.

    Games of the same number share their dice, so that much luck cancels out; what is left of it is taken out. The interval is
    that of Bonett and Price (2012), which imagines one game more that was won instead of lost and one the other way round:
    honest where few games differ. It shrinks as the variance does without luck.
    """
    n = min(len(outcomes), len(best))
    gains = (outcomes["winner"][:n] == seat).astype(np.int64) - (best["winner"][:n] == seat)
    better, worse = int((gains > 0).sum()), int((gains < 0).sum())
    mean, centre = (better - worse) / n if n else 0.0, (better - worse) / (n + 2)
    margin = Z * sqrt(((better + worse + 2) / (n + 2) - centre * centre) / (n + 2))
    if variance := float(gains.var()) if n else 0.0:
        fair = fair_wins(outcomes[:n], seat) - fair_wins(best[:n], seat)
        margin *= sqrt(_effect(float(fair.var()) / variance, n))
        mean = max(-1.0, min(1.0, float(fair.mean())))
        centre = mean * n / (n + 2)
    return Difference(mean, max(-1.0, centre - margin), min(1.0, centre + margin))
