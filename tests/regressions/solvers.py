"""Whole programs: solvers, steppers, filters and optimisers as they are written."""

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.linalg as la
from numpy.linalg import norm, solve

from regressions import Cases

CASES = case = Cases()


@case(np.array([1.0, 0.5]), 1.3)
def dopri_adaptive(y0, mu):
    c = np.array([0, 1/5, 3/10, 4/5, 8/9, 1, 1])
    a = [
        [],
        [1/5],
        [3/40, 9/40],
        [44/45, -56/15, 32/9],
        [19372/6561, -25360/2187, 64448/6561, -212/729],
        [9017/3168, -355/33, 46732/5247, 49/176, -5103/18656],
        [35/384, 0, 500/1113, 125/192, -2187/6784, 11/84],
    ]
    b5 = np.array(a[6] + [0.0])
    b4 = np.array([5179/57600, 0, 7571/16695, 393/640, -92097/339200, 187/2100, 1/40])

    def f(t, y):
        return np.array([y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]])

    t, h, y = 0.0, 0.1, y0.copy()
    accepted = rejected = 0
    while t < 1.0 - 1e-12:
        h = min(h, 1.0 - t)
        k = []
        for i in range(7):
            yi = y.copy()
            for j, aij in enumerate(a[i]):
                yi += h * aij * k[j]
            k.append(f(t + c[i] * h, yi))
        K = np.array(k)
        y_new = y + h * (b5 @ K)
        y_low = y + h * (b4 @ K)
        e = np.max(np.abs(y_new - y_low))
        if float(e) > 1e-3:
            rejected += 1
            h *= 0.5
            continue
        t += h
        y = y_new
        accepted += 1
    return np.sum(y ** 2)


@case(2.0, 0.8)
def bouncing_ball(h0, e):
    g = 9.81
    y, v = h0, 0.0
    t = 0.0
    T = 2.0
    bounces = 0
    while True:
        disc = v * v + 2 * g * y
        t_hit = (v + math.sqrt(disc)) / g
        if t + t_hit > T:
            dt = T - t
            y = y + v * dt - 0.5 * g * dt ** 2
            v = v - g * dt
            break
        t = t + t_hit
        v = -e * (v - g * t_hit)
        y = 0.0
        bounces += 1
        if bounces > 50:
            raise RuntimeError("too many bounces")
    return y + 0.1 * v ** 2


@case(np.array([[0.13, -0.13, 0.64, 0.1], [-0.54, 0.36, 1.3, 0.95], [-0.7, -1.27, -0.62, 0.04], [-2.33, -0.22, -1.25, -0.73]]), np.array([-0.54, -0.32, 0.41, 1.04]))
def lu_doolittle(M, rhs):
    n = M.shape[0]
    U = M.copy()
    L = np.eye(n)
    perm = list(range(n))
    for k in range(n - 1):
        p = k + int(np.argmax(np.abs(U[k:, k])))
        if p != k:
            U[[k, p], :] = U[[p, k], :]
            L[[k, p], :k] = L[[p, k], :k]
            perm[k], perm[p] = perm[p], perm[k]
        for i in range(k + 1, n):
            L[i, k] = U[i, k] / U[k, k]
            U[i, k:] = U[i, k:] - L[i, k] * U[k, k:]
    y = np.zeros(n)
    pb = rhs[perm]
    for i in range(n):
        y[i] = pb[i] - L[i, :i].dot(y[:i])
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (y[i] - U[i, i + 1:].dot(x[i + 1:])) / U[i, i]
    return x @ x


@case(np.array([[-0.13, 1.37, -0.67], [0.35, 0.9, 0.09], [-0.74, -0.92, -0.46], [0.22, -1.01, -0.21], [-0.16, 0.54, 0.21]]), np.array([0.36, -0.65, -0.13, 0.78, 1.49]))
def householder_lstsq(X, y):
    m, n = X.shape
    Rm = X.astype(float).copy()
    qty = y.copy()
    for k in range(n):
        x = Rm[k:, k]
        alpha = -np.sign(x[0]) * np.linalg.norm(x)
        v = x.copy()
        v[0] -= alpha
        v /= np.linalg.norm(v)
        Rm[k:, k:] -= 2.0 * np.outer(v, v @ Rm[k:, k:])
        qty[k:] -= 2.0 * v * (v @ qty[k:])
    beta = np.zeros(n)
    for i in reversed(range(n)):
        beta[i] = (qty[i] - Rm[i, i + 1:n] @ beta[i + 1:]) / Rm[i, i]
    return np.sum(np.abs(beta)) + np.sum(qty[n:] ** 2)


