"""What functools, itertools and operator do, as plain loops: calls with active values mean these texts.

They are read and differentiated like the user's own functions. Iterators are lists here.
"""

import itertools


def reduced(function, iterable, *initial):
    """functools.reduce."""
    items = list(iterable)
    if len(initial) == 1:
        total = initial[0]
        first = 0
    else:
        total = items[0]
        first = 1
    for i in range(first, len(items)):
        total = function(total, items[i])
    return total


def accumulated(iterable, function=None, *, initial=None):
    """itertools.accumulate."""
    totals = [] if initial is None else [initial]
    for item in iterable:
        if len(totals) == 0:
            totals.append(item)
        elif function is None:
            totals.append(totals[-1] + item)
        else:
            totals.append(function(totals[-1], item))
    return totals


def chained(*iterables):
    """itertools.chain."""
    return [item for iterable in iterables for item in iterable]


def chained_from(iterables):
    """itertools.chain.from_iterable."""
    return [item for iterable in iterables for item in iterable]


def pairs(iterable):
    """itertools.pairwise."""
    items = list(iterable)
    return [(items[i], items[i + 1]) for i in range(len(items) - 1)]


def products(*iterables, repeat=1):
    """itertools.product."""
    lists = [list(iterable) for iterable in iterables for _ in range(repeat)]
    places = list(itertools.product(*[range(len(items)) for items in lists]))
    return [[lists[k][place[k]] for k in range(len(lists))] for place in places]


def sliced(iterable, *bounds):
    """itertools.islice."""
    items = list(iterable)
    return [items[i] for i in range(*slice(*bounds).indices(len(items)))]


def repeated(item, times):
    """itertools.repeat."""
    return [item for _ in range(times)]


def star_mapped(function, iterable):
    """itertools.starmap."""
    return [function(*arguments) for arguments in iterable]


def taken_while(test, iterable):
    """itertools.takewhile."""
    taken = []
    for item in iterable:
        if not test(item):
            break
        taken.append(item)
    return taken


def dropped_while(test, iterable):
    """itertools.dropwhile."""
    kept = []
    dropping = True
    for item in iterable:
        if dropping and not test(item):
            dropping = False
        if not dropping:
            kept.append(item)
    return kept


def combined(iterable, r):
    """itertools.combinations."""
    items = list(iterable)
    places = list(itertools.combinations(range(len(items)), r))
    return [[items[i] for i in place] for place in places]


def zipped_longest(first, second, fillvalue=None):
    """itertools.zip_longest of two."""
    a = list(first)
    b = list(second)
    return [(a[i] if i < len(a) else fillvalue, b[i] if i < len(b) else fillvalue) for i in range(max(len(a), len(b)))]


def item_getter(key):
    """operator.itemgetter of one key."""
    return lambda thing: thing[key]


def split_evenly(ary, sections):
    """np.array_split into a number of sections."""
    each, more = divmod(len(ary), sections)
    parts = []
    start = 0
    for k in range(sections):
        end = start + each + (1 if k < more else 0)
        parts.append(ary[start:end])
        start = end
    return parts


def unstacked(x):
    """np.unstack."""
    return [x[k] for k in range(len(x))]


def wrapped(wrapper, function, **names):
    """functools.update_wrapper."""
    return wrapper


def wrapping(function, **names):
    """functools.wraps."""
    return lambda wrapper: wrapper


class Generated:
    """A generator that is kept: its items are made when the first of them is asked for."""

    def __init__(self, make):
        self.make = make
        self.items = []
        self.place = -1

    def started(self):
        if self.place < 0:
            self.items = self.make()
            self.place = 0
        return self.items

    def __iter__(self):
        items = self.started()
        rest = [items[i] for i in range(self.place, len(items))]
        self.place = len(items)
        return rest

    def following(self, *default):
        items = self.started()
        place = self.place
        if place < len(items):
            self.place = place + 1
            return items[place]
        if len(default) == 0:
            raise StopIteration
        return default[0]
