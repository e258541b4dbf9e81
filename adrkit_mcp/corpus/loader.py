"""Loading: every call reads every byte of the corpus afresh and proves that it did not change meanwhile.

Only the parsing of byte-identical sources is reused, in memory, and only for files that are still there.
"""

from __future__ import annotations

import errno
import os
import stat
import time

from .findings import ERROR, finding
from .listing import list_corpus
from .projection import Projection
from .roots import CorpusUnavailable, locate
from .source import MAX_BYTES, read_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Union

    from .findings import Finding
    from .listing import Listing
    from .record import Record
    from .roots import Location

    Signature = tuple[int, ...]
    Content = Union[bytes, "_Unread"]

_READ = (
    os.O_RDONLY
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOFOLLOW", 0)
)
_READ_FILE = _READ | getattr(os, "O_NONBLOCK", 0)
_READ_DIRECTORY = _READ | getattr(os, "O_DIRECTORY", 0)
_HAS_DIR_FD = (
    os.open in os.supports_dir_fd and os.stat in os.supports_dir_fd and os.scandir in os.supports_fd
)

#: Two writes within one tick of a file system's clock leave the same times. Files younger than the
#: coarsest such clock (FAT: 2 s) are therefore read a second time at the end of a load.
_COARSEST_TICK_NS = 2_000_000_000


class _Unread:
    """Why a candidate was not read; stands in the place of its bytes."""

    __slots__ = ("message", "rule")

    def __init__(self, rule: str, message: str) -> None:
        self.rule = rule
        self.message = message


_TOO_LARGE = _Unread(
    "record-too-large", "the file is larger than 64 KiB (65,536 bytes) and was not read: shorten it"
)
_UNREADABLE = _Unread("file-read", "the file cannot be read: check its permissions")
_BAD_NAME = _Unread("record-stat-error", "the file cannot be examined: its name is not valid UTF-8")


class _Parsed:
    """What a file held when it was last read, and the record or the findings it made."""

    __slots__ = ("content", "findings", "record", "source_path")

    def __init__(self, content: Content, source_path: str) -> None:
        self.source_path = source_path
        self.content = content
        self.record: Record | None = None
        self.findings: list[Finding]
        if isinstance(content, _Unread):
            self.findings = [finding(content.rule, ERROR, content.message, source_path)]
        else:
            self.record, self.findings = read_record(content, source_path)


class Corpus:
    """One corpus directory, to be loaded again for each call."""

    def __init__(self, root: str, directory: str) -> None:
        self._root = root
        self._directory = directory
        self._display = ""
        self._parsed: dict[str, _Parsed] = {}
        self._skipped: list[Finding] = []
        self._projection = Projection([], [], 0)

    def check(self) -> None:
        """Raises CorpusUnavailable when root or directory cannot be used; reads no record."""
        locate(self._root, self._directory)

    def load(self) -> Projection:
        """The corpus as it is now. Raises CorpusUnavailable."""
        started = time.time_ns()
        location = locate(self._root, self._directory)
        directory = _Directory(location)
        try:
            before = directory.signature()
            listing = _list(location, directory)
            parsed, signatures = self._read(location, directory, listing)
            self._check_place(location, directory, before, listing, started)
            _check_files(directory, signatures, parsed, started)
        finally:
            directory.close()
        return self._project(location, listing, parsed)

    def sources(self) -> dict[str, bytes]:
        """Source path -> bytes of every file that the last load read."""
        return {
            entry.source_path: entry.content
            for entry in self._parsed.values()
            if isinstance(entry.content, bytes)
        }

    def _read(
        self, location: Location, directory: _Directory, listing: Listing
    ) -> tuple[dict[str, _Parsed], dict[str, Signature]]:
        known = self._parsed if location.display == self._display else {}
        parsed = {}
        signatures = {}
        for name, text in listing.candidates.items():
            content, signatures[name] = directory.read(name)
            previous = known.get(name)
            if previous is None or previous.content != content:
                previous = _Parsed(content, location.display + text)
            parsed[name] = previous
        return parsed, signatures

    def _check_place(
        self,
        location: Location,
        directory: _Directory,
        before: Signature,
        listing: Listing,
        started: int,
    ) -> None:
        """Root and directory are still themselves, and hold the same names."""
        if not locate(self._root, self._directory).is_same(location):
            raise CorpusUnavailable("corpus-changed-during-load")
        suspect = directory.signature() != before or _is_recent(before, started)
        if suspect and _list(location, directory) != listing:
            raise CorpusUnavailable("corpus-changed-during-load")

    def _project(
        self, location: Location, listing: Listing, parsed: dict[str, _Parsed]
    ) -> Projection:
        """The projection of what was read: the previous one when nothing differs from it."""
        same = parsed == self._parsed and listing.skipped == self._skipped
        if not same or location.display != self._display:
            records = [entry.record for entry in parsed.values() if entry.record is not None]
            findings = [
                item for entry in parsed.values() for item in entry.findings
            ] + listing.skipped
            self._projection = Projection(records, findings, len(parsed) - len(records))
        self._display, self._parsed, self._skipped = location.display, parsed, listing.skipped
        return self._projection


