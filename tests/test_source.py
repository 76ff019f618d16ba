"""The text of a function is found wherever Python can show it, and is the text of what runs."""

import functools
import importlib.util
import linecache
import math
import os
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import gast
import numpy as np
import pytest

from pullback.compiler.emit.printer import printed
from pullback.compiler.errors import ArgumentError, DerivativeError, UnsupportedError
from pullback.compiler.frontend import definitions
from pullback.compiler.frontend.definitions import definitions_in, same_code
from pullback.compiler.frontend.source import find_source, shown_file, source_from_text

Load = Callable[..., ModuleType]


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Load]:
    """Writes a module, imports it, and forgets it after the test."""
    names: list[str] = []

    def load(text: str | bytes, name: str = "") -> ModuleType:
        name = name or f"written_{len(names)}"
        path = tmp_path / f"{name}.py"
        path.write_bytes(text if isinstance(text, bytes) else textwrap.dedent(text).encode())
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        names.append(name)
        spec.loader.exec_module(module)
        return module

    yield load
    for name in names:
        sys.modules.pop(name, None)


def body(function: Any) -> str:
    return printed(find_source(function).tree)


def refusal(function: Any, kind: type[DerivativeError] = UnsupportedError) -> str:
    with pytest.raises(kind) as caught:
        find_source(function)
    return str(caught.value)


def test_a_function_comes_with_its_place_and_its_whole_file(load: Load, tmp_path: Path) -> None:
    module = load("""\
        import math


        def loss(x, k=2.0):
            '''About it.'''
            return k * math.sin(x)
        """)
    source = find_source(module.loss)
    assert (source.name, source.line) == ("loss", 4)
    assert Path(source.file).name == "written_0.py"
    assert source.lines[3] == "def loss(x, k=2.0):"
    assert isinstance(source.tree, gast.FunctionDef)
    returned = source.tree.body[1]
    assert (returned.lineno, returned.col_offset) == (6, 4)
    assert (returned.value.lineno, returned.value.col_offset) == (6, 11)


def test_trees_are_made_anew_so_that_passes_may_change_them(load: Load) -> None:
    module = load("def f(x): return x")
    find_source(module.f).tree.body.clear()
    assert body(module.f) == "def f(x):\n    return x\n"


def test_methods_nested_functions_and_closures(load: Load) -> None:
    module = load("""\
        class Model:
            def value(self, x): return x + 1

            @classmethod
            def make(cls, x): return x + 2

            @staticmethod
            def plain(x): return x + 3

        def outer(k):
            def inner(x):
                return k * x
            return inner
        """)
    model = module.Model()
    assert "x + 1" in body(module.Model.value) and "x + 1" in body(model.value)
    assert "x + 2" in body(module.Model.make) and "x + 2" in body(module.Model.__dict__["make"])
    assert "x + 3" in body(module.Model.plain) and "x + 3" in body(module.Model.__dict__["plain"])
    assert find_source(model.value).tree.col_offset == 4
    assert body(module.outer(3)) == "def inner(x):\n    return k * x\n"


def test_the_code_that_runs_decides_not_what_it_says_it_wraps(load: Load) -> None:
    module = load("""\
        import functools

        def doubled(f):
            @functools.wraps(f)
            def wrapper(x):
                return 2 * f(x)
            return wrapper

        def unchanged(f):
            f.seen = True
            return f

        @doubled
        def first(x):
            return x

        @unchanged
        @unchanged
        def second(x):
            return x
        """)
    assert find_source(module.first).name == "wrapper"
    source = find_source(module.second)
    assert (source.name, source.line, source.tree.decorator_list) == ("second", 19, [])


def test_a_changed_name_does_not_matter(load: Load) -> None:
    module = load("def f(x): return x")
    module.f.__name__ = module.f.__qualname__ = "other"
    assert find_source(module.f).name == "f"


def test_of_functions_with_one_name_the_line_decides(load: Load) -> None:
    module = load("""\
        def f(x): return 1
        first = f
        def f(x): return 2
        if first:
            second = f
            def f(x): return 3
        """)
    found = [body(f).split()[-1] for f in (module.first, module.second, module.f)]
    assert found == ["1", "2", "3"]


# Lambdas


def test_a_lambda_is_a_function_with_one_return(load: Load) -> None:
    module = load("""\
        square = lambda x: x * x
        table = {"half":
                 lambda x, k=2.0: x / k}
        longer = (
            lambda x: x
            + 1.0
        )
        """)
    assert body(module.square) == "def lambda_square(x):\n    return x * x\n"
    half = find_source(module.table["half"])
    assert (half.name, half.line, half.tree.col_offset) == ("lambda_3", 3, 9)
    assert (half.tree.body[0].lineno, half.tree.body[0].col_offset) == (3, 26)
    assert body(module.longer) == "def lambda_longer(x):\n    return x + 1.0\n"


