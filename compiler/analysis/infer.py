"""Types, memory and forward activity of a whole program, by abstract interpretation.

Each function is interpreted once per signature; lists, dicts and objects are followed through one
heap; everything runs again until nothing changes. The results are the Facts of each Spec.
"""

import functools
from collections.abc import Callable
from typing import Any

import gast

from pullback.compiler.analysis.arithmetic import Arithmetic
from pullback.compiler.analysis.array_calls import ArrayCalls
from pullback.compiler.analysis.attributes import Attributes
from pullback.compiler.analysis.augmented import Augmented
from pullback.compiler.analysis.blocks import Blocks
from pullback.compiler.analysis.callbacks import Callbacks
from pullback.compiler.analysis.called_operators import CalledOperators
from pullback.compiler.analysis.calls import Calls
from pullback.compiler.analysis.classes import Classes
from pullback.compiler.analysis.construction import Construction
from pullback.compiler.analysis.containers import Containers
from pullback.compiler.analysis.derivatives import Derivatives
from pullback.compiler.analysis.dict_views import check_dict_views
from pullback.compiler.analysis.entries import Entries
from pullback.compiler.analysis.expressions import Expressions
from pullback.compiler.analysis.flow import Flow, Node, control_flow, solve
from pullback.compiler.analysis.functions import Functions
from pullback.compiler.analysis.generators import Generators
from pullback.compiler.analysis.indexing import Indexing
from pullback.compiler.analysis.inner_definitions import check_inner_definitions
from pullback.compiler.analysis.interleaving import check_generators
from pullback.compiler.analysis.liveness import Liveness, live_variables
from pullback.compiler.analysis.meaning import Meanings
from pullback.compiler.analysis.methods import Methods
from pullback.compiler.analysis.products import Products
from pullback.compiler.analysis.program import Env, Program, Rebound, Spec
from pullback.compiler.analysis.protocols import Protocols
from pullback.compiler.analysis.sequences import Sequences
from pullback.compiler.analysis.sets import Sets
from pullback.compiler.analysis.shorthands import Shorthands
from pullback.compiler.analysis.spreading import Spreading
from pullback.compiler.analysis.stand_ins import StandIns
from pullback.compiler.analysis.statements import Statements
from pullback.compiler.analysis.targets import Targets
from pullback.compiler.analysis.texts import Texts
from pullback.compiler.analysis.values import CONTAINERS, MUTABLE, Value, is_either, placed_beside, replace
from pullback.compiler.analysis.writing import Writing
from pullback.compiler.analysis.zeros import Zeros
from pullback.compiler.ir.nodes import Attempt, Let
from pullback.compiler.ir.walk import assigned, blocks, every_node, names_in, own_nodes

MAX_ROUNDS = 60
MEMORY = ("array", *MUTABLE)  # what a variable refers to is found by it, though nothing reads it later


def infer(program: Program, entry: Spec) -> None:
    """Fill in the facts of every function reached from `entry`."""
    interpreters: dict[Spec, Interpreter] = {}
    for _ in range(MAX_ROUNDS):
        version = program.version
        program.problems.clear()
        done: set[Spec] = set()
        while True:
            waiting = [s for s in program.specs.values() if s not in done]
            if not waiting:
                break
            for spec in waiting:
                done.add(spec)
                if spec not in interpreters:
                    interpreters[spec] = Interpreter(program, spec)
                interpreters[spec].run_again()
        if program.version == version:
            break
    check_generators(program)


