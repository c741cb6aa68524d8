"""Coup in words, for a game in the terminal: what happens as sentences, what may be done as choices, what is typed as actions.

Everything is told as one seat sees it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.cli.common import is_number
from kibitz.coup.actions import Action
from kibitz.coup.cards import CHARACTERS, Character
from kibitz.coup.codes import ALL_CODES, DRAWN, UNSEEN_CARD, UNSEEN_RETURN
from kibitz.coup.game_state import IllegalAction
from kibitz.coup.position import ACTIONS, PHASES, cards_of
from kibitz.coup.state import NOBODY
from kibitz.game import to_dict
from kibitz.play.share import Z

States = npt.NDArray[np.void]

#: What an announcement does and whom it claims to be, in the third person; {target} is filled in.
_ANNOUNCED = {
    "income": "take{s} income",
    "foreign_aid": "ask{s} for foreign aid",
    "tax": "claim{s} the Duke, for tax",
    "exchange": "claim{s} the Ambassador, to exchange cards",
    "coup": "pay{s} 7 coins for a coup against {target}",
    "assassinate": "pay{s} 3 coins and claim{s} the Assassin, against {target}",
    "steal": "claim{s} the Captain, to steal from {target}",
}
#: What a choice is good for.
_EFFECTS = {
    "income": "1 coin",
    "foreign_aid": "2 coins (Duke blocks)",
    "tax": "3 coins",
    "exchange": "two cards from the deck, any two back",
    "coup": "costs 7; {target} loses a card",
    "assassinate": "costs 3; {target} loses a card (Contessa blocks)",
    "steal": "takes 2 from {target} (Captain, Ambassador block)",
    "challenge": "{claimant} loses a card, or you do if the {claim} is there",
    "show": "the challenger loses a card; you get a new one for it",
}
#: What somebody may block, as a question names it.
_BLOCKED = {"foreign_aid": "foreign aid", "assassinate": "the assassin", "steal": "the theft"}
#: Words that people use for the first word of an action.
_ALIASES = {
    "aid": "foreign", "duke": "tax", "captain": "steal", "rob": "steal", "kill": "assassinate", "ambassador": "exchange",
    "swap": "exchange", "pass": "allow", "no": "allow", "ok": "allow", "accept": "allow", "doubt": "challenge",
    "call": "challenge", "discard": "lose", "give": "lose", "reveal": "lose", "put": "return",
}  # fmt: skip
#: Words that change nothing.
_FILLERS = {"a", "the", "with", "from", "against", "player", "card", "cards", "and", "my", "up", "back"}


class NotUnderstood(ValueError):
    """What was typed is no action, or not one that is possible now; the message says why."""


def title(card: str) -> str:
    """A character as it is written in a sentence."""
    return card.title()


def chance(value: float, error: float) -> str:
    """A chance to win with its 95 % interval, from its standard error.

    >>> chance(0.645, 0.007)
    '64.5 % ± 1.4 %'
    """
    return f"{value:.1%} ± {Z * error:.1%}".replace("%", " %")


@dataclass(frozen=True)
class Words:
    """The names of a table: seat `you` is spoken to, the others are spoken of."""

    you: int
    bots: tuple[str, ...]

    def name(self, seat: int) -> str:
        """How a seat is called within a sentence."""
        return "you" if seat == self.you else f"player {seat + 1}"

    def subject(self, seat: int) -> str:
        """How a seat is called at the beginning of a sentence."""
        name = self.name(seat)
        return name[0].upper() + name[1:]

    def does(self, seat: int, verb: str, rest: str = "") -> str:
        """A sentence in the second or third person: ``You show the Duke.``, ``Player 2 shows the Duke.``."""
        return f"{self.subject(seat)} {verb}{'' if seat == self.you else 's'}{rest}."

    # --- what happens ---------------------------------------------------------------------------------------

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
        action = Action.from_code(code)
        if action.kind in _ANNOUNCED:
            target = None if action.target is None else self.name(action.target)
            text = _ANNOUNCED[action.kind].format(s="" if seat == self.you else "s", target=target)
            yield f"{self.subject(seat)} {text}."
        elif action.kind == "challenge":
            yield self.does(seat, "challenge", f" {self._whose(old)} {title(CHARACTERS[old['claim']])}")
        elif action.kind == "block":
            yield self.does(seat, "claim", f" the {title(action.cards[0])}, to block")
        elif action.kind == "show":
            yield self.does(seat, "show", f" the {title(action.cards[0])}")
        elif action.kind == "lose":
            claimed = f" without showing the {title(CHARACTERS[old['claim']])}" if phase == "SHOW" else ""
            yield self.does(seat, "lose", f" the {title(action.cards[0])}{claimed}")
        elif action.kind == "return_cards":
            yield f"You return the {' and the '.join(map(title, action.cards))}."

    def _whose(self, row: dict[str, Any]) -> str:
        """Whose claim is on the table: ``your``, ``player 2's``."""
        claimant = _claimant(row)
        return "your" if claimant == self.you else f"{self.name(claimant)}'s"

    def _drawn(self, seat: int, phase: str, code: int) -> Iterator[str]:
        if code >= 0:
            cards = " and the ".join(map(title, Action.from_code(code).cards))
            yield f"You are dealt the {cards}." if phase == "DEAL" else f"You draw the {cards}."
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
                yield self.does(player, "take", f" {_coins(gained)} from {self.name(target)}")
            else:
                yield self.does(player, "take", f" {_coins(gained)}")
        for seat in range(old["seats"]):
            if old["influence"][seat] > 0 and new["influence"][seat] == 0:
                yield f"{self.subject(seat)} {'are' if seat == self.you else 'is'} out."
        if old["blocker"] != NOBODY and new["turn"] > old["turn"] and PHASES[old["phase"]] in ("CHALLENGE", "REPLACE"):
            yield "The block stands."

    # --- what may be done -----------------------------------------------------------------------------------

    def situation(self, view: States) -> str:
        """What is asked of the seat that is spoken to."""
        row = to_dict(view)
        phase = PHASES[row["phase"]]
        if phase == "ACTION":
            return "It is your turn."
        if phase == "RETURN":
            return "Which two cards go back to the deck?"
        if phase == "LOSE":
            return "You lose a card. Which one?"
        if phase == "SHOW":
            return f"Your {title(CHARACTERS[row['claim']])} is challenged by {self.name(row['challenger'])}."
        if phase == "BLOCK":
            return f"Do you block {_BLOCKED[ACTIONS[row['action']]]}?"
        return f"Do you challenge {self._whose(row)} {title(CHARACTERS[row['claim']])}?"

    def choice(self, view: States, code: int) -> Choice:
        """A legal action as it may be typed, with what it means."""
        action, row = Action.from_code(code), to_dict(view)
        target = None if action.target is None else self.name(action.target)
        claim = title(CHARACTERS[row["claim"]]) if row["claim"] >= 0 else None
        meaning = _EFFECTS.get(action.kind, "").format(target=target, claimant=self.name(_claimant(row)), claim=claim)
        bluff = action.claim is not None and action.claim not in cards_of(row["hand"][self.you])
        return Choice(" ".join(_spoken(code)), bluff, meaning)

    def why_not(self, view: States, code: int, reason: int) -> str:
        """Which rule forbids an action, in a sentence."""
        you = f"player {self.you + 1}"
        text = str(IllegalAction(Action.from_code(code), reason, view))
        text = text.replace(f"{you} cannot", "you cannot").replace(f"{you} does not", "you do not")
        return f"{text[0].upper()}{text[1:]}."


