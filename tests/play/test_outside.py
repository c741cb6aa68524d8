"""Bots from outside: what they are told, what becomes of those that misbehave, and what they cannot see."""

import gc
import pickle
import subprocess
import sys
import textwrap
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kibitz import game as verbs
from kibitz.catan import bots as catan_bots
from kibitz.coup import bots as coup_bots
from kibitz.coup.core.engine import GAME
from kibitz.coup.core.game_state import GameState
from kibitz.coup.core.record import check
from kibitz.coup.core.state import new_states
from kibitz.game import CHANCE, legal_actions
from kibitz.loops.config import MODELS
from kibitz.onepiece import bots as onepiece_bots
from kibitz.play import outside, outside_host
from kibitz.play.bots import Bot, Conduct, UnknownBot
from kibitz.play.match import Table, play_game
from kibitz.play.outside import Source, pool_of
from kibitz.play.series import play
from kibitz.play.tournament import duel, ends_of, tournament

pytestmark = [pytest.mark.plain, pytest.mark.once]

BOTS = '''
    import os
    import subprocess
    import sys
    import threading
    import time
    from pathlib import Path

    import helper

    LATE = Path(__file__).with_name("late")


    class First:
        def decide(self, observation, actions, events):
            print("bots may print")
            return actions[0]


    class Text(First):
        def decide(self, observation, actions, events):
            return super().decide(observation, actions, events).to_text()


    class Raises:
        def decide(self, observation, actions, events):
            raise KeyError("no ore\\nleft")


    class Illegal:
        def decide(self, observation, actions, events):
            return "show duke"


    class Misbehaves:
        """Does something else that it should not at every decision, and then the same again."""

        def begin(self, seat, seed):
            self.decisions = 0

        def decide(self, observation, actions, events):
            self.decisions += 1
            match self.decisions % 8:
                case 1:
                    raise KeyError("no ore\\nleft")
                case 2:
                    sys.exit("enough")
                case 3:
                    return input()
                case 4:
                    bytearray(10 << 30)
                case 5:
                    threading.Thread(target=time.sleep, args=(600,)).start()
                    return actions
                case 6:
                    os.fork()  # both go on
                case 7:
                    os.write(1, b'{"action": "coup 1"}')
            return actions[0]


    class Hangs:
        def decide(self, observation, actions, events):
            while True:
                pass


    class Ponders(Hangs):
        def decide(self, observation, actions, events):
            subprocess.Popen(["sleep", "600"])
            print("thinking", flush=True)
            super().decide(observation, actions, events)


    class Dies:
        def decide(self, observation, actions, events):
            os._exit(1)


    class OnceLate:
        """Late at its third decision, if it is the first of its kind; the one that comes after it hears everything again."""

        def begin(self, seat, seed):
            self.decisions = 0

        def decide(self, observation, actions, events):
            self.decisions += 1
            if self.decisions == 1:
                assert events[0].turn == 0
            if self.decisions == 3 and not LATE.exists():
                LATE.touch()
                time.sleep(60)
            return actions[0]


    class Listens:
        """Checks what it is told, against the rules of the table."""

        def begin(self, seat, seed):
            self.seat, self.heard = seat, []
            assert 0 <= seed < 2**64

        def decide(self, observation, actions, events):
            self.heard += events
            assert observation.observer == self.seat == observation.actor
            assert actions == observation.legal_actions()
            for player in observation.players:
                assert (player.cards is None) == (player.seat != self.seat)
            assert observation.deck is None
            deals = [event for event in self.heard if event.turn == 0]
            assert [event.seat for event in deals] == [0, 1, 2]
            assert [event.action is None for event in deals] == [seat != self.seat for seat in range(3)]
            assert deals[1 - self.seat].text == "drawn two cards" if self.seat < 2 else True
            return actions[0]


    class NoDecide:
        pass


    class Broken:
        def __init__(self):
            raise RuntimeError("not today")


    value = 3
'''


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bots")
    (folder / "helper.py").write_text("", encoding="utf-8")
    file = folder / "some_bots.py"
    file.write_text(textwrap.dedent(BOTS), encoding="utf-8")
    return file


def conduct_of(bots: Path, name: str, games: int = 1) -> Conduct:
    text = f"{bots}:{name}"
    return play("coup", [text, "random"], seed=3, games=games, jobs=1).conduct[text]


# --- names ------------------------------------------------------------------------------------------------------------


