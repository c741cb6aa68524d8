"""Our games as logs of other programs, and back: what a format carries arrives as it was."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from kibitz import game
from kibitz.catan import Board, Rules
from kibitz.catan.core.events import Event, HandCount, HandSeen
from kibitz.catan.core.record import Record, check, simulate
from kibitz.catan.core.transcript import events_of
from kibitz.catan.logs import jsettlers, kibitz, recognise
from kibitz.catan.logs.base import ImportedLog
from kibitz.catan.logs.colonist import frames, html, replay, text
from kibitz.ground.rng import derive_seed
from tests.catan.logs import colonist_writer, jsettlers_writer
from tests.catan.logs.colonist_writer import carried_by_chat, carried_by_messages

NAMES = ("Ann", "Bob #2", "Zoë 日本", "d'Arc")
TABLES: tuple[tuple[tuple[str, ...], Rules], ...] = (
    (("builder",) * 4, Rules()),
    (("builder",) * 3, Rules(domestic_trade=False)),
    (("random",) * 4, Rules(max_turns=50)),
    (("builder", "random", "builder"), Rules(victory_points=7)),
    (("builder",) * 2, Rules(victory_points=8)),
    (("random",) * 3, Rules(domestic_trade=False, max_turns=80)),
    (("builder", "random"), Rules(domestic_trade=False, victory_points=6, max_turns=100)),
)


#: A log does not tell the limit of turns: where it was reached, the next turn begins in a rebuilt record.
AT_TURN_LIMIT = ("turn", "phase", "player")


def played(index: int) -> Record:
    """One game; it depends on the index alone."""
    bots, rules = TABLES[index % len(TABLES)]
    seed = derive_seed(2026, "round trips", index)
    return simulate(Board.random(seed), bots, seed, rules, number=index)


@dataclass(frozen=True)
class Trip:
    """A way to write a game, and what arrives of it."""

    format: str
    write: Callable[..., str]
    read: Callable[..., ImportedLog]
    carried: Callable[[Iterable[Event]], tuple[Event, ...]]
    #: Whether others see what somebody discards.
    hidden_discards: bool = False
    #: Whether the file holds everything, and so the whole game.
    everything: bool = False


def _without_evidence(events: Iterable[Event]) -> tuple[Event, ...]:
    """Hands are told by JSettlers next to what changes them."""
    return jsettlers_writer.carried(event for event in events if not isinstance(event, HandCount | HandSeen))


TRIPS = {
    "kibitz": Trip("kibitz", kibitz.write, kibitz.read, tuple),
    "colonist-text": Trip("colonist-text", text.write, text.read, carried_by_chat),
    "colonist-text, old": Trip("colonist-text", colonist_writer.old_chat, text.read, carried_by_chat),
    "colonist-html": Trip("colonist-html", colonist_writer.page, html.read, carried_by_chat),
    "colonist-frames": Trip("colonist-frames", colonist_writer.frames, frames.read, carried_by_messages),
    "colonist-replay": Trip("colonist-replay", colonist_writer.replay, replay.read, carried_by_messages, everything=True),
    "jsettlers": Trip(
        "jsettlers", jsettlers_writer.write, jsettlers.read, _without_evidence, hidden_discards=True, everything=True
    ),
    "jsettlers, old": Trip(
        "jsettlers",
        partial(jsettlers_writer.write, old=True),
        jsettlers.read,
        _without_evidence,
        hidden_discards=True,
        everything=True,
    ),
}


def travel(trip: Trip, record: Record) -> int:
    """Write a game, read it, compare; how many events arrived. Raises an AssertionError at the first difference."""
    seats = len(record.seats)
    observer = (None, *range(seats))[record.game % (1 + seats)]
    names = NAMES[:seats] if record.game % 2 else None
    sent = events_of(record, observer, players=names, hidden_discards=trip.hidden_discards)
    text = trip.write(record, observer, names)
    assert recognise(text) == trip.format
    found = trip.read(text, me=None if observer is None else sent.players[observer], strict=True)
    assert (found.log.players, found.log.observer) == (sent.players, observer)
    assert found.log.victory_points == sent.victory_points or trip.format in ("colonist-text", "colonist-html")
    arrived = trip.carried(found.log.events)
    assert_same(trip.carried(sent.events), arrived)
    if trip.everything:
        assert found.everything is not None
        assert_same(trip.carried(events_of(record, all_seeing=True).events), trip.carried(found.everything))
        assert found.board == record.board
        assert_same_game(record, found.record())
    return len(arrived)


def assert_same(sent: tuple[Event, ...], arrived: tuple[Event, ...]) -> None:
    """Name the first event that differs."""
    for number, (one, other) in enumerate(zip(sent, arrived, strict=False), start=1):
        assert one == other, f"event {number}: sent {one}, arrived {other}"
    assert len(sent) == len(arrived), f"{len(sent)} events were sent, {len(arrived)} arrived"


def assert_same_game(record: Record, rebuilt: Record) -> None:
    """The record that a log became replays under our rules, to the same end."""
    (again,) = check(rebuilt.lines())
    assert again.codes == rebuilt.codes
    one, other = end_of(record), end_of(rebuilt)
    won = one["winner"] >= 0
    for name, value in one.items():
        if won or name not in AT_TURN_LIMIT:
            assert value == other[name], f"at the end {name} is {value}, in the rebuilt record {other[name]}"


def end_of(record: Record) -> dict[str, Any]:
    """The last position, without the rules: a log does not tell all of them."""
    *_, last = record.states()
    return {name: value for name, value in game.to_dict(last).items() if name not in record.rules.to_json()}
