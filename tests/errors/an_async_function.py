from pullback import grad


async def f(x):
    return x * x


def call():
    return grad(f)


# --- refused ---
# UnsupportedError: an_async_function.py:4: `f` is an async function: calling it makes a coroutine
#
#    2 |
#    3 |
#    4 | async def f(x):
#      | ^^^^^
#
#    Way out: differentiate a plain function that computes the same.
