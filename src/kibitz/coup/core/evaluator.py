"""Coup's evaluator for two players: every seat's chance to win, all cards face up."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.coup.core.features import inputs
from kibitz.coup.core.layout import DUEL, INPUTS, LAYOUT, WIDE, Notes
from kibitz.coup.core.state import ACTION, GAME_OVER, NOBODY, CoupState, Rules, rules_of
from kibitz.game import States
from kibitz.game.evaluator import SURE, evaluate
from kibitz.game.nets import NetShelf, NoNetwork
from kibitz.ground.jit import jit

VARIANT = "2-players"
NETS = NetShelf("coup", INPUTS, WIDE, LAYOUT, (VARIANT,), Path(__file__).parents[1] / "nets")
#: An option that a network need not have been trained with.
IRRELEVANT = "max_turns"


def variant_of(states: States) -> str:
    """The name of the network for games that begin like ``states[0]``. Raises `NoNetwork` for more than two players."""
    seats = int(np.asarray(states)["seats"][0])
    if seats != DUEL:
        raise NoNetwork(f"the evaluator of Coup is for 2 players, not for {seats}")
    return VARIANT


def check_served(states: States, book: int) -> None:
    """Raise `NoNetwork` where a book has no network for the rules of ``states[0]``."""
    net = NETS.book(book).get(variant_of(states))
    if net is None:
        raise NoNetwork("there is no network for Coup; train one: kibitz train coup FOLDER --evaluator")
    trained = net.about["rules"]["rules"]
    for name, value in rules_of(states).to_json().items():
        if name != IRRELEVANT and trained[name] != value:
            raise NoNetwork(
                f"the network for Coup is for {name}={trained[name]}, not {value}; train one: kibitz train coup FOLDER"
                f" --evaluator{_unusual(states)}"
            )


def _unusual(states: States) -> str:
    """The rules of ``states[0]`` that are not official, as the command line takes them."""
    rules, official = rules_of(states).to_json(), Rules().to_json()
    chosen = {name: value for name, value in rules.items() if name != IRRELEVANT and value != official[name]}
    return "".join(f" --rule {name}={str(value).lower()}" for name, value in chosen.items())


def phase_of(states: States) -> npt.NDArray[Any]:
    """[state] how far the game is, by the cards that are left."""
    left = np.asarray(states)["influence"][:, :DUEL].astype(int)
    names = np.array(["one against one", "one against two", "two against two"])
    found: npt.NDArray[Any] = names[left.sum(axis=1).clip(2, 4) - 2]
    return found


@jit
def settled(s: CoupState) -> int:
    """1 where a turn begins: nothing is announced, claimed or doubted."""
    return 1 if s.phase == ACTION else 0


@jit
def value(s: CoupState, x: Notes) -> int:
    """Both seats' chances to win; whoever has won is sure of it. 0 where there is no network."""
    if s.seats != DUEL:
        return 0
    if s.phase == GAME_OVER:
        for seat in range(DUEL):
            x.values[seat] = SURE // DUEL if s.winner == NOBODY else SURE if seat == s.winner else 0
        return 1
    inputs(s, x)
    return evaluate(x, DUEL, INPUTS, x.book)
