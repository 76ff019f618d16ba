"""What inference finds to have no value must not get one: a mistake of its own is refused as the program runs."""

import pytest

from pullback import DerivativeError, grad
from pullback.compiler.analysis.objects import Part


def merged(x):
    d = {"q": 1.0, **{k: x for k in ["q", "r"]}}
    return d["q"] * d["r"]


def joined_with_another_path(x):
    d = {**{k: x for k in ["q", "r"]}}
    y = 2 * x if x < 0 else d["r"]
    return y + 1.0


def put_into_a_list(x):
    d = {**{k: x for k in ["q", "r"]}}
    xs = [x]
    xs.append(d["r"])
    return sum(xs)


@pytest.mark.parametrize("f", [merged, joined_with_another_path, put_into_a_list])
def test_a_value_where_none_was_found(f, monkeypatch):
    monkeypatch.setattr(Part, "absorb", lambda part, cell, other: None)
    with pytest.raises(DerivativeError, match="taken for something that raises"):
        grad(f)(0.5)
