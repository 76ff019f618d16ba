"""What generated tangents need at run time: zeros in the form of a value, and memory shared as the value's is."""

import numpy as np

from pullback.runtime.refusals import Refusal
from pullback.runtime.shadows import Shadow, fields, has_fields


def zero_tangent(value, seen=None):
    """Zeros in the form of any value: a tuple for a tuple, a Shadow for an object; an object met twice has one."""
    seen = {} if seen is None else seen
    if isinstance(value, (bool, int, float, complex, np.number, np.bool_)):
        return 0.0
    if id(value) in seen:
        return seen[id(value)]
    if isinstance(value, np.ndarray):
        zeros = np.zeros_like(value) if value.dtype.kind in "fc" else np.zeros(value.shape)
        return seen.setdefault(id(value), zeros)
    if isinstance(value, tuple):
        parts = [zero_tangent(item, seen) for item in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if isinstance(value, list):
        made = seen[id(value)] = []
        made.extend(zero_tangent(item, seen) for item in value)
        return made
    if isinstance(value, dict):
        made = seen[id(value)] = {}
        made.update((key, zero_tangent(item, seen)) for key, item in value.items())
        return made
    if has_fields(value):
        made = seen[id(value)] = Shadow()
        made.__dict__.update((key, zero_tangent(item, seen)) for key, item in fields(value).items())
        return made
    return None


def owned(dot):
    """A tangent that may be written to: a copy if it is an array."""
    return dot.copy("K") if isinstance(dot, np.ndarray) else dot


def shared_alike(part_dot, whole_dot, part, whole):
    """The tangent of `part`, made from that of `whole` as `part` was from it: a view or copy as NumPy chose for these."""
    if isinstance(part, (list, tuple)):
        return [shared_alike(d, whole_dot, p, whole) for d, p in zip(part_dot, part)]
    views = np.shares_memory(part, whole)
    if views == np.shares_memory(part_dot, whole_dot):
        return part_dot
    if views:
        raise Refusal(
            "the tangent of a view of a written array could not be made a view: its memory layout differs",
            "write the whole array by its own name",
        )
    return part_dot.copy("K")
