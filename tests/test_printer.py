"""Printed text parses to the tree it was printed from, and reads as a person would write it."""

import ast
import heapq
import math
import random
import statistics
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gast
import pytest

from pullback.compiler.emit.printer import printed
from pullback.compiler.ir.nodes import Blank, Comment

CASES = sorted((Path(__file__).parent / "cases").glob("*.py"))
STANDARD = [Path(m.__file__) for m in (heapq, statistics, textwrap)]

EXPRESSIONS = """
-x ** 2
(-x) ** 2
2.0 ** -x
(a ** b) ** c
a ** b ** c
a - (b - c)
a - b - c
a / (b * c)
(a + b) * c
-(a + b)
(-a).b
--a
not a and b
not (a and b)
a and (b or c) and d
(a and b) and c
-(not a)
a < b <= c != d
(a < b) < c
a is not b
(a, b) + (c,)
a[i, 1:n]
a[()]
a[i,]
a[1:2,]
a[::-1]
a[i + 1 : n - 1]
a[i + 1:]
a[:n - 1]
a[i](x)[j].k
f(*args, k=1, **options)
f(x for x in y)
f((x for x in y), 1)
f((yield))
[x for x, y in z if x if y]
[x for (x,) in z]
[(x, y) for x in (a if b else c)]
{k: v for k, v in items}
{**a, "k": 1, **b}
{1, 2}
{*()}
x if c else y
x if c else y if d else z
(x if c else y) if d else z
(x if c else y) + 1
lambda: 0
lambda x, /, y=1, *rest, k, m=2, **options: x
lambda *, k: k
(lambda x: x)(1)
(y := f(x))
[(y := f(x)), y]
(1).real
1.0.real
1e22
1e309
0.1
2j
b"bytes"
"it's"
'say "it"'
"line\\nbreak\\\\"
...
(await f)(x)
f"{x}"
f"{x!r:>{w}.{p}f} and {{}} {(lambda: 1)()} { {1: 2}}"
f"{d['key']} it's"
a @ b.T @ c
a << b | c & ~d ^ e
""".strip().splitlines()

STATEMENTS = '''
return a, b
===
return
===
return (a,)
===
return *a, b
===
a, b = b, a
===
x = (a, b)
===
(a, *b), [c, d] = e
===
x = y = z
===
x = yield a, b
===
yield from f(x)
===
x: int = 3
===
(x): int
===
x += yield
===
x //= 2
===
del a, b[0]
===
global a, b
===
nonlocal a, b
===
assert x, "message"
===
raise
===
raise ValueError(x) from error
===
import a.b as c, d
===
from . import a
===
from ..a.b import c as d, e
===
from a import *
===
for i, (a, b) in enumerate(x):
    pass
else:
    break
===
while n := f(n):
    continue
===
if a:
    pass
elif b:
    pass
else:
    if c:
        pass
    d
===
with open(a) as f, g(), h as (x, y):
    pass
===
with ((a, b)):
    pass
===
try:
    pass
except (A, B) as e:
    pass
except C:
    pass
except:
    pass
else:
    pass
finally:
    pass
===
try:
    pass
except* A:
    pass
===
@decorator
@f(1)
def f(a, /, b: int, c: int = 1, *args: T, d, e=2, **options: Any) -> list[int]:
    """One line."""
    return a
===
async def f(x):
    async with a as b:
        await x
    async for c in d:
        pass
    return [e async for e in f]
===
class A(B, metaclass=C):
    """Two

    lines."""
    x = 1

    def f(self):
        pass

    y = 2
===
class A:
    pass
===
match x, y:
    case [1, -2.5, 1 + 2j, "s", None, True] if n := 1:
        pass
    case {"k": [a, *_], m.n: b, **rest} | {}:
        pass
    case A.B(x, 1, k=C() | D() as d) | [*e]:
        pass
    case 1 | 2 as n:
        pass
    case {**rest}:
        pass
    case (x as y) | z:
        pass
    case _:
        pass
'''.strip().split("\n===\n")

