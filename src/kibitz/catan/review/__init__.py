"""A finished game looked back on: everybody's chances, luck, and the decisions that cost most, with why."""

from kibitz.catan.review.look_back import look_back
from kibitz.catan.review.types import Account, Entry, Review, ReviewConfig, Verdict

__all__ = ["Account", "Entry", "Review", "ReviewConfig", "Verdict", "look_back"]
