"""Function objects and nested definitions as Code in normal form."""

import builtins
import functools
import os.path
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from pullback.compiler.errors import DerivativeError, Span
from pullback.compiler.frontend import array_texts, collected, equivalents, iterators, set_texts
from pullback.compiler.frontend.cells import cells_of, own_variables, rebound_cells
from pullback.compiler.frontend.exits import one_exit
from pullback.compiler.frontend.function_attributes import without_function_attributes
from pullback.compiler.frontend.generators import as_list, mark_kept, may_go_on, never_ends, receives, yields
from pullback.compiler.frontend.global_names import share_globals
from pullback.compiler.frontend.inner_classes import lift_classes
from pullback.compiler.frontend.libraries import LIBRARIES
from pullback.compiler.frontend.managers import SOURCES, without_suppress
from pullback.compiler.frontend.matching import without_match
from pullback.compiler.frontend.nested import settle_functions, share_variables
from pullback.compiler.frontend.reserved import bound_names, mangle, rename, renamed
from pullback.compiler.frontend.source import Source, find_source
from pullback.compiler.frontend.stepping import as_steps
from pullback.compiler.frontend.text_module import TextFunction
from pullback.compiler.ir.names import Names
from pullback.compiler.ir.template import clone
from pullback.compiler.ir.walk import (
    assigned,
    every_node,
    free_variables,
    own_nodes,
    parameters,
    pattern_names,
    rebound_by,
)
from pullback.runtime import RUNTIME_NAMES
from pullback.runtime.functions import Closure


@dataclass(eq=False)
class Code:
    """A function's text in normal form, and where its free names are looked up."""

    name: str
    file: str
    lines: tuple[str, ...]
    tree: gast.FunctionDef
    names: Names
    function: Any = None  # the function object; None for one defined inside another
    parent: "Code | None" = None
    module: dict[str, Any] | None = None  # the namespace, where there is no function object
    aliases: dict[str, str] = field(default_factory=dict)  # renamed variables: the user's name by ours
    given: dict[str, Any] = field(default_factory=dict)  # names that rewriting made for objects
    generates: bool = False  # a generator function: it returns the list of what it yields
    steps: bool = False  # a generator function that runs from one item to the next
    packed: set[str] = field(default_factory=set)  # variables that hold what `*others` or `**options` of a call gets
    frames: set[str] = field(default_factory=set)  # variables whose fields functions share; bound once a call
    may_go_on: bool = False  # one of which it cannot be told that it ends
    settled: set[str] = field(default_factory=set)  # variables that keep what a function was made with
    rebinds: dict[str, types.CellType] = field(default_factory=dict)  # cells of the function object that it binds anew

    def __post_init__(self) -> None:
        self.read()

    def read(self) -> None:
        """What the text says of its names."""
        body = self.tree.body
        nodes = [n for s in body for n in own_nodes(s)]
        outside = {n for node in nodes if isinstance(node, (gast.Nonlocal, gast.Global)) for n in node.names}
        self.parameters = parameters(self.tree)
        self.locals = {*self.parameters, *(n for s in body for n in assigned(s))} - outside
        self.functions = {f.name: (free_variables(f), rebound_by(f)) for f in nodes if isinstance(f, gast.FunctionDef)}
        self.globals_declared = {n for node in nodes if isinstance(node, gast.Global) for n in node.names}
        deleted = [n for node in nodes if isinstance(node, gast.Delete) for n in node.targets]
        self.deleted = {n.id for n in deleted if isinstance(n, gast.Name)}
        used, rebound = self.parent.needed(free_variables(self.tree)) if self.parent else (set(), set())
        self.hidden = used & self.locals  # variables that functions it calls capture, under names of its own
        self.captured = tuple(sorted(used - self.locals))
        self.nonlocals = sorted((rebound_by(self.tree) | rebound) - self.locals)

    def needed(self, names: set[str]) -> tuple[set[str], set[str]]:
        """The local variables, here or further out, that names stand for or their functions capture; those rebound."""
        found: set[str] = set()
        rebound: set[str] = set()
        seen: set[str] = set()
        waiting = list(names)
        while waiting:
            n = waiting.pop()
            if n in seen:
                continue
            seen.add(n)
            if n in self.functions:
                waiting += self.functions[n][0]
                rebound |= self.functions[n][1]
            elif n in self.locals:
                found.add(n)
            elif self.parent is not None:
                outer = self.parent.needed({n})
                found |= outer[0]
                rebound |= outer[1]
        return found, rebound

    def owner(self, variable: str) -> "Code":
        """The function whose variable a name is."""
        return self if variable in self.locals or self.parent is None else self.parent.owner(variable)

    @functools.cached_property
    def closure_class(self) -> Any:
        """The type of the function as data."""
        line, column = self.tree.lineno, self.tree.col_offset
        return type(self.name, (Closure,), {"code": self, "text": f"{self.name}:{line}:{column}"})

    def share(self, variables: set[str]) -> None:
        """Make variables fields of one object, which the functions that capture them share."""
        self.frames.add(share_variables(self.tree, variables, self.names))
        self.read()

    def ancestors(self) -> "list[Code]":
        return [self, *(self.parent.ancestors() if self.parent else [])]

    def outermost(self) -> "Code":
        return self.parent.outermost() if self.parent else self

    def span(self, node: gast.AST | None) -> Span:
        """The place of a node in the user's file."""
        line = getattr(node, "lineno", None) or self.tree.lineno
        column = getattr(node, "col_offset", 0) or 0
        same = getattr(node, "end_lineno", line) == line
        end = (getattr(node, "end_col_offset", 0) or 0) if same else 0
        return Span(self.file, line, column, end, self.lines)

    def lookup(self, name: str) -> tuple[bool, Any]:
        """(found, object) for a name that is no local: closure cell, global, builtin."""
        outer = self.outermost()
        name = name if name in outer.given else outer.aliases.get(name, name)
        if name in outer.given:
            return True, outer.given[name]
        function = outer.function
        if function is not None:
            cells = cells_of(function)
            if name in cells:
                try:
                    return True, cells[name].cell_contents
                except ValueError:  # the cell is still empty
                    return False, None
            if name in function.__globals__:
                return True, function.__globals__[name]
        elif outer.module is not None and name in outer.module:
            return True, outer.module[name]
        if hasattr(builtins, name):
            return True, getattr(builtins, name)
        return False, None

    def give(self, thing: Any, wish: str = "") -> str:
        """A name for an object that the text does not name."""
        given = self.outermost().given
        for known, other in given.items():
            if other is thing:
                self.names.taken.add(known)
                return known
        self.names.taken |= given.keys()
        new = self.names.fresh(wish or getattr(thing, "__qualname__", "given").split("<locals>.")[-1])
        given[new] = thing
        return new


