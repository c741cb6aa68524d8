"""Games of Catan in the library of a server, at moments that a test needs."""

from kibitz.catan.core.actions import describe
from kibitz.catan.core.board import Board
from kibitz.catan.core.position import points_of
from kibitz.catan.core.record import simulate
from kibitz.catan.core.state import Rules
from kibitz.catan.pages.play.game import ALL, YOU, CatanSetup
from kibitz.game import actor_at, to_dict
from kibitz.web.games import kept_game
from kibitz.web.services import LIBRARY
from kibitz.web.store import Store


def played(seed, rules=None, seats=3, bot="builder"):
    """A whole game of a bot, with a person at the first seat instead."""
    return simulate(Board.beginner(), [bot] * seats, seed, rules or Rules())


def moment(wanted, rules=None, seats=3, bot="builder"):
    """A game and a step at which the first seat is to move and `wanted` (of the state) is true; the first that is found."""
    for seed in range(200):
        record = played(seed, rules, seats, bot)
        for step, states in enumerate(record.states()):
            if actor_at(states, 0) == 0 and wanted(states):
                return record, step
    raise AssertionError("no such moment")


def state_at(record, step):
    """The position before a step."""
    return next(states for number, states in enumerate(record.states()) if number == step)


def keep(data, record, step, id=None, offers=ALL):
    """Put a game, played so far, into a library; its id. The person is asked about `offers` of this kind."""
    seats = (YOU, *record.seats[1:])
    setup = CatanSetup(record.board, seats, record.seed, record.rules, offers)
    store = Store(data / LIBRARY)
    row = to_dict(state_at(record, step), 0)
    own, *others = (points_of(row, seat)[1] for seat in range(len(seats)))
    winner, stands = row["winner"], f"turn {row['turn']}"
    if winner >= 0:
        lost = f"lost by {max(others) - own}; {setup.names[winner]} won"
        stands = f"{lost if winner else f'won by {own - max(others)}'} on {stands}"
    kept = kept_game("catan", setup.to_json(), [*map(describe, record.codes[:step])])
    title = f"Catan: {', '.join(setup.names)} · {stands}"
    id = store.save("game", title, kept, id, game="catan", over=step >= len(record.codes))
    store.close()
    return id
