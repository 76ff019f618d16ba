"""Kepler's equation by Newton's method: the derivative of a root, through the loop that finds it."""

import math

from pullback import grad


def eccentric_anomaly(mean_anomaly, eccentricity):
    """The root E of E - e sin(E) = M."""
    anomaly = mean_anomaly
    error = 1.0
    while abs(error) > 1e-12:
        error = anomaly - eccentricity * math.sin(anomaly) - mean_anomaly
        anomaly -= error / (1.0 - eccentricity * math.cos(anomaly))
    return anomaly


def main():
    gradient = grad(eccentric_anomaly, wrt=("mean_anomaly", "eccentricity"))
    m, e = 0.8, 0.6
    root = eccentric_anomaly(m, e)
    slope = 1.0 - e * math.cos(root)

    print(f"root             {root:.12f}")
    print("gradient         {:.10f} {:.10f}".format(*gradient(m, e)))
    print(f"implicit theorem {1.0 / slope:.10f} {math.sin(root) / slope:.10f}")
    print()
    print(gradient.source)


if __name__ == "__main__":
    main()
