def f(s):
    class Local:
        __match_args__ = ("x",)
        x = 2.0

    match Local() if s else s:
        case Local(a):
            return a
    return 0.0


ARGS = (True,)
MORE_ARGS = [(False,)]


# --- after ---
def f(s):
    class Local:
        __match_args__ = ("x",)
        x = 2.0

    match Local() if s else s:
        case Local(a):
            return a
    return 0.0
