"""What happens in a game of the One Piece card game, told to one player in sentences; and what that player is asked.

Everything comes from what the player sees: views before and after a step, and what was perceived of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kibitz.game import CHANCE
from kibitz.game.definition import Told
from kibitz.onepiece.core.actions import PLACES, Action
from kibitz.onepiece.core.arena import NOBODY, UNKNOWN, Arena, CardInPlay, Wait
from kibitz.onepiece.core.battle import fighters
from kibitz.onepiece.core.effects.base import HAND
from kibitz.onepiece.core.effects.select import Select
from kibitz.onepiece.core.interpreter import instruction
from kibitz.onepiece.core.permanent import DON_POWER, cost_in_hand, power
from kibitz.onepiece.core.triggers import waiting_effects
from kibitz.onepiece.core.words import action_words, effect_words, short, unit_words

#: What is not worth a sentence: that somebody has chosen enough, and what the rules do by themselves.
SILENT = ("done", "settle")


@dataclass(frozen=True)
class Teller:
    """Tells the game to the player at seat `you`; `other` is what the opponent is called."""

    you: int
    other: str

    def does(self, seat: int, verb: str, rest: str = "") -> str:
        """``You play``, ``Greedy plays``.

        >>> Teller(0, "Greedy").does(1, "pass"), Teller(0, "Greedy").does(0, "play", "a card.")
        ('Greedy passes', 'You play a card.')
        """
        if seat != self.you:
            verb += "es" if verb.endswith(("ss", "sh", "ch", "o")) else "s"
        who = "You" if seat == self.you else self.other
        return f"{who} {verb} {rest}".rstrip()

    def whose(self, seat: int) -> str:
        """``your`` or ``Greedy's``."""
        return "your" if seat == self.you else f"{self.other}'s"

    # --- what happens -------------------------------------------------------------------------------------------------

    def tell(self, before: Arena, code: int, after: Arena) -> Iterator[Told]:
        """What a step was, and what came of it; `code` is what this player perceived of it."""
        chance = before.actor() == CHANCE
        seat = before.drawing[0] if chance else before.asked
        said = self._drawn(before, code, after) if chance else self._deed(before, code, seat)
        if said:
            yield Told(before.turn, seat, said)
        for about, consequence in self._consequences(before, after):
            yield Told(before.turn, about, consequence)

    def _drawn(self, before: Arena, code: int, after: Arena) -> str:
        """A card that chance has determined; nothing is said of the deal."""
        owner, of_life, _ = before.drawing
        if not before.turn:
            return ""
        gained = len(after.hand[owner]) > len(before.hand[owner])
        if code < 0:
            return self.does(owner, "draw", "a card.") if gained and not of_life else ""
        name = before.table.cards[before.table.number[Action.from_code(code, before.table).card or ""]].name
        if of_life:
            return f"The Life card is {name}."
        return self.does(owner, "draw", f"{name}.") if gained else self.does(owner, "see", f"{name}.")

    def _deed(self, s: Arena, code: int, seat: int) -> str:
        """What a player has done."""
        if code < 0:
            return self.does(seat, "choose", "a card, unseen.")
        action = Action.from_code(code, s.table)
        kind = action.kind
        if kind in SILENT:
            return ""
        if kind == "attack":
            return self._attack(s, seat, action)
        if kind == "pass":
            return self.does(seat, "do", "not block." if s.waiting == Wait.BLOCK else "not counter any more.")
        if action.card is not None:
            return self._with_card(s, seat, action)
        if kind in ("give", "block", "activate", "choose", "return_given"):
            return self._with_place(s, seat, action)
        if kind in ("resolve", "decline"):
            words = action_words(s, action)
            return words if kind == "resolve" else self.does(seat, "leave", f"it: {words}")
        if kind in ("yes", "no", "option"):
            return self._answer(seat, kind, action_words(s, action))
        verb, rest = {
            "keep": ("keep", "the hand."),
            "redraw": ("put", "the hand back, and five new cards come."),
            "end_turn": ("end", "the turn."),
            "return_rested": ("return", "a rested DON!!."),
            "return_active": ("return", "an active DON!!."),
        }[kind]
        return self.does(seat, verb, rest)

    def _answer(self, seat: int, kind: str, words: str) -> str:
        """An answer to a question."""
        verb, rest = ("choose", words) if kind == "option" else words.split(" ", 1) if " " in words else ("say", words)
        if words.startswith("yes"):
            verb, rest = "say", words
        return self.does(seat, verb, rest if rest.endswith(".") else f"{rest}.")

    def _attack(self, s: Arena, seat: int, action: Action) -> str:
        attacker = s.field[seat][PLACES.index(action.place or "L")]
        target = s.field[1 - seat][PLACES.index(action.target or "L")]
        whose = self.whose(seat)
        return (
            f"{whose[0].upper()}{whose[1:]} {unit_words(s, attacker)} attacks {self.whose(1 - seat)} {unit_words(s, target)}."
        )

    def _with_card(self, s: Arena, seat: int, action: Action) -> str:
        design = s.table.number[action.card or ""]
        card = s.table.cards[design]
        if action.kind == "play":
            return self.does(seat, "play", f"{card.name} for {cost_in_hand(s, seat, design)} DON!!.")
        if action.kind == "counter":
            return self.does(seat, "discard", f"{card.name} as a counter: +{card.counter}.")
        return self.does(seat, "choose", f"{card.name}.")

    def _with_place(self, s: Arena, seat: int, action: Action) -> str:
        unit = s.field[seat if action.player is None else action.player][PLACES.index(action.place or "L")]
        if unit is None:
            return ""
        name = short(s.card(unit))
        if action.kind == "activate":
            return self.does(seat, "use", effect_words(s.card(unit), (action.number or 1) - 1))
        return {
            "give": lambda: self.does(seat, "give", f"a DON!! to {name}, who has {power(s, unit) + DON_POWER} power now."),
            "block": lambda: self.does(seat, "block", f"with {name}."),
            "choose": lambda: self.does(
                seat, "choose", f"{'its own' if unit.seat == seat != self.you else self.whose(unit.seat)} {name}."
            ),
            "return_given": lambda: self.does(seat, "return", f"a DON!! of {name}."),
        }[action.kind]()

    def _consequences(self, before: Arena, after: Arena) -> Iterator[tuple[int, str]]:
        """What everybody sees of a step: cards that left the field, Life, the end."""
        for seat in range(2):
            for unit in before.units(seat):
                if after.find(unit.serial) is None:
                    yield seat, self._left(before, unit, after)
            now = len(after.life[seat])
            if now < len(before.life[seat]):
                left = "no Life" if not now else f"{now} Life"
                yield seat, f"{'You have' if seat == self.you else f'{self.other} has'} {left} left."
        if after.waiting == Wait.OVER and after.winner != NOBODY:
            why = {"damage": "damage at 0 Life", "deck": "an empty deck"}.get(after.ending, after.ending)
            yield after.winner, self.does(after.winner, "win", f"by {why}.")

    def _left(self, before: Arena, unit: CardInPlay, after: Arena) -> str:
        """Where a card of the field has gone."""
        seat, design = unit.seat, unit.design
        to_trash = after.trash[seat].count(design) > before.trash[seat].count(design)
        whose = self.whose(seat)
        name = f"{whose[0].upper()}{whose[1:]} {short(before.card(unit))}"
        if to_trash:
            return f"{name} goes to the trash."
        if len(after.hand[seat]) > len(before.hand[seat]):
            return f"{name} returns to the hand."
        return f"{name} leaves the field."

    # --- what is asked ------------------------------------------------------------------------------------------------

    def question(self, s: Arena) -> tuple[str, str]:
        """What the player who decides is asked, and a line of explanation."""
        match s.waiting:
            case Wait.MULLIGAN:
                return "Keep these cards?", "You may put them back once and draw five new ones."
            case Wait.MAIN:
                return "Your Main Phase", "Play cards, give DON!! (+1000 power each), attack, in any order; then end the turn."
            case Wait.BLOCK:
                return "Block?", f"{self._battle(s)} A Character with [Blocker] that is rested for it becomes the target."
            case Wait.COUNTER:
                return "Counter?", f"{self._battle(s)} {_lacks(s)}"
            case Wait.LIFE_TRIGGER:
                return "Use the [Trigger]?", self._life_card(s)
            case Wait.RESOLVE:
                several = len({number for number, _ in waiting_effects(s)}) > 1
                return ("Which effect first?" if several else "Use this effect?"), "Effects that wait are resolved one by one."
            case Wait.RETURN_DON:
                return "Return a DON!!", _effect(s)
            case Wait.MAKE_ROOM:
                return "Who makes room?", "Five Characters are the most: one of yours goes to the trash for the new one."
            case Wait.CHOOSE:
                return "Choose", _effect(s)
            case Wait.CONFIRM:
                return "Do it?", _effect(s)
            case Wait.OPTION:
                return "Which of these?", _effect(s)
        return "Go on", ""

    def _battle(self, s: Arena) -> str:
        pair = fighters(s)
        if pair is None:
            return ""
        attacker, target = pair
        return f"{unit_words(s, attacker)} attacks {self.whose(target.seat)} {unit_words(s, target)}."

    def _life_card(self, s: Arena) -> str:
        entry = s.life[s.frames[-1].seat][-1]
        if entry == UNKNOWN:
            return ""
        card = s.table.cards[entry >> 2]
        return f"The Life card is {card.name}: {card.text}"


def picks_from_hand(s: Arena, seat: int) -> bool:
    """Whether the cards that can be picked now are those of this player's own hand."""
    if s.waiting != Wait.CHOOSE:
        return False
    args = instruction(s).args
    if not isinstance(args, Select) or args.zone != HAND:
        return False
    f = s.frames[-1]
    return (f.seat if args.whose == "you" else 1 - f.seat) == seat


def _effect(s: Arena) -> str:
    """What is being resolved, in the words of its card."""
    f = s.frames[-1]
    card = s.table.cards[f.design]
    return effect_words(card, f.ability) if f.ability >= 0 else card.name


def _lacks(s: Arena) -> str:
    """What a defender lacks; an attacker with as much power wins."""
    pair = fighters(s)
    if pair is None:
        return ""
    lacking = power(s, pair[0]) - power(s, pair[1])
    if lacking < 0:
        return "As it is the attack fails."
    return f"More than +{lacking} stops it." if lacking else "Any counter stops it: with equal power the attacker wins."
