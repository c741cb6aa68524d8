"""Which number the evaluator is told where: the layout of what `kibitz.catan.core.features` writes for a seat."""

import hashlib

from kibitz.catan.core.board import RESOURCES

KINDS = len(RESOURCES)
SEATS = 4

#: The largest input.
MOST = 127
#: Points still to be made are told apart up to this number.
FAR = 12
#: A settlement may be so many roads away.
STEPS_SEEN = 4  # here, after one, two and three roads

_sizes = {
    "to go": FAR,  # one-hot: points still to be made, the last for more
    "points": 1,
    "hand": KINDS,
    "many": KINDS,  # cards beyond the second of a resource
    "hand size": 1,
    "over the limit": 1,
    "income": KINDS,
    "blocked": KINDS,
    "all income": 1,
    "numbers": 1,  # throws of 36 that bring something
    "rates": KINDS,
    "barter": 1,
    "lacking": 4,
    "payable": 4,  # with the hand, by trade with the supply
    "owned": 4,  # with the hand as it is
    "soon": 4,
    "site soon": STEPS_SEEN - 1,
    "sites": STEPS_SEEN,
    "site pips": STEPS_SEEN,
    "site worth": STEPS_SEEN,
    "own pips": STEPS_SEEN,  # the best that nobody else is as near to
    "own worth": STEPS_SEEN,
    "second worth": 1,
    "upgrade": 2,  # the pips of the best and second settlement
    "settlements": 1,
    "cities": 1,
    "roads left": 1,
    "cards": KINDS,
    "old cards": 1,
    "knights": 1,
    "knights to lead": 4,
    "army": 2,
    "road": 1,
    "roads to lead": 5,
    "longest": 2,
    "at once": 3,  # one purchase or card wins, several together might, plays to the largest army
    "turn": SEATS,
    "own turn": 8,
    "must discard": 1,
    "round": 1,
    "deck": 1,
    "supply": KINDS,
    "kinds": 1,
    "by number": 10,  # cards that each throw brings, but 7
    "deck cards": KINDS,
    "open ends": 2,  # of roads: those that could go on by a road to a corner where nobody else has built, and by two
}
AT = {name: sum(list(_sizes.values())[:i]) for i, name in enumerate(_sizes)}
#: How many numbers there are for a seat.
INPUTS = sum(_sizes.values())
#: How many hidden numbers they become.
WIDE = 128

(
    TO_GO, POINTS, HAND, MANY, HAND_SIZE, OVER_LIMIT, IN, BLOCKED, ALL_INCOME, NUMBERS, RATES_AT, BARTER_AT, LACKING,
    PAYABLE, OWNED, SOON_AT, SITE_SOON, SITES, SITE_PIPS, SITE_WORTH, OWN_PIPS, OWN_WORTH, SECOND_WORTH, UPGRADE,
    SETTLED, CITIES_AT, ROADS_LEFT, CARDS, OLD_CARDS, KNIGHTS, KNIGHTS_TO_LEAD, ARMY, ROAD, ROADS_TO_LEAD, LONGEST,
    AT_ONCE, TURN, OWN_TURN, MUST_DISCARD, ROUND, DECK_AT, SUPPLY_AT, KINDS_AT, BY_NUMBER, DECK_CARDS,
    OPEN_ENDS,
) = AT.values()  # fmt: skip

#: A short hash of what all these numbers mean; raise the version whenever one of them changes its meaning.
MEANING = 2
LAYOUT = hashlib.blake2b(f"{MEANING} {_sizes}".encode(), digest_size=4).hexdigest()
