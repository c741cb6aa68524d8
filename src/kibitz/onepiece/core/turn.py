"""The turn: set-up, Refresh, Draw, DON!!, Main, End; and what comes next at any moment, in an effect or in the turn."""

from collections.abc import Callable

from kibitz.onepiece.core.actions import ABILITIES, ACTIVATE, END_TURN, GIVE, PLAY
from kibitz.onepiece.core.arena import STAGE_SLOT, UNKNOWN, Arena, Frame, Phase, Wait
from kibitz.onepiece.core.battle import attacks, block_step, counter_step, damage_step, end_step
from kibitz.onepiece.core.cards import EVENT, NO_REFRESH, Instruction
from kibitz.onepiece.core.effects.base import BATTLE_KO, DAMAGE, DEAL_HAND, DRAW_CARD, PLAY_CARD, TRASH_HELD, Amount
from kibitz.onepiece.core.effects.life_and_don import deal_damage, trash_held
from kibitz.onepiece.core.effects.movement import battle_ko, draw, enter_held
from kibitz.onepiece.core.effects.power import START, bans, cost_in_hand, end_changes, end_turn, settle
from kibitz.onepiece.core.moves import add_don
from kibitz.onepiece.core.triggers import activate, can_activate, drop_dead, emit, next_seat, payable


def deal(s: Arena) -> None:
    """Both draw five cards."""
    s.phase = Phase.MULLIGAN
    s.frames += [Frame(seat, s.leader(seat).design, DEAL_HAND) for seat in (1 - s.first, s.first)]


def ask_redraw(s: Arena) -> None:
    """Who plays first decides first."""
    s.ask(Wait.MULLIGAN, s.player)


def answer_redraw(s: Arena, redraw: bool) -> None:
    """Keep the hand, or put it back, shuffle and draw five new cards. Then Life is laid out."""
    seat = s.player
    if redraw:
        for design in s.hand[seat][:]:
            s.drop_hand(seat, design)
            s.add_pool(seat, design)
            s.unknown[seat] += 1
            s.ordered = 0
        s.frames.append(Frame(seat, s.leader(seat).design, DEAL_HAND))
    s.player = 1 - seat
    if seat != s.first:
        for owner in range(2):
            n = s.card(s.leader(owner)).life
            s.unknown[owner] -= n
            s.life[owner] = [UNKNOWN] * n
            s.ordered = 0
        s.phase = Phase.START


def start(s: Arena) -> None:
    """Refresh Phase, first part (6-2-1, 6-2-2): changes that last until now end, then effects of the start of the turn."""
    s.turn += 1
    seat = s.player
    end_changes(s, (START + seat,))
    for unit in s.all_units():
        if unit.used:
            unit.used, unit.hashed = 0, 0
    for unit in s.units(seat):
        unit.fresh, unit.hashed = False, 0
        activate(s, unit, "turnStart")
    s.phase = Phase.REFRESH


def refresh(s: Arena) -> None:
    """Refresh Phase, second part (6-2-3, 6-2-4): given DON!! return rested, then everything becomes active."""
    seat = s.player
    for unit in s.units(seat):
        s.rested[seat] += unit.don
        unit.don, unit.hashed = 0, 0
    for unit in s.units(seat):
        if unit.rested and not bans(s, unit) & NO_REFRESH:
            unit.rested = False
    s.active[seat] += s.rested[seat]
    s.rested[seat] = 0
    s.phase = Phase.DRAW


def draw_phase(s: Arena) -> None:
    """Draw Phase: one card, but not for the first player on turn 1."""
    s.phase = Phase.DON
    if s.turn > 1:
        s.frames.append(Frame(s.player, s.leader(s.player).design, DRAW_CARD))


def don_phase(s: Arena) -> None:
    """DON!! Phase: two DON!!, one on the first turn of the game."""
    s.phase = Phase.MAIN
    add_don(s, s.player, 1 if s.turn == 1 else 2, rested=False)


def main_phase(s: Arena) -> None:
    """Main Phase: the turn player does anything in any order."""
    s.ask(Wait.MAIN, s.player)


def begin_end(s: Arena) -> None:
    """End Phase: [End of Your Turn] effects are activated."""
    s.phase = Phase.END
    for unit in s.units(s.player):
        activate(s, unit, "turnEnd")
    for unit in s.units(1 - s.player):
        activate(s, unit, "opponentTurnEnd")


def end_phase(s: Arena) -> None:
    """What lasts a turn ends; the other player's turn begins."""
    end_turn(s, s.player)
    s.player = 1 - s.player
    s.phase = Phase.START


