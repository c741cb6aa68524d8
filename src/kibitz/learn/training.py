"""Generations: each learns from games of the last one's player, and takes its place if it wins against it.

Everything is kept in a folder, step by step (`kibitz.learn.folder`): the same command resumes where it was stopped or killed. A
generation is

1. positions from games of its teacher (the first one's is a policy of the game), in parts;
2. a network, trained on what came of them, and then on what it says itself of later positions (`kibitz.learn.targets`);
3. its error and calibration, against games that are played on from positions that it has not seen;
4. a match against the last player, alone against a table of them, until it is clear who is better (`kibitz.learn.gate`).

After each generation all of it is told in a page for people (`kibitz.learn.report`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from kibitz.compute import local
from kibitz.game import Game, States, seats_of
from kibitz.game.doors import turns_of
from kibitz.game.files import replacing
from kibitz.game.nets import BOOKS, SUFFIX, FloatLayers, NetShelf, Network, School
from kibitz.ground.rng import derive_seed
from kibitz.ground.texts import counted, percent
from kibitz.learn.folder import InvalidTraining, Steps, claim, held, read, write
from kibitz.learn.gate import SequentialTest
from kibitz.learn.measure import Floats, calibration, error_of, error_of_games, evaluated, win_rates
from kibitz.learn.positions import NoPositions, Positions, Sampling, one_a_game, sample
from kibitz.learn.progress import Heard, Progress, Quiet, thinned
from kibitz.learn.report import ended, page
from kibitz.learn.targets import lambda_returns, outcomes

#: Games whose positions are written to one file, which is what a kill costs: of the first teacher, and of slower ones.
PART, LATER_PART = 20_000, 4_000
#: How many games begin from the same position, with other dice.
ALIKE = 8
#: Positions that are played on before the result is kept.
GROUP = 20
#: Games of a match between two looks at the result, and the most that are played.
ROUND, LONGEST_MATCH = 200, 6_000


#: The error is told beside what so many games from each position would give.
BESIDE = (1, 10, 100)
#: How many generations fit into one training: each network has a book of its own.
MOST = BOOKS - 1
#: What people read.
REPORT = "report.html"


@dataclass(frozen=True)
class Settings:
    """How to train; the same settings and the same seed give the same positions and matches."""

    generations: int = 1
    games: int = 200_000
    """Games that the first generation learns from."""
    later_games: int = 40_000
    """Games that each later generation learns from: its teacher thinks longer."""
    keep: int = 10
    """Positions of each game of the first generation ..."""
    later_keep: int = 30
    """... and of the later ones, whose games are dear."""
    epochs: float = 2.0
    passes: int = 3
    """How often what positions are worth is worked out anew and learned."""
    measured: int = 300
    """Positions that are played on to measure the error."""
    played_on: int = 200
    """Games from each of them."""
    seed: int = 0


@dataclass(frozen=True)
class Report:
    """What became of a generation."""

    generation: int
    teacher: str
    positions: int
    loss: list[float]
    error: float
    """Root mean square, against games of the teacher, the noise of those taken out."""
    games_error: dict[int, float]
    """What so many games from each position would give instead."""
    calibration: list[dict[str, float]]
    by_phase: dict[str, float]
    match: dict[str, Any]
    seconds: dict[str, float]
    checksum: str
    accepted: bool = field(default=False)
    curve: list[list[float]] = field(default_factory=list)
    """Of each pass, the loss on the way: the means of up to a hundred parts of it."""
    phases: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By phase of the game: how many positions were measured, and what `games_error` is there."""
    calibration_by: dict[str, dict[Any, list[dict[str, float]]]] = field(default_factory=dict)
    """The calibration by ``phase``, and by ``seat`` (from 1)."""
    processor: dict[str, float] = field(default_factory=dict)
    """As `seconds`: the processor time of all cores."""


