import dataclasses


@dataclasses.dataclass
class Point:
    x: float
    y: float
    origin = "origin"


def f(s):
    match s:
        case Point(0.0, y):
            return y
        case Point(x=a, y=b):
            return a * b
        case float(v) | int(v):
            return v
        case Point.origin:
            return -1.0


ARGS = (Point(0.0, 3.0),)
MORE_ARGS = [(Point(2.0, 3.0),), (2.5,), (Point.origin,), ([],)]


# --- after ---
def f(s):
    if isinstance(s, Point) and s.x == 0.0:
        y = s.y
        return y
    elif isinstance(s, Point):
        a = s.x
        b = s.y
        return a * b
    else:
        if isinstance(s, float):
            v = s
            taken = True
        elif isinstance(s, int):
            v = s
            taken = True
        else:
            taken = False
        if taken:
            return v
        elif s == Point.origin:
            return -1.0
