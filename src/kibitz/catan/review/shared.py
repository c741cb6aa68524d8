"""A review as a file that another Kibitz opens: the game and what was found, so that nothing has to be worked out again.

>>> from kibitz.catan import Board
>>> from kibitz.catan.core.record import simulate
>>> record = simulate(Board.beginner(), ["builder"] * 2, seed=1)
>>> text = shared_text(record, Review(2, partial=None))
>>> is_shared(text), read_shared(text) == (record, Review(2, partial=None))
(True, True)
"""

import json

from kibitz.catan.core.actions import Action
from kibitz.catan.core.record import Record, RecordError, check
from kibitz.catan.core.topology import CORNERS
from kibitz.catan.review.types import AWARDS, FORTUNES, GRADES, Fortune, Moment, Review, Verdict
from kibitz.ground.codec import parse_json
from kibitz.ground.texts import Mistake

#: What the file says of itself, and how its name ends.
KIND, VERSION, SUFFIX = "kibitz review", 1, ".review.json"


class InvalidReview(Mistake):
    """A file that holds no review; the message is one line for people."""


def shared_text(record: Record, review: Review) -> str:
    """The content of the file."""
    return json.dumps({"format": KIND, "version": VERSION, "record": [*record.lines()], "review": review.to_json()}) + "\n"


def is_shared(text: str) -> bool:
    """Whether a text seems to be such a file."""
    return text.lstrip().startswith("{") and f'"format": "{KIND}"' in text[:200]


def read_shared(text: str) -> tuple[Record, Review]:
    """The game, replayed under the rules, and its review. Raises `InvalidReview`."""
    try:
        data = parse_json(text)
        if not isinstance(data, dict) or data.get("format") != KIND:
            raise ValueError("it does not identify itself as one")
        if data.get("version") != VERSION:
            raise ValueError(f"version {data.get('version')!r}: expected {VERSION}; another version of Kibitz wrote it")
        lines = data.get("record")
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
            raise ValueError("the record is missing")
        (record,) = check(lines)
        review = Review.from_json(data.get("review", {}))
        _fits(record, review)
    except (RecordError, ValueError, ArithmeticError) as error:
        raise InvalidReview(f"this review cannot be opened: {error}") from None
    return record, review


def _fits(record: Record, review: Review) -> None:
    """Refuse a review of another game, and what a page could not show."""
    steps, seats = len(record.codes), len(record.seats)
    verdicts = [*review.verdicts, *(entry.verdict for entry in review.entries)]
    told: list[Moment | Fortune | Verdict] = [*review.moments, *review.fortunes, *verdicts]
    places = [thing.step for thing in told] + [step for entry in review.entries for step in entry.steps]
    people = [verdict.seat for verdict in verdicts] + [fortune.seat for fortune in review.fortunes]
    if review.seats != seats or not all(0 <= step <= steps for step in places) or not all(0 <= seat < seats for seat in people):
        raise ValueError("the review is of another game")
    if any(verdict.step == steps for verdict in verdicts):  # after the last one nobody decides
        raise ValueError("the review is of another game")
    rows = [row for moment in review.moments for row in (moment.chances, moment.luck)]
    rows += [fortune.worth for fortune in review.fortunes]
    if {len(row) for row in rows} - {seats} or len(review.accounts) not in (0, seats):
        raise ValueError("the review is damaged")
    if {verdict.grade for verdict in verdicts} - {*GRADES} or {fortune.kind for fortune in review.fortunes} - {*FORTUNES}:
        raise ValueError("the review has an unknown grade or kind of luck")
    for entry in review.entries:
        for move in (entry.verdict.played, entry.verdict.best, *entry.why.line, *(option.move for option in entry.options)):
            _ = Action.from_text(move).code  # which refuses what is no move
        if entry.why.lost is not None and not (0 <= entry.why.lost[0] < CORNERS and 0 <= entry.why.lost[1] < seats):
            raise ValueError("the review is of another game")
        if entry.why.award is not None and not (entry.why.award.name in AWARDS and 0 <= entry.why.award.seat < seats):
            raise ValueError("the review is of another game")
        if len(entry.why.blocked) not in (0, seats) or not entry.options:
            raise ValueError("the review is damaged")
