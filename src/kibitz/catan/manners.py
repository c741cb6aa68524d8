"""How bots trade where a person sits at the table: no offer without a chance, and an ear for counter-offers.

A bot by itself offers whatever would help it, and a person has the work of answering. Here somebody stands beside the bot.
What it would offer is first tried in worlds that agree with all that its seat sees: if hardly anybody would accept there, or if
the same was refused a moment ago, the bot is asked again as if it had no offer left. Nothing is added to what the bot knows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from kibitz.catan.core.codes import ACCEPT, CONFIRM, DECLINE, DIGITS, END_ROADS, OFFER, PLACES
from kibitz.catan.core.policy import BOTS
from kibitz.catan.core.state import ACCEPTED, DECLINED, MAIN, SUPPLY, TRADE, TRADE_ANSWER, TRADE_CHOICE
from kibitz.game import Game, States, actor_at, apply_at, why_not_at
from kibitz.game.definition import copied, seat_policies
from kibitz.game.doors import decide_at, sensible_actions
from kibitz.ground.rng import derive_seed
from kibitz.play.bots import Bot, Player
from kibitz.play.search_bot import AnyDeal

#: In so many worlds an offer is tried, and in so many of them somebody must accept it.
WORLDS, ENOUGH = 24, 8
#: For so many rounds what everybody refused is not offered again.
ROUNDS = 2


class Counter(NamedTuple):
    """A counter-offer: who made it, to whom, in which turn, and the code of the offer that the other would have to make."""

    maker: int
    to: int
    turn: int
    code: int


class Considerate:
    """A player who offers only what has a chance, and takes up a counter-offer that suits it."""

    def __init__(self, player: Player, counter: Callable[[], Counter | None] = lambda: None, slow: bool = False) -> None:
        """`counter` is the counter-offer that is open at the table, if there is one.

        A `slow` player is not asked about offers at all where none has a chance, so that it need not think twice.
        """
        self._player, self._counter, self._slow = player, counter, slow

    def begin(self, game: Game, seat: int, view: States, seed: int) -> None:
        """Both begin."""
        self._seat, self._seed, self._steps = seat, derive_seed(seed, "manners"), 0
        self._deals = AnyDeal(game, seat, view)
        self._xs = game.scratches()
        seat_policies(self._xs, [BOTS["builder"]] * game.seats[1])
        self._open: int | None = None
        self._refused: dict[int, int] = {}
        self._dealt: tuple[int, States] | None = None
        self._player.begin(game, seat, view, seed)

    def saw(self, before: States, code: int, after: States) -> None:
        """Note which of one's own offers everybody refused."""
        self._steps += 1
        if is_offer(code):
            self._open = code if int(before["player"][0]) == self._seat else None
        elif code == ACCEPT:
            self._open = None
        elif code == DECLINE and self._open is not None and int(after["phase"][0]) != TRADE_ANSWER:
            self._refused[self._open] = int(after["turn"][0])
            self._open = None
        self._player.saw(before, code, after)

    def decide(self, view: States) -> int:
        """What the player would do, but for offers that are better not made, and for a counter-offer that is welcome."""
        # First, so that the player draws the same random numbers when the game is opened again, where only the steps are known.
        may = not self._slow or any(self._may_offer(view, code) for code in sensible_actions(view) if is_offer(code))
        chosen = self._player.decide(view if may else _without_offers(view))
        if is_offer(chosen) and not self._may_offer(view, chosen):
            chosen = self._player.decide(_without_offers(view))
        counter = self._counter()
        if counter is not None and counter.to == self._seat and counter.turn == int(view["turn"][0]):
            if int(view["phase"][0]) == TRADE_CHOICE and int(view["answers"][0, counter.maker]) == ACCEPTED:
                return int(CONFIRM + counter.maker)
            if self.welcomes(view, counter):
                return counter.code
        return chosen

    def _may_offer(self, view: States, code: int) -> bool:
        turn, rounds = int(view["turn"][0]), ROUNDS * int(view["seats"][0])
        if code in self._refused and turn < self._refused[code] + rounds:
            return False
        if self._dealt is None or self._dealt[0] != self._steps:
            self._dealt = self._steps, self._deals.worlds(view, WORLDS, derive_seed(self._seed, self._steps))
        worlds = copied(self._dealt[1])
        return sum(self._is_taken(worlds, i, code) for i in range(WORLDS)) >= ENOUGH

    def _is_taken(self, worlds: States, i: int, code: int) -> bool:
        """Whether somebody would accept an offer in a world, if all were builders."""
        apply_at(worlds, i, code)
        while int(worlds["phase"][i]) == TRADE_ANSWER:
            answer = int(decide_at(worlds, i, self._xs, 0))
            if answer == ACCEPT:
                return True
            apply_at(worlds, i, answer)
        return False

    def welcomes(self, view: States, counter: Counter) -> bool:
        """Whether a counter-offer can be taken up now, and suits this seat: it would accept it as an offer of the other's."""
        if int(view["phase"][0]) not in (MAIN, TRADE) or why_not_at(view, 0, counter.code):
            return False
        asked = view.copy()
        asked["phase"], asked["player"] = TRADE_ANSWER, counter.maker
        asked["offer"][0] = [-n for n in counts_of(counter.code)]
        asked["answers"][0] = DECLINED
        asked["answers"][0, self._seat] = 0
        assert actor_at(asked, 0) == self._seat
        return int(decide_at(asked, 0, self._xs, 0)) == ACCEPT


def considerate(bot: Bot, counter: Callable[[], Counter | None] = lambda: None) -> Bot:
    """The same bot, at a table with a person."""
    return Bot(bot.name, lambda: Considerate(bot.player(), counter, bot.policy is None), bot.policy, bot.spare)


def _without_offers(view: States) -> States:
    """The same view, as if no more offers could be made in this turn."""
    silent = view.copy()
    silent["offers"] = silent["offer_limit"]
    return silent


def is_offer(code: int) -> bool:
    """Whether an action is an offer to the other players."""
    return OFFER <= code < END_ROADS


def counts_of(code: int) -> list[int]:
    """What an offer gives (+) and wants (-), by resource.

    >>> from kibitz.catan.core.actions import offer_trade
    >>> counts_of(offer_trade({"wood": 2}, {"ore": 1}).code)
    [2, 0, 0, 0, -1]
    """
    return [(code - OFFER) // place % DIGITS - SUPPLY for place in PLACES.tolist()]
