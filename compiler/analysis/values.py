"""What is known of a value at compile time: an element of the type lattice, with its memory and activity."""

import re
import types
from dataclasses import dataclass, field
from typing import Any, TypeVar

import gast
import numpy as np

Site = str  # where memory was allocated: an argument, a global, or a place in the text


def attribute_site(word: str) -> Site:
    """What classes and modules hold under a name, whichever they are: they are no memory that is followed."""
    return f"attribute {word}"


Frozen = TypeVar("Frozen")


def replace(value: Frozen, **changes: Any) -> Frozen:
    """`dataclasses.replace` for the plain values of this file, which inference makes by the thousand."""
    new = object.__new__(type(value))
    new.__dict__.update(value.__dict__, **changes)
    return new


@dataclass(frozen=True)
class Linear:
    """A length: a symbol plus a constant. `wide` symbols are lengths of at least 2."""

    symbol: str
    offset: int = 0
    wide: bool = False

    @property
    def never_one(self) -> bool:
        return self.wide and self.offset >= 0


WIDE = "wide"  # not 1, otherwise unknown
Dim = int | Linear | str | None  # None: unknown
Dims = tuple[Dim, ...] | None  # None: the rank is unknown


def never_one(dim: Dim) -> bool:
    """Is a dimension known not to be 1?"""
    if isinstance(dim, Linear):
        return dim.never_one
    return dim == WIDE or (isinstance(dim, int) and dim != 1)


def as_dim(length: Dim) -> Dim:
    """The length of an array that has n - k entries, or none if n is less than k.

    Where n may be less, no arithmetic on n holds for it: it is a symbol of its own, written n[k:].
    """
    if not isinstance(length, Linear) or length.offset >= (-2 if length.wide else 0):
        return length
    cut = re.search(r"\[(\d+):\]$", length.symbol)
    base, before = (length.symbol[: cut.start()], int(cut[1])) if cut else (length.symbol, 0)
    return Linear(f"{base}[{before - length.offset}:]")


def same_length(a: Dim, b: Dim) -> bool:
    """Are two dimensions known to be equal (given that NumPy accepts them together)?"""
    known = a is not None and a == b and a != WIDE
    return known or (never_one(a) and never_one(b))


def mentions(dim: Dim, name: str) -> bool:
    """Is this the length of a slice bounded by a variable of this name?"""
    return isinstance(dim, Linear) and dim.symbol.startswith("~") and f",{name}," in dim.symbol


def settled_lengths(value: "Value") -> "Value":
    """The value without lengths that only hold while some variable keeps its value."""
    items = None if value.items is None else tuple(settled_lengths(i) for i in value.items)
    if value.dims is None or not any(isinstance(d, Linear) and d.symbol.startswith("~") for d in value.dims):
        return value if items == value.items else replace(value, items=items)
    dims = tuple(None if isinstance(d, Linear) and d.symbol.startswith("~") else d for d in value.dims)
    return replace(value, dims=dims, items=items)


def identical(a: Dims, b: Dims) -> bool:
    """Are two shapes certainly equal, whatever the arguments?"""
    return (
        a is not None
        and b is not None
        and len(a) == len(b)
        and all(x is not None and x == y and x != WIDE for x, y in zip(a, b))
    )


def covers(small: Dims, large: Dims) -> bool:
    """Does an operand of shape `small` fill a broadcast result of shape `large` without repetition?"""
    if small is None or large is None or len(small) != len(large):
        return False
    return all(same_length(a, b) or never_one(a) for a, b in zip(small, large))


def repeated_axes(small: Dims, large: Dims) -> tuple[tuple[int, ...], bool] | None:
    """The axes of a broadcast result along which an operand was repeated, and does it have them with length 1?

    None where that is not known, or both kinds occur.
    """
    if small is None or large is None or len(small) > len(large):
        return None
    lead = len(large) - len(small)
    kept = [lead + i for i, d in enumerate(small) if not covers((d,), (large[lead + i],))]
    if any(small[i - lead] != 1 for i in kept) or bool(kept) == bool(lead):
        return None
    return (tuple(kept), True) if kept else (tuple(range(lead)), False)


def broadcast(a: Dims, b: Dims) -> Dims:
    """The shape of an elementwise result."""
    if a is None or b is None:
        return None
    if len(a) < len(b):
        a, b = b, a
    pad: tuple[Dim, ...] = (1,) * (len(a) - len(b))
    return tuple(_broadcast_dim(x, y) for x, y in zip(a, pad + b))


