"""Advice for one seat in a game of Coup: how likely each option wins, and what the others may hold.

>>> from kibitz.coup.core.situation import read_situation
>>> told = read_situation("coins 7 2; cards duke; I lost contessa; 2 lost captain; 2 claimed duke")
>>> advice = advise(told.states, belief_of(told), replace(CONFIG, iterations=400))
>>> advice.best.action, advice.best.value  # the coup costs player 2 the last card
('coup 2', 1.0)
>>> f"{advice.belief[1].holds['duke']:.2f}"  # two Dukes among 12 unseen cards, and a claim as the blueprint makes it
'0.40'
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kibitz import game
from kibitz.compute.runtime import Runtime, Workers
from kibitz.coup import bots as coup_bots
from kibitz.coup.belief import InfluenceBelief
from kibitz.coup.bots import BLUFF, DECLINE
from kibitz.coup.core.actions import Action
from kibitz.coup.core.engine import GAME
from kibitz.coup.core.policy import BOTS
from kibitz.coup.core.record import Record
from kibitz.coup.core.situation import Situation
from kibitz.coup.core.state import ALLOW, CHARACTERS, PHASES
from kibitz.coup.endgames.policy import equilibrium
from kibitz.coup.words import spoken
from kibitz.game import States, structs
from kibitz.game.doors import sensible_actions
from kibitz.ground.rng import derive_seed
from kibitz.ground.texts import Mistake, capitalised, percent
from kibitz.play.advice import Advice, Option, guide_of, nobody_decides, options_of, position_told, search_warnings
from kibitz.play.search_bot import TREES
from kibitz.search.ismcts import SearchConfig, SearchResult, search
from kibitz.search.tree import DRAWS, MAX_WORLDS
from kibitz.search.worlds import BelievedWorlds

#: How somebody searches who is asked for advice: as the bot does, only more patiently.
CONFIG = replace(coup_bots.TO_THE_END, iterations=100_000, trees=TREES)
#: How many deals are drawn from a belief for one search.
WORLDS = 4000
#: The largest tree that is made of an endgame if more turns are asked for than usual.
MOST_NODES = 2_000_000
#: To let something pass.
PASS = "allow"
#: What a search cannot know.
ONE_ACTION = "A search names one action. It cannot say how often to bluff so that nobody can exploit it."
#: Of a claim without the card.
BLUFFS = "It claims a card that you do not hold."


@dataclass(frozen=True, kw_only=True)
class CoupOption(Option):
    """Something that the seat may do."""

    values: tuple[float, ...]
    """The chance to win with it for everybody, in seat order."""
    bluffs: bool
    """Whether it claims a card that the seat does not hold."""


@dataclass(frozen=True, kw_only=True)
class Holding:
    """What a seat may hold."""

    cards: int
    """How many cards it has."""
    holds: dict[str, float]
    """The chance of at least one of each character."""
    expected: dict[str, float]
    """The expected number of each."""


@dataclass(frozen=True, kw_only=True)
class CoupAdvice(Advice):
    """Advice about a position of Coup."""

    NAME = "coup"

    config: SearchConfig
    names: tuple[str, ...]
    """What the players are called, in seat order."""
    options: tuple[CoupOption, ...]
    """The options, best first."""
    belief: tuple[Holding, ...]
    """What everybody may hold, in seat order."""
    bluff: float | None
    """How many claims without the card are assumed for each one with it; None if everybody plays like the blueprint."""
    equilibrium: dict[str, float] | None
    """How often each option should be taken, where an endgame was solved (`kibitz.coup.endgames.policy`)."""
    solved_turns: int | None
    """How many turns ahead it was solved, including this one."""
    solved_values: dict[str, float] | None
    """What each option is worth by that solution, from 0 (lost) to 1 (won); at its horizon coins count a little."""
    searches: int
    """In how many searches its `games` were played: a decision that follows letting something pass has its own."""
    lost: tuple[str, ...]
    """Legal options that lose by force (or were not tried because something else wins at once)."""

    @property
    def effort(self) -> str:
        """What stands after the number of games: in how many searches, if in more than one, and why they ended early."""
        return (f" in {self.searches} searches" if self.searches > 1 else "") + self.early


def advise(
    states: States,
    belief: InfluenceBelief,
    config: SearchConfig = CONFIG,
    *,
    names: Sequence[str] = (),
    step: int | None = None,
    worlds: int = WORLDS,
    turns: int | None = None,
    runtime: Runtime | None = None,
    workers: Workers | None = None,
) -> CoupAdvice:
    """What the observer of a belief, who is to move in ``states[0]``, should do.

    Information-set Monte Carlo tree search over `worlds` deals drawn from the belief. Of ``states`` only what the observer
    sees is used. `names` and the `step` of a record are told again in the advice. An endgame is solved besides, for so many
    `turns` (`kibitz.coup.endgames.policy.TURNS` by default). Raises a ValueError where it is not for the observer to decide.
    """
    seat = belief.observer
    if seat is None or game.actor_at(states, 0) != seat:
        raise ValueError("advice is for the player who is to decide")
    view = states[:1].copy()
    game.hide_at(view, 0, seat)
    seeded = replace(config, seed=derive_seed(config.seed, "search"))

    def think(view: States, belief: InfluenceBelief) -> SearchResult:
        dealt = belief.deal(view, min(worlds, config.iterations), derive_seed(config.seed, "worlds"))
        doubts = coup_bots.doubts_of(belief, dealt, derive_seed(config.seed, "doubts"))
        return search(dealt, seat=seat, config=seeded, runtime=runtime, workers=workers, doubts=doubts)

    found, options, games, searches = _judged(view, think, belief)
    solved, sizes = equilibrium(view, belief, turns, None if turns is None else MOST_NODES), belief.sizes()
    shares = {Action.from_code(code).to_text(): p for code, p in solved.actions.items()} if solved else None
    if shares is not None:
        options.sort(key=lambda option: -round(shares.get(option.action, 0.0), 3))
    legal = [Action.from_code(code).to_text() for code in game.legal_actions(view)]
    unknown = (ONE_ACTION,) if solved is None and len(options) > 1 else ()
    return CoupAdvice(
        mode="ismcts",
        seats=belief.seats,
        seat=seat,
        position=position_told(PHASES[int(view["phase"][0])], int(view["turn"][0]), step),
        seed=config.seed,
        options=tuple(options),
        warnings=(*search_warnings(found), *unknown),
        games=games,
        stopped=found.stopped,
        config=config,
        names=tuple(names) or tuple(str(player + 1) for player in range(belief.seats)),
        belief=tuple(
            Holding(cards=sizes[player], holds=belief.marginal(player), expected=belief.expected(player))
            for player in range(belief.seats)
        ),
        bluff=belief.bluff,
        equilibrium=shares,
        solved_turns=solved and solved.turns,
        solved_values=solved and {Action.from_code(code).to_text(): value for code, value in solved.values.items()},
        searches=searches,
        lost=tuple(name for name in legal if Action.from_text(name).code not in sensible_actions(view)),
    )


def _judged(
    view: States, think: Callable[[States, InfluenceBelief], SearchResult], belief: InfluenceBelief
) -> tuple[SearchResult, list[CoupOption], int, int]:
    """What a search finds, the options it tried, the best first, and how many iterations in how many searches that took.

    To let something pass is worth what the best of the player's next decision is worth, where that comes at once: it is
    searched by itself, as it would be if it were asked for.
    """
    found = think(view, belief)
    options, games, searches = list(_options(found, belief)), found.iterations, 1
    if found.stopped != "cancelled" and _decides_again(view, found.seat):
        _, then, more, further = _judged(_allowed(view), think, belief.see(view, 0, ALLOW))
        options = _settled([_followed(option, then[0]) if option.action == PASS else option for option in options], found.habit)
        games, searches = games + more, searches + further
    return found, options, games, searches


def _decides_again(view: States, seat: int) -> bool:
    """Whether a player who lets something pass is asked at once what to do then: the target of a theft, whether to block."""
    return ALLOW in sensible_actions(view) and game.actor_at(_allowed(view), 0) == seat


def _allowed(states: States) -> States:
    """The same positions after the player who is asked has let something pass."""
    after: States = states.copy()
    for i in range(len(after)):
        game.apply_at(after, i, ALLOW)
    return after


def _followed(option: CoupOption, then: CoupOption) -> CoupOption:
    """To let something pass, judged by the best that can be done then."""
    reason = f"{capitalised(option.name)}: worth what the best step after it is worth, {then.name} ({percent(then.value)})."
    line = option.line[:1] + then.line
    return replace(option, value=then.value, interval=then.interval, values=then.values, line=line, reason=reason)


def _settled(options: list[CoupOption], habit: int | None) -> list[CoupOption]:
    """The options, the best first: what the guide would do, unless another one is better by more than the margins."""
    best = max(options, key=lambda option: option.value)
    usual = next((option for option in options if Action.from_text(option.action).code == habit), best)
    first = best if best.value - usual.value > math.hypot(best.margin, usual.margin) / 2 else usual
    return sorted(options, key=lambda option: (option is not first, -option.value))


def _options(found: SearchResult, belief: InfluenceBelief) -> Iterator[CoupOption]:
    (held,) = belief.hands(found.seat)
    guide = guide_of(CONFIG, BOTS)
    for one, option in options_of(found, Action.from_code, lambda code: " ".join(spoken(code)), guide):
        claim = Action.from_code(one.action).claim
        bluffs = claim is not None and claim not in held
        reason = f"{option.reason} {BLUFFS}" if bluffs else option.reason
        yield CoupOption(**vars(replace(option, reason=reason)), values=one.values, bluffs=bluffs)


def belief_of(told: Situation, bluff: float | None = BLUFF, decline: float = DECLINE) -> InfluenceBelief:
    """What the player who tells of a situation can know: all facts since the deal, and this turn so far.

    Raises a `Contradiction` where these cannot all be true.
    """
    belief = InfluenceBelief(len(told.names), told.observer, bluff=bluff, decline=decline)
    for seat in range(len(told.names)):
        belief = belief.drew(seat, cards=told.dealt) if seat == told.observer else belief.drew(seat, 2)
    for kind, seat, cards, drew, returned in told.facts:
        if kind == "claimed":
            belief = belief.claimed(seat, cards[0])
        elif kind == "lost":
            belief = belief.lost(seat, cards[0])
        elif kind == "declined":
            belief = belief.declined(seat, *cards)
        elif kind == "showed":
            belief = belief.shown(seat, cards[0]).replaced(seat, cards[0], *drew)
        else:
            belief = belief.exchanged(seat, drew, returned)
    for step in told.seen:
        belief = belief.see(step.states, 0, step.code)
    return belief


def recorded(
    record: Record, step: int, bluff: float | None = BLUFF, decline: float = DECLINE
) -> tuple[States, InfluenceBelief]:
    """What the player who decides step number `step` of a recorded game saw and could know then.

    Raises `Mistake` if no player decides there.
    """
    if not 0 <= step <= len(record.codes):
        raise Mistake(f"step {step}: the game has steps 0 to {len(record.codes)}")
    states = record.before(step)
    seat = game.actor_at(states, 0)
    if reason := nobody_decides(seat):
        raise Mistake(f"step {step}: {reason}")
    belief = InfluenceBelief.following(record.start(), record.codes[:step], seat, bluff=bluff, decline=decline)
    game.hide_at(states, 0, seat)
    return states, belief


def worlds_of(belief: InfluenceBelief, seed: int = 0) -> BelievedWorlds:
    """All worlds of a belief with their probabilities or, if they are too many, some that are drawn from it.

    Those are weighed so that everybody's own cards are as likely as they are: until a card is turned up, how likely it is
    to be which one is counted all the same.

    >>> from kibitz.coup.core.setup import setup
    >>> from kibitz.search.tree import Tree
    >>> view = setup([2, 2], hands={0: ["duke", "captain"]})
    >>> worlds = worlds_of(InfluenceBelief.at(view, 0))
    >>> f"{holdings(worlds, 1)['duke']:.4f}"  # two Dukes among the 13 cards that player 1 does not see
    '0.2949'
    >>> Tree(view, 0, worlds).root.children[2].text
    'tax'
    """
    joint = belief.joint(MAX_WORLDS + 1)
    if len(joint) > MAX_WORLDS:
        drawn, weights, fitted = belief.fitted(DRAWS, seed)
        return BelievedWorlds(GAME, drawn, weights, draws=DRAWS, fitted=fitted)
    worlds = structs(GAME.world, len(joint))
    for i, (hands, _) in enumerate(joint):
        worlds["hand"][i, : len(hands)] = [[hand.count(character.value) for character in CHARACTERS] for hand in hands]
    return BelievedWorlds(GAME, worlds, [probability for _, probability in joint])


def holdings(worlds: BelievedWorlds, seat: int) -> dict[str, float]:
    """By character: how likely a seat holds at least one, in these worlds."""
    held = np.asarray(worlds.worlds)["hand"][:, seat] > 0
    return dict(zip((str(character) for character in CHARACTERS), (worlds.weights @ held).tolist(), strict=True))
