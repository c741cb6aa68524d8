"""Networks as people handle them: weights in files, and the shelf of a game from which compiled code reads them.

A file is one line of JSON, which says what the network is for, and then its weights as 16-bit integers. A file that is damaged,
belongs to another game or was made for other inputs is refused.

A game asks different networks under different rules (for two players, with offers ...): its *variants*. Book 0 of its shelf
holds those that come with Kibitz; further books hold what somebody trains, or names on the command line.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.game.definition import States
from kibitz.game.evaluator import (
    FIRST,
    FIRST_BIAS,
    HEAVY_THIRD,
    MIDDLE,
    NARROW,
    NETWORK,
    ONE,
    OTHER,
    OTHER_BIAS,
    heavy,
    network_size,
    width_of,
)  # fmt: skip
from kibitz.game.files import check_target, replacing
from kibitz.game.layers import paired, unpaired
from kibitz.ground.memory import keep
from kibitz.ground.texts import Mistake

#: The kind and the version of a file, and how its name ends.
FORMAT, VERSION, SUFFIX = "kibitz network", 2, ".net"
#: The most that a file may hold.
LARGEST = 1 << 20
#: How many books a shelf has room for, the one that comes with Kibitz included.
BOOKS = 16
#: Activations are cut off: half of the least one, added before, rounds them.
ROUNDED = 0.5 / ONE
WORD = np.dtype("<i2")


class InvalidNetwork(Mistake):
    """A file that holds no network of this game; the message is one line for people."""


class NoNetwork(Mistake):
    """There is no network for the rules of a game; the message is one line for people."""


@dataclass(frozen=True)
class FloatLayers:
    """A network as it is trained: a matrix and biases of each layer.

    ``first [inputs, wide]``, ``second [3 * wide, MIDDLE]``, ``third [MIDDLE, NARROW]``, ``last [NARROW]``.
    """

    first: npt.NDArray[np.float64]
    first_bias: npt.NDArray[np.float64]
    second: npt.NDArray[np.float64]
    second_bias: npt.NDArray[np.float64]
    third: npt.NDArray[np.float64]
    third_bias: npt.NDArray[np.float64]
    last: npt.NDArray[np.float64]
    last_bias: npt.NDArray[np.float64]

    def quantised(self) -> npt.NDArray[np.int16]:
        """The weights as integers, in the order in which `kibitz.game.evaluator` reads them."""
        most = heavy(len(self.first_bias))
        parts = (
            paired(_whole(self.first, FIRST)),
            _whole(self.first_bias + ROUNDED, FIRST - FIRST_BIAS),
            paired(_whole(self.second, OTHER).clip(-most, most)),
            _whole(self.second_bias + ROUNDED, OTHER + 8 - OTHER_BIAS),
            paired(_whole(self.third, OTHER).clip(-HEAVY_THIRD, HEAVY_THIRD)),
            _whole(self.third_bias + ROUNDED, OTHER + 8 - OTHER_BIAS),
            _whole(self.last, OTHER),
            _whole(self.last_bias, OTHER + 8 - OTHER_BIAS),
        )
        return np.concatenate([[NETWORK], *parts]).astype(np.int16)

    @classmethod
    def of(cls, weights: npt.NDArray[np.int16], inputs: int) -> FloatLayers:
        """The layers that integers stand for.

        >>> weights = np.full(network_size(2, 64), 7, np.int16)
        >>> FloatLayers.of(weights, 2).quantised().tolist()[1:] == weights.tolist()[1:]
        True
        """
        at, wide = 1, width_of(len(weights), inputs)
        if wide == 0:
            raise ValueError(f"{len(weights)} numbers make no network for {inputs} inputs")
        parts: list[npt.NDArray[np.float64]] = []
        for rows, width in ((inputs, wide), (3 * wide, MIDDLE), (MIDDLE, NARROW)):
            fraction, of_biases = (FIRST, FIRST - FIRST_BIAS) if at == 1 else (OTHER, OTHER + 8 - OTHER_BIAS)
            parts.append(unpaired(weights[at : at + rows * width], width) / (1 << fraction))
            parts.append(weights[at + rows * width :][:width] / (1 << of_biases) - ROUNDED)
            at += (rows + 1) * width
        parts.append(weights[at : at + NARROW] / (1 << OTHER))
        parts.append(weights[at + NARROW :] / (1 << (OTHER + 8 - OTHER_BIAS)))
        return cls(*parts)


def _whole(numbers: npt.NDArray[np.float64], bits: int) -> npt.NDArray[np.float64]:
    """The nearest whole multiples of a power of two, within 16 bits."""
    return np.round(np.asarray(numbers, np.float64) * (1 << bits)).clip(-(1 << 15), (1 << 15) - 1)


@dataclass(frozen=True, eq=False)
class Network:
    """The weights of a network, and what it is for."""

    game: str
    inputs: int
    """Numbers that the game gives for each seat."""
    layout: str
    """A short hash of what these numbers mean."""
    variant: str
    """For which rules: one of the game's names for that."""
    weights: npt.NDArray[np.int16]
    about: Mapping[str, Any] = field(default_factory=dict)
    """How it was made."""

    @property
    def wide(self) -> int:
        """How many hidden numbers each seat has."""
        return width_of(len(self.weights), self.inputs)

    @cached_property
    def checksum(self) -> str:
        """A short hash of the weights and of what they are for."""
        purpose = f"{self.game}\0{self.variant}\0{self.layout}\0".encode()
        return hashlib.blake2b(purpose + self.weights.astype(WORD).tobytes(), digest_size=8).hexdigest()

    def save(self, path: Path) -> None:
        """Write it to a file, which appears only when it is complete."""
        head = {
            "format": FORMAT, "version": VERSION, "game": self.game, "variant": self.variant, "inputs": self.inputs,
            "layout": self.layout, "checksum": self.checksum, "about": dict(self.about),
        }  # fmt: skip
        check_target(path)
        with replacing(path) as partial:
            partial.write_bytes(json.dumps(head).encode() + b"\n" + self.weights.astype(WORD).tobytes())

    @classmethod
    def load(cls, path: Path) -> Network:
        """Read a file. Raises `InvalidNetwork` for what is none, or is damaged."""
        try:
            with path.open("rb") as file:
                data = file.read(LARGEST + 1)
        except OSError as error:
            raise InvalidNetwork(f"{path}: {error.strerror}") from None
        line, _, rest = data.partition(b"\n")
        try:
            head = json.loads(line)
            if head["format"] != FORMAT or len(data) > LARGEST:
                raise ValueError
            if head["version"] != VERSION:
                raise InvalidNetwork(f"{path}: a network of version {head['version']}; this Kibitz reads version {VERSION}")
            if type(head["inputs"]) is not int or head["inputs"] < 1:
                raise ValueError
            net = cls(head["game"], head["inputs"], head["layout"], head["variant"], _words(rest), head["about"])
            wide = net.wide
        except InvalidNetwork:
            raise
        except (ValueError, KeyError, TypeError):
            raise InvalidNetwork(f"{path}: not a network of Kibitz") from None
        if wide == 0 or net.checksum != head["checksum"]:
            raise InvalidNetwork(f"{path}: damaged (its checksum is not {head['checksum']})")
        return net


