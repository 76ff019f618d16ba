"""The text of constants, so that it evaluates to the very same value."""

import math
import re
from typing import Any

OVERFLOW = "1e309"  # needs no name, and is what a literal infinity was written as


def constant(value: Any) -> str:
    """A literal: `0.1`, `2j`, `"text"`, `(1, None)`; infinity as `1e309`, which reads as such."""
    kind = type(value)
    if value is Ellipsis:
        return "..."
    if value is None or kind in (bool, int):
        return repr(value)
    if kind is float:
        return _float(value)
    if kind is complex:
        return _complex(value)
    if kind is str or kind is bytes:
        return _string(value)
    if kind is tuple:
        inner = ", ".join(map(constant, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    raise TypeError(f"{value!r} of type {kind.__name__} has no literal")


def docstring(value: str) -> str:
    """A docstring on as many lines as it has; its own indentation is part of the text."""
    if "\\" in value and _is_plain(value) and not value.endswith(("\\", '"')):
        if '"""' not in value:
            return f'r"""{value}"""'
    text = "".join(c if c in '\n\t"' else _escaped(c) for c in value)
    text = re.sub(r'"(?="")|"\Z', r'\"', text)  # neither three in a row nor one at the end
    return f'"""{text}"""'


def unescaped(value: str, delimiter: str) -> str | None:
    """The string between these quotes without any backslash, if it can be written so."""
    if "\\" in value or delimiter in value or value.endswith(delimiter[0]) or not _is_plain(value):
        return None
    if "\n" in value and len(delimiter) == 1:
        return None
    return delimiter + value + delimiter


def between(value: str, delimiter: str) -> str:
    """The literal part of an f-string, escaped for these quotes: `{` → `{{`, newline → `\\n`."""
    text = "".join(map(_escaped, value)).replace("{", "{{").replace("}", "}}")
    return text.replace(delimiter[0], "\\" + delimiter[0])


def _float(value: float) -> str:
    if math.isnan(value):
        return 'float("nan")'
    if math.isinf(value):
        return repr(value).replace("inf", OVERFLOW)
    digits, _, exponent = repr(value).partition("e")
    return f"{digits}e{int(exponent)}" if exponent else digits  # 1e-9, not 1e-09


def _complex(value: complex) -> str:
    real, imag = value.real, value.imag
    # A sum such as `-0.0 + 2j` would lose the sign of its zero, and -2j has a real part of -0.0.
    if math.isnan(imag) or math.copysign(1.0, imag) < 0 or str(real) != "0.0":
        return f"complex({_float(real)}, {_float(imag)})"
    return _float(imag).removesuffix(".0") + "j"


def _string(value: str | bytes) -> str:
    text = repr(value)
    prefix = "b" if isinstance(value, bytes) else ""
    bare = text.removeprefix(prefix)
    # repr takes single quotes unless the text has some, so here no quote is escaped.
    if bare[0] == "'" and '"' not in bare:
        return f'{prefix}"{bare[1:-1]}"'
    return text


def _is_plain(value: str) -> bool:
    return all(c in "\n\t" or c.isprintable() for c in value)


def _escaped(c: str) -> str:
    return "'" if c == "'" else repr(c)[1:-1]
