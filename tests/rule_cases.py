"""Inputs from the `cases=` lines of rules, and rules run as plain functions, for test_rules.py.

A case names one input an operand: `(2,3)` an array to differentiate, `()` a Python float,
`[(3,),()]` a list of them; `mask(3,)` booleans, `pos(3,)` positive, `grid(3,)` increasing,
`hole(2,3)` with nan, `sym`, `spd`, `reg` symmetric, positive definite and well-conditioned
matrices, `herm`, `hpd` Hermitian ones, `complex(3,)`; `still(3,)` one not differentiated; `array([0,1])` an array of these
values; `int` a small integer. Anything else is the value itself, and so is a tuple where the rule
has no adjoint for the operand. """

import ast
import math
import zlib

import gast
import numpy as np

from pullback.compiler.rules.language import parse_case
from pullback.runtime.arrays import unbroadcast

NAMES = {
    "inf": math.inf,
    "nan": math.nan,
    "None": None,
    "int": 2,
    "atleast_2d": np.atleast_2d,
    "float": float,
}


class Maker:
    """Random inputs, the same ones on every run of a case."""

    def __init__(self, seed, domain=None):
        self.random = np.random.default_rng(zlib.crc32(seed.encode()))
        self.low, self.high = domain or (-2.0, 2.0)

    def array(self, shape):
        x = self.random.uniform(self.low, self.high, shape)
        return float(x) if shape == () else x

    def special(self, kind, shape):
        if kind == "mask":
            return self.random.uniform(size=shape) > 0.5
        if kind == "pos":
            x = self.random.uniform(0.5, 2.0, shape)
            return float(x) if shape == () else x
        if kind == "unit":
            x = self.random.uniform(0.1, 0.9, shape)
            return float(x) if shape == () else x
        if kind == "hole":
            x = self.random.normal(size=shape)
            x.flat[1] = np.nan
            return x
        if kind == "grid":
            return np.cumsum(self.random.uniform(0.5, 1.0, shape)) - 1.0
        if kind == "complex":
            return self.random.normal(size=shape) + 1j * self.random.normal(size=shape)
        x = self.random.normal(size=shape)
        if kind in ("herm", "hpd"):
            x = self.like(x, "herm")
            return x if kind == "herm" else x @ x + np.eye(shape[-1])
        if kind == "still":
            return x
        if kind == "reg":
            return x + 3.0 * np.eye(shape[-1])
        x = x + np.swapaxes(x, -1, -2)
        return x if kind == "sym" else x @ x + np.eye(shape[-1])

    def make(self, node, active):
        """The input a token names, and its directions' kind: "" for none, else "float" or "sym" or
        "complex"."""
        if isinstance(node, ast.Call) and node.func.id == "array":
            return np.array(ast.literal_eval(node.args[0])), ""
        if isinstance(node, ast.Call):
            kind, shape = node.func.id, ast.literal_eval(ast.Tuple(node.args, ast.Load()))
            direction = {
                "mask": "",
                "still": "",
                "spd": "sym",
                "sym": "sym",
                "complex": "complex",
                "herm": "herm",
                "hpd": "herm",
            }.get(kind, "float")
            return self.special(kind, shape), direction if active else ""
        if isinstance(node, ast.BinOp):  # pos(3,)+2 moves the domain
            value, direction = self.make(node.left, active)
            return value + ast.literal_eval(node.right), direction
        if isinstance(node, ast.Name):
            return NAMES[node.id], ""
        if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Name):
            return -NAMES[node.operand.id], ""
        if active and isinstance(node, ast.Tuple):
            return self.array(ast.literal_eval(node)), "float"
        if isinstance(node, ast.List) and any(
            isinstance(n, (ast.Call, ast.Tuple)) for n in node.elts
        ):
            made = [self.make(n, active) for n in node.elts]
            return [m[0] for m in made], [m[1] for m in made]
        return ast.literal_eval(node), ""

    def direction(self, value, kind):
        """A tangent for an input (zero where it has none)."""
        if isinstance(kind, list):
            return [self.direction(v, k) for v, k in zip(value, kind, strict=True)]
        if kind == "":
            return np.zeros(np.shape(value)) if np.ndim(value) else 0.0
        return self.like(value, kind)

    def like(self, value, kind=""):
        """A random array of the shape of `value`; lists and tuples entry by entry."""
        if isinstance(value, (list, tuple)):
            return [self.like(v) for v in value]
        kind = kind or ("complex" if np.iscomplexobj(value) else "float")
        if np.ndim(value) == 0 and kind not in ("complex", "herm"):
            return float(self.random.normal())
        x = self.random.normal(size=np.shape(value))
        if kind in ("complex", "herm"):
            x = x + 1j * self.random.normal(size=np.shape(value))
        if kind == "herm":
            return x + np.conjugate(np.swapaxes(x, -1, -2))
        return x + np.swapaxes(x, -1, -2) if kind == "sym" else x


