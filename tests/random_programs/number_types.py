"""Statements about other types than floats: integers, booleans, complex numbers, buffers that truncate."""

from __future__ import annotations

from .expressions import Maker
from .kinds import FLOAT, Array, Bool, Complex, Int


def number_statement(m: Maker, count: int) -> int:
    return m.pick((integer_statement, bool_statement, complex_number, complex_array, whole_buffer, single_buffer, either_buffer))(m, count)


def integer_statement(m: Maker, count: int) -> int:
    """An integer made of floats, or of a shape: no derivative goes through it."""
    text, low, high = m.pick(
        (
            (f"int(abs({m.float(1)}) * 3.0) % 3", 0, 2),
            (f"int({m.float(1)} > {m.number()})", 0, 1),
            (f"round(2.0 * np.tanh({m.float(1)}))", -2, 2),
            (f"math.floor(np.sin({m.float(1)}))", -1, 1),
            (f"len([{m.float(1)}, {m.float(1)}])", 2, 2),
            (f"({m.float(1)} > {m.number()}) + 1", 1, 2),
        )
    )
    if m.arrays() and m.chance(0.4):
        part, shape = m.view()
        text, low, high = m.pick(
            (
                (f"len({part})", shape[0], shape[0]),
                (f"{part}.shape[-1]", shape[-1], shape[-1]),
                (f"np.argmax({part}) % 2", 0, 1),
                (f"np.count_nonzero({part} > {m.number()})", 0, 20),
                (f"int(np.sum({part} > {m.number()}))", 0, 20),
                (f"{part}.ndim", len(shape), len(shape)),
            )
        )
    m.new(Int(low, high), text)
    return 1


def bool_statement(m: Maker, count: int) -> int:
    flags = m.variables(Bool, lambda v: v.rebind)
    if flags and m.chance(0.3):
        m.write(f"{m.pick(flags).name} {m.pick(('&=', '|=', '^='))} {m.float(1)} > {m.number()}")
    else:
        m.new(Bool(), m.pick(("{}", "bool({})", "not ({})")).format(m.condition()))
    return 1


def complex_number(m: Maker, count: int) -> int:
    fits = m.variables(Complex, lambda v: v.rebind)
    if not fits or m.chance(0.4):
        m.new(Complex(), m.pick(("complex({0}, {1})", "{0} + 1j * {1}", "np.exp(1j * {0}) * {1}")).format(m.float(1), m.float(1)))
    else:
        form = m.pick(("{0} = {0} ** 2 * 0.3 + {1}", "{0} *= np.exp(1j * {1})", "{0} = {0}.conjugate() * 1j", "{0} += {1} * 1j"))
        m.write(form.format(m.pick(fits).name, m.float(1)))
    return 1


COMPLEX_ARRAYS = (
    "{1} + 1j * {2}",
    "np.zeros({0}, dtype=complex)",
    "np.exp(1j * {1})",
    "{1}.astype(complex)",
    "np.array([complex(v, 0.3) for v in {1}])",
    "np.fft.fft({1})",
    "np.full({0}, {3} * 1j)",
)
COMPLEX_WRITES = (
    "{0}[{4}] = {2} + 1j * {3}",
    "{0}[{4}] *= np.exp(1j * {2})",
    "{0} *= np.exp(1j * {2})",
    "{0} += {1}",
    "{0}[:] = {0}[::-1] * 0.7j",
    "{0}.real[{4}] = {2}",
    "{0}.imag += {1}",
    "{0}.real = {1}",
    "{0}.imag[:] = {0}.real",
    "np.multiply({0}, 0.6j, out={0})",
    "np.conj({0}, out={0})",
    "{0} -= {0}.conj() * 0.4",
    "{0}[1:] = {0}[:-1]",
    "{0}.real, {0}.imag = {0}.imag * 0.9, {0}.real * 1.0",
)


