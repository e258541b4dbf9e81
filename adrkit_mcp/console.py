"""The console: what people and scripts read of the command line, on stdout and stderr."""

from __future__ import annotations

import os

from .jsontext import encode


def complain(text: str) -> None:
    """A diagnostic on stderr; a stderr that is closed or full changes nothing."""
    try:
        os.write(2, ("adrkit-mcp: %s\n" % text).encode("utf-8", "backslashreplace"))
    except OSError:
        pass


def say(text: str) -> None:
    """A whole text and a line end on stdout. Raises SystemExit(1) when it cannot be written.

    A reader that went away, as `head` does, is not worth a word.
    """
    data = encode(text) + b"\n"
    try:
        while data:
            data = data[os.write(1, data) :]
    except BrokenPipeError:
        raise SystemExit(1) from None
    except OSError as error:
        complain("stdout cannot be written: %s" % error.strerror)
        raise SystemExit(1) from None
