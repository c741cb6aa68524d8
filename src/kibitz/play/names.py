"""What the players at a table are called: people by their own names, bots by a person's name for each seat.

A record names bots by what they are, and the same one may have four seats. On every page and in every report it is ``Cid`` who
rolled, and which bot Cid is stands beside the name where there is room for it.
"""

from collections.abc import Collection, Sequence

#: What a person is called in records.
YOU = "you"
#: What the bots are called, by seat and in every game; which bot it is stands beside the name.
NAMES = ("Ann", "Bob", "Cid", "Dora", "Emil", "Fay")
#: Letters of a name that are shown.
LONGEST_NAME = 24


def name_of(seat: int) -> str:
    """What the bot at a seat is called; at large tables the names run out.

    >>> name_of(1), name_of(6)
    ('Bob', 'Player 7')
    """
    return NAMES[seat] if seat < len(NAMES) else f"Player {seat + 1}"


def names_of(seats: Sequence[str], bots: Collection[str]) -> tuple[str, ...]:
    """The names of the players at a table, from what a record says; `bots` are the names of bots without their effort.

    >>> names_of(["you", "builder", "ismcts:300"], ["builder", "ismcts"])
    ('You', 'Bob', 'Cid')
    >>> names_of(["Eve", "Eve", ""], [])
    ('Eve 1', 'Eve 2', 'Player 3')
    """
    found = [_name(name, seat, bots) for seat, name in enumerate(seats)]
    return tuple(
        name if name and found.count(name) == 1 else f"{name or 'Player'} {seat + 1}" for seat, name in enumerate(found)
    )


def _name(name: str, seat: int, bots: Collection[str]) -> str:
    if name == YOU:
        return "You"
    return name_of(seat) if is_bot(name, bots) else name.strip()[:LONGEST_NAME]


def is_bot(name: str, bots: Collection[str]) -> bool:
    """Whether a record means a bot: ``ismcts:300`` is one if `bots` has ``ismcts``, and so is one from a file.

    >>> is_bot("ismcts:300", ["ismcts"]), is_bot("my_bot.py:MyBot", []), is_bot("Eve", ["ismcts"])
    (True, True, False)
    """
    return name.partition(":")[0] in bots or ".py:" in name


def with_bots(names: Sequence[str], seats: Sequence[str], bots: Collection[str]) -> tuple[str, ...]:
    """The names, and in brackets which bot it is.

    >>> with_bots(["You", "Bob"], ["you", "ismcts:300"], ["ismcts"])
    ('You', 'Bob (ismcts:300)')
    """
    return tuple(f"{name} ({seat})" if is_bot(seat, bots) else name for name, seat in zip(names, seats, strict=True))
