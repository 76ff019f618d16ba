def f(x, y):
    return max(x, 2.0 * y)


ARGS = (2.0, 3.0)
MORE_ARGS = [(9.0, 3.0), (6.0, 3.0)]


# --- after ---
def f(x, y):
    mul_y = 2.0 * y
    largest = x
    if mul_y > largest:
        largest = mul_y
    return largest
