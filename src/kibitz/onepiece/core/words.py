"""Actions and cards of the One Piece card game in words; the game told to one player in sentences; what that player is asked.

A `Teller` tells only what its player sees: views before and after a step, and what was perceived of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import wrap

from kibitz.game import CHANCE
from kibitz.game.definition import Told
from kibitz.ground.texts import capitalised
from kibitz.onepiece.core.actions import PLACES, Action
from kibitz.onepiece.core.arena import NOBODY, UNKNOWN, Arena, CardInPlay, Wait
from kibitz.onepiece.core.battle import fighters
from kibitz.onepiece.core.cards import CHARACTER, LEADER, Card
from kibitz.onepiece.core.effects.base import HAND, seat_of
from kibitz.onepiece.core.effects.control import Branch
from kibitz.onepiece.core.effects.life_and_don import life_trigger
from kibitz.onepiece.core.effects.power import DON_POWER, cost_in_hand, power
from kibitz.onepiece.core.effects.select import Select
from kibitz.onepiece.core.importing.phrases import part_of
from kibitz.onepiece.core.triggers import waiting_effects
from kibitz.onepiece.core.turn import instruction

#: How wide lines of text are.
WIDTH = 79
#: Actions without data, where the place they are taken at does not change the words.
PLAIN = {
    "keep": "keep these cards",
    "redraw": "put them back, shuffle and draw five new ones",
    "end_turn": "end the turn",
    "done": "no more",
    "settle": "let permanent effects settle",
    "return_rested": "return a rested DON!!",
    "return_active": "return an active DON!!",
}


def card_facts(card: Card, price: int | None = None) -> str:
    """``Gate Sentinel: cost 2, 1000 power, counter 1000``; `price` is what it costs now."""
    facts = [] if card.kind == LEADER else [f"cost {card.cost if price is None else price}"]
    facts += [f"{card.power} power"] * (card.kind in (LEADER, CHARACTER))
    facts += [f"counter {card.counter}"] * (card.counter > 0) + [f"Life {card.life}"] * (card.life > 0)
    return f"{card.name}: {', '.join(facts)}{'' if card.kind == CHARACTER else f' ({card.kind})'}"


def card_lines(card: Card, price: int | None = None, indent: str = "") -> list[str]:
    """A card with its text, in lines that fit a terminal."""
    head = wrap(f"{card.id} {card_facts(card, price)}", WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ")
    space = f"{indent}    "
    return head + wrap(card.text, WIDTH, initial_indent=space, subsequent_indent=space)


def short(card: Card) -> str:
    """A name without what follows a comma."""
    return card.name.partition(",")[0]


def unit_words(s: Arena, unit: CardInPlay | None) -> str:
    """``Gate Sentinel 1000``."""
    if unit is None:
        return "nothing"
    strength = f" {power(s, unit)}" if s.card(unit).kind in (LEADER, CHARACTER) else ""
    return f"{short(s.card(unit))}{strength}"


def battle_words(s: Arena, target: str = "") -> str:
    """``Ash Duelist 6000 attacks Gate Sentinel 1000``; nothing if nobody fights. `target` stands before the one attacked."""
    pair = fighters(s)
    return "" if pair is None else f"{unit_words(s, pair[0])} attacks {target}{unit_words(s, pair[1])}"


def card_of(s: Arena, action: Action) -> Card:
    """The card that an action names."""
    return s.table.cards[s.table.number[action.card or ""]]


def unit_of(s: Arena, action: Action, seat: int) -> CardInPlay | None:
    """The card on the field that an action of `seat` names."""
    return s.field[seat if action.player is None else action.player][PLACES.index(action.place or "L")]


def attack_words(s: Arena, action: Action, seat: int, target: str = "") -> str:
    """Who attacks whom; `target` stands before the one who is attacked."""
    goal = s.field[1 - seat][PLACES.index(action.target or "L")]
    return f"{unit_words(s, unit_of(s, action, seat))} attacks {target}{unit_words(s, goal)}"


def effect_words(card: Card, number: int) -> str:
    """What a card says about one of its effects; all that it says if that cannot be told apart."""
    ability = card.abilities[number]
    return f"{short(card)}: {ability.text or part_of(card.text, ability.on)}"


def action_words(s: Arena, action: Action) -> str:
    """What an action does, in words, before it is done. Only what the action itself names is told."""
    kind = action.kind
    if kind in PLAIN:
        return PLAIN[kind]
    if kind == "pass":
        return "no block" if s.waiting == Wait.BLOCK else "no more counters"
    if action.card is not None:
        return _card_words(s, action)
    if action.place is not None:
        return _place_words(s, action)
    if kind in ("resolve", "decline"):
        _, (_, design, number, *_) = waiting_effects(s)[(action.number or 1) - 1]
        return effect_words(s.table.cards[design], number)
    if kind == "option":
        branch = instruction(s).args
        return branch.labels[(action.number or 1) - 1] if isinstance(branch, Branch) else ""
    return _answer_words(s, kind == "yes")


def _card_words(s: Arena, action: Action) -> str:
    card = card_of(s, action)
    if action.kind == "counter":
        return f"discard {card.name}: +{card.counter}"
    if action.kind == "play":
        return card_facts(card, cost_in_hand(s, s.asked, s.table.number[card.id]))
    return card_facts(card) if action.kind == "pick" else card.name


def _place_words(s: Arena, action: Action) -> str:
    unit = unit_of(s, action, s.asked)
    if action.kind == "attack":
        return attack_words(s, action, s.asked)
    if action.kind == "activate" and unit is not None:
        return effect_words(s.card(unit), (action.number or 1) - 1)
    if action.kind == "give" and unit is not None:
        return f"{short(s.card(unit))}: {power(s, unit) + DON_POWER}"
    return unit_words(s, unit)


def _answer_words(s: Arena, yes: bool) -> str:
    """Yes and no, which mean something else at each question."""
    f = s.frames[-1]
    if s.waiting == Wait.LIFE_TRIGGER:
        if not yes:
            return "take the Life card to the hand"
        entry = s.life[f.seat][-1]
        number = None if entry == UNKNOWN else life_trigger(s, f)
        if number is None:
            return "use its [Trigger]"
        return f"use its [Trigger]: {effect_words(s.table.cards[entry >> 2], number)}"
    saving = s.find(f.names["saving"][0]) if "saving" in f.names else None
    if saving is not None:
        return f"save {s.card(saving).name}" if yes else f"do not save {s.card(saving).name}"
    return f"yes: {effect_words(s.table.cards[f.design], f.ability)}" if yes else "no"


# --- telling the game -----------------------------------------------------------------------------------------------

#: What is not worth a sentence: that somebody has chosen enough, and what the rules do by themselves.
SILENT = ("done", "settle")


#: What is asked while an effect is resolved.
ABOUT_EFFECTS = {
    Wait.RETURN_DON: "Return a DON!!",
    Wait.CHOOSE: "Choose",
    Wait.CONFIRM: "Do it?",
    Wait.OPTION: "Which of these?",
}
#: What a player does whose action has no data: verb and rest.
DEEDS = {
    "keep": ("keep", "the hand."),
    "redraw": ("put", "the hand back, and five new cards come."),
    "end_turn": ("end", "the turn."),
    "return_rested": ("return", "a rested DON!!."),
    "return_active": ("return", "an active DON!!."),
}


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
        name = card_of(before, Action.from_code(code, before.table)).name
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
            return capitalised(f"{self.whose(seat)} {attack_words(s, action, seat, f'{self.whose(1 - seat)} ')}.")
        if kind == "pass":
            return self.does(seat, "do", "not block." if s.waiting == Wait.BLOCK else "not counter any more.")
        if action.card is not None:
            return self._with_card(s, seat, action)
        if action.place is not None:
            return self._with_place(s, seat, action)
        if kind in ("resolve", "decline"):
            words = action_words(s, action)
            return words if kind == "resolve" else self.does(seat, "leave", f"it: {words}")
        if kind in ("yes", "no", "option"):
            return self._answer(seat, kind, action_words(s, action))
        return self.does(seat, *DEEDS[kind])

    def _answer(self, seat: int, kind: str, words: str) -> str:
        """An answer to a question."""
        verb, rest = ("choose", words) if kind == "option" else words.split(" ", 1) if " " in words else ("say", words)
        if words.startswith("yes"):
            verb, rest = "say", words
        return self.does(seat, verb, rest if rest.endswith(".") else f"{rest}.")

    def _with_card(self, s: Arena, seat: int, action: Action) -> str:
        card = card_of(s, action)
        if action.kind == "play":
            return self.does(seat, "play", f"{card.name} for {cost_in_hand(s, seat, s.table.number[card.id])} DON!!.")
        if action.kind == "counter":
            return self.does(seat, "discard", f"{card.name} as a counter: +{card.counter}.")
        return self.does(seat, "choose", f"{card.name}.")

    def _with_place(self, s: Arena, seat: int, action: Action) -> str:
        unit = unit_of(s, action, seat)
        if unit is None:
            return ""
        name = short(s.card(unit))
        match action.kind:
            case "activate":
                return self.does(seat, "use", effect_words(s.card(unit), (action.number or 1) - 1))
            case "give":
                return self.does(seat, "give", f"a DON!! to {name}, who has {power(s, unit) + DON_POWER} power now.")
            case "block":
                return self.does(seat, "block", f"with {name}.")
            case "choose":
                whose = "its own" if unit.seat == seat != self.you else self.whose(unit.seat)
                return self.does(seat, "choose", f"{whose} {name}.")
        return self.does(seat, "return", f"a DON!! of {name}.")

    def _consequences(self, before: Arena, after: Arena) -> Iterator[tuple[int, str]]:
        """What everybody sees of a step: cards that left the field, Life, the end."""
        for seat in range(2):
            for unit in before.units(seat):
                if after.find(unit.serial) is None:
                    yield seat, self._left(before, unit, after)
            now = len(after.life[seat])
            if now < len(before.life[seat]):
                yield seat, f"{'You have' if seat == self.you else f'{self.other} has'} {now or 'no'} Life left."
        if after.waiting == Wait.OVER and after.winner != NOBODY:
            why = {"damage": "damage at 0 Life", "deck": "an empty deck"}.get(after.ending, after.ending)
            yield after.winner, self.does(after.winner, "win", f"by {why}.")

    def _left(self, before: Arena, unit: CardInPlay, after: Arena) -> str:
        """Where a card of the field has gone."""
        seat, design = unit.seat, unit.design
        name = capitalised(f"{self.whose(seat)} {short(before.card(unit))}")
        if after.trash[seat].count(design) > before.trash[seat].count(design):
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
                entry = s.life[s.frames[-1].seat][-1]
                card = s.table.cards[entry >> 2]
                return "Use the [Trigger]?", "" if entry == UNKNOWN else f"The Life card is {card.name}: {card.text}"
            case Wait.RESOLVE:
                several = len({number for number, _ in waiting_effects(s)}) > 1
                return ("Which effect first?" if several else "Use this effect?"), "Effects that wait are resolved one by one."
            case Wait.MAKE_ROOM:
                return "Who makes room?", "Five Characters are the most: one of yours goes to the trash for the new one."
        return (ABOUT_EFFECTS[s.waiting], _effect(s)) if s.waiting in ABOUT_EFFECTS else ("Go on", "")

    def _battle(self, s: Arena) -> str:
        return f"{battle_words(s, f'{self.whose(1 - s.player)} ')}."


def picks_from_hand(s: Arena, seat: int) -> bool:
    """Whether the cards that can be picked now are those of this player's own hand."""
    args = instruction(s).args if s.waiting == Wait.CHOOSE else None
    return isinstance(args, Select) and args.zone == HAND and seat_of(s.frames[-1], args.whose) == seat


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
