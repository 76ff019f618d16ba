"""Adjoints of containers: zeros of the same structure, and addition into them.

The shadow of a list or tuple is a list, of a dict a dict, of an object a Shadow with the same fields;
a number's is 0.0, as is that of None, an array's an array of zeros, and what carries no derivative has None.
"""

import copy

import numpy as np

from pullback.runtime.functions import Closure, Frame, Globals


class Shadow:
    """The adjoint of an object: one field for each of its fields."""

    def __init__(self, /, **fields):
        self.__dict__.update(fields)


SLOTTED = ("fractions", "decimal", "pathlib", "datetime", "uuid", "ipaddress", "weakref")  # of Python's own, no data of programs
WRITTEN = 1 << 9  # of a type's flags: it is made by a class statement


def has_fields(value):
    """Is this an object whose attributes may carry derivatives: no class, function or module?"""
    made_by = type(value).__module__.split(".")[0]
    opaque = isinstance(value, type) or made_by in ("builtins", "functools", "numpy", "os", "scipy", "pullback")
    held = hasattr(value, "__dict__") or hasattr(type(value), "__slots__") and made_by not in SLOTTED
    return held and (isinstance(value, (Closure, Frame)) or not opaque)


def fields(value):
    """The attributes of an object by name, those in slots too."""
    if isinstance(value, Globals):
        return {name: vars(value)[name] for name in sorted(value.declared & vars(value).keys())}
    held = dict(getattr(value, "__dict__", ()))
    for cls in reversed(type(value).__mro__):
        slots = vars(cls).get("__slots__", ())
        for name in [slots] if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                held[name] = getattr(value, name)
    return held


def blank(cls):
    """A new object of a class, whose constructor has not run."""
    own = next(c for c in cls.__mro__ if not c.__flags__ & WRITTEN)
    return own.__new__(cls)


def zeros(value, seen=None, loose=False):
    """A shadow of zeros for any value; an object met twice has one shadow, as it is one object.

    `loose`: that of a number is an array of no dimension, for containers whose numbers and arrays are not told apart.
    """
    seen = {} if seen is None else seen
    if isinstance(value, np.ndarray):
        if id(value) not in seen:
            seen[id(value)] = np.zeros_like(value) if value.dtype.kind in "fc" else np.zeros(value.shape)
        return seen[id(value)]
    if value is None or isinstance(value, (int, float, complex, np.number)):  # a number may be in the place of None
        zero = 0j if np.iscomplexobj(value) else 0.0
        return np.array(zero) if loose else zero
    if isinstance(value, (list, tuple)):
        shadow = seen.setdefault(id(value), [])
        if not shadow:
            shadow.extend(zeros(item, seen, loose) for item in value)
        return shadow
    if isinstance(value, dict):
        shadow = seen.setdefault(id(value), {})
        if not shadow:
            shadow.update((key, zeros(item, seen, loose)) for key, item in value.items())
        return shadow
    if has_fields(value):
        shadow = seen.setdefault(id(value), Shadow())
        if not shadow.__dict__:
            shadow.__dict__.update((key, zeros(item, seen, loose)) for key, item in fields(value).items())
        return shadow
    return None


def as_real_as(bar, shadow):
    """An adjoint as it goes to a shadow: its real part where, this time, that is of something real."""
    return bar if np.iscomplexobj(shadow) else np.real(bar)


def as_complex(bar):
    """The adjoint of a complex array, to parts of which complex numbers will be added."""
    return bar if np.iscomplexobj(bar) else bar + 0j


def accumulate(shadow, parts):
    """Add an array's entries to the shadow of the nested list they came from, in place."""
    for i, part in enumerate(parts):
        if isinstance(shadow[i], list):
            accumulate(shadow[i], part)
        elif isinstance(shadow[i], np.ndarray):
            shadow[i] += as_real_as(part, shadow[i])
        elif shadow[i] is not None:
            shadow[i] = shadow[i] + part


