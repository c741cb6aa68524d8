"""The pages of the One Piece card game: a game against a bot, and the loop lab."""

from functools import partial

from kibitz.web.layout import Link
from kibitz.web.pages import Family, Visits


def pages() -> list[Family]:
    """Play and Loop lab, behind one link."""
    from kibitz.onepiece.pages.lab import LabPage
    from kibitz.onepiece.pages.matches import OnePieceKind
    from kibitz.onepiece.pages.play import OnePieceView, StartForm
    from kibitz.web.pages.newgame import GamePage

    about = "Play the card game with starter decks, and see how endless loops are judged and broken."
    link = Link("/onepiece", "One Piece", "sailing", about, begin="Play One Piece")
    loops = "What goes round and round, what the rules say about it, and the way out."
    play = partial(GamePage, kind="onepiece", form=StartForm, table=OnePieceView)
    shown: Visits = {
        "/onepiece": ("Play", "A game with the starter decks against a bot, by the full rules.", play),
        "/onepiece/loops": ("Loop lab", loops, LabPage),
    }
    return [Family(link, OnePieceKind, "op-page", shown)]
