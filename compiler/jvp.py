"""jvp: the value of a function and its derivative along given tangents of the arguments, in one pass forward."""

import weakref
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pullback.compiler.analysis.program import Program
from pullback.compiler.analysis.shadows import find_shadows
from pullback.compiler.analysis.values import Value
from pullback.compiler.api import Derived, underlying
from pullback.compiler.emit.names_used import needed_names
from pullback.compiler.emit.printer import printed
from pullback.compiler.errors import ArgumentError, Diagnostic
from pullback.compiler.forms import check_form
from pullback.compiler.frontend.code import Code, code_from_source
from pullback.compiler.frontend.derivatives import DERIVE, FAMILY
from pullback.compiler.frontend.source import find_source, own_signature
from pullback.compiler.nesting import Loaded, Make, free_standing, loaded
from pullback.compiler.optimise.dead import without_dead_code
from pullback.compiler.pipeline import Derivative, Stage, masks, normal_form, refuse, shared, written_arrays
from pullback.compiler.rules import load_rules
from pullback.compiler.sharing import as_given
from pullback.compiler.stages import functions_of
from pullback.compiler.tangent.calls import parameters_of
from pullback.compiler.tangent.functions import may_meet_zero, tangent_functions
from pullback.runtime.shadows import Shadow, blank, has_fields
from pullback.runtime.tangents import zero_tangent


@dataclass
class TangentDerivative(Derivative):
    """A forward-mode derivative, with its calling convention: parameters, of which some come with a tangent."""

    parameters: tuple[str, ...] = ()
    dotted: tuple[str, ...] = ()


def tangent_derivative(code: Code, make: Callable[[Program], dict[str, Value]], wrt: tuple[str, ...],
                       show: Stage | None = None) -> TangentDerivative:
    """The forward-mode derivative of a function for a signature."""
    load_rules()
    program, spec = normal_form(code, make)
    if show is not None:
        show("normalised", functions_of(program))
    guards = masks(program) or may_meet_zero(program)
    functions, specs = tangent_functions(program, spec, find_shadows(program), guards, wrt)
    refuse(program)
    if show is not None:
        show("raw", list(functions))
    functions = [without_dead_code(f, program) for f in functions]
    if show is not None:
        show("final", list(functions))
    text = "\n\n\n".join(printed(f).strip() for f in functions) + "\n"
    derivative = TangentDerivative(text, functions[-1].name, result=spec.result or Value("none"),
                                   functions=tuple(functions), parameters=parameters_of(spec))
    derivative.codes = {f.name: s.code for f, s in zip(functions, [*specs[1:], specs[0]])}
    derivative.shared_written, derivative.written = shared(program, spec), written_arrays(program, spec)
    derivative.globals_read, derivative.fixed = list(program.globals_read.values()), list(program.fixed.values())
    derivative.dotted = tuple(p for p in parameters_of(spec) if p in wrt and program.is_varied(spec.parameters[p]))
    needed_names(derivative, [s.code for s in specs], functions)
    return derivative


class Tangent(Derived):
    """A function's forward-mode derivative, kept per signature."""

    def __init__(self, function: Callable[..., Any], wrt: tuple[str, ...]) -> None:
        super().__init__(function, wrt, "jvp")

    def _derive(self, values: dict[str, Any]) -> Derivative:
        code = code_from_source(self.code_source, self._function)
        ours = {old: new for new, old in code.aliases.items()}

        def make(program: Program) -> dict[str, Value]:
            return {ours.get(n, n): program.value_of(v, n, n in self.wrt) for n, v in values.items()}

        return tangent_derivative(code, make, tuple(ours.get(w, w) for w in self.wrt))


_known: "weakref.WeakKeyDictionary[Any, dict[tuple[str, ...], Tangent]]" = weakref.WeakKeyDictionary()


