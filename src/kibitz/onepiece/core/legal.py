"""What may be done, and what it does: the legal actions of every kind of decision, and the handler of each."""

from kibitz.onepiece.core import reasons
from kibitz.onepiece.core.actions import (
    ABILITIES, ACTIVATE, ATTACK, BLOCK, COUNTER, DECLINE, DRAWN, END, END_TURN, GIVE, KEEP, NO, OPTION, PASS, PICK, PLAY,
    REDRAW, RESOLVE, RETURN_GIVEN, SETTLE, TARGET, YES,
)  # fmt: skip
from kibitz.onepiece.core.arena import CHARACTER_SLOTS, SLOTS, STAGE_SLOT, Arena, Phase, Wait
from kibitz.onepiece.core.battle import FIRST_TURNS, block, blockers, counter, counters, declare
from kibitz.onepiece.core.cards import EVENT, NO_ATTACK, RUSH, RUSH_CHARACTER
from kibitz.onepiece.core.effects.base import TOP, Ref, looked_at
from kibitz.onepiece.core.effects.control import confirm
from kibitz.onepiece.core.effects.life_and_don import answer_trigger, give_one_back, life_trigger, sources
from kibitz.onepiece.core.effects.movement import order_rest, unordered
from kibitz.onepiece.core.effects.power import bans, cost_in_hand, keywords, settle_once
from kibitz.onepiece.core.effects.select import options, pick
from kibitz.onepiece.core.moves import determine, give_don, leave
from kibitz.onepiece.core.triggers import answer, begin, can_accept, can_activate, payable, resolve, waiting_effects
from kibitz.onepiece.core.turn import advance, answer_redraw, begin_end, can_play, instruction, main_actions, play_card


def legal_actions(s: Arena) -> list[int]:
    """The legal actions of whoever decides, ascending; nothing for chance and at the end."""
    match s.waiting:
        case Wait.MAIN:
            return main_actions(s)
        case Wait.COUNTER:
            cards, held = s.table.cards, sorted({d for d in s.hand[s.asked] if d >= 0})
            events = [PLAY + d for d in held if cards[d].kind == EVENT and can_play(s, s.asked, d, "counter")]
            return [PASS, *events, *counters(s)]
        case Wait.BLOCK:
            return [PASS, *blockers(s)]
        case Wait.RESOLVE:
            return _effects(s)
        case Wait.CHOOSE:
            return _choices(s)
        case Wait.LIFE_TRIGGER:
            return [NO] if life_trigger(s, s.frames[-1]) is None else [YES, NO]
        case Wait.CONFIRM:
            return [YES, NO] if instruction(s).run is confirm or can_accept(s, s.frames[-1]) else [NO]
        case Wait.OPTION:
            return [OPTION + i for i in range(len(instruction(s).args.starts))]
        case Wait.RETURN_DON:
            return sources(s, s.asked)
        case Wait.MAKE_ROOM:
            return [TARGET + s.asked * SLOTS + slot for slot in CHARACTER_SLOTS]
        case Wait.MULLIGAN:
            return [KEEP, REDRAW]
        case Wait.SETTLE:
            return [SETTLE]
    return []


def _effects(s: Arena) -> list[int]:
    """The waiting effects that can be resolved, then those that can be declined."""
    found, optional = [], []
    for i, (_, (seat, design, number, source, _)) in enumerate(waiting_effects(s)):
        ability = s.table.cards[design].abilities[number]
        if payable(s, seat, s.find(source), ability):
            found.append(RESOLVE + i)
        if ability.optional:
            optional.append(DECLINE + i)
    return found + optional


def _choices(s: Arena) -> list[int]:
    f, step = s.frames[-1], instruction(s)
    if step.run is order_rest:
        return [PICK + d for d in sorted(set(unordered(looked_at(s, f, f.seat), [ref.design for ref in f.picked])))]
    return options(s, f, step.args)


def _main(s: Arena, a: int) -> None:
    if a == END_TURN:
        begin_end(s)
    elif a < ATTACK:
        give_don(s, s.at(s.player, a - GIVE), 1, rested=False)
    elif a < ACTIVATE:
        declare(s, a)
    elif a < PLAY:
        slot, number = divmod(a - ACTIVATE, ABILITIES)
        unit = s.at(s.player, slot)
        begin(s, unit.seat, unit.design, number, unit.serial)
    else:
        play_card(s, s.player, a - PLAY, "main")


def _counter(s: Arena, a: int) -> None:
    if a == PASS:
        s.phase = Phase.DAMAGE
    elif a >= COUNTER:
        counter(s, a - COUNTER)
    else:
        play_card(s, 1 - s.player, a - PLAY, "counter")


def _block(s: Arena, a: int) -> None:
    if a == PASS:
        s.phase = Phase.COUNTER
    else:
        block(s, a - BLOCK)


def _choose(s: Arena, a: int) -> None:
    f = s.frames[-1]
    step = instruction(s)
    if step.run is order_rest:
        f.picked = (*f.picked, Ref(TOP, f.names["top"][1], a - PICK, 1 << f.seat))
    else:
        pick(s, f, step.args, a)


