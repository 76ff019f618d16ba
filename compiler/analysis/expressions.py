"""Abstract values of expressions: operators, names, attributes, indexing, displays, comprehensions."""

import importlib
import inspect
import operator
from typing import Any

import gast
import numpy as np

from pullback.compiler.analysis.evaluate import result_type
from pullback.compiler.analysis.indexing import Indexing
from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.values import (
    BOOL,
    BOTTOM,
    FLAT,
    NONE,
    OPAQUE,
    SCALARS,
    Dim,
    Dims,
    Known,
    Linear,
    Value,
    as_dim,
    broadcast,
    of_numpy,
    replace,
)
from pullback.compiler.frontend.reserved import MODULES
from pullback.compiler.ir.nodes import Let
from pullback.compiler.rules.language import rule_of
from pullback.compiler.rules.methods import ATTRIBUTES
from pullback.runtime import RUNTIME_NAMES, runtime_function

OPERATORS: dict[type, Any] = {
    gast.Add: operator.add,
    gast.Sub: operator.sub,
    gast.Mult: operator.mul,
    gast.Div: operator.truediv,
    gast.Pow: operator.pow,
    gast.FloorDiv: operator.floordiv,
    gast.Mod: operator.mod,
    gast.MatMult: operator.matmul,
    gast.BitAnd: operator.and_,
    gast.BitOr: operator.or_,
    gast.BitXor: operator.xor,
    gast.LShift: operator.lshift,
    gast.RShift: operator.rshift,
    gast.UAdd: operator.pos,
    gast.USub: operator.neg,
    gast.Invert: operator.invert,
    gast.Not: operator.not_,
    gast.Eq: operator.eq,
    gast.NotEq: operator.ne,
    gast.Lt: operator.lt,
    gast.LtE: operator.le,
    gast.Gt: operator.gt,
    gast.GtE: operator.ge,
    gast.Is: operator.is_,
    gast.IsNot: operator.is_not,
}
PRODUCTS = (operator.matmul, np.matmul, np.dot)
DIVIDING = (operator.truediv, operator.floordiv, operator.mod)
INERT_ATTRIBUTES = ("shape", "size", "ndim", "dtype", "itemsize", "nbytes", "flags", "strides")


