import asyncio

from pullback import grad


def f(x):
    weights = [1.0, 2.0]
    state = [0]

    async def square():
        state.append(1)
        return x * x

    return asyncio.run(square()) * weights[0]


def call():
    return grad(f)(1.5)


# --- refused ---
# UnsupportedError: an_async_function_that_captures_an_active_variable.py:10: cannot follow what `square` does with `x`, `state`
#
#     8 |     state = [0]
#     9 |
#    10 |     async def square():
#       |     ^^^^^^^^^^^^^^^^^^^
#
#    The function is made anew at each call, and captures what is active, or what it may change.
#    Way out: define it at the top of the module, and pass `x`, `state` to it
