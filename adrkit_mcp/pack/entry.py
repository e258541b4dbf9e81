"""The `__main__` of a single-file archive: checks the Python, then imports from the archive alone.

Written so that Python 2.7 and 3.6 can read it and tell what is needed.
"""
# ruff: noqa: F401, UP004, UP035, UP036

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, Optional, Tuple


class Importer(object):
    """Imports modules from the bytes of an archive that was read once.

    The interpreter's own importer of archives compiles each module twice, reads the file anew for each,
    and fails when it is replaced under a running program.
    """

    def __init__(self, path, data):
        # type: (str, bytes) -> None
        self._path = path
        self._data = data
        self._members = dict(_members(data))

    def find_spec(self, name, path=None, target=None):
        # type: (str, Any, Any) -> Optional[Any]
        """What the import system asks for; None for a module that is not in the archive."""
        stem = name.replace(".", "/")
        for member in (stem + ".py", stem + "/__init__.py"):
            if member in self._members:
                make = type(sys.__spec__)  # type: Any
                origin = os.path.join(self._path, *member.split("/"))
                spec = make(name, self, origin=origin, is_package=member != stem + ".py")
                spec.has_location = True
                spec.loader_state = member
                return spec
        return None

    def create_module(self, spec):
        # type: (Any) -> None
        """Leaves the making of the module to the import system."""

    def exec_module(self, module):
        # type: (Any) -> None
        """Runs the source of a module in it."""
        spec = module.__spec__
        source = self._source(spec.loader_state)
        exec(compile(source, spec.origin, "exec", dont_inherit=True), module.__dict__)

    def _source(self, member):
        # type: (str) -> bytes
        from zlib import decompress

        start, end = self._members[member]
        return decompress(self._data[start:end], -15)


def _members(data):
    # type: (bytes) -> Iterator[Tuple[str, Tuple[int, int]]]
    """(name, (start, end)) of each member, from the local headers of an archive that `pack` made."""
    at = data.index(b"PK\3\4")
    while data.startswith(b"PK\3\4", at):
        packed = int.from_bytes(data[at + 18 : at + 22], "little")
        start = at + 30 + int.from_bytes(data[at + 26 : at + 28], "little")
        yield data[at + 30 : start].decode("ascii"), (start, start + packed)
        at = start + packed


def _real(path):
    # type: (str) -> str
    return os.path.join(os.path.realpath(path), "")


def _leave_current_directory():
    # type: () -> None
    """Drop the current directory and folders of it from where modules are looked for: what lies about
    in a repository that is only to be read must not become a module of this program."""
    library = _real(sys.base_prefix if os.name == "nt" else os.path.dirname(os.__file__))
    try:
        here = _real(os.getcwd())
    except OSError:
        here = library
    sys.path[:] = [
        entry
        for entry in sys.path
        if entry and (_real(entry).startswith(library) or not _real(entry).startswith(here))
    ]


def start(program, module, interrupted):
    # type: (str, str, int) -> None
    """Run `main` of a module in the archive and exit with its result; with 1 where the Python is too
    old, with `interrupted` when that happens."""
    if sys.version_info < (3, 9):
        version = "%d.%d.%d" % sys.version_info[:3]
        sys.exit(
            "%s needs Python 3.9 or later; this is %s: %s" % (program, version, sys.executable)
        )
    archive = os.path.dirname(__file__)
    _leave_current_directory()
    try:
        with open(archive, "rb") as stream:
            sys.meta_path.insert(0, Importer(archive, stream.read()))
        sys.exit(__import__(module, fromlist=["main"]).main())
    except KeyboardInterrupt:
        sys.exit(interrupted)
