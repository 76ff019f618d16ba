"""Attributes by name, copies of objects, abstract classes, slots, enums, cached properties, functions chosen by type."""

import abc
import contextlib
import copy
import dataclasses
import enum
import functools
import math
import operator
import typing
from dataclasses import dataclass, field

import numpy as np

from regressions import Cases

CASES = case = Cases()


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...
    def double(self):
        return 2 * self.area()


class Sq(Shape):
    def __init__(self, s):
        self.s = s

    def area(self):
        return self.s**2


class Ci(Shape):
    def __init__(self, r):
        self.r = r

    def area(self):
        return math.pi * self.r**2


@case(0.7, 1.3)
def abstract(x, y):
    return sum(s.double() for s in [Sq(x), Ci(y), Sq(y)])


class S:
    __slots__ = ("a", "b")

    def __init__(self, a, b):
        self.a, self.b = a, b


@case(0.7, 1.3)
def slots(x, y):
    s = S(x, y)
    s.a *= y
    return s.a * s.b


@dataclass(slots=True, kw_only=True)
class P:
    x: float
    k: dataclasses.InitVar[float] = 1.0
    z: float = field(init=False, default=0.0)

    def __post_init__(self, k):
        self.z = self.x * k


@case(0.7, 1.3)
def slotted_dataclass(x, y):
    p = P(x=x, k=y)
    p.x = p.x * y
    return p.x * p.z


@dataclass(slots=True, frozen=True)
class PFrozenSlots:
    x: float
    y: float

    def __add__(self, o):
        return PFrozenSlots(self.x + o.x, self.y + o.y)


@case(0.7, 1.3)
def frozen_slots(x, y):
    p = PFrozenSlots(x, y) + PFrozenSlots(y, y)
    return p.x * p.y


class Kind(enum.Enum):
    SIN = 1
    SQ = 2

    def apply(self, t):
        if self is Kind.SIN:
            return np.sin(t)
        return t * t


@case(0.7, 1.3)
def enum_methods(x, y):
    s = 0.0
    for k in Kind:
        s += k.apply(x) * k.value
    return s * Kind["SQ"].apply(y) + Kind(1).apply(x) + Kind.SQ.apply(x)


class Mode(enum.IntEnum):
    A = 1
    B = 2


class Flag(enum.StrEnum):
    U = "u"


def f(t, mode=Mode.A):
    if mode == Mode.A:
        return t * mode
    elif mode is Mode.B:
        return t**mode.value


@case(0.7, 1.3)
def enum_kinds(x, y):
    return f(x) + f(y, Mode.B) * (x if Flag.U == "u" else y)


class A:
    pass


@case(0.7, 1.3)
def by_name(x, y):
    a = A()
    a.u = x * y
    a.w = y
    s = a.u * getattr(a, "zz", 3.0)
    if hasattr(a, "w"):
        s += a.w**2
    if hasattr(a, "q"):
        s += a.q
    for n in ("u", "w"):
        s += getattr(a, n)
    return s


class ACopiedObject:
    def __init__(self, v, l):
        self.v = v
        self.l = l


@case(0.7, 1.3)
def copied_object(x, y):
    a = ACopiedObject(x, [y, x * y])
    b = copy.copy(a)
    c = copy.deepcopy(a)
    b.v = b.v * y
    b.l[0] = b.l[0] * 3
    c.l[0] = c.l[0] * 5
    return a.v + b.v + c.v + a.l[0] + b.l[0] + c.l[0] + a.l[1] * c.l[1]


@case(np.array([1.0, 2.0]), 1.3)
def copied_containers(a, k):
    b = copy.copy(a)
    c = copy.deepcopy(a)
    b[0] *= k
    c[1] *= k * k
    d = {"a": a, "l": [b, c]}
    e = copy.deepcopy(d)
    e["l"][0][1] = k
    f = copy.copy(d)
    f["a"] = c
    return np.sum(a * b * c) + np.sum(e["l"][0] * d["l"][0]) + np.sum(f["a"] * d["a"])


