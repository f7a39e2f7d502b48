"""``python -m husky_lint``."""

import sys

from husky_lint.cli import main

if __name__ == "__main__":
    sys.exit(main())
