"""What a `try` statement cannot take back."""


def refuse_half_done(error):
    """Raise where an operation in place failed after it had written its result."""
    if isinstance(error, (FloatingPointError, Warning)):
        raise TypeError(
            f"an array was changed in place by an operation that then raised {type(error).__name__}, which a "
            "derivative cannot take back: compute a new array inside `try`"
        ) from error
