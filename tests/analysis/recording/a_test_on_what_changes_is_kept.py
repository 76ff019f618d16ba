def f(x, n):
    for i in range(n):
        if x > 1.0:  # then keeps x_above
            x = 0.5 * x
        else:
            x = 3.0 * x
    return x


ARGS = (1.5, 3)