class Training:
    """A training in a folder."""

    def __init__(
        self, game: Game, starts: Callable[[int, int], States], facts: Mapping[str, Any], settings: Settings, folder: Path, *,
        jobs: int | None = None, gpu: bool = False, progress: Progress = Quiet(),  # noqa: B008
    ) -> None:  # fmt: skip
        """`starts` gives the positions where games begin, by the number of the first and how many; `facts` are the rules.

        With `gpu` the games to learn from are played on a GPU; they are the same.
        """
        self.game, self.settings, self.folder, self.progress = game, settings, folder, progress
        self.jobs, self.gpu = jobs, gpu
        self.starts, self.facts = starts, dict(facts)
        self.nets: NetShelf = game.nets
        self.school: School = game.school
        first = starts(0, 1)
        self.variant, self.seats = self.school.variant(first), seats_of(first)
        if settings.generations > MOST:
            raise InvalidTraining(f"at most {MOST} generations can be trained in one folder, not {settings.generations}")
        kept = {name: value for name, value in asdict(settings).items() if name != "generations"}
        own = {"game": game.name, "players": self.seats, "facts": self.facts, "settings": kept, "layout": self.nets.layout}
        claim(folder, {**own, "parts": [PART, LATER_PART, ALIKE]})

    def run(self) -> list[Report]:
        """All generations; those that are done already are not done again."""
        reports: list[Report] = []
        player, name = self.school.teacher, self._named(self.school.teacher)
        league: list[int] = []
        with held(self.folder):
            for number in range(1, MOST + 1):
                if number > self.settings.generations and not self._told(number).exists():
                    break
                report = self._generation(number, player, name, league)
                reports.append(report)
                with replacing(self.folder / REPORT) as partial:
                    partial.write_text(page(self.game.name, self.facts, self.seats, reports), encoding="utf-8")
                if report.accepted:
                    league.append(player)
                    player = self.school.player + self.nets.add([self.nets.read(self._file(number))])
                    name = f"generation {number}"
        return reports

    def _named(self, policy: int) -> str:
        return next((name for name, number in self.game.policies.items() if number == policy), "the teacher")

    def _book_of(self, policy: int) -> Network | None:
        """The network that a policy asks, if it asks one."""
        book = policy - self.school.player
        return self.nets.book(book).get(self.variant) if 0 <= book < BOOKS else None

    def _file(self, number: int) -> Path:
        return self.folder / f"generation-{number}{SUFFIX}"

    def _told(self, number: int) -> Path:
        return self.folder / f"generation-{number}.json"

    def _generation(self, number: int, teacher: int, name: str, league: Sequence[int]) -> Report:
        path = self._told(number)
        if path.exists():
            try:
                return Report(**_numbered(read(path)))
            except TypeError:
                raise InvalidTraining(f"{path}: damaged; remove it, or name another folder") from None
        seed = derive_seed(self.settings.seed, "generation", number)
        steps = Steps(self.folder / f"steps-{number}.json")
        with steps.phase("positions"):
            positions = self._positions(number, teacher, league, seed, steps)
        self._say(number, f"{len(positions):,} positions of games of {name}", steps, "positions")
        with steps.phase("training"):
            losses, curve = self._network(number, positions, seed, self._book_of(teacher), steps)
        self._say(number, f"learned, loss {losses[-1]:.3f}", steps, "training")
        many = len(positions)
        del positions
        net = self.nets.read(self._file(number))
        book = self.nets.add([net])
        with steps.phase("measuring"):
            found = self._measured(number, book, teacher, seed, steps)
        self._say(number, f"error {found['error']:.3f}, where 10 games give {found['games_error'][10]:.3f}", steps, "measuring")
        with steps.phase("match"):
            match = self._match(number, self.school.player + book, teacher, seed, steps)
        won = f"{match['wins']:,} of {match['games']:,} games won, equals win {percent(match['equal'])}: {ended(match)}"
        self._say(number, won, steps, "match")
        report = Report(
            number,
            name,
            many,
            losses,
            **found,
            match=match,
            seconds=steps.seconds,
            processor=steps.processor,
            checksum=net.checksum,
            accepted=match["better"],
            curve=curve,
        )
        write(path, asdict(report))
        steps.forget()
        return report

    def _say(self, number: int, what: str, steps: Steps, phase: str) -> None:
        spent = f"{steps.seconds[phase]:,.0f} s, {steps.processor[phase]:,.0f} s of processor time"
        self.progress.say(f"generation {number}: {what} ({spent})")

    def tables(self, teacher: int, league: Sequence[int]) -> list[list[int]]:
        """Who plays the games: the teacher alone, and beside older players and those of other styles."""
        others = [*league, *self.school.styles]
        mixed = [[teacher if (seat + i) % 2 else other for seat in range(self.seats)] for i, other in enumerate(others)]
        return [[teacher] * self.seats] * max(1, 2 * len(mixed)) + mixed if league else [[teacher] * self.seats]

    def _positions(self, number: int, teacher: int, league: Sequence[int], seed: int, steps: Steps) -> Positions:
        """Play, or read what was played before."""
        settings, first_teacher = self.settings, teacher == self.school.teacher
        games, size = (settings.games, PART) if first_teacher else (settings.later_games, LATER_PART)
        how = Sampling(settings.keep if first_teacher else settings.later_keep, switch=self.school.switch)
        tables = self.tables(teacher, league)
        parts = {
            self.folder / f"positions-{number}-{i}.npz": range(games)[i * size : (i + 1) * size]
            for i in range(-(-games // size))
        }
        known = sum(len(part) for path, part in parts.items() if path.exists())
        advance = self.progress.begin(f"generation {number}: playing", games, "games", known)
        for i, (path, part) in enumerate(parts.items()):
            if not path.exists():
                starts = self.starts(part.start // ALIKE, -(-len(part) // ALIKE))
                where: dict[str, Any] = {"jobs": self.jobs, "gpu": self.gpu, "progress": advance}
                played = sample(self.game, starts, tables, len(part), derive_seed(seed, i), how, **where)
                with replacing(path) as partial, partial.open("wb") as file:
                    np.savez(file, inputs=played.inputs, winner=played.winner, game=played.game + part.start)
                steps.keep()
        found = Positions.joined([_kept(path) for path in parts])
        if not len(found):
            raise NoPositions(f"none of {counted(games, 'game')} was won by anybody, so there is nothing to learn from")
        return found

    def _network(
        self, number: int, positions: Positions, seed: int, teacher: Network | None, steps: Steps
    ) -> tuple[list[float], list[list[float]]]:
        """Train and keep the network; the loss of each pass, in the end and on the way.

        What the teacher's network knows is known from the start.
        """
        from kibitz.learn.fit import Learner, Schedule

        path, settings = self._file(number), self.settings
        losses, curve = steps.get("losses", []), steps.get("curve", [])
        if path.exists():
            return losses or [*Network.load(path).about["loss"]], curve
        known = FloatLayers.of(teacher.weights, teacher.inputs) if teacher else None
        learner = Learner(Learner.scale_of(positions.inputs[:200_000]), derive_seed(seed, "learner") % (1 << 31), known)
        if losses:
            with _opened(self._passed(number, len(losses))) as kept:
                learner.restore(kept)
        schedule = Schedule(settings.epochs / settings.passes)
        if known:
            schedule = replace(schedule, rate=schedule.rate / 3)
        for done in range(len(losses), settings.passes):
            targets = outcomes(positions.winner, self.seats)
            if done or known:
                values = learner.values(positions.inputs)
                targets = lambda_returns(values, positions.winner, positions.game, self.school.share)
            total = int(schedule.epochs * len(positions))
            what = f"generation {number}: learning, pass {done + 1} of {settings.passes}"
            heard = Heard(self.progress.begin(what, total, "positions"))
            losses.append(learner.learn(positions.inputs, targets, schedule, heard))
            curve.append(thinned(heard.losses))
            state: dict[str, Any] = learner.state
            with replacing(self._passed(number, done + 1)) as partial, partial.open("wb") as file:
                np.savez(file, **state)
            steps.keep(losses=losses, curve=curve)
        about = {"generation": number, "positions": len(positions), "loss": losses, "rules": self.facts}
        weights = learner.layers.quantised()
        Network(self.game.name, self.nets.inputs, self.nets.layout, self.variant, weights, about).save(path)
        for done in range(settings.passes):
            self._passed(number, done + 1).unlink(missing_ok=True)
        return losses, curve

    def _passed(self, number: int, passes: int) -> Path:
        """What was learned after so many passes."""
        return self.folder / f"learning-{number}-{passes}.npz"

    def _measured(self, number: int, book: int, teacher: int, seed: int, steps: Steps) -> dict[str, Any]:
        """The error and the calibration on positions of games that nobody has learned from."""
        settings, fresh = self.settings, derive_seed(seed, "measured")
        table = [teacher] * self.seats
        advance = self.progress.begin(f"generation {number}: playing, to measure", settings.measured, "positions")
        states = one_a_game(
            self.game, lambda i, n: self.starts(1_000_000_000 + i, n), table, settings.measured, fresh, self.school.switch,
            self.jobs, advance,
        )  # fmt: skip
        rates = self._rates(number, states, table, fresh, steps)
        values = evaluated(self.game, states, book)
        phases = self.school.phase(states)
        turns = turns_of(states)
        names = sorted(dict.fromkeys(phases.tolist()), key=lambda phase: float(turns[phases == phase].mean()))
        places = {phase: phases == phase for phase in names}
        return {
            "error": error_of(values, rates, settings.played_on),
            "games_error": {n: error_of_games(rates, settings.played_on, n) for n in BESIDE},
            "calibration": _bins(values, rates),
            "by_phase": {phase: error_of(values[here], rates[here], settings.played_on) for phase, here in places.items()},
            "phases": {
                phase: {
                    "positions": int(here.sum()),
                    "games_error": {n: error_of_games(rates[here], settings.played_on, n) for n in BESIDE},
                }
                for phase, here in places.items()
            },
            "calibration_by": {
                "phase": {phase: _bins(values[here], rates[here]) for phase, here in places.items()},
                "seat": {seat + 1: _bins(values[:, seat], rates[:, seat]) for seat in range(self.seats)},
            },
        }

    def _rates(self, number: int, states: States, table: Sequence[int], seed: int, steps: Steps) -> Floats:
        """[position, seat] how often each seat wins where so many games are played on from each position."""
        games, known = self.settings.played_on, steps.get("rates", [])
        advance = self.progress.begin(f"generation {number}: measuring", len(states) * games, "games", len(known) * games)
        for first in range(len(known), len(states), GROUP):
            group = states[first : first + GROUP]
            known += win_rates(self.game, group, games, table, derive_seed(seed, first), self.jobs, advance).tolist()
            steps.keep(rates=known)
        return np.array(known)

    def _match(self, number: int, pupil: int, last: int, seed: int, steps: Steps) -> dict[str, Any]:
        """The pupil alone against a table of the last player, from every seat, until the test decides."""
        test = SequentialTest.above(1 / self.seats)
        course: list[list[int]] = steps.get("course", [])
        games, wins = course[-1] if course else (0, 0)
        advance = self.progress.begin(f"generation {number}: match, at most", LONGEST_MATCH, "games", games)
        verdict = test.verdict(wins, games)
        while verdict is None and games < LONGEST_MATCH:
            many = ROUND // self.seats
            starts = self.starts(2_000_000_000 + games // self.seats, many)
            for seat in range(self.seats):
                table = [last] * self.seats
                table[seat] = pupil
                series = local.series(self.game, starts, many, derive_seed(seed, "match", games), table)
                ends = local.play(series, self.jobs, advance).states
                wins += int(np.count_nonzero(np.asarray(ends)["winner"] == seat))
            games += many * self.seats
            course.append([games, wins])
            steps.keep(course=course)
            verdict = test.verdict(wins, games)
        found = {
            "wins": wins,
            "games": games,
            "equal": 1 / self.seats,
            "better": verdict is True,
            "decided": verdict is not None,
        }
        return {**found, "course": course, "sought": test.better, "error": test.error}


def _bins(values: Floats, rates: Floats) -> list[dict[str, float]]:
    return [asdict(one) for one in calibration(values, rates)]


@contextmanager
def _opened(path: Path) -> Iterator[Mapping[str, npt.NDArray[Any]]]:
    """The arrays of a file that a training has kept."""
    try:
        with path.open("rb") as file, np.load(file) as kept:
            yield kept
    except (ValueError, KeyError, EOFError, BadZipFile):
        raise InvalidTraining(f"{path}: damaged; remove it, and the same command makes a new one") from None


def _kept(path: Path) -> Positions:
    with _opened(path) as kept:
        return Positions(kept["inputs"], kept["winner"], kept["game"])


def _numbered(found: Any) -> Any:
    """JSON has no numbers as keys."""
    if isinstance(found, dict):
        return {int(key) if key.isdecimal() else key: _numbered(value) for key, value in found.items()}
    return found
