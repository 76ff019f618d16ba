"""Generator functions that run from one item to the next, where other things run between.

def squares(xs):              def squares(xs):
    for x in xs:         →        at = 0
        yield x * x               def step():
                                      if at == 0:
                                          walk = walked(xs)
                                      while at == 1 or at == 0 and walk.more():
                                          if at == 0:
                                              x = walk.taken()
                                              item = x * x; at = 1; return True
                                          if at == 1: at = 0
                                      at = -1; return False
                                  return Stepped(step, lambda: item)

`at` says behind which `yield` to go on: while it is not 0, all that comes before is passed over. The
variables are fields of a frame that all steps share.
"""

from collections.abc import Callable
from typing import Any

import gast

from pullback.compiler.errors import Span
from pullback.compiler.frontend import iterators
from pullback.compiler.frontend.generators import cannot_follow
from pullback.compiler.frontend.nested import share_variables
from pullback.compiler.ir.names import Names
from pullback.compiler.ir.template import constant, expression, name, statements
from pullback.compiler.ir.walk import (
    TRIES,
    assigned,
    blocks,
    every_node,
    literal_int,
    own_nodes,
    parameters,
    rewrite_blocks,
)

YIELDS = (gast.Yield, gast.YieldFrom)


def as_steps(tree: gast.FunctionDef, names: Names, span: Callable[[Any], Span]) -> dict[str, Any]:
    """Rewrite a generator function in place; returns what the names that are new in it stand for."""
    steps, outer = _Steps(names, span), _outer(tree)
    body = steps.block(tree.body)
    variables = {*parameters(tree), *(n for s in tree.body for n in assigned(s)), *steps.variables} - outer
    step, look = names.fresh("step"), names.fresh("look")
    [function, show] = statements(f"def {step}(): pass\ndef {look}(): return {steps.item}")
    shared = gast.Nonlocal(sorted(variables | outer))
    function.body = [shared, *body, *statements(f"{steps.at} = -1\nreturn False")]  # type: ignore[attr-defined]
    made = expression(f"made({step}, {look})", made=steps.given(iterators.Stepped))
    before = tree.body[0]
    tree.body = [*statements(f"{steps.at} = 0"), function, show]
    if steps.sent:
        give, value = names.fresh("give"), names.fresh("value")
        tree.body += statements(f"def {give}({value}):\n    nonlocal {steps.sent}\n    {steps.sent} = {value}")
        made = expression(f"made({step}, {look}, {give})", made=steps.given(iterators.Sent))
    tree.body.append(gast.Return(made))
    share_variables(tree, variables, names)
    for node in (n for s in tree.body for n in every_node(s)):
        if isinstance(node, (gast.expr, gast.stmt)) and getattr(node, "lineno", None) is None:
            gast.copy_location(node, before)
    return steps.things


def _outer(tree: gast.FunctionDef) -> set[str]:
    """The variables of functions around it that a function binds; their declarations are taken out of its text."""
    found: set[str] = set()

    def without(body: list[gast.stmt]) -> list[gast.stmt]:
        for s in body:
            found.update(s.names if isinstance(s, gast.Nonlocal) else ())
        return [s for s in body if not isinstance(s, gast.Nonlocal)]

    tree.body = rewrite_blocks(tree.body, without)
    return found


def has_yield(*nodes: Any) -> bool:
    return any(isinstance(n, YIELDS) for node in nodes for n in own_nodes(node))