def widened(weights: npt.NDArray[np.int16], inputs: int, wide: int) -> npt.NDArray[np.int16]:
    """A network that is padded with zeros to fit the place of a wider one; it says the same.

    >>> narrow = np.arange(network_size(2, 16)).astype(np.int16)
    >>> FloatLayers.of(widened(narrow, 2, 32), 2).first.shape
    (2, 32)
    """
    own = width_of(len(weights), inputs)
    first, first_bias = np.split(weights[1:][: (inputs + 1) * own], [inputs * own])
    behind = 1 + (inputs + 1) * own
    second, rest = np.split(weights[behind:], [3 * own * MIDDLE])
    to_right = ((0, 0), (0, wide - own))
    rows = unpaired(second, MIDDLE).reshape(3, own, MIDDLE)
    return np.concatenate([
        weights[:1],
        paired(np.pad(unpaired(first, own), to_right)),
        np.pad(first_bias, to_right[1]),
        paired(np.pad(rows, (to_right[0], to_right[1], to_right[0])).reshape(3 * wide, MIDDLE)),
        rest,
    ])  # fmt: skip


def _words(data: bytes) -> npt.NDArray[np.int16]:
    return np.frombuffer(data, WORD).astype(np.int16)


@dataclass(frozen=True)
class School:
    """What a game tells whoever trains its networks."""

    teacher: int
    """The policy from whose games the first generation learns."""
    player: int
    """The policy that asks the networks of book 0; the numbers after it ask those of the other books."""
    styles: tuple[int, ...]
    """Policies of other styles, for variety."""
    variant: Callable[[States], str]
    """Which network judges a game that begins so."""
    check_served: Callable[[States, int], None]
    """Raises `NoNetwork` with the reason where a book has no network for the rules of such a game."""
    phase: Callable[[States], npt.NDArray[Any]]
    """[state] in which part of the game it is, in words."""
    switch: int = 160
    """Games to learn from begin with mistakes among the moves; after each move this part may be over, once in so many."""
    share: float = 0.6
    """How much of a position's worth comes from beyond the next one, after the first pass (lambda); 1: from the end alone."""
    later_share: float | None = None
    """The same for a network that goes on learning, from games that are played differently from those it knows; `share` where
    nothing is said."""
    practice: int | None = None
    """A policy that thinks less than `player` and plays the games to learn from in its place; the numbers after it ask the
    networks of the other books."""

    def book_of(self, policy: int) -> int | None:
        """The book that a policy asks, if it asks one."""
        firsts = [first for first in (self.player, self.practice) if first is not None]
        return next((policy - first for first in firsts if first <= policy < first + BOOKS), None)

    def practising(self, policy: int) -> int:
        """Who plays in place of a policy where games are played to learn from them."""
        book = self.book_of(policy)
        return policy if self.practice is None or book is None else self.practice + book

    def check_policy(self, policy: int, states: States) -> None:
        """Raise `NoNetwork` where a policy asks a network that there is not for the rules of ``states[0]``."""
        book = self.book_of(policy)
        if book is not None:
            self.check_served(states, book)


