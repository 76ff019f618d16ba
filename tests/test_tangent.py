"""Forward mode agrees with the known gradients: the tangent along a direction is the gradient's product with it.

Every conformance case whose gradient reverse mode gets right is taken, with random directions. A case that
forward mode refuses, in a DerivativeError, is counted; a wrong number fails.

`python tests/test_tangent.py` prints the counts by file and every case that is not right; `--match TEXT`
narrows the run to ids or files that contain TEXT.
"""

import argparse
import copy
import inspect
import sys
import zlib
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import program_check
import pytest
from cases import loader
from random_programs import make_program
from test_programs import regression_cases

import pullback
from pullback.compiler.jvp import Tangent, jvp

CASES = loader.load_cases()
SAMPLE = 9  # one case in so many, unless all are asked for
LEAST = 0.8  # the share of what reverse gets right that forward mode must not refuse


def direction(arg: Any, want: Any, rng: np.random.Generator) -> tuple[Any, Any]:
    """A random tangent of an argument, and the product of the expected gradient with it."""
    if isinstance(arg, dict):
        parts = {k: direction(v, want[k], rng) if k in want else (None, 0.0) for k, v in arg.items()}
        return {k: t for k, (t, _) in parts.items()}, sum(p for _, p in parts.values())
    if isinstance(arg, (list, tuple)):
        live = iter(want)
        found = [direction(a, next(live), rng) if loader._has_float(a) else (None, 0.0) for a in arg]
        tangents = [t for t, _ in found]
        whole = type(arg)(*tangents) if hasattr(arg, "_fields") else type(arg)(tangents)
        return whole, sum(p for _, p in found)
    if not isinstance(arg, (float, np.floating, np.ndarray)) and hasattr(arg, "__dict__"):
        moved = copy.copy(arg)
        total = 0.0
        for key, value in vars(arg).items():
            tangent, product = direction(value, want[key], rng) if key in want else (None, 0.0)
            object.__setattr__(moved, key, tangent)
            total += product
        return moved, total
    gradient = np.asarray(want, dtype=float).reshape(np.shape(arg))
    tangent = rng.standard_normal(np.shape(arg))
    return (tangent if isinstance(arg, np.ndarray) else float(tangent)), float(np.sum(gradient * tangent))


def finite(want: Any) -> bool:
    """Is every number of an expected gradient finite?"""
    if isinstance(want, dict):
        return all(finite(v) for v in want.values())
    if isinstance(want, (list, tuple)):
        return all(finite(v) for v in want)
    return bool(np.all(np.isfinite(want)))


def positional(case: Any) -> tuple[Any, ...] | None:
    """The arguments by position, keyword arguments among them; None where that cannot be."""
    args, kwargs = case.make_args(), case.make_kwargs()
    if not kwargs:
        return args
    bound = inspect.signature(case.fn).bind(*args, **kwargs)
    bound.apply_defaults()
    return None if bound.kwargs else bound.args


def outcome_of(case: Any) -> tuple[str, str]:
    """"pass", "wrong", "refused", "error", or "skipped" where reverse mode is not right or nothing can be compared."""
    if loader.run_case(lambda f, w: pullback.grad(f, wrt=w), case, refusal=(pullback.DerivativeError,)).status != "pass":
        return "skipped", "reverse mode is not right"
    if not finite(case.expect):
        return "skipped", "the gradient is not finite"
    if case.before_call:
        case.before_call()
    args = positional(case)
    if args is None:
        return "skipped", "keyword-only arguments"
    before = copy.deepcopy(args)
    rng = np.random.default_rng(zlib.crc32(case.id.encode()))
    tangents: list[Any] = [None] * len(args)
    total = 0.0
    for w, want in zip(case.wrt_tuple, case.expect):
        tangents[w], product = direction(args[w], want, rng)
        total += product
    try:
        value, tangent = loader._guarded(loader.SECONDS_PER_CASE, lambda: jvp(case.fn, args, tuple(tangents)))
    except pullback.DerivativeError as refusal:
        return "refused", str(refusal)
    except (Exception, loader._TooLong) as error:
        return "error", loader._last(error)
    if not all(loader._same(a, b) for a, b in zip(before, args)):
        return "wrong", "an argument was changed"
    tolerance = max(1e-8, case.tol)
    if case.value is not None and not np.isclose(float(np.reshape(value, ())), case.value, rtol=1e-9, atol=1e-9, equal_nan=True):
        return "wrong", f"the value is {value!r}, expected {case.value!r}"
    if not abs(float(np.reshape(tangent, ())) - total) <= tolerance * (1.0 + abs(total)):
        return "wrong", f"the tangent is {tangent!r}, expected {total!r}"
    return "pass", ""