#: The procedures of the rules that work like effects.
PROCEDURES: dict[int, tuple[Instruction, ...]] = {
    DEAL_HAND: (Instruction(draw, Amount(5)),),
    DRAW_CARD: (Instruction(draw, Amount(1)),),
    DAMAGE: (Instruction(deal_damage, None),),
    TRASH_HELD: (Instruction(trash_held, None),),
    PLAY_CARD: (Instruction(enter_held, None),),
    BATTLE_KO: (Instruction(battle_ko, None),),
}


def code_of(s: Arena, f: Frame) -> tuple[Instruction, ...]:
    """The program of a frame."""
    return s.table.cards[f.design].abilities[f.ability].code if f.ability >= 0 else PROCEDURES[f.ability]


def instruction(s: Arena) -> Instruction:
    """What the topmost frame is doing."""
    frame = s.frames[-1]
    return code_of(s, frame)[frame.pc]


def run(s: Arena) -> None:
    """Resolve what is on the stack, until somebody has to decide or the game is over."""
    while s.frames and s.waiting == Wait.NOTHING:
        f = s.frames[-1]
        code = code_of(s, f)
        if f.pc >= len(code):
            s.frames.pop()
            continue
        step = code[f.pc]
        if step.run(s, f, step.args):
            f.pc += 1


#: What each phase does when nothing is being resolved.
STEPS: dict[Phase, Callable[[Arena], object]] = {
    Phase.DEAL: deal,
    Phase.MULLIGAN: ask_redraw,
    Phase.START: start,
    Phase.REFRESH: refresh,
    Phase.DRAW: draw_phase,
    Phase.DON: don_phase,
    Phase.MAIN: main_phase,
    Phase.BLOCK: block_step,
    Phase.COUNTER: counter_step,
    Phase.DAMAGE: damage_step,
    Phase.BATTLE_END: end_step,
    Phase.END: end_phase,
}


def advance(s: Arena) -> None:
    """Go on until somebody (or chance) has to decide, or the game is over."""
    while s.waiting == Wait.NOTHING:
        if s.frames:
            run(s)
        elif not settle(s):
            s.ask(Wait.SETTLE, s.player)
        else:
            if s.triggers:
                drop_dead(s)
            if s.triggers:
                s.ask(Wait.RESOLVE, next_seat(s))
            else:
                STEPS[s.phase](s)


def main_actions(s: Arena) -> list[int]:
    """Everything that the turn player may do in the Main Phase, ascending."""
    seat = s.player
    found = [END_TURN]
    row = s.field[seat]
    if s.active[seat]:
        found += [GIVE + u.slot for u in row[:STAGE_SLOT] if u is not None]
    found += attacks(s)
    for unit in row:
        if unit is not None and (numbers := s.table.cards[unit.design].by_timing.get("activate")):
            abilities = [(n, s.table.cards[unit.design].abilities[n]) for n in numbers]
            usable = [n for n, a in abilities if can_activate(s, seat, unit, a, n) and payable(s, seat, unit, a)]
            found += [ACTIVATE + unit.slot * ABILITIES + n for n in usable]
    found += [PLAY + d for d in sorted(set(s.hand[seat])) if d >= 0 and can_play(s, seat, d, "main")]
    return found


def can_play(s: Arena, seat: int, design: int, timing: str) -> bool:
    """Whether a card in hand can be played: it has to be paid, and an Event needs an effect for this time."""
    card = s.table.cards[design]
    if cost_in_hand(s, seat, design) > s.active[seat]:
        return False
    if card.kind != EVENT:
        return timing == "main"
    numbers = card.on(timing)
    return bool(numbers) and payable_from_hand(s, seat, design, numbers[0])


def payable_from_hand(s: Arena, seat: int, design: int, number: int) -> bool:
    """Whether the further costs of an Event can be paid once the Event itself is paid and out of the hand."""
    ability = s.table.cards[design].abilities[number]
    if not ability.payable:
        return True
    price = cost_in_hand(s, seat, design)
    pay(s, seat, price)
    place = s.hand[seat].index(design)
    del s.hand[seat][place]
    fine = payable(s, seat, None, ability)
    s.hand[seat].insert(place, design)
    pay(s, seat, -price)
    return fine


def pay(s: Arena, seat: int, price: int) -> None:
    """Rest so many active DON!!."""
    s.active[seat] -= price
    s.rested[seat] += price


def play_card(s: Arena, seat: int, design: int, timing: str) -> None:
    """Pay for a card and play it: an Event goes to the trash and is resolved, others come to the field."""
    pay(s, seat, cost_in_hand(s, seat, design))
    s.drop_hand(seat, design)
    card = s.table.cards[design]
    if card.kind == EVENT:
        s.add_trash(seat, design)
        s.frames += [Frame(seat, design, number) for number in reversed(card.on(timing))]
        emit(s, "event", seat, design=design)
    else:
        s.frames.append(Frame(seat, design, PLAY_CARD, held=design))
