"""Random NumPy programs as source text, typed as they are made so that they always run.

    text, arguments = make_program(seed=7, size=12)

`text` is a module that defines `program`; `arguments` are the values to call it with. The same seed
and size give the same program. Every array has a shape known here, every integer a range, every list
a least length; so indices fit, operands broadcast and nothing is popped from an empty list.
"""

from .program import make_program as make_program
