"""Each statement with its tangent beside it; loops and branches stay as they are.

    for i in range(1, len(u)):        →   for i in range(1, len(u)):
        u[i] = u[i - 1] * k                   u_dot[i] = u_dot[i - 1] * k + k_dot * u[i - 1]
                                              u[i] = u[i - 1] * k
"""

from typing import Any

import gast

from pullback.compiler.analysis.liveness import head_assigns
from pullback.compiler.analysis.program import Program, Spec
from pullback.compiler.analysis.shadows import Shadows
from pullback.compiler.analysis.values import CONTAINERS, SCALARS, Value
from pullback.compiler.ir.nodes import Attempt, Finally, as_try
from pullback.compiler.ir.template import assign, clone, constant, loaded, name, stored, substituted
from pullback.compiler.ir.walk import assigned, blocks, every_node, names_in, reads
from pullback.compiler.normalise.context import is_active
from pullback.compiler.tangent.calls import Calls
from pullback.compiler.tangent.equations import Equations
from pullback.compiler.tangent.expressions import Tangents, zero_text
from pullback.compiler.tangent.values import rebuilt

MIRRORED = ("append", "extend", "insert", "pop", "clear", "reverse", "update", "setdefault")
HARMLESS = ("logging", "warnings", "time", "builtins")


