"""Does a review find the blunders, and nothing else? Games between bots with planted blunders.

    python benchmarks/prove_review.py --outcomes review.jsonl            60 games, 5 blunders each: two hours of one core
    python benchmarks/prove_review.py --outcomes review.jsonl --games 10 fewer; goes on from there after a kill
    python benchmarks/prove_review.py --outcomes review.jsonl --anew     the same blunders, all reviewed once more

Bots of four kinds play. At five moments of each game, spread over it and over the seats, a legal move at random is played
instead of the bot's choice, if it is a blunder: against the move that the evaluator likes best, in 2,000 games with the same
dice, played on by the strongest fast bot, with luck taken out, it must win 8 % of the games less (a first 150 games, which do
not count, tell what is worth measuring). A game that ends before the fifth is played again with other dice. The finished game
is reviewed as usual. At least 95 % of the planted blunders must be listed for their seat, and at most 5 % of all that is listed
may be no mistake: a loss below 2 % in 2,000 other games.
"""

import argparse
import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from tables import Bench, Figures, add_jobs, kept_lines

from kibitz.catan import Board
from kibitz.catan.analysis.rollouts import Outcomes, after, paired_difference, play_units, split
from kibitz.catan.analysis.types import Difference
from kibitz.catan.core.actions import Action, describe
from kibitz.catan.core.codes import END_ROADS, OFFER
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.policy import BOTS
from kibitz.catan.core.record import Record
from kibitz.catan.core.state import Rules, new_states
from kibitz.catan.review import ReviewConfig, look_back
from kibitz.catan.review.decisions import Case, Table, merits_of
from kibitz.catan.review.measure import POLICY
from kibitz.compute.runtime import Threads
from kibitz.game import OVER, actor_at, legal_actions
from kibitz.game.doors import decide_at, reseed_at
from kibitz.ground.jit import uint64
from kibitz.ground.rng import Stream, derive_seed
from kibitz.play.share import Share

SEED = 20
GAMES, BLUNDERS = 60, 5
#: A planted move loses more; what is listed and loses less is none.
PLANTED, NONE = 0.08, 0.02
#: Games by which a loss is measured, and how many it takes to give up on a move.
PAIRS, FIRST = 2000, 150
#: What must be found, and what may be wrong.
FOUND, WRONG = 0.95, 0.05
#: From which turns on a blunder is looked for; the first one belongs to the draft.
TURNS = (0, 3, 9, 15, 21)
#: Worlds in which the evaluator is asked for the best move, and kinds of move that are tried at a decision.
WORLDS, TRIED = 32, 3
#: How often a game is played until somebody has blundered often enough.
AGAIN = 8
TABLES = (("net", "builder", "builder-0.1", "seed"), ("builder", "net", "net", "builder-0.1"),
          ("builder-0.1", "builder", "seed", "net"), ("seed", "builder-0.1", "builder", "net"))  # fmt: skip


USUAL, OFFICIAL = ReviewConfig(), Rules()


@dataclass(frozen=True)
class Effort:
    """How much work a game is."""

    number: int
    pairs: int = PAIRS
    config: ReviewConfig = USUAL
    rules: Rules = OFFICIAL
    codes: tuple[int, ...] = ()
    """The steps of the game, where it was played before."""
    planted: tuple[tuple[int, int, float], ...] = ()
    """And what was planted in it: the step, the seat and the loss."""

    @property
    def board(self) -> Board:
        return Board.random(self.number + 1000)

    @property
    def bots(self) -> tuple[str, ...]:
        return TABLES[self.number % len(TABLES)]

    def record(self, codes: Iterable[int]) -> Record:
        return Record(self.board, self.rules, seats=self.bots, codes=tuple(codes))


def loss_of(case: Case, best: int, played: int, seed: int, pairs: int) -> Difference:
    """How much more often the best move wins, in games of their own."""
    policies = (BOTS[POLICY],) * int(case.worlds["seats"][0])

    def played_on(move: int) -> Outcomes:
        units = list(split(after(case.worlds, [move]), seed, 0, pairs, policies))
        found = dict(play_units(units, Threads(1)))
        return np.concatenate([found[number] for number in range(len(units))])

    return paired_difference(played_on(best), played_on(played), case.seat)


