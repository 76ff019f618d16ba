"""What is active becomes simple statements; inert code stays as it was written.

    y = helper(x) * (a if c else b)   →   helper_x = helper(x)
                                          if c: a_or_b = a
                                          else: a_or_b = b
                                          y = helper_x * a_or_b

Calls of user functions, conditional expressions, comprehensions, unpacking and loops over active
sequences are rewritten; operators and primitives with rules stay nested as they are.
"""

from typing import Any

import gast

from pullback.compiler.analysis.decided import outcome
from pullback.compiler.analysis.functions import closure_of
from pullback.compiler.analysis.liveness import head_assigns
from pullback.compiler.analysis.program import Program, Spec
from pullback.compiler.analysis.protocols import is_super
from pullback.compiler.analysis.values import SCALARS, Value
from pullback.compiler.ir.names import Names, described
from pullback.compiler.ir.nodes import Let
from pullback.compiler.ir.template import (
    assign,
    clone,
    constant,
    loaded,
    name,
)
from pullback.compiler.ir.walk import COMPREHENSIONS
from pullback.compiler.normalise.attempts import Attempts
from pullback.compiler.normalise.iteration import Iteration
from pullback.compiler.normalise.managed import ManagedBlocks
from pullback.compiler.normalise.mutation import Mutation
from pullback.compiler.normalise.results import Results
from pullback.compiler.normalise.targets import Targets, assign_to
from pullback.compiler.normalise.writes import WriteCalls


def flatten(program: Program, spec: Spec) -> list[gast.stmt]:
    """The body of a specialised function with every active statement simple."""
    return Flattener(program, spec).block(spec.body)


