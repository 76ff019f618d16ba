"""Helpers, closures, generators, and calls of them."""

from __future__ import annotations

import dataclasses

from .arrays import assign_array, augment, write_element, write_part
from .classes import CLASSES
from .containers import unpack
from .expressions import Maker
from .kinds import FLOAT, Array, Dict, Float, Frame, Function, Helper, Int, List, Object, Tuple, Variable

RESULTS = (FLOAT, FLOAT, FLOAT, None, None, Array((3,)), Array((3,)), Array((2,)), Array((2,)))
DECORATORS = ("@damped", "@scaled(0.7)", "@scaled(k=-1.3)", "@counted", "@damped\n@scaled(0.9)")


def call_statement(m: Maker, count: int) -> int:
    helpers = [h for h in m.helpers if not h.yields]
    if not helpers or not m.frame.calls:
        return write_part(m, count)
    helper = m.pick(helpers)
    text = m.call_of(helper, 1)
    if text is None:
        return write_element(m, count)
    if helper.result is None or m.chance(0.1):
        m.write(text)
    else:
        m.new(helper.result, text)
    return 1


def give_back(m: Maker, result: object | None) -> None:
    """The return statement at the end of a helper: often a parameter, or a view of one."""
    if result is None:
        if m.chance(0.1):
            m.write("return None")
    elif isinstance(result, Array):
        m.write(f"return {m.array_leaf(result.shape) if m.chance(0.6) else m.array(result.shape, 2)}")
    else:
        m.write(f"return {m.expression(result, 2)}")


def parameter_type(m: Maker) -> object:
    """Containers are made anew for each parameter: what a body does to one is its own."""
    if m.chance(0.7):
        return m.pick((FLOAT, Array((3,)), Array((2,)), Array((4,)), Array((2, 3))))
    return m.pick(
        (
            List(m.pick((FLOAT, Array((3,)))), m.rng.randint(0, 1)),
            List(FLOAT, 1),
            Dict({"p": FLOAT, "w": Array((3,))}),
            Tuple((FLOAT, Array((2,)))),
            Tuple((Array((3,)), Array((3,)))),
            Tuple((Array((2,)), Array((3,)), FLOAT)),
            Function(FLOAT),
            Function(Array((3,))),
            Object(m.pick(CLASSES)),
        )
    )


def take_apart(m: Maker, parameters: list) -> None:
    """Names for the parts of tuples that are given, of which one may change in place."""
    for p, type, _ in parameters:
        if isinstance(type, Tuple) and m.chance(0.7):
            unpack(m, p, type)
            arrays = [v for v in m.scope[-len(type.items) :] if isinstance(v.type, Array)]
            if arrays and m.chance(0.6):
                m.write(augment(m, f"{m.pick(arrays).name}[:]", m.float(1)))


def result_type(m: Maker) -> object:
    if m.chance(0.8):
        return m.pick(RESULTS)
    return m.pick(
        (
            Tuple((FLOAT, Array((3,)))),
            Tuple((FLOAT, FLOAT)),
            List(FLOAT, 2, held=True),
            Dict({"p": FLOAT, "w": Array((3,))}),
            Object("Body"),
            Function(FLOAT),
        )
    )


