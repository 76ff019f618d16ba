"""scipy.optimize: the test functions. (Its solvers take functions; those are not primitives.)"""

from scipy import optimize

from pullback.compiler.rules.language import rule
from pullback.runtime.special import rosenbrock_slope


@rule(optimize.rosen, cases=["(4,)", "(2,)"])
def _(x):
    y = optimize.rosen(x)

    y_dot = rosenbrock_slope(x) @ x_dot

    x_bar += y_bar * rosenbrock_slope(x)
