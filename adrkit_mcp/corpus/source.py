"""One file: its bytes -> a record, or the findings that say why it is none."""

from __future__ import annotations

from ..ecma import canonical_json
from .entries import read_entries
from .findings import ERROR, finding, in_order
from .frontmatter import FenceError, split
from .record import Record, check_frontmatter
from .yaml_subset import YamlError, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .findings import Finding


def read_record(source: bytes, source_path: str) -> tuple[Record | None, list[Finding]]:
    """(record, []), or (None, findings) in their order. `source` is decoded as UTF-8, bad bytes as U+FFFD."""
    try:
        head, body_start = split(source)
        text = head.decode("utf-8", "replace")
        read = read_entries(text)
        if read is not None:
            return Record(source, source_path, *read, body_start), []
        data = parse(text)
    except FenceError as error:
        return None, [
            finding("frontmatter-fence", ERROR, str(error), source_path, field="frontmatter")
        ]
    except YamlError as error:
        # The opening fence is line 1 of the file, so the frontmatter's line 1 is the file's line 2.
        place = "line %d, column %d: " % (error.line + 1, error.column)
        message = place + error.problem
        return None, [
            finding("frontmatter-parse", ERROR, message, source_path, field="frontmatter")
        ]
    frontmatter, issues = check_frontmatter(data)
    if not issues:
        canonical = canonical_json(frontmatter)
        return Record(source, source_path, frontmatter, canonical, body_start), []
    # Most corpora are healthy: what helps to mend a record is not loaded before one needs it.
    from .advice import advise

    id = data.get("id") if isinstance(data, dict) else None
    return None, in_order(
        finding(
            issue.rule,
            ERROR,
            advise(issue),
            source_path,
            id if isinstance(id, str) else None,
            ".".join(issue.path) if issue.path else None,
        )
        for issue in issues
    )
