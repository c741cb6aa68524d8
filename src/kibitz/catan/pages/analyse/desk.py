"""What lies on the desk of the Analyse page: a board being edited, pieces, a game perhaps, and what is asked about it.

No page in here: clicks come in as element ids, and what they did can be asked.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kibitz.catan.analysis import AnalysisConfig, AnalysisMode, InvalidPosition
from kibitz.catan.analysis.draft import Draft
from kibitz.catan.analysis.question import InvalidQuestion, Question
from kibitz.catan.analysis.types import SETTINGS
from kibitz.catan.core.board import Board, InvalidBoard, PortType, Resource
from kibitz.catan.core.sketch import Flaw, Sketch
from kibitz.catan.core.state import Rules
from kibitz.catan.core.svg import draw_board, draw_state
from kibitz.catan.core.topology import HALF, HEXES
from kibitz.ground.rng import fresh_seed

_FLAW = "#B3261E"


@dataclass(frozen=True)
class Tool:
    """What a click on the board does: ``place`` pieces of a seat, ``swap`` two hexes, or set a terrain, number or harbour."""

    kind: str = "place"
    value: Any = None


@dataclass
class Desk:
    """The state of one visitor's page."""

    sketch: Sketch = field(default_factory=lambda: Sketch.of(Board.beginner()))
    draft: Draft = field(default_factory=lambda: Draft(4))
    game: tuple[int, ...] = ()
    """The moves of a loaded game; the draft is left aside then."""
    step: int = 0
    """Which of them have been made."""
    rules: Rules = field(default_factory=Rules)
    seat: int | None = None
    mode: AnalysisMode = AnalysisMode.FULL_GAME
    config: AnalysisConfig = field(default_factory=AnalysisConfig)
    time: float | None = None
    tool: Tool = field(default_factory=Tool)
    held: int | None = None
    """The hex that waits for another to be swapped with."""
    name: str = "Beginner board"

    def new_board(self, board: Board | Sketch, name: str) -> None:
        """Another board, without pieces."""
        self.sketch = Sketch.of(board) if isinstance(board, Board) else board
        self.draft, self.game, self.step = Draft(self.draft.seats), (), 0
        self.name, self.held = name, None

    def random_board(self, seed: int | None = None) -> None:
        """A random board."""
        seed = fresh_seed() if seed is None else seed
        self.new_board(Board.random(seed), f"Board {seed}")

    def take(self, question: Question, name: str = "Board from a link") -> None:
        """Everything from a question."""
        self.new_board(question.board, name)
        self.rules, self.seat, self.mode = question.rules, question.seat, question.mode
        self.config, self.time = question.config, question.time
        self.draft = Draft.of(question.moves, question.seats)
        if self.draft.codes() != question.moves:
            self.game, self.step = question.moves, len(question.moves)

    def take_game(self, question: Question, name: str) -> None:
        """A loaded game, at its end, or before it if it is over."""
        self.take(question, name)
        self.game, self.step = question.moves, len(question.moves)
        self.seat = None

    @property
    def seats(self) -> int:
        """How many play."""
        return self.draft.seats

    def set_seats(self, seats: int) -> None:
        """Another number of players: what stands no longer fits."""
        if seats != self.seats:
            self.draft, self.game, self.step = Draft(seats), (), 0
            self.seat = None if self.seat is None or self.seat >= seats else self.seat

    def go(self, step: int) -> None:
        """Another moment of the loaded game; whoever is to move then asks."""
        self.step, self.seat = min(max(0, step), len(self.game)), None

    @property
    def flaws(self) -> list[Flaw]:
        """What is wrong with the board."""
        return self.sketch.flaws()

    @property
    def moves(self) -> tuple[int, ...]:
        """What has been played. Raises `InvalidPosition` where the pieces make no draft."""
        return self.game[: self.step] if self.game else self.draft.codes()

    def question(self) -> Question:
        """What is asked. Raises `InvalidBoard`, `InvalidPosition` or `InvalidQuestion`."""
        config = self.config if "guard" in SETTINGS[self.mode] else replace(self.config, guard=None)
        return Question(self.sketch.board(), self.seats, self.rules, self.moves, self.seat, self.mode, config, self.time)

    def trouble(self) -> str:
        """Why nothing can be asked now; nothing if all is well."""
        try:
            self.question()
        except (InvalidPosition, InvalidQuestion, InvalidBoard) as error:
            return str(error)
        return ""

    def query(self) -> dict[str, str]:
        """The parameters of a link; of a board with flaws, at least the board."""
        try:
            return self.question().to_query()
        except (InvalidPosition, InvalidQuestion, InvalidBoard):
            return {"board": self.sketch.to_text(), "seats": str(self.seats)}

    def read_query(self, query: Mapping[str, str]) -> None:
        """Take up what a link says. Raises what is wrong with it; a board with flaws is there to be mended."""
        try:
            question = Question.from_query(query)
        except InvalidBoard:
            self.new_board(Sketch.from_text(query.get("board", "")), "Board from a link")
            return
        question.states()  # an illegal move is refused before anything is taken up
        self.take(question)

    @property
    def placing(self) -> int:
        """The seat whose pieces are placed."""
        return self.draft.next_seat() if self.tool.value is None else int(self.tool.value)

    def legal(self) -> list[str]:
        """The elements that the tool can be used on."""
        if self.tool.kind == "harbour":
            return [f"harbour-{k}" for k in range(len(self.sketch.harbours))]
        if self.tool.kind != "place":
            return [f"hex-{h}" for h in range(HEXES)]
        if self.game or self.flaws:
            return []
        standing = [f"corner-{pick.corner}" for pick in self.draft.picks]
        roads = [f"edge-{pick.edge}" for pick in self.draft.picks if pick.edge is not None]
        corners = [f"corner-{corner}" for corner in self.draft.open_corners(self.placing)]
        return [*corners, *(f"edge-{edge}" for edge in self.draft.free_edges()), *standing, *roads]

    def click(self, element: str) -> None:
        """Use the tool on an element; what it cannot be used on is left as it is."""
        kind, _, digits = element.partition("-")
        if element not in self.legal() or not digits.isdigit():
            return
        number = int(digits)
        if self.tool.kind == "place":
            self._place(kind, number)
            return
        self.game, self.step = (), 0
        if self.tool.kind == "swap":
            self.sketch = self.sketch if self.held is None else self.sketch.swapped(self.held, number)
            self.held = number if self.held is None else None
        elif self.tool.kind == "terrain":
            self.sketch = self.sketch.with_resource(number, None if self.tool.value == "desert" else Resource(self.tool.value))
        elif self.tool.kind == "number":
            self.sketch = self.sketch.with_number(number, self.tool.value)
        elif self.tool.kind == "harbour":
            self.sketch = self.sketch.with_harbour(number, PortType(self.tool.value))
        self.name = "Your board"

    def _place(self, kind: str, number: int) -> None:
        """A settlement or a road, or take away what stands there."""
        if kind == "corner":
            standing = any(pick.corner == number for pick in self.draft.picks)
            self.draft = self.draft.without(number) if standing else self.draft.settle(self.placing, number)
        else:
            paved = any(pick.edge == number for pick in self.draft.picks)
            self.draft = self.draft.without_road(number) if paved else self.draft.pave(number)

    def drawing(self) -> str:
        """The board with all that stands on it; what is wrong with it is marked."""
        fill: dict[int | str, str] = {e: _FLAW for flaw in self.flaws for e in flaw.elements if e.startswith("hex-")}
        if self.held is not None:
            fill[f"hex-{self.held}"] = "#FFE94A"
        if self.flaws:
            return draw_board(self.sketch, fill=fill)
        question = Question(self.sketch.board(), self.seats, self.rules, self.game[: self.step])
        states = question.states()
        for pick in () if self.game else self.draft.picks:  # in whatever order they were placed
            states["settlements"][0, pick.seat] |= 1 << pick.corner
            if pick.edge is not None:
                states["roads"][0, pick.seat, pick.edge // HALF] |= 1 << pick.edge % HALF
        return draw_state(states, hands=bool(self.game) and self.step > 4 * self.seats, fill=fill)
