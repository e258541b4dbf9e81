"""search_decisions: normalized literal substring search over id, title, tags and body."""

from __future__ import annotations

from ..corpus.record import SCOPE, STATUS
from ..ecma import normalize, sort_key, trim
from ..schema import Form, ListOf, Text, optional, required
from .answer import Answer, findings_page, weigh_record
from .arguments import with_pages
from .cursor import Channel
from .summary import listed, plural, summarize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from ..corpus.projection import Projection
    from ..corpus.record import Record

TITLE = "Search decisions"
DESCRIPTION = (
    "Find out whether something was already decided, before you propose or build it. Looks for a literal "
    "text, case aside, in id, title, tags and body of all architecture decision records. Both rejected and "
    "superseded ones are included: a hit may be what the team turned down, so look at its status. "
    "Search one word or short phrase at a time; read a hit with get_decision."
)
#: What a hit can be found in.
FIELDS = ("body", "id", "tag", "title")
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


def answer(projection: Projection, arguments: dict[str, Any]) -> Answer:
    needle = normalize(arguments["query"])
    channel = Channel(
        "search.results", _shape(needle, arguments), arguments["limit"], arguments.get("cursor")
    )
    hits = _containing(_filtered(projection.records, arguments), needle)
    page = channel.page(hits, projection.fingerprint, weigh_record)
    items = [
        dict(record.summary(), matchedFields=_matched_fields(record, needle))
        for record in page.items
    ]
    findings = findings_page(projection, projection.findings, "search.findings", arguments)
    # Counting the hits of later pages would take as long as finding them.
    found = "%s%d of %s" % (
        "at least " if page.cursor else "",
        page.seen,
        plural(len(projection.records), "decision"),
    )
    return Answer(
        {"outcome": "results", "items": items, "cursor": page.cursor, "findings": findings},
        summarize(projection, "Matching: %s." % found, listed(page.items, page.cursor is not None)),
    )


def _containing(records: Sequence[Record], needle: str) -> Iterator[Record]:
    """The records of which a field contains the needle; a needle with a NUL could span two of them."""
    found = (record for record in records if needle in record.search_text)
    return found if "\0" not in needle else filter(lambda r: _matched_fields(r, needle), found)


def _shape(needle: str, arguments: dict[str, Any]) -> list[Any]:
    filters = [
        sorted(arguments.get(name, ()), key=sort_key) for name in ("status", "tags", "scope")
    ]
    return [needle, *filters, arguments["limit"]]


def _filtered(records: Sequence[Record], arguments: dict[str, Any]) -> Sequence[Record]:
    """Those with any status, any scope, all tags asked for; tags as they are written, not normalized."""
    if "status" in arguments:
        records = [record for record in records if record.status in arguments["status"]]
    if "scope" in arguments:
        records = [record for record in records if record.scope in arguments["scope"]]
    for tag in arguments.get("tags", ()):
        records = [record for record in records if tag in record.tags]
    return records


def _matched_fields(record: Record, needle: str) -> list[str]:
    in_body = record.body_contains(needle)
    if in_body and not record.may_label(needle):
        return ["body"]
    title, id, *tags = record.search_labels()
    hit = (
        in_body,
        needle in id,
        any(needle in tag for tag in tags),
        needle in title,
    )
    return [name for name, found in zip(FIELDS, hit) if found]
