"""The log posterior of a Gaussian mixture, on ADBench's published data: 25 components, 1000 points."""

import math
from pathlib import Path

import numpy as np

from pullback import value_and_grad

DATA = Path(__file__).parent / "data" / "gmm_d10_K25.txt"


def read_data():
    tokens = DATA.read_text().split()
    d, k, n = map(int, tokens[:3])
    numbers = np.array(tokens[3:], dtype=float)
    sizes = [k, k * d, k * d * (d + 1) // 2, n * d]
    alphas, means, factors, x, (gamma, m) = np.split(numbers, np.cumsum(sizes))
    return alphas, means.reshape(k, d), factors.reshape(k, -1), x.reshape(n, d), gamma, int(m)


def log_sum_exp(a):
    top = np.max(a, axis=0)
    return top + np.log(np.sum(np.exp(a - top), axis=0))


def log_posterior(alphas, means, factors, x, gamma, m):
    """Up to a constant. A component's inverse covariance is q.T @ q, with q lower triangular."""
    n, d = x.shape
    scores = np.empty((len(alphas), n))
    prior = 0.0
    for c in range(len(alphas)):
        q = np.diag(np.exp(factors[c, :d]))
        start = d
        for i in range(d - 1):
            stop = start + d - 1 - i
            q[i + 1 :, i] = factors[c, start:stop]
            start = stop
        log_det = np.sum(factors[c, :d])
        z = (x - means[c]) @ q.T
        scores[c] = alphas[c] + log_det - 0.5 * np.sum(z**2, axis=1)
        prior += 0.5 * gamma**2 * np.sum(q**2) - m * log_det
    likelihood = np.sum(log_sum_exp(scores)) - n * log_sum_exp(alphas)
    return likelihood - 0.5 * n * d * math.log(2.0 * math.pi) + prior


def main():
    names = ("alphas", "means", "factors")
    posterior = value_and_grad(log_posterior, wrt=names)
    value, gradients = posterior(*read_data())

    print(posterior.source)
    print(f"log posterior {value:.6f}")
    for name, gradient in zip(names, gradients):
        print(f"by {name:8}{gradient.shape!s:10} first {gradient.flat[0]: .6f}, norm {np.linalg.norm(gradient):.6f}")


if __name__ == "__main__":
    main()
