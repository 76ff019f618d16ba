"""Programs whose paths are chosen by `match`, by exceptions, and by context managers."""

import dataclasses
import io
import json
import math
import os
import tempfile
import threading
import time
import warnings
from contextlib import contextmanager, redirect_stdout, suppress

import numpy as np

from regressions import Cases

CASES = case = Cases()
A3 = np.array([0.4, -0.7, 1.1])


# --- match ---------------------------------------------------------------------------------------


@dataclasses.dataclass
class Circle:
    radius: float


@dataclasses.dataclass
class Box:
    width: float
    height: float


@case(1.5)
def shapes_by_their_class(x):
    total = 0.0
    for shape in (Box(x, 2.0), Circle(x * x), Box(1.0, x)):
        match shape:
            case Box(width=1.0, height=h):
                total += h**3
            case Box(w, h):
                total += w * h
            case Circle(r):
                total += math.pi * r * r
    return total


@case(1.5)
def tagged_tuple_of_known_length(x):
    shape = ("circle", x)
    match shape:
        case ("circle", r):
            return 3.0 * r * r
        case ("box", w, h):
            return w * h
        case _:
            return 0.0


@case(0.5, 1.5)
@case(1.5, 0.5)
@case(3.0, 1.5)
def two_subjects_and_a_guard(x, y):
    match x, y:
        case (3.0, b):
            return b * x
        case (a, b) if a > b:
            return a * b
        case (b, a):
            return a**2 * b


@case(1.5, 1)
@case(1.5, 3)
@case(1.5, 4)
@case(1.5, (3, 4))
@case(1.5, "text")
@case(1.5, None)
@case(1.5, {"k": 2, "j": 1})
def inert_subject_of_any_kind(x, n):
    match n:
        case 1 | 2:
            y = x * x
        case 3 if x > 1.0:
            y = x**3
        case [a, *rest]:
            y = a * x + len(rest)
        case {"k": v, **others}:
            y = v * x + len(others)
        case "word" | None:
            y = 5 * x
        case int(k) | float(k):
            y = k * x
        case str():
            y = 7 * x
        case _:
            y = 0.5 * x
    return y * x


@case(1.5)
def list_taken_apart(x):
    match [x, x * x, 3.0]:
        case [a, b]:
            return a * b
        case [a, *middle, c] if c > 2.0:
            return a * middle[0] * c
        case _:
            return 0.0


@case(1.5)
def dict_of_active_values(x):
    match {"op": "scale", "by": x}:
        case {"op": "shift", "to": t}:
            return t + x
        case {"op": "scale", "by": k}:
            return k * 3.0 * x
    return 0.0


@case(1.5)
def jumps_out_of_a_match(x):
    total = 0.0
    for i in range(4):
        match i:
            case 0:
                continue
            case 3:
                break
            case k:
                total += x**k
    return total


@case(A3)
@case(1.5)
def float_or_array(x):
    match x:
        case float() as y if y > 3.0:
            return y
        case np.ndarray():
            return np.sum(x * x)
        case _:
            return x * x * x


# --- try -----------------------------------------------------------------------------------------


class Found(Exception):
    pass


def cubed(x):
    if x > 2.0:
        raise Found("too large")
    return x * x * x


@case(1.5)
@case(-1.5)
def logarithm_or_a_substitute(x):
    try:
        y = math.log(x)
    except ValueError:
        y = x * 3.0
    return y * y


@case(np.array([[2.0, 0.5, 0.1], [0.5, 1.0, 0.2], [0.1, 0.2, 3.0]]))
@case(np.array([[2.0, 0.5, 0.1], [0.5, -1.0, 0.2], [0.1, 0.2, 3.0]]))
def factor_that_may_not_exist(a):
    s = a + a.T
    try:
        factor = np.linalg.cholesky(s)
    except np.linalg.LinAlgError:
        return np.sum(s * s)
    return np.sum(np.log(np.diag(factor)))


@case(1.5, "k")
@case(1.5, "z")
def key_that_may_be_missing(x, k):
    table = {"k": x * x}
    try:
        v = table[k]
    except KeyError:
        v = 0.5 * x
    return v * x