def test_the_same_names_are_bots_of_all_games(bots: Path) -> None:
    for named in (catan_bots.bot_named, coup_bots.bot_named, onepiece_bots.bot_named):
        bot = named(f"{bots}:First")
        assert bot.name == f"{bots}:First"
        assert bot.policy is None


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("missing.py:Bot", "missing.py: no such file"),
        ("{bots}", "which bot in the file?"),
        ("{bots}:Nobody", "there is no Nobody in it"),
        ("{bots}:value", "value is not a class"),
        ("{bots}:NoDecide", "it has no method decide"),
        ("{bots}:Broken", r"RuntimeError: not today \(line \d+\)"),
        ("{bots}:First:200", "expected a time limit in seconds"),
        ("{bots}:First:soon", "expected a number"),
    ],
)
def test_a_name_that_cannot_be_a_bot_is_refused_in_one_line(bots: Path, name: str, message: str) -> None:
    with pytest.raises(UnknownBot, match=message) as caught:
        coup_bots.bot_named(name.format(bots=bots))
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_python_says_where(tmp_path: Path) -> None:
    file = tmp_path / "typo.py"
    file.write_text("class Bot\n", encoding="utf-8")
    with pytest.raises(UnknownBot, match=r"SyntaxError: expected ':' \(line 1\)"):
        coup_bots.bot_named(f"{file}:Bot")


def test_an_edited_file_is_another_bot(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    for kind in ("income", "foreign_aid"):
        file.write_text(f"class Bot:\n    def decide(self, *given):\n        return '{kind}'\n", encoding="utf-8")
        table = Table(GAME, new_states(2), [coup_bots.bot_named(f"{file}:Bot"), coup_bots.bot_named("random")], seed=1)
        while table.actor == CHANCE:
            table.step()
        table.step()
        assert GAME.describe(table.codes[-1]) == kind


# --- what they are told -----------------------------------------------------------------------------------------------


def test_a_bot_sees_its_seat_and_hears_every_event(bots: Path) -> None:
    text = f"{bots}:Listens"
    results = play("coup", [text] * 3, seed=5, games=2, jobs=1)
    assert results.conduct[text].lost == {}
    assert results.conduct[text].decisions > 50


def test_actions_may_be_returned_as_text(bots: Path) -> None:
    ends = [play("coup", [f"{bots}:{name}", "honest"], 4, games=3, jobs=1).states.tobytes() for name in ("First", "Text")]
    assert ends[0] == ends[1]


def test_threads_do_not_change_the_games(bots: Path) -> None:
    text = f"{bots}:Illegal"
    one, two = (play("coup", [text, "random"], 4, games=6, jobs=jobs) for jobs in (1, 2))
    assert one.states.tobytes() == two.states.tobytes()
    assert one.conduct == two.conduct


# --- who misbehaves ---------------------------------------------------------------------------------------------------


def test_every_lost_decision_is_counted_and_the_game_goes_on(bots: Path) -> None:
    """It raises, leaves, reads, takes too much memory (if that is bounded), leaves a thread, forks, writes to the output."""
    conduct = conduct_of(bots, "Misbehaves")
    wrong = {1, 2, 3, 4, 5} if sys.platform == "linux" else {1, 2, 3, 5}
    assert conduct.lost == {"raised": sum(number % 8 in wrong for number in range(1, conduct.decisions + 1))}
    assert conduct.first.startswith("turn 1: KeyError: 'no ore\\nleft' (line ")
    assert conduct.decisions > 8


class Absent:
    """Stands in for the pool and the process of a bot: the answer is always the same."""

    def __init__(self, reply: dict[str, Any]) -> None:
        self.reply = reply

    def take(self) -> "Absent":
        return self

    def give_back(self, host: object) -> None:
        pass

    def ask(self, fresh: Any, observation: Any, actions: Any, events: Any, limit: float) -> dict[str, Any]:
        return {"began": True, **self.reply}


def conduct_with(reply: dict[str, Any]) -> tuple[Conduct, set[str]]:
    """How two bots behave who always answer so, and which kinds of actions their game has."""
    pool: Any = Absent(reply)
    bot = Bot("absent", partial(outside.OutsidePlayer, pool, coup_bots.FRIENDLY, 1.0))
    played = play_game(GAME, new_states(2), [bot] * 2, seed=1)
    return played.conduct["absent"], {GAME.describe(code).split()[0] for code in played.codes}


@pytest.mark.parametrize(
    ("reply", "why", "first"),
    [
        ({"action": "show duke"}, "illegal", "turn 1: show duke is not possible now: the game waits for ACTION"),
        ({"action": "frobnicate"}, "illegal", "turn 1: 'frobnicate': no such action"),
        ({"action": ""}, "illegal", "turn 1: '': no such action"),
        ({}, "illegal", "turn 1: 'None': no such action"),
        ({"raised": "KeyError: 'ore'"}, "raised", "turn 1: KeyError: 'ore'"),
    ],
)
def test_the_default_takes_income_and_lets_things_pass(reply: dict[str, Any], why: str, first: str) -> None:
    conduct, kinds = conduct_with(reply)
    assert conduct.lost == {why: conduct.decisions}
    assert conduct.first.startswith(first)
    assert kinds == {"drawn", "income", "coup", "lose"}


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (0, "TypeError: decide returned 0, which is not an action"),
        (None, "TypeError: decide returned None, which is not an action"),
        ([], "TypeError: decide returned [], which is not an action"),
    ],
)
def test_what_is_no_action_is_named(answer: Any, message: str) -> None:
    bot = SimpleNamespace(decide=lambda *given: answer)
    request = pickle.dumps(("decide", (True, 0, 1), None, [], []))
    assert outside_host.Seat(lambda: bot, "bot.py").answer(request) == {"raised": message, "began": True}


