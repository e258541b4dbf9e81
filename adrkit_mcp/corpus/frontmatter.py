"""The frontmatter of a Markdown file: what its first two fence lines enclose, and where the body starts."""

from __future__ import annotations

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_UTF_16_MARKS = (b"\xff\xfe", b"\xfe\xff", b"-\0", b"\0-")


class FenceError(ValueError):
    """The first line is no fence, or no later line closes it."""


def split(source: bytes) -> tuple[bytes, int]:
    """(the lines between the fences, the offset at which the body starts).

    A fence line is `---` with at most one CR before its LF; lines end at LF only, and the first line
    that is a fence closes (contract notes, section 2). Raises FenceError.
    """
    start = _after_fence(source, 0)
    if start is None:
        raise FenceError(_why_missing(source))
    line = start
    while True:
        body = _after_fence(source, line)
        if body is not None:
            return source[start:line], body
        line = source.find(b"\n---", line) + 1
        if not line:
            raise FenceError("the frontmatter is not closed: no later line is exactly ---")


def _after_fence(source: bytes, line: int) -> int | None:
    """The offset behind the fence line that starts at `line`; None if that line is no fence."""
    if not source.startswith(b"---", line):
        return None
    end = line + 3
    if source.startswith(b"\r", end):
        end += 1
    if source.startswith(b"\n", end):
        return end + 1
    return end if end == len(source) else None


def _why_missing(source: bytes) -> str:
    if not source:
        return "the file is empty: a record starts with a line --- and YAML frontmatter"
    if source.startswith(_BYTE_ORDER_MARK):
        return "the file starts with a UTF-8 byte order mark (BOM) before its first ---: save it without BOM"
    if source.startswith(_UTF_16_MARKS):
        return "the file is not UTF-8 but UTF-16: save it as UTF-8 without BOM"
    if source.startswith(b"---"):
        return "the first line is not exactly ---: remove what follows the dashes"
    if source.lstrip().startswith(b"---"):
        return "the first line is not exactly ---: remove the blank lines or spaces before it"
    return "no frontmatter: the first line must be exactly ---, then YAML (id, title, status, date), then ---"
