"""Where the corpus is: the repository root and the ADR directory in it, resolved and checked."""

from __future__ import annotations

import os
import stat

DEFAULT_DIR = "docs/adr"

MESSAGES = {
    "root-not-found": "the repository root does not exist",
    "root-not-directory": "the repository root is not a directory",
    "root-not-readable": "the repository root cannot be read",
    "root-not-git": "the repository root holds no readable .git",
    "dir-not-found": "the ADR directory does not exist in the repository root",
    "dir-not-directory": "the ADR directory is not a directory",
    "dir-not-readable": "the ADR directory cannot be read",
    "dir-outside-root": "the ADR directory lies outside the repository root",
    "corpus-changed-during-load": "the corpus changed while it was being read: call again",
}


class CorpusUnavailable(Exception):
    """The corpus cannot be read now; `reason` is one of MESSAGES, and no path is told."""

    def __init__(self, reason: str) -> None:
        super().__init__(MESSAGES[reason])
        self.reason = reason


_READ = (
    os.O_RDONLY
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOFOLLOW", 0)
)
#: How files and folders of the corpus are opened: following no link, waiting for nothing.
READ_FILE = _READ | getattr(os, "O_NONBLOCK", 0)
READ_DIRECTORY = _READ | getattr(os, "O_DIRECTORY", 0)


def absolute(root: str) -> str:
    """The root as an absolute path, links not resolved, so that it stays the same path however the current
    directory moves. Raises CorpusUnavailable when that is gone.
    """
    try:
        return os.path.abspath(root)
    except OSError:
        raise CorpusUnavailable("root-not-found") from None


class Reading:
    """What is being read: `directory`, the real path of the corpus, and `file`, the record that is opened
    now or was opened last, as the very object that `os.open` is given. Outside a load both are None.
    """

    __slots__ = ("directory", "file")

    def __init__(self) -> None:
        self.directory: str | None = None
        self.file: str | None = None

    def end(self) -> None:
        self.directory = self.file = None


class Location:
    """A checked corpus directory: its real path, and how records in it are named.

    `identity` is device and inode of root and directory, as the paths that were given lead to them.
    """

    __slots__ = ("_paths", "directory", "display", "identity")

    def __init__(
        self, directory: str, display: str, paths: tuple[str, str], identity: tuple[int, ...]
    ) -> None:
        self.directory = directory
        self.display = display
        self._paths = paths
        self.identity = identity

    def is_unmoved(self) -> bool:
        """Whether the same paths still lead to the same root and directory."""
        try:
            return _identity(*map(os.stat, self._paths)) == self.identity
        except OSError:
            return False


def locate(root: str, directory: str) -> Location:
    """Resolve and check the root and the corpus directory in it.

    `root` is any path; `directory` is relative to it, and its real path has to lie inside the root's
    real path. The root holds a readable `.git`, a directory or a file, which is never opened. Raises
    CorpusUnavailable.
    """
    real_root, root_status = _checked_directory(root, "root")
    _check_git(real_root)
    path = os.path.join(root, directory)
    real_directory, status = _checked_directory(path, "dir")
    if not _contains(real_root, real_directory):
        raise CorpusUnavailable("dir-outside-root")
    if not os.access(real_directory, os.R_OK | os.X_OK):
        raise CorpusUnavailable("dir-not-readable")
    return Location(
        real_directory,
        _display(real_root, real_directory),
        (root, path),
        _identity(root_status, status),
    )


def _identity(root: os.stat_result, directory: os.stat_result) -> tuple[int, ...]:
    return root.st_dev, root.st_ino, directory.st_dev, directory.st_ino


def _checked_directory(path: str, which: str) -> tuple[str, os.stat_result]:
    """The real path of a directory and its status. Raises CorpusUnavailable with `<which>-not-...`."""
    try:
        status = os.stat(path)
        real = os.path.realpath(path)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise CorpusUnavailable(which + "-not-found") from None
    except OSError:  # a symlink loop, a folder on the way that may not be searched
        raise CorpusUnavailable(which + "-not-readable") from None
    if not stat.S_ISDIR(status.st_mode):
        raise CorpusUnavailable(which + "-not-directory")
    if which == "root" and not os.access(real, os.R_OK | os.X_OK):
        raise CorpusUnavailable("root-not-readable")
    return real, status


def _check_git(root: str) -> None:
    git = os.path.join(root, ".git")
    try:
        mode = os.stat(git).st_mode
    except OSError:
        raise CorpusUnavailable("root-not-git") from None
    if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)) or not os.access(git, os.R_OK):
        raise CorpusUnavailable("root-not-git")


def _contains(root: str, path: str) -> bool:
    """Segment-wise containment of real paths, as the file system spells them."""
    root, path = os.path.normcase(root), os.path.normcase(path)
    return path == root or path.startswith(root if root.endswith(os.sep) else root + os.sep)


def _display(root: str, directory: str) -> str:
    """What stands before a record's name in its source path: POSIX, relative to the root, or empty."""
    relative = directory[len(root) :].strip(os.sep)
    return displayed(relative.replace(os.sep, "/") + "/") if relative else ""


def displayed(name: str) -> str:
    """A file name as text: UTF-8, with U+FFFD for bytes that are not, whatever the locale."""
    return name if name.isascii() else os.fsencode(name).decode("utf-8", "replace")


def is_utf8(name: str) -> bool:
    """Whether a file name is valid UTF-8 on disk."""
    try:
        os.fsencode(name).decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
