"""What assigning a value to a variable, an item, a field or several of them at once changes."""

from typing import Any

import gast

from pullback.compiler.analysis.functions import closure_of
from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.protocols import index_of
from pullback.compiler.analysis.values import Value, attribute_site, mentions, placed_beside, replace
from pullback.runtime.functions import Globals


class Targets(Part):
    """The transfer function of targets."""

    def bind(self, target: gast.expr, value: Value, env: Env, at: gast.stmt) -> None:
        """The effect of assigning a value to a target."""
        if isinstance(target, gast.Name):
            value = placed_beside(value, self.spec.either.get(target.id))
        self.facts.types[target] = value
        if isinstance(target, gast.Name):
            if target.id in self.code.globals_declared:
                self._refuse_global(target.id, value, at)
            self.interpreter.functions.rebinding(target.id, env, at)
            self._forget_lengths(target.id, env)
            env[target.id] = value if not value.unbound else replace(value, unbound=False)
        elif isinstance(target, (gast.Tuple, gast.List)):
            self._unpack(target, value, env, at)
        elif isinstance(target, gast.Starred):
            self.bind(target.value, value, env, at)
        elif isinstance(target, gast.Subscript):
            self._write_item(target, value, env, at)
        elif isinstance(target, gast.Attribute):
            self._write_attribute(target, value, env, at)

    def _refuse_global(self, word: str, value: Value, at: gast.stmt) -> None:
        if self.varied(value):
            self.refuse(
                at,
                "global",
                f"cannot write an active value to the global `{word}`",
                "The write outlives the call, and its adjoint would have to as well.",
                f"return `{word}` and let the caller keep it",
            )

    def _forget_lengths(self, name: str, env: Env) -> None:
        """Lengths of slices that were bounded by the old value of a name are no longer known."""
        for other, value in env.items():
            if value.dims is not None and any(mentions(d, name) for d in value.dims):
                env[other] = replace(value, dims=tuple(None if mentions(d, name) else d for d in value.dims))

    def _unpack(self, target: gast.Tuple | gast.List, value: Value, env: Env, at: gast.stmt) -> None:
        elements = target.elts
        stars = [i for i, e in enumerate(elements) if isinstance(e, gast.Starred)]
        items = self.known_items(value)
        if items is not None and not stars and len(items) == len(elements):
            for element, item in zip(elements, items):
                self.bind(element, item, env, at)
        elif items is not None and stars and len(items) >= len(elements) - 1:
            self._unpack_starred(elements, stars[0], items, env, at)
        else:
            item = self.element(value, at)
            for element in elements:
                if isinstance(element, gast.Starred):
                    self.bind(element, self.new_list(element, [item] * 2, known=False), env, at)
                else:
                    self.bind(element, item, env, at)

    def _unpack_starred(self, elements: list[gast.expr], star: int, items: Any, env: Env, at: gast.stmt) -> None:
        behind = len(elements) - star - 1
        for element, item in zip(elements[:star], items):
            self.bind(element, item, env, at)
        middle = list(items[star : len(items) - behind])
        self.bind(elements[star], self.new_list(elements[star], middle), env, at)
        for element, item in zip(elements[star + 1 :], items[len(items) - behind :]):
            self.bind(element, item, env, at)

    def _write_item(self, target: gast.Subscript, value: Value, env: Env, at: gast.stmt) -> None:
        base = self.value(target.value, env)
        index = self.value(target.slice, env)
        self.changes(at, base)
        if base.kind in ("array", "number"):
            smooth = base.smooth
            for cell in self.program.cells(base):
                self.program.mark(cell, "written")
                if self.varied(value) and smooth:
                    self.program.mark(cell, "varied")
        elif base.kind in ("list", "dict"):
            key = self.interpreter.containers.constant_key(base, index)
            if base.kind == "dict":
                self.keyed(base, index)
            for cell in self.program.cells(base):
                if isinstance(target.slice, gast.Slice):
                    self.program.grow(cell)
                    value = self.element(value, at)
                self.program.put(cell, value, key)
        elif base.kind == "object" and self.interpreter.protocols.set_item(base) is not None:
            setter = self.interpreter.protocols.set_item(base)
            self._set_by_call(target, setter, [target.value, index_of(target.slice)], value, env)
        elif base.kind == "object" and (self.varied(base) or self.varied(value)):
            self.refuse(
                at,
                "setitem",
                "cannot follow this item assignment",
                "The object's own `__setitem__` would have to be differentiated.",
                "call a method that does it",
            )
        elif self.varied(value) or self.program.holds_text(value) and not base.sites:
            self.refuse_write(at)
        elif self.program.holds_text(value):
            self.interpreter.texts.keep(base)
        self.outlives(at, base, value)

    def refuse_write(self, at: gast.AST) -> None:
        self.refuse(
            at,
            "write",
            "cannot follow this write",
            "What is written to has a type that cannot be settled, so the value's adjoint would be lost.",
            "write into a NumPy array, a list or a dict",
        )

    def outlives(self, at: gast.AST, base: Value, value: Value) -> None:
        """Active writes into memory that outlives the call are refused."""
        if not self.varied(value):
            return
        for site in base.sites:
            if site.startswith(("global ", "default ")):
                kind, _, name = site.split(".")[0].split("[")[0].partition(" ")
                self.refuse(
                    at,
                    "outlives",
                    f"cannot write an active value into the {kind} `{name}`",
                    "The write outlives the call: a mutated default or global keeps it.",
                    "make the container inside the function, or pass it in",
                )

    def _write_attribute(self, target: gast.Attribute, value: Value, env: Env, at: gast.stmt) -> None:
        base = self.value(target.value, env)
        setter = self.interpreter.classes.setter(base, target) if base.kind == "object" else None
        if setter is not None:
            self._set_by_call(target, setter, [target.value], value, env)
            return
        self.changes(at, base)
        if base.kind == "known":
            self.changes_sites(at, {attribute_site(target.attr)})
        if base.kind == "function" or any(closure_of(c) for c in self.interpreter.classes.classes_of(base)):
            self.interpreter.functions.refuse_attribute(target)
        elif base.kind == "object":
            for cell in self.program.cells(base):
                self.program.put(cell, value, target.attr)
            if base.known is not None and base.known.value is Globals:
                self._refuse_global(target.attr, value, at)
            else:
                self.outlives(at, base, value)
        elif base.numeric:
            self.interpreter.writing.write_part(target, base, value, env, at)
        elif self.varied(value):
            self.refuse_write(at)

    def _set_by_call(self, target: gast.expr, function: Any, first: list[gast.expr], value: Value, env: Env) -> None:
        """obj.p = v, obj[i] = v by a function of the class: the value has a name of its own by then."""
        meanings = self.program.meanings
        key = (target, function)
        if key not in meanings:
            held = gast.Name(self.fresh("new"), gast.Load(), None, None)
            meanings[key] = self.placed(gast.Call(self.given(function), [*first, held], []), target)
        self.facts.meanings[target] = meanings[key]
        self.value(meanings[key], {**env, meanings[key].args[-1].id: value})
