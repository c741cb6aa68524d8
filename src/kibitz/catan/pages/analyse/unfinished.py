"""An analysis that ended early, with the server that worked on it: what it had by then."""

from nicegui import ui

from kibitz.catan.analysis.report import rate
from kibitz.catan.core.actions import Action
from kibitz.catan.core.places import corner_words
from kibitz.catan.pages.diary import Unfinished
from kibitz.catan.review.words import move_words
from kibitz.ground.signs import minus
from kibitz.ground.texts import capitalised, counted
from kibitz.web.parts import card, hint, note, table, text


def show_unfinished(found: Unfinished) -> None:
    """How the candidates stood, the best first."""
    with card("How it stood", "an-ranking"):
        note(found.told, "warn")
        if not found.standings:
            return
        by_rate = any(one.win_rate.games for one in found.standings)
        measure = "Win rate" if by_rate else "Score"
        with table(("", "Candidate", measure), right=(measure,)):
            ranked = sorted(
                found.standings, key=lambda one: (one.racing, one.win_rate.rate if by_rate else one.value), reverse=True
            )
            for number, one in enumerate(ranked, start=1):
                with ui.element("tr").classes("" if one.racing else "retired"):
                    text("td", str(number), "r muted")
                    text("td", _named(found, one.name), "strong")
                    with ui.element("td").classes("r"):
                        if by_rate:
                            text("div", rate(one.win_rate.rate, *one.win_rate.interval), "strong")
                            text("div", counted(one.win_rate.games, "game"), "muted small")
                        else:
                            text("div", minus(one.value, 2), "strong")
        hint("Press Analyse to ask the same again.")


def _named(found: Unfinished, name: str) -> str:
    """A candidate in words: a corner by what lies around it, or a move."""
    board = found.question.board
    if name.startswith("V"):
        return capitalised(corner_words(board, int(name[1:].partition("-")[0])))
    names = [f"player {seat + 1}" for seat in range(found.question.seats)]
    return capitalised(move_words(Action.from_text(name).to_text(), board, names))
