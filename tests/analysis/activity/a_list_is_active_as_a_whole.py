def f(x):
    items = [1.0]  # active
    items.append(x)
    numbers = [1.0, 2.0]  # inert
    a = items[0]  # active
    b = numbers[0]  # inert
    return a * b


ARGS = (1.0,)
