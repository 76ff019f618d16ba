"""Shapes in the text of a rule: what asks for one alone, and what puts the axes of a reduction back."""

import functools
import inspect
from typing import TYPE_CHECKING, Any

import gast

from pullback.compiler.emit.printer import printed
from pullback.compiler.ir.template import call, clone, constant, name

if TYPE_CHECKING:
    from pullback.compiler.adjoint.instantiate import Instance


@functools.cache
def _defaults(function: Any) -> dict[int, Any]:
    """The defaults of positional parameters, by how many arguments a call has that ends with this one."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # NumPy's C functions
        return {}
    places = [p for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    return {i: p.default for i, p in enumerate(places, 1) if isinstance(p.default, (int, float, bool, type(None)))}


def defaults_of(spelled: gast.expr, names: dict[str, Any]) -> dict[int, Any]:
    """`_defaults` of the function that a rule names."""
    parts = printed(spelled).strip().split(".")
    function = names.get(parts[0])
    for part in parts[1:]:
        function = getattr(function, part, None)
    return _defaults(function) if callable(function) else {}


def restored(bar: gast.expr, place: gast.expr, axis: Any, rank: int | None, keepdims: bool) -> gast.expr:
    """The adjoint of a reduction's result of this rank, so that it broadcasts: axis 1 back → bar[:, None]."""
    if keepdims or axis is None:
        return bar
    if type(axis) is not int or rank is None:
        return call("restore", bar, place)
    at = axis + rank + 1 if axis < 0 else axis
    if at == 0:  # broadcasting adds leading axes by itself
        return bar
    return _along(bar, at, constant(None))


def _along(array: gast.expr, axis: int, index: gast.expr) -> gast.expr:
    """array[:, index] for axis 1"""
    every = [*(gast.Slice(None, None, None) for _ in range(axis)), index]
    return gast.Subscript(array, gast.Tuple(every, gast.Load()) if axis else index, gast.Load())


class UntransposedTwice(gast.NodeTransformer):
    """x.T.T → x"""

    def visit_Attribute(self, node: gast.Attribute) -> gast.expr:
        self.generic_visit(node)
        inner = node.value
        twice = node.attr == "T" and isinstance(inner, gast.Attribute) and inner.attr == "T"
        return inner.value if twice else node


class Shapes(gast.NodeTransformer):
    """np.shape(x) asks for the operand's shape alone; count(np.shape(x), None) is np.size(x); what restores axes
    that are known is written as an index."""

    def __init__(self, instance: "Instance") -> None:
        self.instance = instance
        self.found: dict[str, gast.expr] = {}  # placeholders, so that the operands' names are not taken for the rule's

    def _placed(self, node: gast.expr) -> gast.expr:
        held = f"shape__{len(self.found)}"
        self.found[held] = node
        return name(held)

    def visit_Call(self, node: gast.Call) -> Any:
        spelled = printed(node.func).strip()
        if spelled == "count" and self.instance.constant_of(node.args[1]) is None:
            inner: Any = node.args[0]
            if (
                isinstance(inner, gast.Call)
                and isinstance(inner.args[0], gast.Name)
                and inner.args[0].id in self.instance.bound
            ):
                return self._placed(call("np.size", clone(_operand_of_shape(self.instance, inner.args[0].id))))
        if spelled == "np.shape" and isinstance(node.args[0], gast.Name) and node.args[0].id in self.instance.bound:
            return self._placed(self.instance.host.shape(self.instance.bound[node.args[0].id]))
        self._drop_defaults(node)
        self.generic_visit(node)
        if spelled == "np.take" and len(node.args) == 3:
            return self._taken(node)
        return self._restored(node) if spelled == "restore" else node

    def _taken(self, node: gast.Call) -> gast.expr:
        """np.take(bar, 0, 1), which copies → bar[:, 0]"""
        place, axis = (self.instance.constant_of(a) for a in node.args[1:])
        known = type(place) is int and type(axis) is int and axis >= 0
        return _along(node.args[0], axis, constant(place)) if known else node

    def _drop_defaults(self, node: gast.Call) -> None:
        """np.diag(bar, 0) → np.diag(bar)"""
        defaults = defaults_of(node.func, self.instance.rule.function.__globals__)
        while len(node.args) in defaults and not node.keywords:
            value, default = self.instance.constant_of(node.args[-1]), defaults[len(node.args)]
            if type(value) is not type(default) or value != default:
                return
            node.args.pop()

    def _restored(self, node: gast.Call) -> gast.expr:
        place = node.args[1] if len(node.args) > 1 else constant(None)
        axis, keepdims = (self.instance.constant_of(a) for a in [place, *node.args[2:], constant(False)][:2])
        if not isinstance(keepdims, bool):
            return node
        return restored(node.args[0], place, axis, self.instance.host.type_of(self.instance.node).rank, keepdims)


def _operand_of_shape(instance: "Instance", parameter: str) -> gast.expr:
    shape = instance.host.shape(instance.bound[parameter])
    return shape.args[0] if isinstance(shape, gast.Call) else instance.bound[parameter]