@case(1.5, 0.5)
@case(1.5, -0.5)
@case(-1.5, -0.5)
def handler_reads_what_the_body_had_done(x, y):
    a = 0.0
    b = 1.0
    try:
        a = math.log(x)
        b = math.sqrt(y)
        c = a * b * x
    except ValueError:
        c = a * 3.0 + b * y
    return c * a + b


@case(1.5, 0)
@case(1.5, 2)
def continue_in_a_handler(x, n):
    t = x
    for i in range(4):
        try:
            t = t * x / (i - n)
        except ZeroDivisionError:
            t = t + 2.0 * x
            continue
        t = t + 1.0
    return t


@case(1.5)
def two_that_may_fail_in_a_loop(x):
    s = 0.0
    for v in [1.0, 4.0, -2.0, 3.0]:
        try:
            s += math.log(v * x) * s + x
            s = s * math.sqrt(v)
        except ValueError:
            s += x * x
    return s


@case(1.5)
@case(2.5)
def helper_that_raises(x):
    try:
        y = cubed(x)
    except Found as e:
        y = 7.0 * x * len(str(e))
    else:
        y = y + x
    finally:
        z = x * 2.0
    return y * z


@case(1.5, 0)
@case(1.5, 5)
@case(1.5, 2)
def writes_before_and_after_a_failure(x, i):
    u = np.zeros(3)
    u[1] = x
    try:
        u[i] = u[1] * x
        u[1] *= 1.0 / (i - 2.0)
        y = u[1]
    except IndexError:
        u[2] = x**3
        y = u[2] * 2.0
    except ZeroDivisionError:
        y = x
    return np.sum(u) * y


@case(1.5, 1)
@case(1.5, 0)
@case(-1.5, 0)
def try_inside_try(x, n):
    try:
        try:
            y = math.log(x) / n
        except ZeroDivisionError:
            y = math.sqrt(x) * 2.0
            y = y * y
        y = y + x
    except ValueError:
        y = x * x * 5.0
    return y


@case(1.5)
def break_in_a_handler(x):
    i = 0
    total = 0.0
    while True:
        try:
            total += x / (3 - i)
            i += 1
        except ZeroDivisionError:
            break
    return total * x


@case(0.4)
@case(2.0)
@case(0.2)
def loop_inside_try(x):
    y = 1.0
    try:
        for k in range(5):
            y = y * math.sqrt(1.5 - k * x) * x
    except ValueError:
        y = y * 2.0 + x
    return y


@case(1.5)
@case(-1.5)
def return_from_both(x):
    try:
        return 1.0 / math.sqrt(x)
    except ValueError:
        return 5.0 * x


@case(1.5)
def inert_calls_beside_active_ones(x):
    log = []
    try:
        y = x * x
        log.append("a")
        y = y / 0
    except Exception as e:
        log.append(str(e))
        y = y + x
    finally:
        log.append("done")
    return y * len(log)


@case(1.5, "3.0")
@case(1.5, "word")
def number_parsed(x, s):
    try:
        k = float(s)
        y = x * k
    except ValueError:
        y = x
    return y


@case(1.5, 0)
@case(1.5, 1)
def inert_try_that_returns(x, n):
    try:
        v = {0: 1.0}[n]
        return v
    except KeyError:
        pass
    return x * x


@case(1.5)
def inert_write_under_try(x):
    c = np.array([1.0, 2.0])
    y = x * c[0]
    z = y * y
    try:
        c[0] = 5.0
    except ValueError:
        pass
    return z * c[0]


@case(A3)
def loop_over_an_array_inside_try(a):
    total = 1.0
    try:
        for v in a:
            total += math.log(v) * total
    except ValueError:
        total = total * total
    return total


@case(1.5, 2.0)
@case(1.5, 1.0)
def raise_in_the_body(x, limit):
    y = x
    try:
        y = y * x
        if y > limit:
            raise ValueError("too large")
        y = y * x
    except ValueError:
        y = y + 1.0
    return y


