"""Somebody at the keyboard as a player of Catan: is shown the board, types words, and may ask who holds what.

A kibitzer at the person's shoulder counts cards, and says which move is best, and why.
"""

import textwrap
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rich.padding import Padding
from rich.text import Text

from kibitz.catan.analysis import AnalysisConfig, AnalysisMode, Position, create_analyzer
from kibitz.catan.analysis.explain import explain
from kibitz.catan.belief.hands import HandTracker
from kibitz.catan.bots import events_seen
from kibitz.catan.commands.analysis_report import report
from kibitz.catan.commands.choices import TURN, Question, cards_text, spoken
from kibitz.catan.commands.table import board_text, players_table
from kibitz.catan.commands.track_report import hands_table
from kibitz.catan.commands.typed import read_steps
from kibitz.catan.core.actions import Action
from kibitz.catan.core.events import Decline, Discard, EndTurn, Event
from kibitz.catan.core.game_state import GameState
from kibitz.catan.core.position import GamePhase
from kibitz.catan.core.rules.costs import CITY_COST, DEV_COST, ROAD_COST, SETTLEMENT_COST
from kibitz.catan.core.transcript import whole_discards
from kibitz.catan.words import told
from kibitz.cli.common import console, joined
from kibitz.cli.person import Command, Person
from kibitz.cli.tables import WIDTH, folded
from kibitz.game import Game, States
from kibitz.ground.rng import derive_seed
from kibitz.ground.texts import counted
from kibitz.play.advice import IN_DOUBT

#: How many games the kibitzer plays in its mind about a decision, and how many moves it shows.
ITERATIONS, SHOWN = 2000, 5
#: What is asked, by phase; {offer}, {cards} and {rolled} are filled in.
_SAID = {
    GamePhase.SETUP_SETTLEMENT: "Place a settlement: type the number of a corner.",
    GamePhase.SETUP_ROAD: "Place a road beside it:",
    GamePhase.FREE_ROADS: "Place a free road, or end the card:",
    GamePhase.TURN_START: "It is your turn. Before you roll you may play a card:",
    GamePhase.ROBBER_MOVE: "Move the robber: type a hex (h9), or what it shows (wheat 6).",
    GamePhase.ROBBER_STEAL: "Whom do you rob?",
    GamePhase.ROBBER_DISCARD: "A seven: discard {cards}, all in one line, as in discard 2 wood 1 ore.",
    GamePhase.TRADE_ANSWER: "{offer} accept or decline?",
    GamePhase.TRADE_CHOICE: "With whom do you trade?",
    GamePhase.MAIN: "You rolled {rolled}. You may:",
    GamePhase.TRADE: "You rolled {rolled}. You may trade:",
    GamePhase.BUILD: "You may build:",
    GamePhase.DEV_PLAY: "You may play a card:",
}
#: Phases in which the choices are listed below the question, and those in which your own cards are of interest.
_LISTED = (GamePhase.SETUP_ROAD, GamePhase.FREE_ROADS, GamePhase.ROBBER_STEAL, GamePhase.TRADE_CHOICE)
_OF_CARDS = (*TURN, GamePhase.ROBBER_DISCARD, GamePhase.TRADE_ANSWER)
#: Phases in which somebody who has one way only is asked all the same: to see what became of the turn.
_ALWAYS_ASKED = (GamePhase.MAIN, GamePhase.DEV_PLAY)