def make_helper(m: Maker) -> None:
    """A function of the module: recursive, decorated, with defaults, keywords, any number of arguments."""
    name = "helper" + str(len(m.helpers))
    parameters = [(m.fresh(), parameter_type(m), None) for _ in range(m.rng.randint(1, 3))]
    result = result_type(m)
    if m.chance(0.25):
        parameters.append((m.fresh(), FLOAT, m.number()))
    helper = Helper(name, parameters, result)
    shown = [p if default is None else f"{p}={default}" for p, _, default in parameters]
    recursive = m.chance(0.15) and isinstance(result, (Float, Array)) and parameters[-1][2] is None
    counter = m.fresh()
    if recursive:
        helper.parameters.append((counter, Int(0, 3), None))
        shown.append(counter)
    if not recursive and result == FLOAT and m.chance(0.15):
        m.write(m.pick(DECORATORS))
    first = ""
    if not recursive and m.chance(0.12):
        helper.extra = m.pick(("args", "kwargs"))
        rest = m.fresh()
        shown.append(f"*{rest}" if helper.extra == "args" else f"**{rest}")
        first = f"{counter} = " + (f"sum({rest})" if helper.extra == "args" else f"{rest}.get('k', 0.3) * len({rest})")
    m.write(f"def {name}({', '.join(shown)}):")
    m.scope = [Variable(p, type) for p, type, _ in helper.parameters]
    for v in m.scope:
        m.hold(v.type)
        v.pinned = recursive
    m.frame = Frame(result, depth=1, calls=bool(m.helpers) and m.chance(0.4))
    before = list(m.helpers)
    if first:
        m.write(first)
        m.bind(counter, FLOAT)
    take_apart(m, helper.parameters)
    kept = [(v.type, v.type.least) for v in m.scope if isinstance(v.type, List)]
    m.body(m.rng.randint(1, 4))
    if recursive:
        call_itself(m, name, parameters[:-1], counter)
    give_back(m, result)
    for type, least in kept:
        type.least = least
    m.frame.depth = 0
    m.lines += ["", ""]
    m.helpers[:] = [*before, helper]


def call_itself(m: Maker, name: str, parameters: list, counter: str) -> None:
    arguments = [p if not isinstance(t, Float) else f"np.sin({p} + 0.1)" for p, t, _ in parameters]
    again = f"{name}({', '.join([*arguments, counter + ' - 1'])})"
    m.write(f"if {counter} > 0:\n    return {m.pick(('np.tanh({})', '{}', '{} * 0.7')).format(again)}")


def nested_function(m: Maker, count: int) -> int:
    """A closure: reads the variables around it, writes into their arrays, may rebind some of them."""
    if m.frame.depth != 1 or not m.frame.calls:
        return assign_array(m, count)
    name = m.fresh()
    parameters = [(m.fresh(), parameter_type(m), None) for _ in range(m.rng.randint(0, 2))]
    if m.chance(0.2):
        parameters.append((m.fresh(), FLOAT, m.float_leaf()))
    helper = Helper(name, parameters, m.pick((FLOAT, FLOAT, None, Array((3,)), Tuple((FLOAT, FLOAT)))))
    inner = m.rng.randint(1, 3)
    write_nested(m, helper, inner)
    return inner + 1


def generator_function(m: Maker, count: int) -> int:
    """A local generator, for loops and calls that consume it."""
    if m.frame.depth != 1 or not m.frame.calls:
        return assign_array(m, count)
    parameters = [(m.fresh(), m.pick((FLOAT, Array((3,)), Array((2,)))), None) for _ in range(m.rng.randint(0, 1))]
    helper = Helper(m.fresh(), parameters, FLOAT, yields=True)
    inner = m.rng.randint(1, 2)
    write_nested(m, helper, inner)
    return inner + 1


def write_nested(m: Maker, helper: Helper, inner: int) -> None:
    outer_scope, outer_frame = m.scope, m.frame
    shown = [p if default is None else f"{p}={default}" for p, _, default in helper.parameters]
    m.write(f"def {helper.name}({', '.join(shown)}):")
    floats = [v for v in outer_scope if isinstance(v.type, Float) and v.rebind]
    rebound = m.pick(floats) if floats and m.chance(0.3) else None
    m.scope = []
    for v in outer_scope:
        v.pinned = True
        type = dataclasses.replace(v.type, locked=True) if isinstance(v.type, List) else v.type
        if not isinstance(v.type, Int):
            m.scope.append(Variable(v.name, type, rebind=v is rebound))
    m.scope += [Variable(p, type) for p, type, _ in helper.parameters]
    m.frame = Frame(None if helper.yields else helper.result, depth=outer_frame.depth + 1, yields=helper.yields)
    if rebound:
        m.write(f"nonlocal {rebound.name}")
    take_apart(m, helper.parameters)
    m.body(inner)
    if helper.yields:
        m.write(f"for {(k := m.fresh())} in range(2):\n    yield {m.float(1)} * {k}" if m.chance(0.5) else f"yield {m.float(2)}")
    else:
        give_back(m, helper.result)
    m.scope, m.frame = outer_scope, outer_frame
    m.helpers.append(helper)