@case(np.array([[-1.26, 1.51, 1.35, 0.78], [0.26, -0.31, 1.46, 1.96], [1.8, 1.32, 0.36, -1.21], [-0.0, 0.66, -1.29, 0.4]]))
def modified_gram_schmidt(V):
    Q = np.zeros_like(V)
    norms = []
    for j in range(V.shape[1]):
        q = V[:, j].copy()
        for i in range(j):
            q -= np.dot(Q[:, i], q) * Q[:, i]
        nrm = np.sqrt(np.sum(q * q))
        norms.append(nrm)
        Q[:, j] = q / nrm
    return np.log(np.prod(norms)) + Q[0].sum() * Q[-1, 1]


def relax(u, f, h, sweeps):
    for _ in range(sweeps):
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * (u[i - 1] + u[i + 1] + h * h * f[i])
    return u


def v_cycle(u, f, h):
    n = len(u) - 1
    if n == 2:
        u[1] = 0.5 * (u[0] + u[2] + h * h * f[1])
        return u
    relax(u, f, h, 2)
    r = np.zeros_like(u)
    r[1:-1] = f[1:-1] + (u[2:] - 2 * u[1:-1] + u[:-2]) / h ** 2
    rc = np.zeros(n // 2 + 1)
    rc[1:-1] = 0.25 * (r[1:-3:2] + 2 * r[2:-2:2] + r[3:-1:2])
    ec = v_cycle(np.zeros(n // 2 + 1), rc, 2 * h)
    e = np.zeros_like(u)
    e[::2] = ec
    e[1::2] = 0.5 * (ec[:-1] + ec[1:])
    u += e
    relax(u, f, h, 2)
    return u


@case(np.array([0.43, 0.7, -1.18, -0.66, -0.44, -1.17, 1.74, -0.5, 0.33]))
def multigrid_energy(f):
    n = len(f) - 1
    u = np.zeros(n + 1)
    for _ in range(2):
        u = v_cycle(u, f, 1.0 / n)
    return np.dot(u, f)


@case(np.array([1.24, 0.58, 1.62, 0.81, 0.45]), np.array([0.05, 0.68, 1.0, -0.62, 1.82, -1.32]))
def fem_bar_assembly(k, load):
    n = len(k) + 1
    conn = np.array([[i, i + 1] for i in range(n - 1)])
    ke = np.array([[1.0, -1.0], [-1.0, 1.0]])
    K = np.zeros((n, n))
    rows = np.repeat(conn, 2, axis=1)
    cols = np.tile(conn, (1, 2))
    vals = k[:, None] * ke.ravel()[None, :]
    np.add.at(K, (rows, cols), vals)
    free = np.arange(1, n)
    u = np.zeros(n)
    u[free] = np.linalg.solve(K[np.ix_(free, free)], load[free])
    return load @ u


@case(np.array([0.1, 0.2]), np.array([-0.66, 0.94, 0.05, 2.0, 0.19, -0.63]))
def ekf_pendulum(logq, obs):
    q, r = np.exp(logq)
    x = np.array([0.3, 0.0])
    Pm = np.eye(2) * 0.1
    H = np.array([[1.0, 0.0]])
    dt = 0.05
    nll = 0.0
    for z in obs:
        F = np.array([[1.0, dt], [-9.81 * np.cos(x[0]) * dt, 1.0]])
        x = np.array([x[0] + dt * x[1], x[1] - 9.81 * np.sin(x[0]) * dt])
        Pm = F @ Pm @ F.T + q * np.diag([0.0, dt])
        S = (H @ Pm @ H.T + r).item()
        innov = z - x[0]
        K = (Pm @ H.T).flatten() / S
        x = x + K * innov
        Pm = (np.eye(2) - np.outer(K, H)) @ Pm
        nll += 0.5 * (np.log(2 * np.pi * S) + innov ** 2 / S)
    return nll


@case(0.9, 0.3, np.array([-0.38, -1.09, -1.28, 0.63, 0.58, 1.29, -0.75, 1.69]))
def particle_filter_loglik(phi, sigma, obs):
    rng = np.random.default_rng(42)
    n = 20
    x = rng.standard_normal(n)
    logw = np.full(n, -np.log(n))
    total = 0.0
    for y in obs:
        x = phi * x + sigma * rng.standard_normal(n)
        logw = logw - 0.5 * (y - x) ** 2
        m = logw.max()
        s = m + np.log(np.exp(logw - m).sum())
        total += s
        logw -= s
        ess = 1.0 / np.sum(np.exp(2 * logw))
        if ess < 3:
            idx = rng.choice(n, size=n, p=np.full(n, 1.0 / n))
            x = x[idx]
            logw[:] = -np.log(n)
    return total


def minibatches(X, y, size):
    for start in range(0, len(X), size):
        yield X[start:start + size], y[start:start + size]


@case(np.array([-0.88, 1.47, -0.05]), 0.1, np.array([[-0.37, 0.22, 0.84], [0.99, -1.38, 2.0], [0.95, -0.38, -0.82], [-0.97, 0.12, -0.65], [-0.76, 0.81, 0.36], [-0.39, 0.73, 1.37], [-1.09, -0.6, 0.94], [0.72, 0.23, 1.16]]), np.array([-1.09, -1.48, -0.87, 0.12, -0.8, -0.49, -0.98, -0.62]))
def unrolled_sgd(w0, lr, X, y):
    w = w0
    losses = []
    for epoch in range(2):
        for xb, yb in minibatches(X, y, 3):
            resid = xb @ w - yb
            losses.append(np.mean(resid ** 2))
            w = w - lr * 2 * xb.T @ resid / len(xb)
    return losses[-1] + np.sum((X @ w - y) ** 2)


@dataclass(frozen=True)
class Config:
    dt: float = 0.1
    steps: int = 5
    damping: float = 0.2
    method: str = "leapfrog"


@case(np.array([1.0, 0.0]), 2.0)
def config_driven(state, k, cfg=Config()):
    cfg = replace(cfg, steps=8)
    q, p = state
    if cfg.method == "leapfrog":
        for _ in range(cfg.steps):
            p -= 0.5 * cfg.dt * k * q
            q += cfg.dt * p
            p -= 0.5 * cfg.dt * k * q
            p *= 1.0 - cfg.damping * cfg.dt
    else:
        raise ValueError(f"unknown method {cfg.method}")
    return 0.5 * p ** 2 + 0.5 * k * q ** 2


def cg(matvec, b, tol=1e-10, maxiter=20):
    x = np.zeros_like(b)
    r = b - matvec(x)
    p = r.copy()
    rs = r @ r
    for it in range(maxiter):
        if np.sqrt(rs) < tol:
            return x, it
        Ap = matvec(p)
        alpha = rs / (p @ Ap)
        x += alpha * p
        r -= alpha * Ap
        rs_new = r @ r
        p = r + (rs_new / rs) * p
        rs = rs_new
    return x, maxiter


@case(np.array([0.58, 1.19, 1.4, 1.15]), np.array([-0.89, 1.17, -0.08, 0.79]))
def cg_matrix_free(k, b):
    def mv(v):
        out = k * v
        out[1:] += 0.1 * v[:-1]
        out[:-1] += 0.1 * v[1:]
        return out
    x, iters = cg(mv, b)
    return b @ x


@case(np.array([1.0, 2.0]))
def newton_system(p):
    a, b = p
    x = np.array([1.0, 1.0])
    def residual(x):
        return np.array([x[0] ** 2 + a * x[1] - 3.0, b * x[0] - x[1] ** 3 + 0.5])
    def jac(x):
        return np.array([[2 * x[0], a], [b, -3 * x[1] ** 2]])
    for i in range(30):
        r = residual(x)
        if norm(r) < 1e-12:
            return x[0] * x[1] ** 2
        step = solve(jac(x), -r)
        lam = 1.0
        while norm(residual(x + lam * step)) > norm(r) and lam > 1e-4:
            lam /= 2
        x = x + lam * step
    raise ValueError("no convergence")


@case(0.25)
def longstaff_schwartz(sigma):
    rng = np.random.default_rng(3)
    n, m = 25, 4
    dt = 0.25
    Z = rng.standard_normal((m, n))
    S = 100 * np.exp(np.cumsum(-0.5 * sigma ** 2 * dt + sigma * np.sqrt(dt) * Z, axis=0))
    cash = np.maximum(100 - S[-1], 0)
    for t in range(m - 2, -1, -1):
        itm = S[t] < 100
        x = S[t, itm] / 100
        Xb = np.vander(x, 3)
        coef, *_ = np.linalg.lstsq(Xb, cash[itm], rcond=None)
        cont = Xb @ coef
        ex = 100 - S[t, itm]
        idx = np.where(itm)[0]
        use = ex > cont
        cash[idx[use]] = ex[use]
    return cash.mean()


@case(np.array([[-0.8, -0.13, -0.3], [-0.34, -2.51, -0.86], [-0.19, 1.52, 0.16], [1.4, -0.39, -0.25]]), np.array([[-3.9, 0.46, 0.55], [1.76, -0.49, 0.09], [-0.71, -1.18, -0.71], [-0.34, 1.36, 0.0]]), np.array([1.62, 0.67, 0.32, 0.98]))
def nbody_leapfrog(x, v, m):
    G, eps, dt = 1.0, 0.1, 0.02
    def acc(x):
        r = x[None, :, :] - x[:, None, :]
        d2 = np.einsum("ijk,ijk->ij", r, r) + eps ** 2
        inv = d2 ** -1.5
        np.fill_diagonal(inv, 0.0)
        return G * (r * inv[..., None] * m[None, :, None]).sum(axis=1)
    a = acc(x)
    for step in range(5):
        v = v + 0.5 * dt * a
        x = x + dt * v
        a = acc(x)
        v = v + 0.5 * dt * a
    ke = 0.5 * np.sum(m * np.sum(v ** 2, axis=-1))
    i, j = np.triu_indices(len(m), 1)
    pe = -np.sum(m[i] * m[j] / np.sqrt(np.sum((x[i] - x[j]) ** 2, axis=1) + eps ** 2))
    return ke + pe


def safe_cholesky(S):
    jitter = 0.0
    for attempt in range(5):
        try:
            return np.linalg.cholesky(S + jitter * np.eye(len(S)))
        except np.linalg.LinAlgError:
            jitter = max(1e-2, jitter * 10)
    raise RuntimeError("not positive definite")


@case(np.array([[1.14, -1.89], [-0.21, 0.67], [-1.34, 0.36]]), np.array([1.47, 1.21, 0.65]))
def gp_with_jitter(X, y):
    K = X @ X.T
    K = K + 1e-3 * np.eye(3)
    L = safe_cholesky(K)
    alpha = np.linalg.solve(L.T, np.linalg.solve(L, y))
    return 0.5 * y @ alpha + np.log(np.diag(L)).sum()


@case(np.array([0.34, -0.76, -0.74, -0.24, 0.74, -0.51]), 0.3)
def crank_nicolson(u, nu):
    n = len(u)
    dx, dt = 0.2, 0.05
    lam = nu * dt / (2 * dx * dx)
    L = np.diag(np.full(n, -2.0)) + np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1)
    I = np.identity(n)
    for _ in range(3):
        u = la.solve(I - lam * L, (I + lam * L) @ u)
    return np.trapezoid(u ** 2, dx=dx)


@case(np.array([[1.83, 0.29, -0.1, 1.45, 0.63], [0.37, -0.33, 1.81, 0.81, -0.2], [-1.58, 0.37, -1.14, -1.72, -0.28], [0.28, 1.28, 0.28, 0.81, -1.23]]), 0.2)
def adi_2d(u, r):
    u = np.pad(u, 1)
    nx, ny = u.shape
    for _ in range(2):
        half = u.copy()
        for j in range(1, ny - 1):
            rhs = u[1:-1, j] + r * (u[1:-1, j + 1] - 2 * u[1:-1, j] + u[1:-1, j - 1])
            m = nx - 2
            T = np.eye(m) * (1 + 2 * r) - r * np.eye(m, k=1) - r * np.eye(m, k=-1)
            half[1:-1, j] = np.linalg.solve(T, rhs)
        for i in range(1, nx - 1):
            rhs = half[i, 1:-1] + r * (half[i + 1, 1:-1] - 2 * half[i, 1:-1] + half[i - 1, 1:-1])
            m = ny - 2
            T = np.eye(m) * (1 + 2 * r) - r * np.eye(m, k=1) - r * np.eye(m, k=-1)
            u[i, 1:-1] = np.linalg.solve(T, rhs)
    return (u ** 2).sum()


def minmod(a, b):
    return np.where(a * b > 0, np.where(np.abs(a) < np.abs(b), a, b), 0.0)


@case(np.array([-0.02, 0.12, 0.86, 0.12, 0.8, -0.5, 0.36, 0.41, -1.25, 0.18]))
def burgers_muscl(u):
    dx, dt = 0.1, 0.02
    for n in range(3):
        um, up = np.roll(u, 1), np.roll(u, -1)
        s = minmod(u - um, up - u)
        left = u + 0.5 * s
        right = np.roll(u - 0.5 * s, -1)
        a = np.maximum(np.abs(left), np.abs(right))
        flux = 0.5 * (0.5 * left ** 2 + 0.5 * right ** 2) - 0.5 * a * (right - left)
        u = u - dt / dx * (flux - np.roll(flux, 1))
    return np.sum(u ** 2) * dx


@case(np.array([0.82, 0.96, 0.6, 0.8, 0.61, 0.69, 1.6, 0.88, 0.84, 1.16, 1.23, 1.22]))
def fdtd_1d(eps):
    n = len(eps)
    Ez, Hy = np.zeros(n), np.zeros(n - 1)
    trace = []
    for t in range(15):
        Hy += 0.5 * (Ez[1:] - Ez[:-1])
        Ez[1:-1] += 0.5 / eps[1:-1] * (Hy[1:] - Hy[:-1])
        Ez[2] += np.exp(-((t - 5) / 2.0) ** 2)
        trace.append(Ez[n // 2])
    return np.linalg.norm(trace) ** 2
