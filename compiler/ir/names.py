"""Names of generated variables: x → x_bar, x_dot, x_saved; sin_x for temporaries; never a name of the user's."""

import keyword
from collections.abc import Iterable

import gast


class Names:
    """Hands out names that are not taken, the same ones on every run."""

    def __init__(self, taken: Iterable[str]) -> None:
        self.taken = set(taken)
        self.made: set[str] = set()
        self._partners: dict[tuple[str, str], str] = {}

    def fresh(self, wish: str) -> str:
        """`wish`, or `wish2`, `wish3`, … if it is taken."""
        wish = "".join(c if c.isalnum() or c == "_" else "_" for c in wish).strip("_") or "value"
        if wish[0].isdigit() or keyword.iskeyword(wish):
            wish = f"v_{wish}"
        found, count = wish, 1
        while found in self.taken:
            count += 1
            found = f"{wish}{count}"
        self.taken.add(found)
        self.made.add(found)
        return found

    def partner(self, name: str, kind: str) -> str:
        """The one variable that goes with `name`: partner("x", "bar") is `x_bar` each time it is asked."""
        key = (name, kind)
        if key not in self._partners:
            self._partners[key] = self.fresh(f"{name}_{kind}")
        return self._partners[key]

    def partners(self) -> dict[tuple[str, str], str]:
        """The generated variables by (variable, kind)."""
        return dict(self._partners)

    def bar(self, name: str) -> str:
        """The adjoint variable of `name`."""
        return self.partner(name, "bar")

    def saved(self, name: str) -> str:
        """The list that holds the overwritten values of `name`."""
        return self.partner(name, "saved")


def described(node: gast.AST) -> str:
    """A name that says what an expression is: np.sin(x) → "sin_x", x * y → "mul_x_y"."""
    words = _words(node)
    return "_".join(words[:4]) or "value"


OPERATION_WORDS = {
    gast.Add: "add",
    gast.Sub: "sub",
    gast.Mult: "mul",
    gast.Div: "div",
    gast.Pow: "pow",
    gast.MatMult: "matmul",
    gast.Mod: "mod",
    gast.FloorDiv: "floor",
    gast.USub: "neg",
}


COMPARISON_WORDS = {gast.Gt: "above", gast.GtE: "above", gast.Lt: "below", gast.LtE: "below", gast.Eq: "equal"}


def _words(node: gast.AST) -> list[str]:
    if isinstance(node, gast.Name):
        return [node.id]
    if isinstance(node, gast.Attribute):
        return [node.attr] if isinstance(node.value, gast.Name) else [*_words(node.value)[:1], node.attr]
    if isinstance(node, gast.Subscript):
        return _words(node.value)[:2]
    if isinstance(node, gast.Call):
        head = node.func.attr if isinstance(node.func, gast.Attribute) else getattr(node.func, "id", "call")
        inner = node.args[0] if node.args else None
        return [
            head,
            *(_words(inner)[:2] if isinstance(inner, (gast.Name, gast.Subscript, gast.Attribute)) else []),
        ]
    if isinstance(node, gast.Compare):
        word = COMPARISON_WORDS.get(type(node.ops[0]), "differs")
        return [*_words(node.left)[:2], word]
    if isinstance(node, (gast.BinOp, gast.UnaryOp)):
        word = OPERATION_WORDS.get(type(node.op), "op")
        parts = [node.left, node.right] if isinstance(node, gast.BinOp) else [node.operand]
        inner_words = [w for p in parts if isinstance(p, gast.Name) for w in _words(p)]
        return [word, *inner_words[:2]]
    return []
