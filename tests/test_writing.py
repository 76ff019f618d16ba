"""Functions that write do what their text in rules/writing.py says, and `out` is found where a call gives it."""

from typing import Any

import numpy as np
import pytest

from pullback.compiler.rules.writing import split_out, writer_of, writers

A = np.array([0.5, -1.5, 2.5, 0.25])
M = np.arange(12.0).reshape(3, 4)
MASK = np.array([True, False, True, True])

CALLS = [
    (np.copyto, (A, 3.0), {}),
    (np.copyto, (A, A[::-1].copy()), {"where": MASK}),
    (np.copyto, (A, A[::-1].copy(), "same_kind", [True, False, False, True]), {}),
    (np.ndarray.fill, (M, 2.0), {}),
    (np.ndarray.sort, (A,), {}),
    (np.ndarray.sort, (M[::-1],), {"axis": 0, "kind": "stable"}),
    (np.ndarray.partition, (A, 2), {}),
    (np.put, (A, [0, -1], [7.0, 8.0]), {}),
    (np.put, (M, [1, 5, 5], [7.0, 8.0]), {}),
    (np.put, (M.T, [1, 5, 11], 9.0), {}),
    (np.put, (M, [1, 15, -20], [7.0, 8.0, 9.0], "wrap"), {}),
    (np.put, (M, [1, 15, -20], [7.0, 8.0, 9.0]), {"mode": "clip"}),
    (np.ndarray.put, (M, [[1, 2], [3, 4]], [7.0, 8.0, 9.0, 1.0, 5.0]), {}),
    (np.put_along_axis, (M, np.array([[1], [0], [3]]), 5.0), {"axis": 1}),
    (np.put_along_axis, (M, np.array([[1, 0, 2, 2]]), np.array([[5.0, 6.0, 7.0, 8.0]]), 0), {}),
    (np.put_along_axis, (M, np.array([1, 11]), np.array([5.0, 6.0]), None), {}),
    (np.putmask, (A, MASK, [7.0, 8.0]), {}),
    (np.putmask, (M, M > 4.0, 1.0), {}),
    (np.place, (A, MASK, [7.0, 8.0]), {}),
    (np.place, (M, M > 4.0, np.array([7.0, 8.0, 9.0])), {}),
    (np.fill_diagonal, (M, 5.0), {}),
    (np.fill_diagonal, (M.T, [5.0, 6.0]), {}),
    (np.fill_diagonal, (np.zeros((7, 2)), [5.0, 6.0, 7.0], True), {}),
    (np.fill_diagonal, (np.zeros((3, 3, 3)), 2.0), {}),
    (np.add.at, (A, [0, 0, 3], [1.0, 2.0, 3.0]), {}),
    (np.subtract.at, (M, (slice(None), [0, 0]), 1.0), {}),
]


def same_again(target: Any) -> Any:
    """A copy in the same layout."""
    return target.copy() if target.flags.c_contiguous else target.T.copy().T


@pytest.mark.parametrize("function, arguments, keywords", CALLS, ids=lambda x: getattr(x, "__name__", ""))
def test_a_writer_does_what_its_function_does(function: Any, arguments: Any, keywords: Any) -> None:
    wanted, found = same_again(arguments[0]), same_again(arguments[0])
    function(wanted, *arguments[1:], **keywords)
    writer_of(function).function(found, *arguments[1:], **keywords)
    np.testing.assert_array_equal(found, wanted)


def test_every_writer_is_called() -> None:
    assert set(writers()) == {function for function, _, _ in CALLS}


REFUSED_BY_NUMPY = [
    (np.put, (A, [4], 1.0), IndexError),
    (np.put, (M, [-13], 1.0), IndexError),
    (np.fill_diagonal, (A, 1.0), ValueError),
    (np.fill_diagonal, (np.zeros((2, 2, 3)), 1.0), ValueError),
]


@pytest.mark.parametrize("function, arguments, error", REFUSED_BY_NUMPY)
def test_a_writer_refuses_what_its_function_refuses(function: Any, arguments: Any, error: Any) -> None:
    for each in (function, writer_of(function).function):
        with pytest.raises(error):
            each(arguments[0].copy(), *arguments[1:])


OUTS = [
    (np.exp, "uv", "", "u", {}, "v"),
    (np.add, "uv", "o", "uv", {}, "o"),
    (np.add, "uvw", "", "uv", {}, "w"),
    (np.modf, "uvw", "", "u", {}, "vw"),
    (np.clip, "uabo", "", "uab", {}, "o"),
    (np.std, "uadob", "", "uad", {"ddof": "b"}, "o"),
    (np.cumsum, "uado", "", "uad", {}, "o"),
    (np.take, "uiaom", "", "uia", {"mode": "m"}, "o"),
    (np.add.reduce, "uado", "", "uad", {}, "o"),
    (np.maximum.accumulate, "uad", "o", "uad", {}, "o"),
    (np.dot, "uvo", "", "uv", {}, "o"),
    (np.concatenate, "uao", "", "ua", {}, "o"),
    (np.einsum, "uvw", "", "uvw", {}, ""),
    (np.where, "uvw", "", "uvw", {}, ""),
    (print, "uvw", "", "uvw", {}, ""),
]


@pytest.mark.parametrize("function, positional, named, kept, keywords, outs", OUTS)
def test_out_is_found(function: Any, positional: str, named: str, kept: str, keywords: Any, outs: str) -> None:
    found = split_out(function, list(positional), {"out": named} if named else {})
    assert found == (list(kept), keywords, list(outs))