@case(1.5, 0)
@case(1.5, 3)
def while_with_a_test_that_raises(x, n):
    steps = [3.0, 2.0, 1.0]
    y = x
    i = n
    try:
        while steps[i] > 1.5:
            y = y * steps[i] * x
            i += 1
    except IndexError:
        y = y + x * x
    return y


@case(1.5, 1)
@case(1.5, 0)
def list_and_dict_changed_under_try(x, n):
    items = [x]
    table = {"a": x}
    for k in range(3):
        try:
            items.append(x / (k - n))
            table["a"] = table["a"] * items[k + 1]
        except ZeroDivisionError:
            items.append(x * x)
        except IndexError:
            items.append(3.0 * x)
    return sum(items) * table["a"]


@case(1.5, 0)
@case(1.5, 1)
def raised_again_and_caught_outside(x, n):
    y = x
    try:
        for i in range(3):
            try:
                y = y * x / (i - n)
            except ZeroDivisionError as e:
                y = y + x
                if i > 0:
                    raise ValueError("again") from e
    except ValueError:
        y = y * 3.0
    return y


@case(1.5, 0)
@case(1.5, 2)
def bare_raise(x, n):
    y = x
    try:
        try:
            y = x / n
        except ZeroDivisionError:
            y = y * x
            raise
    except ArithmeticError:
        y = y * 2.0
    return y * x


@case(1.5)
def try_in_a_helper_in_a_loop(x):
    def part(v):
        try:
            return math.log(v)
        except ValueError:
            return v * v

    total = 0.0
    for k in range(4):
        total += part(x - k) * x
    return total


@case(np.array([1.0, 2.0, 4.0]), 0.5)
def array_in_place_under_try(u, k):
    try:
        u *= k
        u[1:] += u[:-1] * k
        u[7] = k
    except IndexError:
        u[0] = u[1] * k
    return np.sum(u * u)


@case(1.5)
@case(0.5)
def names_bound_in_the_body_only(x):
    for k in range(3):
        try:
            v = math.acos(x - 0.9 * k)
        except ValueError:
            v = x * k
    return v * x


@case(1.5, 0)
@case(1.5, 1)
def finally_with_active_statements(x, n):
    y = x
    for i in range(3):
        try:
            y = y / (i - n) * x
        except ZeroDivisionError:
            y = y + x
        finally:
            y = y * 0.5 * x
    return y


# --- with ----------------------------------------------------------------------------------------


class Scaled:
    def __init__(self, k):
        self.k = k
        self.total = 0.0

    def __enter__(self):
        self.k = self.k * 2.0
        return self

    def __exit__(self, kind, error, trace):
        self.total = self.total + self.k
        return False


class Logged:
    def __init__(self, log, v):
        self.log = log
        self.v = v

    def __enter__(self):
        return self.v * self.v

    def __exit__(self, kind, error, trace):
        self.log.append("failed" if kind else "fine")


class Timer:
    def __enter__(self):
        self.begun = time.perf_counter()
        return self

    def __exit__(self, *problem):
        self.seconds = time.perf_counter() - self.begun


@contextmanager
def scaled(cell, k):
    old = cell[0]
    cell[0] = cell[0] * k
    yield cell
    cell[0] = cell[0] + old


@contextmanager
def shifted(x, by=1.0):
    y = x + by
    try:
        yield y * x
    finally:
        LEFT.append(by)


LEFT = []


@contextmanager
def tolerant():
    try:
        yield
    except ValueError:
        pass


@case(1.5)
def manager_with_active_state(x):
    with Scaled(x) as s:
        y = s.k * x
    return y + s.total


@case(1.5)
def manager_that_looks_at_exceptions(x):
    log = []
    with Logged(log, x) as v:
        y = v * x
    return y * len(log)


@case(1.5)
def inert_managers(x):
    with Timer() as timer, np.errstate(divide="ignore"), threading.Lock():
        y = np.log(x * x)
    return y * (timer.seconds >= 0.0)


@case(1.5)
def generator_that_changes_a_list(x):
    cell = [x]
    with scaled(cell, 3.0) as c:
        c[0] = c[0] + x * x
    return cell[0]


