"""Somebody at the keyboard as a player of Coup: is told what happens in sentences, and may ask who holds what."""

from collections.abc import Iterable, Sequence

from kibitz.cli.common import is_number
from kibitz.cli.keyboard import NotUnderstood, fits, none_of_them, pick, words_of
from kibitz.cli.person import Choice, Person
from kibitz.cli.tables import fitted
from kibitz.coup.core.game_state import GameState
from kibitz.coup.core.reasons import WRONG_PHASE
from kibitz.coup.core.state import CHARACTERS, DRAWN
from kibitz.coup.words import Words, spoken
from kibitz.game import Game, States, why_not_at
from kibitz.ground.texts import chance_text


class Human(Person):
    """A player who is asked."""

    TYPING = """\
Type the number of a choice, or words; you can shorten them:
  income   aid   tax   exchange   coup 2   assassinate 3   steal 2
  challenge   block contessa   allow (or pass)   show duke   lose captain
  return duke captain"""

    def begin(self, game: Game, seat: int, view: States, seed: int) -> None:
        """Sit down."""
        self._words = Words(seat)
        super().begin(game, seat, view, seed)

    def told(self, before: States, code: int, after: States) -> Iterable[str]:
        """What happened, in sentences."""
        return self._words.tell(before, code, after)

    def question(self, view: States) -> str:
        """What is asked."""
        return self._words.situation(view)

    def choice(self, view: States, code: int) -> Choice:
        """Something that may be done; a bluff is called one."""
        found = self._words.choice(view, code)
        return Choice(found.text, ": ".join(filter(None, ["bluff" if found.bluff else "", found.meaning])))

    def read(self, text: str, view: States, legal: Sequence[int]) -> list[int]:
        """The action that somebody typed."""
        try:
            return [read_choice(text, legal)]
        except NotPossible as error:
            reason = int(why_not_at(view, 0, error.code))
            if reason in (0, WRONG_PHASE):
                raise
            raise NotUnderstood(self._words.why_not(view, error.code, reason)) from None

    def advise(self, view: States) -> None:
        """What a search makes of the choices, and what the others may hold."""
        super().advise(view)
        rows = []
        for player in GameState(view, observer=self.seat).players:
            if player.seat != self.seat and not player.is_out:
                holds = self.kibitzer.belief.influence.marginal(player.seat)
                rows.append({"player": str(player.seat + 1)} | {c.title(): chance_text(holds[c]) for c in CHARACTERS})
        print("\nWho may hold what, from your cards, the lost ones and all claims:")
        self.out.print(fitted(rows, tuple(rows[0]), width=self.out.width, left=("player",)))


#: Words that people use for the first word of an action.
_ALIASES = {
    "aid": "foreign", "duke": "tax", "captain": "steal", "rob": "steal", "kill": "assassinate", "ambassador": "exchange",
    "swap": "exchange", "pass": "allow", "no": "allow", "ok": "allow", "accept": "allow", "doubt": "challenge",
    "call": "challenge", "discard": "lose", "give": "lose", "reveal": "lose", "put": "return",
}  # fmt: skip
#: Words that change nothing.
_FILLERS = {"a", "the", "with", "from", "against", "player", "card", "cards", "and", "my", "up", "back"}


def read_choice(text: str, legal: Sequence[int]) -> int:
    """The action that somebody typed: a number from the list, or words, which may be cut short.

    >>> from kibitz.coup import Action, foreign_aid, steal
    >>> legal = [foreign_aid().code, steal(1).code, steal(2).code]
    >>> [Action.from_code(read_choice(text, legal)).to_text() for text in ("1", "for", "steal from player 3", "st P2")]
    ['foreign_aid', 'foreign_aid', 'steal 3', 'steal 2']
    """
    words = _normal(text)
    found = pick(words, legal, spoken)
    if found is not None:
        return found
    elsewhere = [code for code in range(DRAWN) if fits(words, spoken(code))] if words else []
    raise NotPossible(elsewhere[0]) if elsewhere else none_of_them(text if words else "")


class NotPossible(NotUnderstood):
    """An action of the game, but not one that is legal now; `code` is it."""

    def __init__(self, code: int) -> None:
        self.code = code
        text = " ".join(spoken(code))
        super().__init__(f"{text[0].upper()}{text[1:]} is not possible now.")


def _normal(text: str) -> list[str]:
    """The words that count, with the usual name of the action first and cards in their order."""
    words = [word for word in words_of(text) if word not in _FILLERS]
    words = [word[1:] if word[0] == "p" and is_number(word[1:]) else word for word in words]
    if words:
        words[0] = _ALIASES.get(words[0], words[0])
    if len(words) == 3 and words[0] == "return":
        words[1:] = sorted(words[1:], key=_rank)
    return words


def _rank(word: str) -> int:
    return next((i for i, character in enumerate(CHARACTERS) if character.startswith(word)), len(CHARACTERS))