class _Steps:
    def __init__(self, names: Names, span: Callable[[Any], Span]) -> None:
        self.names = names
        self.span = span
        self.at, self.item = names.fresh("at"), names.fresh("item")
        self.variables = {self.at, self.item}
        self.sent = ""  # the variable that holds what was sent
        self.things: dict[str, Any] = {}
        self.count = 0

    def given(self, thing: Any) -> gast.Name:
        known = next((n for n, other in self.things.items() if other is thing), None)
        if known is None:
            known = self.names.fresh(thing.__name__)
            self.things[known] = thing
        return name(known)

    def variable(self, wish: str) -> str:
        new = self.names.fresh(wish)
        self.variables.add(new)
        return new

    # -- blocks -------------------------------------------------------------------------------

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        done: list[gast.stmt] = []
        plain: list[gast.stmt] = []
        for s in body:
            if has_yield(s):
                done += [*self._unless_resumed(plain), *self._resumable(s)]
                plain = []
            else:
                self._settle(s)
                plain += self._returned([s])
        return [*done, *self._unless_resumed(plain)]

    def _unless_resumed(self, body: list[gast.stmt]) -> list[gast.stmt]:
        body = [s for s in body if not isinstance(s, gast.Pass)]
        return [gast.If(expression(f"{self.at} == 0"), body, [])] if body else []

    def _settle(self, s: gast.stmt) -> None:
        if isinstance(s, (gast.FunctionDef, gast.ClassDef)):
            cannot_follow(self.span(s), "it defines something that its next steps may call", "It runs step by step.")

    def _returned(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """`return` → `at = -1; return False`, in blocks inside too."""
        done: list[gast.stmt] = []
        for s in body:
            for inner in blocks(s):
                inner[:] = self._returned(inner)
            done += statements(f"{self.at} = -1\nreturn False") if isinstance(s, gast.Return) else [s]
        return done

    # -- what a step may begin in ---------------------------------------------------------------

    def _resumable(self, s: Any) -> list[gast.stmt]:
        if isinstance(s, gast.Expr) and isinstance(s.value, gast.Yield):
            return self._yielded(s.value.value, [])
        if isinstance(s, gast.Assign) and isinstance(s.value, gast.Yield) and not has_yield(*s.targets):
            self.sent = self.sent or self.variable("sent")
            return self._yielded(s.value.value, [gast.copy_location(gast.Assign(s.targets, name(self.sent), None), s)])
        if isinstance(s, gast.Expr) and isinstance(s.value, gast.YieldFrom):
            item = self.variable("each")
            every = gast.For(name(item, store=True), s.value.value, [gast.Expr(gast.Yield(name(item)))], [], None)
            return self._for(gast.copy_location(every, s))
        if isinstance(s, gast.If) and not has_yield(s.test):
            return self._if(s)
        if isinstance(s, gast.While) and not has_yield(s.test):
            return self._while(s.test, s.body, s.orelse, [])
        if isinstance(s, gast.For) and not has_yield(s.iter):
            return self._for(s)
        if isinstance(s, TRIES) and not s.finalbody and not has_yield(*s.handlers):
            s.body, s.orelse = self.block(s.body), self.block(s.orelse)
            for handler in s.handlers:
                handler.body = self._returned(handler.body)
            return [s]
        if isinstance(s, (gast.With, *TRIES)):
            cannot_follow(self.span(s), "it waits inside a `with` or a `finally`", "What leaves the block would run at each step.")
        cannot_follow(self.span(s), "what `yield` returns is read", "Only a consumer that sends values gives it any.")

    def _yielded(self, value: gast.expr | None, then: list[gast.stmt]) -> list[gast.stmt]:
        self.count += 1
        stop = statements(f"{self.item} = v\n{self.at} = {self.count}\nreturn True", v=value or constant(None))
        going_on = [*statements(f"{self.at} = 0"), *then]
        tests = [expression(f"{self.at} == {k}") for k in (0, self.count)]
        return [gast.If(tests[0], stop, []), gast.If(tests[1], going_on, [])]

    def _inside(self, body: list[gast.stmt]) -> tuple[list[gast.stmt], gast.expr | None]:
        """A block, and the test whether a step begins in it."""
        before = self.count
        new = self.block(body)
        places = range(before + 1, self.count + 1)
        tests: list[gast.expr] = [expression(f"{self.at} == {k}") for k in places]
        return new or [gast.Pass()], (gast.BoolOp(gast.Or(), tests) if len(tests) > 1 else tests[0] if tests else None)

    def _entered(self, begins: gast.expr | None, test: gast.expr) -> gast.expr:
        """Does a step begin inside, or does it come there?"""
        comes = expression(f"{self.at} == 0")
        if not (isinstance(test, gast.Constant) and test.value):
            comes = gast.BoolOp(gast.And(), [comes, test])
        return gast.BoolOp(gast.Or(), [begins, comes]) if begins is not None else comes

    def _if(self, s: gast.If) -> list[gast.stmt]:
        body, begins = self._inside(s.body)
        orelse, begins_else = self._inside(s.orelse) if s.orelse else ([], None)
        last = [gast.If(self._entered(begins_else, constant(True)), orelse, [])] if orelse else []
        return [gast.copy_location(gast.If(self._entered(begins, s.test), body, last), s)]

    def _while(
        self, test: gast.expr, body: list[gast.stmt], orelse: list[gast.stmt], first: list[gast.stmt]
    ) -> list[gast.stmt]:
        body, begins = self._inside([*first, *body])
        loop = gast.While(self._entered(begins, test), body, self.block(orelse))
        return [gast.copy_location(loop, test)]

    def _for(self, s: gast.For) -> list[gast.stmt]:
        before, test, item, step = self._places(s.iter)
        setting = gast.copy_location(gast.Assign([s.target], item, None), s)
        loop = self._while(test, s.body, s.orelse, [setting, *step])
        return [*self._unless_resumed(before), *loop]

    def _places(self, iterable: gast.expr) -> tuple[list[gast.stmt], gast.expr, gast.expr, list[gast.stmt]]:
        """(what starts an iteration, is there an item?, the item, what goes on to the next)."""
        called = iterable.func.id if isinstance(iterable, gast.Call) and isinstance(iterable.func, gast.Name) else ""
        arguments = iterable.args if isinstance(iterable, gast.Call) and not iterable.keywords else []
        if called == "range" and (len(arguments) in (1, 2) or len(arguments) == 3 and literal_int(arguments[2])):
            return self._counted(arguments)
        if called == "enumerate" and len(arguments) in (1, 2):
            return self._enumerated(arguments)
        if called == "zip" and arguments:
            return self._zipped(arguments)
        walk = self.variable("walk")
        before = statements(f"{walk} = walked(xs)", walked=self.given(iterators.walked), xs=iterable)
        return before, expression(f"{walk}.more()"), expression(f"{walk}.taken()"), []

    def _counted(self, bounds: list[gast.expr]) -> tuple[list[gast.stmt], gast.expr, gast.expr, list[gast.stmt]]:
        place, end = self.variable("place"), self.variable("end")
        start = bounds[0] if len(bounds) > 1 else constant(0)
        step = literal_int(bounds[2]) if len(bounds) > 2 else 1
        assert step is not None
        before = statements(f"{place} = start\n{end} = stop", start=start, stop=bounds[min(1, len(bounds) - 1)])
        test = expression(f"{place} {'<' if step > 0 else '>'} {end}")
        return before, test, name(place), statements(f"{place} = {place} + {step}")

    def _enumerated(self, arguments: list[Any]) -> tuple[list[gast.stmt], gast.expr, gast.expr, list[gast.stmt]]:
        before, test, item, step = self._places(arguments[0])
        count = self.variable("count")
        start = arguments[1] if len(arguments) > 1 else constant(0)
        counting = statements(f"{count} = start", start=start)
        pair = gast.Tuple([name(count), item], gast.Load())
        return [*before, *counting], test, pair, [*step, *statements(f"{count} = {count} + 1")]

    def _zipped(self, arguments: list[Any]) -> tuple[list[gast.stmt], gast.expr, gast.expr, list[gast.stmt]]:
        parts = [self._places(a) for a in arguments]
        tests = [p[1] for p in parts]
        test = gast.BoolOp(gast.And(), tests) if len(tests) > 1 else tests[0]
        items = gast.Tuple([p[2] for p in parts], gast.Load())
        return [s for p in parts for s in p[0]], test, items, [s for p in parts for s in p[3]]