class Temp:
    def __init__(self, c):
        self._c = c

    @functools.cached_property
    def k(self):
        return self._c**2


@case(0.7, 1.3)
def cached_property(x, y):
    t = Temp(x)
    a = t.k
    t._c = y
    return a * t.k + t.k


@dataclass
class PDataclassAsData:
    x: float
    y: float = 2.0


@case(0.7, 1.3)
def dataclass_as_data(x, y):
    p = PDataclassAsData(x, y)
    d = dataclasses.asdict(p)
    t = dataclasses.astuple(p)
    s = 0.0
    for f in dataclasses.fields(p):
        s += getattr(p, f.name) ** 2
    return d["x"] * d["y"] + t[0] * t[1] ** 2 + s


class N(typing.NamedTuple):
    a: float
    b: float = 1.5


@case(0.7, 1.3)
def made_named_tuple(x, y):
    return N._make([x, y]).a * N(**{"a": y}).b + sum(N(x, y)) + max(N(x, y)) * N(y, x)._replace(a=x * y).a


class APartialMethod:
    def __init__(self, v):
        self.v = v

    def f(self, a, b):
        return self.v * a + b

    half = functools.partialmethod(f, 0.5)


@case(0.7, 1.3)
def partial_method(x, y):
    return APartialMethod(x).half(y) * APartialMethod(y).half(x)


class Base:
    __slots__ = ("v",)

    def __init__(self, v):
        self.v = v


class Der(Base):
    __slots__ = ("w", "log")

    def __init__(self, v, w):
        super().__init__(v)
        self.w = w
        self.log = []

    def step(self, k):
        self.v = self.v * k
        self.log.append(self.v)
        return self


@case(0.7, 1.3)
def inherited_slots(x, y):
    d = Der(x, y)
    for i in range(3):
        d.step(y)
    return d.v * d.w + sum(d.log)


class Model(abc.ABC):
    def __init__(self, k):
        self.k = k

    @property
    @abc.abstractmethod
    def order(self): ...
    @abc.abstractmethod
    def f(self, t): ...
    def run(self, t):
        for _ in range(self.order):
            t = self.f(t) * self.k
        return t


class Sin(Model):
    @property
    def order(self):
        return 3

    def f(self, t):
        return np.sin(t)


class Quad(Model):
    order = 2

    def f(self, t):
        return t * t


@case(0.7, 1.3)
def abstract_property(x, y):
    return Sin(x).run(y) + Quad(y).run(x)


class HasArea(typing.Protocol):
    def area(self) -> float: ...


class SqProtocolAndGeneric:
    def __init__(self, s):
        self.s = s

    def area(self):
        return self.s**2


class Expl(HasArea):
    def __init__(self, s):
        self.s = s

    def area(self):
        return self.s**3


T = typing.TypeVar("T")


class Box(typing.Generic[T]):
    def __init__(self, v: T):
        self.v = v

    def get(self) -> T:
        return self.v


def tot(shapes: list[HasArea]):
    return sum(s.area() for s in shapes)


@case(0.7, 1.3)
def protocol_and_generic(x, y):
    return tot([SqProtocolAndGeneric(x), SqProtocolAndGeneric(y)]) * Box(x).get() + Expl(y).area()


class APrivateSlots:
    __slots__ = ("__p", "q")

    def __init__(self, p):
        self.__p = p

    def get(self):
        return self.__p * 2

    def set(self, v):
        self.__p = v


@case(0.7, 1.3)
def private_slots(x, y):
    a = APrivateSlots(x)
    r = a.get()
    a.set(y)
    return r * a.get()


class APrivateNames:
    def __init__(self, p):
        self.__p = p

    def get(self):
        f = lambda t: t * self.__p
        return f(2.0)

    @property
    def p(self):
        return self.__p

    def __hidden(self):
        return self.__p**2

    def pub(self):
        return self.__hidden()


class B(APrivateNames):
    def __init__(self, p):
        super().__init__(p)
        self.__p = 10 * p

    def two(self):
        return self.__p


