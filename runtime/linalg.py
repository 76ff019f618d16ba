"""What the rules of products name. Every function needs NumPy alone and others of this file."""

import numpy as np

from pullback.runtime.refusals import Refusal


def dot_left_adjoint(bar, a, b):
    """The adjoint of a in np.dot(a, b), shape of a: contracts the axes that b brought into the
    product."""
    if b.ndim == 1:
        return np.multiply.outer(bar, b)
    own = [i for i in range(b.ndim) if i != b.ndim - 2]
    return np.tensordot(bar, b, (range(a.ndim - 1, np.ndim(bar)), own))


def dot_right_adjoint(bar, a, b):
    """The adjoint of b in np.dot(a, b), shape of b: contracts the axes that a brought into the
    product."""
    rows = range(a.ndim - 1)
    product = np.tensordot(a, bar, (rows, rows))
    return product if b.ndim == 1 else np.moveaxis(product, 0, b.ndim - 2)


def einsum_parts(subscripts, operands):
    """The operands' subscripts and the result's, every letter spelled out: "...ij,jk" -> (["Aij",
    "jk"], "Aik")."""
    left, arrow, result = subscripts.replace(" ", "").partition("->")
    inputs = left.split(",")
    spare = [c for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" if c not in left]
    widest = max(
        (np.ndim(x) - len(s) + 3 for s, x in zip(inputs, operands) if "..." in s), default=0
    )
    dots = "".join(spare[:widest])
    if not arrow:
        once = sorted(c for c in set(left) if left.count(c) == 1 and c not in ".,")
        result = ("..." if "..." in left else "") + "".join(once)
    spelled = [s.replace("...", dots[widest - (np.ndim(x) - len(s) + 3):]) if "..." in s else s
               for s, x in zip(inputs, operands)]
    return spelled, result.replace("...", dots)


def einsum_tangent(subscripts, operands, tangents):
    """The tangent of np.einsum(subscripts, *operands): one operand at a time replaced by its
    tangent."""
    terms = [
        np.einsum(subscripts, *operands[:k], tangent, *operands[k + 1 :])
        for k, tangent in enumerate(tangents)
    ]
    return sum(terms[1:], terms[0])


def einsum_adjoint(bar, subscripts, operands, k):
    """The adjoint of operand k in np.einsum(subscripts, *operands): bar and the other operands,
    contracted to its axes."""
    inputs, result = einsum_parts(subscripts, operands)
    own, shape = inputs[k], np.shape(operands[k])
    others = [x for i, x in enumerate(operands) if i != k]
    given = [result, *(s for i, s in enumerate(inputs) if i != k)]
    known = "".join(dict.fromkeys(c for c in own if any(c in s for s in given)))
    contracted = np.einsum(",".join(given) + "->" + known, bar, *others)
    if known == own and np.shape(contracted) == shape:
        return contracted
    # letters that only this operand has were summed, repeated letters took its diagonal, an axis of
    # length 1 under an ellipsis was broadcast: write through a view of zeros that names each letter
    # once
    full = np.zeros(shape, dtype=np.result_type(bar, *operands))
    letters = "".join(dict.fromkeys(own))
    view = np.einsum(own + "->" + letters, full)
    spread = contracted.reshape(
        [contracted.shape[known.index(c)] if c in known else 1 for c in letters]
    )
    stretched = tuple(i for i, n in enumerate(view.shape) if n == 1 and spread.shape[i] > 1)
    view[...] = np.sum(spread, axis=stretched, keepdims=True)
    return full


def tensordot_axes(a, b, axes):
    """The contracted axes of `a` and of `b` as two lists of numbers from 0."""
    if isinstance(axes, (int, np.integer)):
        return list(range(np.ndim(a) - axes, np.ndim(a))), list(range(axes))
    left, right = ([x] if isinstance(x, (int, np.integer)) else list(x) for x in axes)
    return [i % np.ndim(a) for i in left], [i % np.ndim(b) for i in right]


def tensordot_left_adjoint(bar, a, b, axes=2):
    """The adjoint of a in np.tensordot(a, b, axes), shape of a."""
    left, right = tensordot_axes(a, b, axes)
    free = [i for i in range(np.ndim(b)) if i not in right]
    kept = [i for i in range(np.ndim(a)) if i not in left]
    product = np.tensordot(bar, b, (range(len(kept), np.ndim(bar)), free))
    places = kept + [left[right.index(i)] for i in sorted(right)]
    return np.transpose(product, np.argsort(places))


def tensordot_right_adjoint(bar, a, b, axes=2):
    """The adjoint of b in np.tensordot(a, b, axes), shape of b."""
    left, right = tensordot_axes(a, b, axes)
    kept = [i for i in range(np.ndim(a)) if i not in left]
    product = np.tensordot(a, bar, (kept, range(len(kept))))
    free = [i for i in range(np.ndim(b)) if i not in right]
    places = [right[left.index(i)] for i in sorted(left)] + free
    return np.transpose(product, np.argsort(places))


def kron_blocks(bar, a, b):
    """bar with the axes of np.kron(a, b) split in two: (m0, p0, m1, p1, ...), and the shapes of a
    and b so padded."""
    ndim = max(np.ndim(a), np.ndim(b))
    m = (1,) * (ndim - np.ndim(a)) + np.shape(a)
    p = (1,) * (ndim - np.ndim(b)) + np.shape(b)
    return np.reshape(bar, [n for pair in zip(m, p) for n in pair]), m, p


def kron_left_adjoint(bar, a, b):
    """The adjoint of a in np.kron(a, b), shape of a."""
    blocks, m, p = kron_blocks(bar, a, b)
    odd = range(1, 2 * len(p), 2)
    return np.reshape(np.tensordot(blocks, np.reshape(b, p), (odd, range(len(p)))), np.shape(a))


def kron_right_adjoint(bar, a, b):
    """The adjoint of b in np.kron(a, b), shape of b."""
    blocks, m, p = kron_blocks(bar, a, b)
    even = range(0, 2 * len(m), 2)
    return np.reshape(np.tensordot(blocks, np.reshape(a, m), (even, range(len(m)))), np.shape(b))


def cofactors(a):
    """The cofactors of square matrices, the slope of det: from the inverse, or the SVD where that
    is ill-conditioned."""
    a = np.asarray(a)
    try:
        inverse = np.linalg.inv(a)
        if np.max(np.abs(a)) * np.max(np.abs(inverse), initial=0.0) < 1e6:
            return np.linalg.det(a)[..., None, None] * np.matrix_transpose(inverse)
    except np.linalg.LinAlgError:
        pass
    u, s, vh = np.linalg.svd(a)
    n = a.shape[-1]
    others = np.prod(np.where(np.eye(n, dtype=bool), 1.0, s[..., None, :]), axis=-1)
    turn = np.linalg.det(u) * np.linalg.det(vh)
    return turn[..., None, None] * (u * others[..., None, :]) @ vh


def adjointed(a):
    """The matrices of a stack, transposed and conjugated."""
    return np.conjugate(np.swapaxes(a, -1, -2))


def hermitian(a):
    """The Hermitian part of square matrices."""
    return 0.5 * (a + adjointed(a))


def lower_half(x):
    """The lower triangle with half the diagonal: phi in Murray's Cholesky formulas."""
    return np.tril(x) - 0.5 * np.eye(x.shape[-1]) * x


def cholesky_adjoint(bar, factor, rows=48):
    """The symmetric adjoint of a in factor = np.linalg.cholesky(a), a block of rows at a time from
    the last, so that only small blocks are inverted (Murray 2016, section 4.2)."""
    left, n = np.tril(bar), factor.shape[-1]
    for end in range(n, 0, -rows):
        here, before = slice(max(0, end - rows), end), slice(0, max(0, end - rows))
        corner, row = factor[..., here, here], factor[..., here, before]
        inverse = np.linalg.inv(corner)
        if end < n:
            under = left[..., end:, here] @ inverse
            left[..., end:, here] = under
            left[..., end:, before] -= under @ row
            left[..., here, :end] -= adjointed(under) @ factor[..., end:, :end]
        inner = lower_half(adjointed(corner) @ left[..., here, here])
        s = adjointed(inverse) @ inner @ inverse
        left[..., here, here] = s
        if end > rows:
            left[..., here, before] -= (s + adjointed(s)) @ row
    return (left + adjointed(left)) / 2.0


def norm_slope(x, ord=None, axis=None):
    """The slope of np.linalg.norm(x, ord, axis) in x, shape of x: 0 at the kink of the 2-norm,
    shares where maxima tie."""
    x = np.asarray(x)
    if axis is None and (ord is None or x.ndim == 2 and ord == "fro" or x.ndim == 1 and ord == 2):
        axis = tuple(range(x.ndim))
    elif axis is None:
        axis = tuple(range(x.ndim)) if x.ndim < 3 else None
    axis = axis if isinstance(axis, tuple) else (axis,)
    if len(axis) == 2 and ord not in (None, "fro"):
        return matrix_norm_slope(x, ord, axis)
    size = np.abs(x)
    if ord is None or ord in ("fro", 2):
        return over_or_zero(x, np.sqrt(np.sum(size * size, axis=axis, keepdims=True)))
    if np.isinf(ord):
        hit = size == (np.max if ord > 0 else np.min)(size, axis=axis, keepdims=True)
        return np.sign(x) * hit / np.sum(hit, axis=axis, keepdims=True)
    if ord == 0:
        return np.zeros_like(x)
    n = np.sum(size**ord, axis=axis, keepdims=True) ** (1.0 / ord)
    return np.sign(x) * over_or_zero(size, n) ** (ord - 1.0) if ord != 1 else np.sign(x)


def over_or_zero(x, y):
    """x / y, and 0 where y is 0."""
    return x / np.where(y == 0, 1.0, y) * (y != 0)


def norm_slope_tangent(x, x_dot, ord=None, axis=None):
    """The tangent of norm_slope for vector norms and the Frobenius norm: a symmetric map of x_dot,
    0 at the kink."""
    x = np.asarray(x)
    axes = tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    if ord in (None, "fro"):
        ord = 2
    elif len(axes) == 2:
        raise Refusal(f"np.linalg.norm with ord={ord!r} has no second derivative", "use the Frobenius norm")
    if ord in (0, 1) or np.isinf(ord):
        return np.zeros(x.shape)
    n = np.sum(np.abs(x) ** ord, axis=axes, keepdims=True) ** (1.0 / ord)
    slope = np.sign(x) * over_or_zero(np.abs(x), n) ** (ord - 1.0)
    own = x_dot if ord == 2 else over_or_zero(np.abs(x), n) ** (ord - 2.0) * x_dot
    return (ord - 1.0) * over_or_zero(
        own - slope * np.sum(slope * x_dot, axis=axes, keepdims=True), n
    )


def cofactors_tangent(a, a_dot):
    """The tangent of cofactors(a) for regular a, a symmetric map of a_dot: det's second
    derivative."""
    inverse = np.linalg.inv(a)
    turned = np.matrix_transpose(inverse @ a_dot @ inverse)
    trace = np.trace(inverse @ a_dot, axis1=-2, axis2=-1)[..., None, None]
    return np.linalg.det(a)[..., None, None] * (trace * np.matrix_transpose(inverse) - turned)


def matrix_norm_slope(x, ord, axis):
    """The slope of a matrix norm over two axes: singular vectors, or signs of the heaviest rows or
    columns."""
    m = np.moveaxis(x, axis, (-2, -1))
    if ord in (1, -1, np.inf, -np.inf):
        size = np.sum(np.abs(m), axis=-2 if abs(ord) == 1 else -1, keepdims=True)
        hit = size == (np.max if ord > 0 else np.min)(size, axis=(-2, -1), keepdims=True)
        slope = np.sign(m) * hit / np.sum(hit, axis=(-2, -1), keepdims=True)
    else:
        u, s, vh = np.linalg.svd(m, full_matrices=False)
        if ord == "nuc":
            weight = np.ones_like(s)
        else:
            weight = s == (np.max if ord > 0 else np.min)(s, axis=-1, keepdims=True)
            weight = weight / np.sum(weight, axis=-1, keepdims=True)
        slope = (u * weight[..., None, :]) @ vh
    return np.moveaxis(slope, (-2, -1), axis)


def condition_slope(x, c, p=None):
    """The slope of c = np.linalg.cond(x, p) in x, shape of x."""
    if p is None or p in (2, -2):
        u, s, vh = np.linalg.svd(x, full_matrices=False)
        sign = -1.0 if p == -2 else 1.0
        first = u[..., :, :1] @ vh[..., :1, :] / s[..., :1, None]
        last = u[..., :, -1:] @ vh[..., -1:, :] / s[..., -1:, None]
        return sign * np.asarray(c)[..., None, None] * (first - last)
    inverse = np.linalg.inv(x)
    n = np.linalg.norm(x, p, axis=(-2, -1), keepdims=True)
    n_inverse = np.linalg.norm(inverse, p, axis=(-2, -1), keepdims=True)
    through = (
        -np.matrix_transpose(inverse)
        @ norm_slope(inverse, p, (-2, -1))
        @ np.matrix_transpose(inverse)
    )
    return norm_slope(x, p, (-2, -1)) * n_inverse + n * through


def power_terms(a, n):
    """a ** 0, ..., a ** (n - 1) as matrix powers."""
    terms = [np.broadcast_to(np.eye(a.shape[-1], dtype=a.dtype), a.shape)]
    for _ in range(n - 1):
        terms.append(terms[-1] @ a)
    return terms


def matrix_power_tangent(a, a_dot, n):
    """The tangent of np.linalg.matrix_power(a, n): the sum of a ** k @ a_dot @ a ** (n - 1 - k)."""
    if n < 0:
        inverse = np.linalg.inv(a)
        return matrix_power_tangent(inverse, -inverse @ a_dot @ inverse, -n)
    if n == 0:
        return np.zeros_like(a_dot)
    terms = power_terms(a, n)
    return sum(left @ a_dot @ right for left, right in zip(terms, reversed(terms)))


def matrix_power_adjoint(bar, a, n):
    """The adjoint of np.linalg.matrix_power(a, n): its tangent with a transposed."""
    if n < 0:
        t = np.matrix_transpose(np.linalg.inv(a))
        return -t @ matrix_power_tangent(t, bar, -n) @ t
    return matrix_power_tangent(np.matrix_transpose(a), bar, n)


def multi_dot_adjoint(bar, arrays, k):
    """The adjoint of arrays[k] in np.linalg.multi_dot(arrays), its shape; the first and last may be
    vectors."""
    first, last = np.ndim(arrays[0]) == 1, np.ndim(arrays[-1]) == 1
    matrices = [*arrays]
    matrices[0] = np.atleast_2d(arrays[0])
    if last:
        matrices[-1] = np.reshape(arrays[-1], (-1, 1))
    total = np.reshape(bar, (matrices[0].shape[0], matrices[-1].shape[1]))
    for m in matrices[:k]:
        total = m.T @ total
    for m in reversed(matrices[k + 1:]):
        total = total @ m.T
    return np.reshape(total, np.shape(arrays[k])) if first or last else total


def multi_dot_tangent(arrays, tangents):
    """The tangent of np.linalg.multi_dot(arrays): one matrix at a time replaced by its tangent."""
    return sum(
        np.linalg.multi_dot([*arrays[:k], t, *arrays[k + 1 :]]) for k, t in enumerate(tangents)
    )


def vector_norm_slope(x, axis=None, ord=2):
    """The slope of np.linalg.vector_norm(x, axis, ord) in x, shape of x: any number of axes is one
    long vector."""
    x = np.asarray(x)
    axes = tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    last = tuple(range(-len(axes), 0))
    moved = np.moveaxis(x, axes, last)
    lines = np.reshape(moved, (*moved.shape[:x.ndim - len(axes)], -1))
    return np.moveaxis(np.reshape(norm_slope(lines, ord, -1), moved.shape), last, axes)
