"""`__next__` of a class as a function that says whether the iterator has ended.

    def __next__(self):                     def __next___ending(self):
        if self.left == 0:                      if self.left == 0:
            raise StopIteration         →           return True, None
        self.left -= 1                          self.left -= 1
        return self.x                           return False, self.x
"""

import functools
from typing import Any

import gast

from pullback.compiler.errors import DerivativeError
from pullback.compiler.frontend.managers import rewritten_function
from pullback.compiler.frontend.source import find_source
from pullback.compiler.ir.template import clone, constant
from pullback.compiler.ir.walk import TRIES, every_node, own_nodes, rewrite_blocks


@functools.lru_cache(maxsize=512)
def ending(function: Any) -> Any:
    """The function that returns (has it ended, item); None where its end is not one of its own statements."""
    try:
        source = find_source(function)
    except DerivativeError:
        return None
    body = clone(source.tree.body)
    inside = [n for s in body for n in own_nodes(s)]
    ends = [n for n in inside if _ends(n)]
    around = [n for n in inside if isinstance(n, (gast.With, *TRIES)) and any(m in ends for m in own_nodes(n))]
    asks = any(isinstance(n, gast.Call) and getattr(n.func, "id", "") == "next" and len(n.args) == 1 for n in inside)
    if around or asks:
        return None
    last = gast.copy_location(gast.Return(None), body[-1])
    return rewritten_function(function, source, "ending", clone(source.tree.args), rewrite_blocks([*body, last], _said))


def _ends(node: Any) -> bool:
    raised = node.exc.func if isinstance(node, gast.Raise) and isinstance(node.exc, gast.Call) else getattr(node, "exc", None)
    return isinstance(raised, gast.Name) and raised.id == "StopIteration"


def _said(body: list[gast.stmt]) -> list[gast.stmt]:
    new: list[gast.stmt] = []
    for s in body:
        if _ends(s):
            s = gast.copy_location(gast.Return(gast.Tuple([constant(True), constant(None)], gast.Load())), s)
        elif isinstance(s, gast.Return):
            item = s.value if s.value is not None else constant(None)
            s = gast.copy_location(gast.Return(gast.Tuple([constant(False), item], gast.Load())), s)
        for node in every_node(s):
            if isinstance(node, gast.expr) and getattr(node, "lineno", None) is None:
                gast.copy_location(node, s)
        new.append(s)
    return new
