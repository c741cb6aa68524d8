"""Running games: which actions are tried, what came of them, and that hidden cards do not matter."""

import json
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from kibitz import game
from kibitz.catan import Board, GameState, Rules
from kibitz.catan.analysis.full_game import FullGameAnalyzer, candidate_actions, move_result, move_value
from kibitz.catan.analysis.position import Position
from kibitz.catan.analysis.race import Sample
from kibitz.catan.analysis.report import explained
from kibitz.catan.analysis.rollouts import OUTCOME, paired_difference
from kibitz.catan.analysis.types import AnalysisConfig, AnalysisMode, AnalysisResult, Difference
from kibitz.catan.core.actions import Action, offer_trade, roll_dice, rolled
from kibitz.catan.core.record import Record, simulate
from kibitz.catan.core.state import (
    BUILD,
    DEV_PLAY,
    FREE_ROADS,
    MAIN,
    ROBBER_DISCARD,
    ROBBER_MOVE,
    ROBBER_STEAL,
    TRADE,
    TRADE_ANSWER,
    TRADE_CHOICE,
    TURN_START,
)
from kibitz.catan.core.topology import HEX_MASK
from kibitz.catan.core.trying import HEXES_TRIED, PLENTIES_TRIED, ROADS_TRIED
from kibitz.catan.words import say
from kibitz.compute.runtime import Limit, Runtime, Threads
from kibitz.game import CHANCE, OVER
from kibitz.ground.texts import capitalised
from kibitz.play.share import Share
from tests.catan.positions import Table, chain, play
from tests.catan.walks import Walk

plain = pytest.mark.plain


def config(rollouts: int, candidates: int = 4, **changes: Any) -> AnalysisConfig:
    return AnalysisConfig(full_game_rollouts=rollouts, full_game_candidate_vertices=candidates, **changes)


def analyze(position: Position, config: AnalysisConfig, runtime: Runtime | None = None) -> AnalysisResult:
    return FullGameAnalyzer().analyze(position, config, runtime, Threads(2))


def tried(state: GameState, kind: str, policy: str = "builder") -> list[str]:
    """The candidates of a kind."""
    codes = candidate_actions(Position.of(state), config(1, policy=policy))
    assert codes == sorted(set(codes))
    assert set(codes) <= {action.code for action in state.legal_actions()}
    return [action.to_text() for action in map(Action.from_code, codes) if action.kind == kind]


# --- what is tried ----------------------------------------------------------------------------------------------


@plain
def test_bank_trades_at_the_best_rate_that_help():
    """Corner 7 has the wood harbour: two wood for whatever is missing; brick makes a road."""
    table = Table(2).build(0, settlements=[7]).give(0, wood=5).build(1, settlements=[35])
    assert tried(table.main(), "trade_bank") == [f"trade_bank 2 wood for {r}" for r in ("brick", "sheep", "wheat", "ore")]


@plain
def test_no_bank_trade_that_spoils_a_settlement():
    table = Table(2).build(0, settlements=[49], roads=chain(49, 50, 51)).give(0, wood=4, brick=1, sheep=1, wheat=1)
    assert any(action.kind == "trade_bank" for action in table.main().legal_actions())
    assert tried(table.main(), "trade_bank", policy="seed") == []


@plain
def test_offers_one_for_one_of_what_somebody_may_hold():
    """The bank shows that only ore is out."""
    state = Table(2).build(0, settlements=[49]).give(0, wood=2).give(1, ore=3).main()
    assert len([action for action in state.legal_actions() if action.kind == "offer_trade"]) > 1
    assert tried(state, "offer_trade") == ["offer_trade 1 wood for 1 ore"]
    alone = Table(2).build(0, settlements=[49]).give(0, wood=2, ore=3).main()
    assert tried(alone, "offer_trade") == []


@plain
def test_only_cards_in_hand_are_traded():
    state = Table(2).build(0, settlements=[49]).give(0, ore=1).give(1, wheat=3).main()
    assert tried(state, "trade_bank") == []
    assert tried(state, "offer_trade") == ["offer_trade 1 ore for 1 wheat"]


@plain
def test_some_roads():
    state = Table(2).build(0, settlements=[9, 20, 41], roads=chain(9, 10, 11, 12, 13)).give(0, wood=1, brick=1).main()
    legal = [action for action in state.legal_actions() if action.kind == "build_road"]
    assert len(legal) > ROADS_TRIED + 2
    assert ROADS_TRIED <= len(tried(state, "build_road")) <= ROADS_TRIED + 2