def inputs_of(rule, case, maker):
    """The operands that a case names, by parameter, and the kinds of their directions."""
    positional, keywords = parse_case(case)
    text = rule.text
    values, kinds = {}, {}
    for i, token in enumerate(positional):
        spread = text.vararg and i >= len(plain_parameters(rule))
        name = text.vararg if spread else text.parameters[i]
        shaped = name in text.differentiable or rule.form == "elementwise" and not rule.cases
        value, kind = maker.make(ast.parse(token, mode="eval").body, shaped)
        kind = kind if name in text.differentiable else ""
        if spread:
            values[name] = (*values.get(name, ()), value)
            kinds[name] = [*kinds.get(name, []), kind]
        else:
            values[name], kinds[name] = value, kind
    for name, token in keywords.items():
        special = "(" in token and token[0].isalpha()
        values[name], kinds[name] = maker.make(
            ast.parse(token, mode="eval").body, name in text.differentiable and special
        )
    if text.vararg:
        values.setdefault(text.vararg, ())
        kinds.setdefault(text.vararg, [])
    return values, kinds


def plain_parameters(rule):
    """The positional parameters, in order."""
    return rule.text.parameters[:rule.text.positional]


def call(rule, primitive, values, case):
    """The primitive applied to inputs by parameter name, as positional or keyword arguments like
    the case has them."""
    text = rule.text
    keywords = parse_case(case)[1]
    positional = [v for n, v in values.items() if n not in keywords and n != text.vararg]
    if text.vararg:
        positional += values[text.vararg]
    return primitive(*positional, **{n: values[n] for n in keywords})


def defaults_of(rule, values):
    """The inputs, and the rule's own defaults for what the case leaves out."""
    scope = rule.function.__globals__
    given = {n: eval(gast.unparse(d), scope) for n, d in rule.text.defaults.items()}
    return {**given, **values}


def run(rule, statements, scope, wanted):
    """Run statements of a rule with the names in `scope`; returns the names wanted."""
    source = "\n".join(gast.unparse(s) for s in statements)
    names = {**rule.function.__globals__, **scope}
    exec(compile(source, rule.place, "exec"), names)
    return [names[w] for w in wanted]


class Drop(gast.NodeTransformer):
    """Removes contributions to adjoints that nobody asked for, as the compiler does."""

    def __init__(self, kept):
        self.kept = kept

    def visit_AugAssign(self, node):
        target = node.target.value if isinstance(node.target, gast.Subscript) else node.target
        return node if target.id not in self.kept or self.kept[target.id] else gast.Pass()


def is_active(kind):
    return any(is_active(k) for k in kind) if isinstance(kind, (list, tuple)) else kind != ""


def tangent_of(rule, values, dots, result):
    """The tangent of the result, as the rule's text has it."""
    text = rule.text
    scope = defaults_of(rule, values) | named_results(rule, result)
    if rule.form == "elementwise":
        terms = []
        for name, partial in text.partials.items():
            if name in dots and np.any(dots[name]):
                p = eval(gast.unparse(partial), {**rule.function.__globals__, **scope})
                terms.append(
                    np.real(np.conj(p) * dots[name]) if rule.conjugates else p * dots[name]
                )
        return unbroadcast(sum(terms), np.shape(result))
    scope |= {f"{n}_dot": dots[n] if n in dots else zeros(scope[n]) for n in text.differentiable}
    got = run(rule, text.tangent, scope, [f"{r}_dot" for r in text.results])
    return got if len(text.results) > 1 else got[0]


