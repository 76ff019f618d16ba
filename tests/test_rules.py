"""Every registered rule on every one of its cases: value, tangent, adjoint. No rule without a
test."""

import math
import operator

import numpy as np
import numpy.polynomial
import pytest
import scipy.fft
import scipy.integrate
import scipy.linalg
import scipy.ndimage
import scipy.optimize
import scipy.signal
import scipy.spatial.distance
import scipy.special
import scipy.stats
from rule_cases import (
    Maker,
    adjoints_of,
    assert_close,
    call,
    defaults_of,
    difference,
    inner,
    inputs_of,
    is_active,
    leaves,
    run,
    tangent_of,
)

from pullback.compiler.rules import load_rules
from pullback.compiler.rules.language import registered, rule_of
from pullback.compiler.rules.methods import ATTRIBUTES, METHODS

load_rules()

RULES = [r for r in registered() if r.form != "constant"]


def name_of(primitive):
    module = getattr(primitive, "__module__", None) or type(primitive).__module__
    return (
        f"{module}.{getattr(primitive, '__qualname__', getattr(primitive, '__name__', primitive))}"
    )


def scalar_only(primitive):
    return (
        primitive in (float, divmod)
        or getattr(primitive, "__module__", "") in ("math", "builtins")
        and primitive is not abs
        and primitive is not pow
    )


def cases_of(rule):
    """The rule's own cases, or those that every elementwise rule has."""
    if rule.cases:
        return rule.cases
    if rule.form != "elementwise":
        return ()
    n = max(1, sum(p not in rule.text.defaults for p in rule.text.parameters))
    shapes = ["()", "(3,)", "(2,3) (3,)", "(3,) ()", "(2,1) (2,3)"]
    if any(
        getattr(np, p.__name__, None) is p
        and any(t.endswith("->D") for t in getattr(p, "types", ()))
        for p in rule.primitives
    ):
        shapes.append("complex(3,)")
    return tuple(dict.fromkeys(" ".join((s.split() * n)[:n]) for s in shapes))


def every_case():
    for rule in RULES:
        for case in cases_of(rule):
            for primitive in rule.primitives:
                if scalar_only(primitive) and "," in case:
                    continue
                yield pytest.param(rule, primitive, case, id=f"{name_of(primitive)}-{case}")


@pytest.mark.parametrize("rule", RULES, ids=lambda r: name_of(r.primitives[0]))
def test_rule_has_cases(rule):
    assert cases_of(rule)


@pytest.mark.parametrize("rule, primitive, case", list(every_case()))
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_rule(rule, primitive, case):
    maker = Maker(name_of(primitive) + case, rule.domain)
    values, kinds = inputs_of(rule, case, maker)
    active = {n for n, k in kinds.items() if is_active(k)}
    assert active, "nothing to differentiate in this case"
    dots = {n: maker.direction(values[n], kinds[n]) for n in active}
    result = call(rule, primitive, values, case)
    assert_view_if_shared(rule, primitive, values, result)

    if rule.text.value:
        statements = rule.text.value
        got = run(rule, statements, defaults_of(rule, values), rule.text.results)
        assert_close(got if len(got) > 1 else got[0], result, 1e-12)

    result_dot = tangent_of(rule, values, dots, result)
    precise = np.result_type(*map(np.asarray, leaves([result]))).itemsize >= 8
    if precise:
        assert_close(
            result_dot, difference(lambda v: call(rule, primitive, v, case), values, dots), 1e-7
        )

    bar = maker.like(result)
    bars = adjoints_of(rule, values, kinds, result, bar)
    left = inner(bar, result_dot)
    right = sum(inner(bars[n], dots[n]) for n in active)
    assert abs(left - right) <= 1e-9 * (1.0 + abs(left) + abs(right))
    for n in active:
        assert_same_kind(bars[n], values[n])


# ways to call them that give an operand back as it is, in the cases of a rule whose result is none of a view
ALIKE = (np.diff, np.linalg.matrix_power, np.einsum)


def assert_view_if_shared(rule, primitive, values, result):
    """A result in the memory of an operand is a view of the first; helpers of generated code are never written into."""
    shared = {
        i
        for r in leaves([result])
        for i, v in enumerate(values.values())
        for a in leaves([v])
        if isinstance(r, np.ndarray) and isinstance(a, np.ndarray) and a.size and np.shares_memory(r, a)
    }
    ours = (getattr(primitive, "__module__", None) or "").startswith("pullback.runtime")
    assert not shared or ours or primitive in ALIKE or rule.view and shared == {0}


def assert_same_kind(bar, value):
    """A scalar has a scalar adjoint, an array one of its shape."""
    if isinstance(value, (list, tuple)):
        for b, v in zip(bar, value, strict=True):
            assert_same_kind(b, v)
    else:
        assert np.shape(bar) == np.shape(value)
        assert np.ndim(value) > 0 or not isinstance(bar, np.ndarray), (
            "a 0-d array where a scalar was due"
        )


# --------------------------------------------------------------------- where there is no derivative

INF, NAN = np.inf, np.nan

