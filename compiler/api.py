"""`grad` and its family: derivatives of functions, specialised to a signature at the first call."""

import builtins
import functools
import importlib
import inspect
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from pullback.compiler.arguments import (
    Wrt,
    positions,
    restored,
    scalar_result,
    settled,
)
from pullback.compiler.dispatch import dispatcher
from pullback.compiler.emit.load import load, namespace
from pullback.compiler.errors import ArgumentError, Diagnostic
from pullback.compiler.frontend.derivatives import FAMILY, forwarding
from pullback.compiler.frontend.derivatives import Derivative as Asked
from pullback.compiler.frontend.source import find_source, own_signature
from pullback.compiler.refusals import told
from pullback.compiler.sharing import as_given, check_shared
from pullback.runtime.refusals import Refusal
from pullback.runtime.shadows import fields, has_fields

if TYPE_CHECKING:  # what derives is imported with the first derivation
    from pullback.compiler.analysis.program import Program
    from pullback.compiler.analysis.values import Value
    from pullback.compiler.frontend.code import Code
    from pullback.compiler.pipeline import Derivative


KEPT = 128  # signatures of one function; each function that is passed in makes its own


class Derived(Asked):
    """A function's derivative: callable like the function, readable as text.

    One derivative is compiled for each signature (kinds, dtypes and ranks of the arguments, the
    functions among them, and what the globals it reads are); calls change nothing but that cache.
    """

    def __init__(self, function: Callable[..., Any], wrt: Wrt, mode: str) -> None:
        self.primal = function
        self.mode = mode
        self._function, self._owner = underlying(function)
        source = find_source(self._function)
        self.code_source = source
        self.signature = own_signature(self._function)
        self.wrt, self.single = positions(self.signature, wrt, source, self._owner)
        self._names = tuple(self.signature.parameters)
        kinds = {p.kind for p in self.signature.parameters.values()}
        self._ordinary = kinds <= {inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD}
        self._plain = len(self._names) if self._ordinary and self._owner is None else -1  # a call needs no matching
        self._cache: dict[Any, tuple[Compiled, ...]] = {}
        self._short: Callable[..., Any] = self._called  # a dispatcher to what was called last
        functools.update_wrapper(self, self._function)
        self.__wrapped__ = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if kwargs or len(args) != self._plain:
            values = self.bound(args, kwargs)
            if not self._ordinary:
                return self.compiled(values)(values)
            args = tuple(values.values())
        return self._short(*args)

    def _called(self, *args: Any) -> Any:
        """The derivative for one argument a parameter; the next call may take the short way."""
        values = dict(zip(self._names, args))
        compiled = self.compiled(values)
        result = compiled(values)
        self._short = compiled.dispatcher()
        return result

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else types.MethodType(_Method(self), instance)

    def bound(self, args: Any, kwargs: Any = types.MappingProxyType({})) -> dict[str, Any]:
        if self._owner is not None:
            args = (self._owner, *args)
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return bound.arguments

    def compiled(self, values: dict[str, Any]) -> "Compiled":
        """The derivative for the types of these arguments and the present globals."""
        key = tuple([_kind(v) for v in values.values()])
        for candidate in self._cache.get(key, ()):
            if candidate.current():
                break
        else:
            settled(values, self.wrt, self.code_source)
            candidate = Compiled(self, self._derive(values), values, key)
            self._cache[key] = (candidate, *self._cache.get(key, ())[:3])
            if len(self._cache) > KEPT:
                oldest, *_ = self._cache
                self._cache.pop(oldest, None)
        if candidate.derivative.shared_written:
            check_shared(values, candidate.derivative.shared_written, self.code_source)
        return candidate

    def _derive(self, values: dict[str, Any]) -> "Derivative":
        import pullback.compiler.nesting  # noqa: F401, for derivatives inside the function
        from pullback.compiler.frontend.code import code_from_source
        from pullback.compiler.pipeline import differentiate

        code = code_from_source(self.code_source, self._function)
        ours = {old: new for new, old in code.aliases.items()}

        def make(program: "Program") -> "dict[str, Value]":
            return {
                ours.get(name, name): program.value_of(value, name, name in self.wrt) for name, value in values.items()
            }

        return differentiate(
            code,
            make,
            tuple(ours.get(w, w) for w in self.wrt),
            single=self.single,
            with_value=self.mode != "grad",
            as_pair=self.mode == "vjp",
        )

    # -- reading ------------------------------------------------------------------------------

    @property
    def source(self) -> str:
        """The text of the derivative compiled last; see `source_for` for given arguments."""
        if not self._cache:
            raise ArgumentError(
                Diagnostic(
                    "no-signature",
                    f"`{self._function.__name__}` has not been called yet",
                    cause="The derivative is written for the types of its arguments.",
                    advice="call it once, or use `.source_for(*args)`",
                )
            )
        return list(self._cache.values())[-1][0].derivative.text

    def source_for(self, *args: Any, **kwargs: Any) -> str:
        """The text of the derivative for the types of these arguments."""
        return self.compiled(self.bound(args, kwargs)).derivative.text

    def save(self, path: Any, *args: Any, **kwargs: Any) -> None:
        """Write the derivative to a file that imports what it needs."""
        text = self.source_for(*args, **kwargs) if args or kwargs else self.source
        compiled = next(c for group in self._cache.values() for c in group if c.derivative.text == text)
        with open(path, "w", encoding="utf-8") as file:
            file.write(imports(compiled.derivative) + text)

    def _repr_html_(self) -> str:
        import html

        text = self.source if self._cache else inspect.getsource(self._function)
        return f"<pre>{html.escape(text)}</pre>"

    def __repr__(self) -> str:
        return f"<{self.mode} of {self._function.__qualname__} with respect to {', '.join(self.wrt)}>"

    def __reduce__(self) -> Any:
        return (
            _find,
            (self._function.__module__, self._function.__qualname__, self.wrt, self.mode, self.single),
        )


