"""A derivative that is called again takes a short way; what it was compiled for is checked as on the long one."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pullback import DerivativeError, grad, jvp, value_and_grad, vjp
from pullback.compiler import pipeline

SCALE: Any = 2.0


def scaled(x):
    return np.sum(x * SCALE)


@pytest.fixture
def scale() -> Iterator[Callable[[Any], None]]:
    """Rebinds the global of `scaled` for a test."""
    yield lambda value: globals().__setitem__("SCALE", value)
    globals()["SCALE"] = 2.0


def weighted(x, w):
    return np.sum(x * w)


def power(x, n):
    return x**n


def overwritten(x, y):
    x[0] = y[1] * 2.0
    return np.sum(x * y)


def warm(derivative: Any, *args: Any) -> Any:
    """The derivative, called until it takes the short way for these arguments."""
    for _ in range(3):
        derivative(*args)
    assert derivative._short.__name__ == "call"
    space = derivative._short.__globals__
    slowly, space["slowly"] = space["slowly"], lambda *_: pytest.fail("took the long way")
    derivative(*args)
    space["slowly"] = slowly
    return derivative


def arrays(*texts: str, dtype: Any = float) -> list[np.ndarray]:
    return [np.array(t.split(), dtype) for t in texts]


def test_a_rebound_global_is_seen(scale: Callable[[Any], None]) -> None:
    x = np.arange(3.0)
    derivative = warm(grad(scaled), x)
    for value in (3.0, np.array([1.0, 2.0, 3.0]), 5, 2.0):
        scale(value)
        for _ in range(3):
            assert np.array_equal(derivative(x), value * np.ones(3))


def test_a_changed_closure_cell_is_seen() -> None:
    factor: Any = 2.0

    def function(x: Any) -> Any:
        return factor * x * x

    derivative = warm(grad(function), 3.0)
    for factor in (4.0, 1, 2.0):
        for _ in range(3):
            assert derivative(3.0) == factor * 6.0


def test_dtypes_take_turns() -> None:
    derivative = warm(grad(weighted, wrt=(0, 1)), *arrays("1 2", "3 4"))
    for dtype in (np.float32, np.float64, np.float32, np.float32, np.float32, np.float64):
        x, w = arrays("1 2", "3 4", dtype=dtype)
        by_x, by_w = derivative(x, w)
        assert by_x.dtype == by_w.dtype == dtype
        assert np.array_equal(by_x, w) and np.array_equal(by_w, x)


def test_a_gradient_has_the_dtype_of_its_own_argument() -> None:
    (x,), (w,) = arrays("1 2", dtype=np.float32), arrays("3 4")
    derivative = warm(grad(weighted, wrt=(0, 1)), x, w)
    assert [g.dtype for g in derivative(x, w)] == [np.float32, np.float64]


def test_swapped_bytes_are_no_common_dtype() -> None:
    x, w = arrays("1 2", "3 4")
    derivative = warm(grad(weighted), x, w)
    assert derivative(x.astype(">f8"), w).dtype == np.dtype(">f8")


def test_a_length_of_one_is_another_type() -> None:
    x, w = arrays("1 2 3", "1 2 3")
    derivative = warm(grad(weighted, wrt=(0, 1)), x, w)
    for one, many in [(np.ones(1), w), (x, np.ones(1)), (np.ones((1, 3)), w), (np.ones((2, 3)), w), (x, w)]:
        for _ in range(3):
            by_x, by_w = derivative(one, many)
            whole = np.ones(np.broadcast(one, many).shape)
            assert by_x.shape == one.shape and by_w.shape == many.shape
            assert np.sum(by_x * one) == np.sum(by_w * many) == np.sum(whole * one * many)


@pytest.mark.parametrize("shape", [(3,), (1,), (0,), (2, 3), (1, 3), (2, 0), (4, 1, 2)], ids=str)
def test_arrays_of_every_shape_take_the_short_way(shape: tuple[int, ...]) -> None:
    x = np.ones(shape)
    assert np.array_equal(warm(grad(weighted), x, 3.0 * x)(x, 2.0 * x), 2.0 * x)


def test_an_int_after_a_float() -> None:
    derivative = warm(grad(power), 2.0, 3.0)
    for n in (3, 3.0, 3, 3, 3):
        assert derivative(2.0, n) == 12.0
    with pytest.raises(DerivativeError, match="is an int"):
        derivative(2, 3)


@pytest.mark.parametrize("number", [np.float64, np.float32])
def test_numpy_numbers_stay_what_they_are(number: Any) -> None:
    derivative = warm(value_and_grad(power), number(2.0), 3)
    value, gradient = derivative(number(2.0), 3)
    assert value == 8.0 and gradient == 12.0 and type(gradient) is number
    assert type(derivative(2.0, 3)[1]) is float


def test_gradients_have_memory_of_their_own() -> None:
    x, w = arrays("1 2", "3 4")
    by_x, by_w = warm(grad(weighted, wrt=(0, 1)), x, w)(x, w)
    every = [x, w, by_x, by_w]
    assert not any(np.shares_memory(a, b) for i, a in enumerate(every) for b in every[:i])
    twice = warm(grad(weighted, wrt=("x", "x")), x, w)(x, w)
    assert not np.shares_memory(*twice)


def test_a_shared_argument_that_is_written_is_refused() -> None:
    x, y = arrays("1 2 3", "4 5 6")
    derivative = warm(grad(overwritten, wrt=(0, 1)), x, y)
    for shared in (x, x[:], x[::-1]):
        with pytest.raises(DerivativeError, match="share memory"):
            derivative(x, shared)
    both = np.ones(6)
    assert np.array_equal(derivative(both[:3], both[3:])[0], [0.0, 1.0, 1.0])


def test_a_shared_argument_is_refused_under_a_name_of_the_runtime() -> None:
    def function(zeros: Any, y: Any) -> Any:
        zeros[0] = y[1]
        return np.sum(zeros * y)

    x = np.ones(3)
    with pytest.raises(DerivativeError, match="`zeros` and `y` of `function` share memory"):
        grad(function, wrt=(0, 1))(x, x)


class Holder:
    def __init__(self, w: Any) -> None:
        self.w = w


def test_a_written_argument_that_holds_another_is_refused() -> None:
    def function(holder: Any, y: Any) -> Any:
        holder.w[0] *= 3.0
        return np.sum(holder.w * y)

    x = np.ones(3)
    derivative = grad(function, wrt=(0, 1))
    assert np.array_equal(derivative(Holder(x.copy()), x)[1], [3.0, 1.0, 1.0])
    with pytest.raises(DerivativeError, match="`holder` and `y` of `function` share memory"):
        derivative(Holder(x), x)


class Stretched(Holder):
    def __call__(self, t: Any) -> Any:
        return self.w * t


def test_objects_that_can_be_called_are_arguments() -> None:
    def function(holders: Any) -> Any:
        for h in holders:
            h.w *= h(2.0)
        holders.append(holders[0])
        holders[2].w += 1.0
        return sum(h.w for h in holders)

    given = [Stretched(0.5), Stretched(1.5)]
    one, two = grad(function)(given)
    assert (one.w, two.w) == (4.0, 6.0)
    assert len(given) == 2 and given[0].w == 0.5
    assert jvp(function, (given,), ([Holder(1.0), Holder(1.0)],))[1] == 10.0


def applied(h, x):
    return h(x)


def times(SCALE):  # named like the global
    return lambda v: v * SCALE


def test_functions_made_by_one_maker_are_told_apart() -> None:
    derivative = grad(applied, wrt="x")
    for factor in (2.0, 3.0, 4.0):  # each is gone when the next is made, perhaps at the same address
        assert derivative(times(factor), 1.0) == factor
    assert [derivative(lambda v, n=n: v**n, 2.0) for n in (1, 2, 3)] == [1.0, 4.0, 12.0]


def test_an_object_is_told_by_the_shapes_of_its_arrays() -> None:
    def function(holder: Any, y: Any) -> Any:
        return np.sum(holder.w * y)

    derivative = grad(function)
    assert np.array_equal(derivative(Holder(np.ones(3)), np.ones(3)).w, [1.0, 1.0, 1.0])
    assert np.array_equal(derivative(Holder(np.ones(1)), np.ones(3)).w, [3.0])


def test_one_list_met_twice_has_one_tangent() -> None:
    def function(rows: Any) -> Any:
        rows[0][0] *= 5.0
        return rows[1][0] * rows[1][1]

    row, row_dot = [2.0, 3.0], [1.0, 0.0]
    assert jvp(function, ([row, row],), ([row_dot, row_dot],)) == (30.0, 15.0)
    assert grad(function)([row, row]) == [[15.0, 10.0], [15.0, 10.0]]


GROWING = [1.0]


def test_a_global_list_may_grow_between_calls() -> None:
    def function(x: Any) -> Any:
        return ([x] + GROWING)[-1] * x

    derivative = grad(function)
    GROWING[:] = [1.0]
    assert derivative(2.0) == 1.0
    GROWING.append(7.0)
    assert derivative(2.0) == 7.0


def test_keywords_defaults_and_wrong_numbers_of_arguments() -> None:
    @grad(wrt=("x", "k"))
    def function(x: Any, k: Any = 2.0) -> Any:
        return x * k

    warm(function, 3.0, 2.0)
    assert function(3.0) == function(x=3.0) == function(k=2.0, x=3.0) == (2.0, 3.0)
    for wrong in [(), (1.0, 2.0, 3.0)]:
        with pytest.raises(TypeError, match="argument"):
            function(*wrong)


def test_methods_and_their_instances() -> None:
    class Spring:
        def __init__(self, k: Any) -> None:
            self.k = k

        @grad(wrt="x")
        def energy(self, x: Any) -> Any:
            return 0.5 * self.k * x**2

    springs = [Spring(2.0), Spring(np.float32(4.0)), Spring(3)]
    for _ in range(3):
        assert [s.energy(2.0) for s in springs] == [4.0, 8.0, 6.0]  # type: ignore[call-arg, arg-type]


def test_other_structures_after_an_array() -> None:
    def function(p: Any) -> Any:
        total = 0.0
        for v in p:
            total += v * v
        return total

    x = np.array([2.0, 5.0])
    derivative = warm(grad(function), x)
    for _ in range(3):
        assert derivative([2.0, 5.0]) == [4.0, 10.0]
        assert derivative((2.0, 5.0)) == (4.0, 10.0)
        assert np.array_equal(derivative(x), [4.0, 10.0])


def test_threads_with_arguments_of_their_own_types() -> None:
    derivative = grad(weighted, wrt=(0, 1))
    wrong: list[Any] = []

    def work(x: np.ndarray, w: np.ndarray) -> None:
        for _ in range(300):
            by_x, by_w = derivative(x, w)
            if by_x.dtype != x.dtype or not (np.array_equal(by_x, w) and np.array_equal(by_w, x)):
                wrong.append((x, w, by_x, by_w))

    cases = [arrays("1 2 3", "4 5 6", dtype=d) for d in (np.float32, np.float64, np.float32)] + [arrays("7", "8")]
    threads = [threading.Thread(target=work, args=case) for case in cases]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_an_error_of_the_program_shows_the_short_way() -> None:
    def function(x: Any, y: Any) -> Any:
        return x / y

    derivative = warm(grad(function), 1.0, 2.0)
    with pytest.raises(ZeroDivisionError) as caught:
        derivative(1.0, 0.0)
    assert [frame.name for frame in caught.traceback][-2:] == ["call", "function_grad"]


def test_vjp_derives_a_function_once_for_a_type(monkeypatch: pytest.MonkeyPatch) -> None:
    derived: list[str] = []
    differentiate = pipeline.differentiate

    def counted(code: Any, *args: Any, **options: Any) -> Any:
        derived.append(code.name)
        return differentiate(code, *args, **options)

    monkeypatch.setattr(pipeline, "differentiate", counted)

    def function(x: Any, w: Any) -> Any:
        return x * w

    for dtype in (np.float64, np.float64, np.float32, np.float64):
        x, w = arrays("1 2", "3 4", dtype=dtype)
        _, pull = vjp(function, x, w, wrt=(0, "w"))
        by_x, by_w = pull(np.ones(2, dtype))
        assert by_x.dtype == dtype and np.array_equal(by_x, w) and np.array_equal(by_w, x)
    assert derived == ["function"] * 2


def test_vjp_of_numbers_beside_arrays() -> None:
    def doubled(tree):
        return [doubled(v) for v in tree] if isinstance(tree, list) else tree * 2.0

    def total(tree):
        return sum(np.sum(v * v) for v in doubled(tree))

    _, pull = vjp(total, [0.5, np.ones(2)])
    for _ in range(2):
        number, array = pull(1.0)
        assert (number, array.tolist()) == (4.0, [8.0, 8.0])


def test_vjp_of_a_number_by_an_array_without_dimensions() -> None:
    def function(x, z):
        return x * z + (x + z)

    seed = np.array(1.0)
    _, pull = vjp(function, 0.9, 1.2, wrt=("x", "z"))
    assert np.allclose(pull(seed), (2.2, 1.9))
    assert seed == 1.0


@dataclass
class Pair:
    left: Any
    right: Any


@pytest.mark.parametrize("make", [Pair, lambda left, right: SimpleNamespace(left=left, right=right)])
def test_objects_that_are_changed_are_left_alone(make: Any) -> None:
    def function(pair: Any, x: float) -> Any:
        pair.right = x * pair.left
        pair.left = x
        return pair.right * pair.left

    for derive in (grad(function), value_and_grad(function), lambda p, x: vjp(function, p, x)[1](1.0)):
        pair = make(2.0, 3.0)
        derive(pair, 5.0)
        assert (pair.left, pair.right) == (2.0, 3.0)
    _, pull = vjp(function, make(2.0, 3.0), 5.0)
    for _ in range(2):
        assert pull(1.0).left == 25.0
    jvp(function, (pair, 5.0), (make(1.0, 1.0), 1.0))
    assert (pair.left, pair.right) == (2.0, 3.0)


def growing_loss() -> Callable[..., Any]:
    n = 2.0

    def loss(q):
        nonlocal n

        def grow(v):
            nonlocal n
            n = n * v

        for v in q:
            grow(v)
        return np.sum(q**2) * n

    return loss


def test_a_closure_that_rebinds_its_variable_is_left_alone() -> None:
    loss, q = growing_loss(), np.array([0.5, 3.0])
    slope = 2.0 * q * 3.0 + 9.25 * 3.0 / q
    for _ in range(2):
        assert np.allclose(grad(loss)(q), slope)
    value, gradient = value_and_grad(loss)(q)
    again, pull = vjp(loss, q)
    along, tangent = jvp(loss, (q,), (q,))
    assert value == again == along == 27.75
    assert np.allclose(gradient, slope) and np.allclose(pull(1.0), slope) and np.isclose(tangent, slope @ q)
    loss(q)  # as a plain call it counts on
    assert np.allclose(grad(loss)(q), 1.5 * slope)
