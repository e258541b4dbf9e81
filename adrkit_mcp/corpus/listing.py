"""What lies in the corpus directory: candidates for records, and Markdown that is none."""

from __future__ import annotations

import errno
import os
import re

from .findings import WARN, finding
from .roots import READ_DIRECTORY, displayed, is_utf8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from .findings import Finding

#: How deep Markdown in subfolders is looked for, to say that it is not read.
MAX_DEPTH = 8

# JavaScript's `.` matches no LF, CR, U+2028 or U+2029 (ECMA-262 LineTerminator).
_RECORD_NAME = re.compile("[0-9]{4,}-[^\n\r\u2028\u2029]+\\.md")
_TEMPLATE = "0000-template.md"
_CONVENTIONAL = frozenset(("readme.md", "index.md", "contributing.md", "template.md"))
_MARKDOWN = (".md", ".markdown")


class Listing:
    """`candidates` and `undecodable` (names that are not UTF-8): file names that are names of records;
    `skipped`: findings for Markdown that is no candidate.
    """

    __slots__ = ("candidates", "skipped", "undecodable")

    def __init__(self, candidates: set[str], undecodable: set[str], skipped: list[Finding]) -> None:
        self.candidates = candidates
        self.undecodable = undecodable
        self.skipped = skipped

    def is_same(self, other: Listing) -> bool:
        return (self.candidates, self.undecodable, self.skipped) == (
            other.candidates,
            other.undecodable,
            other.skipped,
        )


def list_corpus(handle: int | str, display: str, known: Container[str]) -> Listing:
    """What lies in a directory, given by its descriptor or path; `display` stands before names in findings.

    Names that are `known` are names of records, which need not be tried again. Raises OSError.
    """
    candidates = set()
    undecodable = set()
    others = []
    with os.scandir(handle) as entries:
        for entry in entries:
            name = entry.name
            if not (name in known or _is_record(name)) or not entry.is_file(follow_symlinks=False):
                others.append(entry)
            elif name.isascii() or is_utf8(name):
                candidates.add(name)
            else:
                undecodable.add(name)
    skipped = []
    for entry in others:
        name = displayed(entry.name)
        if _is_markdown(name):
            why = _BAD_NAME if entry.is_file(follow_symlinks=False) else _NO_FILE
            skipped.append(_skipped(display + name, why))
        if _is_walked(name, entry):
            skipped += _findings_below(handle, entry.name, display, MAX_DEPTH - 1)
    skipped.sort(key=lambda item: str(item["path"]))
    return Listing(candidates, undecodable, skipped)


_BAD_NAME = "its name is not digits, a hyphen, a title and .md: name it like 0007-use-postgres.md"
_NO_FILE = "it is a link, a folder or a device: put the file itself here"
_LOCKED = (
    "this folder cannot be read, and what Markdown it holds is not known: check its permissions"
)
_TOO_DEEP = "it lies in a subfolder: move it up to be read"


def _skipped(path: str, why: str) -> Finding:
    return finding(
        "corpus-file-skipped", WARN, "this Markdown is not read as a record: " + why, path
    )


def _is_record(name: str) -> bool:
    text = displayed(name)
    return _RECORD_NAME.fullmatch(text) is not None and text != _TEMPLATE


def _is_markdown(name: str) -> bool:
    """Whether a name is Markdown that people may take for a record."""
    lower = name.lower()
    conventional = lower in _CONVENTIONAL or name == _TEMPLATE or name.startswith(".")
    return lower.endswith(_MARKDOWN) and not conventional


def _is_walked(name: str, entry: os.DirEntry[str]) -> bool:
    """Whether Markdown is looked for below an entry: in folders, not through links, not in dot folders."""
    return not name.startswith(".") and entry.is_dir(follow_symlinks=False)


def _findings_below(parent: int | str, folder: str, display: str, depth: int) -> Iterator[Finding]:
    """Findings for Markdown in a folder of `parent` and `depth` levels below, and for locked folders."""
    path = display + displayed(folder)
    try:
        handle = _opened(parent, folder)
    except OSError as error:
        # What is gone, or a link now, was put away meanwhile; what may not be read is told.
        if error.errno in (errno.EACCES, errno.EPERM):
            yield _locked(path)
        return
    try:
        with os.scandir(handle) as entries:
            found = list(entries)
        for entry in found:
            name = displayed(entry.name)
            if _is_markdown(name):
                yield _skipped(path + "/" + name, _TOO_DEEP)
            if depth and _is_walked(name, entry):
                yield from _findings_below(handle, entry.name, path + "/", depth - 1)
    except OSError:
        yield _locked(path)
    finally:
        if isinstance(handle, int):
            os.close(handle)


def _locked(path: str) -> Finding:
    return finding("corpus-file-skipped", WARN, _LOCKED, path)


def _opened(parent: int | str, folder: str) -> int | str:
    """A folder by its descriptor or path, as its parent; a link that took its place is not followed."""
    if isinstance(parent, str):
        return os.path.join(parent, folder)
    return os.open(folder, READ_DIRECTORY, dir_fd=parent)
