"""Somebody at the keyboard as a player of Catan: is told what happens, is shown the board, is asked, and may ask a kibitzer."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence

from rich.console import Console

from kibitz.catan.bots import events_seen
from kibitz.catan.commands.choices import TURN, Question, Refused, cards_text
from kibitz.catan.commands.kibitzer import Kibitzer
from kibitz.catan.commands.table import board_text, players_table
from kibitz.catan.commands.typed import read_steps
from kibitz.catan.core.events import Decline, Discard, EndTurn, Event
from kibitz.catan.core.game_state import GamePhase, GameState
from kibitz.catan.core.transcript import whole_discards
from kibitz.catan.words import told
from kibitz.cli.common import joined
from kibitz.cli.guards import FORBIDDEN
from kibitz.cli.keyboard import NotUnderstood, answer
from kibitz.cli.tables import WIDTH, folded
from kibitz.game import Game, States, legal_actions, why_not_at
from kibitz.ground.figures import counted

HELP = """\
Type the number of a choice, or words, cut short as you like:
  settlement 23   city 23   road 3-4   buy   end       places as on the board
  trade 4 wood for ore      with the bank or a harbour (trade wood for ore: at
                            your best rate)
  offer wood for ore        to the others; then deal 2, or cancel
  accept   decline          what others offer
  knight h9   robber h9 rob 2   robber wheat 6         h9 is a hex
  discard 2 wood 1 ore      all at once
  plenty ore ore   monopoly ore   roads 3-4 4-12       development cards
and besides:
  board   the board and the table   hands   what the others may hold
  log     what happened since your last turn
  why     which move a search would play, and why
  ?       this help                 q       leave the game
A road costs 1 wood, 1 brick; a settlement 1 wood, 1 brick, 1 sheep, 1 wheat;
a city 2 wheat, 3 ore; a development card 1 sheep, 1 wheat, 1 ore.
On the board 2s41 is a settlement of player 2 on corner 41, 2c41 a city, /2/ a
road; stars are the ways to roll a number; a harbour's corners lie beside it."""

#: What is asked, by phase; {offer}, {cards} and {rolled} are filled in.
_SAID = {
    GamePhase.SETUP_SETTLEMENT: "Place a settlement: type the number of a corner.",
    GamePhase.SETUP_ROAD: "Place a road beside it:",
    GamePhase.FREE_ROADS: "Place a free road, or end the card:",
    GamePhase.TURN_START: "It is your turn. Before you roll you may play a card:",
    GamePhase.ROBBER_MOVE: "Move the robber: type a hex (h9), or what lies there (wheat 6).",
    GamePhase.ROBBER_STEAL: "Whom do you rob?",
    GamePhase.ROBBER_DISCARD: "A seven: discard {cards}, all in one line, as in discard 2 wood 1 ore.",
    GamePhase.TRADE_ANSWER: "{offer} accept or decline?",
    GamePhase.TRADE_CHOICE: "With whom do you trade?",
    GamePhase.MAIN: "You rolled {rolled}. You may:",
    GamePhase.TRADE: "You rolled {rolled}. You may trade:",
    GamePhase.BUILD: "You may build:",
    GamePhase.DEV_PLAY: "You may play a card:",
}
#: Phases in which the choices are listed below the question, and those in which the own cards are of interest.
_LISTED = (GamePhase.SETUP_ROAD, GamePhase.FREE_ROADS, GamePhase.ROBBER_STEAL, GamePhase.TRADE_CHOICE)
_OF_CARDS = (*TURN, GamePhase.ROBBER_DISCARD, GamePhase.TRADE_ANSWER)
#: Phases in which somebody who has one way only is asked all the same: to see what became of the turn.
_ALWAYS_ASKED = (GamePhase.MAIN, GamePhase.DEV_PLAY)


