"""Abstract values of operators and primitives: the type by example, memory and activity by the rule."""

import cmath
import operator
from typing import Any

import gast
import numpy as np

from pullback.compiler.analysis.evaluate import result_type
from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.values import (
    BOTTOM,
    NUMBER,
    OPAQUE,
    PERHAPS_COMPLEX,
    PERHAPS_INTEGRAL,
    TEXT,
    Dim,
    Dims,
    Known,
    Linear,
    Value,
    as_dim,
    broadcast,
    replace,
)
from pullback.compiler.rules.language import rule_of
from pullback.runtime.refusals import refuse_unforeseen

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
WRITTEN_OUT = (str, repr, format, ascii, np.array2string, np.array_str, np.array_repr)
LOOKING = (hasattr, refuse_unforeseen)  # which do not convert an object that they are given
TEXTUAL = (operator.add, operator.mul, operator.mod)
WHERE_COMPLEX = (np.imag, np.angle, cmath.phase)  # of real numbers they are flat
DIVIDING = (operator.truediv, operator.floordiv, operator.mod)


SPLITTING = (np.split, np.hsplit, np.vsplit, np.dsplit)


class Arithmetic(Part):
    """The transfer function of operators and primitives."""

    def operate(self, op: gast.operator, left: Value, right: Value, node: gast.AST) -> Value:
        """The value of `left op right`."""
        special = self.interpreter.protocols.overloaded(left, right, node)
        if special is not None:
            return special
        if isinstance(op, gast.Mod) and left.known is not None and isinstance(left.known.value, str):
            return TEXT if self.varied(right) or self.program.holds_text(right) else OPAQUE
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

    def _of_text(self, function: Any, value: Value, node: gast.AST) -> Value:
        """What a primitive makes of a text of active values."""
        rule = rule_of(function)
        unknown = value.kind in ("opaque", "number")
        if unknown and (rule is None or rule.form == "constant" or function in TEXTUAL):
            return TEXT
        if rule is not None and rule.form != "constant":
            self.refuse(
                node,
                "text",
                "cannot follow a number through text",
                "An active value was written out in it, or in an exception: text has no derivative.",
                "keep the number in a variable of its own beside the text",
            )
        return value

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
            value = self.elementwise(function, arguments)
        elif function is np.reshape and len(arguments) == 2 and arguments[0].kind in ("array", "number"):
            value = _reshaped(arguments[0], arguments[1])
        else:
            value = result_type(
                function,
                [self.interpreter.containers.described(a) for a in arguments],
                {k: self.interpreter.containers.described(v) for k, v in keywords.items()},
            )
        if value.kind == "number" and function in (float, int, bool, complex):
            value = Value(function.__name__)
        if value.kind == "number" and function in SPLITTING and arguments[0].numeric:
            value = _parts(*arguments[:2])
        if value.kind == "array" and function in PRODUCTS and all(a.dims for a in arguments):
            value = replace(value, dims=_product_dims(arguments[0].dims, arguments[1].dims) or value.dims)
        operands = [*arguments, *keywords.values()]
        if any(self.program.holds_text(a) for a in operands):
            return self._of_text(function, value, node)
        if rule is not None and rule.form == "constant" and value == NUMBER and any(a.kind in ("opaque", "object", "known") for a in operands):
            value = replace(value, dtype=PERHAPS_INTEGRAL)  # np.zeros(n, dtype) of a dtype that is not known
        perhaps = any(a.perhaps_complex or a.kind in ("list", "tuple") and _holds_complex(self.interpreter.containers.described(a)) for a in operands)
        if perhaps or rule is not None and rule.may_turn:
            value = _perhaps_complex(value, perhaps or any(a.is_complex for a in operands))
        if value == NUMBER and (perhaps or any(a.is_complex for a in operands)) and self._stays_complex(function, arguments, keywords):
            value = replace(value, dtype=PERHAPS_COMPLEX if perhaps else "complex128")
        active = any(self.varied(a) for a in operands)
        if active and function not in LOOKING and any(a.kind == "object" for a in arguments):
            self.interpreter.protocols.refuse_conversion(node)
        if active and value.kind == "opaque":
            return TEXT if function in WRITTEN_OUT else replace(OPAQUE, varied=True)
        flows = rule is not None and rule.form != "constant" and not _is_constant(function, arguments)
        return self.settle(value, node, active and (flows or rule is None), rule, arguments)

    def _stays_complex(self, function: Any, arguments: list[Value], keywords: dict[str, Value]) -> bool:
        """Of operands whose rank is not known: does it make something complex of a complex vector?"""
        described = self.interpreter.containers.described

        def example(value: Value) -> Value:
            if value.kind in ("array", "number") and value.is_complex and value.dims is None:
                return Value("array", "complex128", (5,))
            items = tuple(map(example, value.items)) if value.items is not None else None
            return replace(value, items=items, code=example(value.code) if isinstance(value.code, Value) else value.code)

        given = [example(described(a)) for a in arguments]
        return result_type(function, given, {k: example(described(v)) for k, v in keywords.items()}).is_complex

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
        if rule is not None and (rule.view or which) and arguments and not _makes(rule.primitives[0], arguments):
            sites = arguments[which].sites
            if sites and any(self.program.heap[s].kind in ("array", "opaque") for s in sites if s in self.program.heap):
                return replace(value, sites=sites, varied=active)
        site = self.site(node, "array")
        if active:
            self.program.mark(self.program.heap[site], "varied")
        return replace(value, sites=frozenset([site]), varied=active)

    def elementwise(self, function: Any, arguments: list[Value]) -> Value:
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
            if any(a.is_complex for a in arguments):  # as for single numbers
                single = [Value("complex") if a.is_complex else Value("float") for a in arguments]
                return replace(value, dtype=PERHAPS_COMPLEX if result_type(function, single, {}).is_complex else "")
            return replace(value, dtype=dtypes.pop() if len(dtypes) == 1 else "")
        return value

    def _length_arithmetic(self, function: Any, a: Value, b: Value) -> Linear | None:
        step = b.known.value if b.known else None
        if a.length is not None and isinstance(step, int) and function in (operator.add, operator.sub):
            return replace(a.length, offset=a.length.offset + (step if function is operator.add else -step))
        if b.length is not None and a.known and function is operator.add:
            return replace(b.length, offset=b.length.offset + a.known.value)
        return None