def _list(location: Location, directory: _Directory) -> Listing:
    try:
        return list_corpus(location.directory, directory.handle, location.display)
    except OSError:
        raise CorpusUnavailable("dir-not-readable") from None


def _check_files(
    directory: _Directory,
    signatures: dict[str, Signature],
    parsed: dict[str, _Parsed],
    started: int,
) -> None:
    """Every record is still the file that was read, with the bytes that were read."""
    for name, signature in signatures.items():
        if directory.signature_of(name) != signature:
            raise CorpusUnavailable("corpus-changed-during-load")
        if _is_recent(signature, started) and directory.read(name)[0] != parsed[name].content:
            raise CorpusUnavailable("corpus-changed-during-load")


def _is_recent(signature: Signature, started: int) -> bool:
    return max(signature[-2:]) > started - _COARSEST_TICK_NS


def _signature(status: os.stat_result) -> Signature:
    """Type, containment, device, inode, size and times; a file that keeps them was not touched."""
    return (
        status.st_mode,
        status.st_dev,
        status.st_ino,
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
    )


class _Directory:
    """The corpus directory held open, so that a name means the same directory throughout a load.

    Where the system cannot open relative to a descriptor (Windows), names are joined to the path.
    """

    __slots__ = ("_descriptor", "_path", "_prefix")

    def __init__(self, location: Location) -> None:
        self._path = location.directory
        self._prefix = "" if _HAS_DIR_FD else os.path.join(location.directory, "")
        self._descriptor = None
        if _HAS_DIR_FD:
            try:
                self._descriptor = os.open(location.directory, _READ_DIRECTORY)
            except OSError as error:
                raise _unavailable(error, "dir-not-readable") from None
        if self.signature()[1:3] != location.identity[2:]:
            self.close()
            raise CorpusUnavailable("corpus-changed-during-load")

    @property
    def handle(self) -> int | str:
        return self._path if self._descriptor is None else self._descriptor

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)

    def signature(self) -> Signature:
        """The directory's own."""
        return _signature(os.stat(self.handle))

    def signature_of(self, name: str) -> Signature:
        """A file's, without following a link; empty when it is gone."""
        try:
            return _signature(
                os.stat(self._prefix + name, dir_fd=self._descriptor, follow_symlinks=False)
            )
        except OSError:
            return ()

    def read(self, name: str) -> tuple[Content, Signature]:
        """What a candidate holds, and its signature. Raises CorpusUnavailable when it is no file any more."""
        if not _is_utf8(name):
            return _BAD_NAME, self.signature_of(name)
        try:
            descriptor = os.open(self._prefix + name, _READ_FILE, dir_fd=self._descriptor)
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EPERM, errno.EIO):
                raise CorpusUnavailable("corpus-changed-during-load") from None
            return _UNREADABLE, self.signature_of(name)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise CorpusUnavailable("corpus-changed-during-load")
            if status.st_size > MAX_BYTES:
                return _TOO_LARGE, _signature(status)
            content = os.read(descriptor, status.st_size + 1)
        except OSError:
            return _UNREADABLE, self.signature_of(name)
        finally:
            os.close(descriptor)
        if len(content) != status.st_size:
            raise CorpusUnavailable("corpus-changed-during-load")
        return content, _signature(status)


def _is_utf8(name: str) -> bool:
    if name.isascii():
        return True
    try:
        os.fsencode(name).decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _unavailable(error: OSError, otherwise: str) -> CorpusUnavailable:
    """A directory that was there a moment ago and cannot be opened."""
    vanished = error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)
    return CorpusUnavailable("corpus-changed-during-load" if vanished else otherwise)
