"""What type a function returns: NumPy's own answer, for two small examples of its argument types.

Every symbolic length gets a size of its own, another one in the second example; the result's lengths
are read back from how they changed. So no rule needs a second rule for its types.
"""

import functools
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pullback.compiler.analysis.values import (
    KINDS,
    NUMBER,
    PERHAPS_INTEGRAL,
    SCALARS,
    WIDE,
    Dim,
    Known,
    Linear,
    Value,
    as_dim,
    replace,
)

Sizes = dict[str, int]


# functions whose result's shape depends on the data: an example tells only the rank
DATA_SHAPED = frozenset(
    (
        *("unique", "unique_all", "unique_counts", "unique_inverse", "unique_values", "nonzero", "flatnonzero"),
        *("argwhere", "compress", "extract", "setdiff1d", "intersect1d", "union1d", "setxor1d", "bincount"),
        *("trim_zeros", "repeat", "delete", "insert", "split", "array_split", "hsplit", "vsplit", "dsplit"),
        *("histogram", "resize", "choose", "ix_", "polymul", "roots", "lstsq"),
    )
)


def _blurred(value: Value) -> Value:
    items = None if value.items is None else tuple(_blurred(i) for i in value.items)
    dims = None if value.dims is None else (None,) * len(value.dims)
    return Value(value.kind, value.dtype, dims, items=items, code=value.code)


class Unanswered(Exception):
    """The example could not be made or run."""


def result_type(function: Callable[..., Any], arguments: Sequence[Value], keywords: dict[str, Value]) -> Value:
    """The type of `function(*arguments, **keywords)`, without memory and activity."""
    stripped = tuple(_stripped(a) for a in arguments)
    named = tuple((k, _stripped(v)) for k, v in sorted(keywords.items()))
    found = _asked(function, stripped, named)
    if not found.smooth and found.items is None:
        return found
    whole, also = tuple(_whole(a) for a in stripped), tuple((k, _whole(v)) for k, v in named)
    if (whole, also) == (stripped, named):
        return found
    return _either(found, _asked(function, whole, also))


def _asked(function: Any, arguments: tuple[Value, ...], named: tuple[tuple[str, Value], ...]) -> Value:
    try:
        return _result_type(function, arguments, named)
    except TypeError:  # an unhashable known value
        return _result_type.__wrapped__(function, arguments, named)


def _whole(value: Value) -> Value:
    """The value where what is perhaps of integers is."""
    if value.items is not None:
        items = tuple(_whole(i) for i in value.items)
        return value if items == value.items else replace(value, items=items)
    if not value.perhaps_integral:
        return value
    return replace(value, kind="int", dtype="") if value.kind in SCALARS else replace(value, dtype="int64")


def _either(found: Value, whole: Value) -> Value:
    """A result for numbers of any kind, by what it is for floats and for integers."""
    if found.items is not None and whole.items is not None and len(found.items) == len(whole.items):
        return replace(found, items=tuple(map(_either, found.items, whole.items)))
    return replace(found, dtype=PERHAPS_INTEGRAL) if found.smooth and whole.integral and not found.is_complex else found


def _stripped(value: Value) -> Value:
    items = None if value.items is None else tuple(_stripped(i) for i in value.items)
    code = value.code if value.code == "many" else None
    return Value(value.kind, value.dtype, value.dims, items=items, known=value.known, length=value.length, code=code)


@functools.lru_cache(maxsize=20000)
def _result_type(function: Any, arguments: tuple[Value, ...], named: tuple[tuple[str, Value], ...]) -> Value:
    blur = getattr(function, "__name__", "") in DATA_SHAPED or (
        function is np.arange and any(a.kind == "float" and a.known is None for a in arguments)
    )
    symbols = _symbols([*arguments, *(v for _, v in named)])
    for first, second, distinct in _size_choices(symbols):
        try:
            a = _run(function, arguments, named, first)
            b = _run(function, arguments, named, second)
            found = _read_back(a, b, symbols if distinct else {}, first, second, symbols)
            return _blurred(found) if blur else found
        except Unanswered:
            continue
    return _rank_only(function, arguments, named)


def _rank_only(function: Any, arguments: tuple[Value, ...], named: tuple[tuple[str, Value], ...]) -> Value:
    """Where numbers given do not fit, as lengths or at all (1 / 0), lengths are taken as equal and the rest as any."""
    loose, also = tuple(_loosened(a) for a in arguments), tuple((k, _loosened(v)) for k, v in named)
    if all(a.kind in SCALARS for a in arguments) and not named:
        loose = tuple(Value(a.kind, a.dtype) for a in arguments)
    if (loose, also) == (arguments, named):
        return NUMBER
    for small, large in ((5, 7), (3, 3), (2, 2)):  # vectors of space, or of the plane, for the like of np.cross
        try:
            found = _run(function, loose, also, {"?": small, "int": small})
            again = _run(function, loose, also, {"?": large, "int": large})
            return _blurred(_read_back(found, again, {}, {}, {}, {"?": False}))
        except Unanswered:
            continue
    return NUMBER


def _loosened(value: Value) -> Value:
    items = None if value.items is None else tuple(_loosened(i) for i in value.items)
    dims = None if value.dims is None else (None,) * len(value.dims)
    known = None if value.kind == "float" else value.known  # math.sqrt(-1.0) has the type of math.sqrt(2.0)
    return Value(value.kind, value.dtype, dims, items=items, known=known, code=value.code)


