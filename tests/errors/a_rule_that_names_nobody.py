from pullback.compiler.rules.language import Rule


def f(x, y):
    return x * y


def rule(x, y):
    z = x * y

    x_bar += z_bar * weight


def call():
    return Rule(rule, (f,), "rule").text


# --- refused ---
# RuleError: a_rule_that_names_nobody.py:8: 'weight' is not an argument, the result, an adjoint or tangent of one, nor a name this file imports
