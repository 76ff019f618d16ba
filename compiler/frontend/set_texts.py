"""What sets of active values do, as lists without repetition: calls of their methods mean these texts.

Like those of equivalents.py they are read and differentiated like the user's own.
"""

from pullback.runtime.patterns import set_order


def made(iterable):
    """set(iterable)."""
    items: list = []
    for item in iterable:
        if item not in items:
            items.append(item)
    return items


def in_order(items):
    """The elements as Python goes through the set."""
    return [items[i] for i in set_order(items)]


def added(items, item):
    """set.add."""
    if item not in items:
        items.append(item)


def discarded(items, item):
    """set.discard."""
    if item in items:
        items.pop(items.index(item))


def removed(items, item):
    """set.remove."""
    if item not in items:
        raise KeyError(item)
    items.pop(items.index(item))


def updated(items, more):
    """set.update, of one iterable."""
    for item in more:
        if item not in items:
            items.append(item)


def united(items, more):
    """set.union, of one iterable."""
    both = list(items)
    for item in more:
        if item not in both:
            both.append(item)
    return both


def common(items, more):
    """set.intersection, of one iterable."""
    others = list(more)
    return [item for item in items if item in others]


def without(items, more):
    """set.difference, of one iterable."""
    others = list(more)
    return [item for item in items if item not in others]


def apart(items, more):
    """set.symmetric_difference."""
    others = made(more)
    return [item for item in items if item not in others] + [item for item in others if item not in items]
