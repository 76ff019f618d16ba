"""What the texts of a step read in reverse: which names, and of which the content, not only the shape."""

from typing import Any

import gast

from pullback.compiler.adjoint.planner import texts_of
from pullback.compiler.adjoint.steps import Later, Step

SHAPES = ("np.shape", "np.size", "np.ndim", "np.zeros_like", "zeros", "len")


def reverse_texts(step: Step) -> list[Any]:
    """Every piece of text that a step runs in the reverse sweep."""
    return [*texts_of(step.contributions), *_flat(step.take), *step.finish]


def _flat(body: list[gast.stmt]) -> list[Any]:
    found: list[Any] = []
    for s in body:
        if isinstance(s, Later):
            found += s.body
        elif hasattr(s, "shadow"):
            found += [s.shadow, s.place]
        else:
            found.append(s)
    return found


def content_reads(tree: gast.AST) -> set[str]:
    """Names whose content is read, not only their shape."""
    from pullback.compiler.emit.printer import printed

    found: set[str] = set()

    def visit(node: gast.AST) -> None:
        if (
            isinstance(node, gast.Call)
            and node.args
            and isinstance(node.func, (gast.Name, gast.Attribute))
            and printed(node.func).strip() in SHAPES
        ):
            base = node.args[0]
            while isinstance(base, (gast.Subscript, gast.Attribute)):
                if isinstance(base, gast.Subscript):
                    visit(base.slice)
                base = base.value
            if not isinstance(base, gast.Name) or printed(node.func).strip() in ("len", "zeros"):
                visit(base)  # of a list the length may change
            for other in node.args[1:]:
                visit(other)
            return
        if (
            isinstance(node, gast.Attribute)
            and node.attr in ("shape", "size", "ndim", "dtype")
            and isinstance(node.value, gast.Name)
        ):
            return
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load):
            found.add(node.id)
        for child in gast.iter_child_nodes(node):
            visit(child)

    visit(tree)
    return found
