"""Cursors: opaque, versioned, bound to the corpus, to the channel and to the shape of the request.

A cursor is base64url without padding of the compact JSON `{"v","scope","fp","qh","offset"}`; reading is as
lenient as the peer's (contract notes, section 7), writing is exact.
"""

from __future__ import annotations

import sys
from binascii import a2b_base64, b2a_base64
from itertools import islice

from ..digest import sha256
from ..ecma import MAX_SAFE_INTEGER
from ..jsontext import JsonError, dumps, encode, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Callable

_VERSION = 1
_KEYS = frozenset(("v", "scope", "fp", "qh", "offset"))
_ALPHABET = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
_URL_SAFE = bytes.maketrans(b"-_", b"+/")

#: Characters of a page. With all escapes and its copy as text, an answer stays below 10 MiB, above which
#: clients hang up, and a usual one far below.
PAGE_SIZE = 200_000

_ADVICE = "omit the cursor to start from the first page"
MESSAGES = {
    "decode-failed": "this is no cursor that a page returned: " + _ADVICE,
    "version-unsupported": "the cursor comes from another version of this server: " + _ADVICE,
    "wrong-channel": "the cursor belongs to another tool or to the other list of this one: "
    + _ADVICE,
    "corpus-changed": "the corpus changed since the cursor was made: " + _ADVICE,
    "query-mismatch": "the cursor belongs to other arguments: repeat those, or " + _ADVICE,
    "cursor-not-applicable": "this outcome has no pages: omit the cursor",
    "offset-out-of-range": "the cursor points behind the last item: " + _ADVICE,
}


class InvalidCursor(Exception):
    """A cursor that cannot be used; `reason` is one of MESSAGES."""

    def __init__(self, reason: str) -> None:
        super().__init__(MESSAGES[reason])
        self.reason = reason


def _weightless(item: Any) -> int:
    return 0


class Page:
    """`items`; `cursor`, of the next page or None; `seen`, how many items of the list are known so far: all
    of them when there is no next page.
    """

    __slots__ = ("cursor", "items", "seen")

    def __init__(self, items: list[Any], cursor: str | None, seen: int) -> None:
        self.items = items
        self.cursor = cursor
        self.seen = seen


class Channel:
    """One list that is read in pages: its scope, what its request looked like, the page asked for."""

    __slots__ = ("_shape", "cursor", "limit", "scope")

    def __init__(self, scope: str, shape: list[Any], limit: int, cursor: str | None) -> None:
        self.scope = scope
        self.limit = limit
        self.cursor = cursor
        self._shape = shape

    def page(
        self, items: Iterable[Any], fingerprint: str, weigh: Callable[[Any], int] = _weightless
    ) -> Page:
        """The page asked for, of items that are taken only as far as it needs. Raises InvalidCursor.

        `weigh` tells about how many characters an item is. A page holds fewer items than asked for when
        they are very large, but at least one.
        """
        offset = 0
        if self.cursor is not None:
            offset = self._checked_offset(self.cursor, fingerprint)
        start = min(offset, sys.maxsize - self.limit - 1)  # as far as `islice` counts
        found = list(islice(items, start, start + self.limit + 1))
        if offset and not found:
            raise InvalidCursor("offset-out-of-range")
        shown = found[: _fitting(found[: self.limit], weigh)]
        more = len(shown) < len(found)
        cursor = self._write(fingerprint, offset + len(shown)) if more else None
        return Page(shown, cursor, offset + len(found))

    def refuse(self, fingerprint: str) -> None:
        """For an outcome that has no such list. Raises InvalidCursor when a cursor was given all the same."""
        if self.cursor is not None:
            self._checked_offset(self.cursor, fingerprint)
            raise InvalidCursor("cursor-not-applicable")

    def _checked_offset(self, cursor: str, fingerprint: str) -> int:
        payload = _read(cursor)
        if payload["v"] != _VERSION:
            raise InvalidCursor("version-unsupported")
        if payload["scope"] != self.scope:
            raise InvalidCursor("wrong-channel")
        if payload["fp"] != fingerprint:
            raise InvalidCursor("corpus-changed")
        if payload["qh"] != self._query_hash():
            raise InvalidCursor("query-mismatch")
        return int(payload["offset"])

    def _query_hash(self) -> str:
        return sha256(encode(dumps(self._shape))).hexdigest()

    def _write(self, fingerprint: str, offset: int) -> str:
        payload = {
            "v": _VERSION,
            "scope": self.scope,
            "fp": fingerprint,
            "qh": self._query_hash(),
            "offset": offset,
        }
        text = b2a_base64(encode(dumps(payload)), newline=False).decode("ascii")
        return text.rstrip("=").replace("+", "-").replace("/", "_")


def _fitting(items: list[Any], weigh: Callable[[Any], int]) -> int:
    """How many of the first items fit on a page, at least one if there are any."""
    room = PAGE_SIZE
    for count, item in enumerate(items):
        room -= weigh(item)
        if room < 0 and count:
            return count
    return len(items)


def _read(cursor: str) -> dict[str, Any]:
    """The payload, its key set and types checked. Raises InvalidCursor("decode-failed")."""
    try:
        payload = loads(_decode_base64(cursor).decode("utf-8", "replace"))
    except JsonError:
        raise InvalidCursor("decode-failed") from None
    if not isinstance(payload, dict) or payload.keys() != _KEYS or not _has_right_types(payload):
        raise InvalidCursor("decode-failed")
    return payload


def _has_right_types(payload: dict[str, Any]) -> bool:
    texts = all(isinstance(payload[key], str) for key in ("scope", "fp", "qh"))
    offset = payload["offset"]
    return texts and _is_number(payload["v"]) and _is_number(offset) and _is_offset(offset)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_offset(value: float) -> bool:
    return 1 <= value <= MAX_SAFE_INTEGER and value == int(value)


def _decode_base64(text: str) -> bytes:
    """Both alphabets; ends at the first `=`; other characters and bits left over count for nothing.

    A UTF-16 unit above 00FF counts as its low byte, as in a JavaScript string written as Latin-1.
    """
    octets = text.encode("utf-16-le", "surrogatepass")[::2].partition(b"=")[0]
    digits = bytes(filter(_ALPHABET.__contains__, octets.translate(_URL_SAFE)))
    if len(digits) % 4 == 1:
        digits = digits[:-1]
    return a2b_base64(digits + b"=" * (-len(digits) % 4))
