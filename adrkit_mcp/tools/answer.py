"""What a tool answers: an outcome, and the sentence that sums it up."""

from __future__ import annotations

from .cursor import Channel

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..corpus.findings import Finding
    from ..corpus.projection import Projection
    from ..corpus.record import Record


class Answer:
    """`result`, an outcome told apart by its key `outcome`, and `summary`, a line for people."""

    __slots__ = ("result", "summary")

    def __init__(self, result: dict[str, Any], summary: str) -> None:
        self.result = result
        self.summary = summary


def weigh_record(record: Record) -> int:
    """About how many characters a list shows of a record."""
    refs = (record.supersedes, record.relates_to, record.conflicts_with)
    shown = len(record.id) + len(record.title) + len(record.source_path)
    if record.has_references:
        shown += len(record.superseded_by or "") + sum(len(ref) for list in refs for ref in list)
    return shown


def _weigh_finding(item: Finding) -> int:
    return sum(map(len, item.values()))


def findings_page(
    projection: Projection,
    findings: list[Finding],
    scope: str,
    arguments: dict[str, Any],
    *bound_to: Any,
) -> dict[str, Any]:
    """`{items, cursor}`: the page of findings asked for. Raises InvalidCursor.

    The channel is bound to its own limit and to `bound_to`, what else its findings depend on.
    """
    limit = arguments["findingsLimit"]
    channel = Channel(scope, [*bound_to, limit], limit, arguments.get("findingsCursor"))
    page = channel.page(findings, projection.findings_fingerprint, _weigh_finding)
    return {"items": page.items, "cursor": page.cursor}
