"""What is active becomes simple statements; inert code stays as it was written.

    y = helper(x) * (a if c else b)   →   helper_x = helper(x)
                                          if c: a_or_b = a
                                          else: a_or_b = b
                                          y = helper_x * a_or_b

Calls of user functions, conditional expressions, comprehensions, unpacking and loops over active
sequences are rewritten; operators and primitives with rules stay nested as they are.
"""

from collections.abc import Callable
from typing import Any

import gast

from pullback.compiler.analysis.decided import is_plain_test, outcome
from pullback.compiler.analysis.effects import acts
from pullback.compiler.analysis.liveness import head_assigns
from pullback.compiler.analysis.program import Program, Spec
from pullback.compiler.analysis.protocols import is_super
from pullback.compiler.analysis.values import StandIn
from pullback.compiler.ir.names import described
from pullback.compiler.ir.nodes import Let, stands_alike
from pullback.compiler.ir.template import assign, constant, expression, name
from pullback.compiler.ir.walk import COMPREHENSIONS, PERHAPS_EVALUATED, every_node
from pullback.compiler.normalise.assignments import Assignments
from pullback.compiler.normalise.attempts import Attempts
from pullback.compiler.normalise.choices import Choices
from pullback.compiler.normalise.context import Context
from pullback.compiler.normalise.iteration import Iteration
from pullback.compiler.normalise.managed import ManagedBlocks
from pullback.compiler.normalise.mutation import Mutation
from pullback.compiler.normalise.operands import Operands
from pullback.compiler.normalise.ordering import Ordering
from pullback.compiler.normalise.results import Results
from pullback.compiler.normalise.targets import Targets
from pullback.compiler.normalise.writes import WriteCalls

Statements = list[gast.stmt]
TAKING_ALL = (sum, min, max, any, all, list, tuple, set, frozenset, dict, sorted, enumerate, zip)


def flatten(program: Program, spec: Spec) -> list[gast.stmt]:
    """The body of a specialised function with every active statement simple."""
    return Flattener(program, spec).block(spec.body)