def run_file(module: str, match: str) -> list[tuple[str, str, str]]:
    """Id, status and detail of the cases of one file."""
    chosen = [case for case in CASES if case.module == module and match in f"{module} {case.id}"]
    return [(case.id, *outcome_of(case)) for case in chosen]


def counted(modules: list[str], match: str, processes: int) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """The outcomes of each file."""
    with ProcessPoolExecutor(processes) as pool:
        return list(zip(modules, pool.map(run_file, modules, [match] * len(modules))))


@pytest.mark.parametrize("case", CASES[::SAMPLE], ids=lambda case: case.id)
def test_a_case_agrees_with_its_gradient(case: Any) -> None:
    status, detail = outcome_of(case)
    if status == "skipped":
        pytest.skip(detail)
    assert status == "pass", detail


@pytest.mark.slow
def test_every_case_agrees_and_few_are_refused() -> None:
    modules = sorted({case.module for case in CASES})
    found = [outcome for _, outcomes in counted(modules, "", 2) for outcome in outcomes]
    bad = [f"{case}: {status}: {detail}" for case, status, detail in found if status in ("wrong", "error")]
    assert not bad, "\n".join(bad)
    counts = Counter(status for _, status, _ in found)
    assert counts["pass"] >= LEAST * (counts["pass"] + counts["refused"])


# ---------------------------------------------------------------- random programs


def compared(function: Any, arguments: list[Any], expected: list[Any], want_source: bool, coarse: float = 1.0) -> program_check.Outcome:
    """What becomes of `jvp` along a random direction, given the gradients by differences."""
    given = program_check.copies(arguments)
    rng = np.random.default_rng(5)
    tangents: list[Any] = [None] * len(arguments)
    total = 0.0
    for i, slope in zip(program_check.differentiable(arguments), expected):
        tangents[i], product = direction(arguments[i], slope, rng)
        total += product
    try:
        value, tangent = jvp(function, tuple(given), tuple(tangents))
    except pullback.DerivativeError as refusal:
        return program_check.Outcome("refused", str(refusal).splitlines()[0].split(": ", 1)[-1])
    except Exception as problem:
        return program_check.Outcome("crash", loader._last(problem))
    if not all(program_check.same(a, b) for a, b in zip(given, arguments)):
        return program_check.Outcome("wrong", "an argument was changed")
    size = sum(float(np.sum(np.abs(slope))) for slope in expected)
    if not abs(tangent - total) <= 1e-6 + 1e-5 * max(1.0, size):
        return program_check.Outcome("wrong", "value", total, tangent)
    if not np.allclose(value, function(*program_check.copies(arguments)), rtol=1e-12):
        return program_check.Outcome("wrong", "the primal's value", None, value)
    return program_check.Outcome("right")


@pytest.mark.fuzz
def test_random_programs_are_right_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_check, "compare", compared)
    kinds: Counter[str] = Counter()
    bad = []
    for seed in range(150):
        outcome = program_check.check_text(*make_program(seed, 3 + seed % 12))
        kinds[outcome.kind] += 1
        if outcome.kind in ("wrong", "crash"):
            bad.append(f"make_program({seed}, {3 + seed % 12}): {outcome}")
    assert not bad, "\n".join(bad)
    assert kinds["refused"] <= 0.1 * sum(kinds.values())


