from pullback.compiler.rules.language import Rule


def f(x, y):
    return x * y


def rule(x, y):
    return y, x, 1.0


def call():
    return Rule(rule, (f,), "elementwise").text


# --- refused ---
# RuleError: a_rule_with_too_many_partials.py:8: 3 partials for 2 parameters
