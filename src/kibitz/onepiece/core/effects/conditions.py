"""What effects ask: which cards they mean (filters), and what must be true in the game (conditions).

A filter is over what is printed and over what is true on the field. Each condition is a field of an object; several in one
object must all hold. ``{"life": {"max": 3}, "turn": "yours"}``
"""

from typing import NamedTuple

from kibitz.onepiece.core.arena import Arena, CardInPlay
from kibitz.onepiece.core.cards import COLOURS, KEYWORDS, KINDS, Card, Condition
from kibitz.onepiece.core.effects.base import WHO
from kibitz.onepiece.core.effects.power import cost, keywords, power
from kibitz.onepiece.core.reading import FieldReader

ANY = (0, 99_999)


class Filter(NamedTuple):
    """All that is asked of a card; what is not asked is empty."""

    kinds: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    name: str = ""
    not_name: str = ""
    cost: tuple[int, int] = ANY
    power: tuple[int, int] = ANY
    rested: bool | None = None
    keyword: int = 0
    trigger: bool = False
    counter: bool = False

    @property
    def volatile(self) -> bool:
        """Whether permanent effects can change the answer."""
        return self.cost != ANY or self.power != ANY or bool(self.keyword)

    def fits_print(self, card: Card) -> bool:
        """Whether what is printed on a card is right, numbers and keywords apart."""
        return (
            (not self.kinds or card.kind in self.kinds)
            and (not self.colours or any(c in self.colours for c in card.colours))
            and (not self.types or any(t in self.types for t in card.types))
            and (not self.name or card.name == self.name)
            and (not self.not_name or card.name != self.not_name)
            and (not self.trigger or bool(card.on("trigger")))
            and (not self.counter or card.counter > 0)
        )

    def fits_card(self, card: Card) -> bool:
        """Whether a card that is not on the field is meant."""
        return (
            self.fits_print(card)
            and self.cost[0] <= card.cost <= self.cost[1]
            and (self.power == ANY or self.power[0] <= card.power <= self.power[1])
            and (not self.keyword or bool(card.keywords & self.keyword))
        )

    def fits(self, s: Arena, unit: CardInPlay) -> bool:
        """Whether a card on the field is meant."""
        return (
            (self.rested is None or unit.rested == self.rested)
            and self.fits_print(s.table.cards[unit.design])
            and (self.power == ANY or self.power[0] <= power(s, unit) <= self.power[1])
            and (self.cost == ANY or self.cost[0] <= cost(s, unit) <= self.cost[1])
            and (not self.keyword or bool(keywords(s, unit) & self.keyword))
        )


def read_filter(r: FieldReader) -> Filter:
    """The filter among the fields of an object."""
    return Filter(
        kinds=r.some_of("kinds", KINDS),
        colours=r.some_of("colours", COLOURS),
        types=r.some_of("types"),
        name=r.text("name", ""),
        not_name=r.text("notName", ""),
        cost=r.range("cost"),
        power=r.range("power", low=-99_999) if r.has("power") else ANY,
        rested=r.flag("rested") if r.has("rested") else None,
        keyword=KEYWORDS[r.one_of("keyword", KEYWORDS)] if r.has("keyword") else 0,
        trigger=r.flag("trigger"),
        counter=r.flag("counter"),
    )


MANY = 60
#: The counters that a condition can ask for, each with `who` and bounds up to `MANY`.
COUNTED = ("life", "hand", "don", "activeDon", "trash", "deck")
NAMES = ("all", "any", "not", "turn", "donGiven", *COUNTED, "count", "leader", "self", "attacking")


def seats_of(seat: int, who: str) -> tuple[int, ...]:
    """The seats that a word means, seen from `seat`."""
    return (seat,) if who == "you" else (1 - seat,) if who == "opponent" else (seat, 1 - seat)


def counter(s: Arena, seat: int, name: str) -> int:
    """One of the public numbers of a seat."""
    if name == "don":
        return s.active[seat] + s.rested[seat] + sum(u.don for u in s.units(seat))
    if name == "activeDon":
        return s.active[seat]
    return s.deck_size(seat) if name == "deck" else len({"life": s.life, "hand": s.hand, "trash": s.trash}[name][seat])