# function, arguments, keywords, adjoint of the result, expected adjoints: conventions.md, 'pick'
KINKS = [
    (np.abs, (np.array([0.0, -1.0]),), {}, [1.0, 1.0], [[0.0, -1.0]]),
    (abs, (0.0,), {}, 1.0, [0.0]),
    (np.fabs, (np.array([0.0, 2.0]),), {}, [1.0, 1.0], [[0.0, 1.0]]),
    (math.fabs, (0.0,), {}, 1.0, [0.0]),
    (
        np.maximum,
        (np.array([1.0, 2.0]), np.array([1.0, 3.0])),
        {},
        [1.0, 1.0],
        [[0.5, 0.0], [0.5, 1.0]],
    ),
    (np.minimum, (1.0, 1.0), {}, 1.0, [0.5, 0.5]),
    (
        np.fmax,
        (np.array([1.0, NAN]), np.array([1.0, 2.0])),
        {},
        [1.0, 1.0],
        [[0.5, 0.0], [0.5, 1.0]],
    ),
    (np.fmin, (2.0, 2.0), {}, 1.0, [0.5, 0.5]),
    (np.max, (np.array([3.0, 1.0, 3.0]),), {}, 1.0, [[0.5, 0.0, 0.5]]),
    (np.min, (np.ones((2, 2)),), {"axis": 1}, [1.0, 2.0], [[[0.5, 0.5], [1.0, 1.0]]]),
    (np.ptp, (np.array([3.0, 3.0, 1.0]),), {}, 1.0, [[0.5, 0.5, -1.0]]),
    (np.clip, (np.array([0.0, 0.5, 1.0, 2.0]), 0.0, 1.0), {}, np.ones(4), [[0.5, 1.0, 0.5, 0.0]]),
    (np.sort, (np.array([2.0, 1.0, 2.0]),), {}, [1.0, 2.0, 3.0], [[2.0, 1.0, 3.0]]),
    (np.median, (np.array([1.0, 2.0, 2.0, 5.0]),), {}, 2.0, [[0.0, 1.0, 1.0, 0.0]]),
    (np.mod, (np.array([4.0, -6.0]), 2.0), {}, [1.0, 1.0], [[1.0, 1.0]]),
    (operator.mod, (4.0, 2.0), {}, 1.0, [1.0, -2.0]),
    (np.sinc, (np.array([0.0]),), {}, [1.0], [[0.0]]),
    (np.sinc, (0.0,), {}, 1.0, [0.0]),
    (np.linalg.norm, (np.zeros(3),), {}, 1.0, [[0.0, 0.0, 0.0]]),
    (
        np.linalg.norm,
        (np.array([[0.0, 0.0], [3.0, 4.0]]),),
        {"axis": 1},
        [1.0, 1.0],
        [[[0.0, 0.0], [0.6, 0.8]]],
    ),
    (np.linalg.norm, (np.zeros((2, 2)), "fro"), {}, 1.0, [np.zeros((2, 2))]),
    (np.linalg.norm, (np.array([0.0, -2.0]), 1), {}, 1.0, [[0.0, -1.0]]),
    (np.linalg.norm, (np.array([2.0, -2.0, 1.0]), np.inf), {}, 1.0, [[0.5, -0.5, 0.0]]),
    (np.linalg.norm, (np.eye(2), "nuc"), {}, 1.0, [np.eye(2)]),
    (
        np.hypot,
        (np.array([0.0, 3.0]), np.array([0.0, 4.0])),
        {},
        [1.0, 1.0],
        [[0.0, 0.6], [0.0, 0.8]],
    ),
    (np.hypot, (0.0, 0.0), {}, 1.0, [0.0, 0.0]),
    (math.hypot, (0.0, 0.0), {}, 1.0, [[0.0, 0.0]]),
    (np.std, (np.ones(3),), {}, 1.0, [np.zeros(3)]),
    (np.std, (np.ones((2, 3)),), {"axis": 1, "ddof": 1}, [1.0, 1.0], [np.zeros((2, 3))]),
    (np.var, (np.ones(3),), {}, 1.0, [np.zeros(3)]),
    (np.prod, (np.array([0.0, 2.0, 3.0]),), {}, 1.0, [[6.0, 0.0, 0.0]]),
    (np.prod, (np.array([0.0, 0.0, 3.0]),), {}, 1.0, [np.zeros(3)]),
    (np.cumprod, (np.array([2.0, 0.0, 3.0]),), {}, np.ones(3), [[1.0, 8.0, 0.0]]),
    (np.linalg.det, (np.diag([1.0, 2.0, 0.0]),), {}, 1.0, [np.diag([0.0, 0.0, 2.0])]),
    (np.linalg.det, (np.zeros((2, 2)),), {}, 1.0, [np.zeros((2, 2))]),
    (operator.pow, (0.0, 0.0), {}, 1.0, [0.0, 0.0]),
    (operator.pow, (0.0, 2.0), {}, 1.0, [0.0, 0.0]),
    (operator.pow, (0.0, 1.0), {}, 1.0, [1.0, 0.0]),
    (operator.pow, (0.0, 0.5), {}, 1.0, [INF, 0.0]),
    (operator.pow, (-2.0, 2.0), {}, 1.0, [-4.0, NAN]),
    (math.pow, (0.0, 0.5), {}, 1.0, [INF, 0.0]),
    (np.power, (np.zeros(3), np.arange(3)), {}, np.ones(3), [[0.0, 1.0, 0.0]]),
    (np.sqrt, (np.array([0.0, 4.0]),), {}, [1.0, 1.0], [[INF, 0.25]]),
    (np.sqrt, (0.0,), {}, 1.0, [INF]),
    (math.sqrt, (0.0,), {}, 1.0, [INF]),
    (np.log, (0.0,), {}, 1.0, [INF]),
    (np.log1p, (-1.0,), {}, 1.0, [INF]),
    (np.cbrt, (np.array([0.0, 8.0]),), {}, [1.0, 1.0], [[INF, 1.0 / 12.0]]),
    (math.cbrt, (0.0,), {}, 1.0, [INF]),
    (np.arcsin, (1.0,), {}, 1.0, [INF]),
    (math.asin, (1.0,), {}, 1.0, [INF]),
    (math.acos, (-1.0,), {}, 1.0, [-INF]),
    (np.arctan2, (0.0, 0.0), {}, 1.0, [NAN, NAN]),
    (math.atan2, (0.0, 0.0), {}, 1.0, [NAN, NAN]),
    (np.logaddexp, (-INF, -INF), {}, 1.0, [0.5, 0.5]),
    (np.logaddexp, (-INF, 0.5), {}, 1.0, [0.0, 1.0]),
    (np.logaddexp, (1.0, 1.0), {}, 1.0, [0.5, 0.5]),
    (scipy.special.logsumexp, (np.array([-INF, -INF]),), {}, 0.0, [[0.0, 0.0]]),
    (scipy.special.softmax, (np.array([0.0, -INF]),), {}, [1.0, 2.0], [[0.0, 0.0]]),
    (scipy.special.xlogy, (0.0, 0.0), {}, 1.0, [-INF, 0.0]),
    (scipy.special.rel_entr, (0.0, 2.0), {}, 0.0, [NAN, 0.0]),
    (
        np.interp,
        (
            np.array([-0.5, 0.0, 1.0, 2.0, 2.5]),
            np.array([0.0, 1.0, 2.0]),
            np.array([0.0, 1.0, 4.0]),
        ),
        {},
        np.ones(5),
        [[0.0, 1.0, 3.0, 3.0, 0.0]],
    ),
    (np.nansum, (np.array([1.0, NAN]),), {}, 2.0, [[2.0, 0.0]]),
    (np.nanstd, (np.array([1.0, NAN, 1.0]),), {}, 2.0, [[0.0, 0.0, 0.0]]),
    (np.linalg.svdvals, (np.eye(2),), {}, np.ones(2), [np.eye(2)]),
]


