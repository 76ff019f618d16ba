"""Statements about numbers and arrays: aliases, views, writes into them."""

from __future__ import annotations

from .expressions import Maker
from .formulas import BOUNDED
from .kinds import FLOAT, Array, Float, Variable


def assign_float(m: Maker, count: int) -> int:
    targets = m.variables(Float, lambda v: v.rebind)
    if targets and m.chance(0.6):
        target = m.pick(targets)
        roll = m.rng.random()
        if roll < 0.35:
            m.write(f"{target.name} {m.pick(('+=', '-='))} {m.pick(BOUNDED).format(m.float(2))}")
        elif roll < 0.5:
            m.write(f"{target.name} *= {m.pick(BOUNDED).format(m.float(2))} + 0.4")
        elif roll < 0.55:
            m.write(f"{target.name} /= 1.2 + {m.float(1)} ** 2")
        else:
            m.write(f"{target.name} = {m.pick(BOUNDED).format(m.float(2))}")
    else:
        text = m.float(3)
        m.write(f"{m.bind(m.fresh(), FLOAT).name} = {text}")
    return 1


def assign_array(m: Maker, count: int) -> int:
    arrays = m.arrays(lambda v: v.rebind)
    if arrays and m.chance(0.4):
        target = m.pick(arrays)
        text = m.array(target.type.shape, 2)
        m.write(f"{target.name} = {text if m.chance(0.4) else m.pick(BOUNDED).format(text)}")
    else:
        shape = m.pick(((2,), (3,), (3,), (4,), (4,), (2, 3), (3, 2), (2, 2)))
        text = m.array(shape, 3)
        m.write(f"{m.bind(m.fresh(), Array(shape)).name} = {text}")
    return 1


def assign_alias(m: Maker, count: int) -> int:
    """y = x, or y = a view of x; y may be a new name, or a name that has this shape already."""
    if not m.arrays():
        return assign_array(m, count)
    text, shape = m.view()
    old = m.arrays(lambda v: v.rebind and v.type.shape == shape)
    name = m.pick(old).name if old and m.chance(0.3) else m.fresh()
    m.write(f"{name} = {text}")
    m.bind(name, Array(shape))
    return 1


def value_for(m: Maker, shape: tuple[int, ...], root: Variable | None) -> str:
    """What is to be written into a part of this shape; often read from the array itself."""
    if root and m.chance(0.35):
        for _ in range(6):
            text, found = m.view(root)
            if found == shape:
                return m.pick(("{}", "np.sin({})", "{} * 0.6", "{} * " + m.float_leaf())).format(text)
    if m.chance(0.3):
        return m.float(2)
    if len(shape) == 2 and m.chance(0.2):
        return m.array(shape[1:], 1)
    return m.array(shape, 2)


def augment(m: Maker, place: str, value: str, wide: bool = True) -> str:
    options = ["{0} = {1}", "{0} += {1}", "{0} -= {1}", "{0} *= {1}", "{0} *= 0.5 + {1}"]
    options += ["{0} /= 1.5 + ({1}) ** 2", "{0} = np.sin({1})"]
    if wide:
        options += ["{0} **= 2", "{0} = {0} * {1}"]
    if m.frame.loops:
        options = [o.replace("{1}", "np.sin({1})") for o in options if "**= 2" not in o]
    return m.pick(options).format(place, value)


def write_element(m: Maker, count: int) -> int:
    if not m.arrays():
        return assign_array(m, count)
    m.write(augment(m, m.element(), m.float(2)))
    return 1


def write_part(m: Maker, count: int) -> int:
    if not m.arrays():
        return assign_array(m, count)
    variable = m.pick(m.arrays())
    text, shape = m.view(variable, m.pick((1, 1, 1, 2)))
    if not text.endswith("]"):
        text += "[:]" if m.chance(0.5) else "[...]"
    value = value_for(m, shape, variable)
    m.write(augment(m, text, value))
    return 1


def swap(m: Maker, count: int) -> int:
    """a, b = b, a: of arrays of one shape, of floats, of elements, of rows."""
    arrays = m.arrays(lambda v: v.rebind)
    pairs = [(v, w) for v in arrays for w in arrays if v is not w and v.type == w.type]
    floats = m.variables(Float, lambda v: v.rebind)
    if pairs and m.chance(0.6):
        v, w = m.pick(pairs)
        m.write(f"{v.name}, {w.name} = {w.name}, {v.name}")
    elif m.arrays() and m.chance(0.5):
        one, two = m.element(), m.element()
        m.write(f"{one}, {two} = {two}, {one}")
    elif len(floats) >= 2:
        v, w = m.rng.sample(floats, 2)
        m.write(f"{v.name}, {w.name} = {w.name} * 0.8, {v.name}")
    else:
        return assign_float(m, count)
    return 1


def rebind_kind(m: Maker, count: int) -> int:
    """A name that was one kind becomes another; only where every path passes."""
    if m.frame.depth != 1 or m.frame.loops:
        return assign_float(m, count)
    targets = [v for v in m.variables((Float, Array)) if v.rebind and not v.pinned]
    if not targets:
        return assign_float(m, count)
    target = m.pick(targets)
    if isinstance(target.type, Array):
        text, type = m.reduction(2), FLOAT
    else:
        shape = m.pick(((3,), (2,), (2, 2)))
        text, type = m.array(shape, 2), Array(shape)
    m.write(f"{target.name} = {text}")
    target.type = type
    return 1
