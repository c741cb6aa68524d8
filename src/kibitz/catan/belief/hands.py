"""Who can hold what in Catan: exact probabilities of all hands, from the events of a log.

>>> from kibitz.catan.core.events import Build, Roll, Steal
>>> tracker = HandTracker(["Ann", "Bob", "Cem"])
>>> tracker.process(Roll(0, 8, {0: {"wood": 2, "ore": 1}, 1: {"sheep": 1}}))
>>> tracker.process(Steal(1, 0))  # Bob robs Ann; nobody else sees the card
>>> tracker.marginal("Ann", "ore")
Marginal(expected=0.67, min=0, max=1)
>>> tracker.steals[0].odds
{'wood': 0.6666666666666666, 'ore': 0.3333333333333333}
>>> tracker.process(Steal(2, 1, "sheep"))
>>> tracker.process(Steal(2, 1))  # Bob's last card, the one that was Ann's
>>> tracker.process(Steal(0, 2, "ore"))
>>> tracker.steals[0].resolved, tracker.steals[0].resolved_by
('ore', 4)
>>> tracker.hand("Ann")
Cards(wood=2, ore=1)

Exact means exact under these likelihoods: a stolen card, seen or not, is any card of the victim's hand with the same chance; a
build, a trade, an offer, an acceptance, an itemised discard prove possession and nothing else; a discard of which only the
number is known is any choice of cards with the same chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.belief.kernels import Floats, count_bundles
from kibitz.belief.pieces import most_likely_first
from kibitz.belief.worlds import SAMPLED, Impossible, Resolved, WeightedWorlds
from kibitz.catan.belief.dev_cards import DEV_CARDS, DevCards, ImpossibleCards, Points
from kibitz.catan.belief.evidence import (
    KINDS, RESOURCES, Evidence, column, deal_unknown, evidence_of, explain, hand, moved, repair,
)  # fmt: skip
from kibitz.catan.belief.posterior import (
    USUAL_GOAL, Contradiction, Marginal, PossibleWorld, Posterior, Repair, TrackerConfig, UnknownSteal, resource_number,
    world_of,
)  # fmt: skip
from kibitz.catan.core.events import (
    MOST_PLAYERS, BankCount, BuyDevCard, Cards, Discard, EndTurn, Event, EventLog, HandCount, Monopoly, PlayDevCard,
    PlayerEvent, Roll, Steal, UnknownCards, are_names, check_seats,
)  # fmt: skip
from kibitz.catan.core.state import VICTORY_POINT
from kibitz.ground.texts import counted

__all__ = ["Contradiction", "HandTracker", "Marginal", "PossibleWorld", "Repair", "UnknownSteal"]

#: Ways in which a hidden card may branch worlds that are estimates.
_MOST_BRANCHES = 50_000


class HandTracker(Posterior):
    """Follows a game event by event and knows what everybody can hold.

    `players` is their number or their names, `observer` the seat whose knowledge the events show (None: a spectator); other
    `settings` are the fields of `kibitz.catan.belief.posterior.TrackerConfig`.
    An impossible event raises a `Contradiction`; with ``on_contradiction="repair"`` the fewest unknown cards are added that
    explain it, and the figures are `approximate` (only what contradicts a steal that was resolved by hand still raises).
    Nothing is pruned, unless the settings say so or the worlds outgrow their memory; what that can have changed is the
    `error_bound`.
    """

    def __init__(self, players: int | Sequence[str], observer: int | None = None, **settings: Any) -> None:
        if isinstance(players, int) and 2 <= players <= MOST_PLAYERS:
            players = [f"Player {seat + 1}" for seat in range(players)]
        names = list(players) if isinstance(players, Sequence) else []
        if isinstance(players, str) or not are_names(names):
            raise ValueError(f"players {players!r}: expected 2 to 6, with different names")
        if observer is not None and (type(observer) is not int or not 0 <= observer < len(names)):
            raise ValueError(f"observer {observer!r}: expected None or a seat from 0 to {len(names) - 1}")
        self.config = TrackerConfig(**settings)
        self.names = tuple(names)
        self.observer = observer
        self.supply = 19 if len(names) <= 4 else 24
        self._worlds = WeightedWorlds([0] * (KINDS * len(self.names)), labels=KINDS)
        self._points = Points.start(len(self.names), self.config.victory_points)
        #: Without what is in the worlds: their odds, and what was resolved by hand.
        self._steals: list[UnknownSteal] = []
        self._events: list[Event] = []
        self._turn = 0
        self._repairs: list[Repair] = []
        #: What was resolved by hand (None: taken back), and after how many events.
        self._answers: list[tuple[int, str, str | None]] = []

    @classmethod
    def of(cls, log: EventLog, **settings: Any) -> HandTracker:
        """A tracker that has followed a whole log. Where that does not tell the goal, it is the usual one (of two: unknown)."""
        usual = USUAL_GOAL if len(log.players) > 2 else None
        settings = {"victory_points": usual if log.victory_points is None else log.victory_points, **settings}
        tracker = cls(log.players, log.observer, **settings)
        tracker.process_all(log.events)
        return tracker

    # --- events -------------------------------------------------------------------------------------------------

    def process(self, event: Event) -> None:
        """Take in one event. Raises `Contradiction`, and then nothing has changed."""
        check_seats(event, len(self.names))
        repairs: list[Repair] = []
        points = self._points_after(event, repairs)
        evidence = evidence_of(event, len(self.names), self.supply)
        resolved = self._take_in(event, evidence, repairs)
        self._points = points
        self._repairs += repairs
        if self._turn == 0 and isinstance(event, (Roll, PlayDevCard)):
            self._turn = 1
        elif isinstance(event, EndTurn):
            self._turn += 1
        if self.config.max_worlds is not None or self.config.prune_threshold:
            resolved += self._worlds.prune(self.config.max_worlds, self.config.prune_threshold)
        self._note(resolved)
        self._events.append(event)

    def _take_in(self, event: Event, evidence: Evidence, repairs: list[Repair]) -> list[Resolved]:
        """Filter the worlds by the evidence and change them; where none is left, refuse or repair."""
        if not evidence.rules and not evidence.change:
            return self._branch(event)
        try:
            resolved = self._worlds.filter(evidence.rules, evidence.change)
        except Impossible:
            mended = self._repaired(event, evidence, repairs)
            if mended is None:  # ignored
                return []
            self._worlds, resolved = mended
        return resolved + self._branch(event)

    def _branch(self, event: Event) -> list[Resolved]:
        """What an event does differently to different worlds."""
        worlds, memory = self._worlds, self.config.memory
        resolved = self._thinned(event)
        if isinstance(event, Steal):
            thief, victim = hand(event.player)[0], hand(event.victim)[0]
            if event.resource is None:
                tag, number = len(self._steals), len(self._events)
                self._steals.append(UnknownSteal(f"s{number + 1}", event.player, event.victim, self._turn, number))
                return resolved + worlds.draw(victim, thief, KINDS, tag=tag, memory=memory)
            card = Cards.of({event.resource: 1})
            change = moved(len(self.names), (event.player, card, 1), (event.victim, card, -1))
            return worlds.weigh_draw(victim + RESOURCES.index(event.resource), victim, KINDS, change)
        if isinstance(event, Discard) and event.cards is None and event.count:
            by_card = self.config.hidden_discards == "cards"
            return resolved + worlds.take(hand(event.player)[0], KINDS, event.count, by_card=by_card, memory=memory)
        if isinstance(event, Monopoly) and event.losses is None:
            resource = RESOURCES.index(event.resource)
            worlds.gather(column(resource, len(self.names), event.player), hand(event.player)[resource])
        if isinstance(event, UnknownCards):
            return deal_unknown(worlds, hand(event.player), event, self._guess)
        return []

    def _thinned(self, event: Event) -> list[Resolved]:
        """Where the worlds are estimates, keep no more of them than a hidden card may branch; what that resolved.

        They are estimates after a contradiction was mended, and where whole hands are unknown.
        """
        worlds = self._worlds
        if not self._repairs and worlds.dropped < SAMPLED:
            return []
        if isinstance(event, Steal) and event.resource is None:
            return worlds.thin(_MOST_BRANCHES // KINDS)
        if isinstance(event, Discard) and event.cards is None and event.count:
            branches = count_bundles(worlds.key, hand(event.player)[0], KINDS, event.count)
            return worlds.thin(max(1, _MOST_BRANCHES * len(worlds) // max(1, branches)))
        return []

    def _repaired(
        self, event: Event, evidence: Evidence, repairs: list[Repair]
    ) -> tuple[WeightedWorlds, list[Resolved]] | None:
        """The worlds after the evidence, with the cards that it needs, and what that resolved; None if nothing helps."""
        player, needed, possible = explain(evidence.rules, self._worlds, self.names, self.supply)
        bare = self._worlds.copy()
        bare.forget_answers()
        by_hand = bare.probability(evidence.rules) > 0
        if by_hand:
            possible += " (given the steals that were resolved by hand)"
        error = Contradiction(len(self._events), event, player, needed, possible, self.names)
        if by_hand or self.config.on_contradiction == "raise":
            raise error
        mended = self._worlds.copy()
        try:
            cards, resolved = repair(mended, evidence.rules, self._guess)
            resolved += mended.filter(evidence.rules, evidence.change)
        except Impossible:
            repairs.append(Repair(len(self._events), None, str(error)))
            return None
        repairs.append(Repair(len(self._events), cards, str(error)))
        return mended, resolved

    def _guess(self, counts: npt.NDArray[np.int64], cells: Sequence[int]) -> Floats:
        """Where a card that nobody noticed lies: in a hand, any card of the bank; else with anybody, if the bank has one."""
        bank = self.supply - counts.reshape(len(counts), -1, KINDS).sum(axis=1)
        left: Floats = np.maximum(bank, 0)[:, [cell % KINDS for cell in cells]].astype(np.float64)
        return np.sign(left) if len({cell % KINDS for cell in cells}) == 1 else left

    def _note(self, resolved: Iterable[Resolved]) -> None:
        """Write down which steals the present event has resolved."""
        for tag, label in resolved:
            if self._steals[tag].resolved is None:
                self._steals[tag] = replace(self._steals[tag], resolved=RESOURCES[label], resolved_by=len(self._events))

    def process_all(self, events: Iterable[Event]) -> None:
        """Take in events one after the other."""
        for event in events:
            self.process(event)

    def set_bank(self, counts: Mapping[str, int]) -> None:
        """What the bank holds, of some or all resources, as evidence."""
        self.process(BankCount(counts))

    def set_card_count(self, player: int | str, count: int) -> None:
        """The size of a hand, as evidence."""
        self.process(HandCount(self.seat(player), count))

    @property
    def events(self) -> tuple[Event, ...]:
        """All events so far."""
        return tuple(self._events)

    @property
    def turn(self) -> int:
        """One player's turn; 0 during set-up."""
        return self._turn

    def copy(self) -> HandTracker:
        """The same knowledge, to go on from without changing this."""
        other = HandTracker.__new__(HandTracker)
        other.__dict__.update(self.__dict__)
        other._worlds = self._worlds.copy()
        other._steals, other._events = [*self._steals], [*self._events]
        other._repairs, other._answers = [*self._repairs], [*self._answers]
        return other

    def undo(self) -> Event:
        """Take the last event back (by a replay of the others) and return it."""
        if not self._events:
            raise ValueError("there is no event to undo")
        other = HandTracker(self.names, self.observer, **asdict(self.config))
        other._replay(self._events[:-1], self._answers)
        last = self._events[-1]
        self.__dict__.update(other.__dict__)
        return last

    def _replay(self, events: Sequence[Event], answers: Sequence[tuple[int, str, str | None]]) -> None:
        """The events, and each answer by hand at its time (or at the end, if that was later and the steal is there)."""
        for event in events:
            self._repeat(answers, len(self._events))
            self.process(event)
        for after in range(len(events), max((after for after, _, _ in answers), default=-1) + 1):
            self._repeat(answers, after)

    def _repeat(self, answers: Sequence[tuple[int, str, str | None]], now: int) -> None:
        known = {steal.id for steal in self._steals}
        for after, id, resource in answers:
            if after == now and id in known:
                if resource is None:
                    self.unresolve(id)
                else:
                    self.resolve(id, resource)

    def _repr_html_(self) -> str:
        from kibitz.catan.belief.summary import hands_html

        return hands_html(self)

    def snapshot(self) -> dict[str, Any]:
        """Everything, as JSON can hold it: `restore` gives an equal tracker."""
        return {
            "tracker": "catan",
            "version": 1,
            "players": list(self.names),
            "observer": self.observer,
            **asdict(self.config),
            "events": [event.to_json() for event in self._events],
            "answers": [list(answer) for answer in self._answers],
        }

    @classmethod
    def restore(cls, snapshot: Mapping[str, Any]) -> HandTracker:
        """The tracker of a snapshot. Raises a ValueError for anything else."""
        if not isinstance(snapshot, Mapping) or snapshot.get("tracker") != "catan" or snapshot.get("version") != 1:
            raise ValueError('expected a snapshot with "tracker": "catan" and "version": 1')
        try:
            settings = {field.name: snapshot[field.name] for field in fields(TrackerConfig)}
            tracker = cls(snapshot["players"], snapshot["observer"], **settings)
            answers = [(after, id, resource) for after, id, resource in snapshot["answers"]]
            tracker._replay([Event.from_json(event) for event in snapshot["events"]], answers)
            for _, id, _ in answers:
                tracker._tag(id)  # must be there
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"the snapshot is damaged: {error}") from None
        return tracker

    # --- steals -------------------------------------------------------------------------------------------------

    @property
    def steals(self) -> list[UnknownSteal]:
        """All steals whose card the observer did not see, in order."""
        all_odds, answers = self._worlds.all_odds(), self._worlds.answers
        found = []
        for tag, steal in enumerate(self._steals):
            odds = _odds(steal, all_odds.get(tag))
            resolved = next(iter(odds)) if len(odds) == 1 else None
            found.append(replace(steal, odds=odds, resolved=resolved, by_hand=tag in answers))
        return found

    def steal(self, id: str) -> UnknownSteal:
        """The steal with an id."""
        return self.steals[self._tag(id)]

    def _tag(self, id: str) -> int:
        for tag, steal in enumerate(self._steals):
            if steal.id == id:
                return tag
        raise ValueError(f"there is no steal {id!r}; these are {', '.join(steal.id for steal in self._steals) or 'none'}")

    def resolve(self, id: str, resource: str) -> None:
        """Say by hand which card a steal took. Raises a ValueError if that is impossible."""
        tag, label = self._tag(id), resource_number(resource)
        steal = self._steals[tag]
        if steal.resolved is not None:
            if steal.resolved != resource:
                raise ValueError(f"steal {id} was {steal.resolved}, as event {(steal.resolved_by or 0) + 1} proved")
            return
        try:
            self._worlds.answer(tag, label)
            self._answers.append((len(self._events), id, resource))
        except Impossible:
            raise ValueError(f"steal {id} cannot have been {resource}; possible: {', '.join(self.steal(id).odds)}") from None

    def unresolve(self, id: str) -> None:
        """Take back what `resolve` said."""
        tag = self._tag(id)
        if tag not in self._worlds.answers:
            raise ValueError(f"steal {id} was not resolved by hand")
        self._worlds.unanswer(tag)
        if self.approximate:  # what was dropped or mended meanwhile may have depended on it
            self._answers.append((len(self._events), id, None))
        else:
            self._answers = [answer for answer in self._answers if answer[1] != id]

    def chain(self, world: PossibleWorld) -> list[tuple[str, dict[str, float]]]:
        """For a world of now: every unknown steal in order, with its distribution given that this world is the true one."""
        try:
            number = self._worlds.find([n for cards in world.hands for n in cards])
        except Impossible:
            raise ValueError(f"{world} is not possible now") from None
        odds = self._worlds.all_odds(number)
        return [(steal.id, _odds(steal, odds.get(tag))) for tag, steal in enumerate(self._steals)]

    def carriers(self, id: str, resource: str) -> list[tuple[PossibleWorld, float]]:
        """The worlds in which a steal can have been a resource, each with the probability of both, most likely first."""
        joint = self._joint(id, resource)
        chances, counts = self._worlds.probabilities(), self._worlds.counts()
        return [(world_of(counts[i], float(chances[i])), float(joint[i])) for i in most_likely_first(joint)]

    def holders(self, id: str, resource: str) -> tuple[float, ...]:
        """If a steal took this resource: how likely each player is to hold a card of that kind now; otherwise empty."""
        joint = self._joint(id, resource)
        held = self._worlds.counts()[:, list(column(resource_number(resource), len(self.names)))] > 0
        return tuple((joint @ held / joint.sum()).tolist()) if joint.any() else ()

    def _joint(self, id: str, resource: str) -> Floats:
        """For each world how likely it is the true one while the steal was the resource."""
        tag, label = self._tag(id), resource_number(resource)
        known = self._steals[tag].resolved
        if known is None:
            return self._worlds.carriers(tag, label)
        return self._worlds.probabilities() * float(known == resource)

    # --- points and development cards ---------------------------------------------------------------------------

    def dev_cards(self, player: int | str) -> dict[str, Marginal]:
        """The distribution of each development card that a player holds and has not played."""
        seat = self.seat(player)
        return {card: Marginal(self.all_dev_cards.distribution(seat, kind)) for kind, card in enumerate(DEV_CARDS)}

    @property
    def all_dev_cards(self) -> DevCards:
        """The joint posterior of everybody's development cards."""
        return self._points.cards

    def dev_card_count(self, player: int | str) -> int:
        """How many development cards a player holds."""
        return self._points.cards.size(self.seat(player))

    def hidden_points(self, player: int | str) -> tuple[float, ...]:
        """The ladder of hidden victory point cards: [k] is the probability of k or more."""
        return Marginal(self.all_dev_cards.distribution(self.seat(player), VICTORY_POINT)).at_least

    def visible_points(self, player: int | str) -> int:
        """The points that everybody sees, as far as the log told."""
        return self._points.visible[self.seat(player)]

    def wins_now(self, player: int | str) -> float:
        """How likely it is that a player has the points to win (the usual 10, if the goal is unknown), hidden ones included."""
        missing = max(0, (self._points.goal or USUAL_GOAL) - self.visible_points(player))
        ladder = self.hidden_points(player)
        return ladder[missing] if missing < len(ladder) else 0.0

    def _points_after(self, event: Event, repairs: list[Repair]) -> Points:
        """Points and development cards after an event; what no deck explains is refused or repaired."""
        try:
            return self._points.after(event)
        except ImpossibleCards as impossible:
            assert isinstance(event, PlayerEvent)
            cards = self._points.cards
            size = cards.size(event.player)
            hidden = counted(size, "hidden card") + ", none of which can be that" if size else "no hidden card"
            possible = f"{cards.left} cards left" if isinstance(event, BuyDevCard) else hidden
            error = Contradiction(len(self._events), event, event.player, str(impossible), possible, self.names)
        if self.config.on_contradiction == "raise":
            raise error
        points, unknown = self._points.mended(event)
        repairs.append(Repair(len(self._events), unknown, str(error)))
        return points

    # --- how far the figures can be trusted ---------------------------------------------------------------------

    @property
    def repairs(self) -> tuple[Repair, ...]:
        """The contradictions that were mended."""
        return tuple(self._repairs)

    @property
    def approximate(self) -> bool:
        """Whether the figures are not exact: worlds were dropped, or a contradiction was mended."""
        return bool(self._repairs) or bool(self._worlds.dropped > 0)


def _odds(steal: UnknownSteal, odds: Floats | None) -> dict[str, float]:
    """The odds of a steal by name; certainty, if it is resolved."""
    if odds is None:
        assert steal.resolved is not None
        return {steal.resolved: 1.0}
    return {resource: p for resource, p in zip(RESOURCES, odds.tolist(), strict=True) if p > 0}
