import contextlib
import os
from contextlib import suppress

import numpy as np


def f(table, k):
    y = 0.0
    with open(os.devnull) as file, suppress(KeyError, TypeError), np.errstate(divide="ignore"):
        y = table[k]
        y = y + len(file.read())
    with contextlib.suppress(KeyError):
        y = y + table[k]
    return y


ARGS = ({1: 2.0}, 1)
MORE_ARGS = [({1: 2.0}, 2), ({1: 2.0}, [])]
RAISES = (TypeError,)


# --- after ---
def f(table, k):
    y = 0.0
    with open(os.devnull) as file:
        try:
            with np.errstate(divide="ignore"):
                y = table[k]
                y = y + len(file.read())
        except (KeyError, TypeError):
            pass
    try:
        y = y + table[k]
    except KeyError:
        pass
    return y
