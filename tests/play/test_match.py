"""The driver of games between players: what they are told, what they may do, and that nothing else decides a game."""

from dataclasses import replace

import numpy as np
import pytest

from kibitz import game
from kibitz.compute.local import game_seed, play, series
from kibitz.coup import GAME, Action
from kibitz.coup.core.policy import HEURISTIC
from kibitz.coup.core.state import new_states
from kibitz.examples import kuhn
from kibitz.game import CHANCE, OVER
from kibitz.game.doors import decide_at
from kibitz.play.bots import Bot, PolicyPlayer, policy_bot
from kibitz.play.match import IllegalDecision, Loops, Results, Table, play_game
from kibitz.play.series import Series, play_series, recorded_games

SOLO = policy_bot("heuristic", HEURISTIC)


def watched(name="spy"):
    """A heuristic player that is no longer a compiled bot, and what it was told."""
    told = []

    class Spy(PolicyPlayer):
        def begin(self, game, seat, view, seed):
            super().begin(game, seat, view, seed)
            told.append(("begin", seat, view.tobytes(), seed))

        def saw(self, before, code, after):
            told.append(("saw", before.tobytes(), code, after.tobytes()))

        def decide(self, view):
            told.append(("decide", view.tobytes()))
            return super().decide(view)

    return Bot(name, lambda: Spy(HEURISTIC)), told


@pytest.mark.plain
def test_a_player_is_told_what_its_seat_sees_and_nothing_else():
    spy, told = watched()
    played = play_game(GAME, new_states(3), [SOLO, spy, SOLO], seed=4)
    states, expected = new_states(3), []

    def view():
        copy = states.copy()
        game.hide_at(copy, 0, 1)
        return copy.tobytes()

    for code in played.codes:
        if game.actor_at(states, 0) == 1:
            expected.append(("decide", view()))
        before, seen = view(), game.seen_at(states, 0, code, 1)
        game.apply_at(states, 0, code)
        expected.append(("saw", before, seen, view()))
    assert told[0][:3] == ("begin", 1, told[1][1])
    assert told[1:] == expected
    assert game.actor_at(states, 0) == OVER
    assert states.tobytes() == played.end.tobytes()


@pytest.mark.plain
def test_players_get_copies_that_they_may_scribble_on():
    class Vandal(PolicyPlayer):
        def begin(self, game, seat, view, seed):
            super().begin(game, seat, view, seed)
            view["coins"] = 40

        def saw(self, before, code, after):
            before["coins"] = after["coins"] = 40

        def decide(self, view):
            code = super().decide(view)
            view["coins"] = 40
            return code

    honest = Bot("honest", lambda: PolicyPlayer(HEURISTIC))
    vandal = Bot("vandal", lambda: Vandal(HEURISTIC))
    assert play_game(GAME, new_states(2), [SOLO, vandal], 3).codes == play_game(GAME, new_states(2), [SOLO, honest], 3).codes


@pytest.mark.plain
def test_chance_is_that_of_the_seed_whoever_plays():
    """The deal is the one that compiled tables get from the same seed."""
    table = Table(GAME, new_states(3), [watched()[0]] * 3, seed=game_seed(5, 2))
    while table.actor == CHANCE:
        table.step()
    xs, states = GAME.scratches(), new_states(3)
    xs["seed"] = game_seed(5, 2)
    while game.actor_at(states, 0) == CHANCE:
        game.apply_at(states, 0, decide_at(states, 0, xs, 0))
    assert table.states.tobytes() == states.tobytes()


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "words"),
    [("coup 1", "player 2 cannot pay for it"), ("drawn duke", "chance decides it"), ("challenge", "the game waits for ACTION")],
)
def test_an_illegal_decision_names_bot_step_and_rule(text, words):
    class Cheat(PolicyPlayer):
        def decide(self, view):
            return Action.from_text(text).code if view["phase"][0] == 1 else super().decide(view)

    table = [policy_bot("random", 0), Bot("cheat", lambda: Cheat(0))]
    with pytest.raises(IllegalDecision, match=rf"cheat \(player 2\), step \d+: .*{words}"):
        play_game(GAME, new_states(2), table, 1)


