"""Event streams (`text/event-stream`, WHATWG HTML section 9.2), as bytes in pieces cut anywhere."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_BOM = b"\xef\xbb\xbf"


def messages(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The data of each message, as soon as it is whole; comments and other kinds of events are dropped.

    So does the standard with a last message that lacks the blank line after it, as it may be cut short.
    Here it counts: a JSON object that is cut short is no JSON.
    """
    data: list[bytes] = []
    kind = b""
    for line in _lines(pieces):
        field, _, value = line.partition(b":")
        if value.startswith(b" "):
            value = value[1:]
        if field == b"data":
            data.append(value)
        elif field == b"event":
            kind = value
        elif not line:
            if data and kind in (b"", b"message"):
                yield b"\n".join(data)
            data, kind = [], b""


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The lines, ended by LF, CR or CRLF, without the mark at the start; after the last, an empty one."""
    head = _BOM
    for line in _cut(pieces):
        yield line[len(head) :] if line.startswith(head) else line
        head = b""
    yield b""


def _cut(pieces: Iterable[bytes]) -> Iterator[bytes]:
    kept: list[bytes] = []
    after_cr = False
    for piece in pieces:
        if after_cr and piece.startswith(b"\n"):
            piece = piece[1:]
        after_cr = piece.endswith(b"\r")
        *ended, rest = piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for end in ended:
            kept.append(end)
            yield b"".join(kept)
            kept.clear()
        kept.append(rest)
    yield b"".join(kept)
