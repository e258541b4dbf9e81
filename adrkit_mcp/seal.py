"""The seal: an audit hook that refuses, for the rest of the process, all that serving never needs.

Refused are sockets, other processes, foreign code through ctypes, changes to files, and opening or listing
anything but the corpus, the interpreter's library and this package. What it promises and what it cannot
is told in the README, section "Security".
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable

    from .corpus.roots import Reading

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_LISTINGS = ("os.listdir", "os.scandir")
_REFUSED = frozenset(
    "os.system os.startfile os.startfile/2 os.exec os.fork os.forkpty os.posix_spawn os.spawn os.kill"
    " os.killpg signal.pthread_kill pty.spawn subprocess.Popen os.remove os.rename os.rmdir os.mkdir os.link"
    " os.symlink os.truncate os.chmod os.chown os.chflags os.lockf os.utime os.setxattr os.removexattr"
    " os.chdir fcntl.fcntl fcntl.flock fcntl.ioctl fcntl.lockf mmap.__new__ sqlite3.connect"
    " cpython.remote_debugger_script sys.addaudithook".split()
)
_REFUSED_FAMILIES = ("socket.", "ctypes.", "shutil.", "winreg.", "_winapi.", "syslog.", "resource.")
_REFUSED_MODULES = frozenset("socket _socket ctypes _ctypes subprocess _posixsubprocess".split())


class SealError(RuntimeError):
    """Something was tried that the seal refuses. Not an OSError, which callers are prepared for."""


def seal(reading: Reading, report: Callable[[str], None]) -> None:
    """Install the hook, for as long as the process lives.

    `reading` tells which directory may be read now, and is changed by who reads it; `report` gets a line
    for each refusal. From then on modules come from the library and this package alone.
    """
    library, package = _library(), _package()
    installed = tuple(os.path.join(path, "site-packages") for path in library)
    sys.dont_write_bytecode = True
    sys.path[:] = [path for path in sys.path if path and _is_inside(path, library, but=installed)]

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, mode, flags = arguments
            if mode is None and not flags & _WRITING and is_beside_record(path):
                return
            if path == os.devnull or (not _is_writing(mode, flags) and is_readable(path)):
                return
        elif event in _LISTINGS:
            if is_readable(arguments[0]):
                return
        elif event == "import":
            if arguments[0] not in _REFUSED_MODULES:
                return
        elif event not in _REFUSED and not event.startswith(_REFUSED_FAMILIES):
            return
        report("sealed: refused %s" % event)
        raise SealError(event)

    def is_beside_record(path: Any) -> bool:
        """A bare name, which is opened relative to the corpus directory while that is being read."""
        return (
            reading.directory is not None
            and path.__class__ is str
            and "/" not in path
            and os.sep not in path
        )

    def is_readable(path: Any) -> bool:
        if path.__class__ is int:
            return True
        corpus = () if reading.directory is None else (reading.directory,)
        return _is_inside(path, (*package, *corpus)) or _is_inside(path, library, but=installed)

    sys.addaudithook(hook)


def _is_writing(mode: str | None, flags: int | None) -> bool:
    return bool((flags or 0) & _WRITING) or (mode is not None and not set(mode).isdisjoint("wax+"))


def _library() -> tuple[str, ...]:
    """The directories of the interpreter's own modules, and of bytecode where that is kept apart."""
    library = os.path.dirname(os.__file__)
    beside = [path for path in sys.path if os.path.basename(path) in ("lib-dynload", "DLLs")]
    bytecode = [sys.pycache_prefix] if sys.pycache_prefix else []
    return tuple(map(os.path.realpath, (library, *beside, *bytecode)))


def _package() -> tuple[str, ...]:
    """The directory of this package, or the archive that it is run from."""
    archive = getattr(__spec__.loader, "archive", None)
    return (os.path.realpath(archive or os.path.dirname(__file__)),)


def _is_inside(path: Any, directories: tuple[str, ...], but: tuple[str, ...] = ()) -> bool:
    """Whether the real path is one of the directories or below one, and not below one of `but`."""
    try:
        real = os.path.realpath(os.fsdecode(path))
    except (TypeError, ValueError):
        return False
    return _is_below(real, directories) and not _is_below(real, but)


def _is_below(real: str, directories: tuple[str, ...]) -> bool:
    return any(
        real == directory or real.startswith(directory + os.sep) for directory in directories
    )
