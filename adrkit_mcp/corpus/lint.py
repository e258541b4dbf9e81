"""lint: the findings of one file or of a whole corpus, for people and for CI."""

from __future__ import annotations

import re

from ..ecma import sort_key
from ..jsontext import dumps
from .frontmatter import FenceError, split
from .source import read_record as check_source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Union

    from .findings import Finding
    from .projection import Projection

    Located = tuple[Finding, Union[int, None]]

__all__ = ["FORMATS", "check_source", "has_errors", "report"]

FORMATS = ("text", "json", "github")
_GITHUB_LEVELS = {"error": "error", "warn": "warning", "info": "notice"}
_PARSER_PLACE = re.compile(r"line ([0-9]+), column [0-9]+: ")


def report(
    projection: Projection, findings: list[Finding], sources: Mapping[str, bytes], format: str
) -> str:
    """Findings in one of FORMATS; `sources` gives the bytes of a path, to tell the line of a field.

    text: `path:line: severity rule [field]: message` a line, then totals. json: one object. github: workflow
    commands, which GitHub shows at the line of the file.
    """
    located = [(item, _line_of(item, sources)) for item in findings]
    if format == "json":
        shown = [item if line is None else dict(item, line=line) for item, line in located]
        return dumps({"corpusHealth": projection.health(), "findings": shown})
    located.sort(key=_by_place)
    if format == "github":
        return "\n".join(_as_workflow_command(item, line) for item, line in located)
    return "\n".join(
        [*(_as_text(item, line) for item, line in located), _totals(projection, findings)]
    )


def has_errors(projection: Projection) -> bool:
    """Whether one of the findings is an error."""
    return any(item["severity"] == "error" for item in projection.findings)


def _by_place(located: Located) -> tuple[str, int]:
    item, line = located
    return sort_key(item.get("path", "")), line or 0


def _line_of(item: Finding, sources: Mapping[str, bytes]) -> int | None:
    """The line of the file, 1-based: the parser's, or that of the finding's top-level field."""
    if item["rule"] == "frontmatter-parse":
        place = _PARSER_PLACE.match(item["message"])
        return int(place[1]) if place else None
    source = sources.get(item.get("path", ""))
    field = item.get("field")
    if source is None or not field:
        return None
    try:
        head, _ = split(source)
    except FenceError:
        return None
    for name in (field, field.partition(".")[0]):  # a key may hold a dot itself
        key = re.escape(name.encode("utf-8", "surrogatepass"))
        found = re.search(rb"^[\"']?" + key + rb"[\"']?[ \t]*:", head, re.MULTILINE)
        if found:
            return head.count(b"\n", 0, found.start()) + 2
    return None


def _as_text(item: Finding, line: int | None) -> str:
    place = item.get("path", "corpus") + (":%d" % line if line else "")
    field = " [%s]" % item["field"] if "field" in item else ""
    return "%s: %s %s%s: %s" % (
        _one_line(place),
        item["severity"],
        item["rule"],
        _one_line(field),
        _one_line(item["message"]),
    )


def _as_workflow_command(item: Finding, line: int | None) -> str:
    properties = []
    if "path" in item:
        properties.append("file=" + _escaped_property(item["path"]))
    if line:
        properties.append("line=%d" % line)
    properties.append("title=" + _escaped_property(item["rule"]))
    field = item["field"] + ": " if "field" in item else ""
    message = _escaped(field + item["message"])
    return "::%s %s::%s" % (_GITHUB_LEVELS[item["severity"]], ",".join(properties), message)


def _escaped(text: str) -> str:
    """Escapes of GitHub's workflow commands, without which a text could end one and start another."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escaped_property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def _one_line(text: str) -> str:
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _totals(projection: Projection, findings: list[Finding]) -> str:
    counts = ", ".join(
        "%d %s" % (sum(item["severity"] == severity for item in findings), severity)
        for severity in ("error", "warn", "info")
    )
    return "%d records, %d excluded, %d skipped; findings: %s" % (
        len(projection.records),
        projection.excluded_count,
        projection.skipped_count,
        counts,
    )