def complex_array(m: Maker, count: int) -> int:
    fits = m.variables(Array, lambda v: v.type.kind == "complex" and v.rebind)
    if not fits or m.chance(0.3):
        n = m.pick((2, 3, 4))
        m.new(Array((n,), "complex"), m.pick(COMPLEX_ARRAYS).format(n, m.array((n,), 1), m.array((n,), 1), m.float(1)))
        return 1
    variable = m.pick(fits)
    n = variable.type.shape[0]
    if m.chance(0.2):
        m.new(variable.type, m.pick(("{0}", "{0}[::-1]", "np.conj({0})", "{0} * {0}", "{0}.copy()")).format(variable.name))
    elif m.chance(0.25):
        m.new(Array((n,)), m.pick(("np.abs({0} + 4.0)", "{0}.real", "{0}.imag", "np.real({0} * {0})", "np.fft.ifft({0}).real", "np.angle({0} + 5.0)")).format(variable.name))
    else:
        m.write(m.pick(COMPLEX_WRITES).format(variable.name, m.array((n,), 1), m.float(1), m.float(1), m.index(n)))
    return 1


def whole_buffer(m: Maker, count: int) -> int:
    """An array of integers: what is written is truncated, and loses its derivative."""
    fits = m.variables(Array, lambda v: v.type.kind == "whole")
    if not fits or m.chance(0.4):
        n = m.pick((2, 3, 4))
        form = m.pick(("np.zeros({0}, dtype=int)", "np.arange({0})", "({1} * 3.0).astype(int)", "np.array([1, 2, 3, 4][:{0}])"))
        m.new(Array((n,), "whole"), form.format(n, m.array((n,), 1)))
        return 1
    variable = m.pick(fits)
    n = variable.type.shape[0]
    form = m.pick(("{0}[{3}] = {2} * 4.0", "{0}[:] = {1} * 3.0", "{0}[{3}] += 1", "np.copyto({0}, {1} * 2.0, casting='unsafe')", "{0} *= 2", "{0}[1:] = {0}[:-1]"))
    if form == "{0} *= 2" and (not variable.rebind or m.frame.loops):
        form = "{0}[{3}] = {2}"
    m.write(form.format(variable.name, m.array((n,), 1), m.float(1), m.index(n)))
    return 1


def single_buffer(m: Maker, count: int) -> int:
    """A float32 array: rounded, but differentiated."""
    if m.chance(0.3):
        m.new(FLOAT, m.pick(("np.float32({0})", "{0} * np.float32(0.37)")).format(m.float(1)))
        return 1
    shape = m.pick(((2,), (3,), (4,), (2, 3)))
    form = m.pick(("np.zeros({0}, dtype=np.float32)", "{1}.astype(np.float32)", "{1}.astype('float32')", "np.array({1}, dtype=np.float32)", "np.empty_like({1}, dtype=np.float32)"))
    content = m.array(shape, 1)  # made before the buffer can be read
    variable = m.new(Array(shape), form.format(shape, m.array(shape, 1)))
    if form.startswith("np.empty"):
        m.write(f"{variable.name}[:] = {content}")
    return 1


EITHER = (  # of integers or of floats for all that its text tells; of floats, as it runs
    "np.full({0}, {2} or 0.5)",
    "np.zeros({0}, [int, float][{3} * 0 + 1])",
    "np.array([[0, {2}][{3} * 0 + 1]] * {0})",
    "np.full({0}, sum([{2}] * ({3} * 0 + 1)))",
    "([np.arange({0}), {1} * 1.0])[{3} * 0 + 1]",
    "(np.zeros({0}, int) if {3} > 99 else {1} + 0.0)",
    "np.zeros({0}, dtype='i8' if {3} > 99 else 'f8')",
    "np.repeat({2} if {3} < 99 else 1, {0})",
)


def either_buffer(m: Maker, count: int) -> int:
    """An array whose dtype only the run tells."""
    n = m.pick((2, 3, 4))
    whole = m.pick([v.name for v in m.variables(Int)] or ["1"])
    m.new(Array((n,)), m.pick(EITHER).format(n, m.array((n,), 1), m.float(1), whole))
    return 1
