"""Functions inside functions, written so that each is defined once, under a name of its own.

    f = lambda t: t * k                  →   def f(t): return t * k

    def f(t, k=k): ...                   →   k_default = k
                                             def f(t, k=k_default): ...

    @twice                               →   def f_plain(t): ...
    def f(t): ...                            f = twice(f_plain)

    [lambda t: t * k for k in ks]        →   def listed(source):
                                                 made = []
                                                 for k in source: made.append(lambda t: t * k)
                                                 return made
                                             listed(ks)

Python looks a captured variable up when the function is called. Where that makes a difference, the
variables that functions share become fields of one object, their frame:

    k = x; fs.append(lambda t: t * k); k = 2.0   →   frame.k = x; fs.append(lambda t: t * frame.k); frame.k = 2.0
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

import gast

from pullback.compiler.ir.names import Names
from pullback.compiler.ir.template import assign, expression, name, statements
from pullback.compiler.ir.walk import (
    SCOPES,
    assigned,
    every_node,
    free_variables,
    names_in,
    own_nodes,
    parameters,
    rewrite_blocks,
)


def settle_functions(tree: gast.FunctionDef, names: Names) -> set[str]:
    """Rewrite the functions directly inside a function, in place; returns the variables of their defaults."""
    if not any(isinstance(n, SCOPES) for s in tree.body for n in own_nodes(s)):
        return set()
    settler = _Settler(tree, names)
    tree.body = rewrite_blocks(tree.body, settler.block)
    return settler.defaults


class _Settler(gast.NodeTransformer):
    def __init__(self, tree: gast.FunctionDef, names: Names) -> None:
        self.names = names
        self.bindings = Counter(_bindings(tree))
        self.defaults: set[str] = set()
        self.before: list[gast.stmt] = []

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        done: list[gast.stmt] = []
        for s in body:
            self.before = []
            new = self._defined(s) if isinstance(s, gast.FunctionDef) else self._statement(s)
            done += [*self.before, *new]
        return done

    def _statement(self, s: Any) -> list[gast.stmt]:
        if not isinstance(s, SCOPES):
            self._heads(s)
        if isinstance(s, gast.Assign) and isinstance(s.value, gast.Lambda) and len(s.targets) == 1:
            target = s.targets[0]
            if isinstance(target, gast.Name) and self.bindings[target.id] == 1:
                body = [gast.copy_location(gast.Return(s.value.body), s.value.body)]
                return self._defined(gast.copy_location(gast.FunctionDef(target.id, s.value.args, body, [], None, None, []), s))
        return [s]

    def _heads(self, s: gast.stmt) -> None:
        """The comprehensions of a statement, of a compound one in its head."""
        for field, value in gast.iter_fields(s):
            if isinstance(value, gast.expr):
                setattr(s, field, self.visit(value))
            elif isinstance(value, list) and field not in ("body", "orelse", "finalbody", "handlers", "cases"):
                setattr(s, field, [self.visit(v) if isinstance(v, gast.AST) else v for v in value])

    # -- definitions --------------------------------------------------------------------------

    def _defined(self, s: gast.FunctionDef) -> list[gast.stmt]:
        own, decorators = s.name, s.decorator_list
        if decorators or self.bindings[own] > 1:
            s.name, s.decorator_list = self.names.fresh(f"{own}_plain"), []
        done = [*self._settled_defaults(s), s]
        if s.name != own:
            value: gast.expr = name(s.name)
            for decorator in reversed(decorators):
                value = gast.copy_location(gast.Call(decorator, [value], []), decorator)
            done.append(assign(own, value))
        return [_placed(new, s) for new in done]

    def _settled_defaults(self, s: gast.FunctionDef) -> list[gast.stmt]:
        """Defaults are evaluated where the function is defined."""
        positional = [*s.args.posonlyargs, *s.args.args]
        first = len(positional) - len(s.args.defaults)
        done: list[gast.stmt] = []
        for group, owners in ((s.args.defaults, positional[first:]), (s.args.kw_defaults, s.args.kwonlyargs)):
            for i, default in enumerate(group):
                if default is not None and not isinstance(default, gast.Constant):
                    held = self.names.fresh(f"{owners[i].id}_default")
                    self.defaults.add(held)
                    done.append(assign(held, default))
                    group[i] = gast.copy_location(name(held), default)
        return done

    # -- comprehensions -----------------------------------------------------------------------

    def visit_Lambda(self, node: gast.Lambda) -> gast.expr:
        return node

    def visit_Call(self, node: gast.Call) -> gast.expr:
        if isinstance(node.func, gast.Name) and node.func.id in ("list", "tuple", "dict", "set", "sorted"):
            for argument in node.args:
                argument.whole = True  # it is gone through to its end before anything else runs
        return self.generic_visit(node)

    def _comprehension(self, node: Any) -> Any:
        targets = {n.id for g in node.generators for n in every_node(g.target) if isinstance(n, gast.Name)}
        inner = [n for n in every_node(node) if isinstance(n, gast.Lambda) and free_variables(n) & targets]
        if not inner or any(isinstance(n, gast.NamedExpr) for n in every_node(node)):
            return self.generic_visit(node)
        called = [n.func for n in every_node(node) if isinstance(n, gast.Call)]
        if isinstance(node, gast.GeneratorExp) and not hasattr(node, "whole") and any(n not in called for n in inner):
            node.interleaved = True  # a function may be called before the next item is made
            return self.generic_visit(node)
        label, source, made = self.names.fresh("listed"), self.names.fresh("source"), self.names.fresh("made")
        if isinstance(node, gast.DictComp):
            start, slot = "{}", expression(f"{made}[key]", key=node.key)
            slot.ctx = gast.Store()
            body: list[gast.stmt] = [gast.Assign([slot], node.value, None)]
        else:
            start, body = "[]", [gast.Expr(expression(f"{made}.append(e)", e=node.elt))]
        iterables = [name(source), *(g.iter for g in node.generators[1:])]
        for generator, iterable in reversed(list(zip(node.generators, iterables))):
            for test in reversed(generator.ifs):
                body = [gast.If(test, body, [])]
            body = [gast.For(generator.target, iterable, body, [], None)]
        [function] = statements(f"def {label}({source}): pass")
        function.body = [*statements(f"{made} = {start}"), *body, *statements(f"return {made}")]  # type: ignore[attr-defined]
        self.before.append(_placed(function, node))
        return _placed(gast.Call(name(label), [self.visit(node.generators[0].iter)], []), node)

    visit_ListComp = visit_GeneratorExp = visit_DictComp = _comprehension


def _placed(tree: Any, like: gast.AST) -> Any:
    """What has no place in the file yet stands where another node does."""
    for node in every_node(tree):
        if isinstance(node, (gast.expr, gast.stmt)) and getattr(node, "lineno", None) is None:
            gast.copy_location(node, like)
    return tree


def _bindings(tree: gast.FunctionDef) -> list[str]:
    """The names that a function binds, as often as its text does, and those that it shares with others."""
    found = list(parameters(tree))
    for node in (n for s in tree.body for n in own_nodes(s)):
        if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load):
            found.append(node.id)
        elif isinstance(node, (gast.Nonlocal, gast.Global)):
            found += 2 * node.names
        elif isinstance(node, (gast.FunctionDef, gast.ClassDef)):
            found.append(node.name)
        elif isinstance(node, gast.alias):
            found.append((node.asname or node.name).split(".")[0])
    inside = [n for s in tree.body for n in every_node(s) if isinstance(n, gast.Nonlocal)]
    return found + [n for node in inside for n in node.names]


# -- shared variables -----------------------------------------------------------------------------


def share_variables(tree: gast.FunctionDef, shared: set[str], names: Names, holder: str = "") -> str:
    """Make variables of a function the fields of one object, in place; of globals the `holder`, which is there."""
    if holder:
        _Sharer(holder, shared, names).visit(tree)
        return holder
    frame = names.fresh("frame")
    made = [*statements(f"{frame} = Frame()"), *(statements(f"{frame}.{p} = {p}")[0] for p in parameters(tree) if p in shared)]
    sharer = _Sharer(frame, shared, names)
    tree.body = [*(_placed(s, tree) for s in made), *sharer.block(tree.body)]
    return frame


class _Sharer(gast.NodeTransformer):
    """Reads and writes of the variables, in a function and in those inside it that do not bind them anew."""

    def __init__(self, frame: str, shared: set[str], names: Names) -> None:
        self.frame = frame
        self.shared = shared
        self.names = names

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        return [new for s in body for new in self._each(self.visit(s))]

    def _each(self, new: Any) -> list[gast.stmt]:
        return new if isinstance(new, list) else [new]

    def _without(self, bound: set[str], visit: Callable[[], Any]) -> Any:
        kept, self.shared = self.shared, self.shared - bound
        try:
            return visit()
        finally:
            self.shared = kept

    def visit_Name(self, node: gast.Name) -> gast.expr:
        if node.id not in self.shared or isinstance(node.ctx, gast.Param):
            return node
        return _placed(gast.copy_location(gast.Attribute(name(self.frame), node.id, node.ctx), node), node)

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.FunctionDef | list[gast.stmt]:
        node.args = self.visit(node.args)
        declared = {n for s in node.body for d in own_nodes(s) if isinstance(d, (gast.Nonlocal, gast.Global)) for n in d.names}
        bound = (set(parameters(node)) | {n for s in node.body for n in assigned(s)}) - declared
        node.body = self._without(bound, lambda: self.block(node.body))
        if node.name not in self.shared:
            return node
        kept = gast.Assign([gast.Attribute(name(self.frame), node.name, gast.Store())], name(node.name), None)
        return [node, _placed(gast.copy_location(kept, node), node)]

    def visit_Lambda(self, node: gast.Lambda) -> gast.Lambda:
        node.args = self.visit(node.args)
        node.body = self._without(set(parameters(node)), lambda: self.visit(node.body))
        return node

    def visit_Nonlocal(self, node: gast.Nonlocal) -> gast.stmt:
        node.names = [n for n in node.names if n not in self.shared]
        return node if node.names else gast.copy_location(gast.Pass(), node)

    visit_Global = visit_Nonlocal

    def visit_For(self, node: gast.For) -> gast.For:
        """for k in ks: ...   →   for item in ks: frame.k = item; ..."""
        if names_in(node.target) & self.shared:
            item = self.names.fresh("item")
            first = gast.copy_location(gast.Assign([node.target], name(item), None), node)
            node.target, node.body = gast.copy_location(name(item, store=True), node.target), [_placed(first, node), *node.body]
        node.iter, node.target = self.visit(node.iter), self.visit(node.target)
        node.body, node.orelse = self.block(node.body), self.block(node.orelse)
        return node

    def _comprehension(self, node: Any) -> Any:
        node.generators[0].iter = self.visit(node.generators[0].iter)
        first, node.generators[0].iter = node.generators[0].iter, gast.Constant(None, None)
        targets = {n.id for g in node.generators for n in every_node(g.target) if isinstance(n, gast.Name)}
        self._without(targets, lambda: self.generic_visit(node))
        node.generators[0].iter = first
        return node

    visit_ListComp = visit_GeneratorExp = visit_SetComp = visit_DictComp = _comprehension