@pytest.mark.parametrize("function, arguments, keywords, bar, expected", KINKS,
                         ids=[f"{name_of(k[0])}-{i}" for i, k in enumerate(KINKS)])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_kink(function, arguments, keywords, bar, expected):
    rule = rule_of(function)
    values = dict(zip(rule.text.parameters, arguments)) | keywords
    if rule.text.vararg:
        values = {rule.text.vararg: arguments}
    kinds = {n: "float" for n in rule.text.differentiable if n in values and values[n] is not None}
    result = function(*arguments, **keywords)
    bars = adjoints_of(rule, values, kinds, result, np.array(bar) if isinstance(bar, list) else bar)
    named = [n for n in (*rule.text.parameters, rule.text.vararg) if n in bars]
    for n, e in zip(named, expected):
        np.testing.assert_allclose(bars[n], e, rtol=1e-12, atol=1e-12)


def test_eigenvectors_of_equal_eigenvalues_have_no_derivative():
    rule = rule_of(np.linalg.eigh)
    result = np.linalg.eigh(np.eye(2))
    only_values = adjoints_of(
        rule, {"a": np.eye(2)}, {"a": "sym"}, result, [np.ones(2), np.zeros((2, 2))]
    )
    np.testing.assert_allclose(only_values["a"], np.eye(2))
    with_vectors = adjoints_of(
        rule, {"a": np.eye(2)}, {"a": "sym"}, result, [np.ones(2), np.ones((2, 2))]
    )
    assert np.isnan(with_vectors["a"]).all()


def test_form_of_the_result_selects_the_rule():
    assert rule_of(np.linalg.svd).text.results == ("u", "s", "vh")
    assert rule_of(np.linalg.svd, {"compute_uv": False}).text.results == ("s",)
    assert rule_of(np.linalg.svd, {"compute_uv": True}).text.results == ("u", "s", "vh")
    assert rule_of(np.linalg.qr, {"mode": "r"}).text.results == ("r",)


def test_methods_have_rules():
    for function in {**METHODS, **ATTRIBUTES}.values():
        assert rule_of(function) is not None, function
