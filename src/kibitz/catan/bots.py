"""The bots of Catan by name, and the belief of the one that searches.

>>> bot_named("builder").policy is not None, bot_named("ismcts:2000").name
(True, 'ismcts:2000')
>>> bot_named("mcts")  # doctest: +ELLIPSIS
Traceback (most recent call last):
...
kibitz.play.bots.UnknownBot: 'mcts': no such bot; these are random, builder, seed, net, ...
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from kibitz.catan.belief.deals import deals
from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.core.actions import Action
from kibitz.catan.core.codes import UNSEEN_DRAW, UNSEEN_STEAL
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.events import BuyDevCard, Cards, Event, Steal
from kibitz.catan.core.game_state import GameState
from kibitz.catan.core.policy import BOTS
from kibitz.catan.core.transcript import Onlooker, awards, changes, seen_row
from kibitz.catan.profile import PROFILE
from kibitz.compute.runtime import Limit
from kibitz.game import Game, States, actor_at, apply_at
from kibitz.play import outside
from kibitz.play.bots import Bot, Player, net_bot
from kibitz.play.search_bot import SearchPlayer, Thinking
from kibitz.search.ismcts import SearchConfig

#: Who plays the games of a search on, who the other players are taken for, and whose choice is tried first.
BUILDER, BEFORE = BOTS["builder"], BOTS["builder-0.1"]
#: Where there is no network games are played to their ends, and in case of doubt the builder is right.
TO_THE_END = SearchConfig(
    trees=1, exploration=0.3, observers="single", policy=BUILDER, guide=BUILDER, others=BUILDER, caution=1.0
)
#: The same in 0.1.
IN_0_1 = replace(TO_THE_END, policy=BEFORE, guide=BEFORE, others=BEFORE)
#: Else the rest of the turn is planned, and the evaluator is asked at the ends of the turns of a round; all plans meet the same
#: luck.
CONFIG = replace(
    TO_THE_END, exploration=0.1, caution=0.0,
    paired=True, halving=True, widening=4, planning=True, horizon=0, looks=4,
)  # fmt: skip
#: How long it thinks unless its name says so.
USUAL = Limit(iterations=1000)
#: Worlds that are drawn for a decision.
WORLDS = 256


class Memory:
    """What a seat knows from everything it has seen: a hand tracker that follows every step."""

    def __init__(self, game: Game, seat: int, view: States, **settings: Any) -> None:
        """`settings` are those of a `HandTracker`."""
        self._seat = seat
        self.tracker = HandTracker(int(view["seats"][0]), seat, victory_points=int(view["victory_points"][0]), **settings)

    def saw(self, before: States, code: int, after: States) -> None:
        """Tell the tracker."""
        for event in events_seen(self._seat, before, code, after):
            self.tracker.process(event)

    def worlds(self, view: States, n: int, seed: int) -> States:
        """Deals of all cards that agree with everything that the seat has seen."""
        return deals(self.tracker, view, self._seat, n, seed)


def events_seen(seat: int, before: States, code: int, after: States) -> Iterator[Event]:
    """What a seat perceived of one step (`code` is what `seen` gives), as events; from its views before and after."""
    old, new = seen_row(before), seen_row(after)
    if code == UNSEEN_STEAL:
        yield Steal(old["player"], old["victim"])
    elif code == UNSEEN_DRAW:
        yield BuyDevCard(old["player"])
    else:
        action = Action.from_code(code)
        yield from Onlooker(seat).step(actor_at(before, 0), action, old, _changes(before, action, old, new))
    yield from awards(old, new)


def _changes(before: States, action: Action, old: dict[str, Any], new: dict[str, Any]) -> list[Cards]:
    """What a step that brings or takes cards changes in all hands; others' hands are not seen, but this is."""
    if action.kind == "play_monopoly":
        sizes = zip(old["hand_size"], new["hand_size"], strict=True)
        return [Cards.of({action.data["resource"]: now - before}) for before, now in sizes]
    states: States = before.copy()
    apply_at(states, 0, action.code)
    return changes(old["hand"], states["hand"][0].tolist())


def player(limit: Limit, config: SearchConfig = CONFIG) -> SearchPlayer[Memory]:
    """Somebody who searches for so long about each move."""
    return SearchPlayer(Thinking(config, limit, WORLDS, Memory, for_advice=TO_THE_END, unjudged=TO_THE_END))


#: The bots that search.
SEARCHES: dict[str, Callable[[Limit | None], Player]] = {
    "ismcts": lambda limit: player(limit or USUAL),
    "ismcts-0.1": lambda limit: player(limit or USUAL, IN_0_1),
}
#: All names.
NAMES = (*BOTS, *SEARCHES)


#: The friendly objects of the game, for bots from outside.
FRIENDLY = outside.Friendly(GameState, Action.from_text, PROFILE.quiet)


def bot_named(text: str) -> Bot:
    """The bot that a text names: ``builder``, ``ismcts``, ``ismcts:2000`` (iterations a move), ``ismcts:1s`` (time a move).

    ``net:FILE.net`` asks a network of one's own, ``my_bot.py:MyBot`` is one from outside (see `kibitz.play.outside`).
    """
    name, _, file = text.partition(":")
    if name == "net" and file:
        return net_bot(GAME, text, BOTS[name], Path(file))
    return outside.any_bot(text, BOTS, SEARCHES, FRIENDLY, PROFILE.levels)