OURS = frozenset(m.__file__ for m in (array_texts, collected, equivalents, iterators, set_texts))  # texts that stand for Python's own functions
COMPILER = os.path.dirname(os.path.dirname(equivalents.__file__)) + os.sep


def is_equivalent(code: Code) -> bool:
    """Is it the text of a function of Python's own, which goes through an iterator at once?"""
    function = code.outermost().function
    return function is not None and function.__code__.co_filename in OURS


def is_library(function: types.FunctionType | TextFunction) -> bool:
    """Does a function come with Python or with an installed package?"""
    file = function.__code__.co_filename
    return file.startswith((*LIBRARIES, COMPILER, "<frozen ")) and file not in OURS


def code_of(function: types.FunctionType | TextFunction, program: Any, called: bool = True) -> Code | Exception | None:
    """The Code of a function object, once for a program; the refusal, if its source cannot be had.

    called: by a function of the program, rather than differentiated there; see `code_from_source`.
    """
    place = function if called else (function, "differentiated")
    known = program.nested.get(place)
    if known is None:
        try:
            source = function.source if isinstance(function, TextFunction) else SOURCES.get(function) or find_source(function, generators=True)
            others = [s.code for s in program.specs.values() if s.code.function is not None]
            others += [c for c in program.nested.values() if c.function is not None]
            known = program.shared(code_from_source(source, function, others=others, stepped=program.stepped, called=called))
        except DerivativeError as refusal:
            return refusal
        program.nested[place] = known
    return known


def code_from_source(
    source: Source,
    function: Any = None,
    module: dict[str, Any] | None = None,
    others: Sequence[Code] = (),
    stepped: frozenset[tuple[Any, ...]] = frozenset(),
    called: bool = False,
) -> Code:
    """A function's source as Code: a copy of its tree, in normal form as far as syntax goes.

    others: functions of the same program; a global that is another object there gets another name here.
    stepped: the places of generator functions that run from one item to the next.
    called: by another function, which sees the variables of a closure that it binds anew; a derivative does not.
    """
    tree = clone(source.tree)
    names = Names(_all_names(tree) | RESERVED)
    given = lift_classes(tree, function, names) | share_globals(tree, source.lines, function, names)
    tree.body = _without_docstring(tree.body)
    without_function_attributes(tree, names)
    rebinds = rebound_cells(tree, function)
    before = {} if called else own_variables(tree, rebinds, names)
    if function is not None:
        mangle(tree, getattr(function.__code__, "co_qualname", function.__qualname__))
    plain = Code(source.name, source.file, source.lines, tree, names, function, None, module, given=given)
    claimed: dict[str, Any] = {}
    for other in others:
        for name in sorted(other.names.taken - other.locals):
            found, thing = other.lookup(name)
            if found:
                claimed.setdefault(name, thing)
    aliases = before | renamed(tree, names, RUNTIME_NAMES, lambda n: plain.lookup(before.get(n, n))[1], claimed)
    look_up = _looking_up(plain, tree, aliases)
    _TupleTargets().visit(tree)
    without_match(tree, names, look_up)
    without_suppress(tree, look_up)
    settled = settle_functions(tree, names)
    by_steps = (source.file, *_place(tree)) in stepped or function in iterators.STEPPING
    ends, things = _ended(tree, names, plain.span, by_steps)
    code = Code(source.name, source.file, source.lines, tree, names, function, None, module, aliases, settled=settled, rebinds=rebinds, **ends)
    code.given |= given | things
    return code


