"""Derivatives inside programs: the derivative of a function of the program, loaded as a function of its own."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import gast

from pullback.compiler.analysis.program import Code, Program
from pullback.compiler.analysis.values import Value
from pullback.compiler.arguments import scalar_result
from pullback.compiler.emit.load import load, namespace
from pullback.compiler.emit.names_used import needed_names
from pullback.compiler.emit.printer import printed
from pullback.compiler.frontend import equivalents
from pullback.compiler.frontend.derivatives import DERIVE, RESULT_BAR
from pullback.compiler.ir.names import Names
from pullback.compiler.ir.template import clone, constant, name
from pullback.compiler.ir.walk import names_in, own_nodes, parameters
from pullback.compiler.pipeline import Derivative, differentiate


@dataclass
class Loaded:
    """A derivative that runs, and whose text can be read again."""

    function: Any
    shared: tuple[tuple[str, str], ...]  # (written, other): parameters that must not be the same memory
    fixed: list[tuple[Code, str, Any]]  # globals that its text was compiled with
    result: Value
    dotted: tuple[str, ...] = ()  # parameters of a tangent that are followed by their own tangents


Make = Callable[[Program], dict[str, Value]]


def gradient(code: Code, make: Make, wrt: tuple[str, ...], single: bool, with_value: bool = False) -> Loaded:
    """The gradient of a function of the program; what the function captures becomes parameters."""
    derivative = differentiate(free_standing(code), make, wrt, single=single, with_value=with_value)
    scalar_result(derivative.result, code.name, code)
    return loaded(derivative)


def value_and_gradient(code: Code, make: Make, wrt: tuple[str, ...], single: bool) -> Loaded:
    return gradient(code, make, wrt, single, with_value=True)


def pullback(code: Code, make: Make, wrt: tuple[str, ...], single: bool) -> Loaded:
    """The adjoints of the arguments as a function of them and of the result's adjoint."""
    free = free_standing(code)
    bar = free.names.fresh("result_bar")
    free.tree.args.args.append(gast.Name(bar, gast.Param(), None, None))
    paired = free.give(equivalents.paired)
    for node in [n for s in free.tree.body for n in own_nodes(s) if isinstance(n, gast.Return)]:
        node.value = gast.Call(name(paired), [name(bar), node.value or constant(None)], [])
        gast.copy_location(node.value, node)
    free.read()

    def make_with_bar(program: Program) -> dict[str, Value]:
        return {bar if p == RESULT_BAR else p: value for p, value in make(program).items()}

    derivative = differentiate(free, make_with_bar, wrt, single=single)
    scalar_result(derivative.result, code.name, code)  # a complex value has no adjoint of this kind
    made = loaded(derivative)
    keys = {bar: RESULT_BAR}
    return replace(made, shared=tuple((keys.get(p, p), keys.get(q, q)) for p, q in made.shared))


def primal(code: Code, make: Make, wrt: tuple[str, ...], single: bool) -> Loaded:
    """The function itself, with what it captures as parameters."""
    free = free_standing(code)
    derivative = Derivative(printed(free.tree), free.tree.name)
    needed_names(derivative, [free], [free.tree])
    return loaded(derivative)


def loaded(derivative: Derivative) -> Loaded:
    function = load(derivative.text, derivative.entry, namespace(derivative))[derivative.entry]
    fixed = [*derivative.globals_read, *derivative.fixed]
    return Loaded(function, derivative.shared_written, fixed, derivative.result)


DERIVE |= {"grad": gradient, "value_and_grad": value_and_gradient, "vjp": pullback, "primal": primal}


def free_standing(code: Code) -> Code:
    """A function that gets as plain parameters whatever it receives and captures."""
    tree = clone(code.tree)
    plain = [gast.Name(p, gast.Param(), None, None) for p in (*parameters(tree), *code.captured)]
    tree.args = gast.arguments(plain, [], None, [], [], None, [])
    tree.body = [*_siblings(code), *tree.body]
    names = Names(code.names.taken)
    return Code(code.name, code.file, code.lines, tree, names, code.function, code.parent, code.module,
                dict(code.aliases), code.given, settled=set(code.settled))


def _siblings(code: Code) -> list[gast.stmt]:
    """The functions around it that it calls, directly or through others."""
    found: dict[str, gast.stmt] = {}
    for outer in code.ancestors()[1:]:
        inside = [n for s in outer.tree.body for n in own_nodes(s) if isinstance(n, gast.FunctionDef)]
        waiting = [code.tree, *found.values()]
        while waiting:
            read = names_in(waiting.pop())
            new = [f for f in inside if f.name in read and f.name not in found and f.name not in code.locals]
            found |= {f.name: f for f in new}
            waiting += new
    return [clone(f) for f in found.values()]
