"""`grad` and its family as the compiler meets them inside a program."""

import functools
import inspect
from collections.abc import Callable
from typing import Any

from pullback.compiler.emit.load import load
from pullback.compiler.frontend.source import own_signature

FAMILY: dict[Any, str] = {}  # grad, value_and_grad, vjp, jvp: by the function, once it exists
DERIVE: dict[str, Callable[..., Any]] = {}  # what compiles the derivative of a function of the program, by the family's word
RESULT_BAR = "the result's adjoint"  # the parameter of a pullback beside those of its function


class Derivative:
    """What `grad` makes of a function."""

    primal: Any
    mode: str
    wrt: tuple[str, ...]
    single: bool


@functools.lru_cache(maxsize=128)
def forwarding(callee: Any) -> Any:
    """A derivative or a partial function as a plain one, whose text can be read: `def f(x): return callee(x)`."""
    signature = own_signature(callee)
    marks: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    every = signature.parameters.values()
    words = [marks.get(p.kind, "") + p.name for p in every]
    received = list(words)
    passed = [f"{p.name}={p.name}" if p.kind is p.KEYWORD_ONLY else w for p, w in zip(every, words)]
    alone = [i for i, p in enumerate(every) if p.kind is p.KEYWORD_ONLY]
    if alone and not any(p.kind is p.VAR_POSITIONAL for p in every):
        received.insert(alone[0], "*")
    name, kind = (callee.func, "partial") if isinstance(callee, functools.partial) else (callee, callee.mode)
    name = f"{getattr(name, '__name__', type(name).__name__).strip('<>')}_{kind}"
    text = f"def {name}({', '.join(received)}):\n    return callee({', '.join(passed)})\n"
    function = load(text, name, {"callee": callee})[name]
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    defaults = {q.name: q.default for q in every if q.default is not q.empty}
    function.__defaults__ = tuple(defaults[q.name] for q in every if q.kind in positional and q.name in defaults) or None
    function.__kwdefaults__ = {q.name: defaults[q.name] for q in every if q.kind is q.KEYWORD_ONLY and q.name in defaults}
    return function