def yield_statement(m: Maker, count: int) -> int:
    if not m.frame.yields:
        return assign_array(m, count)
    vectors = m.arrays(lambda v: len(v.type.shape) == 1)
    if vectors and m.chance(0.3):
        m.write(f"yield from {m.pick(vectors).name}")
    else:
        m.write(f"yield {m.float(2)}")
    return 1


def consume(m: Maker, count: int) -> int:
    """What takes all that a local generator yields."""
    generators = [h for h in m.helpers if h.yields]
    if not generators or not m.frame.calls:
        return assign_array(m, count)
    call = m.call_of(m.pick(generators), 1)
    forms = (("sum({})", FLOAT), ("list({})", List(FLOAT, 0)), ("sum(v * v for v in {})", FLOAT), ("max({}, default=0.3)", FLOAT))
    forms += (("[v * 0.7 for v in {}]", List(FLOAT, 0)), ("next({}, 0.2)", FLOAT), ("sorted({})", List(FLOAT, 0)))
    forms += (("sum(k * v for k, v in enumerate({}))", FLOAT), ("functools.reduce(lambda p, q: p * 0.5 + q, {}, 0.1)", FLOAT))
    text, type = m.pick(forms)
    m.new(dataclasses.replace(type) if isinstance(type, List) else type, text.format(call))
    return 1


def function_value(m: Maker, count: int) -> int:
    """Functions as values: named, in lists and dicts, made in a loop, made by a function."""
    values = m.variables(Function)
    if m.frame.depth != 1 or m.frame.loops:
        if values:
            value = m.pick(values)
            m.new(FLOAT, f"{value.name}({m.expression(value.type.parameter, 1)})")
            return 1
        return assign_array(m, count)
    roll = m.rng.random()
    if roll < 0.3:
        parameter = m.pick((FLOAT, FLOAT, Array((3,))))
        m.new(Function(parameter), m.function(parameter))
    elif roll < 0.45:
        m.new(List(Function(FLOAT), 2, held=True), f"[{m.function(FLOAT)}, {m.function(FLOAT)}]")
    elif roll < 0.55:
        m.new(Dict({"p": Function(FLOAT), "q": Function(FLOAT)}), f"{{'p': {m.function(FLOAT)}, 'q': {m.function(FLOAT)}}}")
    elif roll < 0.7:
        bound = m.pick(("v", "v, k=k"))
        functions_in_loop = m.new(List(Function(FLOAT), 3, held=True), "[]")
        m.write(f"for k in range(3):\n    {functions_in_loop.name}.append(lambda {bound}: np.sin(v * k + {m.float_leaf()}))")
    elif roll < 0.8:
        m.new(List(Function(FLOAT), 3, held=True), f"[lambda v, k=k: v * k + {m.float_leaf()} for k in range(3)]")
    elif roll < 0.9:
        factory(m)
    else:
        m.new(FLOAT, f"(lambda f, v: f(v) * f(0.3))({m.function(FLOAT)}, {m.float_leaf()})")
    return 1


def factory(m: Maker) -> None:
    """A function that makes functions, each with a state of its own."""
    name = m.fresh()
    state = m.fresh()
    m.write(
        m.pick(
            (
                f"def {name}({state}):\n    def inner(v):\n        return np.sin(v) * {state}\n    return inner",
                f"def {name}({state}):\n    def inner(v):\n        nonlocal {state}\n        {state} = {state} * 0.7 + v\n        return {state}\n    return inner",
                f"def {name}({state}):\n    seen = [{state}]\n    def inner(v):\n        seen.append(v)\n        return sum(seen)\n    return inner",
                f"def {name}({state}):\n    return lambda v: np.tanh(v + {state}) * {m.float_leaf()}",
            )
        )
    )
    for _ in range(m.rng.randint(1, 2)):
        m.new(Function(FLOAT), f"{name}({m.float(1)})")
