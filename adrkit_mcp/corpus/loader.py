"""Loading: every call reads every byte of the corpus afresh and proves that it did not change meanwhile.

Only the parsing of byte-identical sources is reused, in memory, and only for files that are still there.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from operator import attrgetter

from .findings import ERROR, finding
from .listing import list_corpus
from .projection import Projection
from .roots import CorpusUnavailable, Reading, displayed, locate
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
    Files = dict[str, tuple[Content, Signature]]

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

#: Two writes within one tick of a file system's clock leave the same times, so files younger than a tick
#: are read a second time at the end of a load. Clocks that tell fractions tick every 10 ms or faster,
#: those that tell whole seconds only every second or two (FAT).
_SECOND_NS = 1_000_000_000
_FINE_TICK_NS = 100_000_000
_COARSE_TICK_NS = 2 * _SECOND_NS


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
    """One corpus directory, to be loaded again for each call; `reading` tells others what is being read."""

    def __init__(self, root: str, directory: str, reading: Reading | None = None) -> None:
        self.reading = Reading() if reading is None else reading
        self._root = root
        self._directory = directory
        self._display = ""
        self._parsed: dict[str, _Parsed] = {}
        self._skipped: list[Finding] = []
        self._projection = Projection([], [], [], 0)

    def check(self) -> None:
        """Raises CorpusUnavailable when root or directory cannot be used; reads no record."""
        locate(self._root, self._directory)

    def load(self) -> Projection:
        """The corpus as it is now. Raises CorpusUnavailable."""
        started = time.time_ns()
        location = locate(self._root, self._directory)
        self.reading.directory = location.directory
        try:
            return self._load(location, started)
        finally:
            self.reading.directory = None

    def _load(self, location: Location, started: int) -> Projection:
        directory = _Directory(location)
        try:
            before = directory.signature()
            listing = self._list(location, directory)
            files = directory.read(listing, self._parsed)
            self._check_place(location, directory, before, listing, started)
            directory.check_unchanged(files, started)
        finally:
            directory.close()
        return self._project(location, listing, files)

    def sources(self) -> dict[str, bytes]:
        """Source path -> bytes of every file that the last load read."""
        return {
            entry.source_path: entry.content
            for entry in self._parsed.values()
            if isinstance(entry.content, bytes)
        }

    def _list(self, location: Location, directory: _Directory) -> Listing:
        try:
            return list_corpus(
                location.directory, directory.handle, location.display, known=self._parsed
            )
        except OSError:
            raise CorpusUnavailable("dir-not-readable") from None

    def _check_place(
        self,
        location: Location,
        directory: _Directory,
        before: Signature,
        listing: Listing,
        started: int,
    ) -> None:
        """Root and directory are still themselves, and hold the same names."""
        if not location.is_unmoved():
            raise CorpusUnavailable("corpus-changed-during-load")
        suspect = directory.signature() != before or _is_recent(before, started)
        if suspect and not self._list(location, directory).is_same(listing):
            raise CorpusUnavailable("corpus-changed-during-load")

    def _project(self, location: Location, listing: Listing, files: Files) -> Projection:
        """The projection of what was read: the previous one when nothing differs from it."""
        known = self._parsed if location.display == self._display else {}
        parsed = {}
        changed = len(files) != len(known) or listing.skipped != self._skipped
        for name, (content, _) in files.items():
            entry = known.get(name)
            if entry is None or entry.content is not content:
                entry = _Parsed(content, location.display + displayed(name))
                changed = True
            parsed[name] = entry
        if changed:
            records = [entry.record for entry in parsed.values() if entry.record is not None]
            findings = [item for entry in parsed.values() for item in entry.findings]
            excluded = len(parsed) - len(records)
            self._projection = Projection(records, findings, listing.skipped, excluded)
        self._display, self._parsed, self._skipped = location.display, parsed, listing.skipped
        return self._projection


def _is_recent(signature: Signature, started: int) -> bool:
    """Whether a file could have been written again in the tick that its times show."""
    newest = signature[-1]
    tick = _FINE_TICK_NS if newest % _SECOND_NS else _COARSE_TICK_NS
    return newest > started - tick


#: What has to stay the same for a file or a directory to count as untouched during a load. The last is
#: when it was last written: where nobody can set that time back (not on Windows), the time of its inode.
_signature = attrgetter(
    "st_mode",
    "st_dev",
    "st_ino",
    "st_size",
    *(("st_ctime_ns", "st_mtime_ns") if os.name == "nt" else ("st_mtime_ns", "st_ctime_ns")),
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

    def read(self, listing: Listing, known: dict[str, _Parsed]) -> Files:
        """What each candidate holds, and its signature; content that is known is given as the known object.

        Raises CorpusUnavailable when one of them is not the file any more that was listed.
        """
        files: Files = {}
        read_file = self._read_file
        for name in listing.candidates:
            content, signature = read_file(name)
            entry = known.get(name)
            if entry is not None and entry.content == content:
                content = entry.content
            files[name] = content, signature
        for name in listing.undecodable:
            files[name] = _BAD_NAME, self._examine(name)
        return files

    def check_unchanged(self, files: Files, started: int) -> None:
        """Every candidate is still the file that was read, with the bytes that were read.

        Raises CorpusUnavailable.
        """
        settled = started - _COARSE_TICK_NS
        prefix, descriptor, examine = self._prefix, self._descriptor, os.stat
        try:
            for name, (content, signature) in files.items():
                status = examine(prefix + name, dir_fd=descriptor, follow_symlinks=False)
                if _signature(status) != signature:
                    raise CorpusUnavailable("corpus-changed-during-load")
                if signature[-1] > settled and not self._holds_still(
                    name, content, signature, started
                ):
                    raise CorpusUnavailable("corpus-changed-during-load")
        except OSError:
            raise CorpusUnavailable("corpus-changed-during-load") from None

    def _holds_still(self, name: str, content: Content, signature: Signature, started: int) -> bool:
        """Whether a young file still has the bytes that were read, where its times could not tell."""
        if content is _BAD_NAME or not _is_recent(signature, started):
            return True
        return self._read_file(name)[0] == content

    def _examine(self, name: str) -> Signature:
        """The signature of what has this name now, without following a link. Raises CorpusUnavailable."""
        try:
            return _signature(
                os.stat(self._prefix + name, dir_fd=self._descriptor, follow_symlinks=False)
            )
        except OSError:
            raise CorpusUnavailable("corpus-changed-during-load") from None

    def _read_file(self, name: str) -> tuple[Content, Signature]:
        """A regular file's content and signature. Raises CorpusUnavailable when it is none any more."""
        try:
            descriptor = os.open(self._prefix + name, _READ_FILE, dir_fd=self._descriptor)
        except OSError as error:
            return self._not_opened(name, error)
        try:
            status = os.fstat(descriptor)
            size = status.st_size
            content: Content = os.read(descriptor, size + 1) if size <= MAX_BYTES else _TOO_LARGE
        except OSError:
            content = _UNREADABLE
        finally:
            os.close(descriptor)
        if content.__class__ is bytes and len(content) != size:
            raise CorpusUnavailable("corpus-changed-during-load")
        if not stat.S_ISREG(status.st_mode):
            raise CorpusUnavailable("corpus-changed-during-load")
        return content, _signature(status)

    def _not_opened(self, name: str, error: OSError) -> tuple[Content, Signature]:
        """A file that may not be read is a finding; one that is gone or is no file any more, a change."""
        if error.errno not in (errno.EACCES, errno.EPERM, errno.EIO):
            raise CorpusUnavailable("corpus-changed-during-load") from None
        return _UNREADABLE, self._examine(name)


def _unavailable(error: OSError, otherwise: str) -> CorpusUnavailable:
    """A directory that was there a moment ago and cannot be opened."""
    vanished = error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)
    return CorpusUnavailable("corpus-changed-during-load" if vanished else otherwise)
