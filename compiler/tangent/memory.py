"""Which tangent texts make new memory, and which operations NumPy answers with a view or a copy as it sees fit."""

import gast

from pullback.compiler.analysis.effects import called
from pullback.compiler.analysis.program import Facts
from pullback.compiler.emit.printer import printed

VIEWS = ("reshape", "ravel", "transpose", "swapaxes", "moveaxis", "rollaxis", "squeeze", "expand_dims", "flip", "fliplr",
         "flipud", "rot90", "real", "imag", "split", "array_split", "hsplit", "vsplit", "dsplit", "diagonal",
         "matrix_transpose", "broadcast_to", "broadcast_arrays", "asarray", "asanyarray", "ascontiguousarray",
         "asfortranarray", "atleast_1d", "atleast_2d", "atleast_3d", "real_if_close", "unstack", "conjugate", "conj",
         "sliding_window_view", "astype", "trace")
MAY_COPY = ("reshape", "ravel", "asarray", "asanyarray", "ascontiguousarray", "asfortranarray", "real_if_close", "float64",
            "float32", "float16", "longdouble")


def is_fresh(text: gast.expr) -> bool:
    """Does a tangent's text make an array that nothing else refers to?"""
    if isinstance(text, (gast.BinOp, gast.UnaryOp)):
        return True
    if not isinstance(text, gast.Call):
        return False
    spelled = printed(text.func).strip()
    word = spelled.rsplit(".", 1)[-1]
    if spelled.startswith("np."):
        return word not in VIEWS
    return word in ("copy", "flatten", "masked_product")


def may_copy(facts: Facts, node: gast.Call) -> bool:
    """Does NumPy choose whether this is a view or a copy?"""
    return called(facts, node) in MAY_COPY
