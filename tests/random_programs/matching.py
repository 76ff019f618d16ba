"""match statements."""

from __future__ import annotations

from .expressions import Maker
from .kinds import FLOAT, Dict, Int, List, Object


def match_statement(m: Maker, count: int) -> int:
    """On an integer, a pair, a list or a dict."""
    subject, cases = m.pick((integer_cases, pair_cases, list_cases, dict_cases, object_cases))(m)
    m.write(f"match {subject}:")
    for pattern, names in cases:
        m.write(f"    case {pattern}:")
        with m.block():
            m.frame.depth += 1
            for name in names:
                m.bind(name, FLOAT)
            m.body(1)
            m.frame.depth -= 1
    return 2


Cases = list[tuple[str, list[str]]]  # patterns, and the floats that each binds


def integer_cases(m: Maker) -> tuple[str, Cases]:
    integers = m.variables(Int)
    subject = m.pick(integers).name if integers else str(m.rng.randrange(3))
    guarded = f"{m.fresh()} if {m.condition()}"
    cases: Cases = [("0", []), ("1 | 2", []), (guarded, []), (m.pick(("_", "int()")), [])]
    return subject, cases[m.rng.randrange(2) :]


def pair_cases(m: Maker) -> tuple[str, Cases]:
    a, b, c = m.fresh(), m.fresh(), m.fresh()
    subject = f"({m.float(1)}, {m.float(1)})" if m.chance(0.5) else f"{m.float(1)}, {m.float(1)}"
    cases: Cases = [(f"[{a}, {b}] if {a} > {b}", [a, b]), (f"({c}, _) | [{c}]", [c]), ("_", [])]
    return subject, cases[: m.rng.randint(1, 3)]


def list_cases(m: Maker) -> tuple[str, Cases]:
    lists = m.variables(List, lambda v: v.type.item == FLOAT)
    subject = m.pick(lists).name if lists else f"[{m.float(1)}, {m.float(1)}]"
    a, b, c = m.fresh(), m.fresh(), m.fresh()
    cases: Cases = [("[]", []), (f"[{a}]", [a]), (f"[{b}, *{m.fresh()}, {c}] if len({subject}) < 4", [b, c])]
    return subject, (cases if lists else cases[1:2] + [(f"[{b}, {c}]", [b, c])])


def dict_cases(m: Maker) -> tuple[str, Cases]:
    dicts = m.variables(Dict, lambda v: any(t == FLOAT for t in v.type.items.values()))
    a = m.fresh()
    if not dicts:
        return f"{{'p': {m.float(1)}}}", [("{'q': 1}", []), (f"{{'p': {a}}}", [a])]
    variable = m.pick(dicts)
    key = next(k for k, t in variable.type.items.items() if t == FLOAT)
    return variable.name, [(f"{{{key!r}: {a}}}", [a]), ("_", [])]


def object_cases(m: Maker) -> tuple[str, Cases]:
    objects = m.variables(Object)
    if not objects:
        return integer_cases(m)
    a, b = m.fresh(), m.fresh()
    cases: Cases = [("State(rate=0.1)", []), (f"Body(x={a}) if {a} > {m.number()}", [a]), (f"State({b}, _)", [b]), ("_", [])]
    return m.pick(objects).name, cases[m.rng.randrange(2) :]
