"""get_decision: one record whole."""

from __future__ import annotations

from ..corpus.record import split_ref
from ..schema import Form, Text, required
from .answer import Answer, findings_page, weigh_record
from .arguments import with_pages
from .cursor import Channel
from .summary import bounded, listed, plural, summarize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..corpus.projection import Projection
    from ..corpus.record import Record

TITLE = "Get a decision"
DESCRIPTION = (
    "Read one architecture decision whole, by the id that another tool, code or a person mentions: its "
    "frontmatter (status, deciders, relations) and its text. Only accepted decisions are in force; for a "
    "superseded one read its supersededBy next."
)
ARGUMENTS = with_pages({
    "ref": required(
        Text(
            0,
            128,
            Form(split_ref, 'the id as text: four or more digits such as "0007", a ULID, or log:id'),
        ),
        'The id as text with its leading zeros, such as "0007", a ULID, or log:id.',
        '"0007"',
    ),
})  # fmt: skip

# A body of 64 KiB, as JSON and beside its copy; clients that know the key do not spill it to a file.
META = {"anthropic/maxResultSizeChars": 500_000}


def answer(projection: Projection, arguments: dict[str, Any]) -> Answer:
    ref = arguments["ref"]
    channel = Channel(
        "get_decision.candidates",
        [ref, arguments["limit"]],
        arguments["limit"],
        arguments.get("cursor"),
    )
    result, told, details = _resolve(projection, ref, channel)
    result["findings"] = findings_page(
        projection, projection.findings, "get_decision.findings", arguments
    )
    return Answer(result, summarize(projection, told, details))


def _resolve(projection: Projection, ref: str, channel: Channel) -> tuple[dict[str, Any], str, str]:
    """The outcome without its findings, what it tells, and details. A `log:id` is never looked up here."""
    log, id = split_ref(ref) or (None, ref)
    named = bounded(ref)
    records = projection.with_id(id)
    if log is None and len(records) > 1:
        page = channel.page(records, projection.fingerprint, weigh_record)
        candidates = [record.summary() for record in page.items]
        outcome = {"outcome": "ambiguous-local-id", "requestedRef": ref, "candidates": candidates}
        told = "The id %s is used by %s." % (named, plural(len(records), "record"))
        shown = listed(page.items, page.cursor is not None)
        return dict(outcome, cursor=page.cursor), told, shown
    channel.refuse(projection.fingerprint)
    if log is not None:
        told = "%s belongs to another log, which this server does not read." % named
        outcome = {
            "outcome": "federated-log-unavailable",
            "requestedRef": ref,
            "log": log,
            "id": id,
        }
        return outcome, told, ""
    if not records:
        told = "No decision has the id %s: searched %s." % (
            named,
            plural(len(projection.records), "record"),
        )
        return {"outcome": "not-found", "requestedRef": ref}, told, ""
    return {"outcome": "found", "decision": _whole(records[0], ref)}, _told(records[0]), ""


def _whole(record: Record, ref: str) -> dict[str, Any]:
    return {
        "requestedRef": ref,
        **record.summary(),
        "frontmatter": record.frontmatter_json,
        "body": record.body,
    }


def _told(record: Record) -> str:
    successor = "" if record.superseded_by is None else " by " + bounded(record.superseded_by)
    return "Decision %s is %s%s." % (bounded(record.id), record.status, successor)
