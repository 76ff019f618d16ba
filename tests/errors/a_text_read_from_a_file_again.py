import io
import json

from pullback import grad


def f(x):
    buffer = io.StringIO()
    print(x, file=buffer)
    other = io.StringIO()
    json.dump([x], other)
    return float(buffer.getvalue()) + json.loads(other.getvalue())[0] * x


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: a_text_read_from_a_file_again.py:12: cannot follow a number through text
#
#    10 |     other = io.StringIO()
#    11 |     json.dump([x], other)
#    12 |     return float(buffer.getvalue()) + json.loads(other.getvalue())[0] * x
#       |            ^^^^^^^^^^^^^^^^^^^^^^^^
#
#    An active value was written out in it, or in an exception: text has no derivative.
#    Way out: keep the number in a variable of its own beside the text
#
# a_text_read_from_a_file_again.py:12: no derivative rule for `json.loads`
#
#    10 |     other = io.StringIO()
#    11 |     json.dump([x], other)
#    12 |     return float(buffer.getvalue()) + json.loads(other.getvalue())[0] * x
#       |                                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
#
#    `loads` is opaque: it has no rule, and its source is compiled, a library's, or hidden by a wrapper.
#    Way out: compute it with functions that have rules, or in a plain Python function that pullback can read
