from pullback.compiler.rules.language import Rule


def f(x, y):
    return x * y


def rule(x, y):
    product = x * y
    return y, x


def call():
    return Rule(rule, (f,), "elementwise").text


# --- refused ---
# RuleError: an_elementwise_rule_with_statements.py:8: an elementwise rule is one return of its partial derivatives
