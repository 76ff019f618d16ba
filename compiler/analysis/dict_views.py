"""`vs = d.values()` shows later changes of d; here it is a list, so d must not change while vs is in use."""

from typing import TYPE_CHECKING

import gast

from pullback.compiler.analysis.flow import Node

if TYPE_CHECKING:
    from pullback.compiler.analysis.infer import Interpreter


def check_dict_views(interpreter: "Interpreter") -> None:
    """Refuse a kept view of a dict of active values that is read after the dict has changed."""
    for node in interpreter.flow.nodes:
        s = node.statement
        if isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Name) and _is_view(interpreter, s.value):
            base = interpreter.facts.types[s.value.func.value]  # type: ignore[attr-defined]
            if _changed_in_use(interpreter, node, s.targets[0].id, interpreter.program.roots(base)):
                interpreter.program.refuse(
                    interpreter.spec.code,
                    s,
                    "dict-view",
                    f"cannot follow `{s.targets[0].id}`, a view of a dict that changes",
                    "It shows what the dict holds when it is read, not when it was made.",
                    f"ask for it where it is read, or keep a copy: `list(d.{s.value.func.attr}())`",  # type: ignore[attr-defined]
                )


def _is_view(interpreter: "Interpreter", node: gast.expr) -> bool:
    if not isinstance(node, gast.Call) or not isinstance(node.func, gast.Attribute):
        return False
    base = interpreter.facts.types.get(node.func.value)
    named = node.func.attr in ("values", "items")
    return named and base is not None and base.kind == "dict" and interpreter.program.is_varied(base)


def _changed_in_use(interpreter: "Interpreter", start: Node, held: str, memory: frozenset[str]) -> bool:
    """Is there a way from the assignment over a change of the memory on which the variable is read afterwards?"""
    seen: set[Node] = set()
    waiting = list(start.successors)
    while waiting:
        node = waiting.pop()
        if node in seen or node is start:
            continue
        seen.add(node)
        waiting += node.successors
        s = node.statement
        if s is None or held not in interpreter.liveness.after.get(s, ()):
            continue
        if memory & {interpreter.program.root(site) for site in interpreter.facts.writes.get(s, ())}:
            return True
    return False
