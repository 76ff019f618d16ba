"""Random NumPy programs as source text, typed as they are made so that they always run.

    text, arguments = make_program(seed=7, size=12)

`text` is a module that defines `program`; `arguments` are the values to call it with. The same seed
and size give the same program. Every array has a shape known here, every integer a range, every list
a least length; so indices fit, operands broadcast and nothing is popped from an empty list.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

# --- Types ---------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Float:
    pass


@dataclasses.dataclass(frozen=True)
class Int:
    low: int = -(10**9)
    high: int = 10**9


@dataclasses.dataclass(frozen=True)
class Array:
    shape: tuple[int, ...]
    kind: str = "float"  # or "bool", or "int": indices of an axis of length `bound`
    bound: int = 0


@dataclasses.dataclass(eq=False)
class List:
    """A list: aliases of it share this object, so that they agree about its least length."""

    item: object
    least: int
    floor: int = 0
    locked: bool = False


@dataclasses.dataclass(eq=False)
class Dict:
    items: dict[str, object]


@dataclasses.dataclass(frozen=True)
class Tuple:
    items: tuple[object, ...]


@dataclasses.dataclass
class Variable:
    name: str
    type: object
    rebind: bool = True  # False for what a nested function reads of the function around it
    pinned: bool = False  # what it is may not change: a nested function reads it


@dataclasses.dataclass
class Helper:
    name: str
    parameters: list[tuple[str, object, str | None]]  # name, type, default
    result: object | None
    counts_down: bool = False


@dataclasses.dataclass
class Frame:
    """The function being written: what a return gives back, and how deep in loops and blocks we are."""

    result: object | None
    loops: int = 0
    depth: int = 0
    calls: bool = True


FLOAT = Float()
FLOATS = (
    "np.sin({0})",
    "math.cos({0})",
    "np.tanh({0})",
    "math.atan({0})",
    "({0} / (1.0 + {0} ** 2))",
    "np.sqrt(1.0 + {0} * {0})",
    "math.sqrt({0} * {0} + 0.3)",
    "abs({0})",
    "math.log(2.5 + np.sin({0}))",
    "np.exp(-{0} * {0})",
    "(-{0})",
    "({0} + {1})",
    "({0} - {1})",
    "({0} * {1})",
    "({0} * {1})",
    "({0} / (1.5 + {1} * {1}))",
    "max({0}, {1})",
    "min({0}, {1})",
    "np.maximum({0}, {1})",
    "np.arctan2({0}, 2.0 + {1} * {1})",
    "np.hypot({0}, 1.0 + abs({1}))",
    "float({0})",
    "(1.3 + math.sin({0})) ** (0.5 + np.tanh({1}))",
)
ARRAYS = (
    "np.sin({0})",
    "np.cos({0})",
    "np.tanh({0})",
    "({0} / (1.0 + {0} ** 2))",
    "np.sqrt(1.0 + {0} * {0})",
    "np.abs({0})",
    "np.exp(-{0} * {0})",
    "(-{0})",
    "({0} + {1})",
    "({0} - {1})",
    "({0} * {1})",
    "({0} * {1})",
    "({0} / (1.5 + {1} * {1}))",
    "np.maximum({0}, {1})",
    "np.clip({0}, -0.83, 0.91)",
    "np.where({0} > {1}, {1}, {0} * 0.7)",
    "np.where({0} > 0.137, {1}, 0.0)",
)
BOUNDED = ("np.sin({0})", "np.tanh({0})", "np.cos({0})")
NAMES = tuple("abcdefghpqrstuvwyz") + ("acc", "buf", "cur", "new", "old", "tmp", "out", "rest")
TRICKY = ("x_bar", "out_bar", "a_bar", "zeros", "buf_saved", "taken", "part_bar", "x_saved", "bar")


# --- Making --------------------------------------------------------------------------------------


class Maker:
    """Writes one program: `lines` is its text, `scope` what may be read at this point."""

    def __init__(self, seed: int, size: int) -> None:
        self.rng = random.Random(seed)
        self.size = size
        self.lines: list[str] = []
        self.scope: list[Variable] = []
        self.used: set[str] = set()
        self.helpers: list[Helper] = []
        self.frame = Frame(FLOAT)

    # --- Small choices

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def pick(self, options):
        return self.rng.choice(list(options))

    def number(self) -> str:
        return f"{self.rng.uniform(-1.2, 1.3):.3f}"

    def write(self, text: str) -> None:
        self.lines.append("    " * self.frame.depth + text)

    def fresh(self) -> str:
        pool = TRICKY if self.chance(0.04) else NAMES
        name = self.pick(pool)
        while name in self.used:
            name = self.pick(pool) + str(self.rng.randrange(100))
        self.used.add(name)
        return name

    def bind(self, name: str, type: object) -> Variable:
        """`name` now has `type`: a new variable, or the old one rebound."""
        for variable in self.scope:
            if variable.name == name:
                variable.type = type
                return variable
        variable = Variable(name, type)
        self.scope.append(variable)
        return variable

    def variables(self, kind, keep: Callable[[Variable], bool] = lambda variable: True):
        return [v for v in self.scope if isinstance(v.type, kind) and keep(v)]

    def arrays(self, keep: Callable[[Variable], bool] = lambda variable: True):
        return self.variables(Array, lambda v: v.type.kind == "float" and keep(v))

    @contextmanager
    def block(self, loop: bool = False) -> Iterator[None]:
        """An indented block: what is bound first in it is unknown after it, lists keep their length."""
        before = list(self.scope)
        types = [v.type for v in before]
        lists = [t for t in types if isinstance(t, List)]
        kept = [(t.least, t.floor) for t in lists]
        for t in lists:
            t.floor = t.least
        self.frame.depth += 1
        self.frame.loops += loop
        start = len(self.lines)
        yield
        if len(self.lines) == start:
            self.write("pass")
        self.frame.depth -= 1
        self.frame.loops -= loop
        for t, (least, floor) in zip(lists, kept):
            t.least, t.floor = least, floor
        self.scope[:] = before
        for variable, type in zip(before, types):
            variable.type = type

    # --- Expressions

    def expression(self, type: object, depth: int = 2) -> str:
        match type:
            case Float():
                return self.float(depth)
            case Array(shape, "float"):
                return self.array(shape, depth)
            case Array():
                return self.indices(type) if type.kind == "int" else self.mask(type.shape)
            case Int():
                return self.integer(type)
            case List():
                return self.list(type, depth)
            case Dict(items):
                return "{{{}}}".format(", ".join(f"{key!r}: {self.expression(t, depth)}" for key, t in items.items()))
            case Tuple(items):
                return "({},)".format(", ".join(self.expression(t, depth) for t in items))
        raise AssertionError(type)

    def integer(self, type: Int) -> str:
        fits = self.variables(Int, lambda v: type.low <= v.type.low and v.type.high <= type.high)
        if fits and self.chance(0.6):
            return self.pick(fits).name
        return str(self.rng.randint(max(type.low, 0), min(type.high, 3)))

    def index(self, length: int) -> str:
        """An index of an axis of this length."""
        integers = self.variables(Int)
        if integers and self.chance(0.7):
            variable = self.pick(integers)
            fits = [
                text
                for text, shift in ((variable.name, 0), (f"{variable.name} - 1", -1), (f"{variable.name} + 1", 1))
                if -length <= variable.type.low + shift and variable.type.high + shift < length
            ]
            shift = self.rng.randrange(3)
            return self.pick(fits or [f"({variable.name} + {shift}) % {length}"])
        return str(self.rng.randint(-length, length - 1))

    def condition(self) -> str:
        choices = [f"{self.float(1)} > {self.number()}", f"{self.float(1)} < {self.float(1)}"]
        integers = self.variables(Int)
        if integers:
            choices += [f"{self.pick(integers).name} % 2 == {self.rng.randrange(2)}"] * 2
        if self.chance(0.1):
            choices.append(f"{self.number()} < {self.float(1)} < {self.float(1)}")
        text = self.pick(choices)
        if self.chance(0.12):
            text += self.pick((" and ", " or not ")) + self.pick(choices)
        return text

    def float(self, depth: int) -> str:
        if depth <= 0 or self.chance(0.15):
            return self.float_leaf()
        roll = self.rng.random()
        if roll < 0.25:
            return self.float_leaf()
        if roll < 0.45:
            return self.reduction(depth)
        if roll < 0.52:
            call = self.call(FLOAT, depth)
            if call:
                return call
        if roll < 0.57:
            return f"({self.float(depth - 1)} if {self.condition()} else {self.float(depth - 1)})"
        return self.pick(FLOATS).format(self.float(depth - 1), self.float(depth - 1))

    def float_leaf(self) -> str:
        options: list[str] = [v.name for v in self.variables(Float)] * 2 or [self.number()]
        arrays = self.arrays()
        if arrays:
            options += [self.element()] * max(2, len(options))
        for v in self.variables(List, lambda v: v.type.item == FLOAT and v.type.least):
            options.append(f"{v.name}[{self.rng.randint(-v.type.least, v.type.least - 1)}]")
        for v in self.variables(Dict):
            options += [f"{v.name}[{key!r}]" for key, t in v.type.items.items() if t == FLOAT]
        for v in self.variables(Tuple):
            options += [f"{v.name}[{i}]" for i, t in enumerate(v.type.items) if t == FLOAT]
        if self.chance(0.12):
            return self.number()
        return self.pick(options)

    def element(self) -> str:
        variable = self.pick(self.arrays())
        if len(variable.type.shape) == 2 and self.chance(0.3):
            row, column = (self.index(n) for n in variable.type.shape)
            return f"{variable.name}[{row}][{column}]"
        return f"{variable.name}[{', '.join(self.index(n) for n in variable.type.shape)}]"

    def reduction(self, depth: int) -> str:
        arrays = self.arrays()
        if not arrays:
            return self.float_leaf()
        text, shape = self.view()
        options = [f"np.sum({text})", f"{text}.mean()", f"np.sum({text} * {self.array(shape, depth - 1)})"]
        if len(shape) == 1:
            options += [f"({text} @ {self.array(shape, depth - 1)})", f"np.dot({text}, {text})"]
            options += [f"np.max({text})", f"np.linalg.norm({text} + 2.0)", f"sum({text})"]
            options += [f"sum(each * {self.float_leaf()} for each in {text})"]
        else:
            options += [f"np.sum({text}, axis=0)[{self.index(shape[1])}]"]
        lists = self.variables(List, lambda v: v.type.item == FLOAT)
        if lists:
            options += [f"sum({self.pick(lists).name})"] * 3
            options += [f"sum([each * each for each in {self.pick(lists).name}])"]
        return self.pick(options)

    def view(self, root: Variable | None = None, steps: int | None = None) -> tuple[str, tuple[int, ...]]:
        """A part of an array variable (or all of it) that NumPy gives as a view, with its shape."""
        variable = root or self.pick(self.arrays())
        text, shape = variable.name, variable.type.shape
        for _ in range(self.pick((0, 0, 1, 1, 1, 2)) if steps is None else steps):
            text, shape = self.pick(list(self.parts(text, shape)))
        return text, shape

    def parts(self, text: str, shape: tuple[int, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
        n = shape[-1]
        if len(shape) == 1:
            yield f"{text}[::-1]", shape
            yield f"{text}[:]", shape
            if n >= 2:
                yield f"{text}[1:]", (n - 1,)
                yield f"{text}[:-1]", (n - 1,)
                yield f"{text}[::2]", ((n + 1) // 2,)
                yield f"{text}[-2:]", (2,)
            if n >= 4 and n % 2 == 0:
                yield f"{text}.reshape(2, {n // 2})", (2, n // 2)
                yield f"np.reshape({text}, (-1, 2))", (n // 2, 2)
            return
        m = shape[0]
        yield f"{text}[{self.index(m)}]", (n,)
        yield f"{text}[:, {self.index(n)}]", (m,)
        yield f"{text}[..., {self.index(n)}]", (m,)
        yield f"{text}[::-1]", shape
        yield f"{text}[:, ::-1]", shape
        yield f"{text}.T", (n, m)
        yield f"{text}.T[{self.index(n)}]", (m,)
        yield f"{text}.ravel()", (m * n,)
        yield f"{text}.reshape(-1)", (m * n,)
        yield f"np.transpose({text})", (n, m)
        yield f"{text}.reshape({n}, {m})", (n, m)
        if m >= 2:
            yield f"{text}[1:]", (m - 1, n)
        if n >= 2:
            yield f"{text}[:, 1:]", (m, n - 1)

    def array(self, shape: tuple[int, ...], depth: int) -> str:
        if depth <= 0 or self.chance(0.15):
            return self.array_leaf(shape)
        roll = self.rng.random()
        if roll < 0.2:
            return self.array_leaf(shape)
        if roll < 0.3:
            call = self.call(Array(shape), depth)
            if call:
                return call
        if roll < 0.45:
            text = self.structured(shape, depth)
            if text:
                return text
        if roll < 0.48:
            arms = self.array(shape, depth - 1), self.array(shape, depth - 1)
            return f"({arms[0]} if {self.condition()} else {arms[1]})"
        template = self.pick(ARRAYS)
        first = self.array(shape, depth - 1)
        second = self.float(depth - 1) if self.chance(0.3) else self.array(shape, depth - 1)
        if len(shape) == 2 and self.chance(0.15):
            second = self.array(shape[1:], depth - 1)
        if "{1}" in template and template.startswith("(") and self.chance(0.3):
            return template.format(second, first) if "where" not in template else template.format(first, second)
        return template.format(first, second)

    def array_leaf(self, shape: tuple[int, ...]) -> str:
        for v in self.rng.sample(self.scope, len(self.scope)):
            match v.type:
                case Array(s, "float") if s == shape and self.chance(0.7):
                    return v.name
                case List(item, least) if item == Array(shape) and least and self.chance(0.7):
                    return f"{v.name}[{self.rng.randint(-least, least - 1)}]"
                case Dict(items) if self.chance(0.5):
                    for key, item in items.items():
                        if item == Array(shape):
                            return f"{v.name}[{key!r}]"
                case Tuple(items) if self.chance(0.5):
                    for i, item in enumerate(items):
                        if item == Array(shape):
                            return f"{v.name}[{i}]"
        if self.arrays():
            for _ in range(8):
                text, found = self.view()
                if found == shape:
                    return text
        if len(shape) == 1 and self.chance(0.4):
            return "np.array([{}])".format(", ".join(self.float_leaf() for _ in range(shape[0])))
        fills = ("np.full({0}, {1})", "({1} * np.ones({0}))", "np.zeros({0})", "({1} + np.zeros({0}))")
        return self.pick(fills).format(shape if len(shape) > 1 else shape[0], self.float_leaf())

    def structured(self, shape: tuple[int, ...], depth: int) -> str | None:
        """What is not elementwise: products, sums along an axis, joins, gathers."""
        n = shape[-1]
        options: list[str] = []
        if len(shape) == 1:
            options += [f"np.cumsum({self.array(shape, depth - 1)})", f"np.sort({self.array(shape, depth - 1)})"]
            options += [f"{self.array((2, n), depth - 1)}.sum(axis=0)", f"{self.array(shape, depth - 1)}.copy()"]
            options += [f"({self.array((n, 2), depth - 1)} @ {self.array((2,), depth - 1)})"]
            options += [f"np.array([each * {self.float_leaf()} for each in {self.array(shape, depth - 1)}])"]
            arrays = self.arrays(lambda v: len(v.type.shape) == 1)
            if arrays:
                source = self.pick(arrays)
                options += [f"{source.name}[{self.indices(Array(shape, 'int', source.type.shape[0]))}]"] * 2
            if n >= 2:
                parts = self.array((n - 1,), depth - 1), self.array((1,), depth - 1)
                options += [f"np.concatenate([{parts[0]}, {parts[1]}])", f"np.append({parts[0]}, {self.float_leaf()})"]
        else:
            m = shape[0]
            options += [f"np.outer({self.array((m,), depth - 1)}, {self.array((n,), depth - 1)})"]
            options += [f"({self.array((m, 2), depth - 1)} @ {self.array((2, n), depth - 1)})"]
            options += ["np.stack([{}])".format(", ".join(self.array((n,), depth - 1) for _ in range(m)))]
            options += [f"{self.array((n, m), depth - 1)}.T"]
        return self.pick(options) if options else None

    def mask(self, shape: tuple[int, ...]) -> str:
        fits = self.variables(Array, lambda v: v.type == Array(shape, "bool"))
        if fits and self.chance(0.5):
            return self.pick(fits).name
        return f"{self.array(shape, 1)} > {self.number()}"

    def indices(self, type: Array) -> str:
        fits = self.variables(
            Array, lambda v: v.type.kind == "int" and v.type.shape == type.shape and v.type.bound <= type.bound
        )
        if fits and self.chance(0.6):
            return self.pick(fits).name
        numbers = [self.rng.randrange(type.bound) for _ in range(type.shape[0])]
        return str(numbers) if self.chance(0.6) else f"np.array({numbers})"

    def list(self, type: List, depth: int) -> str:
        if type.item == FLOAT and self.chance(0.25):
            return f"[{self.float(1)} * j for j in range({max(type.least, 1)})]"
        return "[{}]".format(", ".join(self.expression(type.item, depth) for _ in range(type.least)))

    # --- Calls

    def call(self, result: object | None, depth: int, changes: bool = False) -> str | None:
        """A call of a helper with this result, or None."""
        if not self.frame.calls:
            return None
        fits = [h for h in self.helpers if (h.result == result)]
        if not fits:
            return None
        helper = self.pick(fits)
        arguments = []
        for i, (name, type, default) in enumerate(helper.parameters):
            if default is not None and self.chance(0.5):
                continue
            if isinstance(type, List):
                lists = self.variables(
                    List,
                    lambda v: v.type.item == type.item and v.type.least >= type.least and not v.type.locked,
                )
                if not lists:
                    return None
                text = self.pick(lists).name
            elif isinstance(type, Int):
                text = self.integer(type)
            elif isinstance(type, Array) and self.chance(0.8):
                text = self.array_leaf(type.shape)
            else:
                text = self.expression(type, depth - 1)
            arguments.append(
                f"{name}={text}"
                if default is not None
                or self.chance(0.05)
                and not any("=" in a for a in arguments)
                and i == len(helper.parameters) - 1
                else text
            )
        return f"{helper.name}({', '.join(arguments)})"

    # --- Statements

    def body(self, count: int) -> None:
        """`count` statements."""
        while count > 0:
            statement, weight = self.pick_statement(count)
            used = statement(self, count)
            count -= max(1, used or 1)

    def pick_statement(self, count: int):
        nested = self.frame.depth < 5
        table = [(s, w) for s, w, least in STATEMENTS if count >= least and (nested or least < 3)]
        total = self.rng.uniform(0, sum(w for _, w in table))
        for statement, weight in table:
            total -= weight
            if total <= 0:
                return statement, weight
        return table[-1]


def assign_float(m: Maker, count: int) -> int:
    targets = m.variables(Float, lambda v: v.rebind)
    if targets and m.chance(0.6):
        target = m.pick(targets)
        roll = m.rng.random()
        if roll < 0.35:
            m.write(f"{target.name} {m.pick(('+=', '-='))} {m.pick(BOUNDED).format(m.float(2))}")
        elif roll < 0.5:
            m.write(f"{target.name} *= {m.pick(BOUNDED).format(m.float(2))} + 0.4")
        elif roll < 0.55:
            m.write(f"{target.name} /= 1.2 + {m.float(1)} ** 2")
        else:
            m.write(f"{target.name} = {m.pick(BOUNDED).format(m.float(2))}")
    else:
        text = m.float(3)
        m.write(f"{m.bind(m.fresh(), FLOAT).name} = {text}")
    return 1


def assign_array(m: Maker, count: int) -> int:
    arrays = m.arrays(lambda v: v.rebind)
    if arrays and m.chance(0.4):
        target = m.pick(arrays)
        text = m.array(target.type.shape, 2)
        m.write(f"{target.name} = {text if m.chance(0.4) else m.pick(BOUNDED).format(text)}")
    else:
        shape = m.pick(((2,), (3,), (3,), (4,), (4,), (2, 3), (3, 2), (2, 2)))
        text = m.array(shape, 3)
        m.write(f"{m.bind(m.fresh(), Array(shape)).name} = {text}")
    return 1


def assign_alias(m: Maker, count: int) -> int:
    """y = x, or y = a view of x; y may be a new name, or a name that has this shape already."""
    if not m.arrays():
        return assign_array(m, count)
    text, shape = m.view()
    if m.chance(0.1):
        text = m.pick(("np.asarray({})", "np.atleast_1d({})", "{}[...]")).format(text)
    old = m.arrays(lambda v: v.rebind and v.type.shape == shape)
    name = m.pick(old).name if old and m.chance(0.3) else m.fresh()
    m.write(f"{name} = {text}")
    m.bind(name, Array(shape))
    return 1


def value_for(m: Maker, shape: tuple[int, ...], root: str | None) -> str:
    """What is to be written into a part of this shape; often read from the array itself."""
    if root and m.chance(0.35):
        variable = next(v for v in m.scope if v.name == root)
        for _ in range(6):
            text, found = m.view(variable)
            if found == shape:
                return m.pick(("{}", "np.sin({})", "{} * 0.6", "{} * " + m.float_leaf())).format(text)
    if m.chance(0.3):
        return m.float(2)
    if len(shape) == 2 and m.chance(0.2):
        return m.array(shape[1:], 1)
    return m.array(shape, 2)


def augment(m: Maker, place: str, value: str, wide: bool = True) -> str:
    options = ["{0} = {1}", "{0} += {1}", "{0} -= {1}", "{0} *= {1}", "{0} *= 0.5 + {1}"]
    options += ["{0} /= 1.5 + ({1}) ** 2", "{0} = np.sin({1})"]
    if wide:
        options += ["{0} **= 2", "{0} = {0} * {1}"]
    if m.frame.loops:
        options = [o.replace("{1}", "np.sin({1})") for o in options if "**= 2" not in o]
    return m.pick(options).format(place, value)


def write_element(m: Maker, count: int) -> int:
    if not m.arrays():
        return assign_array(m, count)
    m.write(augment(m, m.element(), m.float(2)))
    return 1


def write_part(m: Maker, count: int) -> int:
    if not m.arrays():
        return assign_array(m, count)
    variable = m.pick(m.arrays())
    text, shape = m.view(variable, m.pick((1, 1, 1, 2)))
    if not text.endswith("]"):
        text += "[:]" if m.chance(0.5) else "[...]"
    value = value_for(m, shape, variable.name)
    m.write(augment(m, text, value))
    return 1


def write_whole(m: Maker, count: int) -> int:
    """Every element of an array: augmented, [:] =, out=, fill, copyto, sort."""
    arrays = m.arrays(lambda v: v.rebind)
    if not arrays:
        return assign_array(m, count)
    variable = m.pick(arrays)
    name, shape = variable.name, variable.type.shape
    value = value_for(m, shape, name)
    roll = m.rng.random()
    if roll < 0.5:
        operator = m.pick(("+=", "-=", "*="))
        m.write(f"{name} {operator} {'np.sin(' + value + ')' if m.frame.loops else value}")
    elif roll < 0.6:
        m.write(f"{name} /= 1.5 + ({value}) ** 2")
    elif roll < 0.7:
        m.write(f"{name}[:] = {value}")
    elif roll < 0.85:
        form = m.pick(("np.sin({1}, out={0})", "np.multiply({0}, {2}, out={0})", "np.add({1}, {2}, out={0})"))
        m.write(form.format(name, m.array(shape, 1), value))
    elif roll < 0.9:
        m.write(f"{name}.fill({m.float(1)})")
    elif roll < 0.95:
        m.write(f"np.copyto({name}, {value})")
    else:
        m.write(f"{name}.sort()")
    return 1


def write_gathered(m: Maker, count: int) -> int:
    """Through a mask, or integer indices that may repeat."""
    vectors = m.arrays(lambda v: len(v.type.shape) == 1)
    if m.arrays() and (m.chance(0.5) or not vectors):
        text, shape = m.view()
        mask = m.mask(shape)
        if m.chance(0.3) and len(shape) == 1:
            named = m.bind(m.fresh(), Array(shape, "bool"))
            m.write(f"{named.name} = {mask}")
            value = f"{m.array_leaf(shape)}[{named.name}]"
            m.write(augment(m, f"{text}[{named.name}]", value))
        else:
            m.write(augment(m, f"{text}[{mask}]", m.float(2)))
        return 1
    if not vectors:
        return assign_array(m, count)
    variable = m.pick(vectors)
    size = m.rng.randint(1, 4)
    type = Array((size,), "int", variable.type.shape[0])
    indices = m.indices(type)
    if m.chance(0.3):
        named = m.bind(m.fresh(), type)
        m.write(f"{named.name} = {indices if indices.startswith('np') else f'np.array({indices})'}")
        indices = named.name
    value = m.float(1) if m.chance(0.3) else m.array((size,), 1)
    if m.chance(0.2):
        m.write(f"np.add.at({variable.name}, {indices}, {value})")
    else:
        m.write(augment(m, f"{variable.name}[{indices}]", value))
    return 1


def swap(m: Maker, count: int) -> int:
    """a, b = b, a: of arrays of one shape, of floats, of elements, of rows."""
    arrays = m.arrays(lambda v: v.rebind)
    pairs = [(v, w) for v in arrays for w in arrays if v is not w and v.type == w.type]
    floats = m.variables(Float, lambda v: v.rebind)
    if pairs and m.chance(0.6):
        v, w = m.pick(pairs)
        m.write(f"{v.name}, {w.name} = {w.name}, {v.name}")
    elif m.arrays() and m.chance(0.5):
        one, two = m.element(), m.element()
        m.write(f"{one}, {two} = {two}, {one}")
    elif len(floats) >= 2:
        v, w = m.rng.sample(floats, 2)
        m.write(f"{v.name}, {w.name} = {w.name} * 0.8, {v.name}")
    else:
        return assign_float(m, count)
    return 1


def rebind_kind(m: Maker, count: int) -> int:
    """A name that was one kind becomes another; only where every path passes."""
    if m.frame.depth != 1 or m.frame.loops:
        return assign_float(m, count)
    targets = [v for v in m.variables((Float, Array)) if v.rebind and not v.pinned]
    if not targets:
        return assign_float(m, count)
    target = m.pick(targets)
    if isinstance(target.type, Array):
        text, type = m.reduction(2), FLOAT
    else:
        shape = m.pick(((3,), (2,), (2, 2)))
        text, type = m.array(shape, 2), Array(shape)
    m.write(f"{target.name} = {text}")
    target.type = type
    return 1


def list_statement(m: Maker, count: int) -> int:
    lists = m.variables(List)
    if not lists or m.chance(0.2):
        item = m.pick((FLOAT, FLOAT, Array((2,)), Array((3,))))
        type = List(item, m.rng.randint(0, 3))
        text = m.expression(type, 1)
        m.write(f"{m.bind(m.fresh(), type).name} = {text}")
        return 1
    variable = m.pick(lists)
    name, type = variable.name, variable.type
    roll = m.rng.random()
    if roll < 0.35 and not type.locked:
        text = m.expression(type.item, 2)
        m.write(
            m.pick(("{}.append({})", "{}.append({})", "{} += [{}]" if variable.rebind else "{}.append({})")).format(
                name, text
            )
        )
        type.least += 1
    elif roll < 0.5 and not type.locked and type.least > type.floor:
        text = m.pick((".pop()", ".pop()", ".pop(0)"))
        if isinstance(type.item, Float) or m.chance(0.7):
            m.write(f"{m.bind(m.fresh(), type.item).name} = {name}{text}")
        else:
            m.write(f"{name}{text}")
        type.least -= 1
    elif roll < 0.58:
        m.write(f"{m.bind(m.fresh(), type).name} = {name}")
    elif type.least:
        place = f"{name}[{m.rng.randint(-type.least, type.least - 1)}]"
        write_item(m, place, type.item)
    else:
        return assign_float(m, count)
    return 1


def write_item(m: Maker, place: str, type: object) -> None:
    """Into an item of a list or dict: another object, or something inside it."""
    if isinstance(type, Float):
        m.write(m.pick(("{} = {}", "{} += np.sin({})", "{} *= np.cos({})")).format(place, m.float(2)))
    elif m.chance(0.35):
        m.write(f"{place} = {m.array(type.shape, 1)}")
    elif m.chance(0.5):
        m.write(augment(m, f"{place}[{m.index(type.shape[0])}]", m.float(1)))
    elif m.chance(0.5):
        m.write(f"{m.bind(m.fresh(), type).name} = {place}")
    else:
        m.write(f"{place} {m.pick(('+=', '*='))} {m.pick(BOUNDED).format(m.array(type.shape, 1))}")


def dict_statement(m: Maker, count: int) -> int:
    dicts = m.variables(Dict)
    if not dicts or m.chance(0.2):
        keys = m.rng.sample(("p", "q", "w"), m.rng.randint(1, 3))
        type = Dict({key: m.pick((FLOAT, Array((2,)), Array((3,)))) for key in keys})
        text = m.expression(type, 1)
        m.write(f"{m.bind(m.fresh(), type).name} = {text}")
        return 1
    variable = m.pick(dicts)
    if m.chance(0.15):
        m.write(f"{m.bind(m.fresh(), variable.type).name} = {variable.name}")
        return 1
    key, type = m.pick(variable.type.items.items())
    write_item(m, f"{variable.name}[{key!r}]", type)
    return 1


def tuple_statement(m: Maker, count: int) -> int:
    tuples = m.variables(Tuple)
    if tuples and m.chance(0.5):
        variable = m.pick(tuples)
        names = [m.fresh() for _ in variable.type.items]
        m.write(
            f"{', '.join(names)}, = {variable.name}" if len(names) == 1 else f"{', '.join(names)} = {variable.name}"
        )
        for name, type in zip(names, variable.type.items):
            m.bind(name, type)
        return 1
    items = tuple(m.pick((FLOAT, Array((3,)), Array((2,)))) for _ in range(m.rng.randint(1, 3)))
    text = m.expression(Tuple(items), 1)
    if m.chance(0.4):
        results = [h for h in m.helpers if isinstance(h.result, Tuple)]
        if results:
            items = m.pick(results).result.items
            text = m.call(Tuple(items), 2) or m.expression(Tuple(items), 1)
    m.write(f"{m.bind(m.fresh(), Tuple(items)).name} = {text}")
    return 1


def call_statement(m: Maker, count: int) -> int:
    results = [h.result for h in m.helpers]
    if not results or not m.frame.calls:
        return write_part(m, count)
    result = m.pick(results)
    text = m.call(result, 1)
    if text is None:
        return write_element(m, count)
    if result is None or m.chance(0.1):
        m.write(text)
    else:
        m.write(f"{m.bind(m.fresh(), result).name} = {text}")
    return 1


def if_statement(m: Maker, count: int) -> int:
    inner = m.rng.randint(1, max(1, min(3, count - 1)))
    m.write(f"if {m.condition()}:")
    with m.block():
        m.body(inner)
    if m.chance(0.2):
        m.write(f"elif {m.condition()}:")
        with m.block():
            m.body(1)
    if m.chance(0.5):
        m.write("else:")
        with m.block():
            m.body(m.rng.randint(1, inner))
    elif m.chance(0.2) and m.frame.depth == 1 and not m.frame.loops:
        bind_in_both(m)
    return inner + 1


def bind_in_both(m: Maker) -> None:
    """A variable that both arms of a branch bind, to different things."""
    name = m.fresh()
    shape = m.pick(((2,), (3,)))
    m.write(f"if {m.condition()}:")
    m.write(f"    {name} = {m.array_leaf(shape)}")
    m.write("else:")
    m.write(f"    {name} = {m.array(shape, 1)}")
    m.bind(name, Array(shape))


RISKS = (  # an expression that may raise, and what
    ("math.log({0} - 0.0137)", "ValueError"),
    ("math.sqrt({0} + 0.0173) + {1}", "ValueError"),
    ("float({0}) / ({i} - 1)", "ZeroDivisionError"),
    ("float({0}) / ({i} % 2)", "ArithmeticError"),
    ("{{0: {0}, 2: {1}}}[{i}]", "KeyError"),
    ("[{0}, {1}][{i} % 3]", "IndexError"),
    ("np.linalg.cholesky(np.array([[1.0, {0}], [{0}, 0.9]]))[1, 1]", "np.linalg.LinAlgError"),
)


def risky(m: Maker) -> tuple[str, str]:
    """An expression that may raise, and what a handler of it names."""
    text, error = m.pick(RISKS)
    integers = m.variables(Int)
    i = m.pick(integers).name if integers else str(m.rng.randrange(3))
    text = text.format(m.float(1), m.float(1), i=i)
    if m.chance(0.2):
        return text, f"({error}, TypeError)"
    return text, "Exception as problem" if m.chance(0.15) else error


def try_statement(m: Maker, count: int) -> int:
    """A float that is bound in the body, or else in the handler."""
    targets = m.variables(Float, lambda v: v.rebind)
    name = m.pick(targets).name if targets and m.chance(0.5) else m.fresh()
    helpers, m.helpers = m.helpers, []  # one that writes is refused here
    m.write("try:")
    with m.block():
        if m.chance(0.6):
            m.body(1)
        text, error = risky(m)
        m.write(f"{name} = {text}")
        m.bind(name, FLOAT)
        if m.chance(0.5):
            m.body(1)
        if m.chance(0.1):
            exit_statement(m, 1)
    m.write(f"except {error}:")
    with m.block():
        if m.chance(0.3):
            m.body(1)
        m.write(f"{name} = {m.float(2)}")
        m.bind(name, FLOAT)
        if m.chance(0.15):
            exit_statement(m, 1)
    for word, probability in (("else", 0.15), ("finally", 0.2)):
        if m.chance(probability):
            m.write(f"{word}:")
            with m.block():
                m.body(1)
    m.helpers = helpers
    m.bind(name, FLOAT)
    return 3


def match_statement(m: Maker, count: int) -> int:
    """On an integer, a pair, a list or a dict."""
    subject, cases = m.pick((integer_cases, pair_cases, list_cases, dict_cases))(m)
    m.write(f"match {subject}:")
    for pattern, names in cases:
        m.write(f"    case {pattern}:")
        with m.block():
            m.frame.depth += 1
            for name in names:
                m.bind(name, FLOAT)
            m.body(1)
            m.frame.depth -= 1
    return 2


Cases = list[tuple[str, list[str]]]  # patterns, and the floats that each binds


def integer_cases(m: Maker) -> tuple[str, Cases]:
    integers = m.variables(Int)
    subject = m.pick(integers).name if integers else str(m.rng.randrange(3))
    guarded = f"{m.fresh()} if {m.condition()}"
    cases: Cases = [("0", []), ("1 | 2", []), (guarded, []), (m.pick(("_", "int()")), [])]
    return subject, cases[m.rng.randrange(2) :]


def pair_cases(m: Maker) -> tuple[str, Cases]:
    a, b, c = m.fresh(), m.fresh(), m.fresh()
    subject = f"({m.float(1)}, {m.float(1)})" if m.chance(0.5) else f"{m.float(1)}, {m.float(1)}"
    cases: Cases = [(f"[{a}, {b}] if {a} > {b}", [a, b]), (f"({c}, _) | [{c}]", [c]), ("_", [])]
    return subject, cases[: m.rng.randint(1, 3)]


def list_cases(m: Maker) -> tuple[str, Cases]:
    lists = m.variables(List, lambda v: v.type.item == FLOAT)
    subject = m.pick(lists).name if lists else f"[{m.float(1)}, {m.float(1)}]"
    a, b, c = m.fresh(), m.fresh(), m.fresh()
    cases: Cases = [("[]", []), (f"[{a}]", [a]), (f"[{b}, *{m.fresh()}, {c}] if len({subject}) < 4", [b, c])]
    return subject, (cases if lists else cases[1:2] + [(f"[{b}, {c}]", [b, c])])


def dict_cases(m: Maker) -> tuple[str, Cases]:
    dicts = m.variables(Dict, lambda v: any(t == FLOAT for t in v.type.items.values()))
    a = m.fresh()
    if not dicts:
        return f"{{'p': {m.float(1)}}}", [("{'q': 1}", []), (f"{{'p': {a}}}", [a])]
    variable = m.pick(dicts)
    key = next(k for k, t in variable.type.items.items() if t == FLOAT)
    return variable.name, [(f"{{{key!r}: {a}}}", [a]), ("_", [])]


def exit_statement(m: Maker, count: int) -> int:
    """Leave the loop or the function, under a condition."""
    options = ["break", "continue"] * 2 if m.frame.loops else []
    if m.frame.result is None:
        options.append("return")
    elif isinstance(m.frame.result, (Float, Array)):
        options.append("return " + m.expression(m.frame.result, 1))
    if not options:
        return assign_float(m, count)
    m.write(f"if {m.condition()}:")
    m.write("    " + m.pick(options))
    return 1


def for_statement(m: Maker, count: int) -> int:
    """Over a range, an array, a list, zip or enumerate."""
    inner = m.rng.randint(1, max(1, min(4, count - 1)))
    headers = [range_header, range_header, range_header, items_header, items_header, zip_header]
    header = m.pick(headers)(m)
    if header is None:
        header = range_header(m)
    text, targets, locked = header
    m.write(text)
    was = [t.locked for t in locked]
    for t in locked:
        t.locked = True
    with m.block(loop=True):
        for name, type in targets:
            m.bind(name, type)
        if m.frame.loops > 1 or m.frame.depth > 2:
            inner = min(inner, 2)
        m.body(inner)
    for t, old in zip(locked, was):
        t.locked = old
    if m.chance(0.08):
        m.write("else:")
        with m.block():
            m.body(1)
    return inner + 1


def range_header(m: Maker):
    name = m.fresh()
    integers = m.variables(Int, lambda v: v.type.low == v.type.high and 0 <= v.type.low <= 4)
    options = [("3", 0, 2), ("2", 0, 1), ("1, 4", 1, 3), ("0, 5, 2", 0, 4), ("2, -1, -1", 0, 2), ("0", 0, 0)]
    options += [("3", 0, 2)] * 2
    if integers:
        v = m.pick(integers)
        options += [(v.name, 0, max(v.type.high - 1, 0))] * 4 + [(f"1, {v.name}", 1, max(v.type.high - 1, 1))]
    bounds, low, high = m.pick(options)
    shown = f"reversed(range({bounds}))" if m.chance(0.07) else f"range({bounds})"
    return f"for {name} in {shown}:", [(name, Int(low, high))], []


def items_header(m: Maker):
    """for v in array: a float, or a row that is a view. for v in list. Enumerated or not."""
    roots = m.arrays() + m.variables(List)
    if not roots:
        return None
    root = m.pick(roots)
    locked = []
    if isinstance(root.type, List):
        text, item, longest, locked = root.name, root.type.item, 10**9, [root.type]
    else:
        text, shape = m.view(root)
        item, longest = (FLOAT if len(shape) == 1 else Array(shape[1:])), shape[0]
    name = m.fresh()
    if m.chance(0.35):
        counter = m.fresh()
        targets = [(counter, Int(0, longest - 1)), (name, item)]
        return f"for {counter}, {name} in enumerate({text}):", targets, locked
    if m.chance(0.1):
        text = f"reversed({text})"
    return f"for {name} in {text}:", [(name, item)], locked


def zip_header(m: Maker):
    one, two = items_header(m), items_header(m)
    if one is None or two is None or "enumerate" in one[0] + two[0] or "reversed" in one[0] + two[0]:
        return None
    texts = [text.split(" in ", 1)[1].removesuffix(":") for text, _, _ in (one, two)]
    names = [targets[0][0] for _, targets, _ in (one, two)]
    return (
        f"for {', '.join(names)} in zip({', '.join(texts)}):",
        one[1] + two[1],
        one[2] + two[2],
    )


def while_statement(m: Maker, count: int) -> int:
    inner = m.rng.randint(1, max(1, min(3, count - 1)))
    counter = m.bind(m.fresh(), Int())
    counter.pinned = True
    m.write(f"{counter.name} = 0")
    trips = m.rng.randint(0, 4)
    condition = f"{counter.name} < {trips}"
    if m.chance(0.4):
        condition += f" and {m.float(1)} < {m.rng.uniform(0.2, 1.4):.3f}"
    m.write(f"while {condition}:" if m.chance(0.9) else "while True:")
    endless = m.lines[-1].endswith("while True:")
    with m.block(loop=True):
        m.write(f"{counter.name} += 1")
        if endless:
            m.write(f"if {counter.name} > {trips}:")
            m.write("    break")
        m.body(inner)
    return inner + 1


def nested_function(m: Maker, count: int) -> int:
    """A closure: reads the variables around it, writes into their arrays, may rebind some of them."""
    if m.frame.depth != 1 or not m.frame.calls:
        return assign_array(m, count)
    name = m.fresh()
    outer_scope, outer_frame = m.scope, m.frame
    parameters = [(m.fresh(), m.pick((FLOAT, Array((3,)), Array((2,)))), None) for _ in range(m.rng.randint(0, 2))]
    result = m.pick((FLOAT, FLOAT, None, Array((3,))))
    m.write(f"def {name}({', '.join(p for p, _, _ in parameters)}):")
    floats = [v for v in outer_scope if isinstance(v.type, Float) and v.rebind]
    rebound = m.pick(floats) if floats and m.chance(0.35) else None
    m.scope = []
    for v in outer_scope:
        v.pinned = True
        type = dataclasses.replace(v.type, locked=True) if isinstance(v.type, List) else v.type
        if not isinstance(v.type, Int):
            m.scope.append(Variable(v.name, type, rebind=v is rebound))
    m.scope += [Variable(p, type) for p, type, _ in parameters]
    m.frame = Frame(result, depth=2)
    if rebound:
        m.write(f"nonlocal {rebound.name}")
    inner = m.rng.randint(1, 3)
    m.body(inner)
    give_back(m, result)
    m.scope, m.frame = outer_scope, outer_frame
    m.helpers.append(Helper(name, parameters, result))
    return inner + 1


STATEMENTS = [  # what writes it, its weight, the fewest statements that must be left for it
    (assign_float, 8, 1),
    (assign_array, 8, 1),
    (assign_alias, 10, 1),
    (write_element, 9, 1),
    (write_part, 11, 1),
    (write_whole, 9, 1),
    (write_gathered, 6, 1),
    (swap, 5, 1),
    (rebind_kind, 1.5, 1),
    (list_statement, 8, 1),
    (dict_statement, 4, 1),
    (tuple_statement, 3, 1),
    (call_statement, 8, 1),
    (exit_statement, 2, 2),
    (if_statement, 7, 3),
    (try_statement, 2.5, 3),
    (match_statement, 1.5, 3),
    (for_statement, 10, 3),
    (while_statement, 3, 3),
    (nested_function, 2.5, 4),
]


# --- Functions -----------------------------------------------------------------------------------


def give_back(m: Maker, result: object | None) -> None:
    """The return statement at the end of a helper: often a parameter, or a view of one."""
    if result is None:
        if m.chance(0.1):
            m.write("return None")
    elif isinstance(result, Array):
        m.write(f"return {m.array_leaf(result.shape) if m.chance(0.6) else m.array(result.shape, 2)}")
    else:
        m.write(f"return {m.expression(result, 2)}")


def make_helper(m: Maker) -> None:
    name = "helper" + str(len(m.helpers))
    kinds = (FLOAT, Array((3,)), Array((2,)), Array((4,)), Array((2, 3)))
    parameters = [(m.fresh(), m.pick(kinds), None) for _ in range(m.rng.randint(1, 3))]
    if m.chance(0.15):
        parameters.append((m.fresh(), List(m.pick((FLOAT, Array((3,)))), m.rng.randint(0, 1)), None))
    if m.chance(0.25):
        parameters.append((m.fresh(), FLOAT, m.number()))
    result = m.pick((FLOAT, FLOAT, None, Array((3,)), Array((2,)), Tuple((FLOAT, Array((3,)))), Tuple((FLOAT, FLOAT))))
    helper = Helper(name, parameters, result)
    shown = [p if default is None else f"{p}={default}" for p, _, default in parameters]
    recursive = m.chance(0.15) and isinstance(result, (Float, Array)) and parameters[-1][2] is None
    if recursive:
        counter = m.fresh()
        helper.parameters.append((counter, Int(0, 3), None))
        shown.append(counter)
    m.write(f"def {name}({', '.join(shown)}):")
    m.scope = [Variable(p, type) for p, type, _ in helper.parameters]
    for v in m.variables(List):
        v.type.floor = v.type.least
    lists = [(v.type, v.type.least) for v in m.variables(List)]
    m.frame = Frame(result, depth=1, calls=bool(m.helpers) and m.chance(0.4))
    before = list(m.helpers)
    m.body(m.rng.randint(1, 4))
    if recursive:
        m.write(f"if {counter} > 0:")
        arguments = [p if not isinstance(t, Float) else f"np.sin({p} + 0.1)" for p, t, _ in parameters[:-1]]
        again = f"{name}({', '.join([*arguments, counter + ' - 1'])})"
        m.write(f"    return {m.pick(('np.tanh({})', '{}', '{} * 0.7')).format(again)}")
    give_back(m, result)
    for type, least in lists:
        type.least = least
    m.lines += ["", ""]
    m.frame.depth = 0
    m.helpers[:] = [*before, helper]


def final_return(m: Maker) -> None:
    """A scalar in which everything alive takes part, each element with a weight of its own."""
    terms = []
    for v in m.rng.sample(m.scope, len(m.scope)):
        weight = f"{m.rng.uniform(0.4, 1.6):.2f}"
        match v.type:
            case Float():
                terms.append(f"{weight} * np.sin({v.name})")
            case Array((n,), "float"):
                terms.append(f"np.sum(np.sin({v.name}) * np.arange(1.0, {n + 1}.0)) * {weight}")
            case Array((r, n), "float"):
                terms.append(f"{weight} * np.sum({v.name} * np.arange({r * n}.0).reshape({r}, {n}))")
            case List(Float()):
                terms.append(f"{weight} * sum({v.name})")
            case List(_, least) if least:
                terms.append(f"np.sum({v.name}[-1] ** 2)")
            case Dict(items):
                key = m.pick(items)
                terms.append(f"{weight} * np.sum({v.name}[{key!r}])")
            case Tuple(items):
                terms.append(f"{weight} * np.sum({v.name}[{m.rng.randrange(len(items))}])")
    terms = terms[: m.rng.randint(2, 7)] or [m.float(2)]
    m.write(f"return {' + '.join(terms)}")


def make_program(seed: int, size: int = 10) -> tuple[str, list[object]]:
    """The text of a module with a function `program`, and the arguments to call it with."""
    m = Maker(seed, size)
    for _ in range(m.pick((0, 0, 1, 1, 2, 3))):
        make_helper(m)
    values = np.random.default_rng(seed)
    kinds: list[tuple[str, object]] = [("x", FLOAT)] if m.chance(0.7) else []
    kinds += m.pick(
        (
            [("a", Array((3,)))],
            [("a", Array((4,))), ("b", Array((4,)))],
            [("a", Array((3,))), ("b", Array((3,)))],
            [("m", Array((2, 3)))],
            [("m", Array((2, 3))), ("a", Array((3,)))],
            [("m", Array((2, 2))), ("a", Array((4,)))],
        )
    )
    if m.chance(0.4):
        kinds.append(("n", Int(3, 3)))
    arguments: list[object] = []
    for name, type in kinds:
        m.used.add(name)
        if isinstance(type, Array):
            arguments.append(values.uniform(-1.3, 1.3, type.shape).round(3))
        else:
            arguments.append(3 if isinstance(type, Int) else round(float(values.uniform(-1.3, 1.3)), 3))
    m.write(f"def program({', '.join(name for name, _ in kinds)}):")
    m.scope = [Variable(name, type) for name, type in kinds]
    m.frame = Frame(FLOAT, depth=1)
    m.body(size)
    final_return(m)
    return "import math\n\nimport numpy as np\n\n\n" + "\n".join(m.lines) + "\n", arguments
