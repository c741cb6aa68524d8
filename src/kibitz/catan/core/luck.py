"""Luck in Catan: how much better than average a throw of the dice or a drawn card is for each seat, guessed at almost no cost.

A guess at everybody's chances (`note_outlook`: a softmax over points to go, income, cards, roads and who is next) says how much
is open between any two seats. What a throw brings a seat is the worth of its cards, less what the 36 throws bring on average; a
seven costs cards and lets the player rob. Of drawn cards only victory points count. Where chance is kinder to one seat than to
another, it gains from the other, by how much is open between the two. So luck adds up to 0 over the seats, and to exactly 0
over the outcomes of a chance event, whatever the weights are. Stolen cards are left out, since they hardly matter.

Weights (`kibitz.catan.core.luck_weights`) are in parts of `WORTH`, in which chances differ as logarithms do. They were found in
games of their own.
"""

from kibitz.catan.core.codes import DRAWN, ROLLED
from kibitz.catan.core.luck_weights import (
    CARD_WORTH, DISCARD_WORTH, OUTLOOK_CARDS, OUTLOOK_HAND, OUTLOOK_INCOME, OUTLOOK_KINDS, OUTLOOK_KNIGHTS, OUTLOOK_NEXT,
    OUTLOOK_ROAD, OUTLOOK_TO_GO, POINT_WORTH, ROBBER_WORTH,
)  # fmt: skip
from kibitz.catan.core.rules.turn import total_points
from kibitz.catan.core.scores import pips
from kibitz.catan.core.state import DRAWING, KINDS, KNIGHT, ROLLING, VICTORY_POINT, CatanState, Notes
from kibitz.catan.core.topology import HEX_MASK, HEXES
from kibitz.game.evaluator import EXP, HOPELESS, ONE
from kibitz.ground.bits import count
from kibitz.ground.jit import jit

#: What stands for 1 in weights, and for certainty in guessed chances.
WORTH, CHANCE_OF = 1 << 10, 1 << 10
#: Throws of two dice.
THROWS = 36
#: What stands for a whole game won in ``x.luck``.
LUCK = THROWS * WORTH * CHANCE_OF
#: Points still to be made, and cards of a resource, are told apart up to these numbers.
FAR, MANY = 8, 3
#: Where in ``x.notes`` it stands what 36 throws bring each seat, what this one brings, points to go, and what chance is worth.
INCOME_AT, GAIN_AT, TO_GO_AT, GOOD_AT = 0, 20, 40, 44


@jit
def stage_of(to_go: int) -> int:
    """How near the end somebody is: 0 with one point to go, up to 4."""
    if to_go <= 3:
        return to_go - 1
    return 3 if to_go <= 5 else 4


@jit
def note_income(s: CatanState, x: Notes, number: int) -> None:
    """Write to ``x.notes`` what 36 throws bring each seat of each resource, and what `number` brings, if the supply can pay."""
    built = 0
    for seat in range(s.seats):
        built |= s.settlements[seat] | s.cities[seat]
    for i in range(s.seats * KINDS):
        x.notes[INCOME_AT + i] = 0
        x.notes[GAIN_AT + i] = 0
    for hex in range(HEXES):
        token, corners = s.number[hex], HEX_MASK[hex]
        if token and hex != s.robber and built & corners:
            many, resource = pips(token), s.terrain[hex]
            for seat in range(s.seats):
                cards = count(s.settlements[seat] & corners) + 2 * count(s.cities[seat] & corners)
                if cards:
                    x.notes[INCOME_AT + seat * KINDS + resource] += many * cards
                    if token == number:
                        x.notes[GAIN_AT + seat * KINDS + resource] += cards


