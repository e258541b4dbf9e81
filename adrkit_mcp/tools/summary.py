"""The summary line: what an answer says, in one text of at most 512 UTF-16 units for people and agents.

It interpolates counts, ids and references only, all of them bounded; titles and bodies are data, which
never become part of our own sentences.
"""

from __future__ import annotations

from ..ecma import utf16_length

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..corpus.projection import Projection
    from ..corpus.record import Record

_LIMIT = 512
_ID_LIMIT = 64
_LISTED = 8


def bounded(ref: str) -> str:
    """An id or a reference, cut to a sane length."""
    return ref if len(ref) <= _ID_LIMIT else ref[:_ID_LIMIT] + "..."


def summarize(projection: Projection, told: str, details: str = "") -> str:
    """What is told, what the corpus could not read, the details; these are cut when they exceed the limit."""
    text = " ".join(filter(None, (told, _unread(projection), details)))
    return text if utf16_length(text) <= _LIMIT else text[: _LIMIT - 3] + "..."


def listed(shown: Sequence[Record], more: bool) -> str:
    """How many are shown, that there are more, and the first of them."""
    if not shown:
        return ""
    ids = ["%s %s" % (bounded(record.id), record.status) for record in shown[:_LISTED]]
    if len(shown) > _LISTED:
        ids.append("...")
    hint = " (pass cursor for more)" if more else ""
    return "Showing %d%s: %s" % (len(shown), hint, ", ".join(ids))


def plural(count: int, noun: str) -> str:
    return "%d %s%s" % (count, noun, "" if count == 1 else "s")


def _unread(projection: Projection) -> str:
    parts = []
    if projection.excluded_count:
        parts.append(plural(projection.excluded_count, "file") + " excluded as invalid")
    if projection.skipped_count:
        parts.append(plural(projection.skipped_count, "Markdown file") + " skipped")
    if not parts:
        nothing = "There is no record in this folder: is it the folder of the ADRs?"
        return "" if projection.records else nothing
    told = (" and ".join(parts), projection.unread_rule)
    return "Not everything could be read: %s; first finding: %s." % told
