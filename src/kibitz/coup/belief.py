"""Who can hold which influence in Coup: an exact posterior over everybody's cards from what one observer saw.

>>> belief = InfluenceBelief(2, observer=0, bluff=0.25).drew(0, cards=["duke", "captain"]).drew(1, 2)
>>> f"{belief.marginal(1)['duke']:.4f}"  # two Dukes among the 13 cards that player 1 does not see
'0.2949'
>>> belief = belief.claimed(1, "duke")
>>> f"{belief.marginal(1)['duke']:.4f}"  # 0.2949 / (0.2949 + 0.25 * 0.7051)
'0.6259'
>>> belief = belief.shown(1, "duke").replaced(1, "duke").lost(1, "contessa")
>>> belief.hands(1)[("duke",)] == belief.marginal(1)["duke"]
True

Exact means exact under these likelihoods:

- A deal and a draw take any cards of the deck, all alike.
- Who holds a character claims it with some probability, and who does not, `bluff` times as often: 0 means that nobody
  bluffs, 1 that claims tell nothing. A claim counts for the cards held then; every claim counts anew.
- With a `bluff` of None everybody is taken for a player of the blueprint (`kibitz.coup.blueprint.reading`): what anybody does
  or lets pass is as likely as such a player with those cards would do it. Claims of which only the character is known count by
  how often that player bluffs on the whole.
- Who is challenged and holds the card shows it; with probability `decline` not, if there is another card to lose.
- A card that is lost is any of those that may be lost, all alike (of two different ones, either), and so are the two
  that an exchange returns (of the four cards in hand, any two).
- What the observer does is no news to the observer. With a number for `bluff`, to let something pass tells nothing.
"""

from __future__ import annotations

from math import fsum
from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from kibitz import game
from kibitz.belief.hand_deals import Deals, Floats, Hand, Numbers
from kibitz.coup.blueprint.reading import TRUST, Kept, Odds, bluff_rates, odds_of, returns_of
from kibitz.coup.core.actions import Action
from kibitz.coup.core.cards import claimant, hand_size
from kibitz.coup.core.engine import GAME
from kibitz.coup.core.game_state import GameState
from kibitz.coup.core.state import (
    CHARACTERS, COPIES, DO_RETURN, KINDS, LOSE, NOBODY, SEATS, SHOW, UNSEEN_CARD, UNSEEN_CARDS, UNSEEN_RETURN, Character,
    cards_of, new_states,
)  # fmt: skip
from kibitz.game import States, structs
from kibitz.game.doors import deal_all, number_seeds
from kibitz.ground.texts import counted
from kibitz.ground.jit import uint64
from kibitz.ground.texts import Mistake
from kibitz.ground.rng import derive_seed

#: How many cards are drawn or returned when the observer does not see which.
_UNSEEN = {UNSEEN_CARD: 1, UNSEEN_CARDS: 2, UNSEEN_RETURN: 2}


def _names(hand: Hand) -> tuple[str, ...]:
    return tuple(cards_of([*hand]))


class Event(NamedTuple):
    """Something that an observer saw: `cards` by name, or how many stayed `face_down`."""

    kind: str
    seat: int
    cards: tuple[str, ...] = ()
    face_down: int = 0
    odds: Odds = ()
    """By hand: how likely a player of the blueprint would have done it, where the position is known."""
    left: Kept = ()
    """By hand: what such a player would keep of it in an exchange."""

    def text(self) -> str:
        """The event in words."""
        if self.kind == "declined":
            return f"player {self.seat + 1} did not show {self.cards[0]} and lost {self.cards[1]}"
        what = " ".join(self.cards) or counted(self.face_down, "card")
        return f"player {self.seat + 1} {self.kind} {what}"