class Choice(NamedTuple):
    """Something that may be done: what to type, whether it claims a card that is not held, and what it means."""

    text: str
    bluff: bool
    meaning: str


def _claimant(row: dict[str, Any]) -> int:
    return int(row["player"] if row["blocker"] == NOBODY else row["blocker"])


def _coins(n: int) -> str:
    return "1 coin" if n == 1 else f"{n} coins"


# --- what is typed ----------------------------------------------------------------------------------------


def read_choice(text: str, legal: Sequence[int]) -> int:
    """The action that somebody typed: a number from the list, or words, which may be cut short.

    >>> from kibitz.coup import foreign_aid, steal
    >>> legal = [foreign_aid().code, steal(1).code, steal(2).code]
    >>> [Action.from_code(read_choice(text, legal)).to_text() for text in ("1", "for", "steal from player 3", "st P2")]
    ['foreign_aid', 'foreign_aid', 'steal 3', 'steal 2']
    """
    words = _normal(text)
    if len(words) == 1 and is_number(words[0]):
        number = int(words[0])
        if not 1 <= number <= len(legal):
            raise NotUnderstood(f"There is no choice {number}: they are 1 to {len(legal)}.")
        return legal[number - 1]
    found = [code for code in legal if _fits(words, code)]
    if len(found) == 1 and words:
        return found[0]
    if found and words:
        raise NotUnderstood(f"Which one: {' or '.join(' '.join(_spoken(code)) for code in found)}?")
    elsewhere = [code for code in range(ALL_CODES) if code < DRAWN and _fits(words, code)] if words else []
    if elsewhere:
        raise NotPossible(elsewhere[0])
    typed = f"{text.strip()[:40]!r} is none of the choices. " if words else ""
    raise NotUnderstood(f"{typed}Type a number or words; ? helps.")


class NotPossible(NotUnderstood):
    """An action of the game, but not one that is legal now; `code` is it."""

    def __init__(self, code: int) -> None:
        self.code = code
        text = " ".join(_spoken(code))
        super().__init__(f"{text[0].upper()}{text[1:]} is not possible now.")


def _normal(text: str) -> list[str]:
    """The words that count, with the usual name of the action first and cards in their order."""
    words = [word for word in text.lower().replace("_", " ").replace(",", " ").split() if word not in _FILLERS]
    words = [word[1:] if word[0] == "p" and is_number(word[1:]) else word for word in words]
    if words:
        words[0] = _ALIASES.get(words[0], words[0])
    if len(words) == 3 and words[0] == "return":
        words[1:] = sorted(words[1:], key=_rank)
    return words


def _rank(word: str) -> int:
    return next((i for i, character in enumerate(Character) if character.startswith(word)), len(CHARACTERS))


def _spoken(code: int) -> list[str]:
    """The words of an action."""
    return Action.from_code(code).to_text().replace("_cards", "").replace("_", " ").split()


def _fits(words: Sequence[str], code: int) -> bool:
    """Whether these words, each perhaps cut short, begin the words of an action."""
    spoken = _spoken(code)
    return len(words) <= len(spoken) and all(whole.startswith(word) for word, whole in zip(words, spoken, strict=False))
