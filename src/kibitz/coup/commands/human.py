"""Somebody at the keyboard as a player of Coup: is told what happens, is asked for decisions, and may ask about them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from kibitz.cli.common import console
from kibitz.cli.guards import FORBIDDEN
from kibitz.cli.keyboard import NotUnderstood, answer
from kibitz.cli.tables import fitted
from kibitz.coup.bots import adviser
from kibitz.coup.commands.typed import NotPossible, read_choice
from kibitz.coup.core.cards import CHARACTERS
from kibitz.coup.core.game_state import GameState
from kibitz.coup.core.reasons import WRONG_PHASE
from kibitz.coup.words import Words, title
from kibitz.game import Game, States, legal_actions, why_not_at
from kibitz.ground.figures import chance_text, with_margin
from kibitz.play.share import margin_of, wilson
from kibitz.search.ismcts import ActionStatistics

HELP = """\
Type the number of a choice, or words, cut short as you like:
  income   aid   tax   exchange   coup 2   assassinate 3   steal 2
  challenge   block contessa   allow (or pass)   show duke   lose captain
  return duke captain
and besides:
  why   what a search thinks of your choices, and who may hold what
  ?     this help
  q     leave the game"""


class Human:
    """A player who is asked. With `hints` every question comes with what `why` would say."""

    def __init__(self, words: Words, hints: bool = False) -> None:
        self._words, self._hints = words, hints
        self._adviser = adviser()
        self._out = Console(highlight=False)
        self._shown = b""

    # --- as a player ------------------------------------------------------------------------------------------

    def begin(self, game: Game, seat: int, view: States, seed: int) -> None:
        """Sit down."""
        self._adviser.begin(game, seat, view, seed)

    def saw(self, before: States, code: int, after: States) -> None:
        """Tell what happened, and show the table after every turn."""
        self._adviser.saw(before, code, after)
        for sentence in self._words.tell(before, code, after):
            print(sentence)
        if before["turn"][0] != after["turn"][0]:
            self._show_table(after)

    def decide(self, view: States) -> int:
        """Ask until the answer is an action that the rules allow; where there is only one nobody is asked."""
        return self._choice(view, legal_actions(view))

    def decide_among(self, view: States, allowed: Sequence[int]) -> int:
        """Ask again, without what the loop rule forbids."""
        print(FORBIDDEN)
        return self._choice(view, list(allowed))

    def _choice(self, view: States, legal: list[int]) -> int:
        if len(legal) == 1:
            return legal[0]
        self._show_table(view)
        self._ask(view, legal)
        while True:
            text = answer()
            word = text.lower()
            if word in ("?", "help"):
                print(HELP)
                self._ask(view, legal)
            elif word in ("why", "why?"):
                self._advise(view)
            else:
                try:
                    return read_choice(text, legal)
                except NotPossible as error:
                    reason = why_not_at(view, 0, error.code)
                    if not reason:
                        print(FORBIDDEN)
                    else:
                        print(error if reason == WRONG_PHASE else self._words.why_not(view, error.code, reason))
                except NotUnderstood as error:
                    print(error)

    # --- what is shown ----------------------------------------------------------------------------------------

    def _show_table(self, view: States) -> None:
        """Coins, cards and losses, unless nothing has changed since they were last shown."""
        looks = b"".join(view[name].tobytes() for name in ("turn", "coins", "influence", "hand"))
        if looks == self._shown:
            return
        self._shown = looks
        state = GameState(view, observer=self._words.you)
        rows = []
        for player in state.players:
            cards = " ".join(map(title, player.cards)) if player.cards is not None else "? " * player.card_count
            rows.append(
                {
                    "player": f"{player.seat + 1}{' <' if player.seat == state.current_player_id else ''}",
                    "who": self._words.bots[player.seat],
                    "coins": str(player.coins),
                    "cards": cards.strip() or "out",
                    "lost": " ".join(map(title, player.revealed)),
                }
            )
        print(f"\nTurn {state.turn_number}")
        self._out.print(fitted(rows, tuple(rows[0]), width=self._out.width, left=("player", "who", "cards", "lost")))
        print()

    def _ask(self, view: States, legal: list[int]) -> None:
        """The question, and what can be answered."""
        print(self._words.situation(view))
        choices = [self._words.choice(view, code) for code in legal]
        wide = max(len(choice.text) for choice in choices)
        mark = "  bluff" if any(choice.bluff for choice in choices) else ""
        for number, choice in enumerate(choices, start=1):
            bluff = mark if choice.bluff else " " * len(mark)
            print(f"{number:3}  {choice.text:{wide}}{bluff}  {choice.meaning}".rstrip())
        if self._hints:
            self._advise(view)

    def _advise(self, view: States) -> None:
        """What a search makes of the choices, and what the others may hold."""
        you = self._words.you
        with console().status("thinking"):
            result = self._adviser.think(view)

        def row(one: ActionStatistics) -> dict[str, str]:
            text, value = self._words.choice(view, one.action).text, one.values[you]
            won = with_margin(value, margin_of(value, *wilson(value, one.visits)))
            return {"choice": text, "you win": won, "tried": f"{one.visits:,}"}

        rows = [row(one) for one in result.actions]
        print(f"\nYour chances, by {result.iterations:,} games in the mind of a search:")
        self._out.print(fitted(rows, tuple(rows[0]), width=self._out.width, left=("choice",)))
        print(f"It would choose: {self._words.choice(view, result.best.action).text}")
        self._show_belief(view)

    def _show_belief(self, view: States) -> None:
        rows = []
        for player in GameState(view, observer=self._words.you).players:
            if player.seat != self._words.you and not player.is_out:
                holds = self._adviser.belief.influence.marginal(player.seat)
                rows.append({"player": str(player.seat + 1)} | {title(c): chance_text(holds[c]) for c in CHARACTERS})
        print("\nWho may hold what, from your cards, the lost ones and all claims:")
        self._out.print(fitted(rows, tuple(rows[0]), width=self._out.width, left=("player",)))
        print()

    # --- the end ----------------------------------------------------------------------------------------------

    def farewell(self, states: States, drawn: bool = False) -> None:
        """Who has won, and what everybody held."""
        state = GameState(states)
        winner = state.winner_id
        turns = f"after {state.turn_number} turns"
        if drawn:
            print(f"\nThe loop rule ends the game {turns}: a draw.")
        elif winner is None:
            print(f"\nThe turn limit ends the game {turns}: nobody has won.")
        elif winner == self._words.you:
            print(f"\nYou have won {turns}!")
        else:
            print(f"\nPlayer {winner + 1} ({self._words.bots[winner]}) has won {turns}.")
        for player in state.players:
            held, lost = (" ".join(map(title, cards)) for cards in (player.cards or (), player.revealed))
            cards = "; ".join(text for text in (held and f"held {held}", lost and f"lost {lost}") if text)
            print(f"  {self._words.subject(player.seat)}: {cards}")
