import math


def f(x, table):
    a = 0.0
    try:
        a = math.log(x)
        b = table["k"] * a
    except ValueError as e:
        b = len(str(e)) * x
    except KeyError:
        b = a
    return a * b


ARGS = (2.0, {"k": 3.0})
MORE_ARGS = [(-2.0, {"k": 3.0}), (2.0, {})]


# --- after ---
def f(x, table):
    a = 0.0
    failed = False
    try:
        a = math.log(x)
        ok = True
    except (ValueError, KeyError) as error:
        ok = False
        failed = True
        raised = error
    else:
        try:
            b = table["k"] * a
            ok2 = True
        except (ValueError, KeyError) as error:
            ok2 = False
            failed = True
            raised = error
    if failed:
        if isinstance(raised, ValueError):
            e = raised
            b = len(str(e)) * x
        else:
            b = a
    return a * b