@pytest.mark.plain
def test_what_is_no_action_at_all_is_refused_too():
    class Dreamer(PolicyPlayer):
        def decide(self, view):
            return 12345

    with pytest.raises(IllegalDecision, match=r"dreamer \(player 1\), step 2: 12345 is not an action"):
        play_game(GAME, new_states(2), [Bot("dreamer", lambda: Dreamer(0)), SOLO], 1)
    with pytest.raises(IllegalDecision, match=r"step 2: action 12345 breaks rule \d+"):
        play_game(kuhn.GAME, kuhn.GAME.new(2, 0), [Bot("dreamer", lambda: Dreamer(0))] * 2, 1)


def test_compiled_tables_play_as_ever():
    results = play_series(Series(GAME, new_states(3), (SOLO,) * 3, seed=8, games=40, first=3), jobs=2)
    batch = play(series(GAME, new_states(3), 40, 8, [HEURISTIC] * 3, number=3))
    assert results.states.tobytes() == batch.states.tobytes()
    assert results.steps == batch.steps
    assert results.scores().sum(axis=1).tolist() == [60] * 40


@pytest.mark.plain
def test_a_series_depends_neither_on_threads_nor_on_its_split():
    six, heard = Series(GAME, new_states(2), (SOLO, watched()[0]), seed=2, games=6), []
    whole = play_series(six, jobs=1, progress=heard.append)
    assert heard == [1] * 6
    threads = play_series(six, jobs=3)
    parts = [play_series(replace(six, games=3, first=first)) for first in (0, 3)]
    assert whole.states.tobytes() == threads.states.tobytes() == b"".join(part.states.tobytes() for part in parts)
    assert whole.steps == threads.steps == sum(part.steps for part in parts)
    played = dict(recorded_games(six))
    assert [played[i].end["winner"][0] for i in range(6)] == np.asarray(whole.states["winner"]).tolist()
    other = play_series(replace(six, seed=3))
    assert other.states.tobytes() != whole.states.tobytes()


@pytest.mark.plain
def test_any_game_can_be_played():
    class Bettor(PolicyPlayer):
        def decide(self, view):
            return kuhn.BET

    played = play_game(kuhn.GAME, kuhn.GAME.new(2, 0), [Bot("a", lambda: Bettor(0)), Bot("b", lambda: Bettor(0))], 1)
    assert [kuhn.GAME.describe(code) for code in played.codes[2:]] == ["bet", "bet"]


@pytest.mark.plain
def test_nobody_wins_a_draw_by_the_loop_rule_where_scores_name_the_winner():
    states = kuhn.GAME.new(2, 0)
    for name in ("deal king", "deal jack", "pass", "pass"):
        game.apply_at(states, 0, kuhn.GAME.parse(name))
    drawn = Loops(np.array([True]), np.array([True]))
    assert Results(states, 4).winners.tolist() == [0]
    assert Results(states, 4, drawn).winners.tolist() == [-1]


@pytest.mark.plain
def test_a_game_can_be_played_again_step_by_step_and_nobody_is_asked():
    played = play_game(GAME, new_states(3), [SOLO] * 3, seed=4)
    spy, told = watched()
    table = Table(GAME, new_states(3), [SOLO, spy, SOLO], seed=99)
    for code in played.codes:
        table.step(code)
    assert table.states.tobytes() == played.end.tobytes()
    assert {kind for kind, *_ in told} == {"begin", "saw"}
    with pytest.raises(IllegalDecision, match="the game is over"):
        table.step(played.codes[-1])


@pytest.mark.plain
def test_to_choose_changes_nothing_and_a_given_step_is_judged():
    table = Table(GAME, new_states(3), [SOLO] * 3, seed=4)
    while table.actor == CHANCE:
        table.step(table.choose())
    before = table.states.tobytes()
    code = table.choose()
    assert table.states.tobytes() == before
    with pytest.raises(IllegalDecision, match="heuristic"):
        table.step(Action.from_text("coup 2").code)
    table.step(code)
    assert table.codes[-1] == code
    view = table.view(0)
    game.hide_at(view, 0, 0)
    assert view.tobytes() == table.view(0).tobytes()
