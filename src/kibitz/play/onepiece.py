"""Series of One Piece games between bots, recorded or not, and tournaments of bots with two decks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

from kibitz.compute.local import game_seed
from kibitz.onepiece.decks import Deck
from kibitz.onepiece.engine import POLICIES, new, play_out, scratch
from kibitz.onepiece.record import simulate
from kibitz.play.share import Share
from kibitz.records import writing
from kibitz.rng import derive_seed


@dataclass(frozen=True)
class Result:
    """How one game ended."""

    winner: int
    ending: str
    turns: int
    steps: int
    first: int


def play(
    bots: Sequence[str],
    decks: tuple[Deck, Deck],
    seed: int,
    games: int,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Result]:
    """Play `games` games; the seats begin in turn."""
    results = []
    for i in range(games):
        state = new(*decks, i % 2)
        x = scratch(game_seed(seed, i))
        x.policy = [POLICIES[name] for name in bots]
        steps = play_out(state, x)
        results.append(Result(state.winner, state.ending, state.turn, steps, i % 2))
        progress(1)
    return results


def write(
    path: Path,
    bots: Sequence[str],
    decks: tuple[Deck, Deck],
    seed: int,
    games: int,
    full: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Result]:
    """Play the same games and record them in a file, which appears only when it is complete."""
    results = []
    with writing(path) as write_line:
        for i in range(games):
            record = simulate(bots, game_seed(seed, i), decks, i % 2, number=i)
            for line in record.lines(full):
                write_line(line)
            *_, last = record.states()
            results.append(Result(last.winner, last.ending, last.turn, len(record.codes), i % 2))
            progress(1)
    return results


@dataclass(frozen=True)
class Standings:
    """How often each bot won against each other, each deck, and who began; a draw is nobody's win."""

    bots: tuple[str, ...]
    pairs: dict[tuple[str, str], Share]
    decks: dict[str, Share]
    first: Share
    games: int

    def wins(self, bot: str) -> Share:
        """All games of a bot."""
        shares = [share for (a, _), share in self.pairs.items() if a == bot]
        return Share(sum(share.won for share in shares), sum(share.games for share in shares))


def pairings(bots: Sequence[str]) -> list[tuple[str, str]]:
    """Who meets whom on which seat.

    >>> pairings(["a", "b"])
    [('a', 'b'), ('b', 'a')]
    """
    return list(permutations(bots, 2))


def tournament(
    bots: Sequence[str],
    decks: tuple[Deck, Deck],
    seed: int,
    rounds: int,
    progress: Callable[[int], None] = lambda done: None,
) -> Standings:
    """Each bot meets each other with each deck; `rounds` games of each pairing, the seats beginning in turn.

    The draws of game i are the same in all pairings, so that luck is shared.
    """
    if len(set(bots)) != len(bots) or len(bots) < 2:
        raise ValueError("a tournament needs at least two different bots")
    won = {pair: [0, 0] for pair in pairings(bots)}
    by_deck, by_first, games = [0, 0], 0, 0
    for one, two in pairings(bots):
        for result in play((one, two), decks, derive_seed(seed, "tournament"), rounds, progress):
            games += 1
            won[one, two][1] += 1
            won[two, one][1] += 1
            if result.winner >= 0:
                winner = (one, two)[result.winner]
                won[winner, two if winner == one else one][0] += 1
                by_deck[result.winner] += 1
                by_first += result.winner == result.first
    return Standings(
        bots=tuple(bots),
        pairs={pair: Share(*counts) for pair, counts in won.items()},
        decks={f"{i + 1} {deck.name}": Share(by_deck[i], games) for i, deck in enumerate(decks)},
        first=Share(by_first, games),
        games=games,
    )
