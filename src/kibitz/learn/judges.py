"""Networks that others learn from: a training can begin with them instead of from nothing.

The new network starts with what the first of them knows, learns from results of games that ask that one, and has to beat its
player. All of them judge positions by *looks* (`kibitz.learn.looks`). Whether they can is checked before anything is played: a
file is refused by its name if it is damaged or foreign, or for other inputs, rules or numbers of players.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from kibitz.compute.runtime import Threads
from kibitz.game import Game, States, seats_of
from kibitz.game.doors import counts_turns
from kibitz.game.nets import BOOKS, InvalidNetwork, NetShelf, Network, NoNetwork, School
from kibitz.ground.rng import derive_seed
from kibitz.learn.lessons import Inputs, Judged
from kibitz.learn.looks import looked, onward
from kibitz.learn.positions import Positions

#: Positions that one thread judges before it reports.
CHUNK = 250


@dataclass(frozen=True)
class Looks:
    """How positions are judged."""

    rounds: int = 2
    """How often a round is played on from each position; there is a look at the end of each turn."""
    after: int = 5
    """How many positions up to a round after each one that has a result are judged, too."""


@dataclass(frozen=True)
class Judges:
    """Networks for the same rules, each in a book of its own."""

    names: tuple[str, ...]
    checksums: tuple[str, ...]
    """Of the networks in their files, wherever these lie."""
    books: tuple[int, ...]

    @classmethod
    def named(cls, game: Game, texts: Sequence[str], start: States) -> Judges:
        """The networks in these files, or those of these names that come with Kibitz, for games that begin like `start`.

        Raises `InvalidNetwork` with the name of the first that cannot judge these games.
        """
        shelf: NetShelf = game.nets
        if not counts_turns(start):
            raise NoNetwork(f"{game.name} does not count its turns, so networks cannot look a round ahead")
        if len(texts) > BOOKS - 2:
            raise InvalidNetwork(f"at most {BOOKS - 2} networks can be learned from, not {len(texts)}")
        found: dict[str, str] = {}
        books = []
        for text in texts:
            net = network_named(shelf, text)
            if net.checksum in found:
                raise InvalidNetwork(f"{text}: the same network as {found[net.checksum]}")
            found[net.checksum] = text
            books.append(_served(game, text, net, start))
        return cls(tuple(found.values()), tuple(found), tuple(books))

    def joined_by(self, name: str, net: Network, book: int) -> Judges:
        """These and one more, which was trained here."""
        return Judges((*self.names, name), (*self.checksums, net.checksum), (*self.books, book))

    def judge(
        self, game: Game, positions: Positions, how: Looks, seed: int, jobs: int | None = None,
        progress: Callable[[int], None] = lambda done: None,
    ) -> Judged:  # fmt: skip
        """What positions are worth, by their looks; `progress` hears of positions. Any number of threads says the same."""
        return self._judge(game, _states(positions), positions.inputs, how, seed, jobs, progress)

    def judge_onward(self, game: Game, positions: Positions, how: Looks, seed: int, jobs: int | None = None) -> Judged:
        """What positions up to a round after these are worth."""
        if not len(positions):
            return Judged(positions.inputs, np.zeros(positions.inputs.shape[:2], np.float32))
        found, inputs = onward(game, _states(positions), how.after, game.school.teacher, seed)
        return self._judge(game, found, inputs, how, seed, jobs)

    def _judge(
        self, game: Game, states: States, inputs: Inputs, how: Looks, seed: int, jobs: int | None,
        progress: Callable[[int], None] = lambda done: None,
    ) -> Judged:  # fmt: skip
        values = np.zeros(inputs.shape[:2], np.float32)

        def chunk(part: range) -> None:
            some = states[part.start : part.stop]
            values[part.start : part.stop] = looked(
                game, some, self.books, game.school.teacher, how.rounds, derive_seed(seed, part.start)
            )

        parts = [range(first, min(first + CHUNK, len(states))) for first in range(0, len(states), CHUNK)]
        for number, _ in Threads(jobs).map(chunk, parts):
            progress(len(parts[number]))
        return Judged(inputs, values)


def _states(positions: Positions) -> States:
    if positions.states is None:
        raise ValueError("these positions were sampled without their states")
    return positions.states


def network_named(shelf: NetShelf, text: str) -> Network:
    """A network in a file, or one that comes with Kibitz, by the name of its rules."""
    path = Path(text)
    if path.is_file():
        return shelf.read(path)
    shipped = shelf.book(0)
    if text in shipped:
        return shipped[text]
    raise InvalidNetwork(f"{text}: neither a file nor a network that comes with Kibitz ({', '.join(shipped)})")


def players_of(net: Network) -> int | None:
    """For how many players a network is, as it says; older ones only have a name that begins with the number."""
    said = net.about.get("players")
    named = re.match(r"(\d+)-players", net.variant)
    return said if isinstance(said, int) else int(named[1]) if named else None


def _served(game: Game, text: str, net: Network, start: States) -> int:
    """Put a network into a book, and check that it can judge games that begin like `start`; the number of the book."""
    school: School = game.school
    seats, players = seats_of(start), players_of(net)
    if players not in (None, seats):
        raise InvalidNetwork(f"{text}: a network for {players} players, not for {seats}")
    book: int = game.nets.add([replace(net, variant=school.variant(start))])
    try:
        school.check_served(start, book)
    except NoNetwork as error:
        raise InvalidNetwork(f"{text}: {error}") from None
    except (KeyError, TypeError):
        raise InvalidNetwork(f"{text}: does not say for which rules it was trained") from None
    return book
