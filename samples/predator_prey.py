"""Hare and lynx in the Hudson's Bay Company's books: Lotka and Volterra's model, fitted through RK4."""

from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from pullback import value_and_grad

TABLE = np.loadtxt(Path(__file__).parent / "data" / "hare_lynx.txt")
STEPS_A_YEAR = 8


def growth(animals, rates):
    hare, lynx = animals
    birth, hunted, death, fed = rates
    return np.array([hare * (birth - hunted * lynx), lynx * (fed * hare - death)])


def rk4(animals, rates, h):
    k1 = growth(animals, rates)
    k2 = growth(animals + 0.5 * h * k1, rates)
    k3 = growth(animals + 0.5 * h * k2, rates)
    k4 = growth(animals + h * k3, rates)
    return animals + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


def misfit(log_parameters, pelts):
    """Squared errors of the logarithms; the parameters are four rates and the first year's animals."""
    parameters = np.exp(log_parameters)
    rates = parameters[:4]
    animals = parameters[4:]
    total = 0.0
    for year in range(len(pelts)):
        total += np.sum((np.log(animals) - np.log(pelts[year])) ** 2)
        for _ in range(STEPS_A_YEAR):
            animals = rk4(animals, rates, 1.0 / STEPS_A_YEAR)
    return total


def main():
    pelts = TABLE[:, 1:]
    objective = value_and_grad(misfit)
    start = np.log([0.5, 0.02, 0.8, 0.02, 30.0, 4.0])
    fit = minimize(objective, start, args=(pelts,), jac=True, method="BFGS")
    birth, hunted, death, fed, hare, lynx = np.exp(fit.x)

    print(objective.source)
    print(f"misfit {objective(start, pelts)[0]:.3f} at the start, {fit.fun:.3f} after {fit.nfev} gradients")
    print(f"birth {birth:.3f}, hunted {hunted:.4f}, death {death:.3f}, fed {fed:.4f}")
    print(f"in 1900: {hare:.1f} thousand hares, {lynx:.1f} thousand lynxes")


if __name__ == "__main__":
    main()
