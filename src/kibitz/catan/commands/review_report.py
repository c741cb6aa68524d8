"""A review as tables and sentences for a terminal of any width."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from kibitz.catan.profile import PROFILE
from kibitz.catan.review.types import BLUNDER, GRADES, INACCURACY, MISTAKE, points
from kibitz.catan.review.words import (
    fortune_words,
    grade_words,
    in_points,
    move_words,
    reasons_in_words,
    times,
    turn_words,
    verdict_in_words,
)  # fmt: skip
from kibitz.cli.tables import fitted
from kibitz.game.evaluator import SURE
from kibitz.ground.signs import MINUS, minus
from kibitz.ground.texts import capitalised, counted, percent, printable
from kibitz.play.names import names_of, with_bots

if TYPE_CHECKING:
    from kibitz.catan.core.record import Record
    from kibitz.catan.review import Account, Entry, Review

#: Rolls and cards that are named.
FORTUNES = 3
_STYLES = {BLUNDER: "bold red", MISTAKE: "yellow", INACCURACY: "cyan"}
_COUNTED = (("accuracy", "blunders", "mistakes", "inaccuracies"), ("accuracy", "blunders", "mistakes"))
_LUCK = ("start", "dice", "stolen", "drawn", "own play", "others", "result", "no luck", "mistakes")


def report(name: str, record: Record, review: Review, seat: int | None, width: int) -> RenderableType:
    """The whole review: luck and accuracy of all, then the mistakes of a seat or of all."""
    names = seat_names(record)
    bots = [printable(name) for name in with_bots(names, record.seats, PROFILE.bot_names)]
    parts: list[RenderableType] = [Text(_headline(name, review, names))]
    if review.partial is not None:
        parts.append(Text(f"Stopped early ({review.partial}): not all decisions were judged.", style="bold yellow"))
    if not review.served:
        parts.append(Text("The evaluator was not trained for these rules: chances and luck are rough.", style="yellow"))
    parts += [Text(""), _accuracy(review, bots, width), Text(""), *_luck(review, names, width)]
    over = SURE in {account.result for account in review.accounts}
    who = range(review.seats) if seat is None else [seat]
    parts += [Text(verdict_in_words(review.accounts[s], _called(names[s]), over)) for s in who if review.accounts]
    parts += _fortunes(review, names, seat)
    entries = review.of_seat(seat)
    whose = "" if seat is None else f" by {_called(names[seat])}"
    parts += [
        Text(""),
        Text(f"{counted(len(entries), 'costly decision')}{whose}" if entries else f"No mistakes{whose} were found"),
    ]
    for number, entry in enumerate(entries, start=1):
        parts += _entry(number, entry, record, names)
    parts += [Text(""), Text(f"Judged by what each player could know. {grade_words()}", style="dim")]
    return Group(*parts)


def seat_names(record: Record) -> list[str]:
    """What the players are called, as on the page; those of one name with the number of their seat."""
    return [printable(name) for name in names_of(record.seats, PROFILE.bot_names)]


def _called(name: str) -> str:
    """A name within a sentence."""
    return "you" if name == "You" else name


def _headline(name: str, review: Review, names: list[str]) -> str:
    turns = review.moments[-1].turn if review.moments else 0
    winner = next((names[seat] for seat, account in enumerate(review.accounts) if account.result == SURE), None)
    end = f"{winner} won" if winner else "not played to its end"
    return f"{name} · {counted(turns, 'turn')} · {counted(len(review.verdicts), 'decision')} · {end}"


def _accuracy(review: Review, names: list[str], width: int) -> RenderableType:
    rows = []
    for seat, account in enumerate(review.accounts):
        grades = {grade: str(account.grades.get(grade, 0)) for grade in GRADES}
        rows.append(
            {
                "seat": str(seat + 1),
                "player": names[seat],
                "accuracy": "-" if account.accuracy is None else percent(account.accuracy, 0),
                "decisions": str(account.decisions),
                "blunders": grades[BLUNDER],
                "mistakes": grades[MISTAKE],
                "inaccuracies": grades[INACCURACY],
            }
        )
    choices = [("seat", "player", *columns) for columns in (("accuracy", "decisions", *_COUNTED[0][1:]), *_COUNTED)]
    return fitted(rows, *choices, width=width, names=2, left=("player",))


def _luck(review: Review, names: list[str], width: int) -> Iterator[RenderableType]:
    yield Text("Where the result comes from, in points; the result without luck; the cost of mistakes", style="bold")
    rows = [{"seat": str(seat + 1), "player": names[seat], **_terms(account)} for seat, account in enumerate(review.accounts)]
    choices = ("player", *_LUCK), _LUCK, (*_LUCK[:7], "no luck"), ("dice", "own play", "result")
    yield fitted(rows, *(("seat", *columns) for columns in choices), width=width, names=2, left=("player",))


def _terms(account: Account) -> dict[str, str]:
    changes = account.dice, account.stolen, account.drawn, account.own, account.others
    values = [f"{points(account.start):.1f}", *(in_points(change / SURE, 1) for change in changes)]
    whole = account.result, account.adjusted, -account.losses
    values += [minus(points(worth), 1) for worth in whole]
    return dict(zip(_LUCK, values, strict=True))


def _fortunes(review: Review, names: list[str], seat: int | None) -> Iterator[RenderableType]:
    """The kindest and the worst that chance did to a seat."""
    if seat is None or not review.fortunes:
        return
    ranked = sorted(review.fortunes, key=lambda fortune: -abs(fortune.worth[seat]))[:FORTUNES]
    told = [f"{turn_words(f)}, {fortune_words(f, names)}: {in_points(f.worth[seat] / SURE)}" for f in ranked]
    yield Text(f"The largest strokes of luck: {'; '.join(told)}.")


def _entry(number: int, entry: Entry, record: Record, names: list[str]) -> Iterator[RenderableType]:
    verdict, board = entry.verdict, record.board
    cost = f"{MINUS}{100 * verdict.loss.mean:.1f} ± {100 * verdict.loss.margin:.1f}"
    where = f"{names[entry.seat]}, {turn_words(verdict)} (--at {verdict.step})"
    yield Text("")
    yield Text.assemble((f"{number}. {capitalised(verdict.grade)} ", _STYLES.get(verdict.grade, "")), f"{cost} · {where}")
    said = [f"Played: {move_words(verdict.played, board, names)}. Better: {move_words(verdict.best, board, names)}."]
    said += reasons_in_words(entry, board, names)
    if len(entry.steps) > 1:
        said.append(f"Missed {times(len(entry.steps))}.")
    yield Padding(Text(" ".join(said)), (0, 0, 0, 3), expand=False)
