"""The tree of what may happen now, as one player sees it: a node shows what lies below when it is opened."""

import asyncio
import threading
from dataclasses import dataclass, replace
from typing import Any

from nicegui import ui

from kibitz.coup.advise import holdings as held_in
from kibitz.coup.advise import worlds_of
from kibitz.coup.belief import InfluenceBelief
from kibitz.coup.pages.pieces import OPEN, holdings
from kibitz.coup.words import Words
from kibitz.game import States
from kibitz.ground.texts import chance_text
from kibitz.search.maxn import Lookahead
from kibitz.search.tree import Node, Tree
from kibitz.search.tree_draw import ABOUT
from kibitz.search.tree_words import Form
from kibitz.web.parts import box, button, emptied, hint, patience, seat_mark, text

#: What the kinds of nodes mean.
KINDS = {
    "Deal": "the cards are dealt",
    "PrimaryAction": "an action is announced",
    "Challenge": "anybody may challenge",
    "ChallengeResult": "a card is shown, or lost",
    "Replacement": "a new card for the one shown",
    "RevealedCard": "an influence is lost",
    "CounterActionPlayer": "somebody may block",
    "CounterActionChoice": "blocked with which card?",
    "Exchange": "cards are exchanged",
    "GameEnd": "the game is over",
    "ObserverOut": "the others play on without you",
}
LEGEND = (
    f"At the left: how likely, where cards decide ({ABOUT}: from drawn worlds). At the right: how often you would win if your "
    "cards lay open, so that every bluff is seen through, and everybody takes what is best up to the end of the turn (max^n). "
    "The advice plays with your cards hidden: its figures are higher where a bluff pays, and they are the ones to go by. "
    "★ is what that player would do with all cards open."
)


@dataclass(frozen=True)
class Seen:
    """What is shown of a node."""

    node: Node
    label: str
    odds: str
    """How likely it is, where that is known."""
    what: str
    """What may happen here, and who decides."""
    value: float
    """The observer's chance to win by max^n."""
    best: bool = False


class Branches:
    """A tree with words. Its methods take a moment, and may be called from any thread."""

    def __init__(self, view: States, belief: InfluenceBelief, words: Words) -> None:
        self._lock = threading.Lock()
        self.words = words
        self.tree = Tree(view, words.you, worlds_of(belief))
        self._turn = self.tree.root.turn
        self._looks: dict[int, Lookahead] = {}

    def root(self) -> Seen:
        """Where it begins."""
        with self._lock:
            return self._seen(self.tree.root)

    def below(self, node: Node) -> list[Seen]:
        """The children of a node; what a player who decides would take by max^n is marked."""
        with self._lock:
            found = [self._seen(child) for child in node.children]
            if node.form is not Form.DECISION or not found:
                return found
            (decider,) = node.deciders
            worth = [self._values(one.node)[decider] for one in found]
            best = max(range(len(found)), key=lambda i: (worth[i], -i))
            return [replace(one, best=i == best) for i, one in enumerate(found)]

    def held(self, node: Node) -> dict[int, dict[str, float]]:
        """What the observer believes at a node: of each other player in the game, how likely which card."""
        with self._lock:
            left = node.state.states["influence"][0]
            others = [seat for seat in range(self.tree.seats) if seat != self.tree.observer and left[seat]]
            return {seat: held_in(node.belief, seat) for seat in others} if len(node.belief) else {}

    def _seen(self, node: Node) -> Seen:
        chance = node.probability
        odds = "" if chance is None else f"{ABOUT if node.draws else ''}{chance_text(chance)}"
        return Seen(node, self._label(node), odds, self._what(node), self._values(node)[self.tree.observer])

    def _values(self, node: Node) -> tuple[float, ...]:
        """What a node is worth if everybody looks to the end of the turn in which it was come to; siblings are comparable."""
        turns = (node.parent or node).turn - self._turn + 1
        if turns not in self._looks:
            self._looks[turns] = Lookahead(self.tree.root, turns=turns)
        return self._looks[turns].values(node, 0)

    def _what(self, node: Node) -> str:
        if node.is_end and not node.is_out:
            return "the end"
        kind, who = str(node.kind), " or ".join(map(self.words.name, node.deciders))
        if node.turn > self._turn and kind == "PrimaryAction":
            return f"next turn: {who}"
        return f"{KINDS.get(kind, kind)}{f': {who}' if who else ''}"

    def _label(self, node: Node) -> str:
        if node.parent is None:
            return "Now"
        if node.parent.form is Form.WINDOW and node.seat < 0:
            return "nobody does"
        words = node.text.replace("_cards", "").replace("_", " ").split()
        if words[-1].isdigit():
            words[-1] = self.words.name(int(words[-1]) - 1)
        return " ".join(words)


