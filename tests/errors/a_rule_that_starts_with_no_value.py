from pullback.compiler.rules.language import Rule


def f(x, y):
    return x * y


def rule(x, y):
    x_bar += z_bar * y


def call():
    return Rule(rule, (f,), "rule").text


# --- refused ---
# RuleError: a_rule_that_starts_with_no_value.py:8: the first statement of a rule is its value, `y = ...`