class Human(Person):
    """A player who is asked."""

    TYPING = """\
Type the number of a choice, or words; you can shorten them:
  settlement 23   city 23   road 3-4   buy   end       places as on the board
  trade 4 wood for ore      with the bank or a harbour (trade wood for ore: at
                            your best rate)
  offer wood for ore        to the others; then deal 2, or cancel
  accept   decline          what others offer
  knight h9   robber h9 rob 2   robber wheat 6         h9 is a hex
  discard 2 wood 1 ore      all at once
  plenty ore ore   monopoly ore   roads 3-4 4-12       development cards"""
    NOTES = textwrap.fill(
        f"A road costs {cards_text(ROAD_COST)}; a settlement {cards_text(SETTLEMENT_COST)}; a city {cards_text(CITY_COST)};"
        f" a development card {cards_text(DEV_COST)}. On the board 2s41 is a settlement of player 2 on corner 41, 2c41 a city,"
        " /2/ a road; stars are the ways to roll a number; a harbour's corners lie beside it.",
        WIDTH,
    )

    def begin(self, game: Game, seat: int, view: States, seed: int) -> None:
        """Sit down."""
        super().begin(game, seat, view, seed)
        self._called = ["You" if other == seat else f"Player {other + 1}" for other in range(len(self.names))]
        self._events: list[Event] = []
        self._asked_in = -1

    def follow(self, game: Game, view: States, seed: int) -> None:
        """Let the kibitzer sit down; the same game and the same questions get the same answers."""
        self._seed, self._asked = seed, 0
        names = [f"player {other + 1}" for other in range(len(self.names))]
        self._tracker = HandTracker(names, self.seat, victory_points=int(view["victory_points"][0]))

    def commands(self) -> list[Command]:
        """What may be typed beside choices."""
        return [
            Command(("board", "show"), "the board and the table", lambda view, rest: self.show(view)),
            Command(("hand",), "what you hold", lambda view, rest: print(textwrap.fill(self._holding(view), WIDTH))),
            Command(("hands",), "what the others may hold", lambda view, rest: self.out.print(hands_table(self._tracker))),
            Command(("log",), "what happened in the last round", lambda view, rest: print(self.log())),
            Command(("why", "hint"), "which move a search would play, and why", lambda view, rest: self.advise(view)),
        ]

    def asked_anyway(self, view: States) -> bool:
        """Where one sees what became of the turn."""
        return GameState(view, observer=self.seat).phase in _ALWAYS_ASKED

    def saw(self, before: States, code: int, after: States) -> None:
        """Tell what happened; the cards of a discard and the refusals of an offer, which come one by one, are told as one."""
        events = list(events_seen(self.seat, before, code, after))
        for event in events:
            self._tracker.process(event)
        self._events += events
        if self._events and not isinstance(self._events[-1], (Discard, Decline)):
            self._tell_all(before)

    def _tell_all(self, view: States) -> None:
        """Tell what was not told yet; `view` is of the same turn."""
        refused = [event for event in self._events if isinstance(event, Decline) and event.partner == self.seat]
        for event in whole_discards(event for event in self._events if not isinstance(event, Decline)):
            if not isinstance(event, EndTurn):
                self.say(view, f"{told(event, self._called, view, places=True)}.")
        if refused:
            self.say(view, f"{joined([self._called[event.player] for event in refused])} declined your offer.")
        self._events.clear()

    def heading(self, view: States) -> str:
        """Whose turn it is."""
        turn, player = int(view["turn"][0]), int(view["player"][0])
        return f"Turn {turn}: {self.who(player)}" if turn else "Set-up"

    def show(self, view: States) -> None:
        """The board and the table."""
        self._show_board(view)
        self.out.print(players_table(GameState(view, observer=self.seat), self.names))

    def _show_board(self, view: States) -> None:
        print()
        self.out.print(board_text(view), soft_wrap=True)
        self.looks = self.looks_of(view)

    def looks_of(self, view: States) -> Any:
        """Equal where the boards look alike."""
        return b"".join(view[name].tobytes() for name in ("settlements", "cities", "roads", "robber"))

    def look(self, view: States) -> None:
        """What was not told yet; the board where it has changed, and the table once a turn."""
        self._tell_all(view)
        if GameState(view, observer=self.seat).phase in (GamePhase.TRADE_ANSWER, GamePhase.ROBBER_DISCARD):
            return  # in somebody else's turn
        turn = int(view["turn"][0])
        if turn and turn != self._asked_in:
            self._asked_in = turn
            self.show(view)
        elif self.looks_of(view) != self.looks:
            self._show_board(view)

    def ask(self, view: States, legal: Sequence[int]) -> None:
        """The person's cards, the question, and what can be answered."""
        asked = Question(view, self.seat, legal)
        row, phase = asked.row, asked.phase
        print()
        if phase in _OF_CARDS:
            print(textwrap.fill(self._holding(view), WIDTH))
        offer = f"Player {row['player'] + 1} gives {_side(row['offer'], 1)} for {_side(row['offer'], -1)}:"
        cards = counted(row["discards"][self.seat], "card")
        print(_SAID[phase].format(offer=offer, cards=cards, rolled=row["roll"]))
        if phase in TURN or phase in _LISTED:
            for number, (word, ends, meaning) in enumerate(asked.choices, start=1):
                what = ", ".join(self._who(end, row["hand_size"]) if word in ("rob", "deal") else end for end in ends)
                told_of = f"{what} ({meaning})" if what and meaning else what or meaning
                print(folded(f"{number if phase in TURN else '':3} {word}", told_of, 14))

    def read(self, text: str, view: States, legal: Sequence[int]) -> list[int]:
        """The steps that somebody typed."""
        asked = Question(view, self.seat, legal)
        return asked.carried_out(read_steps(text, asked))

    def _who(self, player: str, sizes: Sequence[int]) -> str:
        seat = int(player) - 1
        return f"{player} ({self.names[seat]}, {counted(sizes[seat], 'card')})"

    def _holding(self, view: States) -> str:
        """The person's cards in a sentence."""
        player = GameState(view, observer=self.seat).players[self.seat]
        held = [f"{n} {card.replace('_', ' ')}" for card, n in (player.dev_cards or {}).items() if n]
        fresh = [f"{n} {card.replace('_', ' ')}" for card, n in (player.new_dev_cards or {}).items() if n]
        bought = f" (bought this turn: {joined(fresh)})" if fresh else ""
        cards = f"; development cards: {joined(held)}{bought}" if held else ""
        return f"You hold {cards_text(list((player.hand or {}).values()))}{cards}."

    def advise(self, view: States) -> None:
        """The best moves with how often they win, and why the first."""
        self._asked += 1
        seed = derive_seed(self._seed, "kibitzer", self._asked) >> 1
        config = AnalysisConfig(top=1, ismcts_iterations=ITERATIONS, mc_seed=seed)
        with console().status("the kibitzer thinks"):
            position = Position.seen(view, self.seat, self._tracker, config.policy)
            found = create_analyzer(AnalysisMode.ISMCTS).analyze(position, config)
        doubts = tuple(warning for warning in found.warnings if warning == IN_DOUBT)
        shown = replace(found, options=found.options[:SHOWN], predicted_sequence=(), warnings=doubts)
        self.out.print(report(shown, position, ITERATIONS, self.out.width))
        if found.top_recommendations:
            corner = explain("IS#1", found.top_recommendations[0], position, config)
            self.out.print(Padding(Text(" ".join(corner.sentences)), (0, 0, 0, 2), expand=False))
        self.out.print(f"\nIt would play: {spoken(Action.from_text(found.best.action))}", style="bold")

    def farewell(self, states: States, drawn: bool) -> None:
        """Who has won, and what everybody held."""
        self._tell_all(states)
        print()
        self.out.print(board_text(states), soft_wrap=True)
        self.out.print(players_table(GameState(states), self.names))
        print(self.ending(states, drawn))


def _side(offer: Sequence[int], sign: int) -> str:
    """What an offer gives (1) or wants (-1)."""
    return cards_text([max(0, sign * n) for n in offer])
