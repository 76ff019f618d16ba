"""Generated text runs as functions that tracebacks and inspect can show."""

import gc
import inspect
import linecache
import threading
import traceback
from typing import Any

import pytest

from pullback.compiler.emit.load import load

TEXT = '''def {name}(x):
    """Doc \x0c with a form feed."""
    # 3: the comment stays
    return one / x
'''


def text(name: str) -> str:
    return TEXT.replace("{name}", name)


def test_names_come_from_a_copy_of_the_namespace() -> None:
    space: dict[str, Any] = {"one": 1.0}
    loaded = load(text("f_names"), "f_names", space)
    assert loaded["f_names"](2.0) == 0.5
    assert loaded["f_names"].__globals__ is loaded
    assert space == {"one": 1.0}


def test_tracebacks_and_inspect_show_the_text() -> None:
    f = load(text("f_shown"), "f_shown", {"one": 1.0})["f_shown"]
    linecache.checkcache()
    assert inspect.getsource(f) == text("f_shown")
    with pytest.raises(ZeroDivisionError) as caught:
        f(0.0)
    shown = "".join(traceback.format_exception(caught.value))
    assert 'File "<pullback f_shown>", line 4, in f_shown\n    return one / x' in shown


def test_a_text_keeps_its_file_name_and_other_texts_have_others() -> None:
    files = []
    for result in ("1", "2", "1", "3", "2"):
        function = load(f"def f_numbered(x): return {result}", "f_numbered")["f_numbered"]
        files.append(function.__code__.co_filename)
    number = ["<pullback f_numbered>", "<pullback f_numbered 2>", "<pullback f_numbered 3>"]
    assert files == [number[0], number[1], number[0], number[2], number[1]]


def test_a_hint_names_the_file() -> None:
    f = load("def f_hinted(): pass", "f_hinted", filename_hint="gradient of f")["f_hinted"]
    assert f.__code__.co_filename == "<pullback gradient of f>"


def test_lines_are_kept_as_long_as_a_function_needs_them() -> None:
    first = load(text("f_kept"), "f_kept")["f_kept"]
    second = load(text("f_kept"), "f_kept")["f_kept"]
    file = first.__code__.co_filename
    del first
    gc.collect()
    load("def other(): pass", "other")
    assert linecache.getlines(file)
    del second
    gc.collect()
    load("def other(): pass", "other")
    assert file not in linecache.cache


def test_lines_are_there_when_running_the_text_fails() -> None:
    with pytest.raises(NameError) as caught:
        load("def f_failing(): pass\nmissing\n", "f_failing")
    assert "\n    missing\n" in "".join(traceback.format_exception(caught.value))


def test_many_threads_may_load_at_once() -> None:
    results: list[tuple[int, Any]] = []

    def work(i: int) -> None:
        for k in range(20):
            f = load(f"def f_thread(): return {k % 5 + i}\n", "f_thread")["f_thread"]
            results.append((k % 5 + i, f))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    names: dict[str, int] = {}
    for value, f in results:
        assert f() == value
        assert inspect.getsource(f) == f"def f_thread(): return {value}\n"
        assert names.setdefault(f.__code__.co_filename, value) == value
    assert len(names) == 12
