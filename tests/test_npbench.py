"""The kernels of NPBench, called as that suite calls them, against central differences.

PULLBACK_NPBENCH names a checkout of the suite (its code is read, never copied). For each kernel an objective is
written that copies the inputs, calls the kernel on the copies, and sums with weights all that it returned and all
arrays that it changed. The derivative by every float and complex input is compared along random directions, in double
precision; that of a kernel in single precision must also be near the same kernel's in double precision.
"""

from __future__ import annotations

import copy
import dataclasses
import importlib
import itertools
import json
import os
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pullback import DerivativeError, grad

CHECKOUT = os.environ.get("PULLBACK_NPBENCH", "")
LARGEST = 8  # every size of the suite is cut down to about this, each to another one, except:
SIZES = {
    "azimint_hist": {"N": 150, "npt": 5},
    "azimint_naive": {"N": 150, "npt": 5},
    "gramschmidt": {"M": 9, "N": 8},  # no more columns than rows
    "nbody": {"tEnd": 0.1},  # before it becomes chaotic
    "lenet": {"N": 1, "H": 18, "W": 20},
    "stockham_fft": {"R": 2, "K": 4},
}
NO_DERIVATIVE = {
    "crc16": "a checksum of integers",
    "nussinov": "counts pairs of a sequence of integers",
}
MADE_FLOAT = {"compute", "floyd_warshall"}  # the suite runs them on integers
SYMMETRIC = {"cholesky2"}  # reads one triangle, and the rule gives the symmetric adjoint
FLAT = {"azimint_naive": {"radius"}}  # it only chooses, and jumps
REFUSED = {"mandelbrot2": "its complex plane is given another shape in place"}
DIRECTIONS = 3  # per input
STEP = 4e-6  # so small that few kinks are stepped over
_numbers = itertools.count()  # of modules written

pytestmark = pytest.mark.skipif(not CHECKOUT, reason="PULLBACK_NPBENCH=<checkout of NPBench> runs its kernels")

OBJECTIVE = """
import numpy as np

from {module} import {function}


def weighted(x):
    return np.sum(np.cos(np.arange(1.0, 1.0 + np.size(x))).reshape(np.shape(x)) * x)


def weighted_complex(x):
    return weighted(np.real(x)) + weighted(np.imag(x) ** 2)


def objective({parameters}):
{copies}
    {results} = {function}({parameters})
    return {total}
"""


@dataclasses.dataclass
class Kernel:
    name: str
    function: str
    text: str
    inputs: dict[str, Any]


def kernels() -> list[str]:
    folder = Path(CHECKOUT) / "bench_info"
    return sorted(path.stem for path in folder.glob("*.json")) if CHECKOUT else []


def module_of(name: str, text: str, folder: Path) -> types.ModuleType:
    """Text as a module with a file, so that its source is found."""
    stem = f"npbench_{name}_{next(_numbers)}"
    (folder / f"{stem}.py").write_text(text, encoding="utf-8")
    importlib.invalidate_caches()
    return importlib.import_module(stem)


def smaller(sizes: dict[str, Any]) -> dict[str, Any]:
    """No two sizes alike, or an axis taken for another would go unnoticed."""
    places = itertools.count()
    return {k: min(v, LARGEST + next(places)) if isinstance(v, int) else v for k, v in sizes.items()}


def read_kernel(name: str, folder: Path) -> Kernel:
    checkout = Path(CHECKOUT)
    info = json.loads((checkout / "bench_info" / f"{name}.json").read_text(encoding="utf-8"))["benchmark"]
    stem, home = info["module_name"], checkout / "npbench" / "benchmarks" / info["relative_path"]
    values = smaller(info["parameters"]["S"]) | SIZES.get(name, {})
    init = info.get("init")
    if init:
        initial = module_of(name, (home / f"{stem}.py").read_text(encoding="utf-8"), folder)
        made = getattr(initial, init["func_name"])(*[values[a] for a in init["input_args"]])
        values |= zip(init["output_args"], made if len(init["output_args"]) > 1 else [made])
    inputs = {a: values[a] for a in info["input_args"]}
    if name in MADE_FLOAT:
        rng = np.random.default_rng(0)  # no two entries alike, where a minimum or a bound would have a kink
        inputs = {a: (v + 0.1 * rng.random(np.shape(v)))[()] for a, v in inputs.items()}
    text = (home / f"{stem}_numpy.py").read_text(encoding="utf-8")
    return Kernel(name, info["func_name"], text, inputs)


