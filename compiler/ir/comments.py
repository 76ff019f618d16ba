"""Comments of generated code: the line of the program that statements come from."""

import gast

from pullback.compiler.ir.nodes import Comment
from pullback.compiler.ir.walk import rewrite_blocks

GUARD = "refuse_"  # how the names of functions begin that raise what cannot be told before


def line_comment(s: gast.stmt, lines: tuple[str, ...]) -> Comment | None:
    """`# 5: y = x * x`; none for the head of a block."""
    line = getattr(s, "lineno", None)
    if line is None or not 0 < line <= len(lines):
        return None
    if isinstance(s, (gast.If, gast.For, gast.While, gast.With)):
        return None
    end = getattr(s, "end_lineno", line) or line
    if lines[line - 1].rstrip().endswith(":"):
        end = line  # the head of a loop, whose first statement fetches the element
    text = " ".join(part.strip().rstrip("\\").strip() for part in lines[line - 1 : end])
    return Comment(f"{line}: {text}" if len(text) < 90 else f"{line}: {text[:84]} ...")


def guards_explained(body: list[gast.stmt], lines: tuple[str, ...]) -> list[gast.stmt]:
    """Statements that may refuse while they run below the line that they are there for."""

    def explained(block: list[gast.stmt]) -> list[gast.stmt]:
        done: list[gast.stmt] = []
        for s in block:
            comment = line_comment(s, lines) if _is_guard(s) else None
            done += [comment, s] if comment is not None else [s]
        return done

    return rewrite_blocks(body, explained)


def _is_guard(s: gast.stmt) -> bool:
    called = s.value.func if isinstance(s, gast.Expr) and isinstance(s.value, gast.Call) else None
    return isinstance(called, gast.Name) and called.id.startswith(GUARD)
