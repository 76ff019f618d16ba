"""Tests whose outcome the types tell: what a value is, how long a tuple is, which literal a string is.

    shape = ("circle", r)
    if len(shape) == 3: ...      never taken: what it does with a third element is not looked at
"""

import abc
import operator
import types
from collections.abc import Callable
from typing import Any

import gast
import numpy as np

from pullback.compiler.analysis.program import Facts
from pullback.compiler.analysis.values import OPAQUE, SCALARS, SEVERAL, StandIn, Value
from pullback.compiler.ir.walk import every_node
from pullback.runtime.patterns import is_mapping, is_sequence

SEQUENCE, MAPPING = 1 << 5, 1 << 6  # of a type's flags: which patterns look into its instances
NUMBERS = (bool, int, float, complex, np.number, np.bool_, np.ndarray)
APART: dict[str, tuple[Any, ...]] = {  # classes that no value of a kind is of
    "list": (tuple, dict, str, bool, int, float, complex, np.ndarray),
    "float": (bool, int),
    "int": (float,),
}
COMPARED: dict[type, Callable[[Any, Any], bool]] = {
    gast.Eq: operator.eq,
    gast.NotEq: operator.ne,
    gast.Lt: operator.lt,
    gast.LtE: operator.le,
    gast.Gt: operator.gt,
    gast.GtE: operator.ge,
}


def outcome(test: gast.expr, facts: Facts) -> bool | None:
    """How a test comes out each time; None if that is open."""
    if isinstance(test, gast.BoolOp):
        parts = [outcome(v, facts) for v in test.values]
        ends = isinstance(test.op, gast.Or)
        if ends in parts:
            return ends
        return None if None in parts else not ends
    if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
        inner = outcome(test.operand, facts)
        return None if inner is None else not inner
    if isinstance(test, gast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in COMPARED:
        return _compared(test, facts)
    if isinstance(test, gast.Compare) and isinstance(test.ops[0], (gast.Is, gast.IsNot)) and len(test.ops) == 1:
        same = _is_none(test, facts)
        return same if same is None or isinstance(test.ops[0], gast.Is) else not same
    if isinstance(test, gast.Name):
        known = _known(test, facts)
        return known if isinstance(known, bool) else None
    return _asked(test, facts) if isinstance(test, gast.Call) else None


def is_plain_test(test: gast.expr) -> bool:
    """Has evaluating it no effect, given that its outcome is known?"""
    calls = [n for n in every_node(test) if isinstance(n, (gast.Call, gast.NamedExpr))]
    asked = ("len", "isinstance", "is_sequence", "is_mapping", "hasattr")
    return all(isinstance(c, gast.Call) and isinstance(c.func, gast.Name) and c.func.id in asked for c in calls)


def _compared(test: gast.Compare, facts: Facts) -> bool | None:
    """len(shape) == 3, shape[0] == "circle"."""
    left, right = _known(test.left, facts), _known(test.comparators[0], facts)
    counted = isinstance(test.left, gast.Call) and facts.resolved.get(test.left) is len
    if counted and type(left) is type(right) is int or type(left) is type(right) is str:
        return bool(COMPARED[type(test.ops[0])](left, right))
    return None


def _is_none(test: gast.Compare, facts: Facts) -> bool | None:
    """f is None, of nothing else than None or of a function."""
    value, other = facts.types.get(test.left, OPAQUE), test.comparators[0]
    if not (isinstance(other, gast.Constant) and other.value is None) or value.optional or value.unbound:
        return None
    return {"none": True, "function": False}.get(value.kind)


def _known(node: gast.expr, facts: Facts) -> Any:
    known = facts.types.get(node, OPAQUE).known
    return known.value if known is not None else None


def _asked(test: gast.Call, facts: Facts) -> bool | None:
    """isinstance(x, C), is_sequence(x), is_mapping(x), hasattr(module, "word")."""
    question = facts.resolved.get(test)
    if question is hasattr:
        module, word = (_known(a, facts) for a in test.args)
        return hasattr(module, word) if isinstance(module, types.ModuleType) and isinstance(word, str) else None
    if question not in (isinstance, is_sequence, is_mapping) or not test.args or test.keywords:
        return None
    value = facts.types.get(test.args[0], OPAQUE)
    if value.optional or value.unbound:
        return None
    if question is not isinstance:
        return _looked_into(value, SEQUENCE if question is is_sequence else MAPPING)
    classes = facts.types.get(test.args[1], OPAQUE)
    found = [_is_instance(value, c) for c in _members(classes)]
    return True if True in found else None if None in found or not found else False


def _members(classes: Value) -> list[Any]:
    """The classes asked for: one, or a tuple of them."""
    if classes.items is not None:
        return [c for part in classes.items for c in _members(part)]
    return [classes.known.value if classes.known is not None else None]


def _class_of(value: Value) -> Any:
    """The class of a value, where the kind tells it; a "list" may be an iterator."""
    if isinstance(value.code, StandIn):
        return None if value.code.more == SEVERAL else value.code.cls
    if value.kind in ("tuple", "dict"):
        return value.code or {"tuple": tuple, "dict": dict}[value.kind]
    if value.kind == "known" and value.known is not None and type(value.known.value) is str:
        return str
    return value.known.value if value.kind == "object" and value.known is not None else None


def _looked_into(value: Value, flag: int) -> bool | None:
    cls = _class_of(value)
    if cls is not None:
        return bool(cls.__flags__ & flag)
    return False if value.numeric or value.kind == "list" and flag == MAPPING else None


def _is_instance(value: Value, cls: Any) -> bool | None:
    if type(cls) not in (type, abc.ABCMeta):
        return None
    own = _class_of(value)
    if own is not None:
        return issubclass(own, cls)
    if cls in APART.get(value.kind, ()) or cls is np.ndarray and value.kind in SCALARS:
        return False
    if value.kind == "array" and value.rank:
        return issubclass(np.ndarray, cls)
    if value.numeric:
        return None if any(issubclass(n, cls) or issubclass(cls, n) for n in NUMBERS) else False
    return None