def _broadcast_dim(x: Dim, y: Dim) -> Dim:
    if x == y or y == 1:
        return x
    if x == 1:
        return y
    if never_one(x):
        return x
    return y if never_one(y) else None


SCALARS = ("bool", "int", "float", "complex")
CONTAINERS = ("tuple", "list", "dict", "set", "object")
MUTABLE = ("list", "dict", "set", "object")


METHOD_TYPES = (types.MethodType, types.BuiltinMethodType, types.MethodWrapperType)


@dataclass(frozen=True)
class Known:
    """A Python object known at compile time, compared by identity; bound methods by what they are bound to."""

    value: Any

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Known):
            return False
        if self.value is other.value:
            return True
        if isinstance(self.value, METHOD_TYPES) and type(self.value) is type(other.value):
            return bool(self.value == other.value)  # each read of `np.add.reduce` makes another
        plain = (int, float, str, bytes, bool, complex, slice, type(None))
        return (
            type(self.value) is type(other.value)
            and isinstance(self.value, plain)
            and (repr(self.value) == repr(other.value))
        )

    def __hash__(self) -> int:
        return hash(type(self.value))


@dataclass(frozen=True)
class StandIn:
    """What a list or dict stands for; `more`: a deque's largest length, or the default of a missing item, as text."""

    cls: type
    more: str = ""
    owner: Any = None  # the function whose variable `more` reads; several, if it is not one and the same


SEVERAL = "several"  # of a stand-in that another container may be in place of


@dataclass(frozen=True)
class Value:
    """An abstract value.

    kind: a scalar ("float", ...), "array", "number" (scalar or array, unknown which), a container,
    "known" (an object the compiler holds), "none", or "opaque" (some object that carries no derivative).
    """

    kind: str
    dtype: str = ""  # "float64", ...; "" is Python's own scalar, or unknown
    dims: Dims = None
    sites: frozenset[Site] = frozenset()
    varied: bool = False
    items: tuple["Value", ...] | None = None  # of a tuple
    known: Known | None = None
    length: Linear | None = None  # of an int that is a length
    code: Any = None  # of a function: what it runs; of an object: the functions that may stand in its place
    unbound: bool = False  # may be unbound on some path
    optional: bool = False  # may be None on some path
    beside: frozenset[Site] = frozenset()  # of a number: the arrays that its variable holds on other paths

    @property
    def rank(self) -> int | None:
        if self.kind in SCALARS:
            return 0
        return None if self.dims is None else len(self.dims)

    @property
    def numeric(self) -> bool:
        return self.kind in SCALARS or self.kind in ("array", "number")

    @property
    def is_complex(self) -> bool:
        """Is it complex, or may it be?"""
        return self.kind == "complex" or self.dtype.startswith("complex")

    @property
    def perhaps_complex(self) -> bool:
        """Is it real on some paths, or for some operands?"""
        return self.dtype == PERHAPS_COMPLEX

    @property
    def integral(self) -> bool:
        """Does it hold integers, by its type?"""
        return self.kind in ("int", "bool") or self.dtype.startswith(("int", "uint", "bool"))

    @property
    def perhaps_integral(self) -> bool:
        """Does it hold integers on some paths, or for some operands?"""
        return self.dtype in (PERHAPS_INTEGRAL, PERHAPS_COMPLEX)

    @property
    def smooth(self) -> bool:
        """Can it carry a derivative, by its type?"""
        if self.kind in ("float", "complex"):
            return True
        return self.kind in ("array", "number") and not self.dtype.startswith(("int", "uint", "bool", "str", "object"))

    @property
    def shape(self) -> Dims:
        return () if self.kind in SCALARS else self.dims

    def active(self) -> "Value":
        return self if self.varied else replace(self, varied=True)


