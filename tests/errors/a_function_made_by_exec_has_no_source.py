from pullback import grad

SPACE = {}
exec("def f(x):\n    return x * x", SPACE)


def call():
    return grad(SPACE["f"])


# --- refused ---
# UnsupportedError: the source of `f` is not available
#    It was typed at a prompt, or made by exec or eval: its text was not kept.
#    Way out: write the function in a file, or in a notebook cell without a %% line.