def last_written(bar, index):
    """bar[index], and zero for an entry that a later one of the index wrote again: its value was lost."""
    part = np.array(bar[index])  # of one entry too: an index of tuples may name it
    whole = np.asarray(bar)  # it may be x.flat
    if are_distinct(index, whole.shape):
        return part
    places = np.arange(whole.size).reshape(whole.shape)[index]
    _, last = np.unique(places.ravel()[::-1], return_index=True)
    kept = np.zeros(places.size, bool)
    kept[places.size - 1 - last] = True
    part[~kept.reshape(places.shape)] = 0.0
    return part


def are_distinct(index, shape):
    """Does an index of arrays of numbers name every entry, or row, at most once? False also where that is not told."""
    parts = list(index) if isinstance(index, tuple) else [index]
    while parts and isinstance(parts[-1], slice) and parts[-1] == slice(None):
        parts.pop()
    numbers = [p if isinstance(p, np.ndarray) else np.asarray(p, None if isinstance(p, (list, int, np.integer)) else object) for p in parts]
    if not numbers or any(n.dtype.kind not in "iu" for n in numbers):
        return False
    numbers = [n % length for n, length in zip(np.broadcast_arrays(*numbers), shape)]
    places = np.ravel_multi_index(numbers, shape[: len(numbers)]).ravel()
    return np.unique(places).size == places.size


def copied(value, seen=None):
    """A copy of an argument that the function writes to: containers and arrays anew, aliases kept."""
    return copy.deepcopy(value, seen)


def content(thing):
    """A copy of what an array, list, dict, set, deque or object holds, for refill."""
    if isinstance(thing, (np.ndarray, list, dict, set, bytearray)) or hasattr(thing, "appendleft"):
        return thing.copy()
    return fields(thing) if has_fields(thing) else None


def held_item(items, key):
    """The item of a dict in a tuple of one; an empty tuple where there is none."""
    return (items[key],) if key in items else ()


def restore_item(items, key, held):
    """Give a dict the item back that it had, or none."""
    if held:
        items[key] = held[0]
    else:
        del items[key]


def refill(thing, content):
    """Give an array, list, dict, set, deque or object the content back that it had when that was copied."""
    if isinstance(thing, np.ndarray):
        thing[...] = content
    elif isinstance(thing, (list, bytearray)) or hasattr(thing, "appendleft"):
        thing.clear()
        thing.extend(content)
    elif content is not None:  # of a number, nothing changes in place
        if isinstance(thing, (dict, set)):
            thing.clear()
            thing.update(content)
            return
        for name in fields(thing).keys() - content.keys():
            object.__delattr__(thing, name)
        for name, item in content.items():
            object.__setattr__(thing, name, item)


def contents(kind, *things):
    """What every array, list, dict or object, by `kind`, that can be got at holds, for refill_each."""
    found, seen, waiting = [], set(), list(things)
    while waiting:
        thing = waiting.pop()
        own = kind_of(thing)
        held = captured(thing)
        if (own or held) and id(thing) not in seen:
            seen.add(id(thing))
            waiting += held
            waiting += thing.values() if own == "dict" else thing if own in ("list", "tuple") else ()
            waiting += fields(thing).values() if own == "object" else ()
            if own == kind or own not in ("tuple", "") and kind not in ("array", "dict", "list", "object"):
                found.append((thing, content(thing)))
    return found


def captured(thing):
    """What a function captures, or a generator under way, or an iterator that stands for one, can get at."""
    frame = getattr(thing, "gi_frame", None)
    found = list(frame.f_locals.values()) if frame is not None else []
    found += vars(thing).values() if type(thing).__module__.startswith("pullback.") and hasattr(thing, "__dict__") else ()
    for cell in getattr(thing, "__closure__", None) or ():
        try:
            found.append(cell.cell_contents)
        except ValueError:  # nothing was bound yet
            continue
    return found


