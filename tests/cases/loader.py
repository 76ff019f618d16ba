"""Loads conformance cases and runs a gradient implementation over them.

Case modules
    A module has a list CASES (programs with a known gradient), a list BAD (programs and calls that
    must be refused), or both. Every entry is a dict. Fields of a CASES entry:

    id       unique name
    fn       the function (or other callable); its source can be found by inspect.getsource
    args     a callable that makes fresh positional arguments (or a tuple, copied for each call)
    kwargs   optional, a callable that makes keyword arguments
    wrt      an argument position, or a tuple of positions
    value    what fn returns, as a float
    expect   one entry for each position in wrt, nested lists of floats in the argument's shape;
             for an argument that is a list, tuple, dict or object: a list / dict of its parts
    tol      allowed |difference| / (1 + |expected|)
    tags     list of words; the meaning of the special ones:
                 may-refuse       a clear compile-time refusal is acceptable, a wrong number is not
                 path-semantics   at a kink or a special point: the derivative of the executed path
                                  (finite differences disagree, on purpose)
                 mutates-arg      plain Python changes the caller's arguments; expect is the derivative
                                  with respect to their initial values
                 pytree-arg       derivative with respect to a container argument
    source   the public thread that gave the idea
    after    optional, {position: state} that plain Python leaves the caller's arguments in
    dtypes   optional, for each position in wrt the dtype the gradient must have
    before_call  optional, called after grad(fn, wrt) and before the gradient is asked for
    note     optional remark

    The fields of a BAD entry are described in language_bad_inputs.py.

    Expected gradients come from a closed form, or from the complex-step derivative of an independent
    functional rewrite (the functions in a case module whose name starts with an underscore and that
    no case calls), and were checked against extrapolated central differences of fn itself.

As a library
    from loader import load_cases, load_bad, run_cases, run_bad
    report = run_cases(grad, load_cases())            # grad(fn, wrt) -> callable
    print(report.table()); print(report.details())
    assert report.ok

    With pytest:
        @pytest.mark.parametrize("case", load_cases(), ids=lambda c: c.id)
        def test_case(case):
            outcome = run_case(my_grad, case, refusal=(MyCompileError,))
            assert outcome.status in case.acceptable, outcome.detail

    `grad(fn, wrt)` returns a callable with fn's signature. For an int wrt that callable returns one
    gradient, for a tuple of positions a sequence of gradients.

From a shell
    python loader.py --grad package.module:grad --refusal package.module:CompileError
    python loader.py --grad package:grad --tag loop-carried --id loops. --dir OTHER_FOLDER
    python loader.py --grad package:grad --bad
    python loader.py --self-test          # finite differences in place of an implementation
"""
import argparse
import copy
import glob
import importlib
import importlib.util
import os
import re
import signal
import sys
import threading
import traceback
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any, Callable, Optional

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS_PER_CASE = 30


# ---------------------------------------------------------------- loading

@dataclass
class Case:
    id: str
    fn: Callable
    args: Any
    wrt: Any
    expect: Any
    value: Optional[float] = None
    kwargs: Any = None
    tol: float = 1e-9
    tags: list = field(default_factory=list)
    source: str = ""
    after: Optional[dict] = None
    dtypes: Optional[list] = None
    before_call: Optional[Callable] = None
    note: str = ""
    module: str = ""

    @property
    def wrt_tuple(self):
        return (self.wrt,) if isinstance(self.wrt, int) else tuple(self.wrt)

    @property
    def acceptable(self):
        return {"pass", "refused"} if "may-refuse" in self.tags else {"pass"}

    def make_args(self):
        return tuple(self.args()) if callable(self.args) else copy.deepcopy(tuple(self.args))

    def make_kwargs(self):
        return dict(self.kwargs() if callable(self.kwargs) else copy.deepcopy(self.kwargs or {}))


