"""Refusals of generated code as it runs, told as those of the compiler are: by the line of the program."""

import linecache
import re
import traceback
from collections.abc import Mapping
from typing import Any

from pullback.compiler.errors import Diagnostic, Span, UnsupportedError
from pullback.runtime.refusals import Refusal

COMMENT = re.compile(r"\s*# (\d+): ")


def told(refusal: Refusal, codes: Mapping[str, Any]) -> UnsupportedError:
    """The refusal with its place; `codes`: what each generated function was made from."""
    span = None
    for frame in traceback.extract_tb(refusal.__traceback__):
        if frame.name in codes and frame.filename.startswith("<pullback "):
            span = _place(frame, codes[frame.name])
    return UnsupportedError(Diagnostic("run-time", refusal.problem, span, advice=refusal.advice))


def _place(frame: traceback.FrameSummary, code: Any) -> Span:
    """The line of the comment above, or that of the function."""
    above = linecache.getlines(frame.filename)[: frame.lineno or 0]
    for text in reversed(above):
        found = COMMENT.match(text)
        if found or text.startswith("def "):
            line = int(found[1]) if found else code.tree.lineno
            shown = code.lines[line - 1]
            return Span(code.file, line, len(shown) - len(shown.lstrip()), len(shown.rstrip()), code.lines)
    return Span(code.file, code.tree.lineno, lines=code.lines)

