"""Which tangent texts make new memory, and which operations NumPy answers with a view or a copy as it sees fit."""

from typing import Any

import gast

from pullback.compiler.emit.printer import printed

VIEWS = ("reshape", "ravel", "transpose", "swapaxes", "moveaxis", "rollaxis", "squeeze", "expand_dims", "flip", "fliplr",
         "flipud", "rot90", "real", "imag", "split", "array_split", "hsplit", "vsplit", "dsplit", "diagonal",
         "matrix_transpose", "broadcast_to", "broadcast_arrays", "asarray", "asanyarray", "ascontiguousarray",
         "asfortranarray", "atleast_1d", "atleast_2d", "atleast_3d", "real_if_close", "unstack", "conjugate", "conj",
         "sliding_window_view", "astype", "trace")
MAY_COPY = ("reshape", "ravel", "asarray", "asanyarray", "ascontiguousarray", "asfortranarray", "real_if_close")


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


def may_copy(node: Any) -> bool:
    """Is the value, by NumPy's choice, a view or a copy?"""
    for inner in gast.walk(node):
        if isinstance(inner, gast.Call):
            word = inner.func.attr if isinstance(inner.func, gast.Attribute) else getattr(inner.func, "id", "")
            if word in MAY_COPY:
                return True
    return False
