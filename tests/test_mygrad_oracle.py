"""Aliases, views and writes in place against MyGrad, which keeps NumPy's memory semantics when traced.

Each program runs twice from one text: `np` is NumPy for pullback, and MyGrad for the oracle.
"""

from __future__ import annotations

import mygrad
import numpy as np
import program_check
import pytest

from pullback import grad

X = np.array([0.7, -1.1, 0.4, 1.3])
Y = np.array([-0.3, 0.9, 1.2, -0.8])
M = np.array([[0.5, -0.2, 1.1], [0.8, 1.4, -0.6]])

PROGRAMS = {
    "augmented_through_an_alias": ("x, y", "z = x", "z += y", "return (x * z).sum()"),
    "augmented_through_a_view": ("x, y", "v = x[1:]", "v *= y[:3]", "return (x * x).sum()"),
    "view_of_a_view": ("x, y", "v = x[1:]", "w = v[::2]", "w *= w", "v[0] += x[0]", "return (x * y).sum()"),
    "reversed_view_written": ("x, y", "v = x[::-1]", "v[:2] = y[:2] * y[2]", "return (x * y * v).sum()"),
    "element_written": ("x, y", "x[0] = x[1] * y[1]", "return (x * x).sum()"),
    "element_overwritten_by_a_constant": ("x, y", "z = x * y", "z[1] = 2.0", "return (z * z).sum()"),
    "base_read_after_its_view_is_written": (
        "x, y",
        "z = x * 1.0",
        "v = z[:2]",
        "before = v[0] * v[1]",
        "v[0] = y[0] * z[3]",
        "return before * z[0] + v[1]",
    ),
    "view_read_after_its_base_is_written": (
        "x, y",
        "z = x * 1.0",
        "v = z[1:3]",
        "z[1] = y[2]",
        "z *= x",
        "return (v * y[:2]).sum()",
    ),
    "slice_from_its_own_array": ("x, y", "x[:2] = x[2:] * y[:2]", "return (x * y).sum()"),
    "overlapping_shift": ("x, y", "z = x * y", "z[1:] = z[:-1] * 1.0", "return (z * x).sum()"),
    "overlapping_shift_added": ("x, y", "z = x * y", "z[1:] += z[:-1] * y[1:]", "return (z * x).sum()"),
    "mask_written": ("x, y", "x[x > 0.5] = 0.3", "return (x * y).sum()"),
    "mask_of_a_view": ("x, y", "v = x[1:]", "v[v < 0.5] *= 3.0", "return (x * x * y).sum()"),
    "gathered_indices_written": ("x, y", "x[[0, 2]] = y[[1, 3]]", "return (x * x * y).sum()"),
    "repeated_index_read": ("x, y", "z = x[[0, 0, 2]]", "z *= y[:3]", "return (z * z).sum() + x.sum()"),
    "transpose_written": ("m", "t = m.T", "t[0] = t[1] * t[2]", "return (m * m * m).sum()"),
    "column_written": ("m", "m[:, 1] = m[:, 0] * m[:, 2]", "return (m * m).sum()"),
    "row_scaled_by_another": ("m", "r = m[0]", "r *= m[1]", "return (m * m).sum()"),
    "reshaped_view_written": ("x, y", "g = x.reshape(2, 2)", "g[1] = g[0] * y[:2]", "return (x * x).sum()"),
    "flattened_view_written": ("m", "z = m * m", "f = z.reshape(-1)", "f[1:3] *= 2.0", "return (z * m).sum()"),
    "broadcast_row_added": ("m", "m += m[0] * 1.0", "return (m * m).sum()"),
    "broadcast_column_multiplied": ("m", "m *= m[:, :1] * 1.0", "return (m * m).sum()"),
    "rebound_is_not_written": ("x, y", "z = x", "z = z + y", "z *= 2.0", "return (x * z).sum()"),
    "copy_is_apart": ("x, y", "z = +x", "z *= y", "x[0] = 0.0", "return (x * z).sum()"),
    "swapped_buffers": (
        "x, y",
        "a = x * 1.0",
        "b = y * 1.0",
        "for _ in range(3):",
        "    b[1:] = a[:-1] * y[1:]",
        "    a, b = b, a",
        "return (a * a).sum() + b[2]",
    ),
    "written_in_a_loop": (
        "x, y",
        "z = x * 1.0",
        "for i in range(3):",
        "    z[i + 1] = z[i + 1] + z[i] * y[i]",
        "return (z * z).sum()",
    ),
    "view_kept_across_a_loop": (
        "x, y",
        "z = x * 1.0",
        "v = z[1:]",
        "for i in range(3):",
        "    v[i] = z[i] * y[i]",
        "return (z * v[0]).sum()",
    ),
    "helper_writes_its_argument": (
        "x, y",
        "def scale(v, k):",
        "    v *= k",
        "    return v[1:]",
        "w = scale(x, y)",
        "w[0] = x[0]",
        "return (x * x).sum()",
    ),
    "helper_returns_its_argument": (
        "x, y",
        "def same(v):",
        "    return v",
        "w = same(x)",
        "w += y",
        "return (x * w * w).sum()",
    ),
    "list_of_views": (
        "x, y",
        "parts = [x[:2], x[2:]]",
        "parts[0] *= parts[1]",
        "parts[1][0] = y[0]",
        "return (x * x * y).sum()",
    ),
}


def text_of(name: str, library: str) -> str:
    parameters, *body = PROGRAMS[name]
    return f"import {library} as np\n\n\ndef program({parameters}):\n    " + "\n    ".join(body) + "\n"


def by_mygrad(name: str, arguments: list[np.ndarray]) -> list[np.ndarray]:
    """Gradients by MyGrad. Arguments go in as `+t`: a leaf that is written has no gradient of its entry value."""
    leaves = [mygrad.tensor(a) for a in arguments]
    program_check.load(text_of(name, "mygrad")).program(*[+leaf for leaf in leaves]).backward()
    return [np.zeros(leaf.shape) if leaf.grad is None else leaf.grad for leaf in leaves]


@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees_with_mygrad(name: str) -> None:
    arguments = [M] if PROGRAMS[name][0] == "m" else [X, Y]
    arguments = [a.copy() for a in arguments]
    program = program_check.load(text_of(name, "numpy")).program
    expected = by_mygrad(name, arguments)
    got = grad(program, wrt=tuple(range(len(arguments))))(*arguments)
    for ours, theirs in zip(got, expected):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("name", PROGRAMS)
def test_mygrad_agrees_with_differences(name: str) -> None:
    """The oracle itself is right: what it says of a program is what the program does."""
    arguments = [M] if PROGRAMS[name][0] == "m" else [X, Y]
    expected = program_check.differences(program_check.load(text_of(name, "numpy")).program, list(arguments))
    for theirs, slope in zip(by_mygrad(name, list(arguments)), expected):
        np.testing.assert_allclose(theirs, slope, rtol=1e-6, atol=1e-8)
