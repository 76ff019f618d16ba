"""The runtime's broadcasting, masking and indexing functions; slopes and adjoints are tested by
test_rules.py."""

import ast
import inspect
import math
import warnings
from pathlib import Path

import numpy as np
import pytest

import pullback.runtime
from pullback.runtime.arrays import (
    add_rows,
    count,
    divide_or_zero,
    expand,
    ieee_divide,
    is_basic,
    masked_product,
    polygamma,
    power_base_slope,
    power_exponent_slope,
    restore,
    unbroadcast,
)

FOLDER = Path(inspect.getfile(pullback.runtime)).parent


@pytest.mark.parametrize(
    "have, want",
    [
        ((2, 3), (3,)),
        ((2, 3), (1, 3)),
        ((5, 2, 3), (2, 1)),
        ((2, 3), ()),
        ((3,), (3,)),
        ((0, 3), (3,)),
        ((0,), (1,)),
    ],
)
def test_unbroadcast_is_the_adjoint_of_broadcasting(have, want):
    rng = np.random.default_rng(0)
    bar, x = rng.normal(size=have), rng.normal(size=want)
    back = unbroadcast(bar, want)
    assert np.shape(back) == want
    assert np.vdot(bar, np.broadcast_to(x, have)) == pytest.approx(np.vdot(back, x))


def test_unbroadcast_spreads_what_is_smaller():
    np.testing.assert_array_equal(unbroadcast(2.0, (2, 3)), np.full((2, 3), 2.0))
    np.testing.assert_array_equal(unbroadcast(np.arange(3.0), (2, 3)), [[0, 1, 2], [0, 1, 2]])
    np.testing.assert_array_equal(unbroadcast(np.arange(3.0), (2, 1)), [[3.0], [3.0]])


def test_scalars_stay_scalars():
    for value in (
        unbroadcast(2.0, ()),
        unbroadcast(np.ones(3), ()),
        expand(2.0, ()),
        restore(2.0),
        masked_product(2.0, 3.0),
        divide_or_zero(1.0, 0.0),
        power_base_slope(2.0, 3.0),
        power_exponent_slope(2.0, 3.0, 8.0),
    ):
        assert not isinstance(value, np.ndarray)


def test_expand_and_restore():
    bar = np.array([1.0, 2.0])
    np.testing.assert_array_equal(expand(bar, (2, 3), 1), [[1, 1, 1], [2, 2, 2]])
    np.testing.assert_array_equal(expand(bar[:, None], (2, 3), 1, True), [[1, 1, 1], [2, 2, 2]])
    assert restore(bar, (0, 2)).shape == (1, 2, 1)
    assert expand(1.0, (2, 3)).shape == (2, 3)
    expand(bar, (2, 3), 1)[0, 0] = 5.0  # the result is ours to write


@pytest.mark.parametrize("axis, expected", [(None, 24), (0, 2), (-1, 4), ((0, 2), 8)])
def test_count(axis, expected):
    assert count((2, 3, 4), axis) == expected


def test_masked_product_ignores_infinity_where_the_bar_is_zero():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(
            masked_product(np.array([0.0, 2.0]), np.array([np.inf, 3.0])), [0.0, 6.0]
        )
        np.testing.assert_array_equal(masked_product(np.array([0.0, 2.0]), np.inf), [0.0, np.inf])
        np.testing.assert_array_equal(masked_product(0.0, np.array([np.nan, 1.0])), [0.0, 0.0])
    assert masked_product(0.0, math.nan) == 0.0


@pytest.mark.parametrize(
    "x, y, expected",
    [
        (1.0, 0.0, np.inf),
        (-1.0, 0.0, -np.inf),
        (1.0, -0.0, -np.inf),
        (0.0, 0.0, np.nan),
        (6.0, 3.0, 2.0),
        (math.nan, 0.0, np.nan),
    ],
)
def test_ieee_divide(x, y, expected):
    np.testing.assert_equal(ieee_divide(x, y), expected)


def test_power_slopes_raise_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for x in (0.0, -0.0, 1.5, -2.0, 1e300, np.float64(0.0), np.array([0.0, 1.0])):
            for y in (0, 0.0, 1, 2, 0.5, -1.0, 3.0, np.array([0.0, 2.0])):
                power_base_slope(x, y)
                power_exponent_slope(x, y, 1.0)
    assert power_base_slope(0.0, 2) == 0.0
    assert power_base_slope(0.0, 1) == 1.0
    assert power_base_slope(np.float32(2.0) * np.ones(2, np.float32), 3).dtype == np.float32


@pytest.mark.parametrize(
    "index, basic",
    [
        (1, True),
        (slice(2), True),
        ((1, None, Ellipsis), True),
        (np.int64(3), True),
        ([0, 1], False),
        (np.array([True, False]), False),
        ((slice(1), [0]), False),
        (True, False),
    ],
)
def test_is_basic(index, basic):
    assert is_basic(index) is basic


@pytest.mark.parametrize("count", [3, 300])
def test_add_rows_counts_a_row_as_often_as_it_is_named(count):
    index, value = np.arange(count) % 2, np.arange(2.0 * count).reshape(count, 2)
    bar, expected = np.ones((4, 2)), np.ones((4, 2))
    np.add.at(expected, index, value)
    add_rows(bar, index, value)
    np.testing.assert_allclose(bar, expected, rtol=1e-14)


def test_polygamma():
    special = pytest.importorskip("scipy.special")
    for n in range(4):
        for x in (0.3, 1.0, 2.5, 17.0):
            assert polygamma(n, x) == pytest.approx(float(special.polygamma(n, x)), rel=1e-12)
    assert polygamma(0, -0.5) == pytest.approx(float(special.digamma(-0.5)), rel=1e-12)


@pytest.mark.parametrize("path", sorted(set(FOLDER.glob("*.py")) - {FOLDER / "__init__.py"}), ids=lambda p: p.name)
def test_runtime_functions_stand_alone(path):
    """A standalone dump copies them: they name NumPy, math, builtins and functions of their own
    file only."""
    tree = ast.parse(path.read_text())
    imported = {a.name for s in tree.body if isinstance(s, ast.Import) for a in s.names}
    assert imported <= {"copy", "math", "numpy"}, path
    others = {s.module for s in ast.walk(tree) if isinstance(s, ast.ImportFrom)}
    assert all(m.startswith("pullback.runtime.") for m in others), path
    for function in (s for s in tree.body if isinstance(s, ast.FunctionDef)):
        assert ast.get_docstring(function), function.name


def test_names_are_unique_across_the_runtime():
    names = [d.name for p in FOLDER.glob("*.py") for d in ast.parse(p.read_text()).body
             if isinstance(d, (ast.FunctionDef, ast.ClassDef))]
    assert sorted(names) == sorted(set(names))
