"""Augmented assignments of numbers, where only flattening brought to light that they are.

t = xs[-1]
t /= y       →   t = t / y
"""

import gast

from pullback.compiler.analysis.program import Program, Spec
from pullback.compiler.ir.template import assign, name
from pullback.compiler.ir.walk import own_nodes, rewrite_blocks
from pullback.compiler.normalise.context import Context


def settled(program: Program, spec: Spec) -> list[gast.stmt]:
    """The body with such statements as assignments; the body itself if there are none."""
    context = Context(program, spec)
    found = {n for s in spec.body for n in own_nodes(s) if isinstance(n, gast.AugAssign) and _rebinds(context, n)}
    if not found:
        return spec.body
    return rewrite_blocks(list(spec.body), lambda body: [rebinding(s) if s in found else s for s in body])


def _rebinds(context: Context, s: gast.AugAssign) -> bool:
    return isinstance(s.target, gast.Name) and bool(context.facts.rebinds.get(s)) and context.active(s.target)


def rebinding(s: gast.AugAssign) -> gast.stmt:
    """x += y → x = x + y, printed as it was."""
    new = assign(s.target.id, gast.BinOp(name(s.target.id), s.op, s.value))
    new.augmented = True
    return gast.copy_location(new, s)
