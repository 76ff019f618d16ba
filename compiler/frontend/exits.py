"""One `return` at the end; `break` only as the last thing an iteration does; no `continue`, no loop `else`.

What follows a jump moves into the other arm of its branch, or into the `else` of a `try` whose handlers
all jump; where both arms may go on, a flag is tested.

    if a < 0.0:                if a < 0.0:
        return a          →        result = a
    return a * a               else:
                                   result = a * a
                               return result
"""

import gast

from pullback.compiler.ir.names import Names
from pullback.compiler.ir.template import assign, constant, expression, name
from pullback.compiler.ir.walk import SCOPES, TRIES, blocks, every_node

LOOPS = (gast.For, gast.While)
JUMPS = (gast.Break, gast.Continue, gast.Return)


def one_exit(function: gast.FunctionDef, names: Names) -> gast.FunctionDef:
    """The function with a single exit, at its end."""
    body = function.body
    if any(_holds(s, (gast.Return,)) for s in body[:-1]) or not isinstance(body[-1], gast.Return):
        result = names.fresh("result")
        body = _Exits(names, result).function(body)
        body.append(gast.Return(name(result)))
    elif any(isinstance(n, LOOPS) for s in body for n in _own(s)):
        body = [*_Exits(names, "").block(body[:-1]), body[-1]]
    if body[-1].value is None:
        body[-1].value = constant(None)
    function.body = body
    return function


def _own(statement: gast.stmt) -> list[gast.stmt]:
    found = [statement]
    for block in blocks(statement):
        for inner in block:
            found += _own(inner)
    return found


def _holds(statement: gast.stmt, kinds: tuple[type, ...]) -> bool:
    """Does a jump of these kinds leave the statement? A loop keeps its own break and continue."""
    if isinstance(statement, kinds):
        return True
    if isinstance(statement, SCOPES):
        return False
    if isinstance(statement, LOOPS):
        kept = tuple(k for k in kinds if k is gast.Return)
        return any(_holds(s, kept) for s in statement.body) or any(_holds(s, kinds) for s in statement.orelse)
    return any(_holds(s, kinds) for block in blocks(statement) for s in block)


def _always_jumps(block: list[gast.stmt]) -> bool:
    if not block:
        return False
    last = block[-1]
    if isinstance(last, (*JUMPS, gast.Raise)):
        return True
    if isinstance(last, TRIES):
        tried = _always_jumps(last.body) or _always_jumps(last.orelse)
        return tried and all(_always_jumps(h.body) for h in last.handlers)
    return isinstance(last, gast.If) and _always_jumps(last.body) and _always_jumps(last.orelse)


def _jump(kind: type) -> gast.stmt:
    """The jump itself, once the result has its value."""
    jump: gast.stmt = gast.Return(None) if kind is gast.Return else kind()
    return jump


