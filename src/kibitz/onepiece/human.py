"""Somebody at the keyboard as a player of the One Piece card game: is told what happens, and reads cards."""

from collections.abc import Iterable
from typing import Any

from kibitz.cli.person import Choice, Command, Person
from kibitz.game import Game, States
from kibitz.ground.texts import capitalised
from kibitz.loops.protocol import WatchedGame
from kibitz.onepiece.core.actions import Action
from kibitz.onepiece.core.arena import Wait
from kibitz.onepiece.core.engine import OnePieceState
from kibitz.onepiece.core.words import Teller, action_words, battle_words, card_lines
from kibitz.onepiece.looplab import at_position
from kibitz.onepiece.setup import text


class Human(Person):
    """A player who is asked."""

    TYPING = "Type the number of a choice, or its words (play TW-004); you can shorten them."
    NOTES = """\
Places: L is a Leader, C1 to C5 are Characters, S is a Stage. In your turn play
cards, give DON!! (+1000 power each, this turn only) and attack, in any order.
Who takes damage with no Life left loses, and who has no card left in the deck."""

    def begin(self, game: Game, seat: int, view: States, seed: int) -> None:
        """Sit down."""
        super().begin(game, seat, view, seed)
        self._read_in = -1

    def commands(self) -> list[Command]:
        """What may be typed beside choices."""
        return [*super().commands(), Command(("card",), "what a card says: card TW-004", _print_card)]

    def asked_anyway(self, view: States) -> bool:
        """In the Main Phase, to see what became of the turn."""
        return bool(view[0].waiting == Wait.MAIN)

    def told(self, before: States, code: int, after: States) -> Iterable[str]:
        """What happened, and what came of it; the other player is called by the name of the bot."""
        teller = Teller(self.seat, capitalised(self.names[1 - self.seat]))
        return [sentence.text for sentence in teller.tell(before[0], code, after[0])]

    def who(self, seat: int) -> str:
        """The other player is called by the name of the bot."""
        return "you" if seat == self.seat else self.names[seat]

    def describe(self, position: WatchedGame, action: int) -> str:
        """An action as the loop guard names it: with the names of the cards."""
        return at_position(position, action)

    def look(self, view: States) -> None:
        """The table in each new turn and in the Main Phase; in the person's own turn with what the cards say."""
        s: OnePieceState = view[0]
        if s.turn != self._read_in or s.waiting == Wait.MAIN:
            self._print_table(view, texts=s.turn != self._read_in and s.player == self.seat)
        self._read_in = s.turn
        if battle := battle_words(s):
            print(f"battle: {battle}")

    def show(self, view: States) -> None:
        """The table, with what the cards say."""
        self._print_table(view, texts=True)

    def _print_table(self, view: States, texts: bool) -> None:
        print(f"\n{text(self.state(view), self.names, texts)}")

    def question(self, view: States) -> str:
        """What is asked."""
        return f"{capitalised(self.state(view).title.partition(', as ')[0])}:"

    def choice(self, view: States, code: int) -> Choice:
        """Something that may be done."""
        action = Action.from_code(code, view[0].table)
        return Choice(action.to_text(), action_words(view[0], action))

    def ending(self, states: States, drawn: bool) -> str:
        """Who has won, and by what."""
        ended = states[0].ending
        return super().ending(states, drawn) + (f" ({ended})" if ended else "")


def _print_card(view: States, identity: str) -> None:
    """What is printed on a card of this match."""
    table: Any = view[0].table
    if identity in table.number:
        print("\n".join(card_lines(table.cards[table.number[identity]])))
    else:
        print(f"{identity!r}: no such card in this match; type card and the number of a card, as in card {table.cards[0].id}")
