"""A generated name that is read once, soon after, gives way to its value while the line stays short.

y_bar = out_bar * z          →   x_bar = out_bar * z * np.cos(x)
x_bar = y_bar * np.cos(x)

x_add = f_reverse(saved_f)   →   x_bar = f_reverse(saved_f)
x_bar = x_add
"""

from collections import Counter

import gast

from pullback.compiler.adjoint.algebra import DoublingFirst, negated, without_sign
from pullback.compiler.emit.printer import printed
from pullback.compiler.ir.nodes import Blank, Comment
from pullback.compiler.ir.template import clone
from pullback.compiler.ir.walk import every_node, reads

WIDTH = 84
QUIET = (Comment, Blank)


def without_single_uses(function: gast.FunctionDef, own: frozenset[str]) -> gast.FunctionDef:
    """Inline names of the adjoint that are assigned once and read once; `own` are the primal's names."""
    counts: Counter[str] = Counter(n.id for n in every_node(function) if isinstance(n, gast.Name))
    _block(function.body, counts, own)
    return function


def _block(body: list[gast.stmt], counts: Counter[str], own: frozenset[str]) -> None:
    i = 0
    while i < len(body):
        s = body[i]
        for field in ("body", "orelse"):
            inner = getattr(s, field, None)
            if isinstance(inner, list):
                _block(inner, counts, own)
        while i + 1 < len(body) and _renamed(s, body[i + 1], counts, own):
            del body[i + 1]
        if _candidate(s, counts, own) and _inlined(body, i):
            del body[i]
        else:
            i += 1


def _renamed(s: gast.stmt, after: gast.stmt, counts: Counter[str], own: frozenset[str]) -> bool:
    """x_add, k_add = f_reverse(saved); x_bar = x_add → x_bar, k_add = f_reverse(saved)"""
    if not isinstance(s, gast.Assign) or not isinstance(after, gast.Assign) or len(s.targets) + len(after.targets) > 2:
        return False
    source, target = after.value, after.targets[0]
    if not isinstance(source, gast.Name) or not isinstance(target, gast.Name) or not isinstance(s.value, gast.Call):
        return False
    if source.id in own or counts[source.id] != 2 or not source.id.endswith(("_bar", "_add")):
        return False
    places = s.targets[0].elts if isinstance(s.targets[0], gast.Tuple) else [s.targets[0]]
    names = [p.id for p in places if isinstance(p, gast.Name)]
    if source.id not in names or target.id in names or len(names) != len(places):
        return False
    places[names.index(source.id)].id = target.id
    return True


def _candidate(s: gast.stmt, counts: Counter[str], own: frozenset[str]) -> bool:
    if not isinstance(s, gast.Assign) or not isinstance(s.targets[0], gast.Name):
        return False
    target = s.targets[0].id
    return target.endswith("_bar") and target not in own and counts[target] == 2 and not _takes(s.value)


def _takes(value: gast.expr) -> bool:
    """Does evaluating the value change something, or copy what may change? Then its place matters.

    A pop does, and half of a pair: the reverse of a function puts back what the function overwrote.
    """
    called = [n.func for n in every_node(value) if isinstance(n, gast.Call)]
    methods = any(isinstance(f, gast.Attribute) and f.attr in ("pop", "copy") for f in called)
    return methods or any(isinstance(f, gast.Name) and f.id.endswith(("_forward", "_reverse")) for f in called)


def _inlined(body: list[gast.stmt], i: int) -> bool:
    """Put the value where its one reader stands, if nothing in between changes what it reads."""
    s = body[i]
    assert isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Name)
    target, value = s.targets[0].id, s.value
    needed = reads(value)
    for j in range(i + 1, len(body)):
        later = body[j]
        if isinstance(later, QUIET):
            continue
        if target in reads(later):
            return _replaced(body, j, target, value)
        if not isinstance(later, (gast.Assign, gast.AugAssign)) or _changes(later, needed):
            return False
    return False


def _changes(s: gast.stmt, needed: set[str]) -> bool:
    targets = s.targets if isinstance(s, gast.Assign) else [s.target]  # type: ignore[attr-defined]
    if any(not isinstance(t, gast.Name) or t.id in needed for t in targets):
        return True
    in_place = isinstance(s, gast.AugAssign) and any(isinstance(n, gast.Name) for n in needed)
    return in_place or _takes(s.value)  # type: ignore[attr-defined]


def _replaced(body: list[gast.stmt], j: int, target: str, value: gast.expr) -> bool:
    later = body[j]
    simple = isinstance(value, (gast.Name, gast.Constant))
    if not isinstance(later, (gast.Assign, gast.AugAssign)) and not (simple and isinstance(later, gast.Expr)) or later.value is None:
        return False
    places = [n for n in every_node(later.value) if isinstance(n, gast.Name) and n.id == target]
    if len(places) != 1 or (isinstance(later, gast.Assign) and isinstance(later.value, gast.Name)):
        return False
    new = clone(later)
    new.value = DoublingFirst().visit(_Put(target, value).visit(new.value))
    _tidy_sign(new)
    if not simple and len(printed(new).rstrip()) > WIDTH:
        return False
    body[j] = gast.copy_location(new, later)
    return True


def _tidy_sign(s: gast.Assign | gast.AugAssign) -> None:
    """x += -a * b → x -= a * b; x = -(a * b) → x = -a * b"""
    positive = without_sign(s.value)
    if positive is None:
        return
    if isinstance(s, gast.AugAssign) and isinstance(s.op, (gast.Add, gast.Sub)):
        s.op = gast.Sub() if isinstance(s.op, gast.Add) else gast.Add()
        s.value = positive
    else:
        s.value = negated(positive)


class _Put(gast.NodeTransformer):
    def __init__(self, target: str, value: gast.expr) -> None:
        self.target = target
        self.value = value

    def visit_Name(self, node: gast.Name) -> gast.expr:
        return clone(self.value) if node.id == self.target else node
