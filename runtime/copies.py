"""What has to be known of a structure that is gone through part by part."""

import numpy as np

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
        raise TypeError(
            f"{done} something that holds one {type(thing).__name__} in two places, which cannot be followed: "
            "make a copy for each place"
        )
    seen.add(id(thing))
    for part in parts:
        refuse_held_twice(part, done, seen)