class Statements:
    """Transforms the body of one specialised function."""

    def __init__(self, program: Program, spec: Spec, shadows: Shadows, guards: str, labels: dict[Spec, str]) -> None:
        self.program = program
        self.spec = spec
        self.facts = spec.facts
        self.shadows = shadows
        self.calls = Calls(self, labels)
        self.tangents = Tangents(program, spec, shadows, guards, self.calls.inside)
        self.dot_name = self.tangents.dot_name
        envs = [spec.parameters, spec.outputs, *spec.facts.before.values(), *spec.facts.after.values()]
        self.moving = {n for env in envs for n, v in env.items() if program.is_varied(v)}  # variables with a tangent

    # -- facts --------------------------------------------------------------------------------

    def type_of(self, node: gast.AST) -> Value:
        return self.facts.types.get(node, Value("opaque"))

    def after(self, s: gast.stmt, variable: str) -> Value:
        return self.facts.after.get(s, {}).get(variable, Value("opaque"))

    def varied(self, value: Value) -> bool:
        return self.program.is_varied(value)

    def refuse(self, node: gast.AST, problem: str, cause: str = "", advice: str = "") -> None:
        self.program.refuse(self.spec.code, node, "tangent", problem, cause, advice)

    # -- blocks -------------------------------------------------------------------------------

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """The statements of a block with their tangents."""
        done: list[gast.stmt] = []
        for s in body:
            method = getattr(self, f"_do_{type(s).__name__}", self._inert)
            done += method(s)
        return done

    def _compound(self, s: Any) -> list[gast.stmt]:
        new = _head(s)
        new.body = self.block(s.body)
        if hasattr(s, "orelse"):
            new.orelse = self.block(s.orelse)
        return [new]

    _do_If = _do_While = _do_With = _compound

    def _do_For(self, s: gast.For) -> list[gast.stmt]:
        if self.tangents.active(s.iter):
            self.refuse(s.iter, "cannot follow this iteration", "It runs over active values.", "loop over indices")
        [new] = self._compound(s)
        targets = names_in(s.target)
        new.body = [*self.zeros(s, targets), *new.body]  # type: ignore[attr-defined]
        return [new]

    def _do_Nonlocal(self, s: gast.stmt) -> list[gast.stmt]:
        return []  # what it names is handed in and returned

    def _do_Attempt(self, s: Attempt) -> list[gast.stmt]:
        """What is tried is the values; the tangent of a variable is taken after that went well."""
        tried = self.block(s.body[: s.tried])
        kept, later = self._divided(s.body[0], tried) if s.tried == 2 else ([], [])
        rest = [*later, *self.block(s.body[s.tried :])]
        new = as_try(s, [*tried, *rest], self.block(s.orelse), len(tried))
        return [*kept, gast.copy_location(new, s)]

    def _divided(self, s: gast.stmt, tried: list[gast.stmt]) -> tuple[list[gast.stmt], list[gast.stmt]]:
        """Takes the tangents out of `tried`: (what keeps the old value for them, the tangents)."""
        if not isinstance(s, gast.Assign) or s.value in self.facts.calls:
            return [], []
        held = isinstance(s.targets[0], gast.Subscript) and isinstance(s.value, (gast.Name, gast.Constant))
        if not held and not isinstance(s.targets[0], gast.Name):
            return [], []
        target = s.targets[0].id if isinstance(s.targets[0], gast.Name) else ""
        dots = {self.dot_name(v) for v in self.moving}
        later: list[gast.stmt] = []
        for new in tried:
            if (reads(new) | assigned(new)) & dots:
                dots |= assigned(new)
                later.append(new)
        first = next((i for i, new in enumerate(tried) if target in assigned(new)), len(tried))
        early = [new for new in later if target in reads(new) and tried.index(new) < first]
        tried[:] = [new for new in tried if new not in later]
        if not early:
            return [], later
        old = self.tangents.names.fresh(f"old_{target}")
        return [assign(old, name(target))], [substituted([n], {target: old})[0] if n in early else n for n in later]

    def _do_Finally(self, s: Finally) -> list[gast.stmt]:
        return [gast.copy_location(as_try(s, self.block(s.body), self.block(s.orelse)), s)]

    def _do_Try(self, s: Any) -> list[gast.stmt]:
        self.tangents.planner.inert.refuse_block(s)
        return [self._with_zeros(s)]

    _do_Match = _do_TryStar = _do_Try

    def _with_zeros(self, s: Any) -> Any:
        """An inert compound statement; what it binds has a tangent of zero from there on."""
        new = rebuilt(s)
        for old, inside in zip(blocks(s), blocks(new)):
            inside[:] = []
            for inner in old:
                inside += [self._with_zeros(inner)] if blocks(inner) else self._inert(inner)
        if isinstance(s, (gast.For, gast.With)):
            new.body[:0] = self.zeros(s, head_assigns(s))
        for case, made in zip(getattr(s, "cases", ()), getattr(new, "cases", ())):
            made.body[:0] = self.zeros(s, assigned(case.pattern))
        return new

    def _do_FunctionDef(self, s: gast.FunctionDef) -> list[gast.stmt]:
        return [rebuilt(s)]

    def _inert(self, s: gast.stmt) -> list[gast.stmt]:
        """A statement without tangent: variables that have one elsewhere start from zero."""
        written = self.facts.writes.get(s, frozenset())
        if any(site in self.program.heap and self.program.heap[site].varied for site in written) and not self._harmless(s):
            self.refuse(s, "cannot follow this change of an active value in forward mode", "",
                        "use indices, append and plain assignments")
        return [rebuilt(s), *self.zeros(s, head_assigns(s))]

    def _harmless(self, s: gast.stmt) -> bool:
        calls = [n for n in every_node(s) if isinstance(n, gast.Call)]
        return all(self._module(self.facts.resolved.get(n)) in HARMLESS for n in calls) and bool(calls)

    def _module(self, thing: Any) -> str:
        owner = getattr(thing, "__self__", None)
        module = getattr(thing, "__module__", None) or type(owner).__module__
        return str(module).split(".")[0]

    def zeros(self, s: gast.stmt, variables: set[str]) -> list[gast.stmt]:
        """Zero tangents after an inert definition, for those that later code may read."""
        return [assign(self.dot_name(v), zero_text(self.after(s, v), name(v))) for v in sorted(variables & self.moving)]

    # -- assignments --------------------------------------------------------------------------

    def _do_Assign(self, s: gast.Assign) -> list[gast.stmt]:
        target = s.targets[0]
        if isinstance(s.value, gast.Call) and isinstance(target, (gast.Name, gast.Tuple)):
            fact = self.facts.calls.get(s.value)
            if fact is not None and is_active(self.program, fact.callee):
                return self.calls.assigned(s, s.value, fact, list(getattr(target, "elts", [target])))
        if len(s.targets) > 1:
            return self._inert(s)
        if isinstance(target, gast.Name):
            return self._variable(s, target.id)
        if isinstance(target, (gast.Subscript, gast.Attribute)):
            return self._write(s, target, s.value)
        if isinstance(target, gast.Tuple):
            return self._several(s, target)
        return self._inert(s)

    def _variable(self, s: gast.Assign, target: str) -> list[gast.stmt]:
        """y = E → y_dot = E_dot; y = E."""
        value = self.after(s, target)
        if not (self.varied(value) or self._changes_container(s.value)):
            return self._inert(s)
        t = self.tangents
        t.begin(s, s.value, target)
        dot = t.dot(s.value)
        bar = self.dot_name(target)
        if dot is None and self._changes_container(s.value):
            dot = t.container_method(s.value)  # type: ignore[arg-type]
        if dot is None:
            text = t.value(s.value)
            return [*t.before, *([] if _is(text, target) else [assign(target, text)]), *self.zeros(s, {target})]
        dot = t.owned(s.value, dot)
        text = t.value(s.value)
        done = [*t.before]
        if not _is(dot, bar):
            done.append(assign(bar, dot))
        if not _is(text, target):
            done.append(assign(target, text))
        return done

    def _changes_container(self, node: gast.expr) -> bool:
        """L.pop() or d.setdefault(k, v) on something with a tangent."""
        return isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute) and node.func.attr in (
            "pop", "setdefault") and self.type_of(node.func.value).kind in ("list", "dict") and (
            self.tangents.active(node.func.value))

    def _write(self, s: Any, target: Any, value: gast.expr) -> list[gast.stmt]:
        """u[i] = e → u_dot[i] = e_dot; u[i] = e."""
        base = self.type_of(target.value)
        t = self.tangents
        if not self.varied(base) or (base.numeric and not base.smooth):
            if t.active(value) and base.numeric and base.smooth:
                self.refuse(s, "cannot follow this write", "The array written to has no tangent.", "")
            return self._inert(s)
        t.begin(s)
        dot = t.dot(value)
        if base.kind in CONTAINERS:
            dot = t.zero(value) if dot is None else t.owned(value, dot)
        elif dot is None:
            dot = constant(0.0)
        place = t.place(loaded_typed(self, target))
        text = t.value(value)
        return [*t.before, gast.Assign([place], dot, None), gast.Assign([stored(t.value(target))], text, None)]

    def _do_AugAssign(self, s: gast.AugAssign) -> list[gast.stmt]:
        """u += e → u_dot += e_dot; u += e."""
        t = self.tangents
        target: Any = s.target
        left = self.type_of(target)
        place = loaded_typed(self, target)
        if isinstance(target, gast.Name) and (left.kind != "array" or self.facts.rebinds.get(s)):
            return self._rebound(s, place, left)
        base = left if isinstance(target, gast.Name) else self.type_of(target.value)
        if not self.varied(base) or (base.numeric and not base.smooth):
            return self._inert(s)
        if base.kind in CONTAINERS and not isinstance(target, gast.Name) and left.kind not in (*SCALARS, "array"):
            self.refuse(s, "cannot tell whether this assignment writes in place",
                        "The element is a number on one path and an array on another.", "write `x[i] = x[i] + y`")
            return [rebuilt(s)]
        self.facts.types[place] = left.active()
        t.begin(s)
        part = name(self.dot_name(target.id)) if isinstance(target, gast.Name) else t.place(place)
        tangent = self._augmented(s, place, part, left)
        t.kept.pop(place, None)  # what is written is the place, not the value that it had
        new = gast.AugAssign(stored(t.value(place)), s.op, t.value(s.value))
        return [*t.before, *tangent, new]

    def _augmented(self, s: gast.AugAssign, place: gast.expr, part: gast.expr, left: Value) -> list[gast.stmt]:
        t = self.tangents
        inert = not t.active(s.value)
        if isinstance(s.op, (gast.Add, gast.Sub)):
            dot = t.dot(s.value)
            return [] if dot is None else [gast.AugAssign(stored(part), s.op, dot)]
        if inert and isinstance(s.op, (gast.Mult, gast.Div)):
            t.settle(s.value)
            return [gast.AugAssign(stored(part), s.op, t.operand(s.value))]
        node = gast.copy_location(gast.BinOp(place, s.op, s.value), s)
        self.facts.types[node] = left.active()
        dot = t.dot(node)
        item = isinstance(s.target, gast.Subscript) and self.type_of(s.target.value).numeric
        where = part if left.kind in SCALARS or item else gast.Subscript(loaded(part), constant(Ellipsis), gast.Store())
        return [gast.Assign([stored(where)], constant(0.0) if dot is None else dot, None)]

    def _rebound(self, s: gast.AugAssign, place: gast.expr, left: Value) -> list[gast.stmt]:
        """x += y for what cannot change in place is x = x + y."""
        assert isinstance(s.target, gast.Name)
        if not self.varied(self.after(s, s.target.id)):
            return self._inert(s)
        node = gast.copy_location(gast.BinOp(place, s.op, s.value), s)
        self.facts.types[place] = left
        self.facts.types[node] = self.after(s, s.target.id)
        new = gast.copy_location(assign(s.target.id, node), s)
        self.facts.before[new], self.facts.after[new] = self.facts.before.get(s, {}), self.facts.after.get(s, {})
        return self._variable(new, s.target.id)

    # -- several targets ----------------------------------------------------------------------

    def _several(self, s: gast.Assign, target: gast.Tuple) -> list[gast.stmt]:
        if not self.tangents.active(s.value):
            return self._inert(s)
        if isinstance(s.value, gast.Tuple) and all(isinstance(e, gast.Name) for e in [*s.value.elts, *target.elts]):
            return self._swap(s, target, s.value)
        if isinstance(s.value, gast.Call) and all(isinstance(e, gast.Name) for e in target.elts):
            return self._results(s, [e.id for e in target.elts], s.value)  # type: ignore[attr-defined]
        self.refuse(s, "cannot take this apart", "", "assign the parts one by one")
        return [rebuilt(s)]

    def _swap(self, s: gast.Assign, target: gast.Tuple, value: gast.Tuple) -> list[gast.stmt]:
        """a, b = b, a: the tangents change places with their variables."""
        t = self.tangents
        t.begin(s)
        pairs = [(self.dot_name(x.id), t.part(e)) for x, e in zip(target.elts, value.elts)  # type: ignore[attr-defined]
                 if x.id in self.moving]  # type: ignore[attr-defined]
        return [*t.before, _unpacked([n for n, _ in pairs], gast.Tuple([e for _, e in pairs], gast.Load())), rebuilt(s)]

    def _results(self, s: gast.Assign, targets: list[str], node: gast.Call) -> list[gast.stmt]:
        """w, v = np.linalg.eigh(a): the values first, then the tangents of those that have one."""
        t = self.tangents
        t.begin(s)
        rule, bound, dots = t.matched(node)
        if rule is None or rule.form != "rule":
            return [rebuilt(s)]
        if set(targets) & reads(node):
            for inner in [n for n in every_node(node) if isinstance(n, gast.Name) and n.id in targets]:
                t.kept[inner] = name(t.names.fresh(f"old_{inner.id}"))
                t.before.append(assign(t.kept[inner].id, name(inner.id)))  # type: ignore[attr-defined]
        done = [*t.before]
        t.before = []
        done.append(gast.copy_location(gast.Assign([clone(s.targets[0])], t.value(node), None), s))
        found = Equations(t, rule, node, bound, dots).tangents(targets)
        done += t.before
        bars = [self.dot_name(v) if v in self.moving else "_" for v in targets]
        if isinstance(found, gast.expr):
            return [*done, _unpacked(bars, found)]
        parts = [(b, zero_text(self.after(s, v), name(v)) if f is None else f if rule.view else t.own_part(self.after(s, v), f))
                 for b, f, v in zip(bars, found or [], targets) if b != "_"]
        if len(parts) > 1 and {b for b, _ in parts} & {n for _, f in parts for n in reads(f)}:
            return [*done, _unpacked([b for b, _ in parts], gast.Tuple([f for _, f in parts], gast.Load()))]
        return [*done, *(assign(b, f) for b, f in parts)]

    # -- calls --------------------------------------------------------------------------------

    def _do_Expr(self, s: gast.Expr) -> list[gast.stmt]:
        node = s.value
        if not isinstance(node, gast.Call):
            return self._inert(s)
        fact = self.facts.calls.get(node)
        if fact is not None and is_active(self.program, fact.callee):
            return self.calls.assigned(s, node, fact, [])
        if isinstance(node.func, gast.Attribute) and self.type_of(node.func.value).kind in ("list", "dict") and (
                self.tangents.active(node.func.value)):
            return self._method(s, node, node.func)
        return self._inert(s)

    def _method(self, s: gast.Expr, node: gast.Call, function: gast.Attribute) -> list[gast.stmt]:
        """L.append(e) → L_dot.append(e_dot); L.append(e)."""
        t = self.tangents
        if function.attr not in MIRRORED:
            return self._inert(s)
        t.begin(s)
        inner = t.part(function.value)
        positions = 1 if function.attr in ("insert", "pop", "setdefault") else 0
        arguments = [t.operand(a) if i < positions else t.part(a) for i, a in enumerate(node.args)]
        keywords = [gast.keyword(k.arg, t.part(k.value)) for k in node.keywords]
        mirrored = gast.Call(gast.Attribute(inner, function.attr, gast.Load()), arguments, keywords)
        return [*t.before, gast.Expr(mirrored), gast.Expr(t.value(node))]

    def _do_Delete(self, s: gast.Delete) -> list[gast.stmt]:
        """del L[i] → del L_dot[i]; del L[i]."""
        t = self.tangents
        t.begin(s)
        parts = [stored(t.place(x)) for x in s.targets if isinstance(x, gast.Subscript) and t.active(x.value)]
        for part in parts:
            part.ctx = gast.Del()
        kept = [t.value(x) for x in s.targets]
        return [*t.before, *([gast.Delete(parts)] if parts else []), gast.Delete(kept)]

    # -- the end ------------------------------------------------------------------------------

    def returned(self, s: gast.Return, entry: bool) -> list[gast.stmt]:
        """return e → return e, e_dot; rebound variables of enclosing functions, with tangents, follow."""
        t = self.tangents
        value = s.value or constant(None)
        t.begin(s)
        result = self.spec.result or Value("none")
        dot = t.part(value) if entry or self.varied(result) else None
        if dot is None:
            t.settle(value)
        parts = [t.value(value), *([dot] if dot is not None else [])]
        if not entry:
            for output in self.spec.code.nonlocals:
                parts.append(name(output))
                if self.varied(self.spec.outputs.get(output, Value("none"))):
                    parts.append(name(self.dot_name(output)))
        return [*t.before, gast.Return(parts[0] if len(parts) == 1 else gast.Tuple(parts, gast.Load()))]


def loaded_typed(statements: Statements, target: gast.expr) -> Any:
    """The target of an assignment as an expression that reads it, with its types."""
    new = loaded(target)
    for a, b in zip(every_node(target), every_node(new)):
        if a in statements.facts.types:
            statements.facts.types[b] = statements.facts.types[a]
    return new


def _head(s: Any) -> Any:
    """A compound statement's copy without its blocks."""
    new = s.__class__.__new__(s.__class__)
    for key, child in s.__dict__.items():
        part = isinstance(child, (gast.AST, list)) and key != "origin"
        setattr(new, key, [] if key in ("body", "orelse") else rebuilt(child) if part else child)
    return new


def _is(text: gast.expr, variable: str) -> bool:
    return isinstance(text, gast.Name) and text.id == variable


def _unpacked(names: list[str], value: gast.expr) -> gast.stmt:
    if len(names) == 1 and isinstance(value, gast.Tuple):
        return assign(names[0], value.elts[0])
    return gast.Assign([gast.Tuple([name(n, store=True) for n in names], gast.Store())], value, None)


__all__ = ["Statements"]
