"""Values that adjoints read, and tests and ranges that change under a loop or branch, get names of their own.

return np.dot(np.sin(x), x ** 2)   →   sin_x = np.sin(x)
                                       pow_x = x ** 2
                                       return np.dot(sin_x, pow_x)
"""

import functools
from collections.abc import Callable
from typing import Any

import gast

from pullback.compiler.adjoint.bars import Bar
from pullback.compiler.adjoint.planner import Planner, is_swap
from pullback.compiler.analysis.effects import acts, acts_behind, repeatable
from pullback.compiler.analysis.liveness import head_assigns
from pullback.compiler.analysis.program import Program, Spec
from pullback.compiler.analysis.shadows import Shadows
from pullback.compiler.analysis.values import CONTAINERS, FLAT, ONCE, SCALARS, placed_beside
from pullback.compiler.ir.names import described
from pullback.compiler.ir.nodes import Attempt, Finally
from pullback.compiler.ir.template import assign, call, name
from pullback.compiler.ir.walk import (
    COMPREHENSIONS,
    PERHAPS_EVALUATED,
    blocks,
    every_node,
    names_in,
    own_nodes,
    reads,
)

LASTING = (*SCALARS, "none", "known", "tuple")  # what keeps its truth


def expose(program: Program, spec: Spec, shadows: Shadows, guards: str, labels: dict[Spec, str]) -> list[gast.stmt]:
    """The body with a name for every value that its adjoint will read."""
    return _Expose(program, spec, shadows, guards, labels).function()


