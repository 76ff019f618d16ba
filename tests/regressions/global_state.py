"""Globals that functions assign or change: counters, modes, tables that helpers write."""

from types import SimpleNamespace

from regressions import Cases

CASES = case = Cases()

CALLS = 0
MODE = "linear"
SETTINGS = SimpleNamespace(scale=1.0)
TABLE = {"n": 0}


def count(step):
    global CALLS
    CALLS += step


def counted(x):
    count(2)
    return x * x * CALLS


@case(1.3)
def a_counter_that_functions_share(x):
    global CALLS
    CALLS = 1
    total = counted(x)
    for k in range(3):
        total += counted(x + k) * CALLS
    return total


def choose(mode):
    global MODE
    MODE = mode


@case(0.7)
def a_mode_that_a_helper_sets(x):
    choose("linear")
    y = x * 2.0
    choose("square")
    return y * y if MODE == "square" else y


def rescaled(x):
    SETTINGS.scale += 1.0
    TABLE["n"] += 1
    return x * x * SETTINGS.scale * TABLE["n"]


@case(1.3)
def objects_and_tables_of_the_module_that_change_between_calls(x):
    SETTINGS.scale = 1.0
    TABLE["n"] = 0
    return rescaled(x) + rescaled(x * x)


class Scales:
    first = 1.5
    second = 2.0


@case(0.7)
def attributes_of_classes_that_change(x):
    Scales.first, Scales.second = 1.5, 2.0
    y = Scales.first * x * x
    Scales.first += 1.0
    for k in range(2):
        y *= Scales.second * x
        Scales.second = Scales.first + k
    return y * Scales.first * Scales.second
