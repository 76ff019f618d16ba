"""What was taken for a real number must be: checks, as the program runs, of values whose type is not known.

y = x * load(path)   →   load_path = load(path)
                         refuse_unlike_numbers(load_path, "`load(path)`")
                         y = x * load_path

The adjoint of complex arithmetic has conjugates and real parts that the adjoint of real arithmetic has not. Types
tell which one it is, except of what comes from functions that are not looked into, which may have an arithmetic of
its own besides, and of Python's `**`, which is complex for a negative base: there a program that ever goes from
complex to real is checked.

Two more checks are made in the same way: that an array which may be of integers is not when active numbers are written
into it, and that what was found to have no value, as it always raises, does raise.
"""

import operator
from collections.abc import Container
from typing import Any

import gast

from pullback.compiler.analysis.effects import acts, called
from pullback.compiler.analysis.program import Facts, Program, Spec
from pullback.compiler.analysis.values import PERHAPS_INTEGRAL, Value
from pullback.compiler.emit.printer import printed
from pullback.compiler.ir.names import described
from pullback.compiler.ir.template import assign, call, clone, constant, name
from pullback.compiler.ir.walk import COMPREHENSIONS, PERHAPS_EVALUATED, every_node, own_nodes, rewrite_blocks
from pullback.compiler.normalise.context import Context
from pullback.compiler.rules.language import rule_of

TO_REAL = ("real", "imag", "abs", "absolute", "angle", "norm", "hypot")
NEVER_NEGATIVE = ("abs", "fabs", "absolute", "sqrt", "exp", "exp2", "cosh", "hypot", "norm", "square", "dist")
POWERS = (pow, operator.pow)


def checked_real(program: Program, spec: Spec) -> list[gast.stmt]:
    """The body with its checks; the body itself if it needs none."""
    checks = _Checks(program, spec)
    done = rewrite_blocks(list(spec.body), checks.block)
    return done if checks.made else spec.body


