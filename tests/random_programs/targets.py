"""Assignments with several targets, and variables replaced by what is made of their own parts."""

from __future__ import annotations

from .arrays import assign_float
from .expressions import Maker
from .formulas import BOUNDED
from .kinds import FLOAT, Array, Dict, Float, List, Object, Tuple, Variable, alike, flat


def replace_statement(m: Maker, count: int) -> int:
    """`a = f(a, a[0])`: the old value is gone, what the call was given were parts of it."""
    olds = [v for v in m.scope if v.rebind and v.named and isinstance(v.type, (Array, List, Dict, Tuple, Object))]
    if not olds:
        return assign_float(m, count)
    old = m.pick(olds)
    text = call_on_parts(m, old) or remade(m, old)
    if text is None:
        return assign_float(m, count)
    parts = [p for p in m.inside(old, 1) if flat(p.type)]
    if parts and m.chance(0.3):
        part = m.pick(parts)
        m.write(f"{old.name}, {(name := m.fresh())} = {text}, {part.name}")
        m.bind(name, part.type)
    else:
        m.write(f"{old.name} = {text}")
    return 1


def call_on_parts(m: Maker, old: Variable) -> str | None:
    """A call whose result may stand for the old value, of arguments that are parts of it where they fit."""
    if not m.frame.calls or isinstance(old.type, List) and (old.type.locked or old.type.held):
        return None
    fits = [h for h in m.helpers if not h.yields and h.result is not None and alike(old.type, h.result)]
    if not fits:
        return None
    helper = m.pick(fits)
    arguments = []
    for name, type, default in helper.parameters:
        parts = [v.name for v in [old, *m.inside(old, 1)] if alike(type, v.type)]
        if isinstance(type, Float) and isinstance(old.type, Array):
            parts += [f"{old.name}[{', '.join(m.index(n) for n in old.type.shape)}]"]
        text = m.pick(parts) if parts and m.chance(0.8) else m.argument(type, 1)
        if text is None:
            return None
        arguments.append(text if default is None else f"{name}={text}")
    return f"{helper.name}({', '.join(arguments)})"


def remade(m: Maker, old: Variable) -> str | None:
    """The old value's successor, written out."""
    name, number = old.name, m.pick(BOUNDED).format(m.float(1))
    match old.type:
        case Array(shape, "float"):
            first = f"{name}[{', '.join(m.index(n) for n in shape)}]"
            forms = ["{0}[::-1] * {1}", "np.roll({0}, 1) * {1}", "np.where({0} > 0.117, {0}, {1})", "np.sin({0} - {1})"]
            if len(shape) == 1:
                forms += ["np.concatenate([{0}[1:], {0}[:1]]) * {2}", "np.array([v * {1} for v in {0}])", "np.outer({0}, {0})[-1]"]
            return m.pick(forms).format(name, first, number)
        case List(item, least) if least and flat(item) and not (old.type.locked or old.type.held):
            forms = ["[{0}[-1], *{0}[:-1]]", "[v * {1} for v in {0}]", "{0}[1:] + [{0}[0] * {1}]", "[{1} * {0}[0], *{0}[1:]]"]
            return m.pick(forms).format(name, number)
        case Dict(items) if not m.frame.loops:
            changed = [(k, t) for k, t in items.items() if flat(t)]
            if changed:
                key, _ = m.pick(changed)
                forms = ("{{**{0}, {1!r}: np.sin({0}[{1!r}]) * {2}}}", "dict({0}, {1}={0}[{1!r}] * {2})")
                forms += ("{{k: v * {2} if k == {1!r} else v for k, v in {0}.items()}}", "{0} | {{{1!r}: {0}[{1!r}] + {2}}}")
                return m.pick(forms).format(name, key, number)
        case Tuple(items):
            places = [i for i, t in enumerate(items) if flat(t)]
            if places:
                i = m.pick(places)
                return f"(*{name}[:{i}], np.sin({name}[{i}]) * {number}, *{name}[{i + 1}:])"
        case Object(cls):
            return f"{cls}({name}.x * {number}, {name}.w * {name}.x)"
    return None


