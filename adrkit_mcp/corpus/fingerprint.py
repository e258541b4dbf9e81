"""The fingerprint: SHA-256 of the canonical JSON of everything a projection says."""

from __future__ import annotations

from hashlib import sha256

from ..ecma import canonical_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .findings import Finding
    from .record import Record


def fingerprint(records: list[Record], findings: list[Finding], excluded_count: int) -> str:
    """Hex digest of `{records, corpusFindings, corpusHealth: {recordCount, excludedCount}}`, keys sorted.

    Hashed piece by piece, so that the text is never in memory whole.
    """
    health = {"recordCount": len(records), "excludedCount": excluded_count}
    head = canonical_bytes({"corpusFindings": findings, "corpusHealth": health})
    digest = sha256(head[:-1] + b',"records":[')
    separator = b""
    for record in records:
        digest.update(separator + record.canonical)
        separator = b","
    digest.update(b"]}")
    return digest.hexdigest()


def extended(fingerprint: str, skipped: list[Finding]) -> str:
    """The fingerprint, changed by findings that are no part of it if there are any."""
    if not skipped:
        return fingerprint
    return sha256(fingerprint.encode("ascii") + canonical_bytes(skipped)).hexdigest()
