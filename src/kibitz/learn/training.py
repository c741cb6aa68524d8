"""Generations: each learns from games in which the last one is asked, and takes its place if its player wins.

Everything is kept in a folder (`kibitz.learn.folder`): the same command resumes where it was stopped or killed. What happens in
a generation is in `kibitz.learn.generation`. After each one, all are told in a page for people (`kibitz.learn.report`).

A training can also begin with existing networks (`kibitz.learn.judges`). Then every generation starts with what the best player
so far knows; at first, that is the first network. It learns from results of games that ask that network, and from what all
networks say: of positions up to a round after those of these games, and of positions from games of the school's teacher. A
generation that is taken over judges with them from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kibitz.game import Game, States, seats_of
from kibitz.game.files import replacing
from kibitz.game.nets import BOOKS, NetShelf, School
from kibitz.ground.texts import counted
from kibitz.learn.folder import InvalidTraining, claim, held
from kibitz.learn.generation import Generation, part_sizes, policy_name
from kibitz.learn.judges import Judges, Looks
from kibitz.learn.progress import Progress, Quiet
from kibitz.learn.report import page
from kibitz.learn.results import Report

#: How many generations fit into one training: each network has a book of its own.
MOST = BOOKS - 1
#: What people read.
REPORT = "report.html"


@dataclass(frozen=True)
class Settings:
    """How to train; the same settings and the same seed give the same positions and matches."""

    generations: int = 1
    games: int = 200_000
    """Games that the first generation learns from; games whose positions are judged, if there are judges."""
    later_games: int = 40_000
    """Games in which a network is asked, from which each later generation learns; with judges, the first one as well."""
    keep: int = 10
    """Positions of each of the `games` ..."""
    later_keep: int = 30
    """... and of each of the `later_games`, which are dear."""
    epochs: float = 2.0
    passes: int = 3
    """How often what positions are worth is worked out anew and learned."""
    measured: int = 300
    """Positions that are played on to measure the error."""
    played_on: int = 200
    """Games from each of them."""
    seed: int = 0


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
        own["wide"] = self.nets.wide
        if self.school.practice is not None:
            own |= {"practising": True, "later_share": self.later_share}
        if judges:
            own |= {"networks": list(judges.checksums), "looks": asdict(looks)}
        claim(folder, {**own, "parts": part_sizes(judges is not None)})

    @property
    def later_share(self) -> float:
        """`School.share` for networks that go on learning."""
        return self.school.share if self.school.later_share is None else self.school.later_share

    def run(self) -> list[Report]:
        """All generations; those that are done already are not done again."""
        reports: list[Report] = []
        player, name, judges = self.school.teacher, policy_name(self.game, self.school.teacher), self.judges
        if judges:
            player, name = self.school.player + judges.books[0], judges.names[0]
        league: list[int] = []
        with held(self.folder):
            for number in range(1, MOST + 1):
                generation = Generation(self, number, player, name, league, judges)
                if number > self.settings.generations and not generation.told.exists():
                    break
                report = generation.run()
                reports.append(report)
                with replacing(self.folder / REPORT) as partial:
                    partial.write_text(page(self.game.name, self.facts, self.seats, reports), encoding="utf-8")
                if report.accepted:
                    league.append(player)
                    net, name = self.nets.read(generation.file), f"generation {number}"
                    book = self.nets.add([net])
                    player = self.school.player + book
                    judges = judges.joined_by(name, net, book) if judges else None
        return reports
