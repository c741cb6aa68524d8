"""The weights of `kibitz.catan.core.luck`, found in games of four builders by ``python benchmarks/luck.py --fit``.

All are in parts of 1,024. Of the outlook: by the part of the game. Of what chance brings: by how near the end a seat is.
"""

from typing import Any

import numpy as np

from kibitz.ground.jit import table

#: [part, points to go - 1].
OUTLOOK_TO_GO: Any = table(
    [
        [0, 0, 0, 0, 0, 606, 78, -560],
        [0, 0, 1281, 540, -51, -577, -1179, -1940],
        [1927, 531, -298, -1046, -1765, -2709, -3789, -5170],
    ],
    np.int32,
)
#: [part, resource] of each pip.
OUTLOOK_INCOME: Any = table([[34, 37, 11, 35, 61], [46, 51, 36, 46, 53], [29, 33, 29, 32, 36]], np.int32)
#: [part, resource] of having any.
OUTLOOK_KINDS: Any = table([[45, 24, 115, 407, 324], [29, 27, 21, 172, 214], [28, 21, 34, 65, 129]], np.int32)
#: [part, turns until its own].
OUTLOOK_NEXT: Any = table([[28, -1, -36, -75], [83, 37, -26, -92], [134, 45, -50, -137]], np.int32)
#: [part] of a development card that is no victory point.
OUTLOOK_CARDS: Any = table([306, 492, 495], np.int32)
#: [part] of a knight that was played.
OUTLOOK_KNIGHTS: Any = table([76, 20, 0], np.int32)
#: [part] of an edge of the longest road.
OUTLOOK_ROAD: Any = table([17, -17, 57], np.int32)
#: [part] of a card in the hand.
OUTLOOK_HAND: Any = table([76, 78, 124], np.int32)
#: [stage, resource, how many are in the hand] of a card that comes.
CARD_WORTH: Any = table(
    [
        [[190, 148, 149, 137], [152, 167, 123, 93], [152, 142, 94, 103], [228, 160, 94, 121], [198, 236, 186, 86]],
        [[147, 123, 120, 107], [168, 119, 104, 117], [138, 64, 85, 72], [160, 120, 103, 78], [125, 128, 130, 80]],
        [[116, 88, 65, 74], [133, 99, 85, 76], [95, 80, 57, 55], [145, 108, 101, 68], [133, 139, 112, 65]],
        [[113, 80, 70, 55], [139, 112, 81, 40], [90, 67, 52, 47], [135, 98, 83, 36], [129, 132, 86, 54]],
        [[115, 64, 65, 49], [131, 93, 58, 67], [102, 46, 45, 45], [133, 107, 68, 43], [126, 136, 117, 65]],
    ],
    np.int32,
)
#: [stage] of a card to be discarded.
DISCARD_WORTH: Any = table([-191, -140, -110, -91, -76], np.int32)
#: [stage] of moving the robber.
ROBBER_WORTH: Any = table([129, 284, 194, 198, 174], np.int32)
#: [stage] of a victory point that is drawn.
POINT_WORTH: Any = table([2480, 608, 584, 404, 373], np.int32)
