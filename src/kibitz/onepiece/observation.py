"""One Piece as learning code meets it: ids of actions, and what a seat sees as numbers. Both depend on the two decks."""

from kibitz.adapters.observations import Layout, Part, plain_layout
from kibitz.adapters.setting import Codes
from kibitz.game import Game
from kibitz.onepiece.core.actions import ASCENDING, codes_of
from kibitz.onepiece.core.arena import DON, SLOTS, UNKNOWN, Arena, Phase, Wait
from kibitz.onepiece.core.cards import CardTable
from kibitz.onepiece.core.effects.power import power

#: Numbers of a card on the field: design + 1 (0: nothing there), rested, fresh, DON!!, power, abilities used (bits),
#: whether it attacks, whether it is attacked.
UNIT = 8
#: Powers are cut off here.
MOST_POWER = 30000
#: So many of everything else are more than a deck holds.
MANY = 100


def ids(game: Game) -> Codes:
    """What needs no card comes first and is the same for all decks, then playing, countering with and picking each card."""
    designs = len(_table(game).cards)
    found = [code for kind in ASCENDING if kind != "drawn" for code in codes_of(kind, designs)]
    return Codes(tuple(found), tuple(codes_of("drawn", designs)))


def observation(game: Game) -> Layout:
    """What a seat sees, given the cards of both decks."""
    return plain_layout(game, onepiece_parts(_table(game)), facts)


def _table(game: Game) -> CardTable:
    found: CardTable = game.new(2, 0)[0].table
    return found


def onepiece_parts(table: CardTable) -> tuple[Part, ...]:
    """The parts of an observation, in the order in which `facts` gives them."""
    designs = len(table.cards)
    return (
        Part("phase", (), 0, max(Phase), "a number of kibitz.onepiece.core.arena.Phase"),
        Part("waiting", (), 0, max(Wait), "what the game waits for: a number of kibitz.onepiece.core.arena.Wait"),
        Part("asked", (), -1, 1, "who decides, or -1"),
        Part("player", (), 0, 1, "whose turn it is"),
        Part("first", (), 0, 1, "who played first"),
        Part("turn", (), 0, 1000, "one player's turn"),
        Part("winner", (), -1, 1, "a seat, or -1"),
        Part("hand_size", (2,), 0, MANY, "[seat]"),
        Part("life_size", (2,), 0, MANY, "[seat]"),
        Part("deck_size", (2,), 0, MANY, "[seat]"),
        Part("don", (2, 3), 0, DON, "[seat, in the DON!! deck or active or rested]"),
        Part("hand", (2, designs), 0, MANY, "[seat, design] cards that the observer knows"),
        Part("trash", (2, designs), 0, MANY, "[seat, design]"),
        Part("life", (2, designs), 0, MANY, "[seat, design] cards that the observer knows"),
        Part("deck", (2, designs), 0, MANY, "[seat, design] cards whose place in the deck the observer knows"),
        Part("field", (2, SLOTS, UNIT), -MOST_POWER, MOST_POWER, "[seat, slot] see UNIT in kibitz.onepiece.observation"),
        Part("effect", (), 0, designs, "1 + the design whose effect is being resolved, or 0"),
    )


def facts(s: Arena, seat: int) -> list[int]:
    """The numbers of a view (a state in which `hide` was applied for `seat`)."""
    designs = len(s.table.cards)
    found = [int(s.phase), int(s.waiting), s.asked, s.player, s.first, s.turn, s.winner]
    for zone in (s.hand, s.life):
        found += map(len, zone)
    found += [s.deck_size(owner) for owner in range(2)]
    for owner in range(2):
        found += [s.don_deck[owner], s.active[owner], s.rested[owner]]
    life = [_known(zone) for zone in s.life]
    deck = [_known([*s.top[owner], *s.bottom[owner]]) for owner in range(2)]
    for zones in (s.hand, s.trash, life, deck):
        for cards in zones:
            found += [cards.count(design) for design in range(designs)]
    for owner in range(2):
        for slot in range(SLOTS):
            found += _unit(s, owner, slot)
    found.append(s.frames[-1].design + 1 if s.frames else 0)
    return found


def _known(entries: list[int]) -> list[int]:
    """The designs of a zone's known cards."""
    return [entry >> 2 for entry in entries if entry != UNKNOWN]


def _unit(s: Arena, owner: int, slot: int) -> list[int]:
    unit = s.field[owner][slot]
    if unit is None:
        return [0] * UNIT
    strength = max(-MOST_POWER, min(MOST_POWER, power(s, unit)))
    flags = unit.used, int(unit.serial == s.attacker), int(unit.serial == s.target)
    return [unit.design + 1, int(unit.rested), int(unit.fresh), unit.don, strength, *flags]
