"""Which cards an effect means: filters over what is printed and over what is true on the field."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kibitz.onepiece.core.cards import COLOURS, KEYWORDS, KINDS, Card
from kibitz.onepiece.core.reading import FieldReader

if TYPE_CHECKING:
    from kibitz.onepiece.core.arena import Arena, CardInPlay

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
        from kibitz.onepiece.core.permanent import cost, keywords, power

        if self.rested is not None and unit.rested != self.rested:
            return False
        if not self.fits_print(s.table.cards[unit.design]):
            return False
        if self.power != ANY and not self.power[0] <= power(s, unit) <= self.power[1]:
            return False
        if self.cost != ANY and not self.cost[0] <= cost(s, unit) <= self.cost[1]:
            return False
        return not self.keyword or bool(keywords(s, unit) & self.keyword)


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
