"""Derivatives that a program takes itself."""

from __future__ import annotations

from .arrays import assign_float
from .expressions import Maker
from .kinds import FLOAT, Array, Float, Tuple, Variable


def derivative_statement(m: Maker, count: int) -> int:
    """grad and its family, of a lambda or a local function that reads active values around it."""
    if m.frame.loops > 1 or m.frame.yields:
        return assign_float(m, count)
    parameter = m.pick((FLOAT, FLOAT, Array((2,)), Array((3,))))
    function = local_function(m, parameter)
    at = f"1.0 * {m.float_leaf()}" if isinstance(parameter, Float) else m.array_leaf(parameter.shape)
    forms = [("grad({0})({1})", parameter), ("grad({0})({1})", parameter), ("value_and_grad({0})({1})", Tuple((FLOAT, parameter)))]
    forms += [("jvp({0}, ({1},), ({2},))[1]", FLOAT), ("grad(lambda v: {0}(v * 0.5))({1})", parameter)]
    if m.chance(0.2):  # refused where what the function captures is written
        forms = [("vjp({0}, {1})[1](0.7)", parameter)]
    form, result = m.pick(forms)
    along = "0.6" if isinstance(parameter, Float) else f"np.arange({parameter.shape[0]}.0)"
    m.new(result, form.format(function, at, along))
    return 2


def local_function(m: Maker, parameter: object) -> str:
    """A function of one argument that writes nothing around it."""
    name = m.fresh()
    calls, m.frame.calls = m.frame.calls, False
    m.scope.append(Variable(name, parameter, rebind=False))
    used = name if isinstance(parameter, Float) else f"np.sum({name} ** 2)"
    text = f"{m.float(2)} * np.sin({used})"
    if m.chance(0.4):
        function = m.fresh()
        lines = [f"def {function}({name}):"]
        if m.chance(0.5) and isinstance(parameter, Array):
            lines += [f"    {name}[0] *= {m.float(1)}"]
        elif m.chance(0.5):
            lines += ["    for k in range(2):", f"        {name} = np.sin({name}) * {m.float_leaf()}"]
        m.write("\n".join([*lines, f"    return {text}"]))
    else:
        function = f"(lambda {name}: {text})"
    m.scope.pop()
    m.frame.calls = calls
    return function