class NetShelf:
    """The networks of a game, where compiled code finds them: book by book, in each book one place for each variant.

    A place is for a network of the width of this shelf; narrower ones fit, too.
    """

    def __init__(self, game: str, inputs: int, wide: int, layout: str, variants: Sequence[str], folder: Path) -> None:
        self.game, self.inputs, self.wide, self.layout = game, inputs, wide, layout
        self.variants, self.folder = tuple(variants), folder
        self._books: list[dict[str, Network]] = [{}]

    @cached_property
    def numbers(self) -> npt.NDArray[np.int16]:
        """[books, variants, numbers of a network] the weights; zeros where there is no network."""
        numbers = np.zeros((BOOKS, len(self.variants), network_size(self.inputs, self.wide)), np.int16)
        for variant in self.variants:
            path = self.folder / f"{variant}{SUFFIX}"
            if path.exists():
                self._put(numbers, 0, self.read(path))
        return numbers

    @cached_property
    def address(self) -> int:
        """Where they lie."""
        return keep(self.numbers.reshape(-1))

    def read(self, path: Path) -> Network:
        """A network for this game from a file; others are refused."""
        net = Network.load(path)
        if net.game != self.game:
            raise InvalidNetwork(f"{path}: a network for {net.game}, not for {self.game}")
        if net.layout != self.layout or net.inputs != self.inputs:
            raise InvalidNetwork(f"{path}: made for other inputs than this Kibitz has; train it again")
        if net.wide > self.wide:
            raise InvalidNetwork(f"{path}: {net.wide} numbers wide, and this Kibitz reads at most {self.wide}; train it again")
        if net.variant not in self.variants:
            raise InvalidNetwork(f"{path}: made for {net.variant!r}, which is none of {', '.join(self.variants)}")
        return net

    def add(self, nets: Sequence[Network]) -> int:
        """Put networks into a book of their own; its number. The same networks get the same book."""
        wanted = {net.variant: net.checksum for net in nets}
        for book, held in enumerate(self._books):
            if book and {variant: net.checksum for variant, net in held.items()} == wanted:
                return book
        if len(self._books) == BOOKS:
            raise NoNetwork(f"no room for more than {BOOKS - 1} networks at once")
        self._books.append({})
        for net in nets:
            self._put(self.numbers, len(self._books) - 1, net)
        return len(self._books) - 1

    def replace(self, book: int, net: Network) -> None:
        """Put another network into a book."""
        self._put(self.numbers, book, net)

    def _put(self, numbers: npt.NDArray[np.int16], book: int, net: Network) -> None:
        numbers[book, self.variants.index(net.variant)] = widened(net.weights, self.inputs, self.wide)
        self._books[book][net.variant] = net

    def has(self, variant: str, book: int = 0) -> bool:
        """Whether a book has a network for a variant."""
        return bool(self.numbers[book, self.variants.index(variant), 0] == NETWORK)

    def book(self, number: int) -> Mapping[str, Network]:
        """The networks of a book by variant; none of a book that nobody has filled."""
        self.numbers  # noqa: B018  (loads those that come with Kibitz)
        return self._books[number] if number < len(self._books) else {}
