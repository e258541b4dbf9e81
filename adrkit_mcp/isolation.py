"""Whose modules run: those of the library, of this package and of where it was installed to.

Programs here are started in repositories that are only to be read, where a file named `json.py` must not
become a module of theirs. What is imported before `leave_current_directory` has run could be such a file, so
the modules on the way to it import nothing but `sys` and what every start of the interpreter has loaded.
"""

import os
import sys


def leave_current_directory():  # type: () -> None
    """Drop empty entries, the current directory and folders of it from the module search path."""

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
