"""Functions as data: which text runs, and the values of the variables that the text captures."""


class Closure:
    """A function with what it captures in fields; called as it is where nothing is differentiated.

    `lambda t: t * k` is `Closure(lambda t: t * k, "lambda_3", k=k)`.
    """

    def __init__(self, function, text, /, **captured):
        self.__dict__.update(captured)
        self._function = function
        self._text = text

    def __call__(self, *args, **kwargs):
        return self._function(*args, **kwargs)


def is_set(thing, name):
    """Has an object a value of its own for a cached property?"""
    return name in vars(thing)


class Frame:
    """The variables of one call that functions made in it share, as fields."""


class Globals(Frame):
    """The globals of a module that its functions assign, as fields."""

    __slots__ = ("declared",)

    def __init__(self, space):
        self.__dict__ = space
        self.declared = set()
