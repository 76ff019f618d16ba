import os

import numpy as np


class Quiet:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return kind is ValueError


unknown = Quiet


def f(x):
    with np.errstate(divide="ignore"), open(os.devnull) as file:
        y = x * len(file.read())
    with unknown():
        y = y + x
    return y


ARGS = (3.0,)


# --- after ---
def f(x):
    with np.errstate(divide="ignore"), open(os.devnull) as file:
        read = file.read()
        y = x * len(read)
    done = []
    with unknown():
        y = y + x
        done.append(True)
    refuse_swallowed(done)
    return y
