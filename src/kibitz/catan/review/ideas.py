"""One entry for each idea: a road that was missed nine times is one mistake, not nine."""

from collections.abc import Hashable, Iterable, Mapping, Sequence

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


def entries_of(verdicts: Iterable[Verdict], lines: Mapping[int, Sequence[str]]) -> list[Entry]:
    """Proven mistakes by ideas, the costliest first; what stands for an idea is the costliest of its decisions.

    `lines` are what the player would have done in each of these turns, by step. Decisions of one turn that miss the same
    thing to build belong together, too.
    """
    groups: list[list[Verdict]] = []
    for verdict in sorted(verdicts, key=lambda verdict: verdict.step):
        own = [group for group in groups if any(_belong_together(verdict, other, lines) for other in group)]
        groups = [group for group in groups if group not in own]
        groups.append([*(other for group in own for other in group), verdict])
    found = []
    for group in groups:
        worst = max(group, key=lambda verdict: (verdict.loss.mean, -verdict.step))
        found.append(Entry(worst, tuple(sorted(verdict.step for verdict in group))))
    return sorted(found, key=lambda entry: (-entry.verdict.loss.mean, entry.verdict.step))


def _belong_together(one: Verdict, other: Verdict, lines: Mapping[int, Sequence[str]]) -> bool:
    if idea_of(one) == idea_of(other):
        return True
    if one.seat != other.seat or one.turn != other.turn or one.turn == 0:
        return False
    built = [{move for move in lines.get(v.step, ()) if move.split()[0] in _PLACES} for v in (one, other)]
    return bool(built[0] & built[1])


def losses_of(verdicts: Iterable[Verdict]) -> dict[int, float]:
    """What the decisions of a seat cost, by step, each chance that was missed counted once.

    An idea that was missed several times costs what its costliest miss did, and a turn what its costliest decision did: what a
    player fails to do is missed at every step of a turn.
    """
    costly = sorted((verdict for verdict in verdicts if verdict.loss.mean > 0), key=lambda v: (-v.loss.mean, v.step))
    seen: set[Hashable] = set()
    found = {}
    for verdict in costly:
        names = {("idea", idea_of(verdict)), ("turn", verdict.turn) if verdict.turn else ("step", verdict.step)}
        if not names & seen:
            found[verdict.step] = verdict.loss.mean
        seen |= names
    return found
