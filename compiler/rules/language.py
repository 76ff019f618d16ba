"""The rule language: a derivative rule is a Python function that is read, never run.

Two forms, both plain Python text; in it `x_bar` is the adjoint of x and `x_dot` its tangent.

`@elementwise(np.sin)` gives the partial derivatives and nothing else; value, tangent, adjoint and
broadcasting follow from them:

    @elementwise(np.multiply, operator.mul)
    def _(x, y):
        return y, x

A keyword-only parameter stands for the result: `def _(x, *, z): return z` is the rule of exp. A partial
`None` says that the function is flat in this operand; `...`, that its derivative is not known here.

`@rule(np.sum)` states up to three equations. The first assignment is the value and names the result;
the statements up to the one that assigns the result's tangent are the tangent; the rest is the adjoint:

    @rule(np.cumsum)
    def _(x, axis=None):
        y = np.cumsum(x, axis)

        y_dot = np.cumsum(x_dot, axis)

        x_bar += reverse_cumsum(y_bar, np.shape(x), axis)

`+=` on a bar means "contributes". An `if` whose test the types decide is folded when the rule is used.
`@constant(np.floor)` says that the derivative is zero everywhere it exists.
"""

import builtins
import functools
import inspect
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import gast

from pullback.compiler.errors import RuleError
from pullback.compiler.ir.walk import every_node


@dataclass(frozen=True, eq=False)
class Rule:
    """One primitive's derivative, as its author wrote it; the parts are read on first use."""

    function: Callable[..., Any]
    primitives: tuple[Any, ...]
    form: str  # "elementwise", "rule" or "constant"
    cases: tuple[str, ...] = ()
    domain: tuple[float, float] | None = None
    singular: bool = False  # a partial may be infinite where its cotangent is zero
    view: bool = False  # the result may share memory with the first argument
    locked: bool = False  # and NumPy does not let it be written, as its entries may share memory among themselves
    conjugates: bool = False  # right for complex operands as it stands; else J^H = conj(J^T conj) is taken
    may_turn: bool = False  # complex, for some real operands
    real: bool = False  # of a function that is not holomorphic, stated for real operands alone
    rank: int | None = None  # of the operands that it is stated for; those of more axes are stacks
    when: tuple[tuple[str, Any], ...] = ()  # constants among the arguments that select this rule
    flat: tuple[str, ...] = ()  # parameters of which nothing but the shape is read
    kinds: str = "fc"  # dtype kinds of the result that carry a derivative

    @functools.cached_property
    def text(self) -> "RuleText":
        return read(self)

    @property
    def name(self) -> str:
        first = self.primitives[0]
        return getattr(first, "__name__", str(first))

    @property
    def place(self) -> str:
        code = self.function.__code__
        return f"{code.co_filename}:{code.co_firstlineno}"


@dataclass(frozen=True)
class RuleText:
    """What the text of a rule says."""

    parameters: tuple[str, ...]
    defaults: dict[str, gast.expr]
    vararg: str | None
    results: tuple[str, ...]
    value: tuple[gast.stmt, ...] = ()
    tangent: tuple[gast.stmt, ...] = ()
    adjoint: tuple[gast.stmt, ...] = ()
    partials: dict[str, gast.expr] = field(default_factory=dict)
    differentiable: frozenset[str] = frozenset()
    unstated: frozenset[str] = frozenset()  # parameters whose derivative, if they have one, is not known here
    positional: int = 0  # how many parameters can be given by position
    keywords: tuple[str, ...] = ()  # keyword-only ones; not among `parameters` where these end in a vararg


_registry: dict[Any, Rule] = {}
_variants: dict[Any, tuple[Rule, ...]] = {}
loaders: list[Callable[[], bool]] = []  # asked on a miss: did a module with rules of its own appear since?


def rule_of(primitive: Any, constants: Mapping[str, Any] | None = None) -> Rule | None:
    """The rule registered for a function object, or None.

    Where the form of the result depends on an argument (`svd(a, compute_uv=False)`), the rule is the one
    whose `when` agrees with the `constants` among the arguments, given by parameter name.
    """
    try:
        hash(primitive)
    except TypeError:  # unhashable callables have no rule
        return None
    if primitive not in _registry and not any(load() for load in loaders):
        return None
    for variant in _variants.get(primitive, ()):
        if constants and all(n in constants and constants[n] == v for n, v in variant.when):
            return variant
    return _registry.get(primitive)


def registered() -> tuple[Rule, ...]:
    """Every rule once, in the order of registration."""
    return tuple(dict.fromkeys([*_registry.values(), *(r for rules in _variants.values() for r in rules)]))


def _register(entry: Rule) -> None:
    for primitive in entry.primitives:
        if entry.when:
            _variants[primitive] = (*_variants.get(primitive, ()), entry)
        else:
            _registry[primitive] = entry


def elementwise(*primitives: Any, **options: Any) -> Callable[..., Any]:
    """Register the partial derivatives of a function that works entry by entry."""
    return _decorator("elementwise", primitives, options)


def rule(*primitives: Any, **options: Any) -> Callable[..., Any]:
    """Register value, tangent and adjoint of a function."""
    return _decorator("rule", primitives, options)


def constant(*primitives: Any) -> None:
    """Register functions whose derivative is zero: their results carry none."""
    _register(Rule(_no_derivative, primitives, "constant"))


def _no_derivative(*_: Any) -> None:
    """The text of a constant rule: there is nothing to say."""