def _handle(s: Arena, wait: Wait, a: int) -> None:
    """What an action does at the kind of decision that the game waited for."""
    match wait:
        case Wait.DRAWN:
            determine(s, a - DRAWN)
        case Wait.MAIN:
            _main(s, a)
        case Wait.COUNTER:
            _counter(s, a)
        case Wait.BLOCK:
            _block(s, a)
        case Wait.RESOLVE:
            which, _ = waiting_effects(s)[a - (RESOLVE if a < DECLINE else DECLINE)]
            resolve(s, which, accept=a < DECLINE)
        case Wait.CHOOSE:
            _choose(s, a)
        case Wait.LIFE_TRIGGER:
            answer_trigger(s, s.frames[-1], a == YES)
        case Wait.CONFIRM if instruction(s).run is confirm:
            s.frames[-1].count = 1 if a == YES else 2
        case Wait.CONFIRM:
            answer(s, s.frames[-1], a == YES)
        case Wait.OPTION:
            s.frames[-1].count = a - OPTION + 1
        case Wait.RETURN_DON:
            give_one_back(s, s.asked, a)
            s.frames[-1].count += 1
        case Wait.MAKE_ROOM:
            leave(s, s.at(s.asked, (a - TARGET) % SLOTS), "trash")
        case Wait.MULLIGAN:
            answer_redraw(s, a == REDRAW)


def apply_action(s: Arena, a: int) -> None:
    """Do an action, which must be legal, and go on to the next decision."""
    wait = s.waiting
    if wait == Wait.SETTLE and settle_once(s):
        return  # one round a step: volatile effects that never agree are seen to go in circles
    if wait != Wait.DRAWN:
        s.waiting = Wait.NOTHING
    _handle(s, wait, a)
    advance(s)


#: Where each kind of decision finds its actions: first and last code.
RANGES = {
    Wait.MAIN: ((END_TURN, END_TURN), (GIVE, BLOCK - 1), (ATTACK, COUNTER - 1)),
    Wait.BLOCK: ((PASS, PASS), (BLOCK, RETURN_GIVEN - 1)),
    Wait.COUNTER: ((PASS, PASS), (PLAY, PICK - 1)),
}


def reason(s: Arena, a: int) -> int:
    """Why an action is not legal; 0 if it is."""
    if not 0 <= a < END:
        return reasons.UNKNOWN_ACTION
    if s.waiting == Wait.OVER:
        return reasons.GAME_IS_OVER
    if s.waiting == Wait.DRAWN:
        if a < DRAWN:
            return reasons.WRONG_PHASE
        seat = s.drawing[0]
        place = s.table.index[seat].get(a - DRAWN)
        return 0 if place is not None and s.pool[seat][place] > 0 else reasons.NO_SUCH_OUTCOME
    if a >= DRAWN:
        return reasons.CHANCE_DECIDES
    if a in legal_actions(s):
        return 0
    if s.waiting not in RANGES:
        return reasons.NOT_OFFERED
    if not any(low <= a <= high for low, high in RANGES[s.waiting]):
        return reasons.WRONG_PHASE
    if a >= COUNTER:
        return reasons.NO_COUNTER if a - COUNTER in s.hand[s.asked] else reasons.NOT_IN_HAND
    if a >= PLAY:
        return _why_not_play(s, a - PLAY)
    if s.waiting == Wait.BLOCK:
        return reasons.NO_BLOCKER
    if a >= ACTIVATE:
        return _why_not_activate(s, *divmod(a - ACTIVATE, ABILITIES))
    if a >= ATTACK:
        return _why_not_attack(s, *divmod(a - ATTACK, SLOTS))
    return reasons.NO_ACTIVE_DON if s.active[s.asked] == 0 else reasons.NOTHING_THERE


def _why_not_play(s: Arena, design: int) -> int:
    if design not in s.hand[s.asked]:
        return reasons.NOT_IN_HAND
    card = s.table.cards[design]
    timing = "main" if s.waiting == Wait.MAIN else "counter"
    if (card.kind == EVENT and not card.on(timing)) or (card.kind != EVENT and timing == "counter"):
        return reasons.NOT_AT_THIS_TIME
    return reasons.CANNOT_PAY if cost_in_hand(s, s.asked, design) > s.active[s.asked] else reasons.CANNOT_PAY_EFFECT


def _why_not_activate(s: Arena, slot: int, number: int) -> int:
    unit = s.field[s.player][slot] if slot < SLOTS else None
    if unit is None or number not in s.table.cards[unit.design].on("activate"):
        return reasons.NOTHING_TO_ACTIVATE
    ability = s.table.cards[unit.design].abilities[number]
    if ability.once and unit.used >> number & 1:
        return reasons.ONCE_PER_TURN
    if unit.don < ability.don:
        return reasons.DON_NOT_GIVEN
    return reasons.CANNOT_PAY_EFFECT if can_activate(s, unit.seat, unit, ability, number) else reasons.NOT_THIS_TURN


def _why_not_attack(s: Arena, slot: int, goal: int) -> int:
    unit, target = s.field[s.player][slot], s.field[1 - s.player][goal]
    if unit is None or slot == STAGE_SLOT or target is None or goal == STAGE_SLOT:
        return reasons.NOTHING_THERE
    if s.turn <= FIRST_TURNS:
        return reasons.FIRST_TURN
    if unit.rested:
        return reasons.ATTACKER_RESTED
    if goal and not target.rested:
        return reasons.TARGET_ACTIVE
    if unit.fresh and not bans(s, unit) & NO_ATTACK and not keywords(s, unit) & RUSH:
        return reasons.RUSH_CHARACTER if keywords(s, unit) & RUSH_CHARACTER else reasons.FRESH
    return reasons.MAY_NOT_ATTACK
