"""Where a file defines its functions: each file is parsed once, and searched by line."""

import __future__

import ast
import copy
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property, lru_cache
from types import CodeType

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Extent = tuple[tuple[int, int], tuple[int, int]]  # (line, column) of the start and of the end

LAMBDA = "<lambda>"
FILES = 64  # parsed files that are kept

_lock = threading.RLock()


class Definitions:
    """The functions of one source text; `SyntaxError` or `ValueError` if it is not Python."""

    def __init__(self, text: str, flags: int) -> None:
        self.flags = flags
        self.lines = tuple(text.split("\n"))
        self.tree = _parsed(text, flags)
        self.functions: dict[tuple[int, str], Definition] = {}
        self.lambdas: dict[int, list[ast.Lambda]] = {}
        self.targets: dict[ast.AST, str] = {}  # square = lambda x: x * x  → "square"
        for node in ast.walk(self.tree):
            self._enter(node)

    def _enter(self, node: ast.AST) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            self.functions[first, node.name] = node
        elif isinstance(node, ast.Lambda):
            self.lambdas.setdefault(node.lineno, []).append(node)
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if isinstance(target, ast.Name) and node.value is not None:
                self.targets[node.value] = target.id

    def of(self, code: CodeType) -> list[Definition]:
        """The definitions that `code` may come from: one, unless lambdas cannot be told apart."""
        if code.co_name != LAMBDA:
            found = self.functions.get((code.co_firstlineno, code.co_name))
            return [] if found is None else [found]
        candidates = self.lambdas.get(code.co_firstlineno, [])
        if len(candidates) > 1:
            candidates = _around(_extent(code), candidates)
        if len(candidates) > 1:
            candidates = [c for c in candidates if self._is_code_of(c, code)]
        # Twice the same text: either will do.
        return list({ast.dump(c): c for c in candidates}.values())

    def compiles_to(self, code: CodeType) -> bool:
        """Is `code` what Python makes of this text at its place?"""
        # Nothing is compiled there inside an `assert` under -O, which pytest keeps.
        compiled = self._codes.get((code.co_firstlineno, code.co_name), [code])
        return any(same_code(c, code) for c in compiled)

    @cached_property
    def _codes(self) -> dict[tuple[int, str], list[CodeType]]:
        found: dict[tuple[int, str], list[CodeType]] = {}
        for code in _codes_in(_compiled(self.tree, self.flags)):
            found.setdefault((code.co_firstlineno, code.co_name), []).append(code)
        return found

    def _is_code_of(self, function: ast.Lambda, code: CodeType) -> bool:
        # Moved below the text, its code is the first one that starts there.
        line = len(self.lines) + 1
        tree = copy.deepcopy(self.tree)
        twin = dict(zip(ast.walk(self.tree), ast.walk(tree)))[function]
        assert isinstance(twin, ast.Lambda)
        down = line - twin.lineno
        for node in (twin, *ast.walk(twin.body)):
            if isinstance(node, ast.expr):
                node.lineno += down
                node.end_lineno = (node.end_lineno or node.lineno) + down
        codes = _codes_in(_compiled(tree, self.flags))
        moved = [c for c in codes if (c.co_firstlineno, c.co_name) == (line, LAMBDA)]
        return bool(moved) and same_code(moved[0], code)


def definitions_in(text: str, flags: int = 0) -> Definitions:
    """The functions of a text, found once; `flags` are those of its code objects."""
    with _lock:
        return _definitions_in(text, flags & __future__.annotations.compiler_flag)


_definitions_in = lru_cache(FILES)(Definitions)


def same_code(a: CodeType, b: CodeType) -> bool:
    """Do two code objects compute the same, wherever their text stands?"""
    return _placeless(a) == _placeless(b)


def codes_within(code: CodeType) -> Iterator[CodeType]:
    """A code object and those of the functions it defines."""
    yield code
    yield from _codes_in(code)


def _codes_in(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes_within(constant)


def _placeless(code: CodeType) -> CodeType:
    constants = tuple(_placeless(c) if isinstance(c, CodeType) else c for c in code.co_consts)
    return code.replace(co_filename="", co_firstlineno=1, co_linetable=b"", co_consts=constants)


def _parsed(text: str, flags: int) -> ast.Module:
    with _quiet():
        return compile(text, "<source>", "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)


def _compiled(tree: ast.Module, flags: int) -> CodeType:
    flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT  # in a notebook's cell
    with _quiet():
        return compile(tree, "<source>", "exec", flags, dont_inherit=True)


@contextmanager
def _quiet() -> Iterator[None]:
    """No warnings: they were shown when the file was imported."""
    with _lock, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _around(extent: Extent | None, candidates: list[ast.Lambda]) -> list[ast.Lambda]:
    """The innermost of the lambdas whose bodies hold everything that the code computes."""
    if extent is None:
        return candidates
    spans = {c: _span(c.body) for c in candidates}
    holding = [c for c, s in spans.items() if s[0] <= extent[0] and extent[1] <= s[1]]
    return sorted(holding, key=lambda c: spans[c][0])[-1:]


def _span(node: ast.expr) -> Extent:
    assert node.end_lineno is not None and node.end_col_offset is not None
    return (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def _extent(code: CodeType) -> Extent | None:
    """From where to where in its file a code object computes; None if that was not kept."""
    starts, ends = [], []
    for line, end_line, column, end_column in code.co_positions():
        if None not in (line, end_line, column, end_column):
            if (line, column) != (end_line, end_column):  # no place, as in a function's prologue
                starts.append((line, column))
                ends.append((end_line, end_column))
    return (min(starts), max(ends)) if starts else None  # type: ignore[return-value]
