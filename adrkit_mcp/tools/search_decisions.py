"""search_decisions: normalized literal substring search over id, title, tags and body."""

from __future__ import annotations

from ..corpus.record import SCOPE, STATUS
from ..ecma import normalize, sort_key, trim
from ..schema import Form, ListOf, Text, optional, required
from . import shapes
from .answer import Answer, findings_page, weigh_record
from .arguments import with_pages
from .cursor import Channel
from .summary import listed, plural, summarize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..corpus.projection import Projection
    from ..corpus.record import Record

NAME = "search_decisions"
TITLE = "Search decisions"
DESCRIPTION = (
    "Find out whether something was already decided, before you propose or build it. Looks for a literal "
    "text, case aside, in id, title, tags and body of all architecture decision records. Both rejected and "
    "superseded ones are included: a hit may be what the team turned down, so look at its status. "
    "Search one word or short phrase at a time; read a hit with get_decision."
)
ARGUMENTS = with_pages({
    "query": required(
        Text(1, 256, Form(trim, "text that is not only white space")),
        "Text to look for, such as postgres; at most 256 characters.",
        '"postgres"',
    ),
    "status": optional(
        ListOf(STATUS, 1, 6, unique=True),
        "Only these statuses; [\"rejected\", \"superseded\"] shows what was turned down.",
        '["rejected"]',
    ),
    "tags": optional(
        ListOf(Text(1, 64), 1, 32, unique=True), "Only records with all of these tags.", '["database"]'
    ),
    "scope": optional(
        ListOf(SCOPE, 1, 3, unique=True), "Only these scopes.", '["domain"]'
    ),
})  # fmt: skip

_FIELDS = ("body", "id", "tag", "title")
OUTPUT = shapes.answer(
    shapes.outcome(
        "results",
        {
            "items": shapes.array(
                shapes.closed({
                    **shapes.SUMMARY_FIELDS,
                    "matchedFields": shapes.array(shapes.choice(_FIELDS)),
                })
            ),
            "cursor": shapes.CURSOR,
        },
    )
)  # fmt: skip


def answer(projection: Projection, arguments: dict[str, Any]) -> Answer:
    needle = normalize(arguments["query"])
    channel = Channel(
        "search.results", _shape(needle, arguments), arguments["limit"], arguments.get("cursor")
    )
    hits = _filtered(_containing(projection, needle), arguments)
    page, cursor = channel.page(hits, projection.fingerprint, weigh_record)
    items = [
        dict(record.summary(), matchedFields=_matched_fields(record, needle)) for record in page
    ]
    findings = findings_page(projection, projection.findings, "search.findings", arguments)
    found = "Matching: %d of %s." % (len(hits), plural(len(projection.records), "decision"))
    return Answer(
        {"outcome": "results", "items": items, "cursor": cursor, "findings": findings},
        summarize(projection, found, listed(page, len(hits), cursor is not None)),
    )


def _containing(projection: Projection, needle: str) -> list[Record]:
    """The records of which a field contains the needle; a needle with a NUL could span two of them."""
    found = [
        record
        for record, text in zip(projection.records, projection.search_texts())
        if needle in text
    ]
    return found if "\0" not in needle else [r for r in found if _matched_fields(r, needle)]


def _shape(needle: str, arguments: dict[str, Any]) -> list[Any]:
    filters = [
        sorted(arguments.get(name, ()), key=sort_key) for name in ("status", "tags", "scope")
    ]
    return [needle, *filters, arguments["limit"]]


def _filtered(records: list[Record], arguments: dict[str, Any]) -> list[Record]:
    """Those with any status, any scope, all tags asked for; tags as they are written, not normalized."""
    if "status" in arguments:
        records = [record for record in records if record.status in arguments["status"]]
    if "scope" in arguments:
        records = [record for record in records if record.scope in arguments["scope"]]
    for tag in arguments.get("tags", ()):
        records = [record for record in records if tag in record.tags]
    return records


def _matched_fields(record: Record, needle: str) -> list[str]:
    title, id, *tags = record.search_labels()
    hit = (
        record.body_contains(needle),
        needle in id,
        any(needle in tag for tag in tags),
        needle in title,
    )
    return [name for name, found in zip(_FIELDS, hit) if found]
