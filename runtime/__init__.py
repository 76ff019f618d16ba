"""What generated code may name; NumPy only, and nothing of the compiler."""
