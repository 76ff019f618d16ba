"""Functions that write: which argument they write to, and what it holds then.

A function that changes its first argument is the assignment that its text says; the text is read as a rule's
is, and tests run it beside the function. Parameters that a call does not give are left out of the calls in it.

    @writes(np.copyto)
    def _(dst, src, casting="same_kind", where=True):
        dst[...] = src

Any other function may be told where to write its results, by `out` or by position (`split_out`).
"""

import functools
import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import gast
import numpy as np

from pullback.compiler.ir.template import constant, substituted
from pullback.compiler.ir.walk import every_node
from pullback.compiler.rules.language import constant as no_derivative
from pullback.runtime.selection import along_places, diagonal_places, flat_places, scattered
from pullback.runtime.shaping import repeated

Argument = TypeVar("Argument")


@dataclass(frozen=True, eq=False)
class Writer:
    """A function that writes into its first argument, as its author wrote it; the text is read on first use.

    `in_order` names an argument that NumPy reads entry by entry as it writes.
    """

    function: Callable[..., Any]
    in_order: str = ""

    @functools.cached_property
    def signature(self) -> inspect.Signature:
        return inspect.signature(self.function)

    @functools.cached_property
    def body(self) -> list[gast.stmt]:
        definition = gast.parse(textwrap.dedent(inspect.getsource(self.function))).body[0]
        assert isinstance(definition, gast.FunctionDef)
        for node in (n for s in definition.body for n in every_node(s)):
            for place in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
                node.__dict__.pop(place, None)
        return definition.body

    def bind(self, positional: Sequence[Argument], keywords: Mapping[str, Argument]) -> dict[str, Argument] | None:
        """The arguments given, by parameter; None where Python would raise."""
        try:
            return self.signature.bind(*positional, **keywords).arguments
        except TypeError:
            return None

    def text(self, given: Mapping[str, gast.expr]) -> list[gast.stmt]:
        """The statements that the call is, in terms of the parameters that it gives."""
        absent = set(self.signature.parameters) - set(given)
        taken = [self._decided(s, given) if isinstance(s, gast.If) else [s] for s in self.body]
        return [_Trim(absent).visit(s) for s in substituted([s for part in taken for s in part], {})]

    def _decided(self, s: gast.If, given: Mapping[str, gast.expr]) -> list[gast.stmt]:
        """`if where is True:` of a literal or a parameter left out."""
        assert isinstance(s.test, gast.Compare) and isinstance(s.test.left, gast.Name)
        name = s.test.left.id
        argument = given.get(name, constant(self.signature.parameters[name].default))
        wanted = s.test.comparators[0].value  # type: ignore[attr-defined]
        return s.body if isinstance(argument, gast.Constant) and argument.value is wanted else s.orelse


class _Trim(gast.NodeTransformer):
    """Calls without the arguments that are left out."""

    def __init__(self, absent: set[str]) -> None:
        self.absent = absent

    def visit_Call(self, node: gast.Call) -> gast.Call:
        node.args = [self.visit(a) for a in node.args if not (isinstance(a, gast.Name) and a.id in self.absent)]
        return node


_writers: dict[Any, Writer] = {}


