class Held:
    def __init__(self, v):
        self.v = v

    def __enter__(self):
        return self.v * self.v

    def __exit__(self, kind, error, trace):
        print(kind)


Held___init = Held.__init__
Held___enter = Held.__enter__
Held___exit = Held.__exit__


def f(x):
    with Held(x) as v:
        y = v * x
    return y


ARGS = (3.0,)


# --- after ---
def f(x):
    instance = object.__new__(Held)
    Held.__init__(instance, x)
    manager = instance
    v = Held___enter(manager)
    try:
        y = v * x
    except BaseException as error:
        Held___exit(manager, type(error), error, error.__traceback__)
        raise
    else:
        Held___exit(manager, None, None, None)
    return y


def __init__(self, v):
    self.v = v
    result = None
    return result


def __enter__(self):
    return self.v * self.v


def __exit__(self, kind, error, trace):
    print(kind)
    result = None
    return result


def __init__(self, v):
    self.v = v
    result = None
    return result
