"""`with`, `try` and `match`: what is bound where such a block begins.

    with Scaled(x) as s:     →     manager = Scaled(x)
        y = s.k * x                s = __enter__(manager), the class's
                                   y = s.k * x
                                   __exit__(manager, None, None, None)
"""

from typing import Any

import gast

from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Env, Managed
from pullback.compiler.analysis.protocols import method_of
from pullback.compiler.analysis.values import OPAQUE, Value, replace
from pullback.compiler.frontend.managers import generator_of, halves, ignores_exception, never_true
from pullback.compiler.ir.nodes import Attempt, Finally
from pullback.compiler.ir.template import constant, expression, name, statements
from pullback.compiler.ir.walk import pattern_names


class Blocks(Part):
    """The transfer function of the heads of blocks that are neither branches nor loops."""

    def do_With(self, s: gast.With, env: Env) -> None:
        for item in s.items:
            managed = self._managed(item.context_expr, env)
            if managed is not None:
                entered = self._entered(managed, env)
                self.facts.managed[item] = managed
            else:
                value = self.value(item.context_expr, env)
                self._refuse_manager(item.context_expr, value)
                entered = self.unknown(item.context_expr, value)
            if item.optional_vars is not None:
                self.interpreter.targets.bind(item.optional_vars, entered, env, s)

    def _refuse_manager(self, node: gast.expr, value: Value) -> None:
        if self.varied(value):
            self.refuse(
                node,
                "with",
                "cannot follow this context manager",
                "An active value goes through it, and it is neither a class whose `__enter__` and `__exit__` can be "
                "read, and return nothing true, nor a generator with one plain `yield`.",
                "do what its enter and exit do in plain statements",
            )

    def _entered(self, managed: Managed, env: Env) -> Value:
        env[managed.held] = self.value(managed.made, env)
        value = self.value(managed.enter, env)
        self.value(managed.leave, env)  # what it writes
        return value

    def _managed(self, node: gast.expr, env: Env) -> Managed | None:
        """What a manager does, in calls; the same trees each time, as facts are kept by node."""
        if node not in self.program.managed:
            made = self._by_generator(node, env) if isinstance(node, gast.Call) else None
            made = made or self._by_class(node, env)
            if made is None:
                return None
            self.code.locals.add(made.held)
            self.program.managed[node] = made
        return self.program.managed[node]

    def _by_generator(self, node: gast.Call, env: Env) -> Managed | None:
        if not isinstance(node.func, (gast.Name, gast.Attribute)):
            return None
        target = self.value(node.func, env)
        generator: Any = generator_of(target.known.value) if target.known is not None else None
        parts = halves(generator) if generator is not None else None
        if parts is None:
            return None
        held = self.fresh(f"{generator.__name__}_parts")
        entered = self.placed(gast.Call(self.given(parts.enter), node.args, node.keywords), node)
        kept = [expression(f"{held}[{i + 1}]") for i in range(parts.kept)]
        leave = self.placed(gast.Call(self.given(parts.exit), kept, []), node)
        first = self.placed(expression(f"{held}[0]"), node)
        return Managed(held, entered, first, leave, None, parts.always)

    def _by_class(self, node: gast.expr, env: Env) -> Managed | None:
        value = self.value(node, env)
        cls = value.known.value if value.kind == "object" and value.known is not None else None
        enter, leave = (method_of(cls, w) if cls is not None else None for w in ("__enter__", "__exit__"))
        if enter is None or leave is None or not never_true(leave):
            return None
        held = self.fresh("manager")
        entered = self.placed(gast.Call(self.given(enter), [name(held)], []), node)
        nothing = [constant(None) for _ in range(3)]
        left = self.placed(gast.Call(self.given(leave), [name(held), *nothing], []), node)
        if ignores_exception(leave):
            return Managed(held, node, entered, left, None, True)
        error = self.fresh("error")
        text = f"leave({held}, type({error}), {error}, {error}.__traceback__)"
        return Managed(held, node, entered, left, (error, statements(text, leave=self.given(leave))), True)

    def do_Try(self, s: gast.Try, env: Env) -> None:
        for handler in s.handlers:
            if handler.type is not None:
                self.value(handler.type, env)
            if handler.name is not None:
                old, caught = env.get(handler.name.id), self._caught()
                env[handler.name.id] = caught if old is None else self.program.joined(old, caught)


    def do_Attempt(self, s: Attempt, env: Env) -> None:
        if s.catch is not None:
            self.value(s.catch, env)
        if s.name is not None:
            env[s.name.id] = self._caught()

    def do_Finally(self, s: Finally, env: Env) -> None:
        return

    def _caught(self) -> Value:
        """An exception that was caught; it may say an active value, or carry one."""
        return replace(OPAQUE, code="exception")

    def do_Match(self, s: gast.Match, env: Env) -> None:
        subject = self.value(s.subject, env)
        for case in s.cases:
            for bound in pattern_names(case.pattern):
                env[bound] = OPAQUE
            if case.guard is not None:
                self.value(case.guard, env)
        if self.varied(subject):
            self.refuse(
                s.subject,
                "match",
                "cannot match on an active value",
                "A pattern may take an active value apart.",
                "use if and elif, or attributes by name, `C(x=a)`",
            )

