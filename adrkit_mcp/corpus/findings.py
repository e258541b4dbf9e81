"""Findings: what is wrong with a corpus, as data, in one fixed order."""

from __future__ import annotations

from ..ecma import sort_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    Finding = dict[str, Any]

ERROR, WARN, INFO = "error", "warn", "info"

#: What Unicode lets fonts leave out (Default_Ignorable_Code_Point) though Python finds it printable.
_IGNORABLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0"
    + "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
)


def finding(
    rule: str,
    severity: str,
    message: str,
    path: str | None = None,
    id: str | None = None,
    field: str | None = None,
    pattern: str | None = None,
) -> Finding:
    """`{rule, severity, message, path?, id?, field?, pattern?}`; what is None is left out."""
    result = {"rule": rule, "severity": severity, "message": message}
    for key, value in (("path", path), ("id", id), ("field", field), ("pattern", pattern)):
        if value is not None:
            result[key] = value
    return result


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """By rule, id, pattern, path, field, message, each by UTF-16 units, an absent one as the empty string."""
    return sorted(findings, key=_order)


def _order(item: Finding) -> tuple[str, ...]:
    get = item.get
    key = (
        item["rule"],
        get("id", ""),
        get("pattern", ""),
        get("path", ""),
        get("field", ""),
        item["message"],
    )
    return key if "".join(key).isascii() else tuple(map(sort_key, key))


def shown(text: str, limit: int = 40) -> str:
    """A value for a message: in quotes, cut short, control and invisible characters escaped."""
    cut = text[:limit]
    printable = "".join(c if _is_visible(c) else ascii(c)[1:-1] for c in cut)
    return '"%s%s"' % (printable.replace('"', '\\"'), "..." if len(text) > limit else "")


def _is_visible(char: str) -> bool:
    return char.isprintable() and char not in _IGNORABLE