@case(1.5)
def managers_side_by_side(x):
    with shifted(x, by=2.0) as v, np.errstate(all="ignore"), Scaled(v) as s:
        y = v * x
        for i in range(3):
            if i == 2:
                break
            y = y * x
    return y * s.k


@case(1.5)
@case(-1.5)
def suppressed(x):
    y = x
    with suppress(ValueError, KeyError):
        y = math.log(x)
        y = y * x
    return y * x


@case(1.5)
def manager_that_had_nothing_to_swallow(x):
    y = x
    with tolerant():
        y = math.log(x)
    return y * x


@case(1.5)
def jumps_out_of_with(x):
    total = 0.0
    for i in range(4):
        with shifted(x, i) as v:
            if i == 1:
                continue
            if i == 3:
                return total * v
            total += v
    return total


@case(1.5, 0)
@case(1.5, 1)
def with_inside_try(x, n):
    s = Scaled(x)
    try:
        with shifted(x) as v, s:
            y = v / n
    except ZeroDivisionError:
        y = x * 3.0
    return y * s.total


@case(1.5)
def file_written_once(x):
    path = os.path.join(tempfile.gettempdir(), f"pullback_{os.getpid()}.txt")
    with open(path, "w") as file:
        file.write("3.0")
        y = x * x
    with open(path) as file:
        k = float(file.read())
        y = y * k
    os.remove(path)
    return y * x


# --- found with them -----------------------------------------------------------------------------


@case(0.7, np.array([[0.3, -0.8, 0.5], [1.1, 0.2, -0.4]]))
def name_rebound_to_a_copying_view_in_a_loop(x, m):
    for _ in range(3):
        m = m.reshape(3, 2).T
        m[0] = x
    return np.sum(m)


@case(np.array([0.4, -0.7, 1.1]))
def what_an_inner_loop_leaves(x):
    rest, kept = 0.0, []
    for _ in range(3):
        for t in range(3):
            r = x[t] * 0.9**t
        rest = 0.9 * rest + 0.1 * r
        kept.append(rest)
    return kept[-1] * kept[0]


# --- jumps out of `finally` ----------------------------------------------------------------------


def overridden(x):
    try:
        return x * 2.0
    finally:
        return x * x  # noqa: B012


def swallowed(x):
    try:
        return math.log(-x)
    finally:
        return x * 3.0  # noqa: B012


@case(0.7)
def a_return_in_finally(x):
    return overridden(x) * swallowed(x)


@case(A3)
def a_break_in_finally(u):
    total = 0.0
    for v in u:
        try:
            total += v * v
        finally:
            if total > 0.5:
                break  # noqa: B012
    return total


@case(A3)
def a_continue_in_finally(u):
    total = 0.0
    for i in range(3):
        try:
            total += float(u[i]) / (2 * (i % 2))
        except ZeroDivisionError:
            total += u[i] ** 2
        finally:
            if i != 1:
                continue  # noqa: B012
        total *= 2.0
    return total


# --- texts of active values, which nothing turns into numbers again -------------------------------


class Rejected(Exception):
    def __init__(self, value):
        super().__init__(f"rejected {value}")
        self.value = value


def accepted(x):
    if x > 0.5:
        raise Rejected(x)
    return x


@case(0.7)
def an_exception_says_an_active_value(x):
    told = []
    for k in range(3):
        try:
            x = accepted(x - 0.3 * k) + x
        except (Rejected, ValueError) as problem:
            told.append((k, type(problem).__name__, str(problem)))
            x = x * 0.9
    return x * len(told)


@case(0.7)
def an_assertion_says_an_active_value(x):
    try:
        assert x < 0.5, f"too large: {x}"
        y = x
    except AssertionError as problem:
        y = x * 3.0 if "large" in str(problem) else x
    return y


@case(0.7)
def lines_and_keys_are_texts_of_active_values(x):
    lines, named = [], {}
    for k in range(3):
        lines.append("%d: %.3f" % (k, x))  # noqa: UP031
        named["x={:.2f}".format(x)] = x * k  # noqa: UP032
        x = x * 1.1
    text = "; ".join(lines)
    return x * len(text.split(";")) + sum(named.values())