@plain
def test_everything_else_is_tried():
    state = (
        Table(2)
        .build(0, settlements=[9, 20], roads=chain(9, 10, 11))
        .build(1, settlements=[41])
        .give(0, wood=1, brick=1, sheep=1, wheat=2, ore=3)
        .cards(0, knight=1, monopoly=1, year_of_plenty=1)
        .main()
    )
    kinds = Counter(action.kind for action in state.legal_actions())
    found = Counter(Action.from_code(code).kind for code in candidate_actions(Position.of(state), config(1)))
    for kind in set(kinds) - {"build_road", "trade_bank", "offer_trade", "play_year_of_plenty"}:
        assert found[kind] == kinds[kind], kind
    assert {"build_settlement", "build_city", "buy_dev_card", "play_monopoly", "end_turn"} <= set(found)


@plain
def test_the_best_hexes_for_the_robber():
    """Player 2 has a city on 6, 9 and 4: of all hexes these three cost others most."""
    table = Table(2).build(0, settlements=[9]).build(1, cities=[41]).give(1, ore=1)
    state = play(table.turn_start(), roll_dice(), rolled(7))
    hexes = tried(state, "move_robber")
    assert len(hexes) == HEXES_TRIED < len([a for a in state.legal_actions() if a.kind == "move_robber"])
    best = {hex for hex in range(19) if int(HEX_MASK[hex]) >> 41 & 1}
    assert {f"move_robber {hex}" for hex in best} <= set(hexes)


@plain
def test_cards_of_a_year_of_plenty_that_help_most():
    """A city misses two ore."""
    table = Table(2).build(0, settlements=[9]).give(0, wheat=2, ore=1).cards(0, year_of_plenty=1)
    found = tried(table.main(), "play_year_of_plenty")
    assert len(found) <= PLENTIES_TRIED + 1
    assert "play_year_of_plenty ore ore" in found


# --- figures by hand --------------------------------------------------------------------------------------------


def sample(wins: list[int], rounds: int = 1, turn: int = 50) -> Sample:
    found = Sample("some", np.zeros(len(wins), OUTCOME), np.ones(len(wins), bool), np.zeros(len(wins), bool), rounds)
    found.outcomes["winner"] = np.where(np.array(wins) == 1, 0, 1)
    found.outcomes["turn"] = turn
    return found


@plain
def test_how_good_an_action_is():
    """By wins; between equals by the turn of victory; one game more always counts more than that."""
    slow, fast, better = sample([1] * 50 + [0] * 50, turn=30000), sample([1] * 50 + [0] * 50), sample([1] * 51 + [0] * 49)
    values = [move_value(s.reported, 0) for s in (slow, fast, better)]
    assert values == sorted(values)
    assert len(set(values)) == 3
    assert values == pytest.approx([0.5, 0.5, 0.51], abs=1e-4)
    assert move_value(sample([0, 0]).reported, 0) == 0


@plain
def test_actions_ranked_and_compared_by_hand():
    state = Table(2).build(0, settlements=[9, 20], roads=chain(9, 10)).give(0, wood=1, brick=1).main()
    position = Position.of(state)
    codes = [action.code for action in state.legal_actions()][:4]
    samples = [sample([1, 0, 0, 0]), sample([1, 1, 0, 1], rounds=2), sample([1, 0, 1, 1], rounds=2, turn=40), Sample("none")]
    base = AnalysisResult(mode=AnalysisMode.FULL_GAME, board="", seats=2, seat=0, config=AnalysisConfig())
    result = move_result(base, position, config(1, top=2), codes, samples)
    texts = [Action.from_code(code).to_text() for code in codes]
    assert [move.action for move in result.options] == [texts[2], texts[1], texts[0]], "the quicker of two equals is the best"
    assert [move.share for move in result.options] == [Share(3, 4), Share(3, 4), Share(1, 4)]
    assert [move.difference.mean for move in result.options] == [0.0, 0.0, -0.5]
    assert result.options[0].difference == Difference(0.0, 0.0, 0.0)
    assert result.options[1].difference == paired_difference(samples[1].reported, samples[2].reported, 0)
    assert [move.summary.rollout_count for move in result.options] == [4, 4, 4]
    assert result.warnings == (f"“{say(texts[1])}” cannot be told apart from “{say(texts[2])}” yet",)
    first, second, _ = result.options
    assert first.reason.startswith(f"{capitalised(say(texts[2]))}: wins 75.0 % of the games (± {100 * first.margin:.1f}).")
    assert " Not told apart from: " in second.reason
    assert [step.action for step in second.line] == [texts[1]]
    assert [line.label for line in explained(result)][:2] == [f"FG#1 {say(texts[2])}", f"FG#2 {say(texts[1])}"]


# --- what is found ----------------------------------------------------------------------------------------------


