"""Generations: each learns from games of the last one's player, and takes its place if it wins against it.

Everything is kept in a folder, step by step: the same command goes on where it was stopped or killed. A generation is

1. positions from games of its teacher (the first one's is a policy of the game), in parts;
2. a network, trained on what came of them, and then on what it says itself of later positions (`kibitz.learn.targets`);
3. its error and calibration, against games that are played on from positions that it has not seen;
4. a match against the last player, alone against a table of them, until it is clear who is better (`kibitz.learn.gate`).

After each generation all of it is told in a page for people (`kibitz.learn.report`).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from kibitz.compute import local
from kibitz.game import Game, States, seats_of
from kibitz.game.doors import turns_of
from kibitz.game.files import replacing
from kibitz.game.nets import BOOKS, SUFFIX, FloatLayers, NetShelf, Network, School
from kibitz.ground.rng import derive_seed
from kibitz.ground.texts import Mistake
from kibitz.learn.gate import SequentialTest
from kibitz.learn.measure import Floats, calibration, error_of, error_of_games, evaluated, win_rates
from kibitz.learn.positions import Positions, Sampling, sample
from kibitz.learn.report import page
from kibitz.learn.targets import lambda_returns, outcomes

#: Games whose positions are written to one file, and how many of them begin from the same position (with other dice).
PART, ALIKE = 20_000, 8
#: Games of a match between two looks at the result, and the most that are played.
ROUND, LONGEST_MATCH = 200, 6_000


#: The error is told beside what so many games from each position would give.
BESIDE = (1, 10, 100)
#: What people read.
REPORT = "report.html"


class InvalidTraining(Mistake):
    """A folder that holds another training; the message is one line for people."""


class Progress(Protocol):
    """Is told what is being done and how far it is."""

    def __call__(self, what: str, total: int) -> Callable[[int], None]:
        """Something begins that has so many parts; what is returned is told how many more are done."""


def quiet(what: str, total: int) -> Callable[[int], None]:
    """Nobody listens."""
    return lambda done: None


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


class Training:
    """A training in a folder."""

    def __init__(
        self, game: Game, starts: Callable[[int, int], States], facts: Mapping[str, Any], settings: Settings, folder: Path, *,
        jobs: int | None = None, gpu: bool = False, progress: Progress = quiet,
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
        folder.mkdir(parents=True, exist_ok=True)
        self._claim()

    def _claim(self) -> None:
        """See that the folder is empty or holds the same training."""
        own = {
            "game": self.game.name,
            "facts": self.facts,
            "settings": asdict(self.settings),
            "layout": self.nets.layout,
            "parts": [PART, ALIKE],
        }
        path = self.folder / "training.json"
        if not path.exists():
            _write(path, own)
            return
        known = json.loads(path.read_text())
        more = {**known, "settings": {**known["settings"], "generations": self.settings.generations}}
        if more != json.loads(json.dumps(own)):
            raise InvalidTraining(f"{self.folder}: holds a training with other settings; name another folder")

    def run(self) -> list[Report]:
        """All generations; those that are done already are not done again."""
        reports: list[Report] = []
        player, name = self.school.teacher, "teacher"
        league: list[int] = []
        for number in range(1, self.settings.generations + 1):
            report = self._generation(number, player, name, league)
            reports.append(report)
            with replacing(self.folder / REPORT) as partial:
                partial.write_text(page(self.game.name, self.facts, self.seats, reports), encoding="utf-8")
            if report.accepted:
                league.append(player)
                player = self.school.player + self.nets.add([self.nets.read(self._file(number))])
                name = f"generation {number}"
        return reports

    def _book_of(self, policy: int) -> Network | None:
        """The network that a policy asks, if it asks one."""
        book = policy - self.school.player
        return self.nets.book(book).get(self.variant) if 0 <= book < BOOKS else None

    def _file(self, number: int) -> Path:
        return self.folder / f"generation-{number}{SUFFIX}"

    def _generation(self, number: int, teacher: int, name: str, league: Sequence[int]) -> Report:
        path = self.folder / f"generation-{number}.json"
        if path.exists():
            return Report(**json.loads(path.read_text(), object_hook=_numbered))
        seconds: dict[str, float] = {}
        seed = derive_seed(self.settings.seed, "generation", number)
        began = time.monotonic()
        positions = self._positions(number, teacher, league, seed)
        seconds["positions"], began = time.monotonic() - began, time.monotonic()
        known = self._book_of(teacher)
        losses, curve = self._network(number, positions, seed, known)
        seconds["training"], began = time.monotonic() - began, time.monotonic()
        net = self.nets.read(self._file(number))
        book = self.nets.add([net])
        found = self._measured(book, teacher, seed)
        seconds["measuring"], began = time.monotonic() - began, time.monotonic()
        match = self._match(number, self.school.player + book, teacher, seed)
        seconds["match"] = time.monotonic() - began
        report = Report(
            number,
            name,
            len(positions),
            losses,
            **found,
            match=match,
            seconds=seconds,
            checksum=net.checksum,
            accepted=match["better"],
            curve=curve,
        )
        _write(path, asdict(report))
        return report

    def tables(self, teacher: int, league: Sequence[int]) -> list[list[int]]:
        """Who plays the games: the teacher alone, and beside older players and those of other styles."""
        others = [*league, *self.school.styles]
        mixed = [[teacher if (seat + i) % 2 else other for seat in range(self.seats)] for i, other in enumerate(others)]
        return [[teacher] * self.seats] * max(1, 2 * len(mixed)) + mixed if league else [[teacher] * self.seats]

    def _positions(self, number: int, teacher: int, league: Sequence[int], seed: int) -> Positions:
        """Play, or read what was played before."""
        games = self.settings.games if number == 1 else self.settings.later_games
        tables = self.tables(teacher, league)
        advance = self.progress(f"generation {number}: playing", games)
        parts = []
        for part, first in enumerate(range(0, games, PART)):
            path = self.folder / f"positions-{number}-{part}.npz"
            many = min(PART, games - first)
            if not path.exists():
                starts = self.starts(first // ALIKE, -(-many // ALIKE))
                keep = self.settings.keep if number == 1 else self.settings.later_keep
                how = Sampling(keep, switch=self.school.switch)
                where: dict[str, Any] = {"jobs": self.jobs, "gpu": self.gpu, "progress": advance}
                found = sample(self.game, starts, tables, many, derive_seed(seed, part), how, **where)
                with replacing(path) as partial, partial.open("wb") as file:
                    np.savez(file, inputs=found.inputs, winner=found.winner, game=found.game + first)
            else:
                advance(many)
            with np.load(path) as kept:
                parts.append(Positions(kept["inputs"], kept["winner"], kept["game"]))
        return Positions.joined(parts)

    def _network(
        self, number: int, positions: Positions, seed: int, teacher: Network | None
    ) -> tuple[list[float], list[list[float]]]:
        """Train and keep the network; the loss of each pass, in the end and on the way.

        What the teacher's network knows is known from the start.
        """
        from kibitz.learn.fit import Learner, Schedule

        path, learned = self._file(number), self.folder / f"learning-{number}.json"
        if path.exists():
            curve = json.loads(learned.read_text()) if learned.exists() else []
            return [*Network.load(path).about["loss"]], curve
        settings = self.settings
        known = FloatLayers.of(teacher.weights, teacher.inputs) if teacher else None
        learner = Learner(Learner.scale_of(positions.inputs[:200_000]), derive_seed(seed, "learner") % (1 << 31), known)
        schedule = Schedule(settings.epochs / settings.passes)
        if known:
            schedule = replace(schedule, rate=schedule.rate / 3)
        losses, curve = [], []
        for number_of_pass in range(settings.passes):
            targets = outcomes(positions.winner, self.seats)
            if number_of_pass or known:
                values = learner.values(positions.inputs)
                targets = lambda_returns(values, positions.winner, positions.game, self.school.share)
            total = int(schedule.epochs * len(positions))
            advance = self.progress(f"generation {number}: learning, pass {number_of_pass + 1} of {settings.passes}", total)
            heard = Heard(advance)
            losses.append(learner.learn(positions.inputs, targets, schedule, heard))
            curve.append(thinned(heard.losses))
        _write(learned, curve)
        about = {"generation": number, "positions": len(positions), "loss": losses, "rules": self.facts}
        weights = learner.layers.quantised()
        Network(self.game.name, self.nets.inputs, self.nets.layout, self.variant, weights, about).save(path)
        return losses, curve

    def _measured(self, book: int, teacher: int, seed: int) -> dict[str, Any]:
        """The error and the calibration on positions of games that nobody has learned from."""
        settings, fresh = self.settings, derive_seed(seed, "measured")
        starts = self.starts(1_000_000_000, settings.measured)
        table = [teacher] * self.seats
        held = sample(
            self.game,
            starts,
            [table],
            settings.measured,
            fresh,
            Sampling(1, switch=self.school.switch),
            states=True,
            jobs=self.jobs,
        )
        assert held.states is not None
        advance = self.progress("measuring", len(held) * settings.played_on)
        rates = win_rates(self.game, held.states, settings.played_on, table, fresh, self.jobs, advance)
        values = evaluated(self.game, held.states, book)
        phases = self.school.phase(held.states)
        turns = turns_of(held.states)
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

    def _match(self, number: int, pupil: int, last: int, seed: int) -> dict[str, Any]:
        """The pupil alone against a table of the last player, from every seat, until the test decides."""
        test = SequentialTest.above(1 / self.seats)
        wins = games = 0
        advance = self.progress(f"generation {number}: match", LONGEST_MATCH)
        verdict = None
        course = []
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
            verdict = test.verdict(wins, games)
        found = {"wins": wins, "games": games, "equal": 1 / self.seats, "better": verdict is True}
        return {**found, "course": course, "sought": test.better, "error": test.error}


class Heard:
    """Listens to a pass: tells how far it is, and remembers the losses."""

    def __init__(self, advance: Callable[[int], None]) -> None:
        self._advance = advance
        self.losses: list[float] = []

    def __call__(self, done: int, loss: float) -> None:
        """So many positions more are learned."""
        self.losses.append(loss)
        self._advance(done)


def thinned(losses: Sequence[float], parts: int = 100) -> list[float]:
    """The means of up to so many parts of equal length.

    >>> thinned([4, 2, 1, 3], parts=2)
    [3.0, 2.0]
    """
    return [float(part.mean()) for part in np.array_split(np.array(losses, float), min(parts, len(losses)))]


def _bins(values: Floats, rates: Floats) -> list[dict[str, float]]:
    return [asdict(one) for one in calibration(values, rates)]


def _write(path: Path, content: Any) -> None:
    with replacing(path) as partial:
        partial.write_text(json.dumps(content, indent=1) + "\n")


def _numbered(found: dict[str, Any]) -> dict[Any, Any]:
    """JSON has no numbers as keys."""
    return {int(key) if key.isdecimal() else key: value for key, value in found.items()}
