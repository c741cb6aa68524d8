"""A training that begins with networks, without PyTorch: who may judge, what is learned, and that it goes on after a kill."""

from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from kibitz.catan.core.engine import GAME
from kibitz.catan.core.evaluator import NETS
from kibitz.catan.core.policy import BUILDER
from kibitz.catan.setup import setup
from kibitz.coup.core.engine import GAME as COUP
from kibitz.coup.setup import setup as coup_setup
from kibitz.game.nets import InvalidNetwork, Network
from kibitz.learn import generation
from kibitz.learn import judges as judges_module
from kibitz.learn.folder import InvalidTraining
from kibitz.learn.judges import Judges, Looks
from kibitz.learn.lessons import Judged, Lessons, arrays_of, read_judged, read_played
from kibitz.learn.looks import looked, onward
from kibitz.learn.positions import Positions, Sampling, sample
from kibitz.learn.training import Settings, Training
from tests.learn.duels import DUELS, SHORT, network
from tests.learn.pupil import Lenient, Pupil, stand_in

TINY = Settings(games=24, later_games=8, measured=7, played_on=4, keep=3, later_keep=4, passes=2)
LOOKS = Looks(rounds=1, after=2)


@pytest.fixture
def files(tmp_path):
    """Two networks for two players to three points."""
    return [network(tmp_path / f"{name}.net", strength) for name, strength in (("first", 3), ("second", 8))]


@pytest.fixture(autouse=True)
def _own_books():
    """The shelf has little room: what a test puts there is taken away again."""
    before = len(NETS._books)
    yield
    del NETS._books[before:]
    NETS.numbers[before:] = 0


def named(*texts, boards=DUELS, seats=2):
    return Judges.named(GAME, texts, boards.starts(seats, 0, 1))


def sampled(states=True, games=20, policy=BUILDER):
    return sample(GAME, DUELS.starts(2, 0, games), [[policy] * 2], games, 6, Sampling(3, switch=4), states=states, jobs=1)


# --- who may judge ----------------------------------------------------------------------------------------------------


def test_files_and_networks_that_come_with_kibitz_can_judge(tmp_path):
    official = setup(seed=1)
    file = tmp_path / "own.net"
    shipped = NETS.book(0)["4-players"]
    replace(shipped, weights=np.where(np.arange(len(shipped.weights)) == 9, 1, shipped.weights)).save(file)
    found = named("4-players-offers", "4-players", str(file), boards=official, seats=4)
    assert found.names == ("4-players-offers", "4-players", str(file))
    assert len({*found.books}) == len({*found.checksums}) == 3
    for book, name in zip(found.books, ("4-players-offers", "4-players"), strict=False):
        assert np.array_equal(NETS.book(book)["4-players-offers"].weights, NETS.book(0)[name].weights)
    states = sample(GAME, official.starts(4, 0, 2), [[BUILDER] * 4], 2, 6, Sampling(1), states=True, jobs=1)
    assert np.allclose(found.judge(GAME, states, LOOKS, seed=1, jobs=1).values.sum(axis=1), 1, atol=1e-3)


def test_a_network_of_coup_judges_games_of_coup():
    start = coup_setup().starts(2, 0, 3)
    found = Judges.named(COUP, ["2-players"], start)
    positions = sample(COUP, start, [[COUP.school.teacher] * 2], 6, 1, Sampling(2, switch=10), states=True, jobs=1)
    judged = found.judge_onward(COUP, positions, LOOKS, seed=1, jobs=1)
    assert len(judged) == LOOKS.after * len(positions) > 0
    assert np.allclose(judged.values.sum(axis=1), 1, atol=1e-3)
    with pytest.raises(InvalidNetwork, match=r"2-players\.net: a network for catan, not for coup"):
        Judges.named(COUP, [str(NETS.folder / "2-players.net")], start)