def test_a_settlement_that_wins_at_once():
    """Nine points on the board, a settlement in the hand; nobody else is near."""
    state = (
        Table(2)
        .build(0, settlements=[49], cities=[20, 22, 35, 45], roads=chain(0, 1))
        .give(0, wood=1, brick=1, sheep=1, wheat=1)
        .build(1, settlements=[10])
        .main()
    )
    result = analyze(Position.of(state), config(30, 10))
    assert [move.action for move in result.options[:2]] == ["build_settlement 0", "build_settlement 1"]
    for move in result.options[:2]:
        assert move.share.won == move.share.games > 0
        assert move.summary.average_game_length_turns == 1
    assert result.best.reason.startswith("A settlement on V0: wins 100.0 % of the games")


def test_a_knight_that_wins_at_once():
    """Eight points and two knights: the third brings Largest Army. The other has a city in the hand and wins with it."""
    state = (
        Table(2)
        .build(0, cities=[20, 22, 35, 45])
        .played(0, knight=2)
        .cards(0, knight=1)
        .build(1, cities=[9, 13, 41], settlements=[25, 27, 51])
        .give(1, wheat=2, ore=3)
        .main()
    )
    best, *rest = analyze(Position.of(state), config(30, 10)).options
    assert best.action == "play_knight"
    assert best.value == 1
    assert [(move.action, move.difference.high < 0) for move in rest] == [("end_turn", True)]


def test_the_best_hex_for_the_robber():
    """The other seat lives on ore 8 (hex 11), with two cities; the own city is on hexes 12, 13 and 16."""
    table = Table(2, Rules(victory_points=6)).build(0, cities=[40]).build(1, cities=[37, 25]).give(1, ore=2, wheat=1)
    state = play(table.cards(0, knight=1).main(), Action("play_knight", {}))
    result = analyze(Position.of(state), config(300, 18, adaptive=False))
    assert result.options[0].action == "move_robber 11"
    assert len(result.options) == HEXES_TRIED
    assert not {f"move_robber {hex}" for hex in (12, 13, 16)} & {move.action for move in result.options}
    assert result.best.reason.startswith("The robber to hex 11 (ore 8): wins ")


def test_an_offer_that_would_lose_the_game_is_declined():
    """Seat 2 wants the brick for the settlement that wins. Seat 1 has three hidden points, and wins with it itself."""
    state = (
        Table(2)
        .build(1, settlements=[49], cities=[20, 22, 35, 45], roads=chain(0, 1))
        .give(1, wood=1, ore=1, sheep=1, wheat=1)
        .build(0, cities=[10, 13, 42], roads=chain(52, 53))
        .cards(0, victory_point=3)
        .give(0, wood=1, brick=1, sheep=1, wheat=1)
        .main(player=1)
    )
    asked = play(state, offer_trade({"ore": 1}, {"brick": 1}))
    result = analyze(Position.of(asked), config(50, 2, adaptive=False))
    assert [move.action for move in result.options] == ["decline_offer", "accept_offer"]
    assert result.options[1].share.won == 0
    assert result.options[1].difference.high < 0
    assert result.warnings == ()


# --- any step of a game -----------------------------------------------------------------------------------------

GAMES = {
    "two": (2, ["builder", "random"], Rules(victory_points=8)),
    "three": (3, ["builder"] * 3, Rules(discard_limit=4)),
    "four": (1, ["builder", "seed", "builder", "builder"], Rules()),
}
WALKS = {
    "phased": Walk(3, 21, "builds", Rules(max_turns=60, phased_turns=True, victory_points=6)),
    "kinds": Walk(2, 23, "any kind", Rules(max_turns=60)),
}
WAITS = {
    TURN_START,
    ROBBER_DISCARD,
    ROBBER_MOVE,
    ROBBER_STEAL,
    MAIN,
    TRADE,
    BUILD,
    DEV_PLAY,
    FREE_ROADS,
    TRADE_ANSWER,
    TRADE_CHOICE,
}


@cache
def recorded(name: str) -> Record:
    if name in WALKS:
        return WALKS[name].record()
    seed, bots, rules = GAMES[name]
    return simulate(Board.random(seed), bots, seed, rules)


def steps(name: str) -> dict[int, int]:
    """The last step of each phase in which a seat decides, with the phase."""
    found: dict[int, int] = {}
    for step, states in enumerate(recorded(name).states()):
        if states["turn"][0] and game.actor_at(states, 0) not in (CHANCE, OVER):
            found[int(states["phase"][0])] = step
    return found


def test_every_phase_is_among_these_steps():
    assert {phase for name in (*GAMES, *WALKS) for phase in steps(name)} == WAITS