class _Exits:
    def __init__(self, names: Names, result: str) -> None:
        self.names = names
        self.result = result
        self.depth = 0

    def function(self, body: list[gast.stmt]) -> list[gast.stmt]:
        for inner in (n for s in body for n in _own(s)):
            if isinstance(inner, gast.Return) and inner.value is None:
                inner.value = constant(None)
        if not _always_jumps(body):
            body = [*body, gast.Return(constant(None))]
        return self._returns_assigned(self.block(body))

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """Every jump that leaves the block becomes the last statement of its path."""
        done: list[gast.stmt] = []
        for i, statement in enumerate(body):
            rest = body[i + 1 :]
            if isinstance(statement, JUMPS):
                return [*done, statement]
            if isinstance(statement, LOOPS):
                return [*done, *self._loop(statement, rest)]
            if isinstance(statement, gast.If) and _holds(statement, JUMPS):
                return [*done, *self._branch(statement, rest)]
            if isinstance(statement, (gast.With, *TRIES, gast.Match)) and _holds(statement, JUMPS):
                return [*done, *self._left(statement, rest)]
            if isinstance(statement, (gast.If, gast.With, *TRIES, gast.Match)):
                self._inside(statement)
            done.append(statement)
        return done

    def _inside(self, statement: gast.stmt) -> None:
        """The blocks of a statement, each with its jumps at the ends of its paths."""
        for inner in blocks(statement):
            inner[:] = self.block(inner)

    def _left(self, statement: gast.stmt, rest: list[gast.stmt]) -> list[gast.stmt]:
        """A statement that jumps leave in the middle: flags, unless what follows may move into its `else`."""
        if isinstance(statement, TRIES) and any(_holds(s, JUMPS) for s in statement.finalbody):
            return self._ended(statement, rest)
        if isinstance(statement, TRIES) and not statement.finalbody:
            tried = any(_holds(s, JUMPS) for s in statement.body)
            handled = bool(statement.handlers) and all(_always_jumps(h.body) for h in statement.handlers)
            if handled and not tried:
                statement.orelse = [*statement.orelse, *rest]
                self._inside(statement)
                return [statement]
            if not self.depth and not statement.orelse and _always_jumps([statement]):
                self._inside(statement)
                return [statement]
        self._inside(statement)
        return self._flagged(statement, rest)

    def _ended(self, statement: gast.Try, rest: list[gast.stmt]) -> list[gast.stmt]:
        """A jump out of `finally`, which what was raised, and jumps before it, give way to.

        try: P                      raised = None
        finally:                    try: P
            Q              →        except BaseException as error: raised = error
            break                   Q; break
        """
        raised, error = self.names.fresh("raised"), self.names.fresh("error")
        final, statement.finalbody = statement.finalbody, []
        inner = [statement] if statement.handlers or statement.orelse else statement.body
        kept = gast.ExceptHandler(name("BaseException"), name(error, store=True), [assign(raised, name(error))])
        caught = gast.Try(inner, [kept], [], [])
        again = gast.If(expression("raised is not None", raised=raised), [gast.Raise(name(raised), None)], [])
        for new in (caught, again):
            for node in every_node(new):
                if getattr(node, "lineno", None) is None:
                    gast.copy_location(node, statement)
        flags = self._flags(caught)
        self._inside(caught)
        self._flag_jumps(caught, flags)
        jumps: list[gast.stmt] = [gast.If(name(flag), [_jump(kind)], []) for kind, flag in flags.items()]
        before = [assign(raised, constant(None)), *(assign(flag, constant(False)) for flag in flags.values())]
        return [*before, caught, *self.block([*final, again, *jumps, *rest])]

    def _flags(self, statement: gast.stmt) -> dict[type, str]:
        """A name for each kind of jump that leaves a statement."""
        words = ((gast.Break, "leave"), (gast.Continue, "skip"), (gast.Return, "returned"))
        return {kind: self.names.fresh(word) for kind, word in words if _holds(statement, (kind,))}

    def _branch(self, statement: gast.If, rest: list[gast.stmt]) -> list[gast.stmt]:
        if not rest:
            statement.body, statement.orelse = self.block(statement.body), self.block(statement.orelse)
        elif _always_jumps(statement.body):
            statement.body = self.block(statement.body)
            statement.orelse = self.block([*statement.orelse, *rest])
        elif _always_jumps(statement.orelse):
            statement.body = self.block([*statement.body, *rest])
            statement.orelse = self.block(statement.orelse)
        else:
            statement.body, statement.orelse = self.block(statement.body), self.block(statement.orelse)
            return self._flagged(statement, rest)
        statement.body = statement.body or [gast.Pass()]
        return [statement]

    def _flagged(self, statement: gast.stmt, rest: list[gast.stmt]) -> list[gast.stmt]:
        """Both arms may go on: a flag for each kind of jump says whether one was taken."""
        flags = self._flags(statement)
        before = [assign(flag, constant(False)) for flag in flags.values()]
        if isinstance(statement, TRIES):
            for kind, flag in flags.items():  # what leaves the body passes its `else` by
                if statement.orelse and any(_holds(s, (kind,)) for s in statement.body):
                    statement.orelse = [gast.If(name(flag), [gast.Pass()], statement.orelse)]
        self._flag_jumps(statement, flags)
        after: list[gast.stmt] = self.block(rest) or [gast.Pass()]
        for kind, flag in flags.items():
            after = [gast.If(name(flag), [_jump(kind)], after)]
        return [*before, statement, *after]

    def _flag_jumps(self, statement: gast.stmt, flags: dict[type, str]) -> None:
        for block in blocks(statement):
            for i, inner in enumerate(block):
                if type(inner) in flags:
                    new = [assign(flags[type(inner)], constant(True))]
                    if isinstance(inner, gast.Return) and inner.value is not None:
                        new.insert(0, assign(self.result, inner.value))
                    block[i:] = new
                    break
                if not isinstance(inner, LOOPS):
                    self._flag_jumps(inner, flags)

    def _loop(self, loop: gast.For | gast.While, rest: list[gast.stmt]) -> list[gast.stmt]:
        returns = any(_holds(s, (gast.Return,)) for s in loop.body)
        breaks = any(_holds(s, (gast.Break,)) for s in loop.body)
        self.depth += 1
        loop.body = self.block(loop.body)
        self.depth -= 1
        before: list[gast.stmt] = []
        after: list[gast.stmt] = []
        returned = self._count_jump(loop, gast.Return, "returned", before) if returns else None
        if loop.orelse:
            ending = loop.orelse
            loop.orelse = []
            if breaks or returns:
                broke = self._count_jump(loop, gast.Break, "broke", before)
                ending = [gast.If(expression("not flag", flag=broke), ending, [])]
            after = ending
        self._drop_continues(loop.body)
        tail = [*after, *rest]
        if returned:
            tail = [gast.If(name(returned), [gast.Return(None)], tail)]
        return [*before, loop, *self.block(tail)]

    def _count_jump(self, loop: gast.stmt, kind: type, word: str, before: list[gast.stmt]) -> str:
        """`break` → `broke = True; break` at every place the loop is left by this kind of jump."""
        flag = self.names.fresh(word)
        before.append(assign(flag, constant(False)))

        def visit(block: list[gast.stmt]) -> None:
            for i, inner in enumerate(block):
                if isinstance(inner, kind):
                    new: list[gast.stmt] = [assign(flag, constant(True)), gast.Break()]
                    if isinstance(inner, gast.Return) and inner.value is not None:
                        new.insert(0, assign(self.result, inner.value))
                    block[i:] = new
                    return
                if not isinstance(inner, (*LOOPS, *SCOPES)):
                    for deeper in blocks(inner):
                        visit(deeper)

        visit(loop.body)
        return flag

    def _drop_continues(self, block: list[gast.stmt]) -> None:
        """A `continue` that ends its path says nothing."""
        for i, inner in enumerate(block):
            if isinstance(inner, gast.Continue):
                block[i:] = [] if i else [gast.Pass()]
                return
            if not isinstance(inner, (*LOOPS, *SCOPES)):
                for deeper in blocks(inner):
                    self._drop_continues(deeper)

    def _returns_assigned(self, block: list[gast.stmt]) -> list[gast.stmt]:
        """`return v` at the end of a path → `result = v`."""
        for i, inner in enumerate(block):
            if isinstance(inner, gast.Return):
                block[i:] = [] if inner.value is None else [assign(self.result, inner.value)]
                if not block:
                    block.append(gast.Pass())
                break
            if not isinstance(inner, SCOPES):
                for deeper in blocks(inner):
                    self._returns_assigned(deeper)
        return block
