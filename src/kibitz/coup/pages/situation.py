"""A situation of Coup that is told in words or clicked together: both are the same text.

>>> from kibitz.coup import steal
>>> sketch = Sketch.fresh(3).claim(1, "duke").say(1, steal(0))
>>> print(sketch.text())
players Ann Bob Cid; I am Ann
cards duke captain; coins 2 2 2
Bob claimed duke
Bob steals from Ann
>>> understand(sketch.text()).question
"Do you challenge Bob's Captain?"
>>> understand("coins 2 2; cards dragon")
Traceback (most recent call last):
...
kibitz.coup.core.situation.SituationError: line 1: 'cards dragon': 'dragon' is not a character; these are duke, ...
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from kibitz import game
from kibitz.coup.advise import belief_of
from kibitz.coup.belief import InfluenceBelief
from kibitz.coup.bots import BLUFF
from kibitz.coup.core import actions
from kibitz.coup.core.actions import Action
from kibitz.coup.core.game_state import GameState
from kibitz.coup.core.setup import Fact
from kibitz.coup.core.situation import Situation, read_situation
from kibitz.coup.core.state import DRAWN, INFLUENCES, SEATS, Rules, cards_of, new_states
from kibitz.coup.pages.matches import AIMED, Seat, seats_of
from kibitz.coup.words import Words
from kibitz.game import States
from kibitz.ground.texts import Mistake
from kibitz.play.names import NAMES, YOU

#: The longest text, the most facts and the most exchanges in it that are read: a belief about six players takes its time.
LONGEST, MOST_FACTS, MOST_EXCHANGES = 3000, 80, 12
_PRESENT = {
    "income": "takes income", "foreign_aid": "takes foreign aid", "tax": "taxes", "exchange": "exchanges", "coup": "coups",
    "assassinate": "assassinates", "steal": "steals from", "allow": "allows", "challenge": "challenges",
    "block": "blocks with", "show": "shows", "lose": "loses", "drawn": "draws",
}  # fmt: skip


class Said(NamedTuple):
    """What a player does in this turn."""

    seat: int
    action: Action

    def text(self, names: Sequence[str]) -> str:
        """In the present tense, as `read_situation` reads it."""
        target = [] if self.action.target is None else [names[self.action.target]]
        return " ".join([names[self.seat], _PRESENT[self.action.kind], *target, *self.action.cards])


@dataclass(frozen=True)
class Sketch:
    """A situation as it is clicked together. Every change gives a new one; `text` is what it says."""

    names: tuple[str, ...]
    observer: int
    cards: tuple[str, ...]
    coins: tuple[int, ...]
    turn: int
    """Whose turn it is."""
    past: tuple[str, ...] = ()
    """What happened before this turn, one sentence each."""
    now: tuple[Said, ...] = ()
    """What happens in this turn."""

    @classmethod
    def fresh(cls, seats: int) -> Sketch:
        """The start of a game."""
        coins = tuple(int(n) for n in new_states(seats)["coins"][0, :seats])
        return cls(NAMES[:seats], 0, ("duke", "captain"), coins, 0)

    @classmethod
    def of(cls, told: Situation) -> Sketch:
        """What was told, as if it had been clicked together."""
        names, before = told.names, told.seen[0].states if told.seen else told.states
        seats = len(names)
        return cls(
            names=names,
            observer=told.observer,
            cards=tuple(cards_of(before["hand"][0, told.observer].tolist())),
            coins=tuple(int(n) for n in before["coins"][0, :seats]),
            turn=int(before["player"][0]),
            past=tuple(_facts(told.facts, names)),
            now=tuple(_steps(told)),
        )

    def text(self) -> str:
        """The situation in words that `read_situation` reads."""
        held = f"cards {' '.join(self.cards)}; " if self.cards else ""
        players = str(len(self.names)) if self._numbered else " ".join(self.names)
        lines = [
            f"players {players}; I am {self.names[self.observer]}",
            f"{held}coins {' '.join(map(str, self.coins))}",
            *self.past,
            *(said.text(self.names) for said in self.now),
        ]
        if not self.now and self.turn != self.observer:
            lines.append(f"turn {self.names[self.turn]}")
        if (claimant := self._challenged()) not in (None, self.observer):
            lines.append(f"{self.names[claimant]} to answer")
        return "\n".join(lines)

    @property
    def _numbered(self) -> bool:
        """Whether the players have numbers instead of names."""
        return all(name == str(number + 1) for number, name in enumerate(self.names))

    def _challenged(self) -> int | None:
        """Whose claim was challenged in the last step, if it was."""
        if not self.now or self.now[-1].action != actions.challenge():
            return None
        return next((said.seat for said in reversed(self.now) if said.action.claim), None)

    def answers(self) -> list[Said]:
        """What can be said next: an action of the player whose turn it is, or what others (and the observer) do about it."""
        seats = range(len(self.names))
        if not self.now:
            found = [actions.tax(), actions.foreign_aid(), actions.exchange()]
            found += [Action(kind, target) for kind in AIMED for target in seats if target != self.turn]
            return [] if self.turn == self.observer else [Said(self.turn, action) for action in found]
        blocked = any(said.action.kind == "block" for said in self.now)
        answers = [actions.challenge(), *map(actions.block, () if blocked else self.now[0].action.blockers)]
        others = [seat for seat in seats if seat not in (self.observer, self.now[-1].seat)]
        return [Said(self.observer, actions.allow()), *(Said(seat, action) for seat in others for action in answers)]

    def seated(self, seats: int) -> Sketch:
        """With this many players; what was told of those who leave is forgotten."""
        if seats < len(self.names):
            gone = self.names[seats:]
            past = tuple(fact for fact in self.past if not set(fact.split()) & set(gone))
            observer, turn = min(self.observer, seats - 1), min(self.turn, seats - 1)
            return Sketch(self.names[:seats], observer, self.cards, self.coins[:seats], turn, past)
        usual = NAMES if not self._numbered else [str(seat + 1) for seat in range(SEATS)]
        fresh = tuple([name for name in usual if name not in self.names][: seats - len(self.names)])
        return replace(self, names=self.names + fresh, coins=self.coins + (2,) * len(fresh))

    def who_asks(self, seat: int) -> Sketch:
        """Another player asks; what this one knows of their own cards is forgotten."""
        mine = self.names[self.observer]
        past = tuple(fact for fact in self.past if not (fact.startswith(f"{mine} ") and "drew" in fact))
        return replace(self, observer=seat, turn=seat if not self.now else self.turn, past=past)

    def purse(self, seat: int, coins: int) -> Sketch:
        """A player has this many coins."""
        return replace(self, coins=(*self.coins[:seat], max(0, coins), *self.coins[seat + 1 :]))

    def hold(self, card: str) -> Sketch:
        """The observer takes a card; a full hand gives up its first one."""
        room = INFLUENCES - sum(fact.startswith(f"{self.names[self.observer]} lost") for fact in self.past)
        return replace(self, cards=(*self.cards, card)[-max(1, room) :])

    def claim(self, seat: int, card: str) -> Sketch:
        """A player has claimed a card in an earlier turn."""
        return replace(self, past=(*self.past, f"{self.names[seat]} claimed {card}"))

    def lose(self, seat: int, card: str) -> Sketch:
        """A player has lost a card in an earlier turn; the observer then holds one less."""
        cards = self.cards
        if seat == self.observer and len(cards) > 1:
            kept = list(cards)
            kept.remove(card if card in kept else kept[-1])
            cards = tuple(kept)
        return replace(self, cards=cards, past=(*self.past, f"{self.names[seat]} lost {card}"))

    def forget(self, number: int) -> Sketch:
        """Take a sentence about the past back."""
        return replace(self, past=(*self.past[:number], *self.past[number + 1 :]))

    def turn_of(self, seat: int) -> Sketch:
        """It is this player's turn, and nothing is announced."""
        return replace(self, turn=seat, now=())

    def say(self, seat: int, action: Action) -> Sketch:
        """A player announces something, or answers to it."""
        return replace(self, turn=self.turn if self.now else seat, now=(*self.now, Said(seat, action)))

    def unsay(self) -> Sketch:
        """Take the last step of this turn back."""
        return replace(self, now=self.now[:-1])


