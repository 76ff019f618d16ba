"""Programs that random search and hand-made attacks found wrong or crashing, made small, and now right."""

import numpy as np

from regressions import Cases

CASES = case = Cases()
A3 = np.array([0.4, -0.7, 1.1])
A4 = np.array([0.4, -0.7, 1.1, 0.3])
M = np.array([[0.3, -0.8, 0.5], [1.1, 0.2, -0.4]])


@case(0.7, A3)
def name_rebound_to_a_view_of_itself(x, a):
    a = a[::1]
    a = a[:]
    a = a[1:]
    return np.sum(a * a) * x


@case(M)
def name_rebound_to_its_transpose(m):
    m = m.T
    return m[0, 1] * m[2, 0]


@case(A3)
def overlapping_part_scaled_and_added(a):
    a[:-1] += a[-2:] * a[0]
    return np.sum(a)


@case(M)
def flat_view_squared_by_call(m):
    m.reshape(-1)[:] **= 2
    return np.sum(m * m)


@case(M)
def part_of_transpose_call_written(m):
    t = m
    np.transpose(m)[2] = 1.187
    m.T[1:] += m.T[0]
    m.ravel()[0] = m[1, 1]
    return np.sum(t * m)


@case(0.7, A3)
def dict_of_alias_and_sum(x, a):
    acc = a
    h = {"w": acc, "q": np.zeros((2, 3)).sum(axis=0)}
    return np.sum(h["w"] * x + h["q"])


@case(0.7, A3)
def user_variable_named_zeros(x, a):
    def fill(v, w):
        v[0] = w[0]

    zeros = a * x
    full = np.full(3, x)
    fill(full, np.zeros(3))
    return np.sum(full * zeros)


@case(A3, 0.7)
def loop_that_does_not_run_binds(a, x):
    t = 0.0
    for v in a[3:]:
        t = v
    while t > 5:
        t = t * x
    return t + x * a[0]


@case(M, 0.7)
def rows_swapped_by_index(m, x):
    m[0], m[1] = m[1], m[0]
    m[[0, 1]] = m[[1, 0]] * x
    return np.sum(m * np.arange(6.0).reshape(2, 3))


@case(A3)
def list_of_unnamed_arrays(r):
    t = [np.cumsum(r), r]
    t[1] *= 3
    t[0][1] *= t[1][0]
    return np.sum(t[0] * r)


@case(0.7)
def float_name_rebound_to_an_array(x):
    x = x + np.zeros((2, 2))
    x[0] += 1.0
    return np.sum(x * x)


@case(A3)
def masked_power_through_an_alias(a):
    tmp = a[::2]
    a[a > 0.383] **= 2
    return tmp[0] * tmp[1]


@case(0.7, A3)
def masked_power_leaves_the_argument(x, m):
    m[m > 0.293] **= 2
    return 0.62 * x


@case(A3)
def gathered_power(a):
    cur = a[::2]
    cur[[1]] **= 2
    return np.sum(cur)


@case(0.7, A4)
def helper_writes_a_reshaped_constant(x, a):
    def fill(buf, k):
        buf.reshape(2, 2)[:] = k
        return buf[1]

    return fill(np.zeros(4), x) * np.sum(a) + fill(a, 2.0)


@case(A3)
def own_quotient_added(a):
    a += a / a
    a -= a
    a += 1.0
    return np.sum(a)


@case(A3, 0.7)
def output_given_by_position(a, x):
    z = np.zeros(3)
    np.multiply(a, x, z)
    y = np.add(z, a, z)
    np.exp(a, out=(a,))
    y[1] *= x
    return np.sum(z * a)


@case(M, A3)
def output_of_a_reduction_by_position(m, a):
    z = np.zeros(3)
    np.sum(m * a, 0, None, z)
    np.cumsum(z, 0, None, z)
    largest = np.zeros((1, 3))
    np.max(m, 0, largest, True)
    return np.sum(z * z * largest)


@case(M, A3)
def output_of_a_method(m, a):
    y, z = np.zeros((2, 2)), np.zeros(3)
    m.dot(m.T, y)
    (m * a).sum(0, out=z)
    z.clip(-0.5, 0.9, z)
    return np.sum(y) * np.sum(z * a.cumsum(out=np.zeros(3)))


