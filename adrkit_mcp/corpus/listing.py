"""What lies in the corpus directory: candidates for records, and Markdown that is none."""

from __future__ import annotations

import os
import re

from .roots import displayed, is_utf8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

    from .findings import Finding

_RECORD_NAME = re.compile("[0-9]{4,}-[^\n\r]+\\.md")
TEMPLATE = "0000-template.md"


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
    if not others:
        return Listing(candidates, undecodable, [])
    from .skipped import skipped_findings

    return Listing(candidates, undecodable, skipped_findings(handle, others, display))


def _is_record(name: str) -> bool:
    text = displayed(name)
    return (
        _RECORD_NAME.fullmatch(text) is not None
        and text != TEMPLATE
        # Like LF and CR, no character that JavaScript's `.` matches (ECMA-262 LineTerminator).
        and "\u2028" not in text
        and "\u2029" not in text
    )
