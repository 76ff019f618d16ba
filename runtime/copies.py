"""What has to be known of memory that is gone through part by part."""

import numpy as np

from pullback.runtime.refusals import Refusal
from pullback.runtime.shadows import fields, has_fields


def refuse_held_twice(thing, done, seen=None):
    """Raise where a structure holds one object in two places; `done`: what is done that cannot tell them apart."""
    seen = set() if seen is None else seen
    parts = ()
    if isinstance(thing, dict):
        parts = thing.values()
    elif isinstance(thing, (list, tuple)):
        parts = thing
    elif has_fields(thing):
        parts = fields(thing).values()
    elif not isinstance(thing, np.ndarray):
        return
    if id(thing) in seen and not isinstance(thing, tuple):
        raise Refusal(
            f"{done} something that holds one {type(thing).__name__} in two places, which cannot be followed",
            "make a copy for each place",
        )
    seen.add(id(thing))
    for part in parts:
        refuse_held_twice(part, done, seen)


def _lie_alike(a, b):
    """Is each entry of an array the same memory as the one that comes at its turn in the other?"""
    return a.shape == b.shape and a.strides == b.strides and a.ctypes.data == b.ctypes.data


def refuse_overlap(written, read):
    """Raise where NumPy reads entries of an array, one after the other, that it has written just before."""
    if isinstance(read, (list, tuple)):
        for part in read:
            refuse_overlap(written, part)
        return
    written = written.base if isinstance(written, np.flatiter) else written
    if isinstance(read, np.ndarray) and np.shares_memory(written, read) and not _lie_alike(written, read):
        raise Refusal(
            "an array is written entry by entry from its own memory, of which NumPy reads entries after it wrote them",
            "write a copy, `.copy()`",
        )
