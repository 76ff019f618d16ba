from pullback import grad

SPACE = {}
exec(compile("def f(x):\n    return x * x", __file__, "exec"), SPACE)


def call():
    return grad(SPACE["f"])


# --- refused ---
# UnsupportedError: a_function_whose_file_has_changed.py:1: the source of `f` is not here any more
#    What the file says now is not what was loaded and runs.
#    Way out: restart Python, or import the module again, so that both agree.
