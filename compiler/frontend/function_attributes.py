"""Attributes of functions inside a function, as variables of the function around.

def step(x):                 def step(x):
    step.calls += 1      →       nonlocal step_calls
    return x * x                 step_calls += 1
step.calls = 0                   return x * x
                             step_calls = 0
"""

from collections import Counter
from typing import Any

import gast

from pullback.compiler.ir.names import Names
from pullback.compiler.ir.template import assign, name
from pullback.compiler.ir.walk import every_node, names_in, own_nodes, parameters

BY_NAME = ("hasattr", "getattr", "setattr", "delattr", "vars")


def without_function_attributes(tree: gast.FunctionDef, names: Names) -> None:
    """Rewrite a function in place, for those inside it that have one name each."""
    owners = {f.name: scope for scope in scopes(tree) for f in own_functions(scope) if not f.decorator_list}
    written = {_place(n) for n in every_node(tree) if _is_write(n)}
    places = [p for p in sorted(filter(None, written)) if p[0] in owners]
    if not places:
        return
    bound = Counter(_bindings(tree))
    asked = {n.id for call in every_node(tree) if _asks_by_name(call) for n in every_node(call) if isinstance(n, gast.Name)}
    known = names_in(tree)  # what a function captures is a field of it
    places = [(f, word) for f, word in places if bound[f] == 1 and f not in asked and word not in known]
    variables = {place: names.fresh("_".join(place)) for place in places}
    for place, variable in variables.items():
        owner = owners[place[0]]
        for scope in scopes(tree):
            writes = any(_place(n) == place and _is_write(n) for s in scope.body for n in own_nodes(s))
            if writes and scope is not owner:
                scope.body.insert(0, gast.copy_location(gast.Nonlocal([variable]), scope.body[0]))
            elif scope is owner and not writes:
                none = gast.copy_location(assign(variable, gast.Constant(None, None)), owner.body[0])
                owner.body.insert(0, gast.fix_missing_locations(none))
    _Replacer(variables).visit(tree)


def _bindings(tree: gast.FunctionDef) -> list[str]:
    functions = [n for n in every_node(tree) if isinstance(n, (gast.FunctionDef, gast.Lambda))]
    stored = [n.id for n in every_node(tree) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)]
    return [*stored, *(f.name for f in functions if isinstance(f, gast.FunctionDef)), *(p for f in functions for p in parameters(f))]


def _is_write(node: Any) -> bool:
    return isinstance(node, gast.Attribute) and isinstance(node.ctx, gast.Store)


def scopes(tree: gast.FunctionDef) -> list[gast.FunctionDef]:
    return [n for n in every_node(tree) if isinstance(n, gast.FunctionDef)]


def own_functions(scope: gast.FunctionDef) -> list[gast.FunctionDef]:
    """The functions defined right inside a function."""
    return [n for s in scope.body for n in own_nodes(s) if isinstance(n, gast.FunctionDef)]


def _place(node: Any) -> Any:
    """("step", "calls") of `step.calls`."""
    named = isinstance(node, gast.Attribute) and isinstance(node.value, gast.Name)
    return (node.value.id, node.attr) if named else None


def _asks_by_name(node: Any) -> bool:
    return isinstance(node, gast.Call) and getattr(node.func, "id", "") in BY_NAME


class _Replacer(gast.NodeTransformer):
    def __init__(self, variables: dict[Any, str]) -> None:
        self.variables = variables

    def visit_Attribute(self, node: gast.Attribute) -> gast.expr:
        variable = self.variables.get(_place(node))
        if variable is None:
            return self.generic_visit(node)  # type: ignore[no-any-return]
        return gast.copy_location(name(variable, store=isinstance(node.ctx, gast.Store)), node)
