"""Small mistakes made on purpose: which ones a source file offers, and where each of them is to be written.

A `Spot` tells a mistake by what is written there and not by where: function, statement, operator. It is found again after
files have moved and lines have shifted; once the statement reads differently, it is gone.

Left alone are docstrings, type hints, texts (f-strings, errors, functions that return a string, ``__repr__``) and what only
the compiler or the type checker reads.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
#: Comparisons of which the negation is another change than the one above.
ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
ARITHMETIC = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "+"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "|"),
}
JUNCTIONS = {ast.And: ("and", "or"), ast.Or: ("or", "and")}
FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
#: What a function returns instead, by its type hint (without what stands in brackets).
RETURNS = {"bool": "not ({})", "int": "({}) + 1", "float": "({}) + 1", "list": "[]", "tuple": "()", "dict": "{{}}"}
#: Functions whose result is a text for people.
TEXTS = ("__repr__", "__str__", "__format__", "_repr_html_", "_repr_svg_")
#: Conditions that only the compiler or the type checker meets.
NOT_RUN = ("COMPILED", "TYPE_CHECKING")
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Spot:
    """What is to go wrong in which statement."""

    function: str
    """With its class, if any: ``Tree.grow``."""
    statement: str
    """As `ast.unparse` writes it; the first line of a compound statement."""
    nth: int
    """Which of the equal statements of the function."""
    change: str
    """In words: ``< becomes <=``."""
    place: int
    """Which of the places in the statement where this change can be made."""

    def __str__(self) -> str:
        number = "".join(f", {what} {i + 1}" for what, i in (("occurrence", self.nth), ("place", self.place)) if i)
        return f"{self.function}: {self.statement}: {self.change}{number}"


@dataclass(frozen=True)
class Edit:
    """A span of bytes and what stands there instead."""

    start: int
    end: int
    text: str

    def apply(self, source: bytes) -> bytes:
        return source[: self.start] + self.text.encode() + source[self.end :]


def spots(source: bytes) -> dict[Spot, Edit]:
    """All mistakes that a file offers, in the order of its lines."""
    text = _Text(source)
    found: dict[Spot, Edit] = {}
    for name, function in _functions(ast.parse(source).body, ""):
        equal: Counter[str] = Counter()
        for statement in _statements(function.body):
            words = _words(statement)
            places: Counter[str] = Counter()
            for change, edit in _changes(statement, function, text):
                found[Spot(name, words, equal[words], change, places[change])] = edit
                places[change] += 1
            equal[words] += 1
    return found


def functions(source: bytes) -> dict[str, list[str]]:
    """The statements of every function, as `Spot` names them."""
    named = _functions(ast.parse(source).body, "")
    return {name: [_words(statement) for statement in _statements(function.body)] for name, function in named}


def canonical(statement: str) -> str:
    """A statement of a `Spot` as this version of Python writes it."""
    try:
        (node,) = ast.parse(statement).body
    except SyntaxError:
        (node,) = ast.parse(f"{statement}: pass").body
    return _words(node)


# --- what may be changed ------------------------------------------------------------------------------------------


def _functions(body: list[ast.stmt], within: str) -> Iterator[tuple[str, Function]]:
    for node in _statements(body):
        if isinstance(node, Function):
            if not _is_text_or_hint(node):
                yield within + node.name, node
                yield from _functions(node.body, f"{within}{node.name}.")
        elif isinstance(node, ast.ClassDef) and not any(ast.unparse(base).startswith("Protocol") for base in node.bases):
            yield from _functions(node.body, f"{within}{node.name}.")


def _is_text_or_hint(function: Function) -> bool:
    decorators = [ast.unparse(decorator) for decorator in function.decorator_list]
    returned = ast.unparse(function.returns) if function.returns else ""
    compiled_only = any(decorator == "overload" or "twin=" in decorator for decorator in decorators)
    return compiled_only or function.name in TEXTS or returned.startswith("str")


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a function in their order, those of functions within it apart."""
    for node in body:
        if isinstance(node, ast.If) and any(name in ast.unparse(node.test) for name in NOT_RUN):
            yield from _statements(node.orelse if isinstance(node.test, ast.Name) else [])
            continue
        if not _is_docstring(node):
            yield node
        if not isinstance(node, Function | ast.ClassDef):
            for block in (*_blocks(node), getattr(node, "orelse", []), getattr(node, "finalbody", [])):
                yield from _statements(block)


def _blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    yield getattr(node, "body", [])
    for part in (*getattr(node, "handlers", []), *getattr(node, "cases", [])):
        yield part.body


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _words(statement: ast.stmt) -> str:
    """A statement as text: the same however it is broken into lines; only the head of what holds other statements."""
    match statement:
        case ast.If() | ast.While():
            return f"{type(statement).__name__.lower()} {ast.unparse(statement.test)}"
        case ast.For():
            return f"for {ast.unparse(statement.target)} in {ast.unparse(statement.iter)}"
        case ast.With():
            return f"with {', '.join(ast.unparse(item) for item in statement.items)}"
        case ast.Match():
            return f"match {ast.unparse(statement.subject)}"
        case ast.Try():
            return "try"
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return f"def {statement.name}"
    return ast.unparse(statement)


def _expressions(statement: ast.stmt) -> list[ast.expr]:
    """The expressions of a statement that may be changed, without those of statements within it."""
    match statement:
        case ast.If(test=test) | ast.While(test=test):
            return [test]
        case ast.For():
            return [statement.iter]
        case ast.With():
            return [item.context_expr for item in statement.items]
        case ast.Match():
            return [statement.subject]
        case ast.Assign():
            return [*statement.targets, statement.value]
        case ast.AugAssign():
            return [statement.target, statement.value]
        case ast.AnnAssign(value=value) | ast.Return(value=value) | ast.Expr(value=value):
            return [value] if value else []
    return []


