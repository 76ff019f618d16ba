"""Exceptions, managers, assertions."""

from __future__ import annotations

from .control import exit_statement
from .expressions import Maker
from .formulas import BOUNDED
from .kinds import FLOAT, Array, Float, Int

RISKS = (  # an expression that may raise, and what
    ("math.log({0} - 0.0137)", "ValueError"),
    ("math.sqrt({0} + 0.0173) + {1}", "ValueError"),
    ("float({0}) / ({i} - 1)", "ZeroDivisionError"),
    ("float({0}) / ({i} % 2)", "ArithmeticError"),
    ("{{0: {0}, 2: {1}}}[{i}]", "KeyError"),
    ("[{0}, {1}][{i} % 3]", "IndexError"),
    ("np.linalg.cholesky(np.diag([1.0, 0.9]) + {0} * np.array([[0.0, 1.0], [1.0, 0.0]]))[1, 1]", "np.linalg.LinAlgError"),
)


def risky(m: Maker) -> tuple[str, str]:
    """An expression that may raise, and what a handler of it names."""
    text, error = m.pick(RISKS)
    integers = m.variables(Int)
    i = m.pick(integers).name if integers else str(m.rng.randrange(3))
    text = text.format(m.float(1), m.float(1), i=i)
    if m.chance(0.2):
        return text, f"({error}, TypeError)"
    return text, "Exception as problem" if m.chance(0.15) else error


def try_statement(m: Maker, count: int) -> int:
    """A float that is bound in the body, or else in the handler."""
    targets = m.variables(Float, lambda v: v.rebind)
    name = m.pick(targets).name if targets and m.chance(0.5) else m.fresh()
    m.write("try:")
    with m.block():
        if m.chance(0.6):
            m.body(1)
        text, error = risky(m)
        m.write(f"{name} = {text}")
        m.bind(name, FLOAT)
        if m.chance(0.5):
            m.body(1)
        if m.chance(0.1):
            exit_statement(m, 1)
    m.write(f"except {error}:")
    with m.block():
        if m.chance(0.3):
            m.body(1)
        m.write(f"{name} = {m.float(2)}")
        m.bind(name, FLOAT)
        if m.chance(0.15):
            exit_statement(m, 1)
    for word, probability in (("else", 0.15), ("finally", 0.2)):
        if m.chance(probability):
            m.write(f"{word}:")
            with m.block():
                m.body(1)
    m.bind(name, FLOAT)
    return 3


def raise_statement(m: Maker, count: int) -> int:
    """An exception of the program's own, or an assertion that holds."""
    if m.chance(0.3):
        m.write(f"assert {m.float(1)} < 1e9" + m.pick(("", ", 'too large'")))
        return 1
    target = m.pick(m.variables(Float, lambda v: v.rebind) or [m.new(FLOAT, m.float(1))])
    m.write("try:")
    with m.block():
        m.write(f"if {m.condition()}:\n    raise {m.pick(('Stop', 'Stop()', 'ValueError(3)'))}")
        m.body(1)
    m.write(f"except {m.pick(('(Stop, ValueError)', 'Exception'))}:")
    with m.block():
        m.write(f"{target.name} = {m.pick(BOUNDED).format(m.float(1))}")
    return 2


def with_statement(m: Maker, count: int) -> int:
    """Managers that change numbers around a block, and managers that change none."""
    k = m.fresh()
    inert = ("np.errstate(all='ignore')", "contextlib.nullcontext()", "contextlib.suppress(KeyError)")
    vectors = m.arrays(lambda v: v.type.shape == (3,))
    if not vectors or m.chance(0.4):
        m.write(f"with {m.pick(inert)}:")
    else:
        manager = m.pick(("Scaled", "scaled_within"))
        m.write(f"with {manager}({m.pick(vectors).name}, {m.float(1)}) as {k}:")
    with m.block():
        if "(contextlib" not in m.lines[-1] and "caled" in m.lines[-1]:
            m.bind(k, Array((3,)))
        m.body(m.rng.randint(1, 2))
    return 2
