"""Markdown in and below the corpus directory that is no candidate for a record: a finding for each."""

from __future__ import annotations

import errno
import os

from .findings import WARN, finding
from .listing import TEMPLATE
from .roots import READ_DIRECTORY, displayed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .findings import Finding

# How deep Markdown in subfolders is looked for, to say that it is not read.
_MAX_DEPTH = 8

_CONVENTIONAL = frozenset(("readme.md", "index.md", "contributing.md", "template.md"))
_MARKDOWN = (".md", ".markdown")
_BAD_NAME = "its name is not digits, a hyphen, a title and .md: name it like 0007-use-postgres.md"
_NO_FILE = "it is a link, a folder or a device: put the file itself here"
_LOCKED = (
    "this folder cannot be read, and what Markdown it holds is not known: check its permissions"
)
_TOO_DEEP = "it lies in a subfolder: move it up to be read"


def skipped_findings(
    handle: int | str, others: Iterable[os.DirEntry[str]], display: str
) -> list[Finding]:
    """Findings by path, for the entries of a directory that are no candidates. Raises OSError."""
    skipped = []
    for entry in others:
        name = displayed(entry.name)
        if _is_markdown(name):
            why = _BAD_NAME if entry.is_file(follow_symlinks=False) else _NO_FILE
            skipped.append(_skipped(display + name, why))
        if _is_walked(name, entry):
            skipped += _findings_below(handle, entry.name, display, _MAX_DEPTH - 1)
    skipped.sort(key=lambda item: str(item["path"]))
    return skipped


def _skipped(path: str, why: str) -> Finding:
    return finding(
        "corpus-file-skipped", WARN, "this Markdown is not read as a record: " + why, path
    )


def _is_markdown(name: str) -> bool:
    """Whether a name is Markdown that people may take for a record."""
    lower = name.lower()
    conventional = lower in _CONVENTIONAL or name == TEMPLATE or name.startswith(".")
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
