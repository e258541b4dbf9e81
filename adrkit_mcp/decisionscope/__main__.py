"""`python -m adrkit_mcp.decisionscope`, and the console script.

Imports nothing of its own at its top: `main` first takes the current directory out of the way, so that a
`json.py` that lies there does not become a module of this program.
"""

from __future__ import annotations

import os
import sys


def main() -> int:
    """Run the command line, with modules from the library and this package only; the exit code."""
    _leave_current_directory()
    from adrkit_mcp.decisionscope.cli import main

    return main()


def _leave_current_directory() -> None:
    """Drop empty entries and the current directory from the module search path."""
    try:
        here = os.path.realpath(os.getcwd())
    except OSError:
        here = ""
    sys.path[:] = [entry for entry in sys.path if entry and os.path.realpath(entry) != here]


if __name__ == "__main__":
    sys.exit(main())
