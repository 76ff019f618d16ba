"""Numbers that go through arrays without dimensions: what several numbers receive of one is not shared memory."""

import numpy as np

from regressions import Cases

CASES = case = Cases()


@case(0.9, 1.2)
def sum_in_an_array(x, z):
    a = x * z
    o = np.array(x + z)
    o *= 2
    return o * 1.0 + a


@case(0.9, 1.2)
def sum_written_whole(x, z):
    a = x * z
    o = np.zeros(())
    o[...] = x + z
    return o * 1.0 + a


@case(0.9, 1.2)
def sum_added_whole(x, z):
    a = x * z
    o = np.zeros(())
    o += x + z
    return o * 1.0 + a


@case(0.9, 1.2)
def sum_written_to_an_entry_that_is_an_array(x, z):
    a = x * z
    o = np.zeros(3)
    o[1, ...] = x + z
    return np.sum(o * 1.0) + a


@case(0.9, 1.2)
def sum_by_out(x, z):
    a = x * z
    o = np.zeros(3)
    np.add(x, z, out=o[1, ...])
    return np.sum(o * 1.0) + a


@case(0.9, 1.2)
def number_added_and_read_before(x, z):
    o = np.zeros(())
    t = x * z
    o += x
    return o * z + t * o


@case(0.9, 1.2)
def sum_in_a_dict(x, z):
    a = x * z
    d = {"o": np.array(x + z)}
    d["o"] *= 2
    return d["o"] + a


@case(0.9, 1.2)
def sum_where(x, z):
    a = x * z
    y = x + z
    return np.where(y > 0, y, 0.0) + a


@case(0.9, 1.2)
def sum_cleaned(x, z):
    a = x * z
    y = x + z
    return np.nan_to_num(y) + np.roll(y, 1) * np.nansum(y) + a


@case(0.9, 1.2)
def sum_reshaped(x, z):
    a = x * z
    y = x + z
    return np.reshape(y, ()) * np.ravel(y)[0] + np.squeeze(y) + np.expand_dims(y, 0)[0] + a


@case(0.9, 1.2)
def sum_in_products(x, z):
    a = x * z
    y = x + z
    return np.kron(y, 2.0) + np.tensordot(y, 2.0, 0) + np.vdot(y, 2.0) + np.outer(y, 2.0)[0, 0] + a


@case(0.9, 1.2)
def sum_cumulated_and_taken(x, z):
    a = x * z
    y = x + z
    return np.cumsum(y)[0] + np.take(y, 0) + np.array(y).item() + a


@case(0.9, 1.2)
def sum_entry_by_entry(x, z):
    a = x * z
    y = x + z
    return np.piecewise(y, [y > 0], [lambda t: t, 0.0]) * 1.0 + np.vectorize(lambda t: t * t)(y) + a


@case(np.array([0.4, -0.7, 1.1]))
def sum_of_complex_entries_where(v):
    mask = np.array([True, False, True])
    total = np.sum(v + 0.3j * v, where=mask)
    return total.real + 0.5 * total.imag


@case(-0.9)
def number_below_an_initial_one(x):
    return np.max(x, initial=0.5) * 3.0 + np.min(x, initial=0.5) * np.max(x, initial=-2.0)


def grown(entries, u):
    u[2] *= u[0]
    return entries


@case(np.array([[-0.8, -0.1, -0.9], [0.7, -0.4, 0.3]]))
def entries_of_an_array_of_any_rank_before_it_is_written(m):
    q = m[1:].squeeze(0)
    v, held = q[2], [q[2], q[1]]
    total = 0.0
    for entries in (grown({"p": q[2], "q": q}, q), grown({"p": q[2], "q": q}, q)):
        total += entries["p"] * q[0]
    return total * v * held[0] + grown(q[2], q) * q[1]
