"""`python -m adrkit_mcp.decisionscope`."""

from __future__ import annotations

import os
import sys


def _forget_current_directory() -> None:
    """Take the directory off the path that `-m` puts first there: a `json.py` in it must not be run."""
    try:
        here = os.getcwd()
    except OSError:
        here = ""
    sys.path[:] = [entry for entry in sys.path if entry and os.path.abspath(entry) != here]


if __name__ == "__main__":
    _forget_current_directory()

    from adrkit_mcp.decisionscope.cli import main

    sys.exit(main())
