"""The arguments of a call by the parameters of its rule."""

from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from pullback.compiler.rules.language import Rule
from pullback.compiler.rules.methods import KEYWORDS
from pullback.compiler.rules.writing import split_out

if TYPE_CHECKING:
    from pullback.compiler.adjoint.expressions import Expressions

INERT = (  # say how, not what
    *("dtype", "order", "casting", "like", "subok", "stable", "kind"),
    *("check_finite", "lapack_driver", "workers"),
)


def bind_rule(
    host: "Expressions",
    rule: Rule,
    node: gast.expr,
    arguments: list[gast.expr],
    keywords: dict[str, gast.expr],
) -> dict[str, gast.expr] | None:
    """Arguments by the rule's parameter names; refused where the rule does not know one."""
    text = rule.text
    bound: dict[str, gast.expr] = {}
    function = next((p for p in rule.primitives if isinstance(p, np.ufunc)), rule.primitives[0])
    positional, keywords, outs = split_out(function, arguments, keywords)
    keywords = {KEYWORDS.get(rule.name, {}).get(k, k): v for k, v in keywords.items()}
    if outs and isinstance(function, np.ufunc):  # what the result has elsewhere is not read
        keywords.pop("where", None)
    if any(isinstance(a, gast.Starred) for a in positional):
        host.refuse(
            node,
            "cannot match these arguments with the rule",
            "A starred argument hides which is which.",
            "pass them one by one",
        )
        return None
    leading = text.parameters[: text.positional] if rule.form == "rule" else text.parameters
    if text.vararg is not None:
        positional, rest = positional[: len(leading)], positional[len(leading) :]
        bound[text.vararg] = gast.Tuple(rest, gast.Load())
    for parameter, argument in zip(leading, positional):
        bound[parameter] = argument
    unknown = [k for k in keywords if k not in text.parameters and k not in text.keywords]
    inert = [k for k in unknown if k in INERT or k == "copy" and (rule.view or is_true(keywords[k]))]
    if len(positional) > len(leading) or len(unknown) > len(inert):
        which = next((f"the argument `{k}`" for k in unknown if k not in inert), "so many arguments")
        host.refuse(
            node,
            f"the derivative rule of `{rule.name}` does not know {which}",
            f"It knows {', '.join(text.parameters)}.",
            "leave the argument out, or do what it does in a statement of its own",
        )
        return None
    bound |= {k: v for k, v in keywords.items() if k not in unknown}
    unstated = text.unstated | ({text.vararg} - text.differentiable if text.vararg is not None else set())
    for parameter in sorted(unstated & set(bound)):
        given = bound[parameter]
        if any(host.active(part) for part in (given.elts if parameter == text.vararg else [given])):
            host.refuse(
                node,
                f"the derivative rule of `{rule.name}` does not say what `{parameter}` does",
                f"`{parameter}` is active here.",
                "pass a constant, or write the formula out",
            )
    return bound


def is_true(argument: gast.expr) -> bool:
    return isinstance(argument, gast.Constant) and argument.value is True


def literals(
    host: "Expressions", rule: Rule, arguments: list[gast.expr], keywords: dict[str, gast.expr]
) -> dict[str, Any]:
    """The arguments that are literals, by parameter name."""
    pairs = {**dict(zip(rule.text.parameters, arguments)), **keywords}
    found = {}
    for parameter, argument in pairs.items():
        value = host.type_of(argument)
        if isinstance(argument, gast.Constant):
            found[parameter] = argument.value
        elif value.known is not None and isinstance(value.known.value, (bool, int, str, type(None))):
            found[parameter] = value.known.value
    return found
