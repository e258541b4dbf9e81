"""`python -m adrkit_mcp`, and the entry of the zipapp."""

from __future__ import annotations

import sys

from adrkit_mcp.cli import main

if __name__ == "__main__":
    sys.exit(main())
