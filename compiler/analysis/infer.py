"""Types, memory and forward activity of a whole program, by abstract interpretation.

Each function is interpreted once per signature; lists, dicts and objects are followed through one
heap; everything runs again until nothing changes. The results are the Facts of each Spec.
"""

import functools
from typing import Any

import gast

from pullback.compiler.analysis.blocks import Blocks
from pullback.compiler.analysis.decided import outcome
from pullback.compiler.analysis.dict_views import check_dict_views
from pullback.compiler.analysis.effects import layout_matters
from pullback.compiler.analysis.flow import Flow, Node, control_flow, solve
from pullback.compiler.analysis.interleaving import check_generators
from pullback.compiler.analysis.liveness import Liveness, live_variables
from pullback.compiler.analysis.program import Env, Facts, Program, Spec
from pullback.compiler.analysis.protocols import index_of
from pullback.compiler.analysis.values import OPAQUE, Value, broadcast, mentions, of_numpy, replace
from pullback.compiler.ir.template import loaded
from pullback.compiler.ir.walk import own_nodes, reads

MAX_ROUNDS = 60


def infer(program: Program, entry: Spec) -> None:
    """Fill in the facts of every function reached from `entry`."""
    for _ in range(MAX_ROUNDS):
        version = program.version
        program.problems.clear()
        done: set[Spec] = set()
        while True:
            waiting = [s for s in program.specs.values() if s not in done]
            if not waiting:
                break
            for spec in waiting:
                done.add(spec)
                Interpreter(program, spec).run()
        if program.version == version:
            break
    check_generators(program)


