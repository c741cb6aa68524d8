"""The bot ``greedy``: rules of thumb, one for each kind of decision, without any search.

It plays the dearest card it can pay for, uses what it has, attacks where that succeeds for the least DON!!, and keeps blockers
and counters for the attacks that hurt. It looks at nothing that its seat cannot see, and it does not draw lots.
"""

from collections.abc import Callable

from kibitz.onepiece.core.actions import (
    ABILITIES, ACTIVATE, ATTACK, BLOCK, COUNTER, DONE, END_TURN, GIVE, KEEP, NO, PASS, PICK, PLAY, REDRAW, TARGET, YES,
)  # fmt: skip
from kibitz.onepiece.core.arena import CHARACTER_SLOTS, LEADER_SLOT, SLOTS, Arena, CardInPlay, Wait
from kibitz.onepiece.core.battle import fighters
from kibitz.onepiece.core.cards import EVENT, STAGE
from kibitz.onepiece.core.effects.power import DON_POWER, cost, cost_in_hand, power
from kibitz.onepiece.core.effects.select import Select
from kibitz.onepiece.core.legal import legal_actions
from kibitz.onepiece.core.turn import instruction

#: With so much Life or less, attacks on the Leader are stopped at any price.
DANGER = 2


def greedy(s: Arena) -> int:
    """What `greedy` does now."""
    actions = legal_actions(s)
    if len(actions) == 1:
        return actions[0]
    rule = RULES.get(s.waiting)
    return actions[0] if rule is None else rule(s, actions)


def worth(s: Arena, unit: CardInPlay) -> int:
    """How much a card on the field matters: its cost, and a little its power."""
    return 10 * cost(s, unit) + power(s, unit) // 1000


def _redraw(s: Arena, actions: list[int]) -> int:
    """A hand needs something to play in the first turns."""
    early = sum(s.table.cards[d].cost <= 2 and s.table.cards[d].kind != EVENT for d in s.hand[s.asked])
    return KEEP if early >= 2 else REDRAW


def _main(s: Arena, actions: list[int]) -> int:
    design = _best_play(s, [a - PLAY for a in actions if a >= PLAY])
    if design is not None:
        return PLAY + design
    for a in actions:
        if ACTIVATE <= a < PLAY and _useful(s, *divmod(a - ACTIVATE, ABILITIES)):
            return a
    return _attack(s, actions)


def _best_play(s: Arena, plays: list[int]) -> int | None:
    """The dearest card that makes sense."""
    seat = s.player
    best, found = -1, None
    full = all(s.field[seat][slot] is not None for slot in CHARACTER_SLOTS)
    for design in plays:
        card = s.table.cards[design]
        price = 2 * cost_in_hand(s, seat, design)
        if card.kind == EVENT:
            if not s.characters(1 - seat) and not any(u.rested for u in s.units(seat)):
                continue
            price -= 1
        elif card.kind == STAGE:
            if s.field[seat][SLOTS - 1] is not None:
                continue
        elif full and card.cost <= min(s.card(u).cost for u in s.characters(seat)) + 1:
            continue
        if price > best:
            best, found = price, design
    return found


def _useful(s: Arena, slot: int, number: int) -> bool:
    """An effect is used at once, unless it would rest a Character that can attack, or could be used for ever."""
    unit = s.at(s.player, slot)
    ability = s.card(unit).abilities[number]
    if not (ability.once or ability.payable):
        return False
    return s.rested[s.player] > 0 or slot in (LEADER_SLOT, SLOTS - 1) or unit.fresh


