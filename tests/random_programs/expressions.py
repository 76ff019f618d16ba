"""Expressions of a wanted type, out of what is in scope."""

from __future__ import annotations

from . import views
from .formulas import ARRAYS, FLOATS, RARE_ARRAYS, RARE_FLOATS
from .kinds import FLOAT, Array, Bool, Complex, Dict, Float, Function, Helper, Int, List, Object, Tuple, Variable, alike
from .writer import Writer


class Maker(Writer):
    """Writes expressions too: a `depth` says how many operations may be inside one another."""

    def expression(self, type: object, depth: int = 2) -> str:
        if isinstance(type, (List, Dict, Tuple, Object, Function, Complex)):
            text = self.existing(type)
            if text:
                return text
        match type:
            case Float():
                return self.float(depth)
            case Bool():
                return self.condition()
            case Array(shape, "float"):
                return self.array(shape, depth)
            case Array(shape, "complex"):
                return f"({self.array(shape, depth - 1)} + 1j * {self.array(shape, depth - 1)})"
            case Array():
                return self.indices(type) if type.kind == "int" else self.mask(type.shape)
            case Int():
                return self.integer(type)
            case Complex():
                return self.pick(("complex({0}, {1})", "({0} + {1} * 1j)")).format(self.float(depth), self.float(1))
            case List():
                return self.list(type, depth)
            case Dict(items):
                pairs = [(key, self.expression(t, depth)) for key, t in items.items()]
                if self.chance(0.2):
                    return "dict({})".format(", ".join(f"{key}={text}" for key, text in pairs))
                return "{{{}}}".format(", ".join(f"{key!r}: {text}" for key, text in pairs))
            case Object(cls):
                return f"{cls}({self.float(depth)}, {self.array((3,), 1)} * 1.0)"
            case Tuple(items):
                return "({},)".format(", ".join(self.expression(t, depth) for t in items))
            case Function(parameter):
                return self.function(parameter)
        raise AssertionError(type)

    def existing(self, type: object) -> str | None:
        """A variable or place of this type; others now count on the length of a list."""
        fits = [v for v in self.reachable() if v.type is not type and alike(type, v.type)]
        if not fits or not self.chance(0.35):
            return None
        variable = self.pick(fits)
        self.hold(variable.type)
        return variable.name

    def hold(self, type: object) -> None:
        """Lists in it, and it itself, do not become shorter."""
        match type:
            case List(item):
                type.held = True
                self.hold(item)
            case Dict(items):
                for t in items.values():
                    self.hold(t)
            case Tuple(items):
                for t in items:
                    self.hold(t)

    def function(self, parameter: object) -> str:
        """A function value: a lambda, a helper, a partial application, one of NumPy's."""
        name = self.fresh()
        forms = [f"lambda {name}: {self.body_of_lambda(name, parameter)}"] * 2
        forms.append(f"lambda {name}, k={self.float_leaf()}: k * {self.body_of_lambda(name, parameter)}")
        for h in self.helpers:
            if h.result == FLOAT and not h.yields and alike(h.parameters[0][1] if h.parameters else None, parameter):
                if all(default is not None for _, _, default in h.parameters[1:]):
                    forms += [h.name] * 3
        if isinstance(parameter, Float):
            forms += ["np.sin", "math.tanh", f"functools.partial(np.multiply, {self.float_leaf()})"]
            forms += [f"functools.partial(lambda p, q: p * q, {self.float_leaf()})"]
        else:
            forms += ["np.sum", f"functools.partial(np.dot, {self.array_leaf(parameter.shape)})"]
        for variable in self.scope:  # the function may read them at any later time
            variable.pinned = True
            self.hold(variable.type)
        return self.pick(forms)

    def body_of_lambda(self, name: str, parameter: object) -> str:
        self.scope.append(Variable(name, parameter, rebind=False))
        text = f"{self.float(1)} * {name}" if isinstance(parameter, Float) else f"{self.float(1)} * np.sum({name})"
        self.scope.pop()
        return text

    # --- Integers and conditions

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
        choices += [self.pick(("{}", "not {}")).format(v.name) for v in self.variables(Bool)] * 2
        lists = self.variables(List)
        if lists:
            choices.append(f"len({self.pick(lists).name}) > {self.rng.randint(0, 3)}")
        if self.chance(0.2):
            choices.append(f"{self.number()} < {self.float(1)} < {self.float(1)}")
        if self.arrays() and self.chance(0.2):
            text = self.view()[0]
            choices.append(self.pick(("np.any({} > 0.131)", "({} < 1.317).all()", "{}.max() > 0.411")).format(text))
        text = self.pick(choices)
        if self.chance(0.12):
            text += self.pick((" and ", " or ", " and not ")) + self.pick(choices[:2])
        return text

    def test(self) -> str:
        """A condition of a statement: it may bind a name."""
        if self.chance(0.08):
            return f"({self.fresh()} := {self.float(1)}) > {self.number()}"
        return self.condition()

    # --- Floats

    def float(self, depth: int) -> str:
        if depth <= 0 or self.chance(0.15):
            return self.float_leaf()
        roll = self.rng.random()
        if roll < 0.25:
            return self.float_leaf()
        if roll < 0.45:
            return self.reduction(depth)
        if roll < 0.55:
            call = self.call(FLOAT, depth)
            if call:
                return call
        if roll < 0.6:
            return f"({self.float(depth - 1)} if {self.condition()} else {self.float(depth - 1)})"
        formulas = RARE_FLOATS if roll < 0.68 else FLOATS
        return self.pick(formulas).format(self.float(depth - 1), self.float(depth - 1))

    def float_leaf(self) -> str:
        options: list[str] = [v.name for v in self.variables(Float)] * 2 or [self.number()]
        if self.arrays():
            options += [self.element()] * max(2, len(options))
        for v in self.variables(Object):
            options += [f"{v.name}.energy({self.number()})"]
            options += [f"{v.name}.scaled", f"{v.name}({self.number()})"] if v.type.cls != "State" else [f"{v.name}.rate"]
        for v in self.variables(Complex):
            options += [f"{v.name}.real", f"({v.name} * (0.6 + 0.8j)).imag", f"abs({v.name} + 4.0)"]
        for v in self.variables(Bool):
            options.append(f"{v.name} * {self.number()}")
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
        options = []
        if self.arrays():
            text, shape = self.view()
            options += [views.reduction(self, text, shape, depth)] * 8
        for v in self.variables(List, lambda v: v.type.item == FLOAT):
            options += [f"sum({v.name})"] * 2
            options += [f"sum([each * each for each in {v.name}])", f"max([*{v.name}, {self.number()}])"]
            options += [f"min({v.name}, default={self.number()})", f"sum(map(math.sin, {v.name}))"]
            options += [f"functools.reduce(operator.mul, {v.name}, {self.float_leaf()})"]
            options += [f"sum(p * q for p, q in zip({v.name}, {v.name}[1:]))"]
            options += [f"sum(p * q for p, q in itertools.combinations({v.name}, 2))"]
        for v in self.variables(Array, lambda v: v.type.kind == "complex"):
            options += [f"np.sum(np.abs({v.name} + 5.0))", f"np.vdot({v.name}, {v.name}).real"]
        for v in self.variables(Array, lambda v: v.type.kind == "whole"):
            options += [f"np.sum({v.name} * {self.float_leaf()})", f"{v.name}[{self.index(v.type.shape[0])}]"]
        return self.pick(options) if options else self.float_leaf()

    def view(self, root: Variable | None = None, steps: int | None = None) -> tuple[str, tuple[int, ...]]:
        """A part of an array variable (or all of it) that NumPy gives as a view, with its shape."""
        variable = root or self.pick(self.arrays())
        text, shape = variable.name, variable.type.shape
        for _ in range(self.pick((0, 0, 1, 1, 1, 2)) if steps is None else steps):
            text, shape = self.pick(list(views.parts(self, text, shape)))
        return text, shape

    # --- Arrays

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
            return views.structured(self, shape, depth)
        if roll < 0.48:
            arms = self.array(shape, depth - 1), self.array(shape, depth - 1)
            return f"({arms[0]} if {self.condition()} else {arms[1]})"
        template = self.pick(RARE_ARRAYS if roll < 0.54 else ARRAYS)
        first = self.array(shape, depth - 1)
        second = self.float(depth - 1) if self.chance(0.3) else self.array(shape, depth - 1)
        if len(shape) == 2 and self.chance(0.15):
            second = self.array(shape[1:], depth - 1)
        if template in ARRAYS and "{1}" in template and template.startswith("(") and self.chance(0.3):
            return template.format(second, first)
        return template.format(first, second)

    def array_leaf(self, shape: tuple[int, ...]) -> str:
        fits = self.arrays(lambda v: v.type.shape == shape)
        if fits and self.chance(0.85):
            return self.pick(fits).name
        if self.arrays():
            for _ in range(8):
                text, found = self.view()
                if found == shape:
                    return text
        if len(shape) == 1 and self.chance(0.4):
            return "np.array([{}])".format(", ".join(self.float_leaf() for _ in range(shape[0])))
        fills = ["np.full({0}, {1})", "({1} * np.ones({0}))", "np.zeros({0})", "({1} + np.zeros({0}))"]
        if self.chance(0.2):
            fills = ["np.full({0}, {1}, dtype=np.float32)", "np.zeros({0}, np.float32)", "np.full_like(np.ones({0}), {1})"]
        return self.pick(fills).format(shape if len(shape) > 1 else shape[0], self.float_leaf())

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

    def call(self, result: object | None, depth: int) -> str | None:
        """A call of a helper or of a function value with this result, or None."""
        if result == FLOAT and self.chance(0.5):
            values = self.variables(Function)
            if values:
                value = self.pick(values)
                return f"{value.name}({self.expression(value.type.parameter, depth - 1)})"
        if not self.frame.calls:
            return None
        fits = [h for h in self.helpers if not h.yields and (result is h.result or alike(result, h.result))]
        return self.call_of(self.pick(fits), depth) if fits else None

    def call_of(self, helper: Helper, depth: int) -> str | None:
        arguments = []
        for i, (name, type, default) in enumerate(helper.parameters):
            if default is not None and self.chance(0.5):
                continue
            text = self.argument(type, depth)
            if text is None:
                return None
            last = i == len(helper.parameters) - 1
            keyword = default is not None or last and self.chance(0.05) and not any("=" in a for a in arguments)
            arguments.append(f"{name}={text}" if keyword else text)
        if helper.extra == "kwargs":
            arguments += self.pick(([], [f"k={self.float(1)}"], [f"**{{'k': {self.float(1)}, 'j': 0.3}}"]))
        elif helper.extra and not any("=" in a for a in arguments) and len(arguments) == len(helper.parameters):
            arguments += self.pick(([], [self.float(1)], [self.float(1), self.float_leaf()], [f"*[{self.float(1)}, 0.2]"]))
        return f"{helper.name}({', '.join(arguments)})"

    def argument(self, type: object, depth: int) -> str | None:
        if isinstance(type, List) and type.item == FLOAT and self.chance(0.3):
            return self.list(List(FLOAT, type.least + 1), depth)
        if isinstance(type, List):
            lists = self.variables(List, lambda v: alike(type, v.type) and not v.type.locked)
            if not lists:
                return None
            variable = self.pick(lists)
            self.hold(variable.type)
            return variable.name
        if isinstance(type, Array) and self.chance(0.8):
            return self.array_leaf(type.shape)
        return self.expression(type, depth - 1)
