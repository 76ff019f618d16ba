from pullback.compiler.frontend.source import source_from_text

TEXT = "def loss(x):\n    return x *"


def call():
    return source_from_text(TEXT, "model.py", "loss")


# --- refused ---
# ArgumentError: model.py:2: not valid Python: invalid syntax
#
#    1 | def loss(x):
#    2 |     return x *
#      |               ^