class _Method:
    """A derivative reached through an instance."""

    def __init__(self, derived: Derived) -> None:
        self.derived = derived

    def __call__(self, instance: Any, *args: Any, **kwargs: Any) -> Any:
        return self.derived(instance, *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.derived, name)


class Compiled:
    """A derivative's text, compiled in a namespace with the present values of the globals it reads."""

    def __init__(self, derived: Derived, derivative: "Derivative", values: dict[str, Any], key: Any) -> None:
        self.derived = derived
        self.key = key
        self.derivative = derivative
        self.watched = [
            (c, n, thing) for c, n, thing in derivative.globals_read if getattr(builtins, n, None) is not thing
        ]
        self.kinds = [_kind(thing) for _, _, thing in self.watched]
        if derived.mode in ("grad", "value_and_grad"):
            scalar_result(derivative.result, derived._function.__name__, derived.code_source)
        self.by_keyword = any(
            p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD, p.KEYWORD_ONLY) for p in derived.signature.parameters.values()
        )
        self._bind()

    def _bind(self) -> None:
        self.namespace = namespace(self.derivative)
        loaded = load(self.derivative.text, self.derivative.entry, self.namespace)
        self.function = loaded[self.derivative.entry]
        self.loaded = loaded
        self.looks = [(_look(code, name), thing) for code, name, thing in self.watched]
        fixed = [(_look(code, name), thing) for code, name, thing in self.derivative.fixed]
        self.binding = self.function, [*self.looks, *fixed]  # in one step: other threads may read them
        self._dispatcher: Callable[..., Any] | None = None
        self._recurs = False

    def current(self) -> bool:
        """Are the globals and captured variables still what the text was compiled for?"""
        if any(code.lookup(name)[1] is not thing for code, name, thing in self.derivative.fixed):
            return False  # a derivative inside was compiled with it
        for look, thing in self.looks:
            if look() is not thing:
                break
        else:
            return True
        fresh = [(code, name, code.lookup(name)[1]) for code, name, _ in self.watched]
        if [_kind(thing) for _, _, thing in fresh] != self.kinds:
            return False
        self.watched = fresh
        self._bind()
        return True

    def dispatcher(self) -> Callable[..., Any]:
        """A short way to call this derivative while the globals are what they are now; made at the second call."""
        if self._dispatcher is None and self._recurs:
            self._dispatcher = dispatcher(self, self.key, self.derived._called)
        self._recurs = True
        return self._dispatcher or self.derived._called

    def run(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call a function of the text; what it refuses is told with its line in the program."""
        try:
            return function(*args, **kwargs)
        except Refusal as refusal:
            raise told(refusal, self.derivative.codes) from refusal

    def __call__(self, values: dict[str, Any]) -> Any:
        derived = self.derived
        passed = as_given(values, self.derivative.written)
        args, kwargs = _spread(derived.signature, passed) if self.by_keyword else (passed.values(), {})
        out = self.run(self.function, *args, **kwargs)
        if derived.mode == "grad":
            return restored(out, derived, values)
        return out[0], restored(out[1], derived, values)


def _look(code: "Code", name: str) -> Callable[[], Any]:
    """A quick way to read a global or captured variable as it is now."""
    outer = code.outermost()
    function = outer.function if name not in outer.aliases and name not in outer.given else None
    if function is not None and name in function.__code__.co_freevars:
        cell = function.__closure__[function.__code__.co_freevars.index(name)]
        return lambda: cell.cell_contents
    if function is not None and name in function.__globals__:
        return functools.partial(function.__globals__.get, name)
    return lambda: code.lookup(name)[1]


def _spread(sig: inspect.Signature, values: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for name, parameter in sig.parameters.items():
        if parameter.kind is parameter.VAR_POSITIONAL:
            args += values[name]
        elif parameter.kind is parameter.VAR_KEYWORD:
            kwargs |= values[name]
        elif parameter.kind is parameter.KEYWORD_ONLY:
            kwargs[name] = values[name]
        else:
            args.append(values[name])
    return args, kwargs


def imports(derivative: "Derivative") -> str:
    """The import lines of a saved derivative."""
    from pullback.runtime import runtime_function

    lines = [f"import {m} as {s}" if s != m else f"import {m}" for s, m in sorted(derivative.modules.items())]
    by_module: dict[str, list[str]] = {}
    for name in derivative.runtime:
        by_module.setdefault(runtime_function(name).__module__, []).append(name)
    lines += [f"from {m} import {', '.join(sorted(names))}" for m, names in sorted(by_module.items())]
    return "\n".join(lines) + "\n\n\n" if lines else ""


def _kind(value: Any, around: tuple[int, ...] = ()) -> Any:
    """A cheap key of a value's type, as far as derivatives depend on it."""
    kind = type(value)
    if kind is float or kind is int:
        return kind
    if isinstance(value, np.ndarray):
        return (kind, value.dtype.char, tuple([n if n < 2 else 2 for n in value.shape]))
    if id(value) in around:
        return "a cycle"
    if isinstance(value, (list, tuple)):
        around = (*around, id(value))
        if len(value) > 32:
            return (kind, frozenset(_kind(v, around) for v in value))
        return (kind, tuple([_kind(v, around) for v in value]))
    if isinstance(value, dict):
        around = (*around, id(value))
        return (kind, tuple([(k, _kind(v, around)) for k, v in value.items()]))
    if has_fields(value):
        around = (*around, id(value))
        return (kind, tuple([(k, _kind(v, around)) for k, v in fields(value).items()]))
    return (kind, _Same(value)) if callable(value) or isinstance(value, types.ModuleType) else kind


class _Same:
    """Equal for one and the same object, which it keeps, so that no other gets its address."""

    def __init__(self, thing: Any) -> None:
        self.thing = thing

    def __hash__(self) -> int:
        return id(self.thing)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.thing is other.thing


def underlying(function: Any) -> tuple[Any, Any]:
    """(plain function, bound instance or None)."""
    if isinstance(function, (Derived, functools.partial)):
        return forwarding(function), None
    own = getattr(type(function), "__call__", None)  # noqa: B004, the method itself
    if isinstance(own, types.FunctionType):
        return own, function
    if isinstance(function, types.MethodType):
        return function.__func__, function.__self__
    if isinstance(function, (staticmethod, classmethod)):
        return function.__func__, None
    return function, None


def _find(module: str, qualname: str, wrt: Wrt, mode: str, single: bool) -> Any:
    thing: Any = importlib.import_module(module)
    for part in qualname.split("."):
        thing = getattr(thing, part)
    if isinstance(thing, Derived):
        return thing
    return Derived(thing, wrt[0] if single and isinstance(wrt, tuple) else wrt, mode)


def _decorator(mode: str, function: Any, wrt: Wrt, backend: str) -> Any:
    if backend != "numpy":
        raise ArgumentError(Diagnostic("backend", f"there is no backend {backend!r}", advice='use backend="numpy"'))
    if function is None:
        return lambda f: Derived(f, wrt, mode)
    return Derived(function, wrt, mode)


def grad(function: Any = None, wrt: Wrt = 0, *, backend: str = "numpy") -> Any:
    """The gradient of a scalar-valued function.

    wrt: a parameter's index or name, or a tuple of either (then a tuple of gradients comes back). Works
    bare (`@grad`), with options (`@grad(wrt=("w", "b"))`), on methods, nested functions and lambdas.
    The gradient has the argument's structure, shape and dtype; leaves that are no floats get None.
    Raises DerivativeError: at once for what is no differentiable function, at the call for the rest.
    """
    return _decorator("grad", function, wrt, backend)


def value_and_grad(function: Any = None, wrt: Wrt = 0, *, backend: str = "numpy") -> Any:
    """`(value, gradient)` in one pass: what `scipy.optimize.minimize(..., jac=True)` wants."""
    return _decorator("value_and_grad", function, wrt, backend)


FAMILY |= {grad: "grad", value_and_grad: "value_and_grad"}
