"""Which records' matchers fire on files, and what is wrong with the matchers that cannot.

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
    from collections.abc import Sequence
    from typing import Any, Callable

    from ..corpus.findings import Finding
    from ..corpus.projection import Projection
    from ..corpus.record import Record

    Match = Callable[[str], bool]


class MatcherIndex:
    """All matchers of a projection by their patterns, so that each pattern is tried once on a file."""

    __slots__ = ("_compiled", "_excluding", "_selecting", "findings")

    def __init__(self, records: Sequence[Record]) -> None:
        self.findings: list[Finding] = []
        self._compiled: dict[str, Match | GlobError] = {}
        self._excluding: dict[int, list[str]] = {}
        self._selecting: dict[str, list[int]] = {}
        for position, record in enumerate(records):
            for matcher in record.matchers:
                if not matcher.get("repo"):
                    self._add(position, record, matcher)
        # By code units, which is the order of patterns in answers.
        self._selecting = {
            pattern: self._selecting[pattern] for pattern in sorted(self._selecting, key=sort_key)
        }

    def _add(self, position: int, record: Record, matcher: dict[str, Any]) -> None:
        pattern = matcher["pattern"]
        if matcher["type"] != "path":
            self.findings.append(_inert(record, matcher["type"], pattern))
            return
        if pattern not in self._compiled:
            self._compiled[pattern] = _compile(pattern)
        compiled = self._compiled[pattern]
        if isinstance(compiled, GlobError):
            self.findings.append(_bad_pattern(record, "path", pattern, str(compiled)))
        elif matcher["negate"]:
            self._excluding.setdefault(position, []).append(pattern)
        else:
            positions = self._selecting.setdefault(pattern, [])
            if not positions or positions[-1] != position:
                positions.append(position)

    def fired(self, files: Sequence[str]) -> dict[int, list[str]]:
        """Position of each record that applies to one of the files -> its patterns that fire, by code units.

        One excluding pattern that fires on any of the files suppresses the whole record.
        """
        fired: dict[int, list[str]] = {}
        for pattern, positions in self._selecting.items():
            if self._fires(pattern, files):
                for position in positions:
                    fired.setdefault(position, []).append(pattern)
        for position in self._excluding.keys() & fired.keys():
            if any(self._fires(pattern, files) for pattern in self._excluding[position]):
                del fired[position]
        return {position: fired[position] for position in sorted(fired)}

    def _fires(self, pattern: str, files: Sequence[str]) -> bool:
        match = self._compiled[pattern]
        return not isinstance(match, GlobError) and any(map(match, files))


def matcher_index(projection: Projection) -> MatcherIndex:
    """The index of a projection, made at the first call that needs it."""
    index: MatcherIndex | None = projection.matcher_index
    if index is None:
        index = projection.matcher_index = MatcherIndex(projection.records)
    return index


def _compile(pattern: str) -> Match | GlobError:
    try:
        return compile_glob(pattern)
    except GlobError as error:
        return error


def _inert(record: Record, type: str, pattern: str) -> Finding:
    if type == "package" and package_rule(pattern) == "affects-bad-pattern":
        wanted = "expected a package, or package@range as npm writes ranges"
        return _bad_pattern(record, type, pattern, wanted)
    message = "this server resolves no %s matchers: %s applies to no file" % (type, shown(pattern))
    return _about(record, "affects-unresolvable", INFO, message, type, pattern)


def _bad_pattern(record: Record, type: str, pattern: str, why: str) -> Finding:
    message = "%s: %s" % (shown(pattern), why)
    return _about(record, "affects-bad-pattern", WARN, message, type, pattern)


def _about(
    record: Record, rule: str, severity: str, message: str, type: str, pattern: str
) -> Finding:
    field = "affects." + type
    return finding(rule, severity, message, record.source_path, record.id, field, pattern)
