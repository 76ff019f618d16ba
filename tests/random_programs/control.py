"""Branches, loops, exceptions, patterns."""

from __future__ import annotations

from .arrays import assign_float
from .expressions import Maker
from .kinds import FLOAT, Array, Int, List


def if_statement(m: Maker, count: int) -> int:
    inner = m.rng.randint(1, max(1, min(3, count - 1)))
    m.write(f"if {m.test()}:")
    with m.block():
        m.body(inner)
    if m.chance(0.2):
        m.write(f"elif {m.test()}:")
        with m.block():
            m.body(1)
    if m.chance(0.5):
        m.write("else:")
        with m.block():
            m.body(m.rng.randint(1, inner))
    elif m.chance(0.2) and m.frame.depth == 1 and not m.frame.loops:
        bind_in_both(m)
    return inner + 1


def bind_in_both(m: Maker) -> None:
    """A variable that both arms of a branch bind, to different things."""
    name = m.fresh()
    shape = m.pick(((2,), (3,)))
    m.write(f"if {m.test()}:")
    m.write(f"    {name} = {m.array_leaf(shape)}")
    m.write("else:")
    m.write(f"    {name} = {m.array(shape, 1)}")
    m.bind(name, Array(shape))


def exit_statement(m: Maker, count: int) -> int:
    """Leave the loop or the function, under a condition."""
    options = ["break", "continue"] * 2 if m.frame.loops else []
    if m.frame.result is None:
        options.append("return")
    else:
        options.append("return " + m.expression(m.frame.result, 1))
    if not options:
        return assign_float(m, count)
    m.write(f"if {m.test()}:")
    m.write("    " + m.pick(options))
    return 1


def for_statement(m: Maker, count: int) -> int:
    """Over a range, an array, a list, zip or enumerate."""
    inner = m.rng.randint(1, max(1, min(4, count - 1)))
    headers = [range_header, range_header, range_header, items_header, items_header, zip_header]
    header = m.pick(headers)(m)
    if header is None:
        header = range_header(m)
    text, targets, locked = header
    m.write(text)
    was = [t.locked for t in locked]
    for t in locked:
        t.locked = True
    with m.block(loop=True):
        for name, type in targets:
            m.bind(name, type)
        if m.frame.loops > 1 or m.frame.depth > 2:
            inner = min(inner, 2)
        m.body(inner)
    for t, old in zip(locked, was):
        t.locked = old
    if m.chance(0.08):
        m.write("else:")
        with m.block():
            m.body(1)
    return inner + 1


def range_header(m: Maker):
    name = m.fresh()
    integers = m.variables(Int, lambda v: v.type.low == v.type.high and 0 <= v.type.low <= 4)
    options = [("3", 0, 2), ("2", 0, 1), ("1, 4", 1, 3), ("0, 5, 2", 0, 4), ("2, -1, -1", 0, 2), ("0", 0, 0)]
    options += [("3", 0, 2)] * 2
    if integers:
        v = m.pick(integers)
        options += [(v.name, 0, max(v.type.high - 1, 0))] * 4 + [(f"1, {v.name}", 1, max(v.type.high - 1, 1))]
    bounds, low, high = m.pick(options)
    shown = f"reversed(range({bounds}))" if m.chance(0.07) else f"range({bounds})"
    return f"for {name} in {shown}:", [(name, Int(low, high))], []


def items_header(m: Maker):
    """for v in array: a float, or a row that is a view. for v in list. Enumerated or not."""
    roots = m.arrays() + m.variables(List)
    if not roots:
        return None
    root = m.pick(roots)
    locked = []
    if isinstance(root.type, List):
        text, item, longest, locked = root.name, root.type.item, 10**9, [root.type]
        if root.type.held or not root.named:
            text += "[:]"  # another name for it may make it longer meanwhile
    else:
        text, shape = m.view(root)
        item, longest = (FLOAT if len(shape) == 1 else Array(shape[1:])), shape[0]
    name = m.fresh()
    if m.chance(0.35):
        counter = m.fresh()
        targets = [(counter, Int(0, longest - 1)), (name, item)]
        return f"for {counter}, {name} in enumerate({text}):", targets, locked
    if m.chance(0.1):
        text = f"reversed({text})"
    return f"for {name} in {text}:", [(name, item)], locked


def zip_header(m: Maker):
    one, two = items_header(m), items_header(m)
    if one is None or two is None or "enumerate" in one[0] + two[0] or "reversed" in one[0] + two[0]:
        return None
    texts = [text.split(" in ", 1)[1].removesuffix(":") for text, _, _ in (one, two)]
    names = [targets[0][0] for _, targets, _ in (one, two)]
    return (
        f"for {', '.join(names)} in zip({', '.join(texts)}):",
        one[1] + two[1],
        one[2] + two[2],
    )


def while_statement(m: Maker, count: int) -> int:
    inner = m.rng.randint(1, max(1, min(3, count - 1)))
    counter = m.bind(m.fresh(), Int())
    counter.pinned = True
    m.write(f"{counter.name} = 0")
    trips = m.rng.randint(0, 4)
    condition = f"{counter.name} < {trips}"
    if m.chance(0.4):
        condition += f" and {m.float(1)} < {m.rng.uniform(0.2, 1.4):.3f}"
    m.write(f"while {condition}:" if m.chance(0.9) else "while True:")
    endless = m.lines[-1].endswith("while True:")
    with m.block(loop=True):
        m.write(f"{counter.name} += 1")
        if endless:
            m.write(f"if {counter.name} > {trips}:")
            m.write("    break")
        m.body(inner)
    return inner + 1