def target_statement(m: Maker, count: int) -> int:
    """Targets of every kind, one after the other: what is on the right is evaluated before the first is bound."""
    floats = [v.name for v in m.variables(Float, lambda v: v.rebind)]
    elements = [m.element() for _ in range(2)] if m.arrays() else []
    places = [*dict.fromkeys(m.rng.sample(floats, min(len(floats), 2)) + elements)]
    width = m.rng.randint(2, 3)
    made: list[str] = []
    while len(places) < width:
        places.append(m.fresh())
        made.append(places[-1])
    places = m.rng.sample(places, len(places))[:width] if not made else places[:width]
    values, fresh = values_for(m, width)
    left = m.pick(("{}", "[{}]", "({})")).format(", ".join(places))
    if fresh is not None and m.chance(0.2):
        left, name = f"{left}, {(name := m.fresh())}" if left[0] in "[(" else f"({left}), {(name := m.fresh())}", name
        m.write(f"{left} = {values}, {fresh}")
        m.bind(name, FLOAT)
    elif m.chance(0.15):
        m.write(f"{(name := m.fresh())} = {left} = {values}")
    else:
        m.write(f"{left} = {values}")
    for name in made:
        if name in places:
            m.bind(name, FLOAT)
    return 1


def values_for(m: Maker, width: int) -> tuple[str, str | None]:
    """This many numbers: a tuple, or what gives them when it is taken apart; with it one more, for a nested target."""
    options = ["({})".format(", ".join(m.pick(BOUNDED).format(m.float(1)) for _ in range(width)))] * 3
    options += [f"[{m.float(1)} * k for k in range({width})]", f"(np.sin({m.float(1)} * k) for k in range({width}))"]
    options += [f"map(math.sin, [{', '.join(m.float(1) for _ in range(width))}])"]
    vectors = m.arrays(lambda v: v.type.shape == (width,))
    if vectors:
        v = m.pick(vectors).name
        options += [v, f"{v}.tolist()", f"reversed({v})", f"np.sin({v})", f"{v}.copy()", f"(k * 0.7 for k in {v})"]
    return f"{m.pick(options)}", m.float(1)


def plain_container(m: Maker, count: int) -> int:
    """Settings: a list, dict or object of constants, which statements change in place like any other."""
    type = m.pick((List(FLOAT, 2), Dict({"p": FLOAT, "q": FLOAT}), Dict({"p": FLOAT, "w": Array((3,))}), Object("Body")))
    a, b = m.number(), m.number()
    match type:
        case List():
            text = f"[{a}, {b}]"
        case Dict(items):
            second = f"'q': {b}" if "q" in items else "'w': np.arange(3.0)"
            text = f"{{'p': {a}, {second}}}"
        case Object():
            text = f"Body({a}, np.ones(3) * {b})"
    place = m.new(type, text)
    if m.chance(0.5):
        changes = {List: "{0}[0] -= {1}", Dict: "{0}['p'] *= {1}", Object: "{0}.x += {1}"}
        m.write(changes[type.__class__].format(place.name, m.number()))
    return 1


def tuple_of_results(m: Maker, count: int) -> int:
    """An array that a function returns, taken apart; its parts may be views."""
    helpers = [h for h in m.helpers if isinstance(h.result, Array) and len(h.result.shape) == 1 and not h.yields]
    if not helpers or not m.frame.calls:
        return target_statement(m, count)
    helper = m.pick(helpers)
    text = m.call_of(helper, 1)
    if text is None:
        return target_statement(m, count)
    names = [m.fresh() for _ in range(helper.result.shape[0])]
    m.write(f"{m.pick(('{}', '[{}]', '({})')).format(', '.join(names))} = {text}")
    for name in names:
        m.bind(name, FLOAT)
    return 1
