"""Rules between records: unique ids, references that resolve, conflicts, incomplete imports."""

from __future__ import annotations

from .findings import ERROR, INFO, WARN, finding, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence

    from .findings import Finding
    from .record import Record

    WithId = Callable[[str], Sequence[Record]]


def corpus_findings(
    records: Iterable[Record], with_id: WithId, shared_ids: Container[str]
) -> Iterator[Finding]:
    """Findings that need the whole corpus, one for each occurrence (contract notes, section 3)."""
    for record in records:
        if record.id in shared_ids:
            count = len(with_id(record.id))
            message = "the id %s is used by %d records: give each its own" % (
                shown(record.id),
                count,
            )
            yield _about(record, "unique-id", ERROR, message, "id")
        if record.import_incomplete:
            message = "an imported accepted record has no deciders: add who decided"
            yield _about(record, "import-incomplete", INFO, message, "deciders")
        if record.has_references:
            yield from _dangling(record, with_id)
            yield from _accepted_conflicts(record, with_id)


def _dangling(record: Record, with_id: WithId) -> Iterator[Finding]:
    successors = [] if record.superseded_by is None else [record.superseded_by]
    for field, severity, refs in (
        ("supersedes", ERROR, record.supersedes),
        ("supersededBy", ERROR, successors),
        ("relatesTo", ERROR, record.relates_to),
        ("conflictsWith", WARN, record.conflicts_with),
    ):
        for ref in refs:
            if not with_id(ref):
                message = "no record here has the id %s" % shown(ref)
                yield _about(record, "dangling-" + field, severity, message, field)


def _accepted_conflicts(record: Record, with_id: WithId) -> Iterator[Finding]:
    if record.status != "accepted":
        return
    for ref in record.conflicts_with:
        if with_id(ref):
            message = "accepted although it conflicts with %s: supersede one of the two" % shown(
                ref
            )
            yield _about(record, "accepted-conflictsWith", WARN, message, "conflictsWith")


def _about(record: Record, rule: str, severity: str, message: str, field: str) -> Finding:
    return finding(rule, severity, message, record.source_path, record.id, field)