class Planting:
    """A game in which somebody blunders now and then."""

    def __init__(self, effort: Effort, again: int = 0) -> None:
        self._effort, self._seed = effort, derive_seed(SEED, "game", effort.number, again)
        self._stream = Stream(derive_seed(self._seed, "choices"))
        self.planted: dict[int, tuple[int, float]] = {}
        self._table = Table(new_states(effort.board, len(effort.bots), effort.rules))
        self._kinds: list[str] = []

    def play(self) -> Record:
        """The whole game; where it was spoilt is in `planted`: by step, the seat and the loss."""
        xs = GAME.scratches()
        xs["policy"][0] = [BOTS[bot] for bot in self._effort.bots]
        reseed_at(xs, 0, uint64(derive_seed(self._seed, "dice")))
        codes: list[int] = []
        while actor_at(self._table.states, 0) != OVER:
            code = decide_at(self._table.states, 0, xs, 0)
            if actor_at(self._table.states, 0) >= 0 and self._is_time():
                code = self._spoilt(len(codes), code)
            codes.append(code)
            self._table.go(code)
        return self._effort.record(codes)

    def _is_time(self) -> bool:
        n = len(self.planted)
        if n >= BLUNDERS or int(self._table.states["turn"][0]) < TURNS[n]:
            return False
        spoilt = [seat for seat, _ in self.planted.values()]
        return spoilt.count(actor_at(self._table.states, 0)) <= n // len(self._effort.bots)

    def _spoilt(self, step: int, code: int) -> int:
        """A legal move at random, if it is a blunder; else what the bot wants."""
        moves = [move for move in legal_actions(self._table.states) if not OFFER <= move < END_ROADS]
        case = self._table.case(step, code, self._seed)
        if len(moves) < 2 or case is None:
            return code
        worth = dict(zip(case.moves, merits_of(case, case.moves, WORLDS).mean(axis=0).tolist(), strict=True))
        best = max(worth, key=lambda move: worth[move])
        kinds = sorted({_kind(move) for move in moves if move != best} - {*self._kinds[-2:]})
        for kind in self._stream.shuffled(kinds)[:TRIED]:
            move = self._stream.shuffled([move for move in moves if _kind(move) == kind and move != best])[0]
            if self._is_blunder(case, best, move):
                self._kinds.append(kind)
                return move
        return code

    def _is_blunder(self, case: Case, best: int, move: int) -> bool:
        """Whether a move loses enough; then it is written down."""
        seed = derive_seed(self._seed, "truth", case.step)
        if loss_of(case, best, move, seed, min(FIRST, self._effort.pairs)).mean <= PLANTED:
            return False
        loss = loss_of(case, best, move, derive_seed(seed, "all"), self._effort.pairs).mean
        if loss > PLANTED:
            self.planted[case.step] = case.seat, loss
        return loss > PLANTED


def _kind(move: int) -> str:
    return describe(move).split()[0]


def spoilt_game(effort: Effort) -> Effort:
    """A game with all its blunders; in the quick form, and after many attempts, with what there is."""
    for again in range(AGAIN):
        planting = Planting(effort, again)
        record = planting.play()
        if len(planting.planted) == BLUNDERS or effort.pairs < FIRST:
            break
    return replace(effort, codes=record.codes, planted=tuple((step, *what) for step, what in planting.planted.items()))


def examine(effort: Effort) -> dict[str, Any]:
    """Plant, unless that was done before; review, and measure all that is listed."""
    if not effort.codes:
        effort = spoilt_game(effort)
    record = effort.record(effort.codes)
    began, clock = time.process_time(), time.perf_counter()
    review = look_back(record, effort.config, workers=Threads(1))
    spent, wall = time.process_time() - began, time.perf_counter() - clock
    table, cases = Table(record.start()), {}
    listed = {entry.verdict.step: entry for entry in review.entries}
    for step, code in enumerate(record.codes):
        if step in listed:
            cases[step] = table.case(step, code, derive_seed(SEED, "listed", effort.number))
        table.go(code)
    found = []
    for step, entry in listed.items():
        case, best = cases[step], Action.from_text(entry.verdict.best).code
        assert case is not None
        true = loss_of(case, best, case.played, derive_seed(case.seed, "true"), effort.pairs)
        found.append({"step": step, "seat": entry.seat, "loss": entry.verdict.loss.mean, "true": true.mean, "low": true.low,
                      "played": entry.verdict.played, "best": entry.verdict.best, "steps": entry.steps})  # fmt: skip
    planted = [
        {"step": step, "seat": seat, "loss": loss, "kind": describe(record.codes[step]).split()[0],
         "turn": review_turn(record, step), "listed": any(step in e.steps and e.seat == seat for e in review.entries)}
        for step, seat, loss in effort.planted
    ]  # fmt: skip
    return {"game": effort.number, "turns": review.moments[-1].turn, "codes": list(effort.codes),
            "decisions": len(review.verdicts), "planted": planted, "listed": found, "cpu": spent, "wall": wall}  # fmt: skip