class _Checks(Context):
    def __init__(self, program: Program, spec: Spec) -> None:
        super().__init__(program, spec)
        self.made = False
        self.turned_real = any(
            _turns_real(s.facts, n) for s in program.specs.values() for top in s.body for n in own_nodes(top)
        )
        self.values: dict[str, list[gast.expr]] = {}
        for node in (n for top in spec.body for n in own_nodes(top)):
            if isinstance(node, gast.Assign) and isinstance(node.targets[0], gast.Name):
                self.values.setdefault(node.targets[0].id, []).append(node.value)
        self.active_variables = {
            v for env in self.facts.after.values() for v, value in env.items() if program.is_varied(value)
        }

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        done: list[gast.stmt] = []
        for s in body:
            if isinstance(s, (gast.Assign, gast.AugAssign, gast.Expr, gast.Return)) and s.value is not None:
                done += self._before(s)
            done.append(s)
        return done

    def _before(self, s: Any) -> list[gast.stmt]:
        """The checks of a statement; what is a call gets a name first, and so do the calls before it that act."""
        doubtful = self._doubtful(s)
        if not doubtful:
            return []
        self.made = True
        moved: dict[gast.AST, gast.expr] = {}  # what is computed gets a name
        done: list[gast.stmt] = []
        computed = [n for n in doubtful if not _is_place(n)]
        for node in _evaluated(s.value, doubtful) if computed else []:
            if node in doubtful and node not in moved and not _is_place(node) or self._acts(node):
                held = self.names.fresh(described(node))  # type: ignore[arg-type]
                done.append(gast.copy_location(assign(held, _Moved(moved).visit(node)), s))
                moved[node] = name(held)
        checks: dict[str, gast.stmt] = {}
        for node, check in doubtful.items():
            shown = printed(node).strip()
            text = call(check, clone(moved.get(node, node)), constant(f"`{shown}`"))
            checks.setdefault(shown, gast.copy_location(gast.Expr(text), s))
        s.value = _Moved(moved).visit(s.value)
        return [*done, *checks.values()]

    def _acts(self, node: gast.AST) -> bool:
        if isinstance(node, PERHAPS_EVALUATED) and not self.active(node):
            return any(self._acts(n) for n in every_node(node) if isinstance(n, gast.Call))
        return isinstance(node, gast.Call) and not self.active(node) and acts(self.facts, node)

    # -- what is doubtful ------------------------------------------------------------------------

    def _doubtful(self, s: Any) -> dict[gast.expr, str]:
        """What a statement takes into active arithmetic, or keeps beside what is active, and how it is checked."""
        entering: list[Any] = []  # beside active values
        found: dict[gast.expr, str] = {}
        target = s.target if isinstance(s, gast.AugAssign) else s.targets[0] if isinstance(s, gast.Assign) else None
        if isinstance(target, gast.Name) and target.id in self.active_variables or target is not None and self._holds(target):
            entering.append(s.value)
        if isinstance(s, gast.Return) and self.spec.result is not None and self.program.is_varied(self.spec.result):
            entering.append(s.value)
        found |= dict.fromkeys(self._unforeseen(s.value), "refuse_unforeseen")
        if isinstance(target, gast.Subscript) and self._may_cut(target, s.value):
            found[target.value] = "refuse_integers"
        for node in own_nodes(s):
            check = "refuse_unlike_matrix" if _multiplies_matrices(node) else "refuse_unlike_numbers"
            found |= {n: check for n in self._operands(node) if self._is_unknown(n)}
            entering += self._elements(node)
            if self.turned_real and self._turns_complex(node):
                found[node] = "refuse_complex"  # type: ignore[index]
        # beside active values, what is not known to be a number is refused
        return {n: "refuse_complex" for n in entering if self.type_of(n).numeric and self._is_unknown(n)} | found

    def _holds(self, target: Any) -> bool:
        return isinstance(target, (gast.Subscript, gast.Attribute)) and self.active(target.value)

    def _unforeseen(self, node: Any) -> list[Any]:
        """The innermost parts of an expression, of those that are evaluated for certain, that were found to have no value."""
        inner = [n for child in _surely_evaluated(node) for n in self._unforeseen(child)]
        return inner or ([node] if self.type_of(node).kind == "bottom" else [])

    def _may_cut(self, target: gast.Subscript, value: gast.expr) -> bool:
        """Is an active value written into an array that is perhaps of integers, which cut it off?"""
        array = self.type_of(target.value)
        return array.perhaps_integral and array.numeric and self.active(value)

    def _operands(self, node: Any) -> list[Any]:
        """The operands of active arithmetic."""
        if not isinstance(node, gast.expr) or not self.active(node) or node in self.facts.calls:
            return []
        if isinstance(node, gast.BinOp):
            return [node.left, node.right]
        if isinstance(node, gast.Call):
            rule = rule_of(self.facts.resolved.get(node))
            return list(node.args) if rule is not None and rule.form != "constant" else []
        return []

    def _elements(self, node: Any) -> list[Any]:
        """What is put together with active values."""
        if isinstance(node, gast.Dict) and self.active(node):
            return list(node.values)
        made = isinstance(node, (gast.List, gast.Tuple)) and isinstance(node.ctx, gast.Load) and self.active(node)
        return list(node.elts) if made else []

    def _is_unknown(self, node: Any) -> bool:
        """Is it an inert number or array that may be complex for all that is known?"""
        if node not in self.facts.types or self.active(node) or isinstance(node, (gast.Constant, gast.Lambda)):
            return False
        value: Value = self.facts.types[node]
        return value.kind == "opaque" and value.code is None or value.kind in ("number", "array") and not value.dtype

    def _turns_complex(self, node: Any) -> bool:
        """Python's `**` of numbers, where the base may be negative and the exponent no integer."""
        parts = [node.left, node.right] if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Pow) else []
        if isinstance(node, gast.Call) and self.facts.resolved.get(node) in POWERS and len(node.args) == 2:
            parts = node.args
        if not parts or self.type_of(node).kind != "float" or self.type_of(node).known is not None:
            return False
        base, exponent = (self.type_of(p) for p in parts)
        python = all(v.dtype in ("", PERHAPS_INTEGRAL) for v in (base, exponent))
        if base.kind not in ("float", "int") or exponent.kind != "float" or not python:
            return False
        whole = exponent.known is not None and float(exponent.known.value).is_integer()
        return not whole and not (base.known is not None and base.known.value >= 0) and not self._never_negative(parts[0])

    def _never_negative(self, node: Any) -> bool:
        if isinstance(node, gast.Constant):
            return isinstance(node.value, (int, float)) and node.value >= 0
        if isinstance(node, gast.Name):
            values = self.values.get(node.id, [])
            return len(values) == 1 and node.id not in self.spec.parameters and self._never_negative(values[0])
        if isinstance(node, gast.Call):
            return getattr(self.facts.resolved.get(node), "__name__", "") in NEVER_NEGATIVE
        if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Pow):
            even = isinstance(node.right, gast.Constant) and node.right.value in (2, 4, 6)
            return even or self._never_negative(node.left)
        if isinstance(node, gast.BinOp) and isinstance(node.op, (gast.Add, gast.Mult, gast.Div)):
            square = isinstance(node.op, gast.Mult) and gast.dump(node.left) == gast.dump(node.right)
            return square or self._never_negative(node.left) and self._never_negative(node.right)
        return False