WRAPPED = '''
def settle(u_with_a_long_name, the_k_with_a_long_name, *, tolerance=1e-9, steps: int = 100):
===
def settle(
    u_with_a_long_name, the_k_with_a_long_name, *, tolerance=1e-9, steps: int = 100
):
===
x_bar += z_bar * np.cos(the_angle) * np.exp(-x ** 2 / (2.0 * sigma ** 2)) * height + w_bar * (a - c)
===
x_bar += (
    z_bar * np.cos(the_angle) * np.exp(-x ** 2 / (2.0 * sigma ** 2)) * height
    + w_bar * (a - c)
)
===
x_bar = np.where(mask_of_rows, z_bar * np.cos(theta_of_rows), np.zeros_like(theta_of_rows))
===
x_bar = np.where(
    mask_of_rows, z_bar * np.cos(theta_of_rows), np.zeros_like(theta_of_rows)
)
===
return weights_of_the_1st_bar, weights_of_the_second_bar, weights_of_the_third_layer_of_a_net_bar
===
return (
    weights_of_the_1st_bar,
    weights_of_the_second_bar,
    weights_of_the_third_layer_of_a_net_bar,
)
===
if first_of_the_tests_that_were_made_here > 0.0 and second_of_the_tests_that_were_made < 1.0:
===
if (
    first_of_the_tests_that_were_made_here > 0.0
    and second_of_the_tests_that_were_made < 1.0
):
===
table = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [alpha, beta, gamma]])
===
table = np.array([
    [1.0, 2.0, 3.0],
    [4.0, 5.0, 6.0],
    [7.0, 8.0, 9.0],
    [alpha, beta, gamma],
])
===
primes = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79]
===
primes = [
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79
]
===
flux = (left_state_of_the_cell + right_state_of_the_cell) * 0.5 * velocity_of_the_wave + a * b
===
flux = (
    (left_state_of_the_cell + right_state_of_the_cell) * 0.5 * velocity_of_the_wave
    + a * b
)
===
b = sorted(values_by_name, key=lambda k: (-weight_by_name[k], k), reverse=not in_an_ascending_order)
===
b = sorted(
    values_by_name,
    key=lambda k: (-weight_by_name[k], k),
    reverse=not in_an_ascending_order,
)
'''.strip().split("\n===\n")


def same(text: str, tree: gast.AST) -> bool:
    return gast.dump(gast.parse(text)) == gast.dump(tree)


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expressions_print_as_they_are_best_written(text: str) -> None:
    assert printed(gast.parse(text, mode="eval")) == text


@pytest.mark.parametrize("text", STATEMENTS, ids=lambda text: text.split("\n")[0])
def test_statements_print_as_they_are_best_written(text: str) -> None:
    assert printed(gast.parse(text)) == text + "\n"


@pytest.mark.parametrize(
    "before, after", list(zip(WRAPPED[::2], WRAPPED[1::2])), ids=lambda text: text.split("\n")[0]
)
def test_long_lines_are_broken_inside_brackets(before: str, after: str) -> None:
    body = "\n    pass" if before.endswith(":") else ""
    text = printed(gast.parse(before + body))
    assert text == after + body + "\n"
    assert same(text, gast.parse(before + body))


@pytest.mark.parametrize("path", CASES + STANDARD, ids=lambda path: path.stem)
def test_files_survive_a_round_trip(path: Path) -> None:
    tree = gast.parse(path.read_text(encoding="utf-8"))
    assert same(printed(tree), tree)


@pytest.mark.parametrize("path", STANDARD, ids=lambda path: path.stem)
def test_printing_again_changes_nothing_in_narrow_lines_either(path: Path) -> None:
    text = printed(gast.parse(path.read_text(encoding="utf-8")), 40)
    assert printed(gast.parse(text), 40) == text


