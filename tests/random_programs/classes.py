"""Statements about instances of the prelude's classes."""

from __future__ import annotations

from .expressions import Maker
from .formulas import BOUNDED
from .kinds import FLOAT, Array, Function, Int, List, Object

CLASSES = ("Body", "Heavy", "State")


def object_statement(m: Maker, count: int) -> int:
    objects = m.variables(Object)
    if not objects or m.chance(0.25):
        type = Object(m.pick(CLASSES))
        text = m.expression(type, 1)
        if type.cls != "State" and m.chance(0.2):
            text = f"{type.cls}.made({m.float(1)}{m.pick(('', ', k=0.4'))})"
        m.new(type, text)
        return 1
    name, type = (variable := m.pick(objects)).name, variable.type
    value = m.pick(BOUNDED).format(m.float(1))
    made: list[tuple[str, object]] = [(f"{name}.kick({value})", FLOAT), (f"{name}.w", Array((3,)))]
    changes = [
        f"{name}.x = {value}",
        f"{name}.x += {value}",
        f"{name}.w[{m.index(3)}] = {value}",
        f"{name}.w *= {value}",
        f"{name}.w = {m.array((3,), 1)} * 1.0",
        f"{name}.kick({value})",
    ]
    others = [v.name for v in objects if v.type == type]
    if type.cls == "State":
        changes += [f"{name}.log.append({value})", f"{name}.rate = {value}", f"setattr({name}, 'x', {value})"]
        made.append((f"replace({name}, x={value})", type))
    else:
        changes += [f"{name}.scaled = {value}", f"{name}.scaled += {value}", f"{name}[{m.index(3)}] += {value}"]
        changes += [f"{name} *= {value}"] if variable.rebind else []
        made += [(f"{name} + {m.pick(others)}", type), (f"-{name}", Object("Body")), (f"sum({name})", FLOAT)]
        made += [(f"{name}.mixed({value}, {name}.x)", FLOAT), (f"{m.number()} + {name}", FLOAT), (f"max({name}, {m.pick(others)})", type)]
        made += [(f"[v * {m.float_leaf()} for v in {name}]", List(FLOAT, 3)), (f"len({name})", Int(3, 3))]
        made += [(f"getattr({name}, 'x')", FLOAT), (f"{name}.kick", Function(FLOAT)), (f"copy.copy({name})", type)]
    if m.chance(0.2):
        m.write(f"for each_body in [{name}, {m.pick(objects).name}]:")
        m.write(f"    each_body.kick({value})")
    elif m.chance(0.1):
        k = m.fresh()
        m.write(f"{k} = Pair({value}, {m.array((3,), 1)})")
        m.new(FLOAT, m.pick((f"{k}.energy()", f"{k}._replace(x={value}).x * {k}.w[0]", f"{k}[0] + {k}.w[1]")))
    elif m.chance(0.35):
        text, result = m.pick(made)
        m.new(result, text)
    else:
        m.write(m.pick(changes))
    return 1
