"""What the tools' arguments have in common: pages and repository paths."""

from __future__ import annotations

from ..schema import Form, Integer, Object, Text, defaulted, optional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..schema import Field

_LIMIT = Integer(1, 100)


class _Cursor(Text):
    """A text that pages hand out; null and numbers, which models invent for a first page, are none."""

    expected = "the text that the last answer gave, or no such argument for the first page"


_CURSOR = _Cursor(maximum=4096)


def with_pages(fields: dict[str, Field]) -> Object:
    """The declaration of a tool's arguments: its own fields, then those that every tool has."""
    return Object({
        **fields,
        "cursor": optional(_CURSOR, "From the last answer, for the next page."),
        "limit": defaulted(_LIMIT, 20, "Items a page.", "20"),
        "findingsCursor": optional(_CURSOR, "Like cursor, for findings."),
        "findingsLimit": defaulted(_LIMIT, 20, "Findings a page.", "20"),
    })  # fmt: skip


def repository_path() -> Text:
    """A path relative to the repository, in POSIX spelling."""
    expected = "a path relative to the repository, with forward slashes and without .."
    return Text(1, 1024, Form(_is_repository_path, expected))


def _is_repository_path(text: str) -> bool:
    drive = text[1:2] == ":" and text[0].isascii() and text[0].isalpha()
    return not (text.startswith("/") or drive or "\\" in text or ".." in text.split("/"))
