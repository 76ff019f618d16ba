from pullback.compiler.frontend.source import source_from_text

TEXT = "def loss(x):\n    return x * x"


def call():
    return source_from_text(TEXT, "model.py", "los")


# --- refused ---
# ArgumentError: no function `los` in model.py
#    Defined there: loss.
#    Way out: did you mean `loss`?