class Flattener(Context):
    """Rewrites statements; `out` collects what has to run before the expression at hand."""

    def __init__(self, program: Program, spec: Spec) -> None:
        super().__init__(program, spec)
        self.assigning: set[str] = set()  # by the statement at hand
        self.apart: set[gast.AST] = set()  # parts of it that are evaluated on their own
        self.taken_whole: set[gast.AST] = set()  # what nobody can tell from a list
        self.changing: frozenset[str] = frozenset()  # the memory that it changes
        self.ordering = Ordering(program, spec)
        self.assignments = Assignments(self)
        self.targets = Targets(self)
        self.operands = Operands(self)
        self.choices = Choices(self)
        self.results = Results(self)
        self.write_calls = WriteCalls(self)
        self.mutation = Mutation(self)
        self.iteration = Iteration(self)
        self.attempts = Attempts(self)
        self.managed = ManagedBlocks(self)
        self._rewritings: dict[type, Callable[[Any, Statements], Statements]] = {
            gast.Assign: self.assignments.do_Assign,
            gast.AnnAssign: self.assignments.do_AnnAssign,
            gast.AugAssign: self.assignments.do_AugAssign,
            gast.Delete: self.mutation.do_Delete,
            gast.Expr: self.do_Expr,
            gast.Assert: self.do_Assert,
            gast.Return: self.do_Return,
            gast.If: self.do_If,
            gast.For: self.iteration.do_For,
            gast.While: self.do_While,
            gast.Try: self.attempts.do_Try,
            gast.With: self.managed.do_With,
        }

    # -- what has to be a statement -----------------------------------------------------------

    def meaning(self, node: Any) -> Any:
        """What stands for a node in simpler Python, where it is active."""
        meant = self.facts.meanings.get(node)
        if meant is None:
            return node
        if self.active(node) or self._is_super(node) or self._of_stand_in(node) or self._acts(meant):
            return self.meaning(stands_alike(meant, node))
        return node

    def _of_stand_in(self, node: Any) -> bool:
        """Is this the `maxlen` of a deque that is a list here?"""
        base = node.value if isinstance(node, gast.Attribute) else None
        return base is not None and isinstance(self.type_of(base).code, StandIn) and self.active(base)

    def _acts(self, meant: gast.AST) -> bool:
        """Do derivatives pass through calls inside, though the value is inert?"""
        inner = list(every_node(meant))
        if any(isinstance(n, gast.stmt) for n in inner):
            return True
        return any(self.active_call(n) or self.mutation.changes_container(n) or self.meaning(n) is not n for n in inner)

    def _of_active(self, target: gast.expr) -> bool:
        """Is it an item or a field of something active?"""
        return isinstance(target, (gast.Subscript, gast.Attribute)) and self.active(target.value)

    def _is_super(self, node: Any) -> bool:
        place = node.func if isinstance(node, gast.Call) else node
        return isinstance(place, gast.Attribute) and is_super(place.value)

    def must_move(self, node: gast.AST) -> bool:
        """Does the expression hold something that has to become a statement of its own?"""
        for inner in every_node(node):
            if inner in self.apart:
                return True
            if isinstance(inner, gast.Call) and (self.active_call(inner) or self._mutating(inner)):
                return True
            if isinstance(inner, (gast.NamedExpr, Let)) or self.meaning(inner) is not inner or inner in self.facts.stepping:
                return True
            if isinstance(inner, PERHAPS_EVALUATED) and self.active(inner):
                return True
            if self._is_drawn(inner):
                return True
        return False

    def _is_drawn(self, node: gast.AST) -> bool:
        """x[rng.integers(n)]: an active part whose place is asked of something that may answer otherwise the next time."""
        if not isinstance(node, gast.Subscript) or not self.active(node):
            return False
        return any(isinstance(n, gast.Call) and acts(self.facts, n) for n in every_node(node.slice))

    def _mutating(self, node: gast.Call) -> bool:
        if self.write_calls.writes(node):
            return True
        if self.mutation.changes_container(node) and self.type_of(node).kind == "none":
            return True
        return (
            isinstance(node.func, gast.Attribute)
            and node.func.attr in ("pop", "setdefault")
            and (self.type_of(node.func.value).kind in ("list", "dict") and self.active(node.func.value))
        )

    # -- statements ---------------------------------------------------------------------------

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        done: list[gast.stmt] = []
        around, memory = self.apart, self.changing
        for statement in body:
            out: list[gast.stmt] = []
            self.assigning = head_assigns(statement)
            self.apart = self.ordering.marked(statement, memory)
            self.changing = memory | self.ordering.changed_by(statement)
            method = self._rewritings.get(type(statement))
            last = method(statement, out) if method is not None else [statement]
            for new in [*out, *last]:
                for node in every_node(new):
                    if getattr(node, "lineno", None) is None and (node is new or isinstance(node, gast.expr)):
                        gast.copy_location(node, statement)
                if not hasattr(new, "origin"):
                    new.origin = getattr(statement, "origin", statement)
            done += [*out, *last]
        self.apart, self.changing = around, memory
        return done

    def do_Expr(self, s: gast.Expr, out: list[gast.stmt]) -> list[gast.stmt]:
        node = self.meaning(s.value)
        if node is not s.value and isinstance(node, gast.Call):
            return self.do_Expr(gast.copy_location(gast.Expr(node), s), out)
        if isinstance(node, gast.Call):
            if self.write_calls.writes(node):
                self.write_calls.written(node, out)
                return []
            if self.mutation.changes_container(node):
                changed = self.mutation.statement(node, out)
                if changed is not None:
                    return changed
            if self.active_call(node) or self.mutation.changes_container(node):
                new = self.operands.with_arguments(node, out)
                return [s if new is node else gast.copy_location(gast.Expr(new), s)]
        if node is s.value and not self.must_move(node):
            return [s]
        value = self.lowered(node, out)
        return [] if isinstance(value, (gast.Name, gast.Constant)) else [gast.copy_location(gast.Expr(value), s)]

    def do_Return(self, s: gast.Return, out: list[gast.stmt]) -> list[gast.stmt]:
        if s.value is None or not self.active(s.value) and not self.must_move(s.value):
            return [s]
        if isinstance(s.value, gast.Tuple):
            given = s.value.elts
            elements = [self.operands.kept(self.lowered(e, out), given[i + 1 :], out) for i, e in enumerate(given)]
            return [gast.copy_location(gast.Return(gast.Tuple(elements, gast.Load())), s)]
        value = self.lowered(s.value, out)
        return [s if value is s.value else gast.copy_location(gast.Return(value), s)]

    def do_Assert(self, s: gast.Assert, out: list[gast.stmt]) -> list[gast.stmt]:
        if not __debug__:
            return []
        s.test = self.choices.lowered_test(s.test, out)
        return [s]

    def do_If(self, s: gast.If, out: list[gast.stmt]) -> list[gast.stmt]:
        taken = self.facts.decided.get(s)
        if taken is not None:
            tested = [] if is_plain_test(s.test) else self.do_Expr(gast.copy_location(gast.Expr(s.test), s), out)
            return [*tested, *self.block(s.body if taken else s.orelse)]
        s.test = self._undecided(s.test)
        if self.ordering.head_changes(s, s.test) and not self.must_move(s.test):
            s.test = self.choices.asked_once(s.test, s, out)
        s.test = self.choices.lowered_test(s.test, out)
        s.body, s.orelse = self.block(s.body), self.block(s.orelse)
        return [s]

    def _undecided(self, test: gast.expr) -> gast.expr:
        """`and` without what always holds."""
        if not isinstance(test, gast.BoolOp) or not isinstance(test.op, gast.And):
            return test
        open_ = [v for v in test.values if outcome(v, self.facts) is None or not is_plain_test(v)]
        return gast.copy_location(gast.BoolOp(test.op, open_), test) if len(open_) > 1 else open_[0]

    def do_While(self, s: gast.While, out: list[gast.stmt]) -> list[gast.stmt]:
        if self.must_move(s.test):
            inner: list[gast.stmt] = []
            test = self.choices.lowered_test(s.test, inner)
            for new in inner:
                gast.copy_location(new, s)
            leave = gast.If(test, s.body, [gast.Break()])
            body = [*inner, leave]
            s.test = constant(True)
            leave.body = self.block(s.body)
            s.body = body
            return [s]
        if self.ordering.head_changes(s, s.test):
            held = self.names.fresh("going")
            asked = gast.copy_location(assign(held, self.choices.truth(s.test)), s)
            leave = gast.If(name(held), self.block(s.body), [gast.Break()])
            s.test, s.body = constant(True), [asked, gast.copy_location(leave, s)]
            parts: list[Any] = [asked, leave, leave.orelse[0]]
            for part in parts:
                gast.copy_location(part, s)
                part.origin = getattr(s, "origin", s)
            return [s]
        s.body = self.block(s.body)
        return [s]

    # -- expressions --------------------------------------------------------------------------

    def lowered(self, node: gast.expr, out: list[gast.stmt], top: bool = False) -> gast.expr:
        """The expression without what must be a statement; `top`: it is the value of an assignment to a name."""
        node = self.meaning(node)
        if self.facts.decided.get(node) is not None:  # a conditional expression
            return self.lowered(node.body if self.facts.decided[node] else node.orelse, out, top)  # type: ignore[attr-defined]
        if isinstance(node, Let):
            for binding in node.bindings:
                if isinstance(binding, gast.stmt):
                    out += self.block([binding])
                else:
                    self.lowered(binding, out)
            return self.lowered(stands_alike(node.value, node), out, top)
        if isinstance(node, gast.Lambda) or not self.must_move(node) and not self._needs_name(node):
            return node
        if node in self.apart:
            self.apart = self.apart - {node}
            return self._hoisted(self.lowered(node, out, top=True), node, out, False)
        if self.write_calls.of_flat(node):
            return self.lowered(self.write_calls.without_flat(node), out, top)
        if isinstance(node, gast.NamedExpr):
            top = not self.binds_itself(node.value, node.target.id)
            out.append(assign(node.target.id, self.lowered(node.value, out, top)))
            return name(node.target.id)
        if isinstance(node, gast.Call) and self.write_calls.writes(node):
            return self.write_calls.written(node, out)
        if self.mutation.changes_container(node) and self.type_of(node).kind == "none":
            out += self.block([gast.copy_location(gast.Expr(node), node)])
            return constant(None)
        if isinstance(node, gast.Call) and (self.active_call(node) or self._mutating(node)):
            return self._hoisted(self.operands.with_arguments(node, out), node, out, top)
        if isinstance(node, gast.Call) and self.iteration.folds(node):
            return self.iteration.folded(node, out)
        if isinstance(node, (gast.Subscript, gast.Attribute)) and self.results.several_results(node.value):
            return self.results.one_result(node, out)
        if self.results.several_results(node):
            return self.results.named_results(node, out)
        if isinstance(node, gast.IfExp) and (self.active(node) or self.must_move(node)):
            return self.choices.conditional(node, out)
        if isinstance(node, gast.BoolOp) and (self.active(node) or self.must_move(node)):
            return self.choices.short_circuit(node, out, self.names.fresh("either"))
        if isinstance(node, gast.Compare) and any(self.must_move(c) for c in node.comparators[1:]):
            return self.choices.chain(node, out)
        if isinstance(node, COMPREHENSIONS) and (self.active(node) or self.must_move(node)):
            items = self.iteration.comprehended(node, out)
            once = isinstance(node, gast.GeneratorExp) and not self.active(node) and node not in self.taken_whole
            return expression("iter(items)", items=items) if once else items
        if isinstance(node, gast.Call) and self.facts.resolved.get(node) in TAKING_ALL:
            self.taken_whole |= set(node.args)
        new = self.operands.with_operands(node, out)
        if isinstance(new, gast.Subscript) and self._is_drawn(new):
            new.slice = self.targets.settled_index(new.slice, out)
        return new

    def _needs_name(self, node: gast.AST) -> bool:
        """Is there an active display, or an indexed expression, that needs a name of its own?"""
        for inner in every_node(node):
            if isinstance(inner, gast.Call) and (self.iteration.folds(inner) or self.results.several_results(inner)):
                return True
            if isinstance(inner, gast.Starred) and self.active(inner.value) or self.write_calls.of_flat(inner):
                return True
            if isinstance(inner, gast.Subscript) and self.active(inner) and not self.is_place(inner.value):
                return True
            if isinstance(inner, gast.Attribute) and self.is_field(inner) and not self.is_place(inner.value):
                return True
            if isinstance(inner, (gast.List, gast.Tuple, gast.Dict)) and inner is not node and self.active(inner):
                return True
            if isinstance(inner, gast.Dict) and any(
                k is None and self.active(v) and not self.is_place(v) for k, v in zip(inner.keys, inner.values)
            ):
                return True
        return False

    def _hoisted(self, node: gast.expr, old: gast.expr, out: list[gast.stmt], top: bool) -> gast.expr:
        if top:
            return node
        held = self.names.fresh(described(old))
        out.append(gast.copy_location(assign(held, node), old))
        return name(held)

    def named(self, node: gast.expr, out: list[gast.stmt]) -> gast.Name:
        if isinstance(node, gast.Name):
            return node
        held = self.names.fresh(
            described(node) if not isinstance(node, (gast.List, gast.Tuple, gast.Dict)) else "items"
        )
        out.append(assign(held, self.lowered(node, out, top=True)))
        return name(held)
