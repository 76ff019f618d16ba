"""`with` over active values: what its manager does, written out; inert managers stay.

    with scaled(x, 2.0) as s:     →     scaled_parts = scaled_enter(x, 2.0)
        y = s * x                       s = scaled_parts[0]
                                        y = s * x
                                        scaled_exit(scaled_parts[1])

What runs after an exception too becomes a Finally. A manager that may swallow exceptions is asked
whether it did: a derivative of the whole block would be wrong then.
"""

import contextlib
import io
import threading
import warnings
from typing import Any

import gast
import numpy as np

from pullback.compiler.frontend.managers import generator_of, lets_out, never_true
from pullback.compiler.ir.nodes import Finally
from pullback.compiler.ir.template import assign, call, name, statements
from pullback.compiler.normalise.attempts import carries_derivative
from pullback.compiler.normalise.context import Part
from pullback.compiler.normalise.targets import assign_to

QUIET = (
    *(open, io.StringIO, io.BytesIO, np.errstate, np.printoptions, warnings.catch_warnings),
    *(contextlib.nullcontext, contextlib.closing, contextlib.redirect_stdout, contextlib.redirect_stderr),
    *(threading.Lock, threading.RLock),
)  # what never swallows an exception


class ManagedBlocks(Part):
    """The part of the flattener that deals with context managers."""

    def do_With(self, s: gast.With, out: list[gast.stmt]) -> list[gast.stmt]:
        if any(self._manages(item) for item in s.items):
            return self._written_out(s.items, s)
        if self.facts.writes.get(s) and any(isinstance(i.context_expr, gast.Call) for i in s.items):
            return self._made_before(s.items, s, out)
        watched = carries_derivative(self.program, self.facts, s) and not all(map(self._lets_out, s.items))
        s.body = self.flattener.block(s.body)
        if not watched:
            return [s]
        done = self.names.fresh("done")
        s.body += statements(f"{done}.append(True)")
        check = gast.copy_location(gast.Expr(call("refuse_swallowed", name(done))), s)
        return [assign(done, gast.List([], gast.Load())), s, check]

    def _made_before(self, items: list[Any], s: gast.With, out: list[gast.stmt]) -> list[gast.stmt]:
        """Inert managers whose making changes something: each is made in a statement of its own."""
        [item, *more] = items
        held = self.names.fresh("manager")
        made = gast.copy_location(assign(held, self.flattener.lowered(item.context_expr, out, top=True)), s)
        self.facts.writes[made] = self.facts.writes[s]
        inner = s.body
        if more:
            before: list[gast.stmt] = []
            last = self._made_before(more, s, before)
            inner = [*before, *last]
        item.context_expr = self.variable_for(held, item.context_expr)
        new = gast.copy_location(gast.With([item], inner, None), s)
        return [made, *(self.do_With(new, []) if not more else [new])]

    def _written_out(self, items: list[Any], s: gast.With) -> list[gast.stmt]:
        """The managers one inside the other, around the body."""
        if not items:
            found: list[gast.stmt] = self.flattener.block(s.body)
            return found
        [item, *more] = items
        if not self._manages(item):
            return [gast.copy_location(gast.With([item], self._written_out(more, s), None), s)]
        managed = self.facts.managed[item]
        bound = gast.Expr(managed.enter) if item.optional_vars is None else assign_to(item.optional_vars, managed.enter)
        start = [gast.copy_location(new, s) for new in (assign(managed.held, managed.made), bound)]
        entered = self.flattener.block(start)
        inner = self._written_out(more, s)
        left = self.flattener.block([gast.copy_location(gast.Expr(managed.leave), s)])
        if not managed.always:
            return [*entered, *inner, *left]
        return [*entered, Finally([], inner, left, *(managed.failing or ()))]

    def _manages(self, item: Any) -> bool:
        """Do active values go through the manager?"""
        managed = self.facts.managed.get(item)
        if managed is None:
            return False
        calls = (managed.made, managed.enter, managed.leave)
        return any(self.active(node) or self.active_call(node) or self._writes(node) for node in calls)

    def _writes(self, node: gast.AST) -> bool:
        """Does a call change memory of the program?"""
        return node in self.facts.calls and bool(self.facts.calls[node].callee.written)

    def _lets_out(self, item: Any) -> bool:
        """Does an exception certainly leave the block?"""
        node = item.context_expr
        thing = self.facts.resolved.get(node)
        generator = generator_of(thing)
        if generator is not None:
            return lets_out(generator)
        value = self.type_of(node)
        cls = value.known.value if value.kind == "object" and value.known is not None else thing
        if cls in QUIET:
            return True
        leave = getattr(cls, "__exit__", None) if isinstance(cls, type) else None
        return leave is not None and hasattr(leave, "__code__") and never_true(leave)
