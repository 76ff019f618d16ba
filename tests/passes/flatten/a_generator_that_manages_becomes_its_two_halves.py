from contextlib import contextmanager


@contextmanager
def scaled(x, k):
    y = x * k
    yield y, k * y
    CALLS.append(k)


@contextmanager
def closed(x):
    try:
        yield
    finally:
        print(x)


CALLS = []
scaled_enter = lambda x, k: ((x * k, k * x * k), k)
scaled_exit = lambda k: CALLS.append(k)
closed_exit = lambda x: print(x)
closed_enter = lambda x: (None, x)


def f(x):
    with scaled(x, 2.0) as (a, b):
        y = a * x
    with closed(x):
        y = y + b
    return y


ARGS = (3.0,)


# --- after ---
def f(x):
    scaled_parts = scaled_enter(x, 2.0)
    scaled_parts2 = scaled_parts[0]
    a = scaled_parts2[0]
    b = scaled_parts2[1]
    y = a * x
    scaled_exit(scaled_parts[1])
    closed_parts = closed_enter(x)
    closed_parts[0]
    try:
        y = y + b
    finally:
        closed_exit(closed_parts[1])
    return y


def scaled_enter(x, k):
    y = x * k
    return (y, k * y), k


def closed_enter(x):
    return None, x


def closed_exit(x):
    print(x)
    result = None
    return result