def test_a_file_that_cannot_judge_is_refused_by_its_name(tmp_path, files):
    good = files[0]
    damaged, foreign, empty = (tmp_path / name for name in ("damaged.net", "foreign.net", "empty.net"))
    damaged.write_bytes((tmp_path / "first.net").read_bytes()[:-1] + b"?")
    foreign.write_bytes((COUP.nets.folder / "2-players.net").read_bytes())
    empty.write_bytes(b"")
    for number, (name, changes) in enumerate(
        {
            "inputs": {"layout": "0"},
            "three": {"variant": "3-players"},
            "said": {"about": {"rules": DUELS.facts(), "players": 4}},
            "rules": {"about": {"rules": setup(rules=replace(SHORT, victory_points=5)).facts()}},
            "silent": {"about": {}},
        }.items()
    ):
        net = Network.load(Path(network(tmp_path / "other.net", 9 + number)))
        replace(net, **changes).save(tmp_path / f"{name}.net")
    for name, said in {
        "damaged": r"damaged \(its checksum is not",
        "foreign": "a network for coup, not for catan",
        "empty": "not a network of Kibitz",
        "inputs": "made for other inputs than this Kibitz has",
        "three": "a network for 3 players, not for 2",
        "said": "a network for 4 players, not for 2",
        "rules": "the network for 2-players games is for victory_points=5, not 3",
        "silent": "does not say for which rules it was trained",
        "none": "neither a file nor a network that comes with Kibitz",
    }.items():
        with pytest.raises(InvalidNetwork, match=rf"{name}\.net: {said}"):
            named(good, str(tmp_path / f"{name}.net"))
    with pytest.raises(InvalidNetwork, match=r"2-players: the network for .* is for victory_points=10, not 3"):
        named("2-players")
    (tmp_path / "second.net").write_bytes((tmp_path / "first.net").read_bytes())
    with pytest.raises(InvalidNetwork, match=r"second\.net: the same network as .*first\.net"):
        named(*files)
    with pytest.raises(InvalidNetwork, match="at most 14 networks can be learned from, not 15"):
        named(*[good] * 15)
    with pytest.raises(InvalidNetwork, match=r"^: neither a file"):
        named(good, "")


# --- what they say ----------------------------------------------------------------------------------------------------


def test_any_number_of_threads_judges_alike_and_what_is_judged_is_the_mean(files, monkeypatch):
    monkeypatch.setattr(judges_module, "CHUNK", 5)
    found, positions = named(*files), sampled()
    one, two = (found.judge(GAME, positions, LOOKS, seed=3, jobs=jobs) for jobs in (1, 2))
    assert np.array_equal(one.inputs, positions.inputs)
    assert np.array_equal(one.values, two.values)
    assert not np.array_equal(one.values, found.judge(GAME, positions, LOOKS, seed=4, jobs=1).values)
    apart = [replace(found, books=(book,)).judge(GAME, positions, LOOKS, seed=3, jobs=1).values for book in found.books]
    assert np.allclose(one.values, (apart[0] + apart[1]) / 2, atol=1e-6)
    assert not np.allclose(apart[0], apart[1])


def test_positions_up_to_a_round_later_are_judged_as_they_are(files):
    found, positions = named(*files), sampled()
    assert positions.states is not None
    before = np.asarray(positions.states).tobytes()
    states, inputs = onward(GAME, positions.states, 40, BUILDER, seed=1)
    assert np.asarray(positions.states).tobytes() == before
    assert inputs.shape == (40 * len(positions), 2, NETS.inputs)
    turns = np.asarray(states)["turn"].astype(int).reshape(-1, 40)
    ahead = turns - np.asarray(positions.states)["turn"].astype(int)[:, None]
    counts = Counter(ahead.ravel().tolist())
    assert set(counts) == {0, 1}  # a round of two players
    assert min(counts.values()) > 0.15 * turns.size
    own = np.array([len({state.tobytes() for state in group}) for group in np.asarray(states).reshape(-1, 40)])
    assert (own > 5).mean() > 0.9  # of each position many different ones
    kept = found.judge_onward(GAME, positions, LOOKS, seed=9, jobs=1)
    again, told = onward(GAME, positions.states, LOOKS.after, BUILDER, seed=9)
    assert np.array_equal(kept.inputs, told)
    assert np.allclose(kept.values, looked(GAME, again, found.books, BUILDER, 1, judges_module.derive_seed(9, 0)), atol=1e-6)


