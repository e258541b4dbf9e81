"""ECMAScript semantics the contract is defined in: strings in UTF-16 units, and canonical JSON."""

from __future__ import annotations

from .jsontext import dumps, encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: What String.prototype.trim removes: WhiteSpace and LineTerminator of ECMA-262.
WHITE_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
MAX_SAFE_INTEGER = 2**53 - 1


def utf16_length(text: str) -> int:
    """Number of UTF-16 code units, JavaScript's `length`."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def trim(text: str) -> str:
    """String.prototype.trim."""
    return text.strip(WHITE_SPACE)


def normalize(text: str) -> str:
    """The form in which searches compare: trimmed, then NFKC, then lower case."""
    text = trim(text)
    if text.isascii():
        return text.lower()
    from unicodedata import normalize as unicode_normalize

    return unicode_normalize("NFKC", text).lower()


def sort_key(text: str) -> str:
    """A key that sorts strings by UTF-16 code units, as JavaScript compares them: a text of which each
    character is one unit.
    """
    if text.isascii():
        return text
    units = text.encode("utf-16-be", "surrogatepass")
    return "".join(chr(high << 8 | low) for high, low in zip(units[::2], units[1::2]))


def canonical_json(value: Any) -> str:
    """JSON without spaces, keys sorted by UTF-16 units, strings and numbers as JSON.stringify's."""
    return canonical_bytes(value).decode("utf-8")


def canonical_bytes(value: Any) -> bytes:
    """`canonical_json` as the UTF-8 bytes that fingerprints hash."""
    return encode(dumps(value, _sorted_members))


def _sorted_members(value: dict[str, Any]) -> list[tuple[str, Any]]:
    keys = sorted(value) if "".join(value).isascii() else sorted(value, key=sort_key)
    return [(key, value[key]) for key in keys]
