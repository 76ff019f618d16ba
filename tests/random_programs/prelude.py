"""Classes and decorators that programs may use: each program carries the ones it names."""

from __future__ import annotations

import ast

PRELUDE = """\
class Body:
    count = 2.0

    def __init__(self, x, w):
        self.x, self.w = x, w

    def kick(self, v):
        self.x += np.sin(v)
        self.w[0] *= self.x
        return self.x

    def energy(self, k=0.5):
        return k * np.sin(self.x) ** 2 + np.mean(np.tanh(self.w))

    @property
    def scaled(self):
        return np.tanh(self.x) * self.count

    @scaled.setter
    def scaled(self, v):
        self.x = np.tanh(v)

    def __add__(self, other):
        return type(self)(np.sin(self.x + other.x), self.w * other.x)

    def __imul__(self, k):
        self.x = np.tanh(self.x * k)
        self.w *= np.cos(k)
        return self

    def __radd__(self, k):
        self.x += k * 0.1
        return self.x

    def __neg__(self):
        return Body(-self.x, self.w)

    def __lt__(self, other):
        return self.x < other.x

    def __len__(self):
        return len(self.w)

    def __iter__(self):
        return iter(self.w)

    @classmethod
    def made(cls, x, k=0.6):
        return cls(np.sin(x), np.array([x, k, x * k]))

    @staticmethod
    def mixed(p, q):
        return p * 0.3 + np.sin(q)

    def __getitem__(self, i):
        return self.w[i]

    def __setitem__(self, i, v):
        self.w[i] = v

    def __call__(self, t):
        return np.cos(self.x * t)


class Heavy(Body):
    count = 0.7

    def energy(self, k=0.5):
        return super().energy(k) + np.sin(self.w[1])

    def kick(self, v):
        if v > 0.1:
            return super().kick(v)
        self.w = self.w * 0.5
        return self.w[2]


@dataclass
class State:
    x: float
    w: np.ndarray
    rate: float = 0.3
    log: list = field(default_factory=list)

    def kick(self, v):
        self.log.append(np.sin(v))
        return self.log[-1] * self.x

    def energy(self, k=0.5):
        return sum(self.log) * k * self.rate + np.sin(self.x)


class Scaled:
    def __init__(self, a, k):
        self.a, self.k = a, k

    def __enter__(self):
        self.a *= np.cos(self.k)
        return self.a

    def __exit__(self, *problem):
        self.a += self.k


class Stop(Exception):
    pass


class Pair(NamedTuple):
    x: float
    w: np.ndarray

    def energy(self):
        return self.x * np.sum(self.w)


@contextlib.contextmanager
def scaled_within(a, k):
    a *= np.cos(k)
    yield a
    a += k


def damped(f):
    @functools.wraps(f)
    def inner(*args, **kwargs):
        return np.tanh(f(*args, **kwargs)) * 0.9

    return inner


def scaled(k):
    def decorate(f):
        return lambda *args, **kwargs: k * f(*args, **kwargs)

    return decorate


class counted:
    def __init__(self, f):
        self.f, self.count = f, 0

    def __call__(self, *args, **kwargs):
        self.count += 1
        return self.f(*args, **kwargs)


"""


def prelude(text: str) -> str:
    """The definitions that this text names, and those that they name."""
    tree = ast.parse(PRELUDE)
    needed: set[str] = set()
    pending = [text]
    while pending:
        names = {node.id for node in ast.walk(ast.parse(pending.pop())) if isinstance(node, ast.Name)}
        for definition in tree.body:
            if definition.name in names - needed:
                needed.add(definition.name)
                pending.append(ast.unparse(definition))
    return "".join(ast.unparse(d) + "\n\n\n" for d in tree.body if d.name in needed)
