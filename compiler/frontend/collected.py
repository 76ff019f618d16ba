"""What collections, heapq and bisect do with lists and dicts, as plain loops.

Like those of equivalents.py they are read and differentiated like the user's own.
"""

import bisect


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


def insorted_right(a, x, lo=0, hi=None, *, key=None):
    """bisect.insort."""
    if key is None:
        a.insert(bisect.bisect_right(a, x, lo, hi), x)
    else:
        a.insert(bisect.bisect_right(a, key(x), lo, hi, key=key), x)


def insorted_left(a, x, lo=0, hi=None, *, key=None):
    """bisect.insort_left."""
    if key is None:
        a.insert(bisect.bisect_left(a, x, lo, hi), x)
    else:
        a.insert(bisect.bisect_left(a, key(x), lo, hi, key=key), x)
