"""A record of a finished game from what one player saw of it: what nobody showed is filled in with what is likeliest.

>>> from kibitz.catan import Board
>>> from kibitz.catan.core.record import simulate
>>> from kibitz.catan.core.transcript import events_of
>>> played = simulate(Board.beginner(), ["builder-0.1"] * 4, seed=1)
>>> found = likely_record(played.board, played.rules, events_of(played, observer=2))
>>> len(found.record.codes) == len(played.codes), found.dev_cards
(True, 1)

Stolen cards are settled one after the other, each with its likeliest card given those before it, so that they agree with every
event of the log. A bought card is the one that was played later; of those that were never played, the winner's are as many
victory points as winning took, and the rest what the deck has most of. Our engine then plays the whole game and checks it.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.core import events
from kibitz.catan.core.board import Board
from kibitz.catan.core.events import Event, EventLog
from kibitz.catan.core.notation import CARDS
from kibitz.catan.core.record import Record
from kibitz.catan.core.state import DECK, Rules
from kibitz.catan.logs.base import ImportedLog, LogError
from kibitz.catan.logs.rebuild import rebuild
from kibitz.ground.texts import counted

_POINT = "victory_point"


@dataclass(frozen=True)
class LikelyGame:
    """A whole game, and how many of its cards nobody showed."""

    record: Record
    steals: int = 0
    dev_cards: int = 0

    @property
    def assumed(self) -> str:
        """What was filled in, in words; empty where nothing was.

        >>> LikelyGame(None, 1, 2).assumed
        '1 stolen card and 2 development cards that you did not see are the likeliest ones'
        """
        hidden = (self.steals, "stolen card"), (self.dev_cards, "development card")
        cards = " and ".join(counted(n, name) for n, name in hidden if n)
        are = "is the likeliest one" if self.steals + self.dev_cards == 1 else "are the likeliest ones"
        return f"{cards} that you did not see {are}" if cards else ""


def likely_game(imported: ImportedLog) -> LikelyGame:
    """The whole game of an imported log: as it tells it or, where it hides cards, the likeliest. Raises `LogError`."""
    if imported.board is None:
        raise LogError(1, f"this {imported.format} log holds no board")
    if imported.everything is not None:
        return LikelyGame(imported.record())
    try:  # even where something is missing: the engine says whether it matters
        return likely_record(imported.board, imported.rules or Rules(), imported.log)
    except LogError as error:
        if imported.incomplete:
            raise LogError(1, f"a part of the game is missing ({imported.missing})") from None
        raise error.found_in(imported.lines) from None


def likely_record(board: Board, rules: Rules, log: EventLog) -> LikelyGame:
    """Fill in what the observer of a log did not see. Raises `LogError` with the number of the event that breaks a rule."""
    tracker = HandTracker.of(replace(log, events=()), victory_points=rules.victory_points, on_contradiction="repair")
    tracker.process_all(log.events)  # what contradicts itself is found by the engine, which knows more
    open_steals = sum(steal.is_open for steal in tracker.steals)
    stolen = _settled(tracker)
    whole: list[Event] = [
        replace(event, resource=stolen[at]) if at in stolen and isinstance(event, events.Steal) else event
        for at, event in enumerate(log.events)
    ]
    shown, assumed = _bought(log.events, len(log.players), _points_needed(tracker, log.events, rules.victory_points))
    for at, card in (shown | assumed).items():
        whole[at] = events.BuyDevCard(_player(whole[at]), card)
    return LikelyGame(rebuild(board, rules, log.players, whole), open_steals, len(assumed))


def _settled(tracker: HandTracker) -> dict[int, str]:
    """What each steal that nobody saw took, by the place of its event."""
    hidden = {steal.event for steal in tracker.steals}
    while steal := next((steal for steal in tracker.steals if steal.is_open and not steal.by_hand), None):
        tracker.resolve(steal.id, max(steal.odds, key=lambda card: steal.odds[card]))
    return {steal.event: steal.resolved for steal in tracker.steals if steal.event in hidden and steal.resolved is not None}


def _player(event: Event) -> int:
    return int(getattr(event, "player"))  # noqa: B009 - not every event has one


def _points_needed(tracker: HandTracker, log: Sequence[Event], goal: int) -> dict[int, int]:
    """How many hidden victory points the winner has, at least."""
    winner = next((event.player for event in reversed(log) if isinstance(event, events.Win)), None)
    return {} if winner is None else {winner: max(0, goal - tracker.visible_points(winner))}


def _bought(log: Sequence[Event], seats: int, points: dict[int, int]) -> tuple[dict[int, str], dict[int, str]]:
    """The cards behind the purchases that hide theirs, by their places: those that were shown later, and the others."""
    left = Counter({card.value: n for card, n in zip(CARDS, DECK, strict=True)})
    shown: dict[int, str] = {}
    assumed: dict[int, str] = {}
    waiting: list[list[int]] = [[] for _ in range(seats)]
    known: list[Counter[str]] = [Counter() for _ in range(seats)]
    for at, event in enumerate(log):
        if isinstance(event, events.BuyDevCard):
            if event.card is None:
                waiting[event.player].append(at)
            else:
                left[event.card] -= 1
                known[event.player][event.card] += 1
        elif isinstance(event, events.PlayDevCard):
            if known[event.player][event.card]:
                known[event.player][event.card] -= 1
            elif waiting[event.player]:
                # a point is shown at the end, and had better not have won before: it came last
                shown[waiting[event.player].pop(-1 if event.card == _POINT else 0)] = event.card
                left[event.card] -= 1
                points[event.player] = points.get(event.player, 0) - (event.card == _POINT)
    for seat, n in points.items():
        for _ in range(min(n - known[seat][_POINT], len(waiting[seat]))):
            assumed[waiting[seat].pop()] = _POINT
            left[_POINT] -= 1
    for at in (at for places in waiting for at in places):
        # a point only where nothing else is left
        card = max(left, key=lambda name: (left[name] > 0, name != _POINT, left[name], name))
        assumed[at] = card
        left[card] -= 1
    return shown, assumed