class Interpreter(Blocks):
    """The transfer function of statements; expressions are in the base class."""

    flow: Flow

    def run(self) -> None:
        spec = self.spec
        spec.facts = Facts(rebinds=spec.facts.rebinds)
        self.facts = spec.facts
        self.flow = control_flow(spec.body)
        start: Env = dict(spec.parameters)
        before = solve(self.flow, self._transfer, self._join, start, leads=self._leads)
        final = before.get(self.flow.exit, start)
        for name in self.code.nonlocals:
            if name in final:
                self._output(name, final[name])
        check_dict_views(self)

    @functools.cached_property
    def liveness(self) -> Liveness:
        return live_variables(self.flow)

    @functools.cached_property
    def iterated(self) -> dict[gast.stmt, frozenset[str]]:
        """For a statement: what the loops around it iterate over."""
        return iterated_names(self.spec.body, frozenset())

    @functools.cached_property
    def rebound_elsewhere(self) -> set[str]:
        """Variables that other functions may assign while this one runs."""
        inner = (n for n in gast.walk(self.code.tree) if isinstance(n, gast.Nonlocal))
        return {*self.code.globals_declared, *self.code.captured, *(name for n in inner for name in n.names)}

    def _output(self, name: str, value: Value) -> None:
        old = self.spec.outputs.get(name)
        new = value if old is None else self.program.joined(old, value)
        if new != old:
            self.spec.outputs[name] = new
            self.program.version += 1

    def _join(self, a: Env, b: Env) -> Env:
        if a is b:
            return a
        joined: Env = {}
        for name in {**a, **b}:
            if name in a and name in b:
                joined[name] = a[name] if a[name] == b[name] else self.program.joined(a[name], b[name])
            else:
                present = a.get(name) or b[name]
                joined[name] = present if present.unbound else replace(present, unbound=True)
        return joined

    def _leads(self, source: Node, target: Node) -> bool:
        """May control pass from a statement to the other? An arm that the types rule out is not looked at."""
        taken = self.facts.decided.get(source.statement) if source.statement is not None else None
        return taken is None or (target is source.successors[0]) is taken

    # -- statements ---------------------------------------------------------------------------

    def _transfer(self, node: Any, before: Env) -> Env:
        statement = node.statement
        if statement is None:
            return before
        env = dict(before)
        self.statement = statement
        method = getattr(self, f"_do_{type(statement).__name__}", None)
        if method is not None:
            method(statement, env)
        self.facts.before[statement], self.facts.after[statement] = before, env  # the last visit is the fixed point's
        return env

    def _do_Assign(self, s: gast.Assign, env: Env) -> None:
        unpacked = any(isinstance(t, (gast.Tuple, gast.List)) for t in s.targets)
        s.value = s.value if unpacked else self.kept(s.value, env)
        value = self.gone_through(s.value, env) if unpacked else self.value(s.value, env)
        target = s.targets[0]
        if isinstance(target, gast.Tuple) and isinstance(s.value, gast.Tuple) and is_swap(target, s.value):
            sites = [v.sites for v in value.items or () if v.kind in ("array", "number")]
            self.program.unite(replace(OPAQUE, sites=frozenset().union(*sites)))  # shadows change places too
        for target in s.targets:
            self.bind(target, value, env, s)

    def _do_AnnAssign(self, s: gast.AnnAssign, env: Env) -> None:
        if s.value is not None:
            self.bind(s.target, self.value(s.value, env), env, s)

    def _do_Expr(self, s: gast.Expr, env: Env) -> None:
        self.value(s.value, env)

    def _do_Return(self, s: gast.Return, env: Env) -> None:
        if s.value is not None and self.code.name != "__iter__":
            s.value = self.kept(s.value, env)
        value = self.value(s.value, env) if s.value is not None else self.none
        old = self.spec.result
        new = value if old is None else self.program.joined(old, value)
        if new != old:
            self.spec.result = new
            self.program.version += 1

    def _do_If(self, s: gast.If, env: Env) -> None:
        self.value(s.test, env)
        taken = None if reads(s.test) & self.rebound_elsewhere else outcome(s.test, self.facts)
        arm = (s.body if taken else s.orelse)[-1:]
        self.facts.decided[s] = None if arm and isinstance(arm[0], gast.Raise) else taken

    def _do_While(self, s: gast.While, env: Env) -> None:
        self.value(s.test, env)

    def _do_Assert(self, s: gast.Assert, env: Env) -> None:
        self.value(s.test, env)
        if s.msg is not None:
            self.value(s.msg, env)

    def _do_Raise(self, s: gast.Raise, env: Env) -> None:
        if s.exc is not None:
            self.value(s.exc, env)

    def _do_Delete(self, s: gast.Delete, env: Env) -> None:
        for target in s.targets:
            if isinstance(target, gast.Name):
                env.pop(target.id, None)
            elif isinstance(target, gast.Subscript):
                base = self.value(target.value, env)
                for cell in self.program.cells(base):
                    self.program.grow(cell)
                self.changes(s, base)
                if base.kind == "object":
                    self.deleted(target, base, env)
            elif isinstance(target, gast.Attribute):
                self._hidden(self.value(target.value, env), target.attr, target)

    def _do_FunctionDef(self, s: gast.FunctionDef, env: Env) -> None:
        code = self.program.static[(self.code, s.name)] = self.nested(s)
        env[s.name] = Value("function", code=code)

    def _do_Import(self, s: gast.Import, env: Env) -> None:
        for alias in s.names:
            env[(alias.asname or alias.name).split(".")[0]] = self.imported(alias.name, None, bool(alias.asname))

    def _do_ImportFrom(self, s: gast.ImportFrom, env: Env) -> None:
        for alias in s.names:
            env[alias.asname or alias.name] = self.imported(s.module or "", alias.name, True)

    def _do_Global(self, s: gast.Global, env: Env) -> None:
        return

    _do_Nonlocal = _do_Global

    def _do_For(self, s: gast.For, env: Env) -> None:
        left = any(isinstance(n, gast.Break) for inner in s.body for n in own_nodes(inner))
        self.bind(s.target, self.each(s.iter, left, env), env, s)

    # -- targets ------------------------------------------------------------------------------

    def bind(self, target: gast.expr, value: Value, env: Env, at: gast.stmt) -> None:
        """The effect of assigning a value to a target."""
        self.facts.types[target] = value
        if isinstance(target, gast.Name):
            if target.id in self.code.globals_declared and self.varied(value):
                self.refuse(
                    at,
                    "global",
                    f"cannot write an active value to the global `{target.id}`",
                    "The write outlives the call, and its adjoint would have to as well.",
                    f"return `{target.id}` and let the caller keep it",
                )
            self.rebinding(target.id, env, at)
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
            key = self.constant_key(base, index)
            for cell in self.program.cells(base):
                if isinstance(target.slice, gast.Slice):
                    self.program.grow(cell)
                    value = self.element(value, at)
                self.program.put(cell, value, key)
        elif base.kind == "object" and self.set_item(base) is not None:
            self._set_by_call(target, self.set_item(base), [target.value, index_of(target.slice)], value, env)
        elif base.kind == "object" and (self.varied(base) or self.varied(value)):
            self.refuse(
                at,
                "setitem",
                "cannot follow this item assignment",
                "The object's own `__setitem__` would have to be differentiated.",
                "call a method that does it",
            )
        elif self.varied(value):
            self.refuse_write(at)
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
        setter = self.setter(base, target) if base.kind == "object" else None
        if setter is not None:
            self._set_by_call(target, setter, [target.value], value, env)
            return
        self.changes(at, base)
        if base.kind == "object":
            for cell in self.program.cells(base):
                self.program.put(cell, value, target.attr)
            self.outlives(at, base, value)
        elif base.numeric:
            self.write_part(target, base, value, env, at)
        elif self.varied(value):
            self.refuse_write(at)

    def _set_by_call(self, target: gast.expr, function: Any, first: list[gast.expr], value: Value, env: Env) -> None:
        """obj.p = v, obj[i] = v by a function of the class: the value has a name of its own by then."""
        meanings = self.program.meanings
        key = (target, function)
        if key not in meanings:
            held = gast.Name(self.fresh("new"), gast.Load(), None, None)
            meanings[key] = self._placed(gast.Call(self.given(function), [*first, held], []), target)
        self.facts.meanings[target] = meanings[key]
        self.value(meanings[key], {**env, meanings[key].args[-1].id: value})

    def _do_AugAssign(self, s: gast.AugAssign, env: Env) -> None:
        if self.is_set_by_call(s.target, env):
            self.bind(s.target, self.augmented(s, env), env, s)
            return
        right = self.value(s.value, env)
        left = self.read_target(s.target, env)
        self.facts.types[s.target] = left
        if left.kind == "tuple" and (self.varied(left) or self.varied(right)):
            whole = gast.BinOp(loaded(s.target), s.op, s.value)
            self.bind(s.target, self.meant(s, lambda: whole, env), env, s)
            return
        meant = self.meaning_of_operator(s, s.op, left, right, (loaded(s.target), s.value), env)
        if meant is not None:
            self.bind(s.target, meant, env, s)
            return
        result = self.operate(s.op, left, right, s)
        base = self.facts.types[s.target.value] if isinstance(s.target, gast.Subscript) else None
        if base is not None and base.numeric:  # a[i] op= v writes a[i] back, a view or a copy though it was read as
            self.bind(s.target, replace(result, sites=left.sites), env, s)
            self.facts.types[s.target] = left
        elif left.kind == "list" and of_numpy(right):
            whole = gast.BinOp(loaded(s.target), s.op, s.value)
            self.bind(s.target, self.meant(s, lambda: whole, env), env, s)
        elif left.kind in MUTABLE_TARGETS:
            self._in_place(s, left, right, result, env)
        elif left.kind == "opaque" and left.sites and not self.varied(result):  # Python alone knows if it is in place
            self.changes(s, left)
            self.bind(s.target, replace(left, sites=left.sites | result.sites), env, s)
        else:
            if isinstance(s.target, gast.Name):
                self.facts.rebinds[s] = True
            self.bind(s.target, result, env, s)

    def _in_place(self, s: gast.AugAssign, left: Value, right: Value, result: Value, env: Env) -> None:
        """`x += y` on something mutable: a write, unless nothing else can see the old object."""
        if left.kind == "list":
            for cell in self.program.cells(left):
                self.program.grow(cell)
                self.program.put(cell, self.element(right, s))
            self.changes(s, left)
            return
        judged = isinstance(s.target, gast.Name) and not getattr(s, "in_place", False)
        rebinds = judged and self._unseen(s.target.id, left, right, result, env, s)
        old = self.facts.rebinds.get(s)
        if old is None or (old and not rebinds):
            self.facts.rebinds[s] = rebinds
        if self.facts.rebinds[s]:
            fresh = replace(result, sites=frozenset([self.site(s, "array")]))
            if left.kind == "array":
                fresh = replace(fresh, kind="array", dtype=left.dtype or result.dtype, dims=left.dims)
            self._carry(fresh, left, right)
            self.bind(s.target, fresh, env, s)
            return
        if left.kind == "number":
            self.refuse(
                s,
                "augmented",
                "cannot tell whether this assignment writes in place",
                "Its target is a float on one path and an array on another, and something else refers to it.",
                "write `x = x + y`, or start from an array",
            )
        self.changes(s, left)
        for cell in self.program.cells(left):
            self.program.mark(cell, "written")
            if self.varied(right) and left.smooth:
                self.program.mark(cell, "varied")
        self.outlives(s, left, right)

    def _carry(self, fresh: Value, left: Value, right: Value) -> None:
        if self.varied(left) or self.varied(right):
            for cell in self.program.cells(fresh):
                self.program.mark(cell, "varied")

    def _unseen(self, name: str, left: Value, right: Value, result: Value, env: Env, s: gast.stmt) -> bool:
        """May the old object be left alone, because only `name` refers to it?"""
        if left.kind == "array" and (left.dtype != result.dtype or broadcast(left.dims, right.shape) != left.dims):
            if (
                left.dtype != result.dtype
                or left.dims is None
                or right.shape is None
                or (len(right.shape) > len(left.dims))
            ):
                return False
        if name in self.code.captured or name in self.code.nonlocals or name in self.iterated.get(s, ()):
            return False  # the loop's iterator holds the old object
        roots = self.program.roots(left)
        for cell in self.program.cells(left):
            if cell.stored or cell.from_outside and (self.spec.index != 0 or layout_matters(self.program)):
                return False
        if any(s.startswith("global ") for s in left.sites):
            return False
        if self.spec.index != 0 and roots & self.parameter_roots():
            return False
        live = self.liveness.after.get(s, frozenset()) | set(self.captured_inside())
        others = [v for n, v in env.items() if n != name and n in live]
        return not any(roots & self.program.roots(v) for v in others) and not any(
            roots & self.program.roots(i) for v in others for i in v.items or ()
        )

    def parameter_roots(self) -> frozenset[str]:
        return frozenset(r for v in self.spec.parameters.values() for r in self.program.roots(v))


def is_swap(target: gast.Tuple, value: gast.Tuple) -> bool:
    """a, b = b, a: names that change places."""
    names = [e.id for e in target.elts if isinstance(e, gast.Name)]
    sources = [e.id for e in value.elts if isinstance(e, gast.Name)]
    return len(names) == len(target.elts) == len(sources) and set(names) == set(sources)


def iterated_names(body: list[gast.stmt], around: frozenset[str]) -> dict[gast.stmt, frozenset[str]]:
    """For every statement the names that the loops around it iterate over."""
    found: dict[gast.stmt, frozenset[str]] = {}
    for s in body:
        found[s] = around
        inside = around
        if isinstance(s, gast.For):
            inside = around | {n.id for n in gast.walk(s.iter) if isinstance(n, gast.Name)}
        for field in ("body", "orelse"):
            found |= iterated_names(getattr(s, field, []), inside)
    return found


MUTABLE_TARGETS = ("array", "number", "list")
