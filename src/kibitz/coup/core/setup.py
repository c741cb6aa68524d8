"""A position from a few facts, checked against the rule book: what a player at a table can tell about it.

>>> from kibitz.coup import GameState, assassinate
>>> states = setup([3, 5, 2], hands={0: ["duke", "captain"]}, revealed={1: ["contessa"]}, player=1,
...                table=[(1, assassinate(0))], asked=0)
>>> GameState(states, observer=0)
<GameState: turn 1, player 1 to challenge or not, as player 1 sees it>
>>> setup([2, 2, 2], hands={0: ["duke"]}, revealed={0: ["duke"], 1: ["duke"], 2: ["duke"]})
Traceback (most recent call last):
...
kibitz.coup.core.setup.SetupError: three Dukes are revealed and you hold one: there are only three

Whose hands are given decides through whose eyes the position is: one hand, through those of its seat (the others are
blank; a belief deals them); all hands, nothing is hidden; none, it is the position before the deal.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from kibitz import game
from kibitz.coup.core.actions import Action
from kibitz.coup.core.reasons import refuse
from kibitz.coup.core.rules import FORCED_COUP, phase_of
from kibitz.coup.core.state import (
    ACTION, ALLOW, BLOCK, CHALLENGE, CHARACTERS, COINS, COPIES, DEAL, DRAW, DRAWN, INFLUENCES, LOSE, REPLACE, RETURN, SEATS,
    SHOW, Character, Rules, new_states,
)  # fmt: skip
from kibitz.game import OVER, States
from kibitz.ground.texts import Mistake

Cards = Sequence[str]
# What somebody does in the turn that is under way.
Step = tuple[int, Action]

#: A turn that begins with fewer than ten coins brings three at most.
MOST_COINS = FORCED_COUP - 1 + 3
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


class SetupError(Mistake):
    """A position that the rules do not allow; the message is one sentence that says why."""


class Seen(NamedTuple):
    """One step of a turn, as an observer perceived it: what it saw of the position before, and of the action."""

    states: States
    code: int


def setup(
    coins: Sequence[int],
    *,
    hands: Mapping[int, Cards] | None = None,
    revealed: Mapping[int, Cards] | None = None,
    influence: Sequence[int] | None = None,
    claimed: Mapping[int, str] | None = None,
    player: int = 0,
    table: Iterable[Step] = (),
    asked: int | None = None,
    turn: int = 1,
    rules: Rules = Rules(),  # noqa: B008
) -> States:
    """The position (an array of one) in which everybody has these coins at the start of `player`'s turn.

    `hands` and `revealed` are cards by seat; `influence`, how many cards everybody has face down, follows from what is
    revealed, and is given where an influence was lost that nobody knows (or in a variant with fewer cards).
    `claimed` is the character that a seat claimed last in an earlier turn, while nothing speaks against it.
    `table` is what has happened in this turn, and `asked` who is to decide now: whoever is asked earlier and of whom
    nothing is told has let it pass.
    Raises a `SetupError` for what cannot be.
    """
    seats = len(coins)
    refuse_if(not 2 <= seats <= SEATS, f"coins for {seats} players: Coup is for 2 to {SEATS}")
    hands, revealed = dict(hands or {}), dict(revealed or {})
    for seat in (*hands, *revealed, player):
        check_seat(seat, seats)
    lost = [len(revealed.get(seat, ())) for seat in range(seats)]
    left = [INFLUENCES - n for n in lost] if influence is None else list(influence)
    _check_influence(left, lost, seats)
    _check_hands(hands, left)
    _check_coins(coins, left)
    refuse_if(not 1 <= turn <= rules.max_turns, f"turn {turn}: expected 1 to {rules.max_turns}")
    states = new_states(seats, rules)
    states["coins"][0, :seats] = coins
    states["treasury"] = COINS - sum(coins)
    states["influence"][0, :seats] = left
    for field, cards in (("hand", hands), ("revealed", revealed)):
        for seat, names in cards.items():
            for name in names:
                states[field][0, seat, card_number(name)] += 1
    for seat, name in (claimed or {}).items():
        check_seat(seat, seats)
        states["claimed"][0, seat] = card_number(name)
    _check_cards(states, hands)
    _check_alive(left, player)
    states["player"] = player
    if hands:
        states["turn"], states["phase"], states["active"] = turn, ACTION, player
    else:
        states["phase"], states["active"] = DEAL, next(seat for seat in range(seats) if left[seat])
    states["deck"][0] = 0 if len(hands) == 1 else COPIES - (states["revealed"][0] + states["hand"][0]).sum(axis=0)
    unfold(states, hands, table, asked)
    return states


def refuse_if(wrong: object, why: str) -> None:
    """Raise a `SetupError` if something is wrong."""
    if wrong:
        raise SetupError(why)


def check_seat(seat: int, seats: int) -> None:
    """Refuse a seat that is not at the table."""
    refuse_if(not 0 <= seat < seats, f"there is no player {seat + 1} at this table of {seats}")


def _check_influence(left: Sequence[int], lost: Sequence[int], seats: int) -> None:
    refuse_if(len(left) != seats, f"influence of {len(left)} players, but coins of {seats}")
    for seat, (cards, revealed) in enumerate(zip(left, lost, strict=True)):
        who = f"player {seat + 1}"
        refuse_if(revealed > INFLUENCES, f"{who} has {in_words(revealed)} cards revealed: nobody has more than two")
        possible = 0 <= cards <= INFLUENCES - revealed
        refuse_if(not possible, f"{who} cannot have {cards} cards left with {revealed} revealed: everybody has two")


def _check_alive(left: Sequence[int], player: int) -> None:
    alive = [seat for seat, cards in enumerate(left) if cards]
    if len(alive) < 2:
        raise SetupError(f"only player {alive[0] + 1} is left: the game is over" if alive else "nobody has a card left")
    refuse_if(player not in alive, f"player {player + 1} is out: it cannot be their turn")


def _check_coins(coins: Sequence[int], left: Sequence[int]) -> None:
    for seat, held in enumerate(coins):
        refuse_if(held < 0, f"player {seat + 1} has {held} coins: nobody can have less than none")
        refuse_if(held and not left[seat], f"player {seat + 1} is out, so their {held} coins have gone back to the treasury")
        beyond = f"nobody gets beyond {MOST_COINS}, since ten or more force a coup"
        refuse_if(held > MOST_COINS, f"player {seat + 1} has {held} coins: {beyond}")
    refuse_if(sum(coins) > COINS, f"the players have {sum(coins)} coins: there are only {COINS}")


def _check_hands(hands: Mapping[int, Cards], left: Sequence[int]) -> None:
    alive = {seat for seat, cards in enumerate(left) if cards}
    refuse_if(len(hands) > 1 and not set(hands) >= alive, f"{len(hands)} hands are given: expected none, one or all")
    for seat, cards in hands.items():
        refuse_if(len(hands) == 1 and not left[seat], "you are out of the game: there is nothing left to decide")
        if len(cards) != left[seat]:
            who, hold, have = ("you", "hold", "have") if len(hands) == 1 else (f"player {seat + 1}", "holds", "has")
            count = f"{in_words(len(cards))} {'card' if len(cards) == 1 else 'cards'}"
            raise SetupError(f"{who} {hold} {count}, but {have} {in_words(left[seat])} left")


def _check_cards(states: States, known: Iterable[int]) -> None:
    """No character has more than three cards in sight; the hands of `known` seats are."""
    known = list(known)
    row = np.asarray(states)[0]
    for card, character in enumerate(CHARACTERS):
        revealed = int(row["revealed"][:, card].sum())
        held = [(seat, int(row["hand"][seat, card])) for seat in range(int(row["seats"])) if row["hand"][seat, card]]
        if revealed + sum(n for _, n in held) <= COPIES:
            continue
        parts = []
        if revealed:
            parts.append(f"{in_words(revealed)} {_plural(character, revealed)} {'is' if revealed == 1 else 'are'} revealed")
        for seat, n in held:
            who = "you hold" if known == [seat] else f"player {seat + 1} holds"
            parts.append(f"{who} {in_words(n)}" + ("" if parts else f" {_plural(character, n)}"))
        raise SetupError(f"{', '.join(parts[:-1])}{' and ' if parts[:-1] else ''}{parts[-1]}: there are only three")


def card_number(name: str) -> int:
    """The number of a character."""
    try:
        return CHARACTERS.index(Character(name))
    except ValueError:
        raise SetupError(f"{name!r} is not a character; these are {', '.join(CHARACTERS)}") from None


def in_words(n: int) -> str:
    """A small number as a word."""
    return _NUMBERS[n] if n < len(_NUMBERS) else str(n)


def _plural(character: Character, n: int) -> str:
    return character.title() if n == 1 else f"{character.title()}s"


# --- the turn that is under way -----------------------------------------------------------------------------------


def unfold(states: States, known: Iterable[int], table: Iterable[Step], asked: int | None = None) -> list[Seen]:
    """Play a turn in ``states`` (as `setup` made them, with the hands of the seats `known`) as far as it is told.

    What the one observer has seen of it comes back; nothing, if more hands are given than one.
    """
    turn = _Turn(states, sorted(known))
    for seat, action in table:
        turn.do(seat, action)
    if asked is not None:
        turn.ask(asked)
    turn.hide()
    return turn.seen


#: What a player has to decide, and the words for it.
_DUE = {
    DEAL: "the hands are dealt first",
    ACTION: "it is the turn of player {0}; say what they do ('{0} taxes')",
    CHALLENGE: "player {0} may challenge first; say '{0} challenges' or '{0} allows'",
    BLOCK: "player {0} may block first; say '{0} blocks' with which card, or '{0} allows'",
    REPLACE: "player {0} draws a card first",
    DRAW: "the exchange ends the turn of player {0}",
    SHOW: "player {0} is challenged; say '{0} shows' or '{0} loses' which card",
    LOSE: "player {0} loses a card first; say which ('{0} loses duke')",
    RETURN: "player {0} returns two cards first",
}


class _Turn:
    """A turn being played by the rules, in which unknown hands hold what is shown of them, and nothing else."""

    def __init__(self, states: States, known: list[int]) -> None:
        self.states = states
        self.known = known
        self.seen: list[Seen] = []
        self._player = int(states["player"][0])
        self._number = int(states["turn"][0])

    @property
    def _phase(self) -> int:
        return int(self.states["phase"][0])

    @property
    def _active(self) -> int:
        return int(self.states["active"][0])

    def do(self, seat: int, action: Action) -> None:
        """One step; whoever is asked before has let it pass."""
        check_seat(seat, int(self.states["seats"][0]))
        refuse_if(not self.known, "nothing can have happened before the deal")
        while self._active != seat or self._phase != self._when(action):
            if not self._let_pass():
                raise SetupError(f"player {seat + 1} cannot {action.to_text()} now: {self._due()}")
        self._put_into_hand(seat, action)
        if reason := game.why_not_at(self.states, 0, action.code):
            raise SetupError(str(refuse(self.states, action.code, reason)))
        self._apply(action.code)

    def ask(self, seat: int) -> None:
        """Go on until `seat` decides; where it never does, the first thing that was not told is missing."""
        untold = self._due()
        while game.actor_at(self.states, 0) != seat:
            if not self._let_pass():
                raise SetupError(f"player {seat + 1} has nothing to decide now: {self._due() if self._draws() else untold}")

    def _when(self, action: Action) -> int:
        """The phase in which the action is done, the present one if it is one of several."""
        if action.kind == "drawn":
            return self._phase if self._phase in (REPLACE, DRAW) else REPLACE
        return int(phase_of(self.states[0], action.code))

    def _let_pass(self) -> bool:
        """Nobody objects, or a card is drawn that nobody else sees. False where something has to be told."""
        if self._over():
            return False
        if self._phase in (CHALLENGE, BLOCK):
            self._apply(ALLOW)
        elif self._phase == REPLACE and not self._draws():
            self._apply(DRAWN + int(self.states["claim"][0]))  # any card will do, and this one is in the deck
        else:
            return False
        return True

    def _over(self) -> bool:
        return int(self.states["turn"][0]) != self._number or game.actor_at(self.states, 0) == OVER

    def _draws(self) -> bool:
        """Whether somebody draws cards who is known to see them."""
        return self._phase in (REPLACE, DRAW) and self._active in self.known

    def _due(self) -> str:
        """What the game waits for, and how it is told."""
        if self._over():
            return f"the turn of player {self._player + 1} is over; tell the next one from its start"
        if self._draws():
            return f"say first what player {self._active + 1} drew"
        return _DUE[self._phase].format(self._active + 1)

    def _put_into_hand(self, seat: int, action: Action) -> None:
        """A card that is shown or lost was in the hand, if it can have been; drawn ones come out of a deck that has them."""
        cards = [CHARACTERS.index(Character(name)) for name in action.cards]
        if action.kind == "drawn" and len(self.known) == 1:
            for card in cards:
                self.states["deck"][0, card] += 1
                self.states["hand"][0, seat, card] += 1
            _check_cards(self.states, self.known)
            for card in cards:
                self.states["hand"][0, seat, card] -= 1
        if self._phase in (SHOW, LOSE) and seat not in self.known:
            for card in cards:
                if not self.states["hand"][0, seat, card]:
                    self.states["hand"][0, seat, card] = 1
            _check_cards(self.states, self.known)

    def _apply(self, code: int) -> None:
        if len(self.known) == 1:
            before = self.states.copy()
            game.hide_at(before, 0, self.known[0])
            self.seen.append(Seen(before, game.seen_at(self.states, 0, code, self.known[0])))
        game.apply_at(self.states, 0, code)
        if self._phase != LOSE:  # until then a card that was shown stays in the hand
            self.hide()

    def hide(self) -> None:
        """Blank what the one observer does not see."""
        if len(self.known) == 1:
            game.hide_at(self.states, 0, self.known[0])


# --- the turns before ---------------------------------------------------------------------------------------------


class Fact(NamedTuple):
    """Something that happened before this turn.

    The kinds: ``claimed`` and ``lost`` a card; ``showed`` one, which was then replaced; ``declined`` to show the first
    card and lost the second; ``exchanged``. What they `drew` and `returned` is known of oneself alone.
    """

    kind: str
    seat: int
    cards: tuple[str, ...] = ()
    drew: tuple[str, ...] = ()
    returned: tuple[str, ...] = ()


def dealt_to(observer: int, cards: Sequence[str], facts: Sequence[Fact]) -> tuple[str, ...]:
    """The observer's cards at the deal: back from those of today, through all that changed them.

    >>> dealt_to(0, ["duke"], [Fact("lost", 0, ("captain",))])
    ('duke', 'captain')

    Raises a `SetupError` where that cannot be.
    """
    held = Counter(cards)
    for fact in reversed(facts):
        own = fact.seat == observer
        shown, drew, returned = _TOLD.get(fact.kind, (1, 0, 0))
        expected = (shown, drew, returned) if own else (shown, 0, 0)
        complete = (len(fact.cards), len(fact.drew), len(fact.returned)) == expected
        refuse_if(not complete, f"{_WHAT_IS_KNOWN[own]} (player {fact.seat + 1} {fact.kind})")
        if own:
            held.update(fact.returned)
            held.subtract(fact.drew)
            if min(held.values()) < 0:
                drawn = " ".join(fact.drew)
                raise SetupError(f"you {fact.kind} and drew {drawn}, which you neither returned nor hold now")
            if fact.kind in ("showed", "lost", "declined"):
                held.update(fact.cards[-1:])
    if held.total() != INFLUENCES:
        lost = held.total() - len(cards)
        raise SetupError(f"you hold {len(cards)} and have lost {lost} of your cards, but two were dealt")
    return tuple(held.elements())


#: How many cards a fact tells, how many of those drawn, and how many of those returned, if it is one's own.
_TOLD = {"showed": (1, 1, 0), "exchanged": (0, 2, 2), "declined": (2, 0, 0)}
_WHAT_IS_KNOWN = {
    True: "you know your own cards: say '1 showed duke, drew captain' and '1 exchanged, drew duke duke, returned duke captain'",
    False: "only your own cards are known to you, and who does not show a card loses another",
}
