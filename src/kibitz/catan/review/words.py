"""A review in words, for a terminal and for a page: moves by what lies there, why a move is better, and what a game came to.

>>> from kibitz.catan import Board
>>> move_words("build_city 41", Board.beginner(), ("Ann", "Bob"))
'a city on wheat 6, brick 5, ore 3'
>>> move_words("build_road 17-18", Board.beginner(), ("Ann", "Bob"))
'a road between wheat 12 and wheat 9'
>>> in_points(-0.142) == f"{MINUS}14", in_points(0.05, 1)
(True, '+5.0')
"""

from collections.abc import Iterator, Sequence
from math import fsum

from kibitz.catan.core.actions import Action
from kibitz.catan.core.board import RESOURCES, Board
from kibitz.catan.core.places import corner_words, edge_words, the_hex
from kibitz.catan.review.types import GRADES, LEAST, Account, Entry, Fortune, Moment, Verdict, Why
from kibitz.catan.words import say
from kibitz.game.evaluator import SURE
from kibitz.ground.signs import MINUS, minus, signed
from kibitz.ground.texts import capitalised, counted

_PIECES = {"place_setup_settlement": "a settlement", "build_settlement": "a settlement", "build_city": "a city"}
#: Differences that are not worth a word: cards in 36 throws of one's own and of others, cards in hand, points.
FEW_CARDS, FEW_TAKEN, FEW_IN_HAND, FEW_POINTS = 0.75, 2.0, 1.5, 0.1
#: What somebody draws.
_DRAWN = {"knight": "a knight", "victory_point": "a victory point", "road_building": "Road Building",
          "year_of_plenty": "Year of Plenty", "monopoly": "Monopoly"}  # fmt: skip
_AWARDS = {"road": "the Longest Road", "army": "the Largest Army"}
#: Luck or losses below this (a share of games) decide no game.
LITTLE = 0.05


def in_points(share: float, digits: int = 0) -> str:
    """A difference of chances in points, with its sign; none if it rounds to zero."""
    points = round(100 * share, digits)
    return signed(points, digits) if points else minus(0, digits)


def move_words(move: str, board: Board, names: Sequence[str]) -> str:
    """The text of a player's action in words."""
    action = Action.from_text(move)
    data = action.data
    if action.kind in _PIECES:
        return f"{_PIECES[action.kind]} on {corner_words(board, data['corner'])}"
    if "edge" in data:
        return f"a road {edge_words(board, data['edge'])}"
    if "hex" in data:
        return f"the robber to {the_hex(board.hexes[data['hex']])}"
    words = say(move, board)
    for name in ("victim", "partner"):
        if name in data:
            words = words.replace(f"seat {data[name] + 1}", names[data[name]])
    return words


def turn_words(where: Verdict | Moment | Fortune) -> str:
    """The turn of something."""
    return f"turn {where.turn}" if where.turn else "draft"


def grade_words() -> str:
    """What the grades mean."""
    rows = [f"{grade} {100 * LEAST[grade]:g} or more" for grade in reversed(GRADES[1:])]
    return f"Points lost: {', '.join(rows)}."


def times(n: int) -> str:
    """How often.

    >>> times(2), times(9)
    ('twice', '9 times')
    """
    return {1: "once", 2: "twice"}.get(n, f"{n} times")


# --- why ------------------------------------------------------------------------------------------------------------


def reasons_in_words(entry: Entry, board: Board, names: Sequence[str]) -> list[str]:
    """Why the best move is better, in sentences: what speaks for it, then what it costs, then the points."""
    why, seat = entry.why, entry.seat
    found = [*_line(why, board, names), *_award(why, names), *_income(why), *_blocked(why, seat, names)]
    return [*found, *_lost(why, board, names), *_hand(why), *_price(why, seat, names), *_points(why)]


def _line(why: Why, board: Board, names: Sequence[str]) -> Iterator[str]:
    if len(why.line) > 1:
        yield f"Then {_joined([_doing(move, board, names) for move in why.line[1:]])}."


def _doing(move: str, board: Board, names: Sequence[str]) -> str:
    """A move in words that begin with what is done."""
    words = move_words(move, board, names)
    verb = "build " if words.startswith("a ") else "move " if words.startswith("the robber") else ""
    return verb + words


def _income(why: Why) -> Iterator[str]:
    """What the dice bring the player, unless it is less."""
    parts, total = _by_resource(why), fsum(why.income)
    if parts and total > -FEW_CARDS:
        yield f"Over 36 rolls it brings {'just as many cards' if total < FEW_CARDS else _cards(total)} ({parts})."


def _blocked(why: Why, seat: int, names: Sequence[str]) -> Iterator[str]:
    """Who gets fewer cards."""
    told = _others(why, seat, names, 1)
    if told:
        before = "" if any(_income(why)) else "over 36 rolls "
        yield f"{capitalised(before + _joined(told))}."


