"""What functools, itertools and operator do, as plain loops: calls with active values mean these texts.

They are read and differentiated like the user's own functions. Iterators are lists here.
"""

import bisect
import itertools

import numpy as np


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


def no_attribute(word):
    """getattr of a field that the object does not have."""
    raise AttributeError(word)


def updated(items, more):
    """items |= more, of dicts."""
    items.update(more)
    return items


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


def grouped(iterable, key=None):
    """itertools.groupby, each group a list."""
    groups: list = []
    for item in iterable:
        word = item if key is None else key(item)
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

    def more(self):
        items = self.started()
        return self.place < len(items)

    def taken(self):
        self.place = self.place + 1
        return self.items[self.place - 1]

    def following(self, *default):
        items = self.started()
        place = self.place
        if place < len(items):
            self.place = place + 1
            return items[place]
        if len(default) == 0:
            raise StopIteration
        return default[0]


class Stepped:
    """A generator that runs from one item to the next."""

    def __init__(self, step, look):
        self.step = step
        self.look = look
        self.ready = False

    def more(self):
        if not self.ready:
            self.ready = self.step()
        return self.ready

    def taken(self):
        self.ready = False
        return self.look()

    def __iter__(self):
        items = []
        while self.more():
            items.append(self.taken())
        return items

    def following(self, *default):
        if self.more():
            return self.taken()
        if len(default) == 0:
            raise StopIteration
        return default[0]


class Walked:
    """What goes through a list or an array item by item."""

    def __init__(self, items):
        self.items = items
        self.place = 0

    def more(self):
        return self.place < len(self.items)

    def taken(self):
        self.place = self.place + 1
        return self.items[self.place - 1]

    def __iter__(self):
        rest = [self.items[i] for i in range(self.place, len(self.items))]
        self.place = len(self.items)
        return rest

    def following(self, *default):
        if self.place < len(self.items):
            self.place = self.place + 1
            return self.items[self.place - 1]
        if len(default) == 0:
            raise StopIteration
        return default[0]


class Sent(Stepped):
    """A generator that reads what is sent to it."""

    def __init__(self, step, look, give):
        self.step = step
        self.look = look
        self.give = give
        self.ready = False

    def more(self):
        if not self.ready:
            self.give(None)
            self.ready = self.step()
        return self.ready

    def send(self, value):
        self.give(value)
        if not self.step():
            raise StopIteration
        return self.look()


def walked(items):
    """An object that has `more` and `taken`, for anything that is gone through item by item."""
    return iter(items)


def stepped_zip(first, second):
    while first.more():
        item = first.taken()
        if not second.more():
            return
        yield item, second.taken()


def stepped_zip_of_three(first, second, third):
    while first.more():
        item = first.taken()
        if not second.more():
            return
        other = second.taken()
        if not third.more():
            return
        yield item, other, third.taken()


def stepped_enumerate(items, start=0):
    place = start
    while items.more():
        yield place, items.taken()
        place = place + 1


def stepped_map(function, items):
    while items.more():
        yield function(items.taken())


def stepped_filter(test, items):
    while items.more():
        item = items.taken()
        if test(item):
            yield item


def stepped_slice(items, start, stop, step=1):
    """itertools.islice."""
    place = 0
    while stop is None or place < stop:
        if not items.more():
            return
        item = items.taken()
        if place >= start and (place - start) % step == 0:
            yield item
        place = place + 1


def stepped_first(items, stop):
    """itertools.islice(items, stop)."""
    place = 0
    while stop is None or place < stop:
        if not items.more():
            return
        yield items.taken()
        place = place + 1


def stepped_while(test, items):
    """itertools.takewhile."""
    while items.more():
        item = items.taken()
        if not test(item):
            return
        yield item


def stepped_after(test, items):
    """itertools.dropwhile."""
    dropping = True
    while items.more():
        item = items.taken()
        if dropping and not test(item):
            dropping = False
        if not dropping:
            yield item


