"""Catan's evaluator: which network judges which game, and every seat's chance to win.

There is a network for each number of players, with and without offers to other players. They are asked for games to ten points
under the official rules; for other rules one can be trained (`kibitz train catan`).
"""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.catan.core.features import inputs
from kibitz.catan.core.layout import INPUTS, LAYOUT, WIDE
from kibitz.catan.core.state import GAME_OVER, CatanState, Notes, Rules, rules_of
from kibitz.game import States
from kibitz.game.evaluator import SURE, evaluate
from kibitz.game.nets import NetShelf, NoNetwork
from kibitz.ground.jit import jit

#: What each network is for.
VARIANTS = tuple(f"{seats}-players{offers}" for seats in (2, 3, 4) for offers in ("", "-offers"))

#: Options that a network need not have been trained with: how a supply that runs out is shared changes little.
IRRELEVANT = ("max_turns", "offer_limit", "domestic_trade", "all_or_nothing_bank")

NETS = NetShelf("catan", INPUTS, WIDE, LAYOUT, VARIANTS, Path(__file__).parents[1] / "nets")


def variant_of(states: States) -> str:
    """The name of the network for games that are played by the rules of ``states[0]``."""
    first = np.asarray(states)[0]
    return VARIANTS[2 * (int(first["seats"]) - 2) + int(first["domestic_trade"])]


def check_served(states: States, book: int) -> None:
    """Raise `NoNetwork` where a book has no network for the rules of ``states[0]``."""
    variant = variant_of(states)
    net = NETS.book(book).get(variant)
    if net is None:
        raise NoNetwork(f"there is no network for {variant} games of Catan; {_how_to_train(states)}")
    trained = net.about["rules"]["rules"]
    for name, value in rules_of(states).to_json().items():
        if name not in IRRELEVANT and trained[name] != value:
            what = f"the network for {variant} games is for {name}={trained[name]}, not {value}"
            raise NoNetwork(f"{what}; {_how_to_train(states)}")


def _how_to_train(states: States) -> str:
    """The command that trains a network for the rules of ``states[0]``, with all that is not official about them."""
    official = Rules().to_json()
    unusual = {name: value for name, value in rules_of(states).to_json().items() if value != official[name]}
    chosen = "".join(f" --rule {name}={str(value).lower()}" for name, value in unusual.items() if name != "max_turns")
    return f"train one: kibitz train catan FOLDER --players {int(np.asarray(states)['seats'][0])}{chosen}"


def phase_of(states: States) -> npt.NDArray[Any]:
    """[state] the draft, or how far the game is, by turns of each player."""
    turn, seats = np.asarray(states)["turn"].astype(int), int(np.asarray(states)["seats"][0])
    names = np.array(["draft", *(f"turns {first} to {first + 4}" for first in range(1, 25, 5)), "later"])
    return names[np.where(turn == 0, 0, np.minimum(1 + (turn - 1) // seats // 5, len(names) - 1))]


@jit
def network(s: CatanState, x: Notes) -> int:
    """The number of the network that is asked: by the book, the number of players, and whether they trade."""
    return (x.book * 3 + s.seats - 2) * 2 + (1 if s.domestic_trade else 0)


@jit
def value(s: CatanState, x: Notes) -> int:
    """Every seat's chance to win; whoever has won is sure of it. 0 where there is no network."""
    if s.phase == GAME_OVER:
        for seat in range(s.seats):
            x.values[seat] = SURE if seat == s.winner else 0
        return 1
    inputs(s, x)
    return evaluate(x, s.seats, INPUTS, network(s, x))
