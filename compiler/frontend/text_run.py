"""What the statements of a file bind, as far as that can be told without running it.

Statements are taken in order. A name bound by anything that is not a constant expression, a definition or
an import becomes Unknown, and so does a list, dict or array that a statement might change.
"""

import ast
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pullback.compiler.frontend.safe_evaluation import Evaluator, NotKnown
from pullback.compiler.frontend.text_module import Import, ModuleText, TextFunction, Unknown

MUTABLE = (list, dict, set, np.ndarray)
OURS = ("pullback",)
TRANSPARENT = ("njit", "jit", "vectorize")  # of numba: the function as written
CHANGES = ("shuffle", "copyto", "put", "place", "putmask", "fill_diagonal")  # library functions that write arguments

Seen = Callable[[ast.Call, "Run"], None]


class Run:
    """The bindings that statements make in `values`.

    seen: told of each call, with the run as it stands there; it is given for looking at how functions are
    called. The block below `if __name__ == "__main__"` and functions without parameters that are called are
    then followed too, and random numbers are drawn for the sake of their types.
    """

    def __init__(
        self, module: ModuleText, values: dict[str, Any], seen: Seen | None = None, outer: "Run | None" = None
    ) -> None:
        self.module = module
        self.values = values
        self.outer = outer
        self.seen = seen
        self.depth: int = 0 if outer is None else outer.depth + 1
        self.evaluator: Evaluator = Evaluator(self.lookup, seen is not None)
        if outer is not None:
            self.evaluator.random = outer.evaluator.random
        declared = [n for n in ast.walk(module.definitions.tree) if isinstance(n, ast.Global)]
        self.rebound = {name: n for n in declared for name in n.names} if outer is None and seen is None else {}

    def lookup(self, name: str) -> Any:
        """The object a name is bound to; NotKnown if that is not to be had, KeyError if it is not bound."""
        if name not in self.values and self.outer is not None:
            return self.outer.lookup(name)
        thing = self.module.forced(self.values, name)
        if isinstance(thing, Unknown):
            raise NotKnown
        return thing

    def block(self, body: list[ast.stmt]) -> None:
        for statement in body:
            if self.seen is not None:
                for node in _own_calls(statement):
                    self.seen(node, self)
            method = getattr(self, f"_{type(statement).__name__}", None)
            if method is not None:
                method(statement)
            else:
                self._forget(statement)

    # -- what is bound ------------------------------------------------------------------------

    def bind(self, target: ast.AST, value: Any, node: ast.AST) -> None:
        """target = value"""
        if isinstance(target, ast.Name):
            if target.id in self.rebound:
                value = Unknown(self.rebound[target.id], "a function rebinds it by `global`")
            self.values[target.id] = value
            if self.outer is None and self.seen is None:
                self.module.origins.pop(target.id, None)
        elif isinstance(target, ast.Tuple | ast.List):
            try:
                items = list(value)
            except TypeError:
                items = []
            if len(items) != len(target.elts) or any(isinstance(t, ast.Starred) for t in target.elts):
                items = [Unknown(node, "")] * len(target.elts)
            for t, item in zip(target.elts, items):
                self.bind(t.value if isinstance(t, ast.Starred) else t, item, node)
        elif isinstance(target, ast.Subscript) and not isinstance(value, Unknown):
            try:
                self.evaluator.value(target.value)[self.evaluator.value(target.slice)] = value
            except Exception:
                self._disturb(target)
        else:
            self._disturb(target)

    def _value(self, node: ast.expr) -> Any:
        try:
            return self.evaluator.value(node)
        except NotKnown:
            self._disturb(node)
            return Unknown(node, "")

    def _forget(self, node: ast.AST, why: str = "") -> None:
        """A statement that is not followed: what it binds or may change is unknown."""
        for name, place in _bound(node):
            self.bind(ast.Name(name), Unknown(place, why), place)
        self._disturb(node)

    def _disturb(self, node: ast.AST) -> None:
        """Lists, dicts and arrays that an expression may change are unknown from here on."""
        for name in _may_change(node, self._is_library):
            try:
                changed = self.lookup(name)
            except (KeyError, NotKnown):
                continue
            if isinstance(changed, MUTABLE):
                for other, thing in list(self.values.items()):
                    if (
                        thing is changed
                        or isinstance(thing, np.ndarray)
                        and isinstance(changed, np.ndarray)
                        and (np.may_share_memory(thing, changed))
                    ):
                        self.values[other] = Unknown(node, "it is changed here")

    def _is_library(self, name: str) -> bool:
        run: Run | None = self
        while run is not None:
            if name in run.values:
                thing = run.values[name]
                return isinstance(thing, Import) or type(thing) is type(ast)
            run = run.outer
        return name in ("print", "len", "sum", "max", "min", "sorted", "list", "tuple", "zip", "enumerate", "range")

    # -- statements ---------------------------------------------------------------------------

    def _Assign(self, s: ast.Assign) -> None:
        if isinstance(s.value, ast.Lambda) and isinstance(s.targets[0], ast.Name):
            value: Any = TextFunction(s.targets[0].id, s.value, self.module)
        else:
            value = self._value(s.value)
        for target in s.targets:
            self.bind(target, value, s)
            if isinstance(target, ast.Name) and self.outer is None and self.seen is None:
                self.module.origins[target.id] = s.value

    def _AnnAssign(self, s: ast.AnnAssign) -> None:
        if s.value is not None:
            self.bind(s.target, self._value(s.value), s)

    def _AugAssign(self, s: ast.AugAssign) -> None:
        if isinstance(s.target, ast.Name):
            try:
                left, right = self.lookup(s.target.id), self.evaluator.value(s.value)
                if not isinstance(left, MUTABLE):
                    self.bind(s.target, self.evaluator.operate(s.op, left, right), s)
                    return
            except Exception:  # unknown, or what the program raises
                pass
        self._forget(s)
        self._disturb(s.target)

    def _Expr(self, s: ast.Expr) -> None:
        self._value(s.value)
        if self.seen is not None and isinstance(s.value, ast.Call):
            self._follow(s.value)

    def _follow(self, node: ast.Call) -> None:
        """main(): a function called without arguments is followed for the calls that it makes."""
        try:
            function = self.evaluator.value(node.func)
        except NotKnown:
            return
        if not isinstance(function, TextFunction) or node.args or node.keywords or self.depth > 3:
            return
        if isinstance(function.node, ast.FunctionDef) and function.module is self.module:
            a = function.node.args
            named = [*a.posonlyargs, *a.args][len(a.posonlyargs) + len(a.args) - len(a.defaults) :]
            pairs = [*zip(named, a.defaults), *((p, d) for p, d in zip(a.kwonlyargs, a.kw_defaults) if d)]
            own = {p.arg: self._value(d) for p, d in pairs}
            outermost = self if self.outer is None else self.outer
            inner = Run(self.module, own, self.seen, outermost)
            inner.depth = self.depth + 1
            inner.block(function.node.body)

    def _Import(self, s: ast.Import) -> None:
        for a in s.names:
            self.values[a.asname or a.name.split(".")[0]] = Import(a.name, None, 0, s, not a.asname)

    def _ImportFrom(self, s: ast.ImportFrom) -> None:
        for a in s.names:
            if a.name == "*":
                self._import_all(s)
            else:
                self.values[a.asname or a.name] = Import(s.module or "", a.name, s.level, s)

    def _import_all(self, s: ast.ImportFrom) -> None:
        try:
            module = self.module.imported(s.module or "", None, s.level)
        except Exception:
            return
        if hasattr(module, "__text__"):
            text: ModuleText = module.__text__
            try:
                public = list(text["__all__"]) if "__all__" in text else [n for n in text if not n.startswith("_")]
            except TypeError:  # __all__ is unknown
                public = [n for n in text if not n.startswith("_")]
        else:
            public = getattr(module, "__all__", None) or [n for n in vars(module) if not n.startswith("_")]
        for name in public:
            self.values[name] = Import(s.module or "", name, s.level, s)

    def _FunctionDef(self, s: ast.FunctionDef) -> None:
        strange = [] if self.seen is not None else [d for d in s.decorator_list if not self.transparent(d)]
        function = TextFunction(s.name, s, self.module)
        wrapper = f"it is decorated with `@{ast.unparse(strange[0])}`" if strange else ""
        self.bind(ast.Name(s.name), Unknown(s, wrapper) if strange else function, s)

    def transparent(self, decorator: ast.expr, ours: bool = False) -> bool:
        """Does a decorator leave what the function computes as it is? Ours make derivatives of it."""
        node = decorator.func if isinstance(decorator, ast.Call) else decorator
        parts = ast.unparse(node).split(".")
        bound = self.values.get(parts[0])
        if not isinstance(bound, Import):
            return parts in (["staticmethod"], ["classmethod"])
        full = [*bound.module.split("."), *([bound.attribute] if bound.attribute else []), *parts[1:]]
        return full[0] == "numba" and full[-1] in TRANSPARENT or ours and full[0] in OURS

    def _AsyncFunctionDef(self, s: ast.AsyncFunctionDef) -> None:
        self.bind(ast.Name(s.name), TextFunction(s.name, s, self.module), s)

    def _ClassDef(self, s: ast.ClassDef) -> None:
        self.bind(ast.Name(s.name), Unknown(s, "it is a class"), s)

    def _If(self, s: ast.If) -> None:
        if is_main(s.test):
            if self.seen is not None:
                self.block(s.body)
                return
            for name, place in _bound(s):
                if name not in self.values:
                    self.bind(ast.Name(name), Unknown(place, "it is bound in the main block alone"), place)
            return
        if ast.unparse(s.test).split(".")[-1] == "TYPE_CHECKING":
            self.block(s.orelse)
            return
        try:
            self.block(s.body if self.evaluator.value(s.test) else s.orelse)
        except NotKnown:
            self._either(s)

    def _either(self, s: ast.stmt) -> None:
        """A block that may run or not, or more than once: its calls are seen, its bindings unknown."""
        if self.seen is not None:
            own = dict(self.values)
            for body in (getattr(s, f, []) for f in ("body", "orelse")):
                self.block(body)
            if not isinstance(s, ast.If | ast.With):
                self.values.clear()
                self.values.update(own)
        if self.seen is None or not isinstance(s, ast.With):
            self._forget(s)

    def _For(self, s: ast.For) -> None:
        if self.seen is not None:
            try:
                self.bind(s.target, next(iter(self.evaluator.value(s.iter))), s)
            except (NotKnown, StopIteration, TypeError):
                self.bind(s.target, Unknown(s, ""), s)
        self._either(s)

    _While = _With = _either

    def _Try(self, s: ast.Try) -> None:
        """The body as if it went well, unless an import in it fails."""
        before = dict(self.values)
        self.block(s.body)
        failed = [
            n
            for n, v in list(self.values.items())
            if isinstance(v, Import)
            and before.get(n) is not v
            and isinstance(self.module.forced(self.values, n), Unknown)
        ]
        if failed and s.handlers:
            self.values.clear()
            self.values.update(before)
            self.block(s.handlers[0].body)
        else:
            if not all(isinstance(b, ast.Import | ast.ImportFrom) for b in s.body) and self.seen is None:
                for handler in s.handlers:
                    self._forget(handler)
            self.block(s.orelse)
        self.block(s.finalbody)

    def _Delete(self, s: ast.Delete) -> None:
        for target in s.targets:
            if isinstance(target, ast.Name):
                self.values.pop(target.id, None)
            else:
                self._disturb(target)

    def _Return(self, s: ast.Return) -> None:
        pass

    _Pass = _Global = _Assert = _Raise = _Return


