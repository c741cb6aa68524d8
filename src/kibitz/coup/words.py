"""Coup in words, as one seat sees it: what happens as sentences, what may be done as choices, what is expected as a line.

>>> from kibitz.coup import steal
>>> from kibitz.coup.core.setup import setup
>>> view = setup([3, 5], hands={0: ["duke", "contessa"]})
>>> words = Words(0, ("Ann", "Bob"))
>>> words.situation(view), words.choice(view, steal(1).code)
('It is your turn.', Choice(text='steal 2', bluff=True, meaning='takes 2 from Bob (Captain, Ambassador block)'))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from kibitz.coup.core.actions import BLOCKERS, Action
from kibitz.coup.core.reasons import refuse
from kibitz.coup.core.state import ACTIONS, CHARACTERS, COST, DRAWN, GAIN, NOBODY, PHASES, UNSEEN_CARD, UNSEEN_RETURN, cards_of
from kibitz.game import States, to_dict
from kibitz.ground.texts import capitalised, counted
from kibitz.play.advice import LineStep

#: What somebody does, in the second or third person. To let something pass is not worth a word.
_DEEDS = {
    "income": "take{s} income",
    "foreign_aid": "ask{s} for foreign aid",
    "tax": "claim{s} the Duke, for tax",
    "exchange": "claim{s} the Ambassador, to exchange cards",
    "coup": "pay{s} {cost} coins for a coup against {target}",
    "assassinate": "pay{s} {cost} coins and claim{s} the Assassin, against {target}",
    "steal": "claim{s} the Captain, to steal from {target}",
    "challenge": "challenge{s} {whose} {claim}",
    "block": "claim{s} {cards}, to block",
    "show": "show{s} {cards}",
    "lose": "lose{s} {cards}{unshown}",
    "return_cards": "return{s} {cards}",
}
#: What a choice is good for.
_EFFECTS = {
    "income": "{gain} coin",
    "foreign_aid": "{gain} coins{block}",
    "tax": "{gain} coins",
    "exchange": "two cards from the deck, any two back",
    "coup": "costs {cost}; {target} loses a card",
    "assassinate": "costs {cost}; {target} loses a card{block}",
    "steal": "takes {gain} from {target}{block}",
    "challenge": "{claimant} loses a card, or you do if the {claim} is there",
    "show": "the challenger loses a card; you get a new one for it",
}
#: What is asked, by phase.
_QUESTIONS = {
    "ACTION": "It is your turn.",
    "RETURN": "Which two cards go back to the deck?",
    "LOSE": "You lose a card. Which one?",
    "SHOW": "Your {claim} is challenged by {challenger}.",
    "BLOCK": "Do you block {deed}?",
    "CHALLENGE": "Do you challenge {whose} {claim}?",
}
#: What somebody may block, as a question names it.
_BLOCKED = {"foreign_aid": "foreign aid", "assassinate": "the assassin", "steal": "the theft"}


def rule_facts(kind: str) -> dict[str, Any]:
    """What a kind of action costs and brings, and who blocks it, by the rules.

    >>> rule_facts("steal")
    {'cost': 0, 'gain': 2, 'block': ' (Captain, Ambassador block)'}
    """
    if kind not in ACTIONS:
        return {}
    action, blockers = ACTIONS.index(kind), [card.title() for card in BLOCKERS[kind]]
    block = f" ({', '.join(blockers)} {'blocks' if len(blockers) == 1 else 'block'})" if blockers else ""
    return {"cost": int(COST[action]), "gain": int(GAIN[action]), "block": block}


def both(cards: Sequence[str]) -> str:
    """One card or two in a sentence.

    >>> both(["duke"]), both(["duke", "captain"]), both(["duke", "duke"])
    ('the Duke', 'the Duke and the Captain', 'two Dukes')
    """
    if len(cards) == 2 and cards[0] == cards[1]:
        return f"two {cards[0].title()}s"
    return " and ".join(f"the {card.title()}" for card in cards)


@dataclass(frozen=True)
class Words:
    """The names of a table: seat `you` is spoken to, the others are spoken of."""

    you: int
    names: tuple[str, ...] = ()
    """What the players are called; who has no name (or a number for one) is called by the seat."""

    def name(self, seat: int) -> str:
        """How a seat is called within a sentence."""
        if seat == self.you:
            return "you"
        return self.names[seat] if self.names and not self.names[seat].isdigit() else f"player {seat + 1}"

    def subject(self, seat: int) -> str:
        """How a seat is called at the beginning of a sentence."""
        return capitalised(self.name(seat))

    def does(self, seat: int, verb: str, rest: str = "") -> str:
        """A sentence in the second or third person: ``You show the Duke.``, ``Player 2 shows the Duke.``."""
        return f"{self.subject(seat)} {verb}{'' if seat == self.you else 's'}{rest}."

    def tell(self, before: States, code: int, after: States) -> Iterator[str]:
        """One step in sentences: `code` is what was seen of it, `before` and `after` are views."""
        old, new = to_dict(before), to_dict(after)
        yield from self._deed(old, code)
        yield from self._effects(old, new)

    def _deed(self, old: dict[str, Any], code: int) -> Iterator[str]:
        seat, phase = old["active"], PHASES[old["phase"]]
        if code < 0 or code >= DRAWN:
            yield from self._drawn(seat, phase, code)
            return
        action, claim = Action.from_code(code), CHARACTERS[old["claim"]].title()
        if action.kind in _DEEDS:
            names = {
                "s": "" if seat == self.you else "s",
                "target": None if action.target is None else self.name(action.target),
                "cards": both(action.cards),
                "whose": self._whose(old),
                "claim": claim,
                "unshown": f" without showing the {claim}" if phase == "SHOW" else "",
            }
            yield f"{self.subject(seat)} {_DEEDS[action.kind].format(**names, **rule_facts(action.kind))}."

    def _whose(self, row: dict[str, Any]) -> str:
        """Whose claim is on the table: ``your``, ``player 2's``."""
        claimant = _claimant(row)
        return "your" if claimant == self.you else f"{self.name(claimant)}'s"

    def _drawn(self, seat: int, phase: str, code: int) -> Iterator[str]:
        if code >= 0:
            cards = both(Action.from_code(code).cards)
            yield f"You are dealt {cards}." if phase == "DEAL" else f"You draw {cards}."
        elif code == UNSEEN_RETURN:
            yield self.does(seat, "return", " two cards")
        elif phase != "DEAL":
            yield self.does(seat, "draw", " a new card" if code == UNSEEN_CARD else " two cards")

    def _effects(self, old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
        """What the step changed, seen from the coins and the cards on the table."""
        player, target = old["player"], old["target"]
        gained = new["coins"][player] - old["coins"][player]
        if gained > 0 and old["action"] >= 0:
            if PHASES[old["phase"]] == "SHOW" and old["blocker"] == NOBODY:
                yield self.does(player, "get", f" the {gained} coins back")
            elif ACTIONS[old["action"]] == "steal":
                yield self.does(player, "take", f" {counted(gained, 'coin')} from {self.name(target)}")
            else:
                yield self.does(player, "take", f" {counted(gained, 'coin')}")
        for seat in range(old["seats"]):
            if old["influence"][seat] > 0 and new["influence"][seat] == 0:
                yield f"{self.subject(seat)} {'are' if seat == self.you else 'is'} out."
        if old["blocker"] != NOBODY and new["turn"] > old["turn"] and PHASES[old["phase"]] in ("CHALLENGE", "REPLACE"):
            yield "The block stands."

    def situation(self, view: States) -> str:
        """What is asked of the seat that is spoken to."""
        row = to_dict(view)
        return _QUESTIONS[PHASES[row["phase"]]].format(
            claim=CHARACTERS[row["claim"]].title(),
            challenger=self.name(row["challenger"]),
            deed=_BLOCKED.get(ACTIONS[row["action"]]),
            whose=self._whose(row),
        )

    def choice(self, view: States, code: int) -> Choice:
        """A legal action as it may be typed, with what it means."""
        action, row = Action.from_code(code), to_dict(view)
        target = None if action.target is None else self.name(action.target)
        names = {"target": target, "claimant": self.name(_claimant(row)), "claim": CHARACTERS[row["claim"]].title()}
        meaning = _EFFECTS.get(action.kind, "").format(**names, **rule_facts(action.kind))
        bluff = action.claim is not None and action.claim not in cards_of(row["hand"][self.you])
        return Choice(" ".join(spoken(code)), bluff, meaning)

    def line(self, steps: Iterable[LineStep]) -> Iterator[str]:
        """What a search expects, step by step; to let something pass is not worth a word, and what chance does is unknown."""
        for number, step in enumerate(steps):
            action = None if step.action is None else Action.from_text(step.action)
            if step.seat is None or action is None or (number > 0 and action.kind == "allow"):
                continue
            yield self.deed(action) if number == 0 else f"{self.name(step.seat)}: {self.deed(action)}"

    def deed(self, action: Action) -> str:
        """An action with the name of its target."""
        target = [] if action.target is None else [self.name(action.target)]
        return " ".join([action.kind.replace("_", " ").removesuffix(" cards"), *target, *action.cards])

    def why_not(self, view: States, code: int, reason: int) -> str:
        """Which rule forbids an action, in a sentence."""
        you = f"player {self.you + 1}"
        text = str(refuse(view, code, reason))
        text = text.replace(f"{you} cannot", "you cannot").replace(f"{you} does not", "you do not")
        return f"{text[0].upper()}{text[1:]}."


class Choice(NamedTuple):
    """Something that may be done: what to type, whether it claims a card that is not held, and what it means."""

    text: str
    bluff: bool
    meaning: str


def _claimant(row: dict[str, Any]) -> int:
    return int(row["player"] if row["blocker"] == NOBODY else row["blocker"])


def spoken(code: int) -> list[str]:
    """The words of an action."""
    return Action.from_code(code).to_text().replace("_cards", "").replace("_", " ").split()
