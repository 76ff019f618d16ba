"""What the shadow of a value begins as, by the value's type: the text of a derivative inside a program makes shadows.

    zeros(p)   →   {"a": 0.0, "W": np.zeros_like(p["W"])}, [zeros(v) for v in p], Shadow(x=0.0, y=0.0)
"""

from typing import Any

import gast

from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.values import SCALARS, Value
from pullback.compiler.ir.template import call, clone, constant, expression, name
from pullback.runtime.shadows import Shadow, zeros


def zeros_like(value: Value, x: gast.expr) -> gast.expr:
    """The shadow of an array: of its own dtype where that is one of floats or complex numbers."""
    if value.perhaps_integral:
        loose = [constant(None), constant(True)] if value.kind == "number" else []
        return call("zeros", x, *loose)  # which looks at it
    return expression("np.zeros_like(x)" if value.smooth else "np.zeros(np.shape(x))", x=x)


def zero_array(value: Value) -> gast.expr:
    """The shadow of a number, where it has to be an object of its own."""
    return expression("np.zeros((), complex)" if value.kind == "complex" else "np.zeros(())")


def zero_number(value: Value, x: gast.expr) -> gast.expr:
    """The shadow of a number in a container: complex where the number is, which others beside it may not be."""
    if value.perhaps_complex:
        return call("zeros", clone(x))
    return constant(0j if value.kind == "complex" else 0.0)


class Zeros(Part):
    """The transfer function of `zeros`."""

    def call_zeros(self, positional: Any, keywords: Any, node: gast.Call, env: Env) -> Value:
        value = positional[0]
        whole = (value.kind, self.count(value), self.settled_keys(value))
        parts = [(k, v.kind) for c in self.program.cells(value) for k, v in c.fields.items()]
        loose = node.args[1:]
        return self.meant(node, lambda: self.let(node.args[:1], lambda x: self._zero_of(value, name(x), loose)), env, whole, *parts)

    def _zero_of(self, value: Value, x: gast.expr, loose: list[gast.expr]) -> gast.expr:
        if value.kind in SCALARS:
            return zero_array(value) if loose else constant(0.0)
        if value.kind in ("array", "number") and value.perhaps_integral:
            return expression("np.zeros(np.shape(x), complex)" if value.is_complex else "np.zeros(np.shape(x))", x=x)
        if value.kind in ("array", "number"):
            return zeros_like(value, x)
        cells = self.program.cells(value)
        if value.kind in ("list", "tuple"):
            return self._zeros_of_list(value, x, loose)
        if value.kind == "dict":
            keys = self.settled_keys(value)
            if keys:
                return gast.Dict([constant(w) for w in keys], [self._again(gast.Subscript(clone(x), constant(w), gast.Load()), loose) for w in keys])
            key = self.fresh("key")
            item = self._again(gast.Subscript(clone(x), name(key), gast.Load()), loose)
            return gast.DictComp(name(key), item, [gast.comprehension(name(key, store=True), x, [], False)])
        if value.kind == "object":
            words = list(dict.fromkeys(w for c in cells for w in c.fields))
            fields = [gast.keyword(w, self._again(gast.Attribute(clone(x), w, gast.Load()), loose)) for w in words]
            return gast.Call(self.given(Shadow), [], fields)
        return constant(None)

    def _zeros_of_list(self, value: Value, x: gast.expr, loose: list[gast.expr]) -> gast.expr:
        count = self.count(value)
        if count is not None:
            return gast.List([self._again(gast.Subscript(clone(x), constant(i), gast.Load()), loose) for i in range(count)], gast.Load())
        item = self.fresh("item")
        return gast.ListComp(self._again(name(item), loose), [gast.comprehension(name(item, store=True), x, [], False)])

    def _again(self, part: gast.expr, loose: list[gast.expr]) -> gast.expr:
        return gast.Call(self.given(zeros), [part, *clone(loose)], [])
