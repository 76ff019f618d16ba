"""What generated code refuses as it runs: what only the values of an argument can tell."""

import numpy as np


class Refusal(TypeError):
    """The derivative of what just ran cannot be given: the problem, and the way out."""

    def __init__(self, problem, advice):
        super().__init__(f"{problem}: {advice}")
        self.problem = problem
        self.advice = advice


def refuse_complex(value, what):
    """Raise where a value turns out complex that a derivative was written for as a real one."""
    if np.iscomplexobj(value):
        raise Refusal(
            f"{what} is complex here, and could not be known to be",
            "make it complex for every argument, as by `complex(...)` or `+ 0j`, or real, as by `.real` or `abs`",
        )


def refuse_integers(array, what):
    """Raise where an array turns out to be of integers, which cut off what is written into them."""
    held = array.base if isinstance(array, np.flatiter) else array
    if held.dtype.kind in "iub":
        raise Refusal(
            f"{what} holds integers here, which cut off the numbers written into it",
            "make it an array of floats for every argument, as by `.astype(float)` or `dtype=float`",
        )


def refuse_unforeseen(value, what):
    """Raise where an expression gave a value that was found to have none: what it holds was not followed."""
    raise Refusal(
        f"{what} was taken for something that raises an exception whenever it runs",
        "write it in a simpler way, and report it: this is a mistake of pullback's",
    )


def refuse_unlike_numbers(value, what):
    """Raise where a value that arithmetic takes is neither a real number nor a plain array or list of such."""
    plain = type(value) is np.ndarray and value.dtype != object
    if plain or isinstance(value, np.generic) or not (hasattr(value, "__array__") or is_sparse(value)):
        refuse_complex(value, what)
        return
    called, advice = "no array of NumPy's", "make it one, `np.asarray(...)`"
    if isinstance(value, np.ma.MaskedArray):
        called, advice = "a masked array", "fill it, `.filled(0.0)`, and multiply by a mask of numbers"
    elif isinstance(value, np.matrix):
        called, advice = "a matrix", "make it an array, `np.asarray(...)`, and multiply with `@`"
    elif is_sparse(value):
        called, advice = "a sparse matrix", "multiply it with `@`, or make it an array, `.toarray()`"
    elif isinstance(value, np.ndarray):
        called, advice = "an array of objects", "make it one of numbers, `.astype(float)`"
    raise Refusal(f"{what} is {called}, and may have an arithmetic of its own", advice)


def refuse_unlike_matrix(value, what):
    """Raise where a factor of a matrix product is neither a plain array nor a sparse matrix of real numbers."""
    if is_sparse(value):
        refuse_complex(value, what)
    else:
        refuse_unlike_numbers(value, what)


def is_sparse(value):
    """Is it a matrix of scipy.sparse?"""
    return hasattr(value, "tocsr")


def refuse_none(value, function):
    """Raise where a function that returns a value on some paths came back without one."""
    if value is None:
        raise Refusal(
            f"`{function}` returned None, which has no gradient", "add the `return` that one of its paths lacks"
        )
