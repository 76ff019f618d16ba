"""Abstract values of expressions: operators, names, attributes, indexing, displays, comprehensions."""

import collections
import functools
import importlib
import inspect
from typing import Any

import gast
import numpy as np

from pullback.compiler.analysis.arithmetic import OPERATORS
from pullback.compiler.analysis.decided import is_plain_test, outcome
from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.stand_ins import stands_for
from pullback.compiler.analysis.values import (
    BOOL,
    BOTTOM,
    FLAT,
    NONE,
    OPAQUE,
    SCALARS,
    TEXT,
    Dim,
    Known,
    Linear,
    Value,
    is_repetition,
    is_text,
    of_numpy,
    replace,
)
from pullback.compiler.frontend.reserved import MODULES
from pullback.compiler.ir.nodes import Let
from pullback.compiler.ir.template import constant
from pullback.compiler.ir.walk import reads
from pullback.compiler.rules.methods import ATTRIBUTES
from pullback.runtime import RUNTIME_NAMES, runtime_function
from pullback.runtime.functions import Globals

INERT_ATTRIBUTES = ("shape", "size", "ndim", "dtype", "itemsize", "nbytes", "flags", "strides")


class Expressions(Part):
    """Evaluates expressions over abstract values and notes the value of every node."""

    def of_other(self, node: gast.AST, env: Env) -> Value:
        values = [self.value(child, env) for child in gast.iter_child_nodes(node) if isinstance(child, gast.expr)]
        return self.lost(*values)

    def of_Constant(self, node: gast.Constant, env: Env) -> Value:
        known = Known(node.value)
        for kind in (bool, int, float, complex):
            if isinstance(node.value, kind):
                return Value(kind.__name__, known=known)
        return NONE if node.value is None else Value("known", known=known)

    def of_Name(self, node: gast.Name, env: Env) -> Value:
        value = self.named(node, env)
        if getattr(node, "narrowed", None) is not None:
            return self.interpreter.functions.narrow(value, node.narrowed)
        return self.interpreter.functions.function_value(node, value.code, env) if value.kind == "function" else value

    def named(self, node: gast.Name, env: Env) -> Value:
        """What a variable, a function of the text or a global is."""
        name = node.id
        if name in self.code.deleted and (name not in env or env[name].unbound):
            self._refuse_deleted(node)
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
            # Unbound on every path so far: Python raises, or a loop that binds it has not been seen to run.
            return BOTTOM if name in self.interpreter.looped.get(self.interpreter.statement, ()) else OPAQUE
        if name in self.spec.parameters:
            return self.spec.parameters[name]
        if name in self.code.captured:
            return OPAQUE
        for outer in self.code.ancestors()[1:]:
            code = self.program.static.get((outer, name))
            if code is not None:
                return Value("function", code=code)
        value = self._functions_outside.get(name) or self.outside(name)
        if value.kind == "known":
            self._functions_outside[name] = value
        return value

    @functools.cached_property
    def _functions_outside(self) -> dict[str, Value]:
        """The functions and modules that names of no function of the program were found to be."""
        return {}

    def _refuse_deleted(self, node: gast.Name) -> None:
        self.refuse(
            node,
            "deleted",
            f"cannot follow `{node.id}`, which may have been deleted",
            "The reverse sweep keeps what `del` takes away, so that nothing would be raised here.",
            "test a flag of its own, or leave the variable bound to None",
        )

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

    def of_NamedExpr(self, node: gast.NamedExpr, env: Env) -> Value:
        node.value = self.interpreter.generators.kept(node.value, env)
        value = self.value(node.value, env)
        self.interpreter.targets.bind(node.target, value, env, self.interpreter.statement)
        return value

    # -- operators ----------------------------------------------------------------------------

    def of_BinOp(self, node: gast.BinOp, env: Env) -> Value:
        left, right = self.value(node.left, env), self.value(node.right, env)
        sides = (node.left, node.right)
        meant = self.interpreter.protocols.meaning_of_operator(node, node.op, left, right, sides, env)
        meant = meant or self.interpreter.sets.operator(node, node.op, left, right, sides, env)
        becomes = self.made_active(node, "list") or self.made_active(node, "dict")
        if meant is None and (self.varied(left) or self.varied(right) or becomes):
            meant = self._meaning_of_container_operator(node, left, right, env)
        if meant is not None:
            return meant
        if left.kind == right.kind == "dict" and isinstance(node.op, gast.BitOr):
            return self.interpreter.containers.union(left, right, node)
        return self.interpreter.arithmetic.operate(node.op, left, right, node)

    def _meaning_of_container_operator(self, node: gast.BinOp, left: Value, right: Value, env: Env) -> Value | None:
        if left.kind in ("list", "tuple") or right.kind in ("list", "tuple"):
            if not is_repetition(node.op, left, right) and (of_numpy(left) or of_numpy(right)):
                return self.meant(node, lambda: self._as_arrays(node, left, right), env)
            return self.interpreter.sequences.meaning_of_sequence(node.op, left, right, node, env)
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

    def of_Let(self, node: Let, env: Env) -> Value:
        for binding in node.bindings:
            if isinstance(binding, gast.stmt):
                self.interpreter.effect(binding, env)
            else:
                self.value(binding, env)
        return self.value(node.value, env)

    def of_UnaryOp(self, node: gast.UnaryOp, env: Env) -> Value:
        operand = self.value(node.operand, env)
        if isinstance(node.op, gast.Not):
            return BOOL
        meant = self.interpreter.protocols.meaning_of_unary(node, operand, env)
        if meant is not None:
            return meant
        return self.interpreter.arithmetic.apply(OPERATORS[type(node.op)], [operand], {}, node)

    def of_Compare(self, node: gast.Compare, env: Env) -> Value:
        values = [self.value(node.left, env), *(self.value(c, env) for c in node.comparators)]
        self.interpreter.sets.compared(node, values)
        if len(values) == 2 and type(node.ops[0]) in OPERATORS and all(v.numeric for v in values):
            value = self.interpreter.arithmetic.elementwise(OPERATORS[type(node.ops[0])], values)
            return self.interpreter.arithmetic.settle(value, node, False, None, values)
        return BOOL if all(v.kind in SCALARS for v in values) else self.unknown(node)

    def of_BoolOp(self, node: gast.BoolOp, env: Env) -> Value:
        values = [self.value(v, env) for v in node.values]
        return self.joined(values)

    def of_IfExp(self, node: gast.IfExp, env: Env) -> Value:
        self.value(node.test, env)
        open_ = reads(node.test) & self.interpreter.rebound_elsewhere or not is_plain_test(node.test)
        taken = self.facts.decided[node] = None if open_ else outcome(node.test, self.facts)
        if taken is not None:
            return self.value(node.body if taken else node.orelse, env)
        return self.joined([self.value(node.body, env), self.value(node.orelse, env)])

    # -- attributes and items -----------------------------------------------------------------

    def of_Attribute(self, node: gast.Attribute, env: Env) -> Value:
        above = self.interpreter.protocols.of_super(node, env)
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
            if base.known is not None and base.known.value is Globals:
                self.outside(name)  # the derivative is for a global of this type
            return self.interpreter.classes.object_attribute(base, name, node, env)
        if base.kind == "tuple" and base.code is not None and name in base.code._fields:
            place = base.code._fields.index(name)
            if isinstance(node, gast.Attribute) and base.code.__module__.startswith(("numpy.", "scipy.")):
                return self.meant(node, lambda: gast.Subscript(node.value, constant(place), gast.Load()), env, place)
            return (base.items or ())[place]
        found = inspect.getattr_static(base.code, name, None) if base.kind == "tuple" else None
        if isinstance(found, property):
            return self.interpreter.classes.property(base, [base.code], [found], node, env)
        if name == "maxlen" and stands_for(base, collections.deque):
            more = self.interpreter.stand_ins.more_of
            return self.meant(node, lambda: more(base, node) if base.code.more else constant(None), env)
        if base.code == "exception" and self.program.active_exceptions and not name.startswith("__"):
            self.refuse(
                node,
                "exception",
                "cannot follow a value out of an exception",
                "Some exception of the program is made of an active value, which may be in this one.",
                "assign the value to a variable, or return it, before raising",
            )
        if base.code == "exception" and name == "value" and any(s.code.generates or s.code.steps for s in self.program.specs.values()):
            self.refuse(
                node,
                "exception",
                "cannot follow what a generator returned",
                "It comes with the exception that ends the generator.",
                "yield the value last, or keep it in a list",
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
        if name == "dtype" and base.dtype and not base.perhaps_integral and base.kind == "array":
            return Value("known", known=Known(np.dtype(base.dtype)))
        if name in INERT_ATTRIBUTES:
            return Value("int") if name in ("size", "ndim", "itemsize", "nbytes") else OPAQUE
        if name in ATTRIBUTES:
            value = self.interpreter.arithmetic.apply(ATTRIBUTES[name], [base], {}, node)
            return replace(value, code=FLAT) if name == FLAT else value
        return self.lost(base)

    # -- displays -----------------------------------------------------------------------------

    def of_Tuple(self, node: gast.Tuple, env: Env) -> Value:
        meant = self.interpreter.sequences.meaning_of_display(node, env)
        if meant is not None:
            return meant
        items, counted = self._elements(node, env)
        if counted:
            return Value("tuple", items=tuple(items))
        if any(self.varied(i) for i in items):  # of a length that is not known, as a list may be
            return self.meant(node, lambda: gast.List(list(node.elts), gast.Load()), env)
        return self.lost(*items)

    def of_List(self, node: gast.List, env: Env) -> Value:
        meant = self.interpreter.sequences.meaning_of_display(node, env)
        if meant is not None:
            return meant
        return self.new_list(node, *self._elements(node, env))

    def _elements(self, node: gast.Tuple | gast.List, env: Env) -> tuple[list[Value], bool]:
        """The elements, and is every one of them known apart?"""
        found, counted = list[Value](), True
        node.elts = [e if isinstance(e, gast.Starred) else self.interpreter.generators.kept(e, env) for e in node.elts]
        for element in node.elts:
            if isinstance(element, gast.Starred):
                inner = self.of_Starred(element, env)
                items = self.known_items(inner)
                counted = counted and items is not None
                found += list(items) if items is not None else [self.element(inner, element)]
            else:
                found.append(self.value(element, env))
        return found, counted

    def of_Dict(self, node: gast.Dict, env: Env) -> Value:
        site = self.site(node, "dict")
        cell = self.program.heap[site]
        kept = self.interpreter.generators.kept
        node.values = [item if key is None else kept(item, env) for key, item in zip(node.keys, node.values)]
        for key, item in zip(node.keys, node.values):
            value = self.value(item, env)
            if key is None:
                for other in self.program.cells(value):
                    self.absorb(cell, other)
                continue
            asked = self.value(key, env)
            self.program.put(cell, value, asked.known.value if asked.known else None)
            self.keyed(Value("dict", sites=frozenset([site])), asked)
        return Value("dict", sites=frozenset([site]))

    def of_ListComp(self, node: gast.ListComp, env: Env) -> Value:
        inner = self.comprehended(node, env)
        return self.new_list(node, [self.value(node.elt, inner)], known=False)

    def of_DictComp(self, node: gast.DictComp, env: Env) -> Value:
        words = self.interpreter.methods.different_items(node, env)
        if words:
            return self.meant(node, lambda: self.interpreter.methods.item_by_item(node, words), env, *words)
        inner = self.comprehended(node, env)
        made = Value("dict", sites=frozenset([self.site(node, "dict")]))
        self.keyed(made, self.value(node.key, inner))
        for cell in self.program.cells(made):
            self.program.put(cell, self.value(node.value, inner))
        return made

    def comprehended(self, node: Any, env: Env) -> Env:
        inner = dict(env)
        for generator in node.generators:
            around = [n for n in [*gast.iter_child_nodes(node), *generator.ifs] if n is not generator]
            item = self.interpreter.generators.each(generator.iter, False, inner, around)
            self.interpreter.targets.bind(generator.target, item, inner, self.interpreter.statement)
            for test in generator.ifs:
                self.value(test, inner)
        return inner

    def of_JoinedStr(self, node: gast.JoinedStr, env: Env) -> Value:
        values = [self.value(part, env) for part in node.values]
        return TEXT if any(is_text(v) for v in values) else replace(OPAQUE, code="str")

    def of_FormattedValue(self, node: gast.FormattedValue, env: Env) -> Value:
        value = self.value(node.value, env)
        if node.format_spec is not None:
            self.value(node.format_spec, env)
        return TEXT if self.varied(value) or self.program.holds_text(value) else OPAQUE

    def of_Starred(self, node: gast.Starred, env: Env) -> Value:
        node.value = self.interpreter.generators.at_once(node.value, env)
        return self.interpreter.protocols.gone_through(node.value, env)

    # -- small questions ----------------------------------------------------------------------

    def read_target(self, target: gast.expr, env: Env) -> Value:
        """The value an augmented assignment starts from."""
        if isinstance(target, gast.Name):
            return self.of_Name(gast.Name(target.id, gast.Load(), None, None), env)
        return self.value(target, env)

    def imported(self, module: str, name: str | None, last: bool) -> Value:
        thing = importlib.import_module(module)
        if name is not None:
            thing = getattr(thing, name) if hasattr(thing, name) else importlib.import_module(f"{module}.{name}")
        elif not last:
            thing = importlib.import_module(module.split(".")[0])
        return self.program.value_of(thing, f"global {name or module}")


def _int_of(dim: Dim) -> Value:
    if isinstance(dim, int):
        return Value("int", known=Known(dim))
    return Value("int", length=dim if isinstance(dim, Linear) else None)
