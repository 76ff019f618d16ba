def f(u, n):
    i = 0
    total = 0.0
    while i < n:
        total = total + u[i] * u[i]
        i = i + 2  # keeps i
    return total


ARGS = ([1.0, 2.0, 3.0], 3)
