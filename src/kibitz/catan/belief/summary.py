"""Everything that a `HandTracker` knows, as plain values, as printed by ``kibitz track --json``.

>>> from kibitz.catan.core.events import Roll
>>> tracker = HandTracker(["Ann", "Bob"])
>>> tracker.process(Roll(0, 8, {1: {"wood": 2}}))
>>> found = summary(tracker)
>>> found["players"][1]["hand"]["wood"]
{'expected': 2.0, 'min': 2, 'max': 2, 'most_likely': 2, 'distribution': {'2': 1.0}, 'at_least': [1.0, 1.0, 1.0]}
>>> found["bank"]["wood"]["expected"], found["dice"]["8"]
(17.0, 1)
>>> possible_worlds(tracker, 1)["likeliest"]
[{'probability': 1.0, 'hands': [{}, {'wood': 2}], 'steals': {}}]

For notebooks the same is a table in HTML:

>>> from kibitz.catan.core.events import Roll, Steal
>>> tracker = HandTracker(["Ann", "<Bob>"])
>>> tracker.process_all([Roll(0, 8, {0: {"wood": 2, "ore": 1}}), Steal(1, 0)])
>>> text = hands_html(tracker)
>>> "<td>1 <small>67 %</small></td>" in text, "&lt;Bob&gt;" in text
(True, True)
"""

from collections import Counter
from dataclasses import asdict
from html import escape
from math import ceil
from typing import Any

from kibitz.catan.belief.evidence import COSTS
from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.belief.posterior import Marginal
from kibitz.catan.core.events import Roll
from kibitz.ground.codec import encode
from kibitz.ground.texts import ROUNDING, chance_text, counted

#: A bound that is larger than this says nothing.
_NO_BOUND = 0.5


def summary(tracker: HandTracker) -> dict[str, Any]:
    """The whole state of knowledge; seats and events count from 0."""
    return {
        "events": len(tracker.events),
        "turn": tracker.turn,
        "observer": tracker.observer,
        "worlds": tracker.world_count,
        "players": [_player(tracker, seat) for seat in range(len(tracker.names))],
        "bank": {resource: _marginal(marginal) for resource, marginal in tracker.bank().items()},
        "steals": [asdict(steal) for steal in tracker.steals],
        "dice": dice(tracker),
        "approximate": tracker.approximate,
        "error_bound": tracker.error_bound,
        "repairs": [asdict(repair) for repair in tracker.repairs],
    }


def accuracy(error_bound: float) -> str:
    """How far off the chances may be, as a sentence; nothing if they are exact.

    >>> accuracy(0.124)
    'Unlikely worlds were dropped: no chance is off by more than 13 percentage points.'
    """
    if not error_bound:
        return ""
    if error_bound > _NO_BOUND:
        return "There are too many possible worlds to follow them all: the chances are estimates."
    points = max(1, ceil(100 * error_bound))
    return f"Unlikely worlds were dropped: no chance is off by more than {counted(points, 'percentage point')}."


def possible_worlds(tracker: HandTracker, limit: int) -> dict[str, Any]:
    """The likeliest worlds, each with the steals that led to it; and for each stolen card who can hold such a one now.

    Only steals that the log has not settled are told. ``holders`` are the chances of each seat to hold a card of that kind, if
    that is what was stolen.
    """
    steals = [steal for steal in tracker.steals if steal.is_open]
    ids = {steal.id for steal in steals}
    return {
        "worlds": tracker.world_count,
        "likeliest": [
            {
                "probability": world.probability,
                "hands": [cards.as_dict() for cards in world.hands],
                "steals": {id: odds for id, odds in tracker.chain(world) if id in ids},
            }
            for world in tracker.worlds(limit)
        ],
        "carriers": [
            {
                "steal": steal.id,
                "thief": steal.thief,
                "victim": steal.victim,
                "resource": resource,
                "probability": p,
                "holders": list(tracker.holders(steal.id, resource)),
            }
            for steal in steals
            for resource, p in steal.odds.items()
        ],
    }


def dice(tracker: HandTracker) -> dict[str, int]:
    """How often each sum was rolled."""
    rolls = Counter(event.total for event in tracker.events if isinstance(event, Roll))
    return {str(total): rolls[total] for total in range(2, 13)}


def _player(tracker: HandTracker, seat: int) -> dict[str, Any]:
    return {
        "name": tracker.names[seat],
        "cards": _marginal(tracker.total(seat)),
        "hand": {resource: _marginal(marginal) for resource, marginal in tracker.marginals(seat).items()},
        "confidence": tracker.confidence(seat),
        "can_afford": {item: tracker.can_afford(seat, item) for item in COSTS},
        "dev_card_count": tracker.dev_card_count(seat),
        "dev_cards": {card: _marginal(marginal) for card, marginal in tracker.dev_cards(seat).items()},
        "visible_points": tracker.visible_points(seat),
        "hidden_points": list(tracker.hidden_points(seat)),
        "wins_now": tracker.wins_now(seat),
    }


def _marginal(marginal: Marginal) -> dict[str, Any]:
    names = ("expected", "min", "max", "most_likely", "distribution", "at_least")
    return {name: encode(getattr(marginal, name)) for name in names}


def hands_html(tracker: HandTracker) -> str:
    """Each player's most likely cards, with their chance where they are not certain."""
    rows = []
    for seat, name in enumerate(tracker.names):
        cells = [shown(tracker.total(seat)), *shown_hand(tracker, seat)]
        told = "".join(f"<td>{_cell(number, chance)}</td>" for number, chance in cells)
        rows.append(f"<tr><th>{escape(name)}</th>{told}<td>{chance_text(tracker.confidence(seat))}</td></tr>")
    head = "".join(f"<th>{word}</th>" for word in ("player", "cards", *tracker.marginals(0), "known"))
    caption = f"after event {len(tracker.events)}: {counted(tracker.world_count, 'possible world')}"
    return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def shown(marginal: Marginal, at_least: int = 0) -> tuple[int, float]:
    """The most likely number (of those that are not too small) and its chance."""
    chances = {n: p for n, p in marginal.distribution.items() if n >= at_least} or marginal.distribution
    number = max(chances, key=lambda n: (chances[n], -n))
    return number, chances[number]


def shown_hand(tracker: HandTracker, seat: int) -> list[tuple[int, float]]:
    """For each resource the number to show of a hand, with its chance.

    That is the most likely one. But a hand of one card that may be any would read as five times none: where the most likely
    numbers are fewer cards than the hand surely holds, those that are none show what else they may be.
    """
    marginals = list(tracker.marginals(seat).values())
    if sum(marginal.most_likely for marginal in marginals) >= tracker.total(seat).min:
        return [shown(marginal) for marginal in marginals]
    return [shown(marginal, at_least=min(1, marginal.max)) for marginal in marginals]


def _cell(number: int, chance: float) -> str:
    return str(number) if chance > 1 - ROUNDING else f"{number} <small>{chance_text(chance)}</small>"