STEPPING = (
    stepped_zip,
    stepped_zip_of_three,
    stepped_enumerate,
    stepped_map,
    stepped_filter,
    stepped_slice,
    stepped_first,
    stepped_while,
    stepped_after,
)


# -- collections, heapq, bisect --------------------------------------------------------------------


def appended(items, item, most):
    """deque.append, of a deque with a largest length."""
    items.append(item)
    if len(items) > most:
        items.pop(0)


def appended_left(items, item, most):
    """deque.appendleft."""
    items.insert(0, item)
    if len(items) > most:
        items.pop()


def extended(items, more, most):
    """deque.extend."""
    for item in list(more):
        appended(items, item, most)


def extended_left(items, more, most=None):
    """deque.extendleft."""
    for item in list(more):
        items.insert(0, item)
        if most is not None and len(items) > most:
            items.pop()


def rotated(items, n):
    """deque.rotate."""
    for _ in range(n % max(len(items), 1)):
        items.insert(0, items.pop())


def moved_to_end(items, key, last):
    """OrderedDict.move_to_end."""
    moved = [key] if last else [k for k in items if k != key]
    for k in moved:
        value = items[k]
        del items[k]
        items[k] = value


def keyed(keys, value=None):
    """dict.fromkeys."""
    items = {}
    for key in keys:
        items[key] = value
    return items


def changed_at(function, a, places, b):
    """np.multiply.at and the like."""
    values = np.broadcast_to(b, np.shape(places) + np.shape(a)[1:])
    for k in range(len(places)):
        a[places[k]] = function(a[places[k]], values[k])


def changed_alone_at(function, a, places):
    """np.negative.at and the like."""
    for place in places:
        a[place] = function(a[place])


def heap_pushed(heap, item):
    """heapq.heappush."""
    heap.append(item)
    sifted_down(heap, 0, len(heap) - 1)


def heap_popped(heap):
    """heapq.heappop."""
    last = heap.pop()
    if len(heap) == 0:
        return last
    first = heap[0]
    heap[0] = last
    sifted_up(heap, 0)
    return first


def heap_replaced(heap, item):
    """heapq.heapreplace."""
    first = heap[0]
    heap[0] = item
    sifted_up(heap, 0)
    return first


def heap_pushed_popped(heap, item):
    """heapq.heappushpop."""
    if len(heap) > 0 and heap[0] < item:
        first = heap[0]
        heap[0] = item
        sifted_up(heap, 0)
        return first
    return item


def heap_made(heap):
    """heapq.heapify."""
    for place in reversed(range(len(heap) // 2)):
        sifted_up(heap, place)


def sifted_down(heap, start, place):
    """The item at a place moves towards the root, as heapq has it."""
    item = heap[place]
    while place > start:
        above = (place - 1) >> 1
        if not item < heap[above]:
            break
        heap[place] = heap[above]
        place = above
    heap[place] = item


def sifted_up(heap, place):
    """The smaller child moves up until a leaf is hit, then the item there down."""
    start = place
    item = heap[place]
    child = 2 * place + 1
    while child < len(heap):
        if child + 1 < len(heap) and not heap[child] < heap[child + 1]:
            child = child + 1
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    heap[place] = item
    sifted_down(heap, start, place)


def largest(n, iterable, key=None):
    """heapq.nlargest."""
    return sorted(iterable, key=key, reverse=True)[:n]


def smallest(n, iterable, key=None):
    """heapq.nsmallest."""
    return sorted(iterable, key=key)[:n]


def merged(*iterables, key=None, reverse=False):
    """heapq.merge of sorted iterables."""
    return sorted([item for iterable in iterables for item in iterable], key=key, reverse=reverse)


def insorted_right(items, item, lo=0, hi=None):
    """bisect.insort."""
    items.insert(bisect.bisect_right(items, item, lo, hi), item)


def insorted_left(items, item, lo=0, hi=None):
    """bisect.insort_left."""
    items.insert(bisect.bisect_left(items, item, lo, hi), item)


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