LAMBDAS = """\
many = (lambda x: x * x, lambda x: x * 7.0, lambda x: x * 7, lambda: 1.0, lambda: 2.0, lambda: "a")
nested = lambda x: (lambda y: x * y)
alike = [lambda x: x + k for k in range(2)] + [lambda x: x + k for k in range(2)]
spread = (lambda x: x if x > 0
          else -x, lambda x: x if x > 0
          else -2 * x)
defaults = lambda x, f=lambda: 1.0: x * f()
unicode = ("ä", lambda x: "ä" + x, lambda x: "ö" + x)
"""

EXPECTED = ["x * x", "x * 7.0", "x * 7", "1.0", "2.0", '"a"']


def check_lambdas(module: ModuleType) -> None:
    assert [body(f).split("return ")[1].strip() for f in module.many] == EXPECTED
    assert body(module.nested).endswith("return lambda y: x * y\n")
    assert body(module.nested(2.0)) == "def lambda_2(y):\n    return x * y\n"
    assert {body(f) for f in module.alike} == {"def lambda_3(x):\n    return x + k\n"}
    assert body(module.spread[0]).endswith("else -x\n")
    assert body(module.spread[1]).endswith("else -2 * x\n")
    assert body(module.defaults).endswith("return x * f()\n")
    assert body(module.defaults.__defaults__[0]).endswith("return 1.0\n")
    assert [body(f)[-9:] for f in module.unicode[1:]] == [' "ä" + x\n', ' "ö" + x\n']


def test_lambdas_on_one_line_are_told_apart(load: Load) -> None:
    check_lambdas(load(LAMBDAS))


