"""Turns the simple statements of a function into steps: forward part, shadows, contributions."""

from collections.abc import Callable
from typing import Any

import gast

from pullback.compiler.adjoint.bars import Bar, Contribution, Contributions
from pullback.compiler.adjoint.containers import ContainerSteps
from pullback.compiler.adjoint.expressions import Expressions, index_value, is_variable
from pullback.compiler.adjoint.steps import Save, Step, kept
from pullback.compiler.analysis.expressions import viewed_argument
from pullback.compiler.analysis.liveness import head_assigns
from pullback.compiler.analysis.program import CallFact, Program, Spec
from pullback.compiler.analysis.shadows import Shadows
from pullback.compiler.analysis.values import CONTAINERS, SCALARS, Value, covers
from pullback.compiler.ir.template import (
    assign,
    call,
    clone,
    constant,
    expression,
    loaded,
    name,
    stored,
)
from pullback.compiler.ir.walk import assigned, reads, root_of
from pullback.compiler.normalise.flatten import is_active
from pullback.compiler.rules.language import rule_of


class Planner(ContainerSteps):
    """Makes the Step of each statement of one specialised function."""

    def __init__(
        self,
        program: Program,
        spec: Spec,
        shadows: Shadows,
        guards: str,
        hold: Callable[[gast.expr], None] | None = None,
    ) -> None:
        self.program = program
        self.spec = spec
        self.shadows = shadows
        self.facts = spec.facts
        self.names = spec.code.names
        self.expressions = Expressions(program, spec, shadows, guards, hold)
        self.hold = hold
        self.nested_reads = nested_reads(spec.body)
        self.ever_shadowed = {
            variable: self.expressions.bar_of(variable, value)
            for env in spec.facts.after.values()
            for variable, value in env.items()
            if value.kind in CONTAINERS and value.kind != "function" and shadows.has(value)
        }

    def type_of(self, node: gast.AST) -> Value:
        return self.facts.types.get(node, Value("opaque"))

    def varied(self, node: gast.AST) -> bool:
        return node in self.facts.types and self.program.is_varied(self.facts.types[node])

    def refuse(self, node: gast.AST, problem: str, cause: str = "", advice: str = "") -> None:
        self.program.refuse(self.spec.code, node, "adjoint", problem, cause, advice)

    def shadow_of(self, s: gast.stmt, variable: str) -> str:
        """The name of the shadow that a variable has after a statement."""
        return self.expressions.bar_of(variable, self.after(s, variable))

    def after(self, statement: gast.stmt, variable: str) -> Value:
        return self.facts.after.get(statement, {}).get(variable, Value("opaque"))

    # -- dispatch -----------------------------------------------------------------------------

    def step(self, s: gast.stmt) -> Step:
        """The step of a simple statement."""
        self.expressions.meets_zero = self._meets_zero(s)
        step = self._step(s)
        self.note_shadows(step)
        return step

    def _meets_zero(self, s: gast.stmt) -> bool:
        """May the adjoint of what a statement assigns be zero because a path was not taken or memory overwritten?"""
        if isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Name):
            target = s.targets[0].id
            return s in self.nested_reads or target in self.nested_reads or self.shadows.has(self.after(s, target))
        return True

    def note_shadows(self, step: Step) -> None:
        """Which shadows the contributions are added into."""
        for c in step.contributions.found:
            root = root_of(getattr(c.place, "fact_of", c.place))
            if self.shadows.has(self.type_of(root)):
                step.shadow_reads.add(self.expressions.bar_place(root).id)  # type: ignore[attr-defined]

    def _step(self, s: gast.stmt) -> Step:
        if isinstance(s, gast.Assign) and len(s.targets) == 1:
            target = s.targets[0]
            if isinstance(target, gast.Name):
                return self._assignment(s, target)
            if isinstance(target, (gast.Subscript, gast.Attribute)):
                return self._write(s, target, s.value, None)
            if isinstance(target, gast.Tuple):
                return self._several(s, target)
        if isinstance(s, gast.AugAssign):
            return self._augmented(s)
        if isinstance(s, gast.Expr) and isinstance(s.value, gast.Call):
            call_step = self._call_statement(s, s.value)
            if call_step is not None:
                return call_step
        return self._inert(s)

    def _inert(self, s: gast.stmt) -> Step:
        """A statement without derivative: it only ends the life of the adjoints it overwrites."""
        if isinstance(s, (gast.Try, gast.Match)):
            self._refuse_block(s)
        step = Step(s, [s], defines=head_assigns(s) if not isinstance(s, (gast.Try, gast.Match)) else assigned(s))
        step.targets = tuple(sorted(step.defines))
        for site in sorted(self.facts.writes.get(s, frozenset())):
            self._save_whole(step, s, site)
        if isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Name) and s.targets[0].id in self.ever_shadowed:
            self._empty_shadow(step, s.targets[0].id)
        return step

    def _empty_shadow(self, step: Step, target: str) -> None:
        """An inert container in a variable that holds an active one elsewhere."""
        bar = self.ever_shadowed[target]
        step.forward.append(assign(bar, call("zeros", name(target))))
        step.defines.add(bar)

    def _refuse_block(self, s: Any) -> None:
        """try and match are run as they are; what is active must not change inside them."""
        active = [n for n in assigned(s) if self.program.is_varied(self.after_block(s, n))]
        written = any(
            self.program.heap[site].varied
            for inner in gast.walk(s)
            if isinstance(inner, gast.stmt)
            for site in self.facts.writes.get(inner, frozenset())
            if site in self.program.heap
        )
        if active or written:
            word = "try" if isinstance(s, gast.Try) else "match"
            self.refuse(
                s,
                f"cannot differentiate through this `{word}`",
                f"It assigns the active `{active[0]}`." if active else "It writes into an active array or container.",
                "use if and else",
            )

    def after_block(self, s: Any, variable: str) -> Value:
        found = Value("opaque")
        for inner in gast.walk(s):
            if isinstance(inner, gast.stmt) and variable in self.facts.after.get(inner, {}):
                value = self.facts.after[inner][variable]
                if self.program.is_varied(value):
                    return value
                found = value
        return found

    def _save_whole(self, step: Step, s: gast.stmt, site: str) -> None:
        """Memory changed in a way that is not followed: keep all of it."""
        root = self.program.root(site)
        env = self.facts.before.get(s, {})
        if any(root in save.roots for save in step.saves):
            return
        for variable in sorted(reads(s)):
            value = env.get(variable)
            if value is None or root not in self.program.roots(value):
                continue
            text = {"array": "v.copy()", "list": "v.copy()", "dict": "v.copy()", "object": "dict(vars(v))"}.get(
                value.kind
            )
            if text is not None:
                restore = gast.Expr(call("refill", name(variable), kept()))
                step.saves.append(Save(frozenset([root]), expression(text, v=variable), restore, variable))
            return

    # -- assignments to names -----------------------------------------------------------------

    def _assignment(self, s: gast.Assign, target: gast.Name) -> Step:
        value = self.after(s, target.id)
        if isinstance(s.value, gast.Call):
            fact = self.facts.calls.get(s.value)
            if fact is not None and is_active(self.program, fact.callee):
                return self._call(s, s.value, fact, [target])
            popped = self._popped(s, target, s.value)
            if popped is not None:
                return popped
        if not self.program.is_varied(value) and not self.shadows.has(value):
            return self._inert(s)
        step = Step(s, [s], defines={target.id})
        if self.shadows.has(value):
            self._shadowed(step, s, target.id)
            return step
        step.target, step.targets = target.id, (target.id,)
        bar = name(self.names.bar(target.id))
        step.contributions = self.expressions.adjoint(s.value, Bar(bar), target.id)
        self._note_new(step, target.id)
        return step

    def _note_new(self, step: Step, target: str) -> None:
        """Does the adjoint read the result of its own statement?"""
        texts = texts_of(step.contributions)
        if target not in reads(step.statement.value) and any(target in reads(t) for t in texts):  # type: ignore[attr-defined]
            step.reads_new.add(target)
        elif self.expressions.result_of is not None and any(target in reads(t) for t in texts):
            own = step.statement.value  # type: ignore[attr-defined]
            if isinstance(own, gast.Call) and not self._reads_operand(own, texts, target):
                step.reads_new.add(target)

    def _reads_operand(self, own: gast.Call, texts: list[Any], target: str) -> bool:
        function = self.facts.resolved.get(own)
        rule = rule_of(function)
        if rule is None or rule.form != "elementwise":
            return True
        return not all(reads(p) <= {rule.text.results[0], "np", "math"} for p in rule.text.partials.values())

    def _shadowed(self, step: Step, s: gast.Assign, target: str) -> None:
        """The target's shadow is made or mirrored in the forward sweep."""
        bar = self.shadow_of(s, target)
        step.defines.add(bar)
        step.always = True
        mirrored = self.mirrored(s.value)
        if mirrored is not None:
            if target in reads(mirrored):  # an index by the old value
                step.forward.insert(0, assign(bar, mirrored))
            else:
                step.forward.append(assign(bar, mirrored))
            if self._may_copy(s.value):
                self._give_back(step, s.value, bar)
            return
        made = self.new_shadow(s.value, target)
        if target in reads(s.value) or bar in reads(made):
            old = self.names.fresh(f"new_{bar}")
            step.take.append(assign(old, name(bar)))
            step.reads_both.add(bar)
            source = Bar(name(old))
        else:
            source = Bar(name(bar))
        if self.is_display(s.value) and target in reads(s.value):  # the elements' own values, which the target replaces
            step.forward.insert(0, assign(bar, made))
        else:
            step.forward.append(assign(bar, made))
        step.contributions = (
            self.container_adjoint(s.value, source.text)
            if self.is_display(s.value)
            else (self.expressions.adjoint(s.value, Bar(source.text, fresh=True), target))
        )
        step.reads_new.add(bar)
        self._note_new(step, target)

    def mirrored(self, node: gast.expr) -> gast.expr | None:
        """The same view or alias of the shadow, if the expression is one: u[1:3].T → u_bar[1:3].T."""
        if isinstance(node, gast.Name):
            return self.expressions.bar_place(node) if self.shadows.has(self.type_of(node)) else None
        if isinstance(node, (gast.Subscript, gast.Attribute)) and not self._is_array_attribute(node):
            if (
                isinstance(node, gast.Subscript)
                and self.type_of(node.value).kind in ("array", "number")
                and not self.expressions.basic_index(node)
            ):
                return None
            if not self.shadows.has(self.type_of(node.value)) or not self.expressions.is_part(node):
                return None
            if self.type_of(node).kind == "number" and self.type_of(node.value).kind in ("array", "number"):
                self.refuse(
                    node,
                    "cannot tell whether this is a view or a number",
                    "The array is written, and the index's type cannot be settled.",
                    "index with integers and slices",
                )
                return None
            return self.expressions.bar_place(node)
        return self._mirrored_view(node)

    def _is_array_attribute(self, node: gast.AST) -> bool:
        return isinstance(node, gast.Attribute) and self.type_of(node.value).numeric

    def _mirrored_view(self, node: gast.expr) -> gast.expr | None:
        """Views by a function or method: the call is repeated on the shadow."""
        base = self._viewed(node)
        if base is None or not (self.type_of(base).sites & self.type_of(node).sites) or not self._is_view(node):
            return None
        inner = self.mirrored(base)
        if inner is None:
            return None
        new = clone(node)
        if isinstance(new, gast.Attribute):
            new.value = inner
        elif isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.value is base:
            new.func.value = inner
        else:
            new.args[viewed_argument(self.facts.resolved[node], len(node.args))] = inner
        return new

    def _is_view(self, node: gast.expr) -> bool:
        """May the call return memory of its first argument?"""
        if isinstance(node, gast.Attribute):
            return True
        function = self.facts.resolved.get(node)
        rule = rule_of(function)
        return rule is not None and (rule.view or viewed_argument(function, len(node.args)) == 1)  # type: ignore[attr-defined]

    def _viewed(self, node: gast.expr) -> gast.expr | None:
        if isinstance(node, gast.Attribute) and self.type_of(node.value).numeric:
            return node.value
        if (
            isinstance(node, gast.Call)
            and isinstance(node.func, gast.Attribute)
            and self.type_of(node.func.value).numeric
        ):
            return node.func.value
        if isinstance(node, gast.Call) and node.args and node in self.facts.resolved:
            return node.args[viewed_argument(self.facts.resolved[node], len(node.args))]
        return None

    def _may_copy(self, node: gast.expr) -> bool:
        """Reshaping may copy: NumPy decides by the layout."""
        for inner in gast.walk(node):
            if isinstance(inner, gast.Call):
                word = inner.func.attr if isinstance(inner.func, gast.Attribute) else getattr(inner.func, "id", "")
                if word in ("reshape", "ravel", "asarray", "ascontiguousarray", "asfortranarray"):
                    return True
        return False

    def _give_back(self, step: Step, node: gast.expr, bar: str) -> None:
        """If the mirrored call copied, what the copy gathered is added to the original."""
        base = self._viewed(node)
        root = base
        while root is not None and not isinstance(root, gast.Name):
            root = self._viewed(root) or getattr(root, "value", None)
        if root is None:
            return
        shared = self.expressions.bar_place(root)
        added = self.expressions.adjoint(node, Bar(name(bar)))
        body: list[gast.stmt] = [*added.prelude, *(in_place(self, c) for c in added.found)]
        if body:
            test = expression("not np.shares_memory(copy, whole)", copy=name(bar), whole=shared)
            step.finish.append(gast.If(test, body, []))
            step.reads_new.add(bar)

    def new_shadow(self, node: gast.expr, target: str) -> gast.expr:
        """The text that makes a shadow of zeros for a new object."""
        if self.is_display(node):
            return self.display_shadow(node)
        value = self.type_of(node)
        if value.kind in ("array", "number") or value.kind in SCALARS:
            if value.kind == "array" and value.dtype and not value.dtype.startswith(("float", "complex")):
                return expression("np.zeros(np.shape(x))", x=name(target))
            return expression("np.zeros_like(x)", x=name(target))
        return call("zeros", name(target))

    # -- writes into memory ---------------------------------------------------------------------

    def _augmented(self, s: gast.AugAssign) -> Step:
        value = self.type_of(s.target)
        if isinstance(s.target, gast.Name) and value.kind not in ("array", "number"):
            return self._inert(s)
        return self._write(s, s.target, s.value, s.op)

    def _write(self, s: gast.stmt, target: Any, value: gast.expr, op: gast.operator | None) -> Step:
        """`u[i] = e`, `u[i] += e`, `u *= e`: content of memory changes."""
        base = target if isinstance(target, gast.Name) else target.value
        base_type = self.type_of(base)
        if isinstance(target, gast.Subscript) and self.hold is not None:
            self._hold_index(target)
        place = loaded(target)
        self._copy_types(target, place)
        if base_type.kind in CONTAINERS:
            return self._container_write(s, target, place, value, op)
        step = Step(s, [s])
        self._keep_content(step, place, target, base_type)
        if not self.shadows.has(base_type):
            if self.varied(value) and base_type.smooth:
                self.refuse(s, "cannot follow this write", "The array written to has no adjoint.", "")
            return step
        step.always = True
        part = self.expressions.bar_place(place)
        if isinstance(op, (gast.Add, gast.Sub)):
            self._accumulating(step, place, part, value, op)
        else:
            self._overwriting(step, place, part, value, op, s)
        return step

    def _hold_index(self, target: gast.Subscript) -> None:
        """What is written where must be known in reverse: indices that are computed get names."""
        parts = target.slice.elts if isinstance(target.slice, gast.Tuple) else [target.slice]
        for part in parts:
            for bound in [part.lower, part.upper, part.step] if isinstance(part, gast.Slice) else [part]:
                if bound is not None and not self.expressions.cheap(bound):
                    self.hold(bound)  # type: ignore[misc]

    def _copy_types(self, old: gast.AST, new: gast.AST) -> None:
        for a, b in zip(gast.walk(old), gast.walk(new)):
            if a in self.facts.types:
                self.facts.types[b] = self.facts.types[a]

    def part_type(self, place: gast.expr) -> Value:
        """The type of what a place holds (a written target is typed by what is written)."""
        if isinstance(place, gast.Subscript):
            env = self.facts.before.get(self._statement, {})
            interpreter = self._interpreter()
            return interpreter.value(place, env)
        return self.type_of(place)

    def _interpreter(self) -> Any:
        from pullback.compiler.analysis.infer import Interpreter

        interpreter = Interpreter(self.program, self.spec)
        interpreter.statement = self._statement
        return interpreter

    def _keep_content(self, step: Step, place: gast.expr, target: Any, base: Value) -> None:
        self._statement = step.statement
        value = self.part_type(place)
        roots = self.program.roots(base)
        if not roots:
            return
        scalar = value.kind in SCALARS
        copied = isinstance(place, gast.Subscript) and not self.expressions.basic_index(place)
        text = clone(place) if scalar or copied else expression("v.copy()", v=place)
        if isinstance(target, gast.Name):
            restore: gast.stmt = gast.Assign(
                [gast.Subscript(name(target.id), constant(Ellipsis), gast.Store())], kept(), None
            )
        else:
            restore = gast.Assign([stored(place)], kept(), None)
        root = root_of(place)
        step.saves.append(Save(roots, text, restore, root.id))

    def _accumulating(self, step: Step, place: gast.expr, part: gast.expr, value: gast.expr, op: gast.operator) -> None:
        """u[i] += e: the adjoint of u[i] stays, and e receives it."""
        if not self.varied(value):
            return
        whole = self.part_type(place)
        sign = (lambda t: t) if isinstance(op, gast.Add) else (lambda t: gast.UnaryOp(gast.USub(), t))
        if self._once(value) and (whole.kind in SCALARS or self._leaf(value)):
            bar = self._narrowed(Bar(self._read_part(place, part)), whole, value)
            step.contributions = self.expressions.adjoint(value, Bar(sign(bar.text), fresh=isinstance(op, gast.Sub)))
            self._unshare(step)
            return
        held = self._hold_part(step, place, self._read_part(place, part), whole)
        step.contributions = self.expressions.adjoint(value, Bar(sign(self._narrowed(Bar(held), whole, value).text)))

    def _unshare(self, step: Step) -> None:
        """A view of a shadow becomes a variable's adjoint only as a copy."""
        for c in step.contributions.found:
            value = self.type_of_place(c.place)
            view = isinstance(c.text, (gast.Subscript, gast.Name)) or (
                isinstance(c.text, gast.Call) and isinstance(c.text.func, gast.Name) and c.text.func.id == "unbroadcast"
            )
            if view and isinstance(c.place, gast.Name) and not self.shadows.has(value) and value.kind not in SCALARS:
                c.text, c.fresh = expression("v.copy()", v=c.text), True

    def type_of_place(self, place: gast.expr) -> Value:
        return self.type_of(getattr(place, "fact_of", place))

    def _once(self, value: gast.expr) -> bool:
        return self.expressions._leaf_count(value) == 1

    def _leaf(self, value: gast.expr) -> bool:
        return is_variable(value) or self.expressions.is_part(value)

    def _read_part(self, place: gast.expr, part: gast.expr) -> gast.expr:
        """The adjoint of what was written; with repeated indices only the last write counts."""
        if isinstance(place, gast.Subscript) and not self.expressions.named_once(place):
            base = self.expressions.bar_place(place.value)
            return call("last_written", base, index_value(place.slice))
        return clone(part)

    def _hold_part(self, step: Step, place: gast.expr, text: gast.expr, whole: Value) -> gast.expr:
        held = (
            self.names.fresh("entry_bar" if whole.kind in SCALARS else "part_bar") if self.hold is None else "held_bar"
        )
        view = whole.kind not in SCALARS and isinstance(text, (gast.Subscript, gast.Name))
        step.take.append(assign(held, expression("v.copy()", v=text) if view else text))
        return name(held)

    def _narrowed(self, bar: Bar, whole: Value, value: gast.expr) -> Bar:
        """The written value may have been broadcast into place."""
        have, want = whole.shape, self.type_of(value).shape
        if covers(want, have) or whole.kind in SCALARS:
            return bar
        if want == ():
            return Bar(call("np.sum", bar.text))
        return Bar(call("unbroadcast", bar.text, self.expressions.shape(value)))

    def _overwriting(
        self,
        step: Step,
        place: gast.expr,
        part: gast.expr,
        value: gast.expr,
        op: gast.operator | None,
        s: gast.stmt,
    ) -> None:
        """u[i] = e: e receives the adjoint of u[i], whose old content had no effect."""
        whole = self.part_type(place)
        zero = gast.Assign([self._whole(stored(part))], constant(0.0), None)
        if op is not None:
            node = gast.BinOp(place, op, value)
            gast.copy_location(node, s)
            self.facts.types[node] = whole.active()
            self.facts.types[place] = whole.active()
            value_node: gast.expr = node
        else:
            value_node = value
        if not self.varied(value_node):
            step.take.append(zero)
            return
        inline = whole.kind in SCALARS and op is None and self._once(value) and self._plain_names(value)
        if inline:
            step.contributions = self.expressions.adjoint(value, Bar(clone(part)))
            if len(step.contributions.found) == 1 and isinstance(step.contributions.found[0].place, gast.Name):
                step.finish.append(zero)
                return
        held = self._hold_part(step, place, self._read_part(place, part), whole)
        bar = Bar(held) if op is not None else self._narrowed(Bar(held), whole, value)
        if op is None and not isinstance(bar.text, gast.Name) and self.expressions._leaf_count(value) > 1:
            again = self.names.fresh("value_bar") if self.hold is None else "held_bar"
            step.take.append(assign(again, bar.text))
            bar = Bar(name(again))
        step.contributions = self.expressions.adjoint(value_node, bar)
        same = [c for c in step.contributions.found if gast.dump(c.place) == gast.dump(place)]
        if len(same) == 1 and not step.contributions.loops and self._writes_once(step, place):
            step.contributions.found.remove(same[0])
            step.take.append(Later([assign(self._whole(part), same[0].text)]))
        else:
            step.take.append(zero)

    def _writes_once(self, step: Step, place: gast.expr) -> bool:
        return not isinstance(place, gast.Subscript) or self.expressions.named_once(place)

    def _whole(self, part: gast.expr) -> gast.expr:
        """A name is written through `[...]`."""
        if isinstance(part, gast.Name):
            return gast.Subscript(name(part.id), constant(Ellipsis), gast.Store())
        return part

    def _plain_names(self, value: gast.expr) -> bool:
        """Does the value's one active variable have a value adjoint (no shadow that could be the same memory)?"""
        return all(
            not self.shadows.has(self.type_of(n))
            for n in gast.walk(value)
            if isinstance(n, gast.Name) and self.varied(n)
        )

    # -- several targets ------------------------------------------------------------------------

    def _several(self, s: gast.Assign, target: gast.Tuple) -> Step:
        if isinstance(s.value, gast.Call):
            fact = self.facts.calls.get(s.value)
            if fact is not None and is_active(self.program, fact.callee):
                return self._call(s, s.value, fact, list(target.elts))
            if self.varied(s.value) and s.value in self.facts.resolved:
                return self._several_results(s, target)
        if isinstance(s.value, gast.Tuple) and all(isinstance(e, gast.Name) for e in s.value.elts):
            return self._swap(s, target)
        if self.varied(s.value):
            self.refuse(s, "cannot take this apart", "", "assign the parts one by one")
        return self._inert(s)

    def _several_results(self, s: gast.Assign, target: gast.Tuple) -> Step:
        """w, v = np.linalg.eigh(a): one rule with several results."""
        step = Step(s, [s])
        bars: dict[str, gast.expr | None] = {}
        targets = []
        for i, element in enumerate(target.elts):
            assert isinstance(element, gast.Name)
            step.defines.add(element.id)
            bars[f"value {i}"] = name(element.id)
            value = self.after(s, element.id)
            if self.shadows.has(value):
                self._shadowed_result(step, s, element.id)
                bars[f"bar {i}"] = name(self.shadow_of(s, element.id))
            elif self.program.is_varied(value):
                bars[f"bar {i}"] = name(self.names.bar(element.id))
                targets.append(element.id)
            step.reads_new.add(element.id)
        step.targets = tuple(targets)
        self.expressions.results = bars
        step.contributions = self.expressions.adjoint(s.value, Bar(constant(0.0)))
        self.expressions.results = {}
        return step

    def _shadowed_result(self, step: Step, s: gast.Assign, target: str) -> None:
        value, bar = self.after(s, target), self.shadow_of(s, target)
        if value.sites & self.type_of(s.value.args[0]).sites:  # type: ignore[attr-defined]
            self.refuse(
                s,
                "cannot follow writes through these views",
                "The parts of an array are views, and it is written.",
                "take the parts by slices",
            )
        step.forward.append(assign(bar, expression("np.zeros_like(x)", x=name(target))))
        step.defines.add(bar)
        step.reads_new.add(bar)
        step.always = True

    def _swap(self, s: gast.Assign, target: gast.Tuple) -> Step:
        """cur, nxt = nxt, cur: the shadows change places with their variables, and back."""
        step = Step(s, [s], swap=True)
        sources = [e.id for e in s.value.elts]  # type: ignore[attr-defined]
        targets = [e.id for e in target.elts]  # type: ignore[attr-defined]
        step.defines = set(targets)
        step.targets = tuple(targets)
        shadowed = [(t, v) for t, v in zip(targets, sources) if self.shadows.has(self.after(s, t))]
        if shadowed:
            bars = [
                (self.shadow_of(s, t), self.expressions.bar_of(v, self.type_of(e)))
                for t, v, e in zip(targets, sources, s.value.elts)
            ]  # type: ignore[attr-defined]
            step.bars = bars  # type: ignore[attr-defined]
            step.forward.append(_permuted([b for b, _ in bars], [v for _, v in bars]))
            step.defines |= {b for b, _ in bars}
            step.always = True
        return step

    # -- calls of user functions ----------------------------------------------------------------

    def _call_statement(self, s: gast.Expr, node: gast.Call) -> Step | None:
        fact = self.facts.calls.get(node)
        if fact is not None and is_active(self.program, fact.callee):
            return self._call(s, node, fact, [])
        return self._container_call(s, node)

    _call: Callable[..., Step]
    _call_types: CallFact


