"""Arguments matched with parameters, as a Python call does."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import gast

from pullback.compiler.analysis.program import Code
from pullback.compiler.analysis.values import OPAQUE, Value
from pullback.compiler.ir.template import constant

if TYPE_CHECKING:
    from pullback.compiler.analysis.calls import Calls


@dataclass
class BoundCall:
    """Each parameter's value and the expression that gives it (None: default; or packed parts)."""

    values: dict[str, Value] = field(default_factory=dict)
    arguments: dict[str, gast.expr | None] = field(default_factory=dict)
    packed: dict[str, list[Any]] = field(default_factory=dict)
    held: dict[str, str] = field(default_factory=dict)  # by parameter: the captured variable that is its default


def bind_call(calls: "Calls", code: Code, node: gast.Call, owner: Value | None) -> BoundCall | None:
    """The binding of a call, or None where Python would raise TypeError."""
    a = code.tree.args
    positional = [p.id for p in [*a.posonlyargs, *a.args]]
    given = _positional(calls, node, owner)
    named = _keywords(calls, node)
    bound = BoundCall()
    for name, (value, expression) in zip(positional, given):
        bound.values[name], bound.arguments[name] = value, expression
    extra = given[len(positional) :]
    if a.vararg is not None and len(extra) == 1 and isinstance(extra[0][1], gast.Starred):
        bound.values[a.vararg.id], bound.arguments[a.vararg.id] = extra[0][0], extra[0][1].value
    elif a.vararg is not None:
        bound.values[a.vararg.id] = Value("tuple", items=tuple(v for v, _ in extra))
        bound.packed[a.vararg.id] = [e for _, e in extra]
    elif extra:
        return None
    ours = {old: new for new, old in {**code.outermost().aliases, **code.aliases}.items()}
    named = {ours.get(k, k): v for k, v in named.items()}
    known = {*positional, *(p.id for p in a.kwonlyargs)} - {p.id for p in a.posonlyargs}
    rest: dict[str, tuple[Value, gast.expr]] = {}
    others = named.pop("**", None) if a.kwarg is not None else None
    for name, pair in named.items():
        if name in known and name not in bound.values:
            bound.values[name], bound.arguments[name] = pair
        elif a.kwarg is not None:
            rest[name] = pair
        else:
            return None
    if a.kwarg is not None and others is not None:
        bound.values[a.kwarg.id], bound.arguments[a.kwarg.id] = others
    elif a.kwarg is not None:
        site = calls.site(node, "dict")
        for name, (value, _) in rest.items():
            calls.program.put(calls.program.heap[site], value, name)
        bound.values[a.kwarg.id] = Value("dict", sites=frozenset([site]))
        bound.packed[a.kwarg.id] = [(name, e) for name, (_, e) in rest.items()]
    return bound if _defaults(calls, code, bound) else None


def _positional(calls: "Calls", node: gast.Call, owner: Value | None) -> list[tuple[Value, Any]]:
    given: list[tuple[Value, Any]] = []
    if owner is not None and isinstance(node.func, gast.Attribute):
        given.append((owner, node.func.value))
    elif owner is not None:
        given.append((owner, None))
    for argument in node.args:
        value = calls.facts.types[argument]
        if not isinstance(argument, gast.Starred):
            given.append((value, argument))
            continue
        items = calls.known_items(value)
        if items is None:  # for `*others`, as a whole
            given.append((value, argument))
            continue
        for i, item in enumerate(items):
            given.append((item, gast.Subscript(argument.value, constant(i), gast.Load())))
            calls.facts.types[given[-1][1]] = item
    return given


def _keywords(calls: "Calls", node: gast.Call) -> dict[str, tuple[Value, gast.expr]]:
    named: dict[str, tuple[Value, gast.expr]] = {}
    for keyword in node.keywords:
        value = calls.facts.types[keyword.value]
        if keyword.arg is not None:
            named[keyword.arg] = (value, keyword.value)
            continue
        keys = calls.settled_keys(value)
        if keys is None:  # for `**options`, as a whole
            named["**"] = (value, keyword.value)
            continue
        for name in keys:
            items = [cell.fields[name] for cell in calls.program.cells(value)]
            named[name] = (calls.joined(items), gast.Subscript(keyword.value, constant(name), gast.Load()))
            calls.facts.types[named[name][1]] = named[name][0]
    return named


def every_parameter(code: Code) -> list[str]:
    """The parameters that take one argument each."""
    a = code.tree.args
    return [p.id for p in [*a.posonlyargs, *a.args, *a.kwonlyargs]]


def default_texts(code: Code) -> dict[str, gast.expr]:
    """The expressions of the defaults, by parameter."""
    a = code.tree.args
    positional = [p.id for p in [*a.posonlyargs, *a.args]]
    texts = dict(zip(positional[len(positional) - len(a.defaults) :], a.defaults))
    return texts | {p.id: d for p, d in zip(a.kwonlyargs, a.kw_defaults) if d is not None}


def default_objects(code: Code) -> dict[str, Any]:
    """The defaults that a function has been made with, by parameter; none where there is only its text."""
    a = code.tree.args
    positional = [p.id for p in [*a.posonlyargs, *a.args]]
    real = getattr(code.function, "__defaults__", None) or ()
    ours = {old: new for new, old in code.aliases.items()}
    named = getattr(code.function, "__kwdefaults__", None) or {}
    return dict(zip(positional[len(positional) - len(real) :], real)) | {ours.get(k, k): d for k, d in named.items()}


def _defaults(calls: "Calls", code: Code, bound: BoundCall) -> bool:
    """Fill in defaults; False if an argument is missing."""
    texts, objects = default_texts(code), default_objects(code)
    for name in every_parameter(code):
        if name in bound.values:
            continue
        if name in objects:
            bound.values[name] = calls.program.value_of(objects[name], f"default {name}")
        elif name in texts and isinstance(texts[name], gast.Constant):
            bound.values[name] = calls.value(texts[name], {})
        elif name in texts and isinstance(texts[name], gast.Name) and texts[name].id in code.captured:
            bound.held[name], bound.values[name] = texts[name].id, OPAQUE
        elif name in texts:
            bound.values[name] = calls.facts.types.get(texts[name], OPAQUE)
        else:
            return False
        bound.arguments[name] = None
    return True
