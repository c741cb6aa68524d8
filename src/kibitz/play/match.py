"""Games between players of any kind. Each sees what its seat sees, and every decision is checked by the rules.

The course of a game depends only on its start, its seed and its players (unless one of them plays by the clock): any number
of threads gives the same games.

A game can be played under a loop guard (`kibitz.loops`), and then it may be a draw by the loop rule. A player who wants what
the guard forbids is asked again, if it can be (`ChoosesAmong`); else the first allowed action is taken. At a `TakebackTable`
somebody may take steps back.

>>> from kibitz.coup.core.engine import GAME
>>> from kibitz.play.bots import policy_bot
>>> table = [policy_bot(name, GAME.policies[name]) for name in ("heuristic", "honest", "random")]
>>> played = play_game(GAME, GAME.new(3, 0), table, seed=7)
>>> [GAME.describe(code) for code in played.codes[:4]]
['drawn assassin assassin', 'drawn duke duke', 'drawn ambassador contessa', 'steal 2']
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from kibitz import game as verbs
from kibitz.game import CHANCE, OVER, Game, States, copied
from kibitz.game.definition import concatenated, exact
from kibitz.game.doors import decide_at, hidden_from, perceived_at, score_all, turns_of, winners_of
from kibitz.game.record import play_line
from kibitz.ground.jit import uint64
from kibitz.ground.rng import derive_seed
from kibitz.play.bots import Bot, ChoosesAmong, Conduct, Conducts, Watched, together

if TYPE_CHECKING:  # most games are played without a guard
    from kibitz.loops.config import Config
    from kibitz.loops.drive import Guarded


class IllegalDecision(ValueError):
    """A bot wanted to do what the rules forbid: the message names the bot, the step and the rule."""


@dataclass(frozen=True)
class Played:
    """A game that was played: every action and outcome of chance, and the last state."""

    codes: tuple[int, ...]
    end: States
    looped: bool = False
    """Whether a guard found a loop in it."""
    drawn: bool = False
    """Whether it ended there, a draw by the loop rule."""
    conduct: Conducts = field(default_factory=dict)
    """How the bots from outside behaved."""


class Loops(NamedTuple):
    """What a guard found in a series of games: ``[game]`` where there was a loop, and which are draws because of it."""

    found: npt.NDArray[np.bool_]
    drawn: npt.NDArray[np.bool_]

    @classmethod
    def none(cls, games: int) -> Self:
        """Nothing found yet in so many games."""
        return cls(np.zeros(games, np.bool_), np.zeros(games, np.bool_))


@dataclass(frozen=True)
class Results:
    """How a series of games ended: the last states, the steps of all games, what a guard found, how outside bots behaved."""

    states: States
    steps: int
    loops: Loops | None = None
    conduct: Conducts = field(default_factory=dict)

    @classmethod
    def joined(cls, parts: Sequence[Results]) -> Results:
        """Those of one series after the other, of the same game."""
        if len(parts) == 1:
            return parts[0]
        found = [part.loops for part in parts if part.loops is not None]
        loops = Loops(*map(np.concatenate, zip(*found, strict=True))) if found else None
        states, steps = concatenated([part.states for part in parts]), sum(part.steps for part in parts)
        return cls(states, steps, loops, together(part.conduct for part in parts))

    @classmethod
    def nothing(cls, game: Game) -> Results:
        """Those of no game at all."""
        return cls(game.room(0), 0)

    @property
    def winners(self) -> npt.NDArray[np.int64]:
        """``[game]`` the seat that won, or -1: what the states say, else the one seat with the highest score.

        Nobody wins a draw by the loop rule, whatever the scores were when it ended the game.
        """
        return winners_of(self.states, self.ranking())

    @property
    def turns(self) -> npt.NDArray[np.int64]:
        """``[game]`` in which turn it ended; 0 where the game does not count them."""
        return turns_of(self.states)

    def scores(self) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
        """``[game, seat]`` what each seat scored."""
        scores = np.zeros((len(self.states), verbs.seats_of(self.states)), np.int64)
        score_all(self.states, scores)
        return scores

    def ranking(self) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
        """``[game, seat]`` the scores, but in a draw by the loop rule nobody is above anybody."""
        scores = self.scores()
        if self.loops is not None:
            scores[self.loops.drawn] = 0
        return scores


class Table:
    """A game under way: the true state, what was done, the players, and what each of them sees.

    Chance follows `seed`, and each player draws from a stream of its own. A `hook` (a loop guard for this game) may forbid and
    demand actions, and end the game as a draw.
    """

    def __init__(self, game: Game, start: States, bots: Sequence[Bot], seed: int, hook: Guarded | None = None) -> None:
        self.states = copied(start[:1])
        self.codes: list[int] = []
        self.drawn = False
        self._hook = hook
        self._names, self._players = [bot.name for bot in bots], [bot.player() for bot in bots]
        self.game = game
        self._xs = game.scratches()
        self._xs["seed"] = uint64(derive_seed(seed))
        self._views = [hidden_from(self.states, seat) for seat in range(len(bots))]
        for seat, player in enumerate(self._players):
            player.begin(game, seat, copied(self._views[seat]), derive_seed(seed, "player", seat))
        if hook:
            from kibitz.loops.drive import position_of

            self._position = position_of(self.states)
            hook.begin(self._position)

    @property
    def actor(self) -> int:
        """Whose move it is: a seat, `CHANCE` or `OVER` (also after a draw by the loop rule)."""
        return OVER if self.drawn else int(verbs.actor_at(self.states, 0))

    @property
    def watched(self) -> dict[int, Conduct]:
        """How the bots from outside have behaved, by seat."""
        return {seat: player.conduct for seat, player in enumerate(self._players) if isinstance(player, Watched)}

    @property
    def conduct(self) -> dict[str, Conduct]:
        """The same, by the names of the bots."""
        return together({self._names[seat]: conduct} for seat, conduct in self.watched.items())

    def step(self, code: int | None = None) -> None:
        """Let chance or the player who is to move go on, and tell everybody what they perceive of it.

        With a `code` that is done, and nobody is asked: somebody at the table decided it, or it was played before.
        Raises `IllegalDecision` for what the rules forbid.
        """
        actor = self.actor
        code = self.choose() if code is None else self._judged(actor, code)
        perceived = [int(verbs.seen_at(self.states, 0, code, seat)) for seat in range(len(self._players))]
        verbs.apply_at(self.states, 0, code)
        self.codes.append(code)
        for seat, player in enumerate(self._players):
            before, self._views[seat] = self._views[seat], hidden_from(self.states, seat)
            player.saw(before, perceived[seat], copied(self._views[seat]))
        if self._hook:
            self.drawn = self._hook.after(self._position, code, actor)

    def choose(self) -> int:
        """What chance or the player who is to move does next; a player may think for long about it. Nothing changes."""
        seat, hook = self.actor, self._hook
        if seat == CHANCE:
            return int(decide_at(self.states, 0, self._xs, 0))
        demanded = hook.demanded(self._position) if hook else None
        if demanded is not None:
            return demanded
        wanted = self._legal(seat, self._players[seat].decide(self.view(seat)))
        if hook is None or hook.may_choose(self._position, wanted):
            return wanted
        allowed, player = hook.allowed(self._position, self._position.actions()), self._players[seat]
        code = player.decide_among(self.view(seat), allowed) if isinstance(player, ChoosesAmong) else allowed[0]
        if code not in allowed:
            raise IllegalDecision(f"{self._where(seat)}: the loop rule leaves {len(allowed)} actions, and it chose another")
        return code

    def _legal(self, seat: int, code: int) -> int:
        if reason := int(verbs.why_not_at(self.states, 0, code)):
            raise IllegalDecision(f"{self._where(seat)}: {self.game.refuse(self.states, code, reason)}")
        return code

    def _judged(self, seat: int, code: int) -> int:
        """A decision from outside, if the rules and the hook allow it."""
        if seat == OVER:
            raise IllegalDecision(f"step {len(self.codes)}: the game is over")
        self._legal(seat, code)
        if seat >= 0 and self._hook is not None:
            demanded = self._hook.demanded(self._position)
            if code != demanded and (demanded is not None or not self._hook.may_choose(self._position, code)):
                raise IllegalDecision(f"{self._where(seat)}: the loop rule forbids it here")
        return code

    def view(self, seat: int) -> States:
        """What a seat sees now."""
        return copied(self._views[seat])

    def _where(self, seat: int) -> str:
        who = f"{self._names[seat]} (player {seat + 1})" if seat >= 0 else "chance"
        return f"{who}, step {len(self.codes)}"


class TakebackTable(Table):
    """A game under way in which the player at `seat` may take steps back, as long as they have learnt nothing since.

    Chance reveals something, and so does whatever others do while the player does not see everything. A step of the player's
    own tells what `kibitz.game.verbs.news` says of it, and the end of a game everything.
    """

    def __init__(
        self, game: Game, start: States, bots: Sequence[Bot], seed: int, hook: Guarded | None = None, *, seat: int
    ) -> None:
        self.seat = seat
        self._back: list[int] = []
        super().__init__(game, start, bots, seed, hook)

    def step(self, code: int | None = None) -> None:
        """As `Table.step`, and note whether it can be taken back."""
        actor, before, view = self.actor, copied(self.states), self.view(self.seat)
        super().step(code)
        done = self.codes[-1]
        own = actor == self.seat and self.actor != OVER and perceived_at(before, 0, done, self.seat) == done
        if actor == CHANCE or not (own or exact(view) == exact(before)):
            self._back.clear()
        elif actor == self.seat and len(verbs.legal_actions(view)) > 1:
            self._back.append(len(self.codes) - 1)

    @property
    def can_return_to(self) -> int | None:
        """How many steps stay when the player takes the last decision back; None where something was revealed since."""
        return self._back[-1] if self._back else None


def play_game(game: Game, start: States, bots: Sequence[Bot], seed: int, guard: Config | None = None) -> Played:
    """One game to its end (see `Table`), under a guard with these rules if there are any."""
    hook = None
    if guard:
        from kibitz.loops.drive import Guarded
        from kibitz.loops.guard import LoopGuard

        hook = Guarded(LoopGuard(guard))
    table = Table(game, start, bots, seed, hook)
    while table.actor != OVER:
        table.step()
    return Played(tuple(table.codes), table.states, hook is not None and hook.loops > 0, table.drawn, table.conduct)


def play_policies(start: States, policies: Sequence[int], seed: int, guard: Config | None = None) -> Played:
    """One game of compiled policies, step by step.

    It is another game than `play_game` plays: the policies at such a table share one stream.
    """
    if guard is None:
        return Played(*play_line(start, policies, seed))
    from kibitz.loops.watch import play_judged

    codes, end, looped, drawn = play_judged(start, policies, seed, guard)
    return Played(codes, end, looped, drawn)
