"""Functions and methods that write into arrays; writes through masks and indices."""

from __future__ import annotations

from .arrays import assign_array, augment, value_for
from .expressions import Maker
from .kinds import Array

WHOLE = (  # {0} the array, {1} and {2} values of its shape, {3} a number, {4} a condition on it
    "np.sin({1}, out={0})",
    "np.multiply({0}, {2}, out={0})",
    "np.add({1}, {2}, out={0})",
    "np.subtract({2}, {0}, {0})",
    "np.multiply({0}, {3}, out={0}, where={4})",
    "np.tanh({1}, out={0}, where={4})",
    "np.clip({0}, -0.81, 0.79, out={0})",
    "{0}.clip(-0.81, 0.79, out={0})",
    "np.maximum({0}, {3}, out={0})",
    "np.negative({0}, out={0})",
    "np.cumsum({1}, axis=0, out={0})",
    "{0}.fill({3})",
    "np.copyto({0}, {2})",
    "np.copyto({0}, {2}, where={4})",
    "np.putmask({0}, {4}, {1})",
    "{0}.sort(axis=0)",
    "{0}.sort()",
    "{0}.partition(0)",
    "{0}[...] = {2}",
    "{0}[:] = {1}[::-1]",
    "{0}.flat = {1}",
    "{0}.flat[0] = {3}",
    "{0}.flat[-1] += np.sin({3})",
    "{0}.flat[:] = {1}.ravel()",
    "{0}.put([0, -1], {3})",
    "np.put({0}, [1, 0], [{3}, 0.211])",
    "np.place({0}, {4}, [{3}])",
    "np.add.at({0}, 0, {3})",
    "{0}.real[...] = {1}",
    "{0}.ravel()[0] *= np.cos({3})",
    "{0}.swapaxes(0, -1)[:] += {3}",
)
VECTORS = (
    "np.add({0}[1:], {0}[:-1], out={0}[1:])",
    "np.multiply({0}[:-1], {3}, out={0}[1:])",
    "{0}[1:] = {0}[:-1]",
    "{0}[:-1] += {0}[1:] * {3}",
    "{0}[::-1] += {0} * 0.7",
    "{0}[:] = {0}[::-1]",
    "np.put_along_axis({0}, np.array([0, 1]), {3}, 0)",
    "{0}[np.argsort({0})] = {1}",
    "{0}[[0, -1]] = {0}[[-1, 0]]",
    "{0}[np.ix_([1, 0])] *= np.sin({3})",
    "{0}[~({4})] += {3}",
    "{0}[np.where({4})] = {3}",
    "{0}[np.nonzero({4})[0]] *= np.sin({3})",
    "{0}[slice(0, 2)] = {3}",
    "np.subtract.at({0}, [0, 1, 0], {3})",
    "np.matmul(np.outer({1}, {1}), {0}, out={0})",
)
MATRICES = (
    "np.fill_diagonal({0}, {3})",
    "{0}[[0, 1]] = {0}[[1, 0]]",
    "{0}[0], {0}[1] = {0}[1].copy(), {0}[0].copy()",
    "{0}[0], {0}[1] = {0}[1], {0}[0]",
    "{0}[:, [0, 1]] = {0}[:, [1, 0]]",
    "{0}[1:] += {0}[:-1]",
    "{0}[:, 1:] -= {0}[:, :-1] * {3}",
    "{0}.T[...] = {1}.T",
    "{0}.T[0] += {3}",
    "np.sum({1}, axis=0, out={0}[0])",
    "np.matmul({0}, np.eye({0}.shape[1]) * {3}, out={0})",
    "{0}.sort(axis=1)",
    "np.einsum('ij->ij', {0})[0, 0] = {3}",
    "{0}[[0, 1], [1, 0]] = {3}",
    "{0}[np.arange(2), np.arange(2)] += {3}",
    "{0}[np.ix_([0, 1], [1])] *= np.sin({3})",
    "{0}[np.diag_indices(2)] = {3}",
    "np.add.at({0}, ([0, 0], [1, 1]), {3})",
    "{0}[:, 0], {0}[:, 1] = {0}[:, 1] * 0.8, {0}[:, 0] + {3}",
)


