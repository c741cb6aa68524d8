"""The battle: attack, block, counter, damage, end.

If the attacker or the target has left its place, what is left of the battle is skipped.
"""

from kibitz.onepiece.core.actions import ATTACK, BLOCK, COUNTER
from kibitz.onepiece.core.arena import LEADER_SLOT, NOBODY, SLOTS, STAGE_SLOT, Arena, CardInPlay, Frame, Phase, Wait
from kibitz.onepiece.core.cards import (
    BANISH, BLOCKER, DOUBLE_ATTACK, NO_ATTACK, NO_ATTACK_ON_LEADER, NO_BLOCK, RUSH, RUSH_CHARACTER, UNBLOCKABLE,
)  # fmt: skip
from kibitz.onepiece.core.effects.base import BATTLE_KO
from kibitz.onepiece.core.effects.life_and_don import push_damage
from kibitz.onepiece.core.effects.power import BATTLE, POWER, add, bans, end_changes, keywords, power
from kibitz.onepiece.core.moves import turn
from kibitz.onepiece.core.triggers import activate, emit

#: Neither player battles on their own first turn.
FIRST_TURNS = 2


def attacks(s: Arena) -> list[int]:
    """The attacks that the turn player can declare, ascending."""
    if s.turn <= FIRST_TURNS:
        return []
    found = []
    targets = [u.slot for u in s.characters(1 - s.player) if u.rested]
    plain = not s.auras()
    for unit in s.field[s.player][:STAGE_SLOT]:
        if unit is None or unit.rested:
            continue
        first = ATTACK + unit.slot * SLOTS
        if plain and not unit.mods and not unit.fresh:
            found += [first, *(first + slot for slot in targets)]
            continue
        banned = bans(s, unit)
        words = keywords(s, unit) if unit.fresh else RUSH
        if banned & NO_ATTACK or not words & (RUSH | RUSH_CHARACTER):
            continue
        if words & RUSH and not banned & NO_ATTACK_ON_LEADER:
            found.append(first + LEADER_SLOT)
        found += [first + slot for slot in targets]
    return found


def declare(s: Arena, code: int) -> None:
    """Attack step: the attacker is rested; [When Attacking], then [On Your Opponent's Attack] are activated."""
    slot, goal = divmod(code - ATTACK, SLOTS)
    unit, target = s.at(s.player, slot), s.at(1 - s.player, goal)
    s.attacker, s.target = unit.serial, target.serial
    s.phase = Phase.BLOCK
    turn(s, unit, rested=True)
    activate(s, unit, "attack")
    for other in s.units(1 - s.player):
        activate(s, other, "opponentAttack")


def fighters(s: Arena) -> tuple[CardInPlay, CardInPlay] | None:
    """Attacker and target, if both are still there."""
    attacker, target = s.find(s.attacker), s.find(s.target)
    return None if attacker is None or target is None else (attacker, target)


def blockers(s: Arena) -> list[int]:
    """The blocks that the other player can declare, ascending."""
    return [
        BLOCK + unit.slot
        for unit in s.characters(1 - s.player)
        if not unit.rested and unit.serial != s.target and keywords(s, unit) & BLOCKER and not bans(s, unit) & NO_BLOCK
    ]


def block_step(s: Arena) -> None:
    """Wait for a block, if one is possible."""
    pair = fighters(s)
    if pair is None:
        s.phase = Phase.BATTLE_END
    elif keywords(s, pair[0]) & UNBLOCKABLE or not blockers(s):
        s.phase = Phase.COUNTER
    else:
        s.ask(Wait.BLOCK, 1 - s.player)


def block(s: Arena, slot: int) -> None:
    """A [Blocker] becomes the target: it is rested, and its [On Block] activated."""
    unit = s.at(1 - s.player, slot)
    s.target = unit.serial
    s.phase = Phase.COUNTER
    turn(s, unit, rested=True)
    activate(s, unit, "block")


def counter_step(s: Arena) -> bool:
    """Wait for counters; a player with cards in hand is always asked."""
    if fighters(s) is None:
        s.phase = Phase.BATTLE_END
    elif not s.hand[1 - s.player]:
        s.phase = Phase.DAMAGE
    else:
        s.waiting, s.asked = Wait.COUNTER, 1 - s.player
        return True
    return False


def counters(s: Arena) -> list[int]:
    """The cards of the defender's hand with a printed counter."""
    hand = s.hand[1 - s.player]
    return [COUNTER + d for d in sorted(set(hand)) if d >= 0 and s.table.cards[d].counter]


def counter(s: Arena, design: int) -> None:
    """A card with a printed counter is discarded: the target is stronger for this battle."""
    seat = 1 - s.player
    target = s.find(s.target)
    assert target is not None
    s.drop_hand(seat, design)
    s.add_trash(seat, design)
    emit(s, "discarded", seat, design=design)
    add(target, POWER, s.table.cards[design].counter, BATTLE)


def damage_step(s: Arena) -> None:
    """The attacker wins if its power is at least the target's: damage to the Leader, or the Character's K.O."""
    s.phase = Phase.BATTLE_END
    pair = fighters(s)
    if pair is not None:
        attacker, target = pair
        if power(s, attacker) >= power(s, target):
            if target.slot == LEADER_SLOT:
                words = keywords(s, attacker)
                push_damage(s, target.seat, 2 if words & DOUBLE_ATTACK else 1, bool(words & BANISH))
            else:
                s.frames.append(Frame(target.seat, target.design, BATTLE_KO, target.serial))


def end_step(s: Arena) -> None:
    """The battle is over."""
    s.attacker = s.target = NOBODY
    end_changes(s, (BATTLE,))
    s.phase = Phase.MAIN
