"""Arguments: checked strictly against a tool's declaration before the corpus is touched."""

from __future__ import annotations

from ..schema import Form, Integer, Issue, Object, Text, by_path, defaulted, dotted, optional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..schema import Field

_MAX_ISSUES = 5
_CURSOR = Text(maximum=4096)
_LIMIT = Integer(1, 100)


def with_pages(fields: dict[str, Field]) -> Object:
    """The declaration of a tool's arguments: its own fields, then those that every tool has."""
    return Object({
        **fields,
        "cursor": optional(_CURSOR, "Cursor of the next page, from the last answer; omit it for the first."),
        "limit": defaulted(_LIMIT, 20, "Items on a page, 1-100.", "20"),
        "findingsCursor": optional(_CURSOR, "Like cursor, for the findings (what is wrong with the corpus)."),
        "findingsLimit": defaulted(_LIMIT, 20, "Findings on a page, 1-100.", "20"),
    })  # fmt: skip


def repository_path() -> Text:
    """A path relative to the repository, in POSIX spelling."""
    expected = "a path relative to the repository, with forward slashes and without .."
    return Text(1, 1024, Form(_is_repository_path, expected))


def _is_repository_path(text: str) -> bool:
    drive = text[1:2] == ":" and text[0].isascii() and text[0].isalpha()
    return not (text.startswith("/") or drive or "\\" in text or ".." in text.split("/"))


class InvalidArguments(Exception):
    """Arguments that break the declaration; the text names each of them, the rule and a right example."""


def check_arguments(declared: Object, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments with their defaults filled. Raises InvalidArguments."""
    issues: list[Issue] = []
    checked: dict[str, Any] = declared.check(arguments, issues)
    if issues:
        raise InvalidArguments(_explain(declared, issues))
    return checked


def _explain(declared: Object, issues: list[Issue]) -> str:
    first = {dotted(issue.path): issue for issue in sorted(issues, key=by_path, reverse=True)}
    lines = [_explain_one(declared, first[path]) for path in sorted(first)[:_MAX_ISSUES]]
    if len(first) > _MAX_ISSUES:
        lines.append("and %d more" % (len(first) - _MAX_ISSUES))
    return "Invalid arguments: " + "; ".join(lines) + "."


def _explain_one(declared: Object, issue: Issue) -> str:
    if issue.rule == "strict-unknown-key":
        return "%s: unknown argument, this tool takes %s" % (
            _shown(issue.path),
            ", ".join(declared.fields),
        )
    field = declared.fields[issue.path[0]]
    example = ', for example "%s": %s' % (issue.path[0], field.example) if field.example else ""
    return "%s: %s%s" % (_shown(issue.path), issue.message, example)


def _shown(path: list[str]) -> str:
    """A path as the caller wrote it, cut to a sane length, control and invisible characters escaped."""
    text = dotted(path)[:80]
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text) or '""'
