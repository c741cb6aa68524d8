"""The folder of a training: whose it is, who may write there, and what is known after a kill."""

import pytest

from kibitz.learn.folder import InvalidTraining, Steps, claim, held, read, write

pytestmark = pytest.mark.plain
OWN = {"game": "chess", "players": 2, "facts": {"rules": {"points": 10}}, "settings": {"games": 5, "seed": 1}}


def test_a_folder_belongs_to_the_training_that_came_first(tmp_path):
    folder = tmp_path / "new" / "folder"
    claim(folder, OWN)
    claim(folder, OWN)
    with pytest.raises(InvalidTraining, match=r"folder: holds a training with points 10 instead of 12; name another folder$"):
        claim(folder, {**OWN, "facts": {"rules": {"points": 12}}})
    other = {"game": "go", "players": 3, "facts": {"rules": {"points": 12}}, "settings": {"games": 5, "seed": 2}}
    with pytest.raises(InvalidTraining, match=r"game chess instead of go, players 2 instead of 3, points 10 .* and 1 more;"):
        claim(folder, other)
    with pytest.raises(InvalidTraining, match="seed 1 instead of none"):
        claim(folder, {**OWN, "settings": {"games": 5}})


@pytest.mark.parametrize("text", ["", "{", "[]", '{"game": "chess"', "[" * 100_000])
def test_what_nobody_can_have_written_is_damaged(tmp_path, text):
    (tmp_path / "training.json").write_text(text)
    with pytest.raises(InvalidTraining, match=r"training\.json: damaged; remove it, or name another folder"):
        claim(tmp_path, OWN)


def test_only_one_trains_in_a_folder(tmp_path):
    with held(tmp_path), pytest.raises(InvalidTraining, match="another training is under way there"), held(tmp_path):
        pass
    with held(tmp_path):
        pass


def test_steps_are_known_to_the_next_run_and_their_times_add_up(tmp_path):
    path = tmp_path / "steps.json"
    killed = Steps(path)
    killed.phase("match").__enter__()  # which never ends
    killed.keep(course=[[200, 90]])
    spent = read(path)["seconds"]["match"]
    write(path, {**read(path), "seconds": {"match": spent + 100}})
    again = Steps(path)
    with again.phase("match"):
        assert again.get("course") == [[200, 90]]
    with again.phase("the end"):
        pass
    assert again.seconds["match"] >= spent + 100
    assert list(again.processor) == ["match", "the end"]
    again.forget()
    assert Steps(path).get("course", "nothing") == "nothing"
