"""Which rule a method or attribute of an array follows: that of the function, with the array as
first argument."""

from typing import Any

import numpy as np

METHODS: dict[str, Any] = {
    "__abs__": np.absolute,
    "all": np.all,
    "any": np.any,
    "argmax": np.argmax,
    "argmin": np.argmin,
    "argpartition": np.argpartition,
    "argsort": np.argsort,
    "clip": np.clip,
    "compress": np.compress,
    "conj": np.conjugate,
    "conjugate": np.conjugate,
    "copy": np.copy,
    "cumprod": np.cumprod,
    "cumsum": np.cumsum,
    "diagonal": np.diagonal,
    "dot": np.dot,
    "flatten": np.ndarray.flatten,
    "item": np.ndarray.item,
    "max": np.max,
    "mean": np.mean,
    "min": np.min,
    "nonzero": np.nonzero,
    "prod": np.prod,
    "ravel": np.ravel,
    "repeat": np.repeat,
    "reshape": np.reshape,
    "round": np.round,
    "searchsorted": np.searchsorted,
    "squeeze": np.squeeze,
    "std": np.std,
    "sum": np.sum,
    "swapaxes": np.swapaxes,
    "take": np.take,
    "trace": np.trace,
    "transpose": np.transpose,
    "var": np.var,
    "view": np.ndarray.view,
}

# methods whose positional arguments may be one tuple spread out: a.reshape(2, 3)
SPREAD = frozenset({"reshape", "transpose"})

# where the condition, not the array, is the function's first argument: a.compress(condition)
SECOND = frozenset({"compress"})

# what the rule of a function calls a keyword that has another name too
KEYWORDS: dict[str, dict[str, str]] = {
    "clip": {"min": "a_min", "max": "a_max"},
    "std": {"correction": "ddof"},
    "var": {"correction": "ddof"},
}

ATTRIBUTES: dict[str, Any] = {
    "T": np.transpose,
    "mT": np.matrix_transpose,
    "real": np.real,
    "imag": np.imag,
    "flat": np.ravel,
}

CONSTANT_ATTRIBUTES = frozenset(
    {"shape", "size", "ndim", "dtype", "nbytes", "itemsize", "strides", "flags"}
)