G = APrivateNames(2.0)


@case(0.7, 1.3)
def private_names(x, y):
    a = APrivateNames(x)
    b = B(y)
    return a.get() * a.p * a.pub() + b.two() * b.get() + G.get() * x * G.pub() + a._APrivateNames__p


@case(0.7, 1.3)
def setdefault(x, y):
    d = {"a": x}
    s = d.setdefault("q", y) * x
    s += d.setdefault("a", y) * 3
    d.setdefault("l", []).append(x)
    return s + d["q"] + d["l"][0]


@case(0.7, 1.3)
def setdefault_under_try(x, y):
    d = {"a": x}
    try:
        s = d["q"]
    except KeyError:
        s = d.setdefault("q", y) * x
    return s * d["q"]


@case(0.7, 1.3)
def nullcontext(x, y):
    with np.errstate(all="ignore"), contextlib.nullcontext(x * y) as t, contextlib.suppress(ZeroDivisionError):
        s = t * x
        s = s * y
    with contextlib.nullcontext():
        s = s + x
    return s


@case(0.7, 1.3)
def itemgetter(x, y):
    d = [(x, 3.0), (y, 1.0), (x * y, 2.0)]
    d = sorted(d, key=operator.itemgetter(1))
    f = operator.itemgetter(0, 1)
    a, b = f(d[0])
    return a * b + operator.itemgetter(0)(d[1]) * operator.mul(x, y) + max(d, key=operator.itemgetter(0))[0]


class AAttrgetter:
    def __init__(self, v):
        self.v = v

    def f(self, k, p=1):
        return self.v * k**p


class BAttrgetter:
    def __init__(self, a):
        self.a = a


@case(0.7, 1.3)
def attrgetter(x, y):
    a = AAttrgetter(x)
    g = operator.methodcaller("f", y, p=2)
    return (
        operator.attrgetter("v")(a) * operator.methodcaller("f", y)(a)
        + sum(map(operator.attrgetter("v"), [a, AAttrgetter(y)]))
        + operator.attrgetter("a.v")(BAttrgetter(a))
        + g(a)
        + max([a, AAttrgetter(y)], key=operator.attrgetter("v")).v
        + math.prod(operator.attrgetter("a.v", "a")(BAttrgetter(a))[:1])
    )


@case(np.array([1.0, 2.0]), 1.3)
def deleted(u, k):
    t = u * k
    w = t
    del t
    w[0] *= 2
    for i in range(2):
        tmp = w * i
        w = w + tmp
        del tmp
    return np.sum(w)


@case(0.7, 1.3)
def deleted_items(x, y):
    d = {"a": x, "b": y}
    del d["a"]
    l = [x, y, x * y]
    del l[0], l[0]
    return d["b"] * l[0]


@case(0.7, 1.3)
def deleted_after_star(x, y):
    assert x > 0, "neg"
    a, *b = x, y, x * y
    *c, d = b
    (e, f), g = (x, y), 2.0
    del a
    [h, *i] = [x, y]
    return d * c[0] + e * f * g + h + i[0]


@functools.singledispatch
def single_dispatch_area(s):
    return 0.0


class SqSingleDispatch:
    def __init__(self, a):
        self.a = a


class CiSingleDispatch:
    def __init__(self, r):
        self.r = r


@single_dispatch_area.register
def area_sq(s: SqSingleDispatch):
    return s.a**2


@single_dispatch_area.register(CiSingleDispatch)
def area_ci(s):
    return math.pi * s.r**2


@single_dispatch_area.register(float)
@single_dispatch_area.register(int)
def area_n(s):
    return s * 3


@single_dispatch_area.register(np.ndarray)
def area_a(s):
    return np.sum(s * s)


@case(0.7, 1.3)
def single_dispatch(x, y):
    return (
        single_dispatch_area(SqSingleDispatch(x))
        + single_dispatch_area(CiSingleDispatch(y)) * single_dispatch_area(x)
        + single_dispatch_area(np.array([x, y]))
        + single_dispatch_area(3) * x
    )
