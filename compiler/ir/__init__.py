"""The language between passes: gast trees that print as runnable Python, and how they are built and read."""
