"""Finds the text that a function was made from, and refuses what is not an ordinary function.

    half = lambda x: x / 2      (line 7 of a file)
→
    Source("lambda_half", "file.py", 7, lines of the file, `def lambda_half(x): return x / 2`)
"""

import ast
import difflib
import inspect
import linecache
import os
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from types import CodeType, FunctionType, MethodType
from typing import Any, NoReturn

import gast

from pullback.compiler.errors import ArgumentError, Diagnostic, Span, UnsupportedError
from pullback.compiler.frontend.definitions import (
    Definition,
    Definitions,
    codes_within,
    definitions_in,
)
from pullback.compiler.frontend.libraries import LIBRARIES
from pullback.compiler.ir.walk import every_node

# A file that was last written before this was surely imported as it stands, perhaps from bytecode
# that another release of Python left and that would not compare equal.
_RECENT = time.time() - 24 * 3600


@dataclass(frozen=True, eq=False)
class Source:
    """A function's text: its tree has no decorators, and the file's own lines and columns.

    Columns count characters; `lines` is the whole file.
    """

    name: str
    file: str
    line: int
    lines: tuple[str, ...]
    tree: gast.FunctionDef


def own_signature(function: Any) -> inspect.Signature:
    """The parameters that the code takes, whatever function it says that it wraps; of a derivative or partial, those it passes on."""
    own = getattr(function, "signature", None)
    return own if isinstance(own, inspect.Signature) else inspect.signature(function, follow_wrapped=False)


def find_source(function: Any, generators: bool = False) -> Source:
    """The text of a Python function, method or lambda; refuses, with the reason, if there is none.

    What counts is the code that runs: `__wrapped__` and `__name__` are not looked at. A generator
    function is no function, unless asked for.
    """
    function = _plain_function(function)
    code = function.__code__
    text = _text_of(function)
    if not text:
        _refuse_missing(function)
    try:
        definitions = definitions_in(text, code.co_flags)
    except (SyntaxError, ValueError) as error:
        _refuse_changed(function, f"It does not parse: {error}.")
    found = definitions.of(code)
    if len(found) > 1:
        _refuse_ambiguous(code, definitions)
    if not found or not _is_current(definitions, code):
        _refuse_changed(function)
    return source_of(found[0], definitions, shown_file(code.co_filename), generators)