def is_smooth(value: Any) -> bool:
    return np.asarray(value).dtype.kind in "fc"


def objective_text(kernel: Kernel, function: Callable[..., Any]) -> str:
    given = copy.deepcopy(kernel.inputs)
    returned = function(*given.values())
    written = [a for a, now in given.items() if not np.array_equal(now, kernel.inputs[a])]
    several = returned if isinstance(returned, tuple) else [returned]
    results = [f"result_{i}" for i in range(len(several))]
    outputs = [*zip(results, several), *((a, kernel.inputs[a]) for a in written)]
    terms = [f"weighted{'_complex' * np.iscomplexobj(v)}({a})" for a, v in outputs if is_smooth(v)]
    arrays = [a for a, value in kernel.inputs.items() if isinstance(value, np.ndarray)]
    return OBJECTIVE.format(
        module=function.__module__,
        function=function.__name__,
        parameters=", ".join(kernel.inputs),
        copies="\n".join(f"    {a} = {a}.copy()" for a in arrays),
        results=", ".join(results),
        total=" + ".join(terms),
    )


def objective_of(kernel: Kernel, folder: Path) -> Callable[..., float]:
    """The objective of a kernel, in a module of its own beside the kernel's."""
    function = getattr(module_of(kernel.name, kernel.text, folder), kernel.function)
    return module_of(kernel.name, objective_text(kernel, function), folder).objective


def in_double(kernel: Kernel) -> Kernel:
    inputs = {a: v.astype(float) if is_single(v) else v for a, v in kernel.inputs.items()}
    return dataclasses.replace(kernel, text=kernel.text.replace("float32", "float64"), inputs=inputs)


def is_single(value: Any) -> bool:
    return getattr(value, "dtype", None) == np.float32


def directions(kernel: Kernel, value: Any, rng: np.random.Generator) -> Iterator[Any]:
    for _ in range(DIRECTIONS):
        found = rng.standard_normal(np.shape(value))
        if np.iscomplexobj(value):
            found = found + 1j * rng.standard_normal(np.shape(value))
        yield found + found.T if kernel.name in SYMMETRIC else found


def slope(function: Callable[..., float], inputs: list[Any], place: int, direction: Any) -> float:
    """The derivative along a direction: central differences at two steps, extrapolated."""

    def difference(step: float) -> float:
        ends = [[*inputs[:place], inputs[place] + s * direction, *inputs[place + 1 :]] for s in (step, -step)]
        return (function(*ends[0]) - function(*ends[1])) / (2 * step)

    step = STEP * min(1.0, np.max(np.abs(inputs[place])) or 1.0)
    return (4 * difference(step / 2) - difference(step)) / 3


def check(kernel: Kernel, objective: Callable[..., float], gradients: dict[str, Any]) -> None:
    """Gradients against differences."""
    inputs, rng = list(kernel.inputs.values()), np.random.default_rng(0)
    rounding = 1e-9 * abs(objective(*inputs))
    for place, (name, value) in enumerate(kernel.inputs.items()):
        for direction in directions(kernel, value, rng) if name in gradients else ():
            got, want = np.real(np.vdot(gradients[name], direction)), slope(objective, inputs, place, direction)
            np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6 + rounding, err_msg=name)


def gradients_of(kernel: Kernel, objective: Callable[..., float]) -> dict[str, Any]:
    wrt = tuple(a for a, value in kernel.inputs.items() if is_smooth(value) and a not in FLAT.get(kernel.name, ()))
    return dict(zip(wrt, grad(objective, wrt=wrt)(*kernel.inputs.values())))


@pytest.mark.parametrize("name", kernels())
def test_kernel(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in NO_DERIVATIVE:
        pytest.skip(f"no float gradient: {NO_DERIVATIVE[name]}")
    monkeypatch.syspath_prepend(tmp_path)
    kernel = read_kernel(name, tmp_path)
    double = in_double(kernel)
    objective = objective_of(double, tmp_path)
    if name in REFUSED:
        with pytest.raises(DerivativeError):
            gradients_of(double, objective)
        return
    exact = gradients_of(double, objective)
    check(double, objective, exact)
    if any(is_single(v) for v in kernel.inputs.values()):
        for argument, rough in gradients_of(kernel, objective_of(kernel, tmp_path)).items():
            error = np.max(np.abs(rough - exact[argument])) / np.max(np.abs(exact[argument]))
            assert rough.dtype == np.float32 and error < 1e-3, f"{argument}: {error}"
