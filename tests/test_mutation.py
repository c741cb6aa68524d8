"""Mistakes that are made on purpose (`benchmarks/mutants/mutation.py`): where they are, and how they are found again."""

import ast
import textwrap

import pytest

from benchmarks.mutants.mutation import canonical, spots


def changes(body: str, returns: str = "None") -> dict[str, list[str]]:
    """What becomes of the body of a function, by change."""
    source = f"def f(a, b, xs) -> {returns}:\n{textwrap.indent(textwrap.dedent(body), '    ')}\n".encode()
    found: dict[str, list[str]] = {}
    for spot, edit in spots(source).items():
        text = edit.apply(source).decode()
        ast.parse(text)
        found.setdefault(spot.change, []).append(textwrap.dedent(text.partition("\n")[2]).strip())
    return found


@pytest.mark.parametrize(
    ("body", "change", "results"),
    [
        ("xs[0] = (a) < b", "< becomes <=", ["xs[0] = (a) <= b"]),
        ("xs[0] = a not in b", "not in becomes in", ["xs[0] = a in b"]),
        ("xs[0] = 'ä' == a <= b", "<= becomes <", ["xs[0] = 'ä' == a < b"]),
        ("xs[7] = a", "one more", ["xs[8] = a"]),
        ("xs[7] = a", "one less", ["xs[6] = a"]),
        ("xs[7] = a", "removed", ["pass"]),
        ("b = a + b * (a + xs[0])", "+ becomes -", ["b = a - b * (a + xs[0])", "b = a + b * (a - xs[0])"]),
        ("b //= a", "//= becomes *=", ["b *= a"]),
        ("b //= a", "removed", ["pass"]),
        ("if a and b and xs: g()", "and becomes or", ["if a or b and xs: g()", "if a and b or xs: g()"]),
        ("if a < b: g()", "negated", ["if not (a < b): g()"]),
        ("while not a: g()", "without the not", ["while (a): g()"]),
        ("b = [x for x in xs if x.open]", "negated", ["b = [x for x in xs if not (x.open)]"]),
        ("b = -a", "without the minus", ["b = (a)"]),
        ("b = max(a, b)", "max becomes min", ["b = min(a, b)"]),
        ("b = False", "False becomes True", ["b = True"]),
        ("for x in xs: break", "removed", ["for x in xs: pass"]),
    ],
)
def test_a_change_is_made_where_it_belongs_and_nowhere_else(body, change, results):
    assert changes(body)[change] == results


@pytest.mark.parametrize(
    ("hint", "result"),
    [("bool", "return not (a)"), ("int", "return (a) + 1"), ("list[int]", "return []"), ("tuple[int, ...]", "return ()")],
)
def test_what_is_returned_follows_the_type_hint(hint, result):
    assert [*changes("return a", hint).values()] == [[result]]


@pytest.mark.parametrize(
    "body",
    [
        '"""Of 2 and 3."""',
        "b: Literal[1, 2]",
        "b = f'{a + 1}'",
        "c = a",  # without it the name is unknown
        "if COMPILED: g(1)",
        "return",
    ],
)
def test_what_is_left_alone(body):
    assert not changes(body)


def test_functions_that_make_texts_are_left_alone():
    assert not changes("return 'a' if a < 1 else 'b'", "str")
    assert not spots(b"class C:\n    def __repr__(self):\n        return self.a + 1\n")


def test_the_other_side_of_what_only_the_compiler_reads_is_not_left_alone():
    assert changes("if COMPILED: g(1)\nelse: g(a + b)") == {
        "+ becomes -": ["if COMPILED: g(1)\nelse: g(a - b)"],
        "removed": ["if COMPILED: g(1)\nelse: pass"],
    }


def test_a_mistake_is_found_again_however_its_statement_is_written_and_wherever_it_stands():
    before = b"class C:\n def f(self, a):\n  self.x = g(a, 1)  # why\n  self.x = g(a, 1)\n"
    after = (
        b"import os\nclass C:\n    def h(self): ...\n    def f(self, a):\n        self.x = g(\n            a, 1\n        )\n"
    )
    assert len(spots(before)) == 2 * len(spots(after)) == 6
    assert [*spots(before)][:3] == [*spots(after)]
    assert {spot.function for spot in spots(before)} == {"C.f"}
    assert {spot.nth for spot in spots(before)} == {0, 1}


@pytest.mark.parametrize("statement", ["x = (a,b)", "if a<b", "for i in range(3)", "return f\"{a['x']}\""])
def test_a_statement_of_the_list_is_read_in_any_spelling(statement):
    assert canonical(canonical(statement)) == canonical(statement)