def _permuted(targets: list[str], sources: list[str]) -> gast.Assign:
    return gast.Assign(
        [gast.Tuple([name(t, store=True) for t in targets], gast.Store())],
        gast.Tuple([name(v) for v in sources], gast.Load()),
        None,
    )


def nested_reads(body: list[gast.stmt], inside: bool = False) -> set[Any]:
    """Names read, and statements, inside branches and loops."""
    found: set[Any] = set()
    for s in body:
        compound = isinstance(s, (gast.If, gast.For, gast.While))
        if inside and not compound:
            found |= {s, *reads(s)}
        for f in ("body", "orelse"):
            found |= nested_reads(getattr(s, f, []), inside or compound)
    return found


class Later(gast.stmt):
    """Statements of `take` that have to wait for the restored values."""

    _fields = ("body",)

    def __init__(self, body: list[gast.stmt]) -> None:
        self.body = body


def texts_of(contributions: Contributions) -> list[Any]:
    """Every piece of text that a step's contributions run."""
    return [
        *contributions.prelude,
        *(c.text for c in contributions.found),
        *(c.place for c in contributions.found if not isinstance(c.place, gast.Name)),
        *contributions.loops,
    ]


def in_place(planner: Planner, c: Contribution) -> gast.stmt:
    """The contribution as a statement that adds into an existing shadow."""
    target = planner.expressions.bar_place(c.place)
    return gast.AugAssign(stored(target), gast.Add(), c.text)
