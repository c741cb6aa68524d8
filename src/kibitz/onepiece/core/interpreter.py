"""Runs effects: takes the topmost frame and does its instructions until it is finished, or somebody has to decide."""

from __future__ import annotations

from kibitz.onepiece.core.arena import Arena, Frame, Wait
from kibitz.onepiece.core.cards import Instruction
from kibitz.onepiece.core.effects.base import BATTLE_KO, DAMAGE, DEAL_HAND, DRAW_CARD, PLAY_CARD, TRASH_HELD
from kibitz.onepiece.core.effects.life import deal_damage, trash_held
from kibitz.onepiece.core.effects.movement import Amount, battle_ko, draw, enter_held

#: The procedures of the rules that work like effects.
PROCEDURES: dict[int, tuple[Instruction, ...]] = {
    DEAL_HAND: (Instruction(draw, Amount(5, "you")),),
    DRAW_CARD: (Instruction(draw, Amount(1, "you")),),
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


def run(s: Arena) -> bool:
    """Resolve what is on the stack; False as soon as somebody has to decide or the game is over."""
    frames = s.frames
    while frames:
        f = frames[-1]
        code = code_of(s, f)
        if f.pc >= len(code):
            frames.pop()
            continue
        step = code[f.pc]
        if step.run(s, f, step.args):
            f.pc += 1
        if s.waiting != Wait.NOTHING:
            return False
        frames = s.frames
    return True