@dataclass
class Bad:
    id: str
    args: Any
    wrt: Any
    stage: str
    fn: Any = None
    make: Optional[Callable] = None
    kwargs: Any = None
    raises: Optional[type] = None
    at: Optional[str] = None
    says: list = field(default_factory=list)
    names: list = field(default_factory=list)
    or_expect: Any = None
    reset: Optional[Callable] = None
    tags: list = field(default_factory=list)
    source: str = ""
    note: str = ""
    module: str = ""

    def function(self):
        return self.make() if self.make is not None else self.fn

    def make_args(self):
        return tuple(self.args())

    def make_kwargs(self):
        return dict(self.kwargs()) if self.kwargs else {}

    def line(self):
        """Line number of this entry's `# BAD:<at>` comment, or None."""
        if self.at is None:
            return None
        marker = re.compile(r"# BAD:%s\b" % re.escape(self.at))
        with open(self.module, encoding="utf-8") as f:
            for number, text in enumerate(f, start=1):
                if marker.search(text):
                    return number
        raise LookupError(f"{self.id}: no line marked # BAD:{self.at}")


def _import_file(path):
    path = os.path.abspath(path)
    name = "cases_" + os.path.basename(path)[:-3]
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _load(kind, cls, dirs, pattern, tag, id_part):
    out, seen = [], set()
    for folder in dirs or (HERE,):
        for path in sorted(glob.glob(os.path.join(folder, pattern))):
            if os.path.basename(path) == "loader.py":
                continue
            for entry in getattr(_import_file(path), kind, []):
                item = cls(**entry, module=os.path.abspath(path))
                if (item.id, folder) in seen:
                    raise ValueError(f"{path}: id {item.id!r} used twice")
                seen.add((item.id, folder))
                if (tag is None or tag in item.tags) and (id_part is None or id_part in item.id):
                    out.append(item)
    return out


def load_cases(*dirs, pattern="*.py", tag=None, id_part=None):
    """The CASES entries of every case module in dirs (default: this file's folder), as Case objects."""
    return _load("CASES", Case, dirs, pattern, tag, id_part)


def load_bad(*dirs, pattern="*.py", tag=None, id_part=None):
    """The BAD entries, as Bad objects."""
    return _load("BAD", Bad, dirs, pattern, tag, id_part)


# ---------------------------------------------------------------- comparing

def _has_float(arg):
    if isinstance(arg, (bool, int, str, bytes)) or arg is None:
        return False
    if isinstance(arg, (float, np.floating)):
        return True
    if isinstance(arg, np.ndarray):
        return arg.dtype.kind == "f"
    if isinstance(arg, dict):
        return any(_has_float(v) for v in arg.values())
    if isinstance(arg, (list, tuple)):
        return any(_has_float(v) for v in arg)
    return any(_has_float(v) for v in getattr(arg, "__dict__", {}).values())


