"""Which tangent texts make new memory, and which operations NumPy answers with a view or a copy as it sees fit."""

import gast
import numpy as np

from pullback.compiler.analysis.effects import called
from pullback.compiler.analysis.program import Facts
from pullback.compiler.emit.printer import printed
from pullback.compiler.rules.language import rule_of

SHARING = ("astype", "einsum", "sliding_window_view")  # besides what has a rule that says so
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
        rule = rule_of(getattr(np, word, None))
        return word not in SHARING and not (rule is not None and rule.view)
    return word in ("copy", "flatten", "masked_product")


def may_copy(facts: Facts, node: gast.Call) -> bool:
    """Does NumPy choose whether this is a view or a copy?"""
    return called(facts, node) in MAY_COPY
