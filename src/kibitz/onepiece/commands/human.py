"""Somebody at the keyboard as a player of the One Piece card game: is told what happens, and is asked for decisions."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.cli.guards import FORBIDDEN
from kibitz.cli.keyboard import YOU, answer
from kibitz.cli.tables import folded
from kibitz.game import CHANCE, Game, States, legal_actions
from kibitz.game.actions import InvalidAction
from kibitz.onepiece.commands.table import position_text
from kibitz.onepiece.commands.words import card_lines
from kibitz.onepiece.core.actions import Action
from kibitz.onepiece.core.arena import Wait
from kibitz.onepiece.core.engine import State
from kibitz.onepiece.core.game_state import GameState
from kibitz.onepiece.core.words import action_words, battle_words

HELP = """Type the number of a choice, or its words (play TW-004). Also:
  show  the table, with the texts of your cards    card TW-004  what a card says
  log   what happened this turn                    ?  this help    q  leave
Places: L is a Leader, C1 to C5 are Characters, S is a Stage. In your turn play
cards, give DON!! (+1000 power each, this turn only) and attack, in any order.
Who takes damage with no Life left loses, and who has no card left in the deck."""


class Human:
    """A player who is asked. `bot` is what the other one is called."""

    def __init__(self, bot: str) -> None:
        self._bot = bot
        self._log: list[str] = []
        self._turn = self._shown = -1

    # --- as a player ------------------------------------------------------------------------------------------

    def begin(self, game: Game, seat: int, view: States, seed: int) -> None:
        """Sit down."""
        self.seat = seat
        self.names = (YOU, self._bot) if seat == 0 else (self._bot, YOU)

    def saw(self, before: States, code: int, after: States) -> None:
        """Tell what happened, but for the own choices, which are known."""
        s: State = before[0]
        if s.turn != self._turn:
            self._turn, self._log = s.turn, []
        words = self._told(s, code)
        if words:
            self._log.append(words)
        if words and s.actor() != self.seat:
            print(folded(" ", words, 1))

    def decide(self, view: States) -> int:
        """Ask until the answer is an action that the rules allow; outside the Main Phase only where there is a choice."""
        legal = legal_actions(view)
        return legal[0] if len(legal) == 1 and view[0].waiting != Wait.MAIN else self._choice(view, legal)

    def decide_among(self, view: States, allowed: Sequence[int]) -> int:
        """Ask again, without what the loop rule forbids."""
        print(FORBIDDEN)
        return self._choice(view, list(allowed))

    # --- what is told -----------------------------------------------------------------------------------------

    def _told(self, s: State, code: int) -> str:
        """A line about what happens, before it has happened; `code` is what this player perceives of it."""
        unseen = code < 0
        if s.actor() == CHANCE:
            owner, of_life, _ = s.drawing
            if unseen:
                return "" if of_life or not s.turn else f"{self._bot}: takes or looks at a card of the deck"
            card = Action.from_code(code, s.table)
            whose = "your" if owner == self.seat else f"{self._bot}'s"
            return f"{whose} {'Life' if of_life else 'deck'}: {card.card} {action_words(s, card)}"
        who = "you" if s.actor() == self.seat else self._bot
        if unseen:
            return f"{who}: chooses a card, unseen"
        action = Action.from_code(code, s.table)
        if action.kind in ("keep", "redraw", "end_turn"):
            return f"{who}: {action.to_text()}"
        words = action_words(s, action)
        return f"{who}: {words}" if action.kind in ("yes", "no", "pass") else f"{who}: {action.to_text()} - {words}"

    # --- what is asked ----------------------------------------------------------------------------------------

    def _choice(self, view: States, legal: list[int]) -> int:
        s: State = view[0]
        self._ask(s, legal)
        while True:
            text = answer()
            if text in ("?", "help"):
                print(HELP)
            elif text == "show":
                print(position_text(self._state(s), self.names, texts=True))
            elif text == "log":
                print("\n".join(self._log) or "nothing happened yet in this turn")
            elif text.split(" ")[0] == "card":
                _print_card(s, text[4:].strip())
            elif text.isascii() and text.isdigit() and len(text) < 6:
                if 1 <= int(text) <= len(legal):
                    return legal[int(text) - 1]
                print(f"expected a number from 1 to {len(legal)}")
            elif text:
                code = self._typed(s, text)
                if code in legal:
                    return code
                if code is not None:
                    print(FORBIDDEN)

    def _typed(self, s: State, text: str) -> int | None:
        """The legal action that was typed in words; if there is none, why."""
        try:
            action = Action.from_text(text)
            refusal = self._state(s).why_not(action)
        except InvalidAction as error:
            print(error)
            return None
        if refusal is not None:
            print(refusal)
            return None
        return action.code(s.table)

    def _ask(self, s: State, legal: list[int]) -> None:
        """The table, where something has changed on it, the question, and what can be answered."""
        state = self._state(s)
        fresh, self._shown = s.turn != self._shown, s.turn
        if fresh or s.waiting == Wait.MAIN:
            print(position_text(state, self.names, texts=fresh and s.player == self.seat))
        if battle := battle_words(s):
            print(f"battle: {battle}")
        print(f"{repr(state)[12:-1].partition(', as ')[0]}:")
        for i, code in enumerate(legal, start=1):
            action = Action.from_code(code, s.table)
            print(folded(f"{i:3} {action.to_text()}", action_words(s, action), 18))

    def _state(self, s: State) -> GameState:
        return GameState(s, observer=self.seat)

    # --- the end ----------------------------------------------------------------------------------------------

    def farewell(self, s: State, drawn: bool) -> None:
        """Who has won."""
        if drawn:
            print(f"a draw by the loop rule after {s.turn} turns")
        else:
            who = "nobody wins" if s.winner < 0 else "you win" if s.winner == self.seat else f"{self._bot} wins"
            print(f"{who} ({s.ending}) after {s.turn} turns")


def _print_card(s: State, identity: str) -> None:
    """What is printed on a card of this match."""
    table = s.table
    if identity in table.number:
        print("\n".join(card_lines(table.cards[table.number[identity]])))
    else:
        print(f"{identity!r}: no such card in this match; type card and the number of a card, as in card {table.cards[0].id}")
