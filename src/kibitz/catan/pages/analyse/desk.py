"""What lies on the desk of the Analyse page: a board being edited, pieces, a game perhaps, and what is asked about it.

No page in here: clicks come in as element ids, and what they did can be asked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kibitz.catan.analysis import AnalysisConfig, AnalysisMode, InvalidPosition
from kibitz.catan.analysis.draft import Draft
from kibitz.catan.analysis.question import InvalidQuestion, Question
from kibitz.catan.analysis.types import SETTINGS
from kibitz.catan.core.board import TERRAIN, Board, InvalidBoard, PortType, Resource
from kibitz.catan.core.places import in_words
from kibitz.catan.core.sketch import Flaw, Sketch
from kibitz.catan.core.state import Rules
from kibitz.catan.core.svg import TERRAIN_COLOURS, draw_board, draw_state
from kibitz.catan.core.topology import HALF, HEXES, ISLAND_CORNERS
from kibitz.catan.logs import ImportedLog
from kibitz.catan.pages.places import with_names
from kibitz.ground.rng import fresh_seed

_FLAW = "#B3261E"


@dataclass(frozen=True)
class Tool:
    """What a click on the board does.

    It may ``place`` pieces of a seat, ``swap`` two hexes, or only their numbers (``swap numbers``), or set a ``terrain``, a
    ``number`` or a ``harbour``.
    """

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
    config: AnalysisConfig = field(default_factory=lambda: AnalysisConfig(rank_by="win_rate"))
    time: float | None = None
    tool: Tool = field(default_factory=Tool)
    held: int | None = None
    """The hex that waits for another to be swapped with."""
    name: str = "Beginner board"
    names: tuple[str, ...] = ()
    """The players, where a game was loaded that names them."""
    blank: frozenset[int] = frozenset()
    """The hexes that have no terrain yet."""
    begins: int = 0
    """At which corner of the island the spiral of numbers begins."""

    def said(self, text: str) -> str:
        """What the analysis says of seats and corners by their numbers, as people say it."""
        return with_names(in_words(text, self.sketch), self.names)

    def new_board(self, board: Board | Sketch, name: str) -> None:
        """Another board, without pieces."""
        self.sketch = Sketch.of(board) if isinstance(board, Board) else board
        self.draft, self.game, self.step = Draft(self.draft.seats), (), 0
        self.name, self.held, self.names, self.blank = name, None, (), frozenset()

    def blank_board(self) -> None:
        """Nothing but the coast, and a brush in hand."""
        self.new_board(Sketch.blank(), "Your board")
        self.blank, self.tool, self.begins = frozenset(range(HEXES)), Tool("terrain", "wood"), 0

    def left(self, terrain: str) -> int:
        """How many hexes of a terrain the box still holds; below zero where there are too many of it."""
        kind = None if terrain == "desert" else Resource(terrain)
        used = sum(hex.resource is kind for h, hex in enumerate(self.sketch.hexes) if h not in self.blank)
        return TERRAIN[kind] - used

    def lay_numbers(self, further: int = 0) -> None:
        """The numbers by the rule book's spiral, beginning at a corner of the island or some corners further on."""
        self.begins = (self.begins + further) % len(ISLAND_CORNERS)
        self.sketch, self.game, self.step = self.sketch.with_spiral(ISLAND_CORNERS[self.begins]), (), 0

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

    def take_game(self, question: Question, name: str, names: Sequence[str] = ()) -> None:
        """A loaded game, at its end, or before it if it is over, with the names of those who played it."""
        self.take(question, name)
        self.names = tuple(names) if len({*names}) == question.seats else ()
        self.game, self.step = question.moves, len(question.moves)
        self.seat = None

    def take_log(self, imported: ImportedLog) -> None:
        """The board of a game that another program tells of, and the game itself where all of it is known."""
        players = imported.log.players
        name = f"Game of {', '.join(players)}"
        if imported.board is None:
            raise InvalidQuestion(f"this {imported.format} log holds no board: it can be tracked, not analysed")
        if imported.everything is None:
            self.set_seats(len(players))
            self.new_board(imported.board, name)
            self.names = tuple(players)
        else:
            record = imported.record()
            self.take_game(Question(record.board, len(record.seats), record.rules, record.codes), name, players)

    @property
    def seats(self) -> int:
        """How many play."""
        return self.draft.seats

    def set_seats(self, seats: int) -> None:
        """Another number of players: what stands no longer fits."""
        if seats != self.seats:
            self.draft, self.game, self.step, self.names = Draft(seats), (), 0, ()
            self.seat = None if self.seat is None or self.seat >= seats else self.seat

    def go(self, step: int) -> None:
        """Another moment of the loaded game; whoever is to move then asks."""
        self.step, self.seat = min(max(0, step), len(self.game)), None

    @property
    def flaws(self) -> list[Flaw]:
        """What is wrong with the board."""
        if self.blank:
            rest = [f"{n} {terrain}" for terrain in TERRAIN_COLOURS if (n := self.left(terrain)) > 0]
            return [Flaw(f"{len(self.blank)} hex{'es' * (len(self.blank) > 1)} to paint: {', '.join(rest)}")]
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
            return {**self.question().to_query(), "rank_by": self.config.rank_by}
        except (InvalidPosition, InvalidQuestion, InvalidBoard):
            blank = {"blank": ".".join(map(str, sorted(self.blank)))} if self.blank else {}
            return {"board": self.sketch.to_text(), "seats": str(self.seats), **blank}

    def read_query(self, query: Mapping[str, str]) -> None:
        """Take up what a link says. Raises what is wrong with it; a board with flaws is there to be mended."""
        try:
            question = Question.from_query(query)
        except InvalidBoard:
            self.new_board(Sketch.from_text(query.get("board", "")), "Board from a link")
            blank = [int(n) for n in query.get("blank", "")[:100].split(".") if n.isascii() and n.isdigit() and int(n) < HEXES]
            self.blank = frozenset(hex for hex in blank if self.sketch.hexes[hex].resource is None)
            self.tool = Tool("terrain", "wood") if self.blank else self.tool
            return
        question.states()  # an illegal move is refused before anything is taken up
        self.take(question)
        if "rank_by" not in query:
            self.config = replace(self.config, rank_by="win_rate")

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
        if self.tool.kind.startswith("swap") and self.held is None:
            self.held = number
        elif self.tool.kind.startswith("swap") and self.held is not None:
            swapped = self.sketch.swapped if self.tool.kind == "swap" else self.sketch.with_tokens_swapped
            pair, self.held = frozenset((self.held, number)), None
            self.sketch = swapped(*sorted(pair)) if len(pair) == 2 else self.sketch
            if self.tool.kind == "swap" and len(pair & self.blank) == 1:  # what is still to be painted has moved, too
                self.blank ^= pair
        elif self.tool.kind == "terrain":
            self._paint(number)
        elif self.tool.kind == "number":
            self.sketch = self.sketch.with_number(number, self.tool.value)
        elif self.tool.kind == "harbour":
            self.sketch = self.sketch.with_harbour(number, PortType(self.tool.value))
        self.name = "Your board"

    def _paint(self, hex: int) -> None:
        """A terrain. On a blank board the brush takes the next one when it is used up, and the numbers follow the last hex."""
        terrain = self.tool.value
        self.sketch = self.sketch.with_resource(hex, None if terrain == "desert" else Resource(terrain))
        if not self.blank:
            return
        self.blank -= {hex}
        rest = [other for other in TERRAIN_COLOURS if self.left(other) > 0]
        if not self.blank:
            self.lay_numbers()
        elif terrain not in rest and rest:
            self.tool = Tool("terrain", rest[0])

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
            return draw_board(self.sketch, fill=fill, blank=self.blank)
        question = Question(self.sketch.board(), self.seats, self.rules, self.game[: self.step])
        states = question.states()
        for pick in () if self.game else self.draft.picks:  # in whatever order they were placed
            states["settlements"][0, pick.seat] |= 1 << pick.corner
            if pick.edge is not None:
                states["roads"][0, pick.seat, pick.edge // HALF] |= 1 << pick.edge % HALF
        return draw_state(states, names=self.names, hands=bool(self.game) and self.step > 4 * self.seats, fill=fill)
