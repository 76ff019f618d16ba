"""Reverse-mode automatic differentiation of NumPy code by source transformation."""

import importlib
from typing import TYPE_CHECKING, Any

from pullback.compiler.api import grad, value_and_grad
from pullback.compiler.errors import DerivativeError

if TYPE_CHECKING:
    from pullback.compiler.jvp import jvp
    from pullback.compiler.pullback import vjp

__all__ = ["DerivativeError", "grad", "jvp", "value_and_grad", "vjp"]

_LATER = {"jvp": "pullback.compiler.jvp", "vjp": "pullback.compiler.pullback"}  # imported when asked for


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found = getattr(importlib.import_module(_LATER[name]), name)
    return found