class _Expose:
    def __init__(self, program: Program, spec: Spec, shadows: Shadows, guards: str, labels: dict[Spec, str]) -> None:
        self.program = program
        self.spec = spec
        self.held: list[gast.expr] = []
        self.planner = Planner(program, spec, shadows, guards, labels, self.held.append)
        self.names = spec.code.names

    def function(self) -> list[gast.stmt]:
        """The body, before it the numbers given for parameters that are arrays on other paths: p = p, which has a shadow."""
        given = [p for p, v in self.spec.parameters.items() if p in self.planner.shadowed and v.numeric and not v.sites]
        first = [gast.copy_location(assign(p, name(p)), self.spec.body[0]) for p in sorted(given)]
        return [*first, *self.block(self.spec.body)]

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        done: list[gast.stmt] = []
        for s in body:
            done += self.statement(s)
        return done

    def statement(self, s: gast.stmt) -> list[gast.stmt]:
        if self._is_uneven_swap(s):
            return self._one_by_one(s)
        if isinstance(s, gast.If):
            return self._if(s)
        if isinstance(s, gast.For):
            return self._for(s)
        if isinstance(s, (gast.While, gast.With)):
            s.body = self.block(s.body)
            if isinstance(s, Finally):
                s.orelse = self.block(s.orelse)
            return [s]
        self.held.clear()
        received = self._received(s)
        if isinstance(s, gast.Return):
            self._return(s)
        else:
            self.planner.statement = s
            self.planner.step(s)
        return [*self._with_names(s, list(self.held)), *received]

    def _received(self, s: Any) -> list[gast.stmt]:
        """s = f(x) → given = f(x); s = given, where s is a number now and on another path an array: it has a shadow."""
        if not isinstance(s, (gast.Assign, gast.For)) or self.planner.plain_value(s) or is_swap(s):
            return []
        target = s.target if isinstance(s, gast.For) else s.targets[0]
        stored = [n for n in every_node(target) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)]
        return [self._given(s, n) for n in stored if self.planner.needs_statement(s, n.id)]

    def _given(self, s: gast.stmt, node: gast.Name) -> gast.stmt:
        """The target becomes a new name; returns the assignment of that to the old one."""
        variable, node.id = node.id, self.names.fresh("given")
        after = self.spec.facts.after[s]
        after[node.id] = self.spec.facts.types[node] = placed_beside(self.planner.type_of(node), None)
        return gast.copy_location(assign(variable, name(node.id)), s)

    def _is_uneven_swap(self, s: Any) -> bool:
        """a, b = b, a of which one has a shadow, perhaps because of its other paths, and the other none."""
        if not is_swap(s):
            return False
        values = [self.planner.after(s, t.id) for t in s.targets[0].elts] + [self.planner.type_of(v) for v in s.value.elts]
        return len({self.planner.shadows.has(v) for v in values}) > 1

    def _one_by_one(self, s: Any) -> list[gast.stmt]:
        """a, b = b, a → given = b; given_2 = a; a = given; b = given_2."""
        given = [self.names.fresh("given") for _ in s.value.elts]
        first = [assign(g, v) for g, v in zip(given, s.value.elts)]
        then = [gast.Assign([t], name(g), None) for g, t in zip(given, s.targets[0].elts)]
        return [gast.copy_location(new, s) for new in (*first, *then)]

    def _return(self, s: gast.Return) -> None:
        values = s.value.elts if isinstance(s.value, gast.Tuple) else [s.value] if s.value is not None else []
        self.planner.statement = s
        for value in values:
            kind = self.planner.type_of(value)
            if self.planner.shadows.has(kind):
                own = kind.kind in CONTAINERS or self.planner.views.mirrored(value) is None or self.planner.views.may_copy(value)
                if self.planner.containers.is_display(value):
                    self.planner.containers.display_shadow(value)  # what it holds gets names
                if not isinstance(value, gast.Name) and own:
                    self.held.append(value)
            elif self.planner.varied(value):
                self.planner.expressions.adjoint(value, Bar(name("out_bar")))

    def _with_names(self, s: gast.stmt, held: list[gast.expr]) -> list[gast.stmt]:
        """Assignments for the held subexpressions, in the order they are evaluated, then the statement."""
        whole = (
            getattr(s, "value", None) if isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Name) else None
        )
        own = whole is not None and s.targets[0].id in reads(whole)  # the result replaces what it was made of
        wanted = [n for n in held if n is not whole or own]
        if not wanted:
            return [s]
        wanted += [n for n in self._acting(s) if n is not whole]
        done: list[gast.stmt] = []
        once = functools.partial(repeatable, self.program, self.spec.facts)
        replacer = _Replacer({id(n) for n in wanted}, self.names, done, once)
        fields = list(gast.iter_fields(s))
        for field, value in fields[::-1] if isinstance(s, gast.Assign) else fields:  # Python's order
            if field == "targets" or field == "target":
                replacer.targets(value)
            elif isinstance(value, gast.expr):
                setattr(s, field, replacer.visit(value))
        for new in done:
            gast.copy_location(new, s)
            new.origin = getattr(s, "origin", s)
        return [*done, s]

    def _acting(self, s: gast.stmt) -> list[gast.expr]:
        """The inert calls in a statement that do something or may give another value the next time."""
        found: list[gast.expr] = []
        waiting: list[gast.AST] = [s]
        while waiting:
            node = waiting.pop()
            if isinstance(node, (gast.Lambda, *PERHAPS_EVALUATED)):
                continue
            if isinstance(node, gast.Call) and node is not getattr(s, "value", None) and acts(self.spec.facts, node):
                found.append(node)
            waiting += gast.iter_child_nodes(node)
        return found

    # -- tests and ranges -----------------------------------------------------------------------

    def _if(self, s: gast.If) -> list[gast.stmt]:
        changed = self._changed([*s.body, *s.orelse])
        memory = self._memory([*s.body, *s.orelse])
        s.body, s.orelse = self.block(s.body), self.block(s.orelse)
        if isinstance(s, Attempt):
            return [s]
        if isinstance(s.test, gast.Constant) or self._again(s.test, changed, memory):
            return [s]
        held = self.names.fresh(self._test_name(s.test))
        first = gast.copy_location(assign(held, self._outcome(s.test)), s)
        s.test = name(held)
        return [first, s]

    def _outcome(self, test: gast.expr) -> gast.expr:
        """What is kept of a test: of a list or dict, which may change, whether it is empty now."""
        lasting = isinstance(test, (gast.Compare, gast.UnaryOp)) or self.planner.type_of(test).kind in LASTING
        return test if lasting else call("bool", test)

    def _test_name(self, test: gast.expr) -> str:
        if isinstance(test, gast.Compare) and isinstance(test.left, gast.Name):
            words = {
                gast.Gt: "above",
                gast.GtE: "above",
                gast.Lt: "below",
                gast.LtE: "below",
                gast.Eq: "equal",
            }
            word = words.get(type(test.ops[0]), "differs")
            return f"{test.left.id}_{word}"
        return "taken"

    def _again(self, test: gast.expr, changed: set[str], memory: set[str]) -> bool:
        """Can the test be taken again in the reverse sweep, with the same outcome and little work?"""
        if reads(test) & changed:
            return False
        if isinstance(test, gast.Name) and self.planner.type_of(test).kind in LASTING:
            return True
        for node in every_node(test):
            if isinstance(node, gast.NamedExpr) or acts_behind(self.spec.facts, node):
                return False
            if isinstance(node, gast.Call) and not self.planner.expressions.cheap_call(node):
                thing = self.spec.facts.resolved.get(node)
                if thing not in (abs, isinstance, callable, bool):
                    return False
            value = self.planner.type_of(node)
            if self.program.roots_inside(value) & memory:
                return False
            if (
                isinstance(node, gast.Name)
                and value.kind in ("opaque", "object", "known")
                and any(isinstance(n, gast.Call) for n in every_node(test))
            ):
                continue
        return True

    def _changed(self, body: list[gast.stmt]) -> set[str]:
        found: set[str] = set()
        for s in body:
            found |= head_assigns(s)
            calls = [self.spec.facts.calls[n] for n in own_nodes(s) if n in self.spec.facts.calls]
            found = found.union(*(c.callee.code.nonlocals for c in calls))
            for block in blocks(s):
                found |= self._changed(block)
        return found

    def _memory(self, body: list[gast.stmt], length: bool = False) -> set[str]:
        """The memory that the statements write; with `length`, only that whose length may change."""
        found: set[str] = set()
        for s in body:
            written: set[str] | frozenset[str] = self.spec.facts.writes.get(s, frozenset())
            if length:
                written = frozenset(w for w in written if self._resizable(w) and not self._writes_one_item(s))
            found |= {self.program.root(site) for site in written}
            for block in blocks(s):
                found |= self._memory(block, length)
        return found

    def _resizable(self, site: str) -> bool:
        cell = self.program.heap.get(site)
        return cell is None or cell.kind != "array" and cell.items is None

    def _writes_one_item(self, s: gast.stmt) -> bool:
        """xs[i] = v, with nothing on the right that may change a list."""
        target = s.targets[0] if isinstance(s, gast.Assign) else getattr(s, "target", None)
        if not isinstance(target, gast.Subscript) or self.planner.type_of(target.value).kind not in ("list", "array"):
            return False
        called = (n for n in every_node(s) if isinstance(n, gast.Call))
        return all(n in self.spec.facts.resolved and n not in self.spec.facts.calls for n in called)

    def _for(self, s: gast.For) -> list[gast.stmt]:
        changed = self._changed(s.body)
        memory = self._memory(s.body, length=_only_length(s.iter))
        s.body = self.block(s.body)
        before: list[gast.stmt] = []
        written = any(self.program.roots_inside(self.planner.type_of(n)) & memory for n in every_node(s.iter))
        if written and not _only_length(s.iter) or self._flows(s.iter):
            before.append(self._taken_down(s))
        elif written or reads(s.iter) & changed or not self._steady(s.iter):
            value: Any = s.iter
            if not (isinstance(value, gast.Call) and isinstance(value.func, gast.Name) and value.func.id == "range"):
                known = self.planner.type_of(value)
                if known.kind not in ("array", "tuple") or known.code == FLAT:
                    value = gast.Call(name("list"), [value], [])
            held = self.names.fresh("steps")
            before.append(gast.copy_location(assign(held, value), s))
            s.iter = name(held)
        targets = names_in(s.target)
        if targets & changed:
            fresh = {t: self.names.fresh(f"each_{t}") for t in sorted(targets & changed)}
            s.body = [*(gast.copy_location(assign(t, name(f)), s) for t, f in fresh.items()), *s.body]
            for node in every_node(s.target):
                if isinstance(node, gast.Name) and node.id in fresh:
                    node.id = fresh[node.id]
        s.body = [*self._received(s), *s.body]
        return [*before, s]

    def _taken_down(self, s: gast.For) -> gast.stmt:
        """steps = [], to which the loop appends what it runs over: an iterator, or something that changes meanwhile."""
        held = self.names.fresh("steps")
        s.taken = name(held)  # type: ignore[attr-defined]
        return gast.copy_location(assign(held, gast.List([], gast.Load())), s)

    def _flows(self, node: gast.expr) -> bool:
        """Does going through this take items from something that others may move on, or that makes them?"""
        if node in self.spec.facts.meanings:  # an inert object's own `__iter__`
            return True
        if isinstance(node, gast.Call) and self.spec.facts.resolved.get(node) in VIEWERS:
            return any(self._flows(a) for a in node.args)
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr in ("items", "keys", "values"):
            return self._flows(node.func.value)
        if isinstance(node, (gast.Constant, gast.Starred, gast.JoinedStr, gast.List, gast.Tuple, gast.Dict, gast.Set, *COMPREHENSIONS)):
            return False
        value = self.planner.type_of(node)
        if value.code == ONCE:
            return not self.planner.varied(node)
        return value.kind in ("opaque", "object", "known") and value.code not in ("str", "text", "slice", "range")

    def _steady(self, node: gast.expr) -> bool:
        """Is it as good to iterate over this again, backwards?"""
        if isinstance(node, gast.Name):
            return self.planner.type_of(node).kind in ("array", "tuple", "list")
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id == "range":
            return all(self.planner.expressions.cheap(a) for a in node.args)
        return isinstance(node, (gast.Tuple, gast.List)) and all(
            isinstance(e, (gast.Constant, gast.Name)) for e in node.elts
        )