@pytest.mark.parametrize("name", [*GAMES, *WALKS])
def test_any_step_of_a_game(name):
    record = recorded(name)
    positions = dict(enumerate(states.copy() for states in record.states()))
    for phase, step in steps(name).items():
        truth = positions[step]
        position = Position.at(record, step)
        result = analyze(position, config(2, mc_seed=step))
        tried = len(candidate_actions(position, result.config))
        assert (result.seat, result.games) == (game.actor_at(truth, 0), 2 * tried), phase
        assert result.position["step"] == step
        legal, codes = game.legal_actions(truth), [Action.from_text(move.action).code for move in result.options]
        assert set(codes) <= set(legal)
        assert len(codes) == tried
        assert result.options[0].difference == Difference(0.0, 0.0, 0.0)
        assert all(move.difference.low <= move.difference.mean <= move.difference.high for move in result.options)
        assert all(move.value == move.summary.player_win_rates[result.seat] for move in result.options)
        assert result.predicted_sequence == ()
        assert all(move.reason and move.line[0].action == move.action for move in result.options)
        assert AnalysisResult.from_json(json.loads(json.dumps(result.to_json()))) == result


def twins(name: str, seat: int) -> list[tuple[int, Record]]:
    """Records with another hidden outcome that go on alike until the seat decides, with the number of that step."""
    record, found = recorded(name), []
    positions = [states.copy() for states in record.states()]
    for step, code in enumerate(record.codes):
        other = next((a for a in alike(positions[step], code, seat) if a != code), None)
        if other is None:
            continue
        states = positions[step].copy()
        game.apply_at(states, 0, other)
        for later in range(step + 1, len(record.codes)):
            if game.actor_at(states, 0) == seat:
                found.append((later, replace(record, codes=(*record.codes[:step], other, *record.codes[step + 1 : later]))))
            if game.actor_at(states, 0) in (seat, OVER) or game.why_not_at(states, 0, record.codes[later]):
                break
            game.apply_at(states, 0, record.codes[later])
    return found


def alike(states: Any, code: int, seat: int) -> list[int]:
    """The outcomes of chance that look to a seat like this one."""
    if game.actor_at(states, 0) != CHANCE:
        return []
    return [a for a in game.legal_actions(states) if game.seen_at(states, 0, a, seat) == game.seen_at(states, 0, code, seat)]


@pytest.mark.parametrize(("name", "seat"), [("three", 1), ("four", 2)])
def test_another_hidden_truth_gives_the_same_result(name, seat):
    found = twins(name, seat)
    assert len(found) >= 4
    for step, twin in found[:: len(found) // 4]:
        ours, theirs = (game_at(record, step) for record in (recorded(name), twin))
        assert ours.tobytes() != theirs.tobytes(), "the truth is another"
        result = analyze(Position.at(recorded(name), step, seat), config(20, 5))
        assert analyze(Position.at(twin, step, seat), config(20, 5)) == result


def game_at(record: Record, step: int) -> Any:
    *_, last = replace(record, codes=record.codes[:step]).states()
    return last.copy()


def test_the_same_on_any_threads_and_resumed(tmp_path):
    step = steps("four")[MAIN]
    position, settings = Position.at(recorded("four"), step), config(60, 5)
    whole = analyze(position, settings)
    for jobs in (1, 3):
        assert FullGameAnalyzer().analyze(position, settings, workers=Threads(jobs)) == whole
    file = tmp_path / "games"
    assert analyze(position, settings, Runtime(checkpoint=file)) == whole
    lines = file.read_bytes().splitlines(keepends=True)
    for kept in range(1, len(lines), 4):
        file.write_bytes(b"".join(lines[:kept]))
        assert analyze(position, settings, Runtime(checkpoint=file)) == whole


def test_stopped_before_the_first_game():
    runtime = Runtime()
    runtime.cancel()
    result = analyze(Position.at(recorded("four"), steps("four")[MAIN]), config(60), runtime)
    assert (result.stopped, result.options, result.warnings) == ("cancelled", (), ())


def test_games_end_at_a_cap_counted_from_the_position():
    """In turn 900, when all seats have two settlements: nobody wins within 40 turns, or hardly anybody."""
    table = Table(2).build(0, settlements=[16, 7]).build(1, settlements=[0, 47])
    result = analyze(Position.of(table.main(turn=901)), config(40, 1, full_game_max_turns=20))
    assert result.full_game_summary is not None
    assert 901 < result.full_game_summary.average_game_length_turns <= 941
    assert result.full_game_summary.unfinished > 20


def test_a_limit_of_games():
    position = Position.at(recorded("four"), steps("four")[MAIN])
    result = analyze(position, config(60), Runtime(Limit(games=11)))
    assert (result.games, result.stopped) == (11, None)
