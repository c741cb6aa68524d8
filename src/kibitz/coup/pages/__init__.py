"""The pages of Coup: a game against bots, advice about a situation, solved endgames."""

from functools import partial

from kibitz.web.layout import Link
from kibitz.web.pages import Family, Visits


def pages() -> list[Family]:
    """Play, Advice and Endgames, behind one link."""
    from kibitz.coup.pages.ask import AskPage
    from kibitz.coup.pages.endgames import EndgamePage
    from kibitz.coup.pages.matches import CoupKind
    from kibitz.coup.pages.play import CoupView, StartForm
    from kibitz.web.pages.newgame import GamePage

    about = "Bluff against bots, see who may hold what, and how endgames are played exactly."
    link = Link("/coup", "Coup", "theater_comedy", about, begin="Play Coup")
    asked = "Describe a situation in words or by clicks, and ask what to do."
    solved = "The last two players, solved exactly: what to do with which probability."
    play = partial(GamePage, kind="coup", form=StartForm, table=CoupView)
    shown: Visits = {
        "/coup": ("Play", "Play against bots, with a kibitzer at your shoulder.", play),
        "/coup/advise": ("Advice", asked, AskPage),
        "/coup/endgames": ("Endgames", solved, EndgamePage),
    }
    return [Family(link, CoupKind, "coup-page", shown)]