@jit
def note_outlook(s: CatanState, x: Notes) -> None:
    """Guess everybody's chances, into ``x.values``, from the income in ``x.notes``; points to go (1 to `FAR`) go there, too."""
    least = FAR
    for seat in range(s.seats):
        to_go = max(1, min(FAR, s.victory_points - total_points(s, seat)))
        x.notes[TO_GO_AT + seat] = to_go
        least = min(least, to_go)
    part = 2 if least <= 2 else 1 if least <= 5 else 0  # of the game
    best = -(1 << 40)
    for seat in range(s.seats):
        later = seat - s.player if seat >= s.player else seat - s.player + s.seats
        speaks = OUTLOOK_TO_GO[part, x.notes[TO_GO_AT + seat] - 1] + OUTLOOK_NEXT[part, later]
        for resource in range(KINDS):
            income = x.notes[INCOME_AT + seat * KINDS + resource]
            if income:
                speaks += OUTLOOK_INCOME[part, resource] * income + OUTLOOK_KINDS[part, resource]
        speaks += OUTLOOK_CARDS[part] * (s.dev_size[seat] - s.dev[seat, VICTORY_POINT]) + OUTLOOK_HAND[part] * s.hand_size[seat]
        speaks += OUTLOOK_KNIGHTS[part] * s.played[seat, KNIGHT] + OUTLOOK_ROAD[part] * s.road_length[seat]
        x.values[seat] = speaks
        best = max(best, speaks)
    total = 0
    for seat in range(s.seats):
        behind = (best - x.values[seat]) // (WORTH // ONE)
        x.values[seat] = EXP[behind] if behind < HOPELESS else 0
        total += x.values[seat]
    for seat in range(s.seats):
        x.values[seat] = CHANCE_OF * x.values[seat] // total


@jit
def share_out(s: CatanState, x: Notes) -> None:
    """Add to ``x.luck`` what the worths in ``x.notes`` gain each seat from each other."""
    for seat in range(s.seats):
        for other in range(seat):
            open_between = x.values[seat] * x.values[other] // CHANCE_OF
            gain = open_between * (x.notes[GOOD_AT + seat] - x.notes[GOOD_AT + other])
            x.luck[seat] += gain
            x.luck[other] -= gain


@jit
def luck_of_dice(s: CatanState, x: Notes, number: int) -> None:
    """What a throw brings beyond the mean of the 36; six of them are sevens."""
    note_income(s, x, number)
    note_outlook(s, x)
    for seat in range(s.seats):
        stage, good = stage_of(x.notes[TO_GO_AT + seat]), 0
        for resource in range(KINDS):
            income = x.notes[INCOME_AT + seat * KINDS + resource]
            if income:
                worth = CARD_WORTH[stage, resource, min(MANY, s.hand[seat, resource])]
                good += worth * (THROWS * x.notes[GAIN_AT + seat * KINDS + resource] - income)
        by_seven = ROBBER_WORTH[stage] if seat == s.player else 0
        if s.hand_size[seat] > s.discard_limit:
            by_seven += DISCARD_WORTH[stage] * (s.hand_size[seat] // 2)
        good += by_seven * ((THROWS if number == 7 else 0) - pips(7))
        x.notes[GOOD_AT + seat] = good
    share_out(s, x)


@jit
def luck_of_card(s: CatanState, x: Notes, card: int) -> None:
    """What a drawn card brings: a victory point, or none."""
    note_income(s, x, 0)
    note_outlook(s, x)
    for seat in range(s.seats):
        x.notes[GOOD_AT + seat] = 0
    worth = THROWS * POINT_WORTH[stage_of(x.notes[TO_GO_AT + s.player])] // s.deck_size
    drawn = s.deck_size if card == VICTORY_POINT else 0
    x.notes[GOOD_AT + s.player] = worth * (drawn - s.deck[VICTORY_POINT])
    share_out(s, x)


@jit
def luck(s: CatanState, x: Notes, a: int) -> None:
    """The luck of the dice and of drawn cards."""
    if s.phase == ROLLING:
        luck_of_dice(s, x, a - ROLLED + 2)
    elif s.phase == DRAWING:
        luck_of_card(s, x, a - DRAWN)
