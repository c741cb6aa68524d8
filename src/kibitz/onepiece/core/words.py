"""Actions and cards of the One Piece card game in words, as people read them in a terminal or a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.onepiece.core.actions import PLACES, Action
from kibitz.onepiece.core.arena import UNKNOWN, Arena, Wait
from kibitz.onepiece.core.cards import CHARACTER, LEADER, Card
from kibitz.onepiece.core.effects.control import Branch
from kibitz.onepiece.core.effects.life import life_trigger
from kibitz.onepiece.core.importing.phrases import part_of
from kibitz.onepiece.core.interpreter import instruction
from kibitz.onepiece.core.permanent import DON_POWER, cost_in_hand, power
from kibitz.onepiece.core.triggers import waiting_effects

if TYPE_CHECKING:
    from kibitz.onepiece.core.arena import CardInPlay

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


def short(card: Card) -> str:
    """A name without what follows a comma."""
    return card.name.partition(",")[0]


def unit_words(s: Arena, unit: CardInPlay | None) -> str:
    """``Gate Sentinel 1000``."""
    if unit is None:
        return "nothing"
    strength = f" {power(s, unit)}" if s.card(unit).kind in (LEADER, CHARACTER) else ""
    return f"{short(s.card(unit))}{strength}"


def battle_words(s: Arena) -> str:
    """``Ash Duelist 6000 attacks Gate Sentinel 1000``; nothing if nobody fights."""
    attacker, target = s.find(s.attacker), s.find(s.target)
    return "" if attacker is None or target is None else f"{unit_words(s, attacker)} attacks {unit_words(s, target)}"


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
    design = s.table.number[action.card or ""]
    card = s.table.cards[design]
    if action.kind == "counter":
        return f"discard {card.name}: +{card.counter}"
    if action.kind == "play":
        return card_facts(card, cost_in_hand(s, s.asked, design))
    return card_facts(card) if action.kind == "pick" else card.name


def _place_words(s: Arena, action: Action) -> str:
    seat = s.asked if action.player is None else action.player
    unit = s.field[seat][PLACES.index(action.place or "L")]
    if action.kind == "attack":
        target = s.field[1 - seat][PLACES.index(action.target or "L")]
        return f"{unit_words(s, unit)} attacks {unit_words(s, target)}"
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