class Contradiction(Mistake):
    """An event that no way in which the cards can lie allows; the belief is as it was."""

    def __init__(self, index: int, event: Event, possible: Sequence[str], bluff: float | None) -> None:
        self.index = index
        self.event = event
        self.possible = tuple(possible)
        self.bluff = bluff
        holds = f"player {event.seat + 1} can hold {', '.join(possible) or 'nothing'}"
        super().__init__(f"{event.text()}: that cannot be, {holds}{', if nobody bluffs' if bluff == 0 else ''}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Contradiction, (self.index, self.event, self.possible, self.bluff)


@dataclass(frozen=True, slots=True, repr=False)
class InfluenceBelief:
    """What an observer (a seat; None: a spectator) can know of all hands. Every event gives a new belief.

    A new one is about a table of `seats` before the deal. An event that contradicts the others raises a
    `Contradiction`; a `forgiving` belief then forgets the claims that stand against it, first those of the same player,
    then all.

    Every combination of hands has its place in an array: with six players 6 MB for a seat and 90 MB for a spectator, and
    five times as much while somebody exchanges cards.
    """

    seats: int
    observer: int | None = None
    _: KW_ONLY
    bluff: float | None = None
    decline: float = 0.0
    trust: float = TRUST
    """Without a `bluff`: how far everybody is taken for a player of the blueprint; 1: for nobody else."""
    forgiving: bool = False
    events: tuple[Event, ...] = ()
    """Everything that made this belief."""
    _deals: Deals = field(default=Deals.start(0, ()), compare=False)

    def __post_init__(self) -> None:
        if not 2 <= self.seats <= SEATS:
            raise ValueError(f"{self.seats} seats: Coup is for 2 to {SEATS} players")
        if self.observer is not None and not 0 <= self.observer < self.seats:
            raise ValueError(f"observer {self.observer}: expected None or a seat from 0 to {self.seats - 1}")
        for name, value in (("bluff", self.bluff), ("decline", self.decline), ("trust", self.trust)):
            if value is not None and not 0 <= value <= 1:
                raise ValueError(f"{name}={value}: expected a number from 0 to 1")
        if not self.events:
            object.__setattr__(self, "_deals", Deals.start(self.seats, (COPIES,) * KINDS))

    @classmethod
    def at(cls, states: States, observer: int | None, **options: Any) -> InfluenceBelief:
        """The belief of somebody who sees ``states[0]`` and knows nothing of how it came about.

        Of ``states`` only what the observer sees is used.
        """
        row = np.asarray(states)[0]
        seats = int(row["seats"])
        belief = cls(seats, observer, **options)
        for seat in range(seats):
            if row["revealed"][seat].any():
                belief = belief.revealed(seat, _names(tuple(row["revealed"][seat].tolist())))
        if observer is not None and row["hand"][observer].any():
            belief = belief.drew(observer, cards=_names(tuple(row["hand"][observer].tolist())))
        for seat in range(seats):
            if seat != observer and (size := int(hand_size(states[0], seat))):
                belief = belief.drew(seat, size)
        if row["phase"] == LOSE and row["challenger"] != NOBODY:
            belief = belief.shown(int(claimant(states[0])), CHARACTERS[row["claim"]])
        return belief

    @classmethod
    def of(cls, state: GameState, observer: int | None, **options: Any) -> InfluenceBelief:
        """The belief of an observer who followed a game from the deal to `state` (which must be the whole truth)."""
        start = new_states(len(state.players), state.rules)
        replayed, codes = start.copy(), [action.code for action in state.actions]
        for code in codes:
            if game.why_not_at(replayed, 0, code):
                break
            game.apply_at(replayed, 0, code)
        if replayed.tobytes() != state.states.tobytes():
            raise ValueError("this game did not begin with a deal: `at` gives a belief without a past")
        return cls.following(start, codes, observer, **options)

    @classmethod
    def following(cls, states: States, codes: Iterable[int], observer: int | None, **options: Any) -> InfluenceBelief:
        """The belief of an observer who saw a game from ``states[0]`` on, given all that happened, hidden or not."""
        states = states[:1].copy()
        belief = cls.at(states, observer, **options)
        seat = NOBODY if observer is None else observer
        for code in codes:
            belief = belief.see(states, 0, game.seen_at(states, 0, code, seat))
            game.apply_at(states, 0, code)
        return belief

    def public(self) -> InfluenceBelief:
        """What a spectator can know, who saw the same game: the observer's own cards are as hidden as all others.

        With a `bluff` of 0 a spectator may find impossible what the observer knows to be its own bluff: a `Contradiction`.
        """
        belief = InfluenceBelief(
            self.seats, None, bluff=self.bluff, decline=self.decline, trust=self.trust, forgiving=self.forgiving
        )
        for event in self.events:
            private = event.kind == "drew" or (event.kind == "returned" and len(event.cards) != 1)  # one card was shown
            hidden = event._replace(cards=(), face_down=len(event.cards))
            belief = belief._take(hidden if private and event.cards else event)
        return belief

    def __repr__(self) -> str:
        eyes = "a spectator" if self.observer is None else f"player {self.observer + 1}"
        return f"<InfluenceBelief of {eyes}: {self.seats} players, {len(self.events)} events>"

    # --- events ---------------------------------------------------------------------------------------------------

    def see(self, states: States, i: int, code: int) -> InfluenceBelief:
        """The belief after a step of the game: what the observer has `seen` of it, and the position before.

        Only what is public in ``states[i]`` is read.
        """
        row = np.asarray(states)[i]
        phase, seat = int(row["phase"]), int(row["active"])
        if code in _UNSEEN:
            if code != UNSEEN_RETURN:
                return self.drew(seat, _UNSEEN[code])
            left = returns_of(states, i, self.trust) if self.bluff is None else ()
            return self._take(self._move("returned", seat, _UNSEEN[code], ())._replace(left=left))
        action = Action.from_code(code)
        if code >= DO_RETURN and seat != self.observer:
            raise ValueError(f"{action.to_text()} of player {seat + 1}: the observer does not see these cards")
        if action.kind == "drawn":
            return self.drew(seat, cards=action.cards)
        if action.kind == "return_cards":
            return self.returned(seat, cards=action.cards)
        if action.kind == "show":
            return self.shown(seat, action.cards[0])
        if phase == SHOW:
            return self.declined(seat, CHARACTERS[row["claim"]], action.cards[0])
        odds = odds_of(states, i, code, self.trust) if self.bluff is None else ()
        if action.claim is not None:
            return self._take(Event("claimed", seat, (action.claim,), odds=odds))
        if action.kind != "lose":
            return self._take(Event("acted", seat, odds=odds)) if odds else self
        belief = self._take(Event("lost", seat, action.cards, odds=odds))
        alive = np.count_nonzero(row["influence"]) - (row["influence"][seat] == 1)
        if row["challenger"] == NOBODY or alive < 2:  # no challenge was lost, or nobody is left to draw against
            return belief
        return belief.returned(int(claimant(states[i])), cards=[CHARACTERS[row["claim"]]])

    def revealed(self, seat: int, cards: Sequence[str]) -> InfluenceBelief:
        """Cards lie open already when the story begins (`lost` is for those that are turned up later)."""
        return self._take(Event("revealed", seat, _checked(cards)))

    def drew(self, seat: int, count: int | None = None, *, cards: Sequence[str] = ()) -> InfluenceBelief:
        """Somebody takes cards from the deck: the observer knows which, if they are the observer's own, else how many."""
        return self._take(self._move("drew", seat, count, cards))

    def returned(self, seat: int, count: int | None = None, *, cards: Sequence[str] = ()) -> InfluenceBelief:
        """Cards go back into the deck: known ones (the observer's own, or one that was shown), or any of the hand."""
        return self._take(self._move("returned", seat, count, cards))

    def claimed(self, seat: int, card: str) -> InfluenceBelief:
        """Somebody says that they hold a character, for an action or for a block."""
        return self._take(Event("claimed", seat, _checked([card])))

    def shown(self, seat: int, card: str) -> InfluenceBelief:
        """Somebody proves a claim. The card is still in the hand: `replaced` is what follows."""
        return self._take(Event("shown", seat, _checked([card])))

    def lost(self, seat: int, card: str) -> InfluenceBelief:
        """Somebody loses an influence and chooses this card."""
        return self._take(Event("lost", seat, _checked([card])))

    def declined(self, seat: int, card: str, lost: str) -> InfluenceBelief:
        """Somebody is challenged, does not show `card` and loses another one."""
        if card == lost:
            raise ValueError(f"{card}: who loses the card that was claimed has shown it")
        return self._take(Event("declined", seat, (*_checked([card]), *_checked([lost]))))

    def replaced(self, seat: int, card: str, drawn: str | None = None) -> InfluenceBelief:
        """A card that was shown goes into the deck, and another one is drawn; the observer knows which, if it is their own."""
        belief = self.returned(seat, cards=[card])
        return belief.drew(seat, 1) if drawn is None else belief.drew(seat, cards=[drawn])

    def exchanged(self, seat: int, drawn: Sequence[str] = (), returned: Sequence[str] = ()) -> InfluenceBelief:
        """Two cards are drawn, and any two go back (the observer knows their own)."""
        if drawn or returned:
            return self.drew(seat, cards=drawn).returned(seat, cards=returned)
        return self.drew(seat, 2).returned(seat, 2)

    def _move(self, kind: str, seat: int, count: int | None, cards: Sequence[str]) -> Event:
        """Cards between a hand and the deck, checked: either their names or their number is known."""
        if bool(cards) == (count is not None) or (count is not None and count < 1):
            raise ValueError(f"{kind}: expected either a number of cards or the cards")
        if seat == self.observer and not cards:
            raise ValueError(f"{kind}: the observer knows their own cards")
        return Event(kind, seat, _checked(cards), count or 0)

    def _take(self, event: Event) -> InfluenceBelief:
        """The belief after an event."""
        if not 0 <= event.seat < self.seats:
            raise ValueError(f"seat {event.seat}: expected 0 to {self.seats - 1}")
        after = self._after(event)
        if after is None and self.forgiving:
            after = self._forgive(event)
        if after is None:
            possible = [name for name, p in self.marginal(event.seat).items() if p > 0]
            raise Contradiction(len(self.events), event, possible, self.bluff)
        return after

    def _forgive(self, event: Event) -> InfluenceBelief | None:
        """The belief after an event without the claims that contradict it; an impossible claim itself is passed over.

        If that is not enough, somebody did not show a card that they held for certain.
        """
        everybody = set(range(self.seats))
        for culprits, decline in (({event.seat}, self.decline), (everybody, self.decline), (everybody, 0.5)):
            belief: InfluenceBelief | None = InfluenceBelief(
                self.seats, self.observer, bluff=self.bluff, decline=decline, trust=self.trust
            )
            kept = [past for past in self.events if past.kind != "claimed" or past.seat not in culprits]
            for past in (*kept, event):
                belief = belief._after(past) if belief is not None else None
            if belief is not None:
                return replace(belief, decline=self.decline, forgiving=True)
        return self if event.kind == "claimed" else None

    # --- what events do to the weights ----------------------------------------------------------------------------

    def _after(self, event: Event) -> InfluenceBelief | None:
        """The belief after an event; None if it is impossible."""
        cards = [CHARACTERS.index(Character(name)) for name in event.cards]
        deals = self._dealt(event, cards)
        if not deals.possible:
            return None
        return replace(self, events=(*self.events, event), _deals=deals)

    def likely(self, event: Event) -> Callable[[Hand], float]:
        """By hand: how likely (or in what proportion) it makes something that its seat said or did."""
        if event.odds or event.kind != "claimed":
            return _by(event.odds)
        card = CHARACTERS.index(Character(event.cards[0]))
        bluff = bluff_rates()[card] if self.bluff is None else self.bluff
        return lambda hand: 1.0 if hand[card] else bluff

    def _dealt(self, event: Event, cards: list[int]) -> Deals:
        """What an event does to the deals. What the observer does is certain, whatever others would do."""
        kind, seat, face_down = event.kind, event.seat, event.face_down
        deals, own = self._deals, seat == self.observer
        if kind == "revealed":
            for card in cards:  # as if it were drawn and lost at once, so that hands that need it are ruled out
                deals = deals.gain(seat, card).drop(seat, card, _this_card).open(card)
        elif kind == "drew":
            for drawn in cards or (None,) * face_down:
                deals = deals.gain(seat, drawn)
        elif kind == "acted":
            deals = deals if own else deals.weigh(seat, _by(event.odds))
        elif kind == "returned" and event.left:
            kept = dict(event.left)
            deals = deals.change(seat, lambda hand: kept.get(hand, ()))
        elif kind == "returned":
            for gone in cards or (None,) * face_down:
                deals = deals.drop(seat, gone, _any_card if gone is None else _this_card)
        elif kind == "claimed":
            deals = deals if own else deals.weigh(seat, self.likely(event))
        elif kind == "shown":
            may = 1.0 if own else 1 - self.decline
            deals = deals.weigh(seat, lambda hand: (1.0 if hand[cards[0]] == sum(hand) else may) if hand[cards[0]] else 0.0)
        elif kind == "lost":
            chance = _any_card
            if event.odds:
                wanted = _by(event.odds)
                chance = lambda hand, card: wanted(hand)  # noqa: E731
            deals = deals.drop(seat, cards[0], _this_card if own else chance).open(cards[0])
        else:
            claim, lost = cards
            if not own:
                deals = deals.weigh(seat, lambda hand: self.decline if hand[claim] else 1.0)
            other = _this_card if own else lambda hand, card: hand[card] / (sum(hand) - hand[claim])
            deals = deals.drop(seat, lost, other).open(lost)
        return deals

    # --- questions ------------------------------------------------------------------------------------------------

    def sizes(self) -> list[int]:
        """How many cards everybody holds."""
        return [sum(hands[0]) for hands in self._deals.hands]

    def hands(self, seat: int) -> dict[tuple[str, ...], float]:
        """What a seat can hold, with probabilities, the most likely first."""
        found = {_names(hand): p for hand, p in self._hands(seat) if p > 0}
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    def marginal(self, seat: int) -> dict[str, float]:
        """By character: the probability that a seat holds at least one."""
        return self._mean(seat, lambda count: float(count > 0))

    def expected(self, seat: int) -> dict[str, float]:
        """By character: how many of them a seat holds on average."""
        return self._mean(seat, float)

    def joint(self, limit: int | None = None) -> list[tuple[tuple[tuple[str, ...], ...], float]]:
        """Everybody's hands, in seat order, with their probabilities: the `limit` most likely first, or all."""
        flat = self._deals.weights.ravel()
        order = np.argsort(-flat, kind="stable")[: np.count_nonzero(flat)][:limit]
        cells = zip(*(axis.tolist() for axis in np.unravel_index(order, self._deals.weights.shape)), strict=True)
        hands = [tuple(_names(self._deals.hands[seat][at]) for seat, at in enumerate(cell)) for cell in cells]
        return list(zip(hands, flat[order].tolist(), strict=True))

    def draw(self, n: int, seed: int) -> States:
        """`n` worlds of the game. World number i depends on the seed and on i alone."""
        return self._worlds(self._cells(n, seed))

    def fitted(self, n: int, seed: int) -> tuple[States, Floats, bool]:
        """About `n` different worlds, as drawn, with weights by which everybody's hand is as likely as it is.

        The last value says whether such weights were found.
        """
        cells, weights, found = self._deals.fitted(self._cells(n, seed))
        return self._worlds(cells), weights, found

    def _cells(self, n: int, seed: int) -> Numbers:
        """The places of `n` drawn deals among all."""
        seeds = np.zeros(n, np.uint64)
        number_seeds(seeds, uint64(derive_seed(seed, "influence")), 0)
        flat = self._deals.weights.ravel()
        ladder = np.cumsum(flat)
        at = np.searchsorted(ladder, (seeds >> np.uint64(11)) * (0.5**53 * ladder[-1]), side="right")
        return np.asarray(np.minimum(at, np.flatnonzero(flat)[-1]))

    def _worlds(self, cells: Numbers) -> States:
        """The worlds of some deals."""
        worlds = structs(GAME.world, len(cells))
        for seat, axis in enumerate(np.unravel_index(cells, self._deals.weights.shape)):
            worlds["hand"][:, seat] = np.array(self._deals.hands[seat], np.int8)[axis]
        return worlds

    def deal(self, states: States, n: int, seed: int) -> States:
        """`n` positions that look to the observer like ``states[0]``, with hands drawn from this belief."""
        row = np.asarray(states)[0]
        unrevealed = COPIES - row["revealed"].sum(axis=0)
        sizes = [int(hand_size(states[0], seat)) for seat in range(int(row["seats"]))]
        own = None if self.observer is None else tuple(row["hand"][self.observer].tolist())
        if (
            self.sizes() != sizes
            or list(self._deals.hidden) != unrevealed.tolist()
            or (self.observer is not None and self._deals.hands[self.observer] != (own,))
        ):
            raise ValueError("the belief and the position do not agree about the cards")
        dealt = structs(GAME.state, n)
        dealt[:] = row
        deal_all(dealt, self.draw(n, seed))
        return dealt

    def _hands(self, seat: int) -> list[tuple[Hand, float]]:
        return list(zip(self._deals.hands[seat], self._deals.of(seat).tolist(), strict=True))

    def _mean(self, seat: int, value: Callable[[int], float]) -> dict[str, float]:
        hands = self._hands(seat)
        return {character.value: fsum(p * value(hand[card]) for hand, p in hands) for card, character in enumerate(CHARACTERS)}


def _by(odds: Odds) -> Callable[[Hand], float]:
    """How likely each hand makes something; where nothing is known of it, it tells nothing."""
    known = dict(odds)
    return lambda hand: known.get(hand, 1.0)


def _any_card(hand: Hand, card: int) -> float:
    """How likely one of the cards of a hand, all alike, is of a character."""
    return hand[card] / sum(hand)


def _this_card(hand: Hand, card: int) -> float:
    """What was shown goes back, and what the observer gives up is what the observer wants to."""
    return 1.0


def _checked(cards: Sequence[str]) -> tuple[str, ...]:
    """The names of cards, each of which must be one."""
    return tuple(Character(name).value for name in cards)
