"""The weights of `kibitz.catan.core.luck`, found in games of four builders by ``python benchmarks/luck.py --fit``.

All are in parts of 1,024. Of the outlook: by the part of the game. Of what chance brings: by how near the end a seat is.
"""

from typing import Any

import numpy as np

from kibitz.ground.jit import table

#: [part, points to go - 1].
OUTLOOK_TO_GO: Any = table(
    [
        [0, 0, 0, 0, 0, 684, 67, -560],
        [0, 0, 1332, 604, 18, -521, -1144, -1832],
        [1919, 536, -263, -1009, -1733, -2574, -3209, -3733],
    ],
    np.int32,
)
#: [part, resource] of each pip.
OUTLOOK_INCOME: Any = table([[39, 42, 15, 38, 52], [51, 49, 36, 51, 56], [36, 29, 28, 36, 36]], np.int32)
#: [part, resource] of having any.
OUTLOOK_KINDS: Any = table([[0, 4, 168, 314, 420], [-41, -20, 152, 105, 281], [-128, 38, 77, 38, 197]], np.int32)
#: [part, turns until its own].
OUTLOOK_NEXT: Any = table([[54, 20, -14, -48], [75, 21, -38, -105], [145, 54, -46, -148]], np.int32)
#: [part] of a development card that is no victory point.
OUTLOOK_CARDS: Any = table([342, 492, 476], np.int32)
#: [part] of a knight that was played.
OUTLOOK_KNIGHTS: Any = table([119, 21, 32], np.int32)
#: [part] of an edge of the longest road.
OUTLOOK_ROAD: Any = table([12, -12, 66], np.int32)
#: [part] of a card in the hand.
OUTLOOK_HAND: Any = table([81, 80, 115], np.int32)
#: [stage, resource, how many are in the hand] of a card that comes.
CARD_WORTH: Any = table(
    [
        [[144, 97, 110, 71], [149, 128, 138, 147], [123, 95, 151, 108], [190, 130, 101, 109], [190, 211, 126, 60]],
        [[148, 125, 95, 90], [170, 87, 102, 76], [111, 87, 78, 47], [155, 101, 86, 75], [117, 118, 105, 78]],
        [[112, 78, 76, 52], [115, 102, 75, 65], [96, 46, 64, 37], [133, 93, 90, 57], [146, 134, 126, 87]],
        [[126, 93, 53, 67], [127, 106, 86, 46], [81, 38, 53, 9], [122, 92, 62, 48], [105, 90, 79, 74]],
        [[106, 72, 49, 47], [117, 61, 71, 40], [100, 30, 43, 25], [119, 92, 60, 35], [112, 120, 87, 38]],
    ],
    np.int32,
)
#: [stage] of a card to be discarded.
DISCARD_WORTH: Any = table([-175, -117, -94, -67, -69], np.int32)
#: [stage] of moving the robber.
ROBBER_WORTH: Any = table([116, 226, 201, 143, 158], np.int32)
#: [stage] of a victory point that is drawn.
POINT_WORTH: Any = table([2269, 448, 418, 341, 328], np.int32)
