"""What a `try` statement cannot take back."""

from pullback.runtime.refusals import Refusal


def refuse_half_done(error):
    """Raise where an operation in place failed after it had written its result."""
    if isinstance(error, (FloatingPointError, Warning)):
        raise Refusal(
            f"an array was changed in place by an operation that then raised {type(error).__name__}, which a "
            "derivative cannot take back",
            "compute a new array inside `try`",
        ) from error


def refuse_half_run(error):
    """Raise where a function that changes what its caller sees did not run to its end."""
    raise Refusal(
        f"a function that changes what its caller sees raised {type(error).__name__}, and what it did until then a "
        "derivative cannot take back",
        "let it return what it computes, and write outside the `try` statement",
    ) from error


def refuse_swallowed(done):
    """Raise where a context manager swallowed an exception of its block."""
    if not done:
        raise Refusal(
            "a context manager swallowed an exception, so that a part of its `with` block did not run, which a "
            "derivative cannot follow",
            "catch the exception with `try` and `except`",
        )