def test_top_level_definitions_stand_apart_and_comments_stay_with_them() -> None:
    tree = gast.parse("import a\ndef f():\n  def g(): pass\n  x = 1\n  return g\ny = 2\nclass C: 0")
    tree.body.insert(1, Comment("About f.\nMore."))
    tree.body[2].body[1:1] = [Blank(), Blank(), Comment("1: x = 1"), Comment("")]
    assert printed(tree) == textwrap.dedent("""\
        import a


        # About f.
        # More.
        def f():
            def g():
                pass

            # 1: x = 1
            #
            x = 1
            return g


        y = 2


        class C:
            0
        """)


def test_blank_lines_do_not_open_or_close_a_body() -> None:
    tree = gast.parse("if a:\n    b\nc")
    tree.body[0].body = [Blank(), *tree.body[0].body, Blank()]
    assert printed([Blank(), *tree.body, Blank()]) == "if a:\n    b\n\nc\n"


def test_a_body_of_comments_alone_still_is_one() -> None:
    tree = gast.parse("if a:\n    b\nelse:\n    c")
    tree.body[0].body = [Comment("nothing to do")]
    tree.body[0].orelse = [Blank()]
    assert printed(tree) == "if a:\n    # nothing to do\n    pass\nelse:\n    pass\n"


@pytest.mark.parametrize(
    "value",
    ["", "plain", "two\n    lines\n    ", 'ends in "', 'has """ inside', "back\\slash", "\\",
     "a\\\"", 'C:\\new\\x\n"""', "tab\tand\rreturn\x0cfeed\0", "ünïcödé \u2028 \ud800"],
)  # fmt: skip
def test_docstrings_keep_their_text(value: str) -> None:
    tree = gast.parse("def f():\n    'doc'\n    return 1")
    tree.body[0].body[0].value.value = value
    tree.body[0].body.insert(0, Comment("first"))
    text = printed(tree)
    body = ast.parse(text).body[0].body  # type: ignore[attr-defined]
    assert body[0].value.value == value
    assert text.count("\n") == 4 + value.count("\n")


@pytest.mark.parametrize(
    "value",
    [0.1, -0.0, -2.5, 1e150, -1e-9, math.inf, -math.inf, math.nan, 10**30, -7, True, None, ..., 2j,
     -2j, 1 + 2j, complex(-0.0, 2.0), complex(0.0, -0.0), complex(math.inf, math.nan), b"\x00'\"",
     (1, -2.0), ("a",), (), "\ud800"],
    ids=repr,
)  # fmt: skip
def test_constants_evaluate_to_themselves(value: Any) -> None:
    power = gast.BinOp(gast.Constant(value, None), gast.Pow(), gast.Constant(2, None))
    assert repr(eval(printed(gast.Constant(value, None)))) == repr(value)
    if isinstance(value, int | float):
        assert repr(eval(printed(power))) == repr(value**2)


def test_only_literals_are_constants() -> None:
    with pytest.raises(TypeError, match="no literal"):
        printed(gast.Constant(object(), None))


# Random programs