class _TupleTargets(gast.NodeTransformer):
    """[a, b] = f(x)   →   (a, b) = f(x), which is the same."""

    def visit_List(self, node: gast.List) -> gast.expr:
        self.generic_visit(node)
        return gast.copy_location(gast.Tuple(node.elts, node.ctx), node) if isinstance(node.ctx, gast.Store) else node


def as_generator(
    tree: gast.FunctionDef, names: Names, span: Callable[[Any], Span], stepped: bool
) -> tuple[str, dict[str, Any]]:
    """Rewrite a generator function in place; what became of it, and the things that it names."""
    if not yields(tree):
        return "", {}
    if stepped or never_ends(tree) or receives(tree):
        return "stepped", as_steps(tree, names, span)
    as_list(tree, names, span)
    return "listed", {}


def _ended(
    tree: gast.FunctionDef, names: Names, span: Callable[[Any], Span], stepped: bool
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give a function one end, in place, and a generator function a form to run in: which it is, and what that names."""
    goes_on = may_go_on(tree)
    generates, things = as_generator(tree, names, span, stepped)
    one_exit(tree, names)
    mark_kept(tree)
    return {"generates": generates == "listed", "steps": generates == "stepped", "may_go_on": goes_on}, things


def _place(tree: Any) -> tuple[Any, ...]:
    return (tree.lineno, tree.col_offset, tree.name)


def nested_code(node: Any, parent: Code, stepped: frozenset[tuple[Any, ...]] = frozenset()) -> Code:
    """A function defined inside another one as Code; the outer text keeps its own definition."""
    if isinstance(node, gast.Lambda):
        tree = gast.FunctionDef(
            f"lambda_{node.lineno}", clone(node.args), [gast.Return(clone(node.body))], [], None, None, []
        )
        gast.copy_location(tree, node)
        gast.copy_location(tree.body[0], node.body)
    else:
        tree = clone(node)
    names = Names(_all_names(tree) | parent.names.taken | parent.outermost().given.keys())
    parent.outermost().given |= lift_classes(tree, parent.outermost().function, names)
    tree.body = _without_docstring(tree.body)
    settled = settle_functions(tree, names)
    ends, things = _ended(tree, names, parent.span, (parent.file, *_place(tree)) in stepped)
    code = Code(tree.name, parent.file, parent.lines, tree, names, None, parent, settled=settled, **ends)
    code.outermost().given |= things
    for n in sorted(code.hidden):
        code.aliases[names.fresh(f"{n}_own")] = n
    if code.aliases:
        rename(tree, {old: new for new, old in code.aliases.items()})
        code.read()
    return code


def _looking_up(code: Code, tree: gast.FunctionDef, aliases: dict[str, str]) -> Callable[[str], Any]:
    """What a name of the text stands for, where no function of it binds the name; else None."""
    bound = bound_names(tree)
    return lambda n: None if n in bound else code.lookup(aliases.get(n, n))[1]


RESERVED = RUNTIME_NAMES | {"np", "math", *dir(builtins)}  # no generated variable takes these names


def _without_docstring(body: list[gast.stmt]) -> list[gast.stmt]:
    """Bare string statements say nothing at run time."""
    kept = [
        s
        for s in body
        if not (isinstance(s, gast.Expr) and isinstance(s.value, gast.Constant) and isinstance(s.value.value, str))
    ]
    return kept or [gast.Pass()]


def _all_names(tree: gast.FunctionDef) -> set[str]:
    nodes = every_node(tree)
    imported = [a for n in nodes if isinstance(n, (gast.Import, gast.ImportFrom)) for a in n.names]
    found = {n.id for n in nodes if isinstance(n, gast.Name)} | {n.name for n in nodes if isinstance(n, gast.FunctionDef)}
    return {*found, *parameters(tree), *(a.asname or a.name for a in imported), *pattern_names(tree)}
