"""`python -m adrkit_mcp.decisionscope`, and the console script. Imports no more than `isolation` allows."""

import sys

from adrkit_mcp.isolation import leave_current_directory


def main():  # type: () -> int
    """Run the command line, with modules from the library and this package only; the exit code."""
    leave_current_directory()
    from adrkit_mcp.decisionscope.cli import main

    return main()


if __name__ == "__main__":
    sys.exit(main())
