"""Check that a game keeps its promises; for authors of games, without a test framework.

    from kibitz.testing import check_game
    check_game(GAME, seats=3, seeds=range(20))

`check_game` plays games and asks before every step for all that Kibitz relies on; `check_twin` compares compiled rules with
their uncompiled twins. The first broken promise raises `BrokenPromise`, whose message names the game, the seed, the step, the
seat, the action and the promise.
"""

from kibitz.testing.games import check_game, check_twin
from kibitz.testing.promises import BrokenPromise, CheckedPosition

__all__ = ["BrokenPromise", "CheckedPosition", "check_game", "check_twin"]
