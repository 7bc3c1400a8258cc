"""Every small change that is made to a source file, to see whether a test notices.

Comparisons, arithmetic, `and`/`or`/`not`, small whole numbers, rounding, `min`/`max`, truth values that are returned or
stand as defaults, permissions, refusals, and calls that are made for their effect. What only tells (messages,
annotations, `repr`, progress) stays as it is, as do what mypy reads (`assert`) and what never runs (abstract methods).
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

_COMPARISONS = {
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
_ARITHMETIC = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"),
}
_SWAPPED = {"floor": "ceil", "ceil": "floor", "min": "max", "max": "min", "any": "all", "all": "any"}
_LARGEST = 16  # beyond, a number is a size or a limit, which one more or less seldom changes
# What is called for its effect, though the next lines do not need it.
_EFFECTS = re.compile(
    r"_*(check|refuse|require|force|fsync|flush|chmod|unlink|rmtree|remove|forget|sweep|lock|unlock|drop|close|need"
    r"|settle|postprocess|rounded_up|sort|update|fill|mkdir)"
)
_ROUNDED = re.compile(r"_*rounded_(up|down)$|_*next(after|_up|_down)$")
_TOLD = re.compile(r"_*(progress|part|tell|say|tr|\w*Error|Problem|lru_cache|field)$")
_TOLD_KEYWORDS = frozenset({"strict", "maxsize", "stacklevel", "hint", "indent", "progress"})
_UNTOUCHED = frozenset({"__repr__", "__str__"})


@dataclass(frozen=True)
class Mutant:
    """One change of one file.

    Attributes
    ----------
    file, function
        Where: the path below the project's folder, and the names of class and function ("" outside of both).
    kind
        What sort of change, one word.
    old, new
        The changed line before and after, or lines, in one.
    again
        How many of the same changes come before it in the same function.
    lines
        First and last line of the statement.
    start, end, text
        The bytes that are changed, and into what.
    """

    file: str
    function: str
    kind: str
    old: str
    new: str
    again: int
    lines: tuple[int, int]
    start: int
    end: int
    text: str

    @property
    def name(self) -> tuple[str, str, str, str]:
        """What remains the same when other lines are added: file, function, old and new text."""
        return self.file, self.function, self.old, self.new

    def source(self) -> bytes:
        """Give the whole file after the change."""
        return _changed((ROOT / self.file).read_bytes(), self)

    def is_another_program(self) -> bool:
        """Tell whether Python reads the file after the change, and as something else than before."""
        return _parsed(self.source()) not in (None, _parsed((ROOT / self.file).read_bytes()))


def mutants_of(path: Path) -> list[Mutant]:
    """Give every change of a file in the order of its lines."""
    file, source = path.relative_to(ROOT).as_posix(), path.read_bytes()
    finder = _Finder(source)
    finder.visit(ast.parse(source))
    seen, found = Counter[tuple[str, str, str, str]](), []
    for edit in sorted(finder.edits, key=lambda edit: (edit.start, edit.end, edit.text)):
        changed = _changed(source, edit)
        first, last = source.rfind(b"\n", 0, edit.start) + 1, source.find(b"\n", edit.end)
        old, new = source[first:last], changed[first : last + len(changed) - len(source)]
        name = (file, edit.function, _in_one_line(old), _in_one_line(new))
        place = edit.lines, edit.start, edit.end, edit.text
        found.append(Mutant(file, edit.function, edit.kind, *name[2:], seen[name], *place))
        seen[name] += 1
    return found


@dataclass(frozen=True)
class _Edit:
    kind: str
    function: str
    lines: tuple[int, int]
    start: int
    end: int
    text: str


class _Finder(ast.NodeVisitor):
    def __init__(self, source: bytes) -> None:
        self.source = source
        self.edits: list[_Edit] = []
        self._starts = [0, *(match.end() for match in re.finditer(b"\n", source))]
        self._names: list[str] = []
        self._lines = (1, 1)

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            self._lines = node.lineno, body[0].lineno - 1 if body else node.end_lineno or node.lineno
            self._lines = self._lines[0], max(self._lines)
        super().visit(node)

    # What is left as it is.

    def visit_Raise(self, node: ast.Raise) -> None: ...

    def visit_Assert(self, node: ast.Assert) -> None: ...

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None: ...

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg not in _TOLD_KEYWORDS:
            self.visit(node.value)

    # Where one is.

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._inside(node.name, node.body)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.name in _UNTOUCHED or any(_called(one) == "abstractmethod" for one in node.decorator_list):
            return
        self._names.append(node.name)
        for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            self._lines = default.lineno, default.end_lineno or default.lineno
            self._default(default)
            self.visit(default)
        self._names.pop()
        self._inside(node.name, node.body)

    def _inside(self, name: str, body: list[ast.stmt]) -> None:
        self._names.append(name)
        for statement in body:
            self.visit(statement)
        self._names.pop()

    # What is changed.

    def visit_Compare(self, node: ast.Compare) -> None:
        for left, operator, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
            self._between("comparison", left, right, *_COMPARISONS[type(operator)])
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in _ARITHMETIC and not (_is_text(node.left) or _is_text(node.right)):
            self._between("arithmetic", node.left, node.right, *_ARITHMETIC[type(node.op)])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self._between("logic", left, right, old, new)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._edit("logic", self._start(node), self._start(node.operand), "")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if type(node.value) is not int:
            return
        if self.source.startswith(b"0o", self._start(node)):
            self._replace("permission", node, "0o777")
        elif node.value <= _LARGEST:
            self._replace("number", node, str(node.value + 1))
            self._replace("number", node, str(node.value - 1))

    def visit_Call(self, node: ast.Call) -> None:
        name = _called(node)
        if _TOLD.match(name):
            return
        if name in _SWAPPED:
            end = self._end(node.func)
            self._edit("rounding" if name in ("floor", "ceil") else "extreme", end - len(name), end, _SWAPPED[name])
        if _ROUNDED.match(name) and node.args:
            self._replace("rounding", node, self._text(node.args[0]))
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call) and _EFFECTS.match(_called(node.value)):
            self._replace("dropped call", node, "pass")
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, bool):
            self._replace("answer", node.value, str(not node.value.value))
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        if _called(node.test) == "TYPE_CHECKING":
            return
        if isinstance(node.body[-1], ast.Raise):
            self._replace("refusal", node.test, "False")
        self.generic_visit(node)

    def _default(self, node: ast.expr) -> None:
        if isinstance(node, ast.Constant) and isinstance(node.value, bool):
            self._replace("default", node, str(not node.value))
        elif isinstance(node, ast.Constant) and isinstance(node.value, float):
            self._replace("default", node, repr(2 * node.value + (node.value == 0)))

    # How it is noted.

    def _between(self, kind: str, left: ast.expr, right: ast.expr, old: str, new: str) -> None:
        first = self._end(left)
        at = self.source.find(old.encode(), first, self._start(right))
        if at >= 0:
            self._edit(kind, at, at + len(old), new)

    def _replace(self, kind: str, node: ast.AST, text: str) -> None:
        self._edit(kind, self._start(node), self._end(node), text)

    def _edit(self, kind: str, start: int, end: int, text: str) -> None:
        self.edits.append(_Edit(kind, ".".join(self._names), self._lines, start, end, text))

    def _text(self, node: ast.AST) -> str:
        return self.source[self._start(node) : self._end(node)].decode()

    def _start(self, node: ast.AST) -> int:
        return self._starts[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.AST) -> int:
        return self._starts[node.end_lineno - 1] + node.end_col_offset


def _called(node: ast.AST) -> str:
    while isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _is_text(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return _is_text(node.left) or _is_text(node.right)
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))


def _changed(source: bytes, edit: _Edit | Mutant) -> bytes:
    return source[: edit.start] + edit.text.encode() + source[edit.end :]


def _parsed(source: bytes) -> str | None:
    try:
        return ast.dump(ast.parse(source))
    except SyntaxError:
        return None


def _in_one_line(text: bytes) -> str:
    return " ".join(text.decode().split())


def all_mutants(patterns: tuple[str, ...]) -> Iterator[Mutant]:
    """Give every change of the files that the patterns name, file by file."""
    for path in sorted({path for pattern in patterns for path in ROOT.glob(pattern)}):
        yield from mutants_of(path)
