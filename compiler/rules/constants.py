"""Functions whose result carries no derivative: integers, booleans, strings, and steps that are
flat between jumps."""

import bisect
import math
import operator

import numpy as np

from pullback.compiler.rules.language import constant
from pullback.runtime.arrays import refuse_truncated
from pullback.runtime.attempts import refuse_half_done, refuse_half_run, refuse_swallowed
from pullback.runtime.copies import refuse_held_twice, refuse_overlap
from pullback.runtime.functions import check_keywords, check_length
from pullback.runtime.patterns import is_mapping, is_sequence, set_order
from pullback.runtime.refusals import (
    refuse_complex,
    refuse_integers,
    refuse_unforeseen,
    refuse_unlike_matrix,
    refuse_unlike_numbers,
)
from pullback.runtime.shaping import trim_start, trim_stop

constant(
    operator.lt,
    operator.le,
    operator.eq,
    operator.ne,
    operator.gt,
    operator.ge,
    operator.not_,
    operator.is_,
    operator.is_not,
    operator.contains,
    operator.truth,
    operator.index,
    operator.floordiv,
    operator.and_,
    operator.or_,
    operator.xor,
    operator.invert,
    operator.lshift,
    operator.rshift,
)

constant(
    bool,
    int,
    len,
    round,
    ord,
    hash,
    id,
    type,
    range,
    isinstance,
    issubclass,
    callable,
    is_sequence,
    is_mapping,
    trim_start,
    trim_stop,
    refuse_complex,
    refuse_integers,
    refuse_unforeseen,
    refuse_unlike_matrix,
    refuse_unlike_numbers,
    refuse_half_done,
    refuse_half_run,
    refuse_held_twice,
    check_length,
    check_keywords,
    refuse_overlap,
    refuse_swallowed,
    refuse_truncated,
    set_order,
    hasattr,
    all,
    any,
    print,
    bisect.bisect_left,
    bisect.bisect_right,
)

# text of a number: inert as long as nothing turns it into a number again
OPAQUE = (str, repr, format, ascii, bin, chr, hex, oct)
constant(*OPAQUE)

constant(
    math.floor, math.ceil, math.trunc, math.isclose, math.isfinite, math.isinf, math.isnan,
    math.gcd, math.lcm, math.factorial, math.comb, math.perm, math.isqrt, math.ulp,
)

# ---- ufuncs with integer or boolean results, and steps
constant(
    np.floor,
    np.ceil,
    np.trunc,
    np.rint,
    np.fix,
    np.round,
    np.around,
    np.heaviside,
    np.floor_divide,
    np.less,
    np.less_equal,
    np.equal,
    np.not_equal,
    np.greater,
    np.greater_equal,
    np.logical_and,
    np.logical_or,
    np.logical_xor,
    np.logical_not,
    np.isfinite,
    np.isinf,
    np.isnan,
    np.isposinf,
    np.isneginf,
    np.signbit,
    np.spacing,
    np.bitwise_and,
    np.bitwise_or,
    np.bitwise_xor,
    np.invert,
    np.left_shift,
    np.right_shift,
    np.gcd,
    np.lcm,
)

# ---- questions about arrays
constant(
    np.all,
    np.any,
    np.allclose,
    np.array_equal,
    np.array_equiv,
    np.isclose,
    np.isin,
    np.iscomplex,
    np.iscomplexobj,
    np.isreal,
    np.isrealobj,
    np.isscalar,
    np.shape,
    np.size,
    np.ndim,
    np.iterable,
    np.result_type,
    np.common_type,
    np.can_cast,
    np.promote_types,
    np.min_scalar_type,
    np.issubdtype,
    np.finfo,
    np.iinfo,
    np.dtype,
    np.may_share_memory,
    np.shares_memory,
    np.linalg.matrix_rank,
    np.broadcast_shapes,
)

# ---- positions
constant(
    np.argmax,
    np.argmin,
    np.nanargmax,
    np.nanargmin,
    np.argsort,
    np.argpartition,
    np.argwhere,
    np.lexsort,
    np.nonzero,
    np.flatnonzero,
    np.count_nonzero,
    np.searchsorted,
    np.digitize,
    np.ravel_multi_index,
    np.unravel_index,
    np.diag_indices,
    np.diag_indices_from,
    np.tril_indices,
    np.tril_indices_from,
    np.triu_indices,
    np.triu_indices_from,
    np.mask_indices,
    np.indices,
    np.ix_,
    np.ndindex,
    bisect.bisect_left,
    bisect.bisect_right,
)

# ---- new arrays that hold none of the arguments' values
constant(
    np.zeros,
    np.ones,
    np.empty,
    np.ndarray,
    np.zeros_like,
    np.ones_like,
    np.empty_like,
    np.eye,
    np.identity,
    np.tri,
    np.bartlett,
    np.blackman,
    np.hamming,
    np.hanning,
    np.fft.fftfreq,
    np.fft.rfftfreq,
    np.packbits,
    np.unpackbits,
    np.array2string,
    np.array_repr,
    np.array_str,
)

# ---- types called on a number (float and complex types: rules in elementwise.py)
constant(np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)