class Flattener(Targets, Results, WriteCalls, Mutation, Iteration, Attempts, ManagedBlocks):
    """Rewrites statements; `out` collects what has to run before the expression at hand."""

    def __init__(self, program: Program, spec: Spec) -> None:
        self.program = program
        self.spec = spec
        self.facts = spec.facts
        self.names: Names = spec.code.names
        self.assigning: set[str] = set()  # by the statement at hand

    # -- facts --------------------------------------------------------------------------------

    def type_of(self, node: gast.AST) -> Value:
        return self.facts.types.get(node, Value("opaque"))

    def active(self, node: gast.AST) -> bool:
        """Does the value at the node depend on an active input?"""
        return node in self.facts.types and self.program.is_varied(self.facts.types[node])

    def active_call(self, node: gast.AST) -> bool:
        """Is this a call of a user function that derivatives pass through?"""
        fact = self.facts.calls.get(node)
        if fact is None:
            return False
        return is_active(self.program, fact.callee)

    def meaning(self, node: Any) -> Any:
        """What stands for a node in simpler Python, where it is active."""
        meant = self.facts.meanings.get(node)
        if meant is None:
            return node
        if self.active(node) or self._is_super(node) or self._acts(meant):
            return self.meaning(meant)
        return node

    def _acts(self, meant: gast.AST) -> bool:
        """Do derivatives pass through calls inside, though the value is inert?"""
        inner = list(gast.walk(meant))
        return any(self.active_call(n) or self.changes_container(n) or self.meaning(n) is not n for n in inner)

    def _is_super(self, node: Any) -> bool:
        place = node.func if isinstance(node, gast.Call) else node
        return isinstance(place, gast.Attribute) and is_super(place.value)

    def _is_function(self, node: gast.AST) -> bool:
        """Is it a function that travels as an object?"""
        value = self.type_of(node)
        return value.known is not None and closure_of(value.known.value) is not None

    def must_move(self, node: gast.AST) -> bool:
        """Does the expression hold something that has to become a statement of its own?"""
        for inner in gast.walk(node):
            if isinstance(inner, gast.Call) and (self.active_call(inner) or self._mutating(inner)):
                return True
            if isinstance(inner, gast.NamedExpr) or self.meaning(inner) is not inner:
                return True
            if isinstance(inner, (gast.IfExp, gast.BoolOp, *COMPREHENSIONS)) and self.active(inner):
                return True
        return False

    def _mutating(self, node: gast.Call) -> bool:
        if self.writes(node):
            return True
        if self.changes_container(node) and self.type_of(node).kind == "none":
            return True
        return (
            isinstance(node.func, gast.Attribute)
            and node.func.attr in ("pop", "setdefault")
            and (self.type_of(node.func.value).kind in ("list", "dict") and self.active(node.func.value))
        )

    # -- statements ---------------------------------------------------------------------------

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        done: list[gast.stmt] = []
        for statement in body:
            out: list[gast.stmt] = []
            self.assigning = head_assigns(statement)
            method = getattr(self, f"_do_{type(statement).__name__}", None)
            last = method(statement, out) if method is not None else [statement]
            for new in [*out, *last]:
                for node in gast.walk(new):
                    if getattr(node, "lineno", None) is None and (node is new or isinstance(node, gast.expr)):
                        gast.copy_location(node, statement)
                if not hasattr(new, "origin"):
                    new.origin = getattr(statement, "origin", statement)
            done += [*out, *last]
        return done

    def _do_Assign(self, s: gast.Assign, out: list[gast.stmt]) -> list[gast.stmt]:
        if len(s.targets) > 1:
            return self._chained(s, out)
        target = s.targets[0]
        if isinstance(target, (gast.Tuple, gast.List)):
            return self._unpacked(target, s.value, out, s)
        if target in self.facts.meanings:
            return self._set_by_call(target, s.value, out)
        if self._writes_list_slice(target) and (self.active(target.value) or self.active(s.value)):
            return self._slice_written(target, s.value, out)
        target, value = self.filled(target, s.value, out)
        value = self.lowered(value, out, top=isinstance(target, gast.Name))
        if isinstance(target, gast.Name) and value is not s.value and isinstance(value, gast.Name) and value.id == target.id:
            return []  # v = np.exp(v, out=v)
        if not isinstance(target, gast.Name) and not self._simple_index(target):  # the value is evaluated before
            value = value if isinstance(value, gast.Constant) else self._named(value, out)
        if not isinstance(target, gast.Name) and not self.is_place(target.value):
            target = self._named_base(target, out)
        if not isinstance(target, gast.Name) and not self._simple_index(target):
            target = self._settled_target(target, out)
        if value is s.value and target is s.targets[0]:
            return [s]
        return [gast.copy_location(assign_to(target, value), s)]

    def _chained(self, s: gast.Assign, out: list[gast.stmt]) -> list[gast.stmt]:
        value = self.lowered(s.value, out)
        first = next((t for t in s.targets if isinstance(t, gast.Name)), None)
        if not isinstance(value, (gast.Name, gast.Constant)):
            held = first.id if first is not None else self.names.fresh(described(value))
            out.append(gast.copy_location(assign(held, value), s))
            value = name(held)
        done: list[gast.stmt] = []
        for target in s.targets:
            if isinstance(target, gast.Name) and isinstance(value, gast.Name) and target.id == value.id:
                continue
            done += self._do_Assign(gast.copy_location(gast.Assign([target], clone_typed(self, value), None), s), done)
        return done

    def _set_by_call(self, target: gast.expr, value: gast.expr, out: list[gast.stmt]) -> list[gast.stmt]:
        """obj.p = v → new = v; setter(obj, new)."""
        setter = self.facts.meanings[target]
        held = setter.args[-1].id
        out += self.block([gast.copy_location(assign(held, value), value)])
        return self.block([gast.copy_location(gast.Expr(setter), value)])

    def _do_AnnAssign(self, s: gast.AnnAssign, out: list[gast.stmt]) -> list[gast.stmt]:
        if s.value is None:
            return []
        return self._do_Assign(gast.copy_location(gast.Assign([s.target], s.value, None), s), out)

    def _do_AugAssign(self, s: gast.AugAssign, out: list[gast.stmt]) -> list[gast.stmt]:
        if s in self.facts.meanings:
            return self._do_Assign(gast.copy_location(assign_to(s.target, self.facts.meanings[s]), s), out)
        if self.type_of(s.target).kind in ("list", "dict") and (self.active(s.target) or self.active(s.value)):
            return self._container_augmented(s, out)
        s.target = self.whole_of(s.target)
        if self.type_of(s.target).kind in ("array", "number"):
            s.value = self.as_array(s.value)
        if not isinstance(s.target, gast.Name) and self.must_move(s.value):
            return self._read_first(s, out)
        value = self.lowered(s.value, out)
        target = s.target
        if not isinstance(target, gast.Name) and not self.is_place(target.value):
            target = self._named_base(target, out)
        if not self._simple_index(target):
            target = self._settled_target(target, out)
        if isinstance(target, gast.Name) and self.facts.rebinds.get(s):
            new = assign(target.id, gast.BinOp(name(target.id), s.op, value))
            new.augmented = True
            return [gast.copy_location(new, s)]
        if value is not s.value or target is not s.target:
            s = gast.copy_location(gast.AugAssign(target, s.op, value), s)
        s.in_place = True  # and not to be judged again by types that are better known
        return [s]

    def _read_first(self, s: gast.AugAssign, out: list[gast.stmt]) -> list[gast.stmt]:
        """a[i] += f(a) → old = a[i]; f_a = f(a); a[i] = old + f_a: Python reads a[i] before it calls f."""
        target = self._named_base(s.target, out) if not self.is_place(s.target.value) else s.target
        if not self._simple_index(target):
            target = self._settled_target(target, out)
        held = self.names.fresh(f"old_{described(target)}")
        out.append(gast.copy_location(assign(held, loaded(target)), s))
        value = self.lowered(s.value, out)
        if self.type_of(s.target.value).numeric or self.type_of(s.target).kind in SCALARS:
            return [gast.copy_location(assign_to(target, gast.BinOp(name(held), s.op, value)), s)]
        inside = gast.AugAssign(name(held, store=True), s.op, value)  # an array in a container is written in place
        return [gast.copy_location(new, s) for new in (inside, assign_to(target, name(held)))]

    def _do_Expr(self, s: gast.Expr, out: list[gast.stmt]) -> list[gast.stmt]:
        node = s.value
        if isinstance(node, gast.Call):
            if self.writes(node):
                self.written(node, out)
                return []
            if self.changes_container(node):
                changed = self._container_statement(node, out)
                if changed is not None:
                    return changed
            if self.active_call(node) or self.changes_container(node):
                new = self._with_arguments(node, out)
                return [s if new is node else gast.copy_location(gast.Expr(new), s)]
        if not self.must_move(node):
            return [s]
        value = self.lowered(node, out)
        return [] if isinstance(value, (gast.Name, gast.Constant)) else [gast.copy_location(gast.Expr(value), s)]

    def _do_Return(self, s: gast.Return, out: list[gast.stmt]) -> list[gast.stmt]:
        if s.value is None or not self.active(s.value) and not self.must_move(s.value):
            return [s]
        if isinstance(s.value, gast.Tuple):
            elements = [self.lowered(e, out) for e in s.value.elts]
            return [gast.copy_location(gast.Return(gast.Tuple(elements, gast.Load())), s)]
        value = self.lowered(s.value, out)
        return [s if value is s.value else gast.copy_location(gast.Return(value), s)]

    def _do_If(self, s: gast.If, out: list[gast.stmt]) -> list[gast.stmt]:
        taken = self.facts.decided.get(s)
        if taken is not None:
            tested = [] if is_plain_test(s.test) else self._do_Expr(gast.copy_location(gast.Expr(s.test), s), out)
            return [*tested, *self.block(s.body if taken else s.orelse)]
        s.test = self._undecided(s.test)
        s.test = self.lowered_test(s.test, out)
        s.body, s.orelse = self.block(s.body), self.block(s.orelse)
        return [s]

    def _undecided(self, test: gast.expr) -> gast.expr:
        """`and` without what always holds."""
        if not isinstance(test, gast.BoolOp) or not isinstance(test.op, gast.And):
            return test
        open_ = [v for v in test.values if outcome(v, self.facts) is None or not is_plain_test(v)]
        return gast.copy_location(gast.BoolOp(test.op, open_), test) if len(open_) > 1 else open_[0]

    def lowered_test(self, test: gast.expr, out: list[gast.stmt]) -> gast.expr:
        """A condition: only what must become a statement leaves it."""
        if not self.must_move(test):
            return test
        if isinstance(test, gast.BoolOp) and any(self.must_move(v) for v in test.values[1:]):
            return self._short_circuit(test, out, self.names.fresh("condition"))
        if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
            return gast.UnaryOp(gast.Not(), self.lowered_test(test.operand, out))
        return self.lowered(test, out)

    def _do_While(self, s: gast.While, out: list[gast.stmt]) -> list[gast.stmt]:
        if self.must_move(s.test):
            inner: list[gast.stmt] = []
            test = self.lowered_test(s.test, inner)
            for new in inner:
                gast.copy_location(new, s)
            leave = gast.If(test, s.body, [gast.Break()])
            body = [*inner, leave]
            s.test = constant(True)
            leave.body = self.block(s.body)
            s.body = body
            return [s]
        s.body = self.block(s.body)
        return [s]

    # -- expressions --------------------------------------------------------------------------

    def lowered(self, node: gast.expr, out: list[gast.stmt], top: bool = False) -> gast.expr:
        """The expression without what must be a statement; `top`: it is the value of an assignment to a name."""
        node = self.meaning(node)
        if isinstance(node, Let):
            for binding in node.bindings:
                if isinstance(binding, gast.stmt):
                    out += self.block([binding])
                else:
                    self.lowered(binding, out)
            return self.lowered(node.value, out, top)
        if not self.must_move(node) and not self._needs_name(node):
            return node
        if self.of_flat(node):
            return self.lowered(self.without_flat(node), out, top)
        if isinstance(node, gast.NamedExpr):
            out.append(assign(node.target.id, self.lowered(node.value, out, top=True)))
            return name(node.target.id)
        if isinstance(node, gast.Call) and self.writes(node):
            return self.written(node, out)
        if self.changes_container(node) and self.type_of(node).kind == "none":
            out += self.block([gast.copy_location(gast.Expr(node), node)])
            return constant(None)
        if isinstance(node, gast.Call) and (self.active_call(node) or self._mutating(node)):
            return self._hoisted(self._with_arguments(node, out), node, out, top)
        if isinstance(node, gast.Call) and self.folds(node):
            return self.folded(node, out)
        if isinstance(node, (gast.Subscript, gast.Attribute)) and self.several_results(node.value):
            return self._one_result(node, out)
        if self.several_results(node):
            return self._results(node, out)
        if isinstance(node, gast.IfExp) and (self.active(node) or self.must_move(node)):
            return self._conditional(node, out)
        if isinstance(node, gast.BoolOp) and (self.active(node) or self.must_move(node)):
            return self._short_circuit(node, out, self.names.fresh("either"))
        if isinstance(node, gast.Compare) and any(self.must_move(c) for c in node.comparators[1:]):
            return self._chain(node, out)
        if isinstance(node, COMPREHENSIONS) and (self.active(node) or self.must_move(node)):
            return self.comprehended(node, out)
        return self._with_operands(node, out)

    def _needs_name(self, node: gast.AST) -> bool:
        """Is there an active display, or an indexed expression, that needs a name of its own?"""
        for inner in gast.walk(node):
            if isinstance(inner, gast.Call) and (self.folds(inner) or self.several_results(inner)):
                return True
            if isinstance(inner, gast.Starred) and self.active(inner.value) or self.of_flat(inner):
                return True
            if isinstance(inner, gast.Subscript) and self.active(inner) and not self.is_place(inner.value):
                return True
            if isinstance(inner, gast.Attribute) and self._is_field(inner) and not self.is_place(inner.value):
                return True
            if isinstance(inner, (gast.List, gast.Tuple, gast.Dict)) and inner is not node and self.active(inner):
                return True
        return False

    def _is_field(self, node: gast.Attribute) -> bool:
        """Is this an active field of an object or a named tuple?"""
        return self.active(node) and self.type_of(node.value).kind in ("object", "tuple")

    def _hoisted(self, node: gast.expr, old: gast.expr, out: list[gast.stmt], top: bool) -> gast.expr:
        if top:
            return node
        held = self.names.fresh(described(old))
        out.append(gast.copy_location(assign(held, node), old))
        return name(held)

    def _with_arguments(self, node: gast.Call, out: list[gast.stmt]) -> gast.Call:
        """The call with simple arguments; a nested function keeps what it was known as."""
        held: list[gast.expr] = []
        for i, argument in enumerate(node.args):
            rest = [*node.args[i + 1 :], *(k.value for k in node.keywords)]
            held.append(self._operand(argument, rest, out))
        keywords = [gast.keyword(k.arg, self._operand(k.value, [], out)) for k in node.keywords]
        function = node.func
        if self._is_function(function) and not isinstance(function, gast.Name):
            function = self._named(self.lowered(function, out), out)
        if isinstance(function, gast.Attribute) and self.must_move(function.value):
            function = gast.Attribute(self.lowered(function.value, out), function.attr, gast.Load())
        if self.changes_container(node) and not self.is_place(function.value):
            function = gast.Attribute(self._named(function.value, out), function.attr, gast.Load())
        if self.changes_container(node):
            self._settle_position(node, held, out)
        return gast.copy_location(gast.Call(function, held, keywords), node)

    def _operand(self, node: gast.expr, later: list[gast.expr], out: list[gast.stmt]) -> gast.expr:
        if isinstance(node, gast.Starred):
            inner = self._named(node.value, out) if self.active(node.value) else node.value
            return gast.Starred(inner, gast.Load())
        lowered = self.lowered(node, out)
        if isinstance(lowered, (gast.List, gast.Dict)) and self.active(node):
            lowered = self._named(lowered, out)
        return self._kept(lowered, later, out)

    def _kept(self, lowered: gast.expr, later: list[Any], out: list[gast.stmt]) -> gast.expr:
        """An operand as it is now: what is evaluated after it may become statements that change it."""
        if isinstance(lowered, (gast.Constant, gast.Lambda, gast.Slice)):
            return lowered
        if isinstance(lowered, gast.Name):
            if lowered.id not in self._rebound_by(later):
                return lowered
            held = self.names.fresh(f"old_{lowered.id}")
            out.append(assign(held, lowered))
            return name(held)
        return self._named(lowered, out) if any(self.must_move(other) for other in later) else lowered

    def _rebound_by(self, later: list[Any]) -> set[str]:
        """Variables that evaluating the expressions assigns: by a walrus, or by a function that rebinds them."""
        found: set[str] = set()
        for node in (n for other in later for n in gast.walk(other)):
            if isinstance(node, gast.NamedExpr):
                found.add(node.target.id)
            elif node in self.facts.calls:
                found |= set(self.facts.calls[node].callee.code.nonlocals)
        return found

    def _named(self, node: gast.expr, out: list[gast.stmt]) -> gast.Name:
        if isinstance(node, gast.Name):
            return node
        held = self.names.fresh(
            described(node) if not isinstance(node, (gast.List, gast.Tuple, gast.Dict)) else "items"
        )
        out.append(assign(held, self.lowered(node, out, top=True)))
        return name(held)

    def _spread(self, elements: list[gast.expr]) -> list[gast.expr]:
        """[a, *pair] → [a, pair[0], pair[1]], where the length is known."""
        done: list[gast.expr] = []
        for element in elements:
            items = self.known_results(element.value) if isinstance(element, gast.Starred) else None
            if (
                items is None
                or not isinstance(element, gast.Starred)
                or not isinstance(element.value, gast.Name)
                or not (self.active(element.value))
            ):
                done.append(element)
                continue
            for i, item in enumerate(items):
                part = gast.Subscript(name(element.value.id), constant(i), gast.Load())
                self.facts.types[part] = item
                self.facts.types[part.value] = self.type_of(element.value)
                done.append(part)
        return done

    def _with_operands(self, node: gast.expr, out: list[gast.stmt]) -> gast.expr:
        """A copy of an ordinary expression with lowered operands, evaluated in Python's order."""
        kind: Any = type(node)
        new: Any = kind.__new__(kind)
        new.__dict__.update(node.__dict__)
        if node in self.facts.types:
            self.facts.types[new] = self.facts.types[node]
        for field in ("args", "elts"):
            if any(isinstance(e, gast.Starred) for e in getattr(node, field, None) or []):
                setattr(node, field, self._spread(getattr(node, field)))
                setattr(new, field, getattr(node, field))
        children = [(f, v) for f, v in gast.iter_fields(node) if isinstance(v, (gast.expr, list))]
        flat = [
            v
            for _, value in children
            for v in (value if isinstance(value, list) else [value])
            if isinstance(v, (gast.expr, gast.keyword))
        ]
        if isinstance(node, gast.Call) and node in self.facts.resolved:
            self.facts.resolved[new] = self.facts.resolved[node]
        for field, value in children:
            if isinstance(value, list):
                setattr(new, field, [self._child(node, v, flat, out) for v in value])
            else:
                setattr(new, field, self._child(node, value, flat, out))
        return new

    def _child(self, parent: gast.expr, child: Any, flat: list[Any], out: list[gast.stmt]) -> Any:
        if isinstance(child, gast.keyword):
            return gast.keyword(child.arg, self._child(parent, child.value, [], out))
        if not isinstance(child, gast.expr):
            return child
        later = flat[flat.index(child) + 1 :] if child in flat else []
        if isinstance(parent, gast.Call) and child is parent.func and isinstance(child, gast.Attribute):
            return self._callee(child, later, out)
        lowered = self.lowered(child, out)
        indexed = isinstance(parent, gast.Subscript) or isinstance(parent, gast.Attribute) and self._is_field(parent)
        if indexed and child is parent.value and self.active(child) and not self.is_place(lowered):
            return self._named(lowered, out)
        display = isinstance(lowered, (gast.List, gast.Tuple, gast.Dict)) and self.active(child)
        if display and not isinstance(parent, (gast.Call, gast.List, gast.Tuple, gast.Starred)):
            return self._named(lowered, out)
        return self._kept(lowered, later, out)

    def _callee(self, node: gast.Attribute, later: list[Any], out: list[gast.stmt]) -> gast.expr:
        """x.dot of x.dot(f(x)): the object as it is now; np.sum stays np.sum."""
        if self.type_of(node).kind == "known":
            return node
        base = self._kept(self.lowered(node.value, out), later, out)
        new = gast.Attribute(base, node.attr, gast.Load())
        for inner, old in ((new, node), (base, node.value)):
            if old in self.facts.types:
                self.facts.types[inner] = self.facts.types[old]
        return new

    def _conditional(self, node: gast.IfExp, out: list[gast.stmt]) -> gast.expr:
        held = self.names.fresh("chosen")
        test = self.lowered_test(node.test, out)
        arms = []
        for arm in (node.body, node.orelse):
            inner: list[gast.stmt] = []
            value = self.lowered(arm, inner)
            arms.append([*inner, assign(held, value)])
        branch = gast.copy_location(gast.If(test, *arms), node)
        for arm_statements in arms:
            for statement in arm_statements:
                gast.copy_location(statement, node)
        out.append(branch)
        return name(held)

    def _chain(self, node: gast.Compare, out: list[gast.stmt]) -> gast.expr:
        """a < b < f() → held = a < b; if held: held = b < f()."""
        held = self.names.fresh("condition")
        left: gast.expr = self._named(node.left, out)
        block = out
        for i, (op, comparator) in enumerate(zip(node.ops, node.comparators)):
            inner = block if i == 0 else []
            right = self._named(comparator, inner)
            inner.append(assign(held, gast.Compare(clone(left), [op], [right])))
            if i > 0:
                for statement in inner:
                    gast.copy_location(statement, node)
                block.append(gast.copy_location(gast.If(name(held), inner, []), node))
            left, block = right, inner
        return name(held)

    def _short_circuit(self, node: gast.BoolOp, out: list[gast.stmt], held: str) -> gast.expr:
        """a and b → held = a; if held: held = b."""
        out.append(assign(held, self.lowered(node.values[0], out)))
        block = out
        for value in node.values[1:]:
            test: gast.expr = name(held)
            if isinstance(node.op, gast.Or):
                test = gast.UnaryOp(gast.Not(), test)
            inner: list[gast.stmt] = []
            inner.append(assign(held, self.lowered(value, inner)))
            for statement in inner:
                gast.copy_location(statement, node)
            block.append(gast.copy_location(gast.If(test, inner, []), node))
            block = inner
        return name(held)


def is_plain_test(test: gast.expr) -> bool:
    """Has evaluating it no effect, given that its outcome is known?"""
    calls = [n for n in gast.walk(test) if isinstance(n, (gast.Call, gast.NamedExpr))]
    asked = ("len", "isinstance", "is_sequence", "is_mapping", "hasattr")
    return all(isinstance(c, gast.Call) and isinstance(c.func, gast.Name) and c.func.id in asked for c in calls)


def is_active(program: Program, spec: Spec) -> bool:
    """Do derivatives pass through a specialised function: into it, out of it or through its captures?"""
    flows_in = any(program.is_varied(v) for v in spec.parameters.values())
    result = spec.result is not None and program.is_varied(spec.result)
    return flows_in or result


def clone_typed(flattener: Flattener, node: gast.expr) -> gast.expr:
    """A copy that keeps the original's facts."""
    new = clone(node)
    for a, b in zip(gast.walk(node), gast.walk(new)):
        if a in flattener.facts.types:
            flattener.facts.types[b] = flattener.facts.types[a]
    return new
