"""Bundle adjustment: where the cameras were and where the points are, from what the cameras saw."""

import numpy as np
from scipy.optimize import minimize

from pullback import value_and_grad

CAMERAS, POINTS, FOCAL = 4, 12, 500.0


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def rotated(x, axis_angle):
    """Rodrigues' formula."""
    angle = np.sqrt(np.sum(axis_angle**2))
    axis = axis_angle / angle
    return np.cos(angle) * x + np.sin(angle) * cross(axis, x) + (1.0 - np.cos(angle)) * (axis @ x) * axis


def project(camera, point):
    """The pixel at which a camera (axis angle, position) sees a point."""
    x = rotated(point - camera[3:], camera[:3])
    return FOCAL * x[:2] / x[2]


def misfit(cameras, points, pixels):
    total = 0.0
    for c, camera in enumerate(cameras):
        for p, point in enumerate(points):
            error = project(camera, point) - pixels[c, p]
            total += error @ error
    return total / pixels.size


def main():
    rng = np.random.default_rng(3)
    points = rng.uniform(-1.0, 1.0, (POINTS, 3)) + [0.0, 0.0, 6.0]
    cameras = rng.uniform(-0.3, 0.3, (CAMERAS, 6))
    pixels = np.array([[project(camera, point) for point in points] for camera in cameras])

    objective = value_and_grad(misfit, wrt=("cameras", "points"))
    start = np.concatenate([cameras.ravel(), points.ravel()])
    start += rng.normal(0.0, 0.02, start.shape)

    def flat(parameters):
        first, second = np.split(parameters, [cameras.size])
        value, parts = objective(first.reshape(cameras.shape), second.reshape(points.shape), pixels)
        return value, np.concatenate([part.ravel() for part in parts])

    fit = minimize(flat, start, jac=True, method="BFGS", options={"maxiter": 150})

    print(objective.source)
    print(f"error {np.sqrt(flat(start)[0]):.3f} pixels at the start", end=", ")
    print(f"{np.sqrt(fit.fun):.4f} pixels after {fit.nfev} gradients")


if __name__ == "__main__":
    main()