def test_lambdas_are_told_apart_by_their_code_where_positions_were_not_kept(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(definitions, "_extent", lambda code: None)
    check_lambdas(load(LAMBDAS))


def test_lambdas_that_cannot_be_told_apart_are_refused(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The one writes a constant that the other computes: Python compiles both to the same code.
    module = load("pair = (lambda: 2.0 * 3.0, lambda: 6.0)")
    monkeypatch.setattr(definitions, "_extent", lambda code: None)
    message = refusal(module.pair[1])
    assert "written_0.py:1: " in message
    assert "lambda" in message and "ambiguous" in message and "source" in message


# Files


@pytest.mark.parametrize(
    "text",
    [
        b"import math\r\ndef f(x):\r\n\tif x:\r\n\t\treturn x * 2\r\n\treturn x\r\n",
        b"# -*- coding: latin-1 -*-\ndef f(x):\n    s = '\xe9'; return x * 2\n",
        b"\xef\xbb\xbf# comment\ndef f(x): return x * 2\n",
        b"import math\n\x0c\ndef f(x): return x * 2\n",
        b"x = 1 + \\\n    2\ndef \\\n    f(x): return x * \\\n    2\n",
        b"def f(x):  # type: (float) -> float\n    y = x  # type: ignore\n    return x * 2\n",
        b"import math; pattern = '\\d'\ndef f(x): return x * 2",
        b"from __future__ import annotations\ndef f(x: float) -> 'T': return x * 2\n",
        b"s = '''a\x0cb\x1cc'''\ndef f(x): return x * 2\n",
    ],
    ids=["crlf and tabs", "latin-1", "byte order mark", "form feed", "continuation",
         "type comments", "bad escape", "future", "separators in a string"],
)  # fmt: skip
def test_files_of_every_kind(load: Load, text: bytes) -> None:
    with pytest.warns(Warning) if b"\\d" in text else pytest.MonkeyPatch.context():
        module = load(text)
    source = find_source(module.f)
    assert "x * 2" in printed(source.tree)
    assert source.lines[source.line - 1].startswith("def")
    assert source.line == module.f.__code__.co_firstlineno


def test_columns_count_characters(load: Load) -> None:
    module = load("def f(x):\n    α = 'äöü', x; return α\n")
    source = find_source(module.f)
    returned = source.tree.body[1]
    assert source.lines[1][returned.col_offset : returned.end_col_offset] == "return α"


def test_a_large_file_is_parsed_once(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    module = load("".join(f"def f{i}(x): return lambda y: x + {i}\n" for i in range(300)))
    parsed = []
    original = definitions._parsed
    monkeypatch.setattr(
        definitions, "_parsed", lambda text, flags: parsed.append(1) or original(text, flags)
    )
    for i in range(300):
        assert f"return lambda y: x + {i}\n" in body(getattr(module, f"f{i}"))
        assert f"return x + {i}\n" in body(getattr(module, f"f{i}")(1))
    assert len(parsed) == 1


def test_a_relative_file_name_is_shown_below_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert shown_file(os.path.join(os.getcwd(), "sub", "a.py")) == os.path.join("sub", "a.py")
    assert shown_file("/elsewhere/a.py") == "/elsewhere/a.py"


def test_a_deleted_current_folder_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getcwd", lambda: os.stat(tmp_path / "missing"))
    assert shown_file("/elsewhere/a.py") == "/elsewhere/a.py"


# Notebooks and prompts


def run_cell(text: str, name: str) -> dict[str, Any]:
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(text, name, "exec"), space)
    return space


def test_a_notebook_cell() -> None:
    space = run_cell("k = 2.0\ndef f(x):\n    return k * x\n", "<ipython-input-7-0123456789ab>")
    source = find_source(space["f"])
    assert (source.file, source.line) == ("In [7]", 2)
    assert printed(source.tree) == "def f(x):\n    return k * x\n"


def test_a_notebook_cell_with_a_shell_that_knows_its_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Shell:
        class compile:
            @staticmethod
            def format_code_name(name: str) -> tuple[str, str] | None:
                return ("Cell", "In[3]") if "ipykernel" in name else None

    module = ModuleType("IPython")
    module.get_ipython = Shell  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", module)
    assert shown_file("/tmp/ipykernel_17/4242.py") == "Cell In[3]"
    assert shown_file("/elsewhere/a.py") == "/elsewhere/a.py"


def test_a_prompt_that_keeps_its_lines() -> None:
    assert "x + 1" in body(run_cell("f = lambda x: x + 1\n", "<python-input-0>")["f"])


def test_a_text_that_only_has_the_same_name_is_not_taken() -> None:
    name = "<python-input-1>"
    f = run_cell("def f(x):\n    return x + 1\n", name)["f"]
    run_cell("def f(x):\n    return x + 2\n", name)
    assert "source of `f` is not available" in refusal(f)


# Text that is not what runs


@pytest.mark.parametrize(
    "later",
    [
        "def g(x):\n    return 2.0 * x\n",
        "# moved\ndef f(x):\n    return 2.0 * x\n",
        "def f(x):\n    return 3.0 * x\n",
        "def f(x):\n    return 2.0 + x\n",
        "def f(x):\n    return 2 * x\n",
        "def f(y):\n    return 2.0 * y\n",
        "def f(x:\n",
    ],
)
def test_a_file_that_changed_since_it_was_imported_is_refused(load: Load, later: str) -> None:
    module = load("def f(x):\n    return 2.0 * x\n")
    path = Path(module.__file__ or "")
    path.write_text(later)
    os.utime(path, (time.time() + 5, time.time() + 5))
    message = refusal(module.f)
    assert "written_0.py:1: the source of `f` is not here any more" in message


def test_a_change_elsewhere_in_the_file_is_fine(load: Load) -> None:
    module = load("def f(x):\n    return 2.0 * x\n")
    path = Path(module.__file__ or "")
    path.write_text("def f(x):\n    return 2.0 * x  # still\n\ndef g(x): return x\n")
    os.utime(path, (time.time() + 5, time.time() + 5))
    assert "2.0 * x" in body(module.f)


def test_old_files_are_not_compared_as_their_bytecode_may_be_older(load: Load) -> None:
    module = load("def f(x):\n    return 2.0 * x\n")
    module.f.__code__ = module.f.__code__.replace(co_stacksize=50)
    assert "2.0 * x" in body(module.f)
    module.f.__code__ = (lambda x: x).__code__.replace(
        co_filename=module.__file__ or "", co_firstlineno=1, co_name="f"
    )
    assert "not here any more" in refusal(module.f)
    old = time.time() - 10 * 24 * 3600
    os.utime(module.__file__ or "", (old, old))
    assert "2.0 * x" in body(module.f)


def test_functions_whose_asserts_pytest_rewrote() -> None:
    def checked(x: float) -> float:
        assert x > 0, "positive"
        return 2.0 * x

    assert "assert x > 0" in body(checked)
    assert "x * 5" in body(lambda x: x * 5) and "x * 6" in body(lambda x: x * 6)


def test_same_code_means_same_constants_and_operations() -> None:
    def code(text: str) -> Any:
        return compile(text, "a", "exec")

    assert same_code(code("f = lambda x: x + 1"), code("\n\nf =   lambda x:(x+1)"))
    for other in ("f = lambda x: x + 1.0", "f = lambda x: x - 1", "f = lambda y: y + 1"):
        assert not same_code(code("f = lambda x: x + 1"), code(other))


# Refusals


def test_functions_without_source() -> None:
    space: dict[str, Any] = {}
    exec("def ghost(x):\n    return x * x\n", space)
    assert "source of `ghost` is not available" in refusal(space["ghost"])
    assert "Way out: write the function in a file" in refusal(space["ghost"])
    assert "source" in refusal(eval("lambda x: x * x"))


@pytest.mark.parametrize("function", [math.sin, np.sin, np.dot, len, [].append])
def test_builtins_are_refused_by_name(function: Any) -> None:
    message = refusal(function)
    assert "source" in message and "Way out" in message
    assert f"`{getattr(function, '__qualname__', function.__name__)}`" in message


def test_wrappers_that_are_no_functions_name_what_they_wrap() -> None:
    @functools.lru_cache
    def cached(x: float) -> float:
        return x

    assert "`__wrapped__`" in refusal(cached)
    assert "object of type partial" in refusal(functools.partial(cached, 1))


def test_generators_are_refused_at_their_first_own_yield(load: Load) -> None:
    module = load("""\
        def outer(x):
            def inner():
                yield x
            return inner

        def running(x):
            f = lambda: (yield)
            for k in range(3):
                total = [(yield x * k)]
            yield from total

        silent = lambda x: (yield x)
        """)
    assert find_source(module.outer).name == "outer"
    message = refusal(module.running)
    assert "written_0.py:9: `running` is a generator function: it has a `yield`" in message
    assert " 9 |         total = [(yield x * k)]\n" in message
    assert "\n     |                   ^^^^^\n" in message
    assert ":12:" in refusal(module.silent)


def test_async_functions_are_refused_at_their_definition(load: Load) -> None:
    module = load("""\
        def unchanged(f): return f

        @unchanged
        async def later(x):
            yield x
        """)
    message = refusal(module.later)
    assert "written_0.py:4: `later` is an async function" in message and "coroutine" in message


def test_what_is_no_function_is_refused_by_type() -> None:
    message = refusal(3.0, ArgumentError)
    assert "function" in message and "float" in message and "not callable" in message
    assert "`int` is a class" in refusal(int, ArgumentError)
    with pytest.raises(TypeError):
        find_source(None)


# Text that is never imported


TEXT = """\
import missing_module

def loss(x): return x
class Model:
    class Part:
        def value(self, x): return x + 1
    def value(self, x): return x + 2
def outer(x):
    if x:
        def inner(y): return y
    return inner
try:
    def chosen(x): return 1
except ImportError:
    def chosen(x): return 2
square = lambda x: x * x
async def later(x): return x
"""


@pytest.mark.parametrize(
    "qualname, line, text",
    [
        ("loss", 3, "return x"),
        ("Model.value", 7, "return x + 2"),
        ("Model.Part.value", 6, "return x + 1"),
        ("outer.inner", 10, "return y"),
        ("outer.<locals>.inner", 10, "return y"),
        ("chosen", 15, "return 2"),
        ("square", 16, "return x * x"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_functions_are_found_by_name(qualname: str, line: int, text: str, newline: str) -> None:
    source = source_from_text("\ufeff" + TEXT.replace("\n", newline), "file.py", qualname)
    assert (source.file, source.line) == ("file.py", line)
    assert printed(source.tree).endswith(text + "\n")


@pytest.mark.parametrize(
    "qualname, message",
    [
        ("los", "no function `los` in file.py\n   Defined there: loss, Model, outer, chosen"),
        ("los", "Way out: did you mean `loss`?"),
        ("Model.values", "no function `values` in `Model` in file.py\n   Defined there: Part, va"),
        ("Model.values", "did you mean `Model.value`?"),
        ("loss.inner", "Nothing is defined there."),
        ("Model", "file.py:4: `Model` is a class, not a function"),
    ],
)
def test_names_that_are_no_functions(qualname: str, message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        source_from_text(TEXT, "file.py", qualname)
    assert message in str(caught.value)


def test_an_async_function_by_name() -> None:
    with pytest.raises(UnsupportedError, match="file.py:17: `later` is an async function"):
        source_from_text(TEXT, "file.py", "later")


def test_a_text_that_is_not_python() -> None:
    with pytest.raises(ArgumentError, match="file.py:2: not valid Python"):
        source_from_text("x = 1\ndef f(:\n", "file.py", "f")
    with pytest.raises(ArgumentError, match="not valid Python"):
        source_from_text("x = '\0'", "file.py", "f")


def test_definitions_are_kept_by_text() -> None:
    assert definitions_in(TEXT) is definitions_in("".join(list(TEXT)))
