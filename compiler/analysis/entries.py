"""np.ndenumerate(u)   →   (((i, j), u[i, j]) for i in range(len(u)) for j in range(len(u[i])))"""

from typing import Any

import gast
import numpy as np

from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.values import Value
from pullback.compiler.ir.template import expression, name


class Entries(Part):
    """The meaning of going through an array with the places of its entries."""

    def meaning_of_entries(self, thing: Any, node: gast.Call, env: Env) -> Value | None:
        if thing is not np.ndenumerate or len(node.args) != 1:
            return None
        value = self.value(node.args[0], env)
        if not self.varied(value) or value.rank is None or value.kind != "array":
            return None
        return self.meant(node, lambda: self.let(node.args, lambda u: self._entries(u, value.rank or 0), "u"), env, value.rank)

    def _entries(self, u: str, rank: int) -> gast.expr:
        places = [self.fresh("i") for _ in range(rank)]
        loops = []
        for axis, i in enumerate(places):
            loops.append(gast.comprehension(name(i, store=True), expression(f"range(np.shape({u})[{axis}])"), [], False))
        index = gast.Tuple([name(i) for i in places], gast.Load())
        entry = gast.Subscript(name(u), gast.Tuple([name(i) for i in places], gast.Load()), gast.Load())
        return gast.GeneratorExp(gast.Tuple([index, entry], gast.Load()), loops)
