"""Generations: each learns from games of the last one's player, and takes its place if it wins against it.

Everything is kept in a folder, step by step (`kibitz.learn.folder`): the same command resumes where it was stopped or killed. A
generation is

1. positions from games of its teacher (the first one's is a policy of the game), in parts;
2. a network, trained on what came of them, and then on what it says itself of later positions (`kibitz.learn.targets`);
3. its error and calibration, against games that are played on from positions that it has not seen;
4. a match against the last player, alone against a table of them, until it is clear who is better (`kibitz.learn.gate`).

After each generation all of it is told in a page for people (`kibitz.learn.report`).

A training can also begin with networks that there are already (`kibitz.learn.judges`). Then every generation knows from the
start what the best one so far knows (at first that is the first network). It learns from results of games of that one's player,
and from what all networks say of positions up to a round after those of these games, and of positions of the teacher's games. A
generation that is taken over judges with them from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.compute import local
from kibitz.game import Game, States, seats_of
from kibitz.game.doors import turns_of
from kibitz.game.files import replacing
from kibitz.game.nets import BOOKS, SUFFIX, FloatLayers, NetShelf, Network, School
from kibitz.ground.rng import derive_seed
from kibitz.ground.texts import counted, percent
from kibitz.learn.folder import InvalidTraining, Steps, claim, held, read, write
from kibitz.learn.gate import SequentialTest
from kibitz.learn.judges import Judges, Looks
from kibitz.learn.lessons import Judged, Lessons, arrays_of, opened, read_judged, read_played
from kibitz.learn.measure import Floats, calibration, error_of, error_of_games, evaluated, win_rates
from kibitz.learn.positions import NoPositions, Positions, Sampling, one_a_game, sample
from kibitz.learn.progress import Heard, Progress, Quiet, thinned
from kibitz.learn.report import ended, page

#: Games whose positions are written to one file, which is what a kill costs: of the first teacher, and of slower ones, many of
#: them or few (where a training begins with networks).
PART, LATER_PART, FEW_PART = 20_000, 4_000, 200
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
    judges: list[str] = field(default_factory=list)
    """The networks that judged positions, if any did."""
    judged: int = 0
    """How many of the positions they judged."""


class Training:
    """A training in a folder."""

    def __init__(
        self, game: Game, starts: Callable[[int, int], States], facts: Mapping[str, Any], settings: Settings, folder: Path, *,
        judges: Judges | None = None, looks: Looks = Looks(), jobs: int | None = None, gpu: bool = False,  # noqa: B008
        progress: Progress = Quiet(),  # noqa: B008
    ) -> None:  # fmt: skip
        """`starts` gives the positions where games begin, by the number of the first and how many; `facts` are the rules.

        With `judges` it begins with these networks, which judge by `looks`. With `gpu` the games to learn from are played on a
        GPU; they are the same.
        """
        self.game, self.settings, self.folder, self.progress = game, settings, folder, progress
        self.judges, self.looks = judges, looks
        self.jobs, self.gpu = jobs, gpu
        self.starts, self.facts = starts, dict(facts)
        self.nets: NetShelf = game.nets
        self.school: School = game.school
        first = starts(0, 1)
        self.variant, self.seats = self.school.variant(first), seats_of(first)
        most = MOST - (len(judges.books) if judges else 0)
        if settings.generations > most:
            beside = f" that begins with {counted(len(judges.books), 'network')}" if judges else ""
            raise InvalidTraining(
                f"at most {most} generations can be trained in one folder{beside}, not {settings.generations}"
            )
        kept = {name: value for name, value in asdict(settings).items() if name != "generations"}
        own = {"game": game.name, "players": self.seats, "facts": self.facts, "settings": kept, "layout": self.nets.layout}
        if judges:
            own |= {"networks": list(judges.checksums), "looks": asdict(looks)}
        claim(folder, {**own, "parts": [PART, FEW_PART if judges else LATER_PART, ALIKE]})

    def run(self) -> list[Report]:
        """All generations; those that are done already are not done again."""
        reports: list[Report] = []
        player, name, judges = self.school.teacher, self._named(self.school.teacher), self.judges
        if judges:
            player, name = self.school.player + judges.books[0], judges.names[0]
        league: list[int] = []
        with held(self.folder):
            for number in range(1, MOST + 1):
                if number > self.settings.generations and not self._told(number).exists():
                    break
                report = self._generation(number, player, name, league, judges)
                reports.append(report)
                with replacing(self.folder / REPORT) as partial:
                    partial.write_text(page(self.game.name, self.facts, self.seats, reports), encoding="utf-8")
                if report.accepted:
                    league.append(player)
                    net, name = self.nets.read(self._file(number)), f"generation {number}"
                    book = self.nets.add([net])
                    player = self.school.player + book
                    judges = judges.joined_by(name, net, book) if judges else None
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

    def _generation(self, number: int, teacher: int, name: str, league: Sequence[int], judges: Judges | None) -> Report:
        path = self._told(number)
        if path.exists():
            try:
                return Report(**_numbered(read(path)))
            except TypeError:
                raise InvalidTraining(f"{path}: damaged; remove it, or name another folder") from None
        seed = derive_seed(self.settings.seed, "generation", number)
        steps = Steps(self.folder / f"steps-{number}.json")
        lessons = self._lessons(number, teacher, name, league, judges, seed, steps)
        with steps.phase("training"):
            losses, curve = self._network(number, lessons, seed, self._book_of(teacher), judges, steps)
        self._say(number, f"learned, loss {losses[-1]:.3f}", steps, "training")
        many, judged = len(lessons), len(lessons.judged or ())
        del lessons
        net = self.nets.read(self._file(number))
        book = self.nets.add([net])
        with steps.phase("measuring"):
            found = self._measured(number, book, teacher, seed, steps)
        of = f" in games of {self._named(self.school.teacher)}" if self.judges else ""
        said = f"error {found['error']:.3f}{of}, where 10 games give {found['games_error'][10]:.3f}"
        self._say(number, said, steps, "measuring")
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
            judges=[*judges.names] if judges else [],
            judged=judged,
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

    def _lessons(
        self, number: int, teacher: int, name: str, league: Sequence[int], judges: Judges | None, seed: int, steps: Steps
    ) -> Lessons:
        """All that a generation learns from."""
        judged: list[Judged] = []
        if judges:
            with steps.phase("looks"):
                judged += self._looked(number, judges, seed, steps)
            of = f"{self._named(self.school.teacher)}, judged by {counted(len(judges.books), 'network')}"
            self._say(number, f"{sum(map(len, judged)):,} positions of games of {of}", steps, "looks")
        with steps.phase("positions"):
            paths = self._played(number, teacher, league, judges, seed, steps)
            played = Positions.joined([read_played(path) for path in paths])
            if not len(played):
                games = counted(self._games(teacher), "game")
                raise NoPositions(f"none of {games} was won by anybody, so there is nothing to learn from")
            after = [read_judged(path) for path in paths] if judges else []
        more = f", and {sum(map(len, after)):,} judged ones after those" if after else ""
        self._say(number, f"{len(played):,} positions of games of {name}{more}", steps, "positions")
        return Lessons(played, Judged.joined(judged + after) if judges else None)

    def _looked(self, number: int, judges: Judges, seed: int, steps: Steps) -> list[Judged]:
        """Positions of the policy's games, judged: now, or before."""
        games, seed = self.settings.games, derive_seed(seed, "looks")
        how = Sampling(self.settings.keep, switch=self.school.switch)
        parts = self._parts(f"looks-{number}", games, PART)
        for i, (path, part) in enumerate(parts.items()):
            if path.exists():
                continue
            starts = self.starts(part.start // ALIKE, -(-len(part) // ALIKE))
            advance = self.progress.begin(f"generation {number}: playing, to judge", games, "games", part.start)
            played = sample(
                self.game, starts, [[self.school.teacher] * self.seats], len(part), derive_seed(seed, i), how,
                states=True, jobs=self.jobs, gpu=self.gpu, progress=advance,
            )  # fmt: skip
            told = f"generation {number}: judging, part {i + 1} of {len(parts)}"
            advance = self.progress.begin(told, len(played), "positions")
            judged = judges.judge(self.game, played, self.looks, derive_seed(seed, "judged", i), self.jobs, advance)
            self._write(path, arrays_of(None, judged))
            steps.keep()
        return [read_judged(path) for path in parts]

    def _parts(self, name: str, games: int, size: int) -> dict[Path, range]:
        """Which games go into which file."""
        many = -(-games // size)
        return {self.folder / f"{name}-{i}.npz": range(games)[i * size : (i + 1) * size] for i in range(many)}

    def _write(self, path: Path, arrays: Mapping[str, Any]) -> None:
        with replacing(path) as partial, partial.open("wb") as file:
            np.savez(file, **arrays)

    def _played(
        self, number: int, teacher: int, league: Sequence[int], judges: Judges | None, seed: int, steps: Steps
    ) -> list[Path]:
        """Play what was not played before; the files. With judges they hold positions after those of the games, too."""
        settings, first_teacher = self.settings, teacher == self.school.teacher
        size = PART if first_teacher else FEW_PART if judges else LATER_PART
        how = Sampling(settings.keep if first_teacher else settings.later_keep, switch=self.school.switch)
        games, tables = self._games(teacher), self.tables(teacher, league)
        parts = self._parts(f"positions-{number}", games, size)
        known = sum(len(part) for path, part in parts.items() if path.exists())
        advance = self.progress.begin(f"generation {number}: playing", games, "games", known)
        for i, (path, part) in enumerate(parts.items()):
            if not path.exists():
                starts = self.starts(part.start // ALIKE, -(-len(part) // ALIKE))
                played = sample(
                    self.game, starts, tables, len(part), derive_seed(seed, i), how,
                    states=judges is not None, jobs=self.jobs, gpu=self.gpu, progress=advance,
                )  # fmt: skip
                more = derive_seed(seed, "after", i)
                after = judges.judge_onward(self.game, played, self.looks, more, self.jobs) if judges else None
                self._write(path, arrays_of(replace(played, game=played.game + part.start), after))
                steps.keep()
        return list(parts)

    def _games(self, teacher: int) -> int:
        """How many games of a teacher are played."""
        return self.settings.games if teacher == self.school.teacher else self.settings.later_games

    def _network(
        self, number: int, lessons: Lessons, seed: int, teacher: Network | None, judges: Judges | None, steps: Steps
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
        learner = Learner(Learner.scale_of(lessons.inputs[:200_000]), derive_seed(seed, "learner") % (1 << 31), known)
        if losses:
            with opened(self._passed(number, len(losses))) as kept:
                learner.restore(kept)
        schedule = Schedule(settings.epochs / settings.passes)
        if known:
            schedule = replace(schedule, rate=schedule.rate / 3)
        for done in range(len(losses), settings.passes):
            targets = lessons.targets(learner.values if done or known else None, self.school.share)
            total = int(schedule.epochs * len(lessons))
            what = f"generation {number}: learning, pass {done + 1} of {settings.passes}"
            heard = Heard(self.progress.begin(what, total, "positions"))
            losses.append(learner.learn(lessons.inputs, targets, schedule, heard))
            curve.append(thinned(heard.losses))
            state: dict[str, Any] = learner.state
            with replacing(self._passed(number, done + 1)) as partial, partial.open("wb") as file:
                np.savez(file, **state)
            steps.keep(losses=losses, curve=curve)
        about = {
            "generation": number, "positions": len(lessons), "loss": losses, "rules": self.facts, "players": self.seats,
            **({"judges": list(judges.checksums)} if judges else {}),
        }  # fmt: skip
        weights = learner.layers.quantised()
        Network(self.game.name, self.nets.inputs, self.nets.layout, self.variant, weights, about).save(path)
        for done in range(settings.passes):
            self._passed(number, done + 1).unlink(missing_ok=True)
        return losses, curve

    def _passed(self, number: int, passes: int) -> Path:
        """What was learned after so many passes."""
        return self.folder / f"learning-{number}-{passes}.npz"

    def _measured(self, number: int, book: int, teacher: int, seed: int, steps: Steps) -> dict[str, Any]:
        """The error and the calibration on positions of games that nobody has learned from.

        With judges they are games of the school's teacher, by whom the rounds were played that the judges looked at: many games
        of a network's player would take hours.
        """
        settings, fresh = self.settings, derive_seed(seed, "measured")
        table = [self.school.teacher if self.judges else teacher] * self.seats
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


def _numbered(found: Any) -> Any:
    """JSON has no numbers as keys."""
    if isinstance(found, dict):
        return {int(key) if key.isdecimal() else key: _numbered(value) for key, value in found.items()}
    return found
