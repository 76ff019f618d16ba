"""`python -m pullback`: the command line."""

import sys

from pullback.compiler.cli import main

if __name__ == "__main__":
    sys.exit(main())