def _price(why: Why, seat: int, names: Sequence[str]) -> Iterator[str]:
    """What the better move costs: cards of one's own, and cards that it leaves to others."""
    total, told = fsum(why.income), _others(why, seat, names, -1)
    if (parts := _by_resource(why)) and total <= -FEW_CARDS:
        told.insert(0, f"it brings {_cards(total)} ({parts})")
    if told:
        yield f"The price: over 36 rolls {_joined(told)}."


def _by_resource(why: Why) -> str:
    """How many cards more or fewer the player gets of each resource, where the difference is worth a word."""
    gains = {str(r): gain for r, gain in zip(RESOURCES, why.income, strict=False) if abs(gain) >= FEW_CARDS}
    return ", ".join(f"{name} {'+' if gain > 0 else MINUS}{abs(gain):.0f}" for name, gain in gains.items())


def _others(why: Why, seat: int, names: Sequence[str], sign: int) -> list[str]:
    """Who gets clearly fewer cards (a `sign` of 1) or more (-1)."""
    return [f"{_gets(names[who])} {_cards(-n)}" for who, n in enumerate(why.blocked) if who != seat and sign * n >= FEW_TAKEN]


def _cards(n: float) -> str:
    many = max(1, round(abs(n)))
    return f"{many} {'more' if n > 0 else 'fewer'} card{'s' * (many > 1)}"


def _gets(name: str) -> str:
    return "you get" if name == "You" else f"{name} gets"


def _lost(why: Why, board: Board, names: Sequence[str]) -> Iterator[str]:
    if why.lost is not None:
        corner, other, share = why.lost
        takes = "you {}take" if names[other] == "You" else f"{names[other]} {{}}takes"
        always = share > 0.95
        often = "" if always else f" in {100 * share:.0f} % of games"
        yield f"Otherwise {takes.format('always ' * always)} {corner_words(board, corner)}{often}."


def _award(why: Why, names: Sequence[str]) -> Iterator[str]:
    if why.award is not None:
        name, one = _AWARDS[why.award.name], names[why.award.seat]
        holds = "you hold" if one == "You" else f"{one} holds"
        often = f"{_share(why.award.best)} of games instead of {_share(why.award.played)}"
        yield f"Three rounds later {holds} {name} in {often}."


def _share(share: float) -> str:
    return f"{100 * share:.0f} %"


def _hand(why: Why) -> Iterator[str]:
    if why.cards >= FEW_IN_HAND:
        yield f"It leaves {_cards(why.cards)} in hand at the end of the turn."


def _points(why: Why) -> Iterator[str]:
    if not why.points:
        return
    rounds, good, bad = max(why.points, key=lambda moment: moment[1] - moment[2])
    if good - bad >= FEW_POINTS:
        yield f"After {counted(rounds, 'round')} it leads to {good:.1f} victory points on average instead of {bad:.1f}."
    elif max(abs(good - bad) for _, good, bad in why.points) < FEW_POINTS:
        yield "Victory points come no sooner, but it wins more of the games that are played out."
    else:
        yield "Victory points come later, but it wins more of the games that are played out."


def _joined(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


# --- what a game came to --------------------------------------------------------------------------------------------


def verdict_in_words(account: Account, name: str, over: bool = True) -> str:
    """Luck and decisions of a seat in a sentence; `name` may be ``you``."""
    you = name == "you"
    luck, losses = account.luck / SURE, account.losses / SURE
    whose = "you" if you else name
    first = f"Dice and cards were worth {in_points(luck)} points to {whose}"
    second = f"{'your' if you else 'their'} decisions cost {100 * losses:.0f}"
    end = f": {whose} {_outcome(account)}" if over else ""
    return f"{first}, {second}{end}."


def _outcome(account: Account) -> str:
    """Won or lost, and by what."""
    luck, losses, gain = account.luck / SURE, account.losses / SURE, (account.result - account.start) / SURE
    if account.result == SURE:
        if luck >= gain:
            return "won by luck"
        return "won by play" if luck < gain / 2 else "won with some luck"
    if losses >= max(-luck, LITTLE):
        return "lost by play"
    return "lost by bad luck" if -luck >= LITTLE else "lost because others played better"


def fortune_words(fortune: Fortune, names: Sequence[str]) -> str:
    """What happened by chance."""
    if fortune.kind == "dice":
        return f"{names[fortune.seat]} rolled {fortune.what}"
    if fortune.kind == "stolen card":
        return f"{names[fortune.seat]} stole {fortune.what}"
    return f"{names[fortune.seat]} drew {_DRAWN.get(fortune.what, fortune.what)}"
