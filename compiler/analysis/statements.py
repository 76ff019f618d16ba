"""The transfer function of statements, each by its kind."""

import gast

from pullback.compiler.analysis.decided import outcome
from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.values import NONE, OPAQUE, Value, placed_beside, replace
from pullback.compiler.ir.walk import assigned, is_permutation, reads


class Statements(Part):
    """What the environment is after a statement."""

    def do_Assign(self, s: gast.Assign, env: Env) -> None:
        unpacked = any(isinstance(t, (gast.Tuple, gast.List)) for t in s.targets)
        sliced = any(isinstance(t, gast.Subscript) and self._is_list_slice(t, env) for t in s.targets)
        settle = self.interpreter.generators.at_once if unpacked or sliced else self.interpreter.generators.kept
        for target in s.targets if unpacked else ():
            self._settle_within(target, s.value, env)
        if unpacked and any(isinstance(t, gast.Name) for t in s.targets):
            self._refuse_used_up(s, env)
        s.value = settle(s.value, env)
        value = self.interpreter.protocols.gone_through(s.value, env) if unpacked else self.value(s.value, env)
        target = s.targets[0]
        if isinstance(target, gast.Tuple) and isinstance(s.value, gast.Tuple) and is_permutation(target, s.value):
            sites = [v.sites for v in value.items or () if v.kind in ("array", "number")]
            sites += [self.spec.either[n].sites for n in assigned(target) if n in self.spec.either]
            self.program.unite(replace(OPAQUE, sites=frozenset().union(*sites)))  # shadows change places too
        for target in s.targets:
            self.interpreter.targets.bind(target, value, env, s)

    def _refuse_used_up(self, s: gast.Assign, env: Env) -> None:
        """r = p, q = (v for v in x): r is an iterator that has given all it had."""
        self.value(s.value, env)
        if self.interpreter.generators.is_lazy(s.value):
            self.refuse(
                s,
                "generator",
                "cannot follow an iterator that is taken apart and kept",
                "Nothing is left in it.",
                "take a list of it apart",
            )

    def _settle_within(self, target: gast.expr, value: gast.expr, env: Env) -> None:
        """(p, q), r = (v for v in x), y: a generator in the tuple is gone through where it stands, too."""
        displays = (gast.Tuple, gast.List)
        if not isinstance(target, displays) or not isinstance(value, displays) or len(target.elts) != len(value.elts):
            return
        for i, (inner, part) in enumerate(zip(target.elts, value.elts)):
            if isinstance(inner, displays) and not isinstance(part, displays):
                vars(part).pop("kept", None)
                value.elts[i] = self.interpreter.generators.at_once(part, env)
            self._settle_within(inner, value.elts[i], env)

    def _is_list_slice(self, target: gast.Subscript, env: Env) -> bool:
        return isinstance(target.slice, gast.Slice) and self.value(target.value, env).kind == "list"

    def do_AnnAssign(self, s: gast.AnnAssign, env: Env) -> None:
        if s.value is not None:
            self.interpreter.targets.bind(s.target, self.value(s.value, env), env, s)

    def do_Expr(self, s: gast.Expr, env: Env) -> None:
        self.value(s.value, env)

    def do_Return(self, s: gast.Return, env: Env) -> None:
        if s.value is not None and self.code.name != "__iter__":
            s.value = self.interpreter.generators.kept(s.value, env)
        value = placed_beside(self.value(s.value, env), None) if s.value is not None else NONE
        old = self.spec.result
        new = value if old is None else self.program.joined(old, value)
        if new != old:
            self.spec.result = new
            self.program.version += 1

    def do_If(self, s: gast.If, env: Env) -> None:
        self.value(s.test, env)
        taken = None if reads(s.test) & self.interpreter.rebound_elsewhere else outcome(s.test, self.facts)
        arm = (s.body if taken else s.orelse)[-1:]
        self.facts.decided[s] = None if arm and isinstance(arm[0], gast.Raise) else taken

    def do_While(self, s: gast.While, env: Env) -> None:
        self.value(s.test, env)

    def do_Assert(self, s: gast.Assert, env: Env) -> None:
        self.value(s.test, env)
        if s.msg is not None:
            self.program.carried_by_exception(self.value(s.msg, env))

    def do_Raise(self, s: gast.Raise, env: Env) -> None:
        if s.exc is not None:
            self.value(s.exc, env)

    def do_Delete(self, s: gast.Delete, env: Env) -> None:
        for target in s.targets:
            if isinstance(target, gast.Name):
                env.pop(target.id, None)
            elif isinstance(target, gast.Subscript):
                base = self.value(target.value, env)
                self.value(target.slice, env)
                for cell in self.program.cells(base):
                    self.program.grow(cell)
                self.changes(s, base)
                if base.kind == "object":
                    self.interpreter.protocols.deleted(target, base, env)
            elif isinstance(target, gast.Attribute):
                self.interpreter.classes.hidden(self.value(target.value, env), target.attr, target)

    def do_FunctionDef(self, s: gast.FunctionDef, env: Env) -> None:
        code = self.program.static[(self.code, s.name)] = self.interpreter.functions.nested(s)
        env[s.name] = Value("function", code=code)

    def do_Import(self, s: gast.Import, env: Env) -> None:
        for alias in s.names:
            imported = self.interpreter.expressions.imported(alias.name, None, bool(alias.asname))
            env[(alias.asname or alias.name).split(".")[0]] = imported

    def do_ImportFrom(self, s: gast.ImportFrom, env: Env) -> None:
        for alias in s.names:
            env[alias.asname or alias.name] = self.interpreter.expressions.imported(s.module or "", alias.name, True)

    def do_For(self, s: gast.For, env: Env) -> None:
        item = self.interpreter.generators.each(s.iter, s in self.interpreter.broken_off, env, s.body)
        before = dict(env)
        self.interpreter.targets.bind(s.target, item, env, s)
        for name in sorted(assigned(s.target) & before.keys() & self.interpreter.may_leave(s)):
            value = self.interpreter.meeting(name, before[name], env[name])
            env[name] = replace(value, unbound=env[name].unbound)  # the loop may end without another round
