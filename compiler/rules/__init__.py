"""The mathematics: one function a primitive. `load_rules` registers them."""

import importlib
import sys

from pullback.compiler.rules import language

FAMILIES = ["elementwise", "scalars", "complex", "reductions", "statistics", "linalg", "factor", "spectral", "shaping", "assembling", "selection", "signal", "fourier", "ufuncs", "scimath", "constants", "writing", "second", "second_products"]

# rules of modules that few programs use, read only where the module is already there
LAZY = {
    "numpy.polynomial": ("polynomial",),
    "scipy.linalg": ("scipy_linalg", "scipy_matrices"),
    "scipy.fft": ("scipy_fft",),
    "scipy.integrate": ("scipy_integrate",),
    "scipy.signal": ("scipy_signal",),
    "scipy.ndimage": ("scipy_ndimage",),
    "scipy.optimize": ("scipy_optimize",),
    "scipy.spatial.distance": ("scipy_spatial",),
    "scipy.stats": ("scipy_stats", "scipy_summary"),
    "scipy.special": ("scipy_special", "scipy_bessel"),
}

_loaded: set[str] = set()


def load_rules() -> bool:
    """Register the rules of Python and NumPy, and those of each lazy module that is imported by
    now; were there any new?"""
    lazy = (
        family for module, families in LAZY.items() if module in sys.modules for family in families
    )
    new = [family for family in (*FAMILIES, *lazy) if family not in _loaded]
    for family in new:
        importlib.import_module(f"pullback.compiler.rules.{family}")
        _loaded.add(family)
    return bool(new)


language.loaders.append(load_rules)