def writes(*functions: Any, in_order: str = "") -> Callable[..., Any]:
    """Register functions that change their first argument."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        _writers.update(dict.fromkeys(functions, Writer(function, in_order)))
        return function

    return register


def writer_of(function: Any) -> Writer | None:
    """What the function writes into its first argument, if it is one that does."""
    try:
        return _writers.get(function)
    except TypeError:  # unhashable callables are none
        return None


def writers() -> Mapping[Any, Writer]:
    return _writers


@writes(np.copyto)
def _(dst, src, casting="same_kind", where=True):
    if where is True:
        dst[...] = src
    else:
        dst[...] = np.where(where, src, dst)


@writes(np.ndarray.fill)
def _(a, value):
    a[...] = value


@writes(np.ndarray.sort)
def _(a, axis=-1, kind=None, order=None, *, stable=None):
    a[...] = np.sort(a, axis)


@writes(np.ndarray.partition)
def _(a, kth, axis=-1, kind="introselect", order=None):
    a[...] = np.partition(a, kth, axis)


@writes(np.put, np.ndarray.put)
def _(a, ind, v, mode="raise"):
    a[flat_places(np.shape(a), ind, mode)] = repeated(v, np.shape(ind))


@writes(np.put_along_axis)
def _(arr, indices, values, axis=-1):
    arr[along_places(np.shape(arr), indices, axis)] = values


@writes(np.putmask)
def _(a, mask, values):
    a[...] = np.where(np.reshape(mask, np.shape(a)), repeated(values, np.shape(a)), a)


@writes(np.place)
def _(arr, mask, vals):
    arr[np.not_equal(np.reshape(mask, np.shape(arr)), 0)] = np.resize(vals, np.count_nonzero(mask))


@writes(np.fill_diagonal, in_order="val")
def _(a, val, wrap=False):
    a[diagonal_places(np.shape(a), wrap)] = repeated(val, np.shape(diagonal_places(np.shape(a), wrap)[0]))


@writes(np.add.at)
def _(a, indices, b):
    a[...] += scattered(a, indices, b)


@writes(np.subtract.at)
def _(a, indices, b):
    a[...] -= scattered(a, indices, b)


no_derivative(flat_places, along_places, diagonal_places)


# ------------------------------------------------------------------------------------------- out

# where `out` stands in functions that NumPy writes in C, which not all of its releases give a signature
IN_C = {"reduce": 3, "accumulate": 3, "reduceat": 4, "dot": 2, "concatenate": 2}


UNHEEDED = (np.fft.hfft, np.fft.ifft2, np.fft.irfft2)  # take `out`, and in some releases of NumPy do not write to it

IN_ORDER = (np.concatenate, np.stack)  # write one argument after the other into `out`


@functools.cache
def _out_place(function: Any) -> tuple[int, int, tuple[str, ...]]:
    """(the first argument by position that is written to, how many are, the names of those behind)."""
    if isinstance(function, np.ufunc):
        return function.nin, function.nout, ()
    name = getattr(function, "__name__", "")
    if name in IN_C and (isinstance(getattr(function, "__self__", None), np.ufunc) or function in (np.dot, np.concatenate)):
        return IN_C[name], 1, ("keepdims", "initial", "where") if name == "reduce" else ()
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):  # there is none to read
        return 0, 0, ()
    names = [n for n, p in parameters.items() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return (names.index("out"), 1, tuple(names[names.index("out") + 1 :])) if "out" in names else (0, 0, ())


def split_out(
    function: Any, positional: Sequence[Argument], keywords: Mapping[str, Argument]
) -> tuple[list[Argument], dict[str, Argument], list[Argument]]:
    """The arguments of a call of NumPy's without those it is to write its results to; and these, as they are given."""
    if isinstance(function, type) or function in UNHEEDED:  # dict(out=x): a field of this name
        return list(positional), dict(keywords), []
    named = {k: v for k, v in keywords.items() if k != "out"}
    outs = [keywords["out"]] if "out" in keywords else []
    if function is np.nan_to_num and len(positional) > 1:  # x, copy
        named = {"copy": positional[1], **dict(zip(("nan", "posinf", "neginf"), positional[2:])), **named}
        positional = positional[:1]
    if function is np.nan_to_num and positional and "copy" in named and _is_off(named["copy"]):
        named.pop("copy")
        outs = [positional[0]]
    first, count, behind = _out_place(function)
    if count and not outs and len(positional) > first:
        outs = list(positional[first : first + count])
        named = dict(zip(behind, positional[first + count :])) | named
        positional = positional[:first]
    return list(positional), named, outs


def _is_off(argument: Any) -> bool:
    """Is the argument, an expression or what is known of one, the constant False, or 0?"""
    constant = getattr(argument, "known", argument)
    return hasattr(constant, "value") and not constant.value
