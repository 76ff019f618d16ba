"""Statements about lists."""

from __future__ import annotations

from .arrays import assign_float
from .containers import item_type, write_item
from .expressions import Maker
from .kinds import FLOAT, Array, Float, List, Tuple, alike, flat


def new_list(m: Maker) -> None:
    type = List(item_type(m), m.rng.randint(0, 3))
    m.new(type, m.expression(type, 1))


def list_statement(m: Maker, count: int) -> int:
    lists = m.variables(List)
    if not lists or m.chance(0.2):
        new_list(m)
        return 1
    variable = m.pick(lists)
    name, type = variable.name, variable.type
    roll = m.rng.random()
    if roll < 0.35 and not type.locked:
        forms = ("{}.append({})", "{}.append({})", "{} += [{}]" if variable.rebind else "{}.extend([{}])")
        m.write(m.pick(forms).format(name, m.expression(type.item, 2)))
        type.least += 1
    elif roll < 0.5 and shrinks(type):
        text = m.pick((".pop()", ".pop()", ".pop(0)"))
        if isinstance(type.item, Float) or m.chance(0.7):
            m.new(type.item, name + text)
        else:
            m.write(f"{name}{text}")
        type.least -= 1
    elif roll < 0.58:
        m.new(type, name)
    elif type.least:
        write_item(m, f"{name}[{m.rng.randint(-type.least, type.least - 1)}]", type.item)
    else:
        return assign_float(m, count)
    return 1


def shrinks(type: List) -> bool:
    return not (type.locked or type.held) and type.least > type.floor


def list_method(m: Maker, count: int) -> int:
    """What changes a list in place: its order, its length, a slice of it."""
    lists = m.variables(List, lambda v: not v.type.locked)
    if not lists:
        return list_statement(m, count)
    variable = m.pick(lists)
    name, type = variable.name, variable.type
    item = m.expression(type.item, 1)
    place = m.rng.randint(-type.least, type.least - 1) if type.least else 0
    options = [
        (f"{name}.insert({m.rng.randint(-4, 4)}, {item})", 1),
        (f"{name}.reverse()", 0),
        (f"{name}.extend([{item}])", 1),
        (f"{name}.extend({item} for _ in range(2))", 2),
        (f"{name}[:0] = [{item}]", 1),
        (f"{name}[len({name}):] = [{item}]", 1),
    ]
    if variable.rebind:
        options += [(f"{name} += {name}[:1]", min(type.least, 1)), (f"{name} *= 2", type.least)]
    if flat(type.item):
        options += [(f"{name}.sort(key=lambda each: np.sum(each) * 1.0{m.pick(('', ', reverse=True'))})", 0)]
    if type.item == FLOAT:
        options += [(f"{name}.sort()", 0), (f"{name}.sort(reverse=True)", 0)]
    if type.least:
        options += [(f"{name}[::-1] = {name}[:]", 0), (f"{name}[{place}:{place + 1 or None}] = [{item}]".replace(":None", ":"), 0)]
    if type.least >= 2:
        options += [(f"{name}[0], {name}[-1] = {name}[-1], {name}[0]", 0)] * 2
    if shrinks(type):
        options += [(f"del {name}[{place}]", -1), (f"{name}.pop({place})", -1), (f"{name}[:] = {name}[1:]", -1)] * 2
        if not type.floor:
            options += [(f"{name}.clear()", -type.least), (f"{name}[:] = [{item}]", 1 - type.least), (f"del {name}[:]", -type.least)]
    text, longer = m.pick(options)
    m.write(text)
    type.least += longer
    return 1


