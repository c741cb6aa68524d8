"""What a player types to ask for advice: a few facts in words, one a line or between semicolons (see ``docs/coup_advise.md``).

>>> told = read_situation('''
... players Ann Bob Cid; I am Ann; cards duke captain
... coins 3 5 2
... Bob lost contessa; Bob claimed duke; Cid exchanged
... Bob assassinates Ann
... ''')
>>> told.names[told.observer], [fact.kind for fact in told.facts]
('Ann', ['lost', 'claimed', 'claimed', 'exchanged'])
>>> from kibitz.coup import GameState
>>> GameState(told.states, observer=told.observer)
<GameState: turn 1, player 1 to challenge or not, as player 1 sees it>
>>> read_situation("coins 2 2; cards duke dragon")
Traceback (most recent call last):
...
kibitz.coup.core.situation.SituationError: line 1: 'cards duke dragon': 'dragon' is not a character; these are duke, ...

What is told in the past tense happened before this turn, in this order; the present tense is for the turn under way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from kibitz.coup.core.actions import CARD_COUNTS, TARGETED, Action
from kibitz.coup.core.setup import Fact, Seen, SetupError, Step, check_seat, dealt_to, refuse_if, setup, unfold
from kibitz.coup.core.state import CHARACTERS, INFLUENCES, SEATS, Rules
from kibitz.game import States

_FILLERS = {"the", "a", "an", "from", "with", "player", "and"}
_HEADS = ("players", "i am", "cards", "coins", "revealed", "claims", "turn")
#: What is claimed by those who did something in an earlier turn.
_PAST_CLAIMS = {"taxed": "duke", "exchanged": "ambassador", "assassinated": "assassin", "stole": "captain"}
_PAST_TARGETED = ("assassinated", "stole")
_PAST = (*_PAST_CLAIMS, "claimed", "blocked", "showed", "declined", "lost")
_PRESENT = {
    form: kind
    for kind, forms in {
        "income": "income", "foreign_aid": "aid foreign", "tax": "tax taxes", "exchange": "exchange exchanges",
        "coup": "coup coups", "assassinate": "assassinate assassinates", "steal": "steal steals",
        "allow": "allow allows pass passes", "challenge": "challenge challenges", "block": "block blocks", "show": "show shows",
        "lose": "lose loses", "drawn": "draw draws",
    }.items()
    for form in forms.split()
}  # fmt: skip
#: What a player can do, for those who need an example.
_EXAMPLES = (
    "taxes", "takes foreign aid", "exchanges", "assassinates 1", "steals from 1", "coups 1", "challenges", "blocks with duke",
    "allows", "shows duke", "loses duke", "draws duke"
)  # fmt: skip
#: What cannot be a name.
_RESERVED = {*_FILLERS, *_HEADS, *_PAST, *_PRESENT, *CHARACTERS, "i", "me", "to", "take", "takes", "did", "drew", "returned"}
_VERBS = (*_PRESENT, *_PAST, "drew", "returned", "to answer", "did not show")


class SituationError(SetupError):
    """A text that is not understood, with its line and what was expected."""

    def __init__(self, line: int, clause: str, problem: str) -> None:
        self.line, self.clause, self.problem = line, clause, problem
        super().__init__(f"line {line}: {clause if len(clause) <= 60 else f'{clause[:57]}...'!r}: {problem}")

    def __reduce__(self) -> tuple[type[SituationError], tuple[int, str, str]]:
        return SituationError, (self.line, self.clause, self.problem)


@dataclass(frozen=True)
class Situation:
    """A position as one player sees it, and what that player remembers."""

    names: tuple[str, ...]
    observer: int
    dealt: tuple[str, ...]
    """What the observer held at the beginning of the game."""
    facts: tuple[Fact, ...]
    """What happened before this turn, in order."""
    seen: tuple[Seen, ...]
    """What has happened in this turn, step by step."""
    states: States
    """The position (an array of one), through the eyes of the observer."""


def read_situation(
    text: str,
    seat: int | None = None,
    rules: Rules = Rules(),  # noqa: B008
    *,
    to_observer: bool = True,
) -> Situation:
    """What a text tells. `seat` is who asks, unless the text says so itself; player 1 by default.

    The position is the next decision of the observer: others of whom nothing is told have let everything pass. Without
    `to_observer` it is what comes right after what is told, whoever decides there. ``3 to answer`` in a text goes first.
    Raises a `SetupError` for what the rules do not allow, and a `SituationError` for what is not understood.
    """
    reader = _Reader(seat)
    for number, line in enumerate(text.splitlines(), start=1):
        for statement in line.partition("#")[0].split(";"):
            if statement.strip():
                reader.read(number, statement.strip())
    return reader.situation(rules, to_observer)


def _telling(words: list[str]) -> list[str]:
    """Without words that change nothing."""
    return [word for word in words if word.lower() not in _FILLERS]


class _Reader:
    """Reads statement after statement."""

    def __init__(self, seat: int | None) -> None:
        self._given = seat
        self._names: list[str] = []
        self._named = False  # or counted, by the coins
        self._observer: str | None = None
        self._introduced = 1, ""  # where the observer was named
        self._cards: tuple[str, ...] = ()
        self._coins: list[int] = []
        self._facts: list[Fact] = []
        self._turn: int | None = None
        self._table: list[Step] = []
        self._asked: int | None = None
        self._line, self._clause = 1, ""

    # --- statements -----------------------------------------------------------------------------------------------

    def read(self, line: int, statement: str) -> None:
        """One statement: clauses between commas, of which a later one may leave out the player or the first word."""
        self._line, self._clause = line, statement
        subject, head = None, None
        if re.match(r"(players|coins)\b", statement, re.IGNORECASE):
            statement = statement.replace(",", " ")
        for clause in statement.split(","):
            self._clause = clause.strip()
            words = re.sub(r":|[.!](?!\S)", " ", clause).split()
            first = words[0].lower() if words else ""
            if first == "i'm":
                words, first = ["i", "am", *words[1:]], "i"
            if [word.lower() for word in words[:2]] == ["i", "am"]:
                self._read_i_am(words[2:])
            elif first in ("players", "cards", "coins", "turn"):
                getattr(self, f"_read_{first}")(words[1:])
            elif first in ("revealed", "claims"):
                head = first
                self._listed(head, words[1:])
            elif head is not None:
                self._listed(head, words)
            else:
                words = _telling(words)
                seat = self._who_or_none(words[0]) if words else None
                if seat is not None:
                    subject, words = seat, words[1:]
                if subject is None:
                    raise self._error(self._what_can_come(words))
                self._happens(subject, words[0].lower() if words else "", words[1:])

    def _read_players(self, words: list[str]) -> None:
        self._refuse_if(self._named, "the players are known already")
        if len(words) == 1 and re.fullmatch(r"[0-9]{1,3}", words[0]):
            words = [str(number) for number in range(1, min(int(words[0]), SEATS + 1) + 1)]
        elif any(not re.fullmatch(r"[^\W\d_][\w'-]*", word) for word in words):
            raise self._error("expected a number of players, or their names, which begin with a letter")
        if taken := [word for word in words if word.lower() in _RESERVED]:
            raise self._error(f"{taken[0]!r} has a meaning of its own here: choose another name")
        self._refuse_if(len({word.lower() for word in words}) < len(words), "two players have the same name")
        self._refuse_if(not 2 <= len(words) <= SEATS, f"Coup is for 2 to {SEATS} players")
        self._names, self._named = words, True

    def _read_coins(self, words: list[str]) -> None:
        if not words or any(not re.fullmatch(r"[0-9]{1,3}", word) for word in words):
            raise self._error("expected the coins of each player, in the order of the seats")
        self._refuse_if(self._table, "say the coins first: they are those at the start of the turn, before anything is paid")
        self._refuse_if(self._coins, "the coins are known already")
        self._coins = [int(word) for word in words]
        if not self._named:
            self._names = [str(number) for number in range(1, len(words) + 1)]

    def _read_i_am(self, words: list[str]) -> None:
        words = _telling(words)
        self._refuse_if(not words, "expected a player")
        self._refuse_if(self._observer is not None, "who you are is known already")
        self._observer, self._introduced = words[0], (self._line, self._clause)
        if words[1:]:
            self._read_cards(words[2:] if words[1].lower() == "cards" else words[1:])

    def _read_cards(self, words: list[str]) -> None:
        self._refuse_if(self._cards, "your cards are known already")
        self._refuse_if(self._table, "say your cards first: they are those at the start of the turn")
        self._cards = self._characters(words)

    def _read_turn(self, words: list[str]) -> None:
        self._refuse_if(self._turn is not None, "it is known already whose turn it is")
        self._turn = self._who(words)

    def _listed(self, head: str, words: list[str]) -> None:
        """``2 contessa``, after the word revealed or claims."""
        seat, cards = self._who(words[:1]), self._characters(words[1:])
        self._refuse_if(not cards, f"expected a player and a card, as in '{head} 2 duke'")
        for card in cards:
            self._past(Fact("lost" if head == "revealed" else "claimed", seat, (card,)))

    def _happens(self, seat: int, verb: str, words: list[str]) -> None:
        """What a player did, or does."""
        phrase = [verb, *(word.lower() for word in words)]
        if phrase[:3] == ["did", "not", "show"] or phrase[:2] == ["didn't", "show"]:
            words = words[2:] if verb == "did" else words[1:]
            verb = "declined"
        if verb in ("takes", "take") and words:
            verb, words = words[0].lower(), words[1:]
        if verb == "to":
            self._ask(seat, phrase[1:])
        elif verb in ("drew", "returned"):
            self._complete(seat, verb, self._characters(words))
        elif verb in _PAST:
            self._remember(seat, verb, words)
        elif verb in _PRESENT:
            if self._asked is not None:
                raise self._error(f"say '{self._asked + 1} to answer' last, after everything that has happened")
            self._table.append((seat, self._action(_PRESENT[verb], words)))
        else:
            near = get_close_matches(verb, _VERBS, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"these are {', '.join(_EXAMPLES)}"
            raise self._error(f"what does player {seat + 1} do? {hint}")

    def _ask(self, seat: int, words: list[str]) -> None:
        """``2 to answer``."""
        if words not in (["answer"], ["decide"]):
            raise self._error(f"expected '{seat + 1} to answer', or 'turn {seat + 1}' where a turn begins")
        if self._asked is not None:
            raise self._error(f"player {self._asked + 1} is to answer already")
        self._asked = seat

    # --- before this turn -----------------------------------------------------------------------------------------

    def _remember(self, seat: int, verb: str, words: list[str]) -> None:
        last = self._facts[-1] if self._facts else None
        if verb in _PAST_CLAIMS:
            if words and verb in _PAST_TARGETED:
                self._who(words)
            elif words:
                raise self._error(f"expected nothing after '{verb}'")
            self._past(Fact("claimed", seat, (_PAST_CLAIMS[verb],)))
            if verb == "exchanged":
                self._past(Fact("exchanged", seat))
            return
        cards = self._characters(words)
        self._refuse_if(len(cards) != 1, f"expected one card after '{verb}'")
        if verb == "lost" and last is not None and last[:2] == ("declined", seat) and len(last.cards) == 1:
            if last.cards == cards:
                raise self._error(f"who does not show the {cards[0].title()} loses another card")
            self._facts[-1] = last._replace(cards=last.cards + cards)
        else:
            self._past(Fact("claimed" if verb == "blocked" else verb, seat, cards))

    def _complete(self, seat: int, verb: str, cards: tuple[str, ...]) -> None:
        """What was drawn or returned belongs to the fact before."""
        last = self._facts[-1] if self._facts else None
        if last is None or last.seat != seat or last.kind not in ("showed", "exchanged"):
            raise self._error(f"'{verb}' belongs after 'showed' or 'exchanged': 2 showed duke, drew captain")
        if not cards or (last.drew if verb == "drew" else last.returned):
            raise self._error(f"expected all cards once after '{verb}'")
        self._facts[-1] = last._replace(drew=cards) if verb == "drew" else last._replace(returned=cards)

    def _past(self, fact: Fact) -> None:
        self._refuse_if(self._table, "say what happened in earlier turns before what happens in this one")
        self._facts.append(fact)

    # --- in this turn ---------------------------------------------------------------------------------------------

    def _action(self, kind: str, words: list[str]) -> Action:
        if kind in TARGETED:
            return Action(kind, self._who(words))
        if kind == "foreign_aid":
            self._refuse_if([word.lower() for word in words] not in ([], ["aid"]), "expected nothing after 'foreign aid'")
            return Action(kind)
        cards = self._characters(words)
        if kind == "block" and not cards:
            cards = next((action.blockers for _, action in self._table), ())
            self._refuse_if(len(cards) != 1, "expected the card that blocks, as in '2 blocks with captain'")
        expected = CARD_COUNTS.get(kind, (0,))
        self._refuse_if(len(cards) not in expected, f"expected {' or '.join(map(str, expected))} cards, found {len(cards)}")
        return Action(kind, cards=cards)

    # --- words ----------------------------------------------------------------------------------------------------

    def _error(self, problem: str) -> SituationError:
        return SituationError(self._line, self._clause, problem)

    def _refuse_if(self, wrong: object, problem: str) -> None:
        if wrong:
            raise self._error(problem)

    def _what_can_come(self, words: list[str]) -> str:
        players = f"a player ({', '.join(self._names)})" if self._names else "the coins of everybody (coins 3 5 2)"
        near = get_close_matches(words[0].lower() if words else "", _HEADS, n=1)
        return f"expected {players}" + (f"; did you mean {near[0]!r}?" if near else f", or one of: {', '.join(_HEADS)}")

    def _who(self, words: list[str]) -> int:
        words = _telling(words)
        seat = self._who_or_none(words[0]) if len(words) == 1 else None
        if seat is None:
            raise self._error(f"expected a player: {', '.join(self._names) or 'say first who plays, or the coins'}")
        return seat

    def _who_or_none(self, word: str) -> int | None:
        word = word.lower()
        if word in ("i", "me"):
            return self._me()
        known = [name.lower() for name in self._names]
        if word in known:
            return known.index(word)
        number = word.removeprefix("p")
        return int(number) - 1 if number in [str(n + 1) for n in range(len(known))] else None

    def _me(self) -> int:
        """The seat of the observer."""
        if self._observer is None:
            return 0 if self._given is None else self._given
        if self._observer.lower() in ("i", "me") or (seat := self._who_or_none(self._observer)) is None:
            raise SituationError(*self._introduced, f"expected a player: {', '.join(self._names)}")
        return seat

    def _characters(self, words: list[str]) -> tuple[str, ...]:
        """Cards by name; as few letters as tell it from the others are enough."""
        cards = []
        for word in _telling(words):
            found = [character.value for character in CHARACTERS if f"{character}s".startswith(word.lower())]
            if len(found) != 1:
                problem = "is not a character; these are" if not found else "can be more than one character:"
                raise self._error(f"{word!r} {problem} {', '.join(found or CHARACTERS)}")
            cards += found
        return tuple(cards)

    # --- the whole ------------------------------------------------------------------------------------------------

    def situation(self, rules: Rules, to_observer: bool) -> Situation:
        """All of it, checked."""
        seats = len(self._names)
        refuse_if(not self._coins, "say the coins of each player, as in 'coins 3 5 2'")
        refuse_if(len(self._coins) != seats, f"there are {seats} players, but coins for {len(self._coins)}")
        observer = self._me()
        if self._given is not None and self._given != observer:
            raise SetupError(f"the text says 'I am {self._observer}', the seat that was asked for is {self._given + 1}")
        check_seat(observer, seats)
        refuse_if(not self._cards, "say which cards you hold, as in 'cards duke captain'")
        player = self._player(observer)
        dealt = dealt_to(observer, self._cards, self._facts)
        revealed: dict[int, tuple[str, ...]] = {}
        for fact in self._facts:
            if fact.kind in ("lost", "declined"):
                revealed[fact.seat] = (*revealed.get(fact.seat, ()), fact.cards[-1])
        claimed = standing_claims(self._facts)
        out = [seat for seat, lost in revealed.items() if len(lost) == INFLUENCES]
        claimed = {seat: card for seat, card in claimed.items() if seat not in out}
        known = {observer: self._cards}
        states = setup(self._coins, hands=known, revealed=revealed, claimed=claimed, player=player, rules=rules)
        asked = observer if self._asked is None and self._table and to_observer else self._asked
        seen = unfold(states, [observer], self._table, asked)
        return Situation(tuple(self._names), observer, dealt, tuple(self._facts), tuple(seen), states)

    def _player(self, observer: int) -> int:
        """Whose turn it is: who announced something, else who is said, else who asks."""
        announced = self._table[0][0] if self._table else None
        if announced is not None and self._turn is not None and announced != self._turn:
            raise SetupError(f"it is the turn of player {self._turn + 1}, but player {announced + 1} acts first")
        return next(seat for seat in (announced, self._turn, observer) if seat is not None)


def standing_claims(facts: Iterable[Fact]) -> dict[int, str]:
    """By seat: the character that it claimed last, while nothing that was told since speaks against it.

    >>> standing_claims([Fact("claimed", 1, ("duke",)), Fact("claimed", 0, ("captain",)), Fact("lost", 0, ("captain",))])
    {1: 'duke'}
    """
    claimed: dict[int, str] = {}
    for fact in facts:
        if fact.kind == "claimed":
            claimed[fact.seat] = fact.cards[0]
        elif fact.kind in ("exchanged", "declined") or claimed.get(fact.seat) == fact.cards[0]:
            claimed.pop(fact.seat, None)
    return claimed
