"""get_decision_context: which decisions apply to these files."""

from __future__ import annotations

from ..corpus.findings import in_order
from ..ecma import sort_key
from ..schema import ListOf, required
from .answer import Answer, findings_page, weigh_record
from .arguments import repository_path, with_pages
from .cursor import Channel
from .summary import listed, plural, summarize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..corpus.projection import Projection
    from ..corpus.record import Record

TITLE = "Get the decisions for files"
DESCRIPTION = (
    "Before you change code, ask which decisions apply to the files you are about to touch. Paths are only "
    "compared with patterns and need not exist. Answers with governing (accepted: follow them), "
    "activeProposals (not yet binding) and history (rejected, superseded, deprecated: do not bring them "
    "back unknowingly)."
)
ARGUMENTS = with_pages({
    "files": required(
        ListOf(repository_path(), 1, 256),
        "Repository-relative paths with forward slashes, such as src/db/pool.ts.",
        '["src/db/pool.ts"]',
    ),
})  # fmt: skip

#: The array of the answer that each status belongs to.
_ROLES = {
    "accepted": "governing",
    "draft": "activeProposals",
    "proposed": "activeProposals",
    "rejected": "history",
    "superseded": "history",
    "deprecated": "history",
}


def answer(projection: Projection, arguments: dict[str, Any]) -> Answer:
    files = sorted(set(arguments["files"]), key=sort_key)
    limit = arguments["limit"]
    channel = Channel("context.results", [files, limit], limit, arguments.get("cursor"))
    # Globs are a large part of the code, and no other tool needs them.
    from ..affects.matching import matcher_index

    index = matcher_index(projection)
    matches = [(projection.records[at], fired) for at, fired in index.fired(files).items()]
    page = channel.page(matches, projection.fingerprint, _weigh)
    result: dict[str, Any] = {
        "outcome": "matches",
        "governing": [],
        "activeProposals": [],
        "history": [],
        "cursor": page.cursor,
    }
    for record, fired in page.items:
        result[_ROLES[record.status]].append(_entry(record, fired))
    findings = in_order([*projection.findings, *index.findings])
    result["findings"] = findings_page(projection, findings, "context.findings", arguments, files)
    told = "Applying to %s: %d of %s." % (
        plural(len(files), "file"),
        len(matches),
        plural(len(projection.records), "decision"),
    )
    shown = [record for record, _ in page.items]
    told_page = listed(shown, page.cursor is not None)
    return Answer(result, summarize(projection, told, told_page))


def _weigh(match: tuple[Record, list[str]]) -> int:
    record, fired = match
    return weigh_record(record) + sum(map(len, fired))


def _entry(record: Record, fired: list[str]) -> dict[str, Any]:
    return {
        **record.summary(),
        "firedMatchers": [{"type": "path", "pattern": pattern} for pattern in fired],
        "relations": {
            "supersedes": record.supersedes,
            "supersededBy": record.superseded_by,
            "relatesTo": record.relates_to,
            "conflictsWith": record.conflicts_with,
        },
    }
