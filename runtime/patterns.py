"""Questions that patterns of a `match` ask, answered by Python itself."""


def is_sequence(x):
    """Does a sequence pattern look into it? (No string, and no array, is one.)"""
    match x:
        case [*_]:
            return True
    return False


def is_mapping(x):
    """Does a mapping pattern look into it?"""
    match x:
        case {}:
            return True
    return False


def set_order(items):
    """The places of a list's elements in the order in which a set of them is gone through."""
    elements = set()
    for item in items:
        elements.add(item)
    places = {item: place for place, item in enumerate(items)}
    return [places[item] for item in elements]