VIEWERS = (range, zip, enumerate, reversed, sorted, list, tuple, set, dict, len, map, filter)


def _only_length(node: gast.expr) -> bool:
    inner = [n for n in every_node(node) if isinstance(n, gast.Call)]
    return bool(inner) and all(isinstance(n.func, gast.Name) and n.func.id in ("range", "len", "min") for n in inner)


class _Replacer(gast.NodeTransformer):
    """Takes held subexpressions out, inner ones first."""

    def __init__(self, wanted: set[int], names: Any, done: list[gast.stmt], repeatable: Callable[[gast.expr], bool]) -> None:
        self.wanted = wanted
        self.names = names
        self.done = done
        self.repeatable = repeatable
        self.known: dict[str, str] = {}

    def targets(self, value: Any) -> None:
        for target in value if isinstance(value, list) else [value]:
            if isinstance(target, gast.Subscript):
                target.slice = self.visit(target.slice)

    def visit(self, node: Any) -> Any:
        wanted = id(node) in self.wanted
        if isinstance(node, (gast.Lambda, gast.FunctionDef)):
            return node
        shared = wanted and self.repeatable(node)
        node = self.generic_visit(node)
        if not wanted:
            return node
        text = gast.dump(node)
        if text in self.known and shared:
            return name(self.known[text])
        held = self.names.fresh(described(node))
        if shared:
            self.known[text] = held
        self.done.append(assign(held, node))
        return name(held)
