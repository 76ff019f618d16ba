"""Statements about dicts and tuples, and containers in containers."""

from __future__ import annotations

from .arrays import assign_float, augment
from .expressions import Maker
from .formulas import BOUNDED
from .kinds import FLOAT, Array, Complex, Dict, Float, Function, List, Object, Tuple, alike, flat

KEYS = ("p", "q", "w")


def item_type(m: Maker, deep: float = 0.2) -> object:
    """What a container may hold: numbers, arrays, now and then another container."""
    if not m.chance(deep):
        return m.pick((FLOAT, FLOAT, Array((2,)), Array((3,))))
    return m.pick(
        (
            List(m.pick((FLOAT, Array((2,)))), m.rng.randint(1, 2)),
            Dict({key: m.pick((FLOAT, Array((3,)))) for key in m.rng.sample(KEYS, 2)}),
            Tuple((FLOAT, Array((2,)))),
            Array((2, 2)),
            Complex(),
            Function(FLOAT),
            Object("Body"),
        )
    )


def write_item(m: Maker, place: str, type: object) -> None:
    """Into an item of a list or dict: another object, or something inside it."""
    if not flat(type):
        m.write(f"{place} = {m.expression(type, 1)}")
    elif isinstance(type, Float):
        m.write(m.pick(("{} = {}", "{} += np.sin({})", "{} *= np.cos({})")).format(place, m.float(2)))
    elif m.chance(0.35):
        m.write(f"{place} = {m.array(type.shape, 1)}")
    elif m.chance(0.5):
        m.write(augment(m, f"{place}[{m.index(type.shape[0])}]", m.float(1)))
    elif m.chance(0.5):
        m.new(type, place)
    else:
        m.write(f"{place} {m.pick(('+=', '*='))} {m.pick(BOUNDED).format(m.array(type.shape, 1))}")


def dict_statement(m: Maker, count: int) -> int:
    dicts = m.variables(Dict)
    if not dicts or m.chance(0.25):
        keys = m.rng.sample(KEYS, m.rng.randint(1, 3))
        type = Dict({key: item_type(m) for key in keys})
        m.new(type, m.expression(type, 1))
        return 1
    variable = m.pick(dicts)
    if m.chance(0.15):
        m.new(variable.type, variable.name)
        return 1
    key, type = m.pick(variable.type.items.items())
    write_item(m, f"{variable.name}[{key!r}]", type)
    return 1


def dict_method(m: Maker, count: int) -> int:
    """Its methods, copies, unions, loops over it: of dicts whose keys are known."""
    dicts = m.variables(Dict)
    if not dicts:
        return dict_statement(m, count)
    variable = m.pick(dicts)
    statement = m.pick((dict_update, dict_copy, dict_read, dict_loop, dict_of_others, key_for_a_while))
    statement(m, variable.name, variable.type)
    return 1


def dict_update(m: Maker, name: str, type: Dict) -> None:
    key, item = m.pick(type.items.items())
    forms = ["{0}.update({1}={2})", "{0}.update({{{1!r}: {2}}})", "{0}.update([({1!r}, {2})])", "{0}.setdefault({1!r}, {2})"]
    if name.isidentifier() and next(v for v in m.scope if v.name == name).rebind:
        forms.append("{0} |= {{{1!r}: {2}}}")
    m.write(m.pick(forms).format(name, key, m.expression(item, 1)))


def dict_copy(m: Maker, name: str, type: Dict) -> None:
    """A dict of its own, that shares what the first one holds."""
    key, item = m.pick(type.items.items())
    forms = ("{0}.copy()", "{{**{0}, {1!r}: {2}}}", "{0} | {{{1!r}: {2}}}", "dict({0})", "dict({0}, {1}={2})")
    forms += ("dict({0}.items())", "{{k: v for k, v in {0}.items()}}", "dict(zip({0}, {0}.values()))", "copy.copy({0})")
    if all(map(flat, type.items.values())):
        forms += ("{{k: v * 0.9 for k, v in {0}.items()}}", "copy.deepcopy({0})")
    m.hold(type)
    m.new(Dict(dict(type.items)), m.pick(forms).format(name, key, m.expression(item, 1)))


def dict_read(m: Maker, name: str, type: Dict) -> None:
    key, item = m.pick(type.items.items())
    if m.chance(0.6):
        forms = ("{0}.get({1!r}, {2})", "{0}.setdefault({1!r}, {2})", "operator.itemgetter({1!r})({0})", "list({0}.values())[{3}]")
        forms += ("{{**{{k: v for k, v in {0}.items()}}}}[{1!r}]", "({0} | {{k: {2} for k in ['none']}})[{1!r}]")
        m.new(item, m.pick(forms).format(name, key, m.expression(item, 1), list(type.items).index(key)))
    else:
        forms = ("{0}.get('none', {1})", "({0}['none'] if 'none' in {0} else {1})", "len({0}) * {1}")
        forms += ("{{'kind': 'any', 'rate': 0.3}}.get({2!r}, {1})", "{{**{0}, 'log': None}}.get('none', {1})")
        m.new(FLOAT, m.pick(forms).format(name, m.float(1), m.pick(("rate", "tolerance"))))


