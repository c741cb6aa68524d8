"""Bots of Kibitz as players of catanatron.

A player of catanatron is any object with a colour and the methods `decide` and `reset_state`, so nothing of that program is
imported here. Each time it is asked, it takes in what has happened since (`Window`, `SeatView`), compares its view with what
catanatron shows (`rebuilt`), lets a player of ours decide, and gives back one of the actions that catanatron lists.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from kibitz.catan.bots import bot_named
from kibitz.catan.core.codes import (
    ACCEPT,
    BANK_TRADE,
    END_ROADS,
    END_TURN,
    OFFER,
    PLAY_KNIGHT,
    PLAY_ROAD_BUILDING,
    RATES,
    REVEAL_VP,
    ROLL_DICE,
    SKIP_STEAL,
    STEAL,
)
from kibitz.catan.core.engine import GAME
from kibitz.catan.core.state import KINDS, ROBBER_DISCARD, ROBBER_MOVE, TRADE_ANSWER, TRADE_CHOICE, TURN_START
from kibitz.catan.versus.resync import drift, phase_of, rebuilt
from kibitz.catan.versus.translate import code_of, offer_value, victim_code
from kibitz.catan.versus.view import SeatView, Step, Unclear
from kibitz.catan.versus.window import Window
from kibitz.game import copied
from kibitz.ground.rng import derive_seed
from kibitz.play.bots import ChoosesAmong, Player
from kibitz.play.search_bot import AnyDeal, SearchPlayer


class KibitzPlayer:
    """A bot of Kibitz that is told only what its seat may know; ``K:ismcts:1000`` names it and how long it thinks."""

    def __init__(self, color: Any, *bot: str, seed: int = 0, domestic_trade: bool = False) -> None:
        """`bot` is a name that `kibitz.catan.bots.bot_named` takes, in one piece or split at its colons (``builder`` if none).

        Whatever is random in it comes from `seed`, anew for each game. With `domestic_trade` it makes offers of its own; those
        of others it answers in any case.
        """
        self.color = color
        self.is_bot = True
        self.bot = bot_named(":".join(bot) or "builder")
        self.decisions = 0
        """How often it was asked."""
        self.resynchronisations: Counter[str] = Counter()
        """How often its view had to be corrected, by the field of our state; ``belief`` where it forgot what it had seen."""
        self.differences: Counter[str] = Counter()
        """How often our rules allowed what it wanted and catanatron's do not, by why; it then chose again."""
        self.refused = 0
        """How often it wanted what catanatron does not list, for no reason that is known."""
        self._seed, self._domestic_trade = seed, domestic_trade
        self._games = 0
        self.reset_state()

    def __repr__(self) -> str:
        return f"{type(self).__name__}:{self.color.value}({self.bot.name})"

    def reset_state(self) -> None:
        """The next game is another one."""
        self._game_id: Any = None

    def decide(self, game: Any, playable_actions: Iterable[Any]) -> Any:
        """One of the `playable_actions`, or an offer."""
        window, playable = Window(game, self.color), list(playable_actions)
        if self._game_id is None or self._game_id != window.game_id:
            self._begin(window)
        self._catch_up(window)
        self._compare(window)
        self.decisions += 1
        return playable[0] if len(playable) == 1 else self._choose(playable)

    # --- what has happened --------------------------------------------------------------------------------------

    def _begin(self, window: Window) -> None:
        self._game_id, self._actions = window.game_id, 0
        self._view = SeatView(window.places(), window.rules(self._domestic_trade), window.seats, window.seat)
        self._road_holder = int(self._view.states["road_holder"][0])
        self._player: Player = self.bot.player()
        self._player.begin(GAME, window.seat, copied(self._view.states), derive_seed(self._seed, "game", self._games))
        self._games += 1

    def _catch_up(self, window: Window) -> None:
        """Take in what has happened since the player was asked last."""
        told = window.told(self._actions)
        self._actions += len(told)
        try:
            for step in self._view.follow(told, window.hand_sizes):
                self._tell(step)
        except Unclear:
            self._forget()
            for one in told:
                for _ in self._view.take_in(one):
                    pass

    def _tell(self, step: Step) -> None:
        before, code, after = step
        # who holds Longest Road may have been corrected since the last step: the player hears of it with this one
        before["road_holder"], self._road_holder = self._road_holder, int(after["road_holder"][0])
        try:
            self._player.saw(before, code, after)
        except ValueError:  # what a belief takes for impossible
            self._forget()

    def _forget(self) -> None:
        """Go on without what was seen so far."""
        self.resynchronisations["belief"] += 1
        if isinstance(self._player, SearchPlayer):
            self._player.belief = AnyDeal(GAME, self._view.seat, self._view.states)

    def _compare(self, window: Window) -> None:
        """Correct the view where catanatron shows something else."""
        phase, view = phase_of(window), self._view
        if phase == ROBBER_DISCARD:
            view.ask_discard(view.seat)
        elif phase == TRADE_ANSWER:
            view.ask_answer(view.seat)
        elif phase == TRADE_CHOICE:
            view.ask_choice()
        fresh = rebuilt(view.states, window, view.places)
        found = drift(view.states, fresh)
        view.states = fresh
        self.resynchronisations.update(found)
        if {"hand", "hand_size", "bank", "dev", "dev_size", "played"} & set(found):
            self._forget()

    # --- what to do ---------------------------------------------------------------------------------------------

    def _choose(self, playable: Sequence[Any]) -> Any:
        view = self._view
        if view.phase == TRADE_ANSWER and view.player == view.seat:  # asked about its own offer
            return next(action for action in playable if action.action_type.value == "REJECT_TRADE")
        options: dict[int, list[Any]] = {}
        for action in playable:
            options.setdefault(code_of(view.places, action.action_type.value, action.value, view.phase), []).append(action)
        code = self._ask(list(options))
        if code >= OFFER and code != END_ROADS:
            like = playable[0]
            return type(like)(self.color, type(like.action_type)("OFFER_TRADE"), offer_value(code))
        found = options[code]
        return found[0] if len(found) == 1 else self._choose_victim(code, found)

    def _choose_victim(self, code: int, moves: Sequence[Any]) -> Any:
        """The robber goes where `code` says: whom to rob is another decision of ours, and the same one of theirs."""
        self._tell(self._view.step(code))
        victims = {victim_code(self._view.places, action.value): action for action in moves}
        return victims[self._ask([victim for victim in victims if victim is not None])]

    def _ask(self, allowed: Sequence[int]) -> int:
        """The player's choice, if catanatron allows it; else another one."""
        view = self._view.states
        code = self._decision()
        if code in allowed or (OFFER <= code < END_ROADS and self._domestic_trade):
            return code
        why = self._difference(code)
        if why is None:
            self.refused += 1
        else:
            self.differences[why] += 1
        cheaper = [one for one in allowed if _same_trade(one, code)]
        if cheaper:
            return cheaper[0]
        if isinstance(self._player, ChoosesAmong):
            return self._player.decide_among(copied(view), allowed)
        if PLAY_KNIGHT <= code < REVEAL_VP:  # as if the one card of this turn had been played
            without = copied(view)
            without["dev_done"] = 1
            code = self._player.decide(without)
        return next((one for one in (code, ROLL_DICE, END_TURN) if one in allowed), allowed[0])

    def _decision(self) -> int:
        try:
            return self._player.decide(copied(self._view.states))
        except ValueError:  # the belief does not fit the view
            if not isinstance(self._player, SearchPlayer):
                raise
            self._forget()
            return self._player.decide(copied(self._view.states))

    def _difference(self, code: int) -> str | None:
        """Why catanatron does not list what our rules allow here, if that is known."""
        phase = self._view.phase
        if code == END_ROADS:
            return "Road Building must be used up"
        if STEAL <= code < SKIP_STEAL:
            return "only who holds cards is robbed"
        if BANK_TRADE <= code < ACCEPT:
            return "the best rate alone"
        if phase == TURN_START and PLAY_KNIGHT < code < REVEAL_VP:
            return "only knights before the roll"
        if code == PLAY_ROAD_BUILDING:
            return "Road Building only for who could pay"
        if phase == ROBBER_MOVE:
            return "another friendly robber"
        return None


def _same_trade(one: int, other: int) -> bool:
    """Whether two trades with the supply give and take the same resources, at whatever rates."""
    if not all(BANK_TRADE <= code < ACCEPT for code in (one, other)):
        return False
    a, b = one - BANK_TRADE, other - BANK_TRADE
    return (a // (RATES * KINDS), a % KINDS) == (b // (RATES * KINDS), b % KINDS)