class TreePanel:
    """The tree in a page. It is made when it is asked for, and put away when the game has gone on."""

    def __init__(self) -> None:
        self._asked: tuple[States, InfluenceBelief, Words] | None = None
        self._box = box("stack coup-tree")
        self.clear()

    def offer(self, view: States, belief: InfluenceBelief, words: Words) -> None:
        """There is a position whose tree may be asked for; the old tree is put away."""
        self._asked = view, belief, words
        with emptied(self._box), box("line"):
            button("Grow the tree", self.grow, "account_tree")
            text("span", "what may happen from here, as you see it", "muted small")

    def clear(self, message: str = "There is nothing to look ahead to now.") -> None:
        """There is none."""
        self._asked = None
        with emptied(self._box):
            hint(message)

    async def grow(self) -> None:
        """Make the tree and open its root."""
        asked = self._asked
        if asked is None:
            return
        with emptied(self._box):
            patience("Building the tree.", compiled=True)
        branches = await asyncio.to_thread(Branches, *asked)
        root = await asyncio.to_thread(branches.root)
        children = await asyncio.to_thread(branches.below, root.node)
        if self._asked is not asked:
            return  # the game has gone on meanwhile
        with emptied(self._box):
            text("div", OPEN, "coup-measure muted small")
            with box("coup-node root"):
                self._line(root, None)
            with box("coup-branch", "ul").props('role=tree aria-label="What may happen"'):
                for child in children:
                    self._branch(branches, child)
            hint(LEGEND)

    def _branch(self, branches: Branches, seen: Seen) -> None:
        with ui.element("li").props("role=treeitem") as item:
            row = box("coup-node")
            below = box("coup-branch", "ul").props("role=group")
            below.set_visibility(False)
            shown = {"open": False, "filled": False}

            async def turn() -> None:
                shown["open"] = not shown["open"]
                item.props(f"aria-expanded={str(shown['open']).lower()}")
                below.set_visibility(shown["open"])
                arrow.classes(add="open" if shown["open"] else "", remove="" if shown["open"] else "open")
                if shown["open"] and not shown["filled"]:
                    shown["filled"] = True
                    await self._fill(branches, below, seen)

            with row:
                arrow = text("button", "▸" if not seen.node.is_end else "•", "coup-arrow").props("type=button")
                arrow.props["aria-label"] = f"What follows: {seen.label}"
                if seen.node.is_end:
                    arrow.props("disabled")
                else:
                    item.props("aria-expanded=false")
                    arrow.on("click", turn)
                self._line(seen, turn if not seen.node.is_end else None)

    async def _fill(self, branches: Branches, below: ui.element, seen: Seen) -> None:
        children = await asyncio.to_thread(branches.below, seen.node)
        held = await asyncio.to_thread(branches.held, seen.node)
        with below:
            if held:
                with ui.element("li").classes("coup-believed").props("role=none"), box("coup-believes", "details"):
                    text("summary", "What you would believe then", "small muted")
                    with box("coup-beliefs"):
                        for seat, holds in held.items():
                            with box("coup-belief"):
                                text("span", branches.words.subject(seat), "small strong")
                                holdings(holds)
            for child in children:
                self._branch(branches, child)

    def _line(self, seen: Seen, turn: Any) -> None:
        with box("coup-node-line") as line:
            if turn is not None:
                line.on("click", turn)
            if seen.odds:
                text("span", seen.odds, "coup-odds num")
            if seen.node.seat >= 0 and seen.node.parent is not None:
                seat_mark(seen.node.seat)
            text("span", seen.label, "strong")
            if seen.best:
                text("span", "★", "coup-star").props('title="what this player would do with all cards open"')
            text("span", seen.what, "muted small coup-kind")
            text("span", chance_text(seen.value), "coup-value num").props(f'title="{OPEN}, by max^n"')