class Interpreter:
    """Runs a specialised function over abstract values. What a statement or expression does, its parts say."""

    def __init__(self, program: Program, spec: Spec) -> None:
        self.program = program
        self.spec = spec
        self.facts = spec.facts
        self.statement: Any = None  # the one at hand
        self._seen: dict[gast.expr, tuple[int, Env, Value]] = {}  # what was found in it: (when, with which variables, what)
        self._liveness: tuple[int, Liveness] | None = None
        self._settled: tuple[int, dict[Any, Any]] | None = None  # the version that it was run for and left, and its refusals
        self.meanings = Meanings(self)
        self.sequences = Sequences(self)
        self.methods = Methods(self)
        self.shorthands = Shorthands(self)
        self.array_calls = ArrayCalls(self)
        self.protocols = Protocols(self)
        self.construction = Construction(self)
        self.classes = Classes(self)
        self.containers = Containers(self)
        self.stand_ins = StandIns(self)
        self.sets = Sets(self)
        self.called_operators = CalledOperators(self)
        self.entries = Entries(self)
        self.writing = Writing(self)
        self.attributes = Attributes(self)
        self.functions = Functions(self)
        self.zeros = Zeros(self)
        self.derivatives = Derivatives(self)
        self.products = Products(self)
        self.generators = Generators(self)
        self.spreading = Spreading(self)
        self.texts = Texts(self)
        self.calls = Calls(self)
        self.callbacks = Callbacks(self)
        self.indexing = Indexing(self)
        self.arithmetic = Arithmetic(self)
        self.expressions = Expressions(self)
        self.targets = Targets(self)
        self.augmented = Augmented(self)
        self.statements = Statements(self)
        self.blocks = Blocks(self)
        self._effects: dict[type, Callable[[Any, Env], None]] = self._statement_table()
        self._values: dict[type, Callable[[Any, Env], Value]] = self._expression_table()

    def run_again(self) -> None:
        """Run, unless nothing has changed anywhere since it last ran and changed nothing itself."""
        program, version = self.program, self.program.version
        if self._settled is None or self._settled[0] != version:
            others = dict(program.problems)
            program.problems.clear()
            self.run()
            self._settled = (version, dict(program.problems))
            program.problems |= others
        else:
            program.problems |= self._settled[1]

    def run(self) -> None:
        """Find the facts of the function anew, from what is known of its parameters by now."""
        self.facts.clear()
        start: Env = dict(self.spec.parameters)
        before = solve(self.flow, self._transfer, self._join, start, leads=self._leads)
        final = before.get(self.flow.exit, start)
        for name in self.spec.code.nonlocals:
            if name in final:
                self._output(name, final[name])
        check_dict_views(self)
        check_inner_definitions(self)

    def follow(self, spec: Spec) -> None:
        """Interpret a function that is called here for the first time."""
        Interpreter(self.program, spec).run()

    @functools.cached_property
    def flow(self) -> Flow:
        return control_flow(self.spec.body)

    @property
    def liveness(self) -> Liveness:
        """Of the present text: expressions that are rewritten on the way get new variables."""
        variables = len(self.spec.code.locals)
        if self._liveness is None or self._liveness[0] != variables:
            self._liveness = (variables, live_variables(self.flow))
        return self._liveness[1]

    def wanted(self, env: Env, statement: gast.stmt) -> Env:
        """The variables that are read after a statement: the others need no common type where paths meet."""
        live = self.liveness.after[statement]
        return {n: v for n, v in env.items() if n in live or v.kind in MEMORY or n in self.read_elsewhere}

    def may_leave(self, loop: gast.For) -> frozenset[str]:
        """The variables that are read after a loop, with the value that they had before it or in its last round."""
        after = [n.statement for n in self.flow.of[loop].successors[1:] if n.statement is not None]
        return frozenset(self.read_elsewhere).union(*(self.liveness.before[s] for s in after))

    @functools.cached_property
    def read_elsewhere(self) -> set[str]:
        """Variables that functions inside this one, or around it, may read."""
        return {*self.calls.captured_inside(), *self.spec.code.nonlocals, *self.spec.code.captured}

    @functools.cached_property
    def iterated(self) -> dict[gast.stmt, frozenset[str]]:
        """For a statement: what the loops around it iterate over."""
        return iterated_names(self.spec.body, frozenset())

    @functools.cached_property
    def looped(self) -> dict[gast.stmt, frozenset[str]]:
        """For a statement: what loops around or before it assign."""
        return looped_names(self.spec.body, frozenset())

    @functools.cached_property
    def broken_off(self) -> set[gast.AST]:
        """The loops with a `break` in them."""
        loops = [n for s in self.spec.body for n in own_nodes(s) if isinstance(n, gast.For)]
        return {f for f in loops if any(isinstance(n, gast.Break) for s in f.body for n in own_nodes(s))}

    @functools.cached_property
    def unfollowed(self) -> list[gast.AST]:
        """The classes, and functions that are `async`, that the function defines."""
        return [n for s in self.spec.body for n in own_nodes(s) if isinstance(n, (gast.ClassDef, gast.AsyncFunctionDef))]

    @functools.cached_property
    def rebound_elsewhere(self) -> set[str]:
        """Variables that other functions may assign while this one runs."""
        inner = (n for n in every_node(self.spec.code.tree) if isinstance(n, gast.Nonlocal))
        return {*self.spec.code.globals_declared, *self.spec.code.captured, *(name for n in inner for name in n.names)}

    def _output(self, name: str, value: Value) -> None:
        if self._has_shadow(name, value):
            raise Rebound(self.spec.code.owner(name), name)
        old = self.spec.outputs.get(name)
        new = value if old is None else self.program.joined(old, value)
        if new != old:
            self.spec.outputs[name] = new
            self.program.version += 1

    def _has_shadow(self, name: str, value: Value) -> bool:
        """Does a variable that this function rebinds for its caller need more than the adjoint of a value?"""
        if not self.program.is_varied(value):
            return False
        exposed = any(c.written or c.stored for c in self.program.cells(value))
        return value.kind in CONTAINERS or exposed or name in self.spec.either

    def _join(self, a: Env, b: Env) -> Env:
        if a is b:
            return a
        joined: Env = {}
        for name in {**a, **b}:
            if name in a and name in b:
                joined[name] = self.meeting(name, a[name], b[name])
            else:
                present = a.get(name) or b[name]
                joined[name] = present if present.unbound else replace(present, unbound=True)
        return joined

    def meeting(self, name: str, a: Value, b: Value) -> Value:
        """A variable where two paths meet. If it is a number on one and an array on the other, that is kept in mind."""
        if a == b:
            return a
        value = self.program.joined(a, b)
        if is_either(a, b):
            old = self.spec.either.get(name)
            new = value if old is None else self.program.joined(old, value)
            if new != old:
                self.spec.either[name] = new
                self.program.version += 1
        return value

    def _leads(self, source: Node, target: Node) -> bool:
        """May control pass from a statement to the other? An arm that the types rule out is not looked at."""
        taken = self.facts.decided.get(source.statement) if source.statement is not None else None
        return taken is None or (target is source.successors[0]) is taken

    def _transfer(self, node: Node, before: Env) -> Env:
        statement = node.statement
        if statement is None:
            return before
        env = dict(before)
        self.statement = statement
        self._seen.clear()
        self.effect(statement, env)
        self.facts.before[statement], self.facts.after[statement] = before, env  # the last visit is the fixed point's
        return self.wanted(env, statement)

    # -- dispatch -----------------------------------------------------------------------------

    def effect(self, statement: gast.stmt, env: Env) -> None:
        """What a statement does to the variables."""
        effect = self._effects.get(type(statement))
        if effect is not None:
            effect(statement, env)
        self.callbacks.asked(statement)

    def value(self, node: gast.expr, env: Env) -> Value:
        """The abstract value of an expression."""
        known = self._seen.get(node)
        if known is not None and known[0] == self.program.version and known[1] == env:
            return known[2]
        value = self._value(node, env)
        if not isinstance(node, (gast.Name, gast.Constant)):
            self._seen[node] = (self.program.version, dict(env), value)
        return value

    def _value(self, node: gast.expr, env: Env) -> Value:
        value = self._values.get(type(node), self.expressions.of_other)(node, env)
        if hasattr(node, "stands_for") and value.kind in ("list", "dict"):
            value = replace(value, code=node.stands_for)
        if value.kind == "tuple":
            value = placed_beside(value, None)
        self.facts.types[node] = value
        self.callbacks.asked(node)
        return value

    def _statement_table(self) -> dict[type, Callable[[Any, Env], None]]:
        statements, blocks = self.statements, self.blocks
        return {
            gast.Assign: statements.do_Assign,
            gast.AnnAssign: statements.do_AnnAssign,
            gast.Expr: statements.do_Expr,
            gast.Return: statements.do_Return,
            gast.If: statements.do_If,
            gast.While: statements.do_While,
            gast.Assert: statements.do_Assert,
            gast.Raise: statements.do_Raise,
            gast.Delete: statements.do_Delete,
            gast.FunctionDef: statements.do_FunctionDef,
            gast.Import: statements.do_Import,
            gast.ImportFrom: statements.do_ImportFrom,
            gast.For: statements.do_For,
            gast.AugAssign: self.augmented.do_AugAssign,
            gast.With: blocks.do_With,
            gast.Try: blocks.do_Try,
            Attempt: blocks.do_Attempt,
            gast.Match: blocks.do_Match,
            gast.TryStar: blocks.do_Try,
        }

    def _expression_table(self) -> dict[type, Callable[[Any, Env], Value]]:
        expressions, indexing = self.expressions, self.indexing
        return {
            gast.Constant: expressions.of_Constant,
            gast.Name: expressions.of_Name,
            gast.NamedExpr: expressions.of_NamedExpr,
            gast.BinOp: expressions.of_BinOp,
            Let: expressions.of_Let,
            gast.UnaryOp: expressions.of_UnaryOp,
            gast.Compare: expressions.of_Compare,
            gast.BoolOp: expressions.of_BoolOp,
            gast.IfExp: expressions.of_IfExp,
            gast.Attribute: expressions.of_Attribute,
            gast.Tuple: expressions.of_Tuple,
            gast.List: expressions.of_List,
            gast.Dict: expressions.of_Dict,
            gast.ListComp: expressions.of_ListComp,
            gast.Set: self.sets.of_Set,
            gast.SetComp: self.sets.of_SetComp,
            gast.DictComp: expressions.of_DictComp,
            gast.JoinedStr: expressions.of_JoinedStr,
            gast.FormattedValue: expressions.of_FormattedValue,
            gast.Starred: expressions.of_Starred,
            gast.Subscript: indexing.of_Subscript,
            gast.Slice: indexing.of_Slice,
            gast.Call: self.calls.of_Call,
            gast.Lambda: self.functions.of_Lambda,
            gast.GeneratorExp: self.generators.of_GeneratorExp,
        }


def looped_names(body: list[gast.stmt], before: frozenset[str]) -> dict[gast.stmt, frozenset[str]]:
    """For every statement the names that loops around it, or before it, assign."""
    found: dict[gast.stmt, frozenset[str]] = {}
    for s in body:
        loops = [n for n in own_nodes(s) if isinstance(n, (gast.For, gast.While))]
        found[s] = around = before | (assigned(s) if s in loops else set())
        for block in blocks(s):
            found |= looped_names(block, around)
        before = before.union(*map(assigned, loops))
    return found


def iterated_names(body: list[gast.stmt], around: frozenset[str]) -> dict[gast.stmt, frozenset[str]]:
    """For every statement the names that the loops around it iterate over."""
    found: dict[gast.stmt, frozenset[str]] = {}
    for s in body:
        found[s] = around
        inside = around
        if isinstance(s, gast.For):
            inside = around | names_in(s.iter)
        for field in ("body", "orelse"):
            found |= iterated_names(getattr(s, field, []), inside)
    return found

