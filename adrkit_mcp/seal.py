"""The seal: an audit hook that refuses, for the rest of the process, all that serving never needs.

Refused are sockets, other processes, foreign code through ctypes, changes to files, and opening or listing
anything but the corpus, the interpreter's library and this package. What it promises and what it cannot
is told in the README, section "Security".
"""

from __future__ import annotations

import os
import sys

from .corpus.roots import READ_DIRECTORY, READ_FILE

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
    " os.getxattr os.listxattr os.chdir fcntl.fcntl fcntl.flock fcntl.ioctl fcntl.lockf mmap.__new__"
    " sqlite3.connect sys.addaudithook sys.remote_exec cpython.remote_debugger_script".split()
)
_REFUSED_FAMILIES = ("socket.", "ctypes.", "shutil.", "winreg.", "_winapi.", "syslog.", "resource.")
#: The ways to sockets, processes and foreign code, and modules in C that open files and tell no hook.
_REFUSED_MODULES = frozenset(
    "socket _socket _ssl ctypes _ctypes subprocess _posixsubprocess _multiprocessing _posixshmem sqlite3"
    " _sqlite3 _dbm _gdbm _tkinter _curses readline nis ossaudiodev".split()
)


class SealError(RuntimeError):
    """Something was tried that the seal refuses. Not an OSError, which callers are prepared for."""

    #: Nobody else needs to report it.
    is_told = True


def seal(reading: Reading, report: Callable[[str], None]) -> None:
    """Install the hook, for as long as the process lives.

    `reading` tells what may be read now, and is changed by who reads it; `report` gets a line for each
    refusal. From then on modules come from the library and this package alone.
    """
    library = _library()
    installed = tuple(directory + "site-packages" + os.sep for directory in library)
    package = _package()
    bytecode = _with_separator(sys.pycache_prefix) if sys.pycache_prefix else None

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            if arguments[0] is reading.file and arguments[2] == READ_FILE:
                return  # a record, of perhaps thousands
            path, mode, flags = arguments
            if is_openable(path, mode, flags):
                return
        elif event in _LISTINGS:
            if is_readable(arguments[0]) or is_held_open(arguments[0]):
                return
        elif event == "import":
            if arguments[0] not in _REFUSED_MODULES and is_code(arguments[1]):
                return
        elif event not in _REFUSED and not event.startswith(_REFUSED_FAMILIES):
            return
        report("sealed: refused %s" % event)
        raise SealError(event)

    def is_openable(path: Any, mode: str | None, flags: int | None) -> bool:
        if _is_writing(mode, flags):
            return type(path) is str and path == os.devnull
        return is_readable(path) or (flags == READ_DIRECTORY and is_subfolder(path))

    def is_readable(path: Any) -> bool:
        if type(path) is not str:
            return False
        if path == reading.directory:
            return True
        try:
            real = _with_separator(path)
        except ValueError:
            return False
        return (
            real.startswith(package)
            or (real.startswith(library) and not real.startswith(installed))
            or (
                reading.directory is not None
                and real.startswith(os.path.join(reading.directory, ""))
            )
            or (bytecode is not None and real.startswith(bytecode) and path.endswith(".pyc"))
        )

    def is_subfolder(path: Any) -> bool:
        """A bare name, which while the corpus is being read is opened relative to a folder of it."""
        return (
            reading.directory is not None
            and type(path) is str
            and os.sep not in path
            and path not in (os.curdir, os.pardir)
        )

    def is_held_open(path: Any) -> bool:
        return type(path) is int and reading.directory is not None

    def is_code(file: str | None) -> bool:
        """Whether an extension module is the library's; other modules are opened, which is checked."""
        return file is None or is_readable(file)

    sys.dont_write_bytecode = True
    sys.path[:] = [entry for entry in sys.path if entry and is_readable(entry)]
    sys.addaudithook(hook)


def _is_writing(mode: str | None, flags: int | None) -> bool:
    return bool((flags or 0) & _WRITING) or (mode is not None and not set(mode).isdisjoint("wax+"))


def _library() -> tuple[str, ...]:
    """The directories of the interpreter's own modules."""
    library = [os.path.dirname(os.__file__)]
    if os.name == "nt":
        library.append(sys.base_prefix)
    else:
        home = _with_separator(sys.base_exec_prefix)
        extensions = [path for path in sys.path if os.path.basename(path) == "lib-dynload"]
        library += [path for path in extensions if _with_separator(path).startswith(home)]
    return tuple(map(_with_separator, library))


def _package() -> str:
    """The directory of this package, or the archive that it is run from."""
    archive = getattr(__spec__.loader, "archive", None)
    return _with_separator(archive or os.path.dirname(__file__))


def _with_separator(path: str) -> str:
    """The real path with a separator behind it, so that one path starts with another only if it is inside."""
    return os.path.join(os.path.realpath(path), "")
