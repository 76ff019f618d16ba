"""An inverse problem: the conductivity of a rod from its temperatures, through in-place relaxation.

The rod is heated along its length and held at 1 and 0 at its ends; how well its first segment
conducts is known. Sweeps over the nodes relax the temperatures in place until they settle, and the
adjoint runs the same sweeps backwards.
"""

import numpy as np

from pullback import value_and_grad

SEGMENTS = 16
HEAT = 0.5


def temperatures(log_k, sweeps):
    k = np.ones(SEGMENTS)
    k[1:] = np.exp(log_k)
    u = np.linspace(1.0, 0.0, SEGMENTS + 1)
    heat = HEAT / SEGMENTS**2
    for _ in range(sweeps):
        for i in range(1, SEGMENTS):
            settled = (k[i - 1] * u[i - 1] + k[i] * u[i + 1] + heat) / (k[i - 1] + k[i])
            u[i] += 1.7 * (settled - u[i])
    return u


def misfit(log_k, observed, sweeps):
    return np.sum((temperatures(log_k, sweeps) - observed) ** 2)


def main():
    sweeps = 60
    true_k = np.ones(SEGMENTS - 1)
    true_k[4:8] = 0.3  # a stretch that conducts badly
    observed = temperatures(np.log(true_k), sweeps)

    objective = value_and_grad(misfit)
    log_k = np.zeros(SEGMENTS - 1)
    first, slope = objective(log_k, observed, sweeps)
    step = 0.1 * slope / np.linalg.norm(slope)
    for _ in range(300):  # gradient descent with Barzilai and Borwein's step lengths
        log_k = log_k - step
        before = slope
        value, slope = objective(log_k, observed, sweeps)
        change = before - slope
        step = (step @ step) / (step @ change) * slope

    print(objective.source)
    print("true  conductivity", np.round(true_k, 2))
    print("found conductivity", np.round(np.exp(log_k), 2))
    print(f"misfit {first:.2e} at the start, {value:.2e} after 300 steps")
    print(f"largest error {np.max(np.abs(np.exp(log_k) - true_k)):.4f}")


if __name__ == "__main__":
    main()