def test_a_bot_that_hangs_does_not_hang_the_series(bots: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside, "PATIENCE", 1)
    conduct = conduct_of(bots, "Hangs:0.05s")
    assert conduct.lost == {"late": 1, "not asked": conduct.decisions - 1}
    assert conduct.first == "turn 1: took longer than 0.05 s"


def test_a_process_that_ends_is_started_again(bots: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside, "PATIENCE", 2)
    conduct = conduct_of(bots, "Dies")
    assert conduct.lost["died"] == 2


def test_a_process_that_ends_while_it_is_loaded_costs_decisions_not_the_series(tmp_path: Path) -> None:
    """The first process of a bot loads, the second one, for the other seat, does not."""
    bot = tmp_path / "once.py"
    code = """
        import os
        from pathlib import Path

        mark = Path(__file__).with_suffix(".loaded")
        if mark.exists():
            os._exit(1)
        mark.touch()


        class First:
            def decide(self, observation, actions, events):
                return actions[0]
    """
    bot.write_text(textwrap.dedent(code))
    conduct = play("coup", [f"{bot}:First"] * 2, 1, games=2, jobs=1).conduct[f"{bot}:First"]
    assert set(conduct.lost) == {"died", "not asked"}
    assert conduct.decisions > sum(conduct.lost.values())
    assert conduct.first.endswith("its process ended while it was loading")


def test_a_bot_in_thought_and_what_it_started_end_with_who_asked_it(bots: Path) -> None:
    names = [f"{bots}:Ponders:600s", "random"]
    code = f"from kibitz.play.series import play\nplay('coup', {names}, 1, jobs=1)"
    with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE) as asking:
        assert asking.stderr is not None
        assert any(line == b"thinking\n" for line in asking.stderr)
        asking.kill()
        asking.communicate(timeout=60)  # standard error ends when all who hold it have ended


def test_after_a_late_decision_another_bot_goes_on_with_all_events(bots: Path) -> None:
    conduct = conduct_of(bots, "OnceLate:2s")
    assert conduct.lost == {"late": 1}
    assert conduct.decisions > 4


def test_what_a_loop_rule_forbids_is_asked_again_or_replaced(bots: Path) -> None:
    player = coup_bots.bot_named(f"{bots}:First").player()
    stubborn = coup_bots.bot_named(f"{bots}:Illegal").player()
    assert isinstance(player, outside.OutsidePlayer)
    assert isinstance(stubborn, outside.OutsidePlayer)
    states = GameState.new(2, seed=4).resolve().states
    verbs.hide_at(states, 0, 0)
    allowed = legal_actions(states)[1:]
    for one in (player, stubborn):
        one.begin(GAME, 0, states.copy(), 1)
        assert one.decide_among(states.copy(), allowed) == allowed[0]
    assert (player.conduct.lost, stubborn.conduct.lost) == ({}, {"illegal": 1})
    play_game(GAME, new_states(2), [coup_bots.bot_named(f"{bots}:First")] * 2, seed=1, guard=MODELS["declare"])


# --- reports ----------------------------------------------------------------------------------------------------------


def test_records_hold_the_games_and_name_the_bot(bots: Path, tmp_path: Path) -> None:
    text = f"{bots}:Illegal"
    written = play("coup", [text, "honest"], 4, 3, jobs=1, record=tmp_path / "games.jsonl")
    played = play("coup", [text, "honest"], 4, games=3, jobs=1)
    records = list(check((tmp_path / "games.jsonl").read_text(encoding="utf-8").splitlines()))
    assert written.conduct == played.conduct
    assert [record.seats for record in records] == [(text, "honest")] * 3


def test_a_tournament_reports_the_conduct(bots: Path) -> None:
    text = f"{bots}:Raises"

    def at(table: Any, seed: int, games: int, first: int) -> Any:
        return ends_of(play("coup", table, seed, games, first=first, jobs=1))

    standings = tournament([text, "random"], at, 1, 2, 2)
    found = {bot["name"]: bot.get("conduct") for bot in standings.to_json()["bots"]}
    assert found["random"] is None
    assert found[text]["lost"] == {"raised": found[text]["decisions"]}
    assert duel(text, "random", at, 1, 2, 2).wins.games == 4


def test_processes_are_used_again_and_can_be_ended(bots: Path) -> None:
    source = Source(bots.resolve(), "First", coup_bots.FRIENDLY.module, bots.stat().st_mtime_ns)
    conduct_of(bots, "First", games=3)
    gc.collect()
    pool = pool_of(source)
    host = pool.take()
    process = host._process
    assert process.poll() is None
    pool.give_back(host)
    pool.close()
    assert process.poll() is not None
