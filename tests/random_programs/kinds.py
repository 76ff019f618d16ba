"""What the variables of a random program may be."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Float:
    pass


@dataclasses.dataclass(frozen=True)
class Int:
    low: int = -(10**9)
    high: int = 10**9


@dataclasses.dataclass(frozen=True)
class Bool:
    pass


@dataclasses.dataclass(frozen=True)
class Complex:
    pass


@dataclasses.dataclass(frozen=True)
class Array:
    """Its `kind` is float; complex; whole, a buffer of integers; bool; or int, indices of an axis of length `bound`."""

    shape: tuple[int, ...]
    kind: str = "float"
    bound: int = 0


@dataclasses.dataclass(eq=False)
class List:
    """A list: aliases of it share this object, so that they agree about its least length."""

    item: object
    least: int
    floor: int = 0
    locked: bool = False  # somebody iterates over it
    held: bool = False  # others count on its length


@dataclasses.dataclass(eq=False)
class Dict:
    items: dict[str, object]


@dataclasses.dataclass(frozen=True)
class Tuple:
    items: tuple[object, ...]


@dataclasses.dataclass(frozen=True)
class Object:
    """An instance of a class of the prelude: `x` is a float, `w` a vector of length 3."""

    cls: str


@dataclasses.dataclass(frozen=True)
class Function:
    """Of one argument; what it returns is a float."""

    parameter: object


def alike(one: object, two: object) -> bool:
    """May the second stand where the first is wanted?"""
    match one, two:
        case List(), List():
            return alike(one.item, two.item) and two.least >= one.least
        case Dict(), Dict():
            return one.items.keys() == two.items.keys() and all(alike(t, two.items[k]) for k, t in one.items.items())
        case Tuple(), Tuple():
            return len(one.items) == len(two.items) and all(map(alike, one.items, two.items))
    return one == two


def flat(type: object) -> bool:
    """May np.sum and np.sin be applied to it?"""
    return isinstance(type, Float) or isinstance(type, Array) and type.kind == "float"


@dataclasses.dataclass
class Variable:
    """A name, or a place in a container, as text."""

    name: str
    type: object
    rebind: bool = True  # False for what a nested function reads of the function around it
    pinned: bool = False  # what it is may not change: a nested function reads it

    @property
    def named(self) -> bool:
        return self.name.isidentifier()


@dataclasses.dataclass
class Helper:
    name: str
    parameters: list[tuple[str, object, str | None]]  # name, type, default
    result: object | None
    yields: bool = False  # a generator function: the result is what it yields
    extra: str = ""  # args or kwargs, if it takes any number of floats


@dataclasses.dataclass
class Frame:
    """The function being written: what a return gives back, and how deep in loops and blocks we are."""

    result: object | None
    loops: int = 0
    depth: int = 0
    calls: bool = True
    main: bool = False
    yields: bool = False


FLOAT = Float()
NAMES = tuple("abcdefghmnrstuxyz") + ("acc", "buf", "cur", "new", "old", "tmp", "out", "rest")  # p, q, v, w, k: of templates
TRICKY = ("x_bar", "out_bar", "a_bar", "zeros", "buf_saved", "taken", "part_bar", "x_saved", "bar")
