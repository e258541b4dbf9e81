"""Which of a record's matchers fire on files, and what is wrong with those that cannot.

Only `path` matchers are resolved here; the other types are inert, and a matcher with a `repo` belongs to
another repository (contract notes, section 6).
"""

from __future__ import annotations

from ..corpus.findings import INFO, WARN, finding, shown
from ..ecma import sort_key
from .glob import GlobError, compile_glob
from .matchers import package_rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Callable

    from ..corpus.findings import Finding
    from ..corpus.record import Record


class Matchers:
    """A record's matchers, compiled: patterns that select files, patterns that exclude, and findings."""

    __slots__ = ("exclude", "findings", "select")

    def __init__(self, record: Record) -> None:
        self.select: list[tuple[str, Callable[[str], bool]]] = []
        self.exclude: list[Callable[[str], bool]] = []
        self.findings: list[Finding] = []
        for matcher in record.matchers:
            if matcher.get("repo"):
                continue
            pattern = matcher["pattern"]
            if matcher["type"] != "path":
                self.findings.append(_inert(record, matcher["type"], pattern))
                continue
            try:
                match = compile_glob(pattern)
            except GlobError as error:
                self.findings.append(_bad_pattern(record, "path", pattern, str(error)))
                continue
            if matcher["negate"]:
                self.exclude.append(match)
            elif pattern not in [known for known, _ in self.select]:
                self.select.append((pattern, match))
        self.select.sort(key=lambda item: sort_key(item[0]))


def fired_matchers(record: Record, files: Iterable[str]) -> list[dict[str, str]]:
    """`{type, pattern}` of each matcher that fires on a file, by code units; empty: does not apply.

    One excluding matcher that fires on any of the files suppresses the whole record.
    """
    matchers = _compiled(record)
    fired = [pattern for pattern, match in matchers.select if any(map(match, files))]
    if not fired or any(match(file) for match in matchers.exclude for file in files):
        return []
    return [{"type": "path", "pattern": pattern} for pattern in fired]


def matcher_findings(records: Iterable[Record]) -> Iterator[Finding]:
    """What is inert or malformed among all matchers, whether they would fire or not."""
    for record in records:
        yield from _compiled(record).findings


def _compiled(record: Record) -> Matchers:
    matchers: Matchers | None = record.compiled_matchers
    if matchers is None:
        matchers = record.compiled_matchers = Matchers(record)
    return matchers


def _inert(record: Record, type: str, pattern: str) -> Finding:
    if type == "package" and package_rule(pattern) == "affects-bad-pattern":
        return _bad_pattern(
            record, type, pattern, "expected a package, or package@range as npm writes ranges"
        )
    message = "%s matchers are not resolved by this server: %s applies to no file here" % (
        type,
        shown(pattern),
    )
    return _about(record, "affects-unresolvable", INFO, message, type, pattern)


def _bad_pattern(record: Record, type: str, pattern: str, why: str) -> Finding:
    return _about(
        record, "affects-bad-pattern", WARN, "%s: %s" % (shown(pattern), why), type, pattern
    )


def _about(
    record: Record, rule: str, severity: str, message: str, type: str, pattern: str
) -> Finding:
    return finding(
        rule, severity, message, record.source_path, record.id, "affects." + type, pattern
    )
