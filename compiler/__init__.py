"""Source text to adjoint: one folder a stage, in reading order.

    errors.py    refusals as data: where, what, why, the way out
    ir/          how trees are built from text, walked and named
    rules/       the mathematics: one derivative rule a function, read as text (start with elementwise.py)
    emit/        trees to text, text to code
    frontend/    a function object or a file to a tree with one exit
    analysis/    facts about trees: flow, liveness, reaching definitions; types, memory and activity (infer.py)
    normalise/   what is active becomes simple statements
    adjoint/     the statements' adjoints, what is recorded, the two sweeps
    optimise/    dead code and single uses
    tangent/     forward mode, from the same rules
    pipeline.py  every pass in order: the table of contents
    api.py       grad and its family

The words: a *sweep* goes through the program, forward or in *reverse*; the *adjoint* x_bar of x is the
derivative of the result by x, its *tangent* x_dot the derivative of x along a direction; an *active* value
depends on the arguments of interest and reaches the result; a *shadow* is the adjoint of something mutable,
made with it and written in place; a *recorded* value is kept because the reverse sweep reads it after it
was overwritten; the *seed* is the adjoint of the result.
"""
