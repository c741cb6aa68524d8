"""The file of a game of Coup: JSON Lines, as described field by field in ``docs/coup.md``.

>>> record = simulate(["honest", "heuristic"], seed=3)
>>> lines = list(record.lines())
>>> len(lines) == len(record.codes) + 2
True
>>> read = next(read_lines(lines))
>>> read == record
True
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kibitz.coup.core.actions import Action
from kibitz.coup.core.engine import GAME
from kibitz.coup.core.game_state import GameState
from kibitz.coup.core.state import PHASES, Rules, new_states
from kibitz.game import States
from kibitz.game.record import GameRecord, RecordFiles, play_line, rules_in
from kibitz.ground.rng import derive_seed


@dataclass(frozen=True)
class Record(GameRecord):
    """One game: how it was set up, and every action and outcome as a code."""

    NAME = "coup"
    STATE = GameState

    rules: Rules

    def start(self) -> States:
        """The position before the deal."""
        return new_states(len(self.seats), self.rules)

    def setting(self) -> dict[str, Any]:
        """The rules."""
        return {"rules": self.rules.to_json()}

    def action(self, code: int) -> Action:
        """The action of a code."""
        return Action.from_code(code)

    def code_of(self, kind: str, data: dict[str, Any]) -> int:
        """The code of an action."""
        return Action.from_json({"kind": kind, "data": data}).code

    def moment(self, states: States) -> tuple[int, str]:
        """The turn and the phase."""
        return int(states["turn"][0]), PHASES[int(states["phase"][0])]


def simulate(bots: Sequence[str], seed: int, rules: Rules = Rules(), number: int = 0) -> Record:  # noqa: B008
    """Play one game between policies and keep every step. `seed` (64 bits of it) is the seed of this very game."""
    seed = derive_seed(seed)
    codes, _ = play_line(new_states(len(bots), rules), [GAME.policies[bot] for bot in bots], seed)
    return Record(rules, seats=tuple(bots), codes=codes, seed=seed, game=number)


RECORDS = RecordFiles(Record.NAME, GAME.seats, lambda line, header, common: Record(rules_in(line, header, Rules), **common))
read, read_lines, check = RECORDS.read, RECORDS.read_lines, RECORDS.check
