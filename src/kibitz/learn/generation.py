"""One generation of a training, step by step: what was done before is not done again.

1. Positions from games of its teacher, in parts; where that is a network's player, one that thinks less plays in its place
   (`School.practising`). Where a training began with networks, these also judge positions: those of games of the school's
   teacher, and some that come up to a round after the others.
2. A network, trained on what came of the positions, and then on what it says itself of later ones (`kibitz.learn.targets`).
3. Its error and calibration, against games that are played on from positions that it has not seen.
4. A match against the last player, alone against a table of them, until it is clear who is better (`kibitz.learn.gate`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.compute import local
from kibitz.game import Game, States
from kibitz.game.doors import turns_of
from kibitz.game.files import replacing
from kibitz.game.nets import SUFFIX, FloatLayers, Network
from kibitz.ground.rng import derive_seed
from kibitz.ground.texts import counted, percent
from kibitz.learn.folder import Steps, write
from kibitz.learn.gate import SequentialTest
from kibitz.learn.judges import Judges
from kibitz.learn.lessons import Judged, Lessons, arrays_of, opened, read_judged, read_played
from kibitz.learn.measure import Floats, evaluated, win_rates
from kibitz.learn.positions import NoPositions, Positions, Sampling, one_a_game, sample
from kibitz.learn.progress import Heard, thinned
from kibitz.learn.report import ended
from kibitz.learn.results import Report, errors

if TYPE_CHECKING:
    from kibitz.learn.training import Training

#: Games whose positions are written to one file, which is what a kill costs: of the first teacher, and of slower ones, many of
#: them or few (where a training begins with networks).
PART, LATER_PART, FEW_PART = 20_000, 4_000, 1_000
#: How many games begin from the same position, with other dice.
ALIKE = 8
#: Positions that are played on before the result is kept.
GROUP = 20
#: Games of a match between two looks at the result, and the most that are played.
ROUND, LONGEST_MATCH = 200, 6_000


def policy_name(game: Game, policy: int) -> str:
    """What a game calls one of its policies."""
    return next((name for name, number in game.policies.items() if number == policy), "the teacher")


def part_sizes(judged: bool) -> list[int]:
    """How games are dealt out to files and boards: in another way they would be other games."""
    return [PART, FEW_PART if judged else LATER_PART, ALIKE]


class Generation:
    """A generation, and how far it has come."""

    def __init__(
        self, training: Training, number: int, teacher: int, name: str, league: Sequence[int], judges: Judges | None
    ) -> None:
        """It learns from games of the policy `teacher`, called `name`, which also meets the older ones of a `league`."""
        self.training, self.number = training, number
        self.teacher, self.name, self.league, self.judges = teacher, name, league, judges
        self.file = training.folder / f"generation-{number}{SUFFIX}"
        """Its network."""
        self.told = training.folder / f"generation-{number}.json"
        """Its report."""
        self._basis = training.school.teacher
        """The policy that everything begins with."""
        self._seed = derive_seed(training.settings.seed, "generation", number)
        self._steps = Steps(training.folder / f"steps-{number}.json")

    def run(self) -> Report:
        """Do what has not been done before."""
        if self.told.exists():
            return Report.read(self.told)
        training, steps = self.training, self._steps
        lessons = self._lessons()
        with steps.phase("training"):
            losses, curve = self._learned(lessons)
        self._say(f"learned, loss {losses[-1]:.3f}", "training")
        many, judged = len(lessons), len(lessons.judged or ())
        del lessons
        net = training.nets.read(self.file)
        book = training.nets.add([net])
        with steps.phase("measuring"):
            found = self._measured(book)
        of = f" in games of {policy_name(training.game, self._basis)}" if self.judges else ""
        self._say(f"error {found['error']:.3f}{of}, where 10 games give {found['games_error'][10]:.3f}", "measuring")
        with steps.phase("match"):
            match = self._match(training.school.player + book)
        won = f"{match['wins']:,} of {match['games']:,} games won, equals win {percent(match['equal'])}: {ended(match)}"
        self._say(won, "match")
        report = Report(
            self.number,
            self.name,
            many,
            losses,
            **found,
            match=match,
            seconds=steps.seconds,
            processor=steps.processor,
            checksum=net.checksum,
            accepted=match["better"],
            curve=curve,
            judges=[*self.judges.names] if self.judges else [],
            judged=judged,
        )
        write(self.told, asdict(report))
        steps.forget()
        return report

    def _say(self, what: str, phase: str) -> None:
        spent = f"{self._steps.seconds[phase]:,.0f} s, {self._steps.processor[phase]:,.0f} s of processor time"
        self.training.progress.say(f"generation {self.number}: {what} ({spent})")

    # --- what it learns from ------------------------------------------------------------------------------------------

    def tables(self) -> list[list[int]]:
        """Who plays the games: the teacher alone, and beside older players and those of other styles."""
        school, seats = self.training.school, self.training.seats
        teacher = school.practising(self.teacher)
        others = [*map(school.practising, self.league), *school.styles]
        mixed = [[teacher if (seat + i) % 2 else other for seat in range(seats)] for i, other in enumerate(others)]
        return [[teacher] * seats] * max(1, 2 * len(mixed)) + mixed if self.league else [[teacher] * seats]

    def _lessons(self) -> Lessons:
        """All that it learns from."""
        judged: list[Judged] = []
        if self.judges:
            with self._steps.phase("looks"):
                judged += self._looked(self.judges)
            of = f"{policy_name(self.training.game, self._basis)}, judged by {counted(len(self.judges.books), 'network')}"
            self._say(f"{sum(map(len, judged)):,} positions of games of {of}", "looks")
        with self._steps.phase("positions"):
            paths = self._played()
            played = Positions.joined([read_played(path) for path in paths])
            if not len(played):
                games = counted(self._games, "game")
                raise NoPositions(f"none of {games} was won by anybody, so there is nothing to learn from")
            after = [read_judged(path) for path in paths] if self.judges else []
        more = f", and {sum(map(len, after)):,} judged ones after those" if after else ""
        self._say(f"{len(played):,} positions of games of {self.name}{more}", "positions")
        return Lessons(played, Judged.joined(judged + after) if self.judges else None)

    def _looked(self, judges: Judges) -> list[Judged]:
        """Positions of games of the school's teacher, judged: now, or before."""
        training, games, seed = self.training, self.training.settings.games, derive_seed(self._seed, "looks")
        how = Sampling(training.settings.keep, switch=training.school.switch)
        parts = self._parts("looks", games, PART)
        for i, (path, part) in enumerate(parts.items()):
            if path.exists():
                continue
            advance = self._begin("playing, to judge", games, "games", part.start)
            played = sample(
                training.game, self._starts(part), [[self._basis] * training.seats], len(part), derive_seed(seed, i), how,
                states=True, jobs=training.jobs, gpu=training.gpu, progress=advance,
            )  # fmt: skip
            advance = self._begin(f"judging, part {i + 1} of {len(parts)}", len(played), "positions")
            judged = judges.judge(
                training.game, played, training.looks, derive_seed(seed, "judged", i), training.jobs, advance
            )  # fmt: skip
            self._keep(path, arrays_of(None, judged))
        return [read_judged(path) for path in parts]

    def _played(self) -> list[Path]:
        """Play what was not played before; the files. With judges they hold positions after those of the games, too."""
        training, settings, seed = self.training, self.training.settings, self._seed
        first_teacher = self.teacher == self._basis
        size = PART if first_teacher else FEW_PART if self.judges else LATER_PART
        how = Sampling(settings.keep if first_teacher else settings.later_keep, switch=training.school.switch)
        parts, tables = self._parts("positions", self._games, size), self.tables()
        known = sum(len(part) for path, part in parts.items() if path.exists())
        advance = self._begin("playing", self._games, "games", known)
        for i, (path, part) in enumerate(parts.items()):
            if path.exists():
                continue
            played = sample(
                training.game, self._starts(part), tables, len(part), derive_seed(seed, i), how,
                states=self.judges is not None, jobs=training.jobs, gpu=training.gpu, progress=advance,
            )  # fmt: skip
            after = None
            if self.judges:
                more = derive_seed(seed, "after", i)
                after = self.judges.judge_onward(training.game, played, training.looks, more, training.jobs)
            self._keep(path, arrays_of(replace(played, game=played.game + part.start), after))
        return list(parts)

    @property
    def _games(self) -> int:
        """How many games of the teacher are played."""
        settings = self.training.settings
        return settings.games if self.teacher == self._basis else settings.later_games

    def _parts(self, name: str, games: int, size: int) -> dict[Path, range]:
        """Which games go into which file."""
        many = -(-games // size)
        return {
            self.training.folder / f"{name}-{self.number}-{i}.npz": range(games)[i * size : (i + 1) * size] for i in range(many)
        }

    def _starts(self, part: range) -> States:
        """Where these games begin."""
        return self.training.starts(part.start // ALIKE, -(-len(part) // ALIKE))

    def _begin(self, what: str, total: int, unit: str, known: int = 0) -> Callable[[int], None]:
        """Something begins that takes a while; what is returned hears how far it is."""
        return self.training.progress.begin(f"generation {self.number}: {what}", total, unit, known)

    def _keep(self, path: Path, arrays: Mapping[str, Any], **found: Any) -> None:
        """Write arrays, and that a step is done."""
        with replacing(path) as partial, partial.open("wb") as file:
            np.savez(file, **arrays)
        self._steps.keep(**found)

    # --- the network --------------------------------------------------------------------------------------------------

    def _learned(self, lessons: Lessons) -> tuple[list[float], list[list[float]]]:
        """Train and keep the network; the loss of each pass, in the end and on the way.

        It begins with what the teacher's network knows, if the teacher asks one.
        """
        from kibitz.learn.fit import Learner, Schedule

        training, settings = self.training, self.training.settings
        losses, curve = self._steps.get("losses", []), self._steps.get("curve", [])
        if self.file.exists():
            return losses or [*Network.load(self.file).about["loss"]], curve
        teacher = self._teachers_network()
        known = FloatLayers.of(teacher.weights, teacher.inputs) if teacher else None
        scale, seed = Learner.scale_of(lessons.inputs[:200_000]), derive_seed(self._seed, "learner") % (1 << 31)
        learner = Learner(scale, training.nets.wide, seed, known)
        if losses:
            with opened(self._passed(len(losses))) as kept:
                learner.restore(kept)
        schedule, share = Schedule(settings.epochs / settings.passes), training.school.share
        if known:
            schedule, share = replace(schedule, rate=schedule.rate / 3), training.later_share
        for done in range(len(losses), settings.passes):
            targets = lessons.targets(learner.values if done or known else None, share)
            what = f"learning, pass {done + 1} of {settings.passes}"
            heard = Heard(self._begin(what, int(schedule.epochs * len(lessons)), "positions"))
            losses.append(learner.learn(lessons.inputs, targets, schedule, heard))
            curve.append(thinned(heard.losses))
            self._keep(self._passed(done + 1), learner.state, losses=losses, curve=curve)
        about = {
            "generation": self.number, "positions": len(lessons), "loss": losses, "rules": training.facts,
            "players": training.seats, **({"judges": list(self.judges.checksums)} if self.judges else {}),
        }  # fmt: skip
        nets, weights = training.nets, learner.layers.quantised()
        Network(training.game.name, nets.inputs, nets.layout, training.variant, weights, about).save(self.file)
        for done in range(settings.passes):
            self._passed(done + 1).unlink(missing_ok=True)
        return losses, curve

    def _teachers_network(self) -> Network | None:
        """The network that the teacher asks, if it asks one."""
        book = self.training.school.book_of(self.teacher)
        return None if book is None else self.training.nets.book(book).get(self.training.variant)

    def _passed(self, passes: int) -> Path:
        """What was learned after so many passes."""
        return self.training.folder / f"learning-{self.number}-{passes}.npz"

    # --- its error ----------------------------------------------------------------------------------------------------

    def _measured(self, book: int) -> dict[str, Any]:
        """The error and the calibration on positions of games that nobody has learned from.

        With judges these are games of the school's teacher, who also played the rounds that the judges looked at, and is a
        hundred times as fast as a policy that asks a network.
        """
        training, settings, fresh = self.training, self.training.settings, derive_seed(self._seed, "measured")
        table = [self._basis if self.judges else training.school.practising(self.teacher)] * training.seats
        advance = self._begin("playing, to measure", settings.measured, "positions")
        states = one_a_game(
            training.game, lambda i, n: training.starts(1_000_000_000 + i, n), table, settings.measured, fresh,
            training.school.switch, training.jobs, advance,
        )  # fmt: skip
        rates = self._rates(states, table, fresh)
        values = evaluated(training.game, states, book)
        return errors(values, rates, settings.played_on, training.school.phase(states), turns_of(states))

    def _rates(self, states: States, table: Sequence[int], seed: int) -> Floats:
        """[position, seat] how often each seat wins where so many games are played on from each position."""
        training, games, known = self.training, self.training.settings.played_on, self._steps.get("rates", [])
        advance = self._begin("measuring", len(states) * games, "games", len(known) * games)
        for first in range(len(known), len(states), GROUP):
            group = states[first : first + GROUP]
            known += win_rates(
                training.game, group, games, table, derive_seed(seed, first), training.jobs, advance
            ).tolist()  # fmt: skip
            self._steps.keep(rates=known)
        return np.array(known)

    # --- the match ----------------------------------------------------------------------------------------------------

    def _match(self, pupil: int) -> dict[str, Any]:
        """The pupil alone against a table of the last player, from every seat, until the test decides."""
        training, seats = self.training, self.training.seats
        test = SequentialTest.above(1 / seats)
        course: list[list[int]] = self._steps.get("course", [])
        games, wins = course[-1] if course else (0, 0)
        advance = self._begin("match, at most", LONGEST_MATCH, "games", games)
        verdict = test.verdict(wins, games)
        while verdict is None and games < LONGEST_MATCH:
            many = ROUND // seats
            starts = training.starts(2_000_000_000 + games // seats, many)
            for seat in range(seats):
                table = [self.teacher] * seats
                table[seat] = pupil
                series = local.series(training.game, starts, many, derive_seed(self._seed, "match", games), table)
                ends = local.play(series, training.jobs, advance).states
                wins += int(np.count_nonzero(np.asarray(ends)["winner"] == seat))
            games += many * seats
            course.append([games, wins])
            self._steps.keep(course=course)
            verdict = test.verdict(wins, games)
        found = {
            "wins": wins,
            "games": games,
            "equal": 1 / seats,
            "better": verdict is True,
            "decided": verdict is not None,
        }
        return {**found, "course": course, "sought": test.better, "error": test.error}