def _symbols(values: Sequence[Value]) -> dict[str, bool]:
    found: dict[str, bool] = {}
    for value in values:
        for dim in value.dims or ():
            if isinstance(dim, Linear):
                found[dim.symbol] = dim.wide
            elif dim in (None, WIDE):
                found["?" if dim is None else WIDE] = dim is not None
        if value.code == "many":
            found["?"] = False
        if value.length is not None:
            found[value.length.symbol] = value.length.wide
        elif value.kind == "int" and value.known is None:
            found["int"] = False
        found |= _symbols(value.items or ())
    return found


def _size_choices(symbols: dict[str, bool]) -> list[tuple[Sizes, Sizes, bool]]:
    """Distinct sizes that grow by distinct steps; then all equal, for operands that have to agree.

    No half or third of a step is another step, so that n // 2 is not taken for m plus a constant.
    """
    order = sorted(symbols)
    distinct = (
        {s: 5 + 2 * i for i, s in enumerate(order)},
        {s: 21 + 3 * i for i, s in enumerate(order)},
        True,
    )
    equal = (dict.fromkeys(order, 5), dict.fromkeys(order, 7), False)
    return [distinct, equal]


def _run(function: Any, arguments: Sequence[Value], named: Sequence[tuple[str, Value]], sizes: Sizes) -> Any:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return function(*(example(a, sizes) for a in arguments), **{k: example(v, sizes) for k, v in named})
        except Exception as problem:  # whatever NumPy says of this example, it is no answer
            raise Unanswered from problem


def example(value: Value, sizes: Sizes) -> Any:
    """A small instance of an abstract value."""
    if value.known is not None:
        return value.known.value
    if value.kind in ("float", "complex", "bool", "int"):
        return _scalar(value, sizes)
    if value.kind == "array" and value.dims is not None:
        return _array(tuple(_size(d, sizes) for d in value.dims), _plain(value) or "float64")
    if value.code == "many" and value.items:
        return [example(value.items[0], sizes) for _ in range(sizes["?"])]
    if value.kind in ("tuple", "list") and value.items is not None:
        return (tuple if value.kind == "tuple" else list)(example(i, sizes) for i in value.items)
    raise Unanswered


def _scalar(value: Value, sizes: Sizes) -> Any:
    if value.kind == "int":
        plain: Any = sizes[value.length.symbol] + value.length.offset if value.length else sizes["int"]
    else:
        plain = {"float": 0.5, "complex": 0.5 + 0.25j, "bool": True}[value.kind]
    dtype = _plain(value)
    return np.dtype(dtype).type(plain) if dtype else plain


def _plain(value: Value) -> str:
    """The dtype of an example: a float's of what is perhaps of integers."""
    return "" if value.dtype == PERHAPS_INTEGRAL else value.dtype


def _size(dim: Dim, sizes: Sizes) -> int:
    if isinstance(dim, int):
        return dim
    if isinstance(dim, Linear):
        return sizes[dim.symbol] + dim.offset
    return sizes["?" if dim is None else WIDE]


def _array(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Well-conditioned content: a stack of diagonally dominant matrices, entries between 0 and 1 elsewhere."""
    if len(shape) >= 2 and shape[-1] == shape[-2] and np.dtype(dtype).kind in "fc":
        return np.broadcast_to(0.05 + 0.5 * np.eye(shape[-1]), shape).astype(dtype)
    if np.dtype(dtype).kind in "fc":
        return np.linspace(0.3, 0.7, int(np.prod(shape))).reshape(shape).astype(dtype)
    return np.zeros(shape, dtype)


def _read_back(a: Any, b: Any, exact: dict[str, bool], first: Sizes, second: Sizes, symbols: dict[str, bool]) -> Value:
    def dim(x: int, y: int) -> Dim:
        if x == y:
            return x
        for symbol in exact:
            if symbol in ("?", "int", WIDE):
                continue
            if x - first[symbol] == y - second[symbol]:
                return Linear(symbol, x - first[symbol], exact[symbol])
        fits_all = all(symbols.values()) and not exact
        wide = (fits_all and (x, y) == (5, 7)) or (WIDE in exact and (x, y) == (first[WIDE], second[WIDE]))
        return WIDE if wide else None

    def length(x: int, y: int) -> Linear | None:
        found = dim(x, y) if x != y and x > 0 and y > 0 else None
        return found if isinstance(found, Linear) else None

    def value(x: Any, y: Any) -> Value:
        if isinstance(x, bool):
            return Value("bool")
        if isinstance(x, int) and isinstance(y, int):
            return Value("int", length=length(x, y))
        if isinstance(x, (float, complex)) and not isinstance(x, np.generic):
            return Value("float" if isinstance(x, float) else "complex")
        if isinstance(x, np.generic):
            kind = KINDS.get(x.dtype.kind, "opaque")
            return Value(kind, x.dtype.name if kind != "opaque" else "")
        if isinstance(x, np.ndarray):
            if x.dtype.kind not in "fciub":
                return Value("opaque")
            if x.ndim != np.ndim(y):
                return Value("number")
            return Value("array", x.dtype.name, tuple(as_dim(dim(p, q)) for p, q in zip(x.shape, y.shape)))
        if isinstance(x, (tuple, list)):
            if len(x) != len(y):
                inner = value(x[0], y[0]) if len(x) and len(y) else Value("opaque")
                return Value("list", code=inner) if isinstance(x, list) else Value("opaque")
            kind = "tuple" if isinstance(x, tuple) else "list"
            named = type(x) if hasattr(x, "_fields") else None
            return Value(kind, items=tuple(value(p, q) for p, q in zip(x, y)), code=named)
        if x is None:
            return Value("none", known=Known(None))
        return Value("opaque", code="slice" if isinstance(x, slice) else None)

    return value(a, b)
