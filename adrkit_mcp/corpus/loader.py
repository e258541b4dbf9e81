"""Loading: every call reads every byte of the corpus afresh and proves that it did not change meanwhile.

Only the parsing of byte-identical sources is reused, in memory, and only for files that are still there.
"""

from __future__ import annotations

import time

from .directory import Directory, File, Unread, is_recent
from .findings import ERROR, finding
from .listing import list_corpus
from .projection import Projection
from .roots import CorpusUnavailable, Reading, displayed, locate
from .source import read_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .directory import Signature
    from .findings import Finding
    from .listing import Listing
    from .record import Record
    from .roots import Location


class _Parsed(File):
    """A file, and the record or the findings that it made."""

    __slots__ = ("findings", "record", "source_path")

    def __init__(self, file: File, source_path: str) -> None:
        content = file.content
        super().__init__(content, file.signature)
        self.source_path = source_path
        self.record: Record | None = None
        self.findings: list[Finding]
        if isinstance(content, Unread):
            self.findings = [finding(content.rule, ERROR, content.message, source_path)]
        else:
            self.record, self.findings = read_record(content, source_path)


class Corpus:
    """One corpus directory, to be loaded again for each call; `reading` tells others what is being read."""

    def __init__(self, root: str, directory: str, reading: Reading | None = None) -> None:
        self.reading = Reading() if reading is None else reading
        self._root = root
        self._directory = directory
        self._display: str
        self._parsed: dict[str, _Parsed]
        self._skipped: list[Finding]
        self._projection: Projection
        self._forget("")

    def check(self) -> None:
        """Raises CorpusUnavailable when root or directory cannot be used; reads no record."""
        locate(self._root, self._directory)

    def load(self) -> Projection:
        """The corpus as it is now. Raises CorpusUnavailable."""
        started = time.time_ns()
        location = locate(self._root, self._directory)
        if location.display != self._display:
            self._forget(location.display)
        self.reading.directory = location.directory
        try:
            listing, files = self._read(location, started)
        finally:
            self.reading.end()
        return self._project(listing, files)

    def sources(self) -> dict[str, bytes]:
        """Source path -> bytes of every file that the last load read."""
        return {
            entry.source_path: entry.content
            for entry in self._parsed.values()
            if isinstance(entry.content, bytes)
        }

    def _forget(self, display: str) -> None:
        """Start anew: records are named otherwise now."""
        self._display, self._parsed, self._skipped = display, {}, []
        self._projection = Projection([], [], [], 0)

    def _read(self, location: Location, started: int) -> tuple[Listing, dict[str, File]]:
        directory = Directory(location, self.reading)
        try:
            before = directory.signature()
            listing = self._list(location, directory)
            files = directory.read(listing, self._parsed)
            untouched = directory.check_unchanged(files, started)
            self._check_place(location, directory, before, listing, started)
            # What was read again was read later than the rest: all have to keep still once more.
            if not untouched and not directory.check_unchanged(files, started):
                raise CorpusUnavailable("corpus-changed-during-load")
        finally:
            directory.close()
        return listing, files

    def _list(self, location: Location, directory: Directory) -> Listing:
        try:
            return list_corpus(directory.handle, location.display, known=self._parsed)
        except OSError:
            raise CorpusUnavailable("dir-not-readable") from None

    def _check_place(
        self,
        location: Location,
        directory: Directory,
        before: Signature,
        listing: Listing,
        started: int,
    ) -> None:
        """Root and directory are still themselves, and hold the same names."""
        suspect = directory.signature() != before or is_recent(before, started)
        if not location.is_unmoved() or (
            suspect and not self._list(location, directory).is_same(listing)
        ):
            raise CorpusUnavailable("corpus-changed-during-load")

    def _project(self, listing: Listing, files: dict[str, File]) -> Projection:
        """The projection of what was read: the previous one when nothing differs from it."""
        # Files compare by identity: those that did not change are the objects of the last load.
        if files == self._parsed and listing.skipped == self._skipped:
            return self._projection
        parsed = {
            name: file
            if isinstance(file, _Parsed)
            else _Parsed(file, self._display + displayed(name))
            for name, file in files.items()
        }
        self._parsed, self._skipped = parsed, listing.skipped
        records = [entry.record for entry in parsed.values() if entry.record is not None]
        findings = [item for entry in parsed.values() for item in entry.findings]
        excluded = len(parsed) - len(records)
        self._projection = Projection(records, findings, listing.skipped, excluded)
        return self._projection
