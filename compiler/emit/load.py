"""Turns generated text into running code that tracebacks, `inspect.getsource` and pdb can show."""

import functools
import importlib
import linecache
import threading
import weakref
from collections import Counter, deque
from collections.abc import Mapping
from hashlib import sha256
from io import StringIO
from types import CodeType
from typing import Any

import numpy as np

_lock = threading.Lock()
_numbers: dict[tuple[str, bytes], int] = {}  # a text keeps its number, so its name never changes
_texts: Counter[str] = Counter()  # label → how many texts had it
_users: Counter[str] = Counter()  # file name → how many loaded functions have it
# Finalizers run at any moment, even while this thread holds the lock: they only leave a note.
_released: deque[str] = deque()


BLOCK = 2**24  # bytes


@functools.cache
def keep_freed_memory() -> None:
    """Have the C library keep what a call of a derivative frees, for the next call.

    A reverse sweep frees thousands of small arrays. On Linux the end of the heap goes back to the system 128 kB
    at a time, and is faulted in anew at the next call, until one large block was freed: then as much as twice its
    size stays (mallopt(3), M_MMAP_THRESHOLD, M_TRIM_THRESHOLD). The block itself is never touched.
    """
    np.empty(BLOCK, np.uint8)


def load(
    text: str, name: str, namespace: Mapping[str, Any] | None = None, filename_hint: str = ""
) -> dict[str, Any]:
    """The namespace after running `text` in a copy of `namespace`; it must define `name`.

    load("def loss_grad(x): ...", "loss_grad")["loss_grad"] is a function in a file that is called
    `<pullback loss_grad>`, or `<pullback loss_grad 2>` if another text had that name before. Its
    lines are forgotten when the function is.
    """
    keep_freed_memory()
    file = _file_name(text, filename_hint or name)
    module = compile(text, file, "exec", dont_inherit=True)
    codes = [c for c in module.co_consts if isinstance(c, CodeType) and c.co_name == name]
    _keep_lines(file, text, codes[-1])
    loaded = dict(namespace or {})
    exec(module, loaded)
    return loaded


def _file_name(text: str, label: str) -> str:
    key = label, sha256(text.encode("utf-8", "surrogatepass")).digest()
    with _lock:
        if key not in _numbers:
            _texts[label] += 1
            _numbers[key] = _texts[label]
        number = _numbers[key]
    return f"<pullback {label}>" if number == 1 else f"<pullback {label} {number}>"


def _keep_lines(file: str, text: str, code: CodeType) -> None:
    with _lock:
        while _released:
            gone = _released.popleft()
            _users[gone] -= 1
            if not _users[gone]:
                del _users[gone]
                linecache.cache.pop(gone, None)
        _users[file] += 1
        # Without a time stamp, linecache.checkcache does not look for a file.
        linecache.cache[file] = (len(text), None, StringIO(text).readlines(), file)
    weakref.finalize(code, _released.append, file).atexit = False


def namespace(derivative: Any) -> dict[str, Any]:
    """The globals of the generated functions."""
    from pullback.runtime import runtime_function

    space: dict[str, Any] = {}
    for short, module in derivative.modules.items():
        space[short] = importlib.import_module(module)
    for name in derivative.runtime:
        space[name] = runtime_function(name)
    for name, (code, original) in derivative.outside.items():
        space[name] = code.lookup(original)[1]
    return space