def mismatch(arg, want, got, tol, dtype=None, where=""):
    """None if gradient `got` of argument `arg` is `want`, else a sentence."""
    if isinstance(arg, dict):
        for k in want:
            try:
                part = got[k]
            except Exception:
                return f"no entry {k!r} in the gradient{where}"
            bad = mismatch(arg[k], want[k], part, tol, None, f"{where}[{k!r}]")
            if bad:
                return bad
        return None
    if isinstance(arg, (list, tuple)):
        live = [i for i, a in enumerate(arg) if _has_float(a)]
        if not isinstance(got, (list, tuple, np.ndarray)) or len(got) < (live[-1] + 1 if live else 0):
            return f"expected {len(want)} parts, got {got!r}{where}"
        for i, w in zip(live, want):
            bad = mismatch(arg[i], w, got[i], tol, None, f"{where}[{i}]")
            if bad:
                return bad
        return None
    if not isinstance(arg, (float, np.floating, np.ndarray)) and hasattr(arg, "__dict__"):
        for k in want:
            part = got[k] if isinstance(got, dict) else getattr(got, k, None)
            bad = mismatch(getattr(arg, k), want[k], part, tol, None, f"{where}.{k}")
            if bad:
                return bad
        return None
    if got is None:
        return f"gradient is None{where} (a zero of the argument's shape is expected where nothing flows)"
    try:
        g = np.asarray(got)
    except Exception as e:
        return f"gradient is not numeric{where}: {e}"
    if g.dtype.kind != "f":
        return f"gradient has dtype {g.dtype}{where}"
    w = np.asarray(want, dtype=float).reshape(np.shape(arg))
    if g.shape != w.shape:
        return f"gradient has shape {g.shape}, expected {w.shape}{where}"
    if dtype is not None and g.dtype != np.dtype(dtype):
        return f"gradient has dtype {g.dtype}, expected {dtype}{where}"
    if g.size:
        with np.errstate(invalid="ignore"):
            err = np.abs(g.astype(float) - w)
            near = err <= tol * (1.0 + np.abs(w))
        bad = ~((near & np.isfinite(w)) | (g == w) | (np.isnan(g) & np.isnan(w)))
        if bad.any():
            at = tuple(int(i) for i in np.argwhere(bad)[0]) if w.ndim else ()
            return f"{where or 'gradient'}{list(at) if at else ''} is {g[at]!r}, expected {w[at]!r}"
    return None


def _same(a, b):
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        a, b = np.asarray(a), np.asarray(b)
        if a.dtype == object or b.dtype == object:
            return a.shape == b.shape and a.tolist() == b.tolist()
        return a.shape == b.shape and np.array_equal(a, b, equal_nan=a.dtype.kind in "fc" and b.dtype.kind in "fc")
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(_same(x, y) for x, y in zip(a, b))
    if hasattr(a, "__dict__") and not callable(a):
        return _same(vars(a), b if isinstance(b, dict) else vars(b))
    if callable(a):
        return True
    return a == b or (a != a and b != b)


