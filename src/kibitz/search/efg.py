r"""Trees for other programs: the format of Gambit (``.efg``), which OpenSpiel reads, too.

>>> from kibitz.examples import kuhn
>>> from kibitz.search.flat import flatten
>>> print(*list(efg_lines(flatten(kuhn.GAME.new(2, 0)), "Kuhn poker", kuhn.GAME.describe))[:4], sep="\n")
EFG 2 R "Kuhn poker" { "player 1" "player 2" } ""
<BLANKLINE>
c "" 1 "" { "deal jack" 1/3 "deal queen" 1/3 "deal king" 1/3 } 0
c "" 2 "" { "deal queen" 1/2 "deal king" 1/2 } 0
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import numpy as np

from kibitz.game import CHANCE, OVER
from kibitz.search.flat import Flat

#: Probabilities of chance are written as fractions where these have denominators up to this.
MAX_DENOMINATOR = 1_000_000


def efg_lines(flat: Flat, title: str = "", describe: Callable[[int], str] = str, unit: float = 1.0) -> Iterator[str]:
    """The lines of an ``.efg`` file, one node each, depth first; payoffs are counted in `unit`.

    `describe` names the actions. The information sets of each player are numbered from 1 in the order of the tree.
    """
    numbers = np.zeros(len(flat.set_seat), np.int64)
    for seat in range(2):
        own = flat.set_seat == seat
        numbers[own] = np.arange(1, np.count_nonzero(own) + 1)
    yield f'EFG 2 R {_quoted(title)} {{ "player 1" "player 2" }} ""'
    yield ""
    waiting = [0]
    while waiting:
        node = waiting.pop()
        children = range(flat.first[node], flat.first[node] + flat.children[node])
        names = [_quoted(describe(int(flat.action[child]))) for child in children]
        actor = flat.actor[node]
        if actor == OVER:
            won = float(flat.value[node]) / unit
            yield f't "" {node + 1} "" {{ {won!r} {-won!r} }}'
        elif actor == CHANCE:
            odds = _odds([float(flat.probability[child]) for child in children])
            yield f'c "" {node + 1} "" {{ {" ".join(f"{name} {p}" for name, p in zip(names, odds, strict=True))} }} 0'
        else:
            yield f'p "" {actor + 1} {numbers[flat.infoset[node]]} "" {{ {" ".join(names)} }} 0'
        waiting.extend(reversed(children))


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _odds(probabilities: Sequence[float]) -> list[str]:
    """The same as fractions if these sum to 1, as Gambit wants it."""
    fractions = [Fraction(p).limit_denominator(MAX_DENOMINATOR) for p in probabilities]
    close = all(abs(f - Fraction(p)) < 1e-12 for f, p in zip(fractions, probabilities, strict=True))
    return [str(f) for f in fractions] if close and sum(fractions) == 1 else [repr(p) for p in probabilities]
