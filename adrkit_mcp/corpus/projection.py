"""A projection: the corpus at one instant, in order, with its findings, its health and its fingerprint."""

from __future__ import annotations

from .findings import in_order
from .fingerprint import extended, fingerprint
from .rules import corpus_findings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from .findings import Finding
    from .record import Record


class Projection:
    """`records` by id and path, `findings` in order, `fingerprint`. Never changed.

    `excluded_count` candidates made no record, `skipped_count` Markdown files are no candidates;
    `unread_rule` is the rule of the first finding about either, or None.

    The fingerprint is that of records and of what is wrong with candidates: files beside them change
    nothing that a page of records is made of. Pages of findings list those too, so they are bound to
    `findings_fingerprint`, which differs from the other only where something was skipped.
    """

    __slots__ = (
        "_by_id",
        "_sharing",
        "excluded_count",
        "findings",
        "findings_fingerprint",
        "fingerprint",
        "matcher_index",
        "records",
        "skipped_count",
        "unread_rule",
    )

    def __init__(
        self,
        records: Iterable[Record],
        file_findings: list[Finding],
        skipped: list[Finding],
        excluded_count: int,
    ) -> None:
        self.records = sorted(records, key=lambda record: record.order)
        self._by_id = {record.id: record for record in self.records}
        self._sharing = self._records_that_share_ids()
        findings = in_order(
            [*file_findings, *corpus_findings(self.records, self.with_id, self._sharing)]
        )
        self.excluded_count = excluded_count
        self.fingerprint = fingerprint(self.records, findings, excluded_count)
        self.skipped_count = len(skipped)
        self.findings = in_order([*findings, *skipped]) if skipped else findings
        self.findings_fingerprint = extended(self.fingerprint, skipped)
        unread = in_order([*file_findings, *skipped])
        self.unread_rule = unread[0]["rule"] if unread else None
        #: Kept here by `affects.matching`, so that it lives exactly as long as the projection.
        self.matcher_index: Any = None

    def with_id(self, id: str) -> Sequence[Record]:
        """The records with an id, by path: one, unless people gave the same id twice."""
        if id in self._sharing:
            return self._sharing[id]
        return (self._by_id[id],) if id in self._by_id else ()

    def _records_that_share_ids(self) -> dict[str, list[Record]]:
        if len(self._by_id) == len(self.records):
            return {}
        groups: dict[str, list[Record]] = {}
        for record in self.records:
            groups.setdefault(record.id, []).append(record)
        return {id: group for id, group in groups.items() if len(group) > 1}

    def health(self) -> dict[str, Any]:
        """`corpusHealth` as every answer carries it."""
        return {
            "fingerprint": self.fingerprint,
            "recordCount": len(self.records),
            "excludedCount": self.excluded_count,
        }
