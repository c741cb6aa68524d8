"""Bot matches under a loop guard: coins stolen back and forth, offers in circles; records of such games, and saved ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kibitz.catan import Rules as CatanRules
from kibitz.catan.analysis import AnalysisConfig, Position, create_analyzer
from kibitz.catan.analysis.rollouts import DRAWN, Unit, _on_gpu, play_unit, split, summarize
from kibitz.catan.core.actions import Action as CatanAction
from kibitz.catan.core.board import Board
from kibitz.catan.core.engine import GAME as CATAN
from kibitz.catan.core.state import new_states as new_catan_states
from kibitz.coup import GAME as COUP
from kibitz.coup.bots import bot_named
from kibitz.coup.core.actions import Action
from kibitz.coup.core.policy import RESTLESS
from kibitz.coup.core.record import Record, check
from kibitz.coup.core.state import Rules, new_states
from kibitz.game import OVER, States, from_dict, legal_actions, to_dict, why_not_at
from kibitz.game.files import RecordError
from kibitz.ground.plain_states import PlainStates
from kibitz.loops.config import MODELS, Config
from kibitz.loops.drive import Guarded, stop_at_once
from kibitz.loops.guard import LoopGuard
from kibitz.onepiece.core.engine import game_with
from kibitz.onepiece.looplab import CARD_LAB, follow
from kibitz.play.bots import Bot, policy_bot
from kibitz.play.guarded import check_guards
from kibitz.play.match import IllegalDecision, Played, Table, play_game
from kibitz.play.search_bot import SearchPlayer
from kibitz.play.series import Series, play, play_series, recorded_games
from tests.catan.positions import Table as CatanTable
from tests.coup.positions import position


class Script:
    """Plays the first of its wanted actions that the rules allow, else the first legal one; it remembers all that it saw."""

    def __init__(self, wanted: Sequence[int]) -> None:
        self.wanted, self.seen = list(wanted), []

    def begin(self, game, seat, view, seed):
        pass

    def saw(self, before, code, after):
        self.seen.append(code)

    def decide(self, view: States) -> int:
        return next((code for code in self.wanted if not why_not_at(view, 0, code)), legal_actions(view)[0])


class Obedient(Script):
    """As `Script`, but it can be asked again, and then takes the last of what is allowed."""

    def decide_among(self, view, allowed):
        return allowed[-1]


def scripted(wanted: Sequence[int], seats: int, kind: type[Script] = Script) -> list[Bot]:
    return [Bot("script", lambda: kind(wanted))] * seats


# --- Coup: two captains with two coins each, who steal from each other and let it happen --------------------------------

STEALING = [Action.from_text(text).code for text in ("steal 2", "steal 1", "allow", "income")]
LAP = ["steal", "allow", "allow"] * 2


def thieves(max_turns: int = 300) -> States:
    states = position("CC", "CT", coins=[2, 2])
    states["max_turns"] = max_turns
    return states


def steal(model: str, max_turns: int = 300, kind: type[Script] = Script) -> Played:
    return play_game(COUP, thieves(max_turns), scripted(STEALING, 2, kind), 0, guard=MODELS[model])


def kinds(played: Played) -> list[str]:
    return [COUP.describe(code).split()[0] for code in played.codes]


@pytest.mark.plain
def test_without_a_guard_they_go_on_to_the_turn_limit() -> None:
    played = play_game(COUP, thieves(60), scripted(STEALING, 2), 0)
    assert (played.looped, played.drawn) == (False, False)
    assert int(played.end["turn"][0]) == 60
    assert kinds(played)[:12] == LAP * 2


@pytest.mark.plain
def test_by_the_plain_rule_stealing_back_and_forth_is_a_draw_in_the_fourth_lap() -> None:
    played = steal("draw")
    assert played.drawn
    assert kinds(played) == LAP * 4
    assert int(played.end["winner"][0]) < 0


def test_a_cap_lets_a_hundred_laps_pass() -> None:
    played = steal("cap")
    assert played.drawn
    assert kinds(played) == LAP * 100


def test_by_the_seed_both_can_stop_and_the_game_continues() -> None:
    played = steal("seed", max_turns=40)
    assert (played.looped, played.drawn) == (True, False)
    assert int(played.end["turn"][0]) == 40


def test_by_the_rules_of_one_piece_the_player_whose_turn_it_is_stops_first() -> None:
    played = steal("declare", max_turns=40)
    assert played.looped
    assert not played.drawn
    assert kinds(played)[: 6 * 4] == LAP * 4
    instead = COUP.describe(played.codes[24])
    assert instead.split()[0] not in ("steal", "allow")


def test_who_can_be_asked_again_is() -> None:
    first = COUP.describe(steal("declare", 40).codes[24])
    last = COUP.describe(steal("declare", 40, Obedient).codes[24])
    assert first != last
    assert first.split()[0] != "steal" != last.split()[0]


def test_a_search_takes_the_best_of_what_is_allowed() -> None:
    player = bot_named("ismcts:50").player()
    assert isinstance(player, SearchPlayer)
    view = thieves()
    player.begin(COUP, 0, view, 1)
    tried = [one.action for one in player.think(view).actions]
    assert player.decide_among(view, tried[1:3]) == tried[1]
    assert player.decide_among(view, [-5]) == -5


@pytest.mark.plain
def test_who_is_asked_again_and_wants_something_else_still_is_refused() -> None:
    class Stubborn(Script):
        def decide_among(self, view, allowed):
            return self.wanted[0]

    with pytest.raises(IllegalDecision, match=r"script \(player 1\), step 24: the loop rule leaves \d+ actions"):
        steal("declare", kind=Stubborn)


@pytest.mark.plain
def test_every_step_that_a_ruling_demands_is_seen_by_all_players() -> None:
    players = [Script(STEALING), Script(STEALING)]
    hook = Guarded(LoopGuard(MODELS["declare"]), lambda seat, lap, smallest: 3)
    table = Table(COUP, thieves(), [Bot("script", lambda player=player: player) for player in players], 0, hook=hook)
    while not hook.settled or hook.due:
        table.step()
    assert len(table.codes) == 6 * (4 + 3)
    assert all(player.seen == table.codes for player in players)


# --- saved and restored ---------------------------------------------------------------------------------------------------


def resumed(at: int, declare: Callable[..., int], model: str, max_turns: int) -> tuple[list[int], bool, str]:
    """The game broken off after some steps, written out, read and gone on with: all its steps, and how it ended."""
    hook = Guarded(LoopGuard(MODELS[model]), declare)
    table = Table(COUP, thieves(max_turns), scripted(STEALING, 2), 0, hook=hook)
    for _ in range(at):
        table.step()
    saved = json.dumps({"state": to_dict(table.states), "loops": hook.to_json()})
    data = json.loads(saved)
    restored = Guarded.from_json(data["loops"], declare)
    other = Table(COUP, from_dict(COUP, data["state"]), scripted(STEALING, 2), 0, hook=restored)
    while other.actor != OVER:
        other.step()
    return [*table.codes, *other.codes], other.drawn, restored.verdict


@pytest.mark.parametrize("at", [1, 6, 13, 18, 20, 22, 23, 24, 30, 40])
def test_a_game_saved_in_the_middle_of_a_lap_comes_to_the_same_verdict_at_the_same_step(at: int) -> None:
    declare = lambda seat, lap, smallest: 2  # noqa: E731
    whole = Table(COUP, thieves(40), scripted(STEALING, 2), 0, hook=Guarded(LoopGuard(MODELS["declare"]), declare))
    while whole.actor != OVER:
        whole.step()
    codes, drawn, _ = resumed(at, declare, "declare", 40)
    assert codes == whole.codes
    assert not drawn
    if at < 24:
        assert resumed(at, stop_at_once, "draw", 300) == (list(steal("draw").codes), True, "draw")


# --- Catan: offers in circles ---------------------------------------------------------------------------------------------

OFFERING = [CatanAction.from_text(text).code for text in ("offer_trade 1 brick for 1 ore", "decline_offer", "end_turn")]


def bricks() -> States:
    """One who may trade holds a brick, as the others do: nobody has the ore that is asked for."""
    table = CatanTable(seats=3, rules=CatanRules(offer_limit=100, max_turns=3))
    for seat, (corner, end) in enumerate([(20, 21), (40, 41), (10, 11)]):
        table.build(seat, settlements=[corner], roads=[(corner, end)]).give(seat, brick=1)
    return table.main(player=0).states


def offer(guard: Config | None) -> list[str]:
    """The kinds of all steps of the first turn, and "draw" if that was the end."""
    played = play_game(CATAN, bricks(), scripted(OFFERING, 3), 5, guard=guard)
    texts = [CATAN.describe(code).split()[0] for code in played.codes]
    first = texts[: texts.index("end_turn") + 1] if "end_turn" in texts else texts
    return [*first, "draw"] if played.drawn else first


ROUND = ["offer_trade", "decline_offer", "decline_offer"]


@pytest.mark.parametrize(
    ("guard", "turn"),
    [
        (None, [*ROUND * 100, "end_turn"]),
        (MODELS["draw"], [*ROUND * 4, "draw"]),
        (MODELS["seed"], [*ROUND * 4, "end_turn"]),
        (MODELS["declare"], [*ROUND * 4, "end_turn"]),
        (replace(MODELS["cap"], cap=20), [*ROUND * 20, "draw"]),
        (Config(action_limits={"offer_trade": 2}), [*ROUND * 2, "end_turn"]),
    ],
)
def test_offers_in_circles_by_all_rules(guard: Config | None, turn: list[str]) -> None:
    assert offer(guard) == turn


# --- One Piece: a game of plain Python ------------------------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize("drawn", [True, False])
def test_triggers_that_feed_each_other_in_a_match(drawn: bool) -> None:
    """Two mandatory triggers are a draw; where one player may decline, that player has to, and the game goes on."""
    row = CARD_LAB["mandatory"]
    state = row.state(not drawn)
    state.apply(row.choose(not drawn)(row.start(not drawn), []))

    class Follower(Script):
        def decide(self, view):
            return follow(view[0])

    start = PlainStates(game_with(*state.table.decks), [state])
    hook = Guarded(LoopGuard(MODELS["declare"]))
    table = Table(start.game, start, scripted([], 2, Follower), 0, hook=hook)
    for _ in range(40):
        if table.actor == OVER:
            break
        table.step()
    assert table.drawn == drawn
    assert hook.loops == 1
    assert len(hook.settled) == (not drawn)


# --- series, records, tournaments --------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_a_series_without_loops_is_the_same_under_a_guard() -> None:
    series = Series(COUP, new_states(2), (policy_bot("random", 0), Bot("script", lambda: Script([]))), 3, 5)
    free = play_series(series)
    guarded = play_series(replace(series, guard=MODELS["draw"]))
    assert free.loops is None
    assert guarded.loops is not None
    assert not guarded.loops.found.any()
    assert free.states.tobytes() == guarded.states.tobytes()
    assert free.steps == guarded.steps


def test_a_draw_ranks_nobody() -> None:
    results = play_series(Series(COUP, thieves(), tuple(scripted(STEALING, 2)), 0, 2, guard=MODELS["draw"]))
    assert results.loops is not None
    assert results.loops.drawn.all()
    assert not results.ranking().any()


def guarded_record(model: str = "draw") -> Record:
    """The first game of a series of heuristic bots that goes round."""
    seats, rules = ["heuristic-0.1"] * 4, Rules()
    results = play("coup", seats, 0, 60, guard=MODELS[model])
    assert results.loops is not None
    i = int(np.flatnonzero(results.loops.found)[0])
    for number, played in recorded_games(
        Series(COUP, new_states(4), (policy_bot("heuristic-0.1", RESTLESS),) * 4, 0, i + 1, guard=MODELS[model])
    ):
        assert played.looped == bool(results.loops.found[number])
        assert played.drawn == bool(results.loops.drawn[number])
    return Record(rules, seats=tuple(seats), codes=played.codes, guard=MODELS[model].to_json(), drawn=played.drawn)


def lines_of(record: Record, **header: object) -> list[str]:
    first, *rest = record.lines()
    return [json.dumps(json.loads(first) | header), *rest]


def test_the_record_of_a_drawn_game_names_the_guard_and_holds_under_it() -> None:
    record = guarded_record()
    lines = list(record.lines())
    assert json.loads(lines[0])["guard"] == MODELS["draw"].to_json()
    assert json.loads(lines[-1])["termination"] == "loop"
    assert json.loads(lines[-1])["winner"] is None
    assert [found.codes for found in check_guards(check(lines))] == [record.codes]


def test_a_record_that_its_guard_contradicts_is_refused() -> None:
    record = guarded_record()
    later = replace(MODELS["draw"], max_repeats=5).to_json()
    with pytest.raises(RecordError, match=f"line {len(record.codes) + 2}: the game was drawn: the guard finds no draw here"):
        list(check_guards(check(lines_of(record, guard=later))))
    sooner = replace(MODELS["draw"], max_repeats=2).to_json()
    with pytest.raises(RecordError, match="a draw by the loop rule before"):
        list(check_guards(check(lines_of(record, guard=sooner))))
    with pytest.raises(RecordError, match=r"line 1: guard: infiniteLoopRules.maxRepeats: 0"):
        list(check_guards(check(lines_of(record, guard={"infiniteLoopRules": {"maxRepeats": 0}}))))
    with pytest.raises(RecordError, match="line 1: guard: expected an object"):
        list(check(lines_of(record, guard="draw")))
    with pytest.raises(RecordError, match="the header names no guard"):
        list(check(lines_of(record, guard=None)))


def test_what_a_guard_forbids_is_refused_in_a_record() -> None:
    record = guarded_record("declare")
    free = next(check(lines_of(record, guard=None)))
    assert free.guard is None
    assert list(check_guards([record])) == [record]
    some = {"infiniteLoopRules": {"actionLimits": {"steal": 1, "tax": 1, "allow": 1}}}
    with pytest.raises(RecordError, match=r"line 1: header\.guard\.infiniteLoopRules\.maxRepeats is missing"):
        list(check_guards(check(lines_of(record, guard=some))))
    lines = lines_of(record, guard=Config.from_json(some).to_json())
    with pytest.raises(RecordError, match="the loop rule forbids it here") as disobeyed:
        list(check_guards(check(lines)))
    lines[-1] = "{}"  # a difference further down is not named first
    with pytest.raises(RecordError) as first:
        list(check_guards(check(lines)))
    assert str(first.value) == str(disobeyed.value)
    with pytest.raises(RecordError, match=f"line {len(lines)}: the field actor is missing"):
        list(check_guards(check([*lines_of(record)[:-1], "{}"])))


def test_recorded_games_of_catan_and_one_piece_hold_under_their_guards(tmp_path) -> None:
    from kibitz.catan.core import record as catan_record
    from kibitz.onepiece.core import record as onepiece_record

    file = tmp_path / "games.jsonl"
    chosen: dict[str, Any] = {"rules": CatanRules(max_turns=20), "board": Board.beginner()}
    written = play("catan", ["random"] * 3, 1, 2, **chosen, guard=MODELS["seed"], record=file)
    played = play("catan", ["random"] * 3, 1, 2, **chosen, guard=MODELS["seed"])
    assert written.states.tobytes() == played.states.tobytes()
    assert len(list(check_guards(catan_record.check(file.read_text().splitlines())))) == 2
    results = play("onepiece", ["greedy", "random"], 1, 2, guard=MODELS["declare"], record=file)
    assert results.loops is not None
    assert len(list(check_guards(onepiece_record.check(file.read_text().splitlines())))) == 2
    free = play("onepiece", ["greedy", "random"], 1, 2)
    assert [state.winner for state in results.states] == [state.winner for state in free.states]


# --- simulated games of an analysis ------------------------------------------------------------------------------------------

STRICT = replace(MODELS["draw"], max_repeats=2)


def test_rollouts_count_draws_apart() -> None:
    starts = new_catan_states(Board.beginner(), 2, CatanRules(max_turns=60, offer_limit=6))
    free, guarded = (play_unit(Unit(starts, 3, 0, 20, (0, 0), guard)) for guard in (None, STRICT))
    drawn = guarded["winner"] == DRAWN
    assert drawn.any()
    assert (guarded[~drawn]["turn"] == free[~drawn]["turn"]).all()
    assert (guarded[drawn]["turn"] < free[drawn]["turn"]).all()
    summary = summarize(guarded, 2)
    assert (summary.drawn, summary.unfinished) == (int(drawn.sum()), int((guarded["winner"] == -1).sum()))
    units = list(split(starts, 3, 0, 20, (0, 0), STRICT))
    assert all(unit.guard == STRICT for unit in units)
    with pytest.raises(ValueError, match="without a loop guard"):
        next(_on_gpu(units))


@pytest.mark.parametrize("mode", ["full_game", "mcts"])
def test_an_analysis_says_how_many_games_were_drawn(mode: str) -> None:
    config = AnalysisConfig(
        policy="random",
        guard=json.dumps(STRICT.to_json()),
        full_game_rollouts=8,
        full_game_candidate_vertices=2,
        full_game_max_turns=60,
        mcts_iterations=16,
        mcts_candidates=2,
    )
    found = create_analyzer(mode).analyze(Position.opening(Board.beginner(), 2), config)
    summary = found.full_game_summary
    assert summary is not None
    assert summary.drawn > 0
    assert f"{summary.drawn} of 16 games were drawn by the loop rule" in found.warnings
    assert AnalysisConfig.from_json(found.to_json()["config"]) == config
