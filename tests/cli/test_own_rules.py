"""A mistake in somebody's own file of a game is told to its author in one line: the file, its line and the rule."""

from pathlib import Path

import pytest

from kibitz.ground.jit import COMPILED
from kibitz.play import registry
from tests.cli.results import done, refused

ROOT = Path(__file__).parents[2]
LETTER = (ROOT / "examples" / "love_letter.py").read_text(encoding="utf-8")
KUHN = (ROOT / "src" / "kibitz" / "examples" / "kuhn.py").read_text(encoding="utf-8")


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Write a game of one's own: another one with something replaced. The line where that stands, from 1, is returned."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_FILES", {})
    monkeypatch.setattr(registry, "_LOADED", {})

    def written(name: str, old: str, new: str, text: str = LETTER) -> int:
        assert text.count(old) == 1
        line = text[: text.index(old)].count("\n") + 1
        text = text.replace(old, new).replace('"love_letter"', f'"{name}"').replace('"kuhn', f'"{name}')
        Path(f"{name}.py").write_text(text, encoding="utf-8")
        return line

    return written


@pytest.mark.plain
def test_an_exception_in_a_rule(kibitz, own):
    old = "        self.played[me] += (card,)"
    line = own("raising", old, f"{old} if self.turn < 3 else self.plaid")
    for command in ("simulate", "tournament"):
        told = refused(kibitz(command, "raising.py", "--players", "sly,random"))
        assert told == f"raising.py, line {line}, in play: AttributeError: 'LoveLetter' object has no attribute 'plaid'"


@pytest.mark.plain
@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("named", "        return found\n", '        return [*found, "castle"]\n', "in plays: 'castle' is not among the NAMES"),
        ("stuck", "        return found\n", "        return []\n", "in plays: nothing is possible, but the game is not over"),
        ("light", ": copies for card", ": 0 for card", "'open guard' has the weight 0: expected a whole number above 0"),
    ],
)  # fmt: skip
def test_a_rule_that_returns_what_it_must_not(kibitz, own, name, old, new, told):
    own(name, old, new)
    found = refused(kibitz("simulate", f"{name}.py"))
    assert found.startswith(f"{name}.py, line ")
    assert found.endswith(told)


@pytest.mark.plain
def test_weights_may_be_numbers_of_numpy(kibitz, own):
    own("counted", ": copies for card", ": __import__('numpy').int64(copies) for card")
    done(kibitz("simulate", "counted.py"))


@pytest.mark.plain
def test_a_bot_and_a_label_that_are_not_among_the_names(kibitz, own):
    own(
        "bluffing",
        "        return min(self.worthwhile(), key",
        '        return "castle"\n        return min(self.worthwhile(), key',
    )
    assert refused(kibitz("simulate", "bluffing.py", "--players", "sly,random")).endswith(
        "in sly: 'castle' is not among the NAMES"
    )
    own("mumbling", '{HIDDEN}" if secret else name', '{HIDDEN}" if secret else "mumble"')
    told = refused(kibitz("simulate", "mumbling.py", "--players", "ismcts:5,random"))
    assert told.endswith("in perceived: 'mumble' is not among the NAMES")


@pytest.mark.plain
def test_a_drawing_that_fails(kibitz, own):
    line = own("drawing", "        lines = [f", "        lines = nothing[f")
    done(kibitz("simulate", "drawing.py", "--record", "games.jsonl"))
    code, _, err = kibitz("show", "drawing.py", "games.jsonl")
    assert (code, err) == (2, f"kibitz: drawing.py, line {line}, in __str__: NameError: name 'nothing' is not defined\n")


@pytest.mark.plain
def test_a_file_that_ends_the_program(kibitz, own):
    line = own("leaving", "GAME = ", "raise SystemExit\nGAME = ")
    assert refused(kibitz("simulate", "leaving.py")) == f"leaving.py: SystemExit (line {line})"


@pytest.mark.plain
def test_a_mistake_of_ours_is_not_blamed_on_the_game(kibitz, own, monkeypatch):
    own("innocent", "PRIZE = 12", "PRIZE = 12")
    monkeypatch.setattr("kibitz.cli.simulate.read_guard", lambda guard: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        kibitz("simulate", "innocent.py")


@pytest.mark.skipif(not COMPILED, reason="needs the compiler")
@pytest.mark.parametrize(
    ("name", "new", "told"),
    [
        ("divided", "s.moves[s.done] = a // (s.done - s.done)",
         "divided.py: ZeroDivisionError: integer division by zero, in its compiled rules (KIBITZ_JIT=0 names the line)"),
        ("misspelt", "s.moves[s.don] = a", "misspelt.py: cannot be compiled: KeyError: 'don' (KIBITZ_JIT=0 names the line)"),
        ("wordy", "s.moves[s.done] = -'a'", "wordy.py, line {line}, in apply: cannot be compiled: No implementation"),
    ],
)  # fmt: skip
def test_compiled_rules(kibitz, own, name, new, told):
    line = own(name, "s.moves[s.done] = a", new, KUHN)
    code, out, err = kibitz("simulate", f"{name}.py")
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].startswith(f"kibitz: {told.format(line=line)}")
