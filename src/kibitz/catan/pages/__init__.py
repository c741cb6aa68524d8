"""The pages of Catan."""

from kibitz.web.layout import Link
from kibitz.web.pages import VisitedPage


def pages() -> list[VisitedPage]:
    """Analyse, Track, Play and Review."""
    from kibitz.catan.core.board import Board
    from kibitz.catan.core.svg import draw_board
    from kibitz.catan.pages.analyse.page import AnalysePage
    from kibitz.catan.pages.play.game import CatanKind
    from kibitz.catan.pages.play.start import PlayPage
    from kibitz.catan.pages.review.page import ReviewPage
    from kibitz.catan.pages.thumbnails import thumbnail
    from kibitz.catan.pages.track.live import LivePage, SessionPage
    from kibitz.catan.pages.track.page import TrackPage

    analyse = Link(
        "/analyse",
        "Analyse",
        "insights",
        "Where to settle and what to do next: win rates from thousands of whole games, and why.",
        begin="Analyse a board",
        opens={"analysis": "/analyse?saved=", "record": "/analyse?game="},
        picture=lambda: draw_board(Board.beginner()),
        thumbnail=thumbnail,
    )
    about = "Who holds which cards: exact odds for every hand, from a log or from what you click."
    track = Link("/track", "Track", "style", about, begin="Track a game", opens={"log": "/track?saved="})
    about = "Play Catan against bots, with a kibitzer at your shoulder if you like."
    play = Link("/play", "Play", "extension", about, begin="Play Catan")
    about = "Look back on a game: everybody's chances turn by turn, and the moves that cost most."
    review = Link("/review", "Review", "show_chart", about, opens={"review": "/review?game="})
    return [
        VisitedPage(analyse, AnalysePage),
        VisitedPage(track, TrackPage, below={"/track/live": LivePage, "/track/{id}": SessionPage}),
        VisitedPage(play, PlayPage, CatanKind),
        VisitedPage(review, ReviewPage),
    ]


def warm_up() -> None:
    """Load the rules and what follows games."""
    from kibitz.catan.setup import setup
    from kibitz.catan.tracking import session
    from kibitz.play import series

    session.warm_up()
    series.warm_up(setup(), 2)
