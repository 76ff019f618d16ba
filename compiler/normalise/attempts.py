"""`try` with active statements inside: what may fail is tried on its own, what follows is done if it went well.

    try:                           Attempt(ok):              printed as      try:
        L = cholesky(a)                L = cholesky(a)                           L = cholesky(a)
        y = total(L)          →        ok = True                                 ok = True
    except LinAlgError:                y = total(L)                          except LinAlgError:
        y = 0.0                    else:                                         ok = False
                                       ok = False                                y = 0.0
                                       y = 0.0                               else:
                                                                                 y = total(L)

An Attempt is a branch whose test is known once it ran. Where several statements may fail, a flag says that
one did, and the handlers follow as a branch on it; a loop in which something failed is left.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import gast

from pullback.compiler.analysis.program import Facts, Program, Spec
from pullback.compiler.analysis.values import SCALARS
from pullback.compiler.ir.names import described
from pullback.compiler.ir.nodes import Attempt, Finally
from pullback.compiler.ir.template import assign, call, clone, constant, expression, loaded, name
from pullback.compiler.ir.walk import assigned, blocks, own_nodes, reads
from pullback.compiler.normalise.context import Part
from pullback.compiler.normalise.raising import ANYTHING, WARNED, Raising, caught_by

if TYPE_CHECKING:
    from pullback.compiler.normalise.flatten import Flattener


@dataclass
class Handling:
    """What the handlers of one `try` catch, and the attempts made under them."""

    catch: gast.expr
    raising: Raising
    failed: str  # the flag that something was caught
    error: str = ""  # the variable of `except ... as`, and
    raised: str = ""  # the one that holds it for the handlers, where they ask for it
    made: list[Any] = field(default_factory=list)


class Attempts(Part):
    """The part of the flattener that deals with exceptions."""

    def __init__(self, flattener: "Flattener") -> None:
        super().__init__(flattener)
        self._protections: dict[type, Callable[[Any, Handling], list[gast.stmt]]] = {
            gast.If: self._protected_If,
            gast.For: self._protected_For,
            gast.While: self._protected_While,
            gast.With: self._protected_With,
            Attempt: self._protected_Attempt,
            Finally: self._protected_Finally,
        }

    def do_Try(self, s: gast.Try, out: list[gast.stmt]) -> list[gast.stmt]:
        if not carries_derivative(self.program, self.facts, s) and not _leaves(s.body + s.orelse, s.handlers):
            return [s]
        inner = self._handled(s) if s.handlers else [*self.flattener.block(s.body), *self.flattener.block(s.orelse)]
        return [Finally([], inner, self.flattener.block(s.finalbody))] if s.finalbody else inner

    def _refuse_try(self, node: gast.AST, problem: str, cause: str, advice: str) -> None:
        self.program.refuse(self.spec.code, node, "try", problem, cause, advice)

    # -- handlers -----------------------------------------------------------------------------

    def _handled(self, s: gast.Try) -> list[gast.stmt]:
        caught = caught_by([self.type_of(h.type) for h in s.handlers if h.type is not None])
        if any(h.type is None for h in s.handlers):
            caught = (BaseException,)
        self._mark_changing(s.body, Raising(self.facts, caught))
        body = self.flattener.block(s.body)
        h = Handling(_catch(s.handlers), Raising(self.facts, caught), self.names.fresh("failed"))
        if len(s.handlers) > 1 or any(_asks(handler) for handler in s.handlers):
            h.error, h.raised = self.names.fresh("error"), self.names.fresh("raised")
        tried = self._protected(body, h, [])
        after = self.flattener.block(s.orelse)
        if not h.made:
            return [*tried, *after]
        handled = self._dispatched(s.handlers, h)
        [first, *more] = h.made
        if not more and isinstance(first, Attempt) and tried[-1] is first:  # the handler stands where it fails
            first.body += after
            first.orelse = [*(n for n in first.orelse if not _sets(n, h.failed)), *handled]
            return tried
        choice = gast.If(name(h.failed), handled, after)
        return [assign(h.failed, constant(False)), *tried, choice]

    def _dispatched(self, handlers: list[Any], h: Handling) -> list[gast.stmt]:
        """except A: P; except B: Q  →  if isinstance(failed, A): P; else: Q."""
        chosen: list[gast.stmt] = []
        for i, handler in reversed(list(enumerate(handlers))):
            body = self._handler(handler, h)
            last = i == len(handlers) - 1
            chosen = body if last else [gast.If(expression("isinstance(f, c)", f=h.raised, c=handler.type), body, chosen)]
        return chosen

    def _handler(self, handler: Any, h: Handling) -> list[gast.stmt]:
        for node in (n for one in handler.body for n in own_nodes(one)):
            if isinstance(node, gast.Raise) and node.exc is None:
                node.exc = name(h.raised)
        body = self.flattener.block(handler.body)
        if handler.name is not None and any(handler.name.id in reads(one) for one in body):
            return [assign(handler.name.id, name(h.raised)), *body]
        return body or [gast.Pass()]

    # -- what is tried ------------------------------------------------------------------------

    def _protected(self, body: list[gast.stmt], h: Handling, leave: list[gast.stmt]) -> list[gast.stmt]:
        """The statements, none of which runs after one that failed; `leave` is done where one fails."""
        for i, s in enumerate(body):
            inert = self._inert_run(body[i:])
            if len(inert) > 1 or inert and (blocks(s) or self.facts.writes.get(s)):
                return [*body[:i], *self._inert_tried(inert, body[i + len(inert) :], h, leave)]
            if blocks(s):
                new, may_fail = self._compound(s, h)
                rest = self._protected(body[i + 1 :], h, leave)
                if may_fail:
                    rest = _unless(h.failed, rest, clone(leave))
                return [*body[:i], *new, *rest]
            if h.raising.statement(s):
                [first, *more] = self._in_parts(s)
                return [*body[:i], self._tried([first], [*more, *body[i + 1 :]], h, leave)]
        return body

    def _tried(self, tried: list[gast.stmt], rest: list[gast.stmt], h: Handling, leave: list[gast.stmt]) -> Attempt:
        """An attempt, and if it goes well the rest, protected too."""
        ok = self.names.fresh("ok")
        failing = [*self._noted(ok, h), *clone(leave)]
        refuse = "refuse_half_run" if self._changes_by_call(tried[-1]) else "refuse_half_done"
        if refuse == "refuse_half_run" or self._half_done(tried[-1], h):
            h.error = h.error or self.names.fresh("error")
            failing.insert(0, gast.copy_location(gast.Expr(call(refuse, name(h.error))), tried[-1]))
            failing[0].noted = True
        made = Attempt(name(ok), [*tried, assign(ok, constant(True))], failing, clone(h.catch), _stored(h.error))
        h.made.append(made)
        made.body += self._protected(rest, h, leave)
        return made

    def _noted(self, ok: str, h: Handling) -> list[gast.stmt]:
        """What is kept of a failure."""
        noted: list[gast.stmt] = [assign(ok, constant(False)), assign(h.failed, constant(True))]
        if h.raised:
            noted.append(assign(h.raised, name(h.error)))
        for s in noted:
            s.noted = True
        return noted

    def _half_done(self, s: gast.stmt, h: Handling) -> bool:
        """May an array have been written though writing it raised? NumPy finds overflows afterwards."""
        written = getattr(s, "origin", s) if getattr(s, "augmented", False) else s
        in_place = isinstance(written, gast.AugAssign) and self.type_of(written.target).kind not in SCALARS
        return in_place and h.raising.catches(WARNED)

    def _in_parts(self, s: gast.stmt) -> list[gast.stmt]:
        """What may fail before anything is changed comes first: u[i] = f(x) → value = f(x); u[i] = value."""
        before: list[gast.stmt] = []

        def held(node: gast.expr) -> gast.expr:
            if isinstance(node, (gast.Name, gast.Constant)):
                return node
            new = self.names.fresh(described(node))
            before.append(gast.copy_location(assign(new, node), s))
            return gast.copy_location(name(new), node)

        if isinstance(s, gast.Assign) and isinstance(s.targets[0], (gast.Subscript, gast.Attribute)):
            s.value = held(s.value)
        elif isinstance(s, gast.AugAssign) and self._item(s):
            entry = held(loaded(s.target))
            s = gast.copy_location(assign(s.target, held(gast.BinOp(entry, s.op, s.value))), s)
        elif isinstance(s, gast.AugAssign) and self.type_of(s.target).kind not in SCALARS:
            s.value = held(s.value)
        elif isinstance(s, gast.Expr) and isinstance(s.value, gast.Call) and not self.active_call(s.value):
            s.value.args = [a if isinstance(a, gast.Starred) else held(a) for a in s.value.args]
        return [*before, s]

    def _item(self, s: gast.AugAssign) -> bool:
        """Does it change a single number inside something?"""
        return not isinstance(s.target, gast.Name) and self.type_of(s.target).kind in SCALARS

    def _mark_changing(self, body: list[gast.stmt], raising: Raising) -> None:
        """Which statements call a helper that changes something? Where it fails, that cannot be taken back."""
        for s in (n for one in body for n in own_nodes(one) if isinstance(n, gast.stmt)):
            callees = [self.facts.calls[n].callee for n in own_nodes(s) if self.active_call(n)]
            s.changing = any(raising.catches(tuple(self.program.late_raises.get(c, ANYTHING))) for c in callees if changes(c))

    def _changes_by_call(self, s: gast.stmt) -> bool:
        statements = [n for n in own_nodes(s) if isinstance(n, gast.stmt)]
        return any(getattr(getattr(n, "origin", n), "changing", False) for n in statements)

    # -- inert statements ---------------------------------------------------------------------

    def _inert_run(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """The statements at the front that carry no derivative."""
        found: list[gast.stmt] = []
        for s in body:
            inner = [n for n in own_nodes(s) if isinstance(n, gast.stmt)]
            if any(n not in self.facts.after for n in inner) or _leaves([s], []):
                break
            if carries_derivative(self.program, self.facts, s):
                break
            found.append(s)
        return found

    def _inert_tried(
        self, inert: list[gast.stmt], rest: list[gast.stmt], h: Handling, leave: list[gast.stmt]
    ) -> list[gast.stmt]:
        """They run as they stand, in a `try` of their own."""
        if not any(blocks(s) or h.raising.statement(s) for s in inert):
            return [*inert, *self._protected(rest, h, leave)]
        ok = self.names.fresh("ok")
        handler = gast.ExceptHandler(clone(h.catch), _stored(h.error), self._noted(ok, h))
        tried = gast.Try([*inert, assign(ok, constant(True))], [handler], [], [])
        h.made.append(tried)
        rest = self._protected(rest, h, leave)
        return [tried, *([gast.If(name(ok), rest or [gast.Pass()], clone(leave))] if rest or leave else [])]

    # -- branches and loops -------------------------------------------------------------------

    def _compound(self, s: Any, h: Handling) -> tuple[list[gast.stmt], bool]:
        """A compound statement with its parts protected; may it fail?"""
        before = len(h.made)
        new = self._protections.get(type(s), self._protected_Try)(s, h)
        return new, len(h.made) > before

    def _protected_If(self, s: gast.If, h: Handling) -> list[gast.stmt]:
        unsure = h.raising.expression(s.test)
        test = s.test
        if unsure:
            s.test = name(self.names.fresh("taken"))
            return [self._tried([assign(s.test.id, test)], [s], h, [])]
        s.body, s.orelse = self._protected(s.body, h, []), self._protected(s.orelse, h, [])
        return [s]

    def _protected_For(self, s: gast.For, h: Handling) -> list[gast.stmt]:
        unsure = h.raising.expression(s.iter)
        over = s.iter
        if unsure:
            s.iter = name(self.names.fresh("steps"))
            if self.type_of(over).kind not in ("array", "list", "tuple"):
                over = gast.Call(name("list"), [over], [])
            return [self._tried([assign(s.iter.id, over)], [s], h, [])]
        s.body = self._protected(s.body, h, [gast.Break()])
        return [s]

    def _protected_While(self, s: gast.While, h: Handling) -> list[gast.stmt]:
        leave: list[gast.stmt] = [gast.Break()]
        if not h.raising.expression(s.test):
            s.body = self._protected(s.body, h, leave)
            return [s]
        going = self.names.fresh("going")
        made = self._tried([assign(going, s.test)], [], h, leave)
        made.body.append(gast.If(name(going), self._protected(s.body, h, leave), clone(leave)))
        s.test, s.body = constant(True), [made]
        return [s]

    def _protected_With(self, s: gast.With, h: Handling) -> list[gast.stmt]:
        entered: list[gast.stmt] = []
        for item in s.items:
            if h.raising.expression(item.context_expr):
                manager = self.names.fresh("manager")
                entered.append(assign(manager, item.context_expr))
                item.context_expr = name(manager)
        if entered:
            return self._inert_tried(entered, [s], h, [])
        s.body = self._protected(s.body, h, [])
        return [s]

    def _protected_Finally(self, s: Finally, h: Handling) -> list[gast.stmt]:
        if s.failing:
            self._refuse_try(
                s,
                "cannot follow this context manager under `try`",
                "Its `__exit__` looks at the exception, and the program goes on after it.",
                "do what its enter and exit do in plain statements",
            )
        s.body = self._protected(s.body, h, [])
        s.orelse = self._protected(s.orelse, h, [])
        return [s]

    def _protected_Attempt(self, s: Attempt, h: Handling) -> list[gast.stmt]:
        """Handlers within handlers: what the inner ones do not catch is caught out here."""
        count = s.tried
        tried, after = s.body[:count], s.body[count:]
        noted = [n for n in s.orelse if _is_note(n)]
        handled = [n for n in s.orelse if not _is_note(n)]
        inner = Attempt(s.test, tried, noted, s.catch, s.name)
        choice = [gast.If(clone(s.test), after or [gast.Pass()], handled)] if after or handled else []
        return [self._tried([inner], choice, h, [])]

    def _protected_Try(self, s: gast.Try, h: Handling) -> list[gast.stmt]:
        return self._inert_tried([s], [], h, [])


def carries_derivative(program: Program, facts: Facts, s: gast.AST) -> bool:
    """Is anything active assigned or written inside a statement?"""
    names = assigned(s)
    for inner in (n for n in own_nodes(s) if isinstance(n, gast.stmt)):
        after = facts.after.get(inner, {})
        if any(n in after and program.is_varied(after[n]) for n in names):
            return True
        if any(site in program.heap and program.heap[site].varied for site in facts.writes.get(inner, ())):
            return True
    return any(_rebinds_active(program, facts.calls[n].callee, set()) for n in own_nodes(s) if n in facts.calls)


def _rebinds_active(program: Program, callee: Spec, seen: set[Spec]) -> bool:
    """Does a function, or one that it calls, bind variables of the functions around it to active values?"""
    if callee in seen:
        return False
    seen.add(callee)
    envs = list(callee.facts.after.values())
    if any(n in env and program.is_varied(env[n]) for env in envs for n in callee.code.nonlocals):
        return True
    return any(_rebinds_active(program, fact.callee, seen) for fact in callee.facts.calls.values())


def changes(callee: Spec) -> bool:
    """Does a function change something that its caller sees?"""
    return bool(callee.written or callee.code.nonlocals)


def _catch(handlers: list[Any]) -> gast.expr:
    if any(h.type is None for h in handlers):
        return name("BaseException")
    if len(handlers) == 1:
        caught: gast.expr = clone(handlers[0].type)
        return caught
    types = [t for h in handlers for t in (h.type.elts if isinstance(h.type, gast.Tuple) else [h.type])]
    return gast.Tuple(clone(types), gast.Load())


def _unless(flag: str, body: list[gast.stmt], orelse: list[gast.stmt]) -> list[gast.stmt]:
    """The body, unless the flag is set."""
    if not body:
        return [gast.If(name(flag), orelse, [])] if orelse else []
    return [gast.If(gast.UnaryOp(gast.Not(), name(flag)), body, orelse)]


def _asks(handler: Any) -> bool:
    """Does a handler look at what it caught?"""
    again = any(isinstance(n, gast.Raise) and n.exc is None for s in handler.body for n in own_nodes(s))
    return again or handler.name is not None and any(handler.name.id in reads(s) for s in handler.body)


def _stored(variable: str) -> gast.Name | None:
    return name(variable, store=True) if variable else None


def _sets(s: gast.stmt, variable: str) -> bool:
    return isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Name) and s.targets[0].id == variable


def _is_note(s: gast.stmt) -> bool:
    return getattr(s, "noted", False)


def _leaves(body: list[gast.stmt], handlers: list[Any]) -> bool:
    """Does a `break` leave the statements?"""
    return any(
        isinstance(s, gast.Break)
        or not isinstance(s, (gast.For, gast.While)) and any(_leaves(inner, []) for inner in blocks(s))
        for s in [*body, *(s for h in handlers for s in h.body)]
    )
