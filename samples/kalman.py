"""The flow of the Nile as a random walk seen through noise: both variances by maximum likelihood."""

import math
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from pullback import value_and_grad

FLOW = np.array((Path(__file__).parent / "data" / "nile.txt").read_text().split(), dtype=float)


def negative_log_likelihood(log_variances, flow):
    """Of the innovations of a Kalman filter that knows nothing of the first level."""
    noise, drift = np.exp(log_variances)
    level = flow[0]
    variance = noise
    total = 0.0
    for seen in flow[1:]:
        variance += drift
        innovation = seen - level
        spread = variance + noise
        total += 0.5 * (math.log(2.0 * math.pi * spread) + innovation**2 / spread)
        gain = variance / spread
        level += gain * innovation
        variance *= 1.0 - gain
    return total


def main():
    objective = value_and_grad(negative_log_likelihood)
    start = np.log([np.var(FLOW), np.var(FLOW)])
    fit = minimize(objective, start, args=(FLOW,), jac=True, method="BFGS")
    noise, drift = np.exp(fit.x)

    print(objective.source)
    print(f"log likelihood {-fit.fun:.2f} after {fit.nfev} gradients")
    print(f"variance of the measurements {noise:.0f}, of the yearly drift {drift:.0f}")


if __name__ == "__main__":
    main()