def dict_loop(m: Maker, name: str, type: Dict) -> None:
    k, v = m.fresh(), m.fresh()
    if not all(map(flat, type.items.values())) or len(set(type.items.values())) > 1 and m.chance(0.9):
        m.write(f"for {k} in {name}:\n    assert {k} in {name}")
        return
    form = m.pick(
        (
            f"for {k} in {name}:\n    {name}[{k}] = np.sin({name}[{k}]) * {m.float_leaf()}",
            f"for {k}, {v} in {name}.items():\n    {name}[{k}] = {v} * {m.float_leaf()}",
            f"for {k}, {v} in sorted({name}.items()):\n    {v} *= {m.float_leaf()}",
            f"for {v} in {name}.values():\n    {v} += np.sin({m.float_leaf()})",
            f"for {k} in list({name}.keys()):\n    {name}[{k}] *= {m.float_leaf()}",
            f"for {k}, {v} in list({name}.items()):\n    {name}.update({{{k}: np.tanh({v})}})",
        )
    )
    m.write(form)


def dict_of_others(m: Maker, name: str, type: Dict) -> None:
    """A number, or a list, of what it holds."""
    if not all(map(flat, type.items.values())):
        dict_read(m, name, type)
        return
    forms = ("sum(np.sum(each) for each in {0}.values())", "sum(np.sum({0}[k]) for k in {0})", "max(np.sum(v) for v in {0}.values())")
    forms += ("sum([np.sum(v) * len(k) for k, v in {0}.items()])", "functools.reduce(lambda p, k: p + np.sum({0}[k]), {0}, 0.0)")
    if m.chance(0.7):
        m.new(FLOAT, m.pick(forms).format(name))
    else:
        m.new(List(FLOAT, len(type.items)), m.pick(("[np.sum(v) for v in {0}.values()]", "list(map(np.sum, {0}.values()))")).format(name))


def key_for_a_while(m: Maker, name: str, type: Dict) -> None:
    """A key is added, and taken away."""
    item = m.pick((FLOAT, Array((2,))))
    m.write(f"{name}['extra'] = {m.expression(item, 1)}")
    if m.chance(0.3):
        m.write(f"{name}['extra'] *= {m.float_leaf()}")
    if m.chance(0.3):
        m.write(f"del {name}['extra']")
    else:
        m.new(item, f"{name}.pop('extra')")


def tuple_statement(m: Maker, count: int) -> int:
    tuples = m.variables(Tuple)
    if tuples and m.chance(0.5):
        unpack(m, *(lambda v: (v.name, v.type))(m.pick(tuples)))
        return 1
    items = tuple(item_type(m) for _ in range(m.rng.randint(1, 3)))
    text = None
    results = [h for h in m.helpers if isinstance(h.result, Tuple) and not h.yields]
    if results and m.chance(0.4):
        items = m.pick(results).result.items
        text = m.call(Tuple(items), 2)
    m.new(Tuple(items), text or m.expression(Tuple(items), 1))
    return 1


def unpack(m: Maker, text: str, type: Tuple) -> None:
    names = [m.fresh() for _ in type.items]
    if len(names) == 3 and m.chance(0.3):
        m.write(f"{names[0]}, *{names[1]} = {text}")
        m.bind(names[0], type.items[0])
        m.bind(names[1], Tuple(type.items[1:]))
        return
    left = f"{names[0]}," if len(names) == 1 else ", ".join(names)
    m.write(f"{m.pick(('{}', '[{}]', '({})')).format(left)} = {text}")
    for name, item in zip(names, type.items):
        m.bind(name, item)


def nested_statement(m: Maker, count: int) -> int:
    """Something goes into a container of its kind, or comes out of one as an alias."""
    places = [v for v in m.reachable() if not v.named and v.rebind]
    if not places:
        return assign_float(m, count)
    place = m.pick(places)
    fits = [v for v in m.reachable() if v.name != place.name and alike(place.type, v.type)]
    if fits and m.chance(0.5):
        other = m.pick(fits)
        m.hold(other.type)
        m.write(f"{place.name} = {other.name}")
    elif m.chance(0.5):
        m.new(place.type, place.name)
    else:
        write_item(m, place.name, place.type)
    return 1