OPAQUE = Value("opaque")
TEXT = Value("opaque", code="text")  # made of active values: nothing but their way back to numbers is refused
BOTTOM = Value("bottom")  # of a call that has not returned yet, in a recursion
NONE = Value("none", known=Known(None))
NUMBER = Value("number")
MOST_TUPLES, ENDLESS = 100, "endless"  # tuples in tuples, as in head = (v, head): beyond it the type has no end
PERHAPS_COMPLEX = "complex"  # the dtype of what is real on some paths, or for some values
PERHAPS_INTEGRAL = "real"  # the dtype of what is an integer on some paths, or for some values
FLAT = "flat"  # the `code` of x.flat, whose parts are copies
ONCE = "lazy"  # of a list that is a generator's: it is gone through once
INT = Value("int")
BOOL = Value("bool")


def is_text(value: Value) -> bool:
    """May active values be written out in it: in a string, or in what an exception says?"""
    return value.kind == "opaque" and value.code in ("text", "exception")


KINDS = {"f": "float", "c": "complex", "i": "int", "u": "int", "b": "bool"}  # of numbers, by the kind of their dtype


def entry_kind(dtype: str) -> str:
    """The kind of an entry of an array."""
    if dtype in ("", PERHAPS_INTEGRAL, PERHAPS_COMPLEX):
        return "complex" if dtype == PERHAPS_COMPLEX else "float"
    return KINDS[np.dtype(dtype).kind]


def of_numpy(value: Value) -> bool:
    """An operand whose own operator Python asks first: `xs += u` adds, and binds xs to an array."""
    return value.kind in ("array", "number") or (value.kind in SCALARS and bool(value.dtype))


def is_repetition(op: gast.operator, left: Value, right: Value) -> bool:
    """xs * n, of a number of NumPy's too."""
    return isinstance(op, gast.Mult) and (left.kind in SCALARS or right.kind in SCALARS)


def join(a: Value, b: Value) -> Value:
    """The least value that covers both."""
    if a == b or b.kind == "bottom":
        return a
    if a.kind == "bottom":
        return b
    varied = a.varied or b.varied
    sites = a.sites | b.sites
    unbound = a.unbound or b.unbound
    if is_text(a) or is_text(b):
        return replace(_melted(a, b, unbound), code="text")
    if "known" in (a.kind, b.kind) and a.known != b.known and is_callable(a) and is_callable(b):
        return Value("object", sites=sites, varied=varied, unbound=unbound, code=_functions(a, b))
    if a.kind == b.kind:
        return replace(_join_same(a, b, sites, varied, unbound), optional=a.optional or b.optional)
    if a.numeric and b.numeric:
        return replace(_join_numbers(a, b, sites, varied, unbound), optional=a.optional or b.optional)
    if "none" in (a.kind, b.kind):
        other = b if a.kind == "none" else a
        if other.kind == "known" and is_callable(other):
            other = Value("object", code=_functions(other, other))
        if other.numeric or other.kind in CONTAINERS:  # a name that starts as None: the None never reaches arithmetic
            return replace(other, varied=varied, unbound=unbound, known=None, optional=True)
    return _melted(a, b, unbound)


def _melted(a: Value, b: Value, unbound: bool) -> Value:
    """What is left of two values without a common structure: the memory in them, and whether they are active."""
    every = [*parts_of(a), *parts_of(b)]
    sites = frozenset().union(*(v.sites for v in every))
    code = ENDLESS if any(v.code == ENDLESS for v in every) else None
    return Value("opaque", sites=sites, varied=any(v.varied for v in every), unbound=unbound, code=code)


def parts_of(value: Value) -> list[Value]:
    """A value, and the items of tuples and the captured variables of functions in it."""
    return [value, *(v for item in value.items or () for v in parts_of(item))]


def is_callable(value: Value) -> bool:
    """Is it a function, or an object that may be called like one?"""
    return value.kind == "object" or (value.known is not None and callable(value.known.value))


def _functions(a: Value, b: Value) -> Any:
    """The functions that may stand in the place of one of two objects."""
    found = [k for v in (a, b) for k in ((v.known,) if v.kind == "known" else v.code or ())]
    return tuple(k for i, k in enumerate(found) if k not in found[:i]) or None


