"""Games are found by their names and by their files; whatever is wrong with a file is one line."""

from pathlib import Path

import pytest

from kibitz.play.registry import UnknownGame, known, profile, profiles

pytestmark = pytest.mark.plain
KNOCK = Path("tests/examples/knock.py")


def own(folder: Path, name: str, file: str = "my_game.py") -> str:
    """A game of somebody's own: knock under another name."""
    path = folder / file
    path.write_text(KNOCK.read_text().replace('name="knock"', f'name="{name}"'))
    return str(path)


def test_a_file_is_a_game_and_the_same_one_each_time(tmp_path: Path) -> None:
    file = own(tmp_path, "first_of_mine")
    found = profile(file)
    assert (found.name, found.title, found.seats, found.compiled) == ("first_of_mine", "First Of Mine", (2, 2), False)
    assert profile(file) is found
    assert known("first_of_mine") is found
    assert found in profiles()


def test_a_file_that_is_imported_already_is_not_run_again() -> None:
    from kibitz.examples import kuhn

    assert profile(kuhn.__file__).setup().game is kuhn.GAME
    assert profile("kuhn") is profile(kuhn.__file__)


def test_a_profile_of_its_own_is_taken_as_it_is(tmp_path: Path) -> None:
    file = own(tmp_path, "with_a_profile", "with_a_profile.py")
    with Path(file).open("a") as more:
        more.write("\nfrom dataclasses import replace\nfrom kibitz.play.any_game import profile_of\n")
        more.write('PROFILE = replace(profile_of(GAME), title="A Better Title")\n')
    assert profile(file).title == "A Better Title"


def test_what_comes_from_elsewhere_never_opens_a_file(tmp_path: Path) -> None:
    file = own(tmp_path, "not_to_be_opened", "secret.py")
    with pytest.raises(UnknownGame, match="no such game"):
        known(file)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\n", "there is no GAME in it (a kibitz.game.Game of that name)"),
        ("GAME = 7\n", "there is no GAME in it (a kibitz.game.Game of that name)"),
        ("x = 1\ny = z\n", "NameError: name 'z' is not defined (line 2)"),
        ("x = 1\ny = = z\n", "SyntaxError: invalid syntax (line 2)"),
        ("import nothing_of_that_name\n", "ModuleNotFoundError: No module named 'nothing_of_that_name' (line 1)"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "broken.py"
    file.write_text(text)
    with pytest.raises(UnknownGame) as raised:
        profile(str(file))
    assert str(raised.value) == f"{file}: {message}"


def test_a_file_that_is_not_there_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(UnknownGame, match=r"nothing\.py: no such file"):
        profile(str(tmp_path / "nothing.py"))
    (tmp_path / "folder.py").mkdir()
    with pytest.raises(UnknownGame, match=r"folder\.py: is a folder"):
        profile(str(tmp_path / "folder.py"))


def test_two_games_cannot_have_one_name(tmp_path: Path) -> None:
    profile(own(tmp_path, "twice", "one.py"))
    for name in ("twice", "coup", "leduc"):
        with pytest.raises(UnknownGame, match=rf"two\.py: there is another game named {name}"):
            profile(own(tmp_path, name, "two.py"))