class Expressions(Indexing):
    """Evaluates expressions over abstract values and notes the value of every node."""

    none = NONE

    def value(self, node: gast.expr, env: Env) -> Value:
        """The abstract value of an expression."""
        method = getattr(self, f"_of_{type(node).__name__}", None)
        value = method(node, env) if method is not None else self._of_other(node, env)
        self.facts.types[node] = value
        return value

    def _of_other(self, node: gast.AST, env: Env) -> Value:
        values = [self.value(child, env) for child in gast.iter_child_nodes(node) if isinstance(child, gast.expr)]
        return self.lost(*values)

    def lost(self, *values: Value) -> Value:
        """A result that is not followed: if an active value went in, it may still be there."""
        if any(v.kind == "bottom" for v in values):
            return BOTTOM
        if any(self.varied(v) for v in values):
            return replace(OPAQUE, varied=True)
        return replace(OPAQUE, sites=frozenset().union(*(v.sites for v in values)))

    def _of_Constant(self, node: gast.Constant, env: Env) -> Value:
        known = Known(node.value)
        for kind in (bool, int, float, complex):
            if isinstance(node.value, kind):
                return Value(kind.__name__, known=known)
        return NONE if node.value is None else Value("known", known=known)

    def _of_Name(self, node: gast.Name, env: Env) -> Value:
        value = self.named(node, env)
        if getattr(node, "narrowed", None) is not None:
            return self.narrow(value, node.narrowed)
        return self.function_value(node, value.code, env) if value.kind == "function" else value

    def named(self, node: gast.Name, env: Env) -> Value:
        """What a variable, a function of the text or a global is."""
        name = node.id
        if name in env:
            value = env[name]
            if (
                not value.varied
                and value.kind in ("array", "number")
                and any(c.varied for c in self.program.cells(value))
            ):
                value = value.active()
            return value
        if name in self.code.locals:
            return OPAQUE  # unbound here: Python raises
        if name in self.spec.parameters:
            return self.spec.parameters[name]
        if name in self.code.captured:
            return OPAQUE
        for outer in self.code.ancestors()[1:]:
            code = self.program.static.get((outer, name))
            if code is not None:
                return Value("function", code=code)
        return self.outside(name)

    def outside(self, name: str) -> Value:
        """A global, a builtin or a captured variable of the function object."""
        if name in RUNTIME_NAMES:  # the user's own have another name by now
            return self.program.value_of(runtime_function(name), f"global {name}")
        found, thing = self.code.lookup(name)
        if name in MODULES and thing is not MODULES[name]:  # what normal form means by it; the user's has another name
            return self.program.value_of(MODULES[name], f"global {name}")
        if not found:
            return OPAQUE
        outer = self.code.outermost()
        self.program.globals_read[(id(outer), name)] = (outer, name, thing)
        return self.program.value_of(thing, f"global {name}")

    def _of_NamedExpr(self, node: gast.NamedExpr, env: Env) -> Value:
        node.value = self.kept(node.value, env)
        value = self.value(node.value, env)
        self.bind(node.target, value, env, self.statement)
        return value

    # -- operators ----------------------------------------------------------------------------

    def _of_BinOp(self, node: gast.BinOp, env: Env) -> Value:
        left, right = self.value(node.left, env), self.value(node.right, env)
        meant = self.meaning_of_operator(node, node.op, left, right, (node.left, node.right), env)
        if meant is None and (self.varied(left) or self.varied(right) or self.made_active(node, "list")):
            meant = self._meaning_of_container_operator(node, left, right, env)
        if meant is not None:
            return meant
        return self.operate(node.op, left, right, node)

    def _meaning_of_container_operator(self, node: gast.BinOp, left: Value, right: Value, env: Env) -> Value | None:
        if left.kind in ("list", "tuple") or right.kind in ("list", "tuple"):
            if of_numpy(left) or of_numpy(right):
                return self.meant(node, lambda: self._as_arrays(node, left, right), env)
            return self.meaning_of_sequence(node.op, left, right, node, env)
        if left.kind == right.kind == "dict" and isinstance(node.op, gast.BitOr):
            return self.meant(node, lambda: gast.Dict([None, None], [node.left, node.right]), env)
        return None

    def _as_arrays(self, node: gast.BinOp, left: Value, right: Value) -> gast.expr:
        """[x, y] * u: NumPy makes an array of the list."""
        sides = [
            gast.Call(self.given(np.asarray), [side], []) if value.kind in ("list", "tuple") else side
            for side, value in ((node.left, left), (node.right, right))
        ]
        return gast.BinOp(sides[0], node.op, sides[1])

    def _of_Let(self, node: Let, env: Env) -> Value:
        for binding in node.bindings:
            if isinstance(binding, gast.stmt):
                getattr(self, f"_do_{type(binding).__name__}")(binding, env)
            else:
                self.value(binding, env)
        return self.value(node.value, env)

    def _of_UnaryOp(self, node: gast.UnaryOp, env: Env) -> Value:
        operand = self.value(node.operand, env)
        if isinstance(node.op, gast.Not):
            return BOOL
        meant = self.meaning_of_unary(node, operand, env)
        if meant is not None:
            return meant
        return self.apply(OPERATORS[type(node.op)], [operand], {}, node)

    def operate(self, op: gast.operator, left: Value, right: Value, node: gast.AST) -> Value:
        """The value of `left op right`."""
        special = self.overloaded(left, right, node)
        if special is not None:
            return special
        if left.kind in ("list", "tuple") or right.kind in ("list", "tuple"):
            sequence = self._sequence_operation(op, left, right, node)
            if sequence is not None:
                return sequence
        if "none" in (left.kind, right.kind):
            return BOTTOM  # Python raises
        return self.apply(OPERATORS[type(op)], [left, right], {}, node)

    def _sequence_operation(self, op: gast.operator, left: Value, right: Value, node: gast.AST) -> Value | None:
        if isinstance(op, gast.Add) and left.kind == right.kind == "tuple":
            return Value("tuple", items=(left.items or ()) + (right.items or ()))
        if isinstance(op, gast.Add) and left.kind == right.kind == "list":
            a, b = self.known_items(left), self.known_items(right)
            if a is not None and b is not None:
                return self.new_list(node, [*a, *b])
            return self.new_list(node, [self.element(left, node), self.element(right, node)], known=False)
        if isinstance(op, gast.Mult):
            sequence, count = (left, right) if left.kind in ("list", "tuple") else (right, left)
            items = self.known_items(sequence)
            if count.known is not None and items is not None and isinstance(count.known.value, int):
                every = list(items) * count.known.value
                return self.new_list(node, every) if sequence.kind == "list" else Value("tuple", items=tuple(every))
            if sequence.kind == "list" and count.kind == "int":
                return self.new_list(node, [self.element(sequence, node)], known=False)
        return None

    def apply(self, function: Any, arguments: list[Value], keywords: dict[str, Value], node: gast.AST) -> Value:
        """The result of a primitive: its type by example, its memory and activity by its rule."""
        if any(a.kind == "bottom" for a in arguments):
            return BOTTOM
        if not keywords and all(a.known is not None and isinstance(a.known.value, (int, float)) for a in arguments):
            folded = _folded(function, arguments)
            if folded is not None:
                return folded
        rule = rule_of(function)
        if rule is not None and rule.form == "elementwise" and len(arguments) <= 2 and not keywords:
            value = self._elementwise(function, arguments)
        elif function is np.reshape and len(arguments) == 2 and arguments[0].kind in ("array", "number"):
            value = _reshaped(arguments[0], arguments[1])
        else:
            value = result_type(
                function,
                [self.described(a) for a in arguments],
                {k: self.described(v) for k, v in keywords.items()},
            )
        if value.kind == "array" and function in PRODUCTS and all(a.dims for a in arguments):
            value = replace(value, dims=_product_dims(arguments[0].dims, arguments[1].dims) or value.dims)
        active = any(self.varied(a) for a in [*arguments, *keywords.values()])
        if active and any(a.kind == "object" for a in arguments):
            self.refuse_conversion(node)
        if active and value.kind == "opaque":
            return replace(OPAQUE, varied=True)  # a string, say: the number may come back out of it
        flows = rule is not None and rule.form != "constant"
        return self.settle(value, node, active and (flows or rule is None), rule, arguments)

    def settle(self, value: Value, node: gast.AST, active: bool, rule: Any, arguments: list[Value]) -> Value:
        """Give a fresh result its memory: views share that of the first argument."""
        if value.kind in ("tuple", "list") and value.items is not None:
            items = [self.settle(i, node, active, rule, arguments) for i in value.items]
            return replace(value, items=tuple(items)) if value.kind == "tuple" else self.new_list(node, items)
        if value.kind == "list":
            return self.new_list(node, [self.settle(value.code or OPAQUE, node, active, rule, arguments)], known=False)
        active = active and value.smooth
        if value.kind not in ("array", "number"):
            return replace(value, varied=active)
        which = viewed_argument(rule.primitives[0], len(arguments)) if rule is not None else 0
        made = rule is not None and rule.primitives[0] is np.diag and arguments[0].rank == 1  # a matrix, no view
        if rule is not None and (rule.view or which) and arguments and not made:
            sites = arguments[which].sites
            if sites and any(self.program.heap[s].kind in ("array", "opaque") for s in sites if s in self.program.heap):
                return replace(value, sites=sites, varied=active)
        site = self.site(node, "array")
        if active:
            self.program.mark(self.program.heap[site], "varied")
        return replace(value, sites=frozenset([site]), varied=active)

    def _elementwise(self, function: Any, arguments: list[Value]) -> Value:
        """Broadcasting is known exactly; the dtype comes from a one-entry example."""
        small = [
            replace(a, dims=(5,) * len(a.dims)) if a.kind == "array" and a.dims is not None else a for a in arguments
        ]
        if function in DIVIDING and small[1].known is not None and not small[1].known.value:
            small[1] = replace(small[1], known=None)  # where Python raises there is no result to be of another type
        value = result_type(function, small, {})
        if value.kind == "array":
            dims = arguments[0].shape
            for other in arguments[1:]:
                dims = broadcast(dims, other.shape)
            return replace(value, dims=dims) if dims is not None else replace(value, dims=None)
        if value.kind == "int" and len(arguments) == 2:
            return replace(value, length=self._length_arithmetic(function, *arguments), known=None)
        if value.kind == "number" and all(a.numeric for a in arguments):
            dtypes = {a.dtype for a in arguments if a.kind != "int"}
            return replace(value, dtype=dtypes.pop() if len(dtypes) == 1 else "")
        return value

    def _length_arithmetic(self, function: Any, a: Value, b: Value) -> Linear | None:
        step = b.known.value if b.known else None
        if a.length is not None and isinstance(step, int) and function in (operator.add, operator.sub):
            return replace(a.length, offset=a.length.offset + (step if function is operator.add else -step))
        if b.length is not None and a.known and function is operator.add:
            return replace(b.length, offset=b.length.offset + a.known.value)
        return None

    def _of_Compare(self, node: gast.Compare, env: Env) -> Value:
        values = [self.value(node.left, env), *(self.value(c, env) for c in node.comparators)]
        if len(values) == 2 and type(node.ops[0]) in OPERATORS and all(v.numeric for v in values):
            value = self._elementwise(OPERATORS[type(node.ops[0])], values)
            return self.settle(value, node, False, None, values)
        return BOOL if all(v.kind in SCALARS for v in values) else self.unknown(node)

    def _of_BoolOp(self, node: gast.BoolOp, env: Env) -> Value:
        values = [self.value(v, env) for v in node.values]
        return self._any_of(values)

    def _of_IfExp(self, node: gast.IfExp, env: Env) -> Value:
        self.value(node.test, env)
        return self._any_of([self.value(node.body, env), self.value(node.orelse, env)])

    def _any_of(self, values: list[Value]) -> Value:
        result = values[0]
        for other in values[1:]:
            result = self.program.joined(result, other)
        return result

    # -- attributes and items -----------------------------------------------------------------

    def _of_Attribute(self, node: gast.Attribute, env: Env) -> Value:
        above = self.of_super(node, env)
        if above is not None:
            return above
        base = self.value(node.value, env)
        return self.attribute(base, node.attr, node, env)

    def attribute(self, base: Value, name: str, node: gast.AST, env: Env) -> Value:
        """The value of `base.name`."""
        if base.kind == "none":
            return BOTTOM  # Python raises
        if base.kind == "known":
            return self._known_attribute(base, name)
        if base.numeric:
            return self._array_attribute(base, name, node)
        if base.kind == "object":
            return self.object_attribute(base, name, node, env)
        if base.kind == "tuple" and base.code is not None and name in base.code._fields:
            return (base.items or ())[base.code._fields.index(name)]
        found = inspect.getattr_static(base.code, name, None) if base.kind == "tuple" else None
        if isinstance(found, property):
            return self._property(base, [base.code], [found], node, env)
        if base.code == "exception" and base.varied:
            self.refuse(
                node,
                "exception",
                "cannot follow a value out of an exception",
                "Some exception of the program is made of an active value, which may be in this one.",
                "assign the value to a variable, or return it, before raising",
            )
        return self.lost(base)

    def _known_attribute(self, base: Value, name: str) -> Value:
        if base.known is None:
            return OPAQUE
        try:
            thing = getattr(base.known.value, name)
        except AttributeError:
            return OPAQUE
        if isinstance(thing, (int, float)) and not isinstance(thing, bool):
            return Value("float" if isinstance(thing, float) else "int", known=Known(thing))
        return self.program.value_of(thing, f"global {name}")

    def _array_attribute(self, base: Value, name: str, node: gast.AST) -> Value:
        if name == "shape" and base.dims is not None:
            return Value("tuple", items=tuple(_int_of(d) for d in base.dims))
        if name == "shape":
            return OPAQUE
        if name == "dtype" and base.dtype and base.kind == "array":
            return Value("known", known=Known(np.dtype(base.dtype)))
        if name in INERT_ATTRIBUTES:
            return Value("int") if name in ("size", "ndim", "itemsize", "nbytes") else OPAQUE
        if name in ATTRIBUTES:
            value = self.apply(ATTRIBUTES[name], [base], {}, node)
            return replace(value, code=FLAT) if name == FLAT else value
        return self.lost(base)

    # -- displays -----------------------------------------------------------------------------

    def _of_Tuple(self, node: gast.Tuple, env: Env) -> Value:
        meant = self.meaning_of_display(node, env)
        if meant is not None:
            return meant
        return Value("tuple", items=tuple(self._elements(node, env)))

    def _of_List(self, node: gast.List, env: Env) -> Value:
        meant = self.meaning_of_display(node, env)
        if meant is not None:
            return meant
        return self.new_list(node, self._elements(node, env))

    def _elements(self, node: gast.Tuple | gast.List, env: Env) -> list[Value]:
        found: list[Value] = []
        node.elts = [e if isinstance(e, gast.Starred) else self.kept(e, env) for e in node.elts]
        for element in node.elts:
            if isinstance(element, gast.Starred):
                inner = self.gone_through(element.value, env)
                items = self.known_items(inner)
                found += list(items) if items is not None else [self.element(inner, element)]
            else:
                found.append(self.value(element, env))
        return found

    def _of_Dict(self, node: gast.Dict, env: Env) -> Value:
        site = self.site(node, "dict")
        cell = self.program.heap[site]
        node.values = [item if key is None else self.kept(item, env) for key, item in zip(node.keys, node.values)]
        for key, item in zip(node.keys, node.values):
            value = self.value(item, env)
            if key is None:
                for other in self.program.cells(value):
                    for k, v in list(other.fields.items()):
                        self.program.put(cell, v, k)
                continue
            known = self.value(key, env).known
            self.program.put(cell, value, known.value if known else None)
        return Value("dict", sites=frozenset([site]))

    def _of_ListComp(self, node: gast.ListComp, env: Env) -> Value:
        inner = self._comprehended(node, env)
        return self.new_list(node, [self.value(node.elt, inner)], known=False)

    def _of_SetComp(self, node: gast.SetComp, env: Env) -> Value:
        inner = self._comprehended(node, env)
        if self.varied(self.value(node.elt, inner)):
            self.unsettled(node, "a set of active values")
        return OPAQUE

    def _of_DictComp(self, node: gast.DictComp, env: Env) -> Value:
        inner = self._comprehended(node, env)
        self.value(node.key, inner)
        site = self.site(node, "dict")
        self.program.put(self.program.heap[site], self.value(node.value, inner))
        return Value("dict", sites=frozenset([site]))

    def _comprehended(self, node: Any, env: Env) -> Env:
        inner = dict(env)
        for generator in node.generators:
            self.bind(generator.target, self.each(generator.iter, False, inner), inner, self.statement)
            for test in generator.ifs:
                self.value(test, inner)
        return inner

    def _of_JoinedStr(self, node: gast.JoinedStr, env: Env) -> Value:
        return replace(self._of_other(node, env), code="str")

    def _of_FormattedValue(self, node: gast.FormattedValue, env: Env) -> Value:
        return self.lost(self.value(node.value, env))

    def _of_Starred(self, node: gast.Starred, env: Env) -> Value:
        return self.gone_through(node.value, env)

    # -- small questions ----------------------------------------------------------------------

    def read_target(self, target: gast.expr, env: Env) -> Value:
        """The value an augmented assignment starts from."""
        if isinstance(target, gast.Name):
            return self._of_Name(gast.Name(target.id, gast.Load(), None, None), env)
        return self.value(target, env)

    def imported(self, module: str, name: str | None, last: bool) -> Value:
        thing = importlib.import_module(module)
        if name is not None:
            thing = getattr(thing, name) if hasattr(thing, name) else importlib.import_module(f"{module}.{name}")
        elif not last:
            thing = importlib.import_module(module.split(".")[0])
        return self.program.value_of(thing, f"global {name or module}")