class Grower:
    """Random trees of the kind that parsing gives."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def some(self, make: Callable[[int], Any], depth: int, low: int = 0, high: int = 3) -> list:
        return [make(depth) for _ in range(self.random.randint(low, high))]

    def name(self, ctx: gast.AST | None = None) -> gast.Name:
        words = ("x", "y_bar", "theta_of_the_first", "n", "w_saved", "velocity_of_the_wave")
        return gast.Name(self.random.choice(words), ctx or gast.Load(), None, None)

    def constant(self) -> gast.Constant:
        values = (0, 1, 2.5, 1e-9, 1e309, 3j, True, None, "it's", 'a "b"', "", "n\n", b"b'", ...)
        return gast.Constant(self.random.choice(values), None)

    def expression(self, depth: int) -> Any:
        if depth <= 0:
            return self.random.choice((self.name, self.name, self.constant))()
        return getattr(self, self.random.choice(self.kinds))(depth - 1)

    kinds = (
        "binary binary binary unary boolean compare choice call call attribute subscript display "
        "dictionary comprehension function walrus formatted"
    ).split()

    def binary(self, depth: int) -> gast.BinOp:
        operators = "Add Sub Mult Div Pow Pow MatMult Mod FloorDiv LShift BitOr BitXor BitAnd"
        operator = getattr(gast, self.random.choice(operators.split()))()
        return gast.BinOp(self.expression(depth), operator, self.expression(depth))

    def unary(self, depth: int) -> gast.UnaryOp:
        operator = self.random.choice((gast.USub, gast.USub, gast.UAdd, gast.Not, gast.Invert))()
        return gast.UnaryOp(operator, self.expression(depth))

    def boolean(self, depth: int) -> gast.BoolOp:
        operator = self.random.choice((gast.And, gast.Or))()
        return gast.BoolOp(operator, self.some(self.expression, depth, 2))

    def compare(self, depth: int) -> gast.Compare:
        operands = self.some(self.expression, depth, 2)
        operators = (gast.Lt, gast.Eq, gast.NotEq, gast.NotIn, gast.IsNot, gast.GtE)
        ops = [self.random.choice(operators)() for _ in operands[1:]]
        return gast.Compare(operands[0], ops, operands[1:])

    def choice(self, depth: int) -> gast.IfExp:
        return gast.IfExp(*self.some(self.expression, depth, 3))

    def call(self, depth: int) -> gast.Call:
        args = self.some(self.element, depth)
        keywords = [
            gast.keyword(self.random.choice(("key", "axis", None)), self.expression(depth))
            for _ in range(self.random.randint(0, 2))
        ]
        # A name may be given once.
        unique = {k.arg or i: k for i, k in enumerate(keywords)}
        return gast.Call(self.expression(depth), args, list(unique.values()))

    def element(self, depth: int) -> Any:
        if self.random.random() < 0.2:
            return gast.Starred(self.expression(depth), gast.Load())
        return self.expression(depth)

    def attribute(self, depth: int) -> gast.Attribute:
        return gast.Attribute(self.expression(depth), "shape", gast.Load())

    def subscript(self, depth: int) -> gast.Subscript:
        index = self.index(depth)
        if self.random.random() < 0.5:
            index = gast.Tuple(self.some(self.index, depth), gast.Load())
        return gast.Subscript(self.expression(depth), index, gast.Load())

    def index(self, depth: int) -> Any:
        if self.random.random() < 0.5:
            return self.expression(depth)
        bounds = [self.expression(depth) if self.random.random() < 0.5 else None for _ in range(3)]
        return gast.Slice(*bounds)

    def display(self, depth: int) -> Any:
        kind = self.random.choice((gast.List, gast.Tuple, gast.Set))
        if kind is gast.Set:
            return gast.Set(self.some(self.element, depth, 1))
        return kind(self.some(self.element, depth), gast.Load())

    def dictionary(self, depth: int) -> gast.Dict:
        values = self.some(self.expression, depth)
        keys = [self.expression(depth) if self.random.random() < 0.7 else None for _ in values]
        return gast.Dict(keys, values)

    def comprehension(self, depth: int) -> Any:
        loops = [
            gast.comprehension(
                self.target(1), self.expression(depth), self.some(self.expression, depth, 0, 1), 0
            )
            for _ in range(self.random.randint(1, 2))
        ]
        kind = self.random.choice((gast.ListComp, gast.GeneratorExp, gast.SetComp, gast.DictComp))
        if kind is gast.DictComp:
            return kind(self.expression(depth), self.expression(depth), loops)
        return kind(self.expression(depth), loops)

    def function(self, depth: int) -> gast.Lambda:
        names = [gast.Name(n, gast.Param(), None, None) for n in "abcdef"]
        self.random.shuffle(names)
        cuts = sorted(self.random.randint(0, 4) for _ in range(2))
        positional, args, keyword = names[: cuts[0]], names[cuts[0] : cuts[1]], names[cuts[1] : 4]
        defaults = self.some(self.expression, depth, 0, len(positional) + len(args))
        keyword_defaults = [self.random.choice((None, self.constant())) for _ in keyword]
        vararg, kwarg = (self.random.choice((None, n)) for n in names[4:])
        arguments = gast.arguments(
            args, positional, vararg, keyword, keyword_defaults, kwarg, defaults
        )
        return gast.Lambda(arguments, self.expression(depth))

    def walrus(self, depth: int) -> gast.NamedExpr:
        return gast.NamedExpr(self.name(gast.Store()), self.expression(depth))

    def formatted(self, depth: int) -> gast.JoinedStr:
        spec = gast.JoinedStr([gast.Constant(".3f", None)])
        fields = [
            gast.FormattedValue(
                self.quotable(self.expression(min(depth, 1))),
                self.random.choice((-1, 114)),
                self.random.choice((None, spec)),
            )
            for _ in range(self.random.randint(1, 2))
        ]
        parts = [gast.Constant(self.random.choice(("it's {", '"q" ', "n\n")), None), *fields]
        return gast.JoinedStr(parts)

    def quotable(self, tree: Any) -> Any:
        """Python 3.11 has no way to write some strings inside an f-string."""
        for node in gast.walk(tree):
            if isinstance(node, gast.JoinedStr):
                return self.name()
            if isinstance(node, gast.Constant) and isinstance(node.value, str | bytes):
                node.value = self.random.choice(("key", "it's", 'a "b"'))
        return tree

    def target(self, depth: int) -> Any:
        kind = self.random.randint(0, 4) if depth else 0
        if kind == 3:
            return gast.Tuple([self.target(depth - 1) for _ in range(2)], gast.Store())
        if kind == 4:
            index = self.index(depth)
            return gast.Subscript(self.name(), index, gast.Store())
        return self.name(gast.Store())

    def statement(self, depth: int) -> Any:
        kind = self.random.randint(0, 9 if depth else 5)
        test = self.expression(3)
        if kind == 0:
            return gast.Expr(test)
        if kind == 1:
            return gast.Assign(self.some(self.target, 2, 1, 2), test, None)
        if kind == 2:
            return gast.AugAssign(self.name(gast.Store()), gast.Mult(), test)
        if kind == 3:
            return gast.Return(test)
        if kind == 4:
            return gast.Assert(test, self.random.choice((None, self.expression(2))))
        if kind == 5:
            return gast.AnnAssign(self.name(gast.Store()), self.expression(2), test, 1)
        body, orelse = self.some(self.statement, depth - 1, 1), self.some(self.statement, depth - 1)
        if kind == 6:
            return gast.If(test, body, orelse)
        if kind == 7:
            return gast.While(test, body, orelse)
        if kind == 8:
            return gast.For(self.target(2), test, body, orelse, None)
        items = [gast.withitem(test, None), gast.withitem(self.expression(2), self.target(1))]
        return gast.With(items[self.random.randint(0, 1) :], body, None)


@pytest.mark.parametrize("seed", range(20))
def test_random_expressions_survive_a_round_trip(seed: int) -> None:
    grower = Grower(seed)
    for _ in range(60):
        tree = gast.Expression(grower.expression(4))
        text = printed(tree)
        assert gast.dump(gast.parse(text, mode="eval")) == gast.dump(tree), text


@pytest.mark.parametrize("seed", range(20))
def test_random_statements_survive_a_round_trip_at_any_width(seed: int) -> None:
    grower = Grower(seed)
    for width in (100, 60, 30, 1):
        tree = gast.Module(grower.some(grower.statement, 2, 1), [])
        text = printed(tree, width)
        assert same(text, tree), text
