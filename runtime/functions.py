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


def check_length(items, least, most):
    """Raise, as a call would, where a starred argument does not hold what the parameters need."""
    if len(items) < least or most is not None and len(items) > most:
        raise TypeError(f"from {least} to {most} arguments expected, {len(items)} given")


def check_keywords(options, needed, allowed):
    """Raise, as a call would, where a double-starred argument lacks a parameter, or holds what is none."""
    missing = [k for k in needed if k not in options]
    unexpected = [k for k in options if allowed is not None and k not in allowed]
    if missing or unexpected:
        raise TypeError(f"missing arguments: {missing}, unexpected arguments: {unexpected}")
