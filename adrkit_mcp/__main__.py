"""`python -m adrkit_mcp`, the console script, and the entry of the zipapp.

This module imports nothing at its top but `sys`, and the package itself imports nothing at all, so that
`main` can first take the current directory out of the way: in a repository that is only to be read, a file
named `json.py` must not become a module of this program.
"""

import sys


def main():  # type: () -> int
    """Run the command line, with modules from the library and this package only; returns the exit code."""
    _leave_current_directory()
    try:
        from adrkit_mcp.cli import main

        return main()
    except KeyboardInterrupt:
        return 0


def _leave_current_directory():  # type: () -> None
    """Drop empty entries and the current directory from the module search path."""
    import os  # loaded by every start of the interpreter

    try:
        here = os.path.realpath(os.getcwd())
    except OSError:
        here = None
    sys.path[:] = [entry for entry in sys.path if entry and os.path.realpath(entry) != here]


if __name__ == "__main__":
    sys.exit(main())