def adjoints_of(rule, values, kinds, result, bar):
    """The adjoints of the differentiable operands, as the rule's text has them."""
    text = rule.text
    scope = defaults_of(rule, values) | named_results(rule, result)
    if rule.form == "elementwise":
        bars = {}
        for name, partial in text.partials.items():
            if is_active(kinds.get(name, "")):
                p = eval(gast.unparse(partial), {**rule.function.__globals__, **scope})
                p = p if rule.conjugates else np.conj(p)
                bars[name] = real_like(unbroadcast(bar * p, np.shape(values[name])), values[name])
        return bars
    blank = 0j if any(map(np.iscomplexobj, leaves([bar, *values.values()]))) else 0.0
    scope |= {f"{n}_bar": zeros(scope[n], blank) for n in text.differentiable}
    flip = not rule.conjugates and any(map(np.iscomplexobj, leaves([bar, *values.values()])))
    bar = conjugate(bar) if flip else bar
    bars = [bar] if len(text.results) == 1 else bar
    scope |= {f"{r}_bar": b for r, b in zip(text.results, bars, strict=True)}
    asked = {f"{n}_bar": is_active(kinds.get(n, "")) for n in text.differentiable}
    statements = [Drop(asked).visit(s) for s in gast.parse(
        "\n".join(gast.unparse(s) for s in text.adjoint)).body]
    names = [n for n in text.differentiable if is_active(kinds.get(n, ""))]
    got = run(rule, statements, scope, [f"{n}_bar" for n in names])
    return {
        n: real_like(conjugate(g) if flip else g, values[n])
        for n, g in zip(names, got, strict=True)
    }


def leaves(x):
    return [y for v in x for y in leaves(v)] if isinstance(x, (list, tuple)) else [x]


def conjugate(x):
    return [conjugate(v) for v in x] if isinstance(x, (list, tuple)) else np.conj(x)


def real_like(bar, value):
    """The real part, where the operand is real: the compiler does so where a complex adjoint meets
    a real operand."""
    if isinstance(value, (list, tuple)):
        return [real_like(b, v) for b, v in zip(bar, value, strict=True)]
    return np.real(bar) if np.iscomplexobj(bar) and not np.iscomplexobj(value) else bar


def named_results(rule, result):
    names = rule.text.results
    return {names[0]: result} if len(names) == 1 else dict(zip(names, result, strict=True))


def zeros(value, blank=0.0):
    if isinstance(value, (list, tuple)) and any(np.ndim(v) for v in value):
        return [zeros(v, blank) for v in value]
    return blank if np.ndim(value) == 0 else np.full(np.shape(value), blank)


def inner(x, y):
    """The real inner product, over lists entry by entry."""
    if isinstance(x, (list, tuple)):
        return sum(inner(a, b) for a, b in zip(x, y, strict=True))
    if x is None or y is None or np.asarray(x).dtype.kind not in "fciub":
        return 0.0
    assert np.shape(x) == np.shape(y), (np.shape(x), np.shape(y))
    return float(np.real(np.vdot(np.asarray(x), np.asarray(y))))


def combine(x, h, y):
    """x + h * y, over lists entry by entry; left alone where y is zero (masks, integers)."""
    if isinstance(x, (list, tuple)):
        return type(x)(combine(a, h, b) for a, b in zip(x, y, strict=True)) if len(x) else x
    return x + h * y if np.any(y) else x


def difference(function, values, dots, h=2e-4):
    """The derivative of function(values) along dots by central differences of sixth order."""
    def at(step):
        return function(
            {n: combine(v, step, dots[n]) if n in dots else v for n, v in values.items()}
        )

    def weigh(parts):
        if isinstance(parts[0], (list, tuple)):
            return [weigh(p) for p in zip(*parts, strict=True)]
        if np.asarray(parts[0]).dtype.kind not in "fc":
            return np.zeros(np.shape(parts[0]))
        a, b, c, d, e, f = parts
        return (45.0 * (a - b) - 9.0 * (c - d) + (e - f)) / (60.0 * h)

    return weigh([at(k * h) for k in (1, -1, 2, -2, 3, -3)])


def assert_close(got, expected, tolerance):
    if isinstance(expected, (list, tuple)):
        assert len(got) == len(expected)
        for g, e in zip(got, expected, strict=True):
            assert_close(g, e, tolerance)
    elif np.asarray(expected).dtype.kind in "fc":
        np.testing.assert_allclose(
            got,
            expected,
            rtol=tolerance,
            atol=tolerance * (1.0 + np.max(np.abs(expected), initial=0.0)),
        )