def _decorator(form: str, primitives: tuple[Any, ...], options: dict[str, Any]) -> Callable[..., Any]:
    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        cases = tuple(options.pop("cases", ()))
        when = tuple(options.pop("when", {}).items())
        _register(Rule(function, primitives, form, cases=cases, when=when, **options))
        return function

    return register


# ------------------------------------------------------------------------------------- reading


def read(entry: Rule) -> RuleText:
    """Read the text of a rule and check every name in it."""
    if entry.form == "constant":
        return RuleText((), {}, None, ())
    definition = gast.parse(textwrap.dedent(inspect.getsource(entry.function))).body[0]
    assert isinstance(definition, gast.FunctionDef)
    body = definition.body[1:] if gast.get_docstring(definition) else definition.body
    parts = _read_elementwise if entry.form == "elementwise" else _read_equations
    text = parts(entry, definition.args, body)
    _check_names(entry, text)
    return text


def _parameters(arguments: gast.arguments) -> tuple[tuple[str, ...], dict[str, gast.expr]]:
    names = tuple(a.id for a in arguments.posonlyargs + arguments.args)
    values = arguments.defaults
    return names, dict(zip(names[len(names) - len(values):], values, strict=True))


def _read_elementwise(entry: Rule, arguments: gast.arguments, body: list[gast.stmt]) -> RuleText:
    names, defaults = _parameters(arguments)
    result = arguments.kwonlyargs[0].id if arguments.kwonlyargs else "z_"
    if len(body) != 1 or not isinstance(body[0], gast.Return):
        raise RuleError(f"{entry.place}: an elementwise rule is one return of its partial derivatives")
    value = body[0].value
    partials = value.elts if isinstance(value, gast.Tuple) else [value]
    if len(partials) > len(names):
        raise RuleError(f"{entry.place}: {len(partials)} partials for {len(names)} parameters")
    stated = {n: p for n, p in zip(names, partials) if not _is_constant(p, ...)}
    known = {n: p for n, p in stated.items() if not _is_constant(p, None)}
    return RuleText(names, defaults, None, (result,), partials=known, differentiable=frozenset(known),
                    unstated=frozenset(names) - set(stated), positional=len(names))


def _is_constant(node: gast.expr, value: Any) -> bool:
    return isinstance(node, gast.Constant) and node.value is value


def _read_equations(entry: Rule, arguments: gast.arguments, body: list[gast.stmt]) -> RuleText:
    names, defaults = _parameters(arguments)
    positional = len(names)
    keywords = tuple(k.id for k in arguments.kwonlyargs)
    defaults |= {k: d for k, d in zip(keywords, arguments.kw_defaults, strict=True) if d is not None}
    vararg = arguments.vararg.id if arguments.vararg else None
    if vararg is None:
        names += keywords
    results = _targets(body[0])
    if not results:
        raise RuleError(f"{entry.place}: the first statement of a rule is its value, `y = ...`")
    dots = {f"{r}_dot" for r in results}
    last = max((i for i, s in enumerate(body) if dots & _assigned(s)), default=0)
    adjoint = tuple(body[last + 1:])
    bars = {f"{p}_bar": p for p in (*names, *([vararg] if vararg else []))}
    named = {bars[n] for s in adjoint for n in _assigned(s) if n in bars}
    return RuleText(names, defaults, vararg, results, (body[0],), tuple(body[1:last + 1]), adjoint,
                    differentiable=frozenset(named), unstated=frozenset({*names, *keywords}) - named - set(entry.flat), positional=positional,
                    keywords=keywords)


def _targets(statement: gast.stmt) -> tuple[str, ...]:
    if not isinstance(statement, gast.Assign):
        return ()
    target = statement.targets[0]
    elements = target.elts if isinstance(target, gast.Tuple) else [target]
    return tuple(e.id for e in elements if isinstance(e, gast.Name))


def _assigned(statement: gast.stmt) -> set[str]:
    return {
        n.id for n in every_node(statement) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)
    } | {
        n.target.value.id for n in every_node(statement)
        if isinstance(n, gast.AugAssign) and isinstance(n.target, gast.Subscript)
        and isinstance(n.target.value, gast.Name)
    }


def _check_names(entry: Rule, text: RuleText) -> None:
    own = {*text.parameters, *text.keywords, *text.results, *([text.vararg] if text.vararg else [])}
    known = own | {f"{n}_{k}" for n in own for k in ("bar", "dot")}
    parts = [*text.value, *text.tangent, *text.adjoint, *text.partials.values()]
    known |= {name for part in parts if isinstance(part, gast.stmt) for name in _assigned(part)}
    known |= {n.id for part in parts for n in every_node(part)
              if isinstance(n, gast.Name) and isinstance(n.ctx, (gast.Store, gast.Param))}
    for node in (n for part in parts for n in every_node(part) if isinstance(n, gast.Name)):
        if node.id not in known and node.id not in entry.function.__globals__ and not hasattr(builtins, node.id):
            raise RuleError(f"{entry.place}: {node.id!r} is not an argument, the result, an adjoint or "
                            f"tangent of one, nor a name this file imports")


def parse_case(case: str) -> tuple[list[str], dict[str, str]]:
    """"(3,) (2,3) axis=0" → (["(3,)", "(2,3)"], {"axis": "0"})."""
    positional: list[str] = []
    keywords: dict[str, str] = {}
    for word in case.split(" "):
        name, equals, value = word.partition("=")
        if equals and name.isidentifier():
            keywords[name] = value
        elif word:
            positional.append(word)
    return positional, keywords
