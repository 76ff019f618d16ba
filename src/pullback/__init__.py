"""Reverse-mode automatic differentiation of NumPy code by source transformation."""

from pullback.compiler.api import grad, value_and_grad
from pullback.compiler.errors import DerivativeError
from pullback.compiler.jvp import jvp
from pullback.compiler.pullback import vjp

__all__ = ["DerivativeError", "grad", "jvp", "value_and_grad", "vjp"]
