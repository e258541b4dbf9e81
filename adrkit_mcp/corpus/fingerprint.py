"""The fingerprint: SHA-256 of the canonical JSON of everything a projection says."""

from __future__ import annotations

from ..digest import sha256
from ..ecma import canonical_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from .findings import Finding
    from .record import Record


#: Records hashed at a time: copying several together fetches them from memory faster than hashing each.
_TOGETHER = 16


def fingerprint(records: list[Record], findings: list[Finding], excluded_count: int) -> str:
    """Hex digest of `{records, corpusFindings, corpusHealth: {recordCount, excludedCount}}`, keys sorted.

    Hashed piece by piece, so that the text is never in memory whole.
    """
    health = {"recordCount": len(records), "excludedCount": excluded_count}
    digest = sha256(b'{"corpusFindings":[')
    separator = b""
    for text in _canonical_findings(findings):
        digest.update(separator)
        digest.update(text)
        separator = b","
    digest.update(b'],"corpusHealth":%s,"records":[' % canonical_bytes(health))
    texts = [record.canonical for record in records]
    texts[:1] = [text[1:] for text in texts[:1]]
    for start in range(0, len(texts), _TOGETHER):
        digest.update(b"".join(texts[start : start + _TOGETHER]))
    digest.update(b"]}")
    return digest.hexdigest()


def _canonical_findings(findings: list[Finding]) -> Iterator[bytes]:
    """Canonical JSON of each finding. A file's thousands share its id and path, which may be long."""
    quoted: dict[str, bytes] = {}
    for item in findings:
        members = []
        for key in sorted(item):
            value = item[key]
            if value not in quoted:
                quoted[value] = canonical_bytes(value)
            members.append(b'"%s":%s' % (key.encode("ascii"), quoted[value]))
        yield b"{%s}" % b",".join(members)


def extended(fingerprint: str, skipped: list[Finding]) -> str:
    """The fingerprint, changed by findings that are no part of it if there are any."""
    if not skipped:
        return fingerprint
    return sha256(fingerprint.encode("ascii") + canonical_bytes(skipped)).hexdigest()
