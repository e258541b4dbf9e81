"""Whether a text is an absolute URL: the WHATWG URL Standard's parser without a base, as a check.

Only what can make that parser fail is looked at: scheme, host and port. User names, paths, queries
and fragments never do. In domains beyond ASCII, Unicode's NFKC and general categories stand in for
the tables of UTS 46, and the bidi rule is not checked.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Callable

_C0_CONTROLS_AND_SPACE = "".join(map(chr, range(0x21)))
_SPECIAL_SCHEMES = frozenset(("ftp", "http", "https", "ws", "wss"))  # `file` has rules of its own
_RADIXES = (16, 8, 10)
_INVALID_CATEGORIES = frozenset(("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"))
#: Longer ones are no host names (253 octets), and to normalize or decode them takes quadratic time.
_MAX_INTERNATIONAL_DOMAIN = 1024
_IGNORED_IN_DOMAIN = "[\xad\u034f\u180b-\u180d\u180f\u200b\u2060\u2064\ufe00-\ufe0f\ufeff]"
_BYTE = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"

_tab_or_newline = re.compile("[\t\n\r]")
_scheme = re.compile("([A-Za-z][A-Za-z0-9+.-]*):")
_special_authority = re.compile(r"[/\\]*([^/\\?#]*)")
_opaque_authority = re.compile("//([^/?#]+)")
_file_host = re.compile(r"[/\\]{2}([^/\\?#]+)")
_drive_letter = re.compile("[A-Za-z][:|]")
_host_and_port = re.compile(r"(\[[^\]]*\]|[^:\[]+)(?::([0-9]*))?")
_forbidden_in_host = re.compile(r"[\0\t\n\r #/:<>?@\[\\\]^|]")
_forbidden_in_domain = re.compile(r"[\0-\x20\x7f#%/:<>?@\[\\\]^|]")
_escaped_byte = re.compile(b"%([0-9A-Fa-f]{2})")
# One group for each of _RADIXES.
_ipv4_number = re.compile("0[xX]([0-9A-Fa-f]*)|0([0-7]+)|(0|[1-9][0-9]*)")
_ipv4_in_ipv6 = re.compile(rf"{_BYTE}(?:\.{_BYTE}){{3}}")
_ipv6_piece = re.compile("[0-9A-Fa-f]{1,4}")


def is_absolute_url(text: str) -> bool:
    """Whether JavaScript's `new URL(text)` succeeds."""
    text = _tab_or_newline.sub("", text.strip(_C0_CONTROLS_AND_SPACE))
    match = _scheme.match(text)
    if not match:
        return False
    scheme, start = match.group(1).lower(), match.end()
    if scheme == "file":
        host = _file_host.match(text, start)
        return host is None or _is_file_host(host.group(1))
    if scheme in _SPECIAL_SCHEMES:
        authority = _special_authority.match(text, start)
        return authority is not None and _is_authority(authority.group(1), _is_domain)
    authority = _opaque_authority.match(text, start)
    return authority is None or _is_authority(authority.group(1), _is_opaque_host)


def _is_authority(text: str, is_name: Callable[[str], bool]) -> bool:
    match = _host_and_port.fullmatch(text.rpartition("@")[2])
    if not match:
        return False
    host, port = match.group(1), (match.group(2) or "").lstrip("0")
    return _is_host(host, is_name) and len(port) <= 5 and int(port or "0") <= 65535


def _is_file_host(text: str) -> bool:
    """A drive letter stands for the path that it begins."""
    return _drive_letter.fullmatch(text) is not None or _is_host(text, _is_domain)


def _is_host(text: str, is_name: Callable[[str], bool]) -> bool:
    if text.startswith("["):
        return text.endswith("]") and _is_ipv6(text[1:-1])
    return is_name(text)


def _is_opaque_host(text: str) -> bool:
    return not _forbidden_in_host.search(text)


def _is_domain(text: str) -> bool:
    if "%" in text:
        text = _percent_decoded(text)
    if not text.isascii() or "xn--" in text.lower():
        text = _international(text)
    if not text or _forbidden_in_domain.search(text):
        return False
    labels = text.split(".")
    if len(labels) > 1 and not labels[-1]:
        labels.pop()
    return _is_ipv4(labels) if _is_numeric(labels[-1]) else True


def _percent_decoded(text: str) -> str:
    encoded = text.encode("utf-8", "replace")
    decoded = _escaped_byte.sub(lambda match: bytes((int(match.group(1), 16),)), encoded)
    return decoded.decode("utf-8", "replace")


def _is_numeric(label: str) -> bool:
    """Whether the standard takes a domain that ends in this label for an IPv4 address, right or wrong."""
    return (label.isascii() and label.isdigit()) or _ipv4_number.fullmatch(label) is not None


def _is_ipv4(labels: list[str]) -> bool:
    if len(labels) > 4:
        return False
    numbers = []
    for label in labels:
        match = _ipv4_number.fullmatch(label)
        if not match:
            return False
        group = match.lastindex or 0
        # Twelve digits are more than any address in every radix.
        numbers.append(int(match.group(group).lstrip("0")[:12] or "0", _RADIXES[group - 1]))
    *bytes_before, last = numbers
    return all(number < 256 for number in bytes_before) and last < 256 ** (5 - len(numbers))


def _is_ipv6(text: str) -> bool:
    head, compressed, tail = text.partition("::")
    pieces = [piece for part in (head, tail) if part for piece in part.split(":")]
    if not text.endswith(":") and _ipv4_in_ipv6.fullmatch(pieces[-1] if pieces else ""):
        pieces[-1:] = ["0", "0"]
    if not all(map(_ipv6_piece.fullmatch, pieces)):
        return False
    return len(pieces) < 8 if compressed else len(pieces) == 8


def _international(domain: str) -> str:
    """The domain as UTS 46 maps it; empty when that leaves nothing or a label is not valid."""
    if len(domain) > _MAX_INTERNATIONAL_DOMAIN:
        return ""
    mapped = _mapped(domain)
    return mapped if all(map(_is_international_label, mapped.split("."))) else ""


def _mapped(text: str) -> str:
    from unicodedata import normalize

    folded = normalize("NFKC", re.sub(_IGNORED_IN_DOMAIN, "", text)).lower()
    return normalize("NFC", folded).replace("\u3002", ".")


def _is_international_label(label: str) -> bool:
    from unicodedata import category, combining

    if label.startswith("xn--"):
        try:
            decoded = label[4:].encode("ascii").decode("punycode")
        except UnicodeError:
            return False
        if not decoded or _mapped(decoded) != decoded:
            return False
        label = decoded
    if label and category(label[0])[0] == "M":
        return False
    for before, character in zip("\0" + label, label):
        if character in "\u200c\u200d":
            if combining(before) != 9:  # a virama, which joiners may follow
                return False
        elif character == "\ufffd" or category(character) in _INVALID_CATEGORIES:
            return False
    return True