def _facts(facts: Sequence[Fact], names: Sequence[str]) -> Iterator[str]:
    """What happened before, a sentence each."""
    for number, (kind, seat, cards, drew, returned) in enumerate(facts):
        after = facts[number + 1] if number + 1 < len(facts) else None
        if kind == "claimed" and cards == ("ambassador",) and after is not None and after[:2] == ("exchanged", seat):
            continue  # the exchange says so
        words = " ".join([kind, *cards])
        if kind == "declined":
            words = f"did not show {cards[0]}, lost {cards[-1]}"
        more = [f"drew {' '.join(drew)}"] * bool(drew) + [f"returned {' '.join(returned)}"] * bool(returned)
        yield ", ".join([f"{names[seat]} {words}", *more])


def _steps(told: Situation) -> Iterator[Said]:
    """What happens in this turn; whoever lets it pass is worth a word only if it is the observer."""
    for step in told.seen:
        if step.code < 0:
            continue
        seat, action = int(step.states["active"][0]), Action.from_code(step.code)
        if (action.kind == "allow" and seat != told.observer) or (step.code >= DRAWN and seat != told.observer):
            continue
        yield Said(seat, action)


@dataclass(frozen=True)
class Understood:
    """A situation that was understood: the position, and what can be known in it."""

    sketch: Sketch
    states: States
    belief: InfluenceBelief
    words: Words
    seats: tuple[Seat, ...]
    question: str
    """What is asked of the observer; empty where another player is to decide."""
    waits: str
    """Who is to decide, where it is another."""


def understand(text: str, bluff: float | None = BLUFF, rules: Rules = Rules()) -> Understood:  # noqa: B008
    """Read a text. Takes a moment: not for the event loop. Raises `Mistake`."""
    if not text.strip():
        raise Mistake("say what you hold and everybody's coins, as in 'cards duke captain; coins 3 5'")
    if len(text) > LONGEST or len(re.split(r"[;,\n]", text)) > MOST_FACTS:
        raise Mistake(f"at most {LONGEST:,} letters and {MOST_FACTS} facts are read here; the command line reads more")
    if text.lower().count("exchanged") > MOST_EXCHANGES:
        raise Mistake(f"at most {MOST_EXCHANGES} exchanges are read here; the command line reads more")
    told = read_situation(text, None, rules)
    belief = belief_of(told, bluff)
    words = Words(told.observer, told.names)
    actor = game.actor_at(told.states, 0)
    names = [f"Player {name}" if name.isdigit() else name for name in told.names]
    bots = [YOU if seat == told.observer else "" for seat in range(len(names))]
    seats = seats_of(GameState(told.states, observer=told.observer), names, bots, belief, actor)
    mine = actor == told.observer
    return Understood(
        sketch=Sketch.of(told),
        states=told.states,
        belief=belief,
        words=words,
        seats=seats,
        question=words.situation(told.states) if mine else "",
        waits="" if mine else "the deck" if actor < 0 else words.name(actor),
    )