def _attack(s: Arena, actions: list[int]) -> int:
    """The attack that succeeds for the least DON!!; what it lacks is given first, and the last attacker gets what is left."""
    seat = s.player
    best: tuple[int, int, int] | None = None
    slots = set()
    powers: dict[int, int] = {}
    for a in actions:
        if not ATTACK <= a < ACTIVATE:
            continue
        slot, goal = divmod(a - ATTACK, SLOTS)
        slots.add(slot)
        target = s.at(1 - seat, goal)
        for key, fighter in ((slot, s.at(seat, slot)), (SLOTS + goal, target)):
            if key not in powers:
                powers[key] = power(s, fighter)
        lacking = max(0, -((powers[slot] - powers[SLOTS + goal]) // DON_POWER))
        if lacking > s.active[seat]:
            continue
        value = (30 if goal == LEADER_SLOT else worth(s, target)) - 12 * lacking
        if best is None or value > best[0]:
            best = value, a, lacking
    if best is None:
        return END_TURN
    _, a, lacking = best
    slot = (a - ATTACK) // SLOTS
    if s.active[seat] and (lacking or len(slots) == 1):
        return GIVE + slot
    return a


def _block(s: Arena, actions: list[int]) -> int:
    pair = fighters(s)
    assert pair is not None
    attacker, target = pair
    strength = power(s, attacker)
    if strength < power(s, target):
        return PASS
    best = min((u for u in s.characters(s.asked) if BLOCK + u.slot in actions), key=lambda u: worth(s, u))
    if target.slot == LEADER_SLOT:
        wanted = len(s.life[s.asked]) <= DANGER or power(s, best) > strength
    else:
        wanted = worth(s, best) < worth(s, target)
    return BLOCK + best.slot if wanted else PASS


def _counter(s: Arena, actions: list[int]) -> int:
    pair = fighters(s)
    assert pair is not None
    attacker, target = pair
    lacking = power(s, attacker) - power(s, target)
    if lacking < 0:
        return PASS
    cards = s.table.cards
    printed = [a for a in actions if a >= COUNTER]
    total = sum(cards[d].counter for d in s.hand[s.asked])
    life = len(s.life[s.asked])
    if target.slot == LEADER_SLOT:
        willing = 20_000 if life <= 1 else 4000 if life <= DANGER else 1000 if life <= 3 else 0
    else:
        willing = 2000 if cost(s, target) >= 5 else 0
    if lacking >= willing:
        return PASS
    events = [a for a in actions if PLAY <= a < COUNTER]
    if events and (lacking >= 1000 or not printed):
        return events[0]
    if total <= lacking:
        return PASS
    enough = [a for a in printed if cards[a - COUNTER].counter > lacking]
    return min(enough or printed, key=lambda a: (bool(enough) or -cards[a - COUNTER].counter, cards[a - COUNTER].cost))


def _choose(s: Arena, actions: list[int]) -> int:
    """The opponent loses the best card, the bot's own hand the worst; what helps goes to who fights."""
    args = instruction(s).args
    targets = [a for a in actions if a != DONE]
    cards = s.table.cards
    if targets[0] >= PICK:
        giving = isinstance(args, Select) and args.low > 0
        return min(targets, key=lambda a: cards[a - PICK].cost if giving else -cards[a - PICK].cost)
    return max(targets, key=lambda a: _value(s, a, args))


def _value(s: Arena, a: int, args: object) -> int:
    seat, slot = divmod(a - TARGET, SLOTS)
    unit = s.at(seat, slot)
    if seat != s.asked:
        return worth(s, unit) + 100 * (not unit.rested)
    if isinstance(args, Select) and args.low > 0:
        return -worth(s, unit)
    return 1000 * (unit.serial in (s.attacker, s.target)) + 100 * (not unit.rested and not unit.fresh) + worth(s, unit)


def _confirm(s: Arena, actions: list[int]) -> int:
    """Yes; but a card is saved only for a cheaper one."""
    saving = s.frames[-1].names.get("saving")
    if saving is not None:
        saved = s.find(saving[0])
        others = [u for u in s.characters(s.asked) if u is not saved and s.card(u).on("replace")]
        if saved is not None and others and min(worth(s, u) for u in others) >= worth(s, saved):
            return NO
    return YES


def _make_room(s: Arena, actions: list[int]) -> int:
    """The least of one's own Characters has to go."""
    least = min(s.characters(s.asked), key=lambda u: worth(s, u))
    return TARGET + s.asked * SLOTS + least.slot


RULES: dict[Wait, Callable[[Arena, list[int]], int]] = {
    Wait.MULLIGAN: _redraw,
    Wait.MAIN: _main,
    Wait.BLOCK: _block,
    Wait.COUNTER: _counter,
    Wait.CHOOSE: _choose,
    Wait.CONFIRM: _confirm,
    Wait.MAKE_ROOM: _make_room,
}