def _turns_real(facts: Facts, node: gast.AST) -> bool:
    """Does it make a real number of a complex one?"""
    return (called(facts, node) if isinstance(node, gast.Call) else getattr(node, "attr", "")) in TO_REAL


def _multiplies_matrices(node: gast.AST) -> bool:
    return isinstance(node, gast.BinOp) and isinstance(node.op, gast.MatMult)


def _is_place(node: gast.AST) -> bool:
    """A variable, or an item or field of one, which can be read twice."""
    return not any(isinstance(n, (gast.Call, gast.BinOp)) for n in every_node(node))


def _evaluated(value: gast.expr, doubtful: Container[Any]) -> list[gast.AST]:
    """The nodes of an expression in the order of evaluation; what may not be evaluated is part of a whole."""
    done: list[gast.AST] = []

    def visit(node: gast.AST) -> None:
        whole = isinstance(node, PERHAPS_EVALUATED) and not any(n in doubtful for n in every_node(node) if n is not node)
        for child in gast.iter_child_nodes(node) if not whole else []:
            if not isinstance(child, gast.Lambda):
                visit(child)
        done.append(node)

    visit(value)
    return done


def _surely_evaluated(node: Any) -> list[Any]:
    """The parts of an expression that are evaluated whenever it is."""
    if isinstance(node, gast.Call):
        function = node.func.value if isinstance(node.func, gast.Attribute) else node.func  # a method is no field
        return [function, *node.args, *(k.value for k in node.keywords)]
    if isinstance(node, gast.Compare):
        return [node.left, node.comparators[0]]
    if isinstance(node, (gast.IfExp, gast.BoolOp)):
        return [node.test if isinstance(node, gast.IfExp) else node.values[0]]
    if isinstance(node, (gast.Lambda, *COMPREHENSIONS)):
        return []
    return [n for n in gast.iter_child_nodes(node) if isinstance(n, gast.expr)]


class _Moved(gast.NodeTransformer):
    """Names in the place of what they hold."""

    def __init__(self, moved: dict[gast.AST, gast.expr]) -> None:
        self.moved = moved

    def visit(self, node: Any) -> Any:
        return clone(self.moved[node]) if node in self.moved else self.generic_visit(node)
