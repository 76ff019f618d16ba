"""Texts of active values that go into files, buffers and exceptions: what is read there again is such a text too.

    print(x, file=buffer)
    float(buffer.getvalue())     # refused: a number does not come back through text
"""

import contextlib
import io
import json
import pathlib
import pickle
import pprint
import sys
import traceback
import warnings
from collections.abc import Sequence
from typing import Any

import gast
import numpy as np

from pullback.compiler.analysis.objects import Part
from pullback.compiler.analysis.program import Env
from pullback.compiler.analysis.values import NONE, TEXT, Value

CAUGHT = (sys.exc_info, getattr(sys, "exception", None), traceback.format_exc)
WRITERS = (np.save, np.savez, np.savez_compressed, np.savetxt, json.dump, pickle.dump, pprint.pprint)
SPELLERS = (json.dumps, pickle.dumps, pprint.pformat)
SPELLED = ("tobytes", "hex", "dumps")  # methods of arrays and numbers
READERS = (open, io.open, np.loadtxt, np.genfromtxt, np.load, np.fromfile, json.load, pickle.load, pathlib.Path)
REDIRECTIONS = (contextlib.redirect_stdout, contextlib.redirect_stderr)


class Texts(Part):
    """What is known of texts outside variables."""

    def call(self, thing: Any, node: gast.Call, env: Env) -> Value | None:
        """The value of a call that reads such a text; None of any other, whose text may be kept from now on."""
        if _is_one(thing, CAUGHT) and self.program.telling_exceptions:
            return TEXT
        if _is_one(thing, READERS) and self.program.texts_kept:
            return TEXT
        if not _is_one(thing, (print, warnings.catch_warnings, *WRITERS, *SPELLERS, *REDIRECTIONS)):
            return None
        positional, keywords = self.arguments(node, env)
        if thing is warnings.catch_warnings:
            return TEXT if "record" in keywords else None
        if _is_one(thing, REDIRECTIONS):
            for value in positional:
                self._mark(value)
        if not any(self.shows(v) for v in [*positional, *keywords.values()]):
            return None
        if thing is print:
            if "file" in keywords:
                self.keep(keywords["file"])
            return None
        if _is_one(thing, WRITERS):
            for value in [*positional, *keywords.values()]:
                self.keep(value)
        return TEXT if _is_one(thing, SPELLERS) else NONE if _is_one(thing, WRITERS) else None

    def written(self, owner: Value, values: list[Value]) -> bool:
        """Is this the method of a file, say, that is given texts of active values, and nothing active?"""
        inert = owner.kind == "opaque" and bool(self.program.cells(owner)) and not any(self.varied(v) for v in [owner, *values])
        if not inert or not any(self.program.holds_text(v) for v in values):
            return False
        self.keep(owner)
        return True

    def shows(self, value: Value) -> bool:
        """Is there an active value, or a text of one, in it?"""
        return self.varied(value) or self.program.holds_text(value)

    def keep(self, owner: Value) -> None:
        self._mark(owner)
        if not self.program.texts_kept:
            self.program.texts_kept = True
            self.program.version += 1

    def _mark(self, owner: Value) -> None:
        if owner.kind == "opaque":
            for cell in self.program.cells(owner):
                self.program.put(cell, TEXT)


def _is_one(thing: Any, things: Sequence[Any]) -> bool:
    return any(thing is t for t in things)
