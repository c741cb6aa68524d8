"""Costs: what is paid before an effect, whole or not at all.

Each cost has a condition that tells whether it can be paid, and becomes steps at the beginning of the program.
"""

from kibitz.onepiece.core.arena import Arena, CardInPlay, Frame
from kibitz.onepiece.core.cards import Condition
from kibitz.onepiece.core.effects.base import Amount, Program
from kibitz.onepiece.core.effects.conditions import MANY, Filter, counts, itself, leader_is, read_filter
from kibitz.onepiece.core.effects.life_and_don import give_back, lose_life, orient
from kibitz.onepiece.core.effects.movement import Removal, remove, turn_cards
from kibitz.onepiece.core.effects.select import Select, select
from kibitz.onepiece.core.reading import FieldReader

NAMES = (
    "restDon", "returnDon", "restSelf", "restLeader", "trashSelf", "discard", "lifeToHand", "lifeTrash", "restCharacter",
    "returnCharacter", "trashCharacter",
)  # fmt: skip
#: Costs of which the second could find that the first took the only card.
USES_CHARACTER = {"restCharacter", "returnCharacter", "trashCharacter"}
TAKES_LIFE = {"lifeToHand", "lifeTrash"}
USES_SELF = {"restSelf", "trashSelf"}
#: Costs that can be paid together in this order only.
ORDER = {"restSelf": "trashSelf", "restDon": "returnDon"}


def can_rest_self(s: Arena, seat: int, unit: CardInPlay | None, n: int) -> bool:
    """This card is on the field and active."""
    return unit is not None and not unit.rested


def can_discard(s: Arena, seat: int, unit: CardInPlay | None, args: tuple[int, Filter]) -> bool:
    """So many cards of this kind in the hand."""
    n, which = args
    cards = s.table.cards
    return sum(d < 0 or which.fits_card(cards[d]) for d in s.hand[seat]) >= n


def has_character(s: Arena, seat: int, unit: CardInPlay | None, args: tuple[Filter, bool]) -> bool:
    """A Character of this kind on the field."""
    which, other = args
    return any(which.fits(s, u) and not (other and u is unit) for u in s.characters(seat))


def mark_paid(s: Arena, f: Frame, a: object) -> bool:
    """The cost is paid."""
    f.did = True
    return True


def read_costs(readers: list[FieldReader], program: Program) -> tuple[Condition, ...]:
    """Read a list of costs: the steps that pay go into the program, and the questions whether they can be paid come back."""
    found = []
    before: dict[str, FieldReader] = {}
    for i, r in enumerate(readers):
        names = [name for name in NAMES if r.has(name)]
        if len(names) != 1:
            raise r.fail("cost", f"expected one of {', '.join(NAMES)}, found {', '.join(r.value) or 'no fields'}")
        _check_together(r, names[0], before)
        before[names[0]] = r
        found.append(_read_cost(r, names[0], f"cost {i + 1}", program))
        r.finish()
    if found:
        program.add(mark_paid, None)
    return tuple(found)


def publicly(costs: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """The same questions as far as everybody can answer them: how many cards are in the hand, not which."""
    return tuple(c._replace(args=(c.args[0], Filter())) if c.test is can_discard else c for c in costs)


def _check_together(r: FieldReader, name: str, before: dict[str, FieldReader]) -> None:
    """Each cost is asked by itself whether it can be paid: refuse those of which one could take what another needs."""
    if name in before:
        raise r.fail(name, "this cost is there already; name it once, with the whole number")
    for rivals in (USES_CHARACTER, TAKES_LIFE):
        if name in rivals and rivals & set(before):
            raise r.fail(name, f"cannot be paid together with {min(rivals & set(before))}")
    if ORDER.get(name) in before:
        raise r.fail(name, f"expected before {ORDER[name]}")
    paid = {**before, name: r}
    if USES_SELF & set(paid):
        for choice in USES_CHARACTER & set(paid):
            if paid[choice].object(choice).value.get("other") is not True:
                raise paid[choice].fail(choice, "other: expected true, since this card itself is used, too")


def _at_least(counter: str, n: int) -> Condition:
    return Condition(counts, (counter, "you", n, MANY))


def _read_cost(r: FieldReader, name: str, label: str, program: Program) -> Condition:
    match name:
        case "restDon":
            n = r.number(name, 1, 10)
            program.add(orient, Amount(n, flag=True))
            return _at_least("activeDon", n)
        case "returnDon":
            n = r.number(name, 1, 10)
            program.add(give_back, Amount(n))
            return _at_least("don", n)
        case "lifeToHand" | "lifeTrash":
            n = r.number(name, 1, 5)
            program.add(lose_life, (n, "you", "hand" if name == "lifeToHand" else "trash"))
            return _at_least("life", n)
        case "discard":
            n, which = r.number(name, 1, 5), read_filter(r)
            program.add(select, Select(label, "hand", "you", "you", which, n, n))
            program.add(remove, Removal(label, "trash"))
            return Condition(can_discard, (n, which))
        case "restSelf" | "restLeader" | "trashSelf":
            if not r.flag(name):
                raise r.fail(name, "expected true")
            if name == "trashSelf":
                program.add(remove, Removal("self", "trash"))
                return Condition(itself, Filter())
            program.add(turn_cards, ("self" if name == "restSelf" else "leader", True))
            return Condition(can_rest_self, 0) if name == "restSelf" else Condition(leader_is, Filter(rested=False))
    part = r.object(name)
    other, which = part.flag("other"), read_filter(part)
    part.finish()
    if name == "restCharacter":
        which = which._replace(rested=False)
    program.add(select, Select(label, "characters", "you", "you", which, 1, 1, other))
    if name == "restCharacter":
        program.add(turn_cards, (label, True))
    else:
        program.add(remove, Removal(label, "hand" if name == "returnCharacter" else "trash"))
    return Condition(has_character, (which, other))