def is_main(test: ast.AST) -> bool:
    """`__name__ == "__main__"`"""
    return isinstance(test, ast.Compare) and "__name__" in ast.unparse(test) and "__main__" in ast.unparse(test)


def _own_calls(statement: ast.stmt) -> Iterator[ast.Call]:
    """Calls in a statement, its blocks and the functions it defines aside."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.Call):
            yield node
        waiting += [
            child
            for child in ast.iter_child_nodes(node)
            if not isinstance(child, ast.stmt | ast.Lambda | ast.excepthandler | ast.match_case)
        ]


def _bound(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Names that a statement binds in its own scope."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name, node
        return
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id, node
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name.split(".")[0]), node
    if not isinstance(node, ast.Lambda):
        for child in ast.iter_child_nodes(node):
            yield from _bound(child)


def _may_change(node: ast.AST, is_library: Callable[[str], bool]) -> Iterator[str]:
    """Names whose objects a statement or expression may change: by writes, methods, or calls."""
    for n in ast.walk(node):
        if isinstance(n, ast.Subscript | ast.Attribute) and isinstance(n.ctx, ast.Store | ast.Del):
            yield from _names(n)
        elif isinstance(n, ast.AugAssign):
            yield from _names(n.target)
        elif isinstance(n, ast.Call):
            root: ast.AST = n.func
            while isinstance(root, ast.Attribute | ast.Subscript | ast.Call):
                root = root.func if isinstance(root, ast.Call) else root.value
            last = n.func.attr if isinstance(n.func, ast.Attribute) else ""
            if not (isinstance(root, ast.Name) and is_library(root.id)) or last in CHANGES:
                yield from _names(n)


def _names(node: ast.AST) -> Iterator[str]:
    for n in ast.walk(node):
        if isinstance(n, ast.Name):
            yield n.id
