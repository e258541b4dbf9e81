"""The corpus directory held open: reading its files, and proving that they did not change meanwhile."""

from __future__ import annotations

import errno
import os
import stat
from operator import attrgetter

from .roots import READ_DIRECTORY, READ_FILE, CorpusUnavailable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Union

    from .listing import Listing
    from .roots import Location, Reading

    Signature = tuple[int, ...]
    Content = Union[bytes, "Unread"]


#: Largest source of a record, in bytes; a larger file is excluded whole.
MAX_BYTES = 65_536

_HAS_DIR_FD = (
    os.open in os.supports_dir_fd and os.stat in os.supports_dir_fd and os.scandir in os.supports_fd
)

#: Two writes within one tick of a file system's clock leave the same times, so files younger than a tick
#: are read a second time at the end of a load. Clocks that tell fractions tick every 10 ms or faster,
#: those that tell whole seconds only every second or two (FAT).
_SECOND_NS = 1_000_000_000
_FINE_TICK_NS = 100_000_000
_COARSE_TICK_NS = 2 * _SECOND_NS

#: What has to stay the same for a file or a directory to count as untouched during a load. The last is
#: when it was last written: where nobody can set that time back (not on Windows), the time of its inode.
_signature = attrgetter(
    "st_mode",
    "st_dev",
    "st_ino",
    "st_size",
    *(("st_ctime_ns", "st_mtime_ns") if os.name == "nt" else ("st_mtime_ns", "st_ctime_ns")),
)


class Unread:
    """Why a candidate was not read; stands in the place of its bytes."""

    __slots__ = ("message", "rule")

    def __init__(self, rule: str, message: str) -> None:
        self.rule = rule
        self.message = message


class File:
    """A candidate as it was read: what it held, and its signature at that time."""

    __slots__ = ("content", "signature")

    def __init__(self, content: Content, signature: Signature) -> None:
        self.content = content
        self.signature = signature


_TOO_LARGE = Unread(
    "record-too-large", "the file is larger than 64 KiB (65,536 bytes) and was not read: shorten it"
)
_UNREADABLE = Unread("file-read", "the file cannot be read: check its permissions")
_BAD_NAME = Unread("record-stat-error", "the file cannot be examined: its name is not valid UTF-8")


class Directory:
    """A directory held open, so that a name means the same directory throughout a load.

    Where the system cannot open relative to a descriptor (Windows), names are joined to the path. Every
    method raises CorpusUnavailable when something is not any more what it was.
    """

    __slots__ = ("_descriptor", "_path", "_prefix", "_reading")

    def __init__(self, location: Location, reading: Reading) -> None:
        """`reading` is told which file is opened."""
        self._path = location.directory
        self._reading = reading
        self._prefix = "" if _HAS_DIR_FD else os.path.join(location.directory, "")
        self._descriptor = None
        if _HAS_DIR_FD:
            try:
                self._descriptor = os.open(location.directory, READ_DIRECTORY)
            except OSError as error:
                raise _not_opened(error) from None
        if self.signature()[1:3] != location.identity[2:]:
            self.close()
            raise _changed()

    @property
    def handle(self) -> int | str:
        """What `os.scandir` lists."""
        return self._path if self._descriptor is None else self._descriptor

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)

    def signature(self) -> Signature:
        """The directory's own."""
        return _signature(os.stat(self.handle))

    def read(self, listing: Listing, known: Mapping[str, File]) -> dict[str, File]:
        """What each candidate holds now, in one order however the directory lists them.

        A file that still holds the bytes of an earlier load is the object of that load, with the
        signature of that time: `check_unchanged` finds out whether it was touched since.
        """
        files = {}
        names = listing.candidates
        for name in known if names == known.keys() else sorted(names):
            file = known.get(name)
            if file is None or not self._still_holds(name, file.content):
                file = self._read_again(name, file)
            files[name] = file
        for name in listing.undecodable:
            files[name] = known.get(name) or File(_BAD_NAME, self._examine(name))
        return files

    def check_unchanged(self, files: Mapping[str, File], started: int) -> bool:
        """Whether every file is the one that was read, with the bytes that were read.

        False when some were touched since the earlier load, though not changed: they have their new
        signature now, and all files have to be checked once more. Raises CorpusUnavailable.
        """
        untouched = True
        settled = started - _COARSE_TICK_NS
        prefix, descriptor, examine = self._prefix, self._descriptor, os.stat
        for name, file in files.items():
            try:
                status = examine(prefix + name, dir_fd=descriptor, follow_symlinks=False)
            except OSError:
                raise _changed() from None
            signature = file.signature
            if _signature(status) != signature:
                file.signature = self._reread(name, file.content)
                untouched = False
            elif signature[-1] > settled and is_recent(signature, started):
                self._reread(name, file.content)
        return untouched

    def _still_holds(self, name: str, content: Content) -> bool:
        """Whether a candidate, whatever it is now, gives the same bytes; nothing else about it is known."""
        if content.__class__ is not bytes:
            return False
        path = self._reading.file = self._prefix + name
        try:
            descriptor = os.open(path, READ_FILE, dir_fd=self._descriptor)
        except OSError:
            return False
        try:
            return os.read(descriptor, len(content) + 1) == content
        except OSError:
            return False
        finally:
            os.close(descriptor)

    def _read_again(self, name: str, known: File | None) -> File:
        """What a candidate is now: the known file if that is no other, as when it still cannot be read."""
        file = self._read(name)
        if known is None or known.content != file.content:
            return file
        known.signature = file.signature
        return known

    def _reread(self, name: str, content: Content) -> Signature:
        """The signature of a file that has to hold the same still, and to keep still while it is read."""
        if content is _BAD_NAME:
            return self._examine(name)
        file = self._read(name)
        if file.content != content or self._examine(name) != file.signature:
            raise _changed()
        return file.signature

    def _examine(self, name: str) -> Signature:
        """The signature of what has this name now, without following a link."""
        try:
            return _signature(
                os.stat(self._prefix + name, dir_fd=self._descriptor, follow_symlinks=False)
            )
        except OSError:
            raise _changed() from None

    def _read(self, name: str) -> File:
        """A regular file, read in any case."""
        path = self._reading.file = self._prefix + name
        try:
            descriptor = os.open(path, READ_FILE, dir_fd=self._descriptor)
        except OSError as error:
            if error.errno not in _NOT_READABLE:
                raise _changed() from None
            return File(_UNREADABLE, self._examine(name))
        try:
            status = os.fstat(descriptor)
            size = status.st_size
            content: Content = os.read(descriptor, size + 1) if size <= MAX_BYTES else _TOO_LARGE
        except OSError:
            content = _UNREADABLE
        finally:
            os.close(descriptor)
        if not stat.S_ISREG(status.st_mode) or (
            isinstance(content, bytes) and len(content) != size
        ):
            raise _changed()
        return File(content, _signature(status))


def is_recent(signature: Signature, started: int) -> bool:
    """Whether something could have been written again in the tick that its times show."""
    newest = signature[-1]
    tick = _FINE_TICK_NS if newest % _SECOND_NS else _COARSE_TICK_NS
    return newest > started - tick


_NOT_READABLE = (errno.EACCES, errno.EPERM, errno.EIO)
_VANISHED = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)


def _changed() -> CorpusUnavailable:
    return CorpusUnavailable("corpus-changed-during-load")


def _not_opened(error: OSError) -> CorpusUnavailable:
    """A directory that was there a moment ago and cannot be opened."""
    return _changed() if error.errno in _VANISHED else CorpusUnavailable("dir-not-readable")
