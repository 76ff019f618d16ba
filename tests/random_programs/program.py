"""A whole program."""

from __future__ import annotations

import numpy as np

from .arrays import assign_alias, assign_array, assign_float, rebind_kind, swap, write_element, write_part
from .classes import object_statement
from .containers import dict_method, dict_statement, nested_statement, tuple_statement
from .control import exit_statement, for_statement, if_statement, while_statement
from .derivatives import derivative_statement
from .exceptions import raise_statement, try_statement, with_statement
from .expressions import Maker
from .functions import (
    call_statement,
    consume,
    function_value,
    generator_function,
    make_helper,
    nested_function,
    yield_statement,
)
from .in_place import call_that_writes, write_gathered, write_rows, write_whole
from .iterators import spread_statement
from .kinds import FLOAT, Array, Complex, Dict, Float, Frame, Function, Int, List, Object, Tuple, Variable
from .lists import comprehension, list_method, list_of_list, list_statement
from .matching import match_statement
from .number_types import number_statement
from .prelude import prelude
from .targets import plain_container, replace_statement, target_statement, tuple_of_results

STATEMENTS = [  # what writes it, its weight, the fewest statements that must be left for it
    (assign_float, 8, 1),
    (assign_array, 8, 1),
    (assign_alias, 10, 1),
    (write_element, 9, 1),
    (write_part, 11, 1),
    (write_whole, 9, 1),
    (write_gathered, 6, 1),
    (call_that_writes, 6, 1),
    (write_rows, 2, 1),
    (number_statement, 5, 1),
    (swap, 5, 1),
    (rebind_kind, 1.5, 1),
    (list_statement, 8, 1),
    (list_method, 4, 1),
    (list_of_list, 4, 1),
    (dict_statement, 4, 1),
    (dict_method, 2.5, 1),
    (object_statement, 5, 1),
    (tuple_statement, 3, 1),
    (nested_statement, 4, 1),
    (comprehension, 3, 1),
    (replace_statement, 6, 1),
    (target_statement, 3, 1),
    (tuple_of_results, 2, 1),
    (plain_container, 2, 1),
    (spread_statement, 4, 1),
    (call_statement, 8, 1),
    (exit_statement, 2, 2),
    (if_statement, 7, 3),
    (try_statement, 2.5, 3),
    (raise_statement, 1, 3),
    (with_statement, 2, 3),
    (match_statement, 1.5, 3),
    (for_statement, 10, 3),
    (while_statement, 3, 3),
    (nested_function, 2.5, 4),
    (generator_function, 1.5, 4),
    (yield_statement, 2, 1),
    (consume, 1.5, 1),
    (function_value, 4, 1),
    (derivative_statement, 1.5, 2),
]

IMPORTS = """\
import contextlib
import copy
import functools
import itertools
import math
import operator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from pullback import grad, jvp, value_and_grad, vjp
"""


def final_return(m: Maker) -> None:
    """A scalar in which everything alive takes part, each element with a weight of its own."""
    terms = [term for v in m.rng.sample(m.scope, len(m.scope)) for term in terms_of(m, v)]
    terms = terms[: m.rng.randint(2, 7)] or [m.float(2)]
    m.write(f"return {' + '.join(terms)}")


def terms_of(m: Maker, v: Variable) -> list[str]:
    weight = f"{m.rng.uniform(0.4, 1.6):.2f}"
    match v.type:
        case Float():
            return [f"{weight} * np.sin({v.name})"]
        case Array((n,), "float"):
            return [f"np.sum(np.sin({v.name}) * np.arange(1.0, {n + 1}.0)) * {weight}"]
        case Array((r, n), "float"):
            return [f"{weight} * np.sum({v.name} * np.arange({r * n}.0).reshape({r}, {n}))"]
        case Array((n,), "complex"):
            return [f"np.sum(np.abs({v.name} + 7.0)) * {weight}"]
        case Array((n,), "whole"):
            return [f"np.sum({v.name}) * {weight}"]
        case Complex():
            return [f"({v.name} * (0.8 - 0.6j)).real * {weight}"]
        case List(Float()):
            return [f"{weight} * sum({v.name})"]
        case Object():
            return [f"{weight} * {v.name}.energy() + np.sum({v.name}.w) * {v.name}.x"]
        case Function(parameter):
            return [f"{weight} * {v.name}({m.expression(parameter, 1)})"]
        case List() | Dict() | Tuple():
            parts = [term for part in m.inside(v, 1) for term in terms_of(m, part)]
            return m.rng.sample(parts, min(len(parts), 2))
    return []


def make_program(seed: int, size: int = 10) -> tuple[str, list[object]]:
    """The text of a module with a function `program`, and the arguments to call it with."""
    m = Maker(seed, STATEMENTS)
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
    m.frame = Frame(FLOAT, depth=1, main=True)
    m.body(size)
    final_return(m)
    text = "\n".join(m.lines) + "\n"
    return f"{IMPORTS}\n\n{prelude(text)}{text}", arguments