def _holds_complex(value: Value) -> bool:
    """May something in a described list or tuple be complex, and something real?"""
    parts = [*(value.items or ()), *([value.code] if isinstance(value.code, Value) else [])]
    return value.perhaps_complex or any(map(_holds_complex, parts))


def _perhaps_complex(value: Value, from_complex: bool) -> Value:
    """The type of a result that is complex for some operands; of complex ones, where its example is."""
    if value.items is not None:
        return replace(value, items=tuple(_perhaps_complex(i, from_complex) for i in value.items))
    if not value.smooth or from_complex and not value.is_complex:
        return value
    return replace(value, kind="complex" if value.kind == "float" else value.kind, dtype=PERHAPS_COMPLEX)


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


def _parts(base: Value, count: Value) -> Value:
    """np.split(u, 2), of a length that may not be even: a list of arrays where NumPy does not raise."""
    part = Value("array" if base.rank else "number", base.dtype, (None,) * base.rank if base.rank else None)
    known = count.known.value if count.known is not None else None
    return Value("list", items=(part,) * known) if isinstance(known, int) else Value("list", code=part)


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


def _is_constant(function: Any, arguments: list[Value]) -> bool:
    """Does what it gives not change with these arguments: the sign of a real number or array, its imaginary part, its phase?"""
    if function is np.sign:
        return not arguments[0].is_complex
    return function in WHERE_COMPLEX and (arguments[0].kind == "float" or arguments[0].dtype.startswith("float"))


def _makes(function: Any, arguments: list[Value]) -> bool:
    """Is what may be a view an array of its own, given these arguments? np.diag of a vector is a matrix."""
    if function is np.einsum:
        return arguments[0].known is not None and _sums(arguments[0].known.value)
    return function is np.diag and arguments[0].rank == 1 or _is_constant(function, arguments)


def _sums(subscripts: Any) -> bool:
    """Has the result of np.einsum of one operand fewer axes than this: "ij->j", or "ii", a trace?"""
    before, arrow, after = str(subscripts).replace(" ", "").partition("->")
    gone = set(before) - set(after) if arrow else {label for label in before if before.count(label) > 1} - {"."}
    return bool(gone)


def viewed_argument(function: Any, count: int) -> int:
    """Which argument a view is of: np.einsum of one operand may return a view of it."""
    return 1 if function is np.einsum and count == 2 else 0