def write_whole(m: Maker, count: int) -> int:
    """Every element of an array: augmented, [:] =, out=, or a call that writes."""
    arrays = m.arrays(lambda v: v.rebind)
    if not arrays:
        return assign_array(m, count)
    variable = m.pick(arrays)
    name, shape = variable.name, variable.type.shape
    value = value_for(m, shape, variable)
    roll = m.rng.random()
    if roll < 0.5:
        operator = m.pick(("+=", "-=", "*="))
        m.write(f"{name} {operator} {'np.sin(' + value + ')' if m.frame.loops else value}")
    elif roll < 0.6:
        m.write(f"{name} /= 1.5 + ({value}) ** 2")
    elif roll < 0.7:
        m.write(f"{name}[:] = {value}")
    else:
        call_that_writes(m, count)
    return 1


def call_that_writes(m: Maker, count: int) -> int:
    roots = m.arrays(lambda v: min(v.type.shape) >= 2)
    if not roots:
        return assign_array(m, count)
    variable = m.pick(roots)
    text, shape = variable.name, variable.type.shape
    if m.chance(0.3):
        part, found = m.view(variable, 1)
        if min(found) >= 2:
            text, shape = part, found
    special = VECTORS if len(shape) == 1 else MATRICES
    form = m.pick(WHOLE if m.chance(0.5) else special)
    m.write(form.format(text, m.array(shape, 1), value_for(m, shape, variable), m.float(1), f"{text} > {m.number()}"))
    return 1


def write_gathered(m: Maker, count: int) -> int:
    """Through a mask, or integer indices that may repeat."""
    vectors = m.arrays(lambda v: len(v.type.shape) == 1)
    if m.arrays() and (m.chance(0.5) or not vectors):
        write_masked(m)
        return 1
    if not vectors:
        return assign_array(m, count)
    variable = m.pick(vectors)
    size = m.rng.randint(1, 4)
    type = Array((size,), "int", variable.type.shape[0])
    indices = m.indices(type)
    if m.chance(0.3):
        indices = m.new(type, indices if indices.startswith("np") else f"np.array({indices})").name
    value = m.float(1) if m.chance(0.3) else m.array((size,), 1)
    if m.chance(0.2):
        m.write(f"np.{m.pick(('add', 'add', 'subtract'))}.at({variable.name}, {indices}, {value})")
    else:
        m.write(augment(m, f"{variable.name}[{indices}]", value))
    return 1


def write_masked(m: Maker) -> None:
    text, shape = m.view()
    mask = m.mask(shape)
    if m.chance(0.3) and len(shape) == 1:
        named = m.new(Array(shape, "bool"), mask)
        value = f"{m.array_leaf(shape)}[{named.name}]"
        m.write(augment(m, f"{text}[{named.name}]", value))
    else:
        m.write(augment(m, f"{text}[{mask}]", m.float(2)))


def write_rows(m: Maker, count: int) -> int:
    """A loop over the rows or elements of an array, each written from others."""
    roots = m.arrays(lambda v: v.type.shape[0] >= 3 or len(v.type.shape) == 2)
    if not roots:
        return assign_array(m, count)
    variable = m.pick(roots)
    name, n, k = variable.name, variable.type.shape[0], m.fresh()
    header = m.pick((f"range(1, {n})", f"range({n - 1}, 0, -1)", f"reversed(range(1, {n}))", f"range(-1, -{n}, -1)"))
    forms = [f"{name}[{k}] += {name}[{k} - 1] * {m.float_leaf()}", f"{name}[{k}], {name}[{k} - 1] = {name}[{k} - 1], {name}[{k}]"]
    forms += [f"{name}[{k}] = np.sin({name}[{k} - 1]) * {name}[{k}]", f"{name}[{k}] -= {name}[:{k}].sum(axis=0) * 0.4"]
    forms += [f"{name}[{k}:] *= {m.pick(('np.cos({})', 'np.tanh({})')).format(m.float(1))}"]
    if len(variable.type.shape) == 2:
        forms += [f"{name}[{k}], {name}[{k} - 1] = {name}[{k} - 1].copy(), {name}[{k}].copy()"] * 2
    m.write(f"for {k} in {header}:\n    {m.pick(forms)}")
    return 2
