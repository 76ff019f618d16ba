"""What functools, itertools and operator do, as plain loops: calls with active values mean these texts.

They are read and differentiated like the user's own functions. Iterators are lists here; iterators.py has
those that are gone through item by item, collected.py what works on lists and dicts.
"""

import cmath
import itertools
import math

import numpy as np

from pullback.runtime.shaping import trim_start, trim_stop


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


def from_iterator(iter, dtype=float, count=-1):
    """np.fromiter."""
    items = list(iter)
    return np.array(items if count < 0 else items[:count], dtype=dtype)


def hypotenuse(*coordinates):
    """math.hypot of as many numbers as a starred argument gives."""
    length = 0.0
    for coordinate in coordinates:
        length = math.hypot(length, coordinate)
    return length


def accumulated(iterable, func=None, *, initial=None):
    """itertools.accumulate."""
    totals = [] if initial is None else [initial]
    for item in iterable:
        if len(totals) == 0:
            totals.append(item)
        elif func is None:
            totals.append(totals[-1] + item)
        else:
            totals.append(func(totals[-1], item))
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


def repeated(object, times):
    """itertools.repeat, so many times."""
    return [object for _ in range(times)]


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


def no_attribute(word):
    """getattr of a field that the object does not have."""
    raise AttributeError(word)


def updated(items, more):
    """items |= more, of dicts."""
    items.update(more)
    return items


def augmented(held, value, in_place, operation):
    """held += value, of an array or a number."""
    if isinstance(held, np.ndarray):
        in_place(held, value, out=held)
        return held
    return operation(held, value)


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


def summed(iterable, start):
    """sum, of objects with operators of their own."""
    items = list(iterable)
    total = start + items[0]
    for i in range(1, len(items)):
        total = total + items[i]
    return total


def indexed(thing):
    """Going through an object that has items by number."""
    return [thing[i] for i in range(len(thing))]


def grouped(iterable, key=None):
    """itertools.groupby, each group a list."""
    groups: list = []
    for item in iterable:
        if key is None:
            word = item
        else:
            word = key(item)
        if len(groups) > 0 and groups[-1][0] == word:
            groups[-1][1].append(item)
        else:
            groups.append((word, [item]))
    return groups


def compressed(data, selectors):
    """itertools.compress."""
    items = list(data)
    chosen = list(selectors)
    return [items[i] for i in range(min(len(items), len(chosen))) if chosen[i]]


def filtered_false(test, iterable):
    """itertools.filterfalse."""
    return [item for item in iterable if not test(item)]


def unstacked(x):
    """np.unstack."""
    return [x[k] for k in range(len(x))]


def wrapped(wrapper, function, **names):
    """functools.update_wrapper."""
    return wrapper


def wrapping(function, **names):
    """functools.wraps."""
    return lambda wrapper: wrapper


def paired(bar, value):
    """The product of an adjoint and a value: its gradient is what the adjoint pulls back to."""
    if isinstance(value, list):
        return sum([paired(b, v) for b, v in zip(bar, value)])
    if isinstance(value, tuple):
        return paired(bar[0], value[0]) + paired(bar[1:], value[1:]) if len(value) > 0 else 0.0
    return np.sum(bar * value)


class NullContext:
    """contextlib.nullcontext."""

    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *error):
        return None


def changed_at(function, a, places, b):
    """np.multiply.at and the like."""
    values = np.array(np.broadcast_to(b, np.shape(places) + np.shape(a)[1:]))  # b may be a part of a
    for k in range(len(places)):
        a[places[k]] = function(a[places[k]], values[k])


def changed_alone_at(function, a, places):
    """np.negative.at and the like."""
    for place in places:
        a[place] = function(a[place])


def permuted(iterable, r=None):
    """itertools.permutations."""
    items = list(iterable)
    places = list(itertools.permutations(range(len(items)), r))
    return [[items[i] for i in place] for place in places]


def combined_again(iterable, r):
    """itertools.combinations_with_replacement."""
    items = list(iterable)
    places = list(itertools.combinations_with_replacement(range(len(items)), r))
    return [[items[i] for i in place] for place in places]


def polar(x):
    """cmath.polar."""
    return abs(x), cmath.phase(x)


def trimmed(filt, trim="fb"):
    """np.trim_zeros of a vector."""
    return filt[trim_start(filt, trim) : trim_stop(filt, trim)]
