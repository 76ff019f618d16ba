"""Every way to change something inert, in every place, beside derivatives that read what it was before."""

import itertools

import numpy as np
import program_check
import pytest

IMPORTS = """
from collections import defaultdict, deque
from types import SimpleNamespace
import numpy as np


class Held:
    def __init__(self, q):
        self.q = q


class Count:
    def __init__(self, v):
        self.v = v

    def __iadd__(self, other):
        self.v = self.v + other
        return self

    def bump(self):
        self.v = self.v + 1.0
        return 2.0


def bump(z):
    z[0] += 1.0
    return 2.0

"""

HOLDERS = {  # made with something in it, and where that is
    "dict": ('{"q": MADE}', 'u["q"]'),
    "list": ("[MADE]", "u[0]"),
    "object": ("Held(MADE)", "u.q"),
    "namespace": ("SimpleNamespace(q=MADE)", "u.q"),
    "dict_in_object": ('Held({"q": MADE})', 'u.q["q"]'),
    "beside_active": ('{"q": MADE, "x": x}', 'u["q"]'),
    "object_in_list": ("[Held(MADE), x]", "u[0].q"),
}

KINDS = {  # made, read and changed
    "array": (
        "np.array([2.0, 3.0, 1.0])",
        "np.sum(PLACE * x)",
        ["PLACE -= 0.7", "PLACE[1] -= 0.5", "np.add(PLACE, 1.0, out=PLACE)", "PLACE.sort()", "PLACE = PLACE * 2", "PLACE **= 2"],
    ),
    "number": ("2.0", "PLACE * x[0] * x[0]", ["PLACE -= 0.7", "PLACE = 5.0"]),
    "list": (
        "[2.0, 3.0, 1.0]",
        "sum([e * x[1] for e in PLACE])",
        ["PLACE += [0.7]", "PLACE *= 2", "PLACE[0] += 3.0", "PLACE.reverse()", "PLACE[1:] = [4.0]"],
    ),
    "dict": (
        '{"a": 2.0}',
        'PLACE["a"] * x[1] * len(PLACE)',
        ['PLACE |= {"b": 1.0}', 'PLACE["a"] += 1.0', "PLACE.update(a=5.0)"],
    ),
    "set": ("{2.0, 3.0}", "sum([e * x[1] for e in sorted(PLACE)])", ["PLACE |= {5.0}", "PLACE.add(7.0)"]),
    "deque": ("deque([2.0, 3.0, 4.0, 5.0])", "sum([e * x[1] for e in PLACE])", ["PLACE += [5.0]", "PLACE.popleft()"]),
    "indices": ("np.array([1, 0])", "np.sum(x[PLACE] * x[PLACE])", ["PLACE += np.array([-1, 1])", "PLACE[0] -= 1"]),
    "object": ("Count(2.0)", "PLACE.v * x[1] * x[1]", ["PLACE += 1.0", "PLACE.v += 1.0"]),
}

PROGRAMS = {
    "at once": """
def program(x):
    u = HOLDER
    r = READ
    CHANGE
    return r * r
""",
    "in a loop": """
def program(x):
    u = HOLDER
    r = 0.0
    for k in range(3):
        r = r * x[0] + READ
        CHANGE
    return r * r
""",
    "by a helper": """
def change(u):
    CHANGE

def program(x):
    u = HOLDER
    r = READ
    change(u)
    return r * r
""",
    "by a closure, in an expression": """
def program(x):
    u = HOLDER
    def change():
        CHANGE
        return 1.5
    r = READ * change() + READ
    return r * r
""",
    "by another name, of one of two": """
def program(x):
    u = HOLDER
    w, v = u, HOLDER
    r = READ
    u = v if x[0] > 5.0 else u
    CHANGE
    return r * r + 0.0 * len([w])
""",
}


def slots():
    programs = itertools.cycle(PROGRAMS.values())
    for (holder, (made, place)), (kind, (value, read, changes)) in itertools.product(HOLDERS.items(), KINDS.items()):
        for change in changes:
            parts = {"HOLDER": made.replace("MADE", value), "READ": f"({read})", "CHANGE": change}
            text = next(programs)
            for word, part in parts.items():
                text = text.replace(word, part.replace("PLACE", place))
            yield pytest.param(text, id=f"{holder}, {kind}: {change}")


EFFECTS = ["bump(z)", "o.bump()", "np.add(z, 1.0, out=z)[0] - 1.0", "(z.sort(), 2.0)[1]"]

STATEMENTS = [
    "w[0] = EFFECT",
    "w[1:] += EFFECT",
    "w[int(EFFECT) - 2] = 5.0",
    'd["a"] = EFFECT',
    "n[0] += EFFECT",
    "b.v = EFFECT",
    "n.append(EFFECT)",
    "d.update(a=EFFECT)",
    'd["a"], n[0] = 1.0, EFFECT',
    "k = j = EFFECT",
    "w[0] = w[1] = EFFECT",
    "w -= EFFECT",
    "if EFFECT > 1.0: pass",
    "for k in range(int(EFFECT)): w[k] = EFFECT",
    "while EFFECT < 1.0: pass",
    "assert EFFECT > 0.0",
    "del n[int(EFFECT) - 2:]",
    "[EFFECT for k in range(2)]",
    "(lambda: EFFECT)()",
    "(v := w * EFFECT)",
]

EFFECTFUL = """
def program(x):
    w, z, o = np.array([1.0, 2.0, 3.0]), np.array([2.0, 1.5]), Count(2.0)
    d, n, b = {}, [1.5], Count(1.0)
    r = np.sum(w * x) + z[0] * x[0] * x[1] + o.v * x[2] * n[0] + b.v * x[1]
    STATEMENT
    return r * r
"""


def effects():
    for statement, effect in itertools.product(STATEMENTS, EFFECTS):
        done = statement.replace("EFFECT", f"({effect})")
        yield pytest.param(EFFECTFUL.replace("STATEMENT", done), id=done)


@pytest.mark.parametrize("text", [*slots(), *effects()])
def test_what_was_read_before_is_what_derivatives_read(text) -> None:
    outcome = program_check.check_text(IMPORTS + text, [np.array([0.7, -0.4, 1.1])])
    assert outcome.kind == "right", f"{text}\n{outcome}"
