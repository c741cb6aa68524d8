"""What commands say about bots from outside that lost decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz.play.conduct import Conducts


def print_conduct(conducts: Conducts) -> None:
    """Print how many decisions they lost, if any."""
    from kibitz.play.conduct import about_conduct

    if text := about_conduct(conducts):
        print(text)
