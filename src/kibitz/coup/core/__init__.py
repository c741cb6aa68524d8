"""Coup itself: rules, states, words, drawing.

What is imported here is what `kibitz.coup` itself offers.
"""

from kibitz.coup.core.actions import (
    Action, allow, assassinate, block, challenge, coup, drawn, exchange, foreign_aid, income, lose, return_cards, show, steal,
    tax,
)  # fmt: skip
from kibitz.coup.core.engine import GAME
from kibitz.coup.core.game_state import GameState, PlayerState
from kibitz.coup.core.state import Character, GamePhase, Rules
from kibitz.game.actions import IllegalAction, InvalidAction
from kibitz.game.state import Outcome

__all__ = [
    "GAME", "Action", "Character", "GamePhase", "GameState", "IllegalAction", "InvalidAction", "Outcome", "PlayerState",
    "Rules", "allow", "assassinate", "block", "challenge", "coup", "drawn", "exchange", "foreign_aid", "income", "lose",
    "return_cards", "show", "steal", "tax",
]  # fmt: skip