def source_from_text(text: str, file: str, qualname: str) -> Source:
    """The function that `qualname` names in a text: `f`, `Class.method` or `outer.inner`."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    try:
        definitions = definitions_in(text)
    except SyntaxError as error:
        column = (error.offset or 1) - 1
        span = Span(file, error.lineno or 1, column, column + 1, tuple(text.split("\n")))
        raise ArgumentError(Diagnostic("syntax", f"not valid Python: {error.msg}", span)) from None
    except ValueError as error:
        raise ArgumentError(Diagnostic("syntax", f"{file} is not valid Python: {error}")) from None
    scope: ast.AST = definitions.tree
    path = [part for part in qualname.split(".") if part != "<locals>"]
    for i, part in enumerate(path):
        inside = _named_in(scope)
        if part not in inside:
            _refuse_unknown(file, path[: i + 1], list(inside))
        scope = inside[part]
    if isinstance(scope, ast.ClassDef):
        _refuse_class(f"`{qualname}`", Span(file, scope.lineno, lines=definitions.lines))
    assert isinstance(scope, Definition)
    return source_of(scope, definitions, file)


def shown_file(filename: str) -> str:
    """A file as its user knows it: relative if below the current folder, `In [3]` in a notebook."""
    if filename.startswith("<ipython-input-"):
        return f"In [{filename.split('-')[2]}]"
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    cell = shell and getattr(shell.compile, "format_code_name", lambda name: None)(filename)
    if cell:
        return " ".join(cell)
    with suppress(OSError):  # the current folder may be gone
        return filename.removeprefix(os.getcwd() + os.sep)
    return filename


# From a function to its text


def _plain_function(function: Any) -> FunctionType:
    while isinstance(function, MethodType | classmethod | staticmethod):
        function = function.__func__
    if isinstance(function, FunctionType):
        return function
    name = _name_of(function)
    if isinstance(function, type):
        _refuse_class(name, None)
    if not callable(function):
        problem = f"expected a function, got {name}, which is not callable"
        advice = "pass the function itself, not the result of calling it."
        raise ArgumentError(Diagnostic("callable", problem, advice=advice))
    problem = f"there is no Python source for {name}"
    cause = "Only functions written in Python can be read: no builtins, no objects with a __call__."
    advice = "write a function that makes the call, `def f(x): return ...`."
    wrapped = getattr(function, "__wrapped__", None)
    if isinstance(wrapped, FunctionType) and not wrapped.__code__.co_filename.startswith(LIBRARIES):
        advice = "pass the function that it wraps, its `__wrapped__`."
    raise UnsupportedError(Diagnostic("source", problem, cause=cause, advice=advice))


def _name_of(function: Any) -> str:
    name = getattr(function, "__qualname__", getattr(function, "__name__", None))
    return f"`{name}`" if isinstance(name, str) else f"an object of type {type(function).__name__}"


def _text_of(function: FunctionType) -> str:
    file = function.__code__.co_filename
    linecache.checkcache(file)
    return "".join(linecache.getlines(file, function.__globals__))


def _is_current(definitions: Definitions, code: CodeType) -> bool:
    """Is the text what the code was compiled from, and not a later version of the file?"""
    with suppress(OSError):  # no file: a notebook's cell, a zipped module
        if os.stat(code.co_filename).st_mtime < _RECENT:
            return True
    # pytest compiles `assert` statements to something else than they say.
    rewritten = any(n.startswith("@py_") for c in codes_within(code) for n in c.co_varnames)
    try:
        return rewritten or definitions.compiles_to(code)
    except SyntaxError:
        return True


# From a definition to a tree


def source_of(node: Definition, definitions: Definitions, file: str, generators: bool = False) -> Source:
    lines = definitions.lines
    name = getattr(node, "name", "") or f"lambda_{definitions.targets.get(node, node.lineno)}"
    _refuse_kind(node, name, file, lines, generators)
    tree = gast.ast_to_gast(node)
    if isinstance(node, ast.Lambda):
        body = gast.copy_location(gast.Return(tree.body), tree.body)
        function = gast.FunctionDef(name, tree.args, [body], [], None, None, [])
        tree = gast.copy_location(function, tree)
    tree.decorator_list = []
    _count_characters(tree, lines)
    return Source(name, file, tree.lineno, lines, tree)


def _count_characters(tree: gast.AST, lines: tuple[str, ...]) -> None:
    """Python counts columns in bytes of UTF-8."""
    for node in every_node(tree):
        for line, column in (("lineno", "col_offset"), ("end_lineno", "end_col_offset")):
            number = getattr(node, line, None)
            if number and not (text := lines[number - 1]).isascii():
                before = text.encode()[: getattr(node, column)]
                setattr(node, column, len(before.decode(errors="ignore")))


def _named_in(scope: ast.AST) -> dict[str, Definition | ast.ClassDef]:
    """What a body defines by name, also in `if`, `try` and other blocks; the last one counts."""
    found: dict[str, Definition | ast.ClassDef] = {}
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[node.name] = node
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            found |= {t.id: node.value for t in node.targets if isinstance(t, ast.Name)}
        elif isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
            found |= _named_in(node)
    return found


# Refusals


def _refuse_kind(node: Definition, name: str, file: str, lines: tuple[str, ...], generators: bool) -> None:
    if isinstance(node, ast.AsyncFunctionDef):
        span = Span(file, node.lineno, node.col_offset, node.col_offset + len("async"), lines)
        problem = f"`{name}` is an async function: calling it makes a coroutine"
        advice = "differentiate a plain function that computes the same."
        raise UnsupportedError(Diagnostic("async", problem, span, advice=advice))
    found = None if generators else _first_yield(node)
    if found is not None:
        span = Span(file, found.lineno, found.col_offset, found.col_offset + len("yield"), lines)
        problem = f"`{name}` is a generator function: it has a `yield`"
        advice = "collect the values in a list and return that."
        raise UnsupportedError(Diagnostic("generator", problem, span, advice=advice))


def _first_yield(function: Definition) -> ast.expr | None:
    """The first `yield` that is the function's own."""
    own: list[ast.AST] = [*function.body] if isinstance(function.body, list) else [function.body]
    found: list[ast.expr] = []
    while own:
        node = own.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            found.append(node)
        if not isinstance(node, Definition | ast.ClassDef):
            own += ast.iter_child_nodes(node)
    return min(found, key=lambda n: (n.lineno, n.col_offset), default=None)


def _refuse_class(name: str, span: Span | None) -> NoReturn:
    problem = f"{name} is a class, not a function"
    advice = "name a method of it, or wrap the call in a function."
    raise ArgumentError(Diagnostic("callable", problem, span, advice=advice))


def _refuse_missing(function: FunctionType) -> NoReturn:
    problem = f"the source of {_name_of(function)} is not available"
    cause = f"Its code comes from {function.__code__.co_filename}, which cannot be read."
    if function.__code__.co_filename.startswith("<"):
        cause = "It was typed at a prompt, or made by exec or eval: its text was not kept."
    advice = "write the function in a file, or in a notebook cell without a %% line."
    raise UnsupportedError(Diagnostic("source", problem, cause=cause, advice=advice))


def _refuse_changed(function: FunctionType, cause: str = "") -> NoReturn:
    code = function.__code__
    if code.co_filename.startswith("<"):  # another text that happens to have this name
        _refuse_missing(function)
    problem = f"the source of {_name_of(function)} is not here any more"
    cause = cause or "What the file says now is not what was loaded and runs."
    advice = "restart Python, or import the module again, so that both agree."
    span = Span(shown_file(code.co_filename), code.co_firstlineno)
    raise UnsupportedError(Diagnostic("source", problem, span, cause, advice))


def _refuse_ambiguous(code: CodeType, definitions: Definitions) -> NoReturn:
    problem = "the source of this lambda is ambiguous: there are others on its line"
    advice = "give each lambda a line of its own, or write a `def`."
    span = Span(shown_file(code.co_filename), code.co_firstlineno, lines=definitions.lines)
    raise UnsupportedError(Diagnostic("source", problem, span, advice=advice))


def _refuse_unknown(file: str, path: list[str], known: list[str]) -> NoReturn:
    where = f"`{'.'.join(path[:-1])}` in {file}" if path[:-1] else file
    close = difflib.get_close_matches(path[-1], known, n=1)
    cause = f"Defined there: {', '.join(known)}." if known else "Nothing is defined there."
    advice = f"did you mean `{'.'.join([*path[:-1], *close])}`?" if close else ""
    problem = f"no function `{path[-1]}` in {where}"
    raise ArgumentError(Diagnostic("name", problem, cause=cause, advice=advice))
