"""A review as a file that another Kibitz opens: the game and what was found, so that nothing has to be worked out again.

>>> from kibitz.catan import Board
>>> from kibitz.catan.core.record import simulate
>>> record = simulate(Board.beginner(), ["builder"] * 2, seed=1)
>>> text = shared_text(record, Review(2, partial=None))
>>> is_shared(text), read_shared(text) == (record, Review(2, partial=None))
(True, True)
"""

import json

from kibitz.catan.core.record import Record, RecordError, check
from kibitz.catan.review.types import Review
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
            raise ValueError("it does not say that it is one")
        if data.get("version") != VERSION:
            raise ValueError(f"version {data.get('version')!r}: expected {VERSION}; another version of Kibitz wrote it")
        lines = data.get("record")
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
            raise ValueError("the record is missing")
        (record,) = check(lines)
        review = Review.from_json(data.get("review", {}))
        _fits(record, review)
    except (RecordError, ValueError, ArithmeticError) as error:
        raise InvalidReview(f"this is not a review that can be opened: {error}") from None
    return record, review


def _fits(record: Record, review: Review) -> None:
    """Refuse a review of another game."""
    steps, seats = len(record.codes), len(record.seats)
    own = [*(moment.step for moment in review.moments), *(verdict.step for verdict in review.verdicts)]
    own += [step for entry in review.entries for step in (entry.verdict.step, *entry.steps)]
    people = [verdict.seat for verdict in (*review.verdicts, *(entry.verdict for entry in review.entries))]
    widths = {len(moment.chances) for moment in review.moments} | {len(moment.luck) for moment in review.moments}
    if review.seats != seats or not all(0 <= step <= steps for step in own) or not all(0 <= seat < seats for seat in people):
        raise ValueError("the review is of another game")
    if widths - {seats} or len(review.accounts) not in (0, seats):
        raise ValueError("the review is damaged")
