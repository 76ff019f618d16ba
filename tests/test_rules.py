"""Every registered rule on every one of its cases: value, tangent, adjoint. No rule without a test."""

import math
import operator

import gast
import numpy as np
import pytest

import scipy.special  # noqa: F401  (its rules load where it is in use)
from pullback.compiler.rules import load_rules
from pullback.compiler.rules.language import registered

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
    run,
    tangent_of,
)

load_rules()

RULES = [r for r in registered() if r.form != "constant"]


def name_of(primitive):
    module = getattr(primitive, "__module__", None) or type(primitive).__module__
    return f"{module}.{getattr(primitive, '__qualname__', getattr(primitive, '__name__', primitive))}"


def scalar_only(primitive):
    return primitive is float or getattr(primitive, "__module__", "") in ("math", "builtins") and primitive is not abs \
        and primitive is not pow


def cases_of(rule):
    """The rule's own cases, or those that every elementwise rule has."""
    if rule.cases:
        return rule.cases
    if rule.form != "elementwise":
        return ()
    n = sum(p not in rule.text.defaults for p in rule.text.parameters)
    shapes = ["()", "(3,)", "(2,3) (3,)", "(3,) ()", "(2,1) (2,3)"]
    if any(getattr(np, p.__name__, None) is p and any(t.endswith("->D") for t in getattr(p, "types", ())) for p in rule.primitives):
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

    if rule.text.value:
        statements = rule.text.value
        got = run(rule, statements, defaults_of(rule, values), rule.text.results)
        assert_close(got if len(got) > 1 else got[0], result, 1e-12)

    result_dot = tangent_of(rule, values, dots, result)
    assert_close(result_dot, difference(lambda v: call(rule, primitive, v, case), values, dots), 1e-7)

    bar = maker.like(result)
    bars = adjoints_of(rule, values, kinds, result, bar)
    left = inner(bar, result_dot)
    right = sum(inner(bars[n], dots[n]) for n in active)
    assert abs(left - right) <= 1e-9 * (1.0 + abs(left) + abs(right))
    for n in active:
        assert_same_kind(bars[n], values[n])


def assert_same_kind(bar, value):
    """A scalar has a scalar adjoint, an array one of its shape."""
    if isinstance(value, (list, tuple)):
        for b, v in zip(bar, value, strict=True):
            assert_same_kind(b, v)
    else:
        assert np.shape(bar) == np.shape(value)
        assert np.ndim(value) > 0 or not isinstance(bar, np.ndarray), "a 0-d array where a scalar was due"
