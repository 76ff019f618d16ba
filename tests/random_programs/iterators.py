"""Iterators of every kind, spread or consumed wherever Python takes one."""

from __future__ import annotations

from .arrays import assign_float
from .expressions import Maker
from .kinds import FLOAT, Dict, Float, List, Object


def iterator(m: Maker) -> tuple[str, int]:
    """Something that gives numbers, and how many at least."""
    number = m.float_leaf()
    options = [
        (f"(np.sin({number} * k) for k in range(3))", 3),
        (f"map(lambda v: v * {number}, [0.3, {number}])", 2),
        (f"({number}, {m.float_leaf()})", 2),
        (f"itertools.repeat({number}, 2)", 2),
        (f"itertools.accumulate([{number}, {m.float_leaf()}, 0.4])", 3),
    ]
    vectors = m.arrays(lambda v: len(v.type.shape) == 1)
    if vectors:
        v = m.pick(vectors)
        n = v.type.shape[0]
        options += [(v.name, n), (f"iter({v.name})", n), (f"reversed({v.name})", n), (f"{v.name}.tolist()", n), (f"{v.name}.flat", n)]
        options += [(f"map(np.tanh, {v.name})", n), (f"(p * q for p, q in zip({v.name}, {v.name}[::-1]))", n)]
        options += [(f"filter(lambda v: v > {m.number()}, {v.name})", 0), (f"{v.name}[{v.name} > {m.number()}]", 0)]
        options += [(f"itertools.islice({v.name}, 2)", min(n, 2)), (f"(k * v for k, v in enumerate({v.name}))", n)]
    for v in m.variables(List, lambda v: v.type.item == FLOAT):
        m.hold(v.type)
        options += [(f"{v.name}[:]", v.type.least), (f"reversed({v.name}[:])", v.type.least), (f"list({v.name})[::-1]", v.type.least)]
        options += [(f"itertools.chain({v.name}[:], [{number}])", v.type.least + 1), (f"sorted({v.name})", v.type.least)]
    for v in m.variables(Dict, lambda v: all(isinstance(t, Float) for t in v.type.items.values())):
        options += [(f"{v.name}.values()", len(v.type.items)), (f"({v.name}[k] for k in {v.name})", len(v.type.items))]
    for v in m.variables(Object, lambda v: v.type.cls != "State"):
        options += [(v.name, 3), (f"iter({v.name})", 3)]
    generators = [h for h in m.helpers if h.yields]
    if generators and m.frame.calls:
        options += [(m.call_of(m.pick(generators), 1), 0)] * 3
    return m.pick(options)


def spread_statement(m: Maker, count: int) -> int:
    """All that an iterator gives goes somewhere."""
    text, least = iterator(m)
    roll = m.rng.random()
    lists = m.variables(List, lambda v: v.type.item == FLOAT and not v.type.locked)
    variadic = [h for h in m.helpers if h.extra == "args" and not h.yields and isinstance(h.result, Float)]
    if roll < 0.3 and lists:
        into_list(m, m.pick(lists), text, least)
    elif roll < 0.4 and variadic and m.frame.calls:
        helper = m.pick(variadic)
        call = m.call_of(helper, 1)
        if call is None or "=" in call or "*" in call:
            return assign_float(m, count)
        if len(helper.parameters) <= call.count(","):
            return assign_float(m, count)
        m.new(FLOAT, f"{call[:-1]}, *{text})")
    elif roll < 0.55 and least:
        name, rest = m.fresh(), m.fresh()
        first = m.chance(0.6)
        m.write(f"{name}, *{rest} = {text}" if first else f"*{rest}, {name} = {text}")
        m.bind(name, FLOAT)
        m.bind(rest, List(FLOAT, least - 1))
    elif roll < 0.75:
        forms = ("[*{0}, {1}]", "list({0})", "[v * {1} for v in {0}]", "[k * v for k, v in enumerate({0}, 1)]", "sorted({0})")
        m.new(List(FLOAT, least), m.pick(forms).format(text, m.float_leaf()))
    else:
        forms = ("sum({0})", "max([{1}, *{0}])", "sum(v * w for v, w in zip({0}, (0.3, {1}, 0.7)))", "(lambda *v: sum(v) * {1})(*{0})")
        forms += ("functools.reduce(lambda p, q: p * 0.6 + q, {0}, {1})", "np.sum(np.array([*{0}, {1}]) ** 2)")
        forms += ("math.hypot(*{0}, 1.0)", "np.sum(np.fromiter({0}, float)) * {1}", "sum(tuple({0})) * {1}", "next(iter({0}), {1})")
        m.new(FLOAT, m.pick(forms).format(text, m.float_leaf()))
    return 1


def into_list(m: Maker, variable, text: str, least: int) -> None:
    name, type = variable.name, variable.type
    forms = [f"{name}.extend({text})", f"{name}[len({name}):] = {text}", f"{name}[:0] = {text}", f"{name}[1:1] = {text}"]
    if variable.rebind:
        forms += [f"{name} += {text}", f"{name} = [*{name}, *{text}]", f"{name} = {name} + list({text})"]
    m.write(m.pick(forms))
    type.least += least
