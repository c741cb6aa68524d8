"""Catan in words, as one seat perceives it: events as sentences without a full stop, cards by their usual names.

>>> from kibitz.catan import Board
>>> from kibitz.catan.core.events import Award, Build
>>> from kibitz.catan.core.state import new_states
>>> states = new_states(Board.beginner(), 2)
>>> told(Award(0, "longest_road"), ("You", "Bob"), states), told(Build(1, "road", edge=(3, 4)), ("You", "Bob"), states, True)
('You have the Longest Road', 'Bob built a road on 3-4')

Actions in plain words, as a person at the table would say them; seats count from 1.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kibitz.catan.core.actions import Action
from kibitz.catan.core.board import RESOURCES, Board, Hex
from kibitz.catan.core.events import Accept, Award, Build, Decline, Event, MoveRobber, PlayDevCard, PlayerTrade
from kibitz.catan.core.places import hex_name, the_hex
from kibitz.game import States


def told(event: Event, names: Sequence[str], states: States, places: bool = False) -> str:
    """An event in words, with the names of the players (``You`` for who is told), and with what lies on a hex.

    With `places` for who has no picture: also where something is built, and the number of a hex.
    """
    words = event.text(names)
    match event:
        case MoveRobber() if event.hex is not None:
            where = hex_words(states, event.hex)
            words = words.replace(f"hex {event.hex}", f"h{event.hex} ({where})" if places else where)
        case Build():
            words = words.removesuffix(" for free").replace(" built ", " placed " if event.free else " built ")
            if places and (event.corner is not None or event.edge):
                words += f" on {'-'.join(map(str, event.edge)) if event.edge else event.corner}"
        case Award():
            who = "Nobody" if event.player is None else names[event.player]
            words = f"{who} {'have' if who == 'You' else 'has'} the {event.award.replace('_', ' ').title()}"
        case PlayDevCard(card="knight"):
            words = f"{names[event.player]} played a knight"
        case PlayerTrade():
            partner = names[event.partner]
            words = words.replace(f" to {partner} for ", " for ", 1).replace(" gave ", f" gave {partner} ", 1)
        case Accept() | Decline():
            whose = "your" if names[event.partner] == "You" else f"{names[event.partner]}'s"
            words = f"{names[event.player]} {'accepted' if isinstance(event, Accept) else 'declined'} {whose} offer"
    return words[:1] + re.sub(r"\bYou\b", "you", words[1:])


def hex_words(states: States, hex: int) -> str:
    """What lies on a hex: ``wood 6``, ``the desert``."""
    terrain, number = int(states["terrain"][0, hex]), int(states["number"][0, hex])
    return the_hex(Hex(RESOURCES[terrain] if terrain >= 0 else None, number or None))


def say(action: str, board: Board | None = None) -> str:
    """The text of a player's action in words; with the board, a hex is also called by what lies there.

    >>> say("build_city 23"), say("offer_trade 1 wood for 1 ore")
    ('a city on V23', 'offer 1 wood for 1 ore')
    >>> say("move_robber 4", Board.beginner())
    'the robber to hex 4 (brick 6)'
    """
    parsed = Action.from_text(action)
    words = _WORDS[parsed.kind](parsed.data)
    if board is None or "hex" not in parsed.data:
        return words
    return f"{words} ({hex_name(board.hexes[parsed.data['hex']])})"


def _cards(bundle: Mapping[str, int]) -> str:
    return " and ".join(f"{n} {resource}" for resource, n in bundle.items())


def _edge(data: Mapping[str, Any]) -> str:
    a, b = data["edge"]
    return f"V{a}-V{b}"


_WORDS: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "place_setup_settlement": lambda d: f"a settlement on V{d['corner']}",
    "place_setup_road": lambda d: f"the road {_edge(d)}",
    "roll_dice": lambda d: "roll the dice",
    "discard_resource": lambda d: f"discard {d['resource']}",
    "move_robber": lambda d: f"the robber to hex {d['hex']}",
    "steal_resource": lambda d: f"rob seat {d['victim'] + 1}",
    "skip_steal": lambda d: "rob nobody",
    "trade_bank": lambda d: f"trade {_cards(d['give'])} for {_cards(d['receive'])} with the bank",
    "offer_trade": lambda d: f"offer {_cards(d['give'])} for {_cards(d['receive'])}",
    "accept_offer": lambda d: "accept the offer",
    "decline_offer": lambda d: "decline the offer",
    "confirm_trade": lambda d: f"trade with seat {d['partner'] + 1}",
    "cancel_offer": lambda d: "take the offer back",
    "end_trade_phase": lambda d: "end the trading",
    "build_road": lambda d: f"a road {_edge(d)}",
    "build_settlement": lambda d: f"a settlement on V{d['corner']}",
    "build_city": lambda d: f"a city on V{d['corner']}",
    "buy_dev_card": lambda d: "buy a development card",
    "end_build_phase": lambda d: "end the building",
    "play_knight": lambda d: "play a knight",
    "play_road_building": lambda d: "play Road Building",
    "place_free_road": lambda d: f"the free road {_edge(d)}",
    "end_road_building": lambda d: "no more free roads",
    "play_year_of_plenty": lambda d: f"play Year of Plenty for {' and '.join(d['resources'])}",
    "play_monopoly": lambda d: f"play Monopoly on {d['resource']}",
    "reveal_vp": lambda d: "reveal a victory point",
    "end_turn": lambda d: "end the turn",
}