@pytest.mark.plain
def test_a_position_or_two_are_judged(files):
    found, positions = named(*files), sampled(games=1)
    judged = found.judge_onward(GAME, positions, Looks(rounds=1, after=1), seed=1, jobs=1)
    assert len(judged) == len(positions) > 0
    assert judged.values.sum(axis=1) == pytest.approx(1, abs=1e-3)


def test_of_no_positions_none_are_judged(files):
    positions = sampled()
    none = Positions(positions.inputs[:0], positions.winner[:0], positions.game[:0], positions.states[:0])
    assert len(named(*files).judge_onward(GAME, none, LOOKS, seed=1, jobs=1)) == 0
    with pytest.raises(ValueError, match="sampled without their states"):
        named(*files).judge(GAME, sampled(states=False), LOOKS, seed=1, jobs=1)


# --- what is learned --------------------------------------------------------------------------------------------------


@pytest.mark.plain
def test_lessons_are_what_was_judged_and_what_came_of_the_rest(tmp_path):
    played = Positions(np.zeros((3, 2, 4), np.int8), np.array([1, 1, 0], np.int8), np.array([7, 7, 9]))
    judged = Judged(np.ones((2, 2, 4), np.int8), np.array([[0.5, 0.5], [0.25, 0.75]], np.float32))
    lessons = Lessons(played, judged)
    assert len(lessons) == 5
    assert lessons.inputs[:, 0, 0].tolist() == [1, 1, 0, 0, 0]
    assert lessons.targets(None, 0.5).tolist() == [[0.5, 0.5], [0.25, 0.75], [0, 1], [0, 1], [1, 0]]

    def even(inputs):
        assert inputs.max() == 0  # nobody is asked about what was judged
        return np.full(inputs.shape[:2], 0.5, np.float32)

    assert lessons.targets(even, 0.5).tolist() == [[0.5, 0.5], [0.25, 0.75], [0.25, 0.75], [0, 1], [1, 0]]
    assert Lessons(played).targets(None, 0.5).tolist() == lessons.targets(None, 0.5).tolist()[2:]
    assert Lessons(played).inputs is played.inputs
    nothing = replace(played, inputs=played.inputs[:0], winner=played.winner[:0], game=played.game[:0])
    for one, two in ((played, judged), (nothing, Judged.joined([judged, judged]))):
        np.savez(tmp_path / "part.npz", **arrays_of(one, two))
        assert np.array_equal(read_played(tmp_path / "part.npz").winner, one.winner)
        assert np.array_equal(read_judged(tmp_path / "part.npz").values, two.values)
    np.savez(tmp_path / "other.npz", **arrays_of(None, judged))
    with pytest.raises(InvalidTraining, match=r"other\.npz: damaged"):
        read_played(tmp_path / "other.npz")


# --- the training -----------------------------------------------------------------------------------------------------


@pytest.fixture
def _pupil(monkeypatch):
    stand_in(monkeypatch)
    monkeypatch.setattr(generation, "FEW_PART", 4)
    monkeypatch.setattr(generation, "SequentialTest", Lenient)


def begun(folder, texts, settings=TINY, looks=LOOKS):
    found = Training(
        GAME, partial(DUELS.starts, 2), DUELS.facts(), settings, folder, judges=named(*texts), looks=looks, jobs=1
    )  # fmt: skip
    found.school = replace(found.school, switch=4)  # in so short games mistakes end early
    return found