def _close(a, b):
    if isinstance(a, dict):
        return all(_close(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(_close(x, y) for x, y in zip(a, b))
    if isinstance(a, (float, int, np.floating, np.ndarray)):
        return np.allclose(a, b, rtol=1e-12, atol=1e-12, equal_nan=True)
    return True


def _arrays(x):
    if isinstance(x, np.ndarray):
        yield x
    elif isinstance(x, dict):
        for v in x.values():
            yield from _arrays(v)
    elif isinstance(x, (list, tuple)):
        for v in x:
            yield from _arrays(v)
    elif hasattr(x, "__dict__") and not callable(x):
        yield from _arrays(vars(x))


# ---------------------------------------------------------------- running

@dataclass
class Outcome:
    case: Any
    status: str
    detail: str = ""


class _TooLong(BaseException):
    pass


def _guarded(seconds, body):
    """Run body(); after `seconds` break it off (main thread on Unix only)."""
    usable = hasattr(signal, "SIGALRM") and threading.current_thread() is threading.main_thread()
    if not usable:
        return body()

    def stop(*_):
        raise _TooLong()
    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        return body()
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _last(e):
    frames = traceback.extract_tb(e.__traceback__)
    place = f" at {os.path.basename(frames[-1].filename)}:{frames[-1].lineno}" if frames else ""
    return f"{type(e).__name__}: {str(e)[:300]}{place}"


def run_case(grad, case, *, refusal=(), arguments="either", check_memory=True):
    """Status of one case.

    pass         the gradient is right, twice, and nothing else was disturbed
    wrong        a number, shape or dtype that differs: the failure this corpus is for
    refused      an exception of a type in `refusal` (a clear compile-time refusal)
    error        any other exception, or no answer in time
    side-effect  right numbers, but an argument was left in neither its initial state nor the state
                 plain Python leaves it in, or a gradient shares memory with an argument or with
                 another gradient, or fn itself gives another value afterwards

    arguments: what the gradient call may do to arguments that fn changes: "either", "as-python"
    (left as fn leaves them) or "preserved" (left alone).
    """
    try:
        return _guarded(SECONDS_PER_CASE, lambda: _run_case(grad, case, refusal, arguments, check_memory))
    except _TooLong:
        return Outcome(case, "error", f"no answer in {SECONDS_PER_CASE} s")


def _run_case(grad, case, refusal, arguments, check_memory):
    results = []
    try:
        g = grad(case.fn, case.wrt)
        for _ in range(2):
            if case.before_call:
                case.before_call()
            args, kwargs = case.make_args(), case.make_kwargs()
            before = copy.deepcopy(args)
            out = g(*args, **kwargs)
            parts = [out] if isinstance(case.wrt, int) else out
            results.append((args, before, parts))
    except Exception as e:
        if refusal and isinstance(e, tuple(refusal)):
            return Outcome(case, "refused", _last(e))
        return Outcome(case, "error", _last(e))

    for turn, (args, before, parts) in enumerate(results):
        again = " (second call)" if turn else ""
        if not isinstance(case.wrt, int) and (not isinstance(parts, (tuple, list)) or len(parts) != len(case.wrt_tuple)):
            return Outcome(case, "wrong", f"expected {len(case.wrt_tuple)} gradients, got {type(parts).__name__}")
        for i, (w, want) in enumerate(zip(case.wrt_tuple, case.expect)):
            dtype = case.dtypes[i] if case.dtypes else (before[w].dtype if isinstance(before[w], np.ndarray) else None)
            bad = mismatch(before[w], want, parts[i], case.tol, dtype)
            if bad:
                return Outcome(case, "wrong", f"argument {w}: {bad}{again}")
        for i, (now, was) in enumerate(zip(args, before)):
            kept = _same(was, now)
            left = case.after[i] if case.after and i in case.after else None
            as_python = _close(left, _plain(now)) if left is not None else kept
            good = {"either": kept or as_python, "as-python": as_python, "preserved": kept}[arguments]
            if not good:
                return Outcome(case, "side-effect", f"argument {i} was left as {now!r}{again}")
        if check_memory:
            for got in _arrays(parts):
                if any(np.shares_memory(got, a) for a in _arrays(args)):
                    return Outcome(case, "side-effect", "a gradient shares memory with an argument" + again)
            whole = [list(_arrays(part)) for part in parts]
            for i, left in enumerate(whole):
                for right in whole[i + 1:]:
                    if any(np.shares_memory(p, q) for p in left for q in right):
                        return Outcome(case, "side-effect", "two gradients share memory" + again)
    if case.value is not None:
        try:
            v = float(np.asarray(case.fn(*case.make_args(), **case.make_kwargs())).reshape(()))
        except Exception as e:
            return Outcome(case, "side-effect", f"fn fails afterwards: {_last(e)}")
        if not abs(v - case.value) <= 1e-9 * (1 + abs(case.value)) and not v == case.value:
            return Outcome(case, "side-effect", f"fn gives {v!r} afterwards, {case.value!r} before")
    return Outcome(case, "pass")


def _plain(a):
    if isinstance(a, np.ndarray):
        return a.tolist()
    if isinstance(a, dict):
        return {k: _plain(v) for k, v in a.items()}
    if isinstance(a, (list, tuple)):
        return [_plain(v) for v in a]
    if hasattr(a, "__dict__") and not callable(a):
        return _plain(vars(a))
    return a


def run_bad_case(grad, bad):
    """Status of one BAD entry.

    pass        refused at the right stage, with file, line and reason
    supported   the exact gradient in or_expect was returned instead
    silent      something was returned: the worst failure
    late        refused, but only at the call where grad(fn, wrt) should have
    unclear     refused, but the message lacks file:line, a name or the reason
    wrong-type  the program's own error did not come through with its type
    """
    try:
        return _guarded(SECONDS_PER_CASE, lambda: _run_bad(grad, bad))
    except _TooLong:
        return Outcome(bad, "unclear", f"no answer in {SECONDS_PER_CASE} s")


def _run_bad(grad, bad):
    stage = "grad"
    try:
        fn = bad.function()
        g = grad(fn, bad.wrt)
        stage = "call"
        if bad.reset:
            bad.reset()
        args = bad.make_args()
        before = copy.deepcopy(args)
        out = g(*args, **bad.make_kwargs())
    except Exception as e:
        text = f"{e} {' '.join(getattr(e, '__notes__', []))}"
        if bad.raises is not None:
            if not isinstance(e, bad.raises):
                return Outcome(bad, "wrong-type", f"{_last(e)} in place of {bad.raises.__name__}")
        elif bad.stage == "grad" and stage == "call":
            return Outcome(bad, "late", _last(e))
        line = bad.line()
        if line is not None:
            if os.path.basename(bad.module) not in text or not re.search(r"\b%d\b" % line, text):
                return Outcome(bad, "unclear", f"message does not name {os.path.basename(bad.module)}:{line}: {_last(e)}")
        if bad.says and not any(word.lower() in text.lower() for word in bad.says):
            return Outcome(bad, "unclear", f"message has none of {bad.says}: {_last(e)}")
        if bad.names and not any(re.search(r"(?<!\w)%s(?!\w)" % re.escape(name), text) for name in bad.names):
            return Outcome(bad, "unclear", f"message names none of {bad.names}: {_last(e)}")
        return Outcome(bad, "pass", _last(e))
    finally:
        if bad.reset:
            bad.reset()
    if bad.or_expect is not None:
        positions = (bad.wrt,) if isinstance(bad.wrt, int) else bad.wrt
        parts = [out] if isinstance(bad.wrt, int) else out
        faults = [mismatch(np.asarray(before[w]) if isinstance(before[w], np.ma.MaskedArray) else before[w], want, got, 1e-9)
                  for w, want, got in zip(positions, bad.or_expect, parts)]
        if not any(faults):
            return Outcome(bad, "supported")
        return Outcome(bad, "silent", "; ".join(f for f in faults if f))
    return Outcome(bad, "silent", f"returned {out!r}")


GOOD_STATUS = {"pass", "supported"}


@dataclass
class Report:
    outcomes: list

    @property
    def ok(self):
        return all(o.status in (o.case.acceptable if isinstance(o.case, Case) else GOOD_STATUS) for o in self.outcomes)

    def counts(self):
        return Counter(o.status for o in self.outcomes)

    def by_tag(self):
        out = defaultdict(Counter)
        for o in self.outcomes:
            for t in o.case.tags:
                out[t][o.status] += 1
        return out

    def table(self):
        names = sorted(self.counts())
        rows = [f"{'tag':30}" + "".join(f"{n:>12}" for n in names)]
        for tag, c in sorted(self.by_tag().items(), key=lambda kv: (-sum(kv[1].values()), kv[0])):
            rows.append(f"{tag:30}" + "".join(f"{c[n] or '':>12}" for n in names))
        rows.append(f"{'ALL ' + str(len(self.outcomes)):30}" + "".join(f"{self.counts()[n]:>12}" for n in names))
        return "\n".join(rows)

    def details(self, hide=("pass",)):
        order = ["silent", "wrong", "side-effect", "error", "wrong-type", "unclear", "late", "refused", "supported"]
        shown = [o for o in self.outcomes if o.status not in hide]
        shown.sort(key=lambda o: (order.index(o.status) if o.status in order else 99, o.case.id))
        return "\n".join(f"{o.status:12}{o.case.id}: {o.detail}" for o in shown)


def run_cases(grad, cases, **options):
    return Report([run_case(grad, c, **options) for c in cases])


def run_bad(grad, bads):
    return Report([run_bad_case(grad, b) for b in bads])


# ---------------------------------------------------------------- a stand-in implementation

def difference_grad(fn, wrt):
    """Central differences with extrapolation; stands in for an implementation in --self-test."""
    def one(args, kwargs, w):
        def leaf(get, put, eps):
            def f(d):
                a = list(copy.deepcopy(args))
                a[w] = put(copy.deepcopy(args[w]), d)
                return float(np.asarray(fn(*a, **kwargs)).reshape(()))
            d = [(f(h) - f(-h)) / (2 * h) for h in (eps, eps / 2, eps / 4)]
            t = [(4 * d[1] - d[0]) / 3, (4 * d[2] - d[1]) / 3]
            return (16 * t[1] - t[0]) / 15

        def walk(part, put):
            if isinstance(part, np.ndarray):
                out = np.zeros_like(part)
                for i in np.ndindex(part.shape):
                    def set_one(whole, d, i=i):
                        p = part.copy()
                        p[i] += d
                        return put(whole, p)
                    out[i] = leaf(None, set_one, 1e-3 if part.dtype == np.float64 else 0.125)
                return out
            if isinstance(part, (float, np.floating)):
                return leaf(None, lambda whole, d: put(whole, part + d), 1e-3)
            if isinstance(part, dict):
                return {k: walk(v, lambda whole, p, k=k: put(whole, {**part, k: p})) for k, v in part.items() if _has_float(v)}
            if isinstance(part, (list, tuple)):
                return [walk(v, lambda whole, p, i=i: put(whole, type(part)([*part[:i], p, *part[i + 1:]]))) for i, v in enumerate(part)]
            raise TypeError(type(part))
        return walk(args[w], lambda whole, p: p)

    def gradient(*args, **kwargs):
        if isinstance(wrt, int):
            return one(args, kwargs, wrt)
        return tuple(one(args, kwargs, w) for w in wrt)
    return gradient


# ---------------------------------------------------------------- command line

def _attribute(spec):
    module, _, name = spec.partition(":")
    obj = importlib.import_module(module)
    for part in name.split("."):
        obj = getattr(obj, part)
    return obj


def main(argv=None):
    p = argparse.ArgumentParser(description="run a gradient implementation over the conformance cases")
    p.add_argument("--grad", help="module:name of grad(fn, wrt=...)")
    p.add_argument("--refusal", action="append", default=[], help="module:name of an exception type that counts as a refusal")
    p.add_argument("--dir", action="append", default=[], help="folder of case modules (default: this one)")
    p.add_argument("--pattern", default="language_*.py")
    p.add_argument("--tag")
    p.add_argument("--id")
    p.add_argument("--bad", action="store_true", help="run the BAD entries")
    p.add_argument("--arguments", default="either", choices=["either", "as-python", "preserved"])
    p.add_argument("--list", action="store_true")
    p.add_argument("--self-test", action="store_true")
    a = p.parse_args(argv)
    pick = dict(pattern=a.pattern, tag=a.tag, id_part=a.id)
    if a.list:
        for c in (load_bad if a.bad else load_cases)(*a.dir, **pick):
            print(c.id, " ".join(c.tags))
        return 0
    if a.self_test:
        cases = [c for c in load_cases(*a.dir, **pick) if "path-semantics" not in c.tags]
        for c in cases:
            c.tol = max(c.tol, 3e-8 if "float32" not in c.tags else 5e-3)
        report = run_cases(difference_grad, cases)
    else:
        if not a.grad:
            p.error("--grad or --self-test is needed")
        target = _attribute(a.grad)
        grad = lambda fn, wrt: target(fn, wrt=wrt)  # noqa: E731
        if a.bad:
            report = run_bad(grad, load_bad(*a.dir, **pick))
        else:
            report = run_cases(grad, load_cases(*a.dir, **pick), refusal=tuple(_attribute(r) for r in a.refusal), arguments=a.arguments)
    print(report.table())
    print(report.details())
    print(f"{sum(report.counts().values())} cases: " + ", ".join(f"{v} {k}" for k, v in sorted(report.counts().items())))
    return 0 if report.ok else 1


if __name__ == "__main__":
    sys.exit(main())
