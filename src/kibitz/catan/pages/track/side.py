"""Beside the hands: the dice, development cards, the steals that nobody saw, how far to trust the figures, and the ways on."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from nicegui import ui

from kibitz.catan.belief.summary import accuracy
from kibitz.catan.core.events import Cards, Win
from kibitz.catan.core.notation import CARDS
from kibitz.catan.logs import LogError
from kibitz.catan.pages.play.game import REVIEW
from kibitz.catan.pages.review.story import keep, likely_story
from kibitz.catan.tracking.followed import Followed
from kibitz.catan.tracking.session import Moment
from kibitz.ground.texts import chance_text, counted
from kibitz.web.parts import box, button, card, emptied, hint, note, pressable, table, text
from kibitz.web.store import NotSaved

if TYPE_CHECKING:
    from kibitz.catan.pages.track.page import TrackPage
    from kibitz.catan.pages.track.shown import Host


_DEV = dict(zip(CARDS, ("knight", "point", "roads", "plenty", "monopoly"), strict=True))
#: Remarks about a log, at most.
_REMARKS = 12


class Dice:
    """How often each sum was rolled, beside what is to be expected."""

    def __init__(self) -> None:
        with card("Dice"):
            self._html = ui.html("", sanitize=False).props("role=img")
            self._line = text("p", "", "muted small num")

    def show(self, moment: Moment) -> None:
        """Show the rolls so far."""
        rolls: Mapping[str, int] = moment.told["dice"]
        total = sum(rolls.values())
        self._html.set_content(dice_html(rolls))
        self._html.props["aria-label"] = ", ".join(f"{name}: {n} times" for name, n in rolls.items())
        self._html.update()
        rolled = f"{counted(total, 'roll')}; the marks show what to expect."
        self._line.set_text(rolled if total else "Nothing has been rolled yet.")


def dice_html(rolls: Mapping[str, int]) -> str:
    """Bars with the expected numbers as marks: plain numbers only."""
    total = sum(rolls.values())
    expected = {name: total * (6 - abs(7 - int(name))) / 36 for name in rolls}
    top = max(1.0, *rolls.values(), *expected.values())
    columns = "".join(
        f'<div class="tk-die{" seven" if name == "7" else ""}" title="{name}: {n} times, {expected[name]:.1f} expected">'
        f'<span>{n or ""}</span><div><i style="height:{100 * n / top:.1f}%"></i>'
        f'<b style="bottom:{100 * expected[name] / top:.1f}%"></b></div><em>{name}</em></div>'
        for name, n in rolls.items()
    )
    return f'<div class="tk-dice">{columns}</div>'


class DevCards:
    """What the hidden development cards can be."""

    def __init__(self, page: Host) -> None:
        self._page = page
        self._shown: Any = None
        with card("Hidden development cards", "tk-dev") as self._card:
            hint("The chance of holding at least one; what wins now counts hidden points.")
            self._list = box("")

    def show(self, moment: Moment) -> None:
        """Show a row for whoever holds some."""
        players = moment.told["players"]
        facts = [(seat, p["dev_card_count"], p["dev_cards"], p["wins_now"]) for seat, p in enumerate(players)]
        rows = [fact for fact in facts if fact[1]]
        names = self._page.followed.players
        self._card.set_visibility(bool(rows))
        if (rows, names) == self._shown:
            return
        self._shown = rows, names
        self._list.clear()
        headings = ("Player", "held", *_DEV.values(), "wins now")
        with self._list, table(headings, headings[1:], "dense"):
            for seat, held, cards, wins in rows:
                with ui.element("tr"):
                    with ui.element("td"), box("line nowrap tight"):
                        text("span", str(seat + 1), f"seat seat-{seat}").props["title"] = names[seat]
                        text("span", names[seat], "tk-player")
                    text("td", str(held), "r")
                    for name in _DEV:
                        _chance(1 - cards[name]["distribution"].get("0", 0.0))
                    _chance(wins)


def _chance(chance: float) -> None:
    text("td", "-" if chance < 1e-12 else "sure" if chance > 1 - 1e-9 else chance_text(chance), "r")


class Steals:
    """The cards that changed hands unseen, with their odds; a click says which one it was."""

    def __init__(self, page: Host) -> None:
        self._page = page
        self._shown: Any = None
        with card("Steals you didn't see") as self._card:
            hint("Do you know which card it was? Click it, and all odds follow; click again to take that back.")
            self._list = box("tk-steals")
            with box("", "details") as self._settled:
                self._summary = text("summary", "", "small")
                self._known = box("stack small")

    def show(self, moment: Moment) -> None:
        """Show the steals of a moment."""
        steals, game = moment.told["steals"], self._page.followed
        self._card.set_visibility(bool(steals))
        state = steals, dict(game.answers), moment.misfits, game.players
        if state == self._shown:
            return
        self._shown = state
        waiting = [s for s in steals if s["resolved"] is None or s["by_hand"]]
        settled = [s for s in steals if s not in waiting]
        with emptied(self._list):
            for steal in reversed(waiting):
                self._row(steal, steal["event"] in moment.misfits)
            if not waiting:
                text("p", "None right now.", "muted")
        self._settled.set_visibility(bool(settled))
        self._summary.set_text(f"{len(settled)} settled by the log")
        with emptied(self._known):
            for steal in settled:
                self._said(steal)

    def _row(self, steal: Mapping[str, Any], misfit: bool) -> None:
        names = self._page.followed.players
        with box("tk-steal"):
            with box("tk-theft"):
                text("span", f"{names[steal['thief']]} robbed {names[steal['victim']]}", "strong")
                self._jump(steal["event"], f", turn {steal['turn']}")
            with box("tk-odds").props("role=group aria-label='Which card was it?'"):
                for resource in Cards._fields:
                    self._odds(steal, resource)
            if misfit:
                note("What you said about this steal doesn't fit this moment.", "warn")

    def _odds(self, steal: Mapping[str, Any], resource: str) -> None:
        chance = steal["odds"].get(resource, 0.0)
        chosen = steal["by_hand"] and steal["resolved"] == resource

        async def choose() -> None:
            await self._page.resolve(steal["id"], None if chosen else resource)

        with box(f"tk-odd r-{resource}", "button").props(f"type=button aria-pressed={str(chosen).lower()}") as made:
            text("span", resource)
            text("b", "you said so" if chosen else chance_text(chance) if chance else "-")
            ui.element("i").style(f"width:{100 * chance:.0f}%")
        if not chance:
            made.props("disabled")
        made.on("click", choose)

    def _said(self, steal: Mapping[str, Any]) -> None:
        names = self._page.followed.players
        with box("line tight"):
            text("span", f"{names[steal['thief']]} took {steal['resolved']} from {names[steal['victim']]}")
            self._jump(steal["event"])
            if steal["resolved_by"] is not None and steal["resolved_by"] != steal["event"]:
                text("span", "proved by", "muted")
                self._jump(steal["resolved_by"])

    def _jump(self, event: int, more: str = "") -> None:
        pressable(f"event {event + 1}{more}", lambda: self._page.go(event + 1), "tk-jump num")


class Trust:
    """Whether the figures are exact; if not, why."""

    def __init__(self, page: TrackPage) -> None:
        self._page = page
        self._shown: Any = None
        self._box = box("stack")

    def show(self, moment: Moment) -> None:
        """Show what is wrong so far."""
        game, told = self._page.followed, moment.told
        state = told["repairs"], told["error_bound"], game.gaps, game.unread, id(game)
        if state == self._shown:
            return
        self._shown = state
        self._box.clear()
        if not (told["approximate"] or game.gaps):
            return
        with self._box, box("note warn tk-trust").props("role=status"):
            text("div", "The figures are approximate.", "strong")
            if game.unread:
                text("div", f"The last {game.unread:,} events were left out: this log has too many possibilities.")
            for repair in told["repairs"][-_REMARKS:]:
                self._repair(repair)
            if told["error_bound"]:
                text("div", accuracy(told["error_bound"]))
            self._problems()

    def _repair(self, repair: Mapping[str, Any]) -> None:
        number, cards = repair["event"] + 1, repair["cards"]
        how = "what it proves was ignored" if cards is None else f"repaired with {counted(cards, 'unknown card')}"
        with box("tk-repair"):
            pressable(f"Event {number}", lambda: self._page.go(number), "tk-jump num")
            reason = repair["reason"].partition(" is impossible: ")[2] or repair["reason"]
            text("span", f"contradicts the log before it: {reason} ({how}).")

    def _problems(self) -> None:
        found = self._page.followed.imported
        if found.missing:
            text("div", f"{found.missing[0].upper()}{found.missing[1:]}.")
        if found.problems:
            with box("", "details"):
                lines = sum(problem.count for problem in found.problems)
                text("summary", f"{counted(lines, 'line')} of the log could not be read")
                for problem in found.problems[:_REMARKS]:
                    text("div", str(problem), "small tk-problem")
                if len(found.problems) > _REMARKS:
                    text("div", f"and {len(found.problems) - _REMARKS:,} more", "small")


class Ways:
    """The buttons that lead on."""

    def __init__(self, page: TrackPage) -> None:
        self._page = page
        with box("line tight"):
            self._review = button("Review", self._to_review, "show_chart", "quiet")
            self._review.props["title"] = "Everybody's chances, and the moves that cost most"
            self._play = button("Play on from here", self._to_play, "extension", "quiet")
            self._play.props["title"] = "The same position against bots, with other dice"
            self._analyse = button("Analyse the board", self._to_analyse, "insights", "quiet")

    def open(self, game: Followed) -> None:
        """Offer what another game allows: only one that is told whole can be reviewed."""
        told = game.imported.everything is not None or (game.observer is not None and not game.imported.incomplete)
        over = any(isinstance(event, Win) for event in game.imported.log.events)  # a review is advice while a game runs
        whole = game.imported.board is not None and told and over
        self._review.set_visibility(whole)
        self._play.set_visibility(whole)
        self._analyse.set_visibility(game.board is not None)

    async def _to_review(self) -> None:
        """Look back on the same game, from the turn that is shown."""
        game, moment, store = self._page.followed, self._page.moment, self._page.services.store
        turn = moment.told["turn"] if moment else 0

        def kept() -> tuple[str, int]:
            story = likely_story(game.imported)
            return keep(store, story), story.beginning_of(turn)

        self._review.disable()
        try:
            id, step = await asyncio.to_thread(kept)
            ui.navigate.to(f"{REVIEW}{id}&step={step}")
        except (LogError, NotSaved) as error:
            self._page.say(f"this cannot be reviewed: {error}")
        finally:
            self._review.enable()

    async def _to_play(self) -> None:
        """Play on against bots, from the beginning of the turn that is shown."""
        game, moment = self._page.followed, self._page.moment
        turn = moment.told["turn"] if moment else 0

        def position() -> dict[str, str]:
            story = likely_story(game.imported)
            step = story.beginning_of(turn)
            return story.question(min(step, story.steps - 1)).to_query()

        try:
            ui.navigate.to(f"/play?{urlencode(await asyncio.to_thread(position))}")
        except LogError as error:
            self._page.say(f"this cannot be played on: {error}")

    def _to_analyse(self) -> None:
        game = self._page.followed
        if game.board is not None:
            ui.navigate.to(f"/analyse?{urlencode({'board': game.board.to_text(), 'seats': len(game.players)})}")
