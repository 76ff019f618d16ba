"""The mathematics: one function a primitive. `load_rules` registers them."""

import importlib
import sys

FAMILIES = ("elementwise", "scalars", "complex", "reductions", "statistics", "linalg", "factor", "spectral", "shaping",
            "assembling", "selection",
            "signal", "fourier", "constants", "second")

SCIPY = {"scipy.special": "scipy_special"}

_loaded: set[str] = set()


def load_rules() -> None:
    """Register the rules of Python and NumPy, and those of each SciPy module that the program has imported."""
    wanted = [*FAMILIES, *(family for module, family in SCIPY.items() if module in sys.modules)]
    for family in wanted:
        if family not in _loaded:
            importlib.import_module(f"pullback.compiler.rules.{family}")
            _loaded.add(family)
