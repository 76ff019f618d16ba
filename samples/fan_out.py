"""A value used twice: its adjoint is a sum, and the sum stands in the text."""

import numpy as np

from pullback import grad


def fan_out(x):
    y = np.sin(x)
    z = x * x
    return np.dot(y, z)


def main():
    gradient = grad(fan_out)
    x = np.array([0.3, 1.1, 2.0])

    print("gradient   ", gradient(x))
    print("closed form", np.cos(x) * x**2 + np.sin(x) * 2 * x)
    print()
    print(gradient.source)


if __name__ == "__main__":
    main()