def _inside(expression: ast.expr) -> Iterator[ast.expr | ast.comprehension]:
    """An expression and all within it, without texts, and without what only the compiler meets."""
    if isinstance(expression, ast.JoinedStr):
        return
    yield expression
    for child in ast.iter_child_nodes(expression):
        if isinstance(expression, ast.IfExp) and any(name in ast.unparse(expression.test) for name in NOT_RUN):
            if child is not expression.orelse:
                continue
        if isinstance(child, ast.comprehension):
            yield child
            for part in (child.iter, *child.ifs):
                yield from _inside(part)
        elif isinstance(child, ast.keyword):
            if child.arg != "strict":  # of zip: says what holds anyway
                yield from _inside(child.value)
        elif isinstance(child, ast.expr):
            yield from _inside(child)


# --- the changes --------------------------------------------------------------------------------------------------

Change = tuple[str, Edit]


class _Text:
    """A source file in which nodes are found by their bytes."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.lines = [0]
        for line in source.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.lines[node.lineno - 1] + node.col_offset, self.lines[node.end_lineno - 1] + node.end_col_offset

    def of(self, node: ast.expr) -> str:
        start, end = self.span(node)
        return self.source[start:end].decode()

    def replaced(self, node: ast.expr | ast.stmt, text: str) -> Edit:
        return Edit(*self.span(node), text)

    def between(self, left: ast.expr, right: ast.expr, swap: tuple[str, str]) -> Iterator[Change]:
        """The operator between two expressions; it is let be where a comment stands there, too."""
        (_, start), (end, _) = self.span(left), self.span(right)
        gap = self.source[start:end]
        if swap[0].encode() in gap and b"#" not in gap:
            at = start + gap.index(swap[0].encode())
            yield f"{swap[0]} becomes {swap[1]}", Edit(at, at + len(swap[0]), swap[1])


def _changes(statement: ast.stmt, function: Function, text: _Text) -> Iterator[Change]:
    for expression in _expressions(statement):
        for node in _inside(expression):
            yield from _changes_of(node, text)
    match statement:
        case ast.If(test=test) | ast.While(test=test):
            yield from _negated(test, text)
        case ast.AugAssign(op=op) if type(op) in ARITHMETIC:
            old, new = ARITHMETIC[type(op)]
            yield from text.between(statement.target, statement.value, (f"{old}=", f"{new}="))
        case ast.Return(value=ast.expr() as value):
            form = RETURNS.get(ast.unparse(function.returns).partition("[")[0] if function.returns else "")
            if form and text.of(value) != (new := form.format(text.of(value))):
                yield f"returns {form.format('...')}", text.replaced(value, new)
    if _is_removable(statement, function):
        yield "removed", text.replaced(statement, "pass")


def _changes_of(node: ast.expr | ast.comprehension, text: _Text) -> Iterator[Change]:
    match node:
        case ast.Compare():
            sides = [node.left, *node.comparators]
            for left, op, right in zip(sides, node.ops, sides[1:], strict=False):
                yield from text.between(left, right, COMPARISONS[type(op)])
        case ast.BinOp(op=op) if type(op) in ARITHMETIC and not (_is_string(node.left) or _is_string(node.right)):
            yield from text.between(node.left, node.right, ARITHMETIC[type(op)])
        case ast.BoolOp():
            for left, right in zip(node.values, node.values[1:], strict=False):
                yield from text.between(left, right, JUNCTIONS[type(node.op)])
        case ast.Constant(value=int(number)) if not isinstance(number, bool):
            yield "one more", text.replaced(node, str(number + 1))
            yield "one less", text.replaced(node, str(number - 1))
        case ast.Constant(value=bool(truth)):
            yield f"{truth} becomes {not truth}", text.replaced(node, str(not truth))
        case ast.IfExp():
            if not any(name in ast.unparse(node.test) for name in NOT_RUN):
                yield from _negated(node.test, text)
        case ast.comprehension():
            for test in node.ifs:
                yield from _negated(test, text)
        case ast.UnaryOp(op=ast.USub(), operand=operand) if not isinstance(operand, ast.Constant):
            yield "without the minus", text.replaced(node, f"({text.of(operand)})")
        case ast.Call(func=ast.Name(id=name)) if name in FUNCTIONS:
            yield f"{name} becomes {FUNCTIONS[name]}", text.replaced(node.func, FUNCTIONS[name])


def _negated(test: ast.expr, text: _Text) -> Iterator[Change]:
    """A condition the other way round, where no change of a comparison says the same."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield "without the not", text.replaced(test, f"({text.of(test.operand)})")
    elif not (isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) not in ORDER):
        yield "negated", text.replaced(test, f"not ({text.of(test)})")


def _is_string(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _is_removable(statement: ast.stmt, function: Function) -> bool:
    """Whether the function can go on without the statement: what it assigns is there already."""
    match statement:
        case ast.Raise() | ast.Continue() | ast.Break() | ast.Delete() | ast.AugAssign() | ast.Expr(value=ast.Call()):
            return True
        case ast.Assign(targets=[target]) | ast.AnnAssign(target=target, value=ast.expr()):
            text = statement.value is not None and _is_string(statement.value)
            return not text and (not isinstance(target, ast.Name | ast.Tuple) or _is_known_before(target, statement, function))
    return False


def _is_known_before(target: ast.expr, statement: ast.stmt, function: Function) -> bool:
    everything = function.args
    known = {arg.arg for arg in (*everything.posonlyargs, *everything.args, *everything.kwonlyargs)}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.lineno < statement.lineno:
            known.add(node.id)
    return all(node.id in known for node in ast.walk(target) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
