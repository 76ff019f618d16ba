"""Random programs: the gradient is right, or refused, and never anything else."""

from __future__ import annotations

import collections
import importlib
import os
import pkgutil
import random

import numpy as np
import program_check
import pytest
import regressions
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from random_programs import make_program

from pullback import jvp

REFUSED_AT_MOST = 0.05
DRAW = 80
FAILED = ("wrong", "crash")


def failing(seed: int, size: int) -> str | None:
    """A report of the smallest program like this one that goes wrong, or None."""
    text, arguments = make_program(seed, size)
    outcome = program_check.check_text(text, arguments)
    return report(seed, size, outcome) if outcome.kind in FAILED else None


def report(seed: int, size: int, outcome: program_check.Outcome) -> str:
    text, arguments = make_program(seed, size)

    def still(smaller: str) -> bool:
        found = program_check.check_text(smaller, arguments)
        return found.kind == outcome.kind and found.detail[:30] == outcome.detail[:30]

    small = program_check.shrink(text, still, seconds=30.0)
    found = program_check.check_text(small, arguments, want_source=True)
    shown = [f"make_program({seed}, {size})", small, f"arguments {arguments}", str(found), found.source]
    return "\n".join(shown)


def draw(seeds: range, reports: int = 3) -> tuple[collections.Counter, collections.Counter, list[str]]:
    """Outcomes by kind, refusals by what they say, and reports of the first failures."""
    kinds: collections.Counter = collections.Counter()
    refusals: collections.Counter = collections.Counter()
    shown = []
    for seed in seeds:
        size = 3 + seed % 12
        outcome = program_check.check_text(*make_program(seed, size))
        kinds[outcome.kind] += 1
        if outcome.kind == "refused":
            refusals[outcome.detail] += 1
        if outcome.kind in FAILED and len(shown) < reports:
            shown.append(report(seed, size, outcome))
    return kinds, refusals, shown


def judge(seeds: range) -> None:
    kinds, refusals, shown = draw(seeds)
    print(dict(kinds), *(f"{count:5} {what}" for what, count in refusals.most_common()), sep="\n")
    assert not shown, "\n\n".join(shown)
    assert kinds["right"] >= 0.9 * len(seeds), dict(kinds)
    assert kinds["refused"] < REFUSED_AT_MOST * len(seeds), (dict(kinds), refusals.most_common(10))


def test_a_draw_of_programs() -> None:
    judge(range(DRAW))


@pytest.mark.fuzz
@pytest.mark.skipif("PULLBACK_FUZZ" not in os.environ, reason="PULLBACK_FUZZ=<how many> runs a fresh draw")
def test_a_fresh_draw_of_programs() -> None:
    start = random.SystemRandom().randrange(10**6, 10**9)
    print(f"seeds from {start}")
    judge(range(start, start + int(os.environ["PULLBACK_FUZZ"])))


@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**6), size=st.integers(1, 8))
def test_small_programs_are_right_or_refused(seed: int, size: int) -> None:
    failure = failing(seed, size)
    assert failure is None, failure


def test_the_same_seed_gives_the_same_program() -> None:
    one, two = make_program(11, 12), make_program(11, 12)
    assert one[0] == two[0]
    assert all(np.array_equal(a, b) for a, b in zip(one[1], two[1]))


def test_random_programs_run() -> None:
    kinds = collections.Counter()
    for seed in range(60):
        text, arguments = make_program(seed, 10)
        with np.errstate(all="ignore"):
            value = program_check.load(text).program(*program_check.copies(arguments))
        kinds[bool(np.ndim(value) == 0 and np.isfinite(value))] += 1
    assert kinds[True] == 60


def test_a_failing_program_is_made_smaller() -> None:
    text, _ = make_program(3, 14)
    small = program_check.shrink(text, lambda t: "def program" in t and "return" in t)
    assert len(small.splitlines()) <= 3


# --- What was found and is fixed -----------------------------------------------------------------


def regression_cases() -> list:
    cases = []
    for found in pkgutil.iter_modules(regressions.__path__):
        module = importlib.import_module(f"regressions.{found.name}")
        cases += [pytest.param(f, a, id=f"{found.name}.{f.__name__}") for f, a in module.CASES]
    return cases


@pytest.mark.parametrize("function, arguments", regression_cases())
def test_regressions(function, arguments) -> None:
    arguments = list(arguments)
    active = program_check.differentiable(arguments)
    with np.errstate(all="ignore"):
        expected = program_check.differences(function, arguments)
        outcome = program_check.compare(function, arguments, expected, want_source=True)
        assert outcome.kind == "right", f"{outcome}\n{outcome.source}"
        tangents = [np.ones_like(a) if i in active else None for i, a in enumerate(arguments)]
        tangents = [float(t) if isinstance(a, float) else t for a, t in zip(arguments, tangents)]
        value, tangent = jvp(function, program_check.copies(arguments), tangents)
        np.testing.assert_allclose(value, function(*program_check.copies(arguments)))
        np.testing.assert_allclose(tangent, sum(np.sum(e) for e in expected), rtol=1e-5, atol=1e-6)