def _join_same(a: Value, b: Value, sites: frozenset[Site], varied: bool, unbound: bool) -> Value:
    dims = a.dims
    if a.dims != b.dims:
        same_rank = a.dims is not None and b.dims is not None and len(a.dims) == len(b.dims)
        dims = tuple(_join_dim(x, y) for x, y in zip(a.dims or (), b.dims or ())) if same_rank else None
    items = a.items
    kind = a.kind
    sites |= a.beside | b.beside if sites else frozenset()
    if a.items != b.items:
        fits = a.items is not None and b.items is not None and len(a.items) == len(b.items)
        items = tuple(join(x, y) for x, y in zip(a.items or (), b.items or ())) if fits else None
        if kind == "tuple" and max(_tuples(a), _tuples(b)) > MOST_TUPLES:
            return replace(_melted(a, b, unbound), code=ENDLESS)
        if kind == "tuple" and not fits:
            return _melted(a, b, unbound)
    if ENDLESS in (a.code, b.code):
        return _melted(a, b, unbound)
    return Value(
        kind,
        _join_dtype(a, b),
        dims,
        sites,
        varied,
        items,
        a.known if a.known == b.known else None,
        a.length if a.length == b.length else None,
        a.code if a.code == b.code else _functions(a, b) if kind == "object" else _standing(a.code, b.code),
        unbound,
        beside=frozenset() if sites else a.beside | b.beside,
    )


def _standing(a: Any, b: Any) -> Any:
    """One container stands for something, and another in its place for something else or nothing."""
    found = [c for c in (a, b) if isinstance(c, StandIn)]
    return StandIn(found[0].cls, SEVERAL, SEVERAL) if found and any(c.more for c in found) else None


def _tuples(value: Value) -> int:
    """How many tuples are in each other."""
    return 1 + sum(map(_tuples, value.items)) if value.items is not None else 0


def _join_dim(x: Dim, y: Dim) -> Dim:
    if x == y:
        return x
    return WIDE if never_one(x) and never_one(y) else None


def _join_numbers(a: Value, b: Value, sites: frozenset[Site], varied: bool, unbound: bool) -> Value:
    beside = a.beside | b.beside
    if a.kind in SCALARS and b.kind in SCALARS:
        kind = max(a.kind, b.kind, key=SCALARS.index)
        return Value(kind, _join_dtype(a, b), None, sites, varied, unbound=unbound, beside=beside)
    sites = sites | beside if sites else sites
    return Value("number", _join_dtype(a, b), None, sites, varied, unbound=unbound, beside=frozenset() if sites else beside)


def is_either(a: Value, b: Value) -> bool:
    """Is one of two values an array, and the other a number, or something inert that is perhaps one?"""
    return a.numeric and b.numeric and bool(a.sites) != bool(b.sites)


def placed_beside(value: Value, other: Value | None) -> Value:
    """A value in a variable that holds `other` where paths meet: a number stands in the place of an array there."""
    if value.numeric and not value.sites:
        beside = other.sites if other is not None else frozenset()
        return value if value.beside == beside else replace(value, beside=beside)
    if value.items is None:
        return value
    items = tuple(placed_beside(i, None) for i in value.items)
    return value if items == value.items else replace(value, items=items)


def _join_dtype(a: Value, b: Value) -> str:
    if a.dtype == b.dtype and a.is_complex == b.is_complex and a.integral == b.integral:
        return a.dtype
    if not (a.numeric and b.numeric):
        return ""
    if a.is_complex or b.is_complex:
        return PERHAPS_COMPLEX
    integral = a.integral or b.integral or PERHAPS_INTEGRAL in (a.dtype, b.dtype)
    return PERHAPS_INTEGRAL if integral and {a.kind, b.kind} - {"int", "bool"} else ""


@dataclass
class Cell:
    """The memory allocated at one site, over the whole program: what was ever put there."""

    kind: str
    content: Value | None = None  # of a list or dict: any element
    items: list[Value] | None = None  # of a list never grown: its elements
    fields: dict[Any, Value] = field(default_factory=dict)  # of a dict or object
    anywhere: Value | None = None  # of a dict: what was put at keys that are not known
    cls: Any = None
    varied: bool = False
    written: bool = False  # an array written in place
    stored: bool = False  # an array or container held by another container
    partial: bool = False  # a generator of which single items are asked for
    open: bool = False  # an object whose fields may be set in ways that are not followed
    from_outside: bool = False  # argument or global of the differentiated function
    keyed: bool = False  # a dict with an active value among its keys
    loose: bool = False  # a dict that may have other keys than its fields, or lack some
    changed_at: list[Any] = field(default_factory=list)

    def held(self) -> list[Value]:
        """Every value that may be found in the cell."""
        return [*(self.items or []), *self.fields.values(), *([self.content] if self.content else [])]