class Human:
    """A player who is asked. `names` are those of the bots by seat; with `hints` every question comes with what `why` says."""

    def __init__(self, names: Sequence[str], hints: bool = False) -> None:
        self._names, self._hints = names, hints
        self._out = Console(highlight=False)
        self._planned: list[int] = []
        self._events: list[Event] = []
        self._log: list[str] = []
        self._turn, self._board, self._asked_in = -1, b"", -1
        self._commands: dict[str, Callable[[Question], None]] = {
            "?": lambda asked: print(HELP),
            "help": lambda asked: print(HELP),
            "board": self._show,
            "hands": lambda asked: self._out.print(self._kibitzer.hands()),
            "log": lambda asked: print("\n".join(self._log) or "Nothing has happened yet."),
            "hand": lambda asked: print(textwrap.fill(self._holding(asked), WIDTH)),
            "why": self._advise,
            "hint": self._advise,
        }

    # --- as a player ------------------------------------------------------------------------------------------

    def begin(self, game: Game, seat: int, view: States, seed: int) -> None:
        """Sit down."""
        self._seat = seat
        self._called = ["You" if other == seat else f"Player {other + 1}" for other in range(len(self._names))]
        self._kibitzer = Kibitzer(view, seat, seed)

    def saw(self, before: States, code: int, after: States) -> None:
        """Tell what happened; the cards of a discard and the refusals of an offer, which come one by one, are told as one."""
        events = list(events_seen(self._seat, before, code, after))
        for event in events:
            self._kibitzer.saw(event)
        self._events += events
        if self._events and not isinstance(self._events[-1], (Discard, Decline)):
            self._tell_all(before)

    def decide(self, view: States) -> int:
        """Go on with what was typed, or ask until the answer is allowed; mostly nobody is asked where there is one way only."""
        if self._planned and not why_not_at(view, 0, self._planned[0]):
            return self._planned.pop(0)
        self._planned.clear()  # the loop rule has stepped in
        legal = legal_actions(view)
        asked = Question(view, self._seat, legal)
        return legal[0] if len(legal) == 1 and asked.phase not in _ALWAYS_ASKED else self._choice(asked)

    def decide_among(self, view: States, allowed: Sequence[int]) -> int:
        """Ask again, without what the loop rule forbids."""
        self._planned.clear()
        print(FORBIDDEN)
        return self._choice(Question(view, self._seat, allowed), only=True)

    def _choice(self, asked: Question, only: bool = False) -> int:
        """What is chosen; `only` out of what is listed."""
        self._tell_all(asked.view)
        self._head(asked.view)
        self._show_news(asked)
        self._ask(asked)
        while True:
            text = answer()
            if command := self._commands.get(text.lower().rstrip("?") or text):
                command(asked)
                continue
            try:
                first, *self._planned = asked.carried_out(read_steps(text, asked))
            except (NotUnderstood, Refused) as error:
                print(textwrap.fill(str(error), WIDTH))
                continue
            if not only or first in asked.legal:
                return first
            self._planned.clear()
            print(FORBIDDEN)

    # --- what is told -----------------------------------------------------------------------------------------

    def _tell_all(self, view: States) -> None:
        """Tell what was not told yet; `view` is of the same turn."""
        if self._events:
            self._head(view)
            refused = [event for event in self._events if isinstance(event, Decline) and event.partner == self._seat]
            for event in whole_discards(event for event in self._events if not isinstance(event, Decline)):
                self._tell(event, view)
            if refused:
                self._say(f"  {joined([self._called[event.player] for event in refused])} declined your offer.")
            self._events.clear()

    def _head(self, view: States) -> None:
        """Whose turn begins."""
        turn, player = int(view["turn"][0]), int(view["player"][0])
        if turn != self._turn:
            self._turn = turn
            who = "you" if player == self._seat else f"player {player + 1} ({self._names[player]})"
            self._say(f"\nTurn {turn}: {who}" if turn else "\nSet-up")

    def _tell(self, event: Event, view: States) -> None:
        if isinstance(event, EndTurn):
            if event.player == self._seat:
                self._log.clear()
        else:
            words = f"{told(event, self._called, view, places=True)}."
            self._say(textwrap.fill(words, WIDTH, initial_indent="  ", subsequent_indent="    "))

    def _say(self, text: str) -> None:
        self._log.append(text.strip("\n"))
        print(text)

    # --- what is shown ----------------------------------------------------------------------------------------

    def _show(self, asked: Question) -> None:
        """The board and the table."""
        self._show_board(asked)
        self._out.print(players_table(asked.state, self._names))

    def _show_board(self, asked: Question) -> None:
        print()
        self._out.print(board_text(asked.view), soft_wrap=True)
        self._board = _looks(asked.view)

    def _show_news(self, asked: Question) -> None:
        """The board where it has changed, and the table once a turn."""
        if asked.phase in (GamePhase.TRADE_ANSWER, GamePhase.ROBBER_DISCARD):
            return  # in the turn of somebody else
        turn = asked.row["turn"]
        if turn and turn != self._asked_in:
            self._asked_in = turn
            self._show(asked)
        elif _looks(asked.view) != self._board:
            self._show_board(asked)

    def _ask(self, asked: Question) -> None:
        """The own cards, the question, and what can be answered."""
        row, phase = asked.row, asked.phase
        print()
        if phase in _OF_CARDS:
            print(textwrap.fill(self._holding(asked), WIDTH))
        offer = f"Player {row['player'] + 1} gives {_side(row['offer'], 1)} for {_side(row['offer'], -1)}:"
        cards = counted(row["discards"][self._seat], "card")
        print(_SAID[phase].format(offer=offer, cards=cards, rolled=row["roll"]))
        if phase in TURN or phase in _LISTED:
            for number, (word, ends, meaning) in enumerate(asked.choices, start=1):
                what = ", ".join(self._who(end, row["hand_size"]) if word in ("rob", "deal") else end for end in ends)
                told_of = f"{what} ({meaning})" if what and meaning else what or meaning
                print(folded(f"{number if phase in TURN else '':3} {word}", told_of, 14))
        if self._hints:
            self._advise(asked)

    def _who(self, player: str, sizes: Sequence[int]) -> str:
        seat = int(player) - 1
        return f"{player} ({self._names[seat]}, {counted(sizes[seat], 'card')})"

    def _holding(self, asked: Question) -> str:
        """The own cards in a sentence."""
        player = asked.state.players[self._seat]
        held = [f"{n} {card.replace('_', ' ')}" for card, n in (player.dev_cards or {}).items() if n]
        fresh = [f"{n} {card.replace('_', ' ')}" for card, n in (player.new_dev_cards or {}).items() if n]
        bought = f" (bought this turn: {joined(fresh)})" if fresh else ""
        cards = f"; development cards: {joined(held)}{bought}" if held else ""
        return f"You hold {cards_text(list((player.hand or {}).values()))}{cards}."

    def _advise(self, asked: Question) -> None:
        self._out.print(self._kibitzer.advise(asked.view, self._out.width))

    # --- the end ----------------------------------------------------------------------------------------------

    def farewell(self, states: States, drawn: bool = False) -> None:
        """Who has won, and what everybody held."""
        state = GameState(states)
        winner, turns = state.winner_id, f"after {state.turn_number} turns"
        self._tell_all(states)
        print()
        self._out.print(board_text(states), soft_wrap=True)
        self._out.print(players_table(state, self._names))
        if drawn:
            print(f"The loop rule ends the game {turns}: a draw.")
        elif winner is None:
            print(f"The turn limit ends the game {turns}: nobody has won.")
        elif winner == self._seat:
            print(f"You have won {turns}!")
        else:
            print(f"Player {winner + 1} ({self._names[winner]}) has won {turns}.")


def _looks(view: States) -> bytes:
    """Equal where the boards look alike."""
    return b"".join(view[name].tobytes() for name in ("settlements", "cities", "roads", "robber"))


def _side(offer: Sequence[int], sign: int) -> str:
    """What an offer gives (1) or wants (-1)."""
    return cards_text([max(0, sign * n) for n in offer])