def _folded(function: Any, arguments: list[Value]) -> Value | None:
    """Arithmetic on literals, where its result is a plain int or float."""
    if function not in OPERATORS.values():
        return None
    try:
        result = function(*(a.known.value for a in arguments if a.known))
    except (ArithmeticError, TypeError, ValueError):  # Python will raise it when the program runs
        return None
    return Value(type(result).__name__, known=Known(result)) if type(result) in (int, float, bool) else None


def _product_dims(a: Dims, b: Dims) -> Dims:
    """(n, k) @ (k, m) → (n, m), whatever is known of k; vectors lack a side, stacks keep to the example."""
    if a is None or b is None or len(a) > 2 or len(b) > 2:
        return None
    return (*a[:-1], *b[1:])


def _reshaped(base: Value, shape: Value) -> Value:
    """The new shape is in the text: its length gives the rank."""
    sizes = shape.items if shape.kind == "tuple" else (shape,) if shape.kind == "int" else None
    if sizes is None:
        return Value("number", base.dtype)
    dims: list[Dim] = []
    for size in sizes:
        known = size.known.value if size.known is not None else None
        exact = size.length is not None and size.length.wide and as_dim(size.length) == size.length  # no -1: "the rest"
        dims.append(known if isinstance(known, int) and known >= 0 else size.length if exact else None)
    return Value("array", base.dtype, tuple(dims))


def viewed_argument(function: Any, count: int) -> int:
    """Which argument a view is of: np.einsum of one operand may return a view of it."""
    return 1 if function is np.einsum and count == 2 else 0


def _int_of(dim: Dim) -> Value:
    if isinstance(dim, int):
        return Value("int", known=Known(dim))
    return Value("int", length=dim if isinstance(dim, Linear) else None)
