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
    """Drop empty entries, the current directory and folders of it from the module search path."""
    import os  # loaded by every start of the interpreter

    def real(path):  # type: (str) -> str
        return os.path.join(os.path.realpath(path), "")

    library = real(sys.base_prefix if os.name == "nt" else os.path.dirname(os.__file__))
    try:
        here = real(os.getcwd())
    except OSError:
        here = library
    sys.path[:] = [
        entry
        for entry in sys.path
        if entry and (real(entry).startswith(library) or not real(entry).startswith(here))
    ]


if __name__ == "__main__":
    sys.exit(main())
