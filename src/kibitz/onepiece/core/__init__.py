"""The One Piece card game itself: rules, states, effects, words, drawing.

What is imported here is what `kibitz.onepiece` itself offers.
"""

from kibitz.game.actions import IllegalAction, InvalidAction
from kibitz.game.state import Outcome
from kibitz.onepiece.core.actions import Action, activate, attack, choose, give, pick, play, simple
from kibitz.onepiece.core.cards import Card
from kibitz.onepiece.core.decks import Deck, DeckError, check_deck, deck_from_json, load_deck, starter
from kibitz.onepiece.core.engine import POLICIES, OnePieceState, new
from kibitz.onepiece.core.game_state import GameState, PlayerState, UnitState
from kibitz.onepiece.core.reading import CardError
from kibitz.onepiece.core.schema import load_cards, read_cards

__all__ = [
    "POLICIES", "Action", "Card", "CardError", "Deck", "DeckError", "GameState", "IllegalAction", "InvalidAction",
    "OnePieceState", "Outcome", "PlayerState", "UnitState", "activate", "attack", "check_deck", "choose", "deck_from_json",
    "give", "load_cards", "load_deck", "new", "pick", "play", "read_cards", "simple", "starter",
]  # fmt: skip
