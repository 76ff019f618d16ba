"""Iterators as objects: calls that go through them item by item mean these texts.

Like those of equivalents.py they are read and differentiated like the user's own.
"""


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


class Asked(Stepped):
    """An object of the user's that is its own iterator."""

    def __init__(self, source):
        self.source = source
        self.ready = False

    def more(self):
        if not self.ready:
            answer = asked(self.source)
            if not answer[0]:
                self.item = answer[1]
                self.ready = True
        return self.ready

    def taken(self):
        self.ready = False
        return self.item


def asked(source):
    """(True, None) at the end, or else (False, the next item)."""
    try:
        return False, next(source)
    except StopIteration:
        return True, None


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


class Going:
    """Anything that is gone through item by item, as far as it is asked, where no derivative is taken."""

    def __init__(self, items):
        self.items = iter(items)
        self.ahead = []

    def more(self):
        for item in self.items if not self.ahead else ():
            self.ahead.append(item)
            break
        return len(self.ahead) > 0

    def taken(self):
        return self.ahead.pop() if self.more() else next(self.items)


def walked(items):
    """An object that has `more` and `taken`, for anything that is gone through item by item."""
    return items if hasattr(items, "more") else Going(items)


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


def cycled(iterable):
    """itertools.cycle."""
    items = list(iterable)
    while len(items) > 0:
        yield from items


def counted(start=0, step=1):
    """itertools.count."""
    while True:
        yield start
        start = start + step


def repeated_on(object):
    """itertools.repeat without an end."""
    while True:
        yield object


STEPPING = (
    cycled,
    counted,
    repeated_on,
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
