"""Classes, and functions that are `async`, made anew at each call: what they do is not followed, so they may capture
nothing that matters to a derivative."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import gast

from pullback.compiler.analysis.values import CONTAINERS, Value
from pullback.compiler.ir.walk import every_node, free_variables, rebound_by

if TYPE_CHECKING:
    from pullback.compiler.analysis.infer import Interpreter

MEMORY = ("array", *CONTAINERS)


def check_inner_definitions(interpreter: "Interpreter") -> None:
    """Refuse definitions that read an active variable, or change a variable, or its memory, beside active ones."""
    definitions = interpreter.unfollowed
    if not definitions:
        return
    every = list(_values(interpreter))
    active = any(interpreter.program.is_varied(v) for _, v in every)
    for d in definitions:
        captured, rebound = interpreter.spec.code.needed(free_variables(d))
        rebound |= _rebound(d)
        held = {n: [v for m, v in every if m == n] for n in sorted(captured)}
        found = [n for n in held if any(interpreter.program.is_varied(v) for v in held[n])]
        changed = [n for n in held if n in rebound or any(v.kind in MEMORY for v in held[n]) and not _only_looked_at(n, d)]
        found += [n for n in changed if active and n not in found]
        if found:
            _refuse(interpreter, d, ", ".join(f"`{n}`" for n in found))


def _values(interpreter: "Interpreter") -> Iterator[tuple[str, Value]]:
    """Every variable with every value that it has in the function."""
    yield from interpreter.spec.parameters.items()
    for facts in (interpreter.facts.before, interpreter.facts.after):
        for env in facts.values():
            yield from env.items()


def _rebound(definition: Any) -> set[str]:
    inside = [n for n in every_node(definition) if isinstance(n, gast.FunctionDef)]
    own = {n for d in every_node(definition) if isinstance(d, gast.Nonlocal) for n in d.names}
    return own.union(*(rebound_by(f) for f in inside))


def _only_looked_at(variable: str, definition: Any) -> bool:
    """Are items and attributes of a variable, and what is computed with it, all that a definition asks for?"""
    looked_at: set[gast.AST] = set()
    for node in every_node(definition):
        if isinstance(node, (gast.Subscript, gast.Attribute)) and isinstance(node.ctx, gast.Load):
            looked_at.add(node.value)
        elif isinstance(node, gast.BinOp):
            looked_at |= {node.left, node.right}
        elif isinstance(node, gast.Compare):
            looked_at |= {node.left, *node.comparators}
        elif isinstance(node, (gast.For, gast.comprehension)):
            looked_at.add(node.iter)
    called = {n.func.value for n in every_node(definition) if isinstance(n, gast.Call) and isinstance(n.func, gast.Attribute)}
    return all(
        n in looked_at - called for n in every_node(definition) if isinstance(n, gast.Name) and n.id == variable
    )


def _refuse(interpreter: "Interpreter", definition: Any, captured: str) -> None:
    word = "class" if isinstance(definition, gast.ClassDef) else "function"
    interpreter.program.refuse(
        interpreter.spec.code,
        definition,
        "captured",
        f"cannot follow what `{definition.name}` does with {captured}",
        f"The {word} is made anew at each call, and captures what is active, or what it may change.",
        f"define it at the top of the module, and pass {captured} to it",
    )
