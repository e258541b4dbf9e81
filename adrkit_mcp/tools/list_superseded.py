"""list_superseded: every superseded record, and what replaced it, one hop far."""

from __future__ import annotations

from ..corpus.findings import INFO, WARN, finding, in_order, shown
from ..corpus.record import split_ref
from .answer import Answer, findings_page, weigh_record
from .arguments import with_pages
from .cursor import Channel
from .summary import listed, plural, summarize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ..corpus.findings import Finding
    from ..corpus.projection import Projection
    from ..corpus.record import Record

TITLE = "List superseded decisions"
DESCRIPTION = (
    "See which decisions were replaced and by what, so that you do not follow or propose again what no "
    "longer holds. Rejected records are not listed here: find them with search_decisions and status "
    '["rejected"].'
)
ARGUMENTS = with_pages({})


def answer(projection: Projection, arguments: dict[str, Any]) -> Answer:
    limit = arguments["limit"]
    channel = Channel("superseded.results", [limit], limit, arguments.get("cursor"))
    superseded = [record for record in projection.records if record.status == "superseded"]
    page = channel.page(superseded, projection.fingerprint, weigh_record)
    items = [
        dict(record.summary(), supersededBy=_successor(projection, record)) for record in page.items
    ]
    findings = in_order([*projection.findings, *_target_findings(projection, superseded)])
    told = "Superseded: %d of %s." % (len(superseded), plural(len(projection.records), "decision"))
    return Answer(
        {
            "outcome": "entries",
            "items": items,
            "cursor": page.cursor,
            "findings": findings_page(projection, findings, "superseded.findings", arguments),
        },
        summarize(projection, told, listed(page.items, page.cursor is not None)),
    )


def _successor(projection: Projection, record: Record) -> dict[str, Any]:
    """The state of the direct successor; a superseded record always names one."""
    ref = record.superseded_by or ""
    log, id = split_ref(ref) or (None, ref)
    unresolved = {"resolved": False, "targetRef": ref}
    if log is not None:
        return {**unresolved, "reason": "federated-unavailable", "log": log, "id": id}
    targets = projection.with_id(id)
    if len(targets) > 1:
        return {**unresolved, "reason": "ambiguous", "candidateCount": len(targets)}
    if not targets:
        return {**unresolved, "reason": "dangling"}
    return {"resolved": True, "target": targets[0].summary()}


def _target_findings(projection: Projection, superseded: list[Record]) -> Iterator[Finding]:
    for record in superseded:
        successor = _successor(projection, record)
        reason = successor.get("reason")
        if reason == "ambiguous":
            message = "superseded by %s, an id that several records use" % shown(
                successor["targetRef"]
            )
            yield finding("superseded-target-ambiguous", WARN, message, id=record.id)
        elif reason == "federated-unavailable":
            message = "superseded by %s, which lies in another log" % shown(successor["targetRef"])
            yield finding("superseded-target-federated-unavailable", INFO, message, id=record.id)