def review_turn(record: Record, step: int) -> int:
    """The turn of a step."""
    return int(record.before(step)["turn"][0])


def anew(game: dict[str, Any]) -> Effort:
    """A game that was examined before, with its blunders. Raises a `ValueError` for one of which the steps are not known."""
    if "codes" not in game:
        raise ValueError(
            f"game {game['game']} was examined by an older version, which kept no steps: leave out --anew, or the file"
        )
    planted = tuple((one["step"], one["seat"], one["loss"]) for one in game["planted"])
    return Effort(game["game"], codes=tuple(game["codes"]), planted=planted)


def known_games(file: Path | None) -> Iterator[dict[str, Any]]:
    """Games that were examined before."""
    for line in kept_lines(file):
        try:
            yield json.loads(line)
        except ValueError:
            continue  # cut off by a kill: that game is played again


def rows(games: list[dict[str, Any]]) -> tuple[list[tuple[object, ...]], list[str]]:
    """The claims with their figures, and those that fail."""
    planted = [one for game in games for one in game["planted"]]
    listed = [one for game in games for one in game["listed"]]
    found = Share(sum(one["listed"] for one in planted), len(planted))
    wrong = Share(sum(one["true"] < NONE for one in listed), len(listed))
    lines: list[tuple[object, ...]] = [
        ("planted blunders that are listed for their seat", f"{found.won} of {found.games}", _percent(found), "at least 95 %"),
        ("listed mistakes that are none", f"{wrong.won} of {wrong.games}", _percent(wrong), "at most 5 %"),
    ]
    failures = []
    if found.games and found.rate < FOUND:
        failures.append("too few planted blunders are listed")
    if wrong.games and wrong.rate > WRONG:
        failures.append("too much is listed that is no mistake")
    return lines, failures


def _percent(share: Share) -> str:
    low, high = share.interval
    return f"{100 * share.rate:.1f} % [{100 * low:.1f}, {100 * high:.1f}]" if share.games else "none"


def by_kind(games: list[dict[str, Any]]) -> list[tuple[object, ...]]:
    """Planted blunders by what was played."""
    planted = [one for game in games for one in game["planted"]]
    found: list[tuple[object, ...]] = []
    for kind in sorted({one["kind"] for one in planted}):
        own = [one for one in planted if one["kind"] == kind]
        mean = sum(one["loss"] for one in own) / len(own)
        found.append((kind, len(own), sum(one["listed"] for one in own), f"{100 * mean:.1f}"))
    return found


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", type=int, default=GAMES, help="how many games")
    parser.add_argument("--outcomes", type=Path, metavar="FILE", help="write every game to this file, and go on from it")
    parser.add_argument("--anew", action="store_true", help="review the games of --outcomes once more, with the same blunders")
    add_jobs(parser, 1)


def main() -> None:
    bench = Bench(__doc__, "prove_review.md", options)
    known = {game["game"]: game for game in known_games(bench.options.outcomes)}
    small = ReviewConfig(worlds=4, games=300, tries=4, pairs=16)
    quick = Effort(0, 8, small, Rules(victory_points=3))
    work = [quick] if bench.quick else [Effort(number) for number in range(bench.options.games) if number not in known]
    if bench.options.anew and not bench.options.outcomes:
        raise SystemExit("--anew reviews the games of --outcomes FILE: name one")
    if bench.options.anew:
        work += [anew(game) for game in known.values() if game["game"] < bench.options.games]
    for game in bench.spread(examine, work, bench.options.jobs, "games"):
        known[game["game"]] = game
        if bench.options.outcomes:
            with bench.options.outcomes.open("a", encoding="utf-8") as file:
                file.write(json.dumps(game) + "\n")
    games = [known[number] for number in sorted(known)]
    lines, failures = rows(games)
    turns, spent = (sum(game[name] for game in games) / len(games) for name in ("turns", "cpu"))
    note = f"{len(games)} games. Processor time of a review: {spent:.0f} s, for {turns:.0f} turns on average. 95 % intervals."
    tables = [
        Figures("Reviews", ("claim", "count", "share", "must be"), lines),
        Figures("Planted blunders", ("what was played", "planted", "listed", "mean loss in points"), by_kind(games)),
    ]
    bench.publish("Reviews with planted blunders", tables, note, [] if bench.quick else failures)


if __name__ == "__main__":
    main()