@case(A3)
def output_inert_but_read_by_the_reverse_sweep(a):
    w, v = np.array([1.0, 2.0, 3.0]), np.ones(3)
    y = w * v * a
    np.cumsum(w, out=w)
    np.divmod(w * 5, 3, out=(v, w))
    z = w * v * a
    np.fill_diagonal(w.reshape(1, 3), 7.0)
    np.put(v, [1], 4.0)
    return np.sum(y * y * z * w * v)


@case(M, 0.7)
def array_made_by_its_class(m, x):
    rows, columns = m.shape
    d = np.ndarray((rows, columns), dtype=m.dtype)
    d[:] = m
    for k in range(columns - 1, 0, -1):
        before = d[:, k - 1]
        d[:, k] += before * x
    ends = np.ndarray(2)
    ends[0], ends[1] = x, d[0, 2]
    return np.sum(d * d) * ends[0] * ends[1]


@case(A3, 0.7)
def slice_up_to_a_computed_count_written(a, x):
    mask = a > 0.2
    w = np.zeros(3)
    w[: np.sum(mask)] = a[mask] * x
    w[int(np.sum(mask)) :] += a[0]
    return np.sum(w * w)


@case(A3, M)
def grid_of_indices(a, m):
    i, j = np.mgrid[0:2, 0:3]
    column, row = np.ogrid[0:2, 0:3]
    i.shape = j.shape = 6
    return np.sum(m[i, j] ** 2) * np.sum(np.exp(2.0j * row).imag * a[row] * column)


@case(A4)
def written_through_a_slice_object(a):
    head, tail = slice(0, 2), slice(max(0, len(a) - 3), len(a))
    part = a[tail]
    a[head] = a[head] ** 2
    a[tail] = part ** 2 + part
    return np.sum(np.sin(a[1:]) * part)


@case(A4)
def slice_objects_taken_in_turn(a):
    for s in (slice(0, 2), slice(1, 3)):
        a[s] = a[s] ** 2
    return np.sum(np.sin(a) * a)


@case(A4)
def written_by_an_index_of_unknown_type(a):
    s = np.s_[1:len(a)]
    u = a.copy()
    u[s] = u[s] ** 2
    return np.sum(np.sin(u) * a)


@case(A4)
def slice_objects_on_a_copy(a):
    u = a.copy()
    for s in (slice(0, 2), slice(1, 3)):
        u[s] = u[s] ** 2
    return np.sum(np.sin(u) * u)


@case(0.5, 1.5)
def names_bound_anew_on_one_path(x, y):
    a = x
    b = y
    if a > b:
        return a * b
    b = x
    a = y
    return a**2 * b


@case(A3, A4)
def parameter_without_effect_whose_name_is_bound_to_an_active_array(m, a):
    m = a
    cur = m
    return np.sum(cur * cur)


@case(0.7, A3)
def division_by_a_literal_zero_on_a_path_not_taken(x, a):
    out = float(a[0]) / (1 - 1) if x > 3.0 else np.sqrt(1.0 + x * x)
    c = [out, a[-1]]
    return c[0] * c[1]


@case(np.array([0.4, 0.9, 1.7]), 0.3)
def variables_replaced_by_calls_of_what_they_were(w, x):
    x = float(x * x)
    w = np.negative(w * w)
    for _ in range(2):
        w = np.real(w * x) + 1.0
        w = np.positive(w * w)
        x = float(np.float64(x * x) + 0.5)
    t = w
    return np.sum(t * np.arange(1.0, 4.0)) * x


@case(M, A3)
def broadcast_cross_product_of_linalg(m, a):
    return np.sum(np.linalg.cross(m, a) ** 2 * np.linalg.cross(a, m))


@case(M)
def diagonal_of_linalg_and_a_later_write(m):
    y = np.linalg.diagonal(m)
    m[0, 0] *= 2.0
    return np.sum(y * m[0, :2])


@case(np.array([[2.0, 0.3], [0.1, 1.5]]))
def results_of_linalg_by_their_names(m):
    r, q = np.linalg.slogdet(m), np.linalg.qr(m)
    s = np.linalg.svd(m + 1.0)
    return r.sign * r.logabsdet + np.sum(q.Q**3 + q.R**3) + np.sum(s.S**2)


@case(M, A3)
def views_broadcast_together_and_a_later_write(m, a):
    u, v = np.broadcast_arrays(a, m)
    m *= 1.5
    a[0] = a[1] * 2.0
    return np.sum(u * v)


@case(A3)
def triangle_of_a_vector(a):
    return np.sum(np.tril(a) ** 2 * np.triu(a, 1) + np.triu(a) ** 3)