@pytest.mark.fuzz
@pytest.mark.parametrize("function, arguments", regression_cases())
def test_regressions(function: Any, arguments: Any) -> None:
    with np.errstate(all="ignore"):
        expected = program_check.differences(function, list(arguments))
    outcome = compared(function, list(arguments), expected, False)
    assert outcome.kind == "right", str(outcome)


# ---------------------------------------------------------------- what a caller sees


def damped(u: Any, k: Any) -> Any:
    for i in range(1, len(u)):
        u[i] = u[i - 1] * k
    return np.sum(u), u


def test_arguments_and_tangents_are_left_alone() -> None:
    u, u_dot = np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.0, 0.0])
    (total, end), (total_dot, end_dot) = jvp(damped, (u, 2.0), (u_dot, None))
    assert (total, total_dot) == (7.0, 3.5)
    assert np.array_equal(end_dot, [0.5, 1.0, 2.0])
    assert np.array_equal(u, [1.0, 2.0, 3.0]) and np.array_equal(u_dot, [0.5, 0.0, 0.0])


def test_none_stands_for_what_does_not_move() -> None:
    def product(p: Any) -> Any:
        return p["a"] * p["b"][0]

    assert jvp(product, ({"a": 2.0, "b": [3.0, 1]},), ({"a": None, "b": [1.0, None]},)) == (6.0, 2.0)
    assert jvp(product, ({"a": 2.0, "b": [3.0, 1]},), (None,)) == (6.0, 0.0)


def test_a_tangent_of_another_shape_is_refused() -> None:
    with pytest.raises(pullback.DerivativeError, match="tangent of `u` has shape"):
        jvp(damped, (np.ones(3), 2.0), (np.ones(2), None))


def test_the_result_has_the_form_of_the_value() -> None:
    def spread(x: Any, v: Any) -> Any:
        return x + v, 3

    (y, n), (y_dot, n_dot) = jvp(spread, (2.0, np.zeros((2, 3))), (1.0, None))
    assert y_dot.shape == y.shape and n_dot == 0.0


def test_the_text_is_readable_and_always_the_same() -> None:
    def wave(x: Any, k: Any) -> Any:
        y = np.sin(x) * k
        return np.sum(np.exp(y))

    texts = {Tangent(wave, ("x", "k")).source_for(np.ones(3), 2.0) for _ in range(3)}
    [text] = texts
    assert text.split("\n", 2)[2] == TEXT


TEXT = """\
    sin_x = np.sin(x)
    y_dot = x_dot * np.cos(x) * k + k_dot * sin_x
    y = sin_x * k
    exp_y = np.exp(y)
    return np.sum(exp_y), np.sum(y_dot * exp_y)
"""


# ---------------------------------------------------------------- as a script


def main() -> int:
    parser = argparse.ArgumentParser(description="compare forward mode with the known gradients")
    parser.add_argument("--match", default="", help="only cases whose file or id contains this")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    modules = sorted({case.module for case in CASES if options.match in f"{case.module} {case.id}"})
    rows = []
    for module, outcomes in counted(modules, options.match, options.processes):
        rows.append((Path(module).name, Counter(status for _, status, _ in outcomes)))
        for case, status, detail in outcomes:
            if status not in ("pass", "skipped"):
                print(f"{status:9}{case}: {detail.strip().splitlines()[0] if detail.strip() else ''}")
    total = sum((counts for _, counts in rows), Counter())
    statuses = ["pass", "refused", "wrong", "error", "skipped"]
    print(f"\n{'':28}" + "".join(f"{s:>10}" for s in statuses))
    for name, counts in [*rows, ("all", total)]:
        print(f"{name:28}" + "".join(f"{counts[s] or '':>10}" for s in statuses))
    return 1 if total["wrong"] + total["error"] else 0


if __name__ == "__main__":
    sys.exit(main())