def jvp(function: Callable[..., Any], args: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[Any, Any]:
    """(value, tangent): the value of `function(*args)`, and how it moves when the arguments move along `tangents`.

    `tangents` has the structure of `args`; None stands for an argument, or a part of one, that does not
    move. The tangent has the structure of the value. The arguments are left as they are.
    Raises DerivativeError for what cannot be differentiated.
    """
    if not isinstance(args, (tuple, list)) or not isinstance(tangents, (tuple, list)):
        raise ArgumentError(Diagnostic("jvp", "`args` and `tangents` are not tuples",
                                       advice="pass tuples: `jvp(f, (x,), (x_dot,))`"))
    if len(tangents) != len(args):
        raise ArgumentError(Diagnostic("jvp", f"{len(args)} arguments, but {len(tangents)} tangents",
                                       advice="pass None for an argument that does not move"))
    names, given = _bound(function, args, tangents)
    wrt = tuple(n for n in names if _moves(given.get(n)))
    if not wrt:
        value = function(*args)
        return value, like(value, zero_tangent(value))
    derived = _tangent(function, wrt)
    values = derived.bound(args)
    compiled: Any = derived.compiled(values)
    passed: list[Any] = []
    given_values = as_given(values, compiled.derivative.written)
    for n, parameter in zip(values, compiled.derivative.parameters):
        passed.append(given_values[n])
        if parameter in compiled.derivative.dotted:
            check_form(values[n], given.get(n), "tangent", f"`{n}`")
            passed.append(seed(values[n], given.get(n), f"`{n}`", {}))
    value, tangent = compiled.run(compiled.function, *passed)
    return value, like(value, tangent)


def _inside(code: Code, make: Make, wrt: tuple[str, ...], single: bool) -> Loaded:
    """Value and tangent of a function of a program, each argument that moves followed by its tangent."""
    derivative = tangent_derivative(free_standing(code), make, wrt)
    return replace(loaded(derivative), dotted=derivative.dotted)


FAMILY |= {jvp: "jvp"}
DERIVE |= {"jvp": _inside}


def _bound(function: Any, args: tuple[Any, ...], tangents: tuple[Any, ...]) -> tuple[list[str], dict[str, Any]]:
    """The parameters' names, and the tangents by them."""
    plain, owner = underlying(function)
    find_source(plain)  # refuses what is no function
    signature = own_signature(plain)
    if owner is not None:
        args, tangents = (owner, *args), (None, *tangents)
    signature.bind(*args)
    return list(signature.parameters), signature.bind(*tangents).arguments


def _tangent(function: Callable[..., Any], wrt: tuple[str, ...]) -> Tangent:
    """The derivative object of a plain function is kept as long as the function lives."""
    plain, owner = underlying(function)
    if owner is not None:
        return Tangent(function, wrt)
    known = _known.setdefault(plain, {})
    if wrt not in known:
        known[wrt] = Tangent(plain, wrt)
    return known[wrt]


def _moves(tangent: Any) -> bool:
    """Does a tangent say anything but None?"""
    if isinstance(tangent, (list, tuple)):
        return any(_moves(t) for t in tangent)
    if isinstance(tangent, dict):
        return any(_moves(t) for t in tangent.values())
    return tangent is not None


def seed(value: Any, tangent: Any, where: str, seen: dict[int, Any]) -> Any:
    """A tangent in the form of its argument, in memory of its own."""
    if tangent is None:
        return zero_tangent(value, seen)
    made = _seeded(value, tangent, where, seen)
    if not isinstance(value, (np.ndarray, list, dict)) and not has_fields(value):
        return made
    kept = seen.setdefault(id(value), made)  # an object met twice has one tangent
    if kept is not made and not same_tangent(kept, made):
        raise ArgumentError(Diagnostic("jvp", f"{where} holds the same object twice, with different tangents",
                                       advice="pass copies, or the same tangent for both"))
    return kept


def same_tangent(a: Any, b: Any) -> bool:
    if isinstance(a, Shadow):
        return same_tangent(vars(a), vars(b))
    if isinstance(a, dict):
        return all(same_tangent(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)):
        return all(same_tangent(x, y) for x, y in zip(a, b, strict=True))
    return np.array_equal(a, b)


def _seeded(value: Any, tangent: Any, where: str, seen: dict[int, Any]) -> Any:
    if isinstance(value, np.ndarray) and value.dtype.kind in "fc":
        made = np.zeros_like(value)
        made[...] = tangent
        return made
    if isinstance(value, (list, tuple)):
        parts = [seed(v, t, where, seen) for v, t in zip(value, tangent, strict=True)]
        if isinstance(value, list):
            return parts
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if isinstance(value, dict):
        return {k: seed(v, tangent.get(k), where, seen) for k, v in value.items()}
    if isinstance(value, (float, np.floating)):
        return float(tangent)
    if isinstance(value, (complex, np.complexfloating)):
        return complex(tangent)
    if has_fields(value):
        return Shadow(**{k: seed(v, getattr(tangent, k, None), where, seen) for k, v in vars(value).items()})
    return zero_tangent(value, seen)


def like(value: Any, tangent: Any) -> Any:
    """A tangent in the form of the value: floats for numbers, arrays of its shape, the same containers."""
    if isinstance(value, np.ndarray) and value.dtype.kind in "fciub":
        made = np.broadcast_to(np.asarray(tangent), value.shape)
        dtype = value.dtype if value.dtype.kind in "fc" else float
        return np.array(made.real if np.dtype(dtype).kind == "f" else made, dtype=dtype)
    if isinstance(value, (complex, np.complexfloating)):
        return type(value)(np.reshape(tangent, ()))
    if isinstance(value, np.floating):
        return type(value)(np.real(np.reshape(tangent, ())))
    if isinstance(value, (bool, int, float, np.number, np.bool_)):
        return float(np.real(np.reshape(tangent, ())))
    if isinstance(value, tuple):
        parts = [like(v, t) for v, t in zip(value, tangent, strict=True)]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if isinstance(value, list):
        return [like(v, t) for v, t in zip(value, tangent, strict=True)]
    if isinstance(value, dict):
        return {k: like(v, tangent[k]) for k, v in value.items()}
    if isinstance(tangent, Shadow):
        made_object = blank(type(value))
        for key, part in vars(value).items():
            object.__setattr__(made_object, key, like(part, getattr(tangent, key, None)))
        return made_object
    return None


__all__ = ["Tangent", "jvp", "tangent_derivative"]