class Recorded:
    def __init__(self, x):
        self.x = x
        self.label = f"recorded {x}"

    def __repr__(self):
        return f"Recorded({self.x})"


@case(0.7)
def an_object_with_a_label_and_a_repr(x):
    one = Recorded(x * 2.0)
    return one.x * (2.0 if "Recorded" in repr(one) and one.label.upper().startswith("REC") else 1.0)


# --- what raises before it has changed anything ----------------------------------------------------


class Stopped(Exception):
    pass


class Walker:
    def __init__(self, x):
        self.x = x
        self.steps = 0

    def step(self):
        if self.x > 2.0:
            raise Stopped("far enough")
        self.x = self.x * 1.5
        self.steps += 1


@case(0.7)
def a_method_that_stops_before_it_changes_anything(x):
    walker = Walker(x)
    try:
        while True:
            walker.step()
    except Stopped:
        pass
    return walker.x * walker.steps


class Empty(Exception):
    pass


class Stack:
    def __init__(self):
        self.items = []

    def pop(self):
        if not self.items:
            raise Empty
        return self.items.pop()


@case(0.7, 1.3)
def a_stack_that_is_empty_in_the_end(x, y):
    stack = Stack()
    for v in (x, y, x * y):
        stack.items.append(v)
    total = 0.0
    while True:
        try:
            total = total * 2.0 + stack.pop()
        except Empty:
            break
    return total


def withdrawn(account, amount):
    if account["balance"] < amount:
        raise ValueError("not enough")
    account["balance"] -= amount
    account["log"].append(amount)


@case(0.7, 1.3)
def an_account_that_refuses(x, y):
    account = {"balance": y, "log": []}
    failures = 0
    for _ in range(4):
        try:
            withdrawn(account, x * 0.5)
        except ValueError:
            failures += 1
    return account["balance"] * 3.0 + sum(account["log"]) * failures


@case(0.7, 1.3)
def texts_written_to_a_file(x, y):
    with open(os.devnull, "w") as file:
        file.write(str(x))
        file.write(f"{x * y}\n")
        print(x * y, file=file)
    return x * y


@case(1.5)
def rest_of_a_mapping(x):
    total = 0.0
    for settings in ({"kind": "scale", "by": x, "also": 2.0}, {"kind": "other", "by": x * x, "also": x}):
        match settings:
            case {"kind": "scale", **rest}:
                total += rest["by"] * rest["also"] * len(rest)
            case {"kind": str(), **settings}:
                total += settings["by"] * x
    return total


@case(1.5)
def rest_of_a_mapping_with_a_guard(x):
    match {"a": x, "inner": {"b": x * x, "c": "text"}, "z": 1.0}:
        case {"a": v, **rest} if rest["z"] < 0.5:
            return v
        case {"inner": {"c": "text", **inner}, **outer}:
            return inner["b"] * outer["a"] * len(outer)


# --- texts of active values that stay texts ---------------------------------------------------------


@case(1.5)
def texts_are_written_out_and_looked_at(x):
    buffer = io.StringIO()
    with redirect_stdout(buffer):
        print("x", x)
    np.save(io.BytesIO(), np.array([x]))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.warn(f"x is {x}", stacklevel=1)
    np.testing.assert_allclose(x, x)
    told = json.dumps({"x": x, "home": os.environ.get("NO_SUCH_VARIABLE", "none")})
    return x * x * len(buffer.getvalue().split()) * len(caught) * (2.0 if "none" in told else 1.0)


@case(1.5)
def an_exception_says_a_constant(x):
    try:
        raise ValueError("2.5")
    except ValueError as problem:
        return float(str(problem)) * x * x


@case(np.array([0.4, -0.7, 1.1]))
def an_assertion_that_does_something(a):
    log = []

    def halved(v):
        v[:] -= 0.5 * v
        log.append(v[0] * v[1])
        return 2

    w = a
    assert halved(w), f"no {halved(w)}"
    assert (first := w[0]) and log.pop() < 9 and w.sum() < halved(w)
    return np.sum(w * w) * first * len(log) + log[0]
