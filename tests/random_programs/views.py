"""Views of arrays, and what is made of arrays other than element by element."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from .kinds import Array

if TYPE_CHECKING:
    from .expressions import Maker

Shape = tuple[int, ...]


def parts(m: Maker, text: str, shape: Shape) -> Iterator[tuple[str, Shape]]:
    """Views of an array: what is written into them is written into it."""
    yield from (parts_of_vector if len(shape) == 1 else parts_of_matrix)(m, text, shape)


def parts_of_vector(m: Maker, text: str, shape: Shape) -> Iterator[tuple[str, Shape]]:
    (n,) = shape
    yield f"{text}[::-1]", shape
    yield f"{text}[:]", shape
    if n >= 2:
        yield f"{text}[1:]", (n - 1,)
        yield f"{text}[:-1]", (n - 1,)
        yield f"{text}[::2]", ((n + 1) // 2,)
        yield f"{text}[-2:]", (2,)
    if n >= 3:
        yield f"{text}[-1:0:-1]", (n - 1,)
        yield f"{text}[::-2]", ((n + 1) // 2,)
    if n >= 4 and n % 2 == 0:
        yield f"{text}.reshape(2, {n // 2})", (2, n // 2)
        yield f"np.reshape({text}, (-1, 2))", (n // 2, 2)
        yield f"np.split({text}, 2)[{m.rng.randrange(2)}]", (n // 2,)
    if m.chance(0.3):
        yield f"{text}[None]", (1, n)
        yield f"{text}[:, np.newaxis]", (n, 1)
        yield f"np.expand_dims({text}, 0)", (1, n)
        yield f"np.atleast_2d({text})", (1, n)
        yield f"{text}.view()", shape
        yield f"np.flip({text})", shape
        yield f"{text}.real", shape
        yield f"np.asarray({text})", shape


def parts_of_matrix(m: Maker, text: str, shape: Shape) -> Iterator[tuple[str, Shape]]:
    rows, n = shape
    yield f"{text}[{m.index(rows)}]", (n,)
    yield f"{text}[:, {m.index(n)}]", (rows,)
    yield f"{text}[..., {m.index(n)}]", (rows,)
    yield f"{text}[::-1]", shape
    yield f"{text}[:, ::-1]", shape
    yield f"{text}.T", (n, rows)
    yield f"{text}.T[{m.index(n)}]", (rows,)
    yield f"{text}.ravel()", (rows * n,)
    yield f"{text}.reshape(-1)", (rows * n,)
    yield f"np.transpose({text})", (n, rows)
    yield f"{text}.reshape({n}, {rows})", (n, rows)
    if rows >= 2:
        yield f"{text}[1:]", (rows - 1, n)
    if n >= 2:
        yield f"{text}[:, 1:]", (rows, n - 1)
    if m.chance(0.3):
        yield f"{text}.swapaxes(0, 1)", (n, rows)
        yield f"np.swapaxes({text}, 0, -1)", (n, rows)
        yield f"np.moveaxis({text}, 0, 1)", (n, rows)
        yield f"{text}.transpose()", (n, rows)
        yield f"np.fliplr({text})", shape
        yield f"np.einsum('ij->ji', {text})", (n, rows)
        yield f"np.ravel({text})", (rows * n,)
        yield f"{text}.view()", shape
        if rows == n:
            yield f"np.einsum('ii->i', {text})", (n,)
        if rows == 1:
            yield f"{text}.squeeze(0)", (n,)
            yield f"np.squeeze({text}, axis=0)", (n,)


def reduction(m: Maker, text: str, shape: Shape, depth: int) -> str:
    """A number made of one array."""
    return m.pick(reductions(m, text, shape, depth))()


def reductions(m: Maker, text: str, shape: Shape, depth: int) -> Iterator[Callable[[], str]]:
    yield lambda: f"np.sum({text})"
    yield lambda: f"{text}.mean()"
    yield lambda: f"np.sum({text} * {m.array(shape, depth - 1)})"
    yield lambda: m.pick(RARE_REDUCTIONS).format(text)
    if len(shape) == 1:
        yield lambda: f"({text} @ {m.array(shape, depth - 1)})"
        yield lambda: f"np.dot({text}, {text})"
        yield lambda: f"np.max({text})"
        yield lambda: f"np.linalg.norm({text} + 2.0)"
        yield lambda: f"sum({text})"
        yield lambda: f"sum(each * {m.float_leaf()} for each in {text})"
        yield lambda: m.pick(REDUCTIONS_OF_VECTORS).format(text, m.float_leaf(), m.number())
        yield lambda: m.pick(REDUCTIONS_OF_VECTORS).format(text, m.float_leaf(), m.number())
    else:
        yield lambda: f"np.sum({text}, axis=0)[{m.index(shape[1])}]"
        yield lambda: f"{text}.max(axis=1)[{m.index(shape[0])}]"
        yield lambda: f"sum(np.sum(row) * row[0] for row in {text})"
        yield lambda: f"np.trace({text})"
        yield lambda: f"sum(v * v for row in {text} for v in row)"
        yield lambda: f"np.linalg.norm({text} + 3.0)"


RARE_REDUCTIONS = (
    "np.prod({0})",
    "np.var({0})",
    "{0}.std()",
    "np.min({0})",
    "{0}.sum().item()",
    "{0}.flat[-1]",
    "{0}.item(0)",
    "np.median({0})",
    "float(np.sum({0}))",
    "np.add.reduce({0}, axis=None)",
    "np.sum({0}, where={0} > 0.0317)",
    "np.ptp({0})",
    "np.average({0})",
    "{0}.ravel()[0]",
    "np.nansum({0})",
)
REDUCTIONS_OF_VECTORS = (
    "max({0})",
    "min(v * {1} for v in {0})",
    "sum(v for v in {0} if v > {2})",
    "sum(map(lambda v: v * {1}, {0}))",
    "sum(v * k for k, v in enumerate({0}))",
    "sum(p * q for p, q in zip({0}, reversed({0})))",
    "sorted({0})[0]",
    "functools.reduce(lambda p, q: p * {1} + q, {0})",
    "sum(itertools.accumulate({0}))",
    "list({0})[-1]",
    "{0}.tolist()[0]",
    "next(iter({0}))",
    "sum({{k: v * v for k, v in enumerate({0})}}.values())",
    "any(v > {2} for v in {0}) * {1}",
    "(all(v > {2} for v in {0}) + 0.5) * {1}",
    "sum([(w := v * {1}) * w for v in {0}])",
    "sum(p * q for p in {0} for q in {0} if p > q)",
    "len([v for v in {0} if v > {2}]) * {1}",
    "max({0}, key=lambda v: v * v)",
    "{0}[np.argmax({0})]",
    "np.interp({1}, [-2.0, 0.1, 2.0], {0}[:1].repeat(3))",
    "{0}.dot({0})",
    "np.inner({0}, {0})",
    "np.trapezoid({0})",
    "np.sum(np.outer({0}, {0}))",
    "np.sum(np.diff({0}) ** 2)",
    "sum(itertools.islice({0}, 2))",
    "sum(itertools.chain({0}, [{1}]))",
    "[v * {1} for v in {0}].pop()",
    "sum(q - p for p, q in itertools.pairwise({0}))",
)


def structured(m: Maker, shape: Shape, depth: int) -> str:
    """What is not elementwise: products, sums along an axis, joins, gathers."""
    return m.pick((vectors if len(shape) == 1 else matrices)(m, shape, depth - 1))()


def vectors(m: Maker, shape: Shape, depth: int) -> Iterator[Callable[[], str]]:
    (n,) = shape
    yield lambda: f"np.cumsum({m.array(shape, depth)})"
    yield lambda: f"np.sort({m.array(shape, depth)})"
    yield lambda: f"{m.array((2, n), depth)}.sum(axis=0)"
    yield lambda: f"{m.array(shape, depth)}.copy()"
    yield lambda: f"({m.array((n, 2), depth)} @ {m.array((2,), depth)})"
    yield lambda: f"np.array([each * {m.float_leaf()} for each in {m.array(shape, depth)}])"
    arrays = m.arrays(lambda v: len(v.type.shape) == 1)
    if arrays:
        source = m.pick(arrays)
        yield lambda: f"{source.name}[{m.indices(Array(shape, 'int', source.type.shape[0]))}]"
        yield lambda: f"{source.name}[{m.indices(Array(shape, 'int', source.type.shape[0]))}]"
        yield lambda: f"np.take({source.name}, {m.indices(Array(shape, 'int', source.type.shape[0]))})"
    if n >= 2:
        yield lambda: f"np.concatenate([{m.array((n - 1,), depth)}, {m.array((1,), depth)}])"
        yield lambda: f"np.append({m.array((n - 1,), depth)}, {m.float_leaf()})"
        yield lambda: f"np.insert({m.array((n - 1,), depth)}, 0, {m.float_leaf()})"
        yield lambda: f"np.hstack([{m.float_leaf()}, {m.array((n - 1,), depth)}])"
        yield lambda: f"np.pad({m.array((n - 1,), depth)}, (0, 1))"
    if m.chance(0.3):
        yield lambda: f"(np.diag({m.array((n, n), depth)}) * 1.0)"  # what np.diag gives may not be written
        yield lambda: f"({m.array((n, n), depth)}.diagonal() + 0.0)"
        yield lambda: f"np.diff({m.array((n + 1,), depth)})"
        yield lambda: f"np.delete({m.array((n + 1,), depth)}, {m.rng.randrange(n)})"
        yield lambda: f"np.linalg.solve(np.eye({n}) * 4.0 + np.tanh({m.array((n, n), depth)}), {m.array(shape, depth)})"
        yield lambda: f"{m.array((n, 2), depth)}.prod(axis=1)"
        yield lambda: f"(np.broadcast_to({m.float(depth)}, {n}) + 0.0)"
        yield lambda: f"np.sort({m.array(shape, depth)})[::-1]"
        yield lambda: f"np.cumprod({m.array(shape, depth)})"
        yield lambda: f"{m.array((1,), depth)}.repeat({n})"
        yield lambda: f"np.linspace({m.float_leaf()}, {m.float_leaf()}, {n})"


def matrices(m: Maker, shape: Shape, depth: int) -> Iterator[Callable[[], str]]:
    rows, n = shape
    yield lambda: f"np.outer({m.array((rows,), depth)}, {m.array((n,), depth)})"
    yield lambda: f"({m.array((rows, 2), depth)} @ {m.array((2, n), depth)})"
    yield lambda: "np.stack([{}])".format(", ".join(m.array((n,), depth) for _ in range(rows)))
    yield lambda: f"{m.array((n, rows), depth)}.T"
    if m.chance(0.3):
        yield lambda: "np.array([{}])".format(", ".join(m.array((n,), depth) for _ in range(rows)))
        yield lambda: f"np.vstack([{m.array((n,), depth)}] * {rows})"
        yield lambda: f"np.column_stack([{', '.join(m.array((rows,), depth) for _ in range(n))}])"
        yield lambda: f"np.tile({m.array((n,), depth)}, ({rows}, 1))"
        yield lambda: f"np.einsum('i,j->ij', {m.array((rows,), depth)}, {m.array((n,), depth)})"
        yield lambda: f"np.broadcast_to({m.array((n,), depth)}, {shape}).copy()"
        yield lambda: f"np.add.outer({m.array((rows,), depth)}, {m.array((n,), depth)})"
        yield lambda: f"np.array([[p * q for q in {m.array((n,), depth)}] for p in {m.array((rows,), depth)}])"
        yield lambda: f"np.sort({m.array(shape, depth)}, axis=0)"
        yield lambda: f"({m.array((rows,), depth)}[:, None] * {m.array((n,), depth)})"
        if rows == n:
            yield lambda: f"np.diag({m.array((n,), depth)})"
            yield lambda: f"np.linalg.inv(np.eye({n}) * 4.0 + np.tanh({m.array(shape, depth)}))"
            yield lambda: f"np.triu({m.array(shape, depth)})"