def all_hold(s: Arena, seat: int, source: CardInPlay | None, args: tuple[Condition, ...]) -> bool:
    """Every one."""
    return all(c.test(s, seat, source, c.args) for c in args)


def any_holds(s: Arena, seat: int, source: CardInPlay | None, args: tuple[Condition, ...]) -> bool:
    """At least one."""
    return any(c.test(s, seat, source, c.args) for c in args)


def holds_not(s: Arena, seat: int, source: CardInPlay | None, args: Condition) -> bool:
    """The contrary."""
    return not args.test(s, seat, source, args.args)


def is_turn(s: Arena, seat: int, source: CardInPlay | None, args: str) -> bool:
    """Whose turn it is."""
    return (s.player == seat) == (args == "yours")


def don_given(s: Arena, seat: int, source: CardInPlay | None, args: int) -> bool:
    """[DON!! xN]: so many are given to this card."""
    return source is not None and source.don >= args


def counts(s: Arena, seat: int, source: CardInPlay | None, args: tuple[str, str, int, int]) -> bool:
    """A counter of a player is within bounds."""
    name, who, low, high = args
    return low <= counter(s, seats_of(seat, who)[0], name) <= high


def units_count(s: Arena, seat: int, source: CardInPlay | None, args: tuple[str, Filter, bool, int, int]) -> bool:
    """So many cards on the field are as the filter says (of `who`; `other`: this one not counted)."""
    who, which, other, low, high = args
    n = 0
    for owner in seats_of(seat, who):
        for unit in s.field[owner]:
            if unit is not None and not (other and unit is source) and which.fits(s, unit):
                n += 1
    return low <= n <= high


def leader_is(s: Arena, seat: int, source: CardInPlay | None, args: Filter) -> bool:
    """Your Leader is as the filter says."""
    return args.fits(s, s.leader(seat))


def itself(s: Arena, seat: int, source: CardInPlay | None, args: Filter) -> bool:
    """This card is as the filter says."""
    return source is not None and args.fits(s, source)


def attacks(s: Arena, seat: int, source: CardInPlay | None, args: bool) -> bool:
    """This card is the attacker (or is not)."""
    return (source is not None and s.attacker == source.serial) == args


def read_condition(r: FieldReader) -> Condition:
    """The condition that an object says: all of its fields."""
    found = [_read_one(r, name) for name in NAMES if r.has(name)]
    r.finish()
    if not found:
        raise r.fail("if", f"expected one of {', '.join(NAMES)}")
    if len(found) == 1:
        return found[0]
    return Condition(all_hold, tuple(found), any(c.volatile for c in found))


def _read_one(r: FieldReader, name: str) -> Condition:
    match name:
        case "all" | "any":
            parts = tuple(read_condition(part) for part in r.objects(name))
            return Condition(all_hold if name == "all" else any_holds, parts, any(c.volatile for c in parts))
        case "not":
            inner = read_condition(r.object("not"))
            return Condition(holds_not, inner, inner.volatile)
        case "turn":
            return Condition(is_turn, r.one_of("turn", ("yours", "opponents")))
        case "donGiven":
            return Condition(don_given, r.number("donGiven", 1, 10))
        case "attacking":
            return Condition(attacks, r.flag("attacking"))
    if name in COUNTED and not isinstance(r.raw(name), dict):
        exact = r.number(name, 0, MANY)
        return Condition(counts, (name, "you", exact, exact))
    part = r.object(name)
    if name in COUNTED:
        bounds = part.number("min", 0, MANY, 0), part.number("max", 0, MANY, MANY)
        found = Condition(counts, (name, part.one_of("who", WHO, "you"), *bounds))
    elif name == "count":
        who, other = part.one_of("who", (*WHO, "both"), "you"), part.flag("other")
        low, high = part.number("min", 0, 12, 0), part.number("max", 0, 12, 12)
        which = read_filter(part)
        found = Condition(units_count, (who, which, other, low, high), which.volatile)
    else:
        which = read_filter(part)
        found = Condition(leader_is if name == "leader" else itself, which, which.volatile)
    part.finish()
    return found
