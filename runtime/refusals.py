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


def refuse_none(value, function):
    """Raise where a function that returns a value on some paths came back without one."""
    if value is None:
        raise Refusal(
            f"`{function}` returned None, which has no gradient", "add the `return` that one of its paths lacks"
        )
