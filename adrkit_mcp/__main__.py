"""`python -m adrkit_mcp`, and the console script. Imports no more than `isolation` allows."""

import sys

from adrkit_mcp.isolation import leave_current_directory


def main():  # type: () -> int
    """Run the command line, with modules from the library and this package only; the exit code."""
    leave_current_directory()
    try:
        from adrkit_mcp.cli import main

        return main()
    except KeyboardInterrupt:
        # An interrupted server has ended as it should; an interrupted command has given no answer.
        return 130 if {"call", "lint"}.intersection(sys.argv[1:]) else 0


if __name__ == "__main__":
    sys.exit(main())
