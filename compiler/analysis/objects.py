"""Abstract values of user classes: construction, attributes, properties, methods, operators."""

import dataclasses
import inspect
import types
from dataclasses import replace
from typing import Any

import gast

from pullback.compiler.analysis.program import Code, Env, Facts, Program, Spec
from pullback.compiler.analysis.values import OPAQUE, Known, Value
from pullback.compiler.errors import DerivativeError


class Objects:
    """What all parts of the interpreter share, and user-defined classes."""

    facts: Facts
    statement: gast.stmt

    def __init__(self, program: Program, spec: Spec) -> None:
        self.program = program
        self.spec = spec
        self.code: Code = spec.code
        self.facts = spec.facts

    # the rest of the interpreter, defined in the derived classes
    value: Any
    element: Any
    arguments: Any
    bind_arguments: Any
    specialise: Any
    _specialised: Any
    attribute: Any
    run: Any
    outlives: Any
    bind: Any
    operate: Any
    apply: Any
    known_items: Any

    def varied(self, value: Value) -> bool:
        """Does the value depend on an active input?"""
        return self.program.is_varied(value)

    def refuse(self, node: Any, kind: str, problem: str, cause: str = "", advice: str = "") -> None:
        if getattr(node, "lineno", None) is None:
            node = self.statement
        self.program.refuse(self.code, node, kind, problem, cause, advice)

    def note(self, error: Exception) -> None:
        """Keep the refusals of another function's source."""
        if isinstance(error, DerivativeError):
            for d in error.diagnostics:
                place = (d.span.file, d.span.line, d.span.column, d.code) if d.span else ("", 0, 0, d.problem)
                self.program.problems.setdefault(place, d)

    def unsettled(self, node: Any, what: str) -> Value:
        """Refuse something whose type cannot be followed."""
        self.refuse(
            node,
            "unsettled",
            f"cannot follow {what}",
            "Its elements' types cannot be settled before the program runs.",
            "use a list or an array built by a loop",
        )
        return OPAQUE

    def site(self, node: gast.AST, kind: str) -> str:
        """The memory allocated at a place of this function's text."""
        origin = getattr(node, "origin", node)
        numbers = self.spec.facts.__dict__.setdefault("site_numbers", {})
        number = numbers.setdefault(origin, len(numbers))
        name = f"{self.spec.index}:{number}:{kind}"
        self.program.cell(name, kind)
        return name

    def unknown(self, node: gast.AST, *sources: Value) -> Value:
        """The inert result of a call that is not followed: memory of its own, or some that was passed."""
        given = [*sources, *(v.code for v in sources if isinstance(v.code, Value))]  # what an iterator yields
        passed = [self.program.reached(v) for v in given if not self.varied(v)]
        return replace(OPAQUE, sites=frozenset([self.site(node, "opaque")]).union(*passed))

    def changes(self, at: gast.AST, base: Value) -> None:
        """A statement changes the memory of a value."""
        self.changes_sites(at, set(base.sites))

    def changes_sites(self, at: gast.AST, sites: set[str]) -> None:
        old = self.facts.writes.get(at, frozenset())
        self.facts.writes[at] = old | frozenset(sites)
        if not sites <= self.spec.written:
            self.spec.written |= sites
            self.program.version += 1

    # -- classes ------------------------------------------------------------------------------

    def construct(self, cls: type, node: gast.Call, env: Env) -> Value:
        """The value of calling a class."""
        positional, keywords = self.arguments(node, env)
        every = [*positional, *keywords.values()]
        if issubclass(cls, tuple) and hasattr(cls, "_fields"):
            named = dict(zip(cls._fields, positional)) | keywords
            defaults = getattr(cls, "_field_defaults", {})
            items = tuple(named.get(f) or self.program.value_of(defaults.get(f), f"default {f}") for f in cls._fields)
            return Value("tuple", items=items, code=cls)
        if cls is types.SimpleNamespace:
            return self._new_object(cls, node, keywords)
        if dataclasses.is_dataclass(cls):
            names = [f.name for f in dataclasses.fields(cls) if f.init]
            return self._new_object(cls, node, dict(zip(names, positional)) | keywords)
        init = inspect.getattr_static(cls, "__init__", None)
        if not isinstance(init, types.FunctionType) or not any(self.varied(v) for v in every):
            if any(self.varied(v) for v in every) and not issubclass(cls, BaseException):
                self.refuse(
                    node,
                    "no-rule",
                    f"no derivative rule for `{cls.__name__}`",
                    f"`{cls.__name__}` is opaque: pullback cannot read its constructor.",
                    "keep the values in a list, a dict or an array",
                )
            return self.unknown(node, *every)
        self.refuse(
            node,
            "class",
            f"cannot differentiate through a `{cls.__name__}` built inside the function",
            "Instances of classes with their own `__init__` are not followed.",
            "use a dataclass, a NamedTuple or a dict, or pass the numbers to functions",
        )
        return OPAQUE

    def _new_object(self, cls: type, node: gast.Call, fields: dict[str, Value]) -> Value:
        site = self.site(node, "object")
        cell = self.program.heap[site]
        cell.cls = cls
        for key, value in fields.items():
            self.program.put(cell, value, key)
        return Value("object", sites=frozenset([site]), known=Known(cls))

    def object_attribute(self, base: Value, name: str, node: gast.AST) -> Value:
        found = [c.fields[name] for c in self.program.cells(base) if name in c.fields]
        if found:
            result = found[0]
            for other in found[1:]:
                result = self.program.joined(result, other)
            return result
        if name == "__dict__" and self.varied(base):
            return self.unsettled(node, "the `__dict__` of an object")
        cls = base.known.value if base.known else None
        thing = inspect.getattr_static(cls, name, None) if cls is not None else None
        if isinstance(thing, (int, float)) and not isinstance(thing, bool):
            return self.program.value_of(thing, f"global {name}")
        if isinstance(thing, property) and self.varied(base):
            self.refuse(
                node,
                "property",
                f"cannot follow the property `{name}`",
                "Properties of active objects are not followed.",
                "call a plain function of the fields",
            )
        return OPAQUE

    def _call_method(self, base: Value, name: str, node: gast.Call, env: Env) -> Value:
        cls = base.known.value if base.known else None
        function = inspect.getattr_static(cls, name, None) if cls is not None else None
        if isinstance(function, staticmethod):
            return self._call_function(function.__func__, node, env)
        if isinstance(function, types.FunctionType):
            return self._call_function(function, node, env, base)
        positional, keywords = self.arguments(node, env)
        if self.varied(base) or any(self.varied(v) for v in [*positional, *keywords.values()]):
            self.refuse(node, "method", f"cannot follow the method `{name}`", "", "call a plain function")
        return OPAQUE

    _call_function: Any

    def overloaded(self, op: gast.operator, left: Value, right: Value, node: gast.AST) -> Value | None:
        """Operators that a class defines."""
        if "object" not in (left.kind, right.kind):
            return None
        if self.varied(left) or self.varied(right):
            self.refuse(
                node,
                "operator",
                "cannot follow an operator that a class defines",
                "",
                "call a plain function of the fields",
            )
        return OPAQUE

    def item_of_object(self, base: Value, index: Value, node: gast.AST) -> Value | None:
        if base.kind == "object" and self.varied(base):
            self.refuse(
                node,
                "getitem",
                "cannot follow this item access",
                "The class's own `__getitem__` runs.",
                "read a field instead",
            )
        return None