def kind_of(thing):
    """The kind of memory that something is, or an empty text."""
    if isinstance(thing, (list, set, bytearray)) or hasattr(thing, "appendleft"):
        return "list"
    kinds = {np.ndarray: "array", dict: "dict", tuple: "tuple"}
    found = next((kind for cls, kind in kinds.items() if isinstance(thing, cls)), "")
    return found or ("object" if has_fields(thing) else "")


def refill_each(found):
    """Give each of several things the content back that it had."""
    for thing, held in found:
        refill(thing, held)


def renewed(shadow, loose=False):
    """The shadow of a copy: arrays and containers are shared with the original, numbers begin at zero.

    `loose`: those of the copy are arrays of no dimension, whatever those of the original are.
    """
    return {key: zeros(bar, None, loose) if is_number(bar) else bar for key, bar in shadow.items()}


def is_number(bar):
    """Is the shadow of a number a number?"""
    return isinstance(bar, (float, complex, np.number))


def return_numbers(shadow, bar, but=()):
    """Add to a dict's numbers what a copy of it gathered, but for the keys that the copy replaced."""
    for key, part in bar.items():
        if key in shadow and key not in but and is_number(shadow[key]):
            shadow[key] = shadow[key] + part


def put_back(shadow, old, keys):
    """The items of these keys as they were before an update, numbers at zero: what they gathered has gone on."""
    for key in keys:
        if key in old:
            shadow[key] = zeros(old[key]) if is_number(old[key]) else old[key]
        else:
            shadow.pop(key, None)


def inserted_at(place, length):
    """Where list.insert(place, item) put the item, in a list that now has this length."""
    return min(place, length - 1) if place >= 0 else max(place + length - 1, 0)


def popped_from(place, length):
    """Where list.pop(place) took its item from, in a list that now has this length."""
    return place if place >= 0 else place + length + 1


def add_into(shadow, bar):
    """Add an adjoint with the structure of a value into the value's shadow, in place."""
    if isinstance(shadow, np.ndarray):
        shadow += bar
    elif isinstance(shadow, (list, dict)):
        for key in range(len(shadow)) if isinstance(shadow, list) else shadow:
            if isinstance(shadow[key], (np.ndarray, list, dict, Shadow)):
                add_into(shadow[key], bar[key])
            elif shadow[key] is not None and bar[key] is not None:
                shadow[key] = shadow[key] + bar[key]
    elif isinstance(shadow, Shadow):
        for key in vars(shadow):
            held = getattr(shadow, key)
            if isinstance(held, (np.ndarray, list, dict, Shadow)):
                add_into(held, getattr(bar, key))
            elif held is not None:
                setattr(shadow, key, held + getattr(bar, key))


def writable(view):
    """A view that NumPy does not let write, as a shadow that can be added to."""
    if view.flags.writeable:
        return view
    interface = {**view.__array_interface__, "data": (view.__array_interface__["data"][0], False)}
    opened = np.asarray(type("Memory", (), {"__array_interface__": interface, "base": view})())
    return opened.view(Overlapping) if opened.size > 1 else opened


class Overlapping(np.ndarray):
    """Several entries may be the same memory, which then receives what is added to each of them."""

    def __iadd__(self, other):  # type: ignore[misc]
        entries = np.asarray(self)
        offsets = np.zeros((), int)
        for length, stride in zip(self.shape, self.strides):
            offsets = np.add.outer(offsets, stride * np.arange(length))
        places, first, which = np.unique(offsets.ravel(), return_index=True, return_inverse=True)
        sums = np.zeros(len(places), self.dtype)
        np.add.at(sums, which.ravel(), np.broadcast_to(other, self.shape).ravel())
        entries.flat[first] += sums
        return self

    def __isub__(self, other):  # type: ignore[misc]
        return self.__iadd__(np.negative(other))
