"""What manners do to the offers of bots (`kibitz.catan.manners`), and what they cost in strength.

    python benchmarks/offers.py             two minutes of one core

Four bots of a level play on random boards, as they are and with manners: how many offers they make in 17 turns of the table,
how many of these somebody would accept, and how many trades come of it. Then two of each kind play against each other, the same
boards and dice with the seats exchanged: with manners a bot should win as often as without.
"""

from collections.abc import Sequence

from tables import Bench, Figures

from kibitz.catan import Board
from kibitz.catan.bots import bot_named
from kibitz.catan.core.codes import ACCEPT, CONFIRM
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.state import SEATS, Rules, new_states
from kibitz.catan.manners import considerate, is_offer
from kibitz.game import OVER
from kibitz.play.bots import Bot
from kibitz.play.match import Table
from kibitz.play.share import Share

LEVELS = ("easy", "medium")
#: The games of the user who counted 79 offers lasted so many turns.
TURNS = 17


def played(bots: Sequence[Bot], number: int, rules: Rules) -> Table:
    """One whole game."""
    table = Table(GAME, new_states(Board.random(number), len(bots), rules), bots, number)
    while table.actor != OVER:
        table.step()
    return table


def offers(level: str, polite: bool, games: int, rules: Rules) -> tuple[object, ...]:
    """A row of the first table."""
    bot = considerate(bot_named(level)) if polite else bot_named(level)
    turns = made = taken = trades = 0
    for number in range(games):
        table = played([bot] * SEATS, number, rules)
        turns += int(table.states["turn"][0])
        fresh = False  # an offer that nobody has accepted yet
        for code in table.codes:
            made += is_offer(code)
            taken += fresh and code == ACCEPT
            fresh = is_offer(code) or (fresh and code != ACCEPT)
            trades += CONFIRM <= code < CONFIRM + SEATS
    rate = f"{100 * taken / made:.0f} %" if made else "-"
    return level, "yes" if polite else "no", f"{TURNS * made / turns:.1f}", rate, f"{TURNS * trades / turns:.1f}"


def strength(level: str, games: int, rules: Rules) -> tuple[object, ...]:
    """A row of the second table."""
    both = bot_named(level), considerate(bot_named(level))
    won = 0
    for number in range(games):
        seats = [(seat + number) % 2 for seat in range(SEATS)]
        table = played([both[which] for which in seats], number // 2, rules)
        winner = int(table.states["winner"][0])
        won += winner >= 0 and seats[winner]
    share = Share(won, games)
    return level, games, f"{100 * share.rate:.1f} % ± {100 * share.margin:.1f}"


def main() -> None:
    bench = Bench(__doc__, "offers.md")
    rules = Rules(victory_points=3) if bench.quick else Rules()
    levels = LEVELS[1:2] if bench.quick else LEVELS
    made = [offers(level, polite, bench.many(20), rules) for level in levels for polite in (False, True)]
    headings = ("four bots", "manners", f"offers in {TURNS} turns", "somebody would accept", "trades")
    wins = [strength(level, bench.many(400, 2), rules) for level in levels[-1:]]
    tables = [Figures("Offers", headings, made), Figures("Strength", ("level", "games", "won by the two with manners"), wins)]
    bench.publish("Offers of bots with manners", tables)


if __name__ == "__main__":
    main()
