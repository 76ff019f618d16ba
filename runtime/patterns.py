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