def list_of_list(m: Maker, count: int) -> int:
    """A list made of others: a slice, a copy, a sum, a sort, a map, a comprehension."""
    lists = m.variables(List)
    if not lists:
        return list_statement(m, count)
    variable = m.pick(lists)
    name, type = variable.name, variable.type
    least = type.least
    other = m.pick([v for v in lists if alike(v.type.item, type.item)])
    m.hold(type.item)
    options = [
        (f"{name}[:]", least),
        (f"list({name})", least),
        (f"{name}.copy()", least),
        (f"{name}[1:]", max(least - 1, 0)),
        (f"{name}[::-2]", (least + 1) // 2),
        (f"list(reversed({name}))", least),
        (f"[each for each in {name}]", least),
        (f"{name} + {other.name}", least + other.type.least),
        (f"{name} * 2", 2 * least),
        (f"[*{name}, {m.expression(type.item, 1)}]", least + 1),
        (f"[*{name}, *{other.name}]", least + other.type.least),
        (f"[each for pair in zip({name}, {other.name}) for each in pair]", 2 * min(least, other.type.least)),
        (f"list(itertools.chain({name}, {other.name}))", least + other.type.least),
    ]
    if flat(type.item):
        options += of_numbers(m, name, least)
    if type.item == FLOAT:
        options += [(f"sorted({name}, reverse=True)", least), (f"list(itertools.accumulate({name}))", least)]
        options += [(f"list(itertools.accumulate({name}, lambda p, q: p * 0.6 + q))", least), (f"np.array({name} + [0.3]).tolist()", least + 1)]
    text, least = m.pick(options)
    m.new(List(type.item, least), text)
    return 1


def of_numbers(m: Maker, name: str, least: int) -> list[tuple[str, int]]:
    """Lists made of a list of numbers or arrays, item by item."""
    number = m.float_leaf()
    bound = m.number()
    return [
        (f"sorted({name}, key=lambda each: -np.sum(each))", least),
        (f"list(map(lambda each: each * {number}, {name}))", least),
        (f"list(map(lambda p, q: p * q, {name}, {name}[::-1]))", least),
        (f"[each * {number} for each in {name} if np.sum(each) > {bound}]", 0),
        (f"[each * {number} if np.sum(each) > {bound} else np.sin(each) for each in {name}]", least),
        (f"[np.sin(each) for _ in range(2) for each in {name}]", 2 * least),
        (f"list(filter(lambda each: np.sum(each) < {bound}, {name}))", 0),
        (f"[(w := each * {number}) * w for each in {name}]", least),
        (f"[k * each for k, each in enumerate({name}, 1)]", least),
        (f"list(each * {number} for each in {name})", least),
        (f"[p * q for p, q in itertools.product({name}, [0.7, {number}])]", 2 * least),
        (f"list(itertools.starmap(lambda k, v: k * v, enumerate({name})))", least),
        (f"[p - q for p, q in itertools.pairwise({name})]", max(least - 1, 0)),
        (f"list(itertools.takewhile(lambda each: np.sum(each) < {bound}, {name}))", 0),
    ]


def comprehension(m: Maker, count: int) -> int:
    """A list or dict over a range, an array, or two of them."""
    roots = m.arrays()
    number = m.float(1)
    options: list[tuple[object, str]] = [
        (List(FLOAT, 3), f"[{number} * k for k in range(3)]"),
        (List(FLOAT, 3), f"[math.sin(k * t) for k, t in zip(range(3), [{number}] * 3)]"),
        (List(Array((2,)), 2), f"[np.full(2, {number}) * k for k in range(2)]"),
        (List(FLOAT, 4), f"[p * q for p in ({number}, {m.float_leaf()}) for q in (0.6, {m.float_leaf()})]"),
        (List(List(FLOAT, 2), 2), f"[[{number} * j + k for k in range(2)] for j in range(2)]"),
        (List(Tuple((FLOAT, FLOAT)), 2), f"[(k * {number}, {m.float_leaf()}) for k in range(2)]"),
    ]
    if roots:
        root = m.pick(roots)
        text, shape = m.view(root)
        item = FLOAT if len(shape) == 1 else Array(shape[1:])
        options += [
            (List(item, shape[0]), f"[v for v in {text}]"),
            (List(item, shape[0]), f"list({text})"),
            (List(item, shape[0]), f"[v * {number} for v in {text}]"),
            (List(item, 0), f"[v * {number} for v in {text} if np.sum(v) > {m.number()}]"),
            (List(item, shape[0]), f"[v * w for v in {text} if (w := {number}) is not None]"),
            (List(Array(shape), 2), f"[{text} * k for k in range(2)]"),
            (List(Array(shape), 2), f"[{text} for _ in range(2)]"),
        ]
    type, text = m.pick(options)
    m.new(type, text)
    return 1
