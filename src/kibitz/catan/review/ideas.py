"""One entry for each idea: a road that was missed nine times is one mistake, not nine."""

from collections.abc import Hashable, Iterable
from itertools import groupby

from kibitz.catan.core.actions import Action
from kibitz.catan.review.types import Entry, Verdict

#: The same idea, whichever card or place it is about.
_WHATEVER = ("play_monopoly", "play_year_of_plenty", "play_knight", "play_road_building", "buy_dev_card")
#: The same idea if it is about the same place.
_PLACES = ("build_road", "build_settlement", "build_city", "place_setup_settlement")


def idea_of(verdict: Verdict) -> Hashable:
    """What was missed: verdicts with the same idea, of one seat, belong together.

    What is to be built, bought or played can be missed again and again. A robber, a discard or a trade is a question of its own
    each time.
    """
    kind = Action.from_text(verdict.best).kind
    if kind in _WHATEVER:
        return verdict.seat, kind
    if kind in _PLACES:
        return verdict.seat, verdict.best
    return verdict.seat, verdict.step


def entries_of(verdicts: Iterable[Verdict]) -> list[Entry]:
    """Proven mistakes by ideas, the costliest first; what stands for an idea is the costliest of its decisions."""
    known = sorted(verdicts, key=lambda verdict: str(idea_of(verdict)))
    found = []
    for _, group in groupby(known, idea_of):
        own = sorted(group, key=lambda verdict: verdict.step)
        worst = max(own, key=lambda verdict: verdict.loss.mean)
        found.append(Entry(worst, tuple(verdict.step for verdict in own)))
    return sorted(found, key=lambda entry: (-entry.verdict.loss.mean, entry.verdict.step))


def losses_of(verdicts: Iterable[Verdict]) -> dict[int, float]:
    """What decisions cost, by step; an idea that was missed several times costs what its costliest miss did, there."""
    found: dict[Hashable, Verdict] = {}
    for verdict in verdicts:
        idea = idea_of(verdict)
        if idea not in found or verdict.loss.mean > found[idea].loss.mean:
            found[idea] = verdict
    return {verdict.step: verdict.loss.mean for verdict in found.values() if verdict.loss.mean > 0}
