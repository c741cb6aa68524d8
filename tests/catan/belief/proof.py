"""The hand tracker beside its reference, event by event: the proofs of `tests/catan/belief` and of longer runs.

`prove("posteriors", range(10_000))` raises an `AssertionError` with the log at the first difference. A log depends on its
index alone, so that a longer run is only a longer range.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

from kibitz.catan.belief.hands import Contradiction, HandTracker, Marginal
from kibitz.catan.core.events import Event, Steal
from kibitz.ground.rng import derive_seed
from tests.catan.belief.brute import COSTS, DECK, RESOURCES, Hands, Impossible, Reference
from tests.catan.belief.short_logs import ShortLog, engine_log, short_log, wild_event

TOLERANCE = 1e-12
#: A log ends where the reference needs more leaves.
MOST_LEAVES = 200


@dataclass
class Tally:
    """What a series of proofs went through."""

    logs: int = 0
    events: int = 0
    comparisons: int = 0
    steals: int = 0
    refused: int = 0
    resolved: int = 0
    most_leaves: int = 0
    most_merged: int = 0

    def note_log(self, reference: Reference) -> None:
        self.logs += 1
        self.events += reference.events
        self.steals += len(reference.steals)

    def note(self, reference: Reference, worlds: int) -> None:
        self.comparisons += 1
        self.most_leaves = max(self.most_leaves, len(reference.everything), len(reference.deals))
        self.most_merged = max(self.most_merged, len(reference.leaves) - worlds)


# --- one position ---------------------------------------------------------------------------------------------


def close(found: float, exact: Fraction | int) -> bool:
    return abs(found - float(exact)) <= TOLERANCE


def check_odds(found: Mapping[Any, float], exact: Mapping[Any, Fraction]) -> None:
    """The same things are possible, and equally likely."""
    assert {key for key, p in found.items() if p} == set(exact)
    for key, p in exact.items():
        assert close(found[key], p), (key, found[key], p)


def check_marginal(found: Marginal, exact: Mapping[int, Fraction]) -> None:
    check_odds(found.distribution, exact)
    assert (found.min, found.max) == (min(exact), max(exact))
    assert close(found.expected, sum(n * p for n, p in exact.items()))
    for n, p in enumerate(found.at_least):
        assert close(p, sum(p for held, p in exact.items() if held >= n))
    assert len(found.at_least) > found.max


def check_hands(tracker: HandTracker, reference: Reference) -> None:
    """The worlds, and what is asked about them."""
    tracker.check()
    exact = reference.worlds()
    worlds = tracker.worlds()
    assert tracker.world_count == len(worlds) == len(exact)
    check_odds({world.hands: world.probability for world in worlds}, exact)
    assert all(a.probability >= b.probability for a, b in pairwise(worlds))
    for player in range(reference.players):
        marginals = tracker.marginals(player)
        assert [*marginals] == [*RESOURCES]
        for resource in RESOURCES:
            check_marginal(marginals[resource], reference.marginal(player, resource))
        check_marginal(tracker.total(player), reference.total(player))
        for item in COSTS:
            assert close(tracker.can_afford(player, item), reference.can_afford(player, item))
        thief = (player + 1) % reference.players
        check_odds(tracker.steal_probabilities(thief, player), reference.next_stolen(player))


def check_steals(tracker: HandTracker, reference: Reference) -> None:
    """What each hidden steal took, also given any of the worlds that are possible now."""
    steals = tracker.steals
    assert len({steal.id for steal in steals}) == len(steals) == len(reference.steals)
    worlds = tracker.worlds()
    exact_worlds = reference.worlds()
    chains = [tracker.chain(world) for world in worlds]
    for number, (steal, hidden) in enumerate(zip(steals, reference.steals, strict=True)):
        assert (steal.thief, steal.victim, steal.event) == hidden
        assert steal.id == f"s{hidden.event + 1}"
        odds = reference.odds(number)
        check_odds(steal.odds, odds)
        assert steal.resolved == (next(iter(odds)) if len(odds) == 1 else None)
        assert steal.by_hand == (number in reference.by_hand)
        if not reference.by_hand:
            assert steal.resolved_by == reference.settled_by.get(number)
        exact = reference.carriers(number)
        for resource in RESOURCES:
            carriers = {world.hands: p for world, p in tracker.carriers(steal.id, resource)}
            carrying = {hands: p for (name, hands), p in exact.items() if name == resource}
            check_odds(carriers, carrying)
            for player, chance in enumerate(tracker.holders(steal.id, resource)):
                held = sum(p for hands, p in carrying.items() if hands[player][RESOURCES.index(resource)])
                assert close(chance, held / sum(carrying.values()))
        given: dict[Hands, dict[str, Fraction]] = {}
        for (name, hands), p in exact.items():
            given.setdefault(hands, {})[name] = p / exact_worlds[hands]
        for world, chain in zip(worlds, chains, strict=True):
            assert len(chain) == len(steals)
            found_id, found = chain[number]
            assert found_id == steal.id
            check_odds(found, given[world.hands])


def check_dev_cards(tracker: HandTracker, reference: Reference) -> None:
    """What everybody hides, and who has won already."""
    for player in range(reference.players):
        found = tracker.dev_cards(player)
        assert set(found) == set(DECK)
        for card in DECK:
            check_marginal(found[card], reference.hidden_cards(player, card))
        points = reference.hidden_cards(player, "victory_point")
        for n, p in enumerate(tracker.hidden_points(player)):
            assert close(p, sum(p for held, p in points.items() if held >= n))
        assert close(tracker.wins_now(player), reference.wins_now(player))


def check_everything(tracker: HandTracker, reference: Reference, tally: Tally) -> None:
    check_hands(tracker, reference)
    check_steals(tracker, reference)
    check_dev_cards(tracker, reference)
    tally.note(reference, tracker.world_count)


def answers(tracker: HandTracker) -> list[Any]:
    """Everything that a tracker says, to the last bit."""
    players = range(len(tracker.worlds(1)[0].hands))
    worlds = tracker.worlds()
    return [
        worlds,
        [(tracker.marginals(player), tracker.total(player), tracker.confidence(player)) for player in players],
        [tracker.chain(world) for world in worlds],
        tracker.steals,
        [(tracker.dev_cards(player), tracker.hidden_points(player), tracker.wins_now(player)) for player in players],
    ]


# --- whole logs -----------------------------------------------------------------------------------------------


@contextmanager
def told(name: str, observer: int | None, events: Sequence[Event]) -> Iterator[None]:
    """Say which log it was, if anything is wrong."""
    try:
        yield
    except (AssertionError, Contradiction, Impossible) as error:
        lines = "\n".join(f"  {number}: {event!r}" for number, event in enumerate(events))
        raise AssertionError(f"{name}, observer {observer}, after\n{lines}\n{error!r}") from error


def observers(log: ShortLog) -> tuple[int | None, ...]:
    return (None, *range(log.players))


def too_large(reference: Reference) -> bool:
    return max(len(reference.everything), len(reference.deals)) > MOST_LEAVES


def prove_posteriors(index: int, tally: Tally) -> None:
    """Every posterior of one log equals the sum over all histories, for the spectator and for every seat."""
    follow(short_log(index), f"short log {index}", tally)


def prove_real_games(index: int, tally: Tally) -> None:
    """The same for the beginning of a game of bots."""
    follow(engine_log(index), f"engine log {index}", tally)


def follow(log: ShortLog, name: str, tally: Tally, every: int = 8) -> None:
    """The tracker and the reference go through a log side by side and are compared now and then and at the end."""
    for observer in observers(log):
        events = log.seen_by(observer)
        tracker = HandTracker(log.players, observer, victory_points=log.victory_points)
        reference = Reference(log.players, log.victory_points)
        for number, event in enumerate(events, start=1):
            with told(name, observer, events[:number]):
                reference.process(event)
                tracker.process(event)
                end = number == len(events) or too_large(reference)
                if end or number % every == 0:
                    check_everything(tracker, reference, tally)
            if end:
                break
        tally.note_log(reference)


def prove_refusals(index: int, tally: Tally) -> None:
    """The tracker refuses exactly what no history allows, and then has not changed."""
    chance = random.Random(derive_seed(32, "refusals", index))
    log = short_log(index)
    tracker = HandTracker(log.players, victory_points=log.victory_points)
    reference = Reference(log.players, log.victory_points)
    attempts: list[Event] = []
    for event in log.seen_by(None):
        attempts += [wild_event(chance, log.players) for _ in range(chance.randrange(4))]
        attempts.append(event)
    happened: list[Event] = []
    for event in attempts:
        if too_large(reference):
            break
        with told(f"refusals {index}", None, [*happened, event]):
            if possible(reference, event):
                tracker.process(event)
                happened.append(event)
            else:
                check_refused(tracker, partial(tracker.process, event), closely=tally.refused % 5 == 0)
                tally.refused += 1
    with told(f"refusals {index}", None, happened):
        check_everything(tracker, reference, tally)
    tally.note_log(reference)


def possible(reference: Reference, event: Event) -> bool:
    """Whether the reference can go on with an event; then it does."""
    try:
        reference.process(event)
    except Impossible:
        return False
    return True


def check_refused(
    tracker: HandTracker, attempt: Callable[[], object], error: type[ValueError] = Contradiction, closely: bool = True
) -> None:
    """The attempt is an error (of an event: a contradiction) and leaves no trace; `closely`: in any answer."""
    look = answers if closely else HandTracker.worlds
    before = look(tracker)
    try:
        attempt()
    except error:
        assert look(tracker) == before
        return
    raise AssertionError("the tracker allows what cannot be")


def prove_resolutions(index: int, tally: Tally) -> None:
    """A steal that is resolved by hand is a steal that was seen; without the resolution all is as if it had never been.

    At random moments hidden steals are resolved, and some resolutions are taken back.
    """
    chance = random.Random(derive_seed(32, "resolutions", index))
    log = short_log(index)
    observer = chance.choice(observers(log))
    tracker = HandTracker(log.players, observer, victory_points=log.victory_points)
    plain = HandTracker(log.players, observer, victory_points=log.victory_points)
    reference = Reference(log.players, log.victory_points)
    happened: list[Event] = []
    for event in log.seen_by(observer):
        if too_large(reference):
            break
        with told(f"resolutions {index}", observer, [*happened, event]):
            if not possible(reference, event):  # only because of what was resolved
                check_refused(tracker, partial(tracker.process, event))
                tally.refused += 1
                continue
            tracker.process(event)
            plain.process(event)
            happened.append(event)
            if reference.steals and chance.random() < 0.4:
                resolve_one(chance, tracker, reference, tally)
                check_everything(tracker, reference, tally)
    with told(f"resolutions {index}", observer, happened):
        check_everything(tracker, reference, tally)
        if reference.by_hand:
            check_replay(reference, happened, observer)
        for number in chance.sample([*reference.by_hand], len(reference.by_hand)):
            tracker.unresolve(tracker.steals[number].id)
            reference.unresolve(number)
            check_everything(tracker, reference, tally)
        check_same(tracker, plain)
    tally.note_log(reference)


def resolve_one(chance: random.Random, tracker: HandTracker, reference: Reference, tally: Tally) -> None:
    """Resolve a steal to any card, possible or not, or take a resolution back."""
    if reference.by_hand and chance.random() < 0.3:
        number = chance.choice([*reference.by_hand])
        tracker.unresolve(tracker.steals[number].id)
        reference.unresolve(number)
        return
    number = chance.randrange(len(reference.steals))
    if number in reference.by_hand or number in reference.settled_by:
        return
    resource, steal = chance.choice(RESOURCES), tracker.steals[number].id
    if resource in reference.odds(number):
        reference.resolve(number, resource)
        tracker.resolve(steal, resource)
        tally.resolved += 1
    else:
        check_refused(tracker, lambda: tracker.resolve(steal, resource), ValueError)
        tally.refused += 1


def check_replay(reference: Reference, events: Sequence[Event], observer: int | None) -> None:
    """The same log with the resolved steals seen from the start: exactly the same fractions, and the same worlds."""
    seen = list(events)
    for number, resource in reference.by_hand.items():
        place = reference.steals[number].event
        event = seen[place]
        assert isinstance(event, Steal)
        seen[place] = replace(event, resource=resource)
    replayed = Reference(reference.players, reference.victory_points)
    again = HandTracker(reference.players, observer, victory_points=reference.victory_points)
    for event in seen:
        replayed.process(event)
        again.process(event)
    hidden = [number for number in range(len(reference.steals)) if number not in reference.by_hand]
    histories: dict[tuple[tuple[str, ...], Hands], Fraction] = {}
    for (stolen, hands), p in reference.histories().items():
        histories[tuple(stolen[number] for number in hidden), hands] = p
    assert replayed.histories() == histories
    check_hands(again, reference)
    for number, steal in zip(hidden, again.steals, strict=True):
        check_odds(steal.odds, reference.odds(number))


def check_same(tracker: HandTracker, other: HandTracker) -> None:
    """Two trackers say the same, but for rounding."""
    found, expected = tracker.worlds(), other.worlds()
    check_odds({world.hands: world.probability for world in found}, {w.hands: Fraction(w.probability) for w in expected})
    assert [(s.id, s.resolved, s.resolved_by, s.by_hand) for s in tracker.steals] == [
        (s.id, s.resolved, s.resolved_by, s.by_hand) for s in other.steals
    ]
    for steal, same in zip(tracker.steals, other.steals, strict=True):
        check_odds(steal.odds, {name: Fraction(p) for name, p in same.odds.items() if p})


PROOFS: dict[str, Callable[[int, Tally], None]] = {
    "posteriors": prove_posteriors,
    "real games": prove_real_games,
    "refusals": prove_refusals,
    "resolutions": prove_resolutions,
}


def prove(name: str, indices: Iterable[int]) -> Tally:
    """One of the proofs for many logs."""
    tally = Tally()
    for index in indices:
        PROOFS[name](index, tally)
    return tally