@pytest.mark.usefixtures("_pupil")
def test_a_generation_learns_from_looks_and_results_and_begins_with_what_the_first_network_knows(tmp_path, files, monkeypatch):
    tables, learned = [], []
    play, learn = generation.sample, Pupil.learn
    monkeypatch.setattr(generation, "sample", lambda game, starts, table, *rest, **more: (
        tables.append(table), play(game, starts, table, *rest, **more)
    )[1])  # fmt: skip
    monkeypatch.setattr(Pupil, "learn", lambda self, inputs, targets, *rest: (
        learned.append(targets), learn(self, inputs, targets, *rest)
    )[1])  # fmt: skip
    monkeypatch.setattr(generation, "win_rates", lambda game, states, games, table, *rest: (
        tables.append(["measured", *table]), np.full((len(states), 2), 0.5)
    )[1])  # fmt: skip
    trained = begun(tmp_path / "own", files)
    (report,) = trained.run()
    first = NETS.read(tmp_path / "first.net")
    hasty = GAME.school.practice + NETS.add([first])
    assert tables == [[[BUILDER] * 2]] * 3 + [[[hasty] * 2]] * 2 + [["measured", BUILDER, BUILDER]] * 3
    start = Pupil.begun_with[-1]
    assert start is not None
    assert start.quantised().tolist() == first.weights.tolist()
    assert report.judges == files
    assert report.teacher == files[0]
    assert 0 < report.judged < report.positions == len(learned[0])
    certain = (learned[0][: report.judged].max(axis=1) == 1).mean()
    assert certain < 0.3  # what networks say, where the game is not over within the round
    told = NETS.read(tmp_path / "own/generation-1.net").about
    assert told["judges"] == [NETS.read(Path(file)).checksum for file in files]
    assert list(report.seconds) == ["looks", "positions", "training", "measuring", "match"]
    text = (tmp_path / "own/report.html").read_text(encoding="utf-8")
    assert f"{report.judged:,} judged by 2 networks" in text
    assert "everybody plays a round on" in text


@pytest.mark.usefixtures("_pupil")
def test_a_generation_that_is_taken_over_judges_and_plays_from_then_on(tmp_path, files):
    trained = begun(tmp_path / "own", files, replace(TINY, generations=2))
    first, second = trained.run()
    assert first.judges == files
    assert second.judges == [*files, "generation 1"]
    assert second.teacher == "generation 1"
    assert trained.run() == [first, second]


@pytest.mark.usefixtures("_pupil")
def test_a_generation_that_is_not_better_does_not_judge(tmp_path, files, monkeypatch):
    monkeypatch.setattr(generation, "SequentialTest", type("Strict", (Lenient,), {"verdict": lambda *_: None}))
    reports = begun(tmp_path / "own", files, replace(TINY, generations=2)).run()
    assert [(report.teacher, report.judges) for report in reports] == [(files[0], files)] * 2


@pytest.mark.usefixtures("_pupil")
@pytest.mark.parametrize(("place", "name"), [
    (generation, "sample"), (Judges, "judge"), (Judges, "judge_onward"), (Pupil, "learn"), (generation, "win_rates"),
    (generation.local, "play"),
])  # fmt: skip
def test_a_training_that_is_killed_anywhere_ends_as_if_it_had_not_been(tmp_path, files, monkeypatch, place, name):
    def results(folder):
        (report,) = begun(folder, files).run()
        return replace(report, seconds={}, processor={}), (folder / "generation-1.net").read_bytes()

    wanted = results(tmp_path / "whole")
    calls, real = [], getattr(place, name)

    def counted(*given, **more):
        calls.append(name)
        if len(calls) in (1, 2, 4):
            raise KeyboardInterrupt
        return real(*given, **more)

    monkeypatch.setattr(place, name, counted)
    while True:
        try:
            found = results(tmp_path / "own")
        except KeyboardInterrupt:
            continue
        break
    assert len(calls) >= 4
    assert found == wanted
    assert not [*(tmp_path / "own").glob("steps-*"), *(tmp_path / "own").glob("learning-*")]


@pytest.mark.usefixtures("_pupil")
def test_a_folder_belongs_to_its_networks_wherever_their_files_lie(tmp_path, files):
    begun(tmp_path / "own", files)
    moved = tmp_path / "moved.net"
    moved.write_bytes((tmp_path / "first.net").read_bytes())
    begun(tmp_path / "own", [str(moved), files[1]])
    with pytest.raises(InvalidTraining, match=r"holds a training with networks .* instead of .*; name another folder"):
        begun(tmp_path / "own", files[::-1])
    with pytest.raises(InvalidTraining, match="rounds 1 instead of 2"):
        begun(tmp_path / "own", files, looks=Looks(after=2))
    with pytest.raises(InvalidTraining, match=r"networks .* instead of none"):
        Training(GAME, partial(DUELS.starts, 2), DUELS.facts(), TINY, tmp_path / "own")
    said = "at most 13 generations can be trained in one folder that begins with 2 networks, not 14"
    with pytest.raises(InvalidTraining, match=said):
        begun(tmp_path / "other", files, replace(TINY, generations=14))
